package worker

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/storage/postgres"
)

func TestMetrics_of_all_lanes_and_tenants(t *testing.T) {
	b := setup(t)
	w := b.worker(func(context.Context, postgres.Claim) error { return nil })
	if n := metric(t, w, "dossier_lane_slots", "spread"); n != 0 { // nobody serves it: a figure too
		t.Errorf("%v slots in a lane that nobody serves", n)
	}
	if n := metric(t, w, "dossier_lane_slots", "system"); n == 0 {
		t.Error("no slots in a lane that this worker serves")
	}
	if n := metric(t, w, "dossier_schema_version"); n != float64(postgres.SchemaVersion()) {
		t.Errorf("schema %v", n)
	}
	for _, name := range []string{"dossier_review_open", "dossier_retention_due", "dossier_holds"} {
		if n := metric(t, w, name); n != 0 {
			t.Errorf("%s is %v in an empty database", name, n)
		}
	}
	if n := metric(t, w, "dossier_leader", "housekeeping"); n != 0 {
		t.Error("a worker that does not run leads")
	}
	b.run(w)
	b.until("it leads", func() bool { return metric(t, w, "dossier_leader", "housekeeping") == 1 })
}

func TestMetrics_reading(t *testing.T) {
	t.Parallel()
	w := &Worker{Config: Config{Metrics: prometheus.NewRegistry()}}
	m := newWorkMetrics(w.Metrics)
	m.reading(sandbox.Reading{}, errors.New("no process"), time.Second)
	m.reading(sandbox.Reading{Refusal: decode.Refuse(decode.RefusedTimeout, "late")}, nil, time.Second)
	m.reading(sandbox.Reading{Extraction: &dossier.Extraction{Layer: "text",
		Documents: []dossier.ReadDocument{{DocType: "W2"}, {DocType: "W2"}}}}, nil, time.Second)
	for _, want := range []struct {
		n      float64
		name   string
		values []string
	}{
		{1, "dossier_parser_exits_total", []string{"fault"}}, {1, "dossier_parser_exits_total", []string{"timeout"}},
		{1, "dossier_parser_exits_total", []string{"ok"}}, {2, "dossier_documents_read_total", []string{"W2", "read"}},
		{1, "dossier_documents_read_total", []string{"none", "timeout"}},
	} {
		if got := metric(t, w, want.name, want.values...); got != want.n {
			t.Errorf("%s %v is %v, want %v", want.name, want.values, got, want.n)
		}
	}
}

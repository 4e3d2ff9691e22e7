package worker

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
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

// A time of a trace that somebody keeps leads to it; one of a trace that was not sampled leads nowhere.
func TestMetrics_exemplars(t *testing.T) {
	t.Parallel()
	const id = "0af7651916cd43dd8448eb211c80319c"
	for flags, want := range map[string]string{"01": id, "00": ""} {
		registry := prometheus.NewRegistry()
		histogram := prometheus.NewHistogram(prometheus.HistogramOpts{Name: "h", Buckets: []float64{1, 10}})
		registry.MustRegister(histogram)
		observe(histogram, 2*time.Second, "00-"+id+"-b7ad6b7169203331-"+flags)
		families, err := registry.Gather()
		if err != nil {
			t.Fatal(err)
		}
		bucket, got := families[0].GetMetric()[0].GetHistogram().GetBucket()[1], ""
		for _, label := range bucket.GetExemplar().GetLabel() {
			got = label.GetValue()
		}
		if got != want || bucket.GetCumulativeCount() != 1 {
			t.Errorf("flags %s: exemplar %q, want %q", flags, got, want)
		}
	}
}

func TestMetrics_reading(t *testing.T) {
	t.Parallel()
	w := &Worker{Config: Config{Metrics: prometheus.NewRegistry()}}
	m := newWorkMetrics(w.Metrics)
	m.reading(sandbox.Reading{}, errors.New("no process"), time.Second)
	m.reading(sandbox.Reading{Refusal: refusal.New(refusal.Timeout, "late")}, nil, time.Second)
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

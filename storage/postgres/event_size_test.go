package postgres_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// The result of a run can be as large as the document it is about. The event that tells of it is not: it says that the
// result was left out, which the poll has.
func TestEvent_size(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	run, err := h.DB.CreatePipelineRun(t.Context(), h.ws, "extract-document", []string{"extract-document"}, json.RawMessage(`{}`), postgres.PipelineSubjects{})
	if err != nil {
		t.Fatal(err)
	}
	large := json.RawMessage(`{"words":"` + strings.Repeat("x", 2<<20) + `"}`)
	claim := h.claim(t, "pipeline.run")
	if _, err := h.DB.FinishPipelineStep(t.Context(), claim, run.ID, large, time.Second); err != nil {
		t.Fatal(err)
	}
	body := pgtest.Value[string](t, h.Server, `SELECT body FROM events WHERE type = 'pipeline_run.completed'`)
	var event struct {
		Data struct {
			PipelineRun struct {
				JobID         string
				Result        *json.RawMessage
				ResultOmitted bool
			}
		}
	}
	if err := json.Unmarshal([]byte(body), &event); err != nil || len(body) > dossier.MaxEventBody {
		t.Fatalf("%d bytes, %v", len(body), err)
	}
	if r := event.Data.PipelineRun; r.Result != nil || !r.ResultOmitted || r.JobID != string(run.ID) {
		t.Errorf("%+v", r)
	}
	kept, err := h.DB.ReadPipelineRun(t.Context(), h.ws, "extract-document", run.ID)
	if err != nil || len(kept.Result) < 2<<20 {
		t.Errorf("the poll has %d bytes, %v", len(kept.Result), err)
	}
}

// A page that a drain reads ahead ends after so many bytes, and says that there is more.
func TestNextDeliveries_bytes(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	const events = 60
	for range events {
		id := dossier.EventID(postgres.NewID())
		data := fmt.Sprintf(`{"leadId":null,"fill":%q}`, strings.Repeat("x", 200<<10))
		body := dossier.EventBody(id, h.ws, dossier.EventLeadUpdated, h.Clock.Now(), []byte(data))
		h.Exec(t, `WITH e AS (INSERT INTO events (workspace_id, id, type, body, created_at) VALUES ($1, $2, $3, $4, $5))
			INSERT INTO event_inbox (workspace_id, event_id, type, created_at) VALUES ($1, $2, $3, $5)`,
			h.ws, id, dossier.EventLeadUpdated, string(body), h.Clock.Now())
	}
	h.dispatch(t)
	seen, pages := 0, 0
	for after, full := int64(0), true; full; pages++ {
		next, err := h.DB.NextDeliveries(t.Context(), h.ws, h.webhook.ID, after, nil, 256)
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, o := range next.Deliveries {
			size += len(o.Body)
		}
		if size > 5<<20 {
			t.Errorf("a page of %d bytes", size)
		}
		seen, after, full = seen+len(next.Deliveries), next.Last, next.Full
	}
	if seen != events || pages < 3 {
		t.Errorf("%d deliveries on %d pages", seen, pages)
	}
}

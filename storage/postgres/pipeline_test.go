package postgres_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// The outcome of a run goes once to the registration that its webhookId names, whatever that wants otherwise, and to the
// others by what they want.
func TestPipelineRun_webhook(t *testing.T) {
	t.Parallel()
	for event, of := range map[dossier.EventType]struct {
		end   func(h *hooks, claim postgres.Claim, run dossier.PipelineRunID) error
		tells string
	}{
		dossier.EventPipelineRunCompleted: {func(h *hooks, claim postgres.Claim, run dossier.PipelineRunID) error {
			_, err := h.DB.FinishPipelineStep(t.Context(), claim, run, json.RawMessage(`{"matches":[],"unmatched":[]}`), time.Second)
			return err
		}, `"result":{"matches":[],"unmatched":[]},"error":null,"status":"COMPLETE","progress":100`},
		dossier.EventPipelineRunFailed: {func(h *hooks, claim postgres.Claim, run dossier.PipelineRunID) error {
			_, err := h.DB.FailPipelineRun(t.Context(), claim, run, dossier.PipelineFailure{Code: "encrypted", Message: "It has a password"}, time.Second)
			return err
		}, `"result":null,"error":{"code":"encrypted","message":"It has a password"},"status":"ERROR"`},
	} {
		h := newHooks(t) // its own webhook wants everything
		leads := &[]dossier.EventType{dossier.EventLeadCreated}
		named, other := h.register(t, dossier.WebhookUpdate{URL: ptr("https://named.example/"), Events: leads}), h.register(t, dossier.WebhookUpdate{URL: ptr("https://other.example/"), Events: leads})
		lead, _ := h.Lead(t, h.ws)
		run, err := h.DB.CreatePipelineRun(t.Context(), h.ws, jobs.PipelineMatchDocuments, []string{jobs.PipelineMatchDocuments}, []byte(`{"leadId":"`+string(lead)+`"}`),
			postgres.PipelineSubjects{Lead: lead, Webhook: named.ID})
		if err != nil {
			t.Fatal(err)
		}
		if err := of.end(h, h.claim(t, jobs.RunPipeline{}.Spec().Kind), run.ID); err != nil {
			t.Fatal(err)
		}
		if n := h.dispatch(t); n != 1 {
			t.Fatalf("%d events", n)
		}
		for id, want := range map[dossier.WebhookID]int{h.webhook.ID: 1, named.ID: 1, other.ID: 0} {
			got, err := h.DB.Deliveries(t.Context(), h.ws, postgres.DeliveryFilter{Webhook: id}, dossier.Page{Limit: 10})
			if err != nil || len(got) != want || want == 1 && got[0].EventType != event {
				t.Errorf("%s: %d deliveries to %s, want %d: %+v %v", event, len(got), id, want, got, err)
			}
		}
		if body := strings.ReplaceAll(pgtest.Value[string](t, h.Server, `SELECT body FROM events WHERE type = $1`, event), " ", ""); !strings.Contains(body, strings.ReplaceAll(of.tells, " ", "")) {
			t.Errorf("%s does not tell %s: %s", event, of.tells, body)
		}
	}
}

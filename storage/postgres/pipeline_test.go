package postgres_test

import (
	"encoding/json"
	"errors"
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

// The file of an export is published by the commit that ends its step and by nothing else. Of a run that is cancelled or
// fails before it is nobody's; and whoever has lost the job notes, publishes and ends nothing.
func TestExport_published(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	const pipeline = jobs.PipelineExportAnalyticsCSV
	fail := func(claim postgres.Claim, run dossier.PipelineRunID) error {
		_, err := h.DB.FailPipelineRun(t.Context(), claim, run, dossier.PipelineFailure{Code: "unavailable"}, time.Second)
		return err
	}
	finish := func(claim postgres.Claim, run dossier.PipelineRunID) error {
		_, err := h.DB.FinishPipelineStep(t.Context(), claim, run, json.RawMessage(`{}`), time.Second)
		return err
	}
	cancel := func(_ postgres.Claim, run dossier.PipelineRunID) error {
		_, err := h.DB.CancelPipelineRun(t.Context(), h.ws, pipeline, run)
		return err
	}
	lose := func(claim postgres.Claim, _ dossier.PipelineRunID) error {
		h.Exec(t, `UPDATE jobs SET epoch = epoch + 1 WHERE id = $1`, claim.Job)
		return nil
	}
	for name, of := range map[string]struct {
		end   func(claim postgres.Claim, run dossier.PipelineRunID) error
		want  dossier.PipelineStatus
		after error // of whoever goes on with the step
	}{
		"finished":  {finish, dossier.PipelineComplete, nil},
		"failed":    {fail, dossier.PipelineError, nil},
		"cancelled": {cancel, dossier.PipelineCancelled, nil},
		"lost":      {lose, dossier.PipelineInProgress, postgres.ErrFenced},
	} {
		run, err := h.DB.CreatePipelineRun(t.Context(), h.ws, pipeline, []string{pipeline}, []byte(`{}`), postgres.PipelineSubjects{})
		if err != nil {
			t.Fatal(err)
		}
		claim := h.claim(t, jobs.ExportAnalytics{}.Spec().Kind)
		if _, err := h.DB.StartPipelineStep(t.Context(), h.ws, run.ID); err != nil {
			t.Fatal(err)
		}
		save := func(key string) error {
			return h.DB.SaveExport(t.Context(), claim, dossier.Export{RunID: run.ID, ObjectKey: name + key})
		}
		if err := save(" first"); err != nil {
			t.Fatal(err)
		}
		if _, err := h.DB.ReadExport(t.Context(), h.ws, run.ID); dossier.KindOf(err) != dossier.NotFound {
			t.Errorf("%s: before the end the export is published: %v", name, err)
		}
		if err := of.end(claim, run.ID); err != nil {
			t.Fatal(err)
		}
		for what, err := range map[string]error{"noted": save(" second"), "finished": finish(claim, run.ID), "failed": fail(claim, run.ID)} {
			if err == nil || of.after != nil && !errors.Is(err, of.after) {
				t.Errorf("%s, and then %s: %v", name, what, err)
			}
		}
		got, err := h.DB.ReadPipelineRun(t.Context(), h.ws, pipeline, run.ID)
		if err != nil || got.Status != of.want {
			t.Errorf("%s: the run is %s, %v", name, got.Status, err)
		}
		_, err = h.DB.ReadExport(t.Context(), h.ws, run.ID)
		if published := err == nil; published != (of.want == dossier.PipelineComplete) {
			t.Errorf("%s: published: %v", name, published)
		}
		unnamed, err := h.DB.UnnamedObjects(t.Context(), []string{name + " first", name + " second"})
		ofNobody := 1
		if of.want == dossier.PipelineError || of.want == dossier.PipelineCancelled {
			ofNobody = 2
		}
		if err != nil || len(unnamed) != ofNobody {
			t.Errorf("%s: the sweep takes %q, %v", name, unnamed, err)
		}
	}
}

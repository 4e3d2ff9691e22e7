package worker

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// A run that waits for a document or a spread comes to its end, and one only, also when the document cannot be read,
// when it is deleted, or when the lead is: with what is left, or with what is missing.
func TestPipeline_awaits_in_vain(t *testing.T) {
	s := newSpreading(t, "sole_proprietor")
	w, err := New(Config{DB: s.pg.DB, Redis: s.redis, Objects: s.objects, Now: s.pg.Clock.Now, Log: testLog(t), Lanes: []jobs.Lane{jobs.LanePipeline}})
	if err != nil {
		t.Fatal(err)
	}
	w.timing, w.schedule = quick, nil
	s.run(w) // nobody reads documents or makes spreads
	withDocuments := s.lead
	const ofDocument, ofLead, ofBoth = `{"documentId": "%[1]s"}`, `{"leadId": "%[2]s"}`, `{"leadId": "%[2]s", "documentIds": ["%[1]s"]}`
	const refused, deleted, leadDeleted = "the document is refused", "the document is deleted", "the lead is deleted"
	for _, of := range []struct{ pipeline, steps, parameters, then, want, says string }{
		{jobs.PipelineExtractDocument, "", ofDocument, deleted, "ERROR document_not_found", ""},
		{jobs.PipelineExtractDocument, "", ofDocument, refused, "ERROR encrypted", ""},
		{jobs.PipelineValidateDocument, "", ofDocument, leadDeleted, "ERROR document_not_found", ""},
		{jobs.PipelineMatchDocuments, "", ofBoth, deleted, "ERROR document_not_found", ""},
		{jobs.PipelineMatchDocuments, "", ofBoth, refused, "COMPLETE", `"unmatched":["`},
		{jobs.PipelineAnalyzeBankStatements, "", ofLead, deleted, "COMPLETE", "none of the documents is a bank statement"},
		{jobs.PipelineAnalyzeBankStatements, "", ofLead, leadDeleted, "ERROR lead_not_found", ""},
		{"read-and-match", "extract-document,match-documents", ofDocument, refused, "ERROR encrypted", `"status":"PENDING"`},
		{jobs.PipelineSpreadFinancials, "", ofLead, leadDeleted, "ERROR lead_not_found", ""},
	} {
		t.Run(of.pipeline+", "+of.then, func(t *testing.T) {
			if s.lead = withDocuments; of.pipeline != jobs.PipelineSpreadFinancials {
				s.lead, _ = s.pg.Lead(t, s.ws, dossier.FieldFile)
			}
			document := s.document(t, "late.pdf", nil)
			parameters := fmt.Appendf(nil, of.parameters, document, s.lead)
			run, err := s.pg.DB.CreatePipelineRun(t.Context(), s.ws, of.pipeline, strings.Split(cmp.Or(of.steps, of.pipeline), ","), parameters, postgres.PipelineSubjects{})
			if err != nil {
				t.Fatal(err)
			}
			s.until("the run waits", func() bool {
				return pgtest.Value[bool](t, s.pg, `SELECT awaits_document IS NOT NULL OR EXISTS (SELECT FROM spreads WHERE pipeline_run_id = r.id AND pipeline_waits) FROM pipeline_runs r WHERE id = $1`, run.ID)
			})
			switch of.then {
			case refused:
				s.read(t, document, postgres.Extracted{Refusal: &dossier.ExtractionError{Code: "encrypted", Detail: "The file is encrypted"}})
			case deleted:
				err = s.pg.DB.DeleteDocument(t.Context(), s.ws, document, false)
			case leadDeleted:
				err = s.pg.DB.DeleteLead(t.Context(), s.ws, s.lead, false, postgres.Caller{})
			}
			if err != nil {
				t.Fatal(err)
			}
			s.until("the run has ended", func() bool {
				run, err = s.pg.DB.ReadPipelineRun(t.Context(), s.ws, of.pipeline, run.ID)
				return err == nil && run.Status.Ended()
			})
			got := string(run.Status)
			if run.Failure != nil {
				got += " " + run.Failure.Code
			}
			if got != of.want || !strings.Contains(strings.ReplaceAll(string(run.Result), `": `, `":`), of.says) {
				t.Errorf("%s, want %s; %s", got, of.want, run.Result)
			}
			if n := pgtest.Value[int](t, s.pg, `SELECT count(*) FROM events WHERE type LIKE 'pipeline_run.%' AND body LIKE '%' || $1 || '%'`, string(run.ID)); n != 1 {
				t.Errorf("%d events tell of its end", n)
			}
		})
	}
}

// A refusal ends a step as it ends any job: at once. What may pass gets its tries.
func TestFinal(t *testing.T) {
	refusals := []dossier.Kind{dossier.Invalid, dossier.NotFound, dossier.Conflict, dossier.Forbidden, dossier.Unsupported,
		dossier.TooLarge, dossier.Unprocessable}
	for _, kind := range refusals {
		if !isPermanent(kind) {
			t.Errorf("%v is tried again", kind)
		}
	}
	for _, kind := range []dossier.Kind{dossier.Unavailable, dossier.Internal, dossier.Limited} {
		if isPermanent(kind) {
			t.Errorf("%v is not tried again", kind)
		}
	}
}

package postgres_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func TestSpreads_of_another_workspace_are_absent(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	mine, other := s.Workspace(t), s.Workspace(t)
	lead, _ := s.Lead(t, mine, dossier.FieldFile)
	docs, _, err := s.DB.CreateDocuments(t.Context(), mine, postgres.Upload{LeadID: lead, Source: dossier.SourceImported, Files: []postgres.NewFile{file("a.pdf", "a")}})
	if err != nil {
		t.Fatal(err)
	}
	spread, err := s.DB.CreateSpread(t.Context(), mine, postgres.NewSpread{LeadID: lead, Documents: []dossier.DocumentID{docs[0].ID}})
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE spreads SET results = '{}' WHERE id = $1`, spread.ID)
	artifact := dossier.ArtifactID(postgres.NewID())
	s.Exec(t, `INSERT INTO artifacts (workspace_id, id, spread_id, round, type, title, object_key, sha256, size, created_at)
		VALUES ($1, $2, $3, 1, 'REPORT', 'r', 'k', '\x00', 1, now())`, mine, artifact, spread.ID)
	calls := map[string]func(ws dossier.WorkspaceID) error{
		"list": func(ws dossier.WorkspaceID) error {
			_, err := s.DB.ListSpreads(t.Context(), ws, lead, dossier.Page{Limit: 5})
			return err
		},
		"read": func(ws dossier.WorkspaceID) error { _, err := s.DB.ReadSpread(t.Context(), ws, spread.ID); return err },
		"results": func(ws dossier.WorkspaceID) error {
			_, err := s.DB.SpreadResults(t.Context(), ws, spread.ID)
			return err
		},
		"artifact": func(ws dossier.WorkspaceID) error { _, err := s.DB.ReadArtifact(t.Context(), ws, artifact); return err },
		"input": func(ws dossier.WorkspaceID) error {
			_, _, err := s.DB.SpreadInput(t.Context(), ws, spread.ID, 1)
			return err
		},
	}
	refused := map[string]func() error{
		"create": func() error {
			_, err := s.DB.CreateSpread(t.Context(), other, postgres.NewSpread{LeadID: lead})
			return err
		},
		"regenerate": func() error { _, err := s.DB.RegenerateSpread(t.Context(), other, spread.ID); return err },
		"start figures": func() error {
			_, _, err := s.DB.StartFigures(t.Context(), postgres.Claim{Workspace: other}, jobs.ExtractFigures{Spread: spread.ID, Document: docs[0].ID, Round: 1})
			return err
		},
		"save figures": func() error {
			return s.DB.SaveFigures(t.Context(), postgres.Claim{Workspace: other}, jobs.ExtractFigures{Spread: spread.ID, Document: docs[0].ID, Round: 1}, dossier.SpreadDocumentExtracted, "")
		},
		"finish": func() error {
			return s.DB.FinishSpread(t.Context(), postgres.Claim{Workspace: other}, jobs.ConsolidateSpread{Spread: spread.ID, Round: 1}, postgres.FinishedSpread{})
		},
		"of step": func() error {
			_, _, err := s.DB.SpreadOfStep(t.Context(), postgres.Claim{Workspace: other}, dossier.PipelineRun{ID: dossier.PipelineRunID(postgres.NewID())}, postgres.NewSpread{LeadID: lead})
			return err
		},
	}
	for name, call := range calls {
		if err := call(mine); err != nil {
			t.Errorf("%s with my own id = %v", name, err)
		}
		refused[name] = func() error { return call(other) }
	}
	for name, call := range refused {
		if err := call(); dossier.KindOf(err) != dossier.NotFound {
			t.Errorf("%s with another workspace's id = %v, want NotFound", name, err)
		}
	}
	if got, err := s.DB.ReadSpread(t.Context(), mine, spread.ID); err != nil || got.Status != dossier.SpreadInProgress || got.Round != 1 {
		t.Errorf("the owner's spread is %+v, %v", got, err)
	}
}

// A document that two spreads await is settled in both by the commit that ends its reading; a reading that ends
// twice settles it once.
func TestCreateSpread_stages_what_is_read(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	lead, _ := s.Lead(t, ws, dossier.FieldFile)
	docs, _, err := s.DB.CreateDocuments(t.Context(), ws, postgres.Upload{LeadID: lead, Source: dossier.SourceImported, Files: []postgres.NewFile{file("a.pdf", "a"), file("b.pdf", "b")}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.DB.CreateSpread(t.Context(), ws, postgres.NewSpread{LeadID: lead}); dossier.KindOf(err) != dossier.Invalid {
		t.Errorf("a spread of documents that nobody named and nobody read: %v, want no_financial_documents", err)
	}
	s.Exec(t, `UPDATE documents SET extraction_status = 'completed', extraction = '{"documents":[{"docType":"tax_return","facts":{"form":"1040"}}]}' WHERE id = $1`, docs[0].ID)
	if _, err := s.DB.CreateSpread(t.Context(), ws, postgres.NewSpread{LeadID: lead, Documents: []dossier.DocumentID{docs[0].ID}}); dossier.KindOf(err) != dossier.Invalid {
		t.Errorf("a spread of a personal return alone: %v, want no_financial_documents", err)
	}
	s.Exec(t, `UPDATE documents SET extraction = '{"documents":[{"docType":"tax_return","facts":{"form":"1120-S"}}]}' WHERE id = $1`, docs[0].ID)
	for range 2 {
		if _, err := s.DB.CreateSpread(t.Context(), ws, postgres.NewSpread{LeadID: lead, Documents: []dossier.DocumentID{docs[0].ID, docs[1].ID}}); err != nil {
			t.Fatal(err)
		}
	}
	staged := func() int { return pgtest.Value[int](t, s, `SELECT count(*) FROM jobs WHERE kind = 'spread.figures'`) }
	if n := staged(); n != 2 {
		t.Errorf("%d documents are being settled, want 2: one that is read in each spread", n)
	}
	if err := s.DB.DeleteDocument(t.Context(), ws, docs[1].ID, false); err != nil {
		t.Fatal(err)
	}
	if n := staged(); n != 4 {
		t.Errorf("%d documents are being settled after the other was deleted, want 4", n)
	}
}

// An operator who cancels the look at a document does not leave its spread waiting for it.
func TestCreateSpread_job_cancelled(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	lead, _ := s.Lead(t, ws, dossier.FieldFile)
	docs, _, err := s.DB.CreateDocuments(t.Context(), ws, postgres.Upload{LeadID: lead, Source: dossier.SourceImported, Files: []postgres.NewFile{file("a.pdf", "a")}})
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE documents SET extraction_status = 'completed', extraction = '{"documents":[{"docType":"tax_return","facts":{"form":"1120-S"}}]}' WHERE id = $1`, docs[0].ID)
	spread, err := s.DB.CreateSpread(t.Context(), ws, postgres.NewSpread{LeadID: lead, Documents: []dossier.DocumentID{docs[0].ID}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.DB.CancelJob(t.Context(), dossier.JobID(pgtest.Value[string](t, s, `SELECT id::text FROM jobs WHERE kind = 'spread.figures'`))); err != nil {
		t.Fatal(err)
	}
	got, err := s.DB.ReadSpread(t.Context(), ws, spread.ID)
	if err != nil || got.Status != dossier.SpreadFailed || got.Documents[0].Status != dossier.SpreadDocumentFailed {
		t.Errorf("the spread is %+v, %v", got, err)
	}
}

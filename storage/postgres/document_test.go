package postgres_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func file(name, bytes string) postgres.NewFile {
	return postgres.NewFile{ID: dossier.DocumentID(postgres.NewID()), Filename: name, MimeType: "application/pdf", Size: 3, SHA256: []byte(bytes), ObjectKey: "k/" + name}
}

func TestCreateDocuments_same_bytes_are_stored_once(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	lead, entries := s.Lead(t, ws, dossier.FieldBankStatement, dossier.FieldFile)
	create := func(entry dossier.EntryID, files ...postgres.NewFile) []dossier.Document {
		docs, _, err := s.DB.CreateDocuments(t.Context(), ws, postgres.Upload{LeadID: lead, EntryID: entry, Source: dossier.SourceImported, Files: files})
		if err != nil {
			t.Fatal(err)
		}
		return docs
	}
	first := create(entries[0], file("a.pdf", "same"), file("b.pdf", "other"))
	again := create(entries[1], file("c.pdf", "same"))
	if again[0].ID != first[0].ID || again[0].DuplicateOf == nil || *again[0].DuplicateOf != first[0].ID {
		t.Errorf("the same bytes became document %s (duplicateOf %v), want the first, %s", again[0].ID, again[0].DuplicateOf, first[0].ID)
	}
	var serves []string
	for _, a := range again[0].Associations {
		serves = append(serves, a.Code)
	}
	if diff := cmp.Diff([]string{"BANK_STATEMENT", "FILE"}, serves); diff != "" {
		t.Errorf("items of the document sent twice (-want +got):\n%s", diff)
	}
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM jobs WHERE kind = 'document.extract'`); n != 2 {
		t.Errorf("%d documents are read, want 2: the same bytes once", n)
	}
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM events WHERE type = 'document.received'`); n != 2 {
		t.Errorf("%d document.received, want 2", n)
	}
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM outbox o JOIN jobs j ON j.id = o.job_id AND j.epoch = o.epoch`); n != 2 {
		t.Errorf("%d jobs are staged in the outbox, want 2", n)
	}
}

func TestDocuments_of_another_workspace_are_absent(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	mine, other := s.Workspace(t), s.Workspace(t)
	lead, entries := s.Lead(t, mine, dossier.FieldBankStatement)
	docs, _, err := s.DB.CreateDocuments(t.Context(), mine, postgres.Upload{LeadID: lead, EntryID: entries[0], Source: dossier.SourceImported, Files: []postgres.NewFile{file("a.pdf", "a")}})
	if err != nil {
		t.Fatal(err)
	}
	id := docs[0].ID
	calls := map[string]func() error{
		"create": func() error {
			_, _, err := s.DB.CreateDocuments(t.Context(), other, postgres.Upload{LeadID: lead, Source: dossier.SourceImported, Files: []postgres.NewFile{file("x.pdf", "x")}})
			return err
		},
		"read": func() error { _, err := s.DB.ReadDocument(t.Context(), other, id); return err },
		"list": func() error {
			_, err := s.DB.ListDocuments(t.Context(), other, lead, dossier.Page{Limit: 10})
			return err
		},
		"delete":    func() error { return s.DB.DeleteDocument(t.Context(), other, id, false) },
		"reprocess": func() error { _, err := s.DB.ReprocessDocument(t.Context(), other, id); return err },
		"announced": func() error { _, err := s.DB.AnnouncedDocument(t.Context(), other, id); return err },
		"complete": func() error {
			_, err := s.DB.CompleteDocument(t.Context(), other, postgres.NewFile{ID: id, Size: 1, SHA256: []byte("a")}, "")
			return err
		},
		"override": func() error {
			_, err := s.DB.OverrideAssociation(t.Context(), other, id, docs[0].Associations[0].ID, true, "", "")
			return err
		},
		"match input":    func() error { _, err := s.DB.MatchInput(t.Context(), other, id); return err },
		"validate input": func() error { _, err := s.DB.ValidateInput(t.Context(), other, id); return err },
		"fill input":     func() error { _, err := s.DB.FillInput(t.Context(), other, id); return err },
		"pipeline run": func() error {
			_, err := s.DB.CreatePipelineRun(t.Context(), other, "classify-document", []string{"classify-document"}, []byte("{}"), postgres.PipelineSubjects{Documents: []dossier.DocumentID{id}})
			return err
		},
	}
	for name, call := range calls {
		if err := call(); dossier.KindOf(err) != dossier.NotFound {
			t.Errorf("%s with another workspace's id = %v, want NotFound", name, err)
		}
	}
	if _, err := s.DB.ReadDocument(t.Context(), mine, id); err != nil {
		t.Errorf("the owner lost its document: %v", err)
	}
}

func TestCompleteDocument(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	lead, entries := s.Lead(t, ws, dossier.FieldFile)
	announce := func() dossier.DocumentID {
		d, err := s.DB.AnnounceDocument(t.Context(), ws, postgres.Upload{LeadID: lead, EntryID: entries[0], Source: dossier.SourceImported, Files: []postgres.NewFile{file("a.pdf", "")}})
		if err != nil {
			t.Fatal(err)
		}
		return d.ID
	}
	first, second := announce(), announce()
	if list, err := s.DB.ListDocuments(t.Context(), ws, lead, dossier.Page{Limit: 10}); err != nil || len(list) != 0 {
		t.Errorf("announced documents are in the list: %v, %v", list, err)
	}
	for range 2 { // completing twice changes nothing
		if d, err := s.DB.CompleteDocument(t.Context(), ws, postgres.NewFile{ID: first, Size: 7, SHA256: []byte("sum"), ObjectKey: "taken/first"}, ""); err != nil || d.DuplicateOf != nil || d.Size != 7 {
			t.Fatalf("complete = %+v, %v", d, err)
		}
	}
	d, err := s.DB.CompleteDocument(t.Context(), ws, postgres.NewFile{ID: second, Size: 7, SHA256: []byte("sum"), ObjectKey: "taken/second"}, "")
	if err != nil || d.ID != first || d.DuplicateOf == nil {
		t.Errorf("the same bytes again = %s (duplicateOf %v), %v; want the first document", d.ID, d.DuplicateOf, err)
	}
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM jobs WHERE kind = 'document.extract'`); n != 1 {
		t.Errorf("%d readings staged, want 1", n)
	}
}

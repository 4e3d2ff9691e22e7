package worker

import (
	"bytes"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// Rules of a newer engine run on the words that an older one kept: the file itself is not needed.
func TestReprocess_outdated_from_tokens(t *testing.T) {
	j := newJourney(t)
	id := j.upload(t, "november.pdf", statement(false).Data)
	j.idle(t)
	if n, err := j.pg.DB.ReprocessOutdated(t.Context(), j.ws, document.EngineVersion, true, 10); err != nil || n != 0 {
		t.Errorf("a document of this engine is staged: %d, %v", n, err)
	}
	j.pg.Exec(t, `UPDATE documents SET engine_version = 'older', extraction = jsonb_set(extraction, '{engineVersion}', '"older"') WHERE id = $1`, id)
	d, err := j.pg.DB.ReadDocument(t.Context(), j.ws, id)
	if err != nil {
		t.Fatal(err)
	}
	if err := j.objects.Delete(t.Context(), d.ObjectKey); err != nil {
		t.Fatal(err)
	}
	other := j.pg.Workspace(t)
	if n, err := j.pg.DB.ReprocessOutdated(t.Context(), other, document.EngineVersion, true, 10); err != nil || n != 0 {
		t.Errorf("another workspace staged %d, %v", n, err)
	}
	if n, err := j.pg.DB.ReprocessOutdated(t.Context(), j.ws, document.EngineVersion, true, 10); err != nil || n != 1 {
		t.Fatalf("staged %d, %v; want 1", n, err)
	}
	j.idle(t)
	d, err = j.pg.DB.ReadDocument(t.Context(), j.ws, id)
	if err != nil || d.ExtractionStatus != dossier.ExtractionCompleted || d.Extraction.EngineVersion != document.EngineVersion || d.Extraction.Documents[0].Facts.Bank == nil {
		t.Errorf("document = %s %+v, %v; want it read by this engine", d.ExtractionStatus, d.Extraction, err)
	}
	if got := pgtest.Value[string](t, j.pg, `SELECT engine_version FROM documents WHERE id = $1`, id); got != document.EngineVersion {
		t.Errorf("engine_version = %s", got)
	}
	if got := j.itemStatus(t); got != "COMPLETED" {
		t.Errorf("item = %s, want COMPLETED", got)
	}
}

// Bytes that were exchanged behind our back are noticed when they are read: nothing of them counts, and what was judged by the
// first ones no longer stands.
func TestReprocess_exchanged_bytes(t *testing.T) {
	j := newJourney(t)
	id := j.upload(t, "november.pdf", statement(false).Data)
	j.idle(t)
	if got := j.itemStatus(t); got != "COMPLETED" {
		t.Fatalf("item = %s", got)
	}
	d, err := j.pg.DB.ReadDocument(t.Context(), j.ws, id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := j.objects.Put(t.Context(), d.ObjectKey, "application/pdf", bytes.NewReader(statement(true).Data), 0); err != nil {
		t.Fatal(err)
	}
	if _, err := j.pg.DB.ReprocessDocument(t.Context(), j.ws, id); err != nil {
		t.Fatal(err)
	}
	j.idle(t)
	d, err = j.pg.DB.ReadDocument(t.Context(), j.ws, id)
	if err != nil || d.ExtractionStatus != dossier.ExtractionFailed || d.ExtractionError.Code != "corrupt" || d.Extraction != nil {
		t.Errorf("document = %s %+v %+v, %v", d.ExtractionStatus, d.ExtractionError, d.Extraction, err)
	}
	if got := j.itemStatus(t); strings.HasPrefix(got, "COMPLETED") {
		t.Errorf("item = %s, judged by bytes that are gone", got)
	}
	if n := pgtest.Value[int](t, j.pg, `SELECT count(*) FROM audit_entries WHERE action = 'document.hash_mismatch' AND subject = $1`, "document:"+string(id)); n != 1 {
		t.Errorf("%d entries say so", n)
	}
}

// The same bytes on another lead of the workspace are worth a person's look; on a lead of another workspace they are
// nobody's business.
func TestSameFile_on_other_leads(t *testing.T) {
	j := newJourney(t)
	data := statement(false).Data
	elsewhere := j.pg.Workspace(t)
	theirs, _ := j.pg.Lead(t, elsewhere, dossier.FieldBankStatement)
	j.pg.Exec(t, `INSERT INTO documents (workspace_id, id, lead_id, filename, mime_type, size, sha256, object_key, source, uploaded_at, created_at, updated_at)
		VALUES ($1, gen_random_uuid(), $2, 'a', 'b', 1, sha256($3), 'k', 'portal', now(), now(), now())`, elsewhere, theirs, data)
	first := j.upload(t, "november.pdf", data)
	j.idle(t)
	second, entries := j.pg.Lead(t, j.ws, dossier.FieldBankStatement)
	j.lead, j.item = second, entries[0]
	again := j.upload(t, "mine.pdf", data)
	j.idle(t)
	warned := func(id dossier.DocumentID) string {
		d, err := j.pg.DB.ReadDocument(t.Context(), j.ws, id)
		if err != nil || d.Extraction == nil {
			t.Fatalf("%+v, %v", d, err)
		}
		var details []string
		for _, w := range d.Extraction.Documents[0].Warnings {
			details = append(details, w.Detail)
		}
		return strings.Join(details, " ")
	}
	if got := warned(first); strings.Contains(got, "same file") {
		t.Errorf("the first lead's: %s", got)
	}
	if got := warned(again); !strings.Contains(got, "The same file was sent for 1 other lead of this workspace") {
		t.Errorf("the second lead's: %q", got)
	}
}

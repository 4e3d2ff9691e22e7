package main

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/storage/postgres"
)

// The documents that another version of the engine read are staged once, some at a time where asked; those that are
// named, whatever read them.
func TestReprocess(t *testing.T) {
	t.Parallel()
	o := newOperated(t)
	ws := o.Workspace(t)
	lead, _ := o.Lead(t, ws, dossier.FieldFile)
	var files []postgres.NewFile
	for _, name := range []string{"a", "b", "c", "d"} {
		files = append(files, postgres.NewFile{ID: dossier.DocumentID(postgres.NewID()), Filename: name, MimeType: "text/csv", Size: 1, SHA256: []byte(name), ObjectKey: "k/" + name})
	}
	if _, _, err := o.DB.CreateDocuments(t.Context(), ws, postgres.Upload{LeadID: lead, Source: dossier.SourceImported, Files: files}); err != nil {
		t.Fatal(err)
	}
	o.Exec(t, `UPDATE documents SET extraction_status = 'completed', uploaded_at = now(), engine_version = CASE WHEN filename = 'd' THEN $2 ELSE '2020.1.1' END WHERE workspace_id = $1`, ws, document.EngineVersion)

	staged := func(want int, args ...string) {
		t.Helper()
		got := value[reprocessed](t, o, append([]string{"reprocess", string(ws)}, args...)...)
		if got.Staged != want || got.EngineVersion != document.EngineVersion {
			t.Errorf("reprocess %v: %+v, want %d", args, got, want)
		}
	}
	staged(2, "--limit", "2")
	staged(1, "--tokens")
	staged(0)
	staged(1, "--document", string(files[3].ID))
	o.refused(t, 2, "must not be negative", "reprocess", string(ws), "--limit=-1")
	o.refused(t, 2, "for all outdated ones", "reprocess", string(ws), "--tokens", "--document", string(files[3].ID))
	o.refused(t, 1, "document", "reprocess", string(ws), "--document", string(postgres.NewID()))
}

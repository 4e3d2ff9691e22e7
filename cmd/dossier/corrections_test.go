package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
)

// What people corrected is written as cases: the file, and of its facts the members that they touched.
func TestCorrections_export(t *testing.T) {
	t.Parallel()
	o, cfg := newOperated(t), objectstest.Config(t)
	o.environ = append(o.environ, "S3_ENDPOINT="+cfg.Endpoint, "S3_ACCESS_KEY="+cfg.AccessKey, "S3_SECRET_KEY="+cfg.SecretKey, "S3_BUCKET="+cfg.Bucket)
	ws, dir := o.Workspace(t), filepath.Join(t.TempDir(), "cases")
	if got := value[map[string]int](t, o, "corrections", "export", "--workspace", string(ws), "--out", dir); got["files"] != 0 {
		t.Errorf("without corrections: %v", got)
	}
	expected := func() string {
		text, err := os.ReadFile(filepath.Join(dir, "expected.json"))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(string(text)), "")
	}
	if expected() != "{}" {
		t.Errorf("without corrections: %s", expected())
	}
	store, err := objects.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.Put(t.Context(), "k", "text/csv", strings.NewReader("bytes"), 0); err != nil {
		t.Fatal(err)
	}
	lead, _ := o.Lead(t, ws, dossier.FieldFile)
	id := dossier.DocumentID(postgres.NewID())
	if _, _, err := o.DB.CreateDocuments(t.Context(), ws, postgres.Upload{LeadID: lead, Source: dossier.SourceImported, Files: []postgres.NewFile{
		{ID: id, Filename: "May.CSV", MimeType: "text/csv", Size: 5, SHA256: []byte("x"), ObjectKey: "k"}}}); err != nil {
		t.Fatal(err)
	}
	o.Exec(t, `UPDATE documents SET extraction_status = 'completed', uploaded_at = now(),
		extraction = '{"documents": [{"docType": "bank_statement", "fieldType": "BANK_STATEMENT", "pages": [1, 2],
			"facts": {"closingBalance": "120.00", "openingBalance": "100.00", "accounts": [{"name": "Savings"}]}}]}',
		corrections = '[{"part": 0, "pointer": "/closingBalance", "value": "120.00"}, {"part": 0, "pointer": "/accounts/0/name", "value": "Savings"},
			{"part": 0, "pointer": "/periodEnd", "value": null}]' WHERE id = $1`, id)
	if got := value[map[string]int](t, o, "corrections", "export", "--workspace", string(ws), "--out", dir); got["files"] != 1 {
		t.Errorf("%v", got)
	}
	name := string(id) + ".csv"
	if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(text) != "bytes" {
		t.Errorf("the file: %q, %v", text, err)
	}
	for _, part := range []string{`{"files":{"` + name + `":{"documents":[{"fieldType":"BANK_STATEMENT","docType":"bank_statement","pages":[1,2],"facts":{"accounts":[{"name":"Savings"`,
		`"closingBalance":"120.00"`, `"periodEnd":null`} {
		if !strings.Contains(expected(), part) {
			t.Errorf("%s lacks %s", expected(), part)
		}
	}
	if strings.Contains(expected(), `"100.00"`) {
		t.Errorf("what nobody looked at is a case: %s", expected())
	}
}

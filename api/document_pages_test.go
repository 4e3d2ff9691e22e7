package api

import (
	"bytes"
	"testing"

	doctext "github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
)

// Pages of documents that were read, that wait and that failed.
func TestPages(t *testing.T) {
	t.Parallel()
	store := objectstest.New(t)
	s := newTestServer(t, func(c *Config) { c.Objects = store })
	lead := valueAt(t, s.do(t, "POST", "/api/v1/leads", `{"firstName":"Ann"}`).Body, "lead", "id")
	kept, err := doctext.EncodeTokens(doctext.Decoded{PageCount: 3, Pages: []doctext.Page{
		{Number: 1, Width: 612, Height: 792, Layer: doctext.LayerText, Tokens: []doctext.Token{
			{Page: 1, X0: 72, Y0: 90.5, X1: 120, Y1: 102, Text: "SSN:", Confidence: 1, Method: doctext.MethodText},
			{Page: 1, X0: 124, Y0: 90.5, X1: 190, Y1: 102, Text: "219-09-9999", Confidence: 0.94, Method: doctext.MethodOCR}}},
		{Number: 2, Width: 612, Height: 792, Layer: doctext.LayerText},
		{Number: 3, Width: 20, Height: 4, Name: "Sheet1", Layer: doctext.LayerNative, Tokens: []doctext.Token{
			{Page: 3, X0: 10, Y0: 1, X1: 19, Y1: 1.9, Text: "600", Confidence: 1, Method: doctext.MethodCell, Cell: "Sheet1!B2"}}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	key := string(s.Workspace) + "/documents/x.tokens"
	if _, err := store.Put(t.Context(), key, "application/octet-stream", bytes.NewReader(kept), 0); err != nil {
		t.Fatal(err)
	}
	document := func(status, key string) string {
		id := postgres.NewID()
		s.Exec(t, `INSERT INTO documents (workspace_id, id, lead_id, filename, mime_type, size, sha256, object_key, source, uploaded_at, extraction_status, tokens_key, created_at, updated_at)
			VALUES ($1, $2::uuid, $3, 'a.pdf', 'application/pdf', 1, convert_to($2::uuid::text, 'UTF8'), 'k', 'imported', now(), $4, nullif($5, ''), now(), now())`,
			s.Workspace, id, lead, status, key)
		return id
	}
	converse(t, s, "pages.txt", "lead", lead, "read", document("completed", key), "waits", document("processing", ""), "failed", document("failed", ""),
		"wordless", document("completed", ""))
}

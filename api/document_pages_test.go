package api

import (
	"bytes"
	"strings"
	"testing"

	doctext "github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
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
	card := document("completed", key)
	s.Exec(t, `UPDATE documents SET extraction = '{"pageCount": 3, "documents": [{"docType": "passport", "pages": [2, 2], "facts": {"number": "1"}}]}' WHERE id = $1`, card)
	if _, err := store.Put(t.Context(), "picture", "image/png", strings.NewReader("PNG"), 0); err != nil {
		t.Fatal(err)
	}
	for page := range 2 {
		s.Exec(t, `INSERT INTO page_pictures (workspace_id, document_id, page, width, object_key, sha256, created_at)
			VALUES ($1, $2, $3, 1200, 'picture', '\xab', now()), ($1, $2, $3, 100, '', '', now())`, s.Workspace, card, page+1)
	}
	pages := "/api/v1/documents/" + card + "/pages/"
	for path, want := range map[string]int{"1": 200, "2?width=1200": 200, "1?width=100": 404, "4": 404, "0": 404, "x": 404, "1?width=99": 400,
		"1?width=2401": 400, "1?width=wide": 400} {
		got := s.do(t, "GET", pages+path, "")
		if got.Status != want || want == 200 && (got.Body != "PNG" || got.Header.Get("ETag") != `"ab"` ||
			got.Header.Get("Cache-Control") != "private" || got.Header.Get("Content-Type") != "image/png") {
			t.Errorf("%s: %d %s %v", path, got.Status, got.Body, got.Header)
		}
	}
	if got := s.do(t, "GET", pages+"2", "", "If-None-Match", `"ab"`); got.Status != 304 || len(got.Body) > 0 {
		t.Errorf("the same picture again: %d %s", got.Status, got.Body)
	}
	if n := pgtest.Value[int](t, s.Server, `SELECT count(*)::int FROM audit_entries WHERE action = 'document.page_read' AND subject = 'document:' || $1`, card); n != 1 {
		t.Errorf("%d audit entries; want one, of the page with the passport", n)
	}

	converse(t, s, "pages.txt", "lead", lead, "read", document("completed", key), "waits", document("processing", ""), "failed", document("failed", ""),
		"wordless", document("completed", ""))
}

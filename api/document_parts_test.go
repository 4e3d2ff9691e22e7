package api

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// A person says which documents a file has: it waits to be read again, and corrections of what changed go.
func TestParts(t *testing.T) {
	t.Parallel()
	c := newCorrectable(t)
	id := c.document(t, "completed", statementRead("12.00"))
	if got := c.correct(t, id, closing); got.Status != 200 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	path := "/api/v1/documents/" + id + "/parts"
	for body, want := range map[string]string{
		`{"parts": []}`:                                      "/parts",
		`{"parts": [{"pages": [1, 2]}]}`:                     "/parts/0/pages",
		`{"parts": [{"pages": [1, 1]}, {"pages": [1, 1]}]}`:  "/parts/1/pages",
		`{"parts": [{"pages": [1]}]}`:                        "/parts/0/pages",
		`{"parts": [{"pages": [1, 1], "docType": "novel"}]}`: "/parts/0/docType",
	} {
		if got := c.do(t, "PUT", path, body); got.Status != 400 || !strings.Contains(got.Body, `"`+want+`"`) {
			t.Errorf("%s: %d %s, want 400 at %s", body, got.Status, got.Body, want)
		}
	}
	if got := c.do(t, "PUT", path, `{"parts": [{"pages": [1, 1], "docType": "bank_statement"}]}`, "If-Match", `"old"`); got.Status != 412 {
		t.Errorf("another tag: %d %s", got.Status, got.Body)
	}
	kept := c.do(t, "PUT", path, `{"parts": [{"pages": [1, 1], "docType": "bank_statement"}]}`)
	if kept.Status != 202 || !strings.Contains(member(t, kept.Body, "document", "corrections"), "closingBalance") {
		t.Errorf("the same part: %d %s", kept.Status, kept.Body)
	}
	if again := c.do(t, "PUT", path, `{"parts": [{"pages": [1, 1]}]}`); again.Status != 409 {
		t.Errorf("while it is read: %d %s", again.Status, again.Body)
	}
	if n := pgtest.Value[int](t, c.Server, `SELECT count(*)::int FROM jobs WHERE kind = 'document.extract' AND payload->>'fromTokens' = 'true'`); n != 1 {
		t.Errorf("%d readings are staged", n)
	}
	other := c.document(t, "completed", statementRead("12.00"))
	if got := c.correct(t, other, closing); got.Status != 200 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if got := c.do(t, "PUT", "/api/v1/documents/"+other+"/parts", `{"parts": [{"pages": [1, 1], "docType": "invoice"}]}`); got.Status != 202 ||
		member(t, got.Body, "document", "corrections") != "[]" {
		t.Errorf("another type: %d %s", got.Status, got.Body)
	}
}

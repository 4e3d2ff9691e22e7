package api

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// A document is moved from one item to another by a person, and the matcher leaves it there.
func TestAssociations(t *testing.T) {
	t.Parallel()
	c := newCorrectable(t)
	other, entries := c.Lead(t, c.Workspace, dossier.FieldTaxReturn, dossier.FieldText)
	of := c
	of.lead, of.entry = other, entries[0]
	id := of.document(t, "completed", statementRead("120.00"))
	path := "/api/v1/documents/" + id + "/associations"
	old := pgtest.Value[string](t, c.Server, `SELECT id::text FROM document_associations WHERE document_id = $1`, id)
	for entry, want := range map[dossier.EntryID]int{entries[0]: 200, entries[1]: 400, c.entry: 404} {
		if got := c.do(t, "POST", path, `{"leadChecklistItemId": "`+string(entry)+`"}`); got.Status != want {
			t.Errorf("%s: %d %s, want %d", entry, got.Status, got.Body, want)
		}
	}
	before := c.do(t, "GET", "/api/v1/documents/"+id, "").Header.Get("ETag")
	if got := c.do(t, "DELETE", path+"/"+old, ""); got.Status != 204 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if got := c.do(t, "DELETE", path+"/"+old, ""); got.Status != 404 {
		t.Errorf("once more: %d %s", got.Status, got.Body)
	}
	if after := c.do(t, "GET", "/api/v1/documents/"+id, "").Header.Get("ETag"); after == before {
		t.Error("the tag did not move")
	}
	if refused := pgtest.Value[[]string](t, c.Server, `SELECT refused_entries::text[] FROM documents WHERE id = $1`, id); len(refused) != 1 || refused[0] != string(entries[0]) {
		t.Errorf("the matcher may put it back: %v", refused)
	}
	if got := c.do(t, "POST", path, `{"leadChecklistItemId": "`+string(entries[0])+`"}`); got.Status != 201 {
		t.Errorf("put back: %d %s", got.Status, got.Body)
	}
	if n := pgtest.Value[int](t, c.Server, `SELECT cardinality(refused_entries) + (SELECT count(*)::int FROM document_associations WHERE document_id = $1 AND NOT requested) FROM documents WHERE id = $1`, id); n != 0 {
		t.Errorf("a person's word does not stand: %d", n)
	}
	if n := pgtest.Value[int](t, c.Server, `SELECT count(*)::int FROM jobs WHERE kind IN ('document.match', 'lead.judge')`); n != 2 {
		t.Errorf("%d jobs; want the item judged without it, and the document matched", n)
	}
}

// What a client does to put a document right, step by step.
func TestCorrections_conversation(t *testing.T) {
	t.Parallel()
	c := newCorrectable(t)
	id, other := c.document(t, "completed", statementRead("12.00")), postgres.NewID()
	c.Exec(t, `INSERT INTO checklist_items (workspace_id, id, lead_id, code, label, field_type, position, created_at, updated_at) VALUES ($1, $2, $3, 'FILE', 'FILE', 'FILE', 1, now(), now())`,
		c.Workspace, other, c.lead)
	c.Exec(t, `INSERT INTO checklist_entries (workspace_id, id, lead_id, item_id, code, created_at, updated_at) VALUES ($1, $2, $3, $2, 'FILE', now(), now())`, c.Workspace, other, c.lead)
	association := pgtest.Value[string](t, c.Server, `SELECT id::text FROM document_associations WHERE document_id = $1`, id)
	converse(t, c.testServer, "corrections.txt", "document", id, "entry", string(c.entry), "other", other, "association", association)
}

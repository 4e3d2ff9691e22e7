package api

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func TestAudit(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	converse(t, s, "audit.txt", "own", pgtest.Value[string](t, s.Server, `SELECT id::text FROM api_keys WHERE workspace_id = $1`, s.Workspace))
}

// A whole file that is read through the API is an act; its address and its facts are none.
func TestAudit_of_a_read_file(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, withObjects(t))
	lead, _ := s.Lead(t, s.Workspace, dossier.FieldFile)
	made := s.do(t, "POST", "/api/v1/documents", "--p\r\nContent-Disposition: form-data; name=\"leadId\"\r\n\r\n"+string(lead)+
		"\r\n--p\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a.csv\"\r\nContent-Type: text/csv\r\n\r\na,b\r\n--p--\r\n",
		"Content-Type", "multipart/form-data; boundary=p")
	id := pgtest.Value[string](t, s.Server, `SELECT id::text FROM documents WHERE lead_id = $1`, lead)
	for _, path := range []string{id, id + "?includeContent=true", postgres.NewID() + "?includeContent=true"} {
		if got := s.do(t, "GET", "/api/v1/documents/"+path, ""); got.Status == 500 {
			t.Fatal(got.Body, made.Body)
		}
	}
	got := s.do(t, "GET", "/api/v1/audit?action=document.read", "").Body
	if n := strings.Count(got, `"action":"document.read"`); n != 1 || !strings.Contains(got, `"subject":{"type":"document","id":"`+id+`"}`) {
		t.Errorf("%d entries: %s", n, got)
	}
}

// A test key sees what was done by test keys and to test leads, and nothing else.
func TestAudit_of_a_test_key(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	made, _, err := s.DB.CreateKey(t.Context(), s.Workspace, postgres.NewKey{Name: "made"})
	if err != nil {
		t.Fatal(err)
	}
	_, text, err := s.DB.CreateKey(t.Context(), s.Workspace, postgres.NewKey{Name: "test", IsTest: true, Scopes: []dossier.Scope{dossier.ScopeAdmin}})
	if err != nil {
		t.Fatal(err)
	}
	live, _ := s.Lead(t, s.Workspace)
	tried, _ := s.Lead(t, s.Workspace)
	s.Exec(t, `UPDATE leads SET is_test = true WHERE id = $1`, tried)
	for _, path := range []string{"/api/v1/leads/" + string(live), "/api/v1/leads/" + string(tried), "/api/v1/api-keys/" + string(made.ID)} {
		if got := s.do(t, "DELETE", path, ""); got.Status != 204 {
			t.Fatal(got.Body)
		}
	}
	s.do(t, "POST", "/api/v1/api-keys", `{"name": "by the test key", "isTest": true}`, "x-api-key", text)
	list := s.do(t, "GET", "/api/v1/audit", "", "x-api-key", text).Body
	var answer auditAnswer
	if err := json.Unmarshal([]byte(list), &answer); err != nil {
		t.Fatal(err)
	}
	var actions []string
	for _, e := range answer.Entries {
		actions = append(actions, string(e.Action))
	}
	slices.Sort(actions)
	if want := []string{"api_key.create", "lead.delete"}; !slices.Equal(actions, want) || !strings.Contains(list, string(tried)) {
		t.Errorf("%v, want %v: %s", actions, want, list)
	}
}

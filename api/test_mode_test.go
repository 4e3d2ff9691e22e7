package api

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// newTestKey makes a test key of the server's workspace, with all scopes.
func (s *testServer) newTestKey(t *testing.T) string { return s.testKeyOf(t, s.Workspace) }

func (s *testServer) testKeyOf(t *testing.T, ws dossier.WorkspaceID) string {
	t.Helper()
	_, text, err := s.DB.CreateKey(t.Context(), ws, postgres.NewKey{Name: "tests", IsTest: true, Scopes: []dossier.Scope{dossier.ScopeAdmin}})
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// What test keys make, and what each kind of key is shown.
func TestTestMode(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	converse(t, s, "test_mode.txt", "tester", s.newTestKey(t))
	if n := pgtest.Value[int](t, s.Server, `SELECT count(*) FROM events WHERE body LIKE '%"livemode":false%' AND is_test`); n != 1 {
		t.Errorf("%d events of the test lead, want 1", n)
	}
}

// A webhook for live leads hears nothing of test leads, one for tests nothing else, and the others hear of both.
func TestTestMode_webhooks(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for _, mode := range []string{"live", "test", "all"} {
		if got := s.do(t, "POST", "/save-webhook", `{"url": "https://`+mode+`.example/", "mode": "`+mode+`"}`); got.Status != 200 {
			t.Fatal(got.Body)
		}
	}
	s.do(t, "POST", "/api/v1/leads", `{"firstName": "Ann"}`)
	s.do(t, "POST", "/api/v1/leads", `{"firstName": "Tess", "isTest": true}`)
	s.do(t, "POST", "/api/v1/leads", `{"firstName": "Tom"}`, "x-api-key", s.newTestKey(t))
	if _, err := s.DB.DispatchEvents(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := pgtest.Value[string](t, s.Server, `SELECT string_agg(mode || ' ' || is_test || ' ' || n, ', ' ORDER BY mode, is_test) FROM (
		SELECT w.mode, e.is_test, count(*) AS n FROM deliveries d JOIN webhooks w ON w.id = d.webhook_id JOIN events e ON e.id = d.event_id GROUP BY 1, 2) d`)
	if want := "all false 1, all true 2, live false 1, test true 2"; got != want {
		t.Errorf("deliveries by mode: %s, want %s", got, want)
	}
}

package api

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// Under four eyes nobody approves what it submitted: not by its session, not by a key, not by a key that names another. New figures
// ask anew, the same ones do not.
func TestSpread_approval(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	s.Exec(t, `UPDATE workspaces SET four_eyes = '{spread_approval}' WHERE id = $1`, s.Workspace)
	path := "/api/v1/spreads/" + oneOfEach(t, s, s.Workspace)["spreadId"]
	ada, bob := s.signIn(t, s.Workspace, "ada@example.com", dossier.RoleApprover), s.signIn(t, s.Workspace, "bob@example.com", dossier.RoleApprover)
	step := func(what string, got answer, status int, code string) {
		t.Helper()
		if got.Status != status || code != "" && valueAt(t, got.Body, "code") != code {
			t.Errorf("%s: %d %s", what, got.Status, got.Body)
		}
	}
	state := func(want string) {
		t.Helper()
		if got := s.do(t, "GET", path, ""); valueAt(t, got.Body, "spread", "approval", "state") != want {
			t.Errorf("approval: %s, want %s", got.Body, want)
		}
	}
	step("nothing submitted", s.as(t, bob, "POST", path+"/approve", ""), 409, "spread_not_submitted")
	step("a key in ada's name submits", s.do(t, "POST", path+"/submit", "", "x-actor", "ada@example.com"), 200, "")
	step("ada approves", s.as(t, ada, "POST", path+"/approve", ""), 409, "second_person_needed")
	step("a key approves", s.do(t, "POST", path+"/approve", ""), 409, "second_person_needed")
	step("a key in bob's name approves", s.do(t, "POST", path+"/approve", "", "x-actor", "bob@example.com"), 409, "second_person_needed")
	step("no note", s.as(t, bob, "POST", path+"/return", `{}`), 400, "")
	step("bob returns it", s.as(t, bob, "POST", path+"/return", `{"note": "Revenue?"}`), 200, "")
	state("RETURNED")
	step("ada submits", s.as(t, ada, "POST", path+"/submit", ""), 200, "")
	step("again", s.as(t, ada, "POST", path+"/submit", ""), 200, "")
	step("bob approves", s.as(t, bob, "POST", path+"/approve", ""), 200, "")
	step("again", s.as(t, bob, "POST", path+"/approve", ""), 200, "")
	state("APPROVED")
	if n := pgtest.Value[int](t, s.Server, `SELECT count(*) FROM events WHERE type = 'spread.approved'`); n != 1 {
		t.Errorf("%d events", n)
	}
	s.Exec(t, `UPDATE spreads SET results = results WHERE workspace_id = $1`, s.Workspace)
	state("APPROVED")
	s.Exec(t, `UPDATE spreads SET results = '{"figures": 1}' WHERE workspace_id = $1`, s.Workspace)
	state("DRAFT")
	step("a reviewer approves", s.as(t, s.signIn(t, s.Workspace, "rea@example.com", dossier.RoleReviewer), "POST", path+"/approve", ""), 403, "insufficient_scope")
}

// What a client does with it, step by step.
func TestSpread_approval_conversation(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	converse(t, s, "spread_approval.txt", "spread", oneOfEach(t, s, s.Workspace)["spreadId"])
}

package api

import (
	"strings"
	"sync"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// Under four eyes nobody approves what it submitted: not by its session, not by a key, not by a key that names another. New figures
// ask anew, the same ones do not. So it is with the spread of a party and with that of all parties.
func TestSpread_approval(t *testing.T) {
	t.Parallel()
	for _, scope := range []string{"party", "global"} {
		t.Run(scope, func(t *testing.T) { t.Parallel(); approvedBySomebodyElse(t, scope) })
	}
}

func approvedBySomebodyElse(t *testing.T, scope string) {
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	s.Exec(t, `UPDATE workspaces SET four_eyes = '{spread_approval}' WHERE id = $1`, s.Workspace)
	path := "/api/v1/spreads/" + oneOfEach(t, s, s.Workspace)["spreadId"]
	s.Exec(t, `UPDATE spreads SET scope = $1`, scope)
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
	approvedAtOnce(t, s, path, map[string]string{"ada": ada, "bob": bob, "cyd": s.signIn(t, s.Workspace, "cyd@example.com", dossier.RoleApprover)})
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

// approvedAtOnce lets who submitted and two others approve in the same moment, each twice: one of the others has approved
// it, once. Whatever way an approval comes about, the row itself refuses who submitted it, and keys.
func approvedAtOnce(t *testing.T, s *testServer, path string, cookies map[string]string) {
	t.Helper()
	s.Exec(t, `CREATE FUNCTION approved_by(who text) RETURNS text LANGUAGE plpgsql AS $$ BEGIN
		UPDATE spreads SET approval_state = 'APPROVED', approver = who;
		RETURN 'taken';
	EXCEPTION WHEN check_violation THEN RETURN SQLERRM; END $$`)
	for _, who := range []string{"ada@example.com", "key:" + string(s.Workspace)} {
		if got := pgtest.Value[string](t, s.Server, `SELECT approved_by($1)`, who); !strings.Contains(got, "spreads_second_person") {
			t.Errorf("the row takes the approval of %s: %s", who, got)
		}
	}
	var done sync.WaitGroup
	for who, cookie := range cookies {
		for range 2 {
			done.Go(func() {
				if got := s.as(t, cookie, "POST", path+"/approve", ""); got.Status != 200 && (who != "ada" || got.Status != 409) {
					t.Errorf("%s approves: %d %s", who, got.Status, got.Body)
				}
			})
		}
	}
	done.Wait()
	got := pgtest.Value[string](t, s.Server, `SELECT s.approver || ' ' || (SELECT count(*) FROM events WHERE type = 'spread.approved') || ' ' ||
		(SELECT count(*) FROM audit_entries WHERE action = 'spread.approve' AND actor_name = s.approver) FROM spreads s WHERE approval_state = 'APPROVED'`)
	if got != "bob@example.com 1 1" && got != "cyd@example.com 1 1" {
		t.Errorf("approved by %s", got)
	}
}

// What a client does with it, step by step.
func TestSpread_approval_conversation(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	converse(t, s, "spread_approval.txt", "spread", oneOfEach(t, s, s.Workspace)["spreadId"])
}

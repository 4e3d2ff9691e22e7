package api

import (
	"sync"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/judge"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// secondPerson is a server on which overrides, approvals and erasures need a second person, with three people.
type secondPerson struct {
	*testServer
	ids           otherTenant
	ada, bob, eve string // cookies: two approvers and a reviewer
}

func newSecondPerson(t *testing.T) secondPerson {
	t.Helper()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	s.Exec(t, `UPDATE workspaces SET four_eyes = '{override,spread_approval,erase}' WHERE id = $1`, s.Workspace)
	return secondPerson{s, oneOfEach(t, s, s.Workspace), s.signIn(t, s.Workspace, "ada@example.com", dossier.RoleAdmin),
		s.signIn(t, s.Workspace, "bob@example.com", dossier.RoleAdmin), s.signIn(t, s.Workspace, "eve@example.com", dossier.RoleReviewer)}
}

// step makes a call and checks its status and code.
func (s secondPerson) step(t *testing.T, what string, got answer, status int, code string) answer {
	t.Helper()
	if got.Status != status || code != "" && valueAt(t, got.Body, "code") != code {
		t.Errorf("%s: %d %s, want %d %s", what, got.Status, got.Body, status, code)
	}
	return got
}

// Nobody agrees to what it asked for: not by its session, not by a key, not by a key in its or another's name. Nothing
// happens before another person agrees.
func TestSecondPerson(t *testing.T) {
	t.Parallel()
	s := newSecondPerson(t)
	override := "/api/v1/documents/" + s.ids["documentId"] + "/associations/" + s.ids["associationId"]
	key := s.newKey(t, s.Workspace, dossier.ScopeAdmin)
	for _, ask := range []struct {
		name string
		do   func() answer
	}{
		{"by session", func() answer { return s.as(t, s.ada, "PATCH", override, `{"overallValid": true, "note": "Seen"}`) }},
		{"by a key in her name", func() answer {
			return s.do(t, "PATCH", override, `{"overallValid": true, "note": "Seen"}`, "x-actor", "Ada@Example.com")
		}},
	} {
		asked := s.step(t, ask.name, ask.do(), 202, "")
		path := "/api/v1/reviews/" + valueAt(t, asked.Body, "review", "id")
		if valueAt(t, asked.Body, "review", "code") != "second_opinion" {
			t.Fatalf("%s: %s", ask.name, asked.Body)
		}
		s.step(t, ask.name+", repeated", ask.do(), 202, "")
		for who, claim := range map[string]func(verb, body string) answer{
			"ada":                func(verb, body string) answer { return s.as(t, s.ada, "POST", path+verb, body) },
			"a key":              func(verb, body string) answer { return s.do(t, "POST", path+verb, body) },
			"another key":        func(verb, body string) answer { return s.do(t, "POST", path+verb, body, "x-api-key", key) },
			"a key in her name":  func(verb, body string) answer { return s.do(t, "POST", path+verb, body, "x-actor", "ada@example.com") },
			"a key in bobs name": func(verb, body string) answer { return s.do(t, "POST", path+verb, body, "x-actor", "bob@example.com") },
		} {
			s.step(t, ask.name+": "+who+" claims", claim("/claim", ""), 409, "second_person_needed")
		}
		if got := s.as(t, s.ada, "POST", "/api/v1/reviews/next", `{"codes": ["second_opinion"]}`); got.Status != 204 {
			t.Errorf("her own is next: %s", got.Body)
		}
		// Whatever way it got that far, the row itself refuses.
		s.Exec(t, `ALTER TABLE reviews DROP CONSTRAINT reviews_second_claim`)
		s.Exec(t, `UPDATE reviews SET claimed_by = 'ada@example.com', claimed_name = 'ada@example.com', claimed_until = $1 WHERE state = 'OPEN'`, s.Clock.Now().Add(time.Minute))
		s.step(t, "ada decides", s.as(t, s.ada, "POST", path+"/decide", `{"decision": "accept", "version": 1}`), 409, "second_person_needed")
		s.Exec(t, `UPDATE reviews SET claimed_by = NULL, claimed_until = NULL`)
		s.Exec(t, `ALTER TABLE reviews ADD CONSTRAINT reviews_second_claim CHECK (code <> 'second_opinion' OR claimed_by IS NULL
			OR asker IS NOT NULL AND claimed_by LIKE '%@%' AND claimed_by <> asker)`)
		if n := pgtest.Value[int](t, s.Server, `SELECT count(*) FROM document_associations WHERE override_valid IS NOT NULL`); n != 0 {
			t.Fatal("it was overridden before anybody agreed")
		}
		s.step(t, "bob drops it", s.as(t, s.bob, "POST", path+"/claim", ""), 200, "")
		s.step(t, "bob drops it", s.as(t, s.bob, "POST", path+"/decide", `{"decision": "reject", "reasonCode": "other", "version": 1}`), 200, "")
	}
	asked := s.as(t, s.ada, "PATCH", override, `{"overallValid": true, "note": "Seen"}`)
	path := "/api/v1/reviews/" + valueAt(t, asked.Body, "review", "id")
	s.step(t, "eve claims", s.as(t, s.eve, "POST", path+"/claim", ""), 200, "")
	s.step(t, "eve is no approver", s.as(t, s.eve, "POST", path+"/decide", `{"decision": "accept", "version": 1}`), 403, "insufficient_scope")
	s.step(t, "bob takes over", s.as(t, s.bob, "POST", path+"/claim", `{"takeOver": true, "note": "n"}`), 200, "")
	s.step(t, "bob agrees", s.as(t, s.bob, "POST", path+"/decide", `{"decision": "accept", "version": 1}`), 200, "")
	if got := pgtest.Value[string](t, s.Server, `SELECT override_valid || ' ' || override_by || ' ' || override_note FROM document_associations`); got != "true ada@example.com Seen" {
		t.Errorf("overridden: %s", got)
	}
}

// Of two who agree at once one does.
func TestSecondPerson_at_once(t *testing.T) {
	t.Parallel()
	s := newSecondPerson(t)
	asked := s.as(t, s.eve, "POST", "/api/v1/documents/"+s.ids["documentId"]+"/erase", `{"reason": "asked"}`)
	s.step(t, "eve is no admin", asked, 403, "insufficient_scope")
	asked = s.step(t, "a key asks", s.do(t, "POST", "/api/v1/documents/"+s.ids["documentId"]+"/erase", `{"reason": "asked"}`), 202, "")
	review := dossier.ReviewID(valueAt(t, asked.Body, "review", "id"))
	people := []string{"ada@example.com", "bob@example.com"}
	var done sync.WaitGroup
	results := make([]error, len(people))
	for i, email := range people {
		done.Go(func() {
			ctx := postgres.WithActor(t.Context(), postgres.Actor{Type: dossier.ActorPerson, ID: postgres.NewID(), Name: email})
			if _, err := s.DB.ClaimReview(ctx, s.Workspace, review, true, "n"); err != nil {
				results[i] = err
				return
			}
			_, results[i] = s.DB.DecideReview(ctx, s.Workspace, review, postgres.DecisionRequest{Decision: dossier.DecideAccept, Version: 1,
				Judge: func(zone string) dossier.Judge { return judge.NewJudge(dossier.DayOf(s.Clock.Now())) }})
		})
	}
	done.Wait()
	if (results[0] == nil) == (results[1] == nil) {
		t.Errorf("both, or neither: %v, %v", results[0], results[1])
	}
	if n := pgtest.Value[int](t, s.Server, `SELECT count(*) FROM events WHERE type = 'review.decided'`); n != 1 {
		t.Errorf("%d decisions", n)
	}
}

// An erasure is SCHEDULED and nothing goes before a second person agrees; dropped it is CANCELLED. A deletion that is
// to erase at once asks too.
func TestSecondPerson_erasure(t *testing.T) {
	t.Parallel()
	s := newSecondPerson(t)
	s.Exec(t, `DELETE FROM erasures`)
	s.Exec(t, `UPDATE holds SET released_at = now()`)
	lead := "/api/v1/leads/" + s.ids["leadId"]
	status := func(want string) {
		t.Helper()
		if got := pgtest.Value[string](t, s.Server, `SELECT coalesce(string_agg(status || ' ' || waits, ', ' ORDER BY requested_at, id), '') FROM erasures`); got != want {
			t.Errorf("erasures: %q, want %q", got, want)
		}
	}
	decide := func(who string, asked answer, decision string) {
		t.Helper()
		path := "/api/v1/reviews/" + valueAt(t, asked.Body, "review", "id")
		s.step(t, "claim", s.as(t, who, "POST", path+"/claim", ""), 200, "")
		s.step(t, decision, s.as(t, who, "POST", path+"/decide", `{"decision": "`+decision+`", "reasonCode": "other", "version": 1}`), 200, "")
		s.Clock.Advance(time.Second)
	}
	asked := s.step(t, "ada asks", s.as(t, s.ada, "POST", lead+"/erase", `{"reason": "asked"}`), 202, "")
	status("SCHEDULED true")
	if valueAt(t, asked.Body, "erasure", "status") != "SCHEDULED" {
		t.Errorf("the erasure: %s", asked.Body)
	}
	if _, err := s.DB.StartErasure(t.Context(), s.Workspace, dossier.ErasureID(valueAt(t, asked.Body, "erasure", "id"))); err != nil {
		t.Error(err)
	}
	status("SCHEDULED true")
	decide(s.bob, asked, "reject")
	status("CANCELLED true")
	s.step(t, "the lead is there", s.do(t, "GET", lead, ""), 200, "")
	asked = s.step(t, "bob deletes and erases", s.as(t, s.bob, "DELETE", lead+"?erase=true", ""), 202, "")
	s.step(t, "the lead is there", s.do(t, "GET", lead, ""), 200, "")
	decide(s.ada, asked, "accept")
	s.step(t, "the lead is gone", s.do(t, "GET", lead, ""), 404, "")
	status("CANCELLED true, SCHEDULED false")
	if got := pgtest.Value[string](t, s.Server, `SELECT asker || ' ' || agreed_by FROM erasures WHERE status = 'SCHEDULED'`); got != "bob@example.com ada@example.com" {
		t.Errorf("asked and agreed: %s", got)
	}
}

package api

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// What a client does with the queue, step by step.
func TestReviews_conversation(t *testing.T) {
	t.Parallel()
	converse(t, newTestServer(t), "reviews.txt")
}

// The counts of a long queue are a few seconds old at most; those of a short one are as of now.
func TestReviews_counts_of_many(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	lead, _ := s.Lead(t, s.Workspace)
	add := func(n int) {
		t.Helper()
		s.Exec(t, `INSERT INTO reviews (workspace_id, id, lead_id, is_test, code, detail, mark, subject_type, subject_id, priority, created_at, due_at)
			SELECT $1, gen_random_uuid(), $2, false, 'tampering', 'x', '', 'document', gen_random_uuid(), 5, now(), now() FROM generate_series(1, $3)`, s.Workspace, lead, n)
	}
	for _, step := range []struct {
		more  int
		later time.Duration
		want  string
	}{{3, 0, "3"}, {10_000, 0, "10003"}, {5, 0, "10003"}, {0, 6 * time.Second, "10008"}} {
		add(step.more)
		s.Clock.Advance(step.later)
		if got := member(t, s.do(t, "GET", "/api/v1/reviews?limit=1", "").Body, "counts", "open"); got != step.want {
			t.Errorf("%+v: %s are open", step, got)
		}
	}
}

// reviewOf is the id of the one open review with a code.
func reviewOf(t *testing.T, s *testServer, code dossier.ReviewCode) string {
	t.Helper()
	return pgtest.Value[string](t, s.Server, `SELECT coalesce(string_agg(id::text, ' '), '') FROM reviews WHERE code = $1 AND state = 'OPEN'`, code)
}

// decided claims the one open review with a code and decides it.
func decided(t *testing.T, s *testServer, code dossier.ReviewCode, body string) answer {
	t.Helper()
	path := "/api/v1/reviews/" + reviewOf(t, s, code)
	claimed := s.do(t, "POST", path+"/claim", "")
	if claimed.Status != 200 {
		t.Fatalf("claim of %s: %d %s", code, claimed.Status, claimed.Body)
	}
	return s.do(t, "POST", path+"/decide", strings.Replace(body, "VERSION", member(t, claimed.Body, "review", "version"), 1))
}

// A claim is one person's or one key's, until it ends by itself; taking it over is noted.
func TestReviews_claims(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	path := "/api/v1/reviews/" + oneOfEach(t, s, s.Workspace)["reviewId"]
	ada, bob := s.signIn(t, s.Workspace, "ada@example.com", dossier.RoleReviewer), s.signIn(t, s.Workspace, "bob@example.com", dossier.RoleReviewer)
	other := s.newKey(t, s.Workspace, dossier.ScopeWrite)
	step := func(what string, got answer, status int, code string) {
		t.Helper()
		if got.Status != status || code != "" && valueAt(t, got.Body, "code") != code {
			t.Errorf("%s: %d %s", what, got.Status, got.Body)
		}
	}
	step("ada claims", s.as(t, ada, "POST", path+"/claim", ""), 200, "")
	refused := s.as(t, bob, "POST", path+"/claim", "")
	step("bob claims", refused, 409, "review_claimed")
	if valueAt(t, refused.Body, "claim", "by") != "ada@example.com" || !strings.Contains(valueAt(t, refused.Body, "detail"), "ada@example.com") {
		t.Errorf("who has it: %s", refused.Body)
	}
	for _, verb := range []string{"/renew", "/release"} {
		step("bob "+verb, s.as(t, bob, "POST", path+verb, ""), 409, "review_claimed")
	}
	step("bob decides", s.as(t, bob, "POST", path+"/decide", `{"decision": "accept", "version": 1}`), 409, "review_claimed")
	step("bob takes over", s.as(t, bob, "POST", path+"/claim", `{"takeOver": true, "note": "Ada is out"}`), 200, "")
	step("ada renews", s.as(t, ada, "POST", path+"/renew", ""), 409, "review_claimed")
	s.Clock.Advance(dossier.ReviewLease)
	step("a key claims when it has ended", s.do(t, "POST", path+"/claim", ""), 200, "")
	step("another key", s.do(t, "POST", path+"/claim", "", "x-api-key", other), 409, "review_claimed")
	step("assigned", s.do(t, "POST", path+"/assign", `{"assignee": "ada@example.com"}`), 200, "")
	if got := s.as(t, ada, "GET", "/api/v1/reviews?assignee=me", ""); member(t, got.Body, "counts", "mine") != "1" {
		t.Errorf("ada's: %s", got.Body)
	}
	step("decided", s.do(t, "POST", path+"/decide", `{"decision": "dismiss", "version": 1}`), 200, "")
	if got := pgtest.Value[string](t, s.Server, `SELECT string_agg(action, ' ' ORDER BY position) FROM audit_entries WHERE action LIKE 'review.%'`); got != "review.take_over review.assign review.decide" {
		t.Errorf("audit: %s", got)
	}
	if got := pgtest.Value[string](t, s.Server, `SELECT string_agg(type, ' ' ORDER BY created_at, type) FROM events WHERE type LIKE 'review.%' AND body LIKE '%"code":"escalation"%'`); got != "review.opened review.decided" {
		t.Errorf("events: %s", got)
	}
	if n := pgtest.Value[int](t, s.Server, `SELECT count(*) FROM escalations WHERE status = 'OPEN'`); n != 1 {
		t.Error("a review that was dismissed did something")
	}
}

// Reviews open in the commit of their cause and end with it: what its own operation ends is OBSOLETE.
func TestReviews_causes(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	lead, _ := s.Lead(t, s.Workspace, dossier.FieldText, dossier.FieldNumber)
	code := pgtest.Value[string](t, s.Server, `SELECT code FROM checklist_entries e JOIN checklist_items i USING (workspace_id, code) WHERE field_type = 'TEXT' AND e.lead_id = $1 LIMIT 1`, lead)
	put := func(body string) {
		t.Helper()
		if got := s.do(t, "PUT", "/api/v1/leads", strings.Replace(body, "LEAD", string(lead), 1)); got.Status != 200 {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
	}
	states := func(code dossier.ReviewCode) string {
		t.Helper()
		return pgtest.Value[string](t, s.Server, `SELECT coalesce(string_agg(state, ' ' ORDER BY created_at, id), '') FROM reviews WHERE code = $1`, code)
	}
	expect := func(what string, code dossier.ReviewCode, want string) {
		t.Helper()
		if got := states(code); got != want {
			t.Errorf("%s: %s reviews are %q, want %q", what, code, got, want)
		}
		s.Clock.Advance(time.Second)
	}
	item := `{"leadId": "LEAD", "checklistItems": [{"code": "` + code + `", "status": "%s"}]}`
	put(fmt.Sprintf(item, "NEEDS_REVIEW"))
	expect("an item is set to NEEDS_REVIEW", dossier.ReviewItem, "OPEN")
	put(fmt.Sprintf(item, "COMPLETED"))
	expect("and set right", dossier.ReviewItem, "OBSOLETE")
	put(fmt.Sprintf(item, "NEEDS_REVIEW"))
	escalation, err := s.DB.CreateEscalation(t.Context(), s.Workspace, lead, "help", nil, postgres.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	expect("escalated", dossier.ReviewEscalation, "OPEN")
	put(`{"leadId": "LEAD", "status": "NOT_INTERESTED"}`)
	expect("the lead closes", dossier.ReviewItem, "OBSOLETE OBSOLETE")
	expect("the lead closes", dossier.ReviewEscalation, "OBSOLETE")
	put(`{"leadId": "LEAD", "status": "IN_PROGRESS"}`)
	expect("the lead is open again", dossier.ReviewItem, "OBSOLETE OBSOLETE OPEN")
	expect("the lead is open again", dossier.ReviewEscalation, "OBSOLETE OPEN")
	if got := s.do(t, "POST", "/api/v1/escalations/"+string(escalation.ID)+"/resolve", ""); got.Status != 200 {
		t.Fatal(string(got.Body))
	}
	expect("resolved", dossier.ReviewEscalation, "OBSOLETE OBSOLETE")
	if got := decided(t, s, dossier.ReviewItem, `{"decision": "reject", "reasonCode": "other", "version": VERSION}`); got.Status != 200 {
		t.Fatal(string(got.Body))
	}
	if got := pgtest.Value[string](t, s.Server, `SELECT status FROM checklist_entries WHERE code = $1`, code); got != "INVALID" {
		t.Errorf("a rejected item is %s", got)
	}
	put(fmt.Sprintf(item, "NEEDS_REVIEW"))
	if got := s.do(t, "DELETE", "/api/v1/leads/"+string(lead), ""); got.Status != 204 {
		t.Fatal(string(got.Body))
	}
	expect("the lead is deleted", dossier.ReviewItem, "OBSOLETE OBSOLETE DECIDED OBSOLETE")
}

// Deciding does what the subject's own operation does, in one commit.
func TestReviews_decisions(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	ids := oneOfEach(t, s, s.Workspace)
	if got := s.do(t, "POST", "/api/v1/spreads/"+ids["spreadId"]+"/submit", ""); got.Status != 200 {
		t.Fatal(string(got.Body))
	}
	path := "/api/v1/reviews/" + reviewOf(t, s, dossier.ReviewSpreadApproval)
	rea := s.signIn(t, s.Workspace, "rea@example.com", dossier.RoleReviewer)
	s.as(t, rea, "POST", path+"/claim", "")
	if got := s.as(t, rea, "POST", path+"/decide", `{"decision": "accept", "version": 1}`); got.Status != 403 {
		t.Errorf("a reviewer approves a spread: %d %s", got.Status, got.Body)
	}
	s.as(t, rea, "POST", path+"/release", "")
	if got := decided(t, s, dossier.ReviewSpreadApproval, `{"decision": "reject", "reasonCode": "incomplete", "note": "Revenue?", "version": VERSION}`); got.Status != 200 {
		t.Fatal(string(got.Body))
	}
	if got := s.do(t, "GET", "/api/v1/spreads/"+ids["spreadId"], ""); valueAt(t, got.Body, "spread", "approval", "state") != "RETURNED" || valueAt(t, got.Body, "spread", "approval", "note") != "Revenue?" {
		t.Errorf("a rejected spread: %s", got.Body)
	}
	s.do(t, "POST", "/api/v1/spreads/"+ids["spreadId"]+"/submit", "")
	if got := decided(t, s, dossier.ReviewSpreadApproval, `{"decision": "accept", "version": VERSION}`); got.Status != 200 {
		t.Fatal(string(got.Body))
	}
	if got := s.do(t, "GET", "/api/v1/spreads/"+ids["spreadId"], ""); valueAt(t, got.Body, "spread", "approval", "state") != "APPROVED" {
		t.Errorf("an accepted spread: %s", got.Body)
	}
	if got := decided(t, s, dossier.ReviewEscalation, `{"decision": "accept", "reasonCode": "why", "version": VERSION}`); got.Status != 400 {
		t.Errorf("an unknown reason: %d %s", got.Status, got.Body)
	}
}

// What a document says of itself opens reviews, once for each cause, and a decided cause is not asked again.
func TestReviews_of_documents(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	ids := oneOfEach(t, s, s.Workspace)
	s.Exec(t, `UPDATE documents SET extraction_status = 'completed', extraction = '{"pageCount": 1, "documents": [{"docType": "other", "pages": [1, 1], "facts": {"title": "X", "issuer": "Y"},
		"sources": {"/title": {"page": 1, "text": "X", "confidence": 0.4, "method": "ocr"}, "/issuer": {"page": 1, "text": "Y", "confidence": 0.9, "method": "ocr"}},
		"warnings": [{"code": "possible_tampering", "detail": "Two fonts."}]}]}' WHERE id = $1`, ids["documentId"])
	path := "/api/v1/documents/" + ids["documentId"] + "/corrections"
	correct := func(set string) {
		t.Helper()
		if got := s.do(t, "PUT", path, `{"corrections": [`+set+`]}`); got.Status != 200 {
			t.Fatal(string(got.Body))
		}
	}
	correct(`{"part": 0, "pointer": "/issuer", "value": "Z"}`)
	got := s.do(t, "GET", "/api/v1/reviews?leadId="+ids["leadId"]+"&code=fact_doubted,tampering", "")
	for _, want := range []string{`"subject":{"type":"fact","id":"` + ids["documentId"] + `","part":0,"pointer":"/title"}`, `"detail":"Two fonts."`, `"fact_doubted":1`, `"tampering":1`} {
		if !strings.Contains(got.Body, want) {
			t.Errorf("no %s in %s", want, got.Body)
		}
	}
	if got := decided(t, s, dossier.ReviewTampering, `{"decision": "accept", "version": VERSION}`); got.Status != 200 {
		t.Fatal(string(got.Body))
	}
	fact := reviewOf(t, s, dossier.ReviewFact)
	s.do(t, "POST", "/api/v1/reviews/"+fact+"/claim", "")
	correct(`{"part": 0, "pointer": "/title", "value": "W"}`)
	if got := s.do(t, "POST", "/api/v1/reviews/"+fact+"/decide", `{"decision": "correct", "version": 1}`); got.Status != 200 || valueAt(t, got.Body, "review", "state") != "DECIDED" {
		t.Errorf("what was corrected before it was decided: %d %s", got.Status, got.Body)
	}
	if open := reviewOf(t, s, dossier.ReviewTampering) + reviewOf(t, s, dossier.ReviewFact); open != "" {
		t.Errorf("asked again: %s", open)
	}
	correct(``)
	if reviewOf(t, s, dossier.ReviewFact) != "" {
		t.Error("a doubt that was decided is asked again")
	}
}

// What the machine completes is sampled; how often its readings are right is counted by what people saw.
func TestReviews_quality(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	ids := oneOfEach(t, s, s.Workspace)
	s.Exec(t, `UPDATE workspaces SET review = '{"sample": 1}' WHERE id = $1`, s.Workspace)
	s.Exec(t, `UPDATE documents SET extraction_status = 'completed', extraction = '{"pageCount": 1, "documents": [{"docType": "other", "pages": [1, 1], "facts": {"title": "X", "issuer": "Y"},
		"sources": {"/title": {"page": 1, "text": "X", "confidence": 0.9, "method": "ocr"}, "/issuer": {"page": 1, "text": "Y", "confidence": 0.9, "method": "ocr"}}}]}' WHERE id = $1`, ids["documentId"])
	s.Exec(t, `UPDATE document_associations SET validation_result = '{"overallValid": true}', overall_valid = true`)
	if got := s.do(t, "PUT", "/api/v1/documents/"+ids["documentId"]+"/corrections", `{"corrections": [{"part": 0, "pointer": "/title", "value": "W"}]}`); got.Status != 200 {
		t.Fatal(string(got.Body))
	}
	if got := decided(t, s, dossier.ReviewSample, `{"decision": "correct", "version": VERSION}`); got.Status != 200 {
		t.Fatal(string(got.Body))
	}
	got := s.do(t, "GET", "/api/v1/reviews/quality", "")
	want := `[{"docType":"other","field":"issuer","lookedAt":1,"right":1,"share":1,"interval":[0.20654931437723742,1]},{"docType":"other","field":"title","lookedAt":1,"right":0,"share":0,"interval":[0,0.7934506856227626]}]`
	if !strings.Contains(got.Body, want) {
		t.Errorf("quality: %s", got.Body)
	}
}

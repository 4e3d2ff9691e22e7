package api

import (
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// A message that somebody writes for approval is a reason to look, whoever wrote it: its own operation ends it, and to
// decide it is to approve or to reject the message.
func TestReviews_drafts(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	lead, _ := s.Lead(t, s.Workspace)
	draft := func() (message, review string) {
		t.Helper()
		s.Clock.Advance(time.Second)
		got := s.do(t, "POST", "/api/v1/leads/"+string(lead)+"/messages", `{"channel": "email", "subject": "Papers", "body": "Please send them."}`)
		if got.Status != 201 {
			t.Fatalf("draft: %d %s", got.Status, got.Body)
		}
		message = valueAt(t, got.Body, "message", "id")
		listed := s.do(t, "GET", "/api/v1/reviews?code=draft_message", "")
		if want := `"subject":{"type":"message","id":"` + message + `"}`; !strings.Contains(listed.Body, want) || member(t, listed.Body, "counts", "byCode") != `{"draft_message":1}` {
			t.Fatalf("no review of the draft: %s", listed.Body)
		}
		return message, reviewOf(t, s, dossier.ReviewDraft)
	}
	expect := func(what, message, status, review, state string) {
		t.Helper()
		got := pgtest.Value[string](t, s.Server, `SELECT m.status || ' ' || r.state FROM messages m, reviews r WHERE m.id = $1 AND r.id = $2`, message, review)
		if got != status+" "+state {
			t.Errorf("%s: %s, want %s %s", what, got, status, state)
		}
	}
	message, review := draft()
	if got := s.do(t, "POST", "/api/v1/messages/"+message+"/approve", ""); got.Status != 200 {
		t.Fatal(got.Body)
	}
	expect("approved by itself", message, "QUEUED", review, "OBSOLETE")
	message, review = draft()
	if got := decided(t, s, dossier.ReviewDraft, `{"decision": "accept", "version": VERSION}`); got.Status != 200 {
		t.Fatal(got.Body)
	}
	expect("accepted", message, "QUEUED", review, "DECIDED")
	message, review = draft()
	if got := decided(t, s, dossier.ReviewDraft, `{"decision": "dismiss", "version": VERSION}`); got.Status != 400 || valueAt(t, got.Body, "code") != "decision_not_possible" {
		t.Errorf("a draft is dismissed: %d %s", got.Status, got.Body)
	}
	if got := decided(t, s, dossier.ReviewDraft, `{"decision": "reject", "reasonCode": "incomplete", "note": "Say which.", "version": VERSION}`); got.Status != 200 {
		t.Fatal(got.Body)
	}
	expect("rejected", message, "REJECTED", review, "DECIDED")
	_, review = draft()
	if got := s.do(t, "PUT", "/api/v1/leads", `{"leadId": "`+string(lead)+`", "status": "NOT_INTERESTED"}`); got.Status != 200 {
		t.Fatal(got.Body)
	}
	if got := pgtest.Value[string](t, s.Server, `SELECT state FROM reviews WHERE id = $1`, review); got != "OBSOLETE" {
		t.Errorf("the lead closed, its draft's review is %s", got)
	}
}

// A rule that no judge reads waits for a person; to accept the item is to say that its document is good for it.
func TestReviews_item_accepted(t *testing.T) {
	t.Parallel()
	c := newCorrectable(t)
	c.Exec(t, `UPDATE checklist_items SET validation_rules = ARRAY['The moon is in the seventh house'] WHERE lead_id = $1`, c.lead)
	id := c.document(t, "completed", statementRead("12.00"))
	if got := c.correct(t, id, closing); got.Status != 200 || !strings.Contains(member(t, got.Body, "effects", "items"), `"after":{"status":"NEEDS_REVIEW"`) {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	review := c.do(t, "GET", "/api/v1/reviews/"+reviewOf(t, c.testServer, dossier.ReviewRule), "")
	if valueAt(t, review.Body, "review", "subject", "id") != string(c.entry) || valueAt(t, review.Body, "review", "subject", "type") != "item" {
		t.Errorf("its subject: %s", review.Body)
	}
	ada := c.signIn(t, c.Workspace, "ada@example.com", dossier.RoleReviewer)
	path := "/api/v1/reviews/" + reviewOf(t, c.testServer, dossier.ReviewRule)
	c.as(t, ada, "POST", path+"/claim", "")
	if got := c.as(t, ada, "POST", path+"/decide", `{"decision": "accept", "note": "Seen", "version": 1}`); got.Status != 200 || valueAt(t, got.Body, "review", "decision", "by") != "ada@example.com" {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	got := pgtest.Value[string](t, c.Server, `SELECT e.status || ' ' || a.override_valid || ' ' || a.override_by || ' ' || a.override_note FROM checklist_entries e
		JOIN document_associations a ON a.entry_id = e.id WHERE e.id = $1`, c.entry)
	if got != "COMPLETED true ada@example.com Seen" {
		t.Errorf("the item: %s", got)
	}
	for what, sql := range map[string]string{
		"events":        `SELECT string_agg(type, ' ' ORDER BY type) FROM events WHERE type IN ('review.decided', 'checklist_item.completed')`,
		"audit":         `SELECT string_agg(action || ' ' || actor_name, ', ') FROM audit_entries WHERE action = 'review.decide'`,
		"interventions": `SELECT string_agg(kind, ' ') FROM interventions`,
	} {
		want := map[string]string{"events": "checklist_item.completed review.decided", "audit": "review.decide ada@example.com", "interventions": "documentOverrides"}[what]
		if got := pgtest.Value[string](t, c.Server, sql); got != want {
			t.Errorf("%s: %s, want %s", what, got, want)
		}
	}
}

// Reviews go to whom the workspace's rules say: by type of document, by amount, by code, the first that fits; a group's
// are given to its members only, and the largest amount comes first where that is asked.
func TestReviews_assigned(t *testing.T) {
	t.Parallel()
	s, p := newSignIns(t)
	c := correctable{testServer: s}
	c.Exec(t, `UPDATE workspaces SET review = '{"assign": [{"amountAtLeast": "200000", "code": "escalation", "to": "seniors"}, {"docType": "bank_statement", "to": "analysts"},
		{"code": "escalation", "to": "Bob@Example.com"}]}' WHERE id = $1`, s.Workspace)
	lead, entries := c.Lead(t, s.Workspace, dossier.FieldBankStatement, dossier.FieldNumber)
	c.lead, c.entry = lead, entries[0]
	c.Exec(t, `UPDATE checklist_items SET validation_rules = ARRAY['The moon is in the seventh house'] WHERE lead_id = $1 AND field_type = 'BANK_STATEMENT'`, lead)
	c.Exec(t, `UPDATE checklist_items SET code = 'REQUESTED_AMOUNT' WHERE id = (SELECT item_id FROM checklist_entries WHERE id = $1)`, entries[1])
	c.Exec(t, `UPDATE checklist_entries SET code = 'REQUESTED_AMOUNT', value = '150000' WHERE id = $1`, entries[1])
	id := c.document(t, "completed", statementRead("12.00"))
	c.API.Objects = objectstest.New(t)
	if got := c.correct(t, id, closing); got.Status != 200 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	escalate := func(amount string) {
		t.Helper()
		c.Exec(t, `UPDATE checklist_entries SET value = $2::jsonb WHERE id = $1`, entries[1], amount)
		if got := s.do(t, "POST", "/api/v1/leads/"+string(lead)+"/escalations", `{"reason": "`+amount+`"}`); got.Status != 201 {
			t.Fatal(got.Body)
		}
	}
	escalate("199999")
	escalate("200000")
	list := s.do(t, "GET", "/api/v1/reviews?sort=amount", "")
	if got := pgtest.Value[string](t, s.Server, `SELECT string_agg(code || ' ' || assignee || ' ' || amount, ', ' ORDER BY amount) FROM reviews WHERE state = 'OPEN'`); got !=
		"rule_not_understood analysts 150000, escalation bob@example.com 199999, escalation seniors 200000" {
		t.Errorf("assigned: %s", got)
	}
	if strings.Index(list.Body, "200000") > strings.Index(list.Body, "199999") || strings.Index(list.Body, "199999") > strings.Index(list.Body, "150000") {
		t.Errorf("by amount: %s", list.Body)
	}
	analyst := s.signedIn(t, p).cookies["dossier"] // of the group analysts
	got := s.as(t, analyst, "POST", "/api/v1/reviews/next", "")
	if got.Status != 200 || valueAt(t, got.Body, "review", "code") != "rule_not_understood" {
		t.Errorf("next of an analyst: %d %s", got.Status, got.Body)
	}
	if got := s.as(t, analyst, "POST", "/api/v1/reviews/next", ""); got.Status != 204 {
		t.Errorf("what is another's: %d %s", got.Status, got.Body)
	}
	if got := s.as(t, analyst, "GET", "/api/v1/reviews?assignee=me", ""); member(t, got.Body, "counts", "mine") != "1" || strings.Count(got.Body, `"assignee":"analysts"`) != 1 {
		t.Errorf("an analyst's: %s", got.Body)
	}
	bob := s.signIn(t, s.Workspace, "bob@example.com", dossier.RoleReviewer)
	if got := s.as(t, bob, "POST", "/api/v1/reviews/next", ""); got.Status != 200 || member(t, got.Body, "review", "amount") != "199999" {
		t.Errorf("next of bob: %d %s", got.Status, got.Body)
	}
}

// Quality counts what people saw in a time, and its interval narrows with what they saw.
func TestReviews_quality_in_a_time(t *testing.T) {
	t.Parallel()
	c := newCorrectable(t)
	first := c.document(t, "completed", statementRead("12.00"))
	if got := c.correct(t, first, closing); got.Status != 200 {
		t.Fatal(got.Body)
	}
	c.Clock.Advance(48 * time.Hour)
	second := c.document(t, "completed", statementRead("120.00"))
	if got := c.correct(t, second, closing); got.Status != 200 {
		t.Fatal(got.Body)
	}
	day := c.Clock.Now().Add(-24 * time.Hour).UTC().Format(time.RFC3339)
	for query, want := range map[string]string{
		"":              `"field":"closingBalance","lookedAt":2,"right":1,"share":0.5,`,
		"?since=" + day: `"field":"closingBalance","lookedAt":1,"right":1,"share":1,`,
		"?until=" + day: `"field":"closingBalance","lookedAt":1,"right":0,"share":0,`,
	} {
		if got := c.do(t, "GET", "/api/v1/reviews/quality"+query, ""); got.Status != 200 || !strings.Contains(got.Body, want) {
			t.Errorf("%s: %d %s, want %s", query, got.Status, got.Body, want)
		}
	}
	if got := c.do(t, "GET", "/api/v1/reviews/quality?since=yesterday", ""); got.Status != 400 {
		t.Errorf("since yesterday: %d", got.Status)
	}
}

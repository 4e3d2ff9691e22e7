package api

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// What a lead does on its page counts as the portal's: in analytics, as JSON, in the checklist, on the timeline, and in the
// item that webhooks are told of.
func TestPortal_source(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	g.do(t, "PUT", "/api/v1/leads", `{"leadId":"`+g.lead+`","checklistItems":[{"code":"LEGAL_NAME","value":"Bakery LLC"}]}`)
	source := func() string {
		return regexp.MustCompile(`"bySource":(\{[^}]*\})`).FindStringSubmatch(g.do(t, "GET", "/api/v0/analytics", "").Body)[1]
	}
	if got := source(); got != `{"agent":0,"imported":1,"manual":0,"portal":0}` {
		t.Errorf("before: %s", got)
	}
	g.fill(t, "AMOUNT", url.Values{"value": {"12500"}})
	g.fill(t, "MAIL", url.Values{"value": {"ann@example.com"}})
	g.fill(t, "BORN", url.Values{"value": {"never"}}) // not completed
	if got := source(); got != `{"agent":0,"imported":1,"manual":0,"portal":2}` {
		t.Errorf("after two answers: %s", got)
	}
	mustHold(t, g.do(t, "GET", "/api/v0/analytics", "").Body, `{"code":"OWNER.MAIL","required":true,"status":"COMPLETED","value":"ann@example.com"`)
	if n := strings.Count(g.do(t, "GET", "/api/v0/analytics", "").Body, `"source":"portal"`); n != 3 {
		t.Errorf("%d items of the breakdown are the portal's, want 3", n)
	}
	if n := strings.Count(g.do(t, "GET", "/api/v1/leads/"+g.lead+"/checklist", "").Body, `"source":"portal"`); n != 3 {
		t.Errorf("%d items of the checklist are the portal's, want 3", n)
	}
	g.send(t, g.entry(t, "BANK_STATEMENTS"), "march.pdf", "%PDF-1.4 march")
	for kind, want := range map[string]int{"lead.updated": 4, "checklist_item.completed": 3, "checklist_item.invalid": 1, "document.received": 1} { // the first by the API
		if n := pgtest.Value[int](t, g.Server, `SELECT count(*) FROM events WHERE type = $1 AND lead_id = $2`, kind, g.lead); n != want {
			t.Errorf("%d events %s, want %d", n, kind, want)
		}
	}
	if got := pgtest.Value[string](t, g.Server, `SELECT string_agg(concat_ws(' ', type, body::jsonb #>> '{data,checklistItem,code}', body::jsonb #>> '{data,checklistItem,source}'), ', ' ORDER BY created_at, id)
		FROM events WHERE type LIKE 'checklist_item.%' AND lead_id = $1`, g.lead); got != "checklist_item.completed LEGAL_NAME imported, checklist_item.completed AMOUNT portal, "+
		"checklist_item.completed MAIL portal, checklist_item.invalid BORN portal" {
		t.Errorf("webhooks are told %s", got)
	}
	document := pgtest.Value[string](t, g.Server, `SELECT id::text FROM documents WHERE lead_id = $1`, g.lead)
	g.do(t, "POST", g.path+"/documents/"+document+"/remove", "", "x-api-key", "")
	if n := strings.Count(g.do(t, "GET", "/api/v1/leads/"+g.lead+"/activity", "").Body, `"source":"portal"`); n != 6 { // opened by following a form, three answers, a file sent and removed
		t.Errorf("%d entries of the timeline are the portal's, want 6", n)
	}
}

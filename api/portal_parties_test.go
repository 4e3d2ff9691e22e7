package api

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// partyPages are the pages of one lead: its own and those of parties, each with something behind every address, all of
// it marked with the page's name.
type partyPages struct {
	*testServer
	lead  string
	pages map[string]*partyPage
}

type partyPage struct {
	portalGuest
	party string // "": the lead's own page
	portalOwner
}

// newPages makes the lead's own page, one for its primary party and two for others.
func newPages(t *testing.T) partyPages {
	t.Helper()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	lead := valueAt(t, s.do(t, "POST", "/api/v1/leads", `{"firstName":"Marked-own"}`).Body, "lead", "id")
	p := partyPages{s, lead, map[string]*partyPage{}}
	p.open(t, "own", "")
	if got := s.do(t, "GET", "/api/v1/leads/"+lead+"/parties", ""); got.Status != 200 { // makes the primary party
		t.Fatal(got.Status, got.Body)
	}
	p.open(t, "primary", pgtest.Value[string](t, s.Server, `SELECT id::text FROM parties WHERE is_primary`))
	for _, name := range []string{"ann", "bo"} {
		party := s.do(t, "POST", "/api/v1/leads/"+lead+"/parties", `{"name":"Marked-`+name+`","kind":"person","role":"guarantor"}`)
		p.open(t, name, valueAt(t, party.Body, "party", "id"))
	}
	return p
}

func (p partyPages) open(t *testing.T, name, party string) {
	t.Helper()
	named := map[string]any{}
	if party != "" {
		named["partyId"] = party
	}
	link := p.do(t, "POST", "/api/v1/leads/"+p.lead+"/portal-link", string(mustJSON(named)))
	at, err := url.Parse(valueAt(t, link.Body, "url"))
	if err != nil || link.Status != 200 {
		t.Fatal(link.Body, err)
	}
	page := &partyPage{portalGuest{p.testServer, p.lead, at.Path}, party,
		portalOwner{name, strings.TrimPrefix(at.Path, "/portal/"), dossier.LeadID(p.lead), map[string][]string{}}}
	for _, fieldType := range []string{"FILE", "TEXT"} {
		named["label"], named["fieldType"] = "Marked-"+name+" "+fieldType, fieldType
		made := p.do(t, "POST", "/api/v1/leads/"+p.lead+"/checklist-items", string(mustJSON(named)))
		page.ids["entryId"] = append(page.ids["entryId"], valueAt(t, made.Body, "checklistItem", "id"))
	}
	files, text := page.ids["entryId"][0], page.ids["entryId"][1]
	p.Exec(t, `UPDATE checklist_entries SET value = to_jsonb($2::text), status = 'COMPLETED', source = 'portal' WHERE id = $1`, text, "Marked-"+name)
	page.send(t, files, "Marked-"+name+".pdf", "%PDF "+name)
	page.send(t, "", "Marked-"+name+"-loose.pdf", "%PDF loose "+name)
	plan := page.plan(t, page.script(t, "POST", "/uploads", announced(t, files, "Marked-"+name+"-2.pdf", 4)), 201)
	page.ids["documentId"] = []string{p.document(t, "Marked-"+name+".pdf"), string(plan.ID)}
	p.pages[name] = page
}

func (p partyPages) document(t *testing.T, filename string) string {
	t.Helper()
	return pgtest.Value[string](t, p.Server, `SELECT id::text FROM documents WHERE filename = $1 AND deleted_at IS NULL`, filename)
}

// Each page shows its own items and files and greets its own; the lead's shows those of the primary party too.
func TestPortal_pages_of_parties(t *testing.T) {
	t.Parallel()
	p := newPages(t)
	for name, page := range p.pages {
		got := page.page(t)
		status := p.do(t, "GET", page.path+"/status", "", "x-api-key", "")
		if got.Status != 200 || status.Status != 200 {
			t.Fatalf("%s: %d %d", name, got.Status, status.Status)
		}
		for other, of := range p.pages {
			seen := other == name || name == "own" && other == "primary"
			if has := strings.Contains(got.Body, "Marked-"+other+" FILE"); has != seen {
				t.Errorf("the page of %s shows items of %s: %t", name, other, has)
			}
			if has := strings.Contains(status.Body, of.ids["entryId"][1]); has != seen {
				t.Errorf("the status of %s tells of items of %s: %t", name, other, has)
			}
			for _, file := range []string{".pdf", "-loose.pdf", "-2.pdf"} {
				if has := strings.Contains(got.Body, "Marked-"+other+file); has != (other == name) {
					t.Errorf("the page of %s shows %s%s: %t", name, other, file, has)
				}
			}
		}
		greeted := map[string]string{"own": "Marked-own", "primary": "Marked-own"}[name]
		if greeted == "" {
			greeted = "Marked-" + name
		}
		mustHold(t, got.Body, "Hello "+greeted)
	}
}

// Whoever has the link of one page tries everything behind another: every address, as the table of routes has them,
// with the ids of what is there. Nothing is read, and no row of any table changes.
func TestPortal_pages_of_parties_attacked(t *testing.T) {
	t.Parallel()
	p := newPages(t)
	before := pgtest.Value[string](t, p.Server, everythingAndKeys)
	walked := 0
	for _, row := range p.API.routes() {
		if !strings.HasPrefix(row.path, "/portal/{token}") || !strings.Contains(row.path+portalBodies[row.name()][1], "Id}") {
			continue
		}
		walked++
		for name, mine := range p.pages {
			for other, theirs := range p.pages {
				shared := name == "own" && other == "primary" && strings.Contains(row.path+portalBodies[row.name()][1], "{entryId}") // its items are on that page
				if name != other && !shared {
					p.walkForeign(t, row, mine.token, theirs.portalOwner)
				}
			}
		}
	}
	if walked != 7 {
		t.Errorf("%d addresses were walked", walked)
	}
	if after := pgtest.Value[string](t, p.Server, everythingAndKeys); after != before {
		t.Errorf("something changed:\n%s\n%s", before, after)
	}

	// A link that was asked for through a party's page would bring the lead's own to whoever has it.
	p.Exec(t, `UPDATE workspaces SET channels = '{"email": {"provider": "log"}}'`)
	p.Exec(t, `UPDATE leads SET email = 'ann@example.com' WHERE id = $1`, p.lead)
	ann := p.pages["ann"]
	if got := ann.askLink(t, ann.path); got.Status != 200 || ann.messages(t) != 0 {
		t.Errorf("%d, %d messages", got.Status, ann.messages(t))
	}
	if got := ann.askLink(t, p.pages["own"].path); got.Status != 200 || ann.messages(t) != 1 {
		t.Errorf("%d, %d messages", got.Status, ann.messages(t))
	}
}

// The same bytes through two pages are one document. It serves the items of both; how the other page called it is not told.
func TestPortal_pages_of_parties_same_file(t *testing.T) {
	t.Parallel()
	p := newPages(t)
	ann, bo := p.pages["ann"], p.pages["bo"]
	bo.send(t, bo.ids["entryId"][0], "mine.pdf", "%PDF ann")
	page := bo.page(t).Body
	if strings.Contains(page, "Marked-ann") || !strings.Contains(article(t, page, bo.ids["entryId"][0]), "Marked-bo FILE") {
		t.Errorf("%s", page)
	}
	if got := p.do(t, "POST", bo.path+"/documents/"+ann.ids["documentId"][0]+"/remove", "", "x-api-key", "", "Origin", "null"); got.Status != 404 {
		t.Errorf("%d", got.Status)
	}
	served := pgtest.Value[[]string](t, p.Server, `SELECT array_agg(entry_id::text) FROM document_associations WHERE document_id = $1`, ann.ids["documentId"][0])
	if len(served) != 2 || !slices.Contains(served, bo.ids["entryId"][0]) {
		t.Errorf("%v", served)
	}
	if strings.Contains(ann.page(t).Body, "Marked-bo") {
		t.Error("the first page tells of the second")
	}
}

// Links live and end by page; a party with items or a link stays.
func TestPortal_links_of_parties(t *testing.T) {
	t.Parallel()
	p := newPages(t)
	opens := func(name string) int { return p.pages[name].page(t).Status }
	link := "/api/v1/leads/" + p.lead + "/portal-link"
	ann := p.pages["ann"]
	again := p.do(t, "POST", link, `{"partyId":"`+ann.party+`"}`)
	mustHold(t, again.Body, ann.token, `"partyId":"`+ann.party+`"`)
	mustHold(t, p.do(t, "POST", link, "").Body, p.pages["own"].token, `"partyId":null`)
	mustHold(t, p.do(t, "GET", "/api/v1/leads/"+p.lead, "").Body, p.pages["own"].token)
	rotated := p.do(t, "POST", link, `{"rotate":true,"partyId":"`+ann.party+`"}`)
	if rotated.Status != 200 || strings.Contains(rotated.Body, ann.token) {
		t.Fatal(rotated.Body)
	}
	if got := fmt.Sprint(opens("ann"), opens("own"), opens("primary"), opens("bo")); got != "404 200 200 200" {
		t.Errorf("after a rotation: %s", got)
	}
	p.do(t, "POST", link, `{"rotate":true}`)
	if got := fmt.Sprint(opens("own"), opens("primary"), opens("bo")); got != "404 200 200" {
		t.Errorf("after a rotation of the lead's: %s", got)
	}
	bo := p.pages["bo"]
	party := "/api/v1/leads/" + p.lead + "/parties/" + bo.party
	refused := func() {
		t.Helper()
		if got := p.do(t, "DELETE", party, ""); got.Status != 409 || valueAt(t, got.Body, "code") != "party_in_use" {
			t.Errorf("%d %s", got.Status, got.Body)
		}
	}
	refused()
	for _, id := range bo.ids["entryId"] {
		p.do(t, "PATCH", "/api/v1/leads/"+p.lead+"/checklist-items/"+id, `{"partyId":null}`)
	}
	refused()
	for range 2 {
		if got := p.do(t, "DELETE", link+"?partyId="+bo.party, ""); got.Status != 204 || opens("bo") != 404 {
			t.Errorf("%d %d", got.Status, opens("bo"))
		}
	}
	if got := p.do(t, "DELETE", party, ""); got.Status != 204 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	for _, body := range []string{`{"partyId":"` + bo.party + `"}`, `{"partyId":"01900000-0000-7000-8000-000000000000"}`} {
		if got := p.do(t, "POST", link, body); got.Status != 404 || valueAt(t, got.Body, "code") != "party_not_found" {
			t.Errorf("%d %s", got.Status, got.Body)
		}
	}
	if got := p.do(t, "POST", link, `{"partyId":"ann"}`); got.Status != 404 && got.Status != 400 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	if got := p.do(t, "DELETE", "/api/v1/leads/"+p.lead, ""); got.Status != 204 || opens("primary") != 404 {
		t.Errorf("the page of a deleted lead: %d", opens("primary"))
	}
}

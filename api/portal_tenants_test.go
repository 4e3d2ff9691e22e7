package api

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// portalBodies are what the page sends to each of its addresses that take something: type and body.
var portalBodies = map[string][2]string{
	"answerPortal":      {"application/x-www-form-urlencoded", "value=1"},
	"uploadPortal":      {"multipart/form-data; boundary=part", "--part\r\nContent-Disposition: form-data; name=\"leadChecklistItemId\"\r\n\r\n{entryId}\r\n--part\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a.pdf\"\r\n\r\n%PDF\r\n--part--\r\n"},
	"beginPortalUpload": {"application/json", `{"filename":"a.pdf","size":4,"leadChecklistItemId":"{entryId}"}`},
}

// portalOwner is a lead with something behind each address of its page, all of it marked with a word.
type portalOwner struct {
	name, token string
	lead        dossier.LeadID
	ids         map[string][]string // by the path's parameter; every one is walked
}

// newOwner makes one in any workspace: a page that names it, an answer, a file, and a file on its way.
func (s *testServer) newOwner(t *testing.T, ws dossier.WorkspaceID, name string) portalOwner {
	t.Helper()
	lead, entries := s.Lead(t, ws, dossier.FieldFile, dossier.FieldText)
	s.Exec(t, `UPDATE leads SET first_name = $2 WHERE id = $1`, lead, "Marked-"+name)
	s.Exec(t, `UPDATE checklist_entries SET value = to_jsonb($2::text), status = 'COMPLETED', source = 'portal' WHERE id = $1`, entries[1], "Marked-"+name)
	g := portalGuest{s, string(lead), "/portal/" + s.renew(t, ws, lead, false)}
	g.send(t, string(entries[0]), "Marked-"+name+".pdf", "%PDF "+name)
	plan := g.plan(t, g.script(t, "POST", "/uploads", announced(t, string(entries[0]), "Marked-"+name+"-2.pdf", 4)), 201)
	sent := pgtest.Value[string](t, s.Server, `SELECT id::text FROM documents WHERE lead_id = $1 AND uploaded_at IS NOT NULL`, string(lead))
	return portalOwner{name, strings.TrimPrefix(g.path, "/portal/"), lead, map[string][]string{
		"entryId": {string(entries[0]), string(entries[1])}, "documentId": {sent, string(plan.ID)}}}
}

func (s *testServer) renew(t *testing.T, ws dossier.WorkspaceID, lead dossier.LeadID, rotate bool) string {
	t.Helper()
	link, err := s.DB.RenewPortalLink(t.Context(), ws, postgres.PortalOwner{Lead: lead}, rotate)
	if err != nil {
		t.Fatal(err)
	}
	return link.Token
}

// Every address of the page, as the table of routes has them, is called with tokens that may not: one's own with what
// is another lead's, of the same workspace or of another, and those that are dead with what was theirs. Nothing is
// read, and no row of any table changes.
func TestPortal_foreign_tokens(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.Objects = objectstest.New(t) })
	elsewhere := s.Server.Workspace(t)
	mine, neighbor, stranger := s.newOwner(t, s.Workspace, "mine"), s.newOwner(t, s.Workspace, "neighbor"), s.newOwner(t, elsewhere, "stranger")
	expired, revoked, rotated, deleted := s.newOwner(t, s.Workspace, "expired"), s.newOwner(t, s.Workspace, "revoked"), s.newOwner(t, s.Workspace, "rotated"), s.newOwner(t, s.Workspace, "deleted")
	s.Exec(t, `UPDATE portal_links SET expires_at = $2 WHERE lead_id = $1`, expired.lead, s.Clock.Now())
	if err := s.DB.RevokePortalLink(t.Context(), s.Workspace, postgres.PortalOwner{Lead: revoked.lead}); err != nil {
		t.Fatal(err)
	}
	s.renew(t, s.Workspace, rotated.lead, true)
	s.do(t, "DELETE", "/api/v1/leads/"+string(deleted.lead), "")
	closed := s.Server.Workspace(t)
	gone := s.newOwner(t, closed, "gone")
	s.Exec(t, `UPDATE workspaces SET deleted_at = $2 WHERE id = $1`, closed, s.Clock.Now())
	unknown := mine
	unknown.name, unknown.token = "unknown", strings.Repeat("A", 43)

	for name, token := range map[string]string{"page": "", "status": "/status"} { // what a good token shows is its own
		got := s.do(t, "GET", "/portal/"+mine.token+token, "", "x-api-key", "")
		if got.Status != 200 || !strings.Contains(s.do(t, "GET", "/portal/"+mine.token, "", "x-api-key", "").Body, "Marked-mine") {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
		if other := regexp.MustCompile(`Marked-(?:[^m].|m[^i])`).FindString(got.Body); other != "" {
			t.Errorf("%s: shows %s", name, other)
		}
	}

	before := pgtest.Value[string](t, s.Server, everythingAndKeys)
	walked := 0
	for _, row := range s.API.routes() {
		if !strings.HasPrefix(row.path, "/portal/{token}") {
			continue
		}
		walked++
		if row.method != http.MethodGet && row.method != http.MethodDelete && strings.HasSuffix(row.path, "s") && portalBodies[row.name()][0] == "" {
			t.Errorf("portalBodies has nothing for %s %s", row.method, row.path)
		}
		for _, dead := range []portalOwner{expired, revoked, rotated, deleted, gone, unknown} {
			s.walkForeign(t, row, dead.token, dead)
		}
		if strings.Contains(row.path+portalBodies[row.name()][1], "Id}") {
			s.walkForeign(t, row, mine.token, neighbor)
			s.walkForeign(t, row, mine.token, stranger)
			s.walkForeign(t, row, stranger.token, mine)
		}
	}
	if walked != 11 {
		t.Errorf("%d addresses were walked", walked)
	}
	if after := pgtest.Value[string](t, s.Server, everythingAndKeys); after != before {
		t.Errorf("something changed:\n%s\n%s", before, after)
	}
}

// walkForeign calls one address with a token and somebody's ids, each of them.
func (s *testServer) walkForeign(t *testing.T, row route, token string, of portalOwner) {
	t.Helper()
	send := portalBodies[row.name()]
	for i := range 2 {
		fill := strings.NewReplacer("{token}", url.PathEscape(token), "{entryId}", of.ids["entryId"][i], "{documentId}", of.ids["documentId"][i]).Replace
		s.Redis.FlushAll() // whoever guesses is refused before long
		got := s.do(t, row.method, fill(row.path), fill(send[1]), "x-api-key", "", "Content-Type", send[0], "Origin", "null", "Sec-Fetch-Site", "same-origin")
		want := http.StatusNotFound
		if row.name() == "requestPortalLink" {
			want = http.StatusOK // the same for everybody
		}
		if got.Status != want {
			t.Errorf("%s %s with %s's: %d %s, want %d", row.method, row.path, of.name, got.Status, got.Body, want)
		}
		if strings.Contains(got.Body, "Marked-") {
			t.Errorf("%s %s reads what is %s's: %s", row.method, row.path, of.name, got.Body)
		}
	}
}

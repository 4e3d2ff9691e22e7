package api

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// signIn is the cookie's value of a new session of a person, with a role given for it alone.
func (s *testServer) signIn(t *testing.T, ws dossier.WorkspaceID, email string, role dossier.Role) string {
	t.Helper()
	token, err := s.DB.CreateSignInLink(t.Context(), ws, email, role)
	if err != nil {
		t.Fatal(err)
	}
	got := s.do(t, "GET", "/console/sign-in/"+token, "", "x-api-key", "")
	if got.Status != http.StatusSeeOther || got.Header.Get("Location") != "/console" {
		t.Fatalf("sign-in: %d to %q\n%s", got.Status, got.Header.Get("Location"), got.Body)
	}
	return cookieOf(t, got)
}

// cookieOf is the value of the session cookie that an answer sets.
func cookieOf(t *testing.T, got answer) string {
	t.Helper()
	for _, c := range (&http.Response{Header: got.Header}).Cookies() {
		if c.Name == "dossier" || c.Name == "__Host-dossier" {
			return c.Value
		}
	}
	t.Fatalf("no cookie in %v", got.Header)
	return ""
}

// as calls as the person of a session, from a page of the service.
func (s *testServer) as(t *testing.T, cookie, method, path, body string, headers ...string) answer {
	t.Helper()
	return s.do(t, method, path, body, append([]string{"x-api-key", "", "Cookie", "dossier=" + cookie, "Origin", s.URL}, headers...)...)
}

func TestPeople(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	ada := s.signIn(t, s.Workspace, "ada@example.com", dossier.RoleAdmin)
	vic := s.signIn(t, s.Workspace, "vic@example.com", dossier.RoleViewer)
	converse(t, s, "people.txt", "session", ada, "viewer", vic, "tester", s.newTestKey(t))
}

// A session ends after half an hour without use, after twelve hours whatever its use, and the page then leads to the sign-in.
func TestSession_ends(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	cookie := s.signIn(t, s.Workspace, "ada@example.com", dossier.RoleViewer)
	for range 24 {
		s.Clock.Advance(29 * time.Minute)
		if got := s.as(t, cookie, "GET", "/api/v1/me", ""); got.Status != 200 {
			t.Fatalf("in use at %s: %d", s.Clock.Now(), got.Status)
		}
	}
	s.Clock.Advance(25 * time.Minute) // 12 h 1 min
	if got := s.as(t, cookie, "GET", "/api/v1/me", ""); got.Status != 401 {
		t.Errorf("after twelve hours: %d", got.Status)
	}
	idle := s.signIn(t, s.Workspace, "ada@example.com", dossier.RoleViewer)
	s.Clock.Advance(30 * time.Minute)
	if got := s.as(t, idle, "GET", "/api/v1/me", ""); got.Status != 401 {
		t.Errorf("after half an hour without use: %d", got.Status)
	}
	if got := s.as(t, idle, "GET", "/console", ""); got.Status != 303 || got.Header.Get("Location") != "/console/sign-in" {
		t.Errorf("the page: %d to %q", got.Status, got.Header.Get("Location"))
	}
}

// A link signs in once, within ten minutes, and a session that was in the browser before is over: nobody can plant one.
func TestSignInLink(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	link := func() string {
		token, err := s.DB.CreateSignInLink(t.Context(), s.Workspace, "ada@example.com", dossier.RoleAdmin)
		if err != nil {
			t.Fatal(err)
		}
		return "/console/sign-in/" + token
	}
	planted := s.signIn(t, s.Workspace, "mallory@example.com", dossier.RoleViewer)
	once := link()
	if got := s.do(t, "HEAD", once, "", "x-api-key", ""); got.Status != 204 {
		t.Errorf("a look: %d", got.Status)
	}
	got := s.do(t, "GET", once, "", "x-api-key", "", "Cookie", "dossier="+planted)
	fresh := cookieOf(t, got)
	if fresh == planted || got.Status != 303 {
		t.Fatalf("sign-in: %d, the cookie stayed: %v", got.Status, fresh == planted)
	}
	set := got.Header.Get("Set-Cookie")
	if !strings.Contains(set, "HttpOnly") || !strings.Contains(set, "SameSite=Lax") || !strings.Contains(strings.ToLower(set), "path=/") || strings.Contains(strings.ToLower(set), "domain") {
		t.Errorf("cookie: %s", set)
	}
	if got := s.as(t, planted, "GET", "/api/v1/me", ""); got.Status != 401 {
		t.Errorf("the planted session: %d", got.Status)
	}
	if got := s.as(t, fresh, "GET", "/console", ""); got.Status != 200 || !strings.Contains(got.Body, "ada@example.com") || !strings.Contains(got.Header.Get("Content-Security-Policy"), "frame-ancestors 'none'") {
		t.Errorf("console: %d %s", got.Status, got.Body)
	}
	if got := s.do(t, "GET", once, "", "x-api-key", ""); got.Status != 410 {
		t.Errorf("a second use: %d", got.Status)
	}
	old := link()
	s.Clock.Advance(10 * time.Minute)
	if got := s.do(t, "GET", old, "", "x-api-key", ""); got.Status != 410 {
		t.Errorf("after ten minutes: %d", got.Status)
	}
	if n := pgtest.Value[int](t, s.Server, `SELECT count(*) FROM sessions WHERE secret_hash = convert_to($1, 'UTF8')`, fresh); n != 0 {
		t.Error("the secret is kept as it is")
	}
}

// Under https the cookie has the prefix that binds it to the host, and the plain name opens nothing.
func TestSession_cookie_under_https(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.PublicURL = "https://dossier.example.com" })
	cookie := s.signIn(t, s.Workspace, "ada@example.com", dossier.RoleAdmin)
	headers := []string{"x-api-key", "", "Origin", "https://dossier.example.com"}
	if got := s.do(t, "GET", "/api/v1/me", "", append(headers, "Cookie", "dossier="+cookie)...); got.Status != 401 {
		t.Errorf("by the plain name: %d", got.Status)
	}
	if got := s.do(t, "GET", "/api/v1/me", "", append(headers, "Cookie", "__Host-dossier="+cookie)...); got.Status != 200 {
		t.Errorf("by the name with the prefix: %d", got.Status)
	}
	clear := newTestServer(t, func(c *Config) { c.PublicURL = "http://dossier.example.com" })
	token, err := clear.DB.CreateSignInLink(t.Context(), clear.Workspace, "ada@example.com", dossier.RoleAdmin)
	if err != nil {
		t.Fatal(err)
	}
	if got := clear.do(t, "GET", "/console/sign-in/"+token, "", "x-api-key", ""); got.Status != 403 || got.Header.Get("Set-Cookie") != "" {
		t.Errorf("in the clear: %d, cookie %q", got.Status, got.Header.Get("Set-Cookie"))
	}
}

// A sign-out ends the session in the store, not only in the browser; another site cannot sign anybody out.
func TestSignOut(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	cookie := s.signIn(t, s.Workspace, "ada@example.com", dossier.RoleViewer)
	if got := s.as(t, cookie, "POST", "/console/sign-out", "", "Origin", "https://evil.example"); got.Status != 403 {
		t.Errorf("from another site: %d", got.Status)
	}
	if got := s.as(t, cookie, "GET", "/api/v1/me", ""); got.Status != 200 {
		t.Errorf("after that: %d", got.Status)
	}
	if got := s.as(t, cookie, "POST", "/console/sign-out", ""); got.Status != 200 {
		t.Errorf("sign-out: %d %s", got.Status, got.Body)
	}
	if got := s.as(t, cookie, "GET", "/api/v1/me", ""); got.Status != 401 {
		t.Errorf("after the sign-out: %d", got.Status)
	}
}

// Roles come of the file and of commands, the highest counts, and a file takes away only its own.
func TestPeople_roles(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	roles := func(where string, want dossier.Role) {
		t.Helper()
		_, err := s.DB.CreateSignInLink(t.Context(), s.Workspace, "ada@example.com", "")
		if got := dossier.KindOf(err) != dossier.NotFound; err != nil && dossier.KindOf(err) != dossier.NotFound || got != (want != "") {
			t.Fatalf("%s: %v, want a role: %v", where, err, want != "")
		}
		if want == "" {
			return
		}
		cookie := s.signIn(t, s.Workspace, "ada@example.com", "")
		if got := s.as(t, cookie, "GET", "/api/v1/me", ""); valueAt(t, got.Body, "role") != string(want) {
			t.Errorf("%s: %s, want %s", where, valueAt(t, got.Body, "role"), want)
		}
	}
	file := pgtest.Value[string](t, s.Server, `SELECT key FROM workspaces WHERE id = $1`, s.Workspace)
	apply := func(emails map[string]dossier.Role) {
		t.Helper()
		c, err := s.DB.ExportWorkspace(t.Context(), file)
		if err != nil {
			t.Fatal(err)
		}
		c.People.Emails = emails
		if _, _, err := s.DB.ApplyWorkspace(t.Context(), c, false, false); err != nil {
			t.Fatal(err)
		}
	}
	roles("nobody", "")
	apply(map[string]dossier.Role{"ada@example.com": dossier.RoleReviewer})
	roles("by the file", dossier.RoleReviewer)
	if err := s.DB.AddPerson(t.Context(), s.Workspace, "ada@example.com", dossier.RoleViewer); err != nil {
		t.Fatal(err)
	}
	roles("by both", dossier.RoleReviewer)
	apply(nil)
	roles("by a command", dossier.RoleViewer)
	if err := s.DB.DisablePerson(t.Context(), s.Workspace, "ada@example.com"); err != nil {
		t.Fatal(err)
	}
	roles("disabled", "")
	if err := s.DB.AddPerson(t.Context(), s.Workspace, "ada@example.com", dossier.RoleAdmin); err != nil {
		t.Fatal(err)
	}
	roles("let in again", dossier.RoleAdmin)
}

// Who is disabled is out with the next request, in one workspace or everywhere; a person of several workspaces chooses.
func TestPeople_disabled_and_several_workspaces(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	other := s.Server.Workspace(t)
	for _, ws := range []dossier.WorkspaceID{s.Workspace, other} {
		if err := s.DB.AddPerson(t.Context(), ws, "ada@example.com", dossier.RoleReviewer); err != nil {
			t.Fatal(err)
		}
	}
	cookie := s.signIn(t, s.Workspace, "ada@example.com", "")
	in := func(wanted string) (int, string) {
		t.Helper()
		got := s.as(t, cookie, "GET", "/api/v1/me", "", "X-Dossier-Workspace", wanted)
		if got.Status != 200 {
			return got.Status, ""
		}
		return got.Status, valueAt(t, got.Body, "workspace", "id")
	}
	if status, ws := in(""); status != 200 || ws != string(s.Workspace) {
		t.Errorf("at first: %d %s", status, ws)
	}
	if status, ws := in(string(other)); status != 200 || ws != string(other) {
		t.Errorf("by its id: %d %s", status, ws)
	}
	if status, ws := in(""); status != 200 || ws != string(other) {
		t.Errorf("afterwards: %d %s", status, ws)
	}
	if err := s.DB.DisablePerson(t.Context(), other, "ada@example.com"); err != nil {
		t.Fatal(err)
	}
	if status, _ := in(string(other)); status != 404 {
		t.Errorf("disabled in one: %d", status)
	}
	if status, ws := in(""); status != 200 || ws != string(s.Workspace) {
		t.Errorf("the other: %d %s", status, ws)
	}
	if err := s.DB.DisablePerson(t.Context(), "", "ada@example.com"); err != nil {
		t.Fatal(err)
	}
	if status, _ := in(""); status != 401 {
		t.Errorf("disabled everywhere: %d", status)
	}
	if err := s.DB.DisablePerson(t.Context(), "", "nobody@example.com"); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("somebody unknown: %v", err)
	}
}

// An Idempotency-Key of a session belongs to its person: another session of the same person gets the first answer, nobody else.
func TestIdempotency_of_sessions(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	ada, again := s.signIn(t, s.Workspace, "ada@example.com", dossier.RoleReviewer), s.signIn(t, s.Workspace, "ada@example.com", dossier.RoleReviewer)
	bob := s.signIn(t, s.Workspace, "bob@example.com", dossier.RoleReviewer)
	create := func(cookie string) answer {
		t.Helper()
		return s.as(t, cookie, "POST", "/api/v1/leads", `{"firstName": "Eve"}`, "Idempotency-Key", "one")
	}
	first := create(ada)
	if got := create(again); got.Body != first.Body || got.Header.Get("Idempotent-Replayed") != "true" {
		t.Errorf("the same person: %d %s", got.Status, got.Header.Get("Idempotent-Replayed"))
	}
	if got := create(bob); got.Status != 201 || got.Header.Get("Idempotent-Replayed") != "" {
		t.Errorf("another person: %d %s", got.Status, got.Header.Get("Idempotent-Replayed"))
	}
}

// An override asks for an approver, which a key with the scope write is too.
func TestPeople_override_needs_an_approver(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, withObjects(t))
	ids := oneOfEach(t, s, s.Workspace)
	path := "/api/v1/documents/" + ids["documentId"] + "/associations/" + ids["associationId"]
	reviewer, approver := s.signIn(t, s.Workspace, "rea@example.com", dossier.RoleReviewer), s.signIn(t, s.Workspace, "app@example.com", dossier.RoleApprover)
	if got := s.as(t, reviewer, "PATCH", path, `{"overallValid": true}`); got.Status != 403 || !strings.Contains(got.Body, "needs the role approver") {
		t.Errorf("reviewer: %d %s", got.Status, got.Body)
	}
	if got := s.as(t, approver, "PATCH", path, `{"overallValid": true}`); got.Status != 200 {
		t.Errorf("approver: %d %s", got.Status, got.Body)
	}
}

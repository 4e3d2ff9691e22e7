package api

import (
	"context"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/dossierhq/dossier"
)

// console is a server with a person's browser at its console.
type consoleDesk struct {
	*testServer
	b browser
}

// A real browser walks the console as its people do. DOSSIER_SCREENSHOTS names a folder that keeps pictures.
func TestConsole_browser(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a browser")
	}
	t.Parallel()
	desk := newDesk(t)
	for _, journey := range []struct {
		name string
		walk func(t *testing.T, d consoleDesk)
	}{
		{"a correction by a drawn box", walkCorrection}, {"a spread by two people", walkSpread}, {"twenty reasons of all codes", walkReasons}, {"a package", walkParts}, {"a package, by the mouse", walkPartsByMouse},
		{"the sign-in", walkSignIn}, {"two people at one review", walkTwo},
		{"two people at one document", walkLive}, {"offline, and a session that ends", walkOffDuty}, {"leads and a lead", walkLeads},
	} {
		t.Run(journey.name, func(t *testing.T) { journey.walk(t, desk) })
	}
}

// newDesk is a server that may be tried out, with a browser.
func newDesk(t *testing.T) consoleDesk {
	t.Helper()
	var tried atomic.Value
	s := newTestServer(t, withObjects(t), func(c *Config) {
		c.OpsURL = "http://ops.example"
		c.TryOut = func(context.Context) (dossier.WorkspaceID, error) { return tried.Load().(dossier.WorkspaceID), nil }
	})
	tried.Store(s.Workspace)
	s.apply(t, portalTemplate())
	return consoleDesk{s, startBrowser(t)}
}

// A person comes in by keys, or by the mouse on a phone; an ended session leads to the sign-in, and the way is found again.
func walkSignIn(t *testing.T, d consoleDesk) {
	for _, screen := range []device{desktop, {width: 390, height: 844, phone: true}} {
		x := d.b.open(t, screen, d.URL+"/console/leads")
		x.expect(`a cookie is set by|status of 4\d\d`)
		x.see("h1", "Sign in")
		if screen.phone {
			x.click("form:nth-of-type(2) button.person")
		} else {
			for i := 0; i < 8 && !x.holds("document.activeElement.matches('button.person')"); i++ {
				x.press(kb.Tab)
			}
			x.press(kb.Enter)
		}
		x.wait("location.pathname === '/console' && document.querySelector('.me')")
		x.see(".me .sheet p", map[bool]string{false: "ada@lender.example", true: "ben@lender.example"}[screen.phone])
		d.Exec(t, `DELETE FROM sessions WHERE person_id IN (SELECT id FROM people WHERE email IN ('ada@lender.example', 'ben@lender.example'))`)
		x.click(".bar nav li:nth-child(2) a")
		x.see("h1", "Sign in")
	}
}

// at opens a page as a person with a role.
func (d consoleDesk) at(t *testing.T, screen device, email string, role dossier.Role, path string) *tab {
	t.Helper()
	token, err := d.DB.CreateSignInLink(t.Context(), d.Workspace, email, role)
	if err != nil {
		t.Fatal(err)
	}
	x := d.b.open(t, screen, d.URL+"/console/sign-in/"+token)
	x.expect(`a cookie is set by|status of 4\d\d`)
	x.run(chromedp.Navigate(d.URL + path))
	x.wait("document.readyState === 'complete' && document.querySelector('#main')")
	return x
}

// press types keys into whatever has the focus, as a keyboard does: of a key that the page takes for itself nothing is typed.
func (x *tab) press(keys ...string) {
	x.t.Helper()
	for _, key := range keys {
		name, code := key, int64(0)
		switch {
		case key == kb.Enter:
			name, code = "Enter", 13
		case len(key) != 1 || key < " ":
			x.run(chromedp.KeyEvent(key))
			continue
		case strings.Contains("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", strings.ToUpper(key)):
			code = int64(strings.ToUpper(key)[0])
		}
		stroke := object{"key": name, "text": key, "windowsVirtualKeyCode": code}
		for _, kind := range []string{"keyDown", "keyUp"} {
			stroke["type"] = kind
			x.run(call("Input.dispatchKeyEvent", stroke))
		}
	}
}

// honest checks what the journey asked the network for: no stranger, no original of an upload, no secret in an address.
func (d consoleDesk) honest(t *testing.T, x *tab) {
	t.Helper()
	for _, r := range x.asked(portalGuest{d.testServer, "", ""}) {
		at, err := url.Parse(r.URL)
		if err != nil {
			t.Fatal(err)
		}
		if at.Scheme == "data" || strings.HasPrefix(at.Path, "/console/sign-in/") {
			continue
		}
		if origin := at.Scheme + "://" + at.Host; origin != d.URL {
			t.Errorf("the console asks %s", r.URL)
		}
		if strings.Contains(r.URL, "X-Amz") || at.Query().Get("token") != "" {
			t.Errorf("a secret stands in an address: %s", r.URL)
		}
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, r := range x.answered {
		at, err := url.Parse(r.URL)
		if err != nil {
			t.Fatal(err)
		}
		picture := r.MimeType == "image/png" && pageOfDocument.MatchString(at.Path)
		if at.Scheme != "data" && !picture && !slices.Contains(ownKinds, r.MimeType) {
			t.Errorf("the console gets %s from %s, which may be what somebody uploaded", r.MimeType, r.URL)
		}
	}
}

// ownKinds are the contents that the service makes itself; of documents there are only pictures of their pages.
var ownKinds = []string{"text/html", "text/css", "text/javascript", "application/json", "application/problem+json",
	"text/event-stream", ""}

var pageOfDocument = regexp.MustCompile(`^/api/v1/documents/[^/]+/pages/\d+$`)

// A lead is made, found, answered for, noted on and held, with the keyboard where there are keys.
func walkLeads(t *testing.T, d consoleDesk) {
	d.do(t, "POST", "/api/v1/leads", `{"firstName":"Tak","externalLeadId":"crm-taken"}`)
	x := d.at(t, desktop, "ada@lender.example", dossier.RoleAdmin, "/console/leads")
	x.click("#new-lead summary")
	x.write(`input[name=firstName]`, "Ann")
	x.write(`input[name=businessName]`, "Ann's Anvils")
	x.write(`input[name=phoneNumber]`, "(212) 555-0143")
	x.write(`input[name=externalLeadId]`, "crm-taken")
	x.press(kb.Enter)
	x.see(".trouble", "Your reference")
	x.write(`input[name=externalLeadId]`, "crm-free")
	x.press(kb.Enter)
	x.see("h1", "Ann")
	lead := js[string](x, "location.pathname.split('/').pop()")

	x.run(chromedp.Navigate(d.URL + "/console/leads"))
	x.wait("document.readyState === 'complete'")
	x.press("/")
	x.wait("document.activeElement.name === 'q'")
	x.write("input[name=q]", "anvils")
	x.press(kb.Enter)
	x.wait("location.search.includes('q=anvils') && document.readyState === 'complete'")
	x.see(".leads th", "Ann")
	x.run(chromedp.Navigate(d.URL + "/console/leads?q=nobody+at+all"))
	x.see(".empty", "No lead matches")
	x.everywhere("no lead that matches")

	at := d.URL + "/console/leads/" + lead
	x.run(chromedp.Navigate(at + "?view=timeline"))
	x.write("input[name=title]", "Called about rates")
	x.press(kb.Enter)
	x.see(".line", "Called about rates")
	x.see(".line", "ada@lender.example")
	x.run(chromedp.Navigate(at + "?view=messages"))
	x.click("#write summary")
	x.write("#write textarea", "Could you send the March statement?")
	x.click("#write button")
	x.see(".talk .out", "Could you send the March statement?")
	x.everywhere("a draft by a person")
	x.run(chromedp.Navigate(at + "?view=control"))
	x.write("form[data-path$='/holds'] input", "A court asked")
	x.press(kb.Enter)
	x.see("#main", "In force")
	x.write("form[data-path$='/erase'] input", "Asked for by letter")
	x.press(kb.Enter)
	x.see("dialog", "Erases")
	x.click("dialog button[value='']")
	if got := d.do(t, "GET", "/api/v1/leads/"+lead, ""); got.Status != http.StatusOK {
		t.Errorf("a lead that nobody agreed to erase: %d", got.Status)
	}
	d.honest(t, x)
}

// What a role may not see is said, and nothing of it is shown; who is not signed in is led to the sign-in.
func TestConsole_doors(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.OpsURL = "http://ops.example" })
	vic := s.signIn(t, s.Workspace, "vic@example.com", dossier.RoleViewer)
	lead := valueAt(t, s.do(t, "POST", "/api/v1/leads", `{"firstName":"Ann"}`).Body, "lead", "id")
	other := s.Server.Workspace(t)
	mallory := s.signIn(t, other, "mallory@example.com", dossier.RoleAdmin)
	for _, path := range []string{"/console", "/console/quality", "/console/webhooks", "/console/settings", "/console/leads", "/console/leads/" + lead} {
		got := s.as(t, vic, "GET", path, "")
		if got.Status != 200 || strings.Contains(got.Body, "no value") || !strings.Contains(got.Header.Get("Content-Security-Policy"), "script-src 'self'") ||
			got.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d %v", path, got.Status, got.Header)
		}
		if strings.Contains(got.Body, "New lead</summary>") || strings.Contains(got.Body, "/portal/") {
			t.Errorf("%s offers a viewer what a viewer may not", path)
		}
		if got := s.do(t, "GET", path, "", "x-api-key", ""); got.Status != 303 || got.Header.Get("Location") != "/console/sign-in" {
			t.Errorf("%s without a session: %d", path, got.Status)
		}
	}
	ada := s.signIn(t, s.Workspace, "ada@example.com", dossier.RoleAdmin)
	if err := s.DB.AddPerson(t.Context(), s.Workspace, "cleo@example.com", dossier.RoleReviewer); err != nil {
		t.Fatal(err)
	}
	for cookie, admin := range map[string]bool{ada: true, vic: false} {
		page := s.as(t, cookie, "GET", "/console/settings", "").Body
		for _, shown := range []string{"cleo@example.com", "as applied</h2>", "http://ops.example/queues"} {
			if strings.Contains(page, shown) != admin {
				t.Errorf("admin %t: the settings show %s: %t", admin, shown, !admin)
			}
		}
	}
	if got := s.as(t, mallory, "GET", "/console/leads/"+lead, ""); got.Status != 404 || strings.Contains(got.Body, "Ann") {
		t.Errorf("another workspace's lead: %d", got.Status)
	}
	if got := s.do(t, "POST", "/console/sign-in", "email=ada%40lender.example", "x-api-key", "", "Origin", s.URL, "Content-Type", "application/x-www-form-urlencoded"); got.Status != 404 {
		t.Errorf("the sign-in of development, elsewhere: %d", got.Status)
	}
}

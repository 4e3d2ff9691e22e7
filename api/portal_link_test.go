package api

import (
	"encoding/base64"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// expiredGuest is a guest with an address on a channel that is configured, whose link has expired.
func expiredGuest(t *testing.T, contact string) portalGuest {
	t.Helper()
	g := newPortal(t)
	g.do(t, "PUT", "/api/v1/leads", `{"leadId":"`+g.lead+`",`+contact+`}`)
	g.Exec(t, `UPDATE workspaces SET channels = '{"email": {"provider": "log"}, "sms": {"provider": "log"}}' WHERE id = $1`, g.Workspace)
	g.Clock.Advance(31 * 24 * time.Hour)
	return g
}

func (g portalGuest) askLink(t *testing.T, path string, headers ...string) answer {
	t.Helper()
	return g.do(t, "POST", path+"/link", "", append([]string{"x-api-key", "", "Origin", "null", "Sec-Fetch-Site", "same-origin"}, headers...)...)
}

func (g portalGuest) messages(t *testing.T) int {
	t.Helper()
	return pgtest.Value[int](t, g.Server, `SELECT count(*) FROM messages WHERE lead_id = $1`, g.lead)
}

// A link that has expired offers a new one, which goes the way of every message to the address on file.
func TestPortalLink_asked_for(t *testing.T) {
	t.Parallel()
	g := expiredGuest(t, `"email":"ann@example.com","phoneNumber":"+12125550123"`)
	mustHold(t, g.page(t).Body, `action="`+g.path+`/link"`, "Send me a new link")
	if got := g.askLink(t, g.path); got.Status != 200 || !strings.Contains(got.Body, "on its way") {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	type sent struct{ Channel, To, Status, Body, Purpose string }
	message := pgtest.Value[sent](t, g.Server, `SELECT ROW(channel, to_address, status, body, purpose) FROM messages WHERE lead_id = $1`, g.lead)
	if message.Channel != "email" || message.To != "ann@example.com" || message.Status != "QUEUED" || message.Purpose != "reply" {
		t.Errorf("%+v", message)
	}
	if !strings.Contains(message.Body, dossier.PortalLinkMark) || strings.Contains(message.Body, "/portal/") {
		t.Errorf("stored as %q, want the mark of the link that is put in when it is sent", message.Body)
	}
	link := strings.TrimPrefix(valueAt(t, g.do(t, "POST", "/api/v1/leads/"+g.lead+"/portal-link", "").Body, "url"), g.URL)
	if got := g.do(t, "GET", link, "", "x-api-key", ""); got.Status != 200 || link == g.path {
		t.Errorf("the link that was sent: %d", got.Status)
	}
	if n := pgtest.Value[int](t, g.Server, `SELECT count(*) FROM jobs WHERE kind = 'message.send'`); n != 1 {
		t.Errorf("%d jobs send it", n)
	}
	mustHold(t, g.do(t, "GET", "/api/v1/leads/"+g.lead+"/activity", "").Body, "New portal link on request (email)", `"source":"portal","eventType":"portal_link_requested"`)

	// Asking again at once sends nothing; after a while the working link is sent again, four times a day at most.
	g.askLink(t, g.path)
	if n := g.messages(t); n != 1 {
		t.Errorf("%d messages after asking twice", n)
	}
	for range 6 {
		g.Clock.Advance(16 * time.Minute)
		g.askLink(t, g.path)
	}
	if n := g.messages(t); n != 4 {
		t.Errorf("%d messages after asking all afternoon", n)
	}
	if n := pgtest.Value[int](t, g.Server, `SELECT count(*) FROM messages WHERE lead_id = $1 AND body LIKE '%' || $2 || '%'`, g.lead, dossier.PortalLinkMark); n != 4 {
		t.Errorf("%d messages hold the link that works", n)
	}
	renewed := pgtest.Value[time.Time](t, g.Server, `SELECT expires_at FROM portal_links WHERE lead_id = $1 AND revoked_at IS NULL`, g.lead)
	last := pgtest.Value[time.Time](t, g.Server, `SELECT max(created_at) FROM messages WHERE lead_id = $1`, g.lead)
	if !renewed.Equal(last.AddDate(0, 0, 30)) {
		t.Errorf("it expires at %s, the last message went at %s", renewed, last)
	}
}

func TestPortalLink_by_text_message_in_spanish(t *testing.T) {
	t.Parallel()
	g := expiredGuest(t, `"phoneNumber":"+12125550123"`)
	mustHold(t, g.askLink(t, g.path, "Accept-Language", "es").Body, "va en camino")
	if body := pgtest.Value[string](t, g.Server, `SELECT channel || ' ' || body FROM messages WHERE lead_id = $1`, g.lead); !strings.HasPrefix(body, "sms Acme: aquí está su enlace nuevo") {
		t.Errorf("%q", body)
	}
}

// The customer's own page stands in for ours.
func TestPortalLink_external(t *testing.T) {
	t.Parallel()
	g := expiredGuest(t, `"email":"ann@example.com","externalPortalLink":"https://customer.example/ann"`)
	g.askLink(t, g.path)
	if body := pgtest.Value[string](t, g.Server, `SELECT body FROM messages WHERE lead_id = $1`, g.lead); !strings.Contains(body, "https://customer.example/ann") || strings.Contains(body, "/portal/") {
		t.Errorf("%q", body)
	}
	mustHold(t, g.do(t, "GET", "/api/v1/leads/"+g.lead, "").Body, `"portalUrl":"https://customer.example/ann"`)
}

// A stranger learns nothing: not whether a token ever was good, nor whether a message went out.
func TestPortalLink_same_answer(t *testing.T) {
	t.Parallel()
	g := expiredGuest(t, `"email":"ann@example.com"`)
	nonce := regexp.MustCompile(`nonce="[^"]*"`)
	unknown := g.askLink(t, "/portal/"+strings.Repeat("A", 43))
	for name, prepare := range map[string]func() string{
		"malformed":    func() string { return "/portal/x" },
		"sent":         func() string { return g.path },
		"asked again":  func() string { return g.path },
		"no address":   func() string { return g.newGuest(t).path },
		"deleted lead": func() string { o := g.newGuest(t); g.do(t, "DELETE", "/api/v1/leads/"+o.lead, ""); return o.path },
		"opted out":    func() string { return g.guestWith(t, `"status":"OPTED_OUT"`).path },
		"completed":    func() string { return g.guestWith(t, `"status":"COMPLETED"`).path },
		"revoked": func() string {
			o := g.guestWith(t, ``)
			g.do(t, "DELETE", "/api/v1/leads/"+o.lead+"/portal-link", "")
			return o.path
		},
	} {
		got := g.askLink(t, prepare())
		if got.Status != unknown.Status || nonce.ReplaceAllString(got.Body, "") != nonce.ReplaceAllString(unknown.Body, "") {
			t.Errorf("%s: %d, another answer than for an unknown token", name, got.Status)
		}
	}
	if n := pgtest.Value[int](t, g.Server, `SELECT count(*) FROM messages`); n != 1 {
		t.Errorf("%d messages, want the one to the lead that may be written to", n)
	}
	if got := g.askLink(t, g.path, "Origin", "https://evil.example", "Sec-Fetch-Site", "cross-site"); got.Status != 403 {
		t.Errorf("from another site: %d", got.Status)
	}
}

func (g portalGuest) guestWith(t *testing.T, change string) portalGuest {
	t.Helper()
	o := g.newGuest(t)
	if change != "" {
		change = "," + change
	}
	if got := g.do(t, "PUT", "/api/v1/leads", `{"leadId":"`+o.lead+`","email":"bob@example.com"`+change+`}`); got.Status != 200 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	return o
}

// A link is stored as a hash that finds it and sealed for sending it again: no table holds its token until a message does.
func TestPortalLink_at_rest(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	token := strings.TrimPrefix(g.path, "/portal/")
	if secret, err := base64.RawURLEncoding.DecodeString(token); err != nil || len(secret) != 32 {
		t.Errorf("%d bytes, %v", len(secret), err)
	}
	if !pgtest.Value[bool](t, g.Server, `SELECT token_hash = sha256($2::bytea) AND position($2::bytea IN token) = 0 FROM portal_links WHERE lead_id = $1`, g.lead, []byte(token)) {
		t.Error("the token is stored as it is")
	}
	if everywhere := pgtest.Value[string](t, g.Server, everythingAndKeys); strings.Contains(everywhere, token) {
		t.Error("a table holds the token")
	}
}

func TestPortalLink_revoked(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	for range 2 {
		if got := g.do(t, "DELETE", "/api/v1/leads/"+g.lead+"/portal-link", ""); got.Status != 204 {
			t.Fatalf("%d %s", got.Status, got.Body)
		}
	}
	if got := g.page(t); got.Status != 404 {
		t.Errorf("a revoked link: %d", got.Status)
	}
}

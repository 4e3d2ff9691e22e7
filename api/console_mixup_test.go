package api

import (
	"net/url"
	"strings"
	"testing"
)

// What another provider says, or what this one said of another sign-in, signs nobody in; a provider that names itself
// beside its codes must do so each time.
func TestOIDC_mix_up(t *testing.T) {
	t.Parallel()
	s, p := newSignIns(t)
	other := newFakeProvider(t, s.Clock.Now)
	first := ""
	p.set(func() { p.instead = func(nonce string) string { first = p.token(nonce); return first } })
	s.signedIn(t, p)
	for name, say := range map[string]func(nonce string) string{
		"another provider's token":         func(nonce string) string { return other.token(nonce) },
		"this one's name, another's key":   func(nonce string) string { other.claims["iss"] = p.URL; return other.token(nonce) },
		"this one's token, said before":    func(string) string { return first },
		"a token that is signed by nobody": func(nonce string) string { return p.token(nonce)[:strings.LastIndex(p.token(nonce), ".")+1] },
	} {
		p.set(func() { p.instead = say })
		b := s.browser(p)
		if got := b.get(t, b.begin(t)); got.Status != 403 || b.cookies["dossier"] != "" {
			t.Errorf("%s: %d, session %q", name, got.Status, b.cookies["dossier"])
		}
	}
	s, p = newSignIns(t)
	p.set(func() { p.names = true })
	b := s.browser(p)
	if got := b.get(t, b.begin(t)); got.Status != 403 || b.cookies["dossier"] != "" {
		t.Errorf("without its name: %d", got.Status)
	}
	if got := b.get(t, b.begin(t)+"&iss="+url.QueryEscape(other.URL)); got.Status != 403 {
		t.Errorf("with another's name: %d", got.Status)
	}
	if got := b.get(t, b.begin(t)+"&iss="+url.QueryEscape(p.URL)); got.Status != 303 {
		t.Errorf("with its name: %d %s", got.Status, got.Body)
	}
}

// Who is disabled here is out at once, whatever the provider says, and does not come in again.
func TestOIDC_disabled_here(t *testing.T) {
	t.Parallel()
	s, p := newSignIns(t)
	b := s.signedIn(t, p)
	if err := s.DB.DisablePerson(t.Context(), "", "ada@example.com"); err != nil {
		t.Fatal(err)
	}
	if got := s.as(t, b.cookies["dossier"], "GET", "/api/v1/me", ""); got.Status != 401 {
		t.Errorf("in the middle of a session: %d", got.Status)
	}
	again := s.browser(p)
	if got := again.get(t, again.begin(t)); got.Status != 403 || again.cookies["dossier"] != "" {
		t.Errorf("at the next sign-in: %d, session %q", got.Status, again.cookies["dossier"])
	}
}

package api

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/signin"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// fakeProvider is an OpenID provider at the wire. What it says is what its fields say at that moment.
type fakeProvider struct {
	*httptest.Server
	mu      sync.Mutex
	now     func() time.Time
	key     *rsa.PrivateKey
	kid     string
	codes   map[string]url.Values     // what the browser was led here with, by the code that it got
	claims  map[string]any            // over those that are right
	instead func(nonce string) string // of the ID token that is right
	names   bool                      // it says who it is beside each code (RFC 9207)
	away    bool
	gone    bool // renewals are refused
	fetched int  // of the keys
}

func newFakeProvider(t *testing.T, now func() time.Time) *fakeProvider {
	t.Helper()
	p := &fakeProvider{now: now, codes: map[string]url.Values{}, claims: map[string]any{}}
	p.rotate(t)
	mux := http.NewServeMux()
	answer := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(v)
	}
	mux.HandleFunc("GET /.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
			"id_token_signing_alg_values_supported": []string{"RS256"}, "authorization_response_iss_parameter_supported": p.names, "scopes_supported": []string{"openid", "offline_access", "groups"}})
	})
	mux.HandleFunc("GET /keys", func(w http.ResponseWriter, _ *http.Request) {
		p.fetched++
		answer(w, map[string]any{"keys": []any{map[string]any{"kty": "RSA", "alg": "RS256", "use": "sig", "kid": p.kid,
			"n": base64.RawURLEncoding.EncodeToString(p.key.N.Bytes()), "e": base64.RawURLEncoding.EncodeToString(big.NewInt(int64(p.key.E)).Bytes())}}})
	})
	mux.HandleFunc("POST /token", func(w http.ResponseWriter, r *http.Request) {
		nonce, ok := p.grant(r)
		if !ok {
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadRequest)
			_, _ = w.Write([]byte(`{"error":"invalid_grant"}`))
			return
		}
		say := p.token
		if p.instead != nil {
			say = p.instead
		}
		answer(w, map[string]any{"access_token": "at", "token_type": "Bearer", "expires_in": 300, "refresh_token": "rt", "id_token": say(nonce)})
	})
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.away {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(p.Close)
	return p
}

// grant checks what a client sends for a token (RFC 6749 4.1.3, RFC 7636 4.6) and gives the nonce it began with.
func (p *fakeProvider) grant(r *http.Request) (string, bool) {
	_ = r.ParseForm()
	if r.PostForm.Get("grant_type") == "refresh_token" {
		return "", !p.gone && r.PostForm.Get("refresh_token") == "rt"
	}
	begun, ok := p.codes[r.PostForm.Get("code")]
	delete(p.codes, r.PostForm.Get("code"))
	sum := sha256.Sum256([]byte(r.PostForm.Get("code_verifier")))
	return begun.Get("nonce"), ok && begun.Get("code_challenge_method") == "S256" && begun.Get("redirect_uri") == r.PostForm.Get("redirect_uri") &&
		begun.Get("code_challenge") == base64.RawURLEncoding.EncodeToString(sum[:])
}

// token is a signed ID token.
func (p *fakeProvider) token(nonce string) string {
	now := p.now()
	said := map[string]any{"iss": p.URL, "aud": "dossier", "sub": "1", "iat": now.Unix(), "exp": now.Add(5 * time.Minute).Unix(), "nonce": nonce,
		"email": "Ada@Example.com", "email_verified": true, "name": "Ada", "groups": []string{"analysts"}}
	for name, value := range p.claims {
		said[name] = value
		if value == nil {
			delete(said, name)
		}
	}
	part := func(v any) string {
		data, _ := json.Marshal(v)
		return base64.RawURLEncoding.EncodeToString(data)
	}
	text := part(map[string]string{"alg": "RS256", "typ": "JWT", "kid": p.kid}) + "." + part(said)
	sum := sha256.Sum256([]byte(text))
	signature, _ := rsa.SignPKCS1v15(rand.Reader, p.key, crypto.SHA256, sum[:])
	return text + "." + base64.RawURLEncoding.EncodeToString(signature)
}

// rotate gives the provider another key.
func (p *fakeProvider) rotate(t *testing.T) {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	p.set(func() { p.key, p.kid = key, base64.RawURLEncoding.EncodeToString(key.N.Bytes()[:6]) })
}

func (p *fakeProvider) set(change func()) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change()
}

// visitor signs in like a browser: it keeps its cookies.
type visitor struct {
	s       *testServer
	p       *fakeProvider
	cookies map[string]string
}

func (b *visitor) get(t *testing.T, path string) answer {
	t.Helper()
	var pairs []string
	for name, value := range b.cookies {
		pairs = append(pairs, name+"="+value)
	}
	got := b.s.do(t, "GET", path, "", "x-api-key", "", "Cookie", strings.Join(pairs, "; "))
	for _, c := range (&http.Response{Header: got.Header}).Cookies() {
		b.cookies[c.Name] = c.Value
	}
	return got
}

// begin goes to the sign-in, and on at the provider to where it leads back to.
func (b *visitor) begin(t *testing.T) string {
	t.Helper()
	got := b.get(t, "/console/sign-in")
	to, err := url.Parse(got.Header.Get("Location"))
	if err != nil || got.Status != http.StatusSeeOther || !strings.HasPrefix(to.String(), b.p.URL+"/authorize") {
		t.Fatalf("sign-in: %d to %q %v\n%s", got.Status, to, err, got.Body)
	}
	q := to.Query()
	code := "code-" + q.Get("state")[:8]
	b.p.set(func() { b.p.codes[code] = q })
	return "/console/callback?" + url.Values{"code": {code}, "state": {q.Get("state")}}.Encode()
}

// newSignIns is a server with a provider, whose workspace gives analysts the role reviewer.
func newSignIns(t *testing.T) (*testServer, *fakeProvider) {
	t.Helper()
	var p *fakeProvider
	s := newTestServer(t, func(c *Config) {
		p = newFakeProvider(t, c.Now)
		provider, err := signin.New(signin.Config{Issuer: p.URL, ClientID: "dossier", ClientSecret: "s", Now: c.Now})
		if err != nil {
			t.Fatal(err)
		}
		c.OIDC = provider
	})
	s.giveGroup(t, "analysts", dossier.RoleReviewer)
	return s, p
}

func (s *testServer) giveGroup(t *testing.T, group string, role dossier.Role) {
	t.Helper()
	s.Exec(t, `INSERT INTO person_roles (workspace_id, kind, name, source, role, created_at) VALUES ($1, 'group', $2, 'file', $3, now())`, s.Workspace, group, role)
}

func (s *testServer) browser(p *fakeProvider) *visitor { return &visitor{s, p, map[string]string{}} }

// signedIn is a browser after a sign-in that must work.
func (s *testServer) signedIn(t *testing.T, p *fakeProvider) *visitor {
	t.Helper()
	b := s.browser(p)
	if got := b.get(t, b.begin(t)); got.Status != 303 || got.Header.Get("Location") != "/console" {
		t.Fatalf("callback: %d %s", got.Status, got.Body)
	}
	return b
}

// The first sign-in has the groups; a name and an address in lower case come along.
func TestOIDC_first_sign_in(t *testing.T) {
	t.Parallel()
	s, p := newSignIns(t)
	b := s.signedIn(t, p)
	me := s.as(t, b.cookies["dossier"], "GET", "/api/v1/me", "")
	if valueAt(t, me.Body, "role") != "reviewer" || valueAt(t, me.Body, "person", "email") != "ada@example.com" || valueAt(t, me.Body, "person", "name") != "Ada" {
		t.Errorf("%s", me.Body)
	}
	if got := b.get(t, "/console"); got.Status != 200 || !strings.Contains(got.Body, "Ada") {
		t.Errorf("console: %d", got.Status)
	}
}

// Two sign-ins at once, in one browser and in two, each have the groups that the provider said then.
func TestOIDC_two_at_once(t *testing.T) {
	t.Parallel()
	s, p := newSignIns(t)
	s.giveGroup(t, "chiefs", dossier.RoleAdmin)
	one, two := s.browser(p), s.browser(p)
	first, second, third := one.begin(t), one.begin(t), two.begin(t)
	role := func(b *visitor, callback, want string) {
		t.Helper()
		if got := b.get(t, callback); got.Status != 303 {
			t.Fatalf("callback: %d %s", got.Status, got.Body)
		}
		if me := s.as(t, b.cookies["dossier"], "GET", "/api/v1/me", ""); valueAt(t, me.Body, "role") != want {
			t.Errorf("%s, want %s", me.Body, want)
		}
	}
	role(one, second, "reviewer")
	old := one.cookies["dossier"]
	p.set(func() { p.claims["groups"] = []string{"chiefs"} })
	role(two, third, "admin")
	role(one, first, "admin")
	if got := s.as(t, old, "GET", "/api/v1/me", ""); got.Status != 401 {
		t.Errorf("the session before the second sign-in: %d", got.Status)
	}
	if me := s.as(t, two.cookies["dossier"], "GET", "/api/v1/me", ""); me.Status != 200 {
		t.Errorf("the other browser: %d", me.Status)
	}
}

// What does not belong to the sign-in that this browser began signs nobody in.
func TestOIDC_refused(t *testing.T) {
	t.Parallel()
	s, p := newSignIns(t)
	for name, c := range map[string]struct {
		change func()
		status int
	}{
		"another audience":       {func() { p.claims["aud"] = "somebody-else" }, 403},
		"several audiences":      {func() { p.claims["aud"] = []string{"dossier", "somebody-else"} }, 403},
		"made for another party": {func() { p.claims["azp"] = "somebody-else" }, 403},
		"another issuer":         {func() { p.claims["iss"] = "https://evil.example" }, 403},
		"another nonce":          {func() { p.claims["nonce"] = "replayed" }, 403},
		"no nonce":               {func() { p.claims["nonce"] = nil }, 403},
		"an old token":           {func() { p.claims["exp"] = p.now().Add(-3 * time.Minute).Unix() }, 403},
		"an unverified address":  {func() { p.claims["email_verified"] = false }, 403},
		"unverified as a word":   {func() { p.claims["email_verified"] = "false" }, 403},
		"no address":             {func() { p.claims["email"] = nil }, 403},
		"no role":                {func() { p.claims["groups"] = []string{"cooks"} }, 403},
	} {
		p.set(func() { clear(p.claims); c.change() })
		b := s.browser(p)
		if got := b.get(t, b.begin(t)); got.Status != c.status || b.cookies["dossier"] != "" {
			t.Errorf("%s: %d, session %q", name, got.Status, b.cookies["dossier"])
		}
	}
	if n := pgtest.Value[int](t, s.Server, `SELECT count(*) FROM sessions`); n != 0 {
		t.Errorf("%d sessions", n)
	}
}

// A clock a little behind or ahead is no reason to refuse.
func TestOIDC_clock_skew(t *testing.T) {
	t.Parallel()
	s, p := newSignIns(t)
	for _, off := range []time.Duration{-6 * time.Minute, 4 * time.Minute} { // tokens live five minutes
		p.set(func() {
			p.claims["iat"], p.claims["nbf"], p.claims["exp"] = p.now().Add(off).Unix(), p.now().Add(off-time.Minute).Unix(), p.now().Add(off+5*time.Minute).Unix()
		})
		s.signedIn(t, p)
	}
}

// A state works once, in the browser that it was made for, within ten minutes, and only beside its own code.
func TestOIDC_state(t *testing.T) {
	t.Parallel()
	s, p := newSignIns(t)
	b := s.browser(p)
	used := b.begin(t)
	if got := b.get(t, used); got.Status != 303 {
		t.Fatalf("first use: %d", got.Status)
	}
	if got := b.get(t, used); got.Status != 400 {
		t.Errorf("replayed: %d", got.Status)
	}
	theirs, victim := s.browser(p), s.browser(p)
	victim.begin(t)
	if got := victim.get(t, theirs.begin(t)); got.Status != 400 || victim.cookies["dossier"] != "" {
		t.Errorf("another browser's: %d", got.Status)
	}
	slow := s.browser(p)
	late := slow.begin(t)
	s.Clock.Advance(11 * time.Minute)
	if got := slow.get(t, late); got.Status != 400 {
		t.Errorf("too late: %d", got.Status)
	}
	mixed := s.browser(p)
	one, two := mixed.begin(t), mixed.begin(t)
	q, _ := url.ParseQuery(strings.TrimPrefix(one, "/console/callback?"))
	r, _ := url.ParseQuery(strings.TrimPrefix(two, "/console/callback?"))
	if got := mixed.get(t, "/console/callback?"+url.Values{"code": {q.Get("code")}, "state": {r.Get("state")}}.Encode()); got.Status != 403 {
		t.Errorf("another attempt's code: %d", got.Status)
	}
	other := s.browser(p)
	if got := other.get(t, other.begin(t)+"&iss=https%3A%2F%2Fevil.example"); got.Status != 403 {
		t.Errorf("another provider's answer: %d", got.Status)
	}
	denied := s.browser(p)
	if got := denied.get(t, strings.Replace(denied.begin(t), "code=", "error=access_denied&was=", 1)); got.Status != 403 {
		t.Errorf("the provider's refusal: %d", got.Status)
	}
}

// Keys are fetched again when a token is signed with one that is not known, and not at every sign-in.
func TestOIDC_key_rotation(t *testing.T) {
	t.Parallel()
	s, p := newSignIns(t)
	s.signedIn(t, p)
	s.signedIn(t, p)
	fetched := func() int {
		n := 0
		p.set(func() { n = p.fetched })
		return n
	}
	if n := fetched(); n != 1 {
		t.Errorf("keys were fetched %d times", n)
	}
	p.rotate(t)
	s.signedIn(t, p)
	if n := fetched(); n != 2 {
		t.Errorf("after the rotation keys were fetched %d times", n)
	}
}

// While the provider is away the service starts and sessions go on; the sign-in says so, and works when it is back.
func TestOIDC_provider_away(t *testing.T) {
	t.Parallel()
	s, p := newSignIns(t)
	p.set(func() { p.away = true })
	b := s.browser(p)
	if got := b.get(t, "/console/sign-in"); got.Status != 503 || !strings.Contains(got.Body, "sign-in service is away") {
		t.Errorf("sign-in: %d %s", got.Status, got.Body)
	}
	p.set(func() { p.away = false })
	in := s.signedIn(t, p)
	p.set(func() { p.away = true })
	s.Clock.Advance(5 * time.Minute)
	if got := s.as(t, in.cookies["dossier"], "GET", "/api/v1/me", ""); got.Status != 200 {
		t.Errorf("a session meanwhile: %d", got.Status)
	}
}

// Whom the provider shuts out is out within five minutes; who changed groups has the new ones.
func TestOIDC_disabled_at_the_provider(t *testing.T) {
	t.Parallel()
	s, p := newSignIns(t)
	s.giveGroup(t, "chiefs", dossier.RoleAdmin)
	b := s.signedIn(t, p)
	me := func() answer { t.Helper(); return s.as(t, b.cookies["dossier"], "GET", "/api/v1/me", "") }
	p.set(func() { p.claims["groups"] = []string{"chiefs"} })
	s.Clock.Advance(4 * time.Minute)
	if got := me(); valueAt(t, got.Body, "role") != "admin" {
		t.Errorf("after a change of groups: %s", got.Body)
	}
	p.set(func() { p.gone = true })
	s.Clock.Advance(3 * time.Minute)
	if got := me(); got.Status != 200 {
		t.Errorf("before the provider is asked again: %d", got.Status)
	}
	s.Clock.Advance(time.Minute)
	if got := me(); got.Status != 401 {
		t.Errorf("after that: %d", got.Status)
	}
	if n := pgtest.Value[int](t, s.Server, `SELECT count(*) FROM sessions WHERE renewal = convert_to('rt', 'UTF8')`); n != 0 {
		t.Error("the provider's token is kept as it is")
	}
}

// A session that somebody planted in the browser is not the one that the sign-in makes, and is over.
func TestOIDC_session_fixation(t *testing.T) {
	t.Parallel()
	s, p := newSignIns(t)
	b := s.browser(p)
	planted := s.signIn(t, s.Workspace, "mallory@example.com", dossier.RoleViewer)
	b.cookies["dossier"] = planted
	if got := b.get(t, b.begin(t)); got.Status != 303 || b.cookies["dossier"] == planted {
		t.Errorf("%d, the cookie stayed: %v", got.Status, b.cookies["dossier"] == planted)
	}
	if got := s.as(t, planted, "GET", "/api/v1/me", ""); got.Status != 401 {
		t.Errorf("the planted session: %d", got.Status)
	}
}

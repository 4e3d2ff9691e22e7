package api

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier/api/portal"
)

// Requests are counted by the client's address: the peer's, or what a trusted proxy says of it. Nobody chooses by
// himself whom he is counted as.
func TestPortal_client_address(t *testing.T) {
	t.Parallel()
	loopback := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("10.0.0.0/8")}
	for _, test := range []struct {
		name    string
		trusted []netip.Prefix
		chain   func(i int) string // X-Forwarded-For of request i
		counted bool               // all requests as one client
	}{
		{"no proxy is trusted", nil, func(i int) string { return fmt.Sprintf("198.51.100.%d", i) }, true},
		{"the proxy says who", loopback, func(i int) string { return fmt.Sprintf("198.51.100.%d", i) }, false},
		{"a client adds addresses", loopback, func(i int) string { return fmt.Sprintf("192.0.2.%d, 198.51.100.7", i) }, true},
		{"two proxies", loopback, func(i int) string { return fmt.Sprintf("198.51.100.%d, 10.1.2.3", i) }, false},
		{"one IPv6 network", loopback, func(i int) string { return fmt.Sprintf("2001:db8::%d", i) }, true},
		{"nonsense", loopback, func(i int) string { return fmt.Sprintf("nobody-%d", i) }, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			s := newTestServer(t, func(c *Config) { c.TrustedProxies = test.trusted })
			limited := false
			for i := range portal.Guesses + 20 {
				limited = limited || s.do(t, "GET", "/portal/guess", "", "x-api-key", "", "X-Forwarded-For", test.chain(i)).Status == 429
			}
			if limited != test.counted {
				t.Errorf("counted as one client: %v", limited)
			}
		})
	}
}

func TestPortal_other_sites(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	path := g.path + "/items/" + g.entry(t, "LEGAL_NAME")
	for _, headers := range [][]string{{"Origin", "https://evil.example"}, {"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site", "Origin", "null"}} {
		if got := g.do(t, "POST", path, "value=Evil", append(headers, "x-api-key", "", "Content-Type", "application/x-www-form-urlencoded")...); got.Status != 403 {
			t.Errorf("%v: %d", headers, got.Status)
		}
	}
	if got := g.do(t, "POST", path, "value=Good", "Origin", g.URL, "Content-Type", "application/x-www-form-urlencoded"); got.Status != 303 {
		t.Errorf("from the page itself: %d", got.Status)
	}
}

// Each allowance is given to its last request, ends, and grows back.
func TestPortal_limits(t *testing.T) {
	t.Parallel()
	g := newPortal(t)
	neighbor, now := g.newGuest(t), g.Clock.Now()
	g.Redis.SetTime(now) // stands still: nothing grows back
	for _, limit := range []struct {
		name    string
		allowed int
		ask     func() answer
	}{
		{"tokens that an address guesses", portal.Guesses, func() answer { return g.do(t, "GET", "/portal/guess", "", "x-api-key", "") }},
		{"new links that an address asks for", portal.LinkRequests, func() answer { return g.askLink(t, "/portal/guess") }},
		{"uploads of a token", portal.UploadsPerToken, func() answer { return g.script(t, "POST", "/uploads", "{}") }},
		{"requests of a token", portal.PerToken, func() answer { return g.do(t, "GET", g.path+"/status", "", "x-api-key", "") }},
	} {
		for i := range limit.allowed {
			if got := limit.ask(); got.Status == 429 {
				t.Fatalf("%s: request %d of %d is refused", limit.name, i+1, limit.allowed)
			}
		}
		if got := refused(limit.ask); got.Status != 429 || got.Header.Get("Retry-After") == "" {
			t.Errorf("%s: more than %d: %d", limit.name, limit.allowed, got.Status)
		}
	}
	if got := neighbor.page(t); got.Status != 200 {
		t.Errorf("another token at the same address: %d", got.Status)
	}
	for range portal.PerAddress {
		if _, err := g.API.Cache.Allow(t.Context(), "portal-address:127.0.0.1", portal.PerAddress, portal.PerAddress); err != nil {
			t.Fatal(err)
		}
	}
	var fresh portalGuest // whose token has done nothing yet
	limited := refused(func() answer { fresh = g.newGuest(t); return fresh.page(t) })
	if limited.Status != 429 {
		t.Errorf("an address that did all it may: %d", limited.Status)
	}
	mustHold(t, limited.Body, "wait a minute", `href="`+fresh.path+`"`)
	g.Redis.SetTime(now.Add(time.Minute))
	if got := fresh.page(t); got.Status != 200 {
		t.Errorf("a minute later: %d", got.Status)
	}
	if keys := strings.Join(g.Redis.Keys(), " "); strings.Contains(keys, strings.TrimPrefix(g.path, "/portal/")) {
		t.Error("the token is in Redis")
	}
}

// refused asks until it is refused, once as a rule: what Redis is too slow to count is let in.
func refused(ask func() answer) answer {
	got := ask()
	for end := time.Now().Add(20 * time.Second); got.Status != 429 && time.Now().Before(end); {
		got = ask()
	}
	return got
}

// The token opens the page, so no log may hold it.
func TestPortal_logs(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	g := newPortal(t, func(c *Config) {
		c.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	g.page(t)
	g.fill(t, "LEGAL_NAME", url.Values{"value": {"Bakery LLC"}})
	g.send(t, "", "secret-name.pdf", "x")
	plan := g.plan(t, g.script(t, "POST", "/uploads", announced(t, g.entry(t, "BANK_STATEMENTS"), "secret-name.pdf", 3)), 201)
	g.script(t, "POST", "/uploads/"+string(plan.ID)+"/complete", "") // refused: nothing arrived
	g.script(t, "GET", "/uploads/"+string(plan.ID), "")
	g.script(t, "DELETE", "/uploads/"+string(plan.ID), "")
	g.askLink(t, g.path)
	g.script(t, "POST", "/nothing", "") // no route
	mustHold(t, log.String(), "route=/portal/{token}")
	for _, secret := range []string{strings.TrimPrefix(g.path, "/portal/"), "Bakery", "secret-name"} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log holds %s", secret)
		}
	}
}

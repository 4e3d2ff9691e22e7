package api

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/portal"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
)

// A page token that somebody made is refused as a damaged one is: the hash in it is no secret.
func TestPage_forged_tokens(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	list := string(s.Workspace) + "\nfalse\n/api/v1/webhooks\n"
	before := time.Date(-4800, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, token := range map[string]string{
		"no id":                 writeToken(dossier.Cursor{At: time.Now(), ID: "x' OR 1=1"}, list),
		"a year that is none":   writeToken(dossier.Cursor{At: before, ID: postgres.NewID()}, list),
		"the end of time":       base64.RawURLEncoding.EncodeToString(binary.BigEndian.AppendUint64(nil, 1<<62)),
		"of a test key's list":  writeToken(dossier.Cursor{At: time.Now(), ID: postgres.NewID()}, strings.Replace(list, "false", "true", 1)),
		"of another list's row": writeToken(dossier.Cursor{At: time.Now(), ID: postgres.NewID()}, list+"x"),
	} {
		if got := s.do(t, "GET", "/api/v1/webhooks?token="+token, ""); got.Status != 400 || !strings.Contains(got.Body, `"invalid_token"`) {
			t.Errorf("%s: %d %s", name, got.Status, got.Body)
		}
	}
	if got := s.do(t, "GET", "/api/v1/webhooks?token="+writeToken(dossier.Cursor{At: s.Clock.Now(), ID: postgres.NewID()}, list), ""); got.Status != 200 {
		t.Errorf("a good one: %d %s", got.Status, got.Body)
	}
}

// Without a configured address the links of answers name the host that was asked, not one that a caller writes into a
// header; a proxy that the operator named may.
func TestPublicURL_forwarded(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		trusted []netip.Prefix
		want    string
	}{
		"a stranger": {nil, ""},
		"a proxy":    {[]netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, "https://leads.example"},
	} {
		s := newTestServer(t, func(c *Config) { c.TrustedProxies = test.trusted })
		if test.want == "" {
			test.want = s.URL
		}
		lead, _ := s.Lead(t, s.Workspace)
		got := s.do(t, "POST", "/api/v1/leads/"+string(lead)+"/portal-link", "", "X-Forwarded-Host", "evil.example, leads.example", "X-Forwarded-Proto", "https")
		if link := valueAt(t, got.Body, "url"); !strings.HasPrefix(link, test.want+"/portal/") {
			t.Errorf("%s: %s", name, link)
		}
	}
}

// Of requests without a valid key an address has so many a minute; a valid key is never refused for what others try.
func TestAuthenticate_limits_failures(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.RateLimit, c.RateLimitAuth = 1000, 5 })
	for i := range 8 {
		got := s.do(t, "GET", "/api/v1/webhooks", "", "x-api-key", fmt.Sprintf("wrong-%d", i))
		if want := map[bool]int{true: 401, false: 429}[i < 5]; got.Status != want || want == 429 && got.Header.Get("Retry-After") == "" {
			t.Errorf("failure %d: %d %v", i, got.Status, got.Header)
		}
	}
	if got := s.do(t, "GET", "/api/v1/webhooks", ""); got.Status != 200 {
		t.Errorf("a valid key: %d", got.Status)
	}
	free := newTestServer(t, func(c *Config) { c.RateLimit, c.RateLimitAuth = 0, 5 })
	for range 8 {
		if got := free.do(t, "GET", "/api/v1/webhooks", "", "x-api-key", "wrong"); got.Status != 401 {
			t.Errorf("without limits: %d", got.Status)
		}
	}
}

// Of many faults an answer tells a hundred and how many more there are; a body of more values than any operation takes is not
// read to its end.
func TestFaults_of_a_hostile_body(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	var body strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&body, `"a%d":0,`, i)
	}
	got := s.do(t, "POST", "/save-webhook", "{"+body.String()+`"url":"https://hooks.example/"}`)
	if got.Status != 400 || strings.Count(got.Body, `"pointer"`) != 100 || !strings.Contains(got.Body, `"errorsOmitted":900`) {
		t.Errorf("%d, %d faults, %.300s", got.Status, strings.Count(got.Body, `"pointer"`), got.Body)
	}
	zeros := "[" + strings.Repeat("0,", 400_000) + "0]"
	if got := s.do(t, "POST", "/save-webhook", zeros); got.Status != 400 || !strings.Contains(got.Body, "more than 50000 values") {
		t.Errorf("%d %.300s", got.Status, got.Body)
	}
}

// Some proxies add a line of X-Forwarded-For of their own: the first line is then what the client wrote.
func TestClientAddress_of_several_lines(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(c *Config) { c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	limited := false
	for i := range portal.Guesses + 5 {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/portal/guess", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Header["X-Forwarded-For"] = []string{fmt.Sprintf("192.0.2.%d", i), "198.51.100.7"}
		response, err := http.DefaultTransport.RoundTrip(request)
		if err != nil {
			t.Fatal(err)
		}
		_ = response.Body.Close()
		limited = limited || response.StatusCode == http.StatusTooManyRequests
	}
	if !limited {
		t.Error("a client is somebody else with each line it writes")
	}
}

// The answer of a rotation comes when no sender can sign by the old secret alone any more: the new one is stored, and the time
// has passed for which a sender believes what it knows of an endpoint.
func TestRotateSecret_waits_for_the_senders(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	hook := valueAt(t, s.do(t, "POST", "/save-webhook", `{"url": "https://hooks.example/"}`).Body, "webhookId")
	var waited time.Duration
	var secrets int
	s.API.pause = func(_ context.Context, d time.Duration) {
		e, err := s.DB.Endpoint(context.Background(), s.Workspace, dossier.WebhookID(hook))
		if err != nil {
			t.Error(err)
		}
		waited, secrets = d, len(e.Secrets)
	}
	if got := s.do(t, "POST", "/api/v1/webhooks/"+hook+"/rotate-secret", ""); got.Status != 200 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if waited <= jobs.EndpointKnown || secrets != 2 {
		t.Errorf("waited %s, with %d secrets in force", waited, secrets)
	}
}

package api

import (
	"bufio"
	"errors"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/signin"
)

// oidcProvider starts npm's oidc-provider and gives its address and what ends it. Where npm cannot install it the test is
// skipped, except in CI.
func oidcProvider(t *testing.T, redirect string) (issuer string, stop func()) {
	t.Helper()
	dir := t.TempDir()
	script, err := os.ReadFile("testdata/oidc-provider.mjs")
	for name, text := range map[string]string{"provider.mjs": string(script), "package.json": `{"private":true}`} {
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	install := exec.Command("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--no-update-notifier", "--fetch-retries=1", "oidc-provider@8.8.1")
	install.Dir = dir
	if out, err := install.CombinedOutput(); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("npm cannot install oidc-provider: %v\n%s", err, out)
		}
		t.Skipf("NOT TESTED HERE: npm cannot install oidc-provider: %v\n%s", err, out)
	}
	run := exec.Command("node", "provider.mjs", redirect)
	run.Dir = dir
	said, err := run.StdoutPipe()
	if err == nil {
		err = run.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	stop = func() { _ = run.Process.Kill(); _ = run.Wait() }
	t.Cleanup(stop)
	issuer, err = bufio.NewReader(said).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(issuer), stop
}

// A provider that somebody else wrote: its discovery, its names for itself beside each code, and groups that only its user
// info says. A code is good once, and sessions go on when it is away.
func TestOIDC_oidc_provider(t *testing.T) {
	if testing.Short() {
		t.Skip("installs a provider")
	}
	t.Parallel()
	const own = "http://localhost:8080"
	issuer, stop := oidcProvider(t, own+"/console/callback")
	s := newTestServer(t, func(c *Config) {
		provider, err := signin.New(signin.Config{Issuer: issuer, ClientID: "dossier", ClientSecret: "s"})
		if err != nil {
			t.Fatal(err)
		}
		c.PublicURL, c.OIDC = own, provider
	})
	s.giveGroup(t, "analysts", dossier.RoleReviewer)
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	back := errors.New("led back")
	browser := &http.Client{Jar: jar, Timeout: time.Minute, CheckRedirect: func(to *http.Request, _ []*http.Request) error {
		if strings.HasPrefix(to.URL.String(), own) {
			return back
		}
		return nil
	}}
	b := s.browser(nil)
	leads := func() string { // to the provider, through its pages, and back
		t.Helper()
		begun := b.get(t, "/console/sign-in")
		request, err := http.NewRequestWithContext(t.Context(), "GET", begun.Header.Get("Location"), nil)
		if err != nil || begun.Status != http.StatusSeeOther {
			t.Fatalf("sign-in: %d %s %v", begun.Status, begun.Body, err)
		}
		got, err := browser.Do(request)
		var led *url.Error
		if !errors.As(err, &led) || !errors.Is(err, back) {
			t.Fatalf("at the provider: %+v %v", got, err)
		}
		_ = got.Body.Close()
		return strings.TrimPrefix(led.URL, own)
	}
	callback := leads()
	if got := b.get(t, callback); got.Status != 303 || got.Header.Get("Location") != "/console" {
		t.Fatalf("callback: %d %s", got.Status, got.Body)
	}
	me := s.as(t, b.cookies["dossier"], "GET", "/api/v1/me", "")
	if valueAt(t, me.Body, "role") != "reviewer" || valueAt(t, me.Body, "person", "email") != "ada@example.com" || valueAt(t, me.Body, "person", "name") != "Ada" {
		t.Errorf("%s", me.Body)
	}
	if got := b.get(t, callback); got.Status != 400 {
		t.Errorf("the same code again: %d", got.Status)
	}
	if got := s.browser(nil).get(t, leads()); got.Status != 400 {
		t.Errorf("in another browser: %d", got.Status)
	}
	stop()
	if got := s.as(t, b.cookies["dossier"], "GET", "/api/v1/me", ""); got.Status != 200 {
		t.Errorf("a session while the provider is away: %d", got.Status)
	}
}

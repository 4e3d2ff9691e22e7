package webhooks

import (
	"bytes"
	"crypto/rand"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	standard "github.com/standard-webhooks/standard-webhooks/libraries/go"
)

const testSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"

func newTestSecret(t *testing.T) string {
	t.Helper()
	var random [32]byte
	if _, err := rand.Read(random[:]); err != nil {
		t.Fatal(err)
	}
	return dossier.WebhookSecret(random)
}

// signedHeader signs body now, as Deliver does.
func signedHeader(t *testing.T, secrets []string, id string, at time.Time, body []byte) http.Header {
	t.Helper()
	signed, err := Sign(secrets, id, at, body)
	if err != nil {
		t.Fatal(err)
	}
	h := http.Header{}
	h.Set(HeaderID, id)
	h.Set(HeaderTimestamp, strconv.FormatInt(at.Unix(), 10))
	h.Set(HeaderSignature, signed)
	return h
}

func TestWebhookSecret(t *testing.T) {
	secret := newTestSecret(t)
	key, err := parseSecret(secret)
	if err != nil || len(key) != 32 || !strings.HasPrefix(secret, "whsec_") {
		t.Errorf("%d bytes, %v", len(key), err)
	}
}

// The example of the specification's own reference libraries.
func TestSign_reference(t *testing.T) {
	got, err := Sign([]string{testSecret}, "msg_p5jXN8AQM9LWM0D4loKWxJek", time.Unix(1614265330, 0), []byte(`{"test": 2432232314}`))
	if want := "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="; err != nil || got != want {
		t.Errorf("got %s %v, want %s", got, err, want)
	}
}

func TestSign_refuses(t *testing.T) {
	for _, secrets := range [][]string{nil, {"whsec_%%%"}, {"whsec_c2hvcnQ="}} {
		if _, err := Sign(secrets, "id", time.Now(), nil); err == nil {
			t.Errorf("%q signed", secrets)
		}
	}
}

func TestVerify(t *testing.T) {
	now := time.Unix(1_800_000_000, 0)
	old, young := newTestSecret(t), newTestSecret(t)
	body := []byte(`{"a":1}`)
	tests := []struct {
		name    string
		secrets []string
		change  func(http.Header)
		body    string
		now     time.Time
		want    string // part of the error, "" for genuine
	}{
		{"old secret", []string{old}, nil, `{"a":1}`, now, ""},
		{"new secret", []string{young}, nil, `{"a":1}`, now, ""},
		{"one of several", []string{newTestSecret(t), young}, nil, `{"a":1}`, now, ""},
		{"another secret", []string{newTestSecret(t)}, nil, `{"a":1}`, now, "no signature matches"},
		{"re-encoded body", []string{old}, nil, `{"a": 1}`, now, "no signature matches"},
		{"other id", []string{old}, func(h http.Header) { h.Set(HeaderID, "x") }, `{"a":1}`, now, "no signature matches"},
		{"moved timestamp", []string{old}, func(h http.Header) { h.Set(HeaderTimestamp, "1800000001") }, `{"a":1}`, now, "no signature matches"},
		{"too old", []string{old}, nil, `{"a":1}`, now.Add(6 * time.Minute), "old"},
		{"from the future", []string{old}, nil, `{"a":1}`, now.Add(-6 * time.Minute), "future"},
		{"age not judged", []string{old}, nil, `{"a":1}`, time.Time{}, ""},
		{"no id", []string{old}, func(h http.Header) { h.Del(HeaderID) }, `{"a":1}`, now, "webhook-id is missing"},
		{"bad timestamp", []string{old}, func(h http.Header) { h.Set(HeaderTimestamp, "soon") }, `{"a":1}`, now, "not a number"},
		{"only v1a", []string{old}, func(h http.Header) { h.Set(HeaderSignature, "v1a,AAAA") }, `{"a":1}`, now, "no v1 signature"},
		{"bad secret", []string{"nonsense!"}, nil, `{"a":1}`, now, "secret"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			header := signedHeader(t, []string{old, young}, "evt", now, body)
			if tt.change != nil {
				tt.change(header)
			}
			err := Verify(tt.secrets, header, []byte(tt.body), tt.now)
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("got %v, want %q", err, tt.want)
			}
		})
	}
}

func TestSign_officialGoLibrary(t *testing.T) {
	old, young := newTestSecret(t), newTestSecret(t)
	body := []byte(`{"type":"lead.completed","data":{"name":"Zoë"}}`)
	header := signedHeader(t, []string{young, old}, "0190-a", time.Now(), body)
	for _, secret := range []string{old, young} {
		wh, err := standard.NewWebhook(secret)
		if err != nil {
			t.Fatal(err)
		}
		if err := wh.Verify(body, header); err != nil {
			t.Errorf("the official library refuses our signature: %v", err)
		}
		if err := wh.Verify(append(body, ' '), header); err == nil {
			t.Error("the official library takes a changed body")
		}
		theirs, err := wh.Sign("0190-b", time.Now(), body)
		if err != nil {
			t.Fatal(err)
		}
		header := signedHeader(t, []string{secret}, "0190-b", time.Now(), body)
		header.Set(HeaderSignature, theirs)
		if err := Verify([]string{secret}, header, body, time.Now()); err != nil {
			t.Errorf("we refuse the official library's signature: %v", err)
		}
	}
}

const officialNode = `
const { Webhook } = require("standardwebhooks");
const body = require("fs").readFileSync(0);
const [secret, id, timestamp, signature] = process.argv.slice(-4);
new Webhook(secret).verify(body.toString(), {
  "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature,
});
`

func TestSign_officialNodePackage(t *testing.T) {
	dir := npmInstall(t, "standardwebhooks@1.0.0")
	old, young := newTestSecret(t), newTestSecret(t)
	body := []byte(`{"type":"lead.completed","data":{"name":"Zoë"}}`)
	header := signedHeader(t, []string{young, old}, "0190-a", time.Now(), body)
	verify := func(secret string, body []byte) error {
		cmd := exec.Command("node", "-e", officialNode, "--", secret, header.Get(HeaderID), header.Get(HeaderTimestamp), header.Get(HeaderSignature))
		cmd.Dir, cmd.Stdin = dir, bytes.NewReader(body)
		return cmd.Run()
	}
	for _, secret := range []string{old, young} {
		if err := verify(secret, body); err != nil {
			t.Errorf("the official package refuses our signature: %v", err)
		}
	}
	if verify(old, append(body, ' ')) == nil {
		t.Error("the official package takes a changed body")
	}
}

// npmInstall puts a package into a directory of the test's own. Without node or the registry the test is
// skipped, except in CI, which has both.
func npmInstall(t *testing.T, name string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte(`{"private":true}`), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline", "--no-update-notifier", "--fetch-retries=1", name)
	cmd.Dir, cmd.Env = dir, environment
	if out, err := cmd.CombinedOutput(); err != nil {
		missing(t, "npm cannot install %s: %v\n%s", name, err, out)
	}
	return dir
}

// missing skips the test loudly for want of a tool, and fails it in CI.
func missing(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("CI") != "" {
		t.Fatalf(format, args...)
	}
	t.Skipf("NOT TESTED HERE: "+format, args...)
}

package dossier

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var webhookNow = time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)

func ptr[T any](v T) *T { return &v }

func TestEventBody(t *testing.T) {
	at := time.Date(2026, 1, 2, 4, 4, 5, 678_000_000, time.FixedZone("", 3600))
	got := string(EventBody("e1", "w1", EventLeadCreated, at, true, []byte(`{"b":1,"a":2}`)))
	want := `{"id":"e1","type":"lead.created","timestamp":"2026-01-02T03:04:05.678Z","workspaceId":"w1","livemode":true,"apiVersion":"` + APIVersion + `","data":{"b":1,"a":2}}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestEventTypes_noneTwice(t *testing.T) {
	seen := map[EventType]bool{}
	for _, e := range EventTypes() {
		if seen[e] {
			t.Errorf("%s is listed twice", e)
		}
		seen[e] = true
	}
	if len(seen) != 36 {
		t.Errorf("%d event types, decisions.md section 6 names 30 and lifecycle.md section 3 lead.erased and document.erased, "+
			"review.md sections 2 and 3 document.corrected, spread.approved, review.opened and review.decided", len(seen))
	}
}

func TestBlockedAddress(t *testing.T) {
	blocked := []string{
		"0.0.0.0", "10.1.2.3", "100.64.0.1", "100.100.100.200", "127.0.0.1", "127.255.255.255", "168.63.129.16", "169.254.169.254",
		"172.16.0.1", "172.31.255.255", "192.0.0.1", "192.0.0.9", "192.0.2.1", "192.88.99.1", "192.168.0.1", "198.18.0.1", "198.19.255.255",
		"198.51.100.1", "203.0.113.1", "224.0.0.1", "239.1.1.1", "240.0.0.1", "255.255.255.255",
		"::", "::1", "::ffff:10.0.0.1", "::ffff:127.0.0.1", "::127.0.0.1", "::ffff:0:127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::808:808",
		"64:ff9b:1::1", "100::1", "2001::1", "2001:2::1", "2001:10::1", "2001:db8::1", "2002:7f00:1::", "2002:808:808::1", "3fff::1", "5f00::1",
		"fc00::1", "fd00:ec2::254", "fe80::1", "fec0::1", "ff02::1", "fe80::1%eth0", "4000::1",
	}
	for _, s := range blocked {
		if !BlockedAddress(netip.MustParseAddr(s), nil) {
			t.Errorf("%s is let through", s)
		}
	}
	for _, s := range []string{"8.8.8.8", "172.15.0.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::1", "::ffff:8.8.8.8"} {
		if BlockedAddress(netip.MustParseAddr(s), nil) {
			t.Errorf("%s is blocked", s)
		}
	}
	if !BlockedAddress(netip.Addr{}, nil) {
		t.Error("an address that cannot be parsed is let through")
	}
}

func TestBlockedAddress_allowed(t *testing.T) {
	allow := []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("64:ff9b::/96")}
	for s, blocked := range map[string]bool{
		"10.1.1.1": false, "::ffff:10.1.1.1": false, "64:ff9b::808:808": false, "64:ff9b::a01:101": false,
		"64:ff9b::7f00:1": true, "127.0.0.1": true, "2002:a01:101::": true,
	} {
		if got := BlockedAddress(netip.MustParseAddr(s), allow); got != blocked {
			t.Errorf("%s: blocked %v, want %v", s, got, blocked)
		}
	}
}

func TestWebhook_url(t *testing.T) {
	tests := []struct{ url, code string }{
		{"https://example.com/hooks?x=1", ""},
		{"http://example.com:8080", ""},
		{"https://8.8.8.8/", ""},
		{"https://[2606:4700::1111]:443/", ""},
		{"https://hooks.internal/", ""}, // what the name resolves to is judged when it is dialled
		{"", "invalid_url"},
		{"/hooks", "invalid_url"},
		{"ftp://example.com/", "invalid_url"},
		{"javascript:alert(1)", "invalid_url"},
		{"https:///path", "invalid_url"},
		{"https://", "invalid_url"},
		{"https://user:pw@example.com/", "invalid_url"},
		{"https://user@example.com/", "invalid_url"},
		{"https://exa mple.com/", "invalid_url"},
		{"https://example.com/\r\nX: y", "invalid_url"},
		{"https://example.com\\@10.0.0.1/", "invalid_url"},
		{"https://example.com:0/", "invalid_url"},
		{"https://example.com:65536/", "invalid_url"},
		{"https://example.com:/", "invalid_url"},
		{"https://[fe80::1%25eth0]/", "invalid_url"},
		{"https://exämple.com/", "invalid_url"},
		{"https://a..b/", "invalid_url"},
		{"https://1.2.3.4.5/", "invalid_url"},
		{"https://134744072/", "invalid_url"}, // 8.8.8.8 in disguise
		{"https://127.0.0.1/", "blocked_address"},
		{"https://169.254.169.254/latest/meta-data", "blocked_address"},
		{"https://[::1]/", "blocked_address"},
		{"https://[::ffff:10.0.0.1]/", "blocked_address"},
		{"https://2130706433/", "blocked_address"},
		{"https://0x7f.1/", "blocked_address"},
		{"https://0177.0.0.1/", "blocked_address"},
		{"https://127.1/", "blocked_address"},
		{"https://127.0.0.1./", "blocked_address"},
		{"https://0/", "blocked_address"},
		{"https://example.com/" + strings.Repeat("a", 2048), "too_long"},
	}
	for _, tt := range tests {
		faults := WebhookUpdate{URL: &tt.url}.Faults()
		if code := onlyCode(faults); code != tt.code {
			t.Errorf("%q: code %q, want %q", tt.url, code, tt.code)
		}
	}
	allow := []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
	if faults := (WebhookUpdate{URL: ptr("http://127.0.0.1:9/"), Allow: allow}).Faults(); len(faults) > 0 {
		t.Errorf("an allowed network is refused: %v", faults)
	}
}

func onlyCode(faults []Fault) string {
	if len(faults) != 1 {
		return strings.Repeat("+", len(faults))
	}
	return faults[0].Code
}

func TestWebhook_headers(t *testing.T) {
	tests := []struct {
		header Header
		code   string
	}{
		{Header{"Authorization", "Bearer <TOKEN>"}, ""},
		{Header{"X-Tab", "a\tb"}, ""},
		{Header{"X-Empty", ""}, ""},
		{Header{"", "x"}, "required"},
		{Header{"X Y", "x"}, "invalid_header"},
		{Header{"X:Y", "x"}, "invalid_header"},
		{Header{"X\r\nY", "x"}, "invalid_header"},
		{Header{"X-A", "a\r\nHost: evil"}, "invalid_header"},
		{Header{"X-A", "a\nb"}, "invalid_header"},
		{Header{"X-A", "a\x00b"}, "invalid_header"},
		{Header{"X-A", strings.Repeat("v", 4097)}, "too_long"},
		{Header{strings.Repeat("k", 256), "v"}, "too_long"},
	}
	for _, name := range []string{
		"Host", "content-type", "Content-Length", "Connection", "Transfer-Encoding", "TE", "Upgrade", "Trailer",
		"Proxy-Authorization", "Keep-Alive", "webhook-id", "Webhook-Signature", "Expect",
	} {
		tests = append(tests, struct {
			header Header
			code   string
		}{Header{name, "x"}, "reserved_header"})
	}
	for _, tt := range tests {
		if code := onlyCode(WebhookUpdate{Headers: &[]Header{tt.header}}.Faults()); code != tt.code {
			t.Errorf("%q: code %q, want %q", tt.header, code, tt.code)
		}
	}
	if code := onlyCode(WebhookUpdate{Headers: ptr(make21Headers())}.Faults()); code != "too_long" {
		t.Errorf("21 headers: code %q", code)
	}
}

func make21Headers() []Header {
	headers := make([]Header, 21)
	for i := range headers {
		headers[i] = Header{Key: "X-" + string(rune('A'+i)), Value: "v"}
	}
	return headers
}

func TestNewWebhook(t *testing.T) {
	_, err := NewWebhook("h", "w", WebhookUpdate{Events: &[]EventType{"lead.exploded"}}, webhookNow)
	var refused *Error
	if !errors.As(err, &refused) || refused.Kind != Invalid || len(refused.Faults) != 2 || refused.Faults[0].Pointer != "/url" || refused.Faults[1].Code != "unknown_event" {
		t.Fatalf("all faults at once: got %#v", err)
	}
	_, err = NewWebhook("h", "w", WebhookUpdate{URL: ptr("http://10.0.0.1/")}, webhookNow)
	if !errors.As(err, &refused) || refused.Code != "blocked_address" {
		t.Fatalf("a private address: got %#v", err)
	}
	got, err := NewWebhook("h", "w", WebhookUpdate{URL: ptr("https://example.com/")}, webhookNow)
	want := Webhook{ID: "h", Workspace: "w", URL: "https://example.com/", Enabled: true, Mode: ModeAll, CreatedAt: webhookNow, UpdatedAt: webhookNow}
	if err != nil || !cmp.Equal(got, want) {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, got))
	}
}

func TestWebhook_Update(t *testing.T) {
	start := Webhook{URL: "https://a.example/", Enabled: true, Headers: []Header{{"X-A", "1"}}, Events: []EventType{EventLeadCreated}}
	t.Run("headers not sent stay", func(t *testing.T) {
		w := start
		if err := w.Update(WebhookUpdate{URL: ptr("https://b.example/")}, webhookNow); err != nil || len(w.Headers) != 1 || w.URL != "https://b.example/" {
			t.Errorf("%v %+v", err, w)
		}
	})
	t.Run("an empty list clears", func(t *testing.T) {
		w := start
		if err := w.Update(WebhookUpdate{Headers: &[]Header{}}, webhookNow); err != nil || len(w.Headers) != 0 {
			t.Errorf("%v %+v", err, w)
		}
	})
	t.Run("null events means all", func(t *testing.T) {
		w := start
		if err := w.Update(WebhookUpdate{Events: ptr([]EventType(nil))}, webhookNow); err != nil || w.Events != nil {
			t.Errorf("%v %+v", err, w)
		}
	})
	t.Run("enabling clears the reason", func(t *testing.T) {
		w := start
		w.Enabled, w.DisabledReason = false, DisabledGone
		if err := w.Update(WebhookUpdate{Enabled: ptr(true)}, webhookNow); err != nil || !w.Enabled || w.DisabledReason != "" {
			t.Errorf("%v %+v", err, w)
		}
	})
	t.Run("a refused update changes nothing", func(t *testing.T) {
		w := start
		err := w.Update(WebhookUpdate{URL: ptr("https://b.example/"), RateLimit: ptr(-1)}, webhookNow)
		if err == nil || !cmp.Equal(w, start) {
			t.Errorf("%v %+v", err, w)
		}
	})
}

func TestWebhook_Wants(t *testing.T) {
	all := Webhook{ID: "a"}
	some := Webhook{ID: "b", Events: []EventType{EventLeadCreated}}
	none := Webhook{ID: "c", Events: []EventType{}}
	tests := []struct {
		webhook Webhook
		event   Event
		want    bool
	}{
		{all, Event{Type: EventSpreadFailed}, true},
		{some, Event{Type: EventLeadCreated}, true},
		{some, Event{Type: EventLeadUpdated}, false},
		{none, Event{Type: EventLeadCreated}, false},
		{all, Event{Type: EventWebhookTest, Webhook: "b"}, false},
		{none, Event{Type: EventWebhookTest, Webhook: "c"}, true},
		{none, Event{Type: EventPipelineRunCompleted, Webhook: "c"}, true},
		{some, Event{Type: EventPipelineRunCompleted, Webhook: "c"}, false},
		{all, Event{Type: EventPipelineRunCompleted, Webhook: "c"}, true},
	}
	for _, tt := range tests {
		if got := tt.webhook.Wants(tt.event); got != tt.want {
			t.Errorf("%s wants %+v: %v", tt.webhook.ID, tt.event, got)
		}
	}
}

func TestWebhook_PlainHTTP(t *testing.T) {
	for url, want := range map[string]bool{"http://hooks.example/": true, "HTTP://hooks.example": true, "http://10.1.2.3:80/": true,
		"https://hooks.example/": false, "http://localhost:4000/": false, "http://127.0.0.1:4000/": false, "http://[::1]/": false, "": false} {
		if got := (Webhook{URL: url}).PlainHTTP(); got != want {
			t.Errorf("%q: %t", url, got)
		}
	}
}

package integrator

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/webhooks"
)

const testKey = "dsr_test_key"

// service is a stand-in for the API, as far as these commands call it.
type service struct {
	*httptest.Server
	mu     sync.Mutex
	events [][]byte
	down   int // requests that are answered 503
	epoch  int
	calls  []string
}

func newService(t *testing.T) *service {
	t.Helper()
	s := &service{}
	s.Server = httptest.NewServer(s)
	t.Cleanup(s.Close)
	return s
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, r.Method+" "+r.URL.Path)
	if s.down > 0 {
		s.down--
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	switch {
	case r.URL.Path == "/api/v1/events":
		s.list(w, r)
	case r.Method == http.MethodPost && r.URL.Path == "/api/v1/leads":
		s.add("lead.created", `{"lead":{"id":"the-lead"}}`)
		_, _ = io.WriteString(w, `{"lead":{"id":"the-lead"}}`)
	case r.Method == http.MethodPut && r.URL.Path == "/api/v1/leads":
		s.add("lead.updated", `{"lead":{"id":"the-lead"}}`)
		_, _ = io.WriteString(w, `{}`)
	default:
		w.WriteHeader(http.StatusNotFound)
	}
}

// add stores an event under the next id.
func (s *service) add(kind, data string) string {
	id := fmt.Sprintf("0190a000-0000-7000-8000-%012d", len(s.events)+1)
	s.events = append(s.events, fmt.Appendf(nil, `{"id":%q,"type":%q,"timestamp":"2026-01-01T00:00:%02d.000Z","data":%s}`, id, kind,
		len(s.events)%60, data))
	return id
}

func (s *service) list(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	after, kind, since := query.Get("after"), query.Get("type"), query.Get("since")
	page, known := []json.RawMessage{}, after == ""
	for _, event := range s.events {
		known = known || string(event[7:43]) == after
		if id := string(event[7:43]); id > after && (kind == "" || bytes.Contains(event, []byte(`"type":"`+kind))) && !before(event, since) {
			page = append(page, event)
		}
	}
	if query.Get("tail") == "true" {
		page = page[max(0, len(page)-1):]
	}
	page = page[:min(len(page), 200)]
	if !known {
		w.WriteHeader(http.StatusBadRequest)
		_, _ = io.WriteString(w, `{"code":"validation_failed","detail":"after is not the id of an event"}`)
		return
	}
	answer := map[string]any{"events": page, "epoch": s.epoch, "nextToken": nil}
	if n := len(page); n > 0 {
		answer["nextToken"] = string(page[n-1][7:43])
	}
	_ = json.NewEncoder(w).Encode(answer)
}

// before says that an event happened before a time; of none, none did.
func before(body []byte, since string) bool {
	event, _ := eventOf(body)
	from, err := time.Parse(time.RFC3339, since)
	return err == nil && event.Timestamp.Before(from)
}

func (s *service) client() *Client {
	return &Client{URL: s.URL, Key: testKey, Pause: func(context.Context, time.Duration) {}}
}

// inbox is where events are forwarded to.
type inbox struct {
	*httptest.Server
	ids []string
}

func newInbox(t *testing.T, secret string, got func(n int)) *inbox {
	t.Helper()
	in := &inbox{}
	in.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err == nil {
			err = webhooks.Verify([]string{secret}, r.Header, body, time.Now())
		}
		if err != nil {
			t.Error(err)
		}
		in.ids = append(in.ids, r.Header.Get(webhooks.HeaderID))
		got(len(in.ids))
	}))
	t.Cleanup(in.Close)
	return in
}

// Events arrive in order, signed, none lost and none twice, though listening was stopped in between and the service was
// away. cmd/dev has thousands and a real service.
func TestListen_order(t *testing.T) {
	t.Parallel()
	s := newService(t)
	secret := dossier.WebhookSecret([32]byte{1})
	for range 1000 {
		s.add("lead.created", `{}`)
	}
	ctx, stop := context.WithCancel(t.Context())
	in := newInbox(t, secret, func(n int) {
		if n == 432 || n == 1000 {
			stop()
		}
	})
	s.down = 3
	since, shown := "2025-01-01T00:00:00Z", []string{}
	for range 2 {
		var out, errOut bytes.Buffer
		listen := Listen{Client: s.client(), ForwardTo: in.URL, Since: since, Secret: secret, JSON: true, Out: &out, Err: &errOut, Now: time.Now}
		if err := listen.Run(ctx); err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(out.String()), "\n")
		if lines[0] != fmt.Sprintf(`{"secret":%q}`, secret) {
			t.Errorf("the first line is %s", lines[0])
		}
		for _, line := range lines[1:] {
			var told forwardResult
			if err := json.Unmarshal([]byte(line), &told); err != nil || told.Status == nil || *told.Status != 200 {
				t.Fatalf("%s: %v", line, err)
			}
			shown = append(shown, told.ID)
		}
		since = shown[len(shown)-1]
		ctx, stop = context.WithCancel(t.Context())
	}
	stop()
	if !slices.IsSorted(in.ids) || len(slices.Compact(slices.Clone(in.ids))) != 1000 || !slices.Equal(in.ids, shown) {
		t.Errorf("%d arrived, %d shown, in order: %v", len(in.ids), len(shown), slices.IsSorted(in.ids))
	}
}

// Without --since it begins with what happens next; only what was asked for is sent.
func TestListen_fromNow(t *testing.T) {
	t.Parallel()
	s := newService(t)
	for range 1000 {
		s.add("lead.created", `{}`)
	}
	ctx, stop := context.WithCancel(t.Context())
	client, begun := s.client(), false
	client.Pause = func(context.Context, time.Duration) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !begun && len(s.calls) != 2 {
			t.Errorf("it made %d calls to reach now", len(s.calls))
		}
		if begun {
			stop()
		}
		begun = true
		s.add("lead.updated", `{"a":1}`)
		s.add("document.received", `{}`)
	}
	var out bytes.Buffer
	listen := Listen{Client: client, Print: true, Events: []string{"lead.*"}, Out: &out, Err: io.Discard, Now: time.Now}
	if err := listen.Run(ctx); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if !strings.Contains(text, "whsec_") || strings.Contains(text, "lead.created") || strings.Contains(text, "document.received") ||
		!strings.Contains(text, `"a": 1`) {
		t.Error(text)
	}
	if got := UnknownPattern([]string{"lead.*", "lead.creatd"}); got != "lead.creatd" {
		t.Errorf("unknown: %q", got)
	}
}

// When a backup is put back the feed begins anew: what was heard before is not heard again, what is new is.
func TestListen_feed_begins_anew(t *testing.T) {
	t.Parallel()
	for name, keep := range map[string]int{"the last event is gone": 1, "it is there": 3} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newService(t)
			s.epoch = 1
			for range 3 {
				s.add("lead.created", `{}`)
			}
			ctx, stop := context.WithCancel(t.Context())
			client, pauses := s.client(), 0
			client.Pause = func(context.Context, time.Duration) {
				s.mu.Lock()
				defer s.mu.Unlock()
				switch pauses++; pauses {
				case 1:
					s.events, s.epoch = s.events[:keep:keep], 2
				case 2:
					s.events = append(s.events, []byte(`{"id":"0190b000-0000-7000-8000-000000000009","type":"lead.updated","timestamp":"2026-01-01T00:01:00.000Z"}`))
				case 4:
					stop()
				}
			}
			var out, errOut bytes.Buffer
			listen := Listen{Client: client, Print: true, Since: "2025-01-01T00:00:00Z", JSON: true, Out: &out, Err: &errOut, Now: time.Now}
			if err := listen.Run(ctx); err != nil {
				t.Fatal(err)
			}
			if n, text := strings.Count(out.String(), "\n"), out.String(); n != 5 || strings.Count(text, `"type":"lead.updated","status"`) != 1 ||
				strings.Count(errOut.String(), "began anew") != 1 {
				t.Errorf("%d lines:\n%s%s", n, text, errOut.String())
			}
		})
	}
}

func TestTrigger(t *testing.T) {
	t.Parallel()
	s := newService(t)
	var out bytes.Buffer
	trigger := Trigger{Client: s.client(), Event: "lead.updated", Out: &out, Now: time.Now}
	if err := trigger.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"create a test lead", "rename the lead", "lead.updated  "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in %s", want, out.String())
		}
	}
	trigger.Key = "dsr_live_key"
	if err := trigger.Run(t.Context()); err == nil || !strings.Contains(err.Error(), "test key") {
		t.Errorf("a live key: %v", err)
	}
	for _, kind := range dossier.EventTypes() {
		if !slices.Contains(Events(), string(kind)) {
			t.Errorf("no journey leads to %s", kind)
		}
	}
	for _, name := range Events() {
		if !dossier.EventType(name).Known() {
			t.Errorf("%s is no event", name)
		}
	}
}

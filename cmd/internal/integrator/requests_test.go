package integrator

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// requestLog is a stand-in for the log of the service: newest first, in pages of two.
type requestLog struct {
	began   time.Time
	entries []string
	asked   []string
	down    int
}

func (l *requestLog) add(id string, second, status int, problem string) {
	at := l.began.Add(time.Duration(second) * time.Second).Format(time.RFC3339Nano)
	l.entries = append(l.entries, fmt.Sprintf(`{"id":%q,"at":%q,"method":"GET","route":"/api/v1/leads","path":"/api/v1/leads","status":%d,`+
		`"durationMs":7,"problem":%s}`, id, at, status, problem))
}

func (l *requestLog) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if l.down > 0 {
		l.down--
		w.WriteHeader(http.StatusServiceUnavailable)
		return
	}
	q := r.URL.Query()
	l.asked = append(l.asked, q.Get("status")+" "+q.Get("route"))
	page, from := []json.RawMessage{}, len(l.entries)
	if q.Get("token") != "" {
		_, _ = fmt.Sscan(q.Get("token"), &from)
	}
	for ; from > 0 && len(page) < 2; from-- {
		var entry struct{ At string }
		_ = json.Unmarshal([]byte(l.entries[from-1]), &entry)
		if entry.At >= q.Get("since") {
			page = append(page, json.RawMessage(l.entries[from-1]))
		}
	}
	answer := map[string]any{"requests": page, "nextToken": nil}
	if from > 0 && len(page) == 2 {
		answer["nextToken"] = fmt.Sprint(from)
	}
	_ = json.NewEncoder(w).Encode(answer)
}

func newRequests(t *testing.T, l *requestLog, out io.Writer) Requests {
	t.Helper()
	l.began = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	server := httptest.NewServer(l)
	t.Cleanup(server.Close)
	return Requests{Client: &Client{URL: server.URL, Key: testKey, Pause: func(context.Context, time.Duration) {}}, Out: out, Err: io.Discard}
}

// The last calls, oldest first, over several pages, with the filters that were given and what went wrong.
func TestRequests(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := &requestLog{}
	requests := newRequests(t, log, &out)
	for i := range 5 {
		log.add(fmt.Sprintf("call-%d", i), i, 404, `{"code":"lead_not_found","detail":"No lead"}`)
	}
	requests.Status, requests.Route, requests.Limit = "4xx", "leads", 3
	if err := requests.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	if strings.Contains(text, "call-1") || strings.Index(text, "call-2") > strings.Index(text, "call-4") || !strings.Contains(text, "call-2") ||
		strings.Count(text, "lead_not_found: No lead") != 3 || log.asked[0] != "4xx leads" {
		t.Errorf("%v %s", log.asked, text)
	}
	requests.JSON, requests.Limit, requests.Since = true, 0, "2026-01-01T00:00:01Z"
	out.Reset()
	if err := requests.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	if lines := strings.Split(strings.TrimSpace(out.String()), "\n"); len(lines) != 4 || lines[0] != log.entries[1] {
		t.Errorf("%d lines: %s", len(lines), out.String())
	}
}

// Following shows what comes, each call once, though the service was away and an entry came late; its end is no error.
func TestRequests_follow(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	log := &requestLog{}
	requests := newRequests(t, log, &out)
	log.add("first", 20, 200, "null")
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	rounds := 0
	requests.Follow, requests.Limit = true, 10
	requests.Pause = func(context.Context, time.Duration) {
		switch rounds++; rounds {
		case 1:
			log.add("late", 15, 200, "null")
		case 2:
			log.down = 9 // more than one call tries
		case 14:
			log.add("second", 50, 500, "null")
		case 17:
			stop()
		}
	}
	if err := requests.Run(ctx); err != nil {
		t.Fatal(err)
	}
	for _, id := range []string{"first", "late", "second"} {
		if strings.Count(out.String(), "  "+id+"\n") != 1 {
			t.Errorf("%s: %s", id, out.String())
		}
	}
}

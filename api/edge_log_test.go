package api

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// Every request leaves one line with the ids that find it, its workspace and its jobs again, and no word of whom it is about.
func TestEdge_log(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := newTestServer(t, func(c *Config) {
		c.Log = slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	lead := valueAt(t, s.do(t, "POST", "/api/v1/leads", `{"firstName": "Zebulon", "lastName": "Quagga", "email": "zq@private.example", "phoneNumber": "+12125550177",
		"businessName": "Quagga Rentals", "externalLeadId": "crm-zq"}`).Body, "lead", "id")
	calls := []struct{ method, path, body string }{
		{"PUT", "/api/v1/leads", `{"leadId": "` + lead + `", "email": "quagga at private.example", "colour": "Quagga"}`},
		{"PUT", "/api/v1/leads", `{"leadId": "` + lead + `", "website": "https://quagga.example", "Quagga`},
		{"GET", "/api/v1/leads?q=Quagga&email=zq@private.example", ""},
		{"GET", "/api/v1/leads?Quagga=1", ""},
		{"POST", "/api/v1/activity", `{"leadId": "` + lead + `", "eventType": "call", "title": "Spoke with Zebulon", "metadata": {"ssn": "900-12-3456"}}`},
		{"GET", "/api/v1/leads/Quagga", ""},
		{"GET", "/nowhere/Quagga", ""},
	}
	for _, call := range calls {
		s.do(t, call.method, call.path, call.body)
	}
	s.do(t, "POST", "/pipelines/run/match-documents", `{"leadId": "`+lead+`"}`, "X-Request-Id", "trace-7")
	if n := pgtest.Value[int](t, s.Server, "SELECT count(*) FROM jobs WHERE request_id = 'trace-7'"); n != 1 {
		t.Errorf("%d jobs name the request that caused them, want 1", n)
	}
	s.do(t, "GET", "/api/v1/leads", "", "x-api-key", "dsr_live_zq")
	lines := strings.Split(strings.TrimSpace(log.String()), "\n")
	if len(lines) != len(calls)+3 {
		t.Errorf("%d lines for %d requests", len(lines), len(calls)+3)
	}
	for i, text := range lines {
		var line struct{ Request, Workspace, Route string }
		if err := json.Unmarshal([]byte(text), &line); err != nil || line.Request == "" || line.Route == "" {
			t.Errorf("not a line of a request: %s (%v)", text, err)
		}
		if known := i < len(lines)-1 && line.Route != "unknown"; known != (line.Workspace == string(s.Workspace)) {
			t.Errorf("the line of a caller with a key names its workspace, others none: %s", text)
		}
	}
	for _, secret := range []string{"Zebulon", "Quagga", "quagga", "private.example", "2125550177", "crm-zq", "900-12-3456", "dsr_live", s.Key} {
		if strings.Contains(log.String(), secret) {
			t.Errorf("the log holds %s", secret)
		}
	}
}

// Each class of operations has its time, and one that takes longer ends as unavailable.
func TestServe_deadline_of_each_class(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	for class, want := range map[class]time.Duration{
		open: 10 * time.Second, read: 10 * time.Second, write: 20 * time.Second, upload: 15 * time.Minute, poll: 35 * time.Second,
	} {
		left := make(chan time.Duration, 1)
		row := route{method: http.MethodGet, path: "/slow", class: class, handler: func(c *fiber.Ctx) error {
			end, _ := c.UserContext().Deadline()
			left <- time.Until(end)
			return context.DeadlineExceeded
		}}
		if got := s.withRows(t, row).do(t, http.MethodGet, "/slow", ""); got.Status != 503 || got.Header.Get("Retry-After") == "" {
			t.Errorf("class %d: %d %v %s, want 503 with Retry-After", class, got.Status, got.Header, got.Body)
		}
		if got := <-left; got <= 0 || got > want {
			t.Errorf("class %d: %v left, want no more than %v", class, got, want)
		}
	}
}

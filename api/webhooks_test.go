package api

import (
	"encoding/json"
	"net/netip"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func TestWebhooks(t *testing.T) {
	t.Parallel()
	converse(t, newTestServer(t), "webhooks.txt")
}

func TestWebhooks_allowedNetwork(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, func(cfg *Config) { cfg.WebhookAllow = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	if got := s.do(t, "POST", "/save-webhook", `{"url": "http://127.0.0.1:9999/"}`); got.Status != 200 {
		t.Errorf("%d %s", got.Status, got.Body)
	}
}

func TestDeliveries(t *testing.T) {
	t.Parallel()
	s := newTestServer(t)
	var hook struct {
		WebhookID dossier.WebhookID `json:"webhookId"`
	}
	var sent struct {
		EventID string `json:"eventId"`
	}
	decodeAnswer(t, s.do(t, "POST", "/save-webhook", `{"url": "https://hooks.example/"}`), &hook)
	decodeAnswer(t, s.do(t, "POST", "/api/v1/webhooks/"+string(hook.WebhookID)+"/test", ""), &sent)
	failOnce(t, s, hook.WebhookID)
	converse(t, s, "deliveries.txt", "hook", string(hook.WebhookID), "event", sent.EventID)
}

func decodeAnswer(t *testing.T, got answer, into any) {
	t.Helper()
	if got.Status >= 300 {
		t.Fatalf("%d %s", got.Status, got.Body)
	}
	if err := json.Unmarshal([]byte(got.Body), into); err != nil {
		t.Fatal(err)
	}
}

// failOnce dispatches what waits and records one failed attempt of it, as a worker would.
func failOnce(t *testing.T, s *testServer, hook dossier.WebhookID) {
	t.Helper()
	if _, err := s.DB.DispatchEvents(t.Context()); err != nil {
		t.Fatal(err)
	}
	claim := postgres.Claim{Workspace: s.Workspace, Epoch: 1}
	claim.Job = dossier.JobID(pgtest.Value[string](t, s.Server, `UPDATE jobs SET status = 'RUNNING' WHERE kind = 'webhook.drain' RETURNING id::text`))
	next, err := s.DB.NextDeliveries(t.Context(), s.Workspace, hook, 0, nil, postgres.Room{Deliveries: 10, Bytes: 4 << 20})
	if err != nil || len(next.Deliveries) != 1 {
		t.Fatalf("%v %v", next, err)
	}
	tried := postgres.Tried{Delivery: next.Deliveries[0].Delivery, Attempt: dossier.Attempt{StartedAt: s.Clock.Now(), Duration: 12 * time.Millisecond, Status: 503,
		Error: dossier.ErrorHTTP5xx, Response: "busy"}}
	if _, err := s.DB.SaveAttempts(t.Context(), claim, hook, []postgres.Tried{tried}, false, dossier.DefaultSchedule()); err != nil {
		t.Fatal(err)
	}
}

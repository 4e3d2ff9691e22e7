package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
	"github.com/dossierhq/dossier/webhooks"
)

const testSecret = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="

// delivery is a saved request, signed at a time.
func delivery(t *testing.T, at time.Time, body string) (text string, headers []string) {
	t.Helper()
	signature, err := webhooks.Sign([]string{testSecret}, "01900000-0000-7000-8000-000000000001", at, []byte(body))
	if err != nil {
		t.Fatal(err)
	}
	headers = []string{"webhook-id: 01900000-0000-7000-8000-000000000001", "webhook-timestamp: " + strconv.FormatInt(at.Unix(), 10), "webhook-signature: " + signature}
	return "POST /hook HTTP/1.1\r\n" + strings.Join(headers, "\r\n") + "\r\n\r\n" + body, headers
}

func TestVerifyWebhook(t *testing.T) {
	t.Parallel()
	const body = `{"type":"lead.created"}`
	text, headers := delivery(t, time.Now(), body)
	if r := call(t, nil, text, "verify-webhook", "--secret", testSecret); r.code != 0 || !strings.HasPrefix(r.out, "genuine: 01900000") {
		t.Errorf("%+v", r)
	}
	dir := t.TempDir()
	saved, secret := filepath.Join(dir, "body"), filepath.Join(dir, "secret")
	_ = os.WriteFile(saved, []byte(body), 0o600)
	_ = os.WriteFile(secret, []byte(testSecret+"\n"), 0o600)
	if r := call(t, nil, "", "verify-webhook", saved, "--secret-file", secret, "-H", headers[0], "-H", headers[1], "-H", headers[2], "--json"); r.code != 0 || !strings.Contains(r.out, `"genuine":true`) {
		t.Errorf("%+v", r)
	}
	r := call(t, nil, strings.Replace(text, "created", "deleted", 1), "verify-webhook", "--secret", testSecret)
	if r.code != 1 || !strings.Contains(r.out, "not genuine: no signature matches") || r.err != "" {
		t.Errorf("a forged body: %+v", r)
	}
	if r := call(t, nil, text+"\n", "verify-webhook", "--secret", testSecret); r.code != 1 || !strings.Contains(r.out, "saved with a line end") {
		t.Errorf("a line end too much: %+v", r)
	}
	old, _ := delivery(t, time.Now().Add(-time.Hour), body)
	if r := call(t, nil, old, "verify-webhook", "--secret", testSecret); r.code != 1 || !strings.Contains(r.out, "old") {
		t.Errorf("an old one: %+v", r)
	}
	if r := call(t, nil, old, "verify-webhook", "--secret", testSecret, "--saved"); r.code != 0 {
		t.Errorf("an old one that was saved: %+v", r)
	}
	operated{}.refused(t, 2, "--secret", "verify-webhook")
	operated{}.refused(t, 2, "must be like", "verify-webhook", "--secret", testSecret, "-H", "nonsense")
}

func TestDeliveries(t *testing.T) {
	t.Parallel()
	o := newOperated(t)
	contains(t, o.do(t, "deliveries", "list"), "No such deliveries.")
	ws, other := o.Workspace(t), o.Workspace(t)
	webhook, failed, done := postgres.NewID(), postgres.NewID(), postgres.NewID()
	o.Exec(t, `INSERT INTO webhooks (workspace_id, id, url, secret, created_at, updated_at) VALUES ($1, $2, 'https://example.com/hook', '', now(), now())`, ws, webhook)
	for id, status := range map[string]string{failed: "FAILED", done: "SUCCEEDED"} {
		o.Exec(t, `INSERT INTO deliveries (workspace_id, id, webhook_id, event_id, position, event_type, status, attempts, tries, last_status, last_error, created_at)
			VALUES ($1, $2, $3, $2, 1, 'lead.created', $4, 10, 10, 500, 'http_5xx', now())`, ws, id, webhook, status)
	}
	for args, want := range map[string]int{"": 2, "--status failed": 1, "--type lead.created": 2, "--type lead.updated": 0, "--webhook " + webhook: 2, "--limit 1": 1,
		"--workspace " + string(ws): 2, "--workspace " + string(other): 0, "--event " + done: 1, "--since 1h": 2} {
		if got := value[[]deliveryJSON](t, o, append([]string{"deliveries", "list"}, strings.Fields(args)...)...); len(got) != want {
			t.Errorf("deliveries list %s: %d, want %d", args, len(got), want)
		}
	}
	contains(t, o.do(t, "deliveries", "list", "--status", "FAILED"), failed, "500 http_5xx")

	o.Exec(t, `INSERT INTO attempts (workspace_id, delivery_id, number, started_at, duration_ms, status, error, response)
		SELECT $1, $2, n, now() + n * interval '1 second', 7, 500, 'http_5xx', '' FROM generate_series(1, 2) n`, ws, failed)
	o.Exec(t, `UPDATE deliveries SET completed_at = now() + interval '1 minute' WHERE id = $1`, failed)
	var way []string
	for _, h := range value[[]timelineEntry](t, o, "deliveries", "timeline", failed) {
		way = append(way, fmt.Sprint(h.What, h.Number, h.Error))
	}
	if got := strings.Join(way, " "); got != "offered0 tried1http_5xx tried2http_5xx failed0" {
		t.Errorf("the event's way: %s", got)
	}
	contains(t, o.do(t, "deliveries", "timeline", failed), "500 http_5xx in 7 ms", webhook)
	contains(t, o.do(t, "deliveries", "timeline", postgres.NewID()), "No endpoint was offered this event.")
	o.refused(t, 2, "not the id of an event", "deliveries", "timeline", "x")

	again := value[redelivered](t, o, "deliveries", "redeliver", failed)
	if len(again.Deliveries) != 1 || again.Deliveries[0].Status != dossier.DeliveryPending || again.Deliveries[0].WorkspaceID != ws {
		t.Errorf("%+v", again)
	}
	if staged := pgtest.Value[int64](t, o.Server, `SELECT count(*) FROM jobs WHERE kind LIKE 'webhook.%' AND status = 'QUEUED'`); staged != 1 {
		t.Errorf("%d jobs deliver it", staged)
	}
	o.refused(t, 1, "No delivery", "deliveries", "redeliver", postgres.NewID())
	o.refused(t, 2, "is none of PENDING", "deliveries", "list", "--status", "LOST")
	o.refused(t, 2, "not the name of an event", "deliveries", "list", "--type", "lead.exploded")
	o.refused(t, 2, "id of a webhook", "deliveries", "list", "--webhook", "x")
}

func TestPortal(t *testing.T) {
	t.Parallel()
	o := newOperated(t)
	o.do(t, "workspaces", "create", "first")
	w := value[workspaceJSON](t, o, "workspaces", "create", "second")
	lead, _ := o.Lead(t, w.ID)
	link := value[portalLink](t, o, "portal", "open", string(lead))
	if !strings.HasPrefix(link.URL, "https://dossier.example.com/portal/") {
		t.Errorf("%+v", link)
	}
	if same := strings.TrimSpace(o.do(t, "portal", "open", string(lead))); same != link.URL {
		t.Errorf("%s, want %s again", same, link.URL)
	}
	if other := value[portalLink](t, o, "portal", "open", string(lead), "--rotate"); other.URL == link.URL {
		t.Error("--rotate gave the same address")
	}
	o.refused(t, 1, "no lead", "portal", "open", postgres.NewID())
	o.refused(t, 1, "no lead", "portal", "open", "nobody")
	before := value[portalLink](t, o, "portal", "open", string(lead))
	o.do(t, "portal", "revoke", string(lead))
	if after := value[portalLink](t, o, "portal", "open", string(lead)); after.URL == before.URL {
		t.Error("a revoked address was given again")
	}
	o.refused(t, 1, "no lead", "portal", "revoke", postgres.NewID())
}

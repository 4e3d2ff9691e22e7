package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func ptr[T any](v T) *T { return &v }

// hooks is a workspace under test with one webhook.
type hooks struct {
	*pgtest.Server
	ws      dossier.WorkspaceID
	webhook dossier.Webhook
	secret  string
}

func newHooks(t *testing.T) *hooks {
	t.Helper()
	s := pgtest.New(t)
	h := &hooks{Server: s, ws: s.Workspace(t)}
	var err error
	h.webhook, h.secret, err = s.DB.CreateWebhook(t.Context(), h.ws, dossier.WebhookUpdate{
		URL: ptr("https://hooks.example/"), Headers: &[]dossier.Header{{Key: "Authorization", Value: "Bearer <TOKEN>"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// register adds a webhook to the workspace.
func (h *hooks) register(t *testing.T, u dossier.WebhookUpdate) dossier.Webhook {
	t.Helper()
	w, _, err := h.DB.CreateWebhook(t.Context(), h.ws, u)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// emit stores an event as a change would and returns its id.
func (h *hooks) emit(t *testing.T, eventType dossier.EventType, lead dossier.LeadID) dossier.EventID {
	t.Helper()
	id := dossier.EventID(postgres.NewID())
	body := dossier.EventBody(id, h.ws, eventType, h.Clock.Now(), true, []byte(`{"leadId":null}`))
	h.Exec(t, `WITH e AS (INSERT INTO events (workspace_id, id, type, lead_id, body, created_at) VALUES ($1, $2, $3, nullif($4, '')::uuid, $5, $6))
		INSERT INTO event_inbox (workspace_id, event_id, type, lead_id, created_at) VALUES ($1, $2, $3, nullif($4, '')::uuid, $6)`,
		h.ws, id, eventType, string(lead), string(body), h.Clock.Now())
	return id
}

func (h *hooks) dispatch(t *testing.T) int {
	t.Helper()
	events, err := h.DB.DispatchEvents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return events
}

// claim takes the staged job of a kind as a worker would.
func (h *hooks) claim(t *testing.T, kind string) postgres.Claim {
	t.Helper()
	c := postgres.Claim{Workspace: h.ws, Kind: kind, Epoch: 1, Attempt: 1, MaxAttempts: 10}
	c.Job = dossier.JobID(pgtest.Value[string](t, h.Server, `
		UPDATE jobs SET status = 'RUNNING', attempt = attempt + 1 WHERE id = (SELECT id FROM jobs WHERE kind = $1 AND status IN ('QUEUED', 'RETRY') ORDER BY created_at, id LIMIT 1) RETURNING id::text`, kind))
	return c
}

func (h *hooks) next(t *testing.T) []postgres.Outgoing {
	t.Helper()
	next, err := h.DB.NextDeliveries(t.Context(), h.ws, h.webhook.ID, 0, nil, postgres.Room{Deliveries: 100, Bytes: 4 << 20})
	if err != nil {
		t.Fatal(err)
	}
	return next.Deliveries
}

func (h *hooks) attempt(status int) dossier.Attempt {
	a := dossier.Attempt{StartedAt: h.Clock.Now(), Duration: 20 * time.Millisecond, Status: status, Response: "answer"}
	if status >= 500 {
		a.Error = dossier.ErrorHTTP5xx
	} else if status >= 400 {
		a.Error = dossier.ErrorHTTP4xx
	}
	return a
}

// save records one attempt of each delivery.
func (h *hooks) save(t *testing.T, claim postgres.Claim, status int, out ...postgres.Outgoing) postgres.Saved {
	t.Helper()
	var tried []postgres.Tried
	for _, o := range out {
		tried = append(tried, postgres.Tried{Delivery: o.Delivery, Attempt: h.attempt(status)})
	}
	saved, err := h.DB.SaveAttempts(t.Context(), claim, h.webhook.ID, tried, false, dossier.DefaultSchedule())
	if err != nil {
		t.Fatal(err)
	}
	return saved
}

func types(out []postgres.Outgoing) (names []string) {
	for _, o := range out {
		names = append(names, string(o.EventType))
	}
	return names
}

func (h *hooks) statuses(t *testing.T) map[dossier.DeliveryStatus]int {
	t.Helper()
	all, err := h.DB.Deliveries(t.Context(), h.ws, postgres.DeliveryFilter{}, dossier.Page{Limit: 200})
	if err != nil {
		t.Fatal(err)
	}
	counts := map[dossier.DeliveryStatus]int{}
	for _, d := range all {
		counts[d.Status]++
	}
	return counts
}

func TestCreateWebhook(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	got, err := h.DB.Webhook(t.Context(), h.ws, h.webhook.ID)
	want := dossier.Webhook{
		ID: h.webhook.ID, Workspace: h.ws, URL: "https://hooks.example/", Headers: []dossier.Header{{Key: "Authorization"}}, Enabled: true, Mode: dossier.ModeAll,
		CreatedAt: h.Clock.Now(), UpdatedAt: h.Clock.Now(),
	}
	if err != nil || !cmp.Equal(got, want) {
		t.Errorf("%v (-want +got):\n%s", err, cmp.Diff(want, got))
	}
	e, err := h.DB.Endpoint(t.Context(), h.ws, h.webhook.ID)
	if err != nil || len(e.Secrets) != 1 || e.Secrets[0] != h.secret || e.Headers[0].Value != "Bearer <TOKEN>" {
		t.Errorf("endpoint %+v %v", e, err)
	}
	stored := pgtest.Value[string](t, h.Server, `SELECT encode(secret, 'escape') || encode(headers, 'escape') FROM webhooks`)
	if strings.Contains(stored, "TOKEN") || strings.Contains(stored, h.secret[6:]) {
		t.Error("secrets are stored in the clear")
	}
}

func TestCreateWebhook_refuses(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	_, _, err := s.DB.CreateWebhook(t.Context(), s.Workspace(t), dossier.WebhookUpdate{URL: ptr("https://10.0.0.1/")})
	var refused *dossier.Error
	if !errors.As(err, &refused) || refused.Code != "blocked_address" {
		t.Errorf("%v", err)
	}
}

func TestUpdateWebhook(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	update := func(u dossier.WebhookUpdate) postgres.Endpoint {
		t.Helper()
		if _, err := h.DB.UpdateWebhook(t.Context(), h.ws, h.webhook.ID, u); err != nil {
			t.Fatal(err)
		}
		e, err := h.DB.Endpoint(t.Context(), h.ws, h.webhook.ID)
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	if e := update(dossier.WebhookUpdate{URL: ptr("https://other.example/")}); e.URL != "https://other.example/" || len(e.Headers) != 1 {
		t.Errorf("headers not sent are left: %+v", e)
	}
	if e := update(dossier.WebhookUpdate{Headers: &[]dossier.Header{}}); len(e.Headers) != 0 {
		t.Errorf("an empty list clears: %+v", e)
	}
	if e := update(dossier.WebhookUpdate{Enabled: ptr(false)}); e.Enabled {
		t.Errorf("still enabled: %+v", e)
	}
	other := h.Workspace(t)
	if _, err := h.DB.UpdateWebhook(t.Context(), other, h.webhook.ID, dossier.WebhookUpdate{}); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("another workspace's: %v", err)
	}
}

func TestRotateSecret(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	_, young, err := h.DB.RotateSecret(t.Context(), h.ws, h.webhook.ID)
	if err != nil || young == h.secret {
		t.Fatalf("%v", err)
	}
	secrets := func() []string {
		t.Helper()
		e, err := h.DB.Endpoint(t.Context(), h.ws, h.webhook.ID)
		if err != nil {
			t.Fatal(err)
		}
		return e.Secrets
	}
	if diff := cmp.Diff([]string{young, h.secret}, secrets()); diff != "" {
		t.Errorf("during the overlap (-want +got):\n%s", diff)
	}
	h.Clock.Advance(24 * time.Hour)
	if diff := cmp.Diff([]string{young}, secrets()); diff != "" {
		t.Errorf("after it (-want +got):\n%s", diff)
	}
}

func TestDispatchEvents(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	only := h.register(t, dossier.WebhookUpdate{URL: ptr("https://some.example/"), Events: &[]dossier.EventType{dossier.EventLeadCreated}})
	off := h.register(t, dossier.WebhookUpdate{URL: ptr("https://off.example/"), Enabled: ptr(false)})
	lead := dossier.LeadID(postgres.NewID())
	created := h.emit(t, dossier.EventLeadCreated, lead)
	h.emit(t, dossier.EventLeadUpdated, lead)
	if n := h.dispatch(t); n != 2 {
		t.Fatalf("dispatched %d", n)
	}
	if n := h.dispatch(t); n != 0 {
		t.Fatalf("dispatched %d again", n)
	}
	for id, want := range map[dossier.WebhookID]int{h.webhook.ID: 2, only.ID: 1, off.ID: 2} {
		got, err := h.DB.Deliveries(t.Context(), h.ws, postgres.DeliveryFilter{Webhook: id}, dossier.Page{Limit: 10})
		if err != nil || len(got) != want {
			t.Errorf("%s: %d deliveries %v, want %d", id, len(got), err, want)
		}
		for _, d := range got {
			if wantStatus := map[bool]dossier.DeliveryStatus{true: dossier.DeliverySkipped, false: dossier.DeliveryPending}[id == off.ID]; d.Status != wantStatus || d.LeadID != lead {
				t.Errorf("%+v", d)
			}
		}
	}
	if n := pgtest.Value[int](t, h.Server, `SELECT count(*) FROM jobs WHERE kind = 'webhook.drain'`); n != 2 {
		t.Errorf("%d senders, want one for each enabled endpoint", n)
	}
	out := h.next(t)
	if diff := cmp.Diff([]string{"lead.created", "lead.updated"}, types(out)); diff != "" || out[0].EventID != created {
		t.Errorf("order (-want +got):\n%s", diff)
	}
	if want := pgtest.Value[string](t, h.Server, `SELECT body FROM events WHERE id = $1`, created); string(out[0].Body) != want {
		t.Errorf("body %s", out[0].Body)
	}
}

func TestDispatchEvents_test(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	h.register(t, dossier.WebhookUpdate{URL: ptr("https://other.example/")})
	event, err := h.DB.TestWebhook(t.Context(), h.ws, h.webhook.ID)
	if err != nil {
		t.Fatal(err)
	}
	h.dispatch(t)
	got, err := h.DB.Deliveries(t.Context(), h.ws, postgres.DeliveryFilter{Event: event}, dossier.Page{Limit: 10})
	if err != nil || len(got) != 1 || got[0].WebhookID != h.webhook.ID || got[0].EventType != dossier.EventWebhookTest {
		t.Errorf("%+v %v", got, err)
	}
}

// Two changes of one lead: the first draws its number first but commits last. The feed has them as they committed.
func TestEvents_commitOrder(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	early, late := postgres.NewID(), postgres.NewID()
	insert := func(id string, seq int) {
		h.Exec(t, `INSERT INTO events (workspace_id, id, type, body, created_at) VALUES ($1, $2, 'lead.updated', '{}', now())`, h.ws, id)
		h.Exec(t, `INSERT INTO event_inbox (seq, workspace_id, event_id, type, created_at) OVERRIDING SYSTEM VALUE VALUES ($3, $1, $2, 'lead.updated', now())`, h.ws, id, seq)
	}
	insert(late, 1000002) // committed first
	h.dispatch(t)
	insert(early, 1000001)
	page, epoch, err := h.DB.Events(t.Context(), h.ws, postgres.EventFilter{Limit: 10})
	if err != nil || len(page) != 1 || epoch != 1 {
		t.Fatalf("before dispatch: %v, epoch %d: %v", page, epoch, err)
	}
	h.dispatch(t)
	page, _, err = h.DB.Events(t.Context(), h.ws, postgres.EventFilter{After: dossier.EventID(late), Limit: 10})
	if err != nil || len(page) != 1 || page[0].ID != dossier.EventID(early) {
		t.Errorf("a poller that had read %s misses %s: %v %v", late, early, page, err)
	}
	if _, _, err := h.DB.Events(t.Context(), h.ws, postgres.EventFilter{After: dossier.EventID(postgres.NewID()), Limit: 10}); dossier.KindOf(err) != dossier.Invalid {
		t.Errorf("unknown after: %v", err)
	}
	hour := time.Now().Add(time.Hour)
	for name, want := range map[string]struct {
		filter postgres.EventFilter
		ids    []string
	}{
		"another type":             {postgres.EventFilter{Type: dossier.EventLeadCreated, Limit: 10}, nil},
		"the last":                 {postgres.EventFilter{Tail: true, Limit: 1}, []string{early}},
		"the last ones":            {postgres.EventFilter{Tail: true, Limit: 10}, []string{late, early}},
		"the last of no type":      {postgres.EventFilter{Tail: true, Type: dossier.EventLeadCreated, Limit: 1}, nil},
		"the last after the first": {postgres.EventFilter{Tail: true, After: dossier.EventID(early), Limit: 1}, nil},
		"since before":             {postgres.EventFilter{Since: new(time.Time), Limit: 10}, []string{late, early}},
		"since later":              {postgres.EventFilter{Since: &hour, Limit: 10}, nil},
	} {
		page, _, err := h.DB.Events(t.Context(), h.ws, want.filter)
		var ids []string
		for _, e := range page {
			ids = append(ids, string(e.ID))
		}
		if err != nil || !slices.Equal(ids, want.ids) {
			t.Errorf("%s: %v, want %v: %v", name, ids, want.ids, err)
		}
	}
}

func TestDeleteWebhook(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	h.emit(t, dossier.EventLeadCreated, "")
	h.emit(t, dossier.EventLeadUpdated, "")
	h.dispatch(t)
	sender, out := h.claim(t, "webhook.drain"), h.next(t)
	h.save(t, sender, 500, out[0]) // waits for its retry
	if err := h.DB.DeleteWebhook(t.Context(), h.ws, h.webhook.ID); err != nil {
		t.Fatal(err)
	}
	if n, err := h.DB.EndDeliveries(t.Context(), h.ws, h.webhook.ID); err != nil || n != 2 {
		t.Fatalf("settled %d %v", n, err)
	}
	h.save(t, sender, 200, out[1]) // was on its way: logged, the status stays
	d, log, err := h.DB.Delivery(t.Context(), h.ws, out[1].ID)
	if err != nil || d.Status != dossier.DeliveryCancelled || len(log) != 1 {
		t.Errorf("%+v %v %v", d, log, err)
	}
	if _, err := h.DB.Webhook(t.Context(), h.ws, h.webhook.ID); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("%v", err)
	}
	if _, err := h.DB.Redeliver(t.Context(), h.ws, d.ID); dossier.KindOf(err) != dossier.Conflict {
		t.Errorf("redeliver to a deleted endpoint: %v", err)
	}
}

func TestRedeliver(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	h.emit(t, dossier.EventLeadCreated, "")
	h.dispatch(t)
	sender, out := h.claim(t, "webhook.drain"), h.next(t)
	h.save(t, sender, 500, out[0])
	if _, err := h.DB.FinishSender(t.Context(), sender, h.webhook.ID); err != nil {
		t.Fatal(err)
	}
	d, err := h.DB.Redeliver(t.Context(), h.ws, out[0].ID) // while its retry is five seconds away
	if err != nil || d.Status != dossier.DeliveryPending || d.Tries != 0 || !d.NextAttemptAt.Equal(h.Clock.Now()) {
		t.Fatalf("%+v %v", d, err)
	}
	if got := pgtest.Value[string](t, h.Server, `SELECT string_agg(kind || ' ' || status, ', ' ORDER BY created_at, id) FROM jobs`); got != "webhook.drain DONE, webhook.deliver CANCELLED, webhook.drain QUEUED" {
		t.Errorf("jobs %s", got)
	}
	again := h.next(t)
	if len(again) != 1 || again[0].EventID != out[0].EventID || again[0].Attempts != 1 {
		t.Errorf("%+v", again)
	}
	if _, err := h.DB.Redeliver(t.Context(), h.Workspace(t), out[0].ID); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("another workspace's: %v", err)
	}
}

func TestReplay(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	since := h.Clock.Now()
	if _, err := h.DB.UpdateWebhook(t.Context(), h.ws, h.webhook.ID, dossier.WebhookUpdate{Enabled: ptr(false)}); err != nil {
		t.Fatal(err)
	}
	const skipped = 700 // more than a page
	for range skipped {
		h.emit(t, dossier.EventLeadUpdated, "")
	}
	h.dispatch(t)
	h.Clock.Advance(time.Minute)
	ask := dossier.Replay{Since: since, Until: h.Clock.Now(), Statuses: []dossier.DeliveryStatus{dossier.DeliveryFailed, dossier.DeliverySkipped}}
	if _, err := h.DB.CreateReplay(t.Context(), h.ws, h.webhook.ID, ask); dossier.KindOf(err) != dossier.Conflict {
		t.Fatalf("replay to a disabled endpoint: %v", err)
	}
	if _, err := h.DB.UpdateWebhook(t.Context(), h.ws, h.webhook.ID, dossier.WebhookUpdate{Enabled: ptr(true)}); err != nil {
		t.Fatal(err)
	}
	r, err := h.DB.CreateReplay(t.Context(), h.ws, h.webhook.ID, ask)
	if err != nil {
		t.Fatal(err)
	}
	claim := h.claim(t, "webhook.replay")
	for page := 1; ; page++ {
		done, err := h.DB.ReplayPage(t.Context(), claim, r.ID)
		if err != nil || page > 3 {
			t.Fatalf("page %d: %v", page, err)
		}
		if done {
			break
		}
		if got := pgtest.Value[int](t, h.Server, `SELECT progress FROM jobs WHERE id = $1`, claim.Job); got != []int{71, 99}[page-1] { // 500 of 700
			t.Errorf("the job is at %d %% after page %d", got, page)
		}
	}
	r, err = h.DB.Replay(t.Context(), h.ws, h.webhook.ID, r.ID)
	if err != nil || r.Status != dossier.ReplayComplete || *r.Matched != skipped || r.Replayed != skipped || r.Capped || r.Progress() != 100 {
		t.Errorf("%+v %v", r, err)
	}
	if diff := cmp.Diff(map[dossier.DeliveryStatus]int{dossier.DeliveryPending: 201}, h.statuses(t)); diff != "" { // a page of the list, and the one that says there is more
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// What one replay takes has an end, and the replay says that it was reached.
func TestReplay_says_its_cap(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	now := h.Clock.Now()
	h.Exec(t, `INSERT INTO deliveries (workspace_id, id, webhook_id, event_id, position, event_type, status, created_at, completed_at)
		SELECT $1, gen_random_uuid(), $2, gen_random_uuid(), i, 'lead.updated', 'SKIPPED', $3, $3 FROM generate_series(1, $4::int) i`, h.ws, h.webhook.ID, now, dossier.MaxReplay+1)
	r, err := h.DB.CreateReplay(t.Context(), h.ws, h.webhook.ID, dossier.Replay{Since: now, Until: now.Add(time.Second), Statuses: []dossier.DeliveryStatus{dossier.DeliverySkipped}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.DB.ReplayPage(t.Context(), h.claim(t, "webhook.replay"), r.ID); err != nil {
		t.Fatal(err)
	}
	if r, err = h.DB.Replay(t.Context(), h.ws, h.webhook.ID, r.ID); err != nil || !r.Capped || *r.Matched != dossier.MaxReplay || r.Status != dossier.ReplayInProgress {
		t.Errorf("%+v %v", r, err)
	}
}

func TestSweepEvents(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	h.emit(t, dossier.EventLeadCreated, "")
	h.dispatch(t)
	if _, err := h.DB.SweepEvents(t.Context()); err != nil { // makes today's partition
		t.Fatal(err)
	}
	sender, out := h.claim(t, "webhook.drain"), h.next(t)
	h.save(t, sender, 200, out...)
	waits := h.emit(t, dossier.EventLeadUpdated, "")
	h.dispatch(t)
	if n := pgtest.Value[int](t, h.Server, `SELECT count(*) FROM attempts_20260102`); n != 1 {
		t.Fatalf("%d attempts in today's partition", n)
	}
	h.Clock.Advance(32 * 24 * time.Hour)
	if _, err := h.DB.SweepEvents(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := pgtest.Value[int](t, h.Server, `SELECT count(*) FROM attempts`); n != 0 {
		t.Errorf("%d attempts are left", n)
	}
	if got := pgtest.Value[string](t, h.Server, `SELECT string_agg(id::text, ' ') FROM events`); got != string(waits) {
		t.Errorf("events left: %s, want the one still to be delivered", got)
	}
	if n := pgtest.Value[int](t, h.Server, `SELECT count(*) FROM pg_class WHERE relname ~ '^attempts_2' AND relkind = 'r' AND NOT relforcerowsecurity`); n != 0 {
		t.Errorf("%d partitions without row-level security", n)
	}
	if n := pgtest.Value[int](t, h.Server, `SELECT count(*) FROM pg_class WHERE relname = 'attempts_20260102'`); n != 0 {
		t.Error("the old partition was not dropped")
	}
}

// A sender that runs is told of what is dispatched, and no second one is staged beside it.
func TestDispatchEvents_running(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	conn, err := pgx.Connect(t.Context(), h.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	if _, err := conn.Exec(t.Context(), `LISTEN dossier_drains; LISTEN dossier_drains_freed`); err != nil {
		t.Fatal(err)
	}
	h.emit(t, dossier.EventLeadCreated, "")
	h.dispatch(t)
	h.claim(t, "webhook.drain")
	h.register(t, dossier.WebhookUpdate{URL: ptr("https://other.example/"), Enabled: ptr(false)})
	h.emit(t, dossier.EventLeadUpdated, "")
	h.dispatch(t)
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	told := func(channel string) {
		t.Helper()
		note, err := conn.WaitForNotification(ctx)
		if err != nil || note.Payload != string(h.webhook.ID) || note.Channel != channel {
			t.Errorf("told %+v %v, want %s on %s", note, err, h.webhook.ID, channel)
		}
	}
	told("dossier_drains")
	if _, err := h.DB.Redeliver(t.Context(), h.ws, h.next(t)[0].ID); err != nil {
		t.Fatal(err)
	}
	told("dossier_drains_freed")
	if n := pgtest.Value[int](t, h.Server, `SELECT count(*) FROM jobs WHERE kind = 'webhook.drain'`); n != 1 {
		t.Errorf("%d senders", n)
	}
}

// An endpoint says when one of its deliveries is retried.
func TestEndpoint_retrying(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	lead, _ := h.Lead(t, h.ws)
	h.emit(t, dossier.EventLeadCreated, lead)
	h.dispatch(t)
	claim := h.claim(t, "webhook.drain")
	retrying := func() bool {
		t.Helper()
		e, err := h.DB.Endpoint(t.Context(), h.ws, h.webhook.ID)
		if err != nil {
			t.Fatal(err)
		}
		return e.Retrying
	}
	if retrying() {
		t.Error("nothing is retried")
	}
	h.save(t, claim, 503, h.next(t)[0])
	if !retrying() {
		t.Error("one is retried")
	}
}

// Senders of two workspaces ask at the same time: each is given its own, whatever the others have in hand.
func TestNextDeliveries_together(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	second := h.register(t, dossier.WebhookUpdate{URL: ptr("https://second.example/")})
	other := h.Workspace(t)
	foreign, _, err := h.DB.CreateWebhook(t.Context(), other, dossier.WebhookUpdate{URL: ptr("https://foreign.example/")})
	if err != nil {
		t.Fatal(err)
	}
	for range 5 {
		h.emit(t, dossier.EventLeadCreated, "")
	}
	own := h.ws
	h.ws = other
	h.emit(t, dossier.EventLeadUpdated, "")
	h.ws = own
	h.dispatch(t)
	whole := h.next(t)
	ask := func(ws dossier.WorkspaceID, hook dossier.WebhookID, after int64, except []dossier.DeliveryID, most int) string {
		next, err := h.DB.NextDeliveries(t.Context(), ws, hook, after, except, postgres.Room{Deliveries: most, Bytes: 4 << 20})
		if err != nil {
			return err.Error()
		}
		text := fmt.Sprint(len(next.Deliveries), next.Full)
		for _, o := range next.Deliveries {
			if o.WebhookID != hook || o.Workspace != ws || len(o.Body) == 0 {
				text += " and one of another"
			}
		}
		return text
	}
	for range 20 {
		var all sync.WaitGroup
		var got [4]string
		all.Go(func() { got[0] = ask(own, h.webhook.ID, whole[1].Position, []dossier.DeliveryID{whole[3].ID}, 100) })
		all.Go(func() { got[1] = ask(own, second.ID, 0, nil, 3) })
		all.Go(func() { got[2] = ask(other, foreign.ID, 0, nil, 1) })
		all.Go(func() { got[3] = ask(own, foreign.ID, 0, nil, 100) })
		all.Wait()
		if diff := cmp.Diff([4]string{"2 false", "3 true", "1 true", "0 false"}, got); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
	}
}

// The statements of a dispatch are planned while nothing waits. That plan must serve when a great many do: it reads the events it
// takes, not all that wait.
func TestDispatchEvents_plan(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	for range 2 { // once for the table to have had a row, and once to be planned for having none
		h.emit(t, dossier.EventLeadCreated, "")
		h.dispatch(t)
		h.Exec(t, `ANALYZE event_inbox`)
	}
	h.emit(t, dossier.EventLeadCreated, "")
	h.dispatch(t)
	read := func() int {
		return pgtest.Value[int](t, h.Server, `SELECT seq_tup_read + idx_tup_fetch FROM pg_stat_user_tables WHERE relname = 'event_inbox'`)
	}
	const waiting = 20_000
	h.Exec(t, `INSERT INTO event_inbox (workspace_id, event_id, type, created_at) SELECT $1, gen_random_uuid(), 'lead.created', now() FROM generate_series(1, $2)`, h.ws, waiting)
	dispatched, before := 0, read()
	for dispatched < waiting {
		dispatched += h.dispatch(t)
	}
	for read() < before+dispatched { // the database counts a second late, with the next commit
		h.dispatch(t)
	}
	if n := read() - before; dispatched != waiting || n > 5*waiting {
		t.Errorf("dispatched %d and read %d to do so", dispatched, n)
	}
}

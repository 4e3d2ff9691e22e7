package worker

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
	"github.com/dossierhq/dossier/webhooks"
)

// hookBench is a bench with a store on the real clock, and customers' endpoints.
type hookBench struct {
	*bench
	db       *postgres.DB
	schedule dossier.Schedule
	inflight int
	head     time.Duration // the limit for a response's head; short only where an endpoint hangs

	receivers []*receiver
}

func setupHooks(t *testing.T) *hookBench {
	t.Helper()
	return hooksOn(setup(t))
}

func hooksOn(b *bench) *hookBench {
	b.t.Helper()
	h := &hookBench{bench: b, schedule: dossier.Schedule{0, time.Second, time.Second, time.Second, time.Second}, inflight: 10, head: dossier.AttemptTimeout}
	h.opened(b.pg.Run, 8)
	return h
}

// deliverer makes a worker of the webhook lanes.
func (b *hookBench) deliverer() *Worker {
	b.t.Helper()
	client := webhooks.NewClient(webhooks.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Now: time.Now, HeadTimeout: b.head})
	w, err := New(Config{DB: b.db, Redis: b.redis, Metrics: prometheus.NewRegistry(), Log: testLog(b.t), Drain: 5 * time.Second,
		Lanes:    []jobs.Lane{jobs.LaneWebhook, jobs.LaneWebhookRetry, jobs.LaneSystem},
		Webhooks: WebhookConfig{Client: client, Schedule: b.schedule, Inflight: b.inflight}})
	if err != nil {
		b.t.Fatal(err)
	}
	w.timing, w.schedule = quick, nil
	return b.watched(w)
}

// receiver is a customer's endpoint. It checks every signature and counts.
type receiver struct {
	*httptest.Server
	webhook dossier.WebhookID
	mu      sync.Mutex
	secret  string
	seen    []string // ids of the events that it took, in order
	bad     []string
	now     int
	peak    int // requests at once
	answer  func(n int, w http.ResponseWriter, r *http.Request) bool
	calls   int
}

// receive starts an endpoint and registers it. answer, when there is one, writes the answer to the nth request and
// reports whether that took the event.
func (b *hookBench) receive(answer func(n int, w http.ResponseWriter, r *http.Request) bool) *receiver {
	b.t.Helper()
	r := &receiver{answer: answer}
	r.Server = httptest.NewServer(r)
	b.t.Cleanup(r.Close)
	w, secret, err := b.db.CreateWebhook(b.t.Context(), b.ws, dossier.WebhookUpdate{URL: &r.URL, Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}})
	if err != nil {
		b.t.Fatal(err)
	}
	r.webhook, r.secret = w.ID, secret
	b.receivers = append(b.receivers, r)
	return r
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	body, _ := io.ReadAll(req.Body)
	r.mu.Lock()
	r.calls++
	n := r.calls
	r.now++
	r.peak = max(r.peak, r.now)
	if err := webhooks.Verify([]string{r.secret}, req.Header, body, time.Now()); err != nil || !strings.Contains(string(body), req.Header.Get("webhook-id")) {
		r.bad = append(r.bad, fmt.Sprint(err))
	}
	r.mu.Unlock()
	took := r.answer == nil || r.answer(n, w, req)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.now--
	if took {
		r.seen = append(r.seen, req.Header.Get("webhook-id"))
	}
}

// tally is how many requests came, how many at once, and what was wrong with signatures.
func (r *receiver) tally() (calls, peak int, bad []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.calls, r.peak, slices.Clone(r.bad)
}

func (r *receiver) took() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.seen)
}

// emitSQL is what the commit of an event writes.
const emitSQL = `WITH e AS (INSERT INTO events (workspace_id, id, type, lead_id, body, created_at) VALUES ($1, $2, 'lead.updated', nullif($3, '')::uuid, $4, now()))
	INSERT INTO event_inbox (workspace_id, event_id, type, lead_id, created_at) VALUES ($1, $2, 'lead.updated', nullif($3, '')::uuid, now())`

// emit commits n events of a lead ("" for none) and returns their ids in order.
func (b *hookBench) emit(n int, lead dossier.LeadID) []string {
	b.t.Helper()
	ids := make([]string, n)
	for i := range ids {
		id := dossier.EventID(postgres.NewID())
		body := dossier.EventBody(id, b.ws, dossier.EventLeadUpdated, time.Now(), true, []byte(`{"leadId":null}`))
		b.pg.Exec(b.t, emitSQL, b.ws, id, string(lead), string(body))
		ids[i] = string(id)
	}
	return ids
}

func (b *hookBench) deliveries(status dossier.DeliveryStatus) int {
	return pgtest.Value[int](b.t, b.pg, `SELECT count(*) FROM deliveries WHERE status = $1`, status)
}

func newLead() dossier.LeadID { return dossier.LeadID(postgres.NewID()) }

func TestWebhooks_everyEventOnceSigned(t *testing.T) {
	b := setupHooks(t)
	first, second := b.receive(nil), b.receive(nil)
	b.run(b.deliverer())
	b.run(b.deliverer()) // two processes
	var ids []string
	for range 20 {
		ids = append(ids, b.emit(10, newLead())...)
	}
	b.until("all delivered", func() bool { return b.deliveries(dossier.DeliverySucceeded) == 2*len(ids) })
	for _, r := range []*receiver{first, second} {
		seen := r.took()
		_, peak, bad := r.tally()
		if len(seen) != len(ids) || len(bad) > 0 {
			t.Errorf("%d of %d events, %v", len(seen), len(ids), bad)
		}
		slices.Sort(seen)
		if len(slices.Compact(seen)) != len(ids) {
			t.Error("an event came twice")
		}
		if peak > 10 {
			t.Errorf("%d requests at once", peak)
		}
	}
	b.until("senders have ended", func() bool { return b.count(dossier.JobDone) > 0 && b.count(dossier.JobRunning) == 0 })
	if n := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM attempts`); n != 2*len(ids) {
		t.Errorf("%d attempts logged", n)
	}
	b.undoubled(t)
}

func TestWebhooks_orderOfALead(t *testing.T) {
	b := setupHooks(t)
	lead := newLead()
	r := b.receive(func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n == 3 { // the third event fails once
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return n != 3
	})
	w := b.deliverer()
	b.run(w)
	ids := b.emit(8, lead)
	b.until("the retry is visible in its lane", func() bool {
		return pgtest.Value[int](t, b.pg, `SELECT count(*) FROM jobs WHERE kind = 'webhook.deliver' AND lane = 'webhook-retry'`) == 1
	})
	b.until("all delivered", func() bool { return b.deliveries(dossier.DeliverySucceeded) == len(ids) })
	if got := r.took(); !slices.Equal(got, ids) {
		t.Errorf("took  %v\nwant  %v", got, ids)
	}
	b.undoubled(t)
}

func TestWebhooks_retriesStandInTheQueuesRetrySet(t *testing.T) {
	b := setupHooks(t)
	b.schedule = dossier.Schedule{0, time.Second, time.Hour}
	b.receive(func(_ int, w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(500); return false })
	w := b.deliverer()
	b.run(w)
	b.emit(1, "")
	b.until("the second failure waits in the retry set of its lane", func() bool {
		list, err := w.inspector.ListRetryTasks(string(jobs.LaneWebhookRetry))
		return err == nil && len(list) == 1 && list[0].Type == "webhook.deliver"
	})
	due := pgtest.Value[time.Duration](t, b.pg, `SELECT next_attempt_at - now() FROM deliveries WHERE attempts = 2 AND status = 'PENDING'`)
	if due < 47*time.Minute || due > 73*time.Minute {
		t.Errorf("next try in %s", due)
	}
}

func TestWebhooks_failedAfterTheLastTry(t *testing.T) {
	b := setupHooks(t)
	b.schedule = dossier.Schedule{0, 10 * time.Millisecond}
	r := b.receive(func(_ int, w http.ResponseWriter, _ *http.Request) bool { w.WriteHeader(500); return false })
	b.run(b.deliverer())
	b.emit(1, "")
	b.until("failed", func() bool { return b.deliveries(dossier.DeliveryFailed) == 1 })
	if calls, _, _ := r.tally(); calls != 2 {
		t.Errorf("%d tries", calls)
	}
	b.until("no job is left over", func() bool {
		return b.count(dossier.JobRetry)+b.count(dossier.JobRunning)+b.count(dossier.JobQueued) == 0
	})
	b.undoubled(t)
}

func TestWebhooks_hangingEndpointHarmsNobody(t *testing.T) {
	b := setupHooks(t)
	b.head = 2 * time.Second
	release := make(chan struct{})
	hanging := b.receive(func(_ int, _ http.ResponseWriter, r *http.Request) bool {
		select {
		case <-release:
		case <-r.Context().Done():
		}
		return false
	})
	defer close(release)
	healthy := b.receive(nil)
	b.run(b.deliverer())
	ids := b.emit(200, "")
	b.until("the healthy one has all", func() bool { return len(healthy.took()) == len(ids) })
	if _, peak, _ := hanging.tally(); peak > 10 {
		t.Errorf("%d requests at once", peak)
	}
	b.until("its breaker opens", func() bool {
		return pgtest.Value[int](t, b.pg, `SELECT count(*) FROM webhooks WHERE id = $1 AND (breaker->>'OpenFor')::bigint > 0`, hanging.webhook) == 1
	})
	if n := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM attempts a JOIN deliveries d ON d.id = a.delivery_id WHERE d.webhook_id = $1`, hanging.webhook); n > 20 {
		t.Errorf("%d tries were spent on an endpoint that hangs", n)
	}
}

func TestWebhooks_secretRotatedAndUrlChangedWhileWaiting(t *testing.T) {
	b := setupHooks(t)
	r := b.receive(nil)
	ids := b.emit(3, "")
	_, young, err := b.db.RotateSecret(t.Context(), b.ws, r.webhook)
	if err != nil {
		t.Fatal(err)
	}
	r.secret = young
	b.run(b.deliverer())
	b.until("all delivered", func() bool { return len(r.took()) == len(ids) })
	if _, _, bad := r.tally(); len(bad) > 0 {
		t.Error(bad)
	}
	b.undoubled(t)
}

func TestWebhooks_deletedWhileWaiting(t *testing.T) {
	b := setupHooks(t)
	r := b.receive(nil)
	b.emit(5, "")
	if _, err := b.db.DispatchEvents(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.db.DeleteWebhook(t.Context(), b.ws, r.webhook); err != nil {
		t.Fatal(err)
	}
	b.run(b.deliverer())
	b.until("cancelled", func() bool { return b.deliveries(dossier.DeliveryCancelled) == 5 })
	b.until("no job is left over", func() bool { return b.count(dossier.JobRunning)+b.count(dossier.JobQueued) == 0 })
	if calls, _, _ := r.tally(); calls != 0 {
		t.Errorf("%d requests to a deleted endpoint", calls)
	}
	b.undoubled(t)
}

func TestWebhooks_replaysWhatWasSkipped(t *testing.T) {
	b := setupHooks(t)
	r := b.receive(nil)
	enabled := false
	if _, err := b.db.UpdateWebhook(t.Context(), b.ws, r.webhook, dossier.WebhookUpdate{Enabled: &enabled}); err != nil {
		t.Fatal(err)
	}
	b.run(b.deliverer())
	ids := b.emit(40, newLead())
	b.until("skipped", func() bool { return b.deliveries(dossier.DeliverySkipped) == len(ids) })
	enabled = true
	if _, err := b.db.UpdateWebhook(t.Context(), b.ws, r.webhook, dossier.WebhookUpdate{Enabled: &enabled}); err != nil {
		t.Fatal(err)
	}
	replay := dossier.Replay{Since: time.Unix(0, 0), Until: time.Now().Add(time.Minute), Statuses: []dossier.DeliveryStatus{dossier.DeliverySkipped}}
	if _, err := b.db.CreateReplay(t.Context(), b.ws, r.webhook, replay); err != nil {
		t.Fatal(err)
	}
	b.until("replayed", func() bool { return len(r.took()) == len(ids) })
	if got := r.took(); !slices.Equal(got, ids) {
		t.Errorf("took  %v\nwant  %v", got, ids)
	}
	b.undoubled(t)
}

func TestWebhooks_rateLimit(t *testing.T) {
	b := setupHooks(t)
	r := b.receive(nil)
	limit := 20
	if _, err := b.db.UpdateWebhook(t.Context(), b.ws, r.webhook, dossier.WebhookUpdate{RateLimit: &limit}); err != nil {
		t.Fatal(err)
	}
	b.run(b.deliverer())
	began := time.Now()
	ids := b.emit(30, "")
	b.until("all delivered", func() bool { return len(r.took()) == len(ids) })
	// 30 at 20 a second with a burst of 2 cannot end before 1.4 s, however slow or fast the machine is.
	if took := time.Since(began); took < 1300*time.Millisecond {
		t.Errorf("30 deliveries took %s at 20 a second", took)
	}
	b.undoubled(t)
}

// A worker that loses its claim while it sends: its outcomes are refused, and the event comes once more with the same
// id.
func TestWebhooks_killedWhileSending(t *testing.T) {
	b := setupHooks(t)
	gate := make(chan struct{})
	r := b.receive(func(n int, _ http.ResponseWriter, _ *http.Request) bool {
		if n == 1 {
			<-gate
		}
		return true
	})
	b.run(b.deliverer())
	ids := b.emit(1, "")
	b.until("it is under way", func() bool { calls, _, _ := r.tally(); return calls == 1 })
	// What the reaper does to a worker that died: the job goes to somebody else under a new epoch.
	b.pg.Exec(t, `WITH j AS (UPDATE jobs SET status = 'QUEUED', epoch = epoch + 1, lease_until = NULL, run_at = now() WHERE kind = 'webhook.drain' RETURNING *)
		INSERT INTO outbox (workspace_id, job_id, epoch, kind, lane, payload, run_at) SELECT workspace_id, id, epoch, kind, lane, payload, run_at FROM j`)
	b.until("delivered by the next", func() bool { return b.deliveries(dossier.DeliverySucceeded) == 1 })
	close(gate)
	b.until("both requests came", func() bool { return len(r.took()) == 2 })
	if got := r.took(); got[0] != ids[0] || got[1] != ids[0] {
		t.Errorf("took %v", got)
	}
	b.until("the late outcome is refused", func() bool { return b.count(dossier.JobRunning) == 0 })
	if n := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM attempts`); n != 1 {
		t.Errorf("%d attempts logged", n)
	}
}

// A lead whose first event fails holds back its later ones, however many, and nobody else's behind them.
func TestWebhooks_aBlockedLeadHoldsBackNobodyElse(t *testing.T) {
	b := setupHooks(t)
	b.schedule = dossier.Schedule{0, time.Hour}
	var stuck string
	r := b.receive(func(_ int, w http.ResponseWriter, r *http.Request) bool {
		if r.Header.Get("webhook-id") == stuck {
			w.WriteHeader(503)
			return false
		}
		return true
	})
	held := b.emit(senderBuffer+50, newLead())
	stuck = held[0]
	last := b.emit(1, newLead())[0]
	b.run(b.deliverer())
	b.until("the other lead's event has come", func() bool { return slices.Contains(r.took(), last) })
	b.until("the sender has ended", func() bool {
		return pgtest.Value[int](t, b.pg, `SELECT count(*) FROM jobs WHERE kind = 'webhook.drain' AND status IN ('QUEUED', 'RUNNING')`) == 0
	})
	if got := r.took(); len(got) != 1 {
		t.Errorf("%d events came, want only the other lead's", len(got))
	}
}

// A sender whose slice is over goes on while its lane has a place for others and is not paused, but not for ever.
func TestDrain_prolong(t *testing.T) {
	b := setupHooks(t)
	w := b.deliverer()
	slots := w.lanes[slices.IndexFunc(w.lanes, func(l *lane) bool { return l.name == jobs.LaneWebhook })].slots
	over := func(last time.Duration) time.Duration {
		t.Helper()
		now := w.Now()
		d := &endpointSender{w: w, sliceEnd: now, maxEnd: now.Add(last)}
		d.extendSlice(t.Context())
		return d.sliceEnd.Sub(now)
	}
	if got := over(time.Minute); got < senderStep {
		t.Errorf("with places left it goes on for %s", got)
	}
	if got := over(2 * time.Second); got > 2*time.Second {
		t.Errorf("near its end it goes on for %s", got)
	}
	if got := over(-time.Second); got != 0 {
		t.Errorf("after its end it goes on for %s", got)
	}
	for range cap(slots) {
		slots <- struct{}{}
	}
	if got := over(time.Minute); got != 0 {
		t.Errorf("with no place left it goes on for %s", got)
	}
	<-slots
	if err := b.db.SetLanePaused(t.Context(), jobs.LaneWebhook, true, "test"); err != nil {
		t.Fatal(err)
	}
	if got := over(time.Minute); got != 0 {
		t.Errorf("in a paused lane it goes on for %s", got)
	}
}

package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func TestSaveAttempts_success(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	h.emit(t, dossier.EventLeadCreated, "")
	h.dispatch(t)
	claim, out := h.claim(t, "webhook.drain"), h.next(t)
	h.save(t, claim, 204, out...)
	d, log, err := h.DB.Delivery(t.Context(), h.ws, out[0].ID)
	if err != nil || d.Status != dossier.DeliverySucceeded || d.Attempts != 1 || d.LastStatus != 204 || d.NextAttemptAt != nil || d.CompletedAt == nil {
		t.Errorf("%+v %v", d, err)
	}
	want := []dossier.Attempt{{Number: 1, StartedAt: h.Clock.Now(), Duration: 20 * time.Millisecond, Status: 204, Response: "answer"}}
	if diff := cmp.Diff(want, log); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(h.next(t)) != 0 {
		t.Error("it is still waiting")
	}
	claim.Epoch = 2
	if _, err := h.DB.SaveAttempts(t.Context(), claim, h.webhook.ID, []postgres.Tried{{Delivery: d, Attempt: h.attempt(200)}}, false, dossier.DefaultSchedule()); !errors.Is(err, postgres.ErrFenced) {
		t.Errorf("a stale claim wrote: %v", err)
	}
}

func TestSaveAttempts_order(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	lead, other := dossier.LeadID(postgres.NewID()), dossier.LeadID(postgres.NewID())
	h.emit(t, dossier.EventRunCompleted, lead)
	h.emit(t, dossier.EventLeadCompleted, lead)
	h.emit(t, dossier.EventLeadCreated, other)
	h.emit(t, dossier.EventExportCompleted, "")
	h.dispatch(t)
	sender := h.claim(t, "webhook.drain")
	first := h.next(t)[0]
	saved := h.save(t, sender, 500, first)
	if diff := cmp.Diff([]string{"lead.created", "export.completed"}, types(h.next(t))); diff != "" {
		t.Fatalf("lead.completed overtakes (-want +got):\n%s", diff)
	}
	h.save(t, sender, 200, h.next(t)...)
	if more, err := h.DB.FinishSender(t.Context(), sender, h.webhook.ID); err != nil || more {
		t.Fatalf("sender goes on for what is held back: %v %v", more, err)
	}
	d := saved.Deliveries[0]
	for try := 2; try <= 4; try++ {
		var err error
		retry := h.claim(t, "webhook.deliver")
		if d, err = h.DB.SaveRetry(t.Context(), retry, postgres.Tried{Delivery: d, Attempt: h.attempt(500)}, dossier.DefaultSchedule()); err != nil {
			t.Fatal(err)
		}
		if want := try == 4; (len(h.next(t)) == 1) != want {
			t.Fatalf("after try %d: %v", try, types(h.next(t)))
		}
	}
	if n := pgtest.Value[int](t, h.Server, `SELECT count(*) FROM jobs WHERE kind = 'webhook.drain' AND status = 'QUEUED'`); n != 1 {
		t.Errorf("%d senders staged for what was let go", n)
	}
}

func TestSaveRetry_releasesOnSuccess(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	lead := dossier.LeadID(postgres.NewID())
	h.emit(t, dossier.EventRunCompleted, lead)
	h.emit(t, dossier.EventLeadCompleted, lead)
	h.dispatch(t)
	sender := h.claim(t, "webhook.drain")
	saved := h.save(t, sender, 500, h.next(t)[0])
	if _, err := h.DB.FinishSender(t.Context(), sender, h.webhook.ID); err != nil {
		t.Fatal(err)
	}
	retry := h.claim(t, "webhook.deliver")
	// By the database's clock, whatever that of the worker says.
	wait := saved.Deliveries[0].NextAttemptAt.Sub(h.Clock.Now())
	if due := pgtest.Value[time.Duration](t, h.Server, `SELECT run_at - now() FROM jobs WHERE id = $1`, retry.Job); due > wait || due < wait-time.Minute {
		t.Errorf("job due in %s, delivery in %s", due, wait)
	}
	d, err := h.DB.SaveRetry(t.Context(), retry, postgres.Tried{Delivery: saved.Deliveries[0], Attempt: h.attempt(200)}, dossier.DefaultSchedule())
	if err != nil || d.Status != dossier.DeliverySucceeded || d.Attempts != 2 {
		t.Fatalf("%+v %v", d, err)
	}
	if diff := cmp.Diff([]string{"lead.completed"}, types(h.next(t))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := pgtest.Value[string](t, h.Server, `SELECT status || coalesce(result_ref, '') FROM jobs WHERE id = $1`, retry.Job); got != "DONEdelivery:"+string(d.ID) {
		t.Errorf("retry job %s", got)
	}
}

// failed has a lead's first event failed once and its sender ended; it returns the delivery and the job that retries it.
func (h *hooks) failed(t *testing.T, lead dossier.LeadID) (dossier.Delivery, postgres.Claim) {
	t.Helper()
	h.emit(t, dossier.EventLeadCreated, lead)
	h.dispatch(t)
	sender := h.claim(t, "webhook.drain")
	saved := h.save(t, sender, 500, h.next(t)[0])
	if _, err := h.DB.FinishSender(t.Context(), sender, h.webhook.ID); err != nil {
		t.Fatal(err)
	}
	return saved.Deliveries[0], h.claim(t, "webhook.deliver")
}

// senders is how many are staged.
func (h *hooks) senders(t *testing.T) int {
	t.Helper()
	return pgtest.Value[int](t, h.Server, `SELECT count(*) FROM jobs WHERE kind = 'webhook.drain' AND status = 'QUEUED'`)
}

// What waits behind a retry needs no sender until that ends; what any other lead's event brings does.
func TestDispatchEvents_behindARetry(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	lead := dossier.LeadID(postgres.NewID())
	d, retry := h.failed(t, lead)
	h.emit(t, dossier.EventLeadUpdated, lead)
	h.dispatch(t)
	if n := h.senders(t); n != 0 {
		t.Errorf("%d senders for what waits behind a retry", n)
	}
	h.emit(t, dossier.EventLeadUpdated, lead)
	h.emit(t, dossier.EventLeadUpdated, dossier.LeadID(postgres.NewID()))
	h.dispatch(t)
	if n := h.senders(t); n != 1 {
		t.Errorf("%d senders for another lead's event", n)
	}
	h.Exec(t, `DELETE FROM jobs WHERE kind = 'webhook.drain'`)
	if _, err := h.DB.SaveRetry(t.Context(), retry, postgres.Tried{Delivery: d, Attempt: h.attempt(200)}, dossier.DefaultSchedule()); err != nil {
		t.Fatal(err)
	}
	if n := h.senders(t); n != 1 {
		t.Errorf("%d senders once the retry ended", n)
	}
}

// A retry that ends while a dispatcher still sees it stages the sender for what that one dispatches.
func TestSaveRetry_beside_a_dispatcher(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	lead := dossier.LeadID(postgres.NewID())
	d, retry := h.failed(t, lead)
	conn, err := pgx.Connect(t.Context(), h.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(t.Context())) }()
	dispatcher, err := conn.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := dispatcher.Exec(t.Context(), `SELECT pg_advisory_xact_lock_shared(hashtextextended('drain:' || $1, 0))`, h.webhook.ID); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		_, err := h.DB.SaveRetry(t.Context(), retry, postgres.Tried{Delivery: d, Attempt: h.attempt(200)}, dossier.DefaultSchedule())
		ended <- err
	}()
	for pgtest.Value[int](t, h.Server, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'`) == 0 {
		if len(ended) > 0 {
			t.Fatalf("the retry did not wait for the dispatcher: %v", <-ended)
		}
	}
	if _, err := dispatcher.Exec(t.Context(), `INSERT INTO deliveries (workspace_id, id, webhook_id, event_id, position, event_type, lead_id, created_at)
		SELECT workspace_id, gen_random_uuid(), webhook_id, gen_random_uuid(), position + 1, event_type, lead_id, created_at FROM deliveries`); err != nil {
		t.Fatal(err)
	}
	if err := dispatcher.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if n := h.senders(t); n != 1 {
		t.Errorf("%d senders for what was dispatched meanwhile", n)
	}
}

func TestFinishDrain(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	h.emit(t, dossier.EventLeadCreated, "")
	h.dispatch(t)
	sender := h.claim(t, "webhook.drain")
	h.emit(t, dossier.EventLeadUpdated, "")
	h.dispatch(t) // the sender runs: told, not staged again
	if n := pgtest.Value[int](t, h.Server, `SELECT count(*) FROM jobs`); n != 1 {
		t.Fatalf("%d jobs", n)
	}
	if more, err := h.DB.FinishSender(t.Context(), sender, h.webhook.ID); err != nil || !more {
		t.Fatalf("ends with work waiting: %v %v", more, err)
	}
	if got := pgtest.Value[string](t, h.Server, `SELECT string_agg(status, ' ' ORDER BY created_at, id) FROM jobs`); got != "DONE QUEUED" {
		t.Errorf("jobs %s", got)
	}
}

func TestSaveAttempts_gone(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	other := h.register(t, dossier.WebhookUpdate{URL: ptr("https://other.example/"), Events: &[]dossier.EventType{dossier.EventWebhookDisabled}})
	h.emit(t, dossier.EventLeadCreated, "")
	h.emit(t, dossier.EventLeadUpdated, "")
	h.dispatch(t)
	sender := h.claim(t, "webhook.drain")
	if saved := h.save(t, sender, 410, h.next(t)[0]); !saved.Disabled || saved.Deliveries[0].Status != dossier.DeliverySkipped {
		t.Fatalf("%+v", saved)
	}
	w, err := h.DB.Webhook(t.Context(), h.ws, h.webhook.ID)
	if err != nil || w.Enabled || w.DisabledReason != dossier.DisabledGone {
		t.Errorf("%+v %v", w, err)
	}
	if n, err := h.DB.EndDeliveries(t.Context(), h.ws, h.webhook.ID); err != nil || n != 1 {
		t.Errorf("settled %d %v", n, err)
	}
	h.emit(t, dossier.EventLeadReopened, "")
	h.dispatch(t)
	if diff := cmp.Diff(map[dossier.DeliveryStatus]int{dossier.DeliverySkipped: 4, dossier.DeliveryPending: 1}, h.statuses(t)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	told, err := h.DB.Deliveries(t.Context(), h.ws, postgres.DeliveryFilter{Webhook: other.ID}, dossier.Page{Limit: 10})
	if err != nil || len(told) != 1 || told[0].EventType != dossier.EventWebhookDisabled {
		t.Errorf("others are told: %+v %v", told, err)
	}
	if n := pgtest.Value[int](t, h.Server, `SELECT count(*) FROM audit_entries WHERE action = 'webhook.disabled' AND detail->>'reason' = 'gone'`); n != 1 {
		t.Errorf("%d log entries", n)
	}
}

func TestSaveAttempts_fiveDaysOfFailures(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	for i := range 3 {
		h.emit(t, dossier.EventLeadCreated, "")
		h.dispatch(t)
		sender := h.claim(t, "webhook.drain")
		saved := h.save(t, sender, 500, h.next(t)...)
		if saved.Disabled != (i == 2) {
			t.Fatalf("failure %d: %+v", i, saved)
		}
		if _, err := h.DB.FinishSender(t.Context(), sender, h.webhook.ID); err != nil {
			t.Fatal(err)
		}
		h.Clock.Advance(61 * time.Hour)
	}
}

func TestSaveAttempts_breaker(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	for range 6 {
		h.emit(t, dossier.EventLeadCreated, "")
	}
	h.dispatch(t)
	sender, out := h.claim(t, "webhook.drain"), h.next(t)
	for i, o := range out[:5] {
		if saved := h.save(t, sender, 503, o); saved.OpenUntil.IsZero() != (i < 4) {
			t.Fatalf("failure %d: open until %s", i+1, saved.OpenUntil)
		}
	}
	admit := func() bool {
		t.Helper()
		ok, _, err := h.DB.AdmitProbe(t.Context(), h.ws, h.webhook.ID)
		if err != nil {
			t.Fatal(err)
		}
		return ok
	}
	if w, err := h.DB.Webhook(t.Context(), h.ws, h.webhook.ID); err != nil || w.Breaker.State(h.Clock.Now()) != dossier.BreakerOpen || admit() {
		t.Fatalf("not open: %+v %v", w.Breaker, err)
	}
	h.Clock.Advance(31 * time.Second)
	if !admit() || admit() {
		t.Fatal("exactly one probe")
	}
	h.save(t, sender, 503, out[5])
	h.Clock.Advance(31 * time.Second)
	if admit() {
		t.Fatal("a failed probe doubles the time")
	}
	h.Clock.Advance(30 * time.Second)
	if !admit() {
		t.Fatal("no second probe")
	}
	retry := h.claim(t, "webhook.deliver")
	d, _, err := h.DB.Delivery(t.Context(), h.ws, out[0].ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.DB.SaveRetry(t.Context(), retry, postgres.Tried{Delivery: d, Attempt: h.attempt(200)}, dossier.DefaultSchedule()); err != nil {
		t.Fatal(err)
	}
	if w, err := h.DB.Webhook(t.Context(), h.ws, h.webhook.ID); err != nil || w.Breaker.State(h.Clock.Now()) != dossier.BreakerClosed {
		t.Errorf("a probe that succeeds closes: %+v %v", w.Breaker, err)
	}
}

func TestSweepDrains(t *testing.T) {
	t.Parallel()
	h := newHooks(t)
	h.emit(t, dossier.EventLeadCreated, "")
	h.dispatch(t)
	if n, err := h.DB.SweepSenders(t.Context()); err != nil || n != 0 {
		t.Fatalf("swept %d %v with a sender staged", n, err)
	}
	h.Exec(t, `UPDATE jobs SET status = 'FAILED'`)
	if n, err := h.DB.SweepSenders(t.Context()); err != nil || n != 1 {
		t.Fatalf("swept %d %v", n, err)
	}
}

package worker

import (
	"context"
	"fmt"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/webhooks"
)

// WebhookConfig is how deliveries are made. Zero values work.
type WebhookConfig struct {
	Client   *webhooks.Client // default: one that reaches public addresses only
	Schedule dossier.Schedule // default dossier.DefaultSchedule
	Inflight int              // requests at once to one endpoint; default 10
}

func (c *WebhookConfig) setDefaults(now func() time.Time) {
	if c.Schedule == nil {
		c.Schedule = dossier.DefaultSchedule()
	}
	if c.Inflight == 0 {
		c.Inflight = 10
	}
	if c.Client == nil {
		c.Client = webhooks.NewClient(webhooks.Config{Concurrency: c.Inflight, Now: now})
	}
}

// A dispatch costs much the same for one event as for some, so between small ones the loop lets some gather; what is
// committed meanwhile wakes it again.
const (
	busyDispatch = 100
	dispatchRest = 4 * time.Millisecond
)

// dispatchLoop turns events into deliveries, woken by the commits that emit them and by a poll behind that. Every
// worker process runs it; the store lets one at a time do it. It also wakes this process' senders.
func (w *Worker) dispatchLoop(ctx context.Context) {
	wake := make(chan struct{}, 1)
	go w.db.ListenEvents(ctx, func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	}, w.senders.wake)
	for ctx.Err() == nil {
		events, err := w.db.DispatchEvents(ctx)
		if err == nil && events >= busyDispatch {
			continue // there is more
		}
		if err == nil && events > 0 {
			jobs.Sleep(ctx, dispatchRest)
		}
		if err != nil && ctx.Err() == nil {
			w.log.Warn("events wait to be dispatched", "error", cause(err))
			jobs.Sleep(ctx, time.Second)
		}
		select {
		case <-ctx.Done():
		case <-wake:
		case <-time.After(w.timing.poll):
		}
	}
}

// attempt sends a delivery once. ok is false when our side gave up: nothing is known then and nothing recorded.
func (w *Worker) attempt(ctx context.Context, e postgres.Endpoint, o postgres.Outgoing) (a dossier.Attempt, ok bool) {
	span := tracedPost(ctx, e, o)
	out, err := w.Webhooks.Client.Deliver(ctx, webhooks.Attempt{URL: e.URL, Headers: e.Headers, Secrets: e.Secrets,
		EventID: o.EventID, Body: o.Body})
	if err != nil { // a registration from before a rule: the endpoint cannot be called
		w.log.Warn("webhook cannot be called", "webhook", e.ID, "delivery", o.ID, "error", cause(err))
		out = webhooks.Outcome{StartedAt: w.Now(), Error: dossier.ErrorConnect}
	}
	endPost(span, out)
	if out.Aborted {
		return dossier.Attempt{}, false
	}
	w.metrics.delivered(o, out, w.Now())
	return dossier.Attempt{Delivery: o.ID, StartedAt: out.StartedAt, Duration: out.Duration, Status: out.Status,
		Error:    out.Error,
		Response: out.Response, RetryAfter: out.RetryAfter}, true
}

// deliverWebhook makes one of a delivery's later tries.
func (w *Worker) deliverWebhook(ctx context.Context, claim postgres.Claim, job jobs.DeliverWebhook) error {
	o, err := w.db.Outgoing(ctx, job.Workspace, job.Delivery)
	if err != nil {
		return err
	}
	if o.Status != dossier.DeliveryPending || o.Tries == 0 {
		return nil // over, or redelivered: the sender has it
	}
	e, err := w.db.Endpoint(ctx, job.Workspace, job.Webhook)
	if err != nil {
		return err
	}
	if e.Deleted || !e.Enabled {
		return w.endDeliveries(ctx, job.Workspace, job.Webhook)
	}
	if !w.senders.acquire(e.ID, w.Webhooks.Inflight) {
		return Snooze(time.Second, "endpoint_busy")
	}
	defer w.senders.release(e.ID)
	wait, err := w.breakerWait(ctx, e)
	if err != nil {
		return err
	}
	if wait > 0 {
		return Snooze(wait, "breaker_open")
	}
	a, ok := w.attempt(ctx, e, o)
	if !ok {
		return context.Cause(ctx)
	}
	_, err = w.db.SaveRetry(context.WithoutCancel(ctx), claim, postgres.Tried{Delivery: o.Delivery, Attempt: a},
		w.Webhooks.Schedule)
	return err
}

// breakerWait asks the endpoint's breaker: 0 to send now, else how long to wait before asking again.
func (w *Worker) breakerWait(ctx context.Context, e postgres.Endpoint) (time.Duration, error) {
	if e.Breaker.OpenFor == 0 {
		return 0, nil
	}
	admitted, again, err := w.db.AdmitProbe(ctx, e.Workspace, e.ID)
	if err != nil || admitted {
		return 0, err
	}
	return max(again.Sub(w.Now()), time.Second), nil
}

// endDeliveries ends everything that waits for an endpoint which is disabled or deleted.
func (w *Worker) endDeliveries(ctx context.Context, ws dossier.WorkspaceID, id dossier.WebhookID) error {
	for {
		if n, err := w.db.EndDeliveries(ctx, ws, id); err != nil || n == 0 {
			return err
		}
	}
}

// replayWebhook makes deliveries due page by page. A page is a commit, so it goes on where a crash left it.
func (w *Worker) replayWebhook(ctx context.Context, claim postgres.Claim, job jobs.ReplayWebhook) error {
	for {
		done, err := w.db.ReplayPage(ctx, claim, job.Replay)
		if err != nil || done {
			return err
		}
		if ctx.Err() != nil {
			return fmt.Errorf("replay: %w", context.Cause(ctx))
		}
	}
}

// sweepEvents drops what is past its retention and makes the coming days' partitions.
func (w *Worker) sweepEvents(ctx context.Context, _ postgres.Claim, _ jobs.SweepEvents) error {
	for {
		if n, err := w.db.SweepEvents(ctx); err != nil || n == 0 || ctx.Err() != nil {
			return err
		}
	}
}

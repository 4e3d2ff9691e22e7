package worker

import (
	"context"
	"slices"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
)

// hold is a job this process runs now.
type hold struct {
	claim   postgres.Claim
	cancel  context.CancelCauseFunc
	since   time.Time
	renewed time.Time // by this process' clock, which need not agree with anyone's
}

// hold keeps a claim's lease alive until end is called. The context ends with the timeout, or when the claim is lost.
func (w *Worker) hold(claim postgres.Claim, timeout time.Duration) (ctx context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	ctx, stop := context.WithTimeout(ctx, timeout)
	now := time.Now()
	h := &hold{claim: claim, cancel: cancel, since: now, renewed: now}
	w.mu.Lock()
	w.held[claim.Job] = h
	w.mu.Unlock()
	return ctx, func() {
		stop()
		cancel(nil)
		w.mu.Lock()
		if w.held[claim.Job] == h {
			delete(w.held, claim.Job)
		}
		w.mu.Unlock()
	}
}

// heartbeatLoop renews the leases of the jobs this process holds, all in one statement, and between heartbeats looks
// whether any was cancelled. Jobs of less than a second never meet it.
func (w *Worker) heartbeatLoop(ctx context.Context) {
	lastRenewal := time.Now()
	for jobs.Sleep(ctx, w.timing.watch) {
		renew := time.Since(lastRenewal) >= w.timing.lease-w.timing.watch/2
		if renew {
			lastRenewal = time.Now()
		}
		w.checkHeld(ctx, renew)
	}
}

// checkHeld cancels the contexts of jobs that this process no longer holds. With renew it also renews the leases of the
// others.
func (w *Worker) checkHeld(ctx context.Context, renew bool) {
	asked := w.heldFor(w.timing.watch / 2)
	if len(asked) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, w.timing.lease)
	defer cancel()
	began := time.Now()
	ask := w.db.HeldJobs
	if renew {
		ask = w.db.ExtendLeases
	}
	still, err := ask(ctx, claimsOf(asked))
	if err != nil {
		w.metrics.missedBeats.Inc()
		w.log.Warn("heartbeat failed", "jobs", len(asked), "error", cause(err))
		w.dropLapsed(asked)
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, h := range asked {
		switch {
		case !slices.Contains(still, h.claim.Job):
			h.cancel(errLost)
		case renew:
			h.renewed = began
		}
	}
}

// dropLapsed stops jobs whose lease must have run out unseen: someone else may have them now.
func (w *Worker) dropLapsed(holds []*hold) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, h := range holds {
		if time.Since(h.renewed) > postgres.Lease {
			h.cancel(errLost)
		}
	}
}

func (w *Worker) heldFor(least time.Duration) []*hold {
	w.mu.Lock()
	defer w.mu.Unlock()
	var holds []*hold
	for _, h := range w.held {
		if time.Since(h.since) >= least {
			holds = append(holds, h)
		}
	}
	return holds
}

func claimsOf(holds []*hold) []postgres.Claim {
	claims := make([]postgres.Claim, len(holds))
	for i, h := range holds {
		claims[i] = h.claim
	}
	return claims
}

// stopHeld ends the context of every running job.
func (w *Worker) stopHeld(why error) {
	for _, h := range w.heldFor(0) {
		h.cancel(why)
	}
}

// handBackHeld gives running jobs to other workers although their handlers have not returned: the raised epoch
// refuses what they still write.
func (w *Worker) handBackHeld(ctx context.Context) {
	claims := claimsOf(w.heldFor(0))
	if len(claims) == 0 {
		return
	}
	if err := w.db.HandBack(ctx, claims); err != nil {
		w.log.Error("jobs not handed back, the reaper will find them", "jobs", len(claims), "error", cause(err))
	}
}

// cancelLoop hears of tasks cancelled on the dashboard and cancels their jobs in the ledger; otherwise the queue
// would only start them again.
func (w *Worker) cancelLoop(ctx context.Context) {
	heard := w.Redis.Client().Subscribe(ctx, "asynq:cancel")
	defer func() { _ = heard.Close() }()
	messages := heard.Channel()
	for {
		select {
		case <-ctx.Done():
			return
		case message, ok := <-messages:
			if !ok {
				return
			}
			job, epoch, _ := parseTaskID(message.Payload)
			if w.holds(job, epoch) {
				w.cancelJob(ctx, job)
			}
		}
	}
}

func (w *Worker) holds(job dossier.JobID, epoch int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	h, ok := w.held[job]
	return ok && h.claim.Epoch == epoch
}

func (w *Worker) cancelJob(ctx context.Context, job dossier.JobID) {
	if _, err := w.db.CancelJob(ctx, job); err != nil && dossier.KindOf(err) != dossier.Conflict {
		w.log.Warn("job not cancelled", "job", job, "error", cause(err))
	}
}

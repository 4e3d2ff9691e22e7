package worker

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"github.com/hibiken/asynq"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
)

// handler does one kind of job.
type handler struct {
	spec jobs.Spec
	do   func(ctx context.Context, claim postgres.Claim) error
}

// handle makes a handler of a function that takes its payload decoded.
func handle[J jobs.Job](do func(ctx context.Context, claim postgres.Claim, job J) error) handler {
	var none J
	return handler{spec: none.Spec(), do: func(ctx context.Context, claim postgres.Claim) error {
		var job J
		if err := json.Unmarshal(claim.Payload, &job); err != nil {
			return dossier.Coded(dossier.Invalid, "bad_payload", "The payload of %s cannot be read: %v", claim.Kind,
				err)
		}
		return do(ctx, claim, job)
	}}
}

// taskID names one epoch of a job in the queue, so the queue refuses the same thing twice.
func taskID(job dossier.JobID, epoch int) string { return string(job) + ":" + strconv.Itoa(epoch) }

func parseTaskID(id string) (dossier.JobID, int, bool) {
	job, number, found := strings.Cut(id, ":")
	epoch, err := strconv.Atoi(number)
	return dossier.JobID(job), epoch, found && err == nil && dossier.ValidID(job)
}

// process takes one task from the queue to its end. It answers the queue only: the ledger knows first.
func (w *Worker) process(l *lane) asynq.HandlerFunc {
	return func(queue context.Context, task *asynq.Task) error {
		w.busy.Add(1)
		defer w.busy.Add(-1)
		if l.name.Shared() {
			defer w.admission.notify(l.name) // there is room for another
		}
		id, _ := asynq.GetTaskID(queue)
		job, epoch, ok := parseTaskID(id)
		if !ok {
			return fmt.Errorf("task %q is not ours: %w", id, asynq.SkipRetry)
		}
		h, ok := w.handlers[task.Type()]
		if !ok {
			// While releases change, an older worker meets kinds of a newer one: theirs to do.
			return answer{delay: 5 * time.Second, text: "no handler for " + task.Type() + " in this release"}
		}
		select {
		case l.slots <- struct{}{}:
		case <-queue.Done():
			return answer{delay: time.Second, text: "no free slot"}
		}
		return w.claimAndTry(l, h, job, epoch)
	}
}

func (w *Worker) claimAndTry(l *lane, h handler, job dossier.JobID, epoch int) error {
	free := func() { <-l.slots }
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	claim, ok, err := w.db.ClaimJob(ctx, job, epoch, w.id)
	cancel()
	if errors.Is(err, postgres.ErrPaused) {
		free()
		return answer{delay: time.Second, text: "the lane is paused"}
	}
	if err != nil {
		free()
		w.log.Warn("job not claimed, the ledger cannot be reached", "job", job, "error", cause(err))
		return answer{delay: 2 * time.Second, text: "the ledger cannot be reached"}
	}
	if !ok {
		free()
		w.metrics.suppressed.Inc()
		return nil // no row, no work: done, cancelled, elsewhere, or an old epoch
	}
	w.metrics.started(claim, w.Now())
	return w.try(h, claim, free)
}

// try runs the handler under the ledger's lease. The queue's own context is not used: the queue cancels every
// handler when Redis is away for half a minute, though nothing is wrong with the work.
func (w *Worker) try(h handler, claim postgres.Claim, free func()) error {
	ctx, end := w.hold(claim, h.spec.Timeout)
	ctx, span := traced(ctx, claim)
	began := w.Now()
	result := make(chan error, 1)
	go func() {
		defer free()
		result <- w.runHandler(ctx, h, claim)
	}()
	var err error
	select {
	case err = <-result:
	case <-w.overdue(ctx):
		err = errStuck // the handler ignores its context; its slot stays taken until it returns
	}
	defer end()
	w.metrics.ran(claim, w.Now().Sub(began))
	reply := w.finishTry(ctx, claim, err)
	if span.On() && err != nil {
		span.End(w.classify(ctx, claim, err).class)
	} else {
		span.End("")
	}
	return reply
}

// overdue is closed when a handler was told to stop and had time to.
func (w *Worker) overdue(ctx context.Context) <-chan struct{} {
	late := make(chan struct{})
	context.AfterFunc(ctx, func() { time.AfterFunc(w.timing.stopGrace, func() { close(late) }) })
	return late
}

// runHandler runs the handler; a panic is a failed try.
func (w *Worker) runHandler(ctx context.Context, h handler, claim postgres.Claim) (err error) {
	w.metrics.live.Inc()
	defer w.metrics.live.Dec()
	defer func() {
		if x := recover(); x != nil {
			w.logOf(claim).Error("handler panicked", "panic", fmt.Sprint(x), "stack", string(debug.Stack()))
			err = panicked{x}
		}
	}()
	return h.do(postgres.WithClaim(ctx, claim), claim)
}

// finishTry writes the end of a try into the ledger, unless a store call of the handler has done so, and returns what
// the queue is answered.
func (w *Worker) finishTry(ctx context.Context, claim postgres.Claim, err error) error {
	why := context.Cause(ctx)
	switch {
	case err == nil:
		return w.replyEnded(claim)
	case errors.Is(err, postgres.ErrFenced), errors.Is(why, errLost):
		return w.fenced(claim)
	case errors.Is(why, errDraining):
		return w.writeLedger(claim, "released", nil, func(ctx context.Context) error {
			return w.db.HandBack(ctx,
				[]postgres.Claim{claim})
		})
	case errors.Is(err, errStuck):
		return w.abandon(claim)
	}
	return w.failed(ctx, claim, err)
}

// replyEnded follows what the handler's store call made of the claim.
func (w *Worker) replyEnded(claim postgres.Claim) error {
	outcome := claim.Ended()
	switch {
	case outcome.Status == "":
		return w.writeLedger(claim, "done", nil, func(ctx context.Context) error { return w.db.FinishJob(ctx, claim) })

	case outcome.Status == dossier.JobRetry && outcome.Counts:
		w.metrics.outcome(claim, "retry")
		return answer{delay: outcome.Delay, counts: true, text: outcome.Class}
	case outcome.Status == dossier.JobRetry:
		w.metrics.outcome(claim, "snoozed")
		return answer{delay: outcome.Delay, text: outcome.Class}
	case outcome.Status == dossier.JobFailed:
		w.metrics.outcome(claim, "failed")
		return fmt.Errorf("%s: %w", outcome.Class, asynq.SkipRetry)
	}
	w.metrics.outcome(claim, "done")
	return nil
}

func (w *Worker) failed(ctx context.Context, claim postgres.Claim, err error) error {
	v := w.classify(ctx, claim, err)
	log := w.logOf(claim).With("attempt", claim.Attempt, "class", v.class)
	switch {
	case v.final:
		log.Warn("job failed for good", "error", cause(err))
		return w.writeLedger(claim, "failed", fmt.Errorf("%s: %w", v.class, asynq.SkipRetry),
			func(ctx context.Context) error {
				return w.db.FailJob(ctx, claim, v.class, v.message)
			})

	case v.counts:
		log.Info("job will be tried again", "delay", v.delay, "error", cause(err))
		return w.writeLedger(claim, "retry", answer{delay: v.delay, counts: true, text: v.class},
			func(ctx context.Context) error {
				return w.db.RetryJob(ctx, claim, v.delay, v.class, v.message)
			})
	}
	log.Debug("job put off", "delay", v.delay)
	return w.writeLedger(claim, "snoozed", answer{delay: v.delay, text: v.class}, func(ctx context.Context) error {
		return w.db.SnoozeJob(ctx, claim, v.delay, v.class)
	})
}

// abandon gives up on a handler that does not stop: the next try gets a new epoch, so whatever the handler still
// writes is refused.
func (w *Worker) abandon(claim postgres.Claim) error {
	w.logOf(claim).Error("handler does not stop, its slot stays taken")
	message := "The handler went on after its time was up"
	if claim.LastTry() {
		return w.writeLedger(claim, "failed", fmt.Errorf("stuck: %w", asynq.SkipRetry),
			func(ctx context.Context) error {
				return w.db.FailJob(ctx, claim, "stuck", message)
			})
	}
	return w.writeLedger(claim, "stuck", nil, func(ctx context.Context) error {
		return w.db.RestageJob(ctx, claim, w.backoff(claim.Attempt), "stuck", message)
	})
}

func (w *Worker) fenced(claim postgres.Claim) error {
	w.metrics.outcome(claim, "fenced")
	w.logOf(claim).Info("job was taken away, nothing written")
	return nil
}

// writeLedger makes the ledger's writeLedger, again while the lease holds if the database is away, and then answers the
// queue. When the ledger stays out of reach the lease lapses and the reaper decides; the queue's task is then of an old
// epoch.
func (w *Worker) writeLedger(claim postgres.Claim, outcome string, reply error,
	do func(ctx context.Context) error) error {
	var err error
	for _, wait := range []time.Duration{0, 300 * time.Millisecond, time.Second, 3 * time.Second} {
		time.Sleep(wait)
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		err = do(ctx)
		cancel()
		if err == nil {
			w.metrics.outcome(claim, outcome)
			return reply
		}
		if dossier.KindOf(err) != dossier.Unavailable {
			break
		}
	}
	if errors.Is(err, postgres.ErrFenced) {
		return w.fenced(claim)
	}
	w.logOf(claim).Error("the end of a try could not be written", "outcome", outcome, "error", cause(err))
	return answer{delay: 5 * time.Second, text: "the ledger cannot be reached"}
}

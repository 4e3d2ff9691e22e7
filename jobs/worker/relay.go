package worker

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/hibiken/asynq"

	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/tracing"
	"github.com/dossierhq/dossier/storage/postgres"
)

const (
	relayBatch    = 500
	relayParallel = 16
	relayTimeout  = 10 * time.Second // of one batch, while its rows are locked
)

// relayLoop carries staged jobs from the outbox to the queue: woken by the commit that stages them, and by a poll
// behind that. Every worker process relays; they take different rows.
func (w *Worker) relayLoop(ctx context.Context) {
	wake := make(chan struct{}, 1)
	go w.db.ListenOutbox(ctx, func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	})
	for ctx.Err() == nil {
		n, err := w.relayBatch(ctx)
		switch {
		case err != nil && ctx.Err() == nil:
			w.metrics.relayErrors.Inc()
			w.log.Warn("staged jobs wait, the queue or the database cannot be reached", "error", cause(err))
			jobs.Sleep(ctx, time.Second)
		case n == relayBatch:
		default:
			if n > 0 {
				w.admission.notify() // some may await admission now
			}
			select {
			case <-ctx.Done():
			case <-wake:
			case <-time.After(w.timing.poll):
			}
		}
	}
}

func (w *Worker) relayBatch(ctx context.Context) (int, error) {
	ctx, cancel := context.WithTimeout(ctx, relayTimeout)
	defer cancel()
	return w.db.RelayOutbox(ctx, relayBatch, w.deliver)
}

// deliver enqueues rows side by side, then drops the tasks of jobs that were cancelled. When none went through, the
// queue is away: an error.
func (w *Worker) deliver(ctx context.Context, rows []postgres.Staged) (undelivered []postgres.Staged, err error) {
	var added, dropped []postgres.Staged
	for _, row := range rows {
		if row.Kind == jobs.DropTask {
			dropped = append(dropped, row)
		} else {
			added = append(added, row)
		}
	}
	undelivered, err = inParallel(added, func(row postgres.Staged) error { return w.enqueue(ctx, row) })
	kept, failure := inParallel(dropped, w.drop)
	undelivered, err = append(undelivered, kept...), errors.Join(err, failure)
	w.metrics.relayed.Add(float64(len(rows) - len(undelivered)))
	if len(undelivered) == len(rows) {
		return nil, err
	}
	if err != nil {
		w.log.Warn("some staged jobs wait for the next round", "jobs", len(undelivered), "error", err)
	}
	return undelivered, nil
}

// inParallel carries rows, some at once, and returns those that did not go through, with the error of one.
func inParallel(rows []postgres.Staged, carry func(postgres.Staged) error) (failed []postgres.Staged, err error) {
	var mu sync.Mutex
	var all sync.WaitGroup
	width := min(relayParallel, len(rows))
	for lane := range width {
		all.Go(func() {
			for i := lane; i < len(rows); i += width {
				if failure := carry(rows[i]); failure != nil {
					mu.Lock()
					failed, err = append(failed, rows[i]), failure
					mu.Unlock()
				}
			}
		})
	}
	all.Wait()
	return failed, err
}

// drop takes a task out of the queue unless a worker has it, or has had it: the ledger then stops the work.
func (w *Worker) drop(row postgres.Staged) error {
	id := taskID(row.Job, row.Epoch)
	info, err := w.inspector.GetTaskInfo(string(row.Lane), id)
	if errors.Is(err, asynq.ErrTaskNotFound) || errors.Is(err, asynq.ErrQueueNotFound) || err == nil &&
		info.State == asynq.TaskStateActive {
		return nil
	}
	if err != nil {
		return err
	}
	err = w.inspector.DeleteTask(string(row.Lane), id)
	if info, look := w.inspector.GetTaskInfo(string(row.Lane), id); look == nil &&
		info.State == asynq.TaskStateActive || errors.Is(look, asynq.ErrTaskNotFound) {
		return nil // taken meanwhile
	}
	return err
}

// enqueue gives one job to the queue. That it is there already is what we want.
func (w *Worker) enqueue(ctx context.Context, row postgres.Staged) error {
	spec, ok := jobs.SpecOf(row.Kind)
	if !ok { // of a newer release: its workers know what it is
		spec = jobs.Spec{Timeout: time.Hour, Tries: 25}
	}
	options := []asynq.Option{
		asynq.TaskID(taskID(row.Job, row.Epoch)),
		asynq.Queue(string(row.Lane)),
		asynq.MaxRetry(spec.Tries), // never reached: the ledger counts, and ends the job first
		asynq.Timeout(spec.Timeout + w.timing.stopGrace + time.Minute),
	}
	if row.Wait > 0 {
		options = append(options, asynq.ProcessIn(row.Wait))
	}
	ctx, span := tracing.Send(ctx, row.Trace, string(row.Lane), string(row.Job))
	_, err := w.client.EnqueueContext(ctx, asynq.NewTask(row.Kind, row.Payload), options...)
	if errors.Is(err, asynq.ErrTaskIDConflict) {
		err = nil
	}
	if err != nil {
		span.End("queue")
	} else {
		span.End("")
	}
	return err
}

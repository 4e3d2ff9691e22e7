package worker

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hibiken/asynq"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
)

func nothing(context.Context, postgres.Claim) error { return nil }

func TestWorker_runs_what_is_staged_once(t *testing.T) {
	b := setup(t)
	ran := newTally()
	do := func(_ context.Context, claim postgres.Claim) error { ran.add(claim.Job); return nil }
	b.run(b.worker(do))
	b.run(b.worker(do)) // two relays, two reapers, two of every lane
	ids := b.stage(300)
	b.until("all done", func() bool { return b.count(dossier.JobDone) == len(ids) })
	for _, id := range ids {
		if n := ran.of(id); n != 1 {
			t.Errorf("job %s ran %d times", id, n)
		}
	}
	job := b.job(ids[0])
	if job.Attempt != 1 || job.FinishedAt == nil || job.StartedAt == nil || job.Progress != 100 || job.LeaseUntil != nil {
		t.Errorf("a finished job reads %+v", job)
	}
}

func TestWorker_suppresses_duplicates(t *testing.T) {
	b := setup(t)
	ran := newTally()
	w := b.worker(func(_ context.Context, claim postgres.Claim) error { ran.add(claim.Job); return nil })
	b.run(w)
	id := b.stage(1)[0]
	b.await(id, dossier.JobDone)
	// What a lost acknowledgement and a reaper that was too eager leave behind: the same task, and one of a later
	// epoch.
	for _, epoch := range []int{1, 2} {
		task := asynq.NewTask("system.noop", nil)
		b.until("the duplicate is queued", func() bool {
			_, err := w.client.Enqueue(task, asynq.TaskID(taskID(id, epoch)), asynq.Queue("system"))
			return err == nil
		})
	}
	b.until("both are seen", func() bool { return metric(t, w, "dossier_duplicates_suppressed_total") == 2 })
	if n := ran.of(id); n != 1 {
		t.Errorf("the handler ran %d times", n)
	}
}

func TestWorker_retries_by_the_queues_own_retry_set(t *testing.T) {
	b := setup(t)
	var tries atomic.Int64
	w := b.worker(func(context.Context, postgres.Claim) error {
		if tries.Add(1) == 1 {
			return RetryIn(3*time.Second, errors.New("not yet"))
		}
		return nil
	})
	b.run(w)
	id := b.stage(1)[0]
	if job := b.await(id, dossier.JobRetry); job.ErrorClass != "internal" || job.Attempt != 1 {
		t.Errorf("after one failed try: class %s, attempt %d", job.ErrorClass, job.Attempt)
	}
	b.until("the dashboard shows the retry", func() bool {
		list, err := w.inspector.ListRetryTasks(string(jobs.LaneSystem))
		return err == nil && len(list) == 1 && list[0].ID == taskID(id, 1) && list[0].Retried == 1
	})
	if job := b.await(id, dossier.JobDone); job.Attempt != 2 || job.Epoch != 1 {
		t.Errorf("done after attempt %d of epoch %d, want attempt 2 of the same epoch", job.Attempt, job.Epoch)
	}
}

func TestWorker_ends_a_job(t *testing.T) {
	tests := []struct {
		name     string
		do       func() error
		class    string
		attempts int
	}{
		{"at once when no try would help", func() error { return dossier.Errorf(dossier.NotFound, "gone") }, "not_found", 1},
		{"when its tries are used up", func() error { return errors.New("broken") }, "internal", 3},
		{"when it panics each time", func() error { panic("boom") }, "panic", 3},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			b := setup(t)
			w := b.worker(func(context.Context, postgres.Claim) error { return test.do() })
			b.run(w)
			id := b.stage(1)[0]
			job := b.await(id, dossier.JobFailed)
			if job.ErrorClass != test.class || job.Attempt != test.attempts {
				t.Errorf("FAILED with class %s after %d tries, want %s after %d", job.ErrorClass, job.Attempt, test.class, test.attempts)
			}
			b.until("the dashboard shows it as archived", func() bool {
				list, err := w.inspector.ListArchivedTasks(string(jobs.LaneSystem))
				return err == nil && len(list) == 1
			})
		})
	}
}

// A payload that cannot be read ends its job at once; those behind it run.
func TestWorker_ends_a_job_with_a_poisoned_payload(t *testing.T) {
	b := setup(t)
	ids := b.stage(2)
	b.pg.Exec(t, `UPDATE jobs SET payload = '["not", "a", "payload"]' WHERE id = $1`, ids[0])
	w := b.worker(nil)
	w.handlers = table(handle(func(context.Context, postgres.Claim, jobs.Noop) error { return nil }))
	b.run(w)
	if job := b.await(ids[0], dossier.JobFailed); job.ErrorClass != "bad_payload" || job.Attempt != 1 {
		t.Errorf("FAILED with class %s after %d tries, want bad_payload after 1", job.ErrorClass, job.Attempt)
	}
	b.await(ids[1], dossier.JobDone)
}

func TestWorker_dashboard_shows_what_runs_and_what_waits(t *testing.T) {
	b := setup(t)
	gate := make(chan struct{})
	w, err := New(Config{DB: b.pg.DB, Redis: b.redis, Log: testLog(t), Lanes: []jobs.Lane{jobs.LaneSystem}, Concurrency: map[jobs.Lane]int{jobs.LaneSystem: 1}})
	if err != nil {
		t.Fatal(err)
	}
	w.timing, w.schedule = quick, nil
	w.handlers = table(handler{spec: jobs.Noop{}.Spec(), do: func(context.Context, postgres.Claim) error { <-gate; return nil }})
	b.run(w)
	ids := b.stage(3)
	b.until("one runs and two wait", func() bool {
		info, err := w.inspector.GetQueueInfo(string(jobs.LaneSystem))
		return err == nil && info.Active == 1 && info.Pending == 2 && b.count(dossier.JobRunning) == 1 && b.count(dossier.JobQueued) == 2
	})
	close(gate)
	b.until("all done", func() bool { return b.count(dossier.JobDone) == len(ids) })
	b.until("nothing is left on the dashboard", func() bool {
		info, err := w.inspector.GetQueueInfo(string(jobs.LaneSystem))
		return err == nil && info.Active+info.Pending+info.Retry+info.Scheduled+info.Archived == 0
	})
}

// Whoever follows a request finds what became of its jobs in the log of the worker.
func TestWorker_log_names_the_request(t *testing.T) {
	b := setup(t)
	var log lockedBuffer
	w := b.worker(func(context.Context, postgres.Claim) error { panic("boom") })
	w.log = slog.New(slog.NewTextHandler(&log, nil))
	b.run(w)
	ids, err := b.pg.DB.StageJobs(postgres.WithRequestID(t.Context(), "trace-7"), b.ws, noops(b.ws, 1)...)
	if err != nil {
		t.Fatal(err)
	}
	b.await(ids[0], dossier.JobFailed)
	for _, message := range []string{"handler panicked", "job will be tried again", "job failed for good"} {
		about := fmt.Sprintf("msg=%q job=%s kind=system.noop workspace=%s request=trace-7", message, ids[0], b.ws)
		b.until(message+" is in the log", func() bool { return strings.Contains(log.String(), about) })
	}
}

// lockedBuffer may be read while it is written.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

func TestWorker_snooze_is_not_a_try(t *testing.T) {
	b := setup(t)
	var calls atomic.Int64
	b.run(b.worker(func(context.Context, postgres.Claim) error {
		switch calls.Add(1) {
		case 1, 2:
			return Snooze(0, "waiting_for_documents")
		case 3:
			return dossier.Errorf(dossier.Unavailable, "object storage is away")
		}
		return nil
	}))
	id := b.stage(1)[0]
	if job := b.await(id, dossier.JobDone); job.Attempt != 1 || calls.Load() != 4 {
		t.Errorf("done with attempt %d after %d calls, want attempt 1 after 4", job.Attempt, calls.Load())
	}
}

func TestWorker_cancel_reaches_a_running_job(t *testing.T) {
	b := setup(t)
	started, stopped := make(chan struct{}), make(chan error, 1)
	b.run(b.worker(func(ctx context.Context, claim postgres.Claim) error {
		close(started)
		<-ctx.Done()
		stopped <- b.pg.DB.FinishJob(context.Background(), claim)
		return ctx.Err()
	}))
	id := b.stage(1)[0]
	<-started
	if _, err := b.pg.DB.CancelJob(t.Context(), id); err != nil {
		t.Fatal(err)
	}
	if err := <-stopped; !errors.Is(err, postgres.ErrFenced) {
		t.Errorf("a cancelled job's write gave %v, want ErrFenced", err)
	}
	b.until("the handler has ended", func() bool { return b.job(id).Status == dossier.JobCancelled })
}

func TestWorker_cancel_on_the_dashboard_cancels_the_job(t *testing.T) {
	b := setup(t)
	started := make(chan struct{})
	w := b.worker(func(ctx context.Context, _ postgres.Claim) error {
		close(started)
		<-ctx.Done()
		return ctx.Err()
	})
	b.run(w)
	id := b.stage(1)[0]
	<-started
	b.until("the job is cancelled", func() bool {
		_ = w.inspector.CancelProcessing(taskID(id, 1)) // heard only by who listens already
		return b.job(id).Status == dossier.JobCancelled
	})
}

func TestWorker_drain(t *testing.T) {
	b := setup(t)
	started := make(chan dossier.JobID, 2)
	gate := make(chan struct{})
	ids := b.stage(2)
	stop := b.run(b.worker(func(ctx context.Context, claim postgres.Claim) error {
		started <- claim.Job
		if claim.Job == ids[0] {
			<-gate // ends in time
			return nil
		}
		<-ctx.Done() // does not
		return ctx.Err()
	}))
	<-started
	<-started
	close(gate)
	stop()
	if job := b.job(ids[0]); job.Status != dossier.JobDone {
		t.Errorf("a job that ended in time is %s", job.Status)
	}
	if job := b.job(ids[1]); job.Status != dossier.JobQueued || job.Epoch != 2 || job.Attempt != 0 {
		t.Errorf("a job that did not is %s, epoch %d, attempt %d; want handed back without using up a try", job.Status, job.Epoch, job.Attempt)
	}
	b.run(b.worker(nothing))
	b.await(ids[1], dossier.JobDone)
}

func TestWorker_gives_up_on_a_handler_that_does_not_stop(t *testing.T) {
	b := setup(t)
	gate := make(chan struct{})
	late := make(chan error, 1)
	w := b.worker(nil)
	spec := jobs.Noop{}.Spec()
	spec.Timeout = 50 * time.Millisecond
	w.handlers = table(handler{spec: spec, do: func(_ context.Context, claim postgres.Claim) error {
		if claim.Attempt == 1 {
			<-gate
			late <- b.pg.DB.FinishJob(context.Background(), claim)
		}
		return nil
	}})
	b.run(w)
	id := b.stage(1)[0]
	if job := b.await(id, dossier.JobDone); job.Attempt != 2 || job.Epoch != 2 {
		t.Errorf("done at attempt %d of epoch %d, want the second of a new epoch", job.Attempt, job.Epoch)
	}
	close(gate)
	if err := <-late; !errors.Is(err, postgres.ErrFenced) {
		t.Errorf("the late write gave %v, want ErrFenced", err)
	}
}

func TestWorker_leaves_kinds_of_another_release_alone(t *testing.T) {
	b := setup(t)
	w := b.worker(nothing)
	w.handlers = table()
	b.run(w)
	id := b.stage(1)[0]
	b.until("the task waits in the retry set", func() bool {
		list, err := w.inspector.ListRetryTasks(string(jobs.LaneSystem))
		return err == nil && len(list) == 1 && list[0].Retried == 0
	})
	if job := b.job(id); job.Status != dossier.JobQueued || job.Attempt != 0 {
		t.Errorf("the job is %s after %d tries, want untouched", job.Status, job.Attempt)
	}
}

// tally counts by job.
type tally struct {
	mu sync.Mutex
	n  map[dossier.JobID]int
}

func newTally() *tally { return &tally{n: map[dossier.JobID]int{}} }

func (c *tally) add(id dossier.JobID) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n[id]++
	return c.n[id]
}

func (c *tally) of(id dossier.JobID) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.n[id]
}

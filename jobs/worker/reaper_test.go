package worker

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
)

func (b *bench) reaper(w *Worker) *reaper {
	return &reaper{w: w, at: map[jobs.Lane]postgres.Waiting{}, active: map[string]time.Time{}}
}

// relay moves everything staged into the queue.
func (b *bench) relay(w *Worker) {
	b.t.Helper()
	for {
		n, err := w.relayBatch(b.t.Context())
		if err != nil {
			b.t.Fatal(err)
		}
		if n == 0 {
			return
		}
	}
}

func TestReaper_a_long_queue_is_not_a_loss(t *testing.T) {
	b := setup(t)
	w := b.worker(nothing) // not running: everything waits
	ids := b.stage(120)
	b.relay(w)
	b.pg.Exec(t, `UPDATE jobs SET run_at = now() - interval '1 hour'`)
	r := b.reaper(w)
	r.findLost(t.Context()) // the first round of a fresh Redis looks at everything
	r.findLost(t.Context())
	for _, id := range ids {
		if job := b.job(id); job.Epoch != 1 {
			t.Fatalf("job %s was staged again though its task waits in the queue", id)
		}
	}
	if err := w.inspector.DeleteTask("system", taskID(ids[7], 1)); err != nil {
		t.Fatal(err)
	}
	r.findLost(t.Context())
	if job := b.job(ids[7]); job.Epoch != 2 {
		t.Errorf("the one lost job has epoch %d, want it staged again", job.Epoch)
	}
	if n := metric(t, w, "dossier_reaper_actions_total", "redriven"); n != 1 {
		t.Errorf("%v jobs were staged again, want 1", n)
	}
}

func TestReaper_waits_for_a_relay_that_is_behind(t *testing.T) {
	b := setup(t)
	w := b.worker(nothing)
	id := b.stage(1)[0]
	b.pg.Exec(t, `UPDATE jobs SET run_at = now() - interval '1 hour'`)
	b.pg.Exec(t, `UPDATE outbox SET created_at = now() - interval '1 hour'`)
	b.reaper(w).findLost(t.Context())
	if job := b.job(id); job.Epoch != 1 {
		t.Error("a job whose outbox row still waits was staged a second time")
	}
}

func TestReaper_a_task_taken_by_a_worker_that_died_before_its_claim(t *testing.T) {
	b := setup(t)
	w := b.worker(nothing)
	id := b.stage(1)[0]
	b.relay(w)
	b.pg.Exec(t, `UPDATE jobs SET run_at = now() - interval '1 hour'`)
	// Take the task as the queue library does, and vanish.
	key := "asynq:{system}:"
	ctx := t.Context()
	client := b.redis.Client()
	if err := client.RPopLPush(ctx, key+"pending", key+"active").Err(); err != nil {
		t.Fatal(err)
	}
	if err := client.HSet(ctx, key+"t:"+taskID(id, 1), "state", "active").Err(); err != nil {
		t.Fatal(err)
	}
	r := b.reaper(w)
	r.findLost(ctx)
	if job := b.job(id); job.Epoch != 1 {
		t.Fatal("a task may be running without its claim for a moment")
	}
	b.until("it is staged again", func() bool { r.findLost(ctx); return b.job(id).Epoch == 2 })
}

func TestReaper_redis_wiped(t *testing.T) {
	b := setup(t)
	ran := newTally()
	gate := make(chan struct{})
	w := b.worker(func(_ context.Context, claim postgres.Claim) error {
		switch n := ran.add(claim.Job); claim.Attempt {
		case 1:
			if n == 1 {
				<-gate
			}
			return RetryIn(2*time.Second, errors.New("once more")) // into the retry set
		}
		return nil
	})
	b.run(w)
	ids := b.stage(100) // 8 at a time run, the others wait
	b.until("some run", func() bool { return b.count(dossier.JobRunning) == 8 })
	flush := func() {
		if err := b.redis.Client().FlushDB(context.Background()).Err(); err != nil {
			t.Error(err)
		}
	}
	flush()
	close(gate)
	b.until("some wait for their second try", func() bool { return b.count(dossier.JobRetry) > 10 })
	flush()
	b.until("all done", func() bool { return b.count(dossier.JobDone) == len(ids) })
	for _, id := range ids {
		if n := ran.of(id); n != 2 {
			t.Errorf("job %s ran %d times, want its two tries", id, n)
		}
	}
}

// What a wiped Redis forgot is staged again once: the library's inspector denies what stands in a queue that was not
// announced anew, and each round would stage it again.
func TestReaper_redis_wiped_stages_once(t *testing.T) {
	b := setup(t)
	w := b.worker(nothing) // not running: everything waits
	ids := b.stage(30)
	b.relay(w)
	if err := b.redis.Client().FlushDB(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	r := b.reaper(w)
	for range 3 {
		b.pg.Exec(t, `UPDATE jobs SET run_at = now() - interval '1 hour'`)
		r.findLost(t.Context())
		b.relay(w)
	}
	for _, id := range ids {
		if job := b.job(id); job.Epoch != 2 {
			t.Fatalf("job %s has epoch %d, want it staged again once", id, job.Epoch)
		}
	}
	if queues, err := w.inspector.Queues(); err != nil || len(queues) != len(jobs.Lanes) {
		t.Errorf("the dashboard knows the lanes %v, %v", queues, err)
	}
}

func TestReaper_lost_workers(t *testing.T) {
	b := setup(t)
	w := b.worker(nothing)
	id := b.stage(1)[0]
	for attempt := 1; attempt <= 3; attempt++ {
		claim, ok, err := b.pg.DB.ClaimJob(t.Context(), id, attempt, "a worker that dies")
		if err != nil || !ok || claim.Attempt != attempt {
			t.Fatalf("claim %d: %+v, %v, %v", attempt, claim, ok, err)
		}
		b.pg.Exec(t, `UPDATE jobs SET lease_until = now() - interval '1 second'`)
		b.reaper(w).reapLeases(t.Context())
	}
	job := b.job(id)
	if job.Status != dossier.JobFailed || job.ErrorClass != postgres.ClassWorkerLost {
		t.Errorf("a job that killed three workers is %s (%s), want FAILED", job.Status, job.ErrorClass)
	}
}

func TestReaper_a_stalled_worker_is_fenced(t *testing.T) {
	b := setup(t)
	gate := make(chan struct{})
	late := make(chan error, 1)
	b.run(b.worker(func(_ context.Context, claim postgres.Claim) error {
		if claim.Attempt == 1 {
			<-gate // asleep: hears nothing of its lost lease
			late <- b.pg.DB.FinishJob(context.Background(), claim)
		}
		return nil
	}))
	id := b.stage(1)[0]
	b.await(id, dossier.JobRunning)
	b.until("another try has it", func() bool {
		b.pg.Exec(t, `UPDATE jobs SET lease_until = now() - interval '1 second' WHERE attempt = 1 AND status = 'RUNNING'`)
		return b.job(id).Status == dossier.JobDone
	})
	close(gate)
	if err := <-late; !errors.Is(err, postgres.ErrFenced) {
		t.Errorf("the stalled worker's write gave %v, want ErrFenced", err)
	}
	if job := b.job(id); job.Attempt != 2 || job.Epoch != 2 {
		t.Errorf("attempt %d, epoch %d", job.Attempt, job.Epoch)
	}
}

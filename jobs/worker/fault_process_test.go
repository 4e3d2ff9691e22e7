package worker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/netip"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/cache"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
	"github.com/dossierhq/dossier/webhooks"
)

// deliveringChild is a worker process that delivers, and that the job named TEST_CHILD_HOOKS kills.
func deliveringChild(database, redis string) {
	db, err := postgres.Open(context.Background(), postgres.Config{URL: database, ListenURL: os.Getenv("TEST_CHILD_LISTEN"), PoolSize: 8, SecretKey: make([]byte, 32)})
	if err != nil {
		panic(err)
	}
	conn, err := cache.Open(redis)
	if err != nil {
		panic(err)
	}
	client := webhooks.NewClient(webhooks.Config{Allow: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Now: time.Now})
	w, err := New(Config{DB: db, Redis: conn, Lanes: []jobs.Lane{jobs.LaneWebhook, jobs.LaneWebhookRetry, jobs.LaneSystem}, Log: slog.New(slog.DiscardHandler),
		Webhooks: WebhookConfig{Client: client, Schedule: dossier.Schedule{0, time.Second, time.Second, time.Second, time.Second}}})
	if err != nil {
		panic(err)
	}
	w.timing, w.schedule = quick, nil
	poison := dossier.JobID(os.Getenv("TEST_CHILD_HOOKS"))
	w.handlers[jobs.Noop{}.Spec().Kind] = handler{spec: jobs.Noop{}.Spec(), do: func(_ context.Context, claim postgres.Claim) error {
		if claim.Job == poison {
			return syscall.Kill(os.Getpid(), syscall.SIGKILL)
		}
		return nil
	}}
	if err := w.Run(context.Background()); err != nil {
		panic(err)
	}
}

// victim is a worker process that will be killed.
type victim struct {
	b    *bench
	cmd  *exec.Cmd
	kill func()
}

// victim starts one on a Redis, which the job with the given id kills.
func (b *hookBench) victim(redis string, poison dossier.JobID) *victim {
	b.t.Helper()
	return newVictim(b.bench, redis, "TEST_CHILD_HOOKS="+cmp.Or(string(poison), "none"))
}

// newVictim starts a worker process on a bench's database and a Redis.
func newVictim(b *bench, redis string, env ...string) *victim {
	b.t.Helper()
	program, err := os.Executable()
	if err != nil {
		b.t.Fatal(err)
	}
	v := &victim{b: b, cmd: exec.Command(program)}
	v.cmd.Env = append(append(os.Environ(), "TEST_CHILD_DATABASE="+b.pg.Run, "TEST_CHILD_LISTEN="+pgtest.DirectURL(b.pg.URL), "TEST_CHILD_REDIS="+redis), env...)
	v.cmd.Stderr = os.Stderr
	if err := v.cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	v.kill = sync.OnceFunc(func() {
		_ = v.cmd.Process.Kill() // it may be dead
		_ = v.cmd.Wait()
	})
	b.t.Cleanup(v.kill)
	return v
}

// bury kills it and takes its jobs away.
func (v *victim) bury() {
	v.b.t.Helper()
	v.kill()
	v.lapse()
}

// lapse lets its leases run out, and does what whoever leads does then: now instead of in twelve seconds and more.
func (v *victim) lapse() {
	v.b.t.Helper()
	v.expire()
	if _, _, err := v.b.pg.DB.ReapLeases(v.b.t.Context(), reapBatch); err != nil {
		v.b.t.Fatal(err)
	}
}

// expire lets its leases run out.
func (v *victim) expire() {
	v.b.t.Helper()
	v.b.pg.Exec(v.b.t, `UPDATE jobs SET lease_until = now() - interval '1 second' WHERE status = 'RUNNING' AND split_part(worker, ':', 2) = $1`, fmt.Sprint(v.cmd.Process.Pid))
}

// Killed at the moments that matter: with the request under way, with the answer given and its record not committed, and with
// everything committed and the queue not told.
func faultWorkerKilled(t *testing.T) {
	b := setupHooks(t)
	gate := make(chan struct{})
	r := b.receive(func(n int, _ http.ResponseWriter, _ *http.Request) bool {
		if n == 1 {
			<-gate
		}
		return true
	})
	v := b.victim(b.url, "")
	b.emit(3, newLead())
	b.until("a request is under way", func() bool { calls, _, _ := r.tally(); return calls == 1 })
	v.bury()
	close(gate)
	b.run(b.deliverer())
	if n := b.settled(); n != 1 {
		t.Errorf("%d requests came again, want the one that nobody heard the answer of", n)
	}
}

func faultKilledBeforeItsCommit(t *testing.T) {
	b := setupHooks(t)
	r := b.receive(nil)
	v := b.victim(b.url, "")
	b.emit(1, newLead())
	lock, err := pgx.Connect(t.Context(), b.pg.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Close(context.Background()) }()
	if _, err := lock.Exec(t.Context(), `BEGIN; LOCK TABLE attempts IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	b.until("the endpoint has answered, and the commit waits", func() bool {
		return len(r.took()) == 1 && pgtest.Value[int](t, b.pg, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) > 0
	})
	v.kill()
	// What a process leaves behind when its machine dies: its statements go on only where they had arrived.
	b.pg.Exec(t, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`)
	if _, err := lock.Exec(t.Context(), `ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	v.lapse()
	b.run(b.deliverer())
	if n := b.settled(); n != 1 {
		t.Errorf("%d requests came again, want one, under its id", n)
	}
}

func faultKilledBeforeItsAck(t *testing.T) {
	b := setupHooks(t)
	between, redis := newProxy(t, b.url)
	r := b.receive(func(int, http.ResponseWriter, *http.Request) bool {
		between.set(fault{freeze: true}) // the queue hears nothing any more
		return true
	})
	v := b.victim(redis, "")
	b.emit(1, newLead())
	b.until("all is committed", func() bool { return len(r.took()) == 1 && b.count(dossier.JobDone) == 1 })
	v.kill()
	ctx, client := t.Context(), b.redis.Client()
	task, err := client.RPopLPush(ctx, "asynq:{webhook}:active", "asynq:{webhook}:pending").Result() // what the queue does after a while
	if err != nil {
		t.Fatal(err)
	}
	if err := client.HSet(ctx, "asynq:{webhook}:t:"+task, "state", "pending").Err(); err != nil {
		t.Fatal(err)
	}
	w := b.deliverer()
	b.run(w)
	b.until("the repeat is suppressed", func() bool { return metric(t, w, "dossier_duplicates_suppressed_total") == 1 })
	b.undoubled(t)
}

// A relay that dies between giving a job to the queue and removing it from the outbox gives it once more.
func faultRelayKilled(t *testing.T) {
	b := setupHooks(t)
	w, ran := b.both()
	ids := b.stage(50)
	_, err := b.db.RelayOutbox(t.Context(), relayBatch, func(ctx context.Context, rows []postgres.Staged) ([]postgres.Staged, error) {
		if _, err := w.deliver(ctx, rows[:len(rows)/2]); err != nil {
			t.Error(err)
		}
		return nil, errors.New("killed")
	})
	if err == nil || pgtest.Value[int](t, b.pg, `SELECT count(*) FROM outbox`) != len(ids) {
		t.Fatalf("the outbox is not as it was: %v", err)
	}
	b.run(w)
	b.undoubled(t)
	b.once(t, ran, ids)
}

// A process that stands still loses its jobs; what it still writes when it wakes up is refused.
func faultStopped(t *testing.T) {
	b := setupHooks(t)
	gate := make(chan struct{})
	r := b.receive(func(n int, _ http.ResponseWriter, _ *http.Request) bool {
		if n == 1 {
			<-gate
		}
		return true
	})
	v := b.victim(b.url, "")
	b.emit(1, newLead())
	b.until("a request is under way", func() bool { calls, _, _ := r.tally(); return calls == 1 })
	if err := v.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	v.lapse()
	b.run(b.deliverer())
	b.until("another worker has delivered", func() bool { return b.deliveries(dossier.DeliverySucceeded) == 1 })
	if err := v.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	close(gate) // the one that slept hears its answer now
	b.until("both requests came", func() bool { return len(r.took()) == 2 })
	if n := b.settled(); n != 1 {
		t.Errorf("%d requests came again, want one", n)
	}
}

// Relays, dispatchers, reapers and schedules of several processes at once, and each of them twice over.
func faultEverythingTwice(t *testing.T) {
	b := setupHooks(t)
	first, second := b.receive(nil), b.receive(nil)
	var workers []*Worker
	var tallies []*tally
	for range 3 {
		w, ran := b.both()
		w.Every("tick", time.Hour, jobs.Noop{})
		workers, tallies = append(workers, w), append(tallies, ran)
		b.run(w)
	}
	ctx, stop := context.WithCancel(t.Context())
	var meddlers sync.WaitGroup
	for _, w := range workers {
		meddlers.Go(func() {
			r := b.reaper(w)
			for ctx.Err() == nil {
				_, _ = w.relayBatch(ctx)
				_, _ = b.db.DispatchEvents(ctx)
				_, _ = b.db.SweepSenders(ctx)
				r.reapLeases(ctx)
				r.findLost(ctx)
				w.tick(ctx)
			}
		})
	}
	var ids []dossier.JobID
	for range 10 {
		ids = append(ids, b.stage(20)...)
		b.emit(10, newLead())
	}
	b.until("both have all", func() bool { return len(first.took()) == 100 && len(second.took()) == 100 })
	b.until("all jobs are done", func() bool { return b.count(dossier.JobQueued)+b.count(dossier.JobRunning) == 0 })
	stop()
	meddlers.Wait()
	b.undoubled(t)
	for _, id := range ids {
		n := 0
		for _, ran := range tallies {
			n += ran.of(id)
		}
		if n != 1 {
			t.Errorf("job %s ran %d times", id, n)
		}
	}
	if n := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM jobs WHERE workspace_id IS NULL AND kind = 'system.noop'`); n != 1 {
		t.Errorf("a tick was staged %d times", n)
	}
}

// A job that kills its worker gets its tries and no more; the others that were running with it end well.
func faultPoison(t *testing.T) {
	b := setupHooks(t)
	w, _ := b.both() // whose reaper sees each of them die
	reaper := b.reaper(w)
	b.well()
	ids := b.stage(30)
	poison := ids[2]
	tries := 0
	for b.job(poison).Status != dossier.JobFailed {
		if tries++; tries > 3 {
			t.Fatal("a job that kills its worker is tried a fourth time")
		}
		v := b.victim(b.url, poison)
		_ = v.cmd.Wait() // killed by the job
		v.expire()
		reaper.reapLeases(t.Context())
	}
	b.says(w, "dossier_reaper_actions_total", exactly(1), "failed")
	if job := b.job(poison); job.ErrorClass != postgres.ClassWorkerLost || tries != 3 {
		t.Errorf("FAILED with class %s after %d tries, want %s after 3", job.ErrorClass, tries, postgres.ClassWorkerLost)
	}
	b.run(w)
	b.settled()
	if n := b.count(dossier.JobDone); n != len(ids)-1 {
		t.Errorf("%d of the %d others are done", n, len(ids)-1)
	}
}

// Workers whose clocks are two minutes fast and slow beside one that is right.
func faultClockSkew(t *testing.T) {
	b := setupHooks(t)
	failing := func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n%4 == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
		return n%4 != 0
	}
	b.receive(failing)
	b.receive(failing)
	var tallies []*tally
	for _, skew := range []time.Duration{-2 * time.Minute, 0, 2 * time.Minute} {
		now := func() time.Time { return time.Now().Add(skew) }
		db, err := postgres.Open(t.Context(), postgres.Config{URL: b.pg.Run, ListenURL: pgtest.DirectURL(b.pg.URL), PoolSize: 4, SecretKey: make([]byte, 32), Now: now})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(db.Close)
		skewed := *b
		skewed.db = db
		w, ran := skewed.both()
		w.Now = now
		tallies = append(tallies, ran)
		b.run(w)
	}
	var ids []dossier.JobID
	for range 5 {
		ids = append(ids, b.stage(10)...)
		b.emit(6, newLead())
	}
	b.undoubled(t)
	for _, id := range ids {
		n := 0
		for _, ran := range tallies {
			n += ran.of(id)
		}
		if n != 1 {
			t.Errorf("job %s ran %d times", id, n)
		}
	}
}

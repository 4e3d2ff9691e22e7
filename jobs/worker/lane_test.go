package worker

import (
	"context"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func (b *bench) pause(lane jobs.Lane, paused bool) {
	b.t.Helper()
	if err := b.pg.DB.SetLanePaused(context.Background(), lane, paused, "test"); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) switchOf(lane jobs.Lane) postgres.LaneState {
	b.t.Helper()
	states, err := b.pg.DB.LaneStates(context.Background(), []jobs.Lane{lane})
	if err != nil {
		b.t.Fatal(err)
	}
	return states[0]
}

func pausedInQueue(w *Worker, lane jobs.Lane) bool {
	info, err := w.inspector.GetQueueInfo(string(lane))
	return err == nil && info.Paused
}

// A paused lane starts nothing, also after Redis has forgotten that it is paused, until it is resumed; nothing is lost and
// no try used up.
func TestLanes_paused_through_a_wiped_Redis(t *testing.T) {
	b := setup(t)
	ran := newTally()
	do := func(_ context.Context, claim postgres.Claim) error { ran.add(claim.Job); return nil }
	w, shared := b.worker(do), b.shared(2, do)
	b.pause(jobs.LaneSystem, true)
	b.pause(jobs.LaneDocument, true)
	b.run(w)
	b.run(shared)
	ids := append(b.stage(20), b.crowd(b.ws, 20)...)
	known := func() bool {
		return pgtest.Value[int](t, b.pg, `SELECT count(*) FROM outbox`) == 0 && pausedInQueue(w, jobs.LaneSystem)
	}
	b.until("the queue says paused", known)
	if err := b.redis.Client().FlushDB(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	b.until("the jobs are in the queue again, and it says paused again", func() bool {
		return known() && pgtest.Value[int](t, b.pg, `SELECT count(*) FROM jobs WHERE lane = 'system' AND epoch > 1`) == 20
	})
	if n := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM jobs WHERE attempt > 0 OR status <> 'QUEUED'`); n != 0 {
		t.Errorf("%d jobs of paused lanes were started", n)
	}
	if n := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM jobs WHERE admitted IS NOT NULL`); n != 0 {
		t.Errorf("%d jobs of a paused lane were admitted", n)
	}
	b.pause(jobs.LaneSystem, false)
	b.pause(jobs.LaneDocument, false)
	b.until("all done", func() bool { return b.count(dossier.JobDone) == len(ids) })
	for _, id := range ids {
		if n := ran.of(id); n != 1 {
			t.Errorf("job %s ran %d times", id, n)
		}
	}
}

// Who pauses a lane on the dashboard has paused it in Postgres too: it stays so when Redis forgets.
func TestLanes_paused_on_the_dashboard(t *testing.T) {
	b := setup(t)
	w := b.worker(nothing)
	b.run(w)
	first := b.stage(1)[0]
	b.await(first, dossier.JobDone)
	if err := w.inspector.PauseQueue("system"); err != nil {
		t.Fatal(err)
	}
	b.until("Postgres says paused", func() bool { s := b.switchOf(jobs.LaneSystem); return s.Paused && s.ChangedBy == byDashboard })
	b.until("the queue has heard so", func() bool { return b.redis.Client().Exists(t.Context(), "dossier:lane:{system}").Val() == 1 })
	if err := b.redis.Client().FlushDB(t.Context()).Err(); err != nil {
		t.Fatal(err)
	}
	b.until("the queue says paused again", func() bool {
		return pausedInQueue(w, jobs.LaneSystem) || w.Redis.Client().Exists(t.Context(), "asynq:{system}:paused").Val() == 1
	})
	id := b.stage(1)[0]
	b.until("its task is in the queue", func() bool { return pausedInQueue(w, jobs.LaneSystem) })
	b.until("the queue has heard so again", func() bool { return b.redis.Client().Exists(t.Context(), "dossier:lane:{system}").Val() == 1 })
	if err := w.inspector.UnpauseQueue("system"); err != nil {
		t.Fatal(err)
	}
	b.await(id, dossier.JobDone)
	if b.switchOf(jobs.LaneSystem).Paused {
		t.Error("a lane that was resumed on the dashboard is paused")
	}
}

// A worker that has a task in hand when its lane is paused gives it back unclaimed.
func TestLanes_no_claim_while_paused(t *testing.T) {
	b := setup(t)
	id := b.stage(1)[0]
	b.pause(jobs.LaneSystem, true)
	if _, ok, err := b.pg.DB.ClaimJob(t.Context(), id, 1, "w"); ok || err != postgres.ErrPaused {
		t.Errorf("claimed %v, %v; want ErrPaused", ok, err)
	}
	if _, ok, err := b.pg.DB.ClaimJob(t.Context(), id, 9, "w"); ok || err != nil {
		t.Errorf("an old task of a paused lane: claimed %v, %v; want nothing to do", ok, err)
	}
	b.pause(jobs.LaneSystem, false)
	if _, ok, err := b.pg.DB.ClaimJob(t.Context(), id, 1, "w"); !ok || err != nil {
		t.Errorf("after the pause: claimed %v, %v", ok, err)
	}
}

// The signal for scaling is the ledger's: it knows what awaits admission, of which the queue knows nothing.
func TestLanes_metrics(t *testing.T) {
	b := setup(t)
	w := b.shared(2, nothing)
	b.crowd(b.ws, 12)
	b.relay(w)
	b.pg.Exec(t, `UPDATE jobs SET run_at = now() - interval '100 seconds'`)
	if err := w.admit(t.Context(), jobs.LaneDocument); err != nil {
		t.Fatal(err)
	}
	if _, ok, err := b.pg.DB.ClaimJob(t.Context(), dossier.JobID(pgtest.Value[string](t, b.pg, `SELECT min(id::text) FROM jobs WHERE admitted = epoch`)), 1, "w"); !ok || err != nil {
		t.Fatal(ok, err)
	}
	for name, want := range map[string]float64{"dossier_lane_backlog": 11, "dossier_lane_running": 1, "dossier_lane_slots": 2, "dossier_lane_paused": 0} {
		if got := metric(t, w, name, "document"); got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if got := metric(t, w, "dossier_lane_oldest_seconds", "document"); got < 100 || got > 1000 {
		t.Errorf("the oldest waits %v s, want about 100", got)
	}
	if got := metric(t, w, "dossier_lane_backlog", "spread"); got != 0 {
		t.Errorf("%v wait in an empty lane", got)
	}
}

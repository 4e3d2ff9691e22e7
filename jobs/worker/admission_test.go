package worker

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// shared makes a worker of width slots for documents, whose jobs are done by do.
func (b *bench) shared(width int, do func(ctx context.Context, claim postgres.Claim) error) *Worker {
	b.t.Helper()
	w, err := New(Config{DB: b.pg.DB, Redis: b.redis, Metrics: prometheus.NewRegistry(), Log: testLog(b.t),
		Lanes: []jobs.Lane{jobs.LaneDocument}, Concurrency: map[jobs.Lane]int{jobs.LaneDocument: width}})
	if err != nil {
		b.t.Fatal(err)
	}
	w.timing, w.schedule = quick, nil
	w.handlers = table(handler{spec: jobs.JudgeLead{}.Spec(), do: do})
	return w
}

// crowd stages n jobs of a workspace for the shared lane.
func (b *bench) crowd(ws dossier.WorkspaceID, n int) []dossier.JobID {
	b.t.Helper()
	list := make([]jobs.Job, n)
	for i := range list {
		list[i] = jobs.JudgeLead{Workspace: ws}
	}
	ids, err := b.pg.DB.StageJobs(b.t.Context(), ws, list...)
	if err != nil {
		b.t.Fatal(err)
	}
	return ids
}

// order notes who starts, in order.
type order struct {
	mu     sync.Mutex
	starts []dossier.WorkspaceID
}

func (o *order) start(claim postgres.Claim) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.starts = append(o.starts, claim.Workspace)
}

func (o *order) of(ws dossier.WorkspaceID) int {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, starts := range o.starts {
		if starts == ws {
			return i + 1
		}
	}
	return 0
}

// One tenant's thousands hold up nobody: another's job starts after what runs and what stands at the door already, at most
// mixed with what is admitted together with it.
func TestTurns_a_flood_of_one_workspace(t *testing.T) {
	b := setup(t)
	var starts order
	gate := make(chan struct{}, 100)
	w := b.shared(2, func(_ context.Context, claim postgres.Claim) error {
		starts.start(claim)
		<-gate
		return nil
	})
	other := b.pg.Workspace(t)
	b.run(w)
	flood := b.crowd(b.ws, 3000)
	b.until("the flood runs, and all of it is known", func() bool {
		return b.count(dossier.JobRunning) == 2 && pgtest.Value[int](t, b.pg, `SELECT count(*) FROM outbox`) == 0
	})
	if info, err := w.inspector.GetQueueInfo("document"); err != nil || info.Pending > 1 {
		t.Errorf("%d tasks stand in the queue (%v), want at most one at the door", info.Pending, err)
	}
	one := b.crowd(other, 1)[0]
	b.until("the other's job is known", func() bool { return pgtest.Value[int](t, b.pg, `SELECT count(*) FROM outbox`) == 0 })
	for range 20 {
		gate <- struct{}{}
	}
	b.await(one, dossier.JobDone)
	if place := starts.of(other); place > 2*window(2) {
		t.Errorf("the other's job started as number %d of %d, want it right after those that ran and the one at the door", place, len(flood)+1)
	}
	b.pg.Exec(t, `UPDATE jobs SET status = 'CANCELLED' WHERE in_turn IS NOT NULL`)
	close(gate)
}

// Two workspaces that both have much to do get as much of the lane each.
func TestTurns_two_floods_alternate(t *testing.T) {
	b := setup(t)
	var starts order
	w := b.shared(1, func(_ context.Context, claim postgres.Claim) error { starts.start(claim); return nil })
	other := b.pg.Workspace(t)
	b.crowd(b.ws, 40)
	b.crowd(other, 40)
	b.relay(w)
	b.run(w)
	b.until("all done", func() bool { return b.count(dossier.JobDone) == 80 })
	lead := 0
	for i, ws := range starts.starts {
		if ws == other {
			lead--
		} else {
			lead++
		}
		if lead < -2 || lead > 2 {
			t.Fatalf("after %d starts one workspace is %d ahead", i+1, lead)
		}
	}
}

// What nobody waits for comes after what somebody waits for, of the same workspace too, but it comes.
func TestTurns_interactive_before_bulk(t *testing.T) {
	b := setup(t)
	var mu sync.Mutex
	var started []bool // whether each was bulk
	w := b.shared(1, func(_ context.Context, claim postgres.Claim) error {
		mu.Lock()
		defer mu.Unlock()
		started = append(started, claim.Bulk)
		return nil
	})
	b.crowd(b.ws, 20)
	b.pg.Exec(t, `UPDATE jobs SET bulk = true`)
	b.crowd(b.ws, 20)
	b.relay(w)
	b.run(w)
	b.until("all done", func() bool { return b.count(dossier.JobDone) == 40 })
	bulk := 0
	for _, is := range started[:25] {
		if is {
			bulk++
		}
	}
	if bulk != 5 {
		t.Errorf("%d of the first 25 were bulk, want every fifth", bulk)
	}
}

// inFlight watches how many jobs of each workspace run at once.
type inFlight struct {
	mu   sync.Mutex
	now  map[dossier.WorkspaceID]int
	most map[dossier.WorkspaceID]int
}

func (f *inFlight) run(ws dossier.WorkspaceID, do func() error) error {
	f.mu.Lock()
	f.now[ws]++
	f.most[ws] = max(f.most[ws], f.now[ws])
	f.mu.Unlock()
	defer func() { f.mu.Lock(); f.now[ws]--; f.mu.Unlock() }()
	return do()
}

// A workspace never runs more at once than its limit, also when jobs fail and come back by the queue's own retry; what waits
// for it uses up no try and no slot that another could have.
func TestTurns_limits_hold(t *testing.T) {
	b := setup(t)
	other := b.pg.Workspace(t)
	ctx := t.Context()
	if err := b.pg.DB.SetLaneLimit(ctx, jobs.LaneDocument, 2); err != nil {
		t.Fatal(err)
	}
	if err := b.pg.DB.SetLaneShare(ctx, postgres.LaneShare{Workspace: other, Lane: jobs.LaneDocument, Weight: 1, AtOnce: 1}); err != nil {
		t.Fatal(err)
	}
	flying := inFlight{now: map[dossier.WorkspaceID]int{}, most: map[dossier.WorkspaceID]int{}}
	do := func(_ context.Context, claim postgres.Claim) error {
		return flying.run(claim.Workspace, func() error {
			if claim.Attempt == 1 {
				return fmt.Errorf("once more")
			}
			return nil
		})
	}
	b.run(b.shared(4, do)) // two processes, eight slots
	b.run(b.shared(4, do))
	b.crowd(b.ws, 30)
	b.crowd(other, 15)
	b.until("all done", func() bool { return b.count(dossier.JobDone) == 45 })
	if flying.most[b.ws] > 2 || flying.most[other] > 1 {
		t.Errorf("%d and %d ran at once, the limits are 2 and 1", flying.most[b.ws], flying.most[other])
	}
	if n := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM jobs WHERE attempt <> 2`); n != 0 {
		t.Errorf("%d jobs have not used exactly two tries", n)
	}
}

// Whatever dies between two commits of a turn, the job runs and the lane goes on.
func TestTurns_crashes(t *testing.T) {
	for name, crash := range map[string]func(b *bench, w *Worker){
		"after awaiting admission": func(b *bench, w *Worker) { b.relay(w) },
		"after the admission, before the queue has it": func(b *bench, w *Worker) {
			b.relay(w)
			if rows, err := b.pg.DB.AdmitJobs(b.t.Context(), jobs.LaneDocument, 3); err != nil || len(rows) != 3 {
				b.t.Fatal(len(rows), err)
			}
		},
		"after the queue has it, which then forgets": func(b *bench, w *Worker) {
			b.relay(w)
			if err := w.admit(b.t.Context(), jobs.LaneDocument); err != nil {
				b.t.Fatal(err)
			}
			if err := b.redis.Client().FlushDB(b.t.Context()).Err(); err != nil {
				b.t.Fatal(err)
			}
		},
		"after the claim": func(b *bench, w *Worker) {
			b.relay(w)
			rows, err := b.pg.DB.AdmitJobs(b.t.Context(), jobs.LaneDocument, 3)
			if err != nil {
				b.t.Fatal(err)
			}
			for _, row := range rows {
				if _, ok, err := b.pg.DB.ClaimJob(b.t.Context(), row.Job, row.Epoch, "dies"); err != nil || !ok {
					b.t.Fatal(ok, err)
				}
			}
			b.pg.Exec(b.t, `UPDATE jobs SET lease_until = now() - interval '1 second' WHERE status = 'RUNNING'`)
		},
		"with a task of a release that knew no turns": func(b *bench, w *Worker) {
			b.relay(w)
			b.pg.Exec(b.t, `UPDATE jobs SET in_turn = NULL`)
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := setup(t)
			ran := newTally()
			w := b.shared(2, func(_ context.Context, claim postgres.Claim) error { ran.add(claim.Job); return nil })
			ids := b.crowd(b.ws, 12)
			crash(b, w)
			b.run(b.shared(2, func(_ context.Context, claim postgres.Claim) error { ran.add(claim.Job); return nil }))
			b.until("all done", func() bool { return b.count(dossier.JobDone) == len(ids) })
			for _, id := range ids {
				if n := ran.of(id); n != 1 {
					t.Errorf("job %s ran %d times", id, n)
				}
			}
		})
	}
}

package worker

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

func atLeast(n float64) func(float64) bool { return func(is float64) bool { return is >= n } }

func exactly(n float64) func(float64) bool { return func(is float64) bool { return is == n } }

// Workers were started without a lane: what waits there is done by the first that serves it.
func faultUnserved(t *testing.T) {
	b := setupHooks(t)
	w, _ := b.both()
	b.run(w)
	b.well()
	if _, err := b.db.StageJobs(t.Context(), b.ws, jobs.ExportAnalytics{Workspace: b.ws,
		Run: dossier.PipelineRunID(postgres.NewID())}); err != nil {
		t.Fatal(err)
	}
	b.says(w, "dossier_lane_backlog", exactly(1), "export")
	b.says(w, "dossier_lane_slots", exactly(0), "export")
	b.says(w, "dossier_lane_oldest_seconds", atLeast(0.6), "export")
	b.run(b.serving(jobs.LaneExport))
	b.until("the job has ended", func() bool { return b.unfinished() == "" })
}

// serving makes a worker of some lanes, with the handlers there are.
func (b *hookBench) serving(lanes ...jobs.Lane) *Worker {
	b.t.Helper()
	w, err := New(Config{DB: b.db, Redis: b.redis, Log: testLog(b.t), Lanes: lanes})
	if err != nil {
		b.t.Fatal(err)
	}
	w.timing, w.schedule = quick, nil
	return b.watched(w)
}

// Somebody paused a lane and went home: nothing of it starts, and all of it once it is resumed.
func faultPaused(t *testing.T) {
	b := setupHooks(t)
	w, ran := b.both()
	b.run(w)
	b.well()
	pause := func(paused bool) {
		if err := b.db.SetLanePaused(t.Context(), jobs.LaneSystem, paused, "somebody"); err != nil {
			t.Fatal(err)
		}
	}
	pause(true)
	ids := b.stage(10)
	b.says(w, "dossier_lane_paused", exactly(1), "system")
	b.says(w, "dossier_lane_oldest_seconds", atLeast(0.6), "system")
	if n := b.count(dossier.JobDone); n != 0 {
		t.Errorf("%d jobs of a paused lane are done", n)
	}
	pause(false)
	b.undoubled(t)
	b.once(t, ran, ids)
}

// handling gives the no-op jobs of a worker another handler while ill says so.
func handling(w *Worker, spec jobs.Spec, ill func(ctx context.Context, claim postgres.Claim) (bool, error)) {
	well := w.handlers[spec.Kind].do
	w.handlers[spec.Kind] = handler{spec: spec, do: func(ctx context.Context, claim postgres.Claim) error {
		if is, err := ill(ctx, claim); is {
			return err
		}
		return well(ctx, claim)
	}}
}

// A release whose handler fails: its jobs end as failed, and a retry of all of them does them once it is mended.
func faultHandlerFails(t *testing.T) {
	b := setupHooks(t)
	w, ran := b.both()
	var ill atomic.Bool
	handling(w, jobs.Noop{}.Spec(), func(context.Context, postgres.Claim) (bool, error) {
		return ill.Load(), dossier.Errorf(dossier.Invalid, "A defect")
	})
	b.run(w)
	b.well()
	ids := b.stage(10)
	b.until("it works", func() bool { return b.count(dossier.JobDone) == 10 })
	ill.Store(true)
	ids = append(ids, b.stage(5)...)
	b.says(w, "dossier_jobs_total", exactly(5), "system.noop", "failed")
	ill.Store(false)
	if _, err := b.db.RetryJobs(t.Context(), postgres.JobFilter{Kind: jobs.Noop{}.Spec().Kind}); err != nil {
		t.Fatal(err)
	}
	b.until("all are done", func() bool { return b.count(dossier.JobDone) == len(ids) })
	b.undoubled(t)
	b.once(t, ran, ids)
}

// A handler that goes on when it is told to stop is given up: another try does the job, and what the first still writes
// is refused.
func faultHandlerStuck(t *testing.T) {
	b := setupHooks(t)
	w, ran := b.both()
	spec := jobs.Noop{}.Spec()
	spec.Timeout = 50 * time.Millisecond
	gate, late := make(chan struct{}), make(chan error, 1)
	handling(w, spec, func(_ context.Context, claim postgres.Claim) (bool, error) {
		if claim.Attempt > 1 {
			return false, nil
		}
		<-gate
		late <- b.db.FinishJob(context.Background(), claim)
		return true, nil
	})
	b.run(w)
	b.well()
	ids := b.stage(1)
	b.says(w, "dossier_jobs_total", exactly(1), "system.noop", "stuck")
	b.until("another try has done it", func() bool { return b.count(dossier.JobDone) == 1 })
	close(gate)
	if err := <-late; !errors.Is(err, postgres.ErrFenced) {
		t.Errorf("the late write gave %v, want ErrFenced", err)
	}
	b.undoubled(t)
	b.once(t, ran, ids)
}

// The ledger is locked for longer than heartbeats may take: jobs that run go on, since their leases are longer still.
func faultHeartbeats(t *testing.T) {
	b := setupHooks(t)
	gate := make(chan struct{})
	w, ran := b.both()
	handling(w, jobs.Noop{}.Spec(), func(context.Context, postgres.Claim) (bool, error) { <-gate; return false, nil })
	b.run(w)
	b.well()
	ids := b.stage(4)
	b.until("all run", func() bool { return b.count(dossier.JobRunning) == len(ids) })
	lock, err := pgx.Connect(t.Context(), b.pg.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = lock.Close(context.Background()) }()
	if _, err := lock.Exec(t.Context(), `BEGIN; LOCK TABLE jobs IN ACCESS EXCLUSIVE MODE`); err != nil {
		t.Fatal(err)
	}
	b.until("heartbeats are missed", func() bool { return metric(t, w, "dossier_heartbeats_missed_total") >= 2 })
	if _, err := lock.Exec(t.Context(), `ROLLBACK`); err != nil {
		t.Fatal(err)
	}
	b.says(w, "dossier_heartbeats_missed_total", atLeast(2))
	close(gate)
	b.undoubled(t)
	b.once(t, ran, ids)
}

// Too few workers for what is uploaded: a document begins to be read two minutes late.
func faultReadingLate(t *testing.T) {
	b := setupHooks(t)
	w := b.serving(jobs.LaneDocument)
	b.run(w)
	b.well()
	b.pg.Exec(t, `CREATE FUNCTION waited() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN NEW.created_at := NEW.created_at - interval '2 minutes'; RETURN NEW; END $$;
		CREATE TRIGGER waited BEFORE INSERT ON jobs FOR EACH ROW EXECUTE FUNCTION waited()`)
	if _, err := b.db.StageJobs(t.Context(), b.ws, jobs.ExtractDocument{Workspace: b.ws,
		Document: dossier.DocumentID(postgres.NewID())}); err != nil {
		t.Fatal(err)
	}
	b.until("the job has ended", func() bool { return b.unfinished() == "" })
	b.says(w, "dossier_jobs_total", exactly(1), "document.extract", "failed") // there is no such document
}

// An event that cannot be dispatched is set aside, and those behind it come.
func faultEventAside(t *testing.T) {
	b := setupHooks(t)
	r := b.receive(nil)
	w := b.deliverer()
	b.run(w)
	b.well()
	lead := newLead()
	b.pg.Exec(t, `ALTER TABLE deliveries ADD CONSTRAINT poison CHECK (lead_id IS DISTINCT FROM '`+string(lead)+`')`)
	b.emit(1, lead)
	ids := b.emit(5, newLead())
	b.says(w, "dossier_events_set_aside_total", exactly(1))
	b.until("the others come", func() bool { return len(r.took()) == len(ids) })
	if n := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM event_aside a JOIN events e ON e.id = a.event_id
		WHERE e.lead_id = $1`, string(lead)); n != 1 {
		t.Errorf("%d events are kept aside", n)
	}
}

// An endpoint that says it is gone is disabled; the others get on, and hear of it.
func faultEndpointGone(t *testing.T) {
	b := setupHooks(t)
	gone := b.receive(func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusGone)
		return false
	})
	other := b.receive(nil)
	w := b.deliverer()
	b.run(w)
	b.well()
	b.emit(30, newLead())
	b.says(w, "dossier_webhook_endpoints", exactly(1), "disabled")
	b.until("the other has all, and is told", func() bool { return len(other.took()) == 31 })
	if calls, _, _ := gone.tally(); calls > b.inflight {
		t.Errorf("%d requests after a 410", calls)
	}
	b.undoubled(t)
}

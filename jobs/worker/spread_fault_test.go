package worker

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/jackc/pgx/v5"
	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// faulty is a spread of which a round is done, with object storage that can be made to fail.
type faulty struct {
	*spreading
	*stalling
	id    dossier.SpreadID
	stop  func()
	last  dossier.Spread                  // after the round that is done
	files map[dossier.ArtifactType]string // checksums of its files
}

func newFaulty(t *testing.T) *faulty {
	t.Helper()
	stalling := newStalling(t, "/spreads/")
	store, err := objects.Open(stalling.cfg)
	if err != nil {
		t.Fatal(err)
	}
	f := &faulty{spreading: newSpreadingOn(t, "sole_proprietor", store), stalling: stalling}
	created, err := f.pg.DB.CreateSpread(t.Context(), f.ws, postgres.NewSpread{LeadID: f.lead})
	if err != nil {
		t.Fatal(err)
	}
	f.id = created.ID
	f.stop = f.run(f.w)
	f.last = f.ended(t, f.id)
	f.files = f.sums(t, f.last)
	return f
}

// change starts the next round with other figures, so that its files are other bytes.
func (f *faulty) change(t *testing.T) {
	t.Helper()
	r, err := f.pg.DB.SpreadResults(t.Context(), f.ws, f.id)
	if err != nil {
		t.Fatal(err)
	}
	value := dossier.Figure{Decimal: decimal.NewFromInt(int64(1000 * f.last.Round))}
	if _, err := f.pg.DB.SaveAdjustments(t.Context(), f.ws, f.id, []dossier.SpreadAdjustment{{Statement: "incomeStatement", Row: "rent",
		PeriodID: r.Statements.IncomeStatement.Periods[0].ID, Value: &value, Reason: "lease"}}); err != nil {
		t.Fatal(err)
	}
}

// untouched: while the next round is not done, the files are those of the last one, whole.
func (f *faulty) untouched(t *testing.T) {
	t.Helper()
	now, err := f.pg.DB.ReadSpread(t.Context(), f.ws, f.id)
	if err != nil {
		t.Fatal(err)
	}
	if now.Status != dossier.SpreadInProgress {
		t.Errorf("the spread is %s", now.Status)
	}
	if diff := cmp.Diff(f.last.Artifacts, now.Artifacts); diff != "" {
		t.Errorf("artifacts changed before the round ended (-last +now):\n%s", diff)
	}
	if diff := cmp.Diff(f.files, f.sums(t, now)); diff != "" {
		t.Errorf("files changed before the round ended (-last +now):\n%s", diff)
	}
}

// replaced: the round ended once, both files are new and whole, and the sweep leaves nothing else behind.
func (f *faulty) replaced(t *testing.T) {
	t.Helper()
	now := f.ended(t, f.id)
	if now.Status != dossier.SpreadComplete || now.Round != f.last.Round+1 || len(now.Artifacts) != 2 {
		t.Fatalf("the spread is %s in round %d with %d artifacts", now.Status, now.Round, len(now.Artifacts))
	}
	for kind, sum := range f.sums(t, now) {
		if sum == f.files[kind] {
			t.Errorf("%s is still that of the round before", kind)
		}
	}
	if diff := cmp.Diff(slices.Repeat([]string{"spread.started", "spread.completed"}, now.Round), f.events(t)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	f.until("no job is unfinished", func() bool {
		return pgtest.Value[int](t, f.pg, `SELECT count(*) FROM jobs WHERE kind LIKE 'spread.%' AND status IN ('QUEUED', 'RUNNING', 'RETRY')`) == 0
	})
	f.swept(t, now)
}

// swept: a day later the sweep has deleted every object that no row names.
func (s *spreading) swept(t *testing.T, now dossier.Spread) {
	t.Helper()
	sweeper, err := New(Config{DB: s.pg.DB, Redis: s.redis, Objects: s.objects, Now: func() time.Time { return time.Now().Add(orphanAge + time.Hour) }, Log: testLog(t)})
	if err != nil {
		t.Fatal(err)
	}
	if err := sweeper.sweepObjects(t.Context(), postgres.Claim{}, jobs.SweepObjects{}); err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, a := range now.Artifacts {
		want = append(want, a.ObjectKey)
	}
	for info, err := range s.objects.List(t.Context(), string(s.ws)+"/spreads/") {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, info.Key)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("objects after the sweep (-want +got):\n%s", diff)
	}
}

// Object storage that answers 500 or breaks off while the files are written: the previous ones stay, and when it is
// back the round ends.
func TestSpread_storage_fails_while_artifacts_are_written(t *testing.T) {
	f := newFaulty(t)
	var broken atomic.Int32
	f.onPut(func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
		switch broken.Add(1) % 3 {
		case 0:
			forward.ServeHTTP(httptest.NewRecorder(), r) // it is written, and nobody learns of it
			panic(http.ErrAbortHandler)
		case 1:
			w.WriteHeader(http.StatusInternalServerError)
		default:
			_, _ = io.CopyN(io.Discard, r.Body, r.ContentLength/2)
			panic(http.ErrAbortHandler)
		}
	})
	f.change(t)
	f.until("the storage has failed a few times", func() bool { return broken.Load() >= 4 })
	f.untouched(t)
	f.onPut(nil)
	f.replaced(t)
}

// A worker that is killed in any step of a round: another does it again, the previous files stay until then, and the
// round ends once.
func TestSpread_killed(t *testing.T) {
	hold := func(nth int32, written bool) func(t *testing.T, f *faulty) (func() bool, func()) {
		return func(_ *testing.T, f *faulty) (func() bool, func()) {
			var count atomic.Int32
			var held atomic.Bool
			free := make(chan struct{})
			f.onPut(func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
				if count.Add(1) < nth {
					forward.ServeHTTP(w, r)
					return
				}
				if written {
					forward.ServeHTTP(httptest.NewRecorder(), r)
				}
				held.Store(true)
				<-free
				panic(http.ErrAbortHandler)
			})
			return held.Load, func() { f.onPut(nil); close(free) }
		}
	}
	for name, arrange := range map[string]func(t *testing.T, f *faulty) (reached func() bool, release func()){
		"reading what it needs":                lockedTable("documents", "ACCESS EXCLUSIVE"),
		"writing the report":                   hold(1, false),
		"writing the workbook":                 hold(2, false),
		"both are written and nothing is told": hold(2, true),
		"in the last commit":                   lockedTable("artifacts", "EXCLUSIVE"),
	} {
		t.Run(name, func(t *testing.T) {
			f := newFaulty(t)
			f.stop()
			f.change(t)
			reached, release := arrange(t, f)
			victim := f.child(t, f.bench)
			f.until("the victim is there", reached)
			victim.kill()
			release()
			f.untouched(t)
			victim.lapse()
			f.restart(t)
			f.replaced(t)
		})
	}
}

// restart starts another worker.
func (f *faulty) restart(t *testing.T) {
	t.Helper()
	w, err := New(Config{DB: f.pg.DB, Redis: f.redis, Objects: f.objects, Now: f.pg.Clock.Now, Log: testLog(t), Drain: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	w.timing, w.schedule = quick, nil
	f.run(w)
}

// lockedTable makes the victim wait where it touches a table.
func lockedTable(table, mode string) func(t *testing.T, f *faulty) (func() bool, func()) {
	return func(t *testing.T, f *faulty) (func() bool, func()) {
		conn, err := pgx.Connect(t.Context(), f.pg.URL)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close(context.Background()) })
		waits := `SELECT EXISTS (SELECT FROM pg_locks WHERE NOT granted AND relation = '` + table + `'::regclass)`
		if _, err := conn.Exec(t.Context(), `BEGIN; LOCK TABLE `+table+` IN `+mode+` MODE`); err != nil {
			t.Fatal(err)
		}
		return func() bool { return pgtest.Value[bool](t, f.pg, waits) }, func() {
			if _, err := conn.Exec(context.Background(), `ROLLBACK`); err != nil {
				t.Error(err)
			}
		}
	}
}

// A worker that is killed while it settles a document of the first round.
func TestSpread_killed_settling_a_document(t *testing.T) {
	stalling := newStalling(t, "/spreads/")
	s := newSpreadingOn(t, "sole_proprietor", stalling.store)
	created, err := s.pg.DB.CreateSpread(t.Context(), s.ws, postgres.NewSpread{LeadID: s.lead})
	if err != nil {
		t.Fatal(err)
	}
	reached, release := lockedTable("spread_documents", "EXCLUSIVE")(t, &faulty{spreading: s})
	victim := stalling.child(t, s.bench)
	s.until("the victim is there", reached)
	victim.kill()
	release()
	victim.lapse()
	s.run(s.w)
	now := s.ended(t, created.ID)
	if now.Status != dossier.SpreadComplete || len(now.Artifacts) != 2 {
		t.Fatalf("the spread is %s with %d artifacts", now.Status, len(now.Artifacts))
	}
	if diff := cmp.Diff([]string{"spread.started", "spread.completed"}, s.events(t)); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	s.swept(t, now)
}

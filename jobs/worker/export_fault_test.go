package worker

import (
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// A database that breaks off in the middle of the file leaves no half of it: what was sent is dropped, and the next try
// writes a whole one.
func TestExport_database_breaks_off(t *testing.T) {
	e := newExporting(t)
	e.grow(t)
	var first atomic.Bool
	held := make(chan struct{})
	e.onPut(func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
		if first.CompareAndSwap(false, true) {
			close(held)
			<-e.free
		}
		forward.ServeHTTP(w, r)
	})
	id := e.start(t, export, export)
	e.run(e.worker(t))
	<-held // the reports are being read: their transaction is open
	if n := pgtest.Value[int](t, e.pg, `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state = 'idle in transaction' AND query LIKE '%report%'`); n != 1 {
		t.Errorf("%d connections were reading the reports", n)
	}
	e.letGo()
	run := e.ended(t, export, id)
	e.whole(t, run)
	if run.Attempts < 2 {
		t.Errorf("done at attempt %d", run.Attempts)
	}
}

// An export whose storage stays away, and one whose worker dies on the last try, end with ERROR: once, and nothing of the
// file is left but parts that the sweep takes.
func TestExport_tries_used_up(t *testing.T) {
	for name, fail := range map[string]func(t *testing.T, e *exporting){
		"unavailable": func(t *testing.T, e *exporting) {
			e.onPut(func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
				_, _ = io.Copy(io.Discard, r.Body)
				w.WriteHeader(http.StatusServiceUnavailable)
			})
			e.run(e.worker(t))
		},
		"worker_lost": func(t *testing.T, e *exporting) {
			var held atomic.Bool
			e.onPut(func(_ http.ResponseWriter, r *http.Request, _ http.Handler) {
				held.Store(true)
				<-e.free
				panic(http.ErrAbortHandler)
			})
			victim := e.child(t, e.bench)
			e.until("the victim writes", held.Load)
			victim.kill()
			e.letGo()
			victim.lapse()
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newExporting(t)
			e.grow(t)
			id := e.start(t, export, export)
			e.pg.Exec(t, `UPDATE jobs SET max_attempts = 1, started_at = now() - interval '7 hours'`) // it has waited for the storage long enough
			fail(t, e)
			run := e.ended(t, export, id)
			if run.Status != dossier.PipelineError || run.Failure == nil || run.Failure.Code != name || run.Result != nil {
				t.Errorf("the run is %s: %+v %s", run.Status, run.Failure, run.Result)
			}
			if got := pgtest.Value[string](t, e.pg, `SELECT (SELECT string_agg(type, ' ') FROM events WHERE type LIKE 'export.%' OR type LIKE 'pipeline_run.%') || ' ' ||
				(SELECT string_agg(status || ' ' || error_class, ' ') FROM jobs WHERE kind = 'analytics.export') || ' ' || (SELECT count(*) FROM exports)`); got != "pipeline_run.failed FAILED "+name+" 0" {
				t.Errorf("what is told of it, its job and its files: %s", got)
			}
			if _, err := e.store.AbortIncomplete(t.Context(), time.Now().Add(time.Hour)); err != nil {
				t.Error(err)
			}
			if files := e.files(t); len(files) != 0 {
				t.Errorf("files %v", files)
			}
		})
	}
}

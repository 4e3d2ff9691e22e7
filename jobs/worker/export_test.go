package worker

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

const export = jobs.PipelineExportAnalyticsCSV

// Object storage that answers 500, breaks off in the middle, or is away, for a file of one request and for the second of
// several parts: no file, nothing published, and a whole one when it is back.
func TestExport_storage_fails_halfway(t *testing.T) {
	for name, part := range map[string]string{"one request": "", "in parts": "2"} {
		t.Run(name, func(t *testing.T) {
			e := newExporting(t)
			if part != "" {
				e.grow(t)
			}
			var broken atomic.Int32
			e.onPut(func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
				if r.URL.Query().Get("partNumber") != part {
					forward.ServeHTTP(w, r)
					return
				}
				if broken.Add(1)%2 == 0 {
					w.WriteHeader(http.StatusInternalServerError)
					return
				}
				_, _ = io.CopyN(io.Discard, r.Body, r.ContentLength/2)
				panic(http.ErrAbortHandler) // the connection is cut
			})
			id := e.start(t, export, export)
			e.run(e.worker(t))
			e.until("the storage has failed a few times", func() bool { return broken.Load() >= 3 })
			if files, run := e.files(t), e.read(t, export, id); len(files) != 0 || run.Status.Ended() {
				t.Errorf("while it fails: files %v, run %s", files, run.Status)
			}
			if n := pgtest.Value[int](t, e.pg, `SELECT count(*) FROM exports WHERE finished_at IS NOT NULL`); n != 0 {
				t.Errorf("%d exports are published", n)
			}
			e.onPut(nil)
			e.whole(t, e.ended(t, export, id))
		})
	}
}

// A worker that is killed while it writes the file, when the file is there and nothing is recorded, and in the commit
// that ends the step: another does it again, and there is one whole file and one end.
func TestExport_killed(t *testing.T) {
	for name, arrange := range map[string]func(t *testing.T, e *exporting, id dossier.PipelineRunID) (reached func() bool, release func()){
		"while writing": func(_ *testing.T, e *exporting, _ dossier.PipelineRunID) (func() bool, func()) {
			var held atomic.Bool
			e.onPut(func(_ http.ResponseWriter, r *http.Request, _ http.Handler) {
				_, _ = io.CopyN(io.Discard, r.Body, r.ContentLength/2)
				held.Store(true)
				<-e.free
				panic(http.ErrAbortHandler)
			})
			return held.Load, func() { e.onPut(nil); e.letGo() }
		},
		"before recording": func(_ *testing.T, e *exporting, _ dossier.PipelineRunID) (func() bool, func()) {
			var held atomic.Bool
			e.onPut(func(_ http.ResponseWriter, r *http.Request, forward http.Handler) {
				forward.ServeHTTP(httptest.NewRecorder(), r)
				held.Store(true)
				<-e.free
				panic(http.ErrAbortHandler)
			})
			return held.Load, func() { e.onPut(nil); e.letGo() }
		},
		"in the last commit": func(t *testing.T, e *exporting, id dossier.PipelineRunID) (func() bool, func()) {
			conn, err := pgx.Connect(t.Context(), e.pg.URL)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = conn.Close(context.Background()) })
			if _, err := conn.Exec(t.Context(), `BEGIN; LOCK TABLE events IN EXCLUSIVE MODE`); err != nil {
				t.Fatal(err)
			}
			return func() bool {
					return pgtest.Value[bool](t, e.pg, `SELECT EXISTS (SELECT FROM exports WHERE id = $1) AND EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%events%')`, id)
				}, func() {
					if _, err := conn.Exec(context.Background(), `ROLLBACK`); err != nil {
						t.Error(err)
					}
				}
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newExporting(t)
			id := e.start(t, export, export)
			reached, release := arrange(t, e, id)
			victim := e.child(t, e.bench)
			e.until("the victim is there", reached)
			victim.kill()
			release()
			if run := e.read(t, export, id); run.Status != dossier.PipelineInProgress {
				t.Fatalf("after the kill the run is %s", run.Status)
			}
			victim.lapse()
			e.run(e.worker(t))
			run := e.ended(t, export, id)
			e.whole(t, run)
			if run.Attempts < 2 {
				t.Errorf("done at attempt %d", run.Attempts)
			}
		})
	}
}

// A worker that is killed between two parts leaves the first one; the sweep takes it, and not the published file.
func TestExport_killed_between_parts(t *testing.T) {
	e := newExporting(t)
	e.grow(t)
	var second atomic.Bool
	e.onPut(func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
		if r.URL.Query().Get("partNumber") == "1" {
			forward.ServeHTTP(w, r)
			return
		}
		second.Store(true)
		<-e.free
		panic(http.ErrAbortHandler)
	})
	id := e.start(t, export, export)
	victim := e.child(t, e.bench)
	e.until("the first part is stored and the second under way", func() bool {
		n, err := e.store.CountIncomplete(t.Context(), time.Now().Add(time.Hour))
		return second.Load() && err == nil && n == 1
	})
	victim.kill()
	e.onPut(nil)
	e.letGo()
	victim.lapse()
	w := e.worker(t)
	stop := e.run(w)
	run := e.ended(t, export, id)
	stop()
	e.pg.Exec(t, `UPDATE exports SET finished_at = $1`, time.Now()) // objects carry the storage's time, not the test's
	w.Now = func() time.Time { return time.Now().Add(orphanAge + time.Hour) }
	if err := w.sweepObjects(t.Context(), postgres.Claim{}, jobs.SweepObjects{}); err != nil {
		t.Fatal(err)
	}
	e.whole(t, run)
}

// An export that is cancelled while it writes leaves nothing behind, and no end but the cancellation.
func TestExport_cancelled(t *testing.T) {
	e := newExporting(t)
	held := make(chan struct{}, 10)
	e.onPut(func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
		held <- struct{}{}
		<-e.free
		forward.ServeHTTP(w, r)
	})
	id := e.start(t, export, export)
	stop := e.run(e.worker(t))
	<-held
	if _, err := e.pg.DB.CancelPipelineRun(t.Context(), e.ws, export, id); err != nil {
		t.Fatal(err)
	}
	e.letGo()
	e.until("no job is unfinished", func() bool {
		return pgtest.Value[int](t, e.pg, `SELECT count(*) FROM jobs WHERE status IN ('QUEUED', 'RUNNING', 'RETRY')`) == 0
	})
	stop()
	if run := e.read(t, export, id); run.Status != dossier.PipelineCancelled {
		t.Errorf("the run is %s", run.Status)
	}
	if n := pgtest.Value[int](t, e.pg, `SELECT (SELECT count(*) FROM exports)::int + (SELECT count(*) FROM events WHERE type LIKE 'export.%')::int`); n != 0 {
		t.Errorf("%d traces of a cancelled export", n)
	}
	orphans, err := Orphans(t.Context(), e.pg.DB, e.store, time.Now().Add(time.Hour))
	if err != nil || len(orphans) != len(e.files(t)) {
		t.Errorf("orphans %v of files %v, %v: what is left must be swept", orphans, e.files(t), err)
	}
}

// A try that was given up and goes on all the same replaces nothing: its file is not the one that is published, and it
// takes it away itself.
func TestExport_stalled(t *testing.T) {
	e := newExporting(t)
	held := make(chan string, 1)
	done := make(chan struct{})
	e.onPut(func(_ http.ResponseWriter, r *http.Request, forward http.Handler) {
		body, err := io.ReadAll(r.Body) // all of it: a stopped process sends no more
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		held <- r.URL.Path
		<-e.free
		forward.ServeHTTP(httptest.NewRecorder(), r) // the first try's file is whole after the second's
		close(done)
		panic(http.ErrAbortHandler)
	})
	e.run(e.worker(t, jobs.LaneSystem))
	e.until("somebody else leads, who takes jobs away from the stalled", func() bool {
		return pgtest.Value[bool](t, e.pg, `SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))`)
	})
	id := e.start(t, export, export)
	victim := e.child(t, e.bench)
	path := <-held
	if err := victim.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	victim.lapse()
	e.onPut(func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
		if r.URL.Path == path { // the stalled try's own repeat could still arrive after it has taken its file away
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		forward.ServeHTTP(w, r)
	})
	e.run(e.worker(t))
	run := e.ended(t, export, id)
	before := e.file(t, e.published(t, id))
	e.letGo()
	<-done
	if err := victim.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	e.until("the stalled worker takes its file away", func() bool { return len(e.files(t)) == 1 })
	e.whole(t, run)
	if strings.HasSuffix(path, e.published(t, id)) || e.file(t, e.published(t, id)) != before {
		t.Error("the published file was replaced")
	}
}

// A file has the leads of its range, whatever zone its ends are given in; a range without any has the header alone, and one
// of all time has all.
func TestExport_ranges(t *testing.T) {
	e := newExporting(t)
	e.pg.Exec(t, `UPDATE leads SET created_at = '2026-01-02T03:04:05.678901Z'`)
	e.run(e.worker(t))
	for _, of := range []struct {
		parameters string
		leads      int
	}{
		{`{"start": "0001-01-01T00:00:00Z", "end": "9999-12-31T23:59:59.999Z"}`, 40},
		{`{"start": "2026-01-02T08:34:05.678+05:30", "end": "2026-01-01T15:04:05.678-12:00"}`, 40},
		{`{"end": "2026-01-02T08:34:05.677+05:30"}`, 0},
		{`{"start": "2026-01-01T15:04:05.679-12:00"}`, 0},
	} {
		run := e.ended(t, export, e.startWith(t, of.parameters, export, export))
		rows, err := csv.NewReader(strings.NewReader(e.file(t, e.published(t, run.ID)))).ReadAll()
		if err != nil || len(rows) != 1+of.leads || rows[0][0] != "leadId" {
			t.Errorf("%s: %d rows, %v; want a header and %d leads", of.parameters, len(rows), err, of.leads)
		}
	}
}

// While an export runs, its run and its job say how far it is.
func TestExport_progress(t *testing.T) {
	e := newExporting(t)
	held := make(chan struct{}, 1)
	e.onPut(func(w http.ResponseWriter, r *http.Request, forward http.Handler) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			panic(http.ErrAbortHandler)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		held <- struct{}{}
		<-e.free
		forward.ServeHTTP(w, r)
	})
	e.run(e.worker(t))
	id := e.start(t, export, export)
	<-held // every row was written
	if got := pgtest.Value[string](t, e.pg, `SELECT r.progress || ' ' || j.progress FROM pipeline_runs r, jobs j WHERE r.id = $1 AND j.kind = $2`, id, jobs.ExportAnalytics{}.Spec().Kind); got != "95 95" {
		t.Errorf("before the end they say %s", got)
	}
	e.letGo()
	e.ended(t, export, id)
}

// Files are kept for a week after their export; the sweep takes them then, and not before.
func TestExport_retention(t *testing.T) {
	e := newExporting(t)
	id := e.start(t, export, export)
	w := e.worker(t)
	stop := e.run(w)
	e.whole(t, e.ended(t, export, id))
	stop()
	now := time.Now()
	e.pg.Exec(t, `UPDATE exports SET finished_at = $1`, now) // objects carry the storage's time, not the test's
	for _, of := range []struct {
		age  time.Duration
		kept int
	}{{keepExport - time.Hour, 1}, {keepExport + time.Hour, 0}} {
		w.Now = func() time.Time { return now.Add(of.age) }
		if err := w.sweepObjects(t.Context(), postgres.Claim{}, jobs.SweepObjects{}); err != nil {
			t.Fatal(err)
		}
		if files := e.files(t); len(files) != of.kept {
			t.Errorf("after %v: %v", of.age, files)
		}
	}
	if _, err := e.pg.DB.ReadExport(t.Context(), e.ws, id); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("the export is still there: %v", err)
	}
}

// LibreOffice, where it is installed, opens the file and computes nothing in it.
func TestExport_in_LibreOffice(t *testing.T) {
	office, err := exec.LookPath("soffice")
	if err != nil {
		t.Skip("LibreOffice is not installed")
	}
	e := newExporting(t)
	id := e.start(t, export, export)
	e.run(e.worker(t))
	run := e.ended(t, export, id)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.csv"), []byte(e.file(t, e.published(t, run.ID))), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), office, "--headless", "-env:UserInstallation=file://"+dir+"/profile", "--convert-to", "fods", "--outdir", dir, filepath.Join(dir, "a.csv")).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	sheet, err := os.ReadFile(filepath.Join(dir, "a.fods"))
	if err != nil || strings.Contains(string(sheet), "table:formula") || strings.Count(string(sheet), "HYPERLINK(") < 40 {
		t.Errorf("the sheet has formulas, or not all leads: %v", err)
	}
}

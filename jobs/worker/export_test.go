package worker

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
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

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// exporting is a bench with leads to export and an S3 server that can be made to fail.
type exporting struct {
	*bench
	*stalling
}

func newExporting(t *testing.T) *exporting {
	t.Helper()
	e := &exporting{setup(t), newStalling(t, "/exports/")}
	for i := range 40 {
		lead, entries := e.pg.Lead(t, e.ws, dossier.FieldText, dossier.FieldNumber)
		e.pg.Exec(t, `UPDATE leads SET first_name = $2 WHERE id = $1`, lead, fmt.Sprintf("=HYPERLINK(\"x\"), \"%d\"\nline", i))
		e.pg.Exec(t, `UPDATE checklist_entries SET value = '-5', status = 'COMPLETED', source = 'portal' WHERE id = $1`, entries[1])
	}
	return e
}

func (e *exporting) start(t *testing.T, pipeline string, steps ...string) dossier.PipelineRunID {
	t.Helper()
	run, err := e.pg.DB.CreatePipelineRun(t.Context(), e.ws, pipeline, steps, []byte(`{}`), postgres.PipelineSubjects{})
	if err != nil {
		t.Fatal(err)
	}
	return run.ID
}

func (e *exporting) worker(t *testing.T, lanes ...jobs.Lane) *Worker {
	t.Helper()
	store, err := objects.Open(e.cfg)
	if err != nil {
		t.Fatal(err)
	}
	w, err := New(Config{DB: e.pg.DB, Redis: e.redis, Objects: store, Lanes: lanes, Log: testLog(t), Drain: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	w.beat, w.schedule = quick, nil
	return w
}

func (e *exporting) read(t *testing.T, pipeline string, id dossier.PipelineRunID) dossier.PipelineRun {
	t.Helper()
	run, err := e.pg.DB.ReadPipelineRun(t.Context(), e.ws, pipeline, id)
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func (e *exporting) ended(t *testing.T, pipeline string, id dossier.PipelineRunID) dossier.PipelineRun {
	t.Helper()
	var run dossier.PipelineRun
	for end := time.Now().Add(90 * time.Second); !run.Status.Ended(); time.Sleep(10 * time.Millisecond) {
		if run = e.read(t, pipeline, id); time.Now().After(end) {
			t.Fatalf("the run is still %s", run.Status)
		}
	}
	return run
}

// files lists what is stored of exports.
func (e *exporting) files(t *testing.T) []string { return e.stored(t, string(e.ws)+"/exports/") }

// whole checks that a run is COMPLETE once, its file the only one, and every lead in it.
func (e *exporting) whole(t *testing.T, run dossier.PipelineRun) {
	t.Helper()
	if run.Status != dossier.PipelineComplete || run.Progress != 100 {
		t.Fatalf("the run is %s at %d: %v", run.Status, run.Progress, run.Failure)
	}
	events := pgtest.Value[string](t, e.pg, `SELECT string_agg(type || ' ' || n, ', ' ORDER BY type) FROM (SELECT type, count(*) AS n FROM events WHERE type LIKE 'export.%' OR type LIKE 'pipeline_run.%' GROUP BY 1) x`)
	if events != "export.completed 1, pipeline_run.completed 1" {
		t.Errorf("events: %s", events)
	}
	key := e.published(t, run.ID)
	orphans, err := Orphans(t.Context(), e.pg.DB, e.store, time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(e.files(t), append(orphans, key), cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Fatalf("files, and what the sweep takes with what is published: -want +got\n%s", diff)
	}
	rows, err := csv.NewReader(strings.NewReader(e.file(t, key))).ReadAll()
	if err != nil || len(rows) != 41 {
		t.Fatalf("%d rows, %v; want a header and 40 leads", len(rows), err)
	}
	at := map[string]int{}
	for i, name := range rows[0] {
		at[name] = i
	}
	for _, row := range rows[1:] {
		if !strings.HasPrefix(row[at["firstName"]], "'=HYPERLINK(") || row[at["phoneNumber"]] != "+12125550123" || row[at["checklist.1.value"]] != "-5" || row[at["checklist.1.source"]] != "portal" {
			t.Fatalf("row %q", row)
		}
	}
	if n, err := e.store.CountIncomplete(t.Context(), time.Now().Add(time.Hour)); err != nil || n != 0 {
		t.Errorf("%d unfinished uploads, %v", n, err)
	}
}

// published is where the file of a run is.
func (e *exporting) published(t *testing.T, run dossier.PipelineRunID) string {
	t.Helper()
	export, err := e.pg.DB.ReadExport(t.Context(), e.ws, run)
	if err != nil {
		t.Fatal(err)
	}
	return export.ObjectKey
}

func (e *exporting) file(t *testing.T, key string) string {
	t.Helper()
	object, err := e.store.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = object.Close() }()
	data, err := io.ReadAll(object)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

const export = jobs.PipelineExportAnalyticsCSV

// Object storage that answers 500, breaks off in the middle, or is away: no file, nothing published, and a whole one
// when it is back.
func TestExport_storage_fails_halfway(t *testing.T) {
	e := newExporting(t)
	var broken atomic.Int32
	e.onPut(func(w http.ResponseWriter, r *http.Request, _ http.Handler) {
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
			if err := victim.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = victim.Wait() // it was killed
			release()
			if run := e.read(t, export, id); run.Status != dossier.PipelineInProgress {
				t.Fatalf("after the kill the run is %s", run.Status)
			}
			e.run(e.worker(t))
			run := e.ended(t, export, id)
			e.whole(t, run)
			if run.Attempts < 2 {
				t.Errorf("done at attempt %d", run.Attempts)
			}
		})
	}
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
	if err := victim.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	e.onPut(nil)
	e.run(e.worker(t))
	run := e.ended(t, export, id)
	before := e.file(t, e.published(t, id))
	e.letGo()
	<-done
	if err := victim.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	e.until("the stalled worker takes its file away", func() bool { return len(e.files(t)) == 1 })
	e.whole(t, run)
	if strings.HasSuffix(path, e.published(t, id)) || e.file(t, e.published(t, id)) != before {
		t.Error("the published file was replaced")
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

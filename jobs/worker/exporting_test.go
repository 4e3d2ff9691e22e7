package worker

import (
	"encoding/csv"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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

// grow makes the file several parts long.
func (e *exporting) grow(t *testing.T) {
	t.Helper()
	e.pg.Exec(t, `UPDATE checklist_entries SET value = to_jsonb(repeat('x', 400000)) WHERE code = 'TEXT'`)
}

func (e *exporting) start(t *testing.T, pipeline string, steps ...string) dossier.PipelineRunID {
	t.Helper()
	return e.startWith(t, `{}`, pipeline, steps...)
}

func (e *exporting) startWith(t *testing.T, parameters, pipeline string, steps ...string) dossier.PipelineRunID {
	t.Helper()
	run, err := e.pg.DB.CreatePipelineRun(t.Context(), e.ws, pipeline, steps, []byte(parameters), postgres.PipelineSubjects{})
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
	w.timing, w.schedule = quick, nil
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
	if n := pgtest.Value[int](t, e.pg, `SELECT count(*) FROM jobs WHERE kind IN ('analytics.export', 'pipeline.run') AND status <> 'DONE'`); n != 0 {
		t.Errorf("%d jobs of the run have not ended as DONE", n)
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

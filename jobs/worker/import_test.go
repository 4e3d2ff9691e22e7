package worker

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/time/rate"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// sendImport stores a table and an archive as the API does, and stages the job.
func (e *exporting) sendImport(t *testing.T, table string, files map[string]string, create postgres.NewImport, by postgres.Caller) dossier.ImportID {
	t.Helper()
	create.FileKey = jobs.ImportKey(e.ws, postgres.NewID(), "table")
	if _, err := e.store.Put(t.Context(), create.FileKey, "text/csv", strings.NewReader(table), 0); err != nil {
		t.Fatal(err)
	}
	if files != nil {
		var zipped bytes.Buffer
		to := zip.NewWriter(&zipped)
		for name, body := range files {
			file, err := to.Create(name)
			if err == nil {
				_, err = file.Write([]byte(body))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := to.Close(); err != nil {
			t.Fatal(err)
		}
		create.ArchiveKey = jobs.ImportKey(e.ws, postgres.NewID(), "archive")
		if _, err := e.store.Put(t.Context(), create.ArchiveKey, "application/zip", &zipped, 0); err != nil {
			t.Fatal(err)
		}
	}
	by.Source = dossier.SourceImported
	im, err := e.pg.DB.CreateImport(t.Context(), e.ws, create, by)
	if err != nil {
		t.Fatal(err)
	}
	return im.ID
}

func (e *exporting) imported(t *testing.T, id dossier.ImportID) dossier.Import {
	t.Helper()
	var im dossier.Import
	e.until("the import has ended", func() bool {
		var err error
		if im, err = e.pg.DB.Import(context.Background(), e.ws, id); err != nil {
			t.Fatal(err)
		}
		return im.FinishedAt != nil
	})
	return im
}

// counts is what an import says of its rows.
func counts(im dossier.Import) string {
	return fmt.Sprintf("%s: %d rows, %d created, %d updated, %d refused", im.Status, im.Rows, im.Created, im.Updated, im.Refused)
}

func newImporting(t *testing.T) *exporting {
	t.Helper()
	e := &exporting{setup(t), newStalling(t, "/exports/")}
	for i, kind := range []string{"TEXT", "NUMBER", "MULTI_SELECT", "FILE"} {
		config := "{}"
		if kind == "MULTI_SELECT" {
			config = `{"options": ["a", "b"]}`
		}
		e.pg.Exec(t, `INSERT INTO checklist_items (workspace_id, id, code, label, field_type, config, position, created_at, updated_at)
			VALUES ($1, gen_random_uuid(), $2, $2, $2, $3, $4, now(), now())`, e.ws, kind, config, i)
	}
	return e
}

const importTable = "\ufeffexternalLeadId,firstName,email,phoneNumber,tags,checklist.TEXT,checklist.NUMBER,checklist.MULTI_SELECT,documents\r\n" +
	"x1,Ann,ann@example.com,+1 212 555 0123,vip; New,hello,-12500,a;b,one.txt;two.txt\r\n" +
	"x2,=cmd|' /C calc'!A0,,,,,,,\r\n" +
	"\r\n" +
	"x3,Bob,not an address,,,,,,\r\n" +
	"x1,,,,,changed,,,one.txt\r\n" +
	"x4,Cy,,,,,,c,\r\n" +
	"x5,Di,,,,,,,three.txt\r\n" +
	"x6," + "" + "@SUM(1),,,,,,,\r\n" +
	",\"Eve\nof two lines\",,,,,,,\r\n" +
	"x7,\"broken\" quote,,,,,,,\r\n" +
	"x8,,,,,only a value,,,\r\n"

var importFaults = []dossier.ImportFault{
	{Row: 3, Column: "firstName", Code: "formula_cell", Detail: "firstName begins like a formula of a spreadsheet; write the value itself"},
	{Row: 5, Column: "email", Code: "invalid_value", Detail: "email must be an address such as name@example.com"},
	{Row: 7, Column: "checklist.MULTI_SELECT", Code: "invalid_value", Detail: "The item does not take this value: "},
	{Row: 8, Column: "documents", Code: "file_missing", Detail: "A document of the row is not in the archive, or its name is there twice"},
	{Row: 9, Column: "firstName", Code: "formula_cell", Detail: "firstName begins like a formula of a spreadsheet; write the value itself"},
	{Row: 11, Code: "invalid_csv", Detail: "The row cannot be taken apart: write quotes inside of cells twice, and close each that is opened"},
	{Row: 12, Code: "required", Detail: "A lead needs at least one of firstName, lastName, businessName, email, phoneNumber"},
}

// Rows are written at the worker's pace; a dry run, which writes none, is not held up.
func TestImport_pace(t *testing.T) {
	e := newImporting(t)
	w := e.worker(t, jobs.LaneImport)
	w.rows = rate.NewLimiter(0, 100) // a hundred, and then no more
	e.run(w)
	table := "firstName\n" + strings.Repeat("Ann\n", 20)
	for _, dry := range []bool{true, false} {
		left := map[bool]float64{true: 100, false: 80}[dry]
		e.imported(t, e.sendImport(t, table, nil, postgres.NewImport{DryRun: dry}, postgres.Caller{}))
		if got := w.rows.Tokens(); got != left {
			t.Errorf("dry run %t: %v rows are left, want %v", dry, got, left)
		}
	}
}

// A table with everything that can be wrong: a dry run says what would be, the import does it, and a repeat changes the
// leads that are there.
func TestImport(t *testing.T) {
	e := newImporting(t)
	e.run(e.worker(t, jobs.LaneImport))
	files := map[string]string{"one.txt": "first", "folder/two.txt": "second"}
	dry := e.imported(t, e.sendImport(t, importTable, files, postgres.NewImport{DryRun: true}, postgres.Caller{}))
	if got := counts(dry); got != "COMPLETE: 10 rows, 2 created, 1 updated, 7 refused" {
		t.Errorf("dry run: %s", got)
	}
	if n := pgtest.Value[int](t, e.pg, `SELECT (SELECT count(*) FROM leads) + (SELECT count(*) FROM documents) + (SELECT count(*) FROM events)`); n != 0 {
		t.Errorf("the dry run made %d things", n)
	}
	for _, want := range []string{"COMPLETE: 10 rows, 2 created, 1 updated, 7 refused", "COMPLETE: 10 rows, 1 created, 2 updated, 7 refused"} {
		im := e.imported(t, e.sendImport(t, importTable, files, postgres.NewImport{}, postgres.Caller{}))
		if got := counts(im); got != want {
			t.Errorf("import: %s, want %s", got, want)
		}
		for i := range im.Errors {
			if im.Errors[i].Row == 7 {
				im.Errors[i].Detail = im.Errors[i].Detail[:len("The item does not take this value: ")]
			}
		}
		if diff := cmp.Diff(importFaults, im.Errors); diff != "" {
			t.Errorf("-want +got\n%s", diff)
		}
		if report := e.file(t, *im.ReportKey); strings.Count(report, "\n") != 11 || !strings.HasPrefix(report, "row,outcome,leadId,column,code,detail\n2,") ||
			strings.Contains(report, "Ann") || strings.Contains(report, "calc") {
			t.Errorf("the report is\n%s", report)
		}
	}
	got := pgtest.Value[string](t, e.pg, `SELECT l.first_name || ' ' || l.phone_number || ' ' || l.tags::text || ' ' || string_agg(c.value::text, ' ' ORDER BY c.code) || ' ' ||
		(SELECT count(*) FROM documents d WHERE d.lead_id = l.id) FROM leads l JOIN checklist_entries c ON c.lead_id = l.id WHERE l.external_lead_id = 'x1' GROUP BY l.workspace_id, l.id`)
	if want := `Ann +12125550123 {New,vip} ["a", "b"] -12500 "changed" 2`; got != want {
		t.Errorf("the lead is %s, want %s", got, want)
	}
	if n := pgtest.Value[int](t, e.pg, `SELECT count(*) FROM import_rows`); n != 0 {
		t.Errorf("%d rows are kept after the end", n)
	}
	// The files go once the end is committed; who dies in between leaves them to the sweep of orphans.
	for end := time.Now().Add(20 * time.Second); ; {
		orphans, err := Orphans(t.Context(), e.pg.DB, e.store, time.Now().Add(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		left := slices.IndexFunc(orphans, func(key string) bool { return strings.Contains(key, "/imports/") })
		if left < 0 {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%s is left behind", orphans[left])
		}
	}
}

// What a test key imports finds and makes test leads only, whatever the row says.
func TestImport_test_mode(t *testing.T) {
	e := newImporting(t)
	e.run(e.worker(t, jobs.LaneImport))
	table := "externalLeadId,firstName,isTest\nx1,Ann,\nx2,Bob,false\n"
	e.imported(t, e.sendImport(t, table, nil, postgres.NewImport{}, postgres.Caller{}))
	im := e.imported(t, e.sendImport(t, table, nil, postgres.NewImport{}, postgres.Caller{Test: true}))
	if got := counts(im); got != "COMPLETE: 2 rows, 1 created, 0 updated, 1 refused" {
		t.Error(got)
	}
	if got := pgtest.Value[string](t, e.pg, `SELECT string_agg(external_lead_id || is_test, ' ' ORDER BY external_lead_id, is_test) FROM leads`); got != "x1false x1true x2false" {
		t.Errorf("leads: %s", got)
	}
}

// Files that are none end the import as failed, with why.
func TestImport_no_archive(t *testing.T) {
	e := newImporting(t)
	e.run(e.worker(t, jobs.LaneImport))
	create := postgres.NewImport{ArchiveKey: "nothing"}
	if im := e.imported(t, e.sendImport(t, "firstName\nAnn\n", nil, create, postgres.Caller{})); im.Status != dossier.ImportFailed || im.Failure == nil {
		t.Errorf("%s %v", counts(im), im.Failure)
	}
}

// A worker that is killed at ten moments leaves what one that was never killed does: each row once.
func TestImport_killed_ten_times(t *testing.T) {
	e := newImporting(t)
	var table strings.Builder
	table.WriteString("externalLeadId,firstName,checklist.TEXT,documents\n")
	const rows = 1500
	for i := range rows {
		switch {
		case i%100 == 7:
			fmt.Fprintf(&table, "x%d,=1+1,,\n", i)
		case i%10 == 2:
			fmt.Fprintf(&table, "x%d,Ann,first,\n", i)
		case i%10 == 3:
			fmt.Fprintf(&table, "x%d,Ann,again,\n", i-1)
		case i%50 == 0:
			fmt.Fprintf(&table, "x%d,Ann,first,a.txt\n", i)
		default:
			fmt.Fprintf(&table, ",Ann %d,text,\n", i)
		}
	}
	id := e.sendImport(t, table.String(), map[string]string{"a.txt": "a"}, postgres.NewImport{}, postgres.Caller{})
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	s3, err := json.Marshal(e.cfg)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(7, 7))
	settled := func() int {
		return pgtest.Value[int](t, e.pg, `SELECT count(*) FROM import_rows`)
	}
	for kill := range 10 {
		worker := exec.Command(exe)
		worker.Env = append(os.Environ(), "TEST_CHILD_DATABASE="+e.pg.Run, "TEST_CHILD_LISTEN="+pgtest.DirectURL(e.pg.URL), "TEST_CHILD_REDIS="+e.url, "TEST_CHILD_S3="+string(s3))
		worker.Stderr = os.Stderr
		if err := worker.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = worker.Process.Kill() })
		until := min(settled()+1+random.IntN(200), rows-200+kill)
		e.until("the worker has settled some rows", func() bool { return settled() >= until })
		_ = worker.Process.Kill()
		_ = worker.Wait()
		e.pg.Exec(t, `UPDATE jobs SET lease_until = now() - interval '1 second' WHERE status = 'RUNNING'`)
	}
	e.run(e.worker(t, jobs.LaneImport))
	im := e.imported(t, id)
	if got := counts(im); got != "COMPLETE: 1500 rows, 1335 created, 150 updated, 15 refused" {
		t.Error(got)
	}
	if job := pgtest.Value[int](t, e.pg, `SELECT attempt FROM jobs WHERE kind = 'lead.import'`); job != 11 {
		t.Errorf("the job took %d tries, want 11", job)
	}
	if n := pgtest.Value[int](t, e.pg, `SELECT count(*) FROM leads`); n != im.Created {
		t.Errorf("%d leads, want %d", n, im.Created)
	}
	if n := pgtest.Value[int](t, e.pg, `SELECT count(*) FROM events WHERE type = 'lead.created'`); n != im.Created {
		t.Errorf("%d leads were told of, want %d", n, im.Created)
	}
	if n := pgtest.Value[int](t, e.pg, `SELECT count(DISTINCT first_name) FROM leads WHERE external_lead_id IS NULL`); n != pgtest.Value[int](t, e.pg, `SELECT count(*) FROM leads WHERE external_lead_id IS NULL`) {
		t.Error("a row was made twice")
	}
}

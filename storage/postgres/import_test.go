package postgres_test

import (
	"errors"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// importing is an import that a worker is at.
func importing(t *testing.T, l *leads) (postgres.Claim, dossier.Import) {
	t.Helper()
	im, err := l.DB.CreateImport(t.Context(), l.ws, postgres.NewImport{FileKey: "table"}, byAPI)
	if err != nil {
		t.Fatal(err)
	}
	staged, err := l.DB.StageJobs(t.Context(), l.ws, jobs.ImportLeads{Workspace: l.ws, Import: im.ID})
	if err != nil {
		t.Fatal(err)
	}
	l.Exec(t, `UPDATE jobs SET admitted = epoch WHERE id = $1`, staged[0])
	claim, ok, err := l.DB.ClaimJob(t.Context(), staged[0], 1, "test")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	return claim, im
}

// Sixteen rows are written with the statements of one: what a statement costs is mostly not its rows.
func TestImportRows_statements(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	claim, im := importing(t, l)
	recorder := &statements{}
	if err := l.DB.UseTracer(t.Context(), recorder); err != nil {
		t.Fatal(err)
	}
	number, tags := 0, []string{"Spring", "imported"}
	write := func(n int) int {
		var rows []postgres.NewRow
		for range n {
			number++
			rows = append(rows, postgres.NewRow{ImportRow: dossier.ImportRow{Row: number, Update: dossier.LeadUpdate{
				FirstName: dossier.Set("Ann"), ExternalLeadID: dossier.Set(strconv.Itoa(number)),
				Tags: &tags}}})
		}
		recorder.take()
		if _, err := l.DB.ImportRows(t.Context(), claim, im, rows); err != nil {
			t.Fatal(err)
		}
		sent, _ := recorder.take()
		return len(sent)
	}
	if one, sixteen := write(1), write(16); one != sixteen {
		t.Errorf("%d statements for a row, %d for sixteen", one, sixteen)
	}
	if n := pgtest.Value[int](t, l.Server, `SELECT count(*) FROM leads l JOIN events e ON e.lead_id = l.id
		JOIN portal_links p ON p.lead_id = l.id JOIN action_logs a ON a.lead_id = l.id
		WHERE l.workspace_id = $1 AND l.tags_folded = '{imported,spring}'`, l.ws); n != 17 {
		t.Errorf("%d leads that are whole, want 17", n)
	}
}

// Rows are written in one commit. One that is refused is no trouble to the others, and where one makes the commit fail
// each is written by itself; a claim that is lost writes none.
func TestImportRows_together(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	claim, im := importing(t, l)
	number := 1
	row := func(external, firstName string) postgres.NewRow {
		number++
		upd := dossier.LeadUpdate{ExternalLeadID: dossier.Set(external)}
		if firstName != "" {
			upd.FirstName = dossier.Set(firstName)
		}
		return postgres.NewRow{ImportRow: dossier.ImportRow{Row: number, Update: upd}}
	}
	outcomes := func(rows ...postgres.NewRow) (out []dossier.ImportOutcome, err error) {
		settled, err := l.DB.ImportRows(t.Context(), claim, im, rows)
		for _, s := range settled {
			out = append(out, s.Outcome)
		}
		return out, err
	}
	first := row("a", "Ann")
	for _, step := range []struct {
		name    string
		rows    []postgres.NewRow
		want    []dossier.ImportOutcome
		commits int
		leads   string
	}{
		{"one without a name", []postgres.NewRow{first, row("b", ""), row("c", "Cy")},
			[]dossier.ImportOutcome{dossier.RowCreated, dossier.RowRefused, dossier.RowCreated}, 1, "Ann,Cy"},
		{"two of one lead", []postgres.NewRow{row("d", "Di"), row("e", "Ed"), row("d", "Dee")},
			[]dossier.ImportOutcome{dossier.RowCreated, dossier.RowCreated, dossier.RowUpdated}, 4, "Ann,Cy,Dee,Ed"},
		{"one that is there", []postgres.NewRow{row("a", "Anna"), row("f", "Flo")},
			[]dossier.ImportOutcome{dossier.RowUpdated, dossier.RowCreated}, 5, "Anna,Cy,Dee,Ed,Flo"},
	} {
		got, err := outcomes(step.rows...)
		if diff := cmp.Diff(step.want, got); diff != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", step.name, err, diff)
		}
		if names := pgtest.Value[string](t, l.Server, `SELECT string_agg(first_name, ',' ORDER BY first_name) FROM leads
			WHERE workspace_id = $1`, l.ws); names != step.leads {
			t.Errorf("%s: leads %s, want %s", step.name, names, step.leads)
		}
		if n := pgtest.Value[int](t, l.Server, `SELECT count(DISTINCT xmin::text) FROM import_rows
			WHERE workspace_id = $1`, l.ws); n != step.commits {
			t.Errorf("%s: %d commits, want %d", step.name, n, step.commits)
		}
	}
	if _, err := outcomes(row("g", "Guy"), first); !errors.Is(err, postgres.ErrFenced) {
		t.Errorf("a row that is settled: %v", err)
	}
	if n := pgtest.Value[int](t, l.Server, `SELECT count(*) FROM leads WHERE workspace_id = $1
		AND external_lead_id = 'g'`, l.ws); n != 0 {
		t.Error("a row beside one that was settled before is a lead")
	}
}

// A table is counted once a row, whatever is repeated, and its rows go with its end; an import that has ended stays so.
func TestSettleRows(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	claim, im := importing(t, l)
	im, ok, err := l.DB.StartImport(t.Context(), claim, im.ID)
	if err != nil || !ok || im.Status != dossier.ImportRunning {
		t.Fatalf("%+v, %v, %v", im, ok, err)
	}
	fault := []dossier.ImportFault{{Row: 2, Code: "invalid_email"}}
	rows := []dossier.SettledRow{{Row: 2, Outcome: dossier.RowRefused, Faults: fault},
		{Row: 3, Outcome: dossier.RowUpdated}}
	for range 2 { // a repeat after a crash counts nothing twice
		if err := l.DB.SettleRows(t.Context(), claim, im, rows, 3, 50); err != nil {
			t.Fatal(err)
		}
	}
	got, err := l.DB.Import(t.Context(), l.ws, im.ID)
	if err != nil || got.Rows != 2 || got.Refused != 1 || got.Done != 3 || len(got.Errors) != 1 || got.Errors[0].Row != 2 {
		t.Errorf("%+v, %v", got, err)
	}
	settled, err := l.DB.SettledRows(t.Context(), claim, im.ID, 1, 2)
	if err != nil || len(settled) != 1 || settled[2] != dossier.RowRefused {
		t.Errorf("settled %v, %v", settled, err)
	}
	n := 0
	if err := l.DB.StreamSettled(t.Context(), claim, im.ID, func(s dossier.SettledRow) error {
		n++
		if s.Row != n+1 {
			t.Errorf("row %d comes as number %d", s.Row, n)
		}
		return nil
	}); err != nil || n != 2 {
		t.Errorf("%d rows, %v", n, err)
	}
	lost := claim
	lost.Epoch--
	if err := l.DB.SettleRows(t.Context(), lost, im, rows, 9, 50); !errors.Is(err, postgres.ErrFenced) {
		t.Errorf("who lost the claim counts: %v", err)
	}
	if err := l.DB.FinishImport(t.Context(), lost, im.ID, "r"); !errors.Is(err, postgres.ErrFenced) {
		t.Errorf("who lost the claim ends it: %v", err)
	}
	if err := l.DB.FinishImport(t.Context(), claim, im.ID, "report"); err != nil {
		t.Fatal(err)
	}
	left := pgtest.Value[string](t, l.Server, `SELECT concat_ws(' ', status, report_key, file_key, (SELECT count(*)
		FROM import_rows)) FROM imports`)
	if left != "COMPLETE report 0" {
		t.Errorf("it is %s", left)
	}
	again := claimed(t, l.Server, l.ws, jobs.ImportLeads{Workspace: l.ws, Import: im.ID})
	if _, ok, err := l.DB.StartImport(t.Context(), again, im.ID); ok || err != nil {
		t.Errorf("begun when it has ended: %v, %v", ok, err)
	}
	if err := l.DB.FailJob(t.Context(), again, "internal", "broken"); err != nil {
		t.Fatal(err)
	}
	if done, err := l.DB.Import(t.Context(), l.ws, im.ID); err != nil || done.Status != dossier.ImportComplete ||
		len(done.Errors) != 1 {
		t.Errorf("failed after its end: %+v, %v", done, err)
	}
}

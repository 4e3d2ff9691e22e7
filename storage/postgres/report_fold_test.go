package postgres_test

import (
	"context"
	"sync"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// Where more leads have changed than a page can count, it says so instead of taking minutes; a stream counts them
// first. Once they are counted, pages are answered again.
func TestReports_backlog(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	lead, _ := s.Lead(t, ws)
	changed := func(n int) {
		s.Exec(t, `INSERT INTO report_changes SELECT $1, gen_random_uuid() FROM generate_series(1, $2) i`, ws, n)
	}
	page := func() (dossier.ReportTotals, error) {
		_, totals, err := s.DB.ReportPage(t.Context(), ws, dossier.ReportFilter{}, dossier.Page{Limit: 10})
		return totals, err
	}
	changed(900)
	if totals, err := page(); err != nil || totals.Count != 1 {
		t.Fatalf("%d leads, %v; some hundred changes are counted by the page itself", totals.Count, err)
	}
	changed(20_001)
	if _, err := page(); dossier.KindOf(err) != dossier.Unavailable {
		t.Fatalf("%v, want it unavailable", err)
	}
	var seen []dossier.LeadID
	err := s.DB.StreamReports(t.Context(), ws, dossier.ReportFilter{}, func(int, int) error { return nil }, func(r dossier.LeadReport) error {
		seen = append(seen, r.LeadID)
		return nil
	})
	if err != nil || len(seen) != 1 || seen[0] != lead {
		t.Fatalf("the stream has %v, %v", seen, err)
	}
	if n := pgtest.Value[int](t, s, `SELECT count(*) FROM report_changes`); n != 0 {
		t.Errorf("%d changes are left to be counted", n)
	}
	if totals, err := page(); err != nil || totals.Count != 1 {
		t.Errorf("%d leads, %v", totals.Count, err)
	}
}

// A stream is of one moment: what is added, changed and counted while it goes on is not in it, and what it said of its size
// before is so.
func TestReports_one_moment(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	add := func(n int) {
		s.Exec(t, `INSERT INTO leads (workspace_id, id, first_name, created_at, updated_at) SELECT $1, gen_random_uuid(), 'Ann', now() - i * interval '1 minute', now() FROM generate_series(1, $2) i`, ws, n)
	}
	const leads = 1700
	add(leads)
	seen := 0
	err := s.DB.StreamReports(t.Context(), ws, dossier.ReportFilter{}, func(n, width int) error {
		if n != leads || width != 0 {
			t.Errorf("%d leads with %d items are announced", n, width)
		}
		add(300)
		s.Lead(t, ws, dossier.FieldText)
		s.Exec(t, `UPDATE leads SET first_name = 'Zoe', completed_at = now() WHERE workspace_id = $1`, ws)
		_, err := s.DB.FoldWorkspaceReports(t.Context(), ws)
		return err
	}, func(r dossier.LeadReport) error {
		if seen++; *r.FirstName != "Ann" || r.CompletedAt != nil || len(r.Items) != 0 {
			t.Fatalf("lead %d is of a later moment: %+v", seen, r)
		}
		return nil
	})
	if err != nil || seen != leads {
		t.Errorf("%d leads, %v; want the %d of the beginning", seen, err, leads)
	}
}

// Processes that count one workspace at the same time take turns: none fails, and every change is counted once.
func TestReports_folded_by_several(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	ws := s.Workspace(t)
	s.Exec(t, `INSERT INTO report_changes SELECT $1, gen_random_uuid() FROM generate_series(1, 2000)`, ws)
	var all sync.WaitGroup
	var mu sync.Mutex
	total := 0
	for range 4 {
		all.Go(func() {
			for n := 1; n > 0; {
				var err error
				if n, err = s.DB.FoldWorkspaceReports(context.WithoutCancel(t.Context()), ws); err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				total += n
				mu.Unlock()
			}
		})
	}
	all.Wait()
	if total != 2000 {
		t.Errorf("%d changes were counted, want each of 2000 once", total)
	}
}

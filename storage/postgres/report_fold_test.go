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

package score_test

import (
	"testing"

	"github.com/dossierhq/dossier/cmd/lab/specimen"
)

// TestScore_papers reads each of PaperSheets: pay slips, leases, bills, invoices, receipts, checks and statements of other
// accounts of several countries.
func TestScore_papers(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var all []specimen.Specimen
	for _, name := range specimen.PaperSheets() {
		all = append(all, specimen.PaperSheet(name))
	}
	if err := specimen.WriteDir(dir, all); err != nil {
		t.Fatal(err)
	}
	s := scores(t, dir)
	if s.Traps.Right != s.Traps.Tested {
		t.Errorf("look-alikes not taken: %d of %d", s.Traps.Right, s.Traps.Tested)
	}
	if s.DocType.Right+1 < s.DocType.Tested {
		t.Errorf("types: %d of %d", s.DocType.Right, s.DocType.Tested)
	}
	tally := s.Layers["text"]
	if tally.Right*100 < tally.Tested*97 {
		t.Errorf("facts: %d of %d", tally.Right, tally.Tested)
	}
}

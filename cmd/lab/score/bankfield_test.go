package score_test

import (
	"testing"

	"github.com/dossierhq/dossier/cmd/lab/specimen"
)

// TestScore_bankField reads each of the statements of BankSheets once: windows of envelopes, counts before amounts,
// combined and overdrawn accounts, cards, layouts of eleven countries, and a guide that pictures a statement.
func TestScore_bankField(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := specimen.WriteDir(dir, specimen.BankField(3, len(specimen.BankSheets()))); err != nil {
		t.Fatal(err)
	}
	s := scores(t, dir)
	if s.Traps.Right != s.Traps.Tested {
		t.Errorf("look-alikes not taken: %d of %d", s.Traps.Right, s.Traps.Tested)
	}
	if s.DocType.Right != s.DocType.Tested {
		t.Errorf("types: %d of %d", s.DocType.Right, s.DocType.Tested)
	}
	for kind, tally := range s.Facts {
		if tally.Right*100 < tally.Tested*97 {
			t.Errorf("facts of %s: %d of %d", kind, tally.Right, tally.Tested)
		}
	}
	if s.Invented.Right != s.Invented.Tested {
		t.Errorf("absent facts left empty: %d of %d", s.Invented.Right, s.Invented.Tested)
	}
}

package score_test

import (
	"os"
	"testing"

	"github.com/dossierhq/dossier/cmd/lab/specimen"
)

// TestScore_fieldwork reads what came up in the field: schedules alone, long reports, guides that picture a statement,
// packages, papers of other countries, text layers that lie. 32 documents, or 320 where DOSSIER_LONG is set.
func TestScore_fieldwork(t *testing.T) {
	t.Parallel()
	n := 32
	if os.Getenv("DOSSIER_LONG") != "" {
		n = 320
	}
	dir := t.TempDir()
	if err := specimen.WriteDir(dir, specimen.Fieldwork(1, n)); err != nil {
		t.Fatal(err)
	}
	s := scores(t, dir)
	if s.Traps.Right != s.Traps.Tested {
		t.Errorf("look-alikes not taken: %d of %d", s.Traps.Right, s.Traps.Tested)
	}
	for layer, tally := range s.Layers {
		if tally.Right*100 < tally.Tested*95 {
			t.Errorf("facts of %s: %d of %d", layer, tally.Right, tally.Tested)
		}
	}
	if s.DocType.Right*100 < s.DocType.Tested*97 {
		t.Errorf("types: %d of %d", s.DocType.Right, s.DocType.Tested)
	}
}

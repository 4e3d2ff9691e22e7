package score_test

import (
	"testing"

	"github.com/dossierhq/dossier/cmd/lab/score"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
)

// TestScore_exports reads what banks of the world let people download: tables with and without headers, and the
// formats that banks agreed upon.
func TestScore_exports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var all []specimen.Specimen
	for i, layout := range specimen.BankExportLayouts() {
		all = append(all, specimen.BankExport(specimen.BankOptions{Seed: uint64(i + 1), Layout: layout}))
	}
	if err := specimen.WriteDir(dir, all); err != nil {
		t.Fatal(err)
	}
	s := scores(t, dir)
	for what, tally := range map[string]score.Tally{"item types": s.FieldType, "absent facts left empty": s.Invented, "look-alikes not taken": s.Traps} {
		if tally.Right != tally.Tested {
			t.Errorf("%s: %d of %d", what, tally.Right, tally.Tested)
		}
	}
	tally := s.Layers["text"]
	if share := 100 * float64(tally.Right) / float64(max(tally.Tested, 1)); share < 98 {
		t.Errorf("facts: %d of %d are %.1f %%, want 98", tally.Right, tally.Tested, share)
	}
}

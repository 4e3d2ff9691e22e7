package score_test

import (
	"testing"

	"github.com/dossierhq/dossier/cmd/lab/specimen"
)

// TestScore_sides reads cards whose both sides lie in one picture, printed, and forms of income in small boxes, copies of
// which share a sheet, as pictures: captions of six points are what OCR reads worst.
func TestScore_sides(t *testing.T) {
	t.Parallel()
	var all []specimen.Specimen
	for i, design := range specimen.SidesDesigns() {
		all = append(all, specimen.Printed(specimen.Sides(uint64(i+11), design)))
	}
	for i, name := range specimen.ReturnSheets() {
		s := specimen.ReturnSheet(uint64(i+1), name)
		if i == 2 || i == 4 {
			s = specimen.Scan(s, uint64(i), specimen.CleanScan)
		}
		all = append(all, s)
	}
	dir := t.TempDir()
	if err := specimen.WriteDir(dir, all); err != nil {
		t.Fatal(err)
	}
	s := scores(t, dir)
	if s.Invented.Right != s.Invented.Tested {
		t.Errorf("absent facts left empty: %d of %d", s.Invented.Right, s.Invented.Tested)
	}
	for layer, tally := range s.Layers {
		if tally.Right*100 < tally.Tested*90 {
			t.Errorf("facts of %s: %d of %d", layer, tally.Right, tally.Tested)
		}
	}
}

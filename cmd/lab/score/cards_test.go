package score_test

import (
	"os"
	"testing"

	"github.com/dossierhq/dossier/cmd/lab/specimen"
)

// TestScore_cards reads licences of the jurisdictions of the United States, current and previous, and passports, identity
// cards and licences of other countries, printed: one in four, or all where DOSSIER_LONG is set.
func TestScore_cards(t *testing.T) {
	t.Parallel()
	every := 4
	if os.Getenv("DOSSIER_LONG") != "" {
		every = 1
	}
	var cards []specimen.Specimen
	for i, design := range specimen.CardDesigns() {
		if i%every == 0 {
			cards = append(cards, specimen.Printed(specimen.Card(uint64(i+1), design)))
		}
	}
	for i, design := range specimen.WorldDesigns() {
		if i%every == 0 {
			cards = append(cards, specimen.Printed(specimen.WorldCard(uint64(i+1), design)))
		}
	}
	dir := t.TempDir()
	if err := specimen.WriteDir(dir, cards); err != nil {
		t.Fatal(err)
	}
	s := scores(t, dir)
	if s.Invented.Right != s.Invented.Tested {
		t.Errorf("absent facts left empty: %d of %d", s.Invented.Right, s.Invented.Tested)
	}
	for layer, tally := range s.Layers {
		if tally.Right*100 < tally.Tested*97 {
			t.Errorf("facts of %s: %d of %d", layer, tally.Right, tally.Tested)
		}
	}
}

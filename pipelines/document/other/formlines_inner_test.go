package other

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// The captions of the two named amounts of a quarterly return begin alike: the numbers of their lines decide, and one
// amount for both is none.
func TestQuarterlyAmounts(t *testing.T) {
	source := dossier.Source{Text: "38,204.77"}
	for name, c := range map[string]struct {
		lines map[string]any
		want  any
	}{
		"by its line": {map[string]any{"2": "312440.18", "3": "38204.77"}, "312440.18"},
		"without it":  {map[string]any{"3": "38204.77"}, nil},
	} {
		values := map[string]any{"wages": "38204.77", "federalTaxWithheld": "38204.77"}
		found := text.Findings{Sources: map[string]dossier.Source{"/wages": source, "/federalTaxWithheld": source,
			"/lines/2": {Text: "312,440.18"}, "/lines/3": source}}
		quarterlyAmounts(c.lines, values, &found)
		if values["wages"] != c.want || values["federalTaxWithheld"] != "38204.77" {
			t.Errorf("%s: %v", name, values)
		}
	}
}

// A part of a caption, and the mark of a copy, are nobody's name.
func TestFormNames_captions(t *testing.T) {
	for _, s := range []string{"trade", "copy b", "for recipient", "trade name if any"} {
		if !nextBox.MatchString(s) {
			t.Errorf("%q may be a name", s)
		}
	}
	for _, s := range []string{"trade winds sailing", "copy that printing"} {
		if nextBox.MatchString(s) {
			t.Errorf("%q is a name", s)
		}
	}
	if !taxClass.MatchString("limited liabilty") {
		t.Error("a misread class of a taxpayer is a name")
	}
}

package bank

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// rulingSigns are what statements printed by lines of text draw their tables with.
const rulingSigns = "_|¦¬=-–—*~+#<>─│┌┐└┘├┤┬┴┼═║"

// withoutRules removes from lines what is drawn with characters: bars between cells, and rules of underscores or
// dashes, whose room goes to the line above. A sign that stands alone may be a minus, unless it is a bar.
func withoutRules(lines []text.Line) []text.Line {
	kept := make([]text.Line, 0, len(lines))
	for _, l := range lines {
		words := slices.DeleteFunc(slices.Clone(l.Tokens), func(t text.Token) bool {
			return t.Cell == "" && strings.Trim(t.Text, rulingSigns) == "" &&
				(len([]rune(t.Text)) > 3 || strings.Trim(t.Text, "_|¦│║") == "")
		})
		switch n := len(kept); {
		case len(words) > 0:
			l.Tokens = words
			box := text.BoxOf(words)
			l.X0, l.Y0, l.X1, l.Y1 = box.X0, box.Y0, box.X1, box.Y1
			kept = append(kept, l)
		case n > 0 && kept[n-1].Page == l.Page:
			kept[n-1].Y1 = max(kept[n-1].Y1, l.Y1)
		}
	}
	return kept
}

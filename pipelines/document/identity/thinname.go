package identity

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// surnameBeside is the printed family name of a passport whose captions OCR could not read, where it is the zone's with
// the thin letter that was lost there. The given names, which are those of the zone, say where it stands: before them
// in their line, or in the one above. It is for passports in other scripts with small print.
func (r *identityReader) surnameBeside() (string, []text.Token) {
	given, coded := squeezed(r.mrz.First), squeezed(r.mrz.Last)
	if given == "" || len(coded) < 2 {
		return "", nil
	}
	var over []text.Token // the cells of the line above
	for _, l := range r.lines {
		var cells []text.Token
		for _, cell := range l.Cells() {
			for k := range cell.Tokens {
				if squeezed(text.Join(cell.Tokens[k:])) != given {
					continue
				}
				if name := cell.Tokens[:k]; k > 0 && thinly(squeezed(text.Join(name)), coded) {
					return strings.Trim(text.Join(name), " ,"), name
				}
				for _, t := range over {
					if k == 0 && thinly(squeezed(t.Text), coded) && text.Abs(t.X0-cell.X0) < 2*(cell.Y1-cell.Y0) {
						return strings.Trim(t.Text, " ,"), []text.Token{t}
					}
				}
			}
			cells = append(cells, cell.Tokens...)
		}
		over = cells
	}
	return "", nil
}

// squeezed is a name without what parts it.
func squeezed(s string) string { return strings.ReplaceAll(text.Fold(s), " ", "") }

// thinly reports whether a name is another one with a thin letter put in.
func thinly(printed, coded string) bool {
	if len(printed) != len(coded)+1 {
		return false
	}
	for i := range printed {
		if printed[:i]+printed[i+1:] == coded && strings.ContainsRune(thinLetters, rune(printed[i])) {
			return true
		}
	}
	return false
}

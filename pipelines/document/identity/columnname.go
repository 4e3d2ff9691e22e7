package identity

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// leastSureWord is how surely a word must be read to be a name whose caption was lost.
const leastSureWord = 0.85

// trustOfOrder is what a name's place in the order of the fields is worth against its caption.
const trustOfOrder = 0.8

// columnNames reads the names of a card or a passport whose captions are too small for the picture: the standard has
// the family name first, the given names below it, then what has a date. All three stand in one column and one type,
// each with the room of a caption above it; two lines set tight are one name or two, which nobody knows. Source: ICAO
// 9303 part 4, 4.1.1.1, and part 5, 4.1.1.1, the sequence of fields.
func (r *identityReader) columnNames() bool {
	names := r.namesInColumn()
	if r.Type == dossier.DocDriversLicense || len(names) < 2 {
		return false
	}
	r.setNames(uncertainTokens(names[0].Tokens), uncertainTokens(names[1].Tokens))
	return true
}

// namesLikeZone reads those names where the zone has some of their letters, in their order, and lacks others: its line
// of names has no check digit, and OCR loses letters there.
func (r *identityReader) namesLikeZone() bool {
	names := r.namesInColumn()
	if len(names) < 2 {
		return false
	}
	last, first := squeezed(r.mrz.Last), squeezed(r.mrz.First)
	family, given := squeezed(names[0].Text()), squeezed(names[1].Text())
	if last == "" || first == "" || !within(last, family) || !within(first, given) ||
		last == family && first == given || 5*len(last) < 2*len(family) || 5*len(first) < 2*len(given) {
		return false
	}
	r.setNames(names[0].Tokens, names[1].Tokens)
	return true
}

// namesInColumn are the names over the first date of the page, in its column.
func (r *identityReader) namesInColumn() []text.Line {
	for i, l := range r.lines {
		for _, cell := range l.Cells() {
			if r.startsDate(cell) {
				return r.namesOver(i, cell)
			}
		}
	}
	return nil
}

// namesOver are the names in the column over the first date, topmost first; none where two of them stand tight.
func (r *identityReader) namesOver(i int, date text.Line) []text.Line {
	var names []text.Line
	below, height := date, date.Y1-date.Y0
	for up := i - 1; up >= 0 && r.lines[up].Page == date.Page; up-- {
		cell, ok := looselyAligned(r.lines[up], date)
		if !ok || anyUncertain(cell.Tokens) || cell.Y1-cell.Y0 < 0.8*height || cell.Y1-cell.Y0 > 1.3*height {
			continue
		}
		if below.Y0-cell.Y1 > 6*height {
			break
		}
		if r.isColumnName(cell) {
			if below.Y0-cell.Y1 < 0.9*height {
				return nil
			}
			names = append([]text.Line{cell}, names...)
		}
		below = cell
	}
	return names
}

func (r *identityReader) startsDate(cell text.Line) bool {
	_, _, ok := text.AcceptCardDate(r.Order)(cell.Tokens)
	return ok
}

// isColumnName reports whether a cell may be a name: letters alone that are surely read, of no title, caption or
// country.
func (r *identityReader) isColumnName(cell text.Line) bool {
	s := cell.Text()
	v, used, ok := acceptName(cell.Tokens)
	return ok && v == strings.Trim(s, " ,.") && len(used) == len(cell.Tokens) && len(v) >= 3 && !r.noName(s) &&
		!anyFieldWord(s) && text.StateNamed(s) == "" && issuingCountry(cell) == "" && !placeWord(s) &&
		!anyUncertain(cell.Tokens)
}

// anyUncertain reports whether one of the words was read with low confidence.
func anyUncertain(tokens []text.Token) bool {
	return slices.ContainsFunc(tokens, func(t text.Token) bool { return t.Confidence < leastSureWord })
}

// placeWord reports whether one of the words is of a place, an office or a kind of card.
func placeWord(s string) bool {
	for w := range strings.FieldsSeq(text.Fold(s)) {
		if placeWords[w] || cardWords[w] {
			return true
		}
	}
	return false
}

// cardWords are words of the titles of cards and passports in the languages of Latin letters.
var cardWords = text.WordSet("identity identite identidad identita identitatii identitatea identiteitskaart " +
	"identitetskort personalausweis ausweis carte card carta kaart kort karta kartu cedula documento document " +
	"nacional nationale national republik republic republica republique rzeczpospolita koninkrijk passport passeport " +
	"pasaporte reisepass isikutunnistus henkilokortti dowod osobisty permanent resident residence permit permis " +
	"employment authorization civil registro personas ministerio ministry interior")

// uncertainTokens marks tokens as less certain than their OCR confidence says.
func uncertainTokens(tokens []text.Token) []text.Token {
	less := make([]text.Token, len(tokens))
	for i, t := range tokens {
		t.Confidence *= trustOfOrder
		less[i] = t
	}
	return less
}

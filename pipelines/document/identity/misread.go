package identity

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// What OCR makes of the small captions of dates that stand before one or touch it: "0O8" and "DO8" for DOB, "155" and
// "i5s" for ISS.
var (
	misreadBirth = lazyregexp.New(`^(3?)[.]?[DO0Q][O0Q][B8][.:]?(\d{1,2}[/.-].*)?$`)
	misreadIssue = lazyregexp.New(`^((?:4a)?)[.]?[Ii1l][Ss5]{2}[.:]?(\d{1,2}[/.-].*)?$`)
	beginsDate   = lazyregexp.New(`^\d{1,2}[/.-]`)
)

// correctCaptions corrects misread captions of dates, where a date follows.
func correctCaptions(tokens []text.Token) []text.Token {
	mended := slices.Clone(tokens)
	for i, t := range mended {
		dated := i+1 < len(mended) && beginsDate.MatchString(mended[i+1].Text)
		for _, c := range []struct {
			shape   *lazyregexp.Regexp
			caption string
		}{{misreadBirth, "DOB"}, {misreadIssue, "ISS"}} {
			if g := c.shape.FindStringSubmatch(t.Text); g != nil && t.Method == text.MethodOCR &&
				(g[2] != "" || dated) {
				mended[i].Text = g[1] + c.caption + g[2]
			}
		}
	}
	return mended
}

// looksCaption reports whether a word is a longer caption but for a letter.
func looksCaption(word string) bool {
	const longer = 8
	if len(word) < longer {
		return false
	}
	for w := range captionWords {
		if len(w) >= longer && text.Within(word, w, 1) {
			return true
		}
	}
	return false
}

// ofAddress reports whether a name was read in a line of an address: a box at the post office, a street, a city with
// its code.
func (r *identityReader) ofAddress(pointer string) bool {
	source := r.found.Sources[pointer]
	box, printed := source.Box.([]float64)
	if !printed {
		return false
	}
	for _, l := range r.lines {
		for _, cell := range l.Cells() {
			s := cell.Text()
			if l.Page == source.Page && cell.X0 <= box[0]+1 && cell.X1 >= box[2]-1 &&
				text.Overlap(cell.Box().Y0, cell.Box().Y1, box[1], box[3]) > 0.5*(box[3]-box[1]) &&
				(text.CityLine.MatchString(s) && text.HasDigits(s, 5) || officeBox.MatchString(s) ||
					numberedStreet.MatchString(s) && !ofName(cell.Tokens[0].Text)) {
				return true
			}
		}
	}
	return false
}

// ofName reports whether a cell begins with the number of a name's field: "1 LN QUILL" is no lane.
func ofName(first string) bool {
	return familyNumber.MatchString(first) || givenNumber.MatchString(first)
}

var officeBox = lazyregexp.New(`(?i)^(?:8[.]? )?p\.? ?o\.? box\b`)

// wholeCell is a name with the words left of it in its cell: below a caption in two languages whose stroke was misread,
// the name begins where the first of them does.
func (r *identityReader) wholeCell(name []text.Token) []text.Token {
	for _, l := range r.lines {
		for _, cell := range l.Cells() {
			at := slices.Index(cell.Tokens, name[0])
			if at < 1 {
				continue
			}
			before := cell.Tokens[:at]
			if _, used, ok := acceptName(before); ok && len(used) == len(before) && !anyFieldWord(text.Join(before)) {
				return slices.Concat(before, name)
			}
		}
	}
	return name
}

// secondLine is a name with its second line, set in the same type right below the first: two family names of Spain or
// Portugal, and given names that fill a line.
func (r *identityReader) secondLine(name []text.Token) []text.Token {
	at := text.BoxOf(name)
	for _, l := range r.lines {
		if l.Page != name[0].Page {
			continue
		}
		for _, cell := range l.Cells() {
			box := cell.Box()
			if text.Abs(box.X0-at.X0) > at.Height() || box.Y0 < at.Y1-0.3*at.Height() || box.Y0 > at.Y1+at.Height() ||
				box.Height() < 0.8*at.Height() || box.Height() > 1.25*at.Height() {
				continue
			}
			v, used, ok := acceptName(cell.Tokens)
			if ok && len(used) == len(cell.Tokens) && v == strings.ToUpper(v) && !r.noName(v) && !anyFieldWord(v) &&
				issuingCountry(cell) == "" {
				return slices.Concat(name, used)
			}
		}
	}
	return name
}

// sameButConfusable reports whether two names are the same except for letters that OCR confuses between a zone and the
// print.
func sameButConfusable(a, b string) bool {
	one := strings.NewReplacer("i", "l", "1", "l", "0", "o")
	return a != "" && one.Replace(a) == one.Replace(b)
}

package text

import (
	"reflect"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

var (
	ssnCaption = lazyregexp.New(`(?i)social\s*security|\bssn\b|\bitin\b|taxpayer\s+ident|recipient'?s?\s+tin` +
		`|identifying\s+number`)
	otherCaption = lazyregexp.New(`(?i)routing|account|\bein\b|employer'?s?\s+ident|phone|\baba\b`)
	ninePrinted  = lazyregexp.New(`^\d{3}[-–. ]?\d{2}[-–. ]?\d{4}$`)
	twiceParted  = lazyregexp.New(`^\d{3}[-–]\d{2}[-–]\d{4}$`)
	figuresOnly  = lazyregexp.New(`^[-–.\d]+$`)
)

// maxParts is of how many words a number may be made: nine figures, each in a box of its own, and two dashes.
const maxParts = 11

// HideSecrets replaces the social security numbers and ITINs of people in a file's words and in what was read in them
// by ***-**-1234, in place. It reports whether a word was changed. What it goes by: how they are printed (ddd-dd-dddd),
// the captions beside and above nine figures, and what readers took as one.
func HideSecrets(d *Decoded, e *dossier.Extraction) bool {
	known, changed := ssnFacts(e), false
	for i := range d.Pages {
		for _, line := range hiddenLines(d.Pages[i], known) {
			changed = true
			known = append(known, line)
		}
	}
	hide := func(s string) string {
		s = dossier.MaskSecrets(s)
		for _, number := range known {
			s = strings.ReplaceAll(s, number, dossier.MaskSSN(number))
		}
		return s
	}
	for i := range d.Pages {
		hideStrings(reflect.ValueOf(d.Pages[i].Codes), hide)
	}
	for i := range e.Documents {
		hideFacts(&e.Documents[i], hide)
	}
	hideStrings(reflect.ValueOf(&d.Metadata).Elem(), hide)
	return changed
}

// ssnFacts are the numbers that were read as facts, in figures only.
func ssnFacts(e *dossier.Extraction) []string {
	var known []string
	for _, doc := range e.Documents {
		said, _ := doc.Facts.Other["ssn"].(string)
		if doc.Facts.Tax != nil && doc.Facts.Tax.SSN != nil {
			said = *doc.Facts.Tax.SSN
		}
		if ninePrinted.MatchString(said) {
			known = append(known, DigitsOf(said))
		}
	}
	return known
}

// hideFacts masks a document's facts, and whatever was written beside them.
func hideFacts(doc *dossier.ReadDocument, hide func(string) string) {
	if tax := doc.Facts.Tax; tax != nil && tax.SSN != nil {
		masked := dossier.MaskSSN(lastNine(*tax.SSN))
		tax.SSN = &masked
	}
	if said, ok := doc.Facts.Other["ssn"].(string); ok {
		doc.Facts.Other["ssn"] = dossier.MaskSSN(lastNine(said))
	}
	if source, ok := doc.Sources["/ssn"]; ok {
		source.Text = dossier.MaskSSN(lastNine(source.Text))
		doc.Sources["/ssn"] = source
	}
	hideStrings(reflect.ValueOf(doc).Elem(), hide)
}

// lastNine is a printed number with figures for those that the document hides, so that its last four are shown.
func lastNine(printed string) string {
	digits := DigitsOf(printed)
	if len(digits) >= 4 && len(digits) < 9 {
		return strings.Repeat("0", 9-len(digits)) + digits
	}
	return digits
}

// hiddenLines masks the numbers of a page's words and returns them, in figures only.
func hiddenLines(p Page, known []string) []string {
	var found []string
	byPlace := make(map[[3]float64][]int, len(p.Tokens))
	for i, t := range p.Tokens {
		if masked := dossier.MaskSecrets(t.Text); masked != t.Text {
			if digits := DigitsOf(t.Text); len(digits) == 9 {
				found = append(found, digits)
			}
			p.Tokens[i].Text = masked
		}
		place := [3]float64{t.X0, t.Y0, t.X1}
		byPlace[place] = append(byPlace[place], i)
	}
	var captions []Line
	for _, line := range Lines(p) {
		words := line.Text()
		if ssnCaption.MatchString(words) {
			captions = append(captions, line)
		}
		for start := 0; start < len(line.Tokens); start++ {
			n, number := numberAt(line, start, words, captions, known)
			if n == 0 {
				continue
			}
			found = append(found, number)
			hidden := 0
			for _, t := range line.Tokens[start : start+n] {
				for _, i := range byPlace[[3]float64{t.X0, t.Y0, t.X1}] {
					if p.Tokens[i].Text == t.Text {
						p.Tokens[i].Text, hidden = hideFigures(t.Text, hidden, n)
						break
					}
				}
			}
			start += n - 1
		}
	}
	return found
}

// hideFigures masks the part of a number that one of its n words holds; before is how many figures were hidden already,
// of the five that are.
func hideFigures(word string, before, n int) (string, int) {
	if n == 1 {
		return dossier.MaskSSN(DigitsOf(word)), 5
	}
	masked := []rune(word)
	for i, r := range masked {
		if r >= '0' && r <= '9' && before < 5 {
			masked[i] = '*'
			before++
		}
	}
	return string(masked), before
}

// numberAt says how many words from start on make one number of a person, and its figures: none unless it is printed as
// one, known, or named by a caption.
func numberAt(line Line, start int, words string, captions []Line, known []string) (int, string) {
	joined := ""
	for n := 1; n <= maxParts && start+n <= len(line.Tokens); n++ {
		t := line.Tokens[start+n-1]
		if !figuresOnly.MatchString(t.Text) || n > 1 && t.X0-line.Tokens[start+n-2].X1 > 3*(t.Y1-t.Y0) {
			return 0, ""
		}
		joined += t.Text
		if !ninePrinted.MatchString(joined) {
			continue
		}
		number := DigitsOf(joined)
		last := start+n == len(line.Tokens) || !figuresOnly.MatchString(line.Tokens[start+n].Text)
		if slices.Contains(known, number) || last &&
			(twiceParted.MatchString(joined) || captioned(line, start, words, captions)) {
			return n, number
		}
	}
	return 0, ""
}

// captioned says whether a number's own line, or one in the space above it, says that it is one of a person.
func captioned(line Line, start int, words string, captions []Line) bool {
	if otherCaption.MatchString(words) {
		return false
	}
	at := line.Tokens[start]
	height := at.Y1 - at.Y0
	for _, c := range captions {
		if c.Y0 == line.Y0 || at.Y0-c.Y1 < 12*height && at.X1 > c.X0-height && at.X0 < c.X1+height {
			return true
		}
	}
	return false
}

// hideStrings masks every text in v and below it, in place.
func hideStrings(v reflect.Value, hide func(string) string) {
	switch v.Kind() {
	case reflect.String:
		if v.CanSet() {
			v.SetString(hide(v.String()))
		}
	case reflect.Pointer:
		hideStrings(v.Elem(), hide)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).CanSet() {
				hideStrings(v.Field(i), hide)
			}
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			hideStrings(v.Index(i), hide)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			v.SetMapIndex(key, hiddenCopy(v.MapIndex(key), hide))
		}
	case reflect.Interface:
		if !v.IsNil() && v.CanSet() {
			v.Set(hiddenCopy(v.Elem(), hide))
		}
	}
}

// hiddenCopy is a value that cannot be changed in its place, with its texts masked.
func hiddenCopy(v reflect.Value, hide func(string) string) reflect.Value {
	masked := reflect.New(v.Type()).Elem()
	masked.Set(v)
	hideStrings(masked, hide)
	return masked
}

// DigitsOf are the digits of a text, one after the other.
func DigitsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, s)
}

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

// lostLetters reads the printed names of a zone that lost letters: two cells in their order, or the words of one, of
// which both names of the zone have the letters but for a few. It is for zones whose issuer is none, so that letters of
// the names are lost as well.
func (r *identityReader) lostLetters() bool {
	last, first := squeezed(r.mrz.Last), squeezed(r.mrz.First)
	if len(last) < 2 || len(first) < 2 {
		return false
	}
	var family []text.Token
	for _, l := range r.lines {
		for _, cell := range l.Cells() {
			if strings.Contains(cell.Text(), "<") {
				continue
			}
			for k := 1; k < len(cell.Tokens); k++ {
				if fewLost(cell.Tokens[:k], last) && fewLost(cell.Tokens[k:], first) {
					r.setNames(cell.Tokens[:k], cell.Tokens[k:])
					return true
				}
			}
			switch {
			case family != nil && fewLost(cell.Tokens, first):
				r.setNames(family, cell.Tokens)
				return true
			case family == nil && fewLost(cell.Tokens, last):
				family = cell.Tokens
			}
		}
	}
	return false
}

// mostLost is how many letters of a name a zone may have lost.
const mostLost = 2

// fewLost reports whether a name of a zone has the letters of a printed one in their order, but for a few.
func fewLost(tokens []text.Token, coded string) bool {
	printed := squeezed(text.Join(tokens))
	return len(printed) <= len(coded)+mostLost && !text.HasDigits(printed, 1) && within(coded, printed)
}

// within reports whether a name has the letters of another in their order.
func within(coded, printed string) bool {
	at := 0
	for i := range len(printed) {
		if at < len(coded) && printed[i] == coded[at] {
			at++
		}
	}
	return at == len(coded)
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

// zoneName takes a name of the zone, in its printed spelling when that is found.
func (r *identityReader) zoneName(at **string, pointer, coded, printed string, tokens []text.Token) {
	if coded != printed && sameButConfusable(strings.ToLower(printed), strings.ToLower(coded)) {
		for k, line := range r.facts.MRZ { // what is printed large outranks the thin type of a zone
			r.facts.MRZ[k] = strings.Replace(line, strings.ReplaceAll(coded, " ", "<")+"<",
				strings.ReplaceAll(strings.ToUpper(printed), " ", "<")+"<", 1)
		}
		r.set(at, pointer, printed, tokens)
		return
	}
	if printed != "" && nearlySame(strings.ReplaceAll(text.Fold(printed), " ", ""),
		strings.ReplaceAll(text.Fold(coded), " ", "")) {
		r.set(at, pointer, printed, tokens)
		r.thinLetter(coded, printed)
		return
	}
	if rest, ok := strings.CutPrefix(strings.ReplaceAll(text.Fold(coded), " ", ""),
		strings.ReplaceAll(text.Fold(printed), " ", "")); ok && printed != "" && strings.Trim(rest, "kcesxl") == "" {
		r.set(at, pointer, printed, tokens) // the fillers after the name were read as letters
		return
	}
	if printed == "" {
		printed, tokens = r.spelledOut(coded)
	}
	if spelledOut := squeezed(vowels.Replace(coded)); printed != "" && spelledOut == squeezed(vowels.Replace(printed)) {
		r.set(at, pointer, printed, tokens)
		return
	}
	if r.goesOnInZone(coded, printed) {
		r.set(at, pointer, printed, tokens) // a filler too many parts the coded name
		return
	}
	r.set(at, pointer, coded, r.mrz.Tokens)
}

// vowels undoes how a zone spells the letters that it lacks. Source: ICAO 9303 part 3, section 6.
var vowels = strings.NewReplacer("AE", "A", "OE", "O", "UE", "U", "AA", "A", "ae", "a", "oe", "o", "ue", "u", "aa", "a")

// spelledOut is the printed name that a zone spells with letters that it has: "SCHÖN" is SCHOEN there.
func (r *identityReader) spelledOut(coded string) (string, []text.Token) {
	plain := squeezed(vowels.Replace(coded))
	if len(plain) < 3 || plain == squeezed(coded) {
		return "", nil
	}
	for _, l := range r.lines {
		for _, cell := range l.Cells() {
			if squeezed(text.Join(cell.Tokens)) == plain {
				return text.Join(cell.Tokens), cell.Tokens
			}
		}
	}
	return "", nil
}

// goesOnInZone reports whether a printed name of several words begins with the coded one and goes on with what the zone
// has for the other name: OCR read two fillers for the one between its words.
func (r *identityReader) goesOnInZone(coded, printed string) bool {
	begin, whole, zone := squeezed(coded), squeezed(printed), squeezed(r.mrz.Last)+squeezed(r.mrz.First)
	return coded == r.mrz.Last && len(whole) > len(begin) && strings.Contains(printed, " ") &&
		strings.HasPrefix(zone, whole)
}

// nearlySame reports whether a printed name is the coded one, of which one letter may have been lost or misread: the
// names of a zone have no check digit.
func nearlySame(printed, coded string) bool {
	if printed == coded {
		return true
	}
	same := 0
	for same < min(len(printed), len(coded)) && printed[same] == coded[same] {
		same++
	}
	// OCR loses thin letters between wide ones: of a short name that alone is believed
	thin := len(printed) >= 3 && len(printed) == len(coded)+1 && strings.ContainsRune(thinLetters, rune(printed[same]))
	if len(printed) < 5 && !thin || text.HasDigits(printed, 1) {
		return false
	}
	switch len(printed) - len(coded) {
	case 0:
		return printed[min(same+1, len(printed)):] == coded[min(same+1, len(coded)):]
	case 1:
		return printed[same+1:] == coded[same:]
	}
	return false
}

// thinLetters are those that are hardly there in a picture of a zone.
const thinLetters = "ijl"

// thinLetter puts the letter back into the zone that the printed name has and that OCR lost there: the line is the
// shorter by it, and has one filler too many where those were filled up.
func (r *identityReader) thinLetter(coded, printed string) {
	if len(printed) != len(coded)+1 || strings.ToUpper(printed) != printed {
		return
	}
	for i := range printed {
		if printed[:i]+printed[i+1:] != coded || !strings.ContainsRune(thinLetters, rune(printed[i]|0x20)) {
			continue
		}
		lost := strings.ReplaceAll(coded, " ", "<") + "<"
		for k, line := range r.facts.MRZ {
			if whole := strings.TrimSuffix(line, "<"); strings.Count(line, lost) == 1 && whole != line {
				r.facts.MRZ[k] = strings.Replace(whole, lost, strings.ReplaceAll(printed, " ", "<")+"<", 1)
				return
			}
		}
		return
	}
}

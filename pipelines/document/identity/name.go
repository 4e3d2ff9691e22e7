package identity

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// acceptName accepts up to four words of letters.
func acceptName(tokens []text.Token) (string, []text.Token, bool) {
	cells := text.Line{Tokens: tokens}.Cells()
	var used []text.Token
	for _, t := range cells[0].Tokens {
		t.Text = letterO(t)
		if !text.PersonName.MatchString(t.Text) || text.IsFieldWord(t.Text) || holdsCaption(t.Text) ||
			len(used) == 4 {
			break
		}
		used = append(used, t)
	}
	text := strings.Trim(text.Join(used), " ,.")
	return text, used, len([]rune(text)) >= 2
}

// names reads the names: of the zone, below a caption of the whole name, below captions of their own, else where
// licences and cards print them without any.
func (r *identityReader) names() {
	last := r.name(lastCaptions)
	first := r.name(firstCaptions)
	if r.mrz.Valid && r.mrz.Last != "" && !r.zoneRunsOn(last.text) {
		if !last.found {
			last.text, last.tokens = r.surnameBeside()
		}
		r.zoneName(&r.facts.LastName, "/lastName", r.mrz.Last, last.text, last.tokens)
		r.zoneName(&r.facts.FirstName, "/firstName", r.mrz.First, first.text, first.tokens)
		return
	}
	if r.wholeName() || r.stackedName() {
		return
	}
	if r.Type == dossier.DocDriversLicense {
		switch {
		case last.found && !first.found:
			first.text, first.tokens, first.found = r.nameBelow(last.tokens)
		case first.found && !last.found:
			last.text, last.tokens, last.found = r.nameOver(first.tokens)
		}
	}
	if last.found && first.found && last.text != first.text {
		r.takeNames(last, first)
		return
	}
	if r.uncaptioned() {
		return
	}
	if !last.found || !first.found { // one name below both captions: whose it is, nobody knows
		r.takeNames(last, first)
	}
}

// uncaptioned reads the names that licences and national cards print without captions of their own.
func (r *identityReader) uncaptioned() bool {
	return (r.Type == dossier.DocDriversLicense || r.Type == dossier.DocNationalID) &&
		(r.numbered() || r.captioned() || r.aboveAddress() || r.loneNames())
}

// printedName is a name as the document prints it.
type printedName struct {
	text   string
	tokens []text.Token
	found  bool
}

// name finds the name below or beside one of some captions.
func (r *identityReader) name(captions []string) printedName {
	s, tokens, ok := r.fields.Find(text.Field{Captions: captions, Accept: acceptName, Below: !r.beside})
	if ok && !r.beside && tokens[0].Method == text.MethodOCR {
		tokens = r.secondLine(r.wholeCell(tokens))
		s = strings.Trim(text.Join(tokens), " ,.")
	}
	return printedName{s, tokens, ok}
}

// takeNames takes those names that were found.
func (r *identityReader) takeNames(last, first printedName) {
	if last.found {
		r.set(&r.facts.LastName, "/lastName", last.text, last.tokens)
	}
	if first.found {
		r.set(&r.facts.FirstName, "/firstName", first.text, first.tokens)
	}
}

// zoneRunsOn reports whether the fillers between the names of the zone were read as letters, so that it has one name
// that begins with the printed one, or holds two of the letter that fillers are read as.
func (r *identityReader) zoneRunsOn(last string) bool {
	coded, printed := text.Fold(r.mrz.Last), strings.ReplaceAll(text.Fold(last), " ", "")
	return r.mrz.First == "" && (strings.Contains(coded, "kk") || printed != "" && coded != printed &&
		strings.HasPrefix(coded, printed))
}

// nameBelow is the name right below the family name, nameOver the one right above the given names: names whose
// caption was lost.
func (r *identityReader) nameBelow(last []text.Token) (string, []text.Token, bool) {
	at := text.BoxOf(last)
	return r.nameBetween(at, at.Y1-0.3*at.Height(), at.Y1+1.5*at.Height())
}

func (r *identityReader) nameOver(first []text.Token) (string, []text.Token, bool) {
	at := text.BoxOf(first)
	return r.nameBetween(at, at.Y0-2.5*at.Height(), at.Y0-0.7*at.Height())
}

// nameBetween is a name that begins where at does and whose top lies between two heights.
func (r *identityReader) nameBetween(at text.Box, top, bottom float64) (string, []text.Token, bool) {
	for _, l := range r.lines {
		if l.Page != r.lines[0].Page || l.Y0 < top || l.Y0 > bottom {
			continue
		}
		for k, t := range l.Tokens {
			// one letter is what OCR made of the field's number
			if text.Abs(t.X0-at.X0) < 1.5*at.Height() && len(t.Text) > 1 && text.PersonName.MatchString(t.Text) {
				return acceptName(l.Tokens[k:])
			}
		}
	}
	return "", nil, false
}

// zoneName takes a name of the zone, in its printed spelling when that is found.
func (r *identityReader) zoneName(at **string, pointer, coded, printed string, tokens []text.Token) {
	if coded != printed && sameButThin(strings.ToLower(printed), strings.ToLower(coded)) {
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
	r.set(at, pointer, coded, r.mrz.Tokens)
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

// captioned reads both names below one caption ("1,2 NAME"), or beside one with a comma between them.
func (r *identityReader) captioned() bool {
	for _, caption := range []string{"1 2 name", "1 2", "full name", "name"} {
		var name []text.Token
		_, _, ok := r.fields.Find(text.Field{Captions: []string{caption},
			Accept: func(tokens []text.Token) (string, []text.Token, bool) {
				v, used, ok := acceptName(tokens)
				name = used
				return v, used, ok && !anyFieldWord(v)
			}})
		if !ok {
			continue
		}
		last, first := atComma(name)
		if first == nil {
			_, first, _ = r.nameBelow(name)
		}
		if first == nil && strings.HasSuffix(name[len(name)-1].Text, ",") {
			first = r.goesOn(name)
		}
		if first != nil {
			r.setNames(last, first)
			return true
		}
	}
	return false
}

// setNames sets both names, the given ones without the title that British cards print before them.
func (r *identityReader) setNames(last, first []text.Token) {
	if len(first) > 1 && personTitle.MatchString(first[0].Text) {
		first = first[1:]
	}
	r.set(&r.facts.LastName, "/lastName", strings.Trim(text.Join(last), " ,"), last)
	r.set(&r.facts.FirstName, "/firstName", strings.Trim(text.Join(first), " ,"), first)
}

var personTitle = lazyregexp.New(`^(?i:mr|mrs|ms|miss|mx)\.?$`)

// nameSuffix matches what stands after a comma and is no given name.
var nameSuffix = lazyregexp.New(`^(?i:jr|sr|i{1,3}|iv|vi{0,3})[.]?$`)

// atComma parts "DOE, JANE Q" into both names; first is nil when nothing parts them.
func atComma(name []text.Token) (last, first []text.Token) {
	at := slices.IndexFunc(name, func(t text.Token) bool { return strings.HasSuffix(t.Text, ",") })
	if at < 0 || at+1 == len(name) || nameSuffix.MatchString(name[at+1].Text) {
		return name, nil
	}
	return name[:at+1], name[at+1:]
}

// The AAMVA field numbers of the names with their small letters, as they are printed ("1LN", "2FN") and misread.
var (
	familyNumber = lazyregexp.New(`^1[.]?[-—=]*[LlIit1|]{0,2}[-—=]*N?$`)
	givenNumber  = lazyregexp.New(`^2[.]?[-—=]*[FfPEir]{0,2}[-—=]*N?$`)
)

// numbered reads the AAMVA field numbers: 1 family name, 2 given names.
func (r *identityReader) numbered() bool {
	var last, first []text.Token
	for _, l := range r.lines {
		cells := l.Cells()
		for i, cell := range cells {
			used := r.nameOf(cell)
			if used == nil && len(cell.Tokens) == 1 && i+1 < len(cells) { // the number stands in a column of its own
				_, used, _ = acceptName(cells[i+1].Tokens)
			}
			if used == nil {
				continue
			}
			switch caption := cell.Tokens[0].Text; {
			case familyNumber.MatchString(caption):
				last = used
			case givenNumber.MatchString(caption):
				first = used
			}
		}
	}
	if last == nil && first != nil {
		_, last, _ = r.nameOver(first)
	}
	if first == nil && last != nil {
		if last, first = atComma(last); first == nil {
			_, first, _ = r.nameBelow(last)
		}
	}
	if last == nil && first == nil {
		return false
	}
	r.setNames(last, first)
	return true
}

// nameOf is the name beside the first token of a cell, or right below it where it stands alone; nil when there is none.
func (r *identityReader) nameOf(cell text.Line) []text.Token {
	if len(cell.Tokens) > 1 {
		if name, used, ok := acceptName(cell.Tokens[1:]); ok && name != "" {
			return used
		}
		return nil
	}
	at := cell.Box()
	if _, used, ok := r.nameBetween(at, at.Y1-0.5*at.Height(), at.Y1+1.2*at.Height()); ok &&
		!anyFieldWord(text.Join(used)) {
		return used
	}
	return nil
}

var (
	cardStreet = lazyregexp.New(`(?i)^\d+\s+[A-Za-z0-9]|\b(street|st|avenue|ave|road|rd|drive|dr|lane|ln|blvd|court` +
		`|ct|way|place|pl)\b`)
	nameWords = lazyregexp.New(`^[A-Z][A-Za-z'’,.-]+( [A-Z][A-Za-z'’,.-]*){0,4}$`)
)

// aboveAddress reads a name without caption: the lines of capitals above the street. One line is "FIRST
// LAST" or "LAST, FIRST"; of two, the upper is the family name.
func (r *identityReader) aboveAddress() bool {
	for i, l := range r.lines {
		for _, cell := range l.Cells() {
			if !cardStreet.MatchString(stripNumber(cell.Text())) {
				continue
			}
			names := r.namesAbove(i, cell)
			if len(names) == 0 {
				continue
			}
			r.splitNames(names)
			return true
		}
	}
	return false
}

var leadingNumber = lazyregexp.New(`^(?:[1-9][ab]?|1[0-9])[.]?\s+`)

// stripNumber removes an AAMVA field number before a value ("8 123 MAIN ST").
func stripNumber(s string) string {
	if g := leadingNumber.FindString(s); g != "" && len(strings.Fields(s)) > 2 {
		return s[len(g):]
	}
	return s
}

// namesAbove climbs from the street to the name lines, nearest last.
func (r *identityReader) namesAbove(i int, street text.Line) []text.Line {
	var names []text.Line
	below := street
	for up := i - 1; up >= 0 && len(names) < 2; up-- {
		cell, ok := looselyAligned(r.lines[up], below)
		if !ok {
			continue
		}
		s := strings.TrimSpace(leadingNumber.ReplaceAllString(cell.Text(), ""))
		if addressTitle.MatchString(s) {
			below = cell
			continue
		}
		if below.Y0-cell.Y1 > 3.5*(below.Y1-below.Y0) || !nameWords.MatchString(s) || text.StateNamed(s) != "" ||
			anyFieldWord(s) {
			break
		}
		names = append([]text.Line{cell}, names...)
		below = cell
	}
	return names
}

// addressTitle matches the caption over an address, which stands below the names.
var addressTitle = lazyregexp.New(`(?i)^(?:\S{1,2} )?(?:(?:residence|residential|mailing|street|home) )?address[:.]?$`)

func anyFieldWord(s string) bool {
	return slices.ContainsFunc(strings.Fields(s), text.IsFieldWord)
}

func looselyAligned(l, below text.Line) (text.Line, bool) {
	for _, cell := range l.Cells() {
		if text.Abs(cell.X0-below.X0) < 1.5*(below.Y1-below.Y0) {
			return cell, true
		}
	}
	return text.Line{}, false
}

func (r *identityReader) splitNames(names []text.Line) {
	text := strings.TrimSpace(leadingNumber.ReplaceAllString(names[0].Text(), ""))
	if len(names) == 2 {
		second := strings.TrimSpace(leadingNumber.ReplaceAllString(names[1].Text(), ""))
		r.set(&r.facts.LastName, "/lastName", strings.Trim(text, " ,"), names[0].Tokens)
		r.set(&r.facts.FirstName, "/firstName", strings.Trim(second, " ,"), names[1].Tokens)
		return
	}
	if last, first, ok := strings.Cut(text, ","); ok {
		r.set(&r.facts.LastName, "/lastName", strings.TrimSpace(last), names[0].Tokens)
		r.set(&r.facts.FirstName, "/firstName", strings.TrimSpace(first), names[0].Tokens)
		return
	}
	words := strings.Fields(text)
	if len(words) < 2 {
		return
	}
	r.set(&r.facts.LastName, "/lastName", words[len(words)-1], names[0].Tokens)
	r.set(&r.facts.FirstName, "/firstName", strings.Join(words[:len(words)-1], " "), names[0].Tokens)
}

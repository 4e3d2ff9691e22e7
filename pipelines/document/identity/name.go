package identity

import (
	"slices"
	"strings"
	"unicode"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// mostNameWords is how many words the names of one field have at most: what stands behind them on a card of two sides
// is of another field.
const mostNameWords = 4

// acceptName accepts words of letters. A name that goes on with what is no word is none: it would be cut short.
func acceptName(tokens []text.Token) (string, []text.Token, bool) {
	cells := text.Line{Tokens: tokens}.Cells()
	var used []text.Token
	for _, t := range cells[0].Tokens {
		t.Text = letterO(t)
		if !text.PersonName.MatchString(t.Text) {
			if misreadWord(t) {
				return "", nil, false
			}
			break
		}
		if text.IsFieldWord(t.Text) || holdsCaption(t.Text) || len(used) == mostNameWords {
			break
		}
		used = append(used, t)
	}
	text := strings.Trim(text.Join(used), " ,.")
	return text, used, len([]rune(text)) >= 2
}

// misreadWord reports whether a word of a picture is one of a name with a figure or a mark that OCR put into it, no
// number of a field and no date: more letters than else, of which it begins with one.
func misreadWord(t text.Token) bool {
	letters := 0
	for _, c := range t.Text {
		if unicode.IsLetter(c) {
			letters++
		}
	}
	runes := []rune(t.Text)
	return t.Method == text.MethodOCR && len(runes) >= 3 && letters == len(runes)-1 && unicode.IsUpper(runes[0]) &&
		!strings.ContainsAny(t.Text, ":#/=+")
}

// names reads the names: of the zone, below a caption of the whole name, below captions of their own, else where
// licences and cards print them without any.
func (r *identityReader) names() {
	last := r.name(lastCaptions)
	first := r.name(firstCaptions)
	if r.mrz.Valid && !last.found && !first.found && r.namesLikeZone() || r.mrz.Damaged && r.lostLetters() {
		return
	}
	if r.mrz.Valid && r.mrz.Last != "" && !r.mrz.Damaged && !r.fillersMisread(last.text) {
		if !last.found {
			last.text, last.tokens = r.surnameBeside()
		}
		r.zoneName(&r.facts.LastName, "/lastName", r.mrz.Last, last.text, last.tokens)
		r.zoneName(&r.facts.FirstName, "/firstName", r.mrz.First, first.text, first.tokens)
		return
	}
	if !r.wholeName() && !r.stackedName() {
		r.printedNames(last, first)
	}
}

// printedNames takes the names below captions of their own, or those that stand without any.
func (r *identityReader) printedNames(last, first printedName) {
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
	if r.uncaptioned() || !last.found && !first.found && r.columnNames() {
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

// fillersMisread reports whether the fillers between the names of the zone were read as letters, so that it has one
// name that begins with the printed one, or holds two of the letter that fillers are read as.
func (r *identityReader) fillersMisread(last string) bool {
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
		last, first := splitAtComma(name)
		if first == nil {
			if v, below, ok := r.nameBelow(name); ok && len(v) > 2 && below[0].Text[0] == strings.ToUpper(v)[0] {
				first = below
			}
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

// splitAtComma splits "DOE, JANE Q" into both names; first is nil when there is no comma to split at.
func splitAtComma(name []text.Token) (last, first []text.Token) {
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
			if len(cell.Dates(r.Order)) > 0 {
				continue // "11 AUG 2028" is no field 1
			}
			used := r.nameOf(cell)
			if used == nil && len(cell.Tokens) == 1 && i+1 < len(cells) { // the number stands in a column of its own
				_, used, _ = acceptName(cells[i+1].Tokens)
			}
			if used == nil {
				continue
			}
			switch caption := cell.Tokens[0].Text; {
			case last == nil && familyNumber.MatchString(caption):
				last = used
			case first == nil && givenNumber.MatchString(caption): // "2 REST NONE" is what OCR left of field 12
				first = used
			}
		}
	}
	if last == nil && first != nil {
		_, last, _ = r.nameOver(first)
	}
	if first == nil && last != nil {
		if last, first = splitAtComma(last); first == nil {
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
			if !cardStreet.MatchString(stripNumber(cell.Text())) || len(cell.Dates(r.Order)) > 0 ||
				r.startsDate(cell) {
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
		if addressTitle.MatchString(s) || houseUnit.MatchString(s) {
			below = cell
			continue
		}
		if below.Y0-cell.Y1 > 3.5*(below.Y1-below.Y0) || !nameWords.MatchString(s) || placeWord(s) ||
			text.StateNamed(s) != "" ||
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

// capitals reports whether a text has capitals alone.
func capitals(s string) bool { return s == strings.ToUpper(s) }

func (r *identityReader) splitNames(names []text.Line) {
	text := strings.TrimSpace(leadingNumber.ReplaceAllString(names[0].Text(), ""))
	if len(names) == 2 {
		second := strings.TrimSpace(leadingNumber.ReplaceAllString(names[1].Text(), ""))
		if capitals(second) && !capitals(text) && !strings.HasSuffix(text, ",") { // cards of Australia
			names[0], names[1], text, second = names[1], names[0], second, text
		}
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
	for k := 1; k < len(words); k++ { // "Jane VAN CITIZEN": the family name stands in capitals
		if family := strings.Join(words[k:], " "); capitals(family) && !capitals(words[k-1]) {
			r.set(&r.facts.LastName, "/lastName", family, names[0].Tokens)
			r.set(&r.facts.FirstName, "/firstName", strings.Join(words[:k], " "), names[0].Tokens)
			return
		}
	}
	r.set(&r.facts.LastName, "/lastName", words[len(words)-1], names[0].Tokens)
	r.set(&r.facts.FirstName, "/firstName", strings.Join(words[:len(words)-1], " "), names[0].Tokens)
}

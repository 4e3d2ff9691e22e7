package identity

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// gluedField matches a field's number of the AAMVA card standard that touches its caption or its name: "3DOB", "4bEXP",
// "1SAMPLE".
var gluedField = lazyregexp.New(`^(?:(4[abd]|3|9a?|1[25-9])[.]?((?i:d[o0]b|exp|[il1]ss|dln?|lic|sex|hgt|wgt|eyes` +
	`|class|end|rest).*)|([12])[.]?([A-Z][A-Z'’-]{2,},?))$`)

// gluedCaption matches a caption that touches its value: "DL:1234567", "LIC#AB123456".
var gluedCaption = lazyregexp.New(`^((?i:n?dln?|lic|no|id|oln|class)[.]?[:#])([A-Z0-9].*)()()$`)

// leastTouching is how many captions of names touch them on a card that prints all its captions so.
const leastTouching = 2

// splitFieldNumbers separates the numbers of fields from the values that touch them. It reports whether most do touch.
func splitFieldNumbers(lines []text.Line) ([]text.Line, bool) {
	parted, touching := slices.Clone(lines), 0
	for i, l := range parted {
		var tokens []text.Token
		for _, t := range correctCaptions(l.Tokens) {
			if t.Text = strings.TrimLeft(t.Text, ":"); t.Text == "" {
				continue // it parts a caption from its value
			}
			g := gluedComma.FindStringSubmatch(t.Text)
			if g == nil {
				g = gluedState.FindStringSubmatch(t.Text)
			}
			if g != nil && t.Method == text.MethodOCR {
				last := t
				last.Text, t.Text = g[1]+",", g[2]
				last.X1 = t.X0 + (t.X1-t.X0)*float64(len(last.Text))/float64(len(last.Text)+len(t.Text))
				t.X0 = last.X1
				tokens = append(tokens, last)
			}
			for {
				number, rest, ok := partField(t)
				if !ok {
					break
				}
				if touchesName.MatchString(t.Text) || gluedName.MatchString(t.Text) {
					touching++
				}
				tokens, t = append(tokens, number), rest
			}
			tokens = append(tokens, t)
		}
		parted[i].Tokens = tokens
	}
	return parted, touching >= leastTouching
}

// gluedComma matches two names with a comma between them that OCR joined, and may have read as a point.
var gluedComma = lazyregexp.New(`^([A-Z][A-Z'’-]{2,})[.,]([A-Z][A-Z'’-]{2,})$`)

// gluedState matches a city that OCR joined with its state, and whose comma it may have read as a point.
var gluedState = lazyregexp.New(`^([A-Z]{3,})[.,](A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]` +
	`|N[CDEHJMVY]|O[HKR]|PA|PR|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY])$`)

// touchesName matches the number of a name's field that touches the name.
var touchesName = lazyregexp.New(`^[12][A-Z]{3}`)

// partField parts a token in two where a field's number or caption touches what follows it.
func partField(t text.Token) (text.Token, text.Token, bool) {
	for _, glued := range []*lazyregexp.Regexp{gluedField, gluedCaption, gluedName, gluedNumber, gluedEuropean,
		gluedSex, gluedLicence} {
		g := glued.FindStringSubmatch(t.Text)
		if g == nil {
			continue
		}
		number, rest := t, t
		number.Text, rest.Text = g[1]+g[3], g[2]+g[4]
		number.X1 = t.X0 + (t.X1-t.X0)*float64(len(number.Text))/float64(len(t.Text))
		rest.X0 = number.X1
		return number, rest, true
	}
	return t, t, false
}

// gluedName matches the caption of a name that touches it: no name begins with these letters.
var gluedName = lazyregexp.New(`^([12]?[LF]N)[:.]?([A-Z][A-Z'’-]+,?)()()$`)

// gluedNumber matches a caption of the number that touches it: "DLNAB123456".
// The number may go on in groups.
var gluedNumber = lazyregexp.New(`^(DLN|OLN|DLNO|CDLNO)([A-Z]{0,2}\d[0-9A-Z-]+|[A-NP-Z])()()$`)

// gluedSex matches the caption of the sex that touches it: "SEXM".
var gluedSex = lazyregexp.New(`^(SEX)[:.]?([MFX])()()$`)

// gluedLicence matches a short caption of the number that touches a number of figures: "DLA1234567", "NO.1234567",
// "LIC#12".
var gluedLicence = lazyregexp.New(`^(?:(DL|LIC|NO)[.#:]?([A-Z]?\d{6,9})|(NUI|RUN|RUT)[.:]?(\d[\d.-]{6,}[\dK]))$`)

// gluedEuropean matches field 5 of a European licence that touches the licence's number: "5.13AA00002", and its dates.
var gluedEuropean = lazyregexp.New(`^(4[abd]|[35])[.,:]([0-9A-Z].{3,})()()$`)

var dateNumber = lazyregexp.New(`^(?:3|4[abc])[.:]?$`)

// withoutNumbers is a line without the numbers of date fields, which read like the day of a date: "3. 11.03.1976".
func withoutNumbers(l text.Line) text.Line {
	l.Tokens = slices.DeleteFunc(slices.Clone(l.Tokens),
		func(t text.Token) bool { return dateNumber.MatchString(t.Text) })
	return l
}

// houseBegins matches the number of a house, also one of a grid of roads: "N4417", "W204N11912".
var houseBegins = lazyregexp.New(`^(?:[NSEW]\d+)*\d`)

var numberedStreet = lazyregexp.New(`(?i)^(?:\d+|(?:[NSEW]\d+){1,2})[A-Z]? .*\b(street|st|avenue|ave|road|rd|drive|dr` +
	`|lane|ln|blvd|boulevard|court|ct|way|place|pl|terrace|parkway|pkwy|circle|cir|highway|hwy|trail` +
	`|square)\b\.?( .*)?$`)

// addressCaption matches the caption that stands before a street, beside the field's number or what OCR made of it.
var addressCaption = lazyregexp.New(`^(?i:add|addr|address|residence)[.:]?$`)

// houseUnit matches the line between a street and its city.
var houseUnit = lazyregexp.New(`(?i)^(?:apt|unit|ste|suite|lot|trlr|flat|#)\b.{0,12}$|^# ?\w{1,6}$`)

// address reads the line of city, state and ZIP with the street right above it.
func (r *identityReader) address() {
	for i, l := range r.lines {
		for _, city := range l.Cells() {
			if !text.CityLine.MatchString(city.Text()) {
				continue
			}
			if tokens := r.streetAbove(i); tokens != nil {
				text := text.Join(tokens)
				r.set(&r.facts.Address, "/address", text+", "+city.Text(), append(tokens, city.Tokens...))
				return
			}
		}
	}
	r.addressField()
}

// streetAbove is the nearest street over a line, with the line of the apartment below it.
func (r *identityReader) streetAbove(i int) []text.Token {
	var unit []text.Token
	for up := i - 1; up >= 0 && up >= i-3; up-- {
		for _, cell := range r.lines[up].Cells() {
			tokens, numbered := cell.Tokens, false
			for len(tokens) > 2 && (addressCaption.MatchString(tokens[0].Text) || len(tokens[0].Text) <= 2 &&
				(houseBegins.MatchString(tokens[1].Text) || addressCaption.MatchString(tokens[1].Text))) {
				numbered = numbered || strings.TrimSuffix(tokens[0].Text, ".") == "8"
				tokens = tokens[1:]
			}
			if r.touching && !numbered {
				tokens = withoutEight(tokens)
			}
			text := text.Join(tokens)
			switch {
			case numberedStreet.MatchString(text), numbered && houseNumber.MatchString(text):
				return append(slices.Clone(tokens), unit...)
			case houseUnit.MatchString(text):
				unit = cell.Tokens
			}
		}
	}
	return nil
}

// withoutEight parts the number of the field, 8, from the number of the house that it touches: "84176 ALDER COURT". It
// is for cards whose captions touch their values.
func withoutEight(tokens []text.Token) []text.Token {
	if !eightBefore.MatchString(tokens[0].Text) {
		return tokens
	}
	tokens = slices.Clone(tokens)
	tokens[0].X0 += (tokens[0].X1 - tokens[0].X0) / float64(len(tokens[0].Text))
	tokens[0].Text = tokens[0].Text[1:]
	return tokens
}

var eightBefore = lazyregexp.New(`^8[1-9]\d{0,4}[A-Z]?$`)

var houseNumber = lazyregexp.New(`^\d+[A-Z]? [A-Z]{2,}`)

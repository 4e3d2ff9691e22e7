package identity

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// licenceShapes are the shapes of licence numbers by the state that issues them, without blanks and hyphens. Source:
// the table of the AAMVA of formats by jurisdiction.
var licenceShapes = map[string]*lazyregexp.Regexp{
	"AL": shape(`\d{7,8}`), "AK": shape(`\d{7}`), "AZ": shape(`[A-Z]\d{8}|\d{9}`), "AR": shape(`\d{8,9}`),
	"CA": shape(`[A-Z]\d{7}`), "CO": shape(`\d{9}`), "CT": shape(`\d{9}`),
	"DE": shape(`\d{6,7}`), "DC": shape(`\d{7}|\d{9}`), "FL": shape(`[A-Z]\d{12}`), "GA": shape(`\d{9}`),
	"HI": shape(`[A-Z]\d{8}|\d{9}`), "ID": shape(`[A-Z][A-Z]\d{6}[A-Z]|\d{9}`),
	"IL": shape(`[A-Z]\d{11,12}`), "IN": shape(`\d{10}|[A-Z]\d{9}`), "IA": shape(`\d{9}|\d\d\d[A-Z][A-Z]\d{4}`),
	"KS": shape(`[A-Z]\d{8}|\d{9}`), "KY": shape(`[A-Z]\d{8,9}|\d{9}`), "LA": shape(`\d{9}`),
	"ME": shape(`\d{7,8}|\d{7}[A-Z]`), "MD": shape(`[A-Z]\d{12}`), "MA": shape(`[A-Z]\d{8}|[A-Z][A-Z]\d{7}|\d{9}`),
	"MI": shape(`[A-Z]\d{12}|[A-Z]\d{10}`), "MN": shape(`[A-Z]\d{12}`), "MS": shape(`\d{9}`),
	"MO": shape(`[A-Z]\d{9}|\d{9}`), "MT": shape(`\d{13}|\d{9}`), "NE": shape(`[A-Z]\d{8}`),
	"NV": shape(`\d{10}|\d{12}`), "NH": shape(`\d\d[A-Z][A-Z][A-Z]\d{5}|[A-Z][A-Z][A-Z]\d{8}`),
	"NJ": shape(`[A-Z]\d{14}`),
	"NM": shape(`\d{8,9}`), "NY": shape(`\d{9}`), "NC": shape(`\d{7,12}`), "ND": shape(`[A-Z][A-Z][A-Z]\d{6}|\d{9}`),
	"OH": shape(`[A-Z][A-Z]\d{6}`), "OK": shape(`[A-Z]\d{9}|\d{9}`),
	"OR": shape(`\d{7}|[A-Z]\d{6}`), "PA": shape(`\d{8}`), "RI": shape(`\d{7,8}|[A-Z]\d{6}`), "SC": shape(`\d{9}`),
	"SD": shape(`\d{8}`), "TN": shape(`\d{8,9}`), "TX": shape(`\d{8}`),
	"UT": shape(`\d{9}`), "VT": shape(`\d{8}|\d{7}[A-Z]`), "VA": shape(`[A-Z]\d{8}|\d{9}`),
	"AB": shape(`\d{6}-?\d{3}`), "BC": shape(`\d{7}`), "NL": shape(`[A-Z]\d{9}`), "NS": shape(`[A-Z]{5}\d{9}`),
	"ON": shape(`[A-Z]\d{14}`), "QC": shape(`[A-Z]\d{12}`), "SK": shape(`\d{8}`),
	"WV": shape(`\d{7}|[A-Z]\d{6}|[A-Z][A-Z]\d{5}`), "WI": shape(`[A-Z]\d{13}`), "WY": shape(`\d{9}`),
}

func shape(pattern string) *lazyregexp.Regexp { return lazyregexp.New(`^(?:` + pattern + `)$`) }

var withoutGaps = strings.NewReplacer(" ", "", "-", "")

// numberByFormat brings a number that OCR joined with the number of the next field to the shape of its state, and finds
// a number whose caption was lost as the only one of the shape on the card.
func (r *identityReader) numberByFormat() {
	f := r.facts
	if f.State == nil || licenceShapes[*f.State] == nil {
		return
	}
	fits := func(s string) bool { return licenceShapes[*f.State].MatchString(withoutGaps.Replace(s)) }
	if f.Number == nil {
		r.onlyOfFormat(fits)
		return
	}
	number := *f.Number
	if letter := "O" + strings.TrimPrefix(number, "0"); !fits(number) && len(letter) == len(number) && fits(letter) {
		f.Number = &letter // the number begins with a letter, which looks like a nought
		return
	}
	for _, next := range nextFields {
		cut := strings.TrimRight(strings.TrimSuffix(number, next), " ")
		apart := strings.HasSuffix(cut+" "+next, number) // no state sets the last figure of a number apart
		if cut != number && fits(cut) && (apart || !fits(number)) {
			f.Number = &cut
			return
		}
	}
}

// nextFields are the numbers of the fields that stand behind a licence's number.
var nextFields = []string{"9a", "9A", "4a", "4b", "9", "3", "5", "8", "1"}

// onlyOfFormat takes the only word of a card that has the format of its state's licence numbers and is not a date, a
// postal code, a discriminator or part of a longer number.
func (r *identityReader) onlyOfFormat(fits func(string) bool) {
	var found []text.Token
	for _, l := range r.lines {
		if discriminator.MatchString(l.Text()) || len(l.Dates(r.Order)) > 0 && len(l.Tokens) == 1 {
			continue
		}
		for _, used := range shapedWords(l, fits) {
			if text.MeanConfidence(used) < 0.6 || r.afterDiscriminator(used[0]) {
				continue
			}
			if found != nil && text.Join(found) != text.Join(used) {
				return
			}
			found = used
		}
	}
	if found != nil {
		r.set(&r.facts.Number, "/number", strings.Trim(text.Join(found), ".,:"), found)
	}
}

// mostGroups is how many groups a number is printed in at most.
const mostGroups = 5

// shapedWords are the words of a line that have the shape of a number by themselves or as groups of one.
func shapedWords(l text.Line, fits func(string) bool) [][]text.Token {
	var found [][]text.Token
	for _, cell := range l.Cells() {
		for k := 0; k < len(cell.Tokens); k++ {
			for n := 1; n <= mostGroups && k+n <= len(cell.Tokens); n++ {
				used := cell.Tokens[k : k+n]
				s := strings.Trim(text.Join(used), ".,:")
				if fits(s) && len(withoutGaps.Replace(s)) >= 7 && (n == 1 || evenGroups(s)) {
					found = append(found, used)
					k += n - 1
					break
				}
			}
		}
	}
	return found
}

// evenGroups reports whether the groups of a number are two figures or more each, but for a letter before them: the
// number of a field is not its first.
func evenGroups(s string) bool {
	for k, group := range strings.Fields(s) {
		if len(group) < 2 && (k > 0 || !strings.ContainsAny(group, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")) {
			return false
		}
	}
	return true
}

// afterDiscriminator reports whether a word stands below or beside the caption of the discriminator, or of another
// number.
func (r *identityReader) afterDiscriminator(t text.Token) bool {
	return slices.ContainsFunc(r.lines, func(l text.Line) bool {
		return slices.ContainsFunc(l.Tokens, func(c text.Token) bool {
			folded := text.Fold(c.Text)
			if folded != "dd" && folded != "5dd" && folded != "ad" && folded != "icn" && folded != "audit" &&
				folded != "inv" {
				return false
			}
			height := c.Y1 - c.Y0
			below := t.Y0 > c.Y0 && t.Y0 < c.Y1+2.5*height && text.Abs(t.X0-c.X0) < 6*height
			beside := text.Abs((t.Y0+t.Y1)-(c.Y0+c.Y1)) < height && t.X0 >= c.X1-height
			return below || beside
		})
	})
}

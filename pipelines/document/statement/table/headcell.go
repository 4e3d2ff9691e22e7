package table

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// headCell is a piece of a heading: a run of words, parted from the next by a gap or by a date.
type headCell struct {
	tokens []text.Token
	x0, x1 float64
}

// headCells parts a line above the figures into pieces.
func headCells(l text.Line, order text.DateOrder) []headCell {
	dates := l.Dates(order)
	begins := map[int]bool{} // tokens with which a date begins that another date precedes
	for i := 1; i < len(dates); i++ {
		between := strings.ToLower(strings.Trim(text.Join(l.Tokens[dates[i-1].Last+1:max(dates[i].First,
			dates[i-1].Last+1)]), " ,"))
		switch between {
		case "", "(unaudited)", "unaudited", "(audited)", "audited", "(restated)", "(as restated)", "(as adjusted)":
			begins[dates[i].First] = true
		case "as of", "as at":
			begins[dates[i-1].Last+1] = true
		}
	}
	for i := 1; i < len(l.Tokens); i++ {
		before, word := l.Tokens[i-1].Text, l.Tokens[i].Text
		if loneYear.MatchString(before) && (loneYear.MatchString(word) || monthLast.MatchString(word)) {
			begins[i] = true
		}
	}
	for k, at := range monthRange.FindAllStringIndex(l.Text(), -1) {
		if first, _ := l.TokenRange(at[0], at[1]); k > 0 {
			begins[first] = true
		}
	}
	var cells []headCell
	for i, t := range l.Tokens {
		begins[i] = begins[i] || i > 0 && headBegins.MatchString(t.Text) && endsYear.MatchString(l.Tokens[i-1].Text)
		again := i > 0 && beginsNextHeading(cells[len(cells)-1], l.Tokens[i:])
		if i == 0 || begins[i] || again || headGap(l.Tokens[i-1], t) {
			cells = append(cells, headCell{x0: t.X0})
		}
		c := &cells[len(cells)-1]
		c.tokens = append(c.tokens, t)
		c.x1 = t.X1
	}
	return cells
}

// beginsNextHeading reports whether a word begins the heading of another column: the length of a period after the end
// of one. The day of a month does not.
func beginsNextHeading(c headCell, rest []text.Token) bool {
	before, word := text.Join(c.tokens), rest[0].Text
	day := dayAlone.MatchString(word) && (len(rest) == 1 || monthLast.MatchString(rest[1].Text) || endOfMonth[word])
	return lengthBegins.MatchString(word) && endedWord.MatchString(before) && !day ||
		wordBegins.MatchString(word) && endedMonth.MatchString(before)
}

// endOfMonth are days with which periods end, and lengths of none.
var endOfMonth = map[string]bool{"28": true, "29": true, "30": true, "31": true}

// headBegins are the first words of a heading, after a year those of another column; lengthBegins is the first
// word of a length, which begins the heading of another column after "ended".
var (
	headBegins   = lazyregexp.New(`(?i)^(?:YTD|FY|Q[1-4]|LTM|TTM)`)
	endsYear     = lazyregexp.New(`(?:19|20)\d{2}\)?$|(?i)^FY\d{2}$`)
	lengthBegins = lazyregexp.New(`(?i)^(?:one|three|six|nine|twelve|years?|quarter|fiscal|[1-5]?\d)$`)
	endedWord    = lazyregexp.New(`(?i)\b(?:ended|ending)$`)
	wordBegins   = lazyregexp.New(`(?i)^(?:one|three|six|nine|twelve|half|years?|quarter|fiscal)$`)
	endedMonth   = lazyregexp.New(`(?i)\b(?:ended|ending)\s+(?:\d{1,2}\s+)?[a-z]{3,9}\.?(?:\s+\d{1,2},?)?$`)
)

// pageNumber is what a report's own head prints at the right, above a column by chance.
var pageNumber = lazyregexp.New(`(?i)^\W*page\s*:?\s*\d+(?:\s+of\s+\d+)?\W*$`)

func isPageNumber(c headCell) bool { return pageNumber.MatchString(text.Join(c.tokens)) }

func headGap(a, b text.Token) bool {
	if a.Cell != b.Cell {
		return true
	}
	em := max(a.Y1-a.Y0, b.Y1-b.Y0)
	if a.Method == text.MethodOCR {
		em *= 1.4
	}
	return b.X0-a.X1 > 0.8*em
}

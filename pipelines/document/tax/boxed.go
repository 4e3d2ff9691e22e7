package tax

import (
	"maps"
	"slices"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Boxed is the amount in a numbered box of a form.
type Boxed struct {
	Number, Caption string
	Value           dossier.Amount
	Tokens          []text.Token
}

// Boxes reads the numbered boxes of a form that is no income tax return and has no lines of its own here: those of
// which the numbers at both sides of a row agree. They are in the order of their numbers as text.
func Boxes(s text.Segment) []Boxed {
	s.Style = text.DotDecimal
	r := taxReader{Segment: s, facts: &dossier.TaxFacts{Lines: map[string]dossier.Amount{}},
		read: map[string]readLine{}, pages: joinFigures(s.Pages)}
	for _, p := range r.pages {
		r.pageBoxes(p)
	}
	r.correctLines()
	var found []Boxed
	for _, number := range slices.Sorted(maps.Keys(r.facts.Lines)) {
		read := r.read[number]
		found = append(found, Boxed{number, read.line.words, r.facts.Lines[number], read.tokens})
	}
	return found
}

// pageBoxes takes the boxes of a page.
func (r *taxReader) pageBoxes(p text.Page) {
	columns := boxColumns(p)
	for _, column := range columns {
		for _, b := range column {
			r.readBox(b, columns)
		}
	}
}

var (
	wholePart = lazyregexp.New(`^[-(]?\$?(?:\d{1,3}(?:,\d{3})*|\d+),?$`)
	centsPart = lazyregexp.New(`^\.?(\d\d)\)?$`)
)

// JoinCents joins the dollars and the cents of amounts that a form has boxes of their own for, with a point of its own
// between them: "312,440", ".", "18". A picture may have lost the point.
func JoinCents(p text.Page) text.Page {
	var kept []text.Token
	for _, l := range text.Lines(p) {
		for i := 0; i < len(l.Tokens); i++ {
			t := l.Tokens[i]
			t.Text, l.Tokens[i].Text = withCommas(t), withCommas(t)
			if cents, n := centsBehind(l.Tokens[i:]); n > 0 {
				last := l.Tokens[i+n]
				t.Text += "." + cents
				t.X1, t.Y0, t.Y1 = last.X1, min(t.Y0, last.Y0), max(t.Y1, last.Y1)
				t.Confidence = min(t.Confidence, last.Confidence)
				i += n
			}
			kept = append(kept, t)
		}
	}
	p.Tokens = kept
	return p
}

// centsBehind are the cents that stand behind a figure, and how many words behind it; 0 when none do.
func centsBehind(row []text.Token) (cents string, at int) {
	if len(row) < 2 || !wholePart.MatchString(row[0].Text) {
		return "", 0
	}
	height := row[0].Y1 - row[0].Y0
	near := func(a, b text.Token) bool { return b.X0-a.X1 < 2*height }
	at = 1
	if row[1].Text == "." {
		at = 2
	}
	if at == len(row) || !near(row[0], row[1]) || !near(row[at-1], row[at]) {
		return "", 0
	}
	g := centsPart.FindStringSubmatch(row[at].Text)
	if g == nil || at == 1 && (row[1].Method != text.MethodOCR && row[1].Text == g[1] || at+1 < len(row)) {
		return "", 0
	}
	return g[1], at
}

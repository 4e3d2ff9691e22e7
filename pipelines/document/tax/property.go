package tax

import (
	"slices"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// propertyLines are the lines of a Schedule E that are filled in for each property. Source: the form of the Internal
// Revenue Service, part I.
var propertyLines = []taxLine{
	{number: "3", words: "rents received"}, {number: "4", words: "royalties received"},
	{number: "5", words: "advertising"},
	{number: "6", words: "auto and travel"}, {number: "7", words: "cleaning and maintenance"},
	{number: "8", words: "commissions"},
	{number: "9", words: "insurance"}, {number: "10", words: "legal and professional fees"},
	{number: "11", words: "management fees"},
	{number: "12", words: "mortgage interest paid to banks"}, {number: "13", words: "other interest"},
	{number: "14", words: "repairs"},
	{number: "15", words: "supplies"}, {number: "16", words: "taxes"}, {number: "17", words: "utilities"},
	{number: "18", words: "depreciation expense or depletion"}, {number: "19", words: "other"},
	{number: "20", words: "total expenses"},
	{number: "21", words: "subtract line 20 from line 3"}, {number: "22", words: "deductible rental real estate loss"},
}

// readProperties reads the columns A, B and C of a Schedule E: line 3 of property A is "3A".
func (r *taxReader) readProperties() {
	if r.Form != landlord {
		return
	}
	for _, p := range r.pages {
		var columns []text.Token
		for _, row := range text.Lines(p) {
			if c := propertyColumns(row, p.Width); c != nil {
				columns = c
				continue
			}
			if columns != nil {
				r.propertyRow(row, columns)
			}
		}
	}
}

// propertyColumns are the letters that head the columns of properties; nil when a row does not head them.
func propertyColumns(row text.Line, width float64) []text.Token {
	var letters []text.Token
	for _, t := range row.Tokens {
		if len(letters) < 3 && t.X0 > 0.4*width && t.Text == string(rune('A'+len(letters))) {
			letters = append(letters, t)
		}
	}
	if len(letters) < 3 {
		return nil
	}
	return letters
}

// propertyRow takes the amounts of a row whose number stands before them: each by the letter it is nearest to.
func (r *taxReader) propertyRow(row text.Line, columns []text.Token) {
	apart := columns[1].X0 - columns[0].X0
	left := columns[0].X0 - 0.6*apart
	for _, l := range propertyLines {
		at := slices.IndexFunc(row.Tokens,
			func(t text.Token) bool { return boxNumber(t) == l.number && t.X1 > left-0.3*apart })
		if at < 1 {
			at = slices.IndexFunc(row.Tokens, func(t text.Token) bool { return boxNumber(t) == l.number })
		}
		if at < 0 || !saysMost(text.Fold(text.Join(row.Tokens)), l.words) {
			continue
		}
		rest := text.Line{Page: row.Page, Tokens: row.Tokens[at+1:]}
		for _, m := range rightAmounts(rest, r.Style, left) {
			middle := (m.X0 + m.X1) / 2
			for i, c := range columns {
				if text.Abs((c.X0+c.X1)/2-middle) < apart/2 {
					r.setSchedule(l.number+string(rune('A'+i)), l.words, m, rest.Tokens[m.First:m.Last+1])
				}
			}
		}
		return
	}
}

package table

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// A narrow column parts the day from its month: "Six Months Ended June" above "30,".
var (
	monthLast = lazyregexp.New(`(?i)\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?` +
		`|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?$`)
	dayAlone = lazyregexp.New(`^(?:[0-2]?\d|3[01]),?$`)
)

// dayEnds and yearAlone are a date of a title that goes on in the next line: "FOR THE YEAR ENDED 31 DECEMBER" above
// "2022".
var (
	dayEnds   = lazyregexp.New(`(?i)\b(?:\d{1,2}\.?\s+` + MonthWord + `|` + MonthWord + `\.?\s+\d{1,2}),?$`)
	yearAlone = lazyregexp.New(`^(?:19|20)\d{2}$`)
)

// joinSplitDates joins a day to the month that stands above it, at the end of the piece that it goes on with, and a
// year to the title that it ends.
func joinSplitDates(lines []Line, order text.DateOrder) []Line {
	out := slices.Clone(lines)
	for k := 0; k+1 < len(out); k++ {
		if out[k].Cells || out[k+1].Cells || len(out[k].Tokens) == 0 {
			continue
		}
		if next := out[k+1].Tokens; len(next) == 1 && len(out[k].Tokens) > 4 && yearAlone.MatchString(next[0].Text) &&
			dayEnds.MatchString(out[k].Text()) {
			if pieces := headCells(out[k].Line, order); len(pieces) == 1 {
				out[k], out[k+1] = out[k].with(next[0], pieces[0]), out[k+1].without(0)
				continue
			}
		}
		for _, above := range headCells(out[k].Line, order) {
			if !monthLast.MatchString(text.Join(above.tokens)) {
				continue
			}
			for i, t := range out[k+1].Tokens {
				middle := (t.X0 + t.X1) / 2
				if !dayAlone.MatchString(t.Text) || middle < above.x0 || middle > above.x1 {
					continue
				}
				out[k], out[k+1] = out[k].with(t, above), out[k+1].without(i)
				break
			}
		}
	}
	return slices.DeleteFunc(out, func(l Line) bool { return len(l.Tokens) == 0 })
}

// with is a line with one more word at the end of a piece.
func (l Line) with(t text.Token, piece headCell) Line {
	last := piece.tokens[len(piece.tokens)-1]
	t.X0, t.X1, t.Y0, t.Y1 = last.X1+1, last.X1+2, last.Y0, last.Y1
	at := slices.IndexFunc(l.Tokens, func(o text.Token) bool { return o.X0 == last.X0 && o.Text == last.Text }) + 1
	l.Line = lineOf(l.Line, slices.Insert(slices.Clone(l.Tokens), at, t))
	l.Figures = nil
	return l
}

// without is a line without its word i.
func (l Line) without(i int) Line {
	rest := slices.Delete(slices.Clone(l.Tokens), i, i+1)
	if len(rest) == 0 {
		l.Tokens = nil
		return l
	}
	l.Line, l.Figures = lineOf(l.Line, rest), nil
	return l
}

// shareYears gives the year that stands above two columns of one period in two currencies to both of them.
func (b *Grid) shareYears(texts [][]string) {
	for i := range len(b.Columns) - 1 {
		one, _ := CurrencyIn(text.Line{Tokens: b.Heads[i]})
		other, _ := CurrencyIn(text.Line{Tokens: b.Heads[i+1]})
		if one == "" || other == "" || one == other {
			continue
		}
		left, right := strings.Join(texts[i], " "), strings.Join(texts[i+1], " ")
		switch {
		case AnyYear.MatchString(right) && !AnyYear.MatchString(left):
			texts[i] = append(slices.Clone(texts[i+1]), texts[i]...)
		case AnyYear.MatchString(left) && !AnyYear.MatchString(right):
			texts[i+1] = append(slices.Clone(texts[i]), texts[i+1]...)
		case MonthDay.MatchString(right) && !MonthDay.MatchString(left):
			texts[i] = slices.Clone(texts[i+1])
		}
	}
}

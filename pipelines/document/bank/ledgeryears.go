package bank

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// yearlessCell is a day and a month in figures that fill a cell: '25/09.
var yearlessCell = lazyregexp.New(`^'?(\d{1,2})([/.-])(\d{1,2})\.?$`)

// WithYears gives the dates of an export that prints none with a year the one of the period above its table, under
// which all of them lie in it; else the lines as they are.
func WithYears(lines []text.Line) []text.Line {
	if len(lines) == 0 || lines[0].Tokens[0].Method != text.MethodCell {
		return lines
	}
	style := text.StyleOf([]text.Page{{Tokens: TokensOf(lines)}})
	first := slices.IndexFunc(lines, func(l text.Line) bool { return yearless(l, style) >= 0 })
	if first < 1 {
		return lines
	}
	for _, order := range []text.DateOrder{text.DayFirst, text.MonthFirst} {
		start, end, ok := widestDays(lines[:first], order)
		if !ok || end.Time().Sub(start.Time()).Hours() > 24*366 {
			continue
		}
		if dated, ok := completed(lines, first, style, order, start, end); ok {
			return dated
		}
	}
	return lines
}

// yearless is the index of the cell of a line with an amount that is a date without a year, where it has no whole
// date; -1 when it is no such line.
func yearless(l text.Line, style text.DecimalStyle) int {
	at, amount := -1, false
	for i, t := range l.Tokens {
		if _, whole := cellDate(t.Text, text.DayFirst); whole {
			return -1
		}
		switch {
		case at < 0 && yearlessCell.MatchString(t.Text):
			at = i
		case !amount:
			m := cellMoney(t, style)
			amount = m != nil && m.Looks()
		}
	}
	if !amount {
		return -1
	}
	return at
}

// widestDays are the first and the last of the whole dates that lines print.
func widestDays(lines []text.Line, order text.DateOrder) (first, last text.Date, ok bool) {
	for _, l := range lines {
		for _, d := range text.FindDates(l.Text(), order) {
			if !d.Complete() {
				continue
			}
			if !ok || d.Before(first) {
				first = d.Date
			}
			if !ok || last.Before(d.Date) {
				last = d.Date
			}
			ok = true
		}
	}
	return first, last, ok && first != last
}

// completed is the lines with a year at each date that has none; ok is false when one of them lies outside the period.
func completed(lines []text.Line, first int, style text.DecimalStyle, order text.DateOrder, start,
	end text.Date) ([]text.Line, bool) {
	dated := slices.Clone(lines)
	for i := first; i < len(lines); i++ {
		at := yearless(lines[i], style)
		if at < 0 {
			continue
		}
		g := yearlessCell.FindStringSubmatch(lines[i].Tokens[at].Text)
		a, _ := strconv.Atoi(g[1])
		b, _ := strconv.Atoi(g[3])
		d := text.Date{Month: a, Day: b}
		if order == text.DayFirst {
			d = text.Date{Month: b, Day: a}
		}
		d = d.WithYear(end)
		if !d.Valid() || d.Before(start) || end.Before(d) {
			return nil, false
		}
		dated[i].Tokens = slices.Clone(lines[i].Tokens)
		dated[i].Tokens[at].Text = strings.Join([]string{g[1], g[3], strconv.Itoa(d.Year)}, g[2])
	}
	return dated, true
}

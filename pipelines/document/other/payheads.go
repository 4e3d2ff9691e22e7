package other

import (
	"slices"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// headLinesMost is how many lines the heads of a row of values are set in at most.
const headLinesMost = 3

// rowHeads say what stands below heads of a stub, by the fact.
var rowHeads = map[string]*lazyregexp.Regexp{
	"employee":    lazyregexp.New(`^(?:employees? name|name of employee|employee|name)$`),
	"periodStart": lazyregexp.New(`^(?:pay )?period (?:start|begin|beginning|from)(?: date)?$`),
	"periodEnd":   lazyregexp.New(`^(?:pay )?period (?:end|ending|ended|to|thru)(?: date)?$`),
	"payDate":     lazyregexp.New(`^(?:date paid|(?:pay|check|payment|paid|advice) date)$`),
}

// findHeadRow reads one row of values below heads of one to three lines: schools and public offices print the person
// and the days so. As many values as heads belong to each other in their order; else a value to the head above it.
func findHeadRow(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	for i, row := range f.Lines {
		if len(row.Dates(s.Order)) == 0 {
			continue
		}
		heads, cells := headsAbove(f.Lines, i), row.Cells()
		for fact, pattern := range rowHeads {
			if values[fact] != nil {
				continue
			}
			at := slices.IndexFunc(heads, func(h text.Line) bool { return pattern.MatchString(text.Fold(h.Text())) })
			if at < 0 {
				continue
			}
			cell, ok := valueBelow(heads, cells, at)
			if !ok {
				continue
			}
			if value, ok := headedValue(s, fact, cell); ok {
				values[fact] = value
				found.From("/"+fact, cell.Tokens, heads[at].Text())
			}
		}
	}
}

// headedValue is a cell as a name or a day.
func headedValue(s text.Segment, fact string, cell text.Line) (string, bool) {
	if fact == "employee" {
		return cell.Text(), looksLikePerson(cell.Text())
	}
	days := cell.Dates(s.Order)
	if len(days) != 1 || days[0].First != 0 || days[0].Last != len(cell.Tokens)-1 {
		return "", false
	}
	return days[0].Date.String(), true
}

// valueBelow is the cell of a row that belongs to a head.
func valueBelow(heads, cells []text.Line, at int) (text.Line, bool) {
	if len(heads) == len(cells) {
		return cells[at], true
	}
	for _, c := range cells {
		if text.Overlap(heads[at].X0, heads[at].X1, c.X0, c.X1) > 0 {
			return c, true
		}
	}
	return text.Line{}, false
}

// headsAbove are the heads right above a row, from the left; none, unless all are words and there are three or more.
func headsAbove(lines []text.Line, row int) []text.Line {
	var heads []text.Line
	below := lines[row]
	for i := row - 1; i >= max(0, row-headLinesMost); i-- {
		l := lines[i]
		if l.Page != below.Page || below.Y0-l.Y1 > (l.Y1-l.Y0) || text.HasDigits(l.Text(), 1) {
			break
		}
		for _, cell := range l.Cells() {
			heads = joinHead(heads, cell)
		}
		below = l
	}
	if len(heads) < 3 {
		return nil
	}
	slices.SortFunc(heads, func(a, b text.Line) int { return int(a.X0 - b.X0) })
	return heads
}

// joinHead adds a cell to the heading below it, or to the list as a heading of its own.
func joinHead(heads []text.Line, cell text.Line) []text.Line {
	for i := range heads {
		h := &heads[i]
		if text.Overlap(h.X0, h.X1, cell.X0, cell.X1) <= 0 {
			continue
		}
		h.Tokens = slices.Concat(cell.Tokens, h.Tokens)
		h.X0, h.X1, h.Y0 = min(h.X0, cell.X0), max(h.X1, cell.X1), min(h.Y0, cell.Y0)
		return heads
	}
	return append(heads, cell)
}

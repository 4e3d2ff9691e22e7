package table

import (
	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// changeWords are how headings name what differs between two periods, in languages that the other words of a column's
// part are not in.
var changeWords = lazyregexp.New(`(?i)\bvariaci[oó]n(?:es)?\b|\bvaria[cç](?:[aã]o|[oõ]es)\b|\bveränderung(?:en)?\b` +
	`|\babweichung(?:en)?\b|\b[ée]carts?\b|\bdifferenz(?:a|e)?\b|\bvariazion[ei]\b|\bverschil(?:len)?\b|\bmutatie\b` +
	`|\b(?:för)?ändring\b|\bendring\b|\bændring\b|\bmuutos\b|\bzmiana\b|\bperubahan\b|\bdeğişim\b|\bfark\b`)

// fewestChanges is how many rows must print the difference of two others before a column is taken for that.
const fewestChanges = 4

// DropChanges takes a column that prints what two others differ by for no figures of a period, in whatever language it
// says so. A column with a period of its own is one: of three months, three, and the six that they make.
func (b *Grid) DropChanges(rows []Line) {
	figures := b.figuresByColumn(rows)
	for i := range b.Periods {
		p := &b.Periods[i]
		if p.Role == AnotherColumn || b.hasOwnPeriod(i) {
			continue
		}
		for from := range b.Periods {
			for to := range from {
				if from != i && to != i && b.differs(figures, i, from, to) {
					p.Role = AnotherColumn
				}
			}
		}
	}
}

// hasOwnPeriod reports whether the heading of a column dates it, and no other column with its date.
func (b *Grid) hasOwnPeriod(i int) bool {
	p := b.Periods[i]
	if !p.Own || !p.isDated() {
		return false
	}
	for k, q := range b.Periods {
		if k != i && q.Role != AnotherColumn && p.samePeriod(q) {
			return false
		}
	}
	return true
}

// samePeriod reports whether two columns say that they are of the same days.
func (p *Period) samePeriod(q Period) bool {
	same := func(a, b *int) bool { return a == nil && b == nil || a != nil && b != nil && *a == *b }
	return p.End != nil && q.End != nil && *p.End == *q.End && same(p.Months, q.Months) && p.Weeks == q.Weeks ||
		p.End == nil && q.End == nil && p.YearOnly == q.YearOnly
}

// figuresByColumn are the figures of each line by column.
func (b *Grid) figuresByColumn(rows []Line) []map[int]decimal.Decimal {
	var out []map[int]decimal.Decimal
	for _, l := range rows {
		line := map[int]decimal.Decimal{}
		for _, m := range l.Figures {
			if at := b.Bind(m); at >= 0 && !m.Percent {
				line[at] = m.Value.Decimal
			}
		}
		out = append(out, line)
	}
	return out
}

// differs reports whether a column prints the difference of two others in nearly every row, whichever way round it
// takes them: what is better may stand above zero.
func (b *Grid) differs(figures []map[int]decimal.Decimal, column, from, to int) bool {
	comes, fails := 0, 0
	for _, line := range figures {
		a, okA := line[from]
		c, okC := line[to]
		v, ok := line[column]
		if !ok || !okA || !okC || a.IsZero() || c.IsZero() {
			continue
		}
		if a.Sub(c).Abs().Sub(v.Abs()).Abs().LessThanOrEqual(decimal.New(1, v.Exponent())) {
			comes++
		} else {
			fails++
		}
	}
	return comes >= fewestChanges && comes > 8*fails
}

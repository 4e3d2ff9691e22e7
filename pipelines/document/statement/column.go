package statement

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// boundColumns are the columns of figures of one part.
type boundColumns struct {
	columns []text.Column
	periods []statementPeriod
	heads   [][]text.Token // what is printed above each column
	near    float64        // how far a figure may stand from its column
	notes   bool           // the first column is of references to notes
}

// columnsOfPart clusters the figures of rows by their right edges. tolerance is in heights of type. A
// cluster of a single figure is none.
func columnsOfPart(lines []statementLine, tolerance float64) boundColumns {
	b := boundColumns{}
	height, n := 0.0, 0
	for _, l := range lines {
		for _, m := range l.figures {
			height, n = height+m.Height(), n+1
		}
	}
	if n == 0 {
		return b
	}
	b.near = tolerance * height / float64(n)
	var columns []text.Column
	percents, weights := map[int]int{}, []float64{}
	for _, l := range lines {
		if len(l.caption) == 0 && !l.cells && len(l.figures) < 2 || l.isDated() {
			continue
		}
		for _, m := range l.figures {
			edge := text.FigureEdge(m)
			i := text.ColumnNear(columns, edge, b.near)
			if i < 0 {
				columns = append(columns, text.Column{Right: edge, Left: m.X0})
				weights = append(weights, 0)
				i = len(columns) - 1
			}
			c := &columns[i]
			c.Right = (c.Right*float64(c.Count) + edge) / float64(c.Count+1)
			c.Left = min(c.Left, m.X0)
			c.Count++
			weights[i] += figureWeight(m)
			if m.Percent {
				percents[i]++
			}
		}
	}
	for i, c := range columns {
		c.Percent = 2*percents[i] > c.Count
		if c.Count >= 2 && weights[i] >= 1 {
			b.columns = append(b.columns, c)
		}
	}
	slices.SortFunc(b.columns, func(x, y text.Column) int { return text.CompareFloat(x.Right, y.Right) })
	for i := 1; i < len(b.columns); i++ {
		b.columns[i].Percent = b.columns[i].Percent || b.isShare(lines, i)
	}
	b.markNotes(lines)
	return b
}

// isShare reports whether a column prints what share of sales the figure left of it is, without a sign: no
// figure is above a hundred and all are to their neighbours as one number.
func (b *boundColumns) isShare(lines []statementLine, column int) bool {
	var low, high float64
	n := 0
	for _, l := range lines {
		var left, share *text.Money
		for i := range l.figures {
			switch m := &l.figures[i]; b.bind(*m) {
			case column - 1:
				left = m
			case column:
				share = m
			}
		}
		if share == nil || share.Dash {
			continue
		}
		v := share.Value.Abs().InexactFloat64() // a ratio, not money
		if v > 400 || share.Places() == 0 || share.Symbol != "" {
			return false
		}
		if left == nil || left.Value.IsZero() || v < 5 {
			continue
		}
		ratio := v / left.Value.Abs().InexactFloat64()
		if n == 0 {
			low, high = ratio, ratio
		}
		low, high = min(low, ratio), max(high, ratio)
		n++
	}
	return n >= 3 && high < 1.02*low
}

func figureWeight(m text.Money) float64 {
	switch {
	case m.Looks():
		return 1
	case m.Dash:
		return 0.4
	}
	return 0.5
}

// bind is the column that a figure stands in, -1 when none.
func (b *boundColumns) bind(m text.Money) int {
	return text.ColumnNear(b.columns, text.FigureEdge(m), b.near)
}

// bindsAll reports whether lines of figures stand in these columns, all of them: the last lines of a statement, which
// a page break cut off, are too few to show columns of their own.
func (b *boundColumns) bindsAll(lines []statementLine) bool {
	some := false
	for _, l := range lines {
		if len(l.caption) == 0 || len(l.figures) == 0 || allYears(l.figures) || furniture.MatchString(l.Text()) {
			continue
		}
		for _, m := range l.figures {
			if b.bind(m) < 0 {
				return false
			}
			some = true
		}
	}
	return some
}

// firstRow is the first line that is a row: a caption, and a figure in a column that is no year.
func (p *statementPart) firstRow(b *boundColumns) int {
	for i, l := range p.lines {
		if len(l.caption) == 0 || len(l.figures) == 0 || l.isDated() || furniture.MatchString(l.Text()) {
			continue
		}
		for _, m := range l.figures {
			if b.bind(m) >= 0 && !yearLike(m) {
				return i
			}
		}
	}
	return len(p.lines)
}

// beginsRow is the line with which the row at a place begins: its caption may go on from the lines above it.
func (p *statementPart) beginsRow(at int) int {
	for at > 0 && at < len(p.lines) && len(p.lines[at-1].figures) == 0 && len(p.lines[at-1].Tokens) < 12 &&
		(goesOn.MatchString(p.lines[at-1].Text()) || p.lines[at].goesOnBelow(p.lines[at-1])) {
		at--
	}
	return at
}

// goesOnBelow reports whether a line begins with a small letter right below one that is no title, no heading of a
// section and no period: the caption of a row that a page break cut.
func (l statementLine) goesOnBelow(above statementLine) bool {
	_, titled := titledKind(above)
	s := above.Text()
	return startsLower(l.Text()) && !l.cells && !titled && len(above.caption) > 0 && !anyYear.MatchString(s) &&
		l.Y0-above.Y0 < 2.1*(l.Y1-l.Y0) && !strings.ContainsAny(s, ":()") && !opensSection(s)
}

// firstHeading is the heading of a section above the first row, if there is one, else the first row.
func (p *statementPart) firstHeading(kind string, order text.DateOrder) int {
	first := p.beginsRow(p.head)
	for i := first - 1; i >= 0 && i >= p.head-8; i-- {
		l := p.lines[i]
		s := l.Text()
		if _, titled := titledKind(l); titled || len(l.figures) > 0 || len(l.caption) == 0 ||
			len(text.FindDates(s, order)) > 0 || anyYear.MatchString(s) {
			break
		}
		if _, ok := captionBooks()[kind].heading(foldCaption(text.Join(l.caption))); ok {
			first = i
		}
	}
	return first
}

// detailColumns are the columns without a period of their own that each period has beside it, one for details and one
// for their sums: 1 where the period is named above the column right of it, -1 where above the column left of it.
func (b *boundColumns) detailColumns(rows []statementLine) map[int]int {
	var pairs []int // columns of periods, and those that print no more than the currency
	for _, i := range b.money() {
		if p := b.periods[i]; p.role == periodColumn && p.own || p.role == anotherColumn &&
			currencyHead.MatchString(text.Join(b.heads[i])) {
			pairs = append(pairs, i)
		}
	}
	if len(pairs) < 4 || len(pairs)%2 != 0 {
		return nil
	}
	details := map[int]int{}
	for k := 0; k < len(pairs); k += 2 {
		left, right := pairs[k], pairs[k+1]
		leftNamed, rightNamed := b.periods[left].role == periodColumn, b.periods[right].role == periodColumn
		switch {
		case right != left+1 || leftNamed == rightNamed || !b.apart(rows, left):
			return nil
		case rightNamed:
			details[left] = 1
		default:
			details[right] = -1
		}
	}
	return details
}

// sideBySide reports whether most rows print a figure in two columns: they are no details and sums of one.
func (b *boundColumns) sideBySide(rows []statementLine) bool {
	for i := range len(b.columns) - 1 {
		if b.apart(rows, i) {
			return false
		}
	}
	return len(b.columns) > 1
}

// oneSplit reports whether the columns are one in which the sums stand further right than their details: no heading
// names any, and few rows print a figure in two.
func (b *boundColumns) oneSplit(rows []statementLine) bool {
	for i, p := range b.periods {
		if p.own || len(b.heads[i]) > 0 || i > 0 && !b.apart(rows, i-1) {
			return false
		}
	}
	return len(b.columns) > 1
}

// A plan says so in its title; columns of what has happened may stand in it.
var (
	projectedTitle = lazyregexp.New(`(?i)^\W*(?:\w+\W+){0,4}(?:projected|projections?|forecast(?:ed|s)?` +
		`|pro[\s-]?forma)\b`)
	happened = lazyregexp.New(`(?i)\bactuals?\b|\bhistorical\b`)
)

// isPlan reports whether the figures are those of a plan: of what has not happened nothing has been earned or owed.
func (b *boundColumns) isPlan(head []statementLine) bool {
	if !slices.ContainsFunc(head, func(l statementLine) bool {
		_, titled := titledKind(l)
		text := l.Text()
		return (titled || len(l.Tokens) <= 3) && projectedTitle.MatchString(text) && !happened.MatchString(text) &&
			!anyYear.MatchString(text)
	}) {
		return false
	}
	plan := true
	for i := range b.periods {
		if happened.MatchString(text.Join(b.heads[i])) {
			plan = false
		} else {
			b.periods[i].role = anotherColumn
		}
	}
	return plan
}

// currencyHead is a heading that says nothing of a column but the currency.
var currencyHead = lazyregexp.New(`^\s*(?:[$£€]|US\$|USD|GBP|EUR)?\s*$`)

// apart reports whether few rows print a figure both in a column and in the next.
func (b *boundColumns) apart(rows []statementLine, column int) bool {
	inner, both := 0, 0
	for _, l := range rows {
		has := map[int]bool{}
		for _, m := range l.figures {
			has[b.bind(m)] = true
		}
		if has[column] {
			inner++
			if has[column+1] {
				both++
			}
		}
	}
	return inner > 0 && 3*both <= inner
}

// dropTranslated takes the columns that show a period again in another currency, for convenience, for no figures of it.
func (b *boundColumns) dropTranslated() {
	codes := make([]string, len(b.columns))
	for i := range b.columns {
		codes[i], _ = currencyIn(text.Line{Tokens: b.heads[i]})
	}
	for i, p := range b.periods {
		if p.role == anotherColumn || codes[i] == "" {
			continue
		}
		for k, q := range b.periods[:i] {
			if codes[k] != "" && codes[k] != codes[i] && q.role != anotherColumn &&
				(p.end != nil && q.end != nil && *p.end == *q.end || p.end == nil && p.yearOnly == q.yearOnly) {
				b.periods[i].role = anotherColumn
			}
		}
	}
}

// dropStrangers gives columns that no heading names their part: beside columns with periods or a total they are
// of something else (classes, stores, notes); a column alone is of the title's period.
func (b *boundColumns) dropStrangers() {
	b.dropRunning()
	named, totals := 0, 0
	for i, p := range b.periods {
		switch {
		case p.role == periodColumn && p.own:
			named++
		case p.role == totalColumn && len(b.heads[i]) > 0:
			totals++
		}
	}
	for i := range b.periods {
		p := &b.periods[i]
		switch {
		case p.role == anotherColumn:
		case p.own || p.role == totalColumn && len(b.heads[i]) > 0:
		case named+totals > 0 || len(b.columns) > 1 && p.role == periodColumn:
			p.role = anotherColumn
		default:
			p.role = totalColumn
		}
	}
}

var (
	amountHead  = lazyregexp.New(`(?i)^\s*amounts?\s*$`)
	runningHead = lazyregexp.New(`(?i)^\s*(?:running\s+)?balances?\s*$`)
)

// dropRunning takes the balance that runs beside the amounts of a list of entries for no figures of a period.
func (b *boundColumns) dropRunning() {
	for i := 1; i < len(b.columns); i++ {
		if runningHead.MatchString(text.Join(b.heads[i])) && amountHead.MatchString(text.Join(b.heads[i-1])) {
			b.periods[i].role = anotherColumn
		}
	}
}

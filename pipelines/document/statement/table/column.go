package table

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Grid are the columns of figures of one part.
type Grid struct {
	Columns []text.Column
	Periods []Period
	Heads   [][]text.Token // what is printed above each column
	near    float64        // how far a figure may stand from its column
	notes   bool           // the first column is of references to notes
}

// GridOf clusters the figures of rows by their right edges. tolerance is in heights of type. A
// cluster of a single figure is none.
func GridOf(lines []Line, tolerance float64) Grid {
	b := Grid{}
	height, n := 0.0, 0
	for _, l := range lines {
		for _, m := range l.Figures {
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
		if len(l.Caption) == 0 && !l.Cells && len(l.Figures) < 2 || l.isDated() {
			continue
		}
		for _, m := range l.Figures {
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
			b.Columns = append(b.Columns, c)
		}
	}
	slices.SortFunc(b.Columns, func(x, y text.Column) int { return text.CompareFloat(x.Right, y.Right) })
	for i := 1; i < len(b.Columns); i++ {
		b.Columns[i].Percent = b.Columns[i].Percent || b.isShare(lines, i)
	}
	b.markNotes(lines)
	return b
}

// isShare reports whether a column prints what share of sales the figure left of it is, without a sign: no
// figure is above a hundred and all are to their neighbours as one number.
func (b *Grid) isShare(lines []Line, column int) bool {
	var low, high float64
	n := 0
	for _, l := range lines {
		var left, share *text.Money
		for i := range l.Figures {
			switch m := &l.Figures[i]; b.Bind(*m) {
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

// Bind is the column that a figure stands in, -1 when none.
func (b *Grid) Bind(m text.Money) int {
	return text.ColumnNear(b.Columns, text.FigureEdge(m), b.near)
}

// BindsAll reports whether lines of figures stand in these columns, all of them: the last lines of a statement, which
// a page break cut off, are too few to show columns of their own.
func (b *Grid) BindsAll(lines []Line) bool {
	some := false
	for _, l := range lines {
		if len(l.Caption) == 0 || len(l.Figures) == 0 || AllYears(l.Figures) || Furniture.MatchString(l.Text()) {
			continue
		}
		for _, m := range l.Figures {
			if b.Bind(m) < 0 {
				return false
			}
			some = true
		}
	}
	return some
}

// FirstRow is the first line that is a row: a caption, and a figure in a column that is no year.
func (p *Part) FirstRow(b *Grid) int {
	for i, l := range p.Lines {
		if len(l.Caption) == 0 || len(l.Figures) == 0 || l.isDated() || Furniture.MatchString(l.Text()) {
			continue
		}
		for _, m := range l.Figures {
			if b.Bind(m) >= 0 && !yearLike(m) {
				return i
			}
		}
	}
	return len(p.Lines)
}

// BeginsRow is the line with which the row at a place begins: its caption may go on from the lines above it.
func (p *Part) BeginsRow(at int) int {
	for at > 0 && at < len(p.Lines) && len(p.Lines[at-1].Figures) == 0 && len(p.Lines[at-1].Tokens) < 12 &&
		(GoesOn.MatchString(p.Lines[at-1].Text()) || p.Lines[at].continuesCaption(p.Lines[at-1])) {
		at--
	}
	return at
}

// continuesCaption reports whether a line begins with a small letter right below one that is no title, no heading of a
// section and no period: the caption of a row that a page break cut.
func (l Line) continuesCaption(above Line) bool {
	_, titled := TitledKind(above)
	s := above.Text()
	return StartsLower(l.Text()) && !l.Cells && !titled && len(above.Caption) > 0 && !AnyYear.MatchString(s) &&
		l.Y0-above.Y0 < 2.1*(l.Y1-l.Y0) && !strings.ContainsAny(s, ":()") && !captions.OpensSection(s)
}

// FirstHeading is the heading of a section above the first row, if there is one, else the first row.
func (p *Part) FirstHeading(kind string, order text.DateOrder) int {
	first := p.BeginsRow(p.Head)
	for i := first - 1; i >= 0 && i >= p.Head-8; i-- {
		l := p.Lines[i]
		s := l.Text()
		if _, titled := TitledKind(l); titled || len(l.Figures) > 0 || len(l.Caption) == 0 ||
			len(text.FindDates(s, order)) > 0 || AnyYear.MatchString(s) {
			break
		}
		if _, ok := captions.Books()[kind].HeadingOf(text.Join(l.Caption)); ok {
			first = i
		}
	}
	return first
}

// DetailColumns are the columns without a period of their own that each period has beside it, one for details and one
// for their sums: 1 where the period is named above the column right of it, -1 where above the column left of it.
func (b *Grid) DetailColumns(rows []Line) map[int]int {
	var pairs []int // columns of periods, and those that print no more than the currency
	for _, i := range b.money() {
		if p := b.Periods[i]; p.Role == PeriodColumn && p.Own || p.Role == AnotherColumn &&
			currencyHead.MatchString(text.Join(b.Heads[i])) {
			pairs = append(pairs, i)
		}
	}
	if len(pairs) < 4 || len(pairs)%2 != 0 {
		return nil
	}
	details := map[int]int{}
	for k := 0; k < len(pairs); k += 2 {
		left, right := pairs[k], pairs[k+1]
		leftNamed, rightNamed := b.Periods[left].Role == PeriodColumn, b.Periods[right].Role == PeriodColumn
		switch {
		case right != left+1 || leftNamed == rightNamed || !b.rarelyTogether(rows, left):
			return nil
		case rightNamed:
			details[left] = 1
		default:
			details[right] = -1
		}
	}
	return details
}

// SideBySide reports whether most rows print a figure in two columns: they are no details and sums of one.
func (b *Grid) SideBySide(rows []Line) bool {
	for i := range len(b.Columns) - 1 {
		if b.rarelyTogether(rows, i) {
			return false
		}
	}
	return len(b.Columns) > 1
}

// OneSplit reports whether the columns are one in which the sums stand further right than their details: no heading
// names any, and few rows print a figure in two.
func (b *Grid) OneSplit(rows []Line) bool {
	for i, p := range b.Periods {
		if p.Own || len(b.Heads[i]) > 0 || i > 0 && !b.rarelyTogether(rows, i-1) {
			return false
		}
	}
	return len(b.Columns) > 1
}

// A plan says so in its title; columns of what has happened may stand in it.
var (
	projectedTitle = lazyregexp.New(`(?i)^\W*(?:\w+\W+){0,4}(?:projected|projections?|forecast(?:ed|s)?` +
		`|pro[\s-]?forma)\b`)
	happened = lazyregexp.New(`(?i)\bactuals?\b|\bhistorical\b`)
)

// IsPlan reports whether the figures are those of a plan: of what has not happened nothing has been earned or owed.
func (b *Grid) IsPlan(head []Line) bool {
	if !slices.ContainsFunc(head, func(l Line) bool {
		_, titled := TitledKind(l)
		text := l.Text()
		return (titled || len(l.Tokens) <= 3) && projectedTitle.MatchString(text) && !happened.MatchString(text) &&
			!AnyYear.MatchString(text)
	}) {
		return false
	}
	plan := true
	for i := range b.Periods {
		if happened.MatchString(text.Join(b.Heads[i])) {
			plan = false
		} else {
			b.Periods[i].Role = AnotherColumn
		}
	}
	return plan
}

// currencyHead is a heading that says nothing of a column but the currency.
var currencyHead = lazyregexp.New(`^\s*(?:[$£€]|US\$|USD|GBP|EUR)?\s*$`)

// rarelyTogether reports whether few rows print a figure in both a column and the next one.
func (b *Grid) rarelyTogether(rows []Line, column int) bool {
	inner, both := 0, 0
	for _, l := range rows {
		has := map[int]bool{}
		for _, m := range l.Figures {
			has[b.Bind(m)] = true
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
func (b *Grid) dropTranslated() {
	codes := make([]string, len(b.Columns))
	for i := range b.Columns {
		codes[i], _ = CurrencyIn(text.Line{Tokens: b.Heads[i]})
	}
	for i, p := range b.Periods {
		if p.Role == AnotherColumn || codes[i] == "" {
			continue
		}
		for k, q := range b.Periods[:i] {
			if codes[k] != "" && codes[k] != codes[i] && q.Role != AnotherColumn &&
				(p.End != nil && q.End != nil && *p.End == *q.End || p.End == nil && p.YearOnly == q.YearOnly) {
				b.Periods[i].Role = AnotherColumn
			}
		}
	}
}

// dropUnheaded gives columns that no heading names their part: beside columns with periods or a total they are
// of something else (classes, stores, notes); a column alone is of the title's period.
func (b *Grid) dropUnheaded() {
	b.dropRunningBalance()
	named, totals := 0, 0
	for i, p := range b.Periods {
		switch {
		case p.Role == PeriodColumn && p.Own:
			named++
		case p.Role == TotalColumn && len(b.Heads[i]) > 0:
			totals++
		}
	}
	for i := range b.Periods {
		p := &b.Periods[i]
		switch {
		case p.Role == AnotherColumn:
		case p.Own || p.Role == TotalColumn && len(b.Heads[i]) > 0:
		case named+totals > 0 || len(b.Columns) > 1 && p.Role == PeriodColumn:
			p.Role = AnotherColumn
		default:
			p.Role = TotalColumn
		}
	}
}

var (
	amountHead  = lazyregexp.New(`(?i)^\s*amounts?\s*$`)
	runningHead = lazyregexp.New(`(?i)^\s*(?:running\s+)?balances?\s*$`)
)

// dropRunningBalance drops the column of the running balance of a list of entries: it has no figures of a period.
func (b *Grid) dropRunningBalance() {
	for i := 1; i < len(b.Columns); i++ {
		if runningHead.MatchString(text.Join(b.Heads[i])) && amountHead.MatchString(text.Join(b.Heads[i-1])) {
			b.Periods[i].Role = AnotherColumn
		}
	}
}

// CaptionOf is the caption of a line with the numbers that belong to it: they follow it as its words follow each
// other, and stand in no column.
func (b *Grid) CaptionOf(l Line) []text.Token {
	caption := l.Caption
	if l.Cells {
		return caption
	}
	for _, m := range l.Figures {
		n := len(caption)
		if m.First != n || b.Bind(m) >= 0 || headGap(l.Tokens[n-1], l.Tokens[n]) {
			break
		}
		caption = l.Tokens[:m.Last+1]
	}
	return caption
}

// Furniture is what stands around a statement: footers, numbers of pages, remarks.
var Furniture = lazyregexp.New(`(?i)^(?:see|the)\b.*\b(?:accompanying|notes|accountant|auditor|report)` +
	`|\bpage\s*:?\s*\d+\b|^\s*(?:-\s*)?\d{1,3}(?:\s*-)?\s*$|\bintegral part\b|\b(?:accrual|cash) basis\b.*\d` +
	`|\bGMT\b|https?:|^\s*unaudited\s*$|no assurance|^(?:company\s+)?(?:registered|registration` +
	`|company)\s+(?:number|no)\b|subject to (?:review|reclass)`)

// IsFurniture reports whether a line without figures is a footer, a page number or a remark.
func IsFurniture(l Line) bool {
	text := l.Text()
	return Furniture.MatchString(text) || len(l.Tokens) > 25
}

// Below are the places of columns that stand below those of the first part, where all of those go on; nil where they do
// not. A page that goes on may refer to more or fewer notes.
func (b *Grid) Below(first *Grid, of []int) []int {
	places, found := make([]int, len(b.Columns)), 0
	for i, c := range b.Columns {
		places[i] = -1
		if at := text.ColumnNear(first.Columns, c.Right, 2*first.near); at >= 0 && of[at] >= 0 &&
			!slices.Contains(places[:i], of[at]) {
			places[i] = of[at]
			found++
		}
	}
	if wanted := slices.DeleteFunc(slices.Clone(of), func(at int) bool { return at < 0 }); found < len(wanted) {
		return nil
	}
	return places
}

// GoesOn is the end of a caption that the next line goes on.
var GoesOn = lazyregexp.New(`(?i)(?:,|-|–|&|\b(?:and|or|of|in|by|from|to|for|on|the|with|less|net|at|than|related))$`)

package table

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// ReadHeadings reads the periods of the columns from the lines above the first row. Lines that stand over
// one column belong to it; a piece that spans columns to all of them; other lines are the title.
func (b *Grid) ReadHeadings(lines []Line, instant bool, order text.DateOrder) {
	lines = withoutFormNumbers(joinSplitDates(lines, order))
	b.Periods = make([]Period, len(b.Columns))
	b.Heads = make([][]text.Token, len(b.Columns))
	if len(b.Columns) == 0 {
		return
	}
	r := headingReader{Grid: b, order: order, texts: make([][]string, len(b.Columns))}
	for k := range lines {
		r.line(lines, k)
	}
	r.readDownwards(lines, instant)
	b.shareYears(r.texts)
	slices.Reverse(r.title) // the line next to the columns speaks first
	b.dateUndated(r.texts, r.title, instant)
	for i, c := range b.Columns {
		p := &b.Periods[i]
		*p = columnPeriod(r.texts[i], order)
		if c.Percent || i == 0 && b.notes {
			p.Role = AnotherColumn
		}
		if p.Role == AnotherColumn {
			continue
		}
		p.withTitle(r.title, strings.Join(r.raw, " | "), instant, order)
		if p.LastYear && !instant {
			p.toYearBefore()
		}
	}
	b.dropTranslated()
	b.dropParentOnly(r.texts)
	b.dropUnheaded()
}

// headingReader reads the lines above the figures: what stands over each column, and what the title says of them all.
type headingReader struct {
	*Grid
	order text.DateOrder
	texts [][]string // by column
	title []Period
	raw   []string // the words of the title
}

// line reads the line at place k.
func (r *headingReader) line(lines []Line, k int) {
	l := lines[k]
	if p, ok := spanOverLines(lines, k, r.order); ok {
		r.raw, r.title = append(r.raw, l.Text()), append(r.title, p)
		return
	}
	if comparativeWords.MatchString(l.Text()) {
		return
	}
	over, beside := r.splitAbove(slices.DeleteFunc(headCells(l.Line, r.order), isPageNumber))
	_, titled := TitledKind(l)
	over = r.splitRepeated(over)
	if titled && !l.Cells && !datesTwo(over, r.order) || programLine.MatchString(l.Text()) {
		r.titleLine(l, nil, beside, true)
		return
	}
	if len(over) == 0 || len(over) == 1 && (titled || !r.isHeading(over[0], r.order)) {
		r.titleLine(l, over, beside, titled)
		return
	}
	if len(beside) > 0 && !l.Cells {
		r.raw = append(r.raw, beside...)
	}
	if r.isTitle(over, r.order) || r.headsSeveral(over, lines[k+1:], r.order) {
		s := text.Join(over[0].tokens)
		r.raw, r.title = append(r.raw, s), append(r.title, ReadPeriod(s, r.order))
		return
	}
	for i, c := range r.assign(over) {
		r.texts[i] = append(r.texts[i], text.Join(c.tokens))
		r.Heads[i] = append(r.Heads[i], c.tokens...)
	}
}

// programLine is what a program says of its report beside its title: the chart of accounts and the form.
var programLine = lazyregexp.New(`(?i)\bBWA-(?:Nr|Form)\b|\bSKR\s*\d\d\b`)

// datesTwo reports whether two pieces of a line each date a column.
func datesTwo(over []headCell, order text.DateOrder) bool {
	n := 0
	for _, c := range over {
		if p := columnPeriod([]string{text.Join(c.tokens)}, order); p.isDated() || p.hasLength() {
			n++
		}
	}
	return n > 1
}

// titleLine reads a line that stands over no column: a title's, or one beside the columns.
func (r *headingReader) titleLine(l Line, over []headCell, beside []string, titled bool) {
	s := l.Text()
	switch {
	case titled:
		s = fromTitle(headCells(l.Line, r.order), r.order)
	case len(over) == 1 && len(beside) > 0:
		s = text.Join(over[0].tokens)
	}
	r.raw = append(r.raw, s)
	p := ReadPeriod(s, r.order)
	if years := AnyYear.FindAllString(s, -1); titled && p.End == nil && len(years) == 1 &&
		len(text.FindDates(s, r.order)) == 0 {
		p.YearOnly = yearOf("", years[0]) // "P&L - FY 2023"
	}
	if p.isDated() || p.hasLength() {
		r.title = append(r.title, p)
	}
}

// fromTitle is the text of a title's line without a date that stands before the title: the day of printing.
func fromTitle(cells []headCell, order text.DateOrder) string {
	for len(cells) > 1 && len(text.FindDates(text.Join(cells[0].tokens), order)) > 0 {
		if _, titled := TitledKind(Line{Line: text.Line{Tokens: cells[0].tokens}}); titled {
			break
		}
		cells = cells[1:]
	}
	var tokens []text.Token
	for _, c := range cells {
		tokens = append(tokens, c.tokens...)
	}
	return text.Join(tokens)
}

// isTitle reports whether a lone piece above the columns is the period of the whole statement: it spans them
// all, or says more than a column's heading does.
func (b *Grid) isTitle(over []headCell, order text.DateOrder) bool {
	if len(over) > 1 {
		return false
	}
	c := over[0]
	if c.tokens[0].Cell != "" {
		return false
	}
	s := text.Join(c.tokens)
	if len(AnyYear.FindAllString(s, -1)) > 1 && len(text.FindPeriods(s, order)) == 0 && !monthRange.MatchString(s) {
		return true // "December 31, 2025 and 2024"
	}
	p := ReadPeriod(s, order)
	if len(b.Columns) == 1 {
		right := b.Columns[0].Right
		return (p.End != nil || p.Months != nil) && c.x1 < right-4*b.near
	}
	return (p.End != nil || p.Months != nil || p.Weeks > 0) && c.x0 < b.Columns[0].Right &&
		c.x1 > b.Columns[0].Right+(b.Columns[1].Right-b.Columns[0].Right)*0.4 && len(c.tokens) > 3
}

// comparativeWords announce the columns of another year: "(with comparative totals for 2023)".
var comparativeWords = lazyregexp.New(`(?i)\bwith\s+(?:summarized\s+)?(?:comparative|summarized)\b`)

// headsSeveral reports whether a single period or "total" heads several columns: every one of them, or the one right
// below it, has a period of its own further down.
func (b *Grid) headsSeveral(over []headCell, below []Line, order text.DateOrder) bool {
	s := text.Join(over[0].tokens)
	if len(over) > 1 || len(b.Columns) < 2 || over[0].tokens[0].Cell != "" || ReadPeriod(s, order).End == nil &&
		!totalRole.MatchString(s) {
		return false
	}
	for i := range b.assign(over) {
		for _, l := range below {
			pieces, _ := b.splitAbove(headCells(l.Line, order))
			if len(pieces) < 2 {
				continue
			}
			if len(pieces) == len(b.Columns) {
				return true
			}
			if c := b.assign(pieces)[i]; c != nil {
				text := text.Join(c.tokens)
				if p := ReadPeriod(text, order); p.End != nil || p.YearOnly > 0 || totalRole.MatchString(text) {
					return true
				}
			}
			if slices.ContainsFunc(pieces,
				func(c headCell) bool { return yearToDate.MatchString(text.Join(c.tokens)) }) {
				return true // a period beside the year to date
			}
		}
	}
	return false
}

// columnPeriod reads the heading of one column; what says that it holds no figures of a period decides.
func columnPeriod(texts []string, order text.DateOrder) Period {
	all := brokenDate.ReplaceAllString(strings.Join(texts, " "), "$1$2")
	p := ReadPeriod(all, order)
	p.Label = labelOf(texts)
	for _, t := range texts {
		if (otherRole.MatchString(t) || changeWords.MatchString(t)) && !lengthWords.MatchString(t) {
			p.Role = AnotherColumn
		}
	}
	p.readAround(texts, order)
	p.readSplitDate(all, order)
	p.LastYear = p.End == nil && p.YearOnly == 0 && (lastYearWords.MatchString(all) ||
		len(texts) > 1 && lastYearWords.MatchString(texts[len(texts)-1])) // "Year to date" above both columns
	p.Own = p.LastYear || p.current || p.isDated() || p.hasLength()
	if p.Role == PeriodColumn && !p.isDated() && !p.ToDate && !p.current && p.Months == nil &&
		(all == "" || totalRole.MatchString(all) || totalRole.MatchString(texts[len(texts)-1])) {
		p.Role = TotalColumn
	}
	return p
}

// brokenDate is a date that a narrow column breaks at its hyphen: "2023-" above "12-31".
var brokenDate = lazyregexp.New(`\b((?:19|20)\d{2}-) (\d{2}-\d{2})\b`)

// isDated reports whether a period says when it ends, be it only the year.
func (p *Period) isDated() bool { return p.End != nil || p.YearOnly > 0 }

// readAround takes an undated period from the last line of a heading that has a date: "(unaudited)" and other words
// stand around the year.
func (p *Period) readAround(texts []string, order text.DateOrder) {
	if p.isDated() {
		return
	}
	for _, t := range slices.Backward(texts) {
		q := ReadPeriod(t, order)
		if !q.isDated() {
			continue
		}
		if p.Months == nil && p.Weeks == 0 {
			p.Months, p.Weeks = q.Months, q.Weeks
		}
		p.End, p.Start, p.YearOnly = q.End, q.Start, q.YearOnly
		return
	}
}

// readSplitDate takes the end of a period from a day and a year that are printed apart: "December 31," above or below
// "2025".
func (p *Period) readSplitDate(all string, order text.DateOrder) {
	years := AnyYear.FindAllString(all, -1)
	if p.End != nil || len(years) != 1 {
		return
	}
	q := Period{YearOnly: yearOf("", years[0])}
	q.endOfYear(nil, all, order)
	if q.End != nil || p.YearOnly == 0 {
		p.End, p.YearOnly = q.End, q.YearOnly
	}
}

// labelOf is what heads one column: without the titles of the report and names of firms, where more is printed.
func labelOf(texts []string) string {
	own := slices.DeleteFunc(slices.Clone(texts), func(t string) bool {
		return NamesStatement(t) && !AnyYear.MatchString(t) || text.LegalForm.MatchString(t)
	})
	if len(own) == 0 {
		own = texts
	}
	return strings.Join(strings.Fields(strings.Join(own, " ")), " ")
}

// NamesStatement reports whether words hold the name of a statement.
func NamesStatement(s string) bool {
	folded := text.Fold(s)
	return slices.ContainsFunc(titleOf, func(t struct{ phrase, kind string }) bool {
		return text.HasWords(folded,
			t.phrase)
	})
}

// periodBegins are the words with which the period in a title begins.
var periodBegins = lazyregexp.New(`(?i)\b(?:as\s+(?:of|at)|(?:for\s+(?:the\s+)?)?(?:fiscal\s+)?(?:years?|quarters?` +
	`|months?|period)\s+(?:then\s+)?end(?:ed|ing)|for\s+the|(?:three|six|nine|twelve|\d{1,2})\s+months)\b.*$`)

// periodLabel is the period that a title prints after the name of its statement.
func periodLabel(title string) string {
	if NamesStatement(title) {
		if at := periodBegins.FindStringIndex(title); at != nil {
			return title[at[0]:]
		}
	}
	return title
}

// splitAbove splits the pieces of a line into those above the columns and those beside them.
func (b *Grid) splitAbove(cells []headCell) (over []headCell, beside []string) {
	left := b.Columns[0].Left - 2*b.near
	if n := len(b.Columns); n > 1 {
		left = min(left, b.Columns[0].Right-0.8*(b.Columns[1].Right-b.Columns[0].Right))
	}
	right := b.Columns[len(b.Columns)-1].Right + 4*b.near
	for _, c := range cells {
		if c.x1 < left || c.x0 > right || c.x0 < left && (c.x0+c.x1)/2 < left {
			beside = append(beside, text.Join(c.tokens))
			continue
		}
		over = append(over, c)
	}
	return over, beside
}

// isHeading reports whether a lone piece above the figures speaks of them: a period or a part of one, or what
// the column is for. Names and titles that stand above the columns by chance do not.
func (b *Grid) isHeading(c headCell, order text.DateOrder) bool {
	s := text.Join(c.tokens)
	if c.tokens[0].Cell == "" && len(c.tokens) > 9 {
		return false
	}
	if c.tokens[0].Cell != "" && len(b.Columns) > 1 && text.ColumnNear(b.Columns, c.x1, b.near) >= 0 {
		return true
	}
	if len(text.FindDates(s, order)) > 0 || AnyYear.MatchString(s) || endOfYearHead.MatchString(s) ||
		len(b.Columns) == 1 && totalRole.MatchString(s) {
		return true
	}
	p := columnPeriod([]string{s}, order)
	return p.Own || p.Role != PeriodColumn
}

// assign gives the pieces of a heading line to columns: pieces that span, or of which each stands over a group
// of columns, to all of them; any other to the one column that it stands over.
func (b *Grid) assign(over []headCell) map[int]*headCell {
	at := map[int]*headCell{}
	if over[0].tokens[0].Cell != "" {
		for i := range b.Columns {
			if c := b.cellAbove(i, over); c != nil {
				at[i] = c
			}
		}
		return at
	}
	money := b.money()
	over = b.aboveMoney(over)
	groups := b.inGroups(over, money)
	apart := b.eachAbove(over)
	var wide []*headCell
	nearest := map[int]float64{}
	for k := range over {
		if groups || !apart && spans(text.Join(over[k].tokens)) {
			wide = append(wide, &over[k])
			continue
		}
		best, distance := b.columnBelow(over[k])
		if at[best] == nil || distance < nearest[best] {
			at[best], nearest[best] = &over[k], distance
		}
	}
	for _, i := range money {
		if at[i] == nil && len(wide) > 0 {
			at[i] = slices.MinFunc(wide,
				func(x, y *headCell) int { return cmp.Compare(b.offset(i, *x), b.offset(i, *y)) })
		}
	}
	return at
}

// columnBelow is the column that a piece stands over, by its right edge or its middle, and how far off it is.
func (b *Grid) columnBelow(c headCell) (int, float64) {
	best, distance := -1, 0.0
	for _, i := range b.money() {
		col := b.Columns[i]
		d := min(text.Abs(c.x1-col.Right), text.Abs((c.x0+c.x1)/2-(col.Left+col.Right)/2))
		if best < 0 || d < distance {
			best, distance = i, d
		}
	}
	return best, distance
}

// offset is how far a piece stands from the middle of a column's figures.
func (b *Grid) offset(i int, c headCell) float64 {
	middle := (b.Columns[i].Left + b.Columns[i].Right) / 2
	return max(c.x0-middle, middle-c.x1, 0)
}

// cellAbove is the cell over a column of a table: merged cells begin in their first column.
func (b *Grid) cellAbove(i int, over []headCell) *headCell {
	var at *headCell
	for k := range over {
		if over[k].x1 <= b.Columns[i].Right+b.near {
			at = &over[k]
		}
	}
	if at != nil && at.x1 < b.Columns[i].Right-b.near && !spans(text.Join(at.tokens)) && !b.besideSign(i, *at) {
		return nil
	}
	return at
}

// besideSign reports whether a dated cell stands over the cells left of a column, in which no figures are but at most
// signs of the currency: a cell that spans both keeps its text in the left one.
func (b *Grid) besideSign(i int, c headCell) bool {
	if i > 0 && c.x1 <= b.Columns[i-1].Right+b.near || b.Columns[i].Right-c.x1 > 1.2*(c.x1-c.x0) {
		return false
	}
	return AnyYear.MatchString(text.Join(c.tokens))
}

// spans reports whether a heading may stand over several columns: a length without its end, or an end
// without its year.
func spans(s string) bool {
	p := ReadPeriod(s, text.MonthFirst)
	return p.End == nil && p.YearOnly == 0 &&
		(p.hasLength() || strings.Contains(text.Fold(s), "ended") || dayOfMonth.MatchString(s))
}

// dayOfMonth is the end of a period without its year.
var dayOfMonth = lazyregexp.New(`(?i)^\W*` + MonthWord + `\.?\s+\d{1,2},?\W*$`)

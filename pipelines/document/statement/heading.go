package statement

import (
	"cmp"
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// readHeadings reads the periods of the columns from the lines above the first row. Lines that stand over
// one column belong to it; a piece that spans columns to all of them; other lines are the title.
func (b *boundColumns) readHeadings(lines []statementLine, instant bool, order text.DateOrder) {
	lines = withoutFormNumbers(mendHeads(lines, order))
	b.periods = make([]statementPeriod, len(b.columns))
	b.heads = make([][]text.Token, len(b.columns))
	if len(b.columns) == 0 {
		return
	}
	r := headingReader{boundColumns: b, order: order, texts: make([][]string, len(b.columns))}
	for k := range lines {
		r.line(lines, k)
	}
	r.readDownwards(lines, instant)
	b.shareYears(r.texts)
	slices.Reverse(r.title) // the line next to the columns speaks first
	b.dateUndated(r.texts, r.title, instant)
	for i, c := range b.columns {
		p := &b.periods[i]
		*p = columnPeriod(r.texts[i], order)
		if c.Percent || i == 0 && b.notes {
			p.role = anotherColumn
		}
		if p.role == anotherColumn {
			continue
		}
		p.withTitle(r.title, strings.Join(r.raw, " | "), instant, order)
		if p.lastYear && !instant {
			p.yearBack()
		}
	}
	b.dropTranslated()
	b.dropParentOnly(r.texts)
	b.dropStrangers()
}

// headingReader reads the lines above the figures: what stands over each column, and what the title says of them all.
type headingReader struct {
	*boundColumns
	order text.DateOrder
	texts [][]string // by column
	title []statementPeriod
	raw   []string // the words of the title
}

// line reads the line at place k.
func (r *headingReader) line(lines []statementLine, k int) {
	l := lines[k]
	if p, ok := spanOverLines(lines, k, r.order); ok {
		r.raw, r.title = append(r.raw, l.Text()), append(r.title, p)
		return
	}
	if comparativeWords.MatchString(l.Text()) {
		return
	}
	over, beside := r.over(slices.DeleteFunc(headCells(l.Line, r.order), isPageNumber))
	_, titled := titledKind(l)
	over = r.partAlike(over)
	if titled && !l.cells && !datesTwo(over, r.order) || programLine.MatchString(l.Text()) {
		r.titleLine(l, nil, beside, true)
		return
	}
	if len(over) == 0 || len(over) == 1 && (titled || !r.isHeading(over[0], r.order)) {
		r.titleLine(l, over, beside, titled)
		return
	}
	if len(beside) > 0 && !l.cells {
		r.raw = append(r.raw, beside...)
	}
	if r.isTitle(over, r.order) || r.standsAbove(over, lines[k+1:], r.order) {
		s := text.Join(over[0].tokens)
		r.raw, r.title = append(r.raw, s), append(r.title, readPeriodText(s, r.order))
		return
	}
	for i, c := range r.assign(over) {
		r.texts[i] = append(r.texts[i], text.Join(c.tokens))
		r.heads[i] = append(r.heads[i], c.tokens...)
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
func (r *headingReader) titleLine(l statementLine, over []headCell, beside []string, titled bool) {
	s := l.Text()
	switch {
	case titled:
		s = fromTitle(headCells(l.Line, r.order), r.order)
	case len(over) == 1 && len(beside) > 0:
		s = text.Join(over[0].tokens)
	}
	r.raw = append(r.raw, s)
	p := readPeriodText(s, r.order)
	if years := anyYear.FindAllString(s, -1); titled && p.end == nil && len(years) == 1 &&
		len(text.FindDates(s, r.order)) == 0 {
		p.yearOnly = yearOf("", years[0]) // "P&L - FY 2023"
	}
	if p.isDated() || p.hasLength() {
		r.title = append(r.title, p)
	}
}

// fromTitle is the text of a title's line without a date that stands before the title: the day of printing.
func fromTitle(cells []headCell, order text.DateOrder) string {
	for len(cells) > 1 && len(text.FindDates(text.Join(cells[0].tokens), order)) > 0 {
		if _, titled := titledKind(statementLine{Line: text.Line{Tokens: cells[0].tokens}}); titled {
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
func (b *boundColumns) isTitle(over []headCell, order text.DateOrder) bool {
	if len(over) > 1 {
		return false
	}
	c := over[0]
	if c.tokens[0].Cell != "" {
		return false
	}
	s := text.Join(c.tokens)
	if len(anyYear.FindAllString(s, -1)) > 1 && len(text.FindPeriods(s, order)) == 0 && !monthRange.MatchString(s) {
		return true // "December 31, 2025 and 2024"
	}
	p := readPeriodText(s, order)
	if len(b.columns) == 1 {
		right := b.columns[0].Right
		return (p.end != nil || p.months != nil) && c.x1 < right-4*b.near
	}
	return (p.end != nil || p.months != nil || p.weeks > 0) && c.x0 < b.columns[0].Right &&
		c.x1 > b.columns[0].Right+(b.columns[1].Right-b.columns[0].Right)*0.4 && len(c.tokens) > 3
}

// comparativeWords announce the columns of another year: "(with comparative totals for 2023)".
var comparativeWords = lazyregexp.New(`(?i)\bwith\s+(?:summarized\s+)?(?:comparative|summarized)\b`)

// standsAbove reports whether a lone period or "total" above several columns is of all of them: every column, or the
// one that it happens to stand over with a period of its own, is headed below.
func (b *boundColumns) standsAbove(over []headCell, below []statementLine, order text.DateOrder) bool {
	s := text.Join(over[0].tokens)
	if len(over) > 1 || len(b.columns) < 2 || over[0].tokens[0].Cell != "" || readPeriodText(s, order).end == nil &&
		!totalRole.MatchString(s) {
		return false
	}
	for i := range b.assign(over) {
		for _, l := range below {
			pieces, _ := b.over(headCells(l.Line, order))
			if len(pieces) < 2 {
				continue
			}
			if len(pieces) == len(b.columns) {
				return true
			}
			if c := b.assign(pieces)[i]; c != nil {
				text := text.Join(c.tokens)
				if p := readPeriodText(text, order); p.end != nil || p.yearOnly > 0 || totalRole.MatchString(text) {
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
func columnPeriod(texts []string, order text.DateOrder) statementPeriod {
	all := brokenDate.ReplaceAllString(strings.Join(texts, " "), "$1$2")
	p := readPeriodText(all, order)
	p.label = labelOf(texts)
	for _, t := range texts {
		if (otherRole.MatchString(t) || changeWords.MatchString(t)) && !lengthWords.MatchString(t) {
			p.role = anotherColumn
		}
	}
	p.readAround(texts, order)
	p.readApart(all, order)
	p.lastYear = p.end == nil && p.yearOnly == 0 && (lastYearWords.MatchString(all) ||
		len(texts) > 1 && lastYearWords.MatchString(texts[len(texts)-1])) // "Year to date" above both columns
	p.own = p.lastYear || p.current || p.isDated() || p.hasLength()
	if p.role == periodColumn && !p.isDated() && !p.toDate && !p.current && p.months == nil &&
		(all == "" || totalRole.MatchString(all) || totalRole.MatchString(texts[len(texts)-1])) {
		p.role = totalColumn
	}
	return p
}

// brokenDate is a date that a narrow column breaks at its hyphen: "2023-" above "12-31".
var brokenDate = lazyregexp.New(`\b((?:19|20)\d{2}-) (\d{2}-\d{2})\b`)

// isDated reports whether a period says when it ends, be it only the year.
func (p *statementPeriod) isDated() bool { return p.end != nil || p.yearOnly > 0 }

// readAround takes an undated period from the last line of a heading that has a date: "(unaudited)" and other words
// stand around the year.
func (p *statementPeriod) readAround(texts []string, order text.DateOrder) {
	if p.isDated() {
		return
	}
	for _, t := range slices.Backward(texts) {
		q := readPeriodText(t, order)
		if !q.isDated() {
			continue
		}
		if p.months == nil && p.weeks == 0 {
			p.months, p.weeks = q.months, q.weeks
		}
		p.end, p.start, p.yearOnly = q.end, q.start, q.yearOnly
		return
	}
}

// readApart takes the end of a period from a day and a year that are printed apart: "December 31," above or below
// "2025".
func (p *statementPeriod) readApart(all string, order text.DateOrder) {
	years := anyYear.FindAllString(all, -1)
	if p.end != nil || len(years) != 1 {
		return
	}
	q := statementPeriod{yearOnly: yearOf("", years[0])}
	q.endOfYear(nil, all, order)
	if q.end != nil || p.yearOnly == 0 {
		p.end, p.yearOnly = q.end, q.yearOnly
	}
}

// labelOf is what heads one column: without the titles of the report and names of firms, where more is printed.
func labelOf(texts []string) string {
	own := slices.DeleteFunc(slices.Clone(texts), func(t string) bool {
		return namesStatement(t) && !anyYear.MatchString(t) || text.LegalForm.MatchString(t)
	})
	if len(own) == 0 {
		own = texts
	}
	return strings.Join(strings.Fields(strings.Join(own, " ")), " ")
}

// namesStatement reports whether words hold the name of a statement.
func namesStatement(s string) bool {
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
	if namesStatement(title) {
		if at := periodBegins.FindStringIndex(title); at != nil {
			return title[at[0]:]
		}
	}
	return title
}

// over parts the pieces of a line into those above the columns and those beside them.
func (b *boundColumns) over(cells []headCell) (over []headCell, beside []string) {
	left := b.columns[0].Left - 2*b.near
	if n := len(b.columns); n > 1 {
		left = min(left, b.columns[0].Right-0.8*(b.columns[1].Right-b.columns[0].Right))
	}
	right := b.columns[len(b.columns)-1].Right + 4*b.near
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
func (b *boundColumns) isHeading(c headCell, order text.DateOrder) bool {
	s := text.Join(c.tokens)
	if c.tokens[0].Cell == "" && len(c.tokens) > 9 {
		return false
	}
	if c.tokens[0].Cell != "" && len(b.columns) > 1 && text.ColumnNear(b.columns, c.x1, b.near) >= 0 {
		return true
	}
	if len(text.FindDates(s, order)) > 0 || anyYear.MatchString(s) || endOfYearHead.MatchString(s) ||
		len(b.columns) == 1 && totalRole.MatchString(s) {
		return true
	}
	p := columnPeriod([]string{s}, order)
	return p.own || p.role != periodColumn
}

// assign gives the pieces of a heading line to columns: pieces that span, or of which each stands over a group
// of columns, to all of them; any other to the one column that it stands over.
func (b *boundColumns) assign(over []headCell) map[int]*headCell {
	at := map[int]*headCell{}
	if over[0].tokens[0].Cell != "" {
		for i := range b.columns {
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
func (b *boundColumns) columnBelow(c headCell) (int, float64) {
	best, distance := -1, 0.0
	for _, i := range b.money() {
		col := b.columns[i]
		d := min(text.Abs(c.x1-col.Right), text.Abs((c.x0+c.x1)/2-(col.Left+col.Right)/2))
		if best < 0 || d < distance {
			best, distance = i, d
		}
	}
	return best, distance
}

// offset is how far a piece stands from the middle of a column's figures.
func (b *boundColumns) offset(i int, c headCell) float64 {
	middle := (b.columns[i].Left + b.columns[i].Right) / 2
	return max(c.x0-middle, middle-c.x1, 0)
}

// cellAbove is the cell over a column of a table: merged cells begin in their first column.
func (b *boundColumns) cellAbove(i int, over []headCell) *headCell {
	var at *headCell
	for k := range over {
		if over[k].x1 <= b.columns[i].Right+b.near {
			at = &over[k]
		}
	}
	if at != nil && at.x1 < b.columns[i].Right-b.near && !spans(text.Join(at.tokens)) && !b.besideSign(i, *at) {
		return nil
	}
	return at
}

// besideSign reports whether a dated cell stands over the cells left of a column, in which no figures are but at most
// signs of the currency: a cell that spans both keeps its text in the left one.
func (b *boundColumns) besideSign(i int, c headCell) bool {
	if i > 0 && c.x1 <= b.columns[i-1].Right+b.near || b.columns[i].Right-c.x1 > 1.2*(c.x1-c.x0) {
		return false
	}
	return anyYear.MatchString(text.Join(c.tokens))
}

// spans reports whether a heading may stand over several columns: a length without its end, or an end
// without its year.
func spans(s string) bool {
	p := readPeriodText(s, text.MonthFirst)
	return p.end == nil && p.yearOnly == 0 &&
		(p.hasLength() || strings.Contains(text.Fold(s), "ended") || dayOfMonth.MatchString(s))
}

// dayOfMonth is the end of a period without its year.
var dayOfMonth = lazyregexp.New(`(?i)^\W*` + monthWord + `\.?\s+\d{1,2},?\W*$`)

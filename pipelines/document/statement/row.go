package statement

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/statement/table"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// statementRow is one printed line of a statement with its figures by column; without figures it is a heading.
type statementRow struct {
	caption string
	folded  string
	forms   []string
	tokens  []text.Token
	left    float64
	figures []*text.Money // by column of the block; nil where nothing is printed
	edge    float64       // right edge of its last figure: points, in cells the column
	inner   bool          // its figure stands in the column of details, left of that of their sums
	lines   []text.Line   // the line of each figure's tokens is lines[0]
	total   bool
	section string
	rule    *captions.Rule
	parent  int // row of the total that closes the group it is in, -1 when none
	members []int
	dropped bool // part of a mapped total, or no money of the statement
	outside bool // no line of the statement: per share, a count, a memorandum below its end

	nameless bool // a sum that is printed without a caption
	running  bool // what an activity's lines so far make, under a name of its own
	// owned: never taken off: stock left at the end, which a balance sheet owns, or costs under the name of them all
	neverDeducted bool
	parts         []int // the rows whose sum it is, when no line prints it
}

func (r *statementRow) hasFigures() bool {
	for _, f := range r.figures {
		if f != nil {
			return true
		}
	}
	return false
}

// rowsOf reads the rows of a part. columns gives the block's column of each of the part's, -1 for those that
// are not read.
func rowsOf(p table.Part, columns []int, width int) []statementRow {
	var rows []statementRow
	for i, l := range p.Lines[p.Head:] {
		if len(l.Caption) == 0 {
			l.Caption = continuingNumber(&p, rows, l)
		}
		if len(l.Caption) == 0 {
			if sum, ok := namelessRow(p, l, columns, width); ok && len(rows) > 1 {
				rows = append(rows, sum)
			}
			continue
		}
		caption := p.Bound.CaptionOf(l)
		row := statementRow{caption: leaders.ReplaceAllString(text.Join(caption), ""), tokens: caption,
			left: caption[0].X0, figures: make([]*text.Money, width), lines: []text.Line{l.Line}, parent: -1}
		for _, m := range l.Figures {
			at := p.Bound.Bind(m)
			if at < 0 || columns[at] < 0 || m.Percent {
				continue
			}
			if row.figures[columns[at]] == nil { // of details and the sum beside them the row's own
				row.figures[columns[at]] = &m
				row.edge = l.Tokens[m.Last].X1
			}
		}
		if !row.hasFigures() && len(l.Figures) > 0 && !l.Cells && len(rows) == 0 && i == 0 {
			continue
		}
		if !row.hasFigures() && table.IsFurniture(l) {
			continue
		}
		rows = append(rows, row)
	}
	return joinWrapped(joinAround(rows))
}

// continuingNumber is a number at the start of a line that belongs to the caption above it, not to the figures: "...
// net of allowances of $912 and" above "$844".
func continuingNumber(p *table.Part, rows []statementRow, l table.Line) []text.Token {
	n := len(rows)
	if n > 0 && !l.Cells && len(l.Figures) > 0 && !rows[n-1].hasFigures() && opensAside(rows[n-1].caption) &&
		closesAside.MatchString(l.Tokens[0].Text) {
		return l.Tokens[:1]
	}
	if n == 0 || l.Cells || len(l.Figures) < 2 || rows[n-1].hasFigures() || p.Bound.Bind(l.Figures[0]) >= 0 ||
		l.Figures[0].First > 0 || !table.GoesOn.MatchString(rows[n-1].caption) {
		return nil
	}
	return l.Tokens[:l.Figures[0].Last+1]
}

// closesAside is the rest of a reference that the line above begins: "(Note" above "5)".
var closesAside = lazyregexp.New(`^\d{1,2}\)$`)

// namelessRow is a line of figures without a caption: a sum, if the rows above come out so.
func namelessRow(p table.Part, l table.Line, columns []int, width int) (statementRow, bool) {
	if len(l.Figures) == 0 || table.AllYears(l.Figures) || table.Furniture.MatchString(l.Text()) {
		return statementRow{}, false
	}
	row := statementRow{tokens: l.Tokens, left: l.X0, figures: make([]*text.Money, width), lines: []text.Line{l.Line},
		parent: -1, nameless: true}
	for _, m := range l.Figures {
		if at := p.Bound.Bind(m); at >= 0 && columns[at] >= 0 && !m.Percent && row.figures[columns[at]] == nil {
			row.figures[columns[at]] = &m
		}
	}
	return row, row.hasFigures()
}

// leaders are the dots that lead from a caption to its figures.
var leaders = lazyregexp.New(`(?:\s*\.){3,}\s*$`)

// joinParts appends the rows of a following page. A row that the page break cut is printed again whole, or goes on.
func joinParts(rows, more []statementRow) []statementRow {
	if n := len(rows); n > 0 && len(more) > 0 {
		switch {
		case isDamagedCopy(rows[n-1], more[0]):
			rows = rows[:n-1]
		case more[0].continuesOverPage(rows[n-1]):
			more[0].caption = rows[n-1].caption + " " + more[0].caption
			rows = rows[:n-1]
		}
	}
	return append(rows, more...)
}

// continuesOverPage reports whether a row completes the caption that the page before it ended with.
func (r *statementRow) continuesOverPage(last statementRow) bool {
	return !last.hasFigures() && r.hasFigures() && last.tokens[0].Cell == "" && !r.nameless &&
		!captions.OpensSection(last.caption) &&
		!strings.HasSuffix(last.caption, ":") && (r.beginsLower() || table.GoesOn.MatchString(last.caption))
}

// isDamagedCopy reports whether a row is a damaged print of the next: its letters come in the other's caption in
// order, and its figures end the same.
func isDamagedCopy(cut, whole statementRow) bool {
	if !cut.hasFigures() || !whole.hasFigures() {
		return false
	}
	same := false
	for i, m := range cut.figures {
		w := whole.figures[i]
		if m == nil || w == nil {
			continue
		}
		if !strings.HasSuffix(text.DigitsOf(w.Text), text.DigitsOf(m.Text)) {
			return false
		}
		same = true
	}
	rest := strings.ReplaceAll(text.Fold(whole.caption), " ", "")
	for _, r := range strings.ReplaceAll(text.Fold(cut.caption), " ", "") {
		i := strings.IndexRune(rest, r)
		if i < 0 {
			return false
		}
		rest = rest[i+1:]
	}
	return same
}

// sumsAbove makes a row without a caption the total of the rows above that it is the sum of; what is no such sum is no
// row.
func (r *statementRow) sumsAbove(rows []statementRow, i int) {
	first := sumsTo(rows, i)
	if first < 0 && i > 0 && rows[i-1].hasFigures() && r.repeatsRow(rows[i-1]) {
		first = i - 1 // of a list of one
	}
	if first < 0 {
		r.figures, r.dropped, r.outside = make([]*text.Money, len(r.figures)), true, true
		return
	}
	r.total = true
	r.makeTotalOf(rows, first-1, i)
}

// repeatsRow reports whether two rows print the same figures.
func (r *statementRow) repeatsRow(other statementRow) bool {
	sums := make([]decimal.Decimal, len(r.figures))
	for column := range sums {
		if (r.figures[column] == nil) != (other.figures[column] == nil) {
			return false
		}
		if other.figures[column] != nil {
			sums[column] = other.figures[column].Value.Decimal
		}
	}
	return r.equals(sums)
}

// netWords name what is left of the rows above: "net fixed assets", "property and equipment net".
var netWords = lazyregexp.New(`^net | net[oa]?$`)

// makeTotalOf makes the row at place i the total of those rows after from that have no other total.
func (r *statementRow) makeTotalOf(rows []statementRow, from, i int) {
	for k := from + 1; k < i; k++ {
		if rows[k].hasFigures() && rows[k].parent < 0 {
			rows[k].parent = i
			r.members = append(r.members, k)
		}
	}
}

// groupPartsBelow finds the rows below a row that print what it is made of, and makes it their total: they add up to it
// in every column, and stand further in unless it says that it is a total. Rows that another of them leads are in that
// one. One row alone must stand further in than both rows around it. Sales are no sum of what they cost and what is
// left.
func groupPartsBelow(kind string, rows []statementRow, at int) bool {
	r := &rows[at]
	sums := make([]decimal.Decimal, len(r.figures))
	for last := at + 1; last < len(rows); last++ {
		part := &rows[last]
		if !part.hasFigures() || strings.HasPrefix(part.caption, "Total") || !r.total && part.left <= r.left &&
			!r.hasEnoughDigits() {
			return false
		}
		if kind == captions.IncomeStatement && namesRow(captions.Books()[kind], *part,
			"grossProfit operatingIncome incomeBeforeTaxes netIncome") {
			return false
		}
		if part.parent > at {
			continue
		}
		for column, m := range part.figures {
			if m != nil {
				sums[column] = sums[column].Add(part.term(column))
			}
		}
		if !r.equals(sums) || last == at+1 && !hasOnePartBelow(rows, at) {
			continue
		}
		if last > at+1 && last+1 < len(rows) && rows[last+1].repeatsRow(*r) {
			return false // the other side of a balance sheet: the sum stands below it
		}
		for k := at + 1; k <= last; k++ {
			if rows[k].parent < 0 {
				rows[k].parent = at
				r.members = append(r.members, k)
			}
		}
		return true
	}
	return false
}

// hasOnePartBelow reports whether a row's only part is the row below it.
func hasOnePartBelow(rows []statementRow, at int) bool {
	r, part := rows[at], rows[at+1]
	if sectionMark.MatchString(r.caption) && groupMark.MatchString(part.caption) { // numbers tell who leads whom
		next := at + 2
		for next < len(rows) && rows[next].parent == at+1 {
			next++
		}
		return next >= len(rows) || sectionMark.MatchString(rows[next].caption) || rows[next].total
	}
	if part.left <= r.left || part.sumsRowsBelow(at+1) {
		return false
	}
	return at+2 < len(rows) && rows[at+2].hasFigures() && rows[at+2].left <= r.left && !rows[at+2].total
}

// sectionMark and groupMark number the sections of such a sheet, and the groups within them.
var (
	sectionMark = lazyregexp.New(`^\s*[A-H][.)]\s`)
	groupMark   = lazyregexp.New(`^\s*(?:[IVX]{1,4}|[A-H]-\d)[.)]\s`)
)

// letterMark numbers the sections of a sheet that Spanish or German law lays out: "A) Activo no corriente".
var letterMark = lazyregexp.New(`^\s*(?:[A-H](?:-\d)?|[IVX]{1,4})[.)]\s`)

// hasEnoughDigits reports whether a row's figures have so many digits that other rows do not add up to them by chance.
// It decides where captions are not indented: in cells, and below sections numbered by letters.
func (r *statementRow) hasEnoughDigits() bool {
	if r.tokens[0].Cell == "" && !letterMark.MatchString(r.caption) {
		return false
	}
	digits := 0
	for _, m := range r.figures {
		if m != nil && !m.Value.IsZero() {
			digits += len(strings.TrimLeft(text.DigitsOf(m.Text), "0"))
		}
	}
	return digits >= 6
}

// term is the figure of a column with the sign that its sum takes it with: what a caption says is taken off may be
// printed without one.
func (r *statementRow) term(column int) decimal.Decimal {
	m := r.figures[column]
	if !m.Signed && !r.neverDeducted && takenOff.MatchString(text.Fold(r.caption)) {
		return m.Value.Neg()
	}
	return m.Value.Decimal
}

// takenOff are captions of what a sum takes off: stock that is left at the end is no cost of what was sold.
var takenOff = lazyregexp.New(`^less |^(?:ending|closing) (?:inventor|stock|work in)|^(?:inventory|inventories` +
	`|stock|stocks) (?:at )?(?:the )?end\b`)

// equals reports whether the row prints just these sums, and not only zeros.
func (r *statementRow) equals(sums []decimal.Decimal) bool {
	return r.equalsWithin(sums, nil, decimal.Zero)
}

// equalsWithin reports whether the row prints sums within some slack. In doubtful columns the figure may differ.
func (r *statementRow) equalsWithin(sums []decimal.Decimal, doubtful map[int]bool, slack decimal.Decimal) bool {
	some := false
	for column, m := range r.figures {
		switch {
		case m == nil:
		case m.Value.Sub(sums[column]).Abs().LessThanOrEqual(slack):
			some = some || !sums[column].IsZero()
		case !doubtful[column]:
			return false
		}
	}
	return some
}

// sumsTo is the first of the rows above a total that make it up, headings between them or not, in every column; -1 when
// none do. A column in which a figure was hard to read need not come out where another does: that is what tells a
// misread figure. Where no rows come out, those that do within rounding are it.
func sumsTo(rows []statementRow, total int) int {
	if first := sumsWithin(rows, total, false); first >= 0 || !rows[total].rounds() {
		return first
	}
	return sumsWithin(rows, total, true)
}

// sumsWithin looks for the rows of a total exactly, or within rounding: three lines or less may be one apart in the
// last printed place, more lines two.
func sumsWithin(rows []statementRow, total int, rounded bool) int {
	sums, doubtful := make([]decimal.Decimal, len(rows[total].figures)), map[int]bool{}
	terms := 0
	for first := total - 1; first >= 0 && first != rows[total].parent; first-- {
		if at := rows[first].parent; at >= 0 && at < total {
			continue // a line of a sum that is a term itself
		}
		for column, m := range rows[first].figures {
			if m != nil {
				sums[column] = sums[column].Add(rows[first].term(column))
				doubtful[column] = doubtful[column] || hardToRead(rows[first].tokensOf(column))
			}
		}
		if rows[first].hasFigures() {
			terms++
		}
		if first == total-1 || !rows[first].hasFigures() {
			continue
		}
		slack := int64(0)
		if rounded {
			slack = 1 + int64(min(1, terms/4))
		}
		if rows[total].equalsWithin(sums, doubtful, decimal.NewFromInt(slack)) {
			return first
		}
	}
	return -1
}

// rounds reports whether a total may be rounded apart from its lines: it prints no cents, and so many digits that other
// rows come out near it by no chance.
func (r *statementRow) rounds() bool {
	digits := 0
	for _, m := range r.figures {
		switch {
		case m == nil:
		case m.Places() > 0:
			return false
		default:
			digits += len(strings.TrimLeft(text.DigitsOf(m.Text), "0"))
		}
	}
	return digits >= 4
}

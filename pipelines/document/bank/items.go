package bank

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// bankItem is one captioned amount of a statement's summary.
type bankItem struct {
	captionRead
	money   text.Money
	tokens  []text.Token
	caption string
	line    int    // index of the line
	row     string // of a summary table: the account's name, else empty
	counted bool   // of a summary table: the count stands in a column of its own
	number  string // of a summary table: the account's number, else empty
	label   []text.Token
	rowID   int // of a summary table: the row, else 0
}

// bankItems finds the captioned amounts in reading order: a caption before its amount on the line, or
// above it as the head of a column.
func bankItems(lines []text.Line, style text.DecimalStyle, order text.DateOrder) []bankItem {
	var items []bankItem
	table := headers{last: -1}
	for i, l := range lines {
		amounts := text.MoneyOn(l, style)
		if len(amounts) == 0 {
			if h, ok := summaryHeaders(lines, i, style, order); ok && (i > table.last || h.kinds >= table.kinds) {
				table = h
			} else if table.ended(l) {
				table = headers{}
			}
			continue
		}
		if headsTransactions([]text.Line{{Page: l.Page, Tokens: l.Tokens[:amounts[0].First]}}) {
			table = headers{} // of transactions, with a figure beside them
		}
		found := summarized(l, captionedOn(l, i, amounts, order), order)
		if both := pairedTotals(l, i, amounts, order); both != nil {
			found = both
		}
		if table.totals(l, amounts) { // "Total deposits" of an overview of accounts is no movement
			found = nil
		}
		if len(found) == 0 && len(table.columns) > 0 && l.Page == table.page {
			found = table.row(l, i, amounts, order)
		}
		if len(found) == 0 {
			found = captionUnder(lines, i, amounts, style, order)
		}
		if len(found) == 0 {
			found = captionBelow(lines, i, amounts, style, order)
		}
		if len(found) == 0 {
			found = captionBefore(lines, i, amounts, style, order)
		}
		if len(found) == 0 {
			found = captionAfter(l, i, amounts, order)
		}
		closesRun(lines, i, found, amounts, style)
		items = append(items, found...)
	}
	return items
}

// closesRun gives the closing balance the last figure of its line where the line also adds the columns up: the running
// balance of the entry before it says so.
func closesRun(lines []text.Line, at int, found []bankItem, amounts []text.Money, style text.DecimalStyle) {
	last := amounts[len(amounts)-1]
	for k := range found {
		it := &found[k]
		if it.kind != bankClosing || len(amounts) < 2 || it.money.First != amounts[0].First || last.Value.IsZero() {
			continue
		}
		for i := at - 1; i >= max(0, at-3); i-- {
			before := text.MoneyOn(lines[i], style)
			if len(before) == 0 || lines[i].Page != lines[at].Page {
				continue
			}
			if before[len(before)-1].Value.Equal(last.Value.Decimal) {
				it.money, it.tokens = last, lines[at].Tokens[last.First:last.Last+1]
			}
			break
		}
	}
}

// gluedDay is the date of a transaction as some banks print it after the amounts: "MAR04".
var gluedDay = lazyregexp.New(`^(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)[0-3]\d$`)

// summarized leaves out what a line that begins with a date captions: it is a transaction, unless it states a balance
// or a total.
func summarized(l text.Line, items []bankItem, order text.DateOrder) []bankItem {
	if d := l.Dates(order); (len(d) == 0 || d[0].First > 0) &&
		!slices.ContainsFunc(l.Tokens, func(t text.Token) bool { return gluedDay.MatchString(t.Text) }) {
		return items
	}
	return slices.DeleteFunc(items, func(it bankItem) bool {
		return (it.kind.credits() || it.kind.debits()) && !text.HasWords(text.Fold(it.caption), "total")
	})
}

// captionedOn reads the amounts whose caption stands before them on the line.
func captionedOn(l text.Line, at int, amounts []text.Money, order text.DateOrder) []bankItem {
	var items []bankItem
	from := 0
	for _, m := range amounts {
		tokens := l.Tokens[from:m.First]
		from = m.Last + 1
		if len(tokens) == 0 {
			continue
		}
		c, used := captionIn(text.Line{Page: l.Page, Tokens: tokens}, order)
		if c.kind == bankNone {
			continue
		}
		items = append(items, bankItem{captionRead: c, money: m, tokens: l.Tokens[m.First : m.Last+1], caption: used,
			line: at})
	}
	return items
}

// captionIn reads the tokens before an amount as a caption: all of them, else the last cells.
func captionIn(l text.Line, order text.DateOrder) (captionRead, string) {
	s := l.Text()
	if c := readBankCaption(s, order); c.kind != bankNone {
		return c, s
	}
	cells := l.Cells()
	for first := len(cells) - 1; first > 0; first-- {
		var tokens []text.Token
		for _, cell := range cells[first:] {
			tokens = append(tokens, cell.Tokens...)
		}
		text := text.Join(tokens)
		if c := readBankCaption(text, order); c.kind != bankNone {
			return c, text
		}
	}
	return captionRead{}, ""
}

// captionBelow reads amounts under captions: each amount takes the cells above it, up to three lines up.
// It serves summaries set as columns or as tiles.
func captionBelow(lines []text.Line, at int, amounts []text.Money, style text.DecimalStyle,
	order text.DateOrder) []bankItem {
	l := lines[at]
	if dates := l.Dates(order); len(dates) > 0 && dates[0].First == 0 {
		return nil // a transaction
	}
	var items []bankItem
	for _, m := range amounts {
		s, tokens := "", []text.Token(nil)
		for up := at - 1; up >= 0 && up >= at-3; up-- {
			above := lines[up]
			if above.Page != l.Page || m.Y0-above.Y1 > 3.5*m.Height() || len(text.MoneyOn(above, style)) > 0 {
				break
			}
			for _, cell := range above.Cells() {
				if text.Overlap(cell.X0, cell.X1, m.X0, m.X1) > 0 {
					s = strings.TrimSpace(cell.Text() + " " + s)
					tokens = cell.Tokens
				}
			}
			if c := readBankCaption(s, order); c.kind != bankNone && tokens != nil {
				items = append(items, bankItem{captionRead: c, money: m, tokens: l.Tokens[m.First : m.Last+1],
					caption: s, line: at})
				break
			}
		}
	}
	return items
}

// captionBefore reads an amount that stands alone on its line, wrapped below the balance it is of.
func captionBefore(lines []text.Line, at int, amounts []text.Money, style text.DecimalStyle,
	order text.DateOrder) []bankItem {
	l := lines[at]
	if at == 0 || len(amounts) != 1 || amounts[0].Last-amounts[0].First+1 != len(l.Tokens) {
		return nil
	}
	above := lines[at-1]
	if above.Page != l.Page || l.Y0-above.Y1 > 1.2*(l.Y1-l.Y0) || len(text.MoneyOn(above, style)) > 0 {
		return nil
	}
	caption := above.Cells()[0].Text()
	c := readBankCaption(caption, order)
	if c.kind != bankOpening && c.kind != bankClosing && c.kind != bankCurrent {
		return nil
	}
	return []bankItem{{captionRead: c, money: amounts[0], tokens: l.Tokens, caption: caption, line: at}}
}

// captionAfter reads an amount that begins its line, with its caption in the cell behind it.
func captionAfter(l text.Line, at int, amounts []text.Money, order text.DateOrder) []bankItem {
	m := amounts[0]
	d := l.Dates(order)
	leads := m.First == 0 || len(d) > 0 && d[0].First == 0 && d[0].Last+1 == m.First
	if len(amounts) != 1 || !leads || m.Last+1 >= len(l.Tokens) ||
		!text.WideGap(l.Tokens[m.Last], l.Tokens[m.Last+1]) {
		return nil
	}
	caption := l.Words(m.Last+1, len(l.Tokens))
	c := readBankCaption(caption, order)
	if c.kind == bankNone {
		return nil
	}
	if c.kind == bankBalance {
		c.kind = bankCurrent
	}
	return []bankItem{{captionRead: c, money: m, tokens: l.Tokens[m.First : m.Last+1], caption: caption, line: at}}
}

// headers are the column captions of a summary table, which holds a row for each account.
type headers struct {
	columns []headColumn
	page    int
	bottom  float64
	height  float64
	rows    int
	kinds   int // captions among them
	last    int // index of their last line
	// overview: the accounts of the statement, each with its balance and nothing else.
	overview bool
}

// headColumn is a caption over one or more lines, with the width it covers.
type headColumn struct {
	holds  bankKind // of a head that is a date: the balance of that day, else none
	text   string
	x0, x1 float64
	tokens []text.Token
}

// stackHeader joins the cells of line i and of up to two lines below that touch it into columns, for heads
// that are set over several lines. A line with money ends it.
func stackHeader(lines []text.Line, i int, style text.DecimalStyle) ([]headColumn, int) {
	var columns []headColumn
	last, edges := i, edgesBelow(lines, i, style)
	for j := i; j < len(lines) && j <= i+2; j++ {
		l := lines[j]
		if l.Page != lines[i].Page || j > i && l.Y0-lines[j-1].Y1 > 0.8*(l.Y1-l.Y0) || len(text.MoneyOn(l, style)) > 0 {
			break
		}
		if d := l.Dates(text.MonthFirst); len(d) > 0 && j > i && (d[0].First == 0 || len(d) > 1) {
			break
		}
		for _, cell := range partedHeads(l, edges) {
			placed := false
			for k := range columns {
				c := &columns[k]
				if text.Overlap(c.x0, c.x1, cell.X0, cell.X1) > 0 {
					c.text += " " + cell.Text()
					c.x0, c.x1 = min(c.x0, cell.X0), max(c.x1, cell.X1)
					c.tokens = append(c.tokens, cell.Tokens...)
					placed = true
					break
				}
			}
			if !placed {
				columns = append(columns, headColumn{text: cell.Text(), x0: cell.X0, x1: cell.X1, tokens: cell.Tokens})
			}
		}
		last = j
	}
	return columns, last
}

// summaryHeaders reads line i (and what it stacks) as the head of a summary table: at least two columns
// must be captions of bank amounts, a balance among them.
func summaryHeaders(lines []text.Line, i int, style text.DecimalStyle, order text.DateOrder) (headers, bool) {
	for _, deep := range []int{2, 1, 0} {
		columns, last := stackHeader(lines[:min(len(lines), i+deep+1)], i, style)
		if headsTransactions(lines[i : last+1]) {
			return headers{}, false
		}
		kinds, balances, label := 0, 0, false
		for _, c := range columns {
			label = label || accountColumn.MatchString(text.Fold(c.text))
			switch k := readHead(c.text, order).kind; {
			case k == bankNone:
			case k == bankBalance:
				balances++
			case k == bankOpening || k == bankClosing || k == bankCurrent:
				kinds++
				balances++
			default:
				kinds++
			}
		}
		if label && kinds+balances == 0 && datesHead(columns, order) {
			kinds, balances = 2, 2
		}
		if kinds >= 2 && balances >= 1 || label && balances == 1 {
			l := lines[last]
			return headers{columns: columns, page: l.Page, bottom: l.Y1, height: l.Y1 - l.Y0, overview: kinds < 2,
				kinds: kinds, last: last}, true
		}
	}
	return headers{}, false
}

// readHead understands the head of a column: its unit, and the period that all of them are of, aside.
func readHead(head string, order text.DateOrder) captionRead {
	return readBankCaption(strings.ReplaceAll(text.Fold(unitInCaption.ReplaceAllString(head, " ")), "this period", ""),
		order)
}

// datesHead reports whether two columns are headed by the first and the last day, whose balances they hold.
func datesHead(columns []headColumn, order text.DateOrder) bool {
	var dated []*headColumn
	for i := range columns {
		if d := text.FindDates(columns[i].text, order); len(d) == 1 && d[0].Day > 0 &&
			d[0].To-d[0].From == len(columns[i].text) {
			dated = append(dated, &columns[i])
		}
	}
	if len(dated) != 2 || len(columns) != 3 {
		return false
	}
	dated[0].holds, dated[1].holds = bankOpening, bankClosing
	return true
}

// headsTransactions reports whether one of the lines of a head names a column of dates.
func headsTransactions(head []text.Line) bool {
	return slices.ContainsFunc(head, func(l text.Line) bool {
		return slices.ContainsFunc(namedHeads(l), beginsWithDate)
	})
}

// accountColumn heads the column that names accounts.
var accountColumn = lazyregexp.New(`^(account|accounts|account (name|number|type|title|description)|product|type of ` +
	`account)$`)

// ended reports whether a line without amounts ends the table: a sentence, one far below, or heads of other figures.
func (h headers) ended(l text.Line) bool {
	return len(h.columns) > 0 && (l.Page != h.page || len(l.Tokens) > 9 ||
		slices.ContainsFunc(l.Cells(), func(
			c text.Line) bool {
			return bankPhrases[0].pattern.MatchString(text.Fold(c.Text()))
		}))
}

// totals reports whether a line is the last of an overview of accounts: a total under each of its heads.
func (h *headers) totals(l text.Line, amounts []text.Money) bool {
	if len(h.columns) == 0 || l.Page != h.page || h.rows < 2 || len(amounts) < 2 ||
		!isTotal(text.Fold(l.Words(0, amounts[0].First))) {
		return false
	}
	for _, m := range amounts {
		if !slices.ContainsFunc(h.columns, func(c headColumn) bool {
			return text.Overlap(c.x0-m.Height(), c.x1+m.Height(), m.X0, m.X1) > 0
		}) {
			return false
		}
	}
	return true
}

// row reads a line of amounts under the table's heads.
func (h *headers) row(l text.Line, at int, amounts []text.Money, order text.DateOrder) []bankItem {
	if d := l.Dates(order); len(d) > 0 && d[0].First == 0 || l.Y0-h.bottom > 12*h.height {
		return nil
	}
	h.bottom = l.Y1
	h.rows++
	label := text.Line{Page: l.Page, Tokens: l.Tokens[:amounts[0].First]}
	name, number := splitAccountLabel(label)
	name = strings.TrimSpace(lastDigits.ReplaceAllString(name, ""))
	if h.overview && number == "" && !accountWords.MatchString(name) && !strings.HasPrefix(text.Fold(name), "total") {
		return nil
	}
	var items []bankItem
	for _, m := range amounts {
		best, most := -1, 0.0
		for i, c := range h.columns {
			if o := text.Overlap(c.x0-m.Height(), c.x1+m.Height(), m.X0, m.X1); o > most {
				best, most = i, o
			}
		}
		if best < 0 {
			continue
		}
		c := readHead(h.columns[best].text, order)
		if h.columns[best].holds != bankNone {
			c.kind = h.columns[best].holds
		}
		if c.kind == bankNone {
			continue
		}
		if h.overview && c.kind == bankBalance {
			c.kind = bankClosing
		}
		n, counted := h.countOf(l, c.kind, m.First)
		if counted {
			c.count = &n
		}
		items = append(items, bankItem{captionRead: c, money: m, tokens: l.Tokens[m.First : m.Last+1],
			caption: h.columns[best].text, line: at, row: name, number: number, label: label.Tokens, rowID: at + 1,
			counted: counted})
	}
	return items
}

package bank

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// bankRow is one transaction as printed, before its sign is certain.
type bankRow struct {
	date        text.Date
	description string
	amount      text.Money
	tokens      []text.Token // of the amount
	sign        int          // +1, -1, or 0 when neither column, section nor sign says
	balance     *text.Money
	line        int
	check       bool
	unsectioned bool // neither a section nor the column says which way it goes
	balanceAt   []text.Token
	mended      string // how a misread figure was corrected, else empty
}

// signed is the amount by its effect on the balance.
func (r bankRow) signed() decimal.Decimal {
	v := r.amount.Value.Abs()
	if r.sign < 0 {
		return v.Neg()
	}
	return v
}

// tableReader walks the lines of a statement and collects transactions.
type tableReader struct {
	style   text.DecimalStyle
	order   text.DateOrder
	columns []moneyColumn // of the table that is open
	date    bool          // the open table has a date column
	dates0  float64       // its left
	dates1  float64       // and right
	section int           // sign that the last heading gives to amounts without one
	closed  bool          // inside a table that holds no transactions
	daily   bool          // below the title of one that lists daily balances
	begun   *begunRow     // the line above was the beginning of a transaction
	checks  bool
	rows    []bankRow
	asides  []moneyColumn // of the open table, which move nothing
	totals  []bankItem    // of the columns of money in and out, from the tables' last lines
	owed    map[int]bool  // lines whose balance stands in the column of money out
}

// begunRow is a line with a date and words whose amount stands in the line below.
type begunRow struct {
	date text.Date
	text string
	at   int
}

// bankRows finds the transactions among lines.
func bankRows(lines []text.Line, style text.DecimalStyle, order text.DateOrder) tableReader {
	t := tableReader{style: style, order: order, owed: map[int]bool{}}
	skip := -1
	for i, l := range lines {
		if i <= skip {
			continue
		}
		amounts := text.MoneyOn(l, style)
		if len(amounts) == 0 {
			if last, ok := t.header(lines, i); ok {
				skip = last
				continue
			}
			if t.heading(l) {
				continue
			}
			t.describe(l)
			t.noteRowStart(l, i)
			continue
		}
		if (itemCount.MatchString(l.Text()) || strings.Contains(l.Text(), "*")) && t.heading(l) {
			continue
		}
		t.row(l, i, amounts)
	}
	return t
}

// headsAccount reports whether a line is an account's title: a product, with or without its number.
func headsAccount(l text.Line) bool {
	name, _ := splitAccountLabel(l.Cells()[0])
	return isProductName(name)
}

// row reads a line with amounts.
func (t *tableReader) row(l text.Line, at int, amounts []text.Money) {
	dates := t.dates(l)
	behind := t.dateBehind(dates, amounts)
	if t.isAside(l, at, dates, amounts, behind != nil) {
		return
	}
	if isTotal(text.Fold(text.Join(l.Tokens[:amounts[0].First]))) {
		t.total(l, at, amounts)
		return
	}
	if behind != nil && dates[0].First > 0 {
		t.add(l, at, behind.Date, amounts, l.Words(0, amounts[0].First))
		return
	}
	if len(dates) == 0 || dates[0].First > 3 && !t.inDates(dates[0]) {
		if b := t.begun; b != nil && b.at == at-1 && t.underColumn(amounts[0]) {
			t.add(l, at, b.date, amounts, b.text+" "+text.Join(l.Tokens[:amounts[0].First]))
		} else {
			t.undated(l, at, amounts)
		}
		return
	}
	if t.groups(l, at, dates, amounts) || isPeriod(l, dates) {
		return
	}
	t.add(l, at, dates[0].Date, amounts, wordsOfRow(l, dates, amounts)...)
}

// isAside reports whether a line is no row of the table: it states a balance or what its caption says, or stands below
// the table. behind says that its date stands behind the amount.
func (t *tableReader) isAside(l text.Line, at int, dates []text.DateOn, amounts []text.Money, behind bool) bool {
	dated := len(dates) > 0 && dates[0].First == 0 || behind
	captioned := captionedOn(l, at, amounts, t.order)
	if t.statesBalance(l, at, amounts, captioned) && !dated {
		return true
	}
	if dated && !behind && len(amounts) == 1 && statesDay(l, dates, amounts[0]) {
		return true
	}
	if t.closed {
		return true
	}
	if len(captioned) == 0 {
		return false
	}
	goesOn := dated || t.continuesTable(l) && !counted(captioned)
	return !goesOn || balanceCaption(l, amounts, t)
}

// wordsOfRow are the words of a row by where its description is looked for first: between its date and its amount,
// behind the amount, before the date.
func wordsOfRow(l text.Line, dates []text.DateOn, amounts []text.Money) []string {
	from := dates[0].Last + 1
	if len(dates) > 1 && dates[1].First == from && dates[1].Complete() == dates[0].Complete() {
		from = dates[1].Last + 1 // the value date beside the booking date
	}
	words := []string{l.Words(from, amounts[0].First),
		l.Words(max(from, amounts[len(amounts)-1].Last+1), len(l.Tokens)),
		l.Words(0, min(dates[0].First, amounts[0].First))}
	if len(amounts) > 1 { // the total of a section may stand at the end of a line
		words = append(words, l.Words(amounts[0].Last+1, amounts[1].First))
	}
	if amounts[0].First < dates[0].First { // number, amount, date
		slices.Reverse(words)
	}
	return words
}

// statesDay reports whether the words between the dates and the only amount of a line say that it is a balance.
func statesDay(l text.Line, dates []text.DateOn, amount text.Money) bool {
	from := 0
	for _, d := range dates {
		if d.Last < amount.First {
			from = d.Last + 1
		}
	}
	return balanceFirst.MatchString(text.Fold(l.Words(from, amount.First)))
}

// statesBalance reports whether a line states a balance in a table whose columns are of money out and in, and notes it
// where it stands in the column of money out: the account owes it.
func (t *tableReader) statesBalance(l text.Line, at int, amounts []text.Money, captioned []bankItem) bool {
	if !t.hasBothWays() || len(amounts) != 1 {
		return false
	}
	states := balanceFirst.MatchString(text.Fold(l.Words(0, amounts[0].First)))
	for _, it := range captioned {
		states = states || it.kind == bankOpening || it.kind == bankClosing || it.kind == bankBalance ||
			it.kind == bankCurrent
	}
	if c := t.columnOf(amounts[0]); states && !t.hasBalance() && c != nil && c.holds == roleDebit {
		t.owed[at] = true
	}
	return states
}

// balanceFirst begins a line that states a balance, in the languages whose statements put it among the entries.
var balanceFirst = lazyregexp.New(`^(?:(?:ancien|nouveau|votre) )?(?:solde|saldo|kontostand)\b`)

// counted reports whether a caption sums up a number of transactions: "Credits 12".
func counted(items []bankItem) bool {
	return slices.ContainsFunc(items, func(it bankItem) bool {
		return it.count != nil && it.kind != bankChecks &&
			strings.HasSuffix(strings.TrimRight(it.caption, "() 0123456789"), "s")
	})
}

// dateBehind is the date in the open table's column of dates, where that stands behind the amounts.
func (t *tableReader) dateBehind(dates []text.DateOn, amounts []text.Money) *text.DateOn {
	if !t.date || !t.hasBalance() {
		return nil
	}
	for i := range dates {
		at := dates[i].Tokens[0]
		if dates[i].First > amounts[0].First &&
			text.Overlap(t.dates0-at.X1+at.X0, t.dates1+at.X1-at.X0, at.X0, at.X1) > 0 {
			return &dates[i]
		}
	}
	return nil
}

// dates are those of a line; in a section of transactions also one like 3-5 or
// 05.03, as its first or second word; in a table without sections, in its column of dates.
func (t *tableReader) dates(l text.Line) []text.DateOn {
	found := l.Dates(t.order)
	if len(found) > 0 && found[0].First <= 1 || t.section == 0 && !t.date {
		return found
	}
	most := 2
	if t.section == 0 {
		most = 8 // a description of some words may stand before the column
	}
	for i, token := range l.Tokens[:min(len(l.Tokens), most)] {
		m := shortDate.FindStringSubmatch(token.Text)
		if m == nil || t.section == 0 && text.Overlap(t.dates0-1, t.dates1+1, token.X0, token.X1) <= 0 {
			continue
		}
		a, _ := strconv.Atoi(m[1]) // it is one digit or two
		b, _ := strconv.Atoi(m[2])
		if t.order == text.DayFirst || strings.Contains(token.Text, ".") {
			a, b = b, a
		}
		if a >= 1 && a <= 12 && b >= 1 && b <= 31 {
			return append([]text.DateOn{{Date: text.Date{Month: a, Day: b}, Tokens: l.Tokens[i : i+1], First: i,
				Last: i}}, found...)
		}
	}
	return found
}

// inDates reports whether a day stands in the column of dates of the open table.
func (t *tableReader) inDates(d text.DateOn) bool {
	return t.date && t.dates1 > t.dates0 && text.Overlap(t.dates0-1, t.dates1+1, d.Tokens[0].X0, d.Tokens[0].X1) > 0
}

var shortDate = lazyregexp.New(`^(\d{1,2})[-.](\d{1,2})$`)

// isPeriod reports whether a line begins with a period ("Fee period 03/01 - 03/31"), which no transaction does.
func isPeriod(l text.Line, dates []text.DateOn) bool {
	if len(dates) < 2 || dates[1].First != dates[0].Last+2 {
		return false
	}
	switch text.Fold(l.Tokens[dates[0].Last+1].Text) {
	case "", "to", "through", "thru", "until":
		return true
	}
	return false
}

// continuesTable reports whether an undated line stands in the open table right below its last transaction.
func (t *tableReader) continuesTable(l text.Line) bool {
	if len(t.rows) == 0 || !t.date || !t.hasBothWays() {
		return false
	}
	above := t.rows[len(t.rows)-1].tokens[0]
	return above.Page == l.Page && l.Y0-above.Y1 < 2.2*(l.Y1-l.Y0)
}

// balanceCaption reports whether a dated line is captioned as a balance ("03/01 Beginning balance 12.34").
func balanceCaption(l text.Line, amounts []text.Money, t *tableReader) bool {
	c, _ := captionIn(text.Line{Tokens: l.Tokens[:amounts[0].First]}, t.order)
	return c.kind == bankOpening || c.kind == bankClosing || c.kind == bankBalance || c.kind == bankCurrent ||
		c.kind == bankAvailable
}

// undated reads a transaction of a day whose date is printed once, above. It needs an open table with
// columns for money in and out, and a description.
func (t *tableReader) undated(l text.Line, at int, amounts []text.Money) {
	if len(t.rows) == 0 || !t.date || t.checks || amounts[0].First == 0 || amounts[0].First > 12 ||
		amounts[0].Value.IsZero() {
		return
	}
	last := t.rows[len(t.rows)-1]
	if last.tokens[0].Page != l.Page && len(t.columns) == 0 || !t.hasBothWays() {
		return
	}
	if !t.underColumn(amounts[0]) || amounts[0].Places() < last.amount.Places() {
		return
	}
	t.add(l, at, last.date, amounts, l.Words(0, amounts[0].First))
}

// groups reads lines that hold several transactions side by side, as lists of checks do.
func (t *tableReader) groups(l text.Line, at int, dates []text.DateOn, amounts []text.Money) bool {
	if len(amounts) < 2 || len(dates) < len(amounts) || t.hasBalance() {
		return false
	}
	from := 0
	type piece struct {
		date  text.DateOn
		from  int
		money text.Money
	}
	var pieces []piece
	behind := dates[0].First > amounts[0].Last // number, amount, date
	for n, m := range amounts {
		i := slices.IndexFunc(dates, func(d text.DateOn) bool {
			return d.First >= from &&
				(behind || d.Last < m.First)
		})
		if i < 0 || behind && (dates[i].First < m.Last || n+1 < len(amounts) && dates[i].First > amounts[n+1].First) {
			return false
		}
		pieces = append(pieces, piece{dates[i], from, m})
		from = max(m.Last, dates[i].Last) + 1
	}
	for i, p := range pieces {
		end := len(l.Tokens)
		if i+1 < len(pieces) {
			end = pieces[i+1].date.First
		}
		between, after, before := l.Words(p.date.Last+1, p.money.First), l.Words(p.money.Last+1, end),
			l.Words(p.from, p.date.First)
		switch {
		case behind:
			between, after, before = l.Words(p.from, p.money.First), "", ""
		case i > 0 && between == "": // what stands before this date may belong to the amount before it
			before = ""
		}
		t.add(l, at, p.date.Date, []text.Money{p.money}, between, after, before)
	}
	return true
}

// add takes one transaction: its amount by column, its balance by column, and the first words that say something of it:
// between date and amount, behind the amount, or before the date, as the numbers of checks are.
func (t *tableReader) add(l text.Line, at int, date text.Date, amounts []text.Money, words ...string) {
	amount, balance, way := t.byColumn(amounts)
	if amount == nil && balance != nil && t.leftOfBalances(*balance) {
		amount, balance = balance, nil
	}
	if amount == nil {
		return
	}
	r := bankRow{date: date, line: at, sign: cmp.Or(way, t.section), check: t.checks,
		description: strings.TrimSpace(cmp.Or(words...))}
	r.unsectioned = r.sign == 0
	switch {
	case amount.Value.IsNegative():
		r.sign = -1 // whatever the section or column: a deposit that was taken back
	case r.sign == 0 && amount.Signed:
		r.sign = 1
	}
	r.amount, r.tokens = *amount, l.Tokens[amount.First:amount.Last+1]
	if balance != nil {
		b := *balance
		r.balance, r.balanceAt = &b, l.Tokens[b.First:b.Last+1]
	}
	t.rows = append(t.rows, r)
}

// byColumn tells the amount of a row from its balance by the columns they stand in. way is that of the amount's column:
// 1 for money in, -1 for money out, 0 where it is of both.
func (t *tableReader) byColumn(amounts []text.Money) (amount, balance *text.Money, way int) {
	for i := range amounts {
		m := &amounts[i]
		if t.isMemoColumn(*m) {
			continue
		}
		switch c := t.columnOf(*m); {
		case c == nil && amount == nil:
			amount = m
		case c == nil && amount.Value.Abs().Equal(m.Value.Abs()):
			amount = m // the price of one, and of all
		case c == nil:
			balance = m
		case c.holds == roleBalance:
			if balance != nil && amount == nil {
				amount = balance // its own column's head was not read
			}
			balance = m
		case m.Value.IsZero() && amount != nil:
		default:
			amount, way = m, cmp.Or(wayOfColumn[c.holds], way)
		}
	}
	return amount, balance, way
}

var wayOfColumn = map[columnKind]int{roleCredit: 1, roleDebit: -1}

// noteRowStart remembers a line that begins a transaction: a date and words, in a table with columns.
func (t *tableReader) noteRowStart(l text.Line, at int) {
	t.begun = nil
	dates := l.Dates(t.order)
	if t.closed || !t.date || len(dates) != 1 || dates[0].First != 0 || dates[0].Last+1 >= len(l.Tokens) ||
		!t.hasBothWays() && !t.hasBalance() {
		return
	}
	t.begun = &begunRow{dates[0].Date, text.Join(l.Tokens[dates[0].Last+1:]), at}
}

// settleSigns gives signs to rows that have none, from the running balance.
func settleSigns(rows []bankRow, opening *dossier.Amount) {
	var before *decimal.Decimal
	if opening != nil {
		before = &opening.Decimal
	}
	for i := range rows {
		r := &rows[i]
		if r.balance == nil {
			if r.sign == 0 || before == nil {
				before = nil
				continue
			}
			next := before.Add(r.signed())
			before = &next
			continue
		}
		now := r.balance.Value.Decimal
		if r.sign == 0 && before != nil {
			switch v := r.amount.Value.Abs(); {
			case before.Add(v).Equal(now):
				r.sign = 1
			case before.Sub(v).Equal(now):
				r.sign = -1
			}
		}
		before = &now
	}
}

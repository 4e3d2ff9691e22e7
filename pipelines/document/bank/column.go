package bank

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// moneyColumn is a column of amounts of a table of transactions.
type moneyColumn struct {
	holds  columnKind
	x0, x1 float64
	moves  bankKind // by the words of its head, which may say deposits where another says credits; else none
}

// header opens a table when line i (with what it stacks) names its columns. A title above them is no part of them.
func (t *tableReader) header(lines []text.Line, i int) (int, bool) {
	head := t.tableHead(lines, i)
	if len(head.money) == 0 {
		return 0, false
	}
	for at := i; at < head.last; at++ {
		next := t.tableHead(lines, at+1)
		if next.guessed {
			continue
		}
		below := next.money
		// says no way: a title does
		plain := slices.ContainsFunc(below, func(m moneyColumn) bool { return m.holds == roleAmount })
		if len(below) > len(head.money) || (len(below) == len(head.money) || plain) && t.title(lines[at]) != titleNone {
			return 0, false
		}
	}
	t.daily = t.daily && !head.described
	t.asides = head.asides
	t.columns, t.date, t.dates0, t.dates1, t.closed = head.money, true, head.date0, head.date1, t.daily
	if !slices.ContainsFunc(head.money, func(m moneyColumn) bool { return m.holds != roleBalance }) {
		t.closed = true
	}
	return head.last, true
}

// tableHead is what the head of a table of transactions names.
type tableHead struct {
	money        []moneyColumn
	date0, date1 float64       // left and right of the column of dates
	last         int           // index of its last line
	described    bool          // it names a column for what happened
	asides       []moneyColumn // of charges that the balance does not take off
	guessed      bool          // its column of amounts is told by what stands below
}

// tableHead reads line i and what it stacks as the head of a table: columns of amounts beside one of dates; none when
// the lines are no head.
func (t *tableReader) tableHead(lines []text.Line, i int) tableHead {
	for deep := 2; deep >= 0; deep-- {
		if i+deep >= len(lines) {
			continue
		}
		columns, last := stackHeader(lines[:i+deep+1], i, t.style)
		if last != i+deep {
			continue
		}
		head, date, known := tableHead{last: last}, false, 0
		for _, c := range columns {
			r := roleOfHead(c.text)
			switch r {
			case roleDate:
				if !date {
					head.date0, head.date1 = c.x0, c.x1
				}
				date = true
			case roleDescription, roleCheck:
				head.described = true
			case roleCredit, roleDebit, roleAmount, roleBalance:
				moves, _ := movementKind(text.Fold(c.text))
				head.money = append(head.money, moneyColumn{r, c.x0, c.x1, moves})
			}
			if r == roleIgnored && chargesBeside.MatchString(text.Fold(c.text)) {
				head.asides = append(head.asides, moneyColumn{r, c.x0, c.x1, bankNone})
			}
			if r != roleNone {
				known++
			}
		}
		if date && len(head.money) > 0 && known*2 >= len(columns) {
			t.unnamedAmounts(&head, columns, lines)
			return head
		}
	}
	return tableHead{}
}

// chargesBeside heads a column of charges that gather until they are taken off in an entry of their own.
var chargesBeside = lazyregexp.New(`\bcharges\b`)

// isMemoColumn reports whether an amount stands in a column that does not move the balance.
func (t *tableReader) isMemoColumn(m text.Money) bool {
	return slices.ContainsFunc(t.asides, func(c moneyColumn) bool {
		return text.Overlap(c.x0, c.x1, m.X0, m.X1) > 0 && !slices.ContainsFunc(t.columns, func(o moneyColumn) bool {
			return text.Overlap(o.x0, o.x1, m.X0, m.X1) > 0
		})
	})
}

// unnamedAmounts takes the column of amounts of a table whose heads name a balance alone: the one left of it, whatever
// its head, under which the first entries have figures.
func (t *tableReader) unnamedAmounts(head *tableHead, columns []headColumn, lines []text.Line) {
	if slices.ContainsFunc(head.money, func(m moneyColumn) bool { return m.holds != roleBalance }) {
		return
	}
	for _, c := range columns {
		if r := roleOfHead(c.text); r != roleNone && r != roleIgnored {
			continue
		}
		under := 0
		for _, l := range lines[head.last+1 : min(len(lines), head.last+8)] {
			amounts := text.MoneyOn(l, t.style)
			if len(amounts) == 2 && text.Overlap(c.x0-6, c.x1+6, amounts[0].X0, amounts[0].X1) > 0 {
				under++
			}
		}
		if under >= 2 {
			head.money, head.guessed = append([]moneyColumn{{roleAmount, c.x0, c.x1, bankNone}}, head.money...), true
			return
		}
	}
}

// roleOfHead is what a column holds by its head, of which some are set as one cell ("Date Description").
func roleOfHead(head string) columnKind {
	r, folded := roleOfColumn(head), text.Fold(head)
	switch {
	case r != roleNone:
		return r
	case strings.HasPrefix(folded, "date") || strings.HasSuffix(folded, " date") || strings.HasPrefix(folded, "fecha "):
		return roleDate
	}
	return looseRole(head)
}

// looseRole reads column heads that hold more words than the table of names knows.
func looseRole(caption string) columnKind {
	folded := text.Fold(caption)
	switch kind, _ := movementKind(folded); {
	case kind.credits():
		return roleCredit
	case kind.debits():
		return roleDebit
	}
	switch {
	case text.HasWords(folded, "balance"):
		return roleBalance
	case text.HasWords(folded, "amount"):
		return roleAmount
	case text.HasWords(folded, "description"), text.HasWords(folded, "transaction"), text.HasWords(folded, "details"):
		return roleDescription
	}
	return roleNone
}

// title is what a line entitles.
type title int

const (
	titleNone title = iota
	titleDaily
	titleCredits
	titleDebits
	titleChecks
	titleAll // transactions of both directions
)

// dailyTitles head lists of balances, which hold no transactions.
var dailyTitles = []string{"daily balance", "daily balances", "daily ledger balance", "daily ledger balances",
	"daily ending balance", "balance summary", "ending balances", "balance history",
	"daily balance summary", "daily account balance", "end of day balance summary"}

// itemCount stands beside titles: "2 items totaling $450.00".
var itemCount = lazyregexp.New(`(?i)\b\d+ (?:items?|checks?|deposits?|withdrawals?|transactions?|debits?|credits?) ` +
	`(?:totall?ing|for)\b`)

// isSectionRemark reports whether a text is a remark on a section: its number of items and total, or the meaning of a
// mark.
func isSectionRemark(text string) bool {
	return itemCount.MatchString(text) || strings.HasPrefix(text, "*")
}

// title reads a line as the title of a section: all of it, or its first cell beside a remark.
func (t *tableReader) title(l text.Line) title {
	if d := l.Dates(t.order); len(d) > 0 && d[0].First == 0 {
		return titleNone // a transaction
	}
	text, amounts := l.Surely().Text(), len(text.MoneyOn(l, t.style)) > 0
	if got := t.titleOf(text); got != titleNone && !amounts {
		return got
	}
	cells := l.Surely().Cells()
	if len(cells) < 2 {
		return titleNone
	}
	if rest := strings.TrimSpace(strings.TrimPrefix(text, cells[0].Text())); amounts && !isSectionRemark(rest) ||
		len(cells[1].Tokens) < 2 && !strings.ContainsAny(rest, ":*") {
		return titleNone // heads of a table, or an amount with its caption
	}
	return t.titleOf(cells[0].Text())
}

func (t *tableReader) titleOf(line string) title {
	s := text.Fold(line)
	words := strings.Fields(s)
	if len(words) == 0 || len(words) > 8 || words[0] == "total" { // the caption of a sum heads no section
		return titleNone
	}
	if slices.ContainsFunc(dailyTitles, func(w string) bool { return text.HasWords(s, w) }) {
		return titleDaily
	}
	var kept []string
	for _, w := range words {
		if w != "continued" && w != "cont" && w != "detail" && w != "details" && w != "activity" && w != "summary" &&
			w != "list" && w != "posted" {
			kept = append(kept, w)
		}
	}
	c := readBankCaption(strings.Join(kept, " "), t.order)
	switch {
	case c.kind == bankChecks:
		return titleChecks
	case c.kind.credits():
		return titleCredits
	case c.kind.debits():
		return titleDebits
	case text.HasWords(s, "transaction history"), text.HasWords(s, "account activity"),
		text.HasWords(s, "transaction detail"), text.HasWords(s, "transaction details"),
		text.HasWords(s, "transactions"), text.HasWords(s, "activity detail"):
		return titleAll
	}
	return titleNone
}

// heading opens the section that a line entitles, which gives its amounts their sign.
func (t *tableReader) heading(l text.Line) bool {
	got := t.title(l)
	if got == titleNone {
		return false
	}
	t.section = map[title]int{titleCredits: 1, titleDebits: -1, titleChecks: -1}[got]
	t.checks = got == titleChecks
	t.daily = got == titleDaily
	t.closed = t.daily
	if t.daily || t.checks { // such a list has columns of its own, or none with heads
		t.columns = nil
	}
	return true
}

// headsSummary matches the title, or the heads, of a summary below a list of transactions.
var headsSummary = lazyregexp.New(`\bsummary$|\bopening balance\b|\bbalance\b.*\bbalance\b`)

// describe adds a line without amounts to the description of the transaction above it.
func (t *tableReader) describe(l text.Line) {
	if len(t.rows) == 0 || t.closed || t.checks || strings.Contains(l.Text(), "....") {
		return
	}
	r := &t.rows[len(t.rows)-1]
	at := r.tokens[0]
	if s := l.Text(); captionedNumber.MatchString(s) || headsAccount(l) || loneAccountWord.MatchString(s) ||
		text.PageOfPages.MatchString(text.Fold(s)) || isTotal(text.Fold(s)) || len(l.Dates(t.order)) > 0 ||
		headsSummary.MatchString(text.Fold(s)) {
		return // the next account's heading, a count, or the page's foot
	}
	if l.Page != at.Page || l.Y0-at.Y0 > 4*(at.Y1-at.Y0) || l.X0 > at.X0 || t.atDateMargin(l) ||
		len(r.description) > 160 ||
		len(l.Tokens) > 14 {
		return
	}
	r.description = strings.TrimSpace(r.description + " " + l.Text())
}

// atDateMargin reports whether a line begins where the dates of the table do, and goes on past them: what goes on with
// a description stands below it, and a line at the margin is the page's foot.
func (t *tableReader) atDateMargin(l text.Line) bool {
	return t.date && t.dates1 > t.dates0 && l.X0 < t.dates0+1 && l.X1 > t.dates1+2*(l.Y1-l.Y0) && len(l.Tokens) > 4
}

func (t *tableReader) hasBothWays() bool {
	in, out := false, false
	for _, c := range t.columns {
		in, out = in || c.holds == roleCredit, out || c.holds == roleDebit
	}
	return in && out
}

// hasBalance reports whether the open table has a running balance: then no line holds two transactions.
func (t *tableReader) hasBalance() bool {
	for _, c := range t.columns {
		if c.holds == roleBalance {
			return true
		}
	}
	return false
}

func (t *tableReader) underColumn(m text.Money) bool {
	for _, c := range t.columns {
		if text.Overlap(c.x0-10, c.x1+10, m.X0, m.X1) > 0 {
			return true
		}
	}
	return false
}

// leftOfBalances reports whether an amount ends clearly left of where balances end.
func (t *tableReader) leftOfBalances(m text.Money) bool {
	right := 0.0
	for _, r := range t.rows {
		if r.balance != nil {
			right = max(right, r.balance.X1)
		}
	}
	return right > 0 && right-m.X1 > 4*m.Height()
}

// columnOf is the column an amount stands in: amounts are right-aligned, so the nearest right edge among the
// columns whose width it touches; nil when the table's columns are not known.
func (t *tableReader) columnOf(m text.Money) *moneyColumn {
	var best *moneyColumn
	nearest := 60.0
	for i := range t.columns {
		c := &t.columns[i]
		d := min(text.Abs(c.x1-m.X1), text.Abs((c.x0+c.x1)/2-(m.X0+m.X1)/2))
		if text.Overlap(c.x0, c.x1, m.X0, m.X1) > 0 {
			d -= 20
		}
		if d < nearest {
			best, nearest = c, d
		}
	}
	return best
}

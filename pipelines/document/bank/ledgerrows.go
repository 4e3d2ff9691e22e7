package bank

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// The transactions of an export, row by row.

// ledgerRows reads the rows below the header. Rows that state a balance instead of a transaction come back
// as items. Pending rows are not part of the balance and are left out.
func ledgerRows(s text.Segment, lines []text.Line, t Ledger) ([]ledgerRow, []bankItem) {
	var rows []ledgerRow
	var special []bankItem
	for at, l := range t.rows(lines) {
		r := cellsOfRow(s, l, t)
		if item := r.statesBalance(s, l); item != nil {
			item.line = at
			special = append(special, *item)
			continue
		}
		if r.pending || r.date == (text.Date{}) || !r.weigh(l, t) {
			continue
		}
		rows = append(rows, r.ledgerRow)
	}
	return withoutTotals(rows), special
}

// withoutTotals leaves out the last rows that add up what came in, or went out, above them: the turnover that some
// banks export like a transaction, in whatever words.
func withoutTotals(rows []ledgerRow) []ledgerRow {
	for n := len(rows) - 1; n >= max(3, len(rows)-2); n-- {
		if rows[n].balance != nil {
			return rows
		}
		last, sum, added := rows[n].amount, decimal.Zero, 0
		for _, r := range rows[:n] {
			if r.amount.Sign() == last.Sign() {
				sum, added = sum.Add(r.amount), added+1
			}
		}
		if added >= 3 && sum.Equal(last) {
			rows = slices.Delete(slices.Clone(rows), n, n+1)
		}
	}
	return rows
}

// rowCells is a row of an export as its cells say.
type rowCells struct {
	ledgerRow
	credit, debit, single *text.Money
	mark                  int
	pending               bool
	fee                   decimal.Decimal // what the balance loses beside the amount
}

var statusNames = text.WordSet("status state buchungsstatus statut estado stato")

func cellsOfRow(s text.Segment, l text.Line, t Ledger) rowCells {
	var r rowCells
	var words []string
	for _, c := range l.Tokens {
		switch t.roles[c.X0] {
		case roleDate:
			if d, ok := cellDate(c.Text, s.Order); ok {
				r.date, r.dateToken = d, []text.Token{c}
			}
		case roleCredit:
			r.credit = cellMoney(c, s.Style)
		case roleDebit:
			r.debit = cellMoney(c, s.Style)
		case roleAmount:
			r.single, r.amountToken = cellMoney(c, s.Style), []text.Token{c}
		case roleBalance:
			r.balance, r.balanceToken = cellMoney(c, s.Style), []text.Token{c}
		case roleKind:
			r.mark = wayOf(c.Text)
		case roleDescription:
			if n := len(words); n == 0 || words[n-1] != c.Text {
				words = append(words, c.Text)
			}
		default:
			r.note(c, t, s.Style)
		}
	}
	r.description = strings.Join(words, " ")
	return r
}

// note reads the cells that are neither date, amount nor words: whose account, in which currency, whether booked.
func (r *rowCells) note(c text.Token, t Ledger, style text.DecimalStyle) {
	switch {
	case t.status[c.X0]:
		r.pending = r.pending || notBooked.MatchString(text.Fold(c.Text))
	case t.feeAt != nil && *t.feeAt == c.X0:
		if fee := cellMoney(c, style); fee != nil {
			r.fee = fee.Value.Abs()
		}
	case t.accountAt != nil && *t.accountAt == c.X0:
		r.account, r.accountAt = c.Text, []text.Token{c}
	case t.currencyAt != nil && *t.currencyAt == c.X0:
		r.currency, r.currencyAt = text.SymbolCode(c.Text), []text.Token{c}
	}
}

// statesBalance is the balance that a row states instead of a transaction: "Opening balance", in whichever column.
func (r *rowCells) statesBalance(s text.Segment, l text.Line) *bankItem {
	for _, c := range l.Tokens {
		if len(c.Text) > 80 || !balanceWords.MatchString(text.Fold(joinedLetters(c.Text))) {
			continue
		}
		read := readBankCaption(c.Text, s.Order)
		if read.kind == bankBalance && loneBalance.MatchString(text.Fold(joinedLetters(c.Text))) && r.date.Complete() {
			read.date = &r.date
		} else if read.kind != bankOpening && read.kind != bankClosing {
			continue
		}
		m := firstMoney(r.balance, r.single, r.credit, r.debit)
		if m == nil {
			return nil
		}
		value := *m
		if (m == r.debit || m == r.single && r.mark < 0) && value.Value.IsPositive() {
			value.Value = dossier.Amount{Decimal: value.Value.Neg()}
		}
		return &bankItem{captionRead: read, money: value, tokens: l.TokensOf(0, 1<<20), caption: c.Text}
	}
	return nil
}

// loneBalance is a row's description when it states the balance of its day.
var loneBalance = lazyregexp.New(`^(?:saldo|balance|solde|kontostand)(?: (?:do|del|du) (?:dia|jour))?$`)

// joinedLetters is text whose letters may be spaced out: "S A L D O".
func joinedLetters(s string) string {
	if spacedLetters.MatchString(s) {
		return strings.ReplaceAll(s, " ", "")
	}
	return s
}

var spacedLetters = lazyregexp.New(`^\pL(?: \pL){2,}$`)

var balanceWords = lazyregexp.New(`balance|\bbal\b|saldo|solde|stand|forward|vortrag|b f|c f|atlikums|likutis` +
	`|zustatek|zostatok|egyenleg|bakiye`)

// weigh gives the row its amount, by its effect on the balance. It reports whether there is one.
func (r *rowCells) weigh(l text.Line, t Ledger) bool {
	switch {
	case r.credit != nil && !r.credit.Value.IsZero():
		r.amount, r.amountToken = wayOfMark(r.credit, 1), moneyToken(l, t, roleCredit)
	case r.debit != nil && !r.debit.Value.IsZero():
		r.amount, r.amountToken = wayOfMark(r.debit, -1), moneyToken(l, t, roleDebit)
	case r.single != nil:
		r.amount = byMark(r.single.Value.Decimal, r.mark)
		if t.inverted {
			r.amount = r.amount.Neg()
		}
	default:
		return false
	}
	r.amount = r.amount.Sub(r.fee)
	if t.before && r.balance != nil {
		after := *r.balance
		after.Value = dossier.Amount{Decimal: after.Value.Add(r.amount)}
		r.balance = &after
	}
	return true
}

// wayOfMark is an amount that goes the way of its column, or that of its own mark: a bank whose heads stand a column
// too far to the right prints "0.80Dr" under CREDIT.
func wayOfMark(m *text.Money, way int64) decimal.Decimal {
	switch m.Mark {
	case "CR":
		way = 1
	case "DR":
		way = -1
	}
	return m.Value.Abs().Mul(decimal.NewFromInt(way))
}

func moneyToken(l text.Line, t Ledger, want columnKind) []text.Token {
	for _, c := range l.Tokens {
		if t.roles[c.X0] == want {
			return []text.Token{c}
		}
	}
	return nil
}

func firstMoney(all ...*text.Money) *text.Money {
	for _, m := range all {
		if m != nil {
			return m
		}
	}
	return nil
}

// cellMoney reads a cell as an amount; a bare integer is one here, for the column says so.
func cellMoney(t text.Token, style text.DecimalStyle) *text.Money {
	t.Text = strings.TrimSuffix(t.Text, "|") // a mark of the program that wrote the file
	m, ok := text.ParseMoney(t.Text, style)
	if !ok && otherCents.MatchString(t.Text) { // columns of two programs: "84,20" beside "418.22"
		m, ok = text.ParseMoney(t.Text, text.CommaDecimal-style)
	}
	if !ok || m.Percent || m.Dash {
		return nil
	}
	m.Box = text.BoxOf([]text.Token{t})
	return &m
}

// otherCents is an amount whose mark before the cents cannot be one of thousands.
var otherCents = lazyregexp.New(`^[-+]?\d{1,3}(?:[ .,']?\d{3})*[.,]\d{2}$`)

// oldestFirst puts rows in time order: exports run either way, and rows of one day keep the order of the file. A
// file in neither order, whose balances tell none, is sorted by date.
func oldestFirst(rows []ledgerRow) {
	up, down, chained := 0, 0, 0
	for i := 1; i < len(rows); i++ {
		switch a, b := rows[i-1], rows[i]; {
		case a.date.Before(b.date):
			up++
		case b.date.Before(a.date):
			down++
		}
		if a, b := rows[i-1], rows[i]; a.balance != nil && b.balance != nil {
			switch { // the balances tell the direction even within a day
			case a.balance.Value.Add(b.amount).Equal(b.balance.Value.Decimal):
				up, chained = up+1, chained+1
			case b.balance.Value.Add(a.amount).Equal(a.balance.Value.Decimal):
				down, chained = down+1, chained+1
			}
		}
	}
	if down > up {
		slices.Reverse(rows)
	}
	if up > 0 && down > 0 && 2*chained < len(rows)-1 {
		slices.SortStableFunc(rows, func(a,
			b ledgerRow) int {
			return strings.Compare(a.date.String(), b.date.String())
		})
	}
}

package bank

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// ledgerRow is one transaction of a CSV or workbook.
type ledgerRow struct {
	date        text.Date
	dateToken   []text.Token
	description string
	amount      decimal.Decimal
	amountToken []text.Token
	balance     *text.Money
}

// readBankLedger reads a bank's export: a table of transactions with (or without) a running balance. Totals
// and the opening balance are derived, for exports do not print them.
func readBankLedger(s text.Segment, lines []text.Line, t Ledger) text.Findings {
	b := bankReader{Segment: s, lines: lines, facts: &dossier.BankFacts{Accounts: []dossier.BankAccount{}, Entries: []dossier.BankEntry{}}}
	b.found.Facts.Bank = b.facts
	preamble := t.above(lines)
	rows, special := ledgerRows(s, t.rows(lines), t)
	b.items = append(bankItems(preamble, s.Style, s.Order), special...)
	b.accounts = []*account{{}}
	b.lines = preamble
	if len(preamble) > 0 {
		b.head()
	} else {
		b.lines = lines
		b.personal("", "")
		if code, tokens := text.CurrencyOf(lines, s.Order); code != "" {
			b.facts.Currency = &code
			b.found.From("/currency", tokens, "")
		} else {
			b.found.Warn("currency_unknown", "No currency is printed and none follows from the country.")
		}
	}
	if b.facts.Currency == nil {
		if code, tokens := text.CurrencyOf(lines, s.Order); code != "" {
			b.facts.Currency = &code
			b.found.From("/currency", tokens, "")
			b.found.Warnings = nil
		}
	}
	b.currencyInCaption(lines, t)
	b.ledgerColumns(lines, t)
	for _, r := range rows {
		b.ledgerEntry(r)
	}
	oldestFirst(rows)
	b.ledgerFacts(rows)
	return b.found
}

// currencyInCaption reads the currency that only the caption of a column states: "Amount (EUR)".
func (b *bankReader) currencyInCaption(lines []text.Line, t Ledger) {
	if b.facts.Currency != nil || t.Header < 0 {
		return
	}
	for _, c := range lines[t.Header].Tokens {
		code := text.SymbolCode(strings.Trim(parenthesised.FindString(c.Text), "()"))
		if r := t.roles[c.X0]; len(code) == 3 && (r == roleAmount || r == roleCredit || r == roleDebit || r == roleBalance) {
			b.facts.Currency = &code
			b.found.From("/currency", []text.Token{c}, "")
			b.found.Warnings = nil
			return
		}
	}
}

// ledgerColumns reads an account number that every row repeats in a column of its own.
func (b *bankReader) ledgerColumns(lines []text.Line, t Ledger) {
	if b.facts.AccountNumber != nil {
		return
	}
	for x, name := range t.names {
		if !slices.Contains([]string{"account number", "account no", "account", "kontonummer", "auftragskonto", "iban"}, name) {
			continue
		}
		seen, tokens := "", []text.Token(nil)
		for _, l := range t.rows(lines) {
			for _, c := range l.Tokens {
				if c.X0 != x {
					continue
				}
				if seen != "" && seen != c.Text || !accountNumber.MatchString(c.Text) {
					return
				}
				seen, tokens = c.Text, []text.Token{c}
			}
		}
		if seen != "" {
			b.facts.AccountNumber = &seen
			b.found.From("/accountNumber", tokens, name)
		}
	}
}

// ledgerRows reads the rows below the header. Rows that state a balance instead of a transaction come back
// as items. Pending rows are not part of the balance and are left out.
func ledgerRows(s text.Segment, lines []text.Line, t Ledger) ([]ledgerRow, []bankItem) {
	var rows []ledgerRow
	var special []bankItem
	for at, l := range lines {
		r, item, ok := ledgerRowOf(s, l, t)
		if item != nil {
			item.line = at
			special = append(special, *item)
		}
		if ok {
			rows = append(rows, r)
		}
	}
	return rows, special
}

func ledgerRowOf(s text.Segment, l text.Line, t Ledger) (ledgerRow, *bankItem, bool) {
	var r ledgerRow
	var credit, debit, amount *text.Money
	var kind string
	var words []string
	for _, c := range l.Tokens {
		cell := text.Line{Page: l.Page, Tokens: []text.Token{c}}
		switch t.roles[c.X0] {
		case roleDate:
			if d := text.FindDates(c.Text, s.Order); len(d) > 0 && d[0].Complete() && d[0].From == 0 {
				r.date, r.dateToken = d[0].Date, cell.Tokens
			}
		case roleCredit:
			credit = cellMoney(c, s.Style)
		case roleDebit:
			debit = cellMoney(c, s.Style)
		case roleAmount:
			amount = cellMoney(c, s.Style)
			r.amountToken = cell.Tokens
		case roleBalance:
			r.balance = cellMoney(c, s.Style)
		case roleKind:
			kind = text.Fold(c.Text)
		case roleDescription:
			words = append(words, c.Text)
		case roleIgnored:
			if f := text.Fold(c.Text); t.names[c.X0] == "status" && text.HasWords(f, "pending") {
				return r, nil, false
			}
		}
	}
	r.description = strings.Join(words, " ")
	if c := readBankCaption(r.description, s.Order); c.kind == bankOpening || c.kind == bankClosing {
		m := firstMoney(r.balance, amount, credit, debit)
		if m != nil {
			return r, &bankItem{captionRead: c, money: *m, tokens: l.TokensOf(0, 1<<20), caption: r.description}, false
		}
	}
	if r.date == (text.Date{}) {
		return r, nil, false
	}
	switch {
	case credit != nil && !credit.Value.IsZero():
		r.amount, r.amountToken = credit.Value.Abs(), moneyToken(l, t, roleCredit)
	case debit != nil && !debit.Value.IsZero():
		r.amount, r.amountToken = debit.Value.Abs().Neg(), moneyToken(l, t, roleDebit)
	case amount != nil:
		r.amount = amount.Value.Decimal
		if !r.amount.IsNegative() && (kind == "debit" || kind == "dr" || kind == "d" || strings.HasPrefix(kind, "debit ") || kind == "withdrawal") {
			r.amount = r.amount.Neg()
		}
	default:
		return r, nil, false
	}
	return r, nil, true
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
	m, ok := text.ParseMoney(t.Text, style)
	if !ok || m.Percent || m.Dash {
		return nil
	}
	m.Box = text.BoxOf([]text.Token{t})
	return &m
}

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
		slices.SortStableFunc(rows, func(a, b ledgerRow) int { return strings.Compare(a.date.String(), b.date.String()) })
	}
}

// ledgerFacts derives the facts of an export from its rows.
func (b *bankReader) ledgerFacts(rows []ledgerRow) {
	if len(rows) == 0 {
		return
	}
	f := b.facts
	in, out, ins, outs := decimal.Zero, decimal.Zero, 0, 0
	first, last := rows[0], rows[0]
	for _, r := range rows {
		if r.date.Before(first.date) {
			first = r
		}
		if !r.date.Before(last.date) {
			last = r
		}
		if r.amount.IsNegative() {
			out, outs = out.Sub(r.amount), outs+1
		} else {
			in, ins = in.Add(r.amount), ins+1
		}
	}
	n := len(rows)
	f.Transactions = &n
	b.found.Derive("/transactions", "count of the rows")
	p := ReadPeriod(b.lines[:min(len(b.lines), 40)], b.items, b.Style, b.Order)
	b.ledgerPeriod(p, first, last)
	f.TotalDeposits = &dossier.Amount{Decimal: in}
	b.found.Derive("/totalDeposits", fmt.Sprintf("sum of %d credits", ins))
	f.TotalWithdrawals = &dossier.Amount{Decimal: out}
	b.found.Derive("/totalWithdrawals", fmt.Sprintf("sum of %d debits", outs))
	b.ledgerBalances(rows, in, out)
}

// ledgerPeriod is the printed period of the preamble, else the days of the first and last row.
func (b *bankReader) ledgerPeriod(p periodRead, first, last ledgerRow) {
	start, end := first.date.String(), last.date.String()
	if p.Start != nil && p.End != nil && !first.date.Before(*p.Start) && !p.End.Before(last.date) {
		start, end = p.Start.String(), p.End.String()
		b.facts.PeriodStart, b.facts.PeriodEnd = &start, &end
		b.found.From("/periodStart", p.StartTokens, "")
		b.found.From("/periodEnd", p.EndText, "")
		return
	}
	b.facts.PeriodStart, b.facts.PeriodEnd = &start, &end
	b.found.From("/periodStart", first.dateToken, "")
	b.found.From("/periodEnd", last.dateToken, "")
	b.found.Derive("/periodStart", "date of the first transaction")
	b.found.Derive("/periodEnd", "date of the last transaction")
}

// ledgerBalances sets opening and closing: printed in the preamble, else from the running balance.
func (b *bankReader) ledgerBalances(rows []ledgerRow, in, out decimal.Decimal) {
	f := b.facts
	first, last := rows[0], rows[len(rows)-1]
	for i := range b.items {
		switch it := b.items[i]; {
		case it.kind == bankOpening && f.OpeningBalance == nil:
			b.amount(&f.OpeningBalance, "/openingBalance", &it)
		case it.kind == bankClosing && f.ClosingBalance == nil:
			b.amount(&f.ClosingBalance, "/closingBalance", &it)
		}
	}
	if f.OpeningBalance == nil && first.balance != nil {
		f.OpeningBalance = &dossier.Amount{Decimal: first.balance.Value.Sub(first.amount)}
		b.found.Derive("/openingBalance", "first running balance minus the first transaction")
	}
	if f.ClosingBalance == nil && last.balance != nil {
		v := last.balance.Value
		f.ClosingBalance = &v
		b.found.Derive("/closingBalance", "last running balance")
	}
	if f.OpeningBalance == nil || f.ClosingBalance == nil {
		return
	}
	passed := f.OpeningBalance.Add(in).Sub(out).Equal(f.ClosingBalance.Decimal)
	f.Reconciles = &passed
	b.found.Derive("/reconciles", "opening balance plus credits minus debits against the closing balance")
	b.found.Check("reconciles", passed, "%s", footing(f.OpeningBalance.Decimal, in, out, f.ClosingBalance.Decimal))
	if passed {
		b.found.Evidence = append(b.found.Evidence, "running balance foots")
	}
}

func (b *bankReader) ledgerEntry(r ledgerRow) {
	if len(b.facts.Entries) >= maxEntries {
		return
	}
	i := len(b.facts.Entries)
	e := dossier.BankEntry{Date: r.date.String(), Description: r.description, Amount: dossier.Amount{Decimal: r.amount}}
	if r.balance != nil {
		v := r.balance.Value
		e.Balance = &v
	}
	b.facts.Entries = append(b.facts.Entries, e)
	b.found.From(text.Pointer("entries", i), r.dateToken, "")
	b.found.From(text.Pointer("entries", i, "amount"), r.amountToken, "")
}

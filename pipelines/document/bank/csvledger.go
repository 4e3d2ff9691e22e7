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

	balance      *text.Money // after the transaction
	balanceToken []text.Token

	account, currency     string // as their columns say
	accountAt, currencyAt []text.Token
}

// readBankLedger reads a bank's export: tables of transactions with (or without) a running balance, one for each sheet
// or account. Totals and, mostly, balances are derived, for exports do not print them.
func readBankLedger(s text.Segment) (text.Findings, bool) {
	b := bankReader{Segment: s, facts: &dossier.BankFacts{Accounts: []dossier.BankAccount{},
		Entries: []dossier.BankEntry{}}}
	b.found.Facts.Bank = b.facts
	b.accounts = []*account{{}}
	var groups []*ledgerGroup
	for _, p := range s.Pages {
		lines := WithYears(text.Lines(p))
		t, ok := LedgerHeader(lines)
		if !ok {
			b.lines = append(b.lines, cellsAsWords(lines)...)
			continue
		}
		sheet := s
		sheet.Order, sheet.Style = t.order, text.StyleOf([]text.Page{p})
		groups = append(groups, readTable(sheet, lines, t, groups)...)
		b.Order = t.order
		b.lines = append(b.lines, cellsAsWords(t.above(lines))...)
		b.lines = append(b.lines, cellsAsWords(t.constants)...)
	}
	if len(groups) == 0 {
		return b.found, false
	}
	b.ledgerHead(groups)
	if len(groups) == 1 {
		b.ledgerFacts(groups[0])
	} else {
		b.ledgerAccounts(groups)
	}
	b.setDecimalPlaces()
	return b.found, true
}

// ledgerGroup is the transactions of one account in one currency.
type ledgerGroup struct {
	account, currency     string
	accountAt, currencyAt []text.Token
	rows                  []ledgerRow
	items                 []bankItem   // captioned amounts around the table
	lines                 []text.Line  // around the table, in words
	head                  []text.Line  // the header row
	printed               []text.Token // the amounts of the first rows and the heads of their columns
	t                     Ledger
	sheet                 []text.Line // all lines of the sheet
}

// readTable reads one table: a group for each account and currency that its columns name. A table whose account is one
// already read goes on with it.
func readTable(s text.Segment, lines []text.Line, t Ledger, before []*ledgerGroup) []*ledgerGroup {
	around := append(cellsAsWords(t.above(lines)), cellsAsWords(t.under(lines))...)
	rows, special := ledgerRows(s, lines, t)
	items := append(bankItems(around, s.Style, s.Order), special...)
	var found []*ledgerGroup
	numbers := AccountNumbers(cellsAsWords(t.above(lines)))
	for _, r := range rows {
		if r.account == "" && len(numbers) > 0 && len(s.Pages) > 1 {
			r.account, r.accountAt = numbers[0].Text, numbers[0].Tokens
		}
		same := func(g *ledgerGroup) bool { return g.account == r.account && g.currency == r.currency }
		i := slices.IndexFunc(found, same)
		if i < 0 && r.account != "" {
			if j := slices.IndexFunc(before, same); j >= 0 {
				before[j].rows = append(before[j].rows, r)
				continue
			}
		}
		if i < 0 {
			g := &ledgerGroup{account: r.account, currency: r.currency, accountAt: r.accountAt,
				currencyAt: r.currencyAt, items: items, lines: around, t: t, sheet: lines}
			if t.Header >= 0 {
				g.printed, g.head = append(g.printed, moneyHeads(lines[t.Header], t)...), lines[t.Header:t.Header+1]
			}
			found, i = append(found, g), len(found)
		}
		if found[i].rows = append(found[i].rows, r); len(found[i].rows) < 50 {
			found[i].printed = append(found[i].printed, r.amountToken...)
		}
	}
	return found
}

// moneyHeads are the heads of the columns of money.
func moneyHeads(l text.Line, t Ledger) []text.Token {
	var heads []text.Token
	for _, c := range l.Tokens {
		if r := t.roles[c.X0]; r == roleAmount || r == roleCredit || r == roleDebit || r == roleBalance {
			heads = append(heads, c)
		}
	}
	return heads
}

// cellsAsWords splits the cells of lines into words for the readers of text: a cell may hold "Account Number : 4711".
func cellsAsWords(lines []text.Line) []text.Line {
	var all []text.Line
	for _, l := range lines {
		var tokens []text.Token
		for _, c := range l.Tokens {
			words := strings.Fields(c.Text)
			wide := min(0.2, (c.X1-c.X0)/float64(len(c.Text)+1))
			x := c.X0
			for _, w := range words {
				n := wide * float64(len([]rune(w)))
				word := c
				word.X0, word.X1, word.Text = x, x+n, w
				tokens = append(tokens, word)
				x += n + wide
			}
		}
		l.Tokens = tokens
		all = append(all, l)
	}
	return all
}

// zero is no money at all, with cents.
var zero = decimal.New(0, -2)

// sums adds up what came in and went out.
func (g *ledgerGroup) sums() (in, out decimal.Decimal, ins, outs int) {
	in, out = zero, zero
	for _, r := range g.rows {
		if r.amount.IsNegative() {
			out, outs = out.Sub(r.amount), outs+1
		} else {
			in, ins = in.Add(r.amount), ins+1
		}
	}
	return in, out, ins, outs
}

// span is the days of the first and the last transaction.
func (g *ledgerGroup) span() (first, last ledgerRow) {
	first, last = g.rows[0], g.rows[0]
	for _, r := range g.rows {
		if r.date.Before(first.date) {
			first = r
		}
		if !r.date.Before(last.date) {
			last = r
		}
	}
	return first, last
}

// ledgerFacts derives the facts of the only account of an export from its rows.
func (b *bankReader) ledgerFacts(g *ledgerGroup) {
	f := b.facts
	b.listEntries(g, nil)
	oldestFirst(g.rows)
	in, out, ins, outs := g.sums()
	n := len(g.rows)
	f.Transactions = &n
	b.found.Derive("/transactions", "count of the rows")
	b.items = g.items
	b.ledgerPeriod(g)
	f.TotalDeposits = &dossier.Amount{Decimal: in}
	b.found.Derive("/totalDeposits", fmt.Sprintf("sum of %d credits", ins))
	f.TotalWithdrawals = &dossier.Amount{Decimal: out}
	b.found.Derive("/totalWithdrawals", fmt.Sprintf("sum of %d debits", outs))
	b.ledgerBalances(g, &f.OpeningBalance, &f.ClosingBalance, "")
	for i := range g.items {
		if it := &g.items[i]; it.kind == bankAvailable && f.AvailableBalance == nil {
			b.amount(&f.AvailableBalance, "/availableBalance", it)
		}
	}
	if f.OpeningBalance == nil || f.ClosingBalance == nil {
		return
	}
	passed := f.OpeningBalance.Add(in).Sub(out).Equal(f.ClosingBalance.Decimal)
	b.ledgerReconciles(passed, footing(f.OpeningBalance.Decimal, in, out, f.ClosingBalance.Decimal))
}

func (b *bankReader) ledgerReconciles(passed bool, detail string) {
	all := passed && (b.facts.Reconciles == nil || *b.facts.Reconciles)
	b.facts.Reconciles = &all
	b.found.Derive("/reconciles", "opening balance plus credits minus debits against the closing balance")
	b.found.Check("reconciles", passed, "%s", detail)
	if passed && len(b.found.Evidence) == 0 {
		b.found.Evidence = append(b.found.Evidence, "running balance foots")
	}
}

// ledgerAccounts lists the accounts of an export of several.
func (b *bankReader) ledgerAccounts(groups []*ledgerGroup) {
	first, last, n := groups[0].rows[0], groups[0].rows[0], 0
	for i, g := range groups {
		listed := slices.Clone(g.rows)
		oldestFirst(g.rows)
		from, to := g.span()
		if from.date.Before(first.date) {
			first = from
		}
		if last.date.Before(to.date) {
			last = to
		}
		n += len(g.rows)
		var a dossier.BankAccount
		name := strings.TrimSpace(g.account + " " + g.currency)
		if name != "" {
			a.Name = &name
			b.found.From(text.Pointer("accounts", i, "name"), append(slices.Clone(g.accountAt), g.currencyAt...), "")
		}
		if accountNumber.MatchString(g.account) || text.IBANPattern.MatchString(g.account) {
			number := g.account
			a.AccountNumber = &number
			b.found.From(text.Pointer("accounts", i, "accountNumber"), g.accountAt, "")
		}
		in, out, ins, outs := g.sums()
		a.Deposits, a.Withdrawals = &dossier.Amount{Decimal: in}, &dossier.Amount{Decimal: out}
		b.found.Derive(text.Pointer("accounts", i, "deposits"), fmt.Sprintf("sum of %d credits", ins))
		b.found.Derive(text.Pointer("accounts", i, "withdrawals"), fmt.Sprintf("sum of %d debits", outs))
		count := len(g.rows)
		a.Transactions = &count
		b.found.Derive(text.Pointer("accounts", i, "transactions"), "count of the rows")
		b.ledgerBalances(g, &a.OpeningBalance, &a.ClosingBalance, text.Pointer("accounts", i))
		if a.OpeningBalance != nil && a.ClosingBalance != nil {
			passed := a.OpeningBalance.Add(in).Sub(out).Equal(a.ClosingBalance.Decimal)
			b.ledgerReconciles(passed, strings.TrimSpace(name+" "+footing(a.OpeningBalance.Decimal, in, out,
				a.ClosingBalance.Decimal)))
		}
		b.facts.Accounts = append(b.facts.Accounts, a)
		g.rows = listed
		b.listEntries(g, a.Name)
	}
	b.facts.Transactions = &n
	b.found.Derive("/transactions", "count of the rows")
	b.setPeriod(b.commonPeriod(groups), first, last)
}

// ledgerBalances sets opening and closing: printed around the table, else from the running balances.
func (b *bankReader) ledgerBalances(g *ledgerGroup, opening, closing **dossier.Amount, at string) {
	b.ledgerStated(g, opening, closing, at)
	if *opening == nil {
		b.ledgerOpening(g, opening, at+"/openingBalance")
	}
	if *closing == nil {
		b.ledgerClosing(g, closing, at+"/closingBalance")
	}
	for i := range g.items {
		if it := &g.items[i]; it.kind == bankCurrent && *closing == nil {
			b.amount(closing, at+"/closingBalance", it)
		}
	}
}

// ledgerStated takes the balances that are printed around the table. One without a date above the table is what it was
// when the export was made.
func (b *bankReader) ledgerStated(g *ledgerGroup, opening, closing **dossier.Amount, at string) {
	first, last := g.span()
	for i := range g.items {
		it := &g.items[i]
		dated := it.kind == bankBalance && it.date != nil && it.date.Complete()
		switch {
		case *opening == nil && (it.kind == bankOpening ||
			dated && !first.date.Before(*it.date) && first.date.Before(last.date)):
			b.amount(opening, at+"/openingBalance", it)
		case it.kind == bankBalance && it.date == nil && it.line < len(g.t.above(g.sheet)) && it.rowID == 0:
			it.kind = bankCurrent
		case *closing == nil && (it.kind == bankClosing || dated && !it.date.Before(last.date)):
			b.amount(closing, at+"/closingBalance", it)
		}
	}
}

// ledgerOpening derives the opening balance from the first running one.
func (b *bankReader) ledgerOpening(g *ledgerGroup, opening **dossier.Amount, pointer string) {
	moved := decimal.Zero
	for i, r := range g.rows {
		moved = moved.Add(r.amount)
		if r.balance == nil {
			continue
		}
		*opening = &dossier.Amount{Decimal: r.balance.Value.Sub(moved)}
		switch {
		case g.t.before:
			b.found.Derive(pointer, "balance before the first transaction")
		case i == 0:
			b.found.Derive(pointer, "first running balance minus the first transaction")
		default:
			b.found.Derive(pointer, "first running balance minus the transactions up to it")
		}
		return
	}
}

// ledgerClosing derives the closing balance from the last running one.
func (b *bankReader) ledgerClosing(g *ledgerGroup, closing **dossier.Amount, pointer string) {
	moved := decimal.Zero
	for i, r := range slices.Backward(g.rows) {
		if r.balance != nil {
			*closing = &dossier.Amount{Decimal: r.balance.Value.Add(moved)}
			b.found.Derive(pointer, "last running balance")
			if i < len(g.rows)-1 || g.t.before {
				b.found.Derive(pointer, "last running balance plus the transactions after it")
			}
			return
		}
		moved = moved.Add(r.amount)
	}
}

// listEntries lists the transactions of an account; name is nil where the export has one account.
func (b *bankReader) listEntries(g *ledgerGroup, name *string) {
	for _, r := range g.rows {
		b.ledgerEntry(r, name, g.t.before)
	}
}

func (b *bankReader) ledgerEntry(r ledgerRow, account *string, before bool) {
	if len(b.facts.Entries) >= maxEntries {
		return
	}
	i := len(b.facts.Entries)
	e := dossier.BankEntry{Date: r.date.String(), Description: r.description, Amount: dossier.Amount{Decimal: r.amount},
		Account: account}
	if r.balance != nil {
		v := r.balance.Value
		e.Balance = &v
		if before {
			b.found.Derive(text.Pointer("entries", i, "balance"), "the balance before it plus the amount")
		} else {
			b.found.From(text.Pointer("entries", i, "balance"), r.balanceToken, "")
		}
	}
	b.facts.Entries = append(b.facts.Entries, e)
	b.found.From(text.Pointer("entries", i), r.dateToken, "")
	b.found.From(text.Pointer("entries", i, "amount"), r.amountToken, "")
}

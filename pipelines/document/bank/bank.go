// Package bank reads statements of bank accounts, and the tables that banks export.
package bank

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Read reads a deposit account's statement: by captions, columns and arithmetic, never by a
// bank's layout. Source: facts.md, row bank_statement.
func Read(s text.Segment) text.Findings {
	if s.Pages[0].Layer == text.LayerNative {
		if found, ok := readBankLedger(s); ok {
			return found
		}
	}
	b := bankReader{Segment: s, lines: withoutRules(s.Lines()),
		facts: &dossier.BankFacts{Accounts: []dossier.BankAccount{}, Entries: []dossier.BankEntry{}}}
	b.found.Facts.Bank = b.facts
	b.items = bankItems(b.lines, s.Style, s.Order)
	b.period()
	rows := bankRows(b.lines, s.Style, s.Order)
	b.rows = rows.rows
	b.negateOverdrawn(rows.owed)
	b.dropCarriedForward()
	b.accounts = bankAccounts(b.items, AccountNumbers(b.lines), b.lines, b.end)
	b.columnTotals(rows.totals)
	b.assignRows()
	b.head()
	b.balances()
	b.entries()
	b.setDecimalPlaces()
	return b.found
}

// ListFoots reports whether the transactions that pages list are at least two and lead from the opening balance to the
// closing one of an account, and whether they lead through its running balances.
func ListFoots(s text.Segment) (whole, running bool) {
	b := bankReader{Segment: s, lines: withoutRules(s.Lines()), facts: &dossier.BankFacts{}}
	b.items = bankItems(b.lines, s.Style, s.Order)
	b.period()
	rows := bankRows(b.lines, s.Style, s.Order)
	b.rows = rows.rows
	b.negateOverdrawn(rows.owed)
	b.accounts = bankAccounts(b.items, AccountNumbers(b.lines), b.lines, b.end)
	b.assignRows()
	for _, a := range b.accounts {
		if len(a.rows) >= 2 {
			whole, running = whole || a.rowsFoot(), running || a.hasRunningBalances()
		}
	}
	return whole, running
}

// hasRunningBalances reports whether at least two running balances follow from the one before and the amounts between.
func (a *account) hasRunningBalances() bool {
	settleSigns(a.rows, nil)
	var at *decimal.Decimal
	held := 0
	for _, r := range a.rows {
		if at != nil {
			next := at.Add(r.signed())
			at = &next
		}
		if r.balance == nil {
			continue
		}
		if at != nil {
			if !at.Equal(r.balance.Value.Decimal) {
				return false
			}
			held++
		}
		at = &r.balance.Value.Decimal
	}
	return held >= 2
}

// negateOverdrawn makes balances negative that stand in the column of money out, on lines that owed names, or under a
// caption that says the account owes them.
func (b *bankReader) negateOverdrawn(owed map[int]bool) {
	for i := range b.items {
		it := &b.items[i]
		switch it.kind {
		case bankOpening, bankClosing, bankCurrent, bankBalance:
		default:
			continue
		}
		caption := text.Fold(it.caption)
		if v := it.money.Value; v.IsPositive() && !it.money.Signed &&
			(owed[it.line] && balanceFirst.MatchString(caption) || owedCaption.MatchString(caption)) {
			it.money.Value = dossier.Amount{Decimal: v.Neg()}
		}
	}
}

// owedCaption are words of a balance that the account owes: French, Spanish, Portuguese, Italian, Norwegian.
var owedCaption = lazyregexp.New(`\b(?:solde debiteur|saldo deudor|saldo devedor|saldo debitore|saldo a debito` +
	`|saldo i (?:deres|din) disfav[oø]r)\b`)

// dropCarriedForward drops balances that one page carries forward to the next: they repeat the last balance of the page
// before.
func (b *bankReader) dropCarriedForward() {
	carried := map[int]bool{}
	for _, it := range b.items {
		if it.kind != bankOpening || it.rowID != 0 || !broughtForward.MatchString(text.Fold(it.caption)) {
			continue
		}
		at, amounts := b.lastAmounts(it.line)
		if len(amounts) > 0 && amounts[len(amounts)-1].Value.Equal(it.money.Value.Decimal) {
			carried[it.line], carried[at] = true, true
		}
	}
	b.items = slices.DeleteFunc(b.items, func(it bankItem) bool {
		return carried[it.line] && (it.kind == bankOpening || it.kind == bankClosing) &&
			broughtForward.MatchString(text.Fold(it.caption))
	})
}

// lastAmounts are those of the last line with any before the page of line at, if it is near, and the line's index.
func (b *bankReader) lastAmounts(at int) (int, []text.Money) {
	for i := at - 1; i >= 0 && i > at-25; i-- {
		if b.lines[i].Page == b.lines[at].Page {
			continue
		}
		if amounts := text.MoneyOn(b.lines[i], b.Style); len(amounts) > 0 {
			return i, amounts
		}
	}
	return 0, nil
}

// broughtForward is a balance that the page before carried here.
var broughtForward = lazyregexp.New(`\b(?:forward|b f|ubertrag|vortrag|saldovortrag|report|reporte|reporter|transport` +
	`|suma y sigue|a reportar|riporto|a transportar)\b`)

// columnTotals takes the totals of the only table of the only account, where no summary says what moved.
func (b *bankReader) columnTotals(totals []bankItem) {
	if len(totals) != 2 || len(b.accounts) != 1 || len(b.accounts[0].movements()) > 0 {
		return
	}
	for _, it := range totals {
		b.accounts[0].take(it)
	}
}

// bankReader is one statement being read.
type bankReader struct {
	text.Segment
	lines    []text.Line
	items    []bankItem
	rows     []bankRow
	accounts []*account
	end      *text.Date
	foots    bool // every account's figures confirm one another
	facts    *dossier.BankFacts
	found    text.Findings
}

func (b *bankReader) period() {
	p := ReadPeriod(b.lines, b.items, b.Style, b.Order)
	b.end = p.End
	if p.End == nil {
		b.end = p.statement
	}
	setDate := func(at **string, pointer string, d *text.Date, tokens []text.Token) {
		if d == nil {
			return
		}
		text := d.String()
		*at = &text
		b.found.From(pointer, tokens, "")
	}
	setDate(&b.facts.PeriodStart, "/periodStart", p.Start, p.StartTokens)
	setDate(&b.facts.PeriodEnd, "/periodEnd", p.End, p.EndText)
	setDate(&b.facts.StatementDate, "/statementDate", p.statement, p.statementTokens)
	if p.sinceLast {
		delete(b.found.Sources, "/periodStart")
		b.found.Derive("/periodStart", "the day after the date of the last statement")
	}
	if p.month {
		b.found.Derive("/periodStart", "the first day of the month that the statement is called after")
		b.found.Derive("/periodEnd", "the last day of the month that the statement is called after")
	}
}

// head reads who and what the statement is about.
func (b *bankReader) head() {
	set := func(at **string, pointer, text string, tokens []text.Token) {
		if text != "" {
			*at = &text
			b.found.From(pointer, tokens, "")
		}
	}
	name, tokens := text.InstitutionOf(b.lines, b.Style)
	set(&b.facts.Institution, "/institution", name, tokens)
	holder, tokens := text.HolderOf(b.besideEntries())
	set(&b.facts.AccountHolder, "/accountHolder", holder, tokens)
	kind, tokens := accountTypeOf(b.lines, b.Style)
	only := b.onlyAccount()
	if only == nil {
		kind = "" // each account has its own
	}
	set(&b.facts.AccountType, "/accountType", kind, tokens)
	if numbers := AccountNumbers(b.lines); len(numbers) > 0 && only != nil {
		set(&b.facts.AccountNumber, "/accountNumber", numbers[0].Text, numbers[0].Tokens)
	} else if only != nil && only.number != "" {
		set(&b.facts.AccountNumber, "/accountNumber", only.number, only.numberTokens)
	}
	b.personal(kind, holder)
	if b.codedBank(); b.facts.Institution != nil {
		name = *b.facts.Institution
	}
	b.currency(name)
}

// besideEntries are the lines that are not among a page's transactions: whom those were paid to is not whose account
// it is.
func (b *bankReader) besideEntries() []text.Line {
	first, last := map[int]int{}, map[int]int{}
	for _, r := range b.rows {
		page := b.lines[r.line].Page
		if at, ok := first[page]; !ok || r.line < at {
			first[page] = r.line
		}
		last[page] = max(last[page], r.line)
	}
	var kept []text.Line
	for i, l := range b.lines {
		if from, ok := first[l.Page]; !ok || i < from || i > last[l.Page]+2 {
			kept = append(kept, l)
		}
	}
	return kept
}

// currency is the printed one. A bare dollar sign says not whose dollar it is: the country of the bank does, else the
// forms of its numbers and addresses.
func (b *bankReader) currency(name string) {
	set := func(code string, tokens []text.Token) {
		b.facts.Currency = &code
		b.found.From("/currency", tokens, "")
	}
	code, tokens := text.CurrencyOf(b.lines, b.Order)
	if own := text.BankCurrency(name); own != "" && (code == "" || bareDollar(tokens) && strings.HasSuffix(own, "D")) {
		code = own
		if len(tokens) == 0 {
			set(code, nil)
			b.found.Derive("/currency", "the currency of the country of "+name)
			return
		}
	} else if own == "" && (code == "" || bareDollar(tokens)) {
		if formed, why := text.CountryCurrency(b.lines); formed != "" {
			set(formed, tokens)
			b.found.Derive("/currency", why)
			return
		}
	}
	if code == "" {
		b.found.Warn("currency_unknown", "No currency is printed and none follows from the country.")
		return
	}
	set(code, tokens)
	if len(tokens) == 0 {
		b.found.Derive("/currency", "the currency of the country whose banking terms the statement prints")
	}
}

// bareDollar reports whether a currency was taken from a dollar sign, which says not whose dollar it is.
func bareDollar(tokens []text.Token) bool {
	return len(tokens) > 0 && text.SymbolCode(tokens[0].Text) == "$"
}

// onlyAccount is the statement's account; nil when it has several.
func (b *bankReader) onlyAccount() *account {
	var only *account
	for _, a := range b.accounts {
		switch {
		case a.combined || a.loan:
		case only != nil:
			return nil
		default:
			only = a
		}
	}
	return only
}

// personal decides whether the account is a person's: a business word in the product or the holder's name
// says no; a consumer notice or a person's name says yes; else nobody knows.
func (b *bankReader) personal(kind, holder string) {
	say := func(v bool, why string) {
		b.facts.Personal = &v
		b.found.Derive("/personal", why)
	}
	products := kind
	for _, a := range b.accounts {
		products += " " + a.name
	}
	folded := text.Fold(products)
	switch {
	case text.HasWords(folded, "business"), text.HasWords(folded, "commercial"), text.HasWords(folded, "corporate"),
		text.HasWords(folded, "nonprofit"), text.HasWords(folded, "analyzed checking"),
		text.HasWords(folded, "compte professionnel"), text.HasWords(folded, "geschaftskonto"):
		say(false, "the account's product is for businesses")
		return
	case holder != "" && text.Company.MatchString(holder):
		say(false, "the holder is a company")
		return
	case holder != "" && looksLikePerson(holder):
		say(true, "the holder is a person")
		return
	}
	for _, l := range b.lines {
		s := text.Fold(l.Text())
		if text.HasWords(s, "business account") || text.HasWords(s, "business checking") ||
			text.HasWords(s, "commercial checking") {
			say(false, "the statement speaks of a business account")
			return
		}
	}
	for _, l := range b.lines {
		s := text.Fold(l.Text())
		if text.HasWords(s, "primarily for personal") || text.HasWords(s, "personal accounts only") ||
			text.HasWords(s, "for consumer accounts only") ||
			text.HasWords(s, "errors or questions about your electronic") {
			say(true, "it carries the notice of errors that consumer accounts carry")
			return
		}
	}
}

// looksLikePerson reports whether a name is a person's: two to five words, no company's.
func looksLikePerson(name string) bool {
	words := strings.Fields(name)
	return len(words) >= 2 && len(words) <= 6 && !text.Company.MatchString(name)
}

// maxEntries caps the transactions that are listed.
const maxEntries = 20_000

// entries lists the transactions whose sign is certain; the count is stated when they account for the whole
// change of the balance.
func (b *bankReader) entries() {
	whole, several, rows := len(b.rows) > 0, len(b.facts.Accounts) > 1, 0
	for _, a := range b.accounts {
		if a.combined || a.loan {
			continue
		}
		whole = whole && (len(a.rows) == 0 && a.opening != nil && a.closing != nil &&
			a.opening.money.Value.Equal(a.closing.money.Value.Decimal) || a.rowsFoot())
		rows += len(a.rows)
		for _, r := range a.rows {
			if r.sign == 0 || len(b.facts.Entries) >= maxEntries {
				continue
			}
			b.entry(r, a, several)
		}
	}
	if n := len(b.facts.Entries); whole && n == rows {
		b.facts.Transactions = &n
		b.found.Derive("/transactions", "count of the listed transactions")
		b.found.Evidence = append(b.found.Evidence, "listed transactions foot")
	}
}

func (b *bankReader) entry(r bankRow, a *account, several bool) {
	date := r.date
	if date.Year == 0 {
		if b.end == nil {
			return
		}
		date = date.WithYear(*b.end)
	}
	if !date.Complete() {
		return
	}
	i := len(b.facts.Entries)
	e := dossier.BankEntry{Date: date.String(), Description: r.description, Amount: dossier.Amount{Decimal: r.signed()}}
	if r.balance != nil {
		v := r.balance.Value
		e.Balance = &v
		b.found.From(text.Pointer("entries", i, "balance"), r.balanceAt, "")
	}
	if several && a.name != "" {
		e.Account = &a.name
	}
	b.facts.Entries = append(b.facts.Entries, e)
	if r.mended != "" {
		b.found.Derive(text.Pointer("entries", i), r.mended)
	}
	b.found.From(text.Pointer("entries", i, "amount"), r.tokens, "")
	b.found.From(text.Pointer("entries", i), b.lines[r.line].Tokens, "")
}

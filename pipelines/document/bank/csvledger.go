package bank

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// ledgerRow is one transaction of a CSV or workbook.
type ledgerRow struct {
	date        text.Date
	dateToken   []text.Token
	description string
	amount      decimal.Decimal
	amountToken []text.Token
	balance     *text.Money // after the transaction

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
		lines := text.Lines(p)
		t, ok := LedgerHeader(lines)
		if !ok {
			b.lines = append(b.lines, worded(lines)...)
			continue
		}
		sheet := s
		sheet.Order, sheet.Style = t.order, text.StyleOf([]text.Page{p})
		groups = append(groups, readTable(sheet, lines, t, groups)...)
		b.Order = t.order
		b.lines = append(b.lines, worded(t.above(lines))...)
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
	b.hundredths()
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
}

// readTable reads one table: a group for each account and currency that its columns name. A table whose account is one
// already read goes on with it.
func readTable(s text.Segment, lines []text.Line, t Ledger, before []*ledgerGroup) []*ledgerGroup {
	around := append(worded(t.above(lines)), worded(t.under(lines))...)
	rows, special := ledgerRows(s, lines, t)
	items := append(bankItems(around, s.Style, s.Order), special...)
	var found []*ledgerGroup
	numbers := AccountNumbers(worded(t.above(lines)))
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
				currencyAt: r.currencyAt, items: items, lines: around, t: t}
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

// worded is the cells of lines as words, so that what reads text reads them: a cell may hold "Account Number : 4711".
func worded(lines []text.Line) []text.Line {
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

// ledgerHead reads what stands around the tables: whose accounts, of which bank, in which currency.
func (b *bankReader) ledgerHead(groups []*ledgerGroup) {
	g := groups[0]
	if len(b.lines) > 0 {
		b.head()
	}
	b.found.Warnings = nil
	if len(groups) == 1 && g.account != "" && b.facts.AccountNumber == nil {
		b.facts.AccountNumber = &g.account
		b.found.From("/accountNumber", g.accountAt, "")
	}
	b.captionedBank(g)
	currency, at := g.currency, g.currencyAt
	several := slices.ContainsFunc(groups, func(o *ledgerGroup) bool { return o.currency != currency })
	why := ""
	switch {
	case several:
		currency, at = "", nil
	case currency == "":
		if currency, at = printedCurrency(g.printed); currency == "" {
			currency, at = text.CurrencyOf(append(slices.Clone(b.lines),
				append(worded(g.head), text.Line{Tokens: g.printed})...), b.Order)
			why = "the currency of the country whose banking terms the export prints"
			if formed, reason := text.CountryCurrency(b.lines); formed != "" &&
				(currency == "" || len(at) == 0 || bareDollar(at)) {
				currency, why, at = formed, reason, nil
			}
		}
		if b.facts.Institution == nil {
			break
		}
		own := text.BankCurrency(*b.facts.Institution)
		if own != "" && (currency == "" || bareDollar(at) && strings.HasSuffix(own, "D")) {
			currency, why = own, "the currency of the country of "+*b.facts.Institution
		}
	}
	b.facts.Currency = nil
	delete(b.found.Sources, "/currency")
	delete(b.found.Derived, "/currency")
	switch {
	case currency == "":
		b.found.Warn("currency_unknown", "No currency is printed and none follows from the country.")
	case len(at) > 0:
		b.found.From("/currency", at, "")
		b.facts.Currency = &currency
	default:
		b.facts.Currency = &currency
		b.found.Derive("/currency", why)
	}
	if b.facts.Personal == nil {
		b.personal("", "")
	}
}

// captionedBank takes the institution from a pair of caption and name, whatever the name.
func (b *bankReader) captionedBank(g *ledgerGroup) {
	for _, l := range g.lines {
		cells := l.Cells()
		if len(cells) == 2 && bankNameCaption.MatchString(text.Fold(cells[0].Text())) && cells[1].X0 < 20 {
			name := cells[1].Text()
			if known, ok := text.KnownInstitution(name); ok {
				name = known
			}
			b.facts.Institution = &name
			b.found.From("/institution", cells[1].Tokens, cells[0].Text())
			return
		}
	}
}

var bankNameCaption = lazyregexp.New(`^(?:bank|bank name|name of (?:the )?bank|institution|financial institution` +
	`|kreditinstitut|geldinstitut|banque|banco)$`)

// printedCurrency is the currency that the amounts or the heads of their columns carry: "Amount (EUR)", "£12.50".
func printedCurrency(tokens []text.Token) (string, []text.Token) {
	for _, t := range tokens {
		for _, word := range strings.FieldsFunc(t.Text,
			func(r rune) bool { return strings.ContainsRune(" ()[]/", r) }) {
			if code := text.SymbolCode(word); len(code) == 3 {
				return code, []text.Token{t}
			}
		}
	}
	return "", nil
}

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
	return rows, special
}

// rowCells is a row of an export as its cells say.
type rowCells struct {
	ledgerRow
	credit, debit, single *text.Money
	mark                  int
	pending               bool
}

var (
	statusNames = text.WordSet("status state buchungsstatus statut estado stato")
	notBooked   = lazyregexp.New(`\b(?:pending|vorgemerkt|offen|reverted|declined|failed|cancell?ed|authori[sz]ed` +
		`|en attente|pendiente|in behandeling|reserverad|uncleared)\b`)
)

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
			r.balance = cellMoney(c, s.Style)
		case roleKind:
			r.mark = wayOf(c.Text)
		case roleDescription:
			if n := len(words); n == 0 || words[n-1] != c.Text {
				words = append(words, c.Text)
			}
		default:
			r.note(c, t)
		}
	}
	r.description = strings.Join(words, " ")
	return r
}

// note reads the cells that are neither date, amount nor words: whose account, in which currency, whether booked.
func (r *rowCells) note(c text.Token, t Ledger) {
	name := t.names[c.X0]
	switch {
	case statusNames[name] && notBooked.MatchString(text.Fold(c.Text)):
		r.pending = true
	case t.accountAt != nil && *t.accountAt == c.X0:
		r.account, r.accountAt = c.Text, []text.Token{c}
	case t.currencyAt != nil && *t.currencyAt == c.X0:
		r.currency, r.currencyAt = c.Text, []text.Token{c}
	}
}

// statesBalance is the balance that a row states instead of a transaction: "Opening balance", in whichever column.
func (r *rowCells) statesBalance(s text.Segment, l text.Line) *bankItem {
	for _, c := range l.Tokens {
		if len(c.Text) > 80 || !balanceWords.MatchString(text.Fold(c.Text)) {
			continue
		}
		read := readBankCaption(c.Text, s.Order)
		if read.kind != bankOpening && read.kind != bankClosing {
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

var balanceWords = lazyregexp.New(`balance|\bbal\b|saldo|solde|stand|forward|vortrag|b f|c f`)

// weigh gives the row its amount, by its effect on the balance. It reports whether there is one.
func (r *rowCells) weigh(l text.Line, t Ledger) bool {
	switch {
	case r.credit != nil && !r.credit.Value.IsZero():
		r.amount, r.amountToken = r.credit.Value.Abs(), moneyToken(l, t, roleCredit)
	case r.debit != nil && !r.debit.Value.IsZero():
		r.amount, r.amountToken = r.debit.Value.Abs().Neg(), moneyToken(l, t, roleDebit)
	case r.single != nil:
		r.amount = byMark(r.single.Value.Decimal, r.mark)
		if t.inverted {
			r.amount = r.amount.Neg()
		}
	default:
		return false
	}
	if t.before && r.balance != nil {
		after := *r.balance
		after.Value = dossier.Amount{Decimal: after.Value.Add(r.amount)}
		r.balance = &after
	}
	return true
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
		slices.SortStableFunc(rows, func(a,
			b ledgerRow) int {
			return strings.Compare(a.date.String(), b.date.String())
		})
	}
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
	b.setPeriod(first, last)
}

// ledgerPeriod is the printed period around the table, else the days of the first and last row.
func (b *bankReader) ledgerPeriod(g *ledgerGroup) {
	first, last := g.span()
	p := ReadPeriod(g.lines[:min(len(g.lines), 40)], g.items, b.Style, b.Order)
	if p.Start == nil || p.End == nil {
		p = p.fromWords(g.lines, b.Order)
	}
	if p.statement == nil {
		p.statedDay(g.lines, b.Order)
	}
	if p.statement != nil && !p.statement.Before(last.date) && b.facts.StatementDate == nil {
		day := p.statement.String()
		b.facts.StatementDate = &day
		b.found.From("/statementDate", p.statementTokens, "")
	}
	if p.Start != nil && p.End != nil && !first.date.Before(*p.Start) && !p.End.Before(last.date) {
		start, end := p.Start.String(), p.End.String()
		b.facts.PeriodStart, b.facts.PeriodEnd = &start, &end
		b.found.From("/periodStart", p.StartTokens, "")
		b.found.From("/periodEnd", p.EndText, "")
		return
	}
	b.setPeriod(first, last)
}

func (b *bankReader) setPeriod(first, last ledgerRow) {
	start, end := first.date.String(), last.date.String()
	b.facts.PeriodStart, b.facts.PeriodEnd = &start, &end
	b.found.From("/periodStart", first.dateToken, "")
	b.found.From("/periodEnd", last.dateToken, "")
	b.found.Derive("/periodStart", "date of the first transaction")
	b.found.Derive("/periodEnd", "date of the last transaction")
}

// Words before the first and the last day of an export, in a cell of their own or before the date.
var (
	fromWord = lazyregexp.New(`^(?:(?:period |statement )?(?:from|start|starting|begin|beginning|since)(?: date)?` +
		`|von|ab|du|depuis(?: le)?|desde|van|da|dal|fra|fran|start dato|fecha inicio|date debut|zeitraum von|datum ` +
		`von)$`)
	untilWord = lazyregexp.New(`^(?:(?:period |statement )?(?:to|until|through|end|ending)(?: date)?|bis|au|jusqu ` +
		`au|hasta|tot|t m|a|al|til|till|slut dato|fecha fin|date fin|zeitraum bis|datum bis)$`)
	statedAt = lazyregexp.New(`^(?:statement|balance|account)? ?(?:as at|as of|date|stand)$|^statement date$` +
		`|^(?:aus|er)stellt am$|^stand$|^(?:` + exportedWords + `)$`)
	// exportedAt is statedAt within one cell: "Created date / time : 12 March 2024 / 14:05:22".
	exportedAt = lazyregexp.New(`(?i)^(?:` + exportedWords + `)\s*:?\s+(\S.*)$`)
)

// exportedWords say when an export was made.
const exportedWords = `(?:created|generated|exported|downloaded|printed|produced) (?:date|on|at)(?: ?/? ?time)?` +
	`|(?:export|creation|run|report|print|download) date|` +
	`date (?:created|generated|exported|downloaded|printed)|fecha de (?:descarga|generacion|consulta)|date d ` +
	`?(?:export|edition)|erstellungsdatum|datum export`

// fromWords reads a period whose days stand behind words of their own.
func (p periodRead) fromWords(lines []text.Line, order text.DateOrder) periodRead {
	for i := range lines {
		if d, tokens := dayBehind(lines[i], fromWord, order); d != nil && p.Start == nil {
			p.Start, p.StartTokens = d, tokens
		}
		if d, tokens := dayBehind(lines[i], untilWord, order); d != nil && p.End == nil {
			p.End, p.EndText = d, tokens
		}
	}
	return p
}

// statedDay reads the day that the export states its balances for.
func (p *periodRead) statedDay(lines []text.Line, order text.DateOrder) {
	for i := range lines {
		if d, tokens := dayBehind(lines[i], statedAt, order); d != nil {
			p.statement, p.statementTokens = d, tokens
			return
		}
		g := exportedAt.FindStringSubmatch(lines[i].Text())
		if g == nil {
			continue
		}
		if d := text.FindDates(g[1], order); len(d) > 0 && d[0].From == 0 && d[0].Complete() {
			p.statement, p.statementTokens = &d[0].Date, lines[i].Tokens
			return
		}
	}
}

// dayBehind is the date that stands behind words on a line.
func dayBehind(l text.Line, words *lazyregexp.Regexp, order text.DateOrder) (*text.Date, []text.Token) {
	for n := 1; n < len(l.Tokens) && n <= 4; n++ {
		if !words.MatchString(text.Fold(text.Join(l.Tokens[:n]))) {
			continue
		}
		for end := min(len(l.Tokens), n+4); end > n; end-- {
			rest := l.Tokens[n:end]
			if strings.Trim(rest[0].Text, ":-. ") == "" {
				rest = rest[1:]
			}
			if d, ok := cellDate(text.Join(rest), order); ok {
				return &d, rest
			}
		}
	}
	return nil, nil
}

// ledgerBalances sets opening and closing: printed around the table, else from the running balances.
func (b *bankReader) ledgerBalances(g *ledgerGroup, opening, closing **dossier.Amount, at string) {
	_, last := g.span()
	for i := range g.items {
		switch it := &g.items[i]; {
		case it.kind == bankOpening && *opening == nil:
			b.amount(opening, at+"/openingBalance", it)
		case it.kind == bankClosing && *closing == nil, it.kind == bankBalance && *closing == nil && it.date != nil &&
			it.date.Complete() && !it.date.Before(last.date):
			b.amount(closing, at+"/closingBalance", it)
		}
	}
	moved := decimal.Zero
	for i, r := range g.rows {
		moved = moved.Add(r.amount)
		if *opening != nil || r.balance == nil {
			continue
		}
		*opening = &dossier.Amount{Decimal: r.balance.Value.Sub(moved)}
		b.found.Derive(at+"/openingBalance", "first running balance minus the transactions up to it")
		if i == 0 {
			b.found.Derive(at+"/openingBalance", "first running balance minus the first transaction")
		}
		if g.t.before {
			b.found.Derive(at+"/openingBalance", "balance before the first transaction")
		}
	}
	moved = decimal.Zero
	for i := len(g.rows) - 1; i >= 0 && *closing == nil; i-- {
		if r := g.rows[i]; r.balance != nil {
			*closing = &dossier.Amount{Decimal: r.balance.Value.Add(moved)}
			b.found.Derive(at+"/closingBalance", "last running balance")
			if i < len(g.rows)-1 || g.t.before {
				b.found.Derive(at+"/closingBalance", "last running balance plus the transactions after it")
			}
		}
		moved = moved.Add(g.rows[i].amount)
	}
	for i := range g.items {
		if it := &g.items[i]; it.kind == bankCurrent && *closing == nil {
			b.amount(closing, at+"/closingBalance", it)
		}
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
		}
	}
	b.facts.Entries = append(b.facts.Entries, e)
	b.found.From(text.Pointer("entries", i), r.dateToken, "")
	b.found.From(text.Pointer("entries", i, "amount"), r.amountToken, "")
}

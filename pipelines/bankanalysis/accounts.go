package bankanalysis

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Flags of entries.
const (
	flagTransfer  = "transfer"
	flagNSF       = "nsf"
	flagRecurring = "recurring"
)

// analyzer holds all statements sorted by account, and every transaction once.
type analyzer struct {
	accounts []*account
	entries  []Entry       // by date, then account
	days     []dossier.Day // of the entries
	warnings []string
}

type account struct {
	id, key                           string
	institution, number, name, holder *string
	currency                          *string
	statements                        []*statement // by period
	entries                           []int        // indexes into the analyzer's,  by date
}

// statement is one account on one statement.
type statement struct {
	document   dossier.DocumentID
	part       int
	read       dossier.ReadDocument
	facts      dossier.BankFacts // of this account alone
	prefix     string            // of the pointers of its balances: "" or "/accounts/1"
	indexes    []int             // of its entries in the document's facts
	period     dossier.Span      // From > To when none was read
	hasEntries bool
	incomplete bool // its entries are not all there: see lacksEntries
}

// newAnalyzer sorts statements by account and period. The order of docs does not matter.
func newAnalyzer(docs []File) *analyzer {
	b := &analyzer{entries: []Entry{}, warnings: []string{}}
	byKey := map[string]*account{}
	sorted := slices.Clone(docs)
	slices.SortStableFunc(sorted, func(x, y File) int { return cmp.Compare(x.Document, y.Document) })
	for _, doc := range sorted {
		for part, read := range doc.Read {
			if read.DocType != dossier.DocBankStatement || read.Facts.Bank == nil {
				continue
			}
			statements := splitStatement(doc.Document, part, read)
			own := 0
			for _, s := range statements {
				own += len(s.indexes)
				s.incomplete = s.lacksEntries()
				b.assignAccount(byKey, s)
			}
			if lost := len(read.Facts.Bank.Entries) - own; lost > 0 {
				b.warnings = append(b.warnings,
					fmt.Sprintf("document %s: %d entries name none of its %d accounts and are left out", doc.Document,
						lost, len(statements)))
			}
		}
	}
	slices.SortFunc(b.accounts, func(x, y *account) int { return cmp.Compare(x.key, y.key) })
	for i, a := range b.accounts {
		a.id = strconv.Itoa(i + 1)
		slices.SortStableFunc(a.statements, func(x, y *statement) int {
			return cmp.Or(cmp.Compare(x.period.From, y.period.From), cmp.Compare(y.period.To, x.period.To),
				cmp.Compare(x.document, y.document))
		})
		b.addEntries(a)
	}
	b.sortEntries()
	return b
}

// splitStatement splits a statement of several accounts into one for each.
func splitStatement(id dossier.DocumentID, part int, read dossier.ReadDocument) []*statement {
	bank := read.Facts.Bank
	period := dossier.Span{From: 0, To: -1}
	from, okFrom := dossier.FactDay(bank.PeriodStart)
	to, okTo := dossier.FactDay(bank.PeriodEnd)
	if okFrom && okTo && from <= to && to-from < 3700 {
		period = dossier.Span{From: from, To: to}
	}
	if len(bank.Accounts) < 2 {
		s := &statement{document: id, part: part, read: read, facts: *bank, period: period}
		if len(bank.Accounts) == 1 {
			one := bank.Accounts[0]
			s.facts.AccountNumber, s.facts.AccountType = firstOf(bank.AccountNumber, one.AccountNumber),
				firstOf(bank.AccountType, one.Name)
			s.facts.Accounts = nil
		}
		for i := range bank.Entries {
			s.indexes = append(s.indexes, i)
		}
		s.hasEntries = len(s.indexes) > 0
		return []*statement{s}
	}
	var all []*statement
	for n, account := range bank.Accounts {
		s := &statement{document: id, part: part, read: read, period: period, prefix: fmt.Sprintf("/accounts/%d", n)}
		s.facts = dossier.BankFacts{
			Institution: bank.Institution, AccountHolder: bank.AccountHolder, Currency: bank.Currency,
			PeriodStart: bank.PeriodStart, PeriodEnd: bank.PeriodEnd,
			AccountNumber: account.AccountNumber, AccountType: account.Name, OpeningBalance: account.OpeningBalance,
			ClosingBalance: account.ClosingBalance,
			TotalDeposits:  account.Deposits, TotalWithdrawals: account.Withdrawals,
		}
		for i, e := range bank.Entries {
			if e.Account != nil && (account.Name != nil && *e.Account == *account.Name ||
				account.AccountNumber != nil && *e.Account == *account.AccountNumber) {
				s.facts.Entries = append(s.facts.Entries, e)
				s.indexes = append(s.indexes, i)
			}
		}
		s.hasEntries = len(s.indexes) > 0
		all = append(all, s)
	}
	return all
}

// assignAccount adds a statement to its account, which is identified by the institution with the last digits of the
// account number, or with the account's name and holder when no number is printed.
func (b *analyzer) assignAccount(byKey map[string]*account, s *statement) {
	key := text.Fold(dossier.Text(s.facts.Institution)) + "|" + dossier.Text(s.facts.Currency) + "|"
	if number := lastDigits(dossier.Text(s.facts.AccountNumber)); number != "" {
		key += number
	} else {
		key += text.Fold(dossier.Text(s.facts.AccountType)) + "|" + text.Fold(dossier.Text(s.facts.AccountHolder))
	}
	a := byKey[key]
	if a == nil {
		a = &account{key: key}
		byKey[key] = a
		b.accounts = append(b.accounts, a)
	}
	a.institution, a.number = firstOf(a.institution, s.facts.Institution), firstOf(a.number, s.facts.AccountNumber)
	a.name, a.holder = firstOf(a.name, s.facts.AccountType), firstOf(a.holder, s.facts.AccountHolder)
	a.currency = firstOf(a.currency, s.facts.Currency)
	a.statements = append(a.statements, s)
}

// lastDigits returns the last four digits of an account number, which every way of masking keeps. Four zeros count as
// masked.
func lastDigits(number string) string {
	var digits []byte
	for _, c := range []byte(number) {
		if c >= '0' && c <= '9' {
			digits = append(digits, c)
		}
	}
	if len(digits) < 3 || len(bytes.Trim(digits, "0")) == 0 {
		return ""
	}
	return string(digits[max(0, len(digits)-4):])
}

// addEntries adds the transactions of an account's statements, each once. Statements that overlap (a PDF and an export
// of the same month) show the same transactions: of equal ones on one day it keeps as many as the statement with the
// most of them shows.
func (b *analyzer) addEntries(a *account) {
	posted := map[string]int{}
	repeated := 0
	for _, s := range a.statements {
		own := map[string]int{}
		for n, e := range s.facts.Entries {
			if _, ok := dossier.ParseDay(e.Date); !ok {
				continue
			}
			key := e.Date + " " + e.Amount.Decimal.String()
			own[key]++
			if own[key] <= posted[key] {
				repeated++
				continue
			}
			b.entries = append(b.entries, Entry{
				FactSource: s.source(fmt.Sprintf("/entries/%d", s.indexes[n])), Account: a.id, Date: e.Date,
				Description: e.Description, Amount: e.Amount,
				Counterparty: counterparty(e.Description), Flags: entryFlags(e),
			})
		}
		for key, n := range own {
			posted[key] = max(posted[key], n)
		}
	}
	if repeated > 0 {
		b.warnings = append(b.warnings, fmt.Sprintf("account %s: %d entries stand on more than one statement and "+
			"are counted once", a.id, repeated))
	}
}

func entryFlags(e dossier.BankEntry) []string {
	if e.Amount.IsNegative() && nsfPhrases.match(text.Fold(e.Description)) {
		return []string{flagNSF}
	}
	return []string{}
}

func (b *analyzer) sortEntries() {
	slices.SortStableFunc(b.entries, func(x, y Entry) int {
		return cmp.Or(cmp.Compare(x.Date, y.Date), cmp.Compare(x.Account, y.Account),
			cmp.Compare(x.Document, y.Document))
	})
	byID := map[string]*account{}
	for _, a := range b.accounts {
		byID[a.id] = a
	}
	for i, e := range b.entries {
		day, _ := dossier.ParseDay(e.Date)
		b.days = append(b.days, day)
		byID[e.Account].entries = append(byID[e.Account].entries, i)
	}
}

// source tells where a fact of the statement is printed.
func (s *statement) source(pointer string) FactSource {
	out := FactSource{Document: s.document, Part: s.part, Pointer: pointer}
	for _, p := range []string{pointer, pointer + "/amount"} {
		if src, ok := s.read.Sources[p]; ok {
			out.Page, out.Text = src.Page, src.Text
			return out
		}
	}
	out.Text = s.read.Derived[pointer]
	return out
}

// lacksEntries reports whether entries of a calendar month are missing, judged by its printed balances and totals.
func (s *statement) lacksEntries() bool {
	if firstOf(s.facts.TotalDeposits, s.facts.TotalCredits) == nil ||
		firstOf(s.facts.TotalWithdrawals, s.facts.TotalDebits) == nil ||
		s.facts.OpeningBalance == nil || s.facts.ClosingBalance == nil || !s.hasEntries ||
		s.period.From.MonthStart() != s.period.To.MonthStart() {
		return false
	}
	_, proven := s.facts.DailyBalances()
	return !proven
}

// month returns the month that the printed totals of a statement without complete entries count for: that of the middle
// of its period. It is empty for all other statements.
func (s *statement) month() string {
	if s.period.Days() == 0 || s.hasEntries && !s.incomplete {
		return ""
	}
	return (s.period.From + (s.period.To-s.period.From)/2).String()[:7]
}

// printedTotals adds the printed totals of the statements that count for a month by them, and reports whether there are
// any. Numbers of entries and overdrafts are then unknown.
func (a *account) printedTotals(month string, out *Month) bool {
	any := false
	for _, s := range a.statements {
		if s.month() != month {
			continue
		}
		any = true
		add := func(f *Figure, amount *dossier.Amount, pointer string) {
			if amount != nil {
				f.Value = twoPlaces(f.Value.Add(amount.Abs()))
				f.Formula = "with printed totals"
				f.Sources = append(f.Sources, s.source(s.prefix+pointer))
			}
		}
		if s.prefix != "" {
			add(&out.Deposits, s.facts.TotalDeposits, "/deposits")
			add(&out.Withdrawals, s.facts.TotalWithdrawals, "/withdrawals")
			continue
		}
		if s.facts.TotalDeposits != nil {
			add(&out.Deposits, s.facts.TotalDeposits, "/totalDeposits")
		} else {
			add(&out.Deposits, s.facts.TotalCredits, "/totalCredits")
		}
		if s.facts.TotalWithdrawals != nil {
			add(&out.Withdrawals, s.facts.TotalWithdrawals, "/totalWithdrawals")
		} else {
			add(&out.Withdrawals, s.facts.TotalDebits, "/totalDebits")
		}
		if s.excludesFees() {
			add(&out.Withdrawals, s.facts.Checks, "/checks")
			add(&out.Withdrawals, s.facts.ServiceFees, "/serviceFees")
			add(&out.Deposits, s.facts.Interest, "/interest")
		}
	}
	return any
}

// excludesFees reports whether the totals of deposits and withdrawals leave out checks, fees and interest: with these
// added, the opening balance leads to the closing one.
func (s *statement) excludesFees() bool {
	f, end := s.facts, decimal.Zero
	if f.OpeningBalance == nil || f.ClosingBalance == nil {
		return false
	}
	for _, in := range []*dossier.Amount{f.OpeningBalance, firstOf(f.TotalDeposits, f.TotalCredits), f.Interest} {
		if in != nil {
			end = end.Add(in.Decimal)
		}
	}
	for _, out := range []*dossier.Amount{firstOf(f.TotalWithdrawals, f.TotalDebits), f.Checks, f.ServiceFees} {
		if out != nil {
			end = end.Sub(out.Abs())
		}
	}
	return end.Equal(f.ClosingBalance.Decimal)
}

// opening returns the opening balance of the first statement that has a period, else of the first statement.
func (a *account) opening() *Figure {
	for _, s := range a.statements {
		if s.period.Days() > 0 {
			return s.figure(s.facts.OpeningBalance, "/openingBalance")
		}
	}
	return a.statements[0].figure(a.statements[0].facts.OpeningBalance, "/openingBalance")
}

func (a *account) closing() *Figure {
	last := a.statements[0]
	for _, s := range a.statements {
		if s.period.Days() > 0 && (last.period.Days() == 0 || s.period.To > last.period.To) {
			last = s
		}
	}
	return last.figure(last.facts.ClosingBalance, "/closingBalance")
}

func (s *statement) figure(amount *dossier.Amount, pointer string) *Figure {
	if amount == nil {
		return nil
	}
	return &Figure{Value: *amount, Sources: []FactSource{s.source(s.prefix + pointer)}}
}

func firstOf[T any](a, b *T) *T {
	if a != nil {
		return a
	}
	return b
}

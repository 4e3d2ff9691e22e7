// Package pipelines holds the computations that run by name and are no room of their own. It is pure: facts in,
// results out. Reading documents is pipelines/document, judging them pipelines/judge, spreads pipelines/spread.
package pipelines

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// BankDocument is one stored file with what was read in it; only its bank statements are used.
type BankDocument struct {
	Document dossier.DocumentID
	Read     []dossier.ReadDocument
}

// BankAnalysis is the result of analyze-bank-statements. It is stored and answered as it is, so it carries its
// JSON names. Amounts are decimals in the account's currency; sums never mix currencies. Every figure names the
// entries it was made of (indexes into Entries) and the printed facts it was taken from; null is "not shown".
type BankAnalysis struct {
	Accounts       []AccountAnalysis `json:"accounts"`
	Months         []MonthAnalysis   `json:"months"` // of all accounts together, by currency and month
	Counterparties []Counterparty    `json:"counterparties"`
	Recurring      []Recurring       `json:"recurring"`
	Transfers      []Transfer        `json:"transfers"`
	Entries        []AnalyzedEntry   `json:"entries"`
	Warnings       []string          `json:"warnings"`
}

// AccountAnalysis is one account over all statements that show it.
type AccountAnalysis struct {
	ID            string          `json:"id"` // "1", "2"...: stable for the same documents
	Institution   *string         `json:"institution"`
	AccountNumber *string         `json:"accountNumber"`
	Name          *string         `json:"name"`
	Holder        *string         `json:"holder"`
	Currency      *string         `json:"currency"`
	From          *string         `json:"from"` // first and last day that statements show
	To            *string         `json:"to"`
	Days          int             `json:"days"`        // days that statements show, each once
	MonthsHeld    int             `json:"monthsHeld"`  // longest run of consecutive months (as for BANK_STATEMENT items)
	MissingDays   []string        `json:"missingDays"` // stretches between statements, "2024-02-01 to 2024-02-29"
	Opening       *Figure         `json:"openingBalance"`
	Closing       *Figure         `json:"closingBalance"`
	Average       *Figure         `json:"averageDailyBalance"`
	Lowest        *Figure         `json:"lowestBalance"`
	Months        []MonthAnalysis `json:"months"`
}

// MonthAnalysis is one calendar month. Deposits and withdrawals are positive; net of transfers leaves out what
// moved between the lead's own accounts.
type MonthAnalysis struct {
	Month           string  `json:"month"` // 2024-02
	Currency        *string `json:"currency"`
	Days            int     `json:"days"` // of the month that statements show; together: of the account with the most
	Deposits        Figure  `json:"deposits"`
	TransfersIn     Figure  `json:"transfersIn"`
	NetDeposits     Figure  `json:"netDeposits"`
	Withdrawals     Figure  `json:"withdrawals"`
	TransfersOut    Figure  `json:"transfersOut"`
	NetWithdrawals  Figure  `json:"netWithdrawals"`
	DepositCount    *int    `json:"depositCount"`
	WithdrawalCount *int    `json:"withdrawalCount"`
	Average         *Figure `json:"averageDailyBalance"`
	Lowest          *Figure `json:"lowestBalance"`
	NegativeDays    *int    `json:"negativeDays"`
	NSF             *Count  `json:"nsf"` // payments that were not covered; null when no entries are shown
}

// Figure is an amount with where it comes from.
type Figure struct {
	Value   dossier.Amount `json:"value"`
	Formula string         `json:"formula,omitempty"` // in words, when it is computed
	Entries []int          `json:"entries,omitempty"`
	Sources []FactSource   `json:"sources,omitempty"`
}

// Count is a number of entries with which ones.
type Count struct {
	Value   int   `json:"value"`
	Entries []int `json:"entries,omitempty"`
}

// FactSource is a printed fact of a document.
type FactSource struct {
	Document dossier.DocumentID `json:"documentId"`
	Part     int                `json:"part"`    // index into the extraction's documents
	Pointer  string             `json:"pointer"` // into that document's facts
	Page     int                `json:"page"`    // 0: derived, or not known
	Text     string             `json:"text"`
}

// AnalyzedEntry is one transaction, counted once however many documents show it.
type AnalyzedEntry struct {
	FactSource
	Account      string         `json:"account"`
	Date         string         `json:"date"`
	Description  string         `json:"description"`
	Amount       dossier.Amount `json:"amount"`
	Counterparty string         `json:"counterparty"`
	Flags        []string       `json:"flags"` // transfer, nsf, recurring
}

// AnalyzeBankStatements analyses the bank statements among docs. The same documents in any order give the same
// result. Nothing is invented: a figure that statements do not carry is null, and why is in Warnings.
func AnalyzeBankStatements(docs []BankDocument) BankAnalysis {
	b := newBankBook(docs)
	transfers := b.findTransfers()
	recurring := b.findRecurring()
	result := BankAnalysis{
		Accounts: []AccountAnalysis{}, Months: []MonthAnalysis{}, Recurring: recurring, Transfers: transfers,
		Counterparties: b.counterparties(), Entries: b.entries,
	}
	for _, a := range b.accounts {
		result.Accounts = append(result.Accounts, b.analyzeAccount(a))
	}
	result.Months, result.Warnings = monthsTogether(result.Accounts), b.warnings
	return result
}

func (b *bankBook) analyzeAccount(a *bankAccount) AccountAnalysis {
	out := AccountAnalysis{
		ID: a.id, Institution: a.institution, AccountNumber: a.number, Name: a.name, Holder: a.holder, Currency: a.currency,
		MissingDays: []string{}, Months: []MonthAnalysis{},
	}
	var spans []dossier.Span
	shown := map[dossier.Day]bool{}
	for _, s := range a.statements {
		if s.period.Days() > 0 {
			spans = append(spans, s.period)
		}
		for d := s.period.From; d <= s.period.To; d++ {
			shown[d] = true
		}
	}
	runs := dossier.JoinSpans(spans)
	for i, run := range runs {
		out.MonthsHeld = max(out.MonthsHeld, run.Months())
		if i > 0 {
			out.MissingDays = append(out.MissingDays, dossier.Span{From: runs[i-1].To + 1, To: run.From - 1}.String())
		}
	}
	if len(runs) > 0 {
		from, to := runs[0].From.String(), runs[len(runs)-1].To.String()
		out.From, out.To, out.Days = &from, &to, len(shown)
	}
	out.Opening, out.Closing = a.opening(), a.closing()
	days := b.dailyBalances(a)
	out.Average, out.Lowest = averageOf(days), lowestOf(days)
	for _, month := range b.monthsOf(a) {
		out.Months = append(out.Months, b.analyzeMonth(a, month, days, shown))
	}
	return out
}

// averageOf is the mean end-of-day balance, nil without days.
func averageOf(days []dossier.DayBalance) *Figure {
	if len(days) == 0 {
		return nil
	}
	return &Figure{Value: dossier.AverageBalance(days), Formula: fmt.Sprintf("mean of %d end-of-day balances", len(days))}
}

func lowestOf(days []dossier.DayBalance) *Figure {
	if len(days) == 0 {
		return nil
	}
	low := dossier.LowestBalance(days)
	return &Figure{Value: low.Balance, Formula: "end of " + low.Day.String()}
}

// monthsOf lists the months in which the account has entries or a statement without entries.
func (b *bankBook) monthsOf(a *bankAccount) []string {
	var months []string
	add := func(m string) {
		if !slices.Contains(months, m) {
			months = append(months, m)
		}
	}
	for _, i := range a.entries {
		add(b.entries[i].Date[:7])
	}
	for _, s := range a.statements {
		for d := s.period.From; d <= s.period.To; d = d.MonthEnd() + 1 {
			if s.hasEntries || len(s.month()) > 0 && d.MonthStart().String()[:7] == s.month() {
				add(d.String()[:7])
			}
		}
	}
	slices.Sort(months)
	return months
}

func (b *bankBook) analyzeMonth(a *bankAccount, month string, days []dossier.DayBalance, shown map[dossier.Day]bool) MonthAnalysis {
	out := MonthAnalysis{Month: month, Currency: a.currency}
	for d := range shown {
		if d.String()[:7] == month {
			out.Days++
		}
	}
	var in, outgoing, transfersIn, transfersOut, nsf []int
	for _, i := range a.entries {
		e := b.entries[i]
		if e.Date[:7] != month {
			continue
		}
		transfer := slices.Contains(e.Flags, flagTransfer)
		switch {
		case e.Amount.IsPositive():
			in = append(in, i)
			transfersIn = appendIf(transfersIn, i, transfer)
		case e.Amount.IsNegative():
			outgoing = append(outgoing, i)
			transfersOut = appendIf(transfersOut, i, transfer)
		}
		nsf = appendIf(nsf, i, slices.Contains(e.Flags, flagNSF))
	}
	out.Deposits, out.TransfersIn = b.sum(in), b.sum(transfersIn)
	out.Withdrawals, out.TransfersOut = b.sum(outgoing), b.sum(transfersOut)
	printed := a.printedTotals(month, &out)
	out.NetDeposits = difference(out.Deposits, out.TransfersIn)
	out.NetWithdrawals = difference(out.Withdrawals, out.TransfersOut)
	if !printed {
		deposits, withdrawals := len(in), len(outgoing)
		out.DepositCount, out.WithdrawalCount, out.NSF = &deposits, &withdrawals, &Count{Value: len(nsf), Entries: nsf}
	}
	var own []dossier.DayBalance
	for _, d := range days {
		if d.Day.String()[:7] == month {
			own = append(own, d)
		}
	}
	out.Average, out.Lowest = averageOf(own), lowestOf(own)
	if len(own) > 0 {
		negative := dossier.NegativeDays(own)
		out.NegativeDays = &negative
	}
	return out
}

func appendIf(list []int, i int, holds bool) []int {
	if holds {
		return append(list, i)
	}
	return list
}

// sum adds the sizes of entries.
func (b *bankBook) sum(entries []int) Figure {
	total := decimal.Zero
	for _, i := range entries {
		total = total.Add(b.entries[i].Amount.Abs())
	}
	return Figure{Value: places(total), Formula: fmt.Sprintf("sum of %d entries", len(entries)), Entries: entries}
}

// difference is a less b; it stands on the entries of a that are not in b.
func difference(a, b Figure) Figure {
	var entries []int
	for _, i := range a.Entries {
		if !slices.Contains(b.Entries, i) {
			entries = append(entries, i)
		}
	}
	return Figure{Value: places(a.Value.Sub(b.Value.Decimal)), Formula: "without transfers between own accounts", Entries: entries, Sources: a.Sources}
}

// places gives sums two places at least, as money is printed.
func places(d decimal.Decimal) dossier.Amount {
	if d.Exponent() > -2 {
		d, _ = decimal.NewFromString(d.StringFixed(2))
	}
	return dossier.Amount{Decimal: d}
}

// monthsTogether adds the accounts' months by currency. An average or a count of days is given only when every
// account of the month has it: a missing account would make the sum a lie.
func monthsTogether(accounts []AccountAnalysis) []MonthAnalysis {
	groups := map[string][]MonthAnalysis{}
	var keys []string
	for _, a := range accounts {
		for _, m := range a.Months {
			key := m.Month + text(m.Currency)
			if groups[key] == nil {
				keys = append(keys, key)
			}
			groups[key] = append(groups[key], m)
		}
	}
	slices.Sort(keys)
	months := make([]MonthAnalysis, 0, len(keys))
	for _, key := range keys {
		months = append(months, addMonths(groups[key]))
	}
	return months
}

func addMonths(list []MonthAnalysis) MonthAnalysis {
	total := list[0]
	for _, m := range list[1:] {
		total.Days = max(total.Days, m.Days)
		for _, pair := range [][2]*Figure{
			{&total.Deposits, &m.Deposits}, {&total.TransfersIn, &m.TransfersIn}, {&total.NetDeposits, &m.NetDeposits},
			{&total.Withdrawals, &m.Withdrawals}, {&total.TransfersOut, &m.TransfersOut}, {&total.NetWithdrawals, &m.NetWithdrawals},
		} {
			*pair[0] = addFigures(*pair[0], *pair[1])
		}
		total.DepositCount, total.WithdrawalCount = addCounts(total.DepositCount, m.DepositCount), addCounts(total.WithdrawalCount, m.WithdrawalCount)
		total.NegativeDays = addCounts(total.NegativeDays, m.NegativeDays)
		if total.Average == nil || m.Average == nil {
			total.Average = nil
		} else {
			sum := addFigures(*total.Average, *m.Average)
			sum.Formula = "sum of the accounts' averages"
			total.Average = &sum
		}
		if total.NSF == nil || m.NSF == nil {
			total.NSF = nil
		} else {
			total.NSF = &Count{total.NSF.Value + m.NSF.Value, slices.Concat(total.NSF.Entries, m.NSF.Entries)}
		}
		total.Lowest = nil // the lowest of two accounts is neither's
	}
	return total
}

func addFigures(a, b Figure) Figure {
	return Figure{
		Value: places(a.Value.Add(b.Value.Decimal)), Formula: "sum over accounts",
		Entries: slices.Concat(a.Entries, b.Entries), Sources: slices.Concat(a.Sources, b.Sources),
	}
}

func addCounts(a, b *int) *int {
	if a == nil || b == nil {
		return nil
	}
	sum := *a + *b
	return &sum
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

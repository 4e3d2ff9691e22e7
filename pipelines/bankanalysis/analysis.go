// Package bankanalysis computes accounts, months, counterparties, recurring payments and transfers from bank statements
// that were read. It is pure: facts in, figures out. Reading statements is pipelines/document/bank.
package bankanalysis

import (
	"slices"

	"github.com/dossierhq/dossier"
)

// File is one stored file with what was read in it; only its bank statements are used.
type File struct {
	Document dossier.DocumentID
	Read     []dossier.ReadDocument
}

// Analysis is the result of analyze-bank-statements. It is stored and answered as it is, so it carries its
// JSON names. Amounts are decimals in the account's currency; sums never mix currencies. Every figure names the
// entries it was made of (indexes into Entries) and the printed facts it was taken from; null is "not shown".
type Analysis struct {
	Accounts       []Account      `json:"accounts"`
	Months         []Month        `json:"months"` // of all accounts together, by currency and month
	Counterparties []Counterparty `json:"counterparties"`
	Recurring      []Recurring    `json:"recurring"`
	Transfers      []Transfer     `json:"transfers"`
	Entries        []Entry        `json:"entries"`
	Warnings       []string       `json:"warnings"`
}

// Account is one account over all statements that show it.
type Account struct {
	ID            string  `json:"id"` // "1", "2"...: stable for the same documents
	Institution   *string `json:"institution"`
	AccountNumber *string `json:"accountNumber"`
	Name          *string `json:"name"`
	Holder        *string `json:"holder"`
	Currency      *string `json:"currency"`
	From          *string `json:"from"` // first and last day that statements show
	To            *string `json:"to"`
	Days          int     `json:"days"` // days that statements show, each once
	// longest run of consecutive months (as for BANK_STATEMENT items)
	MonthsHeld  int             `json:"monthsHeld"`
	MissingDays []string        `json:"missingDays"` // stretches between statements, "2024-02-01 to 2024-02-29"
	Statements  []AccountSource `json:"statements"`
	Opening     *Figure         `json:"openingBalance"`
	Closing     *Figure         `json:"closingBalance"`
	Average     *Figure         `json:"averageDailyBalance"`
	Lowest      *Figure         `json:"lowestBalance"`
	Months      []Month         `json:"months"`
}

// AccountSource is a statement that shows the account.
type AccountSource struct {
	Document dossier.DocumentID `json:"documentId"`
	Part     int                `json:"part"` // index into the extraction's documents
	From     *string            `json:"from"` // as printed; null when no period was read
	To       *string            `json:"to"`
}

// Month is one calendar month. Deposits and withdrawals are positive; net of transfers leaves out what
// moved between the lead's own accounts.
type Month struct {
	Month           string   `json:"month"` // 2024-02
	Currency        *string  `json:"currency"`
	Days            int      `json:"days"` // of the month that statements show; together: of the account with the most
	Deposits        Figure   `json:"deposits"`
	TransfersIn     Figure   `json:"transfersIn"`
	NetDeposits     Figure   `json:"netDeposits"`
	Withdrawals     Figure   `json:"withdrawals"`
	TransfersOut    Figure   `json:"transfersOut"`
	NetWithdrawals  Figure   `json:"netWithdrawals"`
	DepositCount    *int     `json:"depositCount"`
	WithdrawalCount *int     `json:"withdrawalCount"`
	Average         *Figure  `json:"averageDailyBalance"`
	Lowest          *Figure  `json:"lowestBalance"`
	NegativeDays    *int     `json:"negativeDays"`
	NegativeDates   []string `json:"negativeDates"` // the days that ended overdrawn; together: of each account
	NSF             *Count   `json:"nsf"`           // payments that were not covered; null when no entries are shown
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

// Entry is one transaction, counted once however many documents show it.
type Entry struct {
	FactSource
	Account      string         `json:"account"`
	Date         string         `json:"date"`
	Description  string         `json:"description"`
	Amount       dossier.Amount `json:"amount"`
	Counterparty string         `json:"counterparty"`
	Flags        []string       `json:"flags"` // transfer, nsf, recurring
}

// Analyze analyses the bank statements among docs. The same documents in any order give the same
// result. Nothing is invented: a figure that statements do not carry is null, and why is in Warnings.
func Analyze(docs []File) Analysis {
	b := newAnalyzer(docs)
	transfers := b.findTransfers()
	recurring := b.findRecurring()
	result := Analysis{
		Accounts: []Account{}, Months: []Month{}, Recurring: recurring, Transfers: transfers,
		Counterparties: b.counterparties(), Entries: b.entries,
	}
	for _, a := range b.accounts {
		result.Accounts = append(result.Accounts, b.analyzeAccount(a))
	}
	result.Months, result.Warnings = combineMonths(result.Accounts), b.warnings
	return result
}

func (b *analyzer) analyzeAccount(a *account) Account {
	out := Account{
		ID: a.id, Institution: a.institution, AccountNumber: a.number, Name: a.name, Holder: a.holder,
		Currency:    a.currency,
		MissingDays: []string{}, Statements: []AccountSource{}, Months: []Month{},
	}
	var spans []dossier.Span
	shown := map[dossier.Day]bool{}
	for _, s := range a.statements {
		out.Statements = append(out.Statements,
			AccountSource{s.document, s.part, s.facts.PeriodStart, s.facts.PeriodEnd})
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
	days := b.provenDays(a)
	out.Average, out.Lowest = b.averageOf(a, days), b.lowestOf(a, days)
	for _, month := range b.monthsOf(a) {
		out.Months = append(out.Months, b.analyzeMonth(a, month, days, shown))
	}
	return out
}

// monthsOf lists the months in which the account has entries or a statement without entries.
func (b *analyzer) monthsOf(a *account) []string {
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

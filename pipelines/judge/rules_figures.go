package judge

import (
	"fmt"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

var (
	figureWord = `(?:(?:opening|beginning|starting|closing|ending|running|account|statement|printed|all)(?: and| ,| ` +
		`plus)? )*(?:balances?|totals?|figures|numbers|math|arithmetic|amounts?|transactions|calculations|sums?)(?: ` +
		`(?:on|of|in) (?:statement|document|account|page))?`
	withWhat = `(?: (?:mathematically|arithmetically|correctly|properly|exactly|with each other|to each other|with ` +
		`transactions|with totals|to totals|to closing balance|with closing balance))*`
	reconcile = lazyregexp.New(
		`(?:` + figureWord + ` )?(?:is |not )*(?:reconciled?s?|foots?|adds? up|balances? out)` + withWhat,
	)
	figuresTie = lazyregexp.New(
		figureWord + ` (?:is |not )*(?:mathematically |arithmetically )?(?:correct|consistent|right|accurate` +
			`|checks? out|ties? out|ties?|agrees?|match|matches|adds? up)` + withWhat,
	)
	equation = lazyregexp.New(
		`(?:opening|beginning|starting) balance (?:plus|\+|and) (?:total |all )?(?:deposits|credits)(?: and ` +
			`credits)? (?:minus|less|-|–) (?:total |all )?(?:withdrawals|debits|payments)(?: and (?:debits|fees` +
			`|withdrawals))?(?: and fees)? (?:equals|is|matches|gives|=) (?:closing|ending|final) balance`,
	)
	sheet = lazyregexp.New(
		`(?:total )?assets (?:equals?|is|matches|=|is equal to) (?:total )?liabilities (?:plus|and|\+) (?:total ` +
			`)?(?:owners |shareholders |stockholders )?equity|balance sheet (?:balances?|is balanced|is in balance)`,
	)
)

// readReconciles reads rules on the arithmetic of a document: "The statement balances reconcile", "assets equal
// liabilities plus equity".
func readReconciles(c clause) (rule, bool) {
	if _, negated, ok := c.matchWhole(sheet, ""); ok {
		return negateIf(rule{
			reading: "total assets equal total liabilities and equity",
			judge:   func(e *evidence) answer { return checkAnswer(e.doc, "balance_sheet_balances") },
		}, negated), true
	}
	for _, pattern := range []*lazyregexp.Regexp{equation, reconcile, figuresTie} {
		if _, _, ok := c.matchWhole(pattern, "balances balance opening closing ending beginning"); ok {
			return negateIf(rule{
				reading: "the opening balance plus all credits less all debits is the closing balance (in a " +
					"financial statement: the printed totals foot)",
				judge: judgeReconciles,
			}, c.oddNegations()), true
		}
	}
	return rule{}, false
}

func judgeReconciles(e *evidence) answer {
	switch f := e.doc.Facts; {
	case f.Bank != nil:
		return bankReconciles(e.doc)
	case f.Statement != nil:
		return checkAnswer(e.doc, "balance_sheet_balances", "income_statement_foots", "cash_flow_foots", "lines_foot")
	case f.Tax != nil:
		return checkAnswer(e.doc, "lines_foot", "balance_sheet_balances")
	}
	return checkAnswer(e.doc, "reconciles", "lines_foot")
}

// bankReconciles gives the arithmetic that was checked when the statement was read, with the printed figures;
// a statement without such a check is computed from its facts.
func bankReconciles(d dossier.ReadDocument) answer {
	if a := checkAnswer(d, "reconciles"); a.verdict != unsure {
		return a
	}
	b := d.Facts.Bank
	if len(b.Accounts) > 1 && b.OpeningBalance == nil {
		answers := make([]answer, len(b.Accounts))
		for i, account := range b.Accounts {
			answers[i] = judgeRollForward(d, bankAccountFigures(account))
		}
		return allOf(answers...)
	}
	return judgeRollForward(d, bankFigures{
		opening: b.OpeningBalance, closing: b.ClosingBalance, fees: b.ServiceFees, interest: b.Interest,
		checks:  b.Checks,
		credits: orAmount(b.TotalDeposits, b.TotalCredits), debits: orAmount(b.TotalWithdrawals, b.TotalDebits),
		debitsExcludeFees: b.TotalWithdrawals != nil, entries: b.Entries,
	})
}

// checkAnswer returns the outcome of the named checks of a document; without any of them it is unsure.
func checkAnswer(d dossier.ReadDocument, names ...string) answer {
	var answers []answer
	for _, name := range names {
		for _, check := range d.Checks {
			if check.Name == name {
				detail := strings.TrimSuffix(orWord(check.Detail, "no figures given"), ".")
				answers = append(
					answers,
					met(check.Passed, checkReason(name, check.Passed, detail)).at(d, checkedFacts(d, name)...),
				)
			}
		}
	}
	if len(answers) == 0 {
		return ask(say("check_missing"))
	}
	return allOf(answers...)
}

func checkReason(name string, passed bool, detail string) dossier.Reason {
	if name == "reconciles" {
		return either(passed, "balances_reconcile", "balances_differ", "detail", detail)
	}
	return either(passed, "check_holds", "check_fails", "check", name, "detail", detail)
}

// checkedFacts are the printed figures that an arithmetic check is about, where they stand at the top of the facts.
func checkedFacts(d dossier.ReadDocument, name string) []string {
	switch {
	case d.Facts.Bank != nil && name == "reconciles":
		return []string{
			"/openingBalance",
			"/totalDeposits",
			"/totalCredits",
			"/totalWithdrawals",
			"/totalDebits",
			"/checks",
			"/serviceFees",
			"/interest",
			"/closingBalance",
		}
	case d.Facts.Statement != nil && name == "balance_sheet_balances":
		return columnFacts(
			"balanceSheet",
			d.Facts.Statement.Statements.BalanceSheet,
			"totalAssets",
			"totalLiabilities",
			"totalEquity",
			"totalLiabilitiesAndEquity",
		)
	case d.Facts.Statement != nil && name == "income_statement_foots":
		return columnFacts(
			"incomeStatement",
			d.Facts.Statement.Statements.IncomeStatement,
			"netRevenues",
			"grossProfit",
			"netIncome",
		)
	case d.Facts.Statement != nil && name == "cash_flow_foots":
		return columnFacts("cashFlow", d.Facts.Statement.Statements.CashFlow, "netCashFromOperating", "netChangeInCash")
	case name == "lines_foot":
		return totals(d)
	}
	return nil
}

// totals returns the pointers of the facts that print sums of others.
func totals(d dossier.ReadDocument) (pointers []string) {
	for _, s := range d.Sums {
		if s.Total.Pointer != "" {
			pointers = append(pointers, s.Total.Pointer)
		}
	}
	if f := d.Facts.Tax; f != nil && f.Form != nil && f.TaxYear != nil {
		for _, s := range dossier.TaxSums(*f.Form, *f.TaxYear) {
			if _, made := s.Check(f.Lines); made {
				pointers = append(pointers, "/lines/"+s.Total)
			}
		}
	}
	return pointers
}

func columnFacts(statement string, columns []dossier.StatementColumn, rows ...string) (pointers []string) {
	for i := range columns {
		for _, row := range rows {
			pointers = append(pointers, fmt.Sprintf("/statements/%s/%d/values/%s", statement, i, row))
		}
	}
	return pointers
}

// bankFigures are the printed figures that roll an account forward.
type bankFigures struct {
	name                                             any // of the account; nil for the statement, "" when it has none
	opening, credits, debits, checks, fees, interest *dossier.Amount
	closing                                          *dossier.Amount

	// debitsExcludeFees tells whether debits are the withdrawals alone, with checks and fees printed beside them.
	debitsExcludeFees bool
	entries           []dossier.BankEntry // of the statement
}

func bankAccountFigures(a dossier.BankAccount) bankFigures {
	return bankFigures{
		dossier.Text(a.Name),
		a.OpeningBalance,
		a.Deposits,
		a.Withdrawals,
		a.Checks,
		a.Fees,
		a.Interest,
		a.ClosingBalance,
		a.Withdrawals != nil,
		nil,
	}
}

// reportedSum returns the index of the sum that a reason quotes when no sum equals the closing balance: the sum of the
// entries if there is one, else the sum that includes what is printed beside the withdrawals.
func (f bankFigures) reportedSum(sums []dossier.Amount) int {
	listed := f.opening.Decimal
	for _, e := range f.entries {
		listed = listed.Add(e.Amount.Decimal)
	}
	for i, sum := range sums {
		if len(f.entries) > 0 && sum.Equal(listed) {
			return i
		}
	}
	if f.debitsExcludeFees {
		return 1
	}
	return 0
}

// judgeRollForward computes opening + credits - debits. Fees, checks and interest may have captions of their own or be
// part of the totals, so both are tried; the statement reconciles when one of them gives the closing balance.
func judgeRollForward(d dossier.ReadDocument, f bankFigures) answer {
	if f.opening == nil || f.closing == nil || f.credits == nil && f.debits == nil {
		return ask(say("account_figures", "account", f.name))
	}
	sums := [][]signedAmount{
		{{"+", f.credits}, {"-", f.debits}},
		{{"+", f.credits}, {"-", f.debits}, {"-", f.checks}, {"-", f.fees}, {"+", f.interest}},
		{
			{"+", f.credits},
			{"-", f.debits},
			{"-", f.fees},
		},
		{{"+", f.credits}, {"-", f.debits}, {"-", f.checks}},
		{{"+", f.credits}, {"-", f.debits}, {"-", f.checks}, {"-", f.fees}},
	}
	totals, texts := make([]dossier.Amount, len(sums)), make([]string, len(sums))
	for i, terms := range sums {
		totals[i], texts[i] = addTerms(*f.opening, terms)
		if totals[i].Equal(f.closing.Decimal) {
			return met(
				true,
				say("account_reconciles", "account", f.name, "sum", texts[i], "closing", f.closing.String()),
			).at(d, f.pointers(d)...)
		}
	}
	i := f.reportedSum(totals)
	return met(false, say(
		"account_differs",
		"account",
		f.name,
		"sum",
		texts[i],
		"total",
		totals[i].String(),
		"closing",
		f.closing.String(),
	)).at(d, f.pointers(d)...)
}

// pointers returns the JSON pointers of the figures.
func (f bankFigures) pointers(d dossier.ReadDocument) []string {
	return factPointers(d, f.opening, f.credits, f.debits, f.checks, f.fees, f.interest, f.closing)
}

type signedAmount struct {
	sign   string
	amount *dossier.Amount
}

func addTerms(opening dossier.Amount, terms []signedAmount) (dossier.Amount, string) {
	total, text := opening, opening.Grouped()
	for _, t := range terms {
		switch {
		case t.amount == nil:
			continue
		case t.sign == "+":
			total = dossier.Amount{Decimal: total.Add(t.amount.Decimal)}
		default:
			total = dossier.Amount{Decimal: total.Sub(t.amount.Decimal)}
		}
		text += " " + t.sign + " " + t.amount.Grouped()
	}
	return total, text
}

func orAmount(a, b *dossier.Amount) *dossier.Amount {
	if a != nil {
		return a
	}
	return b
}

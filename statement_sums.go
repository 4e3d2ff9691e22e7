package dossier

import (
	"strings"

	"github.com/shopspring/decimal"
)

// StatementEquation is a sum that statements print: result = terms. Terms with a minus are subtracted, those with a
// question mark need not be printed.
type StatementEquation struct {
	Result string
	Terms  string
}

// StatementEquations are the equations of each statement; of several with one result any that holds will do.
var StatementEquations = map[string][]StatementEquation{
	"incomeStatement": {
		{"netRevenues", "grossRevenues -returnsAllowances"},
		{"grossProfit", "netRevenues -totalCostOfRevenues"},
		{"operatingIncome", "grossProfit -totalOperatingExpenses"},
		{"operatingIncome", "netRevenues -totalOperatingExpenses"},
		{"operatingIncome", "netRevenues -totalCostOfRevenues -totalOperatingExpenses"},
		{"operatingIncome", "netRevenues otherIncome -totalOperatingExpenses"}, // other operating income
		{"incomeBeforeTaxes", "operatingIncome totalOtherIncomeExpense"},
		{"incomeBeforeTaxes", "operatingIncome ?interestIncome ?otherIncome ?gainLossOnAssetSales -?interestExpense " +
			"-?otherExpenses"},
		{"incomeBeforeTaxes", "netRevenues -totalOperatingExpenses"},
		{"netIncome", "incomeBeforeTaxes -incomeTaxes"},
		{"netIncome", "operatingIncome totalOtherIncomeExpense -?incomeTaxes"},
		{"netIncome", "operatingIncome ?interestIncome ?otherIncome ?gainLossOnAssetSales -?interestExpense " +
			"-?otherExpenses -?incomeTaxes"},
		{"netIncome", "grossProfit -totalOperatingExpenses"},
		{"netIncome", "grossProfit -totalOperatingExpenses ?interestIncome ?otherIncome ?gainLossOnAssetSales " +
			"-?interestExpense -?otherExpenses -?incomeTaxes"},
		{"netIncome", "grossProfit -totalOperatingExpenses ?interestIncome ?otherIncome ?gainLossOnAssetSales " +
			"-?interestExpense -?otherExpenses -?incomeTaxes -?depreciation -?amortization"},
		// interest paid being an operating expense
		{"netIncome", "grossProfit -totalOperatingExpenses interestIncome -?incomeTaxes"},
		{"netIncome", "grossProfit -totalOperatingExpenses otherIncome ?interestIncome -?incomeTaxes"},
		{"netIncome", "netRevenues -totalOperatingExpenses"},
	},
	"balanceSheet": {
		{"totalAssets", "totalLiabilitiesAndEquity"},
		{"totalAssets", "totalLiabilities totalEquity"},
		{"totalAssets", "totalCurrentAssets totalNonCurrentAssets"},
		{"totalLiabilities", "totalCurrentLiabilities totalLongTermLiabilities"},
		{"totalLiabilitiesAndEquity", "totalLiabilities totalEquity"},
	},
	"cashFlow": {
		{"netChangeInCash", "netCashFromOperating ?netCashFromInvesting ?netCashFromFinancing ?effectOfExchangeRates"},
		{"endingCash", "beginningCash netChangeInCash"},
	},
}

// provingEquations are the results whose equations a check of the statement is about.
var provingEquations = map[string]struct{ check, results string }{
	"incomeStatement": {"income_statement_foots", "netRevenues grossProfit operatingIncome incomeBeforeTaxes netIncome"},
	"balanceSheet":    {"balance_sheet_balances", "totalAssets"},
	"cashFlow":        {"cash_flow_foots", "netChangeInCash endingCash"},
}

// StatementFigures are the figures of one column, in printed units, as the arithmetic of statements asks for them.
type StatementFigures interface {
	// Figure is that of a row, with the sign that the spread gives it.
	Figure(key string) (decimal.Decimal, bool)
	// FigureOrParts is Figure, or where it is not printed the sum of the lines that make the row together.
	FigureOrParts(key string) (decimal.Decimal, bool)
	// Above reports whether a row is printed above another.
	Above(result, key string) bool
	// HasRow reports whether a row is printed in any column.
	HasRow(key string) bool
	// Unplaced reports whether a line of other income and expense has no row.
	Unplaced() bool
	// Slack is the rounding that n figures may hide.
	Slack(n int) decimal.Decimal
}

// StatementSum is an equation with the figures of a column.
type StatementSum struct {
	Holds  bool
	Detail string
}

// Try computes an equation; ok is false when a term that must be there is not printed.
func (e StatementEquation) Try(f StatementFigures) (s StatementSum, ok bool) {
	want, ok := f.Figure(e.Result)
	if !ok {
		return s, false
	}
	sum, terms, printed := decimal.Zero, 0, []string{}
	for term := range strings.SplitSeq(e.Terms, " ") {
		optional, key := strings.Contains(term, "?"), strings.TrimLeft(term, "-?")
		v, has := f.FigureOrParts(key)
		if has && optional && f.Above("operatingIncome", key) && strings.Contains(e.Terms, "operatingIncome") {
			continue // what stands above an operating result is in it
		}
		if !has {
			if optional {
				continue
			}
			return s, false
		}
		sign := " + "
		if strings.HasPrefix(term, "-") {
			sum, sign = sum.Sub(v), " - "
		} else {
			sum = sum.Add(v)
		}
		printed = append(printed, sign+PrintedAmount(v))
		terms++
	}
	gap := want.Sub(sum).Abs()
	s.Holds = gap.LessThanOrEqual(f.Slack(terms + 1))
	if terms == 0 || !s.Holds && terms == 1 && strings.Contains(e.Terms, "?") && strings.Contains(e.Terms, " ") {
		return s, false
	}
	if !s.Holds && e.mayMiss(f) {
		return s, false
	}
	equals := " = "
	if !s.Holds {
		equals = " is not "
	}
	s.Detail = strings.TrimPrefix(strings.Join(printed, ""), " + ") + equals + PrintedAmount(want)
	return s, true
}

// mayMiss reports whether an equation that does not hold may want a line: one that has no row, after taxes too, or what
// stands between an operating result and the one before taxes.
func (e StatementEquation) mayMiss(f StatementFigures) bool {
	switch {
	case e.Result == "netIncome" && f.HasRow("incomeBeforeTaxes") && !strings.HasPrefix(e.Terms, "incomeBeforeTaxes"):
		return true // taxes and what comes after them
	case e.Result == "incomeBeforeTaxes" && f.HasRow("operatingIncome") &&
		!strings.Contains(e.Terms, "operatingIncome"):
		return true
	case strings.Contains(e.Terms, "?"),
		e.Result == "netIncome" && strings.HasPrefix(e.Terms, "incomeBeforeTaxes"):
		return f.Unplaced()
	}
	return false
}

// StatementSums tries the equations of a column: of those with one result the first that holds, else the first.
func StatementSums(kind string, f StatementFigures) map[string]StatementSum {
	found := map[string]StatementSum{}
	for _, e := range StatementEquations[kind] {
		s, ok := e.Try(f)
		if have, tested := found[e.Result]; ok && (!tested || s.Holds && !have.Holds) {
			found[e.Result] = s
		}
	}
	return found
}

// StatementCheck is the check of the arithmetic of one column; not ok when it prints nothing that can be tried.
func StatementCheck(kind, label string, f StatementFigures) (check FactCheck, ok bool) {
	p, sums := provingEquations[kind], StatementSums(kind, f)
	var failed, passed []string
	for result := range strings.SplitSeq(p.results, " ") {
		switch s, tried := sums[result]; {
		case !tried:
		case s.Holds:
			passed = append(passed, s.Detail)
		default:
			failed = append(failed, s.Detail)
		}
	}
	said := passed
	if len(failed) > 0 {
		said = failed
	}
	return FactCheck{Name: p.check, Passed: len(failed) == 0, Detail: label + ": " + strings.Join(said, "; ")},
		len(said) > 0
}

// PrintedAmount prints an amount with separators, for sentences; negative ones stand in brackets.
func PrintedAmount(d decimal.Decimal) string {
	text := moneyText(Amount{d.Abs()}.String())
	if d.IsNegative() {
		return "(" + text + ")"
	}
	return text
}

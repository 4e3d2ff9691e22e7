package dossier

import (
	"fmt"
	"slices"
	"strconv"
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
		{"operatingIncome", "netRevenues gainLossOnAssetSales -totalOperatingExpenses"},
		{"operatingIncome", "grossProfit ?otherIncome ?gainLossOnAssetSales -totalOperatingExpenses"},
		{"incomeBeforeTaxes", "operatingIncome totalOtherIncomeExpense"},
		{"incomeBeforeTaxes", "operatingIncome ?interestIncome ?otherIncome ?gainLossOnAssetSales -?interestExpense " +
			"-?otherExpenses"},
		{"incomeBeforeTaxes", "netRevenues -totalOperatingExpenses"},
		{"incomeBeforeTaxes", "netRevenues otherIncome ?interestIncome -totalOperatingExpenses"}, // "total income"
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
	"incomeStatement": {"income_statement_foots",
		"netRevenues grossProfit operatingIncome incomeBeforeTaxes netIncome"},
	"balanceSheet": {"balance_sheet_balances", "totalAssets"},
	"cashFlow":     {"cash_flow_foots", "netChangeInCash endingCash"},
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

// TaxSum says which lines of a form make another, in the years in which it prints so.
type TaxSum struct {
	form        string
	from, to    int
	Total       string
	Plus, Minus []string
}

// Terms are the lines that make the total.
func (s TaxSum) Terms() []string { return slices.Concat(s.Plus, s.Minus) }

// Numbers are the lines that make the total, and the total.
func (s TaxSum) Numbers() []string { return append(s.Terms(), s.Total) }

// Miss is what the total is more than its lines make, where value knows the total and the first of them. A line that
// value does not know is blank.
func (s TaxSum) Miss(value func(string) (decimal.Decimal, bool)) (decimal.Decimal, bool) {
	missed, ok := value(s.Total)
	if _, first := value(s.Plus[0]); !ok || !first {
		return missed, false
	}
	for i, n := range s.Terms() {
		v, _ := value(n)
		if i >= len(s.Plus) {
			v = v.Neg()
		}
		missed = missed.Sub(v)
	}
	return missed, true
}

// TaxRounding is how far the lines of a form may miss their sum: whole dollars are rounded line by line.
var TaxRounding = decimal.New(2, 0)

// TaxSums are the sums that a form prints in a year.
func TaxSums(form string, year int) []TaxSum {
	var sums []TaxSum
	for _, s := range taxSums {
		if (s.form == form || s.form == "1040" && form == "1040-SR") && year >= s.from && year <= s.to {
			sums = append(sums, s)
		}
	}
	return sums
}

// Check says whether the lines of a form make the total; not ok when it does not print them.
func (s TaxSum) Check(lines map[string]Amount) (check FactCheck, ok bool) {
	missed, ok := s.Miss(func(n string) (decimal.Decimal, bool) { v, have := lines[n]; return v.Decimal, have })
	if !ok {
		return check, false
	}
	total := lines[s.Total]
	floored := total.IsZero() && missed.IsPositive() && len(s.Minus) > 0 // "if zero or less, enter 0"
	return FactCheck{Name: "lines_foot", Passed: floored || missed.Abs().LessThanOrEqual(TaxRounding),
		Detail: fmt.Sprintf("line %s: %s from lines %s, printed %s", s.Total, Amount{total.Sub(missed)},
			strings.Join(s.Terms(), ", "), total)}, true
}

func lineSpan(from, to int) []string {
	var numbers []string
	for n := from; n <= to; n++ {
		numbers = append(numbers, strconv.Itoa(n))
	}
	return numbers
}

// taxSums are the sums that the forms print in words. Source: the captions of the lines.
var taxSums = []TaxSum{
	{"1040", 2020, 2024, "11", []string{"9"}, []string{"10", "10c"}},
	{"1040", 2015, 2017, "37", []string{"22"}, []string{"36"}},
	{"1040", 2015, 2017, "41", []string{"38"}, []string{"40"}},
	{"1040", 2018, 2018, "15", []string{"13", "14"}, nil},
	{"1040", 2018, 2018, "18", []string{"16", "17"}, nil},
	{"1040", 2019, 2019, "16", []string{"14", "15"}, nil},
	{"1040", 2022, 2024, "14", []string{"12", "13"}, nil},
	{"1040", 2020, 2024, "15", []string{"11"}, []string{"14"}},
	{"1040", 2025, 2025, "11a", []string{"9"}, []string{"10"}},
	{"1040", 2025, 2025, "14", []string{"12e", "13a", "13b"}, nil},
	{"1040", 2025, 2025, "15", []string{"11b"}, []string{"14"}},
	{"1040", 2020, 2025, "18", []string{"16", "17"}, nil},
	{"1040", 2020, 2025, "22", []string{"18"}, []string{"21"}},
	{"1040", 2020, 2025, "24", []string{"22", "23"}, nil},
	{"1040", 2020, 2025, "25d", []string{"25a", "25b", "25c"}, nil},
	{"1040", 2020, 2025, "33", []string{"25d", "26", "32"}, nil},
	{"1040", 2020, 2025, "34", []string{"33"}, []string{"24", "38"}},
	{"1040", 2020, 2025, "37", []string{"24", "38"}, []string{"33"}},
	{"1040", 2019, 2019, "8b", []string{"7b"}, []string{"8a"}},
	{"1040 Schedule C", 2018, 2025, "3", []string{"1"}, []string{"2"}},
	{"1040 Schedule C", 2018, 2025, "5", []string{"3"}, []string{"4"}},
	{"1040 Schedule C", 2018, 2025, "7", []string{"5", "6"}, nil},
	{"1040 Schedule C", 2018, 2025, "29", []string{"7"}, []string{"28"}},
	{"1040 Schedule C", 2018, 2025, "31", []string{"29"}, []string{"30"}},
	{"1120", 2018, 2025, "1c", []string{"1a"}, []string{"1b"}},
	{"1120", 2018, 2025, "3", []string{"1c"}, []string{"2"}},
	{"1120", 2018, 2025, "11", lineSpan(3, 10), nil},
	{"1120", 2018, 2025, "27", lineSpan(12, 26), nil},
	{"1120", 2018, 2025, "28", []string{"11"}, []string{"27"}},
	{"1120-S", 2018, 2025, "1c", []string{"1a"}, []string{"1b"}},
	{"1120-S", 2018, 2025, "3", []string{"1c"}, []string{"2"}},
	{"1120-S", 2018, 2025, "6", lineSpan(3, 5), nil},
	{"1120-S", 2018, 2021, "20", lineSpan(7, 19), nil},
	{"1120-S", 2018, 2021, "21", []string{"6"}, []string{"20"}},
	{"1120-S", 2023, 2025, "21", lineSpan(7, 20), nil},
	{"1120-S", 2023, 2025, "22", []string{"6"}, []string{"21"}},
	{"1065", 2018, 2025, "1c", []string{"1a"}, []string{"1b"}},
	{"1065", 2018, 2025, "3", []string{"1c"}, []string{"2"}},
	{"1065", 2018, 2025, "8", lineSpan(3, 7), nil},
	{"1065", 2018, 2021, "22", []string{"8"}, []string{"21"}},
	{"1065", 2023, 2025, "23", []string{"8"}, []string{"22"}},
	{"990", 2018, 2025, "12", lineSpan(8, 11), nil},
	{"990", 2018, 2025, "18", []string{"13", "14", "15", "16a", "17"}, nil},
	{"990", 2018, 2025, "19", []string{"12"}, []string{"18"}},
	{"990", 2018, 2025, "22", []string{"20"}, []string{"21"}},
	{"990-EZ", 2018, 2025, "9", []string{"1", "2", "3", "4", "5c", "6d", "7c", "8"}, nil},
	{"990-EZ", 2018, 2025, "17", lineSpan(10, 16), nil},
	{"990-EZ", 2018, 2025, "18", []string{"9"}, []string{"17"}},
	{"990-EZ", 2018, 2025, "21", lineSpan(18, 20), nil},
}

// PrintedSum is a total that a statement prints in one of its columns, and the lines that it closes: what the check
// lines_foot adds up. Kept beside the facts, so that the check can be made again when a person corrects one of them.
type PrintedSum struct {
	Column  string    `json:"column"` // pointer of the column
	Caption string    `json:"caption"`
	Total   SumTerm   `json:"total"`
	Lines   []SumTerm `json:"lines"`
	Slack   Amount    `json:"slack"` // what rounding may hide, in printed units
}

// SumTerm is a printed figure: that of a fact, or where no fact holds it the amount itself, in printed units.
type SumTerm struct {
	Pointer string  `json:"pointer,omitempty"`
	Minus   bool    `json:"minus,omitempty"` // the fact has the other sign than the figure has in the sum
	Amount  *Amount `json:"amount,omitempty"`
}

// TriedSum is a printed total beside what its lines give.
type TriedSum struct {
	Caption             string
	Given, Total, Slack decimal.Decimal
}

// LinesFoot is the check whether the totals of a column are the sums of their lines; not ok when there are none.
func LinesFoot(label string, sums []TriedSum) (check FactCheck, ok bool) {
	var failed []string
	for _, s := range sums {
		if s.Given.Sub(s.Total).Abs().GreaterThan(s.Slack) {
			failed = append(failed, fmt.Sprintf("%s: the lines give %s, printed is %s", s.Caption,
				PrintedAmount(s.Given), PrintedAmount(s.Total)))
		}
	}
	said := fmt.Sprintf("%d of %d totals are the sum of their lines", len(sums), len(sums))
	if len(failed) > 0 {
		said = strings.Join(failed[:min(len(failed), 3)], "; ")
	}
	return FactCheck{Name: "lines_foot", Passed: len(failed) == 0, Detail: label + ": " + said}, len(sums) > 0
}

// linesFoot is the check of a column by what the facts say now. A total or a line that is none any more is left out.
func (d *ReadDocument) linesFoot(c factColumn) (FactCheck, bool) {
	var tried []TriedSum
	for _, s := range d.Sums {
		total, printed := d.printedFigure(s.Total, c)
		if s.Column != c.at || !printed {
			continue
		}
		given, lines := decimal.Zero, 0
		for _, term := range s.Lines {
			if v, ok := d.printedFigure(term, c); ok {
				given, lines = given.Add(v), lines+1
			}
		}
		if lines > 0 {
			tried = append(tried, TriedSum{s.Caption, given, total, s.Slack.Decimal})
		}
	}
	return LinesFoot(c.column.Label, tried)
}

// printedFigure is a term of a sum with the sign that the sum takes it with, in printed units.
func (d *ReadDocument) printedFigure(t SumTerm, c factColumn) (v decimal.Decimal, ok bool) {
	if t.Amount != nil {
		return t.Amount.Decimal, true
	}
	place, ok := d.Facts.find(d.DocType, t.Pointer, false)
	if !ok {
		return v, false
	}
	fact, ok := place.get()
	amount, is := fact.(Amount)
	if !ok || !is {
		return v, false
	}
	if v = c.printedIn(amount); t.Minus {
		v = v.Neg()
	}
	return v, true
}

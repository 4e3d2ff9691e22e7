package statement

import (
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// equation is a sum that statements print: result = terms. Terms with a minus are subtracted.
type equation struct {
	result string
	terms  string
}

// equationsOf are the equations of each statement; of several with one result any that holds will do.
var equationsOf = map[string][]equation{
	incomeStatement: {
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
	balanceSheet: {
		{"totalAssets", "totalLiabilitiesAndEquity"},
		{"totalAssets", "totalLiabilities totalEquity"},
		{"totalAssets", "totalCurrentAssets totalNonCurrentAssets"},
		{"totalLiabilities", "totalCurrentLiabilities totalLongTermLiabilities"},
		{"totalLiabilitiesAndEquity", "totalLiabilities totalEquity"},
	},
	cashFlow: {
		{"netChangeInCash", "netCashFromOperating ?netCashFromInvesting ?netCashFromFinancing ?effectOfExchangeRates"},
		{"endingCash", "beginningCash netChangeInCash"},
	},
}

// proving are the results whose equations a check of the statement is about.
var proving = map[string]struct{ check, results string }{
	incomeStatement: {"income_statement_foots", "netRevenues grossProfit operatingIncome incomeBeforeTaxes netIncome"},
	balanceSheet:    {"balance_sheet_balances", "totalAssets"},
	cashFlow:        {"cash_flow_foots", "netChangeInCash endingCash"},
}

// tried is an equation with the figures of a column.
type tried struct {
	holds  bool
	detail string
}

// try computes an equation; ok is false when a term that must be there is not printed.
func (c *chosen) try(e equation, column int) (t tried, ok bool) {
	want, ok := c.value(e.result, column)
	if !ok {
		return t, false
	}
	sum, terms, printed := decimal.Zero, 0, []string{}
	for term := range strings.SplitSeq(e.terms, " ") {
		minus := strings.HasPrefix(term, "-")
		key := strings.TrimLeft(term, "-?")
		v, has := c.valueOrParts(key, column)
		if has && strings.Contains(term, "?") && c.above("operatingIncome", key) &&
			strings.Contains(e.terms, "operatingIncome") {
			continue // what stands above an operating result is in it
		}
		if !has {
			if strings.Contains(term, "?") {
				continue
			}
			return t, false
		}
		sign := " + "
		if minus {
			sum, sign = sum.Sub(v), " - "
		} else {
			sum = sum.Add(v)
		}
		printed = append(printed, sign+groupThousands(v))
		terms++
	}
	gap := want.Sub(sum).Abs()
	t.holds = gap.LessThanOrEqual(c.slack(terms+1, column))
	if terms == 0 || !t.holds && terms == 1 && strings.Contains(e.terms, "?") && strings.Contains(e.terms, " ") {
		return t, false
	}
	if !t.holds && c.mayMiss(e, column) {
		return t, false
	}
	equals := " = "
	if !t.holds {
		equals = " is not "
	}
	t.detail = strings.TrimPrefix(strings.Join(printed, ""), " + ") + equals + groupThousands(want)
	return t, true
}

// mayMiss reports whether an equation that does not hold may want a line: one that has no row, after taxes too, or what
// stands between an operating result and the one before taxes.
func (c *chosen) mayMiss(e equation, column int) bool {
	_, operating := c.of["operatingIncome"]
	_, before := c.of["incomeBeforeTaxes"]
	switch {
	case e.result == "netIncome" && before && !strings.HasPrefix(e.terms, "incomeBeforeTaxes"):
		return true // taxes and what comes after them
	case e.result == "incomeBeforeTaxes" && operating && !strings.Contains(e.terms, "operatingIncome"):
		return true
	case strings.Contains(e.terms, "?"), e.result == "netIncome" && strings.HasPrefix(e.terms, "incomeBeforeTaxes"):
		return c.unplaced(column)
	}
	return false
}

// above reports whether the row of a key is printed above the one of another.
func (c *chosen) above(result, key string) bool {
	at, ok := c.of[key]
	end, has := c.of[result]
	return ok && has && at < end
}

// valueOrParts is the figure of a key, or the sum of the lines that make its row together. Kinds of sales are not
// all that sales are.
func (c *chosen) valueOrParts(key string, column int) (decimal.Decimal, bool) {
	if v, ok := c.value(key, column); ok || subtotalRows[key] {
		return v, ok
	}
	sum, some := decimal.Zero, false
	for _, i := range c.unmapped {
		if r := c.rows[i]; r.rule != nil && r.rule.row == key && r.rule.section != "revenue" &&
			r.figures[column] != nil {
			sum, some = sum.Add(r.figures[column].Value.Decimal), true
		}
	}
	return sum, some
}

// unplaced reports whether a line of other income and expense without a row prints a figure in a column.
func (c *chosen) unplaced(column int) bool {
	return slices.ContainsFunc(c.unmapped, func(i int) bool {
		r := c.rows[i]
		return r.rule == nil && r.section == "otherIncomeExpense" && r.figures[column] != nil
	})
}

// slack is the rounding that n figures printed without cents may hide, half a unit each; with cents none.
func (c *chosen) slack(n, column int) decimal.Decimal {
	for _, r := range c.rows {
		if f := r.figures[column]; f != nil && f.Places() == 2 && !r.gone {
			return decimal.New(1, -2)
		}
	}
	return decimal.New(int64(n), 0).Div(decimal.New(2, 0))
}

// holding counts the equations that hold less those that fail, over all columns: the measure of a reading.
func (c *chosen) holding() int {
	n := 0
	for column := range c.columnCount() {
		for _, r := range c.results(column) {
			if r.holds {
				n++
			} else {
				n--
			}
		}
	}
	return n
}

// results tries the equations of a column: of those with one result the first that holds, else the first.
func (c *chosen) results(column int) map[string]tried {
	found := map[string]tried{}
	for _, e := range equationsOf[c.kind] {
		t, ok := c.try(e, column)
		if have, tested := found[e.result]; ok && (!tested || t.holds && !have.holds) {
			found[e.result] = t
		}
	}
	return found
}

// check reports the arithmetic of one column.
func (c *chosen) check(f *text.Findings, column int, label string) {
	p := proving[c.kind]
	results := c.results(column)
	var failed, passed []string
	for result := range strings.SplitSeq(p.results, " ") {
		switch t, ok := results[result]; {
		case !ok:
		case t.holds:
			passed = append(passed, t.detail)
		default:
			failed = append(failed, t.detail)
		}
	}
	switch {
	case len(failed) > 0:
		f.Check(p.check, false, "%s: %s", label, strings.Join(failed, "; "))
	case len(passed) > 0:
		f.Check(p.check, true, "%s: %s", label, strings.Join(passed, "; "))
	}
}

// checkGroups reports whether the totals of groups are the sums of their lines.
func (c *chosen) checkGroups(f *text.Findings, column int, label string) {
	tested, failed := 0, []string{}
	for _, r := range c.rows {
		sum, n := c.groupSum(r, column)
		if n == 0 {
			continue
		}
		tested++
		if gap := sum.Sub(r.figures[column].Value.Decimal).Abs(); gap.GreaterThan(c.slack(n+1, column)) {
			failed = append(failed, fmt.Sprintf("%s: the lines give %s, printed is %s", r.caption, groupThousands(sum),
				groupThousands(r.figures[column].Value.Decimal)))
		}
	}
	switch {
	case tested == 0:
	case len(failed) > 0:
		f.Check("lines_foot", false, "%s: %s", label, strings.Join(failed[:min(len(failed), 3)], "; "))
	default:
		f.Check("lines_foot", true, "%s: %d of %d totals are the sum of their lines", label, tested, tested)
	}
}

// groupThousands prints an amount with separators, for sentences.
func groupThousands(d decimal.Decimal) string {
	text := dossier.Amount{Decimal: d}.String()
	whole, cents, _ := strings.Cut(strings.TrimPrefix(text, "-"), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if cents != "" {
		whole += "." + cents
	}
	if d.IsNegative() {
		return "(" + whole + ")"
	}
	return whole
}

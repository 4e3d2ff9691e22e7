package spread

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// check holds the results against what the documents say. A failed check never fails a spread.
// Source: template.yaml, checks.
func (w *consolidation) check() {
	for _, s := range statements {
		for _, c := range w.chosen[s] {
			w.checkVariance(c)
			w.checkPrinted(c)
			w.checkTies(c)
			w.checkCaptions(c)
		}
	}
	for _, c := range w.chosen["cashFlow"] {
		w.checkRetained(c)
	}
	w.checkUCA()
}

func (w *consolidation) addCheck(name string, c *column, value, tolerance decimal.Decimal, detail string) bool {
	passed := value.Abs().LessThanOrEqual(tolerance)
	w.results.Checks = append(w.results.Checks,
		dossier.SpreadCheck{Name: name, Statement: c.statement, PeriodID: w.of[c], Passed: passed,
			Value: figure(value), Tolerance: figure(tolerance), Detail: detail})
	return passed
}

var varianceNames = map[string]struct{ row, code, words string }{
	"incomeStatement": {"incomeStatementVariance", "income_statement_variance", "Calculated less reported net income"},
	"balanceSheet": {"balanceSheetVariance", "balance_sheet_variance",
		"Total assets less total liabilities and equity"},
	"cashFlow": {"cashFlowVariance", "cash_flow_variance",
		"Net change in cash less the movement of cash on the balance sheet"},
}

func (w *consolidation) checkVariance(c *column) {
	of := varianceNames[c.statement]
	v, ok := w.sets[c.statement][w.of[c]][of.row]
	if !ok {
		return
	}
	code, words := of.code, of.words
	if c.class == "derived" {
		code, words = "unexplained_equity_change",
			"Change of retained earnings that no document explains, with its sign reversed"
	}
	if !w.addCheck(of.row, c, v.amount, w.toleranceOf(c), words) {
		w.warn(code, w.of[c], fmt.Sprintf("%s: %s", words, grouped(v.amount)))
	}
}

// toleranceOf is that of a column; of a derived cash flow, of the sheets it comes from.
func (w *consolidation) toleranceOf(c *column) decimal.Decimal {
	if c.class != "derived" {
		return c.tolerance()
	}
	tolerance := decimal.New(1, 0)
	for _, s := range w.chosen["balanceSheet"] {
		if s.end == c.end || s.end == c.start-1 {
			tolerance = decimal.Max(tolerance, s.tolerance())
		}
	}
	return tolerance
}

// checkPrinted compares the subtotals that the document prints with those calculated from its lines.
func (w *consolidation) checkPrinted(c *column) {
	set := w.sets[c.statement][w.of[c]]
	for _, row := range w.template.Of(c.statement) {
		printed, ok := c.printed[row.Key]
		calculated, have := set[row.Key]
		if !ok || !have || len(calculated.sources) > 0 || row.Key == "totalOperatingExpenses" &&
			c.class == "taxReturn" {
			continue
		}
		diff := calculated.amount.Sub(printed.amount)
		if withInterest(row.Key, set, printed.amount).LessThanOrEqual(c.tolerance()) {
			diff = decimal.Zero // the document counts interest among its expenses
		}
		w.addCheck("printedTotal", c, diff, c.tolerance(), row.Label+": calculated less printed")
	}
}

// grouped is an amount in a sentence.
func grouped(v decimal.Decimal) string {
	whole, cents, _ := strings.Cut(v.Abs().StringFixed(2), ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if v.IsNegative() {
		whole = "-" + whole
	}
	return whole + "." + cents
}

func (w *consolidation) checkTies(c *column) {
	for _, t := range c.ties {
		w.addCheck("taxReturnTieOut", c, t.left.Sub(t.right), c.tolerance(), t.what)
	}
	if c.class == "taxReturn" && c.statement == "balanceSheet" && !c.opening &&
		c.lines["linesOfCredit"].amount.IsPositive() {
		w.warn("current_maturities_unknown", w.of[c],
			"Schedule L mixes current maturities of long-term debt with short-term notes; debt service counts "+
				"interest only for the year after")
	}
}

func (w *consolidation) checkCaptions(c *column) {
	for _, u := range c.unmapped {
		if u.row != "" {
			continue
		}
		detail := "%q (%s) fits no section; it is in no figure"
		if u.afterTaxes {
			detail = "%q (%s) stands below income taxes; it is in no figure but the reported net income"
		}
		w.warn("caption_not_placed", w.of[c], fmt.Sprintf(detail, u.caption, grouped(u.amount)))
	}
}

// checkRetained rolls retained earnings forward: opening + net income + distributions = closing, with what stands
// beside them for the current year.
func (w *consolidation) checkRetained(c *column) {
	closing, _ := w.sheetAt(c.end)
	opening, _ := w.sheetAt(c.start - 1)
	flow := w.sets["cashFlow"][w.of[c]]
	if closing == nil || opening == nil {
		return
	}
	retained := func(s rowSet) (sum decimal.Decimal, any bool) {
		for _, key := range []string{"retainedEarnings", "currentYearEarnings", "distributionsDividends"} {
			v, ok := s[key]
			sum, any = sum.Add(v.amount), any || ok
		}
		return sum, any
	}
	before, a := retained(opening)
	after, b := retained(closing)
	if !a && !b {
		return
	}
	expected := before.Add(flow["netIncome"].amount).Add(flow["distributionsPaid"].amount)
	w.addCheck("retainedEarningsRollForward", c, after.Sub(expected), w.toleranceOf(c),
		"Closing retained earnings less opening, net income and distributions")
}

// checkUCA holds the bottom line of the UCA cash flow of a derived period against the net change in cash.
func (w *consolidation) checkUCA() {
	for _, c := range w.chosen["cashFlow"] {
		set := w.ucaSet(base{w.of[c], c.start, c.end})
		bottom, ok := set["cashAfterFinancing"]
		if c.class != "derived" || !ok {
			continue
		}
		w.addCheck("ucaBottomLine", c, bottom.amount.Sub(w.sets["cashFlow"][w.of[c]]["netChangeInCash"].amount),
			decimal.New(5, -2), "Cash after financing less net change in cash")
	}
}

package statement

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// negativeRows are stored negative however they are printed. Source: spread-template.yaml, sign.
var (
	negativeRows = text.WordSet("allowanceForDoubtfulAccounts accumulatedDepreciation accumulatedAmortization " +
		"distributionsDividends distributionsPaid")
	// stored positive however they are printed
	absoluteRows = text.WordSet("returnsAllowances interestExpense otherExpenses")
	costSections = text.WordSet("costOfRevenues operatingExpenses")
	otherRows    = text.WordSet("otherIncome totalOtherIncomeExpense") // with the sign that their section has
)

// settleSigns finds which sections print costs as negatives: the reading under which more equations hold, and
// where none can tell the sign that most figures have.
func (c *chosenRows) settleSigns() {
	if c.kind == captions.BalanceSheet {
		c.settleCreditors()
	}
	if c.kind != captions.IncomeStatement {
		return
	}
	for section := range costSections {
		minus, plus := 0, 0
		for _, r := range c.rows {
			in := r.section == section || r.rule != nil && r.rule.Section == section
			if !in || r.dropped || r.rule != nil &&
				(r.rule.Row == "grossProfit" || r.rule.Row == "operatingIncome" || r.rule.Section != section) {
				continue
			}
			minus, plus = r.countSigns(minus, plus)
		}
		if minus > plus {
			c.flipped[section] = true
		}
	}
	asIs := c.holding()
	for section := range costSections {
		c.flipped[section] = !c.flipped[section]
		if better := c.holding(); better > asIs {
			asIs = better
			continue
		}
		c.flipped[section] = !c.flipped[section]
	}
	c.settleByResults()
	c.settleOther()
	c.settleTaxes()
}

// resultsAround are the results whose difference the lines of a section make.
var resultsAround = map[string][]string{
	"costOfRevenues":    {"netRevenues -grossProfit"},
	"operatingExpenses": {"grossProfit -operatingIncome", "netRevenues -operatingIncome"},
}

// settleByResults lets the results around a section say how it prints its costs, where its lines make their difference:
// among costs below zero stand other income and gains above it.
func (c *chosenRows) settleByResults() {
	for section, targets := range resultsAround {
		plus, minus := 0, 0
		for column := range c.columnCount() {
			for _, place := range []bool{false, true} {
				sum, n := c.sectionSum(section, column, place)
				for _, target := range targets {
					want, ok := c.targetOf(target, column)
					slack := c.slack(n+2, column)
					if !ok || n == 0 || want.Abs().LessThanOrEqual(slack) {
						continue
					}
					if sum.Sub(want).Abs().LessThanOrEqual(slack) {
						plus++
					} else if sum.Add(want).Abs().LessThanOrEqual(slack) {
						minus++
					}
				}
			}
		}
		if plus != minus {
			c.flipped[section] = minus > plus
		}
	}
}

// settleOther lets the results around other income and expense say whether it prints expense above zero, as under
// "Other expense (income)": its total, or the lines that make it, are what operating income has to lose.
func (c *chosenRows) settleOther() {
	const section = "otherIncomeExpense"
	plus, minus := 0, 0
	for column := range c.columnCount() {
		gap, ok := c.targetOf("incomeBeforeTaxes -operatingIncome", column)
		if !ok {
			gap, ok = c.targetOf("incomeBeforeTaxes -grossProfit totalOperatingExpenses", column)
		}
		sum, printed := c.printed("totalOtherIncomeExpense", column)
		n := 1
		if !printed {
			sum, n = c.sectionSum(section, column, false)
			if !sum.Abs().Sub(gap.Abs()).Abs().LessThanOrEqual(c.slack(n+2, column)) {
				sum, n = c.otherIncomeSum(column)
			}
		}
		slack := c.slack(n+2, column)
		switch {
		case !ok || n == 0 || gap.Abs().LessThanOrEqual(slack):
		case sum.Sub(gap).Abs().LessThanOrEqual(slack):
			plus++
		case sum.Add(gap).Abs().LessThanOrEqual(slack):
			minus++
		}
	}
	c.flipped[section] = minus > plus
}

// otherIncomeSum adds the lines between the operating result and income before taxes, among which other income stands.
func (c *chosenRows) otherIncomeSum(column int) (sum decimal.Decimal, n int) {
	first, operated := c.rowOf["operatingIncome"]
	last, ok := c.rowOf["incomeBeforeTaxes"]
	if at, beside := c.rowOf["otherIncome"]; !ok || !operated || !beside || at < first || at > last {
		return decimal.Zero, 0
	}
	for _, r := range c.rows[first+1 : last] {
		within, over := r.parent > first && r.parent < last, len(r.members) > 0 && r.members[0] <= first
		if r.outside || r.dropped || r.figures[column] == nil || within || over {
			continue
		}
		sum, n = sum.Add(r.term(column)), n+1
	}
	return sum, n
}

// countSigns adds how many figures of a row are below and above zero.
func (r *statementRow) countSigns(minus, plus int) (int, int) {
	for _, f := range r.figures {
		switch {
		case f == nil || f.Value.IsZero():
		case f.Value.IsNegative():
			minus++
		default:
			plus++
		}
	}
	return minus, plus
}

// settleCreditors finds out whether a balance sheet takes liabilities off its assets: it prints all as negatives. A
// section whose only lines are claims (a tax that the state owes) is no such sheet: its totals foot as printed.
func (c *chosenRows) settleCreditors() {
	asIs := c.holding()
	for _, section := range []string{"currentLiabilities", "longTermLiabilities"} {
		minus, plus := 0, 0
		for _, r := range c.rows {
			if r.dropped || r.section != section && (r.rule == nil || r.rule.Section != section) || r.rule != nil &&
				captions.SideName(r.rule.Section) != "liabilities" {
				continue
			}
			minus, plus = r.countSigns(minus, plus)
		}
		c.flipped[section] = minus > 0 && plus == 0
	}
	if asIs > c.holding() {
		clear(c.flipped)
	}
}

// settleTaxes finds the sign of income taxes: what the bottom line lacks of income before them.
func (c *chosenRows) settleTaxes() {
	at, ok := c.rowOf["incomeTaxes"]
	if !ok {
		c.settleTaxParts()
		return
	}
	asIs, negated := 0, 0
	for column := range c.rows[at].figures {
		switch c.taxAdds(at, column) {
		case -1:
			asIs++
		case 1:
			negated++
		}
	}
	folded := c.rows[at].folded
	benefit := strings.Contains(folded, "benefit") && !strings.Contains(folded, "expense") &&
		!strings.Contains(folded, "provision")
	switch {
	case negated > asIs:
		c.flipped["incomeTaxes"] = true
	case asIs == 0 && negated == 0:
		minus := 0
		for _, f := range c.rows[at].figures {
			if f != nil && f.Value.IsNegative() {
				minus++
			} else if f != nil {
				minus--
			}
		}
		c.flipped["incomeTaxes"] = (minus > 0) != benefit
		if benefitFirst.MatchString(c.rows[at].caption) {
			c.flipped["incomeTaxes"] = true
		}
	}
}

// settleTaxParts finds the sign of current and deferred taxes of which no sum is printed: together they are what the
// bottom line lacks.
func (c *chosenRows) settleTaxParts() {
	asIs, negated := 0, 0
	for column := range c.columnCount() {
		before, okBefore := c.value("incomeBeforeTaxes", column)
		net, okNet := c.value("netIncome", column)
		sum, n := decimal.Zero, 0
		for _, r := range c.rows {
			if r.rule != nil && r.rule.Row == "incomeTaxes" && !r.dropped && !r.outside && r.figures[column] != nil {
				sum, n = sum.Add(r.figures[column].Value.Decimal), n+1
			}
		}
		if !okBefore || !okNet || n == 0 || sum.IsZero() {
			continue
		}
		switch gap := before.Sub(net); {
		case gap.Sub(sum).Abs().LessThanOrEqual(c.slack(n+2, column)):
			asIs++
		case gap.Add(sum).Abs().LessThanOrEqual(c.slack(n+2, column)):
			negated++
		}
	}
	c.flipped["incomeTaxes"] = negated > asIs
}

// benefitFirst are captions of taxes that print a benefit above zero and a charge below: the charge stands in
// parentheses.
var benefitFirst = lazyregexp.New(`(?i)\((?:provisions?|expenses?|charges?)\b[^)]*\).*\b(?:benefits?|credits?)\b` +
	`|\b(?:benefits?|credits?)\b.*\((?:provisions?|expenses?|charges?)\b[^)]*\)`)

// resultsBelow is how many lines below taxes the result that they lead to is looked for: the bottom line, or that of
// operations that go on.
const resultsBelow = 4

// taxAdds is 1 where the result below taxes is that before them and the printed taxes, -1 where it is that less them, 0
// where neither is printed.
func (c *chosenRows) taxAdds(at, column int) int {
	tax, ok := c.printed("incomeTaxes", column)
	before, okBefore := c.value("incomeBeforeTaxes", column)
	if !ok || !okBefore || tax.IsZero() {
		return 0
	}
	comes := func(net decimal.Decimal) int {
		switch gap := before.Sub(net); {
		case gap.Sub(tax).Abs().LessThanOrEqual(decimal.New(2, 0)):
			return -1
		case gap.Add(tax).Abs().LessThanOrEqual(decimal.New(2, 0)):
			return 1
		}
		return 0
	}
	if net, ok := c.value("netIncome", column); ok && comes(net) != 0 {
		return comes(net)
	}
	left := resultsBelow
	for _, r := range c.rows[min(at+1, len(c.rows)):] {
		if !r.hasFigures() || r.figures[column] == nil {
			continue
		}
		if left--; left < 0 {
			return 0
		}
		if sign := comes(r.figures[column].Value.Decimal); sign != 0 {
			return sign
		}
	}
	return 0
}

// changesSign reports whether a printed value is stored with the other sign.
func (c *chosenRows) changesSign(key string, v decimal.Decimal) bool {
	section := c.sectionOf(key)
	switch {
	case negativeRows[key]:
		return v.IsPositive()
	case c.kind == captions.CashFlow:
		return false
	case c.kind == captions.BalanceSheet:
		return c.flipped[section]
	case key == "incomeTaxes":
		return c.flipped["incomeTaxes"]
	case absoluteRows[key] && incomeOf[key] != "" && netOfIncome.MatchString(c.rows[c.rowOf[key]].caption):
		return c.flipped["costOfRevenues"] || c.flipped["operatingExpenses"]
	case absoluteRows[key]:
		return v.IsNegative()
	case key == "interestIncome" && c.kind == captions.IncomeStatement:
		return v.IsNegative() && !expenseWord.MatchString(c.rows[c.rowOf[key]].folded) && c.costsInterest()
	case key == "gainLossOnAssetSales":
		at := c.rowOf[key]
		if in := c.rows[at].section; costSections[in] && c.rows[at].parent > at {
			return !c.flipped[in] // a gain is printed below zero where the sum of costs counts it
		}
		return v.IsPositive() && strings.HasPrefix(c.rows[at].folded, "loss on")
	case key == "grossProfit" || key == "operatingIncome":
		return false
	}
	return c.changesSignWithSection(key, section)
}

// changesSignWithSection reports whether a line of costs or other income is stored with the other sign because its
// whole section is.
func (c *chosenRows) changesSignWithSection(key, section string) bool {
	if costSections[section] && minusForLoss.MatchString(c.rows[c.rowOf[key]].caption) {
		return true
	}
	return (costSections[section] || otherRows[key]) && c.flipped[section]
}

// minusForLoss is in captions of gains and losses together that say what a minus is: "Credit impairment losses
// (\"-\" for losses)". A loss is printed below zero, whatever the section does.
var minusForLoss = lazyregexp.New(`(?i)[-–—]["'“”‘’]? for (?:net )?loss|loss(?:es)? (?:\w+ ){0,3}(?:with|by|as) ` +
	`["'“”‘’]?[-–—]`)

// sectionOf is the section of the line that gives a fact; empty: none does.
func (c *chosenRows) sectionOf(key string) string {
	at, ok := c.rowOf[key]
	switch {
	case ok && key == "totalOperatingExpenses":
		return "operatingExpenses"
	case !ok || c.rows[at].rule == nil:
		return ""
	case key == "cogsGoodsMaterials" || key == "totalCostOfRevenues":
		return "costOfRevenues"
	}
	return c.rows[at].rule.Section
}

// expenseWord is in captions of what interest costs, beside what it earns.
var expenseWord = lazyregexp.New(`\b(?:expense|cost|charge|paid|net)`)

// costsInterest reports whether interest that is paid is printed above zero: then what is earned stands in parentheses.
func (c *chosenRows) costsInterest() bool {
	at, ok := c.rowOf["interestExpense"]
	if !ok {
		return true
	}
	minus, plus := c.rows[at].countSigns(0, 0)
	return plus > minus
}

// unmappedChangesSign reports whether an unmapped line is stored with the other sign because its section is.
func (c *chosenRows) unmappedChangesSign(i int) bool {
	section := c.rows[i].section
	if rule := c.rows[i].rule; c.kind == captions.IncomeStatement && rule != nil && rule.Row == "incomeTaxes" {
		return c.flipped["incomeTaxes"]
	}
	return c.flipped[section] && (c.kind == captions.BalanceSheet || c.kind == captions.IncomeStatement &&
		(costSections[section] || section == "otherIncomeExpense"))
}

// incomeOf is the row of income that an expense turns into.
var incomeOf = map[string]string{"interestExpense": "interestIncome", "otherExpenses": "otherIncome"}

// netOfIncome are captions of one line for income and expense that print an expense positive: "Interest (income)
// expense".
var netOfIncome = lazyregexp.New(`(?i)\((?:income|gains?)\)\s*(?:expenses?|loss(?:es)?|charges?)|(?:expenses?` +
	`|loss(?:es)?|charges?)\s*\((?:income|gains?)\)`)

// incomeOrExpense is the row and amount for a line that nets income and expense: a negative expense is stored as
// income, unless income has a line of its own.
func (c *chosenRows) incomeOrExpense(key string, v decimal.Decimal) (string, decimal.Decimal) {
	income := incomeOf[key]
	if _, taken := c.rowOf[income]; income == "" || taken || !v.IsNegative() {
		return key, v
	}
	return income, v.Neg()
}

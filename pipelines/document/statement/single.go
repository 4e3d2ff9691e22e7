package statement

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// What a line is that stands alone in its section: the section's total under another name.

// singleRevenue gives a lone caption of revenue to the section's total, as facts.md says.
func (c *chosenRows) singleRevenue() {
	if c.kind != captions.IncomeStatement {
		return
	}
	gross, hasGross := c.rowOf["grossRevenues"]
	_, hasReturns := c.rowOf["returnsAllowances"]
	_, hasNet := c.rowOf["netRevenues"]
	lines, only := c.linesOfRevenue()
	switch {
	case hasGross && !hasNet && !hasReturns && (lines <= 1 || c.rows[gross].rule.Anywhere || c.rows[gross].total):
		c.rowOf["netRevenues"] = gross
		delete(c.rowOf, "grossRevenues")
	case hasGross && hasReturns && hasNet && !c.grossLessReturns():
		delete(c.rowOf, "grossRevenues") // one of several kinds of sales
	case hasGross && !hasReturns:
		delete(c.rowOf, "grossRevenues") // nothing tells gross from net
	case !hasNet && !hasReturns && lines == 1 && c.rows[only].rule == nil:
		c.rowOf["netRevenues"] = only // under a name that no list knows
	}
	if hasNet && lines == 1 && c.rows[only].parent >= 0 {
		c.rows[only].dropped = true // the total says it again
	}
}

// takenOffSales gives the one line between gross and net revenues to what is taken off them, whatever it is called,
// where it is all that they differ by.
func (c *chosenRows) takenOffSales() {
	gross, hasGross := c.rowOf["grossRevenues"]
	net, hasNet := c.rowOf["netRevenues"]
	if _, has := c.rowOf["returnsAllowances"]; has || !hasGross || !hasNet || net != gross+2 ||
		c.kind != captions.IncomeStatement {
		return
	}
	less := &c.rows[gross+1]
	for column := range c.columnCount() {
		sold, left, taken := c.rows[gross].figures[column], c.rows[net].figures[column], less.figures[column]
		if sold == nil || left == nil || taken == nil || less.rule != nil ||
			!sold.Value.Sub(taken.Value.Abs()).Equal(left.Value.Decimal) {
			return
		}
	}
	less.section = "revenue"
	less.rule = &captions.Rule{Row: "returnsAllowances", Section: "revenue", Anywhere: true}
	c.rowOf["returnsAllowances"] = gross + 1
}

// linesOfRevenue counts the lines of revenue, and is the last of them.
func (c *chosenRows) linesOfRevenue() (int, int) {
	lines, last := 0, -1
	for i, r := range c.rows {
		sum := r.rule != nil && (subtotalRows[r.rule.Row] || costSections[r.rule.Section])
		if r.hasFigures() && !r.dropped && r.section == "revenue" && !sum {
			lines++
			last = i
		}
	}
	return lines, last
}

// singleCost gives a lone caption of cost to the section's total, as facts.md says.
func (c *chosenRows) singleCost() {
	material, hasMaterial := c.rowOf["cogsGoodsMaterials"]
	_, hasTotal := c.rowOf["totalCostOfRevenues"]
	if c.kind != captions.IncomeStatement || !hasMaterial || hasTotal || !c.rows[material].rule.Anywhere {
		return
	}
	for _, key := range []string{"cogsLabor", "cogsSubcontractors", "cogsDepreciation", "cogsOther"} {
		if _, ok := c.rowOf[key]; ok {
			return
		}
	}
	for i, r := range c.rows {
		if i != material && r.hasFigures() && !r.dropped && !r.total && r.section == c.rows[material].section &&
			strings.HasPrefix(r.folded, "cost of ") {
			return // costs of several kinds, of which this is one
		}
		if r.hasFigures() && !r.dropped && r.section == "costOfRevenues" && i != material &&
			(r.rule == nil || r.rule.Section == "costOfRevenues" && !subtotalRows[r.rule.Row]) {
			return
		}
	}
	c.rowOf["totalCostOfRevenues"] = material
	delete(c.rowOf, "cogsGoodsMaterials")
}

// singleEquity gives a lone line of equity that bears the section's name to its total.
func (c *chosenRows) singleEquity() {
	if _, has := c.rowOf["totalEquity"]; has || c.kind != captions.BalanceSheet {
		return
	}
	var lines []int
	for i, r := range c.rows {
		if r.hasFigures() && !r.dropped && r.section == "equity" &&
			!(r.rule != nil && r.rule.Row == "totalLiabilitiesAndEquity") {
			lines = append(lines, i)
		}
	}
	if len(lines) != 1 {
		return
	}
	for _, rule := range captions.Books()[captions.BalanceSheet].Exact[c.rows[lines[0]].folded] {
		if rule.Row == "totalEquity" {
			delete(c.rowOf, c.rows[lines[0]].rule.Row)
			c.rowOf["totalEquity"] = lines[0]
		}
	}
}

// singleExpense gives a lone line of expenses that bears the section's name to its total.
func (c *chosenRows) singleExpense() {
	if _, has := c.rowOf["totalOperatingExpenses"]; has || c.kind != captions.IncomeStatement {
		return
	}
	only := -1
	for i, r := range c.rows {
		if !r.hasFigures() || r.dropped || r.section != "operatingExpenses" || r.rule != nil &&
			(r.rule.Section != "operatingExpenses" || subtotalRows[r.rule.Row]) {
			continue
		}
		if only >= 0 {
			return
		}
		only = i
	}
	if only >= 0 && expensesAlone[c.rows[only].folded] {
		if rule := c.rows[only].rule; rule != nil {
			delete(c.rowOf, rule.Row)
		}
		c.rowOf["totalOperatingExpenses"] = only
	}
}

var expensesAlone = map[string]bool{"operating expenses": true, "operating expense": true, "expenses": true,
	"operating costs": true, "opex": true}

// grossLessReturns reports whether gross revenues less returns are the printed net ones: in one column, for where they
// are not the same in another, a figure of that one is wrong.
func (c *chosenRows) grossLessReturns() bool {
	tested := false
	for column := range c.columnCount() {
		t, ok := dossier.StatementEquations[captions.IncomeStatement][0].Try(columnOf{c, column})
		if ok && t.Holds {
			return true
		}
		tested = tested || ok
	}
	return !tested
}

// salesWords name sales, and spendWords what they cost.
var (
	salesWords = lazyregexp.New(`\b(?:revenues?|sales|turnover|freights?|premiums? earned)\b`)
	spendWords = lazyregexp.New(`\b(?:costs?|expenses?|less|marketing|taxes|discounts?|returns?|gains?|loss(?:es)?)\b`)
)

// opensSales reports whether a row is the first of its statement and names sales in words that no list knows.
func (r *statementRow) opensSales(above []statementRow) bool {
	return r.section == "" && salesWords.MatchString(r.folded) && !spendWords.MatchString(r.folded) &&
		!slices.ContainsFunc(above, func(other statementRow) bool { return other.hasFigures() })
}

// sumsOther reports whether a row under the name of other income or expense is the sum of all such lines above it:
// "Other expense, net" below "Other (expense) income:".
func (r *statementRow) sumsOther(rows []statementRow, i int) bool {
	named := otherNet.MatchString(r.folded) || otherTotal.MatchString(r.folded) && r.closesBothSigns(rows)
	return len(r.members) > 1 && r.members[0] < i && (r.rule == nil || generalRows[r.rule.Row]) && named &&
		!slices.ContainsFunc(r.members, func(k int) bool { return rows[k].section != "otherIncomeExpense" }) &&
		slices.ContainsFunc(r.members, func(k int) bool {
			return rows[k].rule != nil && strings.HasPrefix(rows[k].rule.Row, "interest")
		})
}

// otherTotal names the total of income and expense beside operations by what it comes out as: "Total other expense". A
// total of expenses alone bears the same name.
var otherTotal = lazyregexp.New(`^total (?:other|non ?operating) (?:income|expenses?)$`)

// closesBothSigns reports whether a sum closes figures above zero and below it.
func (r *statementRow) closesBothSigns(rows []statementRow) bool {
	for column := range r.figures {
		minus, plus := 0, 0
		for _, k := range r.members {
			switch m := rows[k].figures[column]; {
			case m == nil || m.Value.IsZero():
			case m.Value.IsNegative():
				minus++
			default:
				plus++
			}
		}
		if minus > 0 && plus > 0 {
			return true
		}
	}
	return false
}

// otherNet are names of other income and expense together.
var otherNet = lazyregexp.New(`^(?:net )?other (?:income|expenses?|gains?|loss(?:es)?)\b.*\bnet$` +
	`|^net other (?:income|expenses?)\b`)

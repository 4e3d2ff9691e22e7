package statement

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// allRestricted is cash that nobody may spend, by itself.
var allRestricted = lazyregexp.New(`^restricted cash(?: and (?:restricted )?cash equivalents)?(?: current| net)?$` +
	`|^cash(?: and cash equivalents)? restricted$`)

// assetsBelow reports whether the side of the assets is printed below that of debts and equity.
func assetsBelow(rows []statementRow, at int) bool {
	return slices.ContainsFunc(rows[at+1:], func(r statementRow) bool {
		return r.hasFigures() && namesRow(captions.Books()[captions.BalanceSheet], r, "totalAssets")
	}) && !slices.ContainsFunc(rows[:at], func(r statementRow) bool {
		return r.hasFigures() && namesRow(captions.Books()[captions.BalanceSheet], r, "totalAssets")
	})
}

// lastBeforeTaxes is the result that taxes are taken off, of several that are called so: before other levies, before
// what no tax is paid on.
func (c *chosenRows) lastBeforeTaxes(whole []int) int {
	best := whole[0]
	for _, i := range whole[1:] {
		if taxed := slices.IndexFunc(c.rows, func(r statementRow) bool {
			return r.hasFigures() && r.rule != nil && r.rule.Row == "incomeTaxes"
		}); i < taxed {
			best = i
		}
	}
	return best
}

// othersShare is what of a result belongs to owners beside those of the company.
var othersShare = lazyregexp.New(`\bnon ?controlling\b|\bminority\b`)

// lastResult is the bottom line, of several results: the last one above the share of other owners.
func (c *chosenRows) lastResult(whole []int) int {
	last := whole[0]
	for _, i := range whole[1:] {
		if slices.ContainsFunc(c.rows[last+1:i], func(r statementRow) bool {
			return r.hasFigures() && othersShare.MatchString(r.folded)
		}) {
			break
		}
		last = i
	}
	return last
}

// salesAlone gives net revenues to the sales where the sum below them adds income beside them, as Indian law lays it
// out: "Revenue from operations", "Other income", "Total income". What stands beside has a row of its own, and would be
// counted twice.
func (c *chosenRows) salesAlone(candidates map[string][]int) {
	total, ok := c.rowOf["netRevenues"]
	if !ok || c.kind != captions.IncomeStatement {
		return
	}
	sales := c.fromOperations(slices.Concat(candidates["grossRevenues"], candidates["netRevenues"]))
	if len(sales) == 0 && !strings.Contains(c.rows[total].folded, "revenue") {
		sales = candidates["netRevenues"]
	}
	for _, i := range slices.Backward(sales) {
		if i >= total || c.rows[i].rule.Part {
			continue
		}
		sums, beside := make([]decimal.Decimal, len(c.rows[i].figures)), []int(nil)
		for k := i; k < total; k++ {
			r := &c.rows[k]
			if !r.hasFigures() || k > i && !r.isOtherIncome() {
				continue
			}
			for column, m := range r.figures {
				if m != nil {
					sums[column] = sums[column].Add(m.Value.Decimal)
				}
			}
			if k > i {
				beside = append(beside, k)
			}
		}
		if len(beside) > 0 && c.rows[total].equalsWithin(sums, nil, c.slack(1, 0)) {
			c.rowOf["netRevenues"] = i
			c.placeOtherIncome(beside)
			return
		}
	}
}

// netOfReturns tells revenues from what is left of them, where both bear a name of net revenues: between them stands
// what is taken off.
func (c *chosenRows) netOfReturns(sales []int) {
	returns, ok := c.rowOf["returnsAllowances"]
	if !ok || c.kind != captions.IncomeStatement || len(sales) < 2 || sales[0] > returns || sales[1] < returns {
		return
	}
	for column := range c.columnCount() {
		gross, net := c.rows[sales[0]].figures[column], c.rows[sales[1]].figures[column]
		less := c.rows[returns].figures[column]
		if gross != nil && net != nil && less != nil &&
			gross.Value.Sub(less.Value.Abs()).Sub(net.Value.Decimal).Abs().GreaterThan(c.slack(2, column)) {
			return
		}
	}
	c.rowOf["grossRevenues"], c.rowOf["netRevenues"] = sales[0], sales[1]
	c.rows[sales[0]].rule = &captions.Rule{Row: "grossRevenues", Section: "revenue", Anywhere: true}
}

// attributed names the bottom line by those that it belongs to.
var attributed = lazyregexp.New(`^(?:net )?(?:profit|loss|income|earnings|profit loss|loss profit|income loss)` +
	`(?: after (?:income )?tax(?:ation|es)?)?(?: for the (?:financial )?(?:year|period))? attributable to `)

// othersPart is what of a result belongs to others than the owners: never the bottom line.
var othersPart = lazyregexp.New(`\b(?:non ?controlling|minority|preferred)\b`)

// attributedResult takes the result that belongs to the owners for the bottom line where no other is printed.
func (c *chosenRows) attributedResult() {
	taxes, taxed := c.rowOf["incomeTaxes"]
	if _, has := c.rowOf["netIncome"]; has || !taxed || c.kind != captions.IncomeStatement {
		return
	}
	for i := taxes + 1; i < min(len(c.rows), taxes+3); i++ {
		if r := &c.rows[i]; r.hasFigures() && attributed.MatchString(r.folded) &&
			!othersPart.MatchString(r.folded) {
			r.dropped, r.rule = false, &captions.Rule{Row: "netIncome", Section: "otherIncomeExpense", Anywhere: true}
			c.rowOf["netIncome"] = i
			return
		}
	}
}

// isOtherIncome reports whether a line is income that is not from the business itself: other income, interest.
func (r *statementRow) isOtherIncome() bool {
	return r.rule != nil && (r.rule.Row == "otherIncome" || r.rule.Row == "interestIncome") ||
		strings.HasPrefix(r.folded, "other income") || strings.HasPrefix(r.folded, "finance income") ||
		r.rule == nil && slices.ContainsFunc(captions.Books()[captions.IncomeStatement].Find(r.folded),
			func(rule captions.Rule) bool { return rule.Row == "otherIncome" })
}

// placeOtherIncome maps lines of income that is not from the business itself to the rows of other income.
func (c *chosenRows) placeOtherIncome(lines []int) {
	for _, k := range lines {
		r := &c.rows[k]
		if r.section = "otherIncomeExpense"; r.rule == nil || r.rule.Row != "interestIncome" {
			r.rule = &captions.Rule{Row: "otherIncome", Section: "otherIncomeExpense", Anywhere: true}
		}
		if _, taken := c.rowOf[r.rule.Row]; !taken {
			c.rowOf[r.rule.Row] = k
		}
	}
	several := slices.DeleteFunc(slices.Clone(lines), func(k int) bool { return c.rows[k].rule.Row != "otherIncome" })
	if at, ok := c.rowOf["otherIncome"]; ok && len(several) > 1 && slices.Contains(several, at) {
		c.setSum("otherIncome", several)
	}
}

// fromOperations are the sales under the name that Indian law gives them.
func (c *chosenRows) fromOperations(sales []int) []int {
	return slices.DeleteFunc(slices.Clone(sales), func(i int) bool {
		return !strings.HasPrefix(strings.TrimPrefix(c.rows[i].folded, "total "), "revenue from operations")
	})
}

// onlyCosts reports whether a total closes nothing but costs of what was sold, of two kinds or more.
func (r *statementRow) onlyCosts(rows []statementRow) bool {
	return len(r.members) > 1 && !slices.ContainsFunc(r.members, func(k int) bool {
		return !strings.HasPrefix(rows[k].folded, "cost of ") && !strings.HasPrefix(rows[k].folded, "costs of ")
	})
}

package spread

import (
	"regexp"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// placeOther enters the captions without a row that stand below operations, in printed order, when all other lines
// are in: other income, costs where the printed result says that they are, and nothing of what is printed after income
// taxes, which no row of the template takes.
func (c *column) placeOther(kinds []*unmapped) {
	late := c.afterTaxes(kinds)
	for _, u := range kinds[len(kinds)-late:] {
		u.afterTaxes = true
	}
	kinds = kinds[:len(kinds)-late]
	cost := c.costsAmong(kinds)
	for _, u := range kinds {
		if cost[u] {
			u.row = "otherExpenses"
			c.add(u.row, cell{amount: u.amount.Abs(), sources: []dossier.SpreadSource{u.source}})
			continue
		}
		c.placeInCatchAll(u, u.amount)
	}
}

// afterTaxes is how many of the last of some captions are printed after income taxes, as results of discontinued
// operations are: without them the lines give the printed income before taxes, and with them the printed net income.
func (c *column) afterTaxes(kinds []*unmapped) int {
	printed, ok := c.printed["incomeBeforeTaxes"]
	set := calculate(c)
	reported, have := set["reportedNetIncome"]
	if !ok || !have {
		return 0
	}
	before, net := set["incomeBeforeTaxes"].amount, set["netIncome"].amount
	for _, u := range kinds {
		before, net = before.Add(u.amount), net.Add(u.amount)
	}
	agree := func(a, b decimal.Decimal) bool { return a.Sub(b).Abs().LessThanOrEqual(c.tolerance()) }
	if agree(before, printed.amount) || !agree(net, reported.amount) {
		return 0
	}
	for n := 1; n <= len(kinds); n++ {
		before = before.Sub(kinds[len(kinds)-n].amount)
		if agree(before, printed.amount) {
			return n
		}
	}
	return 0
}

// belowTaxes is what is printed between income taxes and net income.
func (c *column) belowTaxes() decimal.Decimal {
	sum := decimal.Zero
	for _, u := range c.unmapped {
		if u.afterTaxes {
			sum = sum.Add(u.amount)
		}
	}
	return sum
}

// Words of costs, and of income that may stand beside them.
var (
	saysCost   = regexp.MustCompile(`(?i)\b(?:expenses?|costs?|charges?|loss(?:es)?|penalt(?:y|ies)|fines?|fees?)\b`)
	saysIncome = regexp.MustCompile(`(?i)\b(?:income|gains?|revenues?|refunds?|recover(?:y|ies))\b`)
)

// costsAmong are the captions that speak of costs and are printed without a sign, where the printed net income comes
// out only when they are taken off.
func (c *column) costsAmong(kinds []*unmapped) map[*unmapped]bool {
	set := calculate(c)
	reported, ok := set["reportedNetIncome"]
	if !ok {
		return nil
	}
	costs, added, taken := map[*unmapped]bool{}, set["netIncome"].amount, set["netIncome"].amount
	for _, u := range kinds {
		added = added.Add(u.amount)
		if u.amount.IsPositive() && saysCost.MatchString(u.caption) && !saysIncome.MatchString(u.caption) {
			costs[u], taken = true, taken.Sub(u.amount)
		} else {
			taken = taken.Add(u.amount)
		}
	}
	off := func(v decimal.Decimal) bool { return v.Sub(reported.amount).Abs().GreaterThan(c.tolerance()) }
	if !off(added) || off(taken) {
		return nil
	}
	return costs
}

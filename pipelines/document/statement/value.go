package statement

import (
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// chosenRows maps the rows of the template to the printed rows of one statement, and lists the printed rows that none
// of them takes.
type chosenRows struct {
	kind     string
	rows     []statementRow
	rowOf    map[string]int  // row by key
	flipped  map[string]bool // keys and sections printed with the other sign
	unmapped []int
	added    map[int]int // of lines of no row: 1 those that add to the results, -1 those that take from them
}

// chooseRows decides which printed row each row of the template is. The total of a group is the row when its
// lines are of no other; of several lines the one with the row's own name is, and parts alone are none: their
// sum is not printed.
func chooseRows(kind string, rows []statementRow) chosenRows {
	c := chosenRows{kind: kind, rows: rows, rowOf: map[string]int{}, flipped: map[string]bool{}}
	for i := range rows {
		c.settleGroup(i)
	}
	candidates := map[string][]int{}
	for i := range rows {
		if r := &rows[i]; r.hasFigures() && !r.dropped && r.rule != nil {
			candidates[r.rule.Row] = append(candidates[r.rule.Row], i)
		}
	}
	for key, at := range candidates {
		if best := c.best(key, at); best >= 0 {
			c.rowOf[key] = best
		}
	}
	c.sumKinds(candidates)
	c.secondTotal(candidates["totalAssets"])
	c.bareTotals()
	c.salesAlone(candidates)
	c.netOfReturns(candidates["netRevenues"])
	c.attributedResult()
	c.takenOffSales()
	c.singleRevenue()
	c.singleCost()
	c.singleEquity()
	c.singleExpense()
	taken := map[int]bool{}
	for _, i := range c.rowOf {
		taken[i] = true
		for _, k := range c.rows[i].parts {
			taken[k] = true
		}
	}
	for i, r := range rows {
		if r.hasFigures() && !r.dropped && !r.running && !taken[i] && !c.isSubtotal(i) && !c.repeatsResult(i) {
			c.unmapped = append(c.unmapped, i)
		}
	}
	return c
}

// secondTotal gives a sheet that prints one caption below both sides ("Bilanzsumme", "Total") the second of them as the
// total of liabilities and equity.
func (c *chosenRows) secondTotal(totals []int) {
	if _, has := c.rowOf["totalLiabilitiesAndEquity"]; has || c.kind != captions.BalanceSheet || len(totals) < 2 {
		return
	}
	first, last := totals[0], totals[len(totals)-1]
	sums := make([]decimal.Decimal, len(c.rows[first].figures))
	for column, m := range c.rows[first].figures {
		if m != nil {
			sums[column] = m.Value.Decimal
		}
	}
	if slices.ContainsFunc(c.rows[first:last], isLiability) && c.rows[last].equals(sums) {
		c.rowOf["totalAssets"], c.rowOf["totalLiabilitiesAndEquity"] = first, last
	}
}

// bareTotals gives a sheet that ends each side with "Total" and no more its totals: the one below what is owed is that
// of liabilities and equity.
func (c *chosenRows) bareTotals() {
	_, assets := c.rowOf["totalAssets"]
	_, owed := c.rowOf["totalLiabilitiesAndEquity"]
	var bare []int
	for i, r := range c.rows {
		if r.hasFigures() && r.folded == "total" && r.rule == nil {
			bare = append(bare, i)
		}
	}
	if c.kind != captions.BalanceSheet || assets || owed || len(bare) != 2 ||
		!c.rows[bare[0]].repeatsRow(c.rows[bare[1]]) {
		return
	}
	first, last := bare[0], bare[1]
	switch before, between := c.rows[:first], c.rows[first+1:last]; {
	case slices.ContainsFunc(before, isLiability) && slices.ContainsFunc(between, isAsset) &&
		!slices.ContainsFunc(before, isAsset):
		c.rowOf["totalLiabilitiesAndEquity"], c.rowOf["totalAssets"] = first, last
	case slices.ContainsFunc(before, isAsset) && slices.ContainsFunc(between, isLiability) &&
		!slices.ContainsFunc(between, isAsset):
		c.rowOf["totalAssets"], c.rowOf["totalLiabilitiesAndEquity"] = first, last
	}
}

// isAsset reports whether a row is an asset.
func isAsset(r statementRow) bool {
	return r.hasFigures() && r.rule != nil && captions.SideName(r.rule.Section) == "assets"
}

// kindsSummed are the rows that lists of accounts or kinds make up together, each line being one whole.
var kindsSummed = text.WordSet("cash inventory")

// sumKinds adds lists of bank and cash accounts, and inventories printed by kind, where no line prints their sum. Cash
// that is restricted is none of it.
func (c *chosenRows) sumKinds(candidates map[string][]int) {
	for key := range kindsSummed {
		var parts []int
		for _, i := range candidates[key] {
			r := c.rows[i]
			if strings.Contains(r.folded, "restricted") || hardToRead(r.tokens) {
				continue
			}
			parts = append(parts, i)
		}
		if whole := slices.DeleteFunc(slices.Clone(parts),
			func(i int) bool { return c.rows[i].rule.Part && len(c.rows[i].members) == 0 }); len(whole) > 0 {
			parts = whole // what is a part of cash by its name alone is none beside cash itself
		}
		if len(parts) < 2 || c.kind != captions.BalanceSheet || !c.areSeparateLines(parts) {
			continue
		}
		c.setSum(key, parts)
	}
}

// setSum makes a row of the template the sum of several lines.
func (c *chosenRows) setSum(key string, parts []int) {
	first := c.rows[parts[0]]
	sum := statementRow{caption: first.caption, folded: first.folded, forms: first.forms, tokens: first.tokens,
		section: first.section, rule: first.rule, parent: first.parent, parts: parts,
		figures: make([]*text.Money, len(first.figures))}
	for _, i := range parts {
		for column, m := range c.rows[i].figures {
			switch {
			case m == nil:
			case sum.figures[column] == nil:
				whole := *m
				sum.figures[column] = &whole
			default:
				sum.figures[column].Value = dossier.Amount{Decimal: sum.figures[column].Value.Add(m.Value.Decimal)}
			}
		}
	}
	c.rows = append(c.rows, sum)
	c.rowOf[key] = len(c.rows) - 1
}

// areSeparateLines reports whether rows are lines of one section, none of them part of another and none a total.
func (c *chosenRows) areSeparateLines(rows []int) bool {
	for _, i := range rows {
		r := c.rows[i]
		if r.section != c.rows[rows[0]].section || slices.Contains(rows, r.parent) || r.total && len(r.members) == 0 {
			return false
		}
	}
	return true
}

// settleGroup decides between the total that closes a group and its lines.
func (c *chosenRows) settleGroup(i int) {
	r := &c.rows[i]
	if len(r.members) == 0 {
		return
	}
	if r.rule != nil && subtotalRows[r.rule.Row] {
		return
	}
	same, other := 0, 0
	for _, k := range r.members {
		switch rule := c.rows[k].rule; {
		case r.rule == nil || c.rows[k].dropped:
		case rule != nil && rule.Row == r.rule.Row:
			same++
		case rule != nil && !generalRows[rule.Row]:
			other++
		}
	}
	if r.rule != nil && r.rule.Row == "cash" && same > 0 && allCash[r.folded] {
		other = 0 // what is as good as cash is in it
	}
	if r.rule == nil || generalRows[r.rule.Row] && same+other > 0 || other > 0 && other >= same {
		r.rule = nil // the lines stay
		return
	}
	c.drop(r.members)
}

// allCash names the total of cash and of what is as good as it, whatever its lines are called.
var allCash = map[string]bool{"total cash and cash equivalents": true, "total cash and equivalents": true,
	"total cash and due from banks": true}

func (c *chosenRows) drop(rows []int) {
	for _, k := range rows {
		c.rows[k].dropped = true
		c.drop(c.rows[k].members)
	}
}

// isSubtotal reports whether a row without a place is the sum of lines that have theirs.
func (c *chosenRows) isSubtotal(i int) bool {
	r := c.rows[i]
	if r.rule != nil && subtotalRows[r.rule.Row] || len(r.members) > 0 {
		return true
	}
	if !r.total {
		return false
	}
	for k := i - 1; k >= 0; k-- {
		switch p := c.rows[k]; {
		case !p.hasFigures() && k == i-1:
			return false
		case p.hasFigures() && !p.total:
			return true
		case p.hasFigures():
			return false
		}
	}
	return false
}

// repeatsResult reports whether an unmapped row of an income statement repeats a result under another name: it prints
// the same figures in every column.
func (c *chosenRows) repeatsResult(i int) bool {
	r := c.rows[i]
	if equity, ok := c.rowOf["totalEquity"]; ok && c.kind == captions.BalanceSheet {
		return r.rule == nil && equity < i && r.repeatsRow(c.rows[equity]) // "Net assets", "Capital and reserves"
	}
	if c.repeatsSumAbove(i) {
		return true
	}
	if c.kind != captions.IncomeStatement || r.rule != nil || r.section == "revenue" || r.section == "costOfRevenues" {
		return false
	}
	for _, key := range []string{"grossProfit", "operatingIncome", "incomeBeforeTaxes", "netIncome"} {
		at, ok := c.rowOf[key]
		if !ok {
			continue
		}
		sums := make([]decimal.Decimal, len(r.figures))
		for column, m := range r.figures {
			if m != nil {
				sums[column] = m.Value.Decimal
			}
		}
		if c.rows[at].equals(sums) {
			return true
		}
	}
	return false
}

// repeatsSumAbove reports whether a row repeats the whole sum above it: "Including: Operating revenue", where there is
// nothing else.
func (c *chosenRows) repeatsSumAbove(i int) bool {
	return i > 0 && ofWhich.MatchString(c.rows[i].caption) && c.rows[i].repeatsRow(c.rows[i-1])
}

// earnedWithin reports whether interest that is earned stands within the financial expenses above, as the interest paid
// right above it does: "Including: Interest expenses".
func (r *statementRow) earnedWithin(above []statementRow) bool {
	n := len(above)
	return n > 0 && r.folded == "interest income" && above[n-1].dropped && ofWhich.MatchString(above[n-1].caption)
}

// ofWhich begins a line that is part of the one above it.
var ofWhich = lazyregexp.New(`(?i)^(?:including|incl\.|of which|thereof|davon|dont|de los cuales|dos quais)\b`)

// best is the row of several with the same meaning, -1 when none of them is it alone.
func (c *chosenRows) best(key string, at []int) int {
	parts, whole := []int{}, []int{}
	for _, i := range c.withFigures(key, at) {
		if c.rows[i].rule.Part && len(c.rows[i].members) == 0 {
			parts = append(parts, i)
		} else {
			whole = append(whole, i)
		}
	}
	switch {
	case len(whole) == 0 && len(parts) == 1:
		return parts[0]
	case len(whole) == 0:
		return -1
	case len(whole) > 1 && generalRows[key]:
		return c.ownNamed(key, whole)
	case len(whole) == 1:
		return whole[0]
	case key == "totalCostOfRevenues" && c.allNameless(whole):
		return -1 // sums of kinds of costs, whose own sum is not printed
	}
	if key == "netIncome" && c.kind == captions.IncomeStatement {
		return c.lastResult(whole)
	}
	if key == "incomeBeforeTaxes" {
		return c.lastBeforeTaxes(whole)
	}
	if outer := slices.DeleteFunc(slices.Clone(whole), func(i int) bool {
		return subtotalRows[key] && slices.Contains(whole, c.rows[i].parent)
	}); len(outer) > 0 {
		whole = outer // the outer one of two sums under one name
	}
	best := whole[0]
	for _, i := range whole[1:] {
		if c.rows[i].outranks(c.rows[best], subtotalRows[key]) {
			best = i
		}
	}
	return best
}

// withFigures leaves out lines that print nothing but dashes and zeros, beside others that print figures: preferred
// stock of which none is issued.
func (c *chosenRows) withFigures(key string, rows []int) []int {
	some := slices.DeleteFunc(slices.Clone(rows), func(i int) bool {
		return !slices.ContainsFunc(c.rows[i].figures, func(m *text.Money) bool {
			return m != nil && !m.Value.IsZero()
		})
	})
	if len(some) == 0 || subtotalRows[key] {
		return rows
	}
	return some
}

// allNameless reports whether rows are sums without captions, none of which is part of another.
func (c *chosenRows) allNameless(rows []int) bool {
	return !slices.ContainsFunc(rows, func(i int) bool {
		return !c.rows[i].nameless || slices.Contains(rows, c.rows[i].parent)
	})
}

// ownNames are what the general rows of a balance sheet are called themselves: beside lines of other names that go
// there, the line of such a name is the row's own.
var ownNames = map[string]map[string]bool{
	"otherCurrentAssets": {"other current assets": true},
	"otherNonCurrentAssets": {
		"other assets": true, "other non current assets": true, "other noncurrent assets": true,
	},
	"otherCurrentLiabilities": {"other current liabilities": true},
	"otherLongTermLiabilities": {"other long term liabilities": true, "other non current liabilities": true,
		"other noncurrent liabilities": true},
}

// ownNamed is the one row of several that bears the name of a general row, -1 when none or more than one does.
func (c *chosenRows) ownNamed(key string, rows []int) int {
	own := slices.DeleteFunc(slices.Clone(rows), func(i int) bool { return !ownNames[key][c.rows[i].folded] })
	if len(own) != 1 {
		return -1
	}
	return own[0]
}

// outranks reports whether a row is the one of a meaning rather than another above it: a total rather than a line,
// then, of subtotals, the outer one, and of lines the one in its own section, under a name that holds everywhere, under
// the better name.
func (r *statementRow) outranks(above statementRow, subtotal bool) bool {
	inOwn, aboveInOwn := r.section == r.rule.Section, above.section == above.rule.Section
	switch {
	case r.total != above.total:
		return r.total
	case subtotal:
		return above.total // the outer total stands last
	case inOwn != aboveInOwn:
		return inOwn
	case r.rule.Anywhere != above.rule.Anywhere:
		return r.rule.Anywhere
	}
	return r.rule.Rank < above.rule.Rank
}

// printed is the figure of a key in a column, as printed; a dash is zero.
func (c *chosenRows) printed(key string, column int) (decimal.Decimal, bool) {
	i, ok := c.rowOf[key]
	if !ok || c.rows[i].figures[column] == nil {
		return decimal.Zero, false
	}
	return c.rows[i].figures[column].Value.Decimal, true
}

// value is the figure of a key with the sign that the spread gives it.
func (c *chosenRows) value(key string, column int) (decimal.Decimal, bool) {
	v, ok := c.printed(key, column)
	if ok && c.changesSign(key, v) {
		v = v.Neg()
	}
	return v, ok
}

// columnCount is how many columns the rows have.
func (c *chosenRows) columnCount() int {
	if len(c.rows) == 0 {
		return 0
	}
	return len(c.rows[0].figures)
}

// unmappedIn are the rows without a place that print a figure in a column, in printed order.
func (c *chosenRows) unmappedIn(column int) []int {
	return slices.DeleteFunc(slices.Clone(c.unmapped), func(i int) bool { return c.rows[i].figures[column] == nil })
}

package spread

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread/layout"
)

// statementColumns maps a financial statement: lines to their rows, printed subtotals apart, captions without a row
// to the catch-all of their section.
func statementColumns(d Document, part dossier.ReadDocument, rows rowOfCaption) []*column {
	f := part.Facts.Statement
	var all []*column
	for at, columns := range [][]dossier.StatementColumn{f.Statements.IncomeStatement, f.Statements.BalanceSheet,
		f.Statements.CashFlow} {
		statement := statements[at]
		for i, printed := range columns {
			c := newColumn(statement, printed)
			if c == nil {
				continue
			}
			c.class, c.currency, c.unit = classOf(part), f.Currency, max(1, f.Unit)
			c.unscaled = c.unit == 1 && warned(part, "scale_unknown")
			if f.EntityName != nil {
				c.entity = []string{*f.EntityName}
			}
			if statement == "incomeStatement" {
				c.basis = f.Basis
			}
			pointer := "/statements/" + statement + "/" + strconv.Itoa(i)
			c.fill(d, part, pointer, printed)
			c.placeAll(rows)
			if len(c.lines) > 0 {
				all = append(all, c)
			}
		}
	}
	return all
}

func warned(part dossier.ReadDocument, code string) bool {
	return slices.ContainsFunc(part.Warnings, func(w dossier.FactWarning) bool { return w.Code == code })
}

// newColumn places a printed column in time; nil when its dates are not known.
func newColumn(statement string, printed dossier.StatementColumn) *column {
	end, ok := dossier.FactDay(printed.End)
	if !ok {
		return nil
	}
	c := &column{statement: statement, label: printed.Label, end: end, lines: map[string]cell{},
		printed: map[string]cell{}}
	if statement == "balanceSheet" {
		c.noStart = true
		return c
	}
	if start, ok := dossier.FactDay(printed.Start); ok {
		c.start = start
		return c
	}
	if printed.Months == nil || *printed.Months < 1 || end != end.MonthEnd() {
		return nil
	}
	c.start = end.MonthStart().AddMonths(1 - *printed.Months)
	return c
}

func (c *column) fill(d Document, part dossier.ReadDocument, pointer string, printed dossier.StatementColumn) {
	for _, row := range Template().Of(c.statement) {
		amount, ok := printed.Values[row.Key]
		if !ok {
			continue
		}
		v := cell{amount: amount.Decimal,
			sources: []dossier.SpreadSource{sourceOf(d, part, pointer+"/values/"+row.Key, row.Label, amount.String(),
				"row")}}
		switch {
		case row.Key == "netIncome" && c.statement == "incomeStatement":
			c.lines["reportedNetIncome"] = v
		case row.Computed == "never" || row.Computed == "derived":
			if row.Sign == "negative" && v.amount.IsPositive() {
				v.amount = v.amount.Neg()
			}
			c.lines[row.Key] = v
		default:
			c.printed[row.Key] = v
		}
	}
	if printed.Coverage != nil {
		c.covered, c.unread = true, max(0, printed.Coverage.Unexplained-withoutRow(printed.Unmapped))
	}
	for i, u := range printed.Unmapped {
		at := fmt.Sprintf("%s/unmapped/%d/amount", pointer, i)
		c.unmapped = append(c.unmapped, unmapped{caption: u.Caption, section: u.Section, amount: u.Amount.Decimal,
			partOf: u.Row,
			source: sourceOf(d, part, at, u.Caption, u.Amount.String(), "catchAll")})
	}
}

// withoutRow counts the captions that the reader could not place.
func withoutRow(list []dossier.UnmappedCaption) int {
	n := 0
	for _, u := range list {
		if u.Row == "" {
			n++
		}
	}
	return n
}

// placeAll puts captions that are no row by themselves into the row an analyst chose, else into the one the reader
// says they are a line of, else into the row of which they are a synonym in their section, else into the catch-all.
// Captions whose section is not known come last: only then can the printed subtotals say where one is missing.
func (c *column) placeAll(rows rowOfCaption) {
	var sales, other, unknown []*unmapped
	for i := range c.unmapped {
		u := &c.unmapped[i]
		if key := rows.of(c.statement, u.caption); key != "" {
			c.enter(u, key, "mapping")
		} else if row := Template().Row(c.statement, u.partOf); row != nil && row.Input() {
			c.enter(u, u.partOf, "row")
		} else if key := synonym(c.statement, u.section, u.caption); key != "" && key != "grossRevenues" {
			c.enter(u, key, "synonym")
		} else if u.section == "revenue" {
			sales = append(sales, u)
		} else if u.section == "otherIncomeExpense" {
			other = append(other, u)
		} else if u.section != "" {
			c.placeInCatchAll(u, u.amount)
		} else {
			unknown = append(unknown, u)
		}
	}
	c.placeSales(sales)
	c.placeBareTotals()
	c.placeOther(other)
	for _, u := range unknown {
		c.placeBySubtotal(u)
	}
}

// placeSales enters kinds of sales as gross revenues when they add up to the printed net revenues, or when none are
// printed. Else they stay out: the printed total holds them, and counts alone.
func (c *column) placeSales(kinds []*unmapped) {
	printed, total := c.printed["netRevenues"]
	sum := c.lineOrSum("netRevenues").Amount
	for _, u := range kinds {
		sum = sum.Add(u.amount)
	}
	if !total || sum.Sub(printed.amount).Abs().LessThanOrEqual(c.tolerance()) {
		for _, u := range kinds {
			c.enter(u, "grossRevenues", "section")
		}
		return
	}
	for _, u := range kinds {
		u.row = "netRevenues"
	}
	returns, have := c.lines["returnsAllowances"]
	if _, gross := c.lines["grossRevenues"]; have && !gross { // what they were taken off is printed nowhere else
		printed.amount = printed.amount.Add(returns.amount)
		c.lines["grossRevenues"] = printed
	}
}

// placeBySubtotal places a caption whose section is not known: where a printed subtotal lacks just its amount; on an
// income statement that does not foot without it, among operating expenses. Elsewhere it stays out, and what is missing
// shows in the checks: another figure may hold it already, as a total of revenue holds a kind of sales.
func (c *column) placeBySubtotal(u *unmapped) {
	section, amount := c.missingFrom(u.amount)
	if section == "" && (c.statement != "incomeStatement" || c.foots()) {
		return
	}
	u.section = cmp.Or(section, "operatingExpenses")
	c.placeInCatchAll(u, amount)
}

// foots reports whether the lines of an income statement give its printed bottom line, or the last subtotal that is
// printed above it.
func (c *column) foots() bool {
	set := calculate(c)
	if reported, ok := set["reportedNetIncome"]; ok {
		return set["netIncome"].amount.Sub(reported.amount).Abs().LessThanOrEqual(c.tolerance())
	}
	for _, key := range []string{"incomeBeforeTaxes", "operatingIncome"} {
		if printed, ok := c.printed[key]; ok {
			return set[key].amount.Sub(printed.amount).Abs().LessThanOrEqual(c.tolerance())
		}
	}
	return false
}

func (c *column) enter(u *unmapped, key, method string) {
	row := Template().Row(c.statement, key)
	amount := u.amount
	if row.Sign == "negative" && amount.IsPositive() {
		amount = amount.Neg()
	}
	u.row, u.source.Method = key, method
	c.add(key, cell{amount: amount, sources: []dossier.SpreadSource{u.source}})
}

// placeInCatchAll enters a caption without a row in the catch-all row of its section.
func (c *column) placeInCatchAll(u *unmapped, amount decimal.Decimal) {
	row := Template().CatchAll[u.section]
	if row == "" || Template().Row(c.statement, row) == nil {
		return
	}
	if u.section == "otherIncomeExpense" && c.lacksExpense(u.amount) {
		row, amount = "otherExpenses", u.amount.Abs()
	}
	u.row = row
	c.add(row, cell{amount: amount, sources: []dossier.SpreadSource{u.source}})
}

// missingFrom finds the section whose printed subtotal lacks amount. Of costs stored positive the printed amount
// may be negative.
func (c *column) missingFrom(amount decimal.Decimal) (string, decimal.Decimal) {
	section, value, found := "", amount, 0
	for _, row := range Template().Of(c.statement) {
		if gap, ok := c.gap(row); ok && Template().CatchAll[row.Section] != "" && row.Kind == "subtotal" &&
			row.Section != section {
			if gap.Equal(amount) || gap.Equal(amount.Neg()) {
				section, value = row.Section, gap
				found++
			}
		}
	}
	if found != 1 {
		return "", amount
	}
	return section, value
}

// lacksExpense reports whether other income and expense lacks an expense of this amount.
func (c *column) lacksExpense(amount decimal.Decimal) bool {
	row := Template().Row(c.statement, "totalOtherIncomeExpense")
	gap, ok := c.gap(*row)
	return ok && gap.Equal(amount.Abs().Neg())
}

// gap is what a printed subtotal has more than the lines below it.
func (c *column) gap(row layout.Row) (decimal.Decimal, bool) {
	printed, ok := c.printed[row.Key]
	if !ok || row.Formula.Empty() {
		return decimal.Zero, false
	}
	sum := row.Formula.Eval(layout.FormulaScope{Ref: c.lineOrSum})
	return printed.amount.Sub(sum.Amount), true
}

// lineOrSum is a row of the column: a line, or a subtotal calculated from lines.
func (c *column) lineOrSum(key string) layout.Operand {
	if v, ok := c.lines[key]; ok {
		return layout.Operand{Amount: v.amount, Present: true}
	}
	row := Template().Row(c.statement, key)
	if row == nil || row.Formula.Empty() {
		return layout.Operand{}
	}
	return row.Formula.Eval(layout.FormulaScope{Ref: c.lineOrSum})
}

// placeBareTotals enters sections that print only their total. Source: template.yaml, mapping.undetailedSection; a net
// amount of fixed assets alone goes to the gross row (note of grossFixedAssets).
func (c *column) placeBareTotals() {
	for _, row := range Template().Of(c.statement) {
		printed, ok := c.printed[row.Key]
		if !ok || row.Kind != "subtotal" && row.Key != "totalAssets" || c.lineOrSum(row.Key).Present {
			continue
		}
		if target := catchAllOf(row); target != "" {
			for i := range printed.sources {
				printed.sources[i].Method = "section"
			}
			c.lines[target] = printed
			// their total may be their only line
			if row.Key != "netRevenues" && row.Key != "totalCostOfRevenues" && row.Key != "netFixedAssets" {
				c.undetailedTotals = append(c.undetailedTotals, row.Label)
			}
		}
	}
}

// catchAllOf is the row that takes the total of a section printed without lines; empty for a figure that is not a
// section's total.
func catchAllOf(total layout.Row) string {
	switch total.Key {
	case "netRevenues":
		return "grossRevenues"
	case "totalCostOfRevenues":
		return "cogsGoodsMaterials"
	case "netFixedAssets":
		return "grossFixedAssets"
	case "grossProfit", "operatingIncome", "incomeBeforeTaxes":
		return ""
	}
	return Template().CatchAll[total.Section]
}

package spread

import (
	"fmt"
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// statementColumns maps a financial statement: lines to their rows, printed subtotals apart, captions without a row
// to the catch-all of their section.
func statementColumns(d Document, part dossier.ReadDocument, rows rowOfCaption) []*column {
	f := part.Facts.Statement
	var all []*column
	for at, columns := range [][]dossier.StatementColumn{f.Statements.IncomeStatement, f.Statements.BalanceSheet, f.Statements.CashFlow} {
		statement := statements[at]
		for i, printed := range columns {
			c := newColumn(statement, printed)
			if c == nil {
				continue
			}
			c.class, c.currency, c.unit = classOf(part), f.Currency, max(1, f.Unit)
			if f.EntityName != nil {
				c.entity = []string{*f.EntityName}
			}
			if statement == "incomeStatement" {
				c.basis = f.Basis
			}
			pointer := "/statements/" + statement + "/" + strconv.Itoa(i)
			c.fill(d, part, pointer, printed)
			c.placeAll(rows)
			c.undetailed()
			if len(c.lines) > 0 {
				all = append(all, c)
			}
		}
	}
	return all
}

// newColumn places a printed column in time; nil when its dates are not known.
func newColumn(statement string, printed dossier.StatementColumn) *column {
	end, ok := dossier.FactDay(printed.End)
	if !ok {
		return nil
	}
	c := &column{statement: statement, label: printed.Label, end: end, lines: map[string]cell{}, printed: map[string]cell{}}
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
		v := cell{amount: amount.Decimal, sources: []dossier.SpreadSource{sourceOf(d, part, pointer+"/values/"+row.Key, row.Label, amount.String(), "row")}}
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
	for i, u := range printed.Unmapped {
		at := fmt.Sprintf("%s/unmapped/%d/amount", pointer, i)
		c.unmapped = append(c.unmapped, unmapped{caption: u.Caption, section: u.Section, amount: u.Amount.Decimal, partOf: u.Row,
			source: sourceOf(d, part, at, u.Caption, u.Amount.String(), "catchAll")})
	}
}

// placeAll puts captions that are no row by themselves into the row an analyst chose, else into the one the reader
// says they are a line of, else into the row of which they are a synonym in their section, else into the catch-all.
// A kind of sales stays out where the total of sales is printed: the total holds it.
func (c *column) placeAll(rows rowOfCaption) {
	_, sales := c.printed["netRevenues"]
	for i := range c.unmapped {
		u := &c.unmapped[i]
		if key := rows.of(c.statement, u.caption); key != "" {
			c.enter(u, key, "mapping")
		} else if row := Template().Row(c.statement, u.partOf); row != nil && row.Input() {
			c.enter(u, u.partOf, "row")
		} else if sales && u.section == "revenue" {
			u.row = "netRevenues"
		} else if key := synonym(c.statement, u.section, u.caption); key != "" {
			c.enter(u, key, "synonym")
		} else {
			c.place(u)
		}
	}
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

// place puts a caption without a row into the catch-all of its section. A section that is not known is found by
// the printed subtotal that lacks just this amount; operating expenses are the usual place on an income statement.
// On a balance sheet or cash flow a caption that fits nowhere stays out, and the gap shows in the checks.
func (c *column) place(u *unmapped) {
	amount := u.amount
	if u.section == "" {
		u.section, amount = c.missingFrom(u.amount)
	}
	if u.section == "" && c.statement == "incomeStatement" {
		u.section = "operatingExpenses"
	}
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
		if gap, ok := c.gap(row); ok && Template().CatchAll[row.Section] != "" && row.Kind == "subtotal" && row.Section != section {
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
func (c *column) gap(row dossier.SpreadRow) (decimal.Decimal, bool) {
	printed, ok := c.printed[row.Key]
	if !ok || row.Formula.Empty() {
		return decimal.Zero, false
	}
	sum := row.Formula.Eval(dossier.FormulaScope{Ref: c.lineOrSum})
	return printed.amount.Sub(sum.Amount), true
}

// lineOrSum is a row of the column: a line, or a subtotal calculated from lines.
func (c *column) lineOrSum(key string) dossier.Operand {
	if v, ok := c.lines[key]; ok {
		return dossier.Operand{Amount: v.amount, Present: true}
	}
	row := Template().Row(c.statement, key)
	if row == nil || row.Formula.Empty() {
		return dossier.Operand{}
	}
	return row.Formula.Eval(dossier.FormulaScope{Ref: c.lineOrSum})
}

// undetailed enters sections that print only their total. Source: template.yaml, mapping.undetailedSection; a net
// amount of fixed assets alone goes to the gross row (note of grossFixedAssets).
func (c *column) undetailed() {
	for _, row := range Template().Of(c.statement) {
		printed, ok := c.printed[row.Key]
		if !ok || row.Kind != "subtotal" && row.Key != "totalAssets" || c.lineOrSum(row.Key).Present {
			continue
		}
		if target := landing(row); target != "" {
			for i := range printed.sources {
				printed.sources[i].Method = "section"
			}
			c.lines[target] = printed
		}
	}
}

// landing is the row that takes the total of a section without lines; empty for a figure that is no section's total.
func landing(total dossier.SpreadRow) string {
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

package statement

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// columnOf are the figures of one column, for the arithmetic of statements.
type columnOf struct {
	*chosenRows
	column int
}

func (c columnOf) Figure(key string) (decimal.Decimal, bool) { return c.value(key, c.column) }
func (c columnOf) FigureOrParts(key string) (decimal.Decimal, bool) {
	return c.valueOrParts(key, c.column)
}
func (c columnOf) Above(result, key string) bool { return c.above(result, key) }
func (c columnOf) HasRow(key string) bool        { _, has := c.rowOf[key]; return has }
func (c columnOf) Unplaced() bool                { return c.unplaced(c.column) }
func (c columnOf) Slack(n int) decimal.Decimal   { return c.slack(n, c.column) }

// above reports whether the row of a key is printed above the one of another.
func (c *chosenRows) above(result, key string) bool {
	at, ok := c.rowOf[key]
	end, has := c.rowOf[result]
	if ok && len(c.rows[at].parts) > 0 {
		at = slices.Max(c.rows[at].parts) // a sum stands where its last line does
	}
	return ok && has && at < end
}

// valueOrParts is the figure of a key, or the sum of the lines that make its row together. Kinds of sales are not
// all that sales are.
func (c *chosenRows) valueOrParts(key string, column int) (decimal.Decimal, bool) {
	if v, ok := c.value(key, column); ok || subtotalRows[key] {
		return v, ok
	}
	sum, some := decimal.Zero, false
	for _, i := range c.unmapped {
		if r := c.rows[i]; r.rule != nil && r.rule.Row == key && r.rule.Section != "revenue" &&
			r.figures[column] != nil {
			sum, some = sum.Add(r.figures[column].Value.Decimal), true
		}
	}
	return sum, some
}

// unplaced reports whether a line of other income and expense without a row prints a figure in a column.
func (c *chosenRows) unplaced(column int) bool {
	return slices.ContainsFunc(c.unmapped, func(i int) bool {
		r := c.rows[i]
		return r.rule == nil && r.section == "otherIncomeExpense" && r.figures[column] != nil
	})
}

// slack is the rounding that n figures printed without cents may hide, half a unit each; with cents none.
func (c *chosenRows) slack(n, column int) decimal.Decimal {
	for _, r := range c.rows {
		if f := r.figures[column]; f != nil && f.Places() == 2 && !r.dropped {
			return decimal.New(1, -2)
		}
	}
	return decimal.New(int64(n), 0).Div(decimal.New(2, 0))
}

// holding counts the equations that hold less those that fail, over all columns: the measure of a reading.
func (c *chosenRows) holding() int {
	n := 0
	for column := range c.columnCount() {
		for _, r := range dossier.StatementSums(c.kind, columnOf{c, column}) {
			if r.Holds {
				n++
			} else {
				n--
			}
		}
	}
	return n
}

// check reports the arithmetic of one column.
func (c *chosenRows) check(f *text.Findings, column int, label string) {
	if check, ok := dossier.StatementCheck(c.kind, label, columnOf{c, column}); ok {
		f.Checks = append(f.Checks, check)
	}
}

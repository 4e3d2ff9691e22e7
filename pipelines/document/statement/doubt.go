package statement

import (
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// likelyMisread are the rows of a scan whose figure in a column was probably misread: it was hard to read, a sum that
// includes it does not hold, and no other sum confirms it. They are left out, because a wrong figure is worse than
// none.
func (c *chosenRows) likelyMisread(column int) map[int]bool {
	sure, doubt := map[int]bool{}, map[int]bool{}
	put := func(holds bool, rows []int) {
		for _, k := range rows {
			if holds {
				sure[k] = true
			} else {
				doubt[k] = true
			}
		}
	}
	results := dossier.StatementSums(c.kind, columnOf{c, column})
	for _, e := range dossier.StatementEquations[c.kind] {
		if t, ok := e.Try(columnOf{c, column}); ok && (t.Holds || !results[e.Result].Holds) {
			put(t.Holds, c.termsOf(e))
		}
	}
	for i, r := range c.rows {
		if sum, n := c.groupSum(r, column); n > 0 {
			gap := sum.Sub(r.figures[column].Value.Decimal).Abs()
			put(gap.LessThanOrEqual(c.slack(n+1, column)), append(append([]int(nil), r.members...), i))
		}
	}
	for k := range doubt {
		if m := c.rows[k].figures[column]; sure[k] || m == nil || !hardToRead(c.rows[k].tokensOf(column)) {
			delete(doubt, k)
		}
	}
	return doubt
}

// hardToRead says that figures of a scan may have been misread: OCR was not sure of them, or they are not written as
// figures of statements are: "66,25" lost a digit, and what ends in a minus the bracket that began it.
func hardToRead(tokens []text.Token) bool {
	for _, t := range tokens {
		if t.Method == text.MethodOCR && (t.Confidence < text.SurelyPrinted || oddFigure.MatchString(t.Text)) {
			return true
		}
	}
	return false
}

var oddFigure = lazyregexp.New(`,\d{1,2}\D*$|,\d{4}|\d-$`)

// termsOf are the rows that an equation is about.
func (c *chosenRows) termsOf(e dossier.StatementEquation) []int {
	var rows []int
	for _, term := range append(strings.Fields(e.Terms), e.Result) {
		if k, ok := c.rowOf[strings.TrimLeft(term, "-?")]; ok {
			rows = append(rows, k)
		}
	}
	return rows
}

// groupSum adds the lines of a group; n is how many print a figure in the column, 0 when the row is no total of a
// group or prints none itself.
func (c *chosenRows) groupSum(r statementRow, column int) (sum decimal.Decimal, n int) {
	if len(r.members) == 0 || r.figures[column] == nil {
		return sum, 0
	}
	for _, k := range r.members {
		if c.rows[k].figures[column] != nil {
			sum, n = sum.Add(c.rows[k].term(column)), n+1
		}
	}
	return sum, n
}

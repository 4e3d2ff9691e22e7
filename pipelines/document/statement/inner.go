package statement

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// innerStep is how far left of the sums their details stand at least, in points; cells stand a column apart.
const innerStep = 24

// markInner finds the rows whose figure stands in a column of details, left of the column of their sums: where one
// period has two columns of money, and both hold more than a stray figure.
func markInner(rows []statementRow) {
	var edges []float64
	cells := false
	for _, r := range rows {
		if !r.has() || r.nameless {
			continue
		}
		if len(r.figures) != 1 {
			return // more than one period
		}
		edges = append(edges, r.edge)
		cells = cells || r.tokens[0].Cell != ""
	}
	if len(edges) < 4 {
		return
	}
	outer, step := slices.Max(edges), float64(innerStep)
	if cells {
		step = text.ColumnWidth * 0.99
	}
	inner := 0
	for _, e := range edges {
		if e <= outer-step {
			inner++
		}
	}
	if inner < 2 || len(edges)-inner < 2 {
		return
	}
	for i := range rows {
		rows[i].inner = rows[i].has() && rows[i].edge <= outer-step
	}
}

// innerRun is the first of the details right above a row of the column of sums, headings among them or not, that add up
// to it as they are printed; -1 when it is no such sum. What its caption says does not matter: the columns tell.
func innerRun(rows []statementRow, at int) int {
	if rows[at].inner || len(rows[at].figures) != 1 || rows[at].figures[0] == nil {
		return -1
	}
	sum, n, first := decimal.Zero, 0, -1
	for i := at - 1; i >= 0; i-- {
		r := &rows[i]
		if !r.has() {
			continue
		}
		if !r.inner || r.figures[0] == nil || r.parent >= 0 {
			break
		}
		sum, n, first = sum.Add(r.term(0)), n+1, i
	}
	if n < 2 || sum.IsZero() || !sum.Equal(rows[at].figures[0].Value.Decimal) {
		return -1
	}
	return first
}

package statement

import (
	"slices"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// checkpoints are the printed results of an income statement, each what is left of the one before it and the lines
// between.
var checkpoints = text.WordSet("grossProfit operatingIncome incomeBeforeTaxes netIncome")

// mostUnknown is how many lines between two results may be of no row for their signs to be found by trying.
const mostUnknown = 6

// signSolver computes an income statement downwards, from revenue through every line to each printed result, and finds
// the signs of the lines that are mapped to no row.
type signSolver struct {
	*chosenRows
	valid []bool            // columns in which all results so far are printed
	at    []decimal.Decimal // the running amount of each column
	// of the rows tried since the last result: those of no row, with the sign that they are tried with; 0 is a result
	// in itself under a name that no list knows
	signs map[int]int
	found []map[int]int // readings under which the result comes out
	exact []map[int]int // those of them under which nothing is left to rounding
}

// solveSigns finds which unmapped lines add to an income statement's results and which are subtracted: the one set of
// signs under which a printed result comes out in every column. A line that is itself a result under another name is
// dropped from the unmapped ones.
func (c *chosenRows) solveSigns() {
	c.added = map[int]int{}
	if c.kind != captions.IncomeStatement || len(c.rows) == 0 {
		return
	}
	terms := c.statementTerms()
	r := &signSolver{chosenRows: c, valid: make([]bool, c.columnCount()), at: make([]decimal.Decimal, c.columnCount())}
	for column := range r.at {
		r.valid[column] = true
		r.at[column], _ = c.value("netRevenues", column)
	}
	begin := 0
	for i, k := range terms {
		if !c.isCheckpoint(k) {
			continue
		}
		r.solve(terms[begin:i], k)
		begin = i + 1
		for column := range r.at {
			if v, ok := c.valueAt(k, column); ok {
				r.at[column], r.valid[column] = v, true
			} else {
				r.valid[column] = false
			}
		}
	}
	c.unmapped = slices.DeleteFunc(c.unmapped, func(k int) bool { sign, ok := c.added[k]; return ok && sign == 0 })
}

// statementTerms are the rows below revenue that stand for themselves, results among them, in printed order.
func (c *chosenRows) statementTerms() []int {
	first := -1
	if at, ok := c.rowOf["netRevenues"]; ok {
		first = at
	}
	var terms []int
	for i, r := range c.rows {
		result := c.isCheckpoint(i)
		switch {
		case i <= first, !r.hasFigures(), r.outside, r.dropped, len(r.parts) > 0, c.repeatsSumAbove(i):
		case !result && r.parent >= 0 && !c.isCheckpoint(r.parent) && !c.isIncomeBesideSales(i, first):
		case first >= 0 && (r.parent == first || !result && isSale(r)):
		default:
			terms = append(terms, i)
		}
	}
	return terms
}

// isIncomeBesideSales reports whether a row is other income within a printed total of all income, where the line of
// sales above it is the statement's revenue.
func (c *chosenRows) isIncomeBesideSales(i, revenue int) bool {
	r := c.rows[i]
	return revenue >= 0 && r.parent > i && r.parent != revenue && r.rule != nil && !isSale(r) &&
		isSale(c.rows[r.parent]) && slices.Contains(c.rows[r.parent].members, revenue)
}

// isSale reports whether a row is of what was sold: other income that a list prints beside sales is none.
func isSale(r statementRow) bool {
	return r.rule != nil && (r.rule.Row == "grossRevenues" || r.rule.Row == "netRevenues")
}

// isCheckpoint reports whether a row is the one that the template's result is read from.
func (c *chosenRows) isCheckpoint(i int) bool {
	rule := c.rows[i].rule
	if rule == nil || !checkpoints[rule.Row] {
		return false
	}
	at, ok := c.rowOf[rule.Row]
	return ok && at == i
}

// solve looks for the reading of the lines before a result under which it comes out, and keeps it when there is one
// only.
func (r *signSolver) solve(lines []int, result int) {
	unknown := 0
	for _, k := range lines {
		if r.isUnknown(k) {
			unknown++
		}
	}
	if unknown == 0 || unknown > mostUnknown || !slices.Contains(r.valid, true) {
		return
	}
	r.found, r.exact, r.signs = nil, nil, map[int]int{}
	r.try(lines, 0, slices.Clone(r.at), result)
	if len(r.exact) == 1 {
		r.found = r.exact
	}
	if len(r.found) == 1 {
		for k, sign := range r.found[0] {
			r.added[k] = sign
		}
	}
}

// try goes on with the line at place n of lines.
func (r *signSolver) try(lines []int, n int, at []decimal.Decimal, result int) {
	switch {
	case len(r.exact) > 1:
		return
	case n == len(lines):
		if r.reaches(at, result, n) {
			reading := map[int]int{}
			for k, sign := range r.signs {
				reading[k] = sign
			}
			r.found = append(r.found, reading)
			if r.matchesExactly(at, result) {
				r.exact = append(r.exact, reading)
			}
		}
		return
	}
	k := lines[n]
	if !r.isUnknown(k) {
		if !checkpoints[r.rows[k].rule.Row] || !r.reaches(at, k, n) { // else a result before the one that is read
			at = r.moved(at, k, r.signOf(k))
		}
		r.try(lines, n+1, at, result)
		return
	}
	if n > 0 && r.reaches(at, k, n) {
		r.signs[k] = 0
		r.try(lines, n+1, at, result)
		delete(r.signs, k)
		return
	}
	for _, sign := range []int{1, -1} {
		r.signs[k] = sign
		r.try(lines, n+1, r.moved(at, k, sign), result)
		if r.zero(k) {
			break
		}
	}
	delete(r.signs, k)
}

// isUnknown reports whether a row is of no row of the template, nor a sum that is known.
func (r *signSolver) isUnknown(k int) bool {
	return r.rows[k].rule == nil
}

// signOf is how a known row enters the running amount.
func (r *signSolver) signOf(k int) int {
	switch rule := r.rows[k].rule; {
	case costSections[rule.Section], takenRows[rule.Row]:
		return -1
	}
	return 1
}

// takenRows are lines outside costs and expenses that take from a result.
var takenRows = text.WordSet("interestExpense otherExpenses incomeTaxes returnsAllowances")

func (r *signSolver) moved(at []decimal.Decimal, k, sign int) []decimal.Decimal {
	next := slices.Clone(at)
	for column := range next {
		if v, ok := r.valueAt(k, column); ok {
			next[column] = next[column].Add(v.Mul(decimal.NewFromInt(int64(sign))))
		}
	}
	return next
}

// reaches reports whether a row prints the running amount in every column that can tell.
func (r *signSolver) reaches(at []decimal.Decimal, k, lines int) bool {
	told := false
	for column := range at {
		v, ok := r.valueAt(k, column)
		if !ok || !r.valid[column] {
			continue
		}
		if v.Sub(at[column]).Abs().GreaterThan(r.slack(lines+2, column)) {
			return false
		}
		told = told || !v.IsZero()
	}
	return told
}

// matchesExactly reports whether a row prints the running amount exactly in every column where that can be checked.
func (r *signSolver) matchesExactly(at []decimal.Decimal, k int) bool {
	for column := range at {
		if v, ok := r.valueAt(k, column); ok && r.valid[column] && !v.Equal(at[column]) {
			return false
		}
	}
	return true
}

func (r *signSolver) zero(k int) bool {
	for _, m := range r.rows[k].figures {
		if m != nil && !m.Value.IsZero() {
			return false
		}
	}
	return true
}

// valueAt is the figure of a row with the sign that the spread gives it: a cost positive, a row of none as printed.
func (c *chosenRows) valueAt(i, column int) (decimal.Decimal, bool) {
	r := c.rows[i]
	if r.figures[column] == nil {
		return decimal.Zero, false
	}
	if r.rule != nil {
		if at, ok := c.rowOf[r.rule.Row]; ok && at == i {
			return c.value(r.rule.Row, column)
		}
	}
	v := r.term(column)
	switch {
	case r.rule == nil:
	case absoluteRows[r.rule.Row] && v.IsNegative(), negativeRows[r.rule.Row] && v.IsPositive(),
		costSections[r.rule.Section] && (c.flipped[r.rule.Section] || minusForLoss.MatchString(r.caption)):
		v = v.Neg()
	}
	return v, true
}

// placeOf is the row of a line of no row whose sign the results tell, and its amount with the sign of that row.
func (c *chosenRows) placeOf(i, column int) (row string, amount decimal.Decimal, ok bool) {
	sign, known := c.signFromResults(i, column)
	if !known || sign == 0 {
		return "", decimal.Zero, false
	}
	v := c.rows[i].term(column).Mul(decimal.NewFromInt(int64(sign)))
	switch section := c.rows[i].section; {
	case section == "costOfRevenues":
		return "cogsOther", v.Neg(), true
	case section == "otherIncomeExpense", v.IsPositive() && section == "", !c.beforeOperating(i), c.aboveExpenses(i):
		return "otherIncome", v, true
	}
	return "otherOperatingExpenses", v.Neg(), true
}

// aboveExpenses reports whether a line stands above all that the printed total of expenses closes, as what a bank
// provides for losses does: it is none of them.
func (c *chosenRows) aboveExpenses(i int) bool {
	total, ok := c.rowOf["totalOperatingExpenses"]
	return ok && c.rows[i].section != "operatingExpenses" && len(c.rows[total].members) > 1 &&
		c.rows[total].members[0] < total && i < c.rows[total].members[0]
}

// signFromResults is the sign of a line, or of the printed sum that it is part of, that makes the results come out.
func (c *chosenRows) signFromResults(i, column int) (sign int, known bool) {
	for range 9 {
		if sign, known = c.added[i]; known {
			return sign, true
		}
		if i = c.rows[i].parent; i < 0 || c.rows[i].rule != nil || !c.groupFoots(i, column) {
			break
		}
	}
	return 0, false
}

// groupFoots reports whether a printed sum is that of its lines in a column.
func (c *chosenRows) groupFoots(i, column int) bool {
	sum, n := c.groupSum(c.rows[i], column)
	return n > 0 && sum.Sub(c.rows[i].figures[column].Value.Decimal).Abs().LessThanOrEqual(c.slack(n+1, column))
}

// beforeOperating reports whether a row stands above the operating result; without one, above the result before taxes.
func (c *chosenRows) beforeOperating(i int) bool {
	for _, key := range []string{"operatingIncome", "incomeBeforeTaxes", "netIncome"} {
		if at, ok := c.rowOf[key]; ok {
			return i < at
		}
	}
	return true
}

// inProvenGroup reports whether a row is a line of a printed sum of known meaning that comes out.
func (c *chosenRows) inProvenGroup(i, column int) bool {
	for range 9 {
		i = c.rows[i].parent
		if i < 0 || !c.groupFoots(i, column) {
			return false
		}
		if rule := c.rows[i].rule; rule != nil && !checkpoints[rule.Row] {
			return true
		}
	}
	return false
}

// markRunning finds the sums of an activity's lines so far that a statement of cash flows prints under names of its
// own. That of the operations which go on is one by its name, be it of a single line.
func markRunning(rows []statementRow) {
	section, first := "", 0
	for i := range rows {
		r := &rows[i]
		if r.hasFigures() && r.section != section { // a heading within an activity begins none
			section, first = r.section, i
		}
		result := r.rule != nil && r.rule.Row == "netIncome" // of operations that go on, below the one of all
		if !r.hasFigures() || r.rule != nil && !result || r.dropped || r.outside || section == "summary" {
			continue
		}
		sums, n := sumsSince(rows, first, i)
		if r.running = r.running || n > 1 && r.equals(sums); r.running {
			r.rule = nil
		}
	}
}

// sumsSince adds the lines from one place up to another by column, but those within a sum that is added.
func sumsSince(rows []statementRow, first, last int) (sums []decimal.Decimal, n int) {
	sums = make([]decimal.Decimal, len(rows[last].figures))
	for k := first; k < last; k++ {
		r := &rows[k]
		if !r.hasFigures() || r.outside || r.running || r.parent >= 0 && r.parent < last {
			continue
		}
		n++
		for column, m := range r.figures {
			if m != nil {
				sums[column] = sums[column].Add(r.term(column))
			}
		}
	}
	return sums, n
}

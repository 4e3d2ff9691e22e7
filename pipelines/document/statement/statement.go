// Package statement reads financial statements: income statements, balance sheets and cash flow statements.
package statement

import (
	"slices"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Read reads the statements of a set: income statement, balance sheet and cash flow, each
// with its columns. Source: facts.md, row financial_statement.
func Read(s text.Segment) text.Findings {
	s.Style = groupingOf(s)
	r := &statementReader{segment: s, facts: &dossier.StatementFacts{Unit: 1}}
	r.found.Facts.Statement = r.facts
	for _, b := range statementBlocks(s) {
		if read, ok := readBlock(b, s); ok {
			r.blocks = append(r.blocks, read)
		}
	}
	r.keepPrimary()
	r.settlePeriods()
	r.dropShared()
	r.head()
	for _, b := range r.blocks {
		r.write(b)
	}
	r.warn()
	return r.found
}

// statementReader collects the facts of one document.
type statementReader struct {
	segment text.Segment
	facts   *dossier.StatementFacts
	found   text.Findings
	blocks  []*readStatement
}

// readStatement is a block with its periods and the meaning of its rows.
type readStatement struct {
	kind    string
	title   string
	weak    bool        // no title says what it is
	head    []text.Line // above the first row
	periods []statementPeriod
	heads   [][]text.Token
	chosen  chosen
	unit    int64
	units   []int64 // by column, where they are not in one
	scale   []text.Token
	printed bool // the scale is printed
}

// readBlock reads the rows of a block under the reading in which most equations hold; ok is false when it
// has no columns or no row that the template knows.
func readBlock(b *statementBlock, s text.Segment) (*readStatement, bool) {
	if b.kind == "" {
		return nil, false
	}
	var best *readStatement
	score := 0
	for _, reading := range statementReadings {
		r, ok := reading.read(b, s)
		if !ok {
			continue
		}
		if n := 4*r.chosen.holding() + len(r.chosen.of); best == nil || n > score {
			best, score = r, n
		}
	}
	return best, best != nil
}

// statementReading is one way to bind figures to columns.
type statementReading struct {
	tolerance float64 // in heights of type
	merged    bool    // inner columns of details and outer ones of totals are one period
}

var statementReadings = []statementReading{{0.6, false}, {1.3, false}, {0.6, true}}

func (w statementReading) read(b *statementBlock, s text.Segment) (*readStatement, bool) {
	r := &readStatement{kind: b.kind, title: b.title, weak: b.weak, unit: 1}
	var rows []statementRow
	var first *boundColumns // of the first part, and the periods that its columns are of
	var places []int
	for k := range b.parts {
		p := b.parts[k]
		bound := columnsOfPart(p.lines, w.tolerance)
		if r.periods != nil && len(bound.columns) < len(first.columns) && first.bindsAll(p.lines) {
			p.bound, p.head = first, p.beginsRow(p.firstRow(first))
			rows = joinParts(rows, rowsOf(p, places, len(r.periods)))
			continue
		}
		if len(bound.columns) == 0 {
			continue
		}
		p.bound, p.head = &bound, p.firstRow(&bound)
		head := make([]text.Line, 0, p.head)
		for _, l := range p.lines[:p.head] {
			head = append(head, l.Line)
		}
		var columns []int
		if r.periods == nil {
			bound.readHeadings(p.lines[:p.head], b.kind == balanceSheet, s.Order)
			if bound.isPlan(p.lines[:p.head]) {
				return nil, false
			}
			columns = r.takeColumns(&bound, p.lines[p.head:], w.merged)
			r.head, first, places = head, &bound, columns
		} else {
			columns = r.matchColumns(&bound, p, w.merged, s.Order)
			if columns == nil {
				columns = bound.below(first, places)
			}
		}
		if len(r.periods) == 0 {
			return nil, false
		}
		if columns == nil {
			continue
		}
		p.head = p.firstHeading(b.kind, s.Order)
		rows = joinParts(rows, rowsOf(p, columns, len(r.periods)))
	}
	if len(rows) == 0 || len(r.periods) == 0 {
		return nil, false
	}
	groupRows(b.kind, rows)
	mapRows(b.kind, rows)
	if b.kind == cashFlow {
		markRunning(rows)
	}
	r.chosen = chooseRows(b.kind, rows)
	r.chosen.settleSigns()
	r.chosen.reckon()
	return r, len(r.chosen.of) > 1
}

// takeColumns keeps the columns that hold a period and returns their places.
func (r *readStatement) takeColumns(b *boundColumns, rows []statementLine, merged bool) []int {
	b.dropChanges(rows)
	places := make([]int, len(b.columns))
	if merged && b.sideBySide(rows) {
		return nil
	}
	if merged || b.oneSplit(rows) {
		return r.mergeColumns(b, places)
	}
	details := b.detailColumns(rows)
	for i, p := range b.periods {
		places[i] = -1
		if p.role == anotherColumn {
			switch details[i] {
			case 1:
				places[i] = len(r.periods)
			case -1:
				places[i] = len(r.periods) - 1
			}
			continue
		}
		places[i] = len(r.periods)
		r.periods = append(r.periods, p)
		r.heads = append(r.heads, b.heads[i])
	}
	return places
}

// mergeColumns reads all columns as one: inner columns hold the details, the outer one the totals. It serves
// when no heading tells them apart.
func (r *readStatement) mergeColumns(b *boundColumns, places []int) []int {
	at := -1
	for i, p := range b.periods {
		if p.own && p.role == periodColumn {
			if at >= 0 {
				return nil
			}
			at = i
		}
	}
	if len(b.columns) < 2 {
		return nil
	}
	p := b.periods[max(at, 0)]
	if at < 0 {
		p = b.periods[len(b.periods)-1]
	}
	p.role = totalColumn
	r.periods, r.heads = []statementPeriod{p}, [][]text.Token{b.heads[max(at, 0)]}
	return places
}

// matchColumns finds which columns of a following part are which of the first: by their own headings, else
// by their order. Where the first has one period, so have details and the sums that stand right of them.
func (r *readStatement) matchColumns(b *boundColumns, part statementPart, merged bool, order text.DateOrder) []int {
	b.readHeadings(part.lines[:part.head], r.kind == balanceSheet, order)
	places := make([]int, len(b.columns))
	if len(r.periods) == 1 && (merged || b.oneSplit(part.lines[part.head:])) {
		return places
	}
	matched := 0
	for i, p := range b.periods {
		places[i] = -1
		for k, q := range r.periods {
			if p.own && p.end != nil && q.end != nil && *p.end == *q.end && samePeriodStart(p, q) {
				places[i] = k
				matched++
			}
		}
	}
	if matched > 0 {
		return r.sameOrder(b, places)
	}
	if len(b.columns) == len(r.periods) {
		for i := range places {
			places[i] = i
		}
		return places
	}
	return nil
}

// below are the places of columns that stand below those of the first part, where all of those go on; nil where they do
// not. A page that goes on may refer to more or fewer notes.
func (b *boundColumns) below(first *boundColumns, of []int) []int {
	places, found := make([]int, len(b.columns)), 0
	for i, c := range b.columns {
		places[i] = -1
		if at := text.ColumnNear(first.columns, c.Right, 2*first.near); at >= 0 && of[at] >= 0 &&
			!slices.Contains(places[:i], of[at]) {
			places[i] = of[at]
			found++
		}
	}
	if wanted := slices.DeleteFunc(slices.Clone(of), func(at int) bool { return at < 0 }); found < len(wanted) {
		return nil
	}
	return places
}

// sameOrder lets columns whose heading was not read follow those of the first part, where as many stand in their order.
func (r *readStatement) sameOrder(b *boundColumns, places []int) []int {
	if len(places) != len(r.periods) {
		return places
	}
	for i, at := range places {
		if at >= 0 && at != i || at < 0 && b.periods[i].role == anotherColumn {
			return places
		}
	}
	for i := range places {
		places[i] = i
	}
	return places
}

func samePeriodStart(a, b statementPeriod) bool {
	if a.months != nil && b.months != nil {
		return *a.months == *b.months
	}
	return a.weeks == b.weeks
}

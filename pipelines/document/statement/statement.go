// Package statement reads financial statements: income statements, balance sheets and cash flow statements.
package statement

import (
	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/statement/table"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Read reads the statements of a set: income statement, balance sheet and cash flow, each
// with its columns. Source: facts.md, row financial_statement.
func Read(s text.Segment) text.Findings {
	s.Style = groupingOf(s)
	r := &statementReader{segment: s, facts: &dossier.StatementFacts{Unit: 1}}
	r.found.Facts.Statement = r.facts
	for _, b := range table.Blocks(s) {
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
	periods []table.Period
	heads   [][]text.Token
	chosen  chosenRows
	unit    int64
	units   []int64 // by column, where they are not in one
	scale   []text.Token
	printed bool // the scale is printed
}

// readBlock reads the rows of a block under the reading in which most equations hold; ok is false when it
// has no columns or no row that the template knows.
func readBlock(b *table.Block, s text.Segment) (*readStatement, bool) {
	if b.Kind == "" {
		return nil, false
	}
	var best *readStatement
	score := 0
	for _, reading := range statementReadings {
		r, ok := reading.read(b, s)
		if !ok {
			continue
		}
		if n := 4*r.chosen.holding() + len(r.chosen.rowOf); best == nil || n > score {
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

func (w statementReading) read(b *table.Block, s text.Segment) (*readStatement, bool) {
	r := &readStatement{kind: b.Kind, title: b.Title, weak: b.Weak, unit: 1}
	var rows []statementRow
	var first *table.Grid // of the first part, and the periods that its columns are of
	var places []int
	for k := range b.Parts {
		p := b.Parts[k]
		bound := table.GridOf(p.Lines, w.tolerance)
		if r.periods != nil && len(bound.Columns) < len(first.Columns) && first.BindsAll(p.Lines) {
			p.Bound, p.Head = first, p.BeginsRow(p.FirstRow(first))
			rows = joinParts(rows, rowsOf(p, places, len(r.periods)))
			continue
		}
		if len(bound.Columns) == 0 {
			continue
		}
		p.Bound, p.Head = &bound, p.FirstRow(&bound)
		head := make([]text.Line, 0, p.Head)
		for _, l := range p.Lines[:p.Head] {
			head = append(head, l.Line)
		}
		var columns []int
		if r.periods == nil {
			bound.ReadHeadings(p.Lines[:p.Head], b.Kind == captions.BalanceSheet, s.Order)
			if bound.IsPlan(p.Lines[:p.Head]) {
				return nil, false
			}
			columns = r.takeColumns(&bound, p.Lines[p.Head:], w.merged)
			r.head, first, places = head, &bound, columns
		} else {
			columns = r.matchColumns(&bound, p, w.merged, s.Order)
			if columns == nil {
				columns = bound.Below(first, places)
			}
		}
		if len(r.periods) == 0 {
			return nil, false
		}
		if columns == nil {
			continue
		}
		p.Head = p.FirstHeading(b.Kind, s.Order)
		rows = joinParts(rows, rowsOf(p, columns, len(r.periods)))
	}
	if len(rows) == 0 || len(r.periods) == 0 {
		return nil, false
	}
	groupRows(b.Kind, rows)
	mapRows(b.Kind, rows)
	if b.Kind == captions.CashFlow {
		markRunning(rows)
	}
	r.chosen = chooseRows(b.Kind, rows)
	r.chosen.settleSigns()
	r.chosen.solveSigns()
	return r, len(r.chosen.rowOf) > 1
}

// takeColumns keeps the columns that hold a period and returns their places.
func (r *readStatement) takeColumns(b *table.Grid, rows []table.Line, merged bool) []int {
	b.DropChanges(rows)
	places := make([]int, len(b.Columns))
	if merged && b.SideBySide(rows) {
		return nil
	}
	if merged || b.OneSplit(rows) {
		return r.mergeColumns(b, places)
	}
	details := b.DetailColumns(rows)
	for i, p := range b.Periods {
		places[i] = -1
		if p.Role == table.AnotherColumn {
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
		r.heads = append(r.heads, b.Heads[i])
	}
	return places
}

// mergeColumns reads all columns as one: inner columns hold the details, the outer one the totals. It serves
// when no heading tells them apart.
func (r *readStatement) mergeColumns(b *table.Grid, places []int) []int {
	at := -1
	for i, p := range b.Periods {
		if p.Own && p.Role == table.PeriodColumn {
			if at >= 0 {
				return nil
			}
			at = i
		}
	}
	if len(b.Columns) < 2 {
		return nil
	}
	p := b.Periods[max(at, 0)]
	if at < 0 {
		p = b.Periods[len(b.Periods)-1]
	}
	p.Role = table.TotalColumn
	r.periods, r.heads = []table.Period{p}, [][]text.Token{b.Heads[max(at, 0)]}
	return places
}

// matchColumns finds which columns of a following part are which of the first: by their own headings, else
// by their order. Where the first has one period, so have details and the sums that stand right of them.
func (r *readStatement) matchColumns(b *table.Grid, part table.Part, merged bool, order text.DateOrder) []int {
	b.ReadHeadings(part.Lines[:part.Head], r.kind == captions.BalanceSheet, order)
	places := make([]int, len(b.Columns))
	if len(r.periods) == 1 && (merged || b.OneSplit(part.Lines[part.Head:])) {
		return places
	}
	matched := 0
	for i, p := range b.Periods {
		places[i] = -1
		for k, q := range r.periods {
			if p.Own && p.End != nil && q.End != nil && *p.End == *q.End && samePeriodStart(p, q) {
				places[i] = k
				matched++
			}
		}
	}
	if matched > 0 {
		return r.sameOrder(b, places)
	}
	if len(b.Columns) == len(r.periods) {
		for i := range places {
			places[i] = i
		}
		return places
	}
	return nil
}

// sameOrder lets columns whose heading was not read follow those of the first part, where as many stand in their order.
func (r *readStatement) sameOrder(b *table.Grid, places []int) []int {
	if len(places) != len(r.periods) {
		return places
	}
	for i, at := range places {
		if at >= 0 && at != i || at < 0 && b.Periods[i].Role == table.AnotherColumn {
			return places
		}
	}
	for i := range places {
		places[i] = i
	}
	return places
}

func samePeriodStart(a, b table.Period) bool {
	if a.Months != nil && b.Months != nil {
		return *a.Months == *b.Months
	}
	return a.Weeks == b.Weeks
}

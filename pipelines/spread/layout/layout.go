// Package layout is the template of spreads as a model: rows of statements, ratios and lines of the cash flow, and the
// formulas between them. What computes spreads and what draws them share it.
package layout

import (
	"strconv"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// Template is spread-template.yaml as the rooms need it: rows in template order.
type Template struct {
	Rows     []Row
	CatchAll map[string]string // section -> row
	Ratios   []Ratio
	UCA      []UCA
}

// Row is one row of a statement.
type Row struct {
	Key, Label, Statement, Section, Kind, Computed, Sign string
	Memo                                                 bool
	Formula, Derived                                     Formula
	IRS                                                  map[string]string
	Synonyms                                             []string
}

// Ratio is one ratio.
type Ratio struct {
	Key, Label, Group, Format string
	Formula                   Formula
	Positive                  bool // only with a denominator above zero
}

// UCA is one line of the Uniform Credit Analysis cash flow.
type UCA struct {
	Key, Label string
	Subtotal   bool
	Formula    Formula
}

// Of lists the rows of one statement.
func (t *Template) Of(statement string) []Row {
	var rows []Row
	for _, r := range t.Rows {
		if r.Statement == statement {
			rows = append(rows, r)
		}
	}
	return rows
}

// Row finds a row; nil when there is none.
func (t *Template) Row(statement, key string) *Row {
	for i := range t.Rows {
		if t.Rows[i].Statement == statement && t.Rows[i].Key == key {
			return &t.Rows[i]
		}
	}
	return nil
}

// AnnualFactor is what scales a period to a year, times/by: 12/months for whole calendar months, else
// 12 / (days / (365.25/12)), which is 365.25/days. Source: spread-template.yaml, periods.months.
func AnnualFactor(start, end dossier.Day) (times, by decimal.Decimal) {
	if start == start.MonthStart() && end == end.MonthEnd() {
		y1, m1, _ := start.Date()
		y2, m2, _ := end.Date()
		return decimal.NewFromInt(12), decimal.NewFromInt(int64(12*(y2-y1) + int(m2-m1) + 1))
	}
	return decimal.New(36525, -2), decimal.NewFromInt(int64(end-start) + 1)
}

// Input reports whether a row takes figures from documents and analysts; the others are calculated.
func (r Row) Input() bool { return r.Computed == "never" || r.Computed == "derived" }

// FindRow finds the row of a key. Without a statement the key must be that of one statement only.
func (t *Template) FindRow(statement, key string) *Row {
	if statement != "" {
		return t.Row(statement, key)
	}
	var found *Row
	for i := range t.Rows {
		if t.Rows[i].Key != key {
			continue
		}
		if found != nil {
			return nil
		}
		found = &t.Rows[i]
	}
	return found
}

// Check completes the statement of each adjustment and tells what is wrong with them, by their place in the list. Rows
// must be rows of documents: what is calculated follows.
func (t *Template) Check(list []dossier.SpreadAdjustment) []dossier.Fault {
	var faults []dossier.Fault
	seen := map[[3]string]bool{}
	for i := range list {
		a := &list[i]
		fault := func(field, code, detail string) {
			faults = append(faults, dossier.Fault{Pointer: "/adjustments/" + strconv.Itoa(i) + "/" + field, Code: code,
				Detail: detail})
		}
		row := t.FindRow(a.Statement, a.Row)
		switch {
		case row == nil:
			fault("row", "invalid_value",
				"row must be a row of the template; name statement when two statements have it: "+a.Row)
			continue
		case !row.Input():
			fault("row", "invalid_value", row.Label+" is calculated; adjust the lines it is made of")
		}
		a.Statement = row.Statement
		switch {
		case a.MoveTo == nil && a.Value == nil:
			fault("value", "required", "value is required, or moveTo for a reclassification")
		case a.MoveTo != nil:
			if to := t.Row(a.Statement, *a.MoveTo); to == nil || !to.Input() || to.Key == a.Row || to.Memo != row.Memo {
				fault("moveTo", "invalid_value", "moveTo must be another line of the same statement")
			}
		}
		if key := [3]string{a.Statement, a.PeriodID, a.Row}; seen[key] {
			fault("row", "invalid_value", "There is another adjustment of this row and period; one is enough")
		} else {
			seen[key] = true
		}
	}
	return faults
}

// CheckCaptions is Check for caption mappings.
func (t *Template) CheckCaptions(list []dossier.CaptionMapping) []dossier.Fault {
	var faults []dossier.Fault
	seen := map[[2]string]bool{}
	for i := range list {
		m := &list[i]
		fault := func(field, code, detail string) {
			faults = append(faults, dossier.Fault{Pointer: "/captionMappings/" + strconv.Itoa(i) + "/" + field,
				Code: code, Detail: detail})
		}
		if row := t.FindRow(m.Statement, m.Row); row == nil || !row.Input() {
			fault("row", "invalid_value",
				"row must be a line of the template, not a calculated one; name statement when two "+
					"statements have it: "+m.Row)
			continue
		} else {
			m.Statement = row.Statement
		}
		key := [2]string{m.Statement, dossier.FoldCaption(m.Caption)}
		if key[1] == "" || seen[key] {
			fault("caption", "invalid_value", "caption must have letters, and each caption of a statement one row")
		}
		seen[key] = true
	}
	return faults
}

package dossier

import (
	"fmt"
	"strings"

	"github.com/shopspring/decimal"
)

// PrintedSum is a total that a statement prints in one of its columns, and the lines that it closes: what the check
// lines_foot adds up. Kept beside the facts, so that the check can be made again when a person corrects one of them.
type PrintedSum struct {
	Column  string    `json:"column"` // pointer of the column
	Caption string    `json:"caption"`
	Total   SumTerm   `json:"total"`
	Lines   []SumTerm `json:"lines"`
	Slack   Amount    `json:"slack"` // what rounding may hide, in printed units
}

// SumTerm is a printed figure: that of a fact, or where no fact holds it the amount itself, in printed units.
type SumTerm struct {
	Pointer string  `json:"pointer,omitempty"`
	Minus   bool    `json:"minus,omitempty"` // the fact has the other sign than the figure has in the sum
	Amount  *Amount `json:"amount,omitempty"`
}

// TriedSum is a printed total beside what its lines give.
type TriedSum struct {
	Caption             string
	Given, Total, Slack decimal.Decimal
}

// LinesFoot is the check whether the totals of a column are the sums of their lines; not ok when there are none.
func LinesFoot(label string, sums []TriedSum) (check FactCheck, ok bool) {
	var failed []string
	for _, s := range sums {
		if s.Given.Sub(s.Total).Abs().GreaterThan(s.Slack) {
			failed = append(failed, fmt.Sprintf("%s: the lines give %s, printed is %s", s.Caption,
				PrintedAmount(s.Given), PrintedAmount(s.Total)))
		}
	}
	said := fmt.Sprintf("%d of %d totals are the sum of their lines", len(sums), len(sums))
	if len(failed) > 0 {
		said = strings.Join(failed[:min(len(failed), 3)], "; ")
	}
	return FactCheck{Name: "lines_foot", Passed: len(failed) == 0, Detail: label + ": " + said}, len(sums) > 0
}

// linesFoot is the check of a column by what the facts say now. A total or a line that is none any more is left out.
func (d *ReadDocument) linesFoot(c factColumn) (FactCheck, bool) {
	var tried []TriedSum
	for _, s := range d.Sums {
		total, printed := d.printedFigure(s.Total, c)
		if s.Column != c.at || !printed {
			continue
		}
		given, lines := decimal.Zero, 0
		for _, term := range s.Lines {
			if v, ok := d.printedFigure(term, c); ok {
				given, lines = given.Add(v), lines+1
			}
		}
		if lines > 0 {
			tried = append(tried, TriedSum{s.Caption, given, total, s.Slack.Decimal})
		}
	}
	return LinesFoot(c.column.Label, tried)
}

// printedFigure is a term of a sum with the sign that the sum takes it with, in printed units.
func (d *ReadDocument) printedFigure(t SumTerm, c factColumn) (v decimal.Decimal, ok bool) {
	if t.Amount != nil {
		return t.Amount.Decimal, true
	}
	place, ok := d.Facts.find(d.DocType, t.Pointer, false)
	if !ok {
		return v, false
	}
	fact, ok := place.get()
	amount, is := fact.(Amount)
	if !ok || !is {
		return v, false
	}
	if v = c.printedIn(amount); t.Minus {
		v = v.Neg()
	}
	return v, true
}

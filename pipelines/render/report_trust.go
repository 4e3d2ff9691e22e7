package render

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
)

// warnedPeriod is the period of a warning as people write it.
func warnedPeriod(w dossier.SpreadWarning) string {
	statement := ""
	if w.Statement != nil {
		statement = *w.Statement
	}
	return periodText(statement, dossier.Text(w.PeriodID))
}

// completeness says of each period of each statement whether its printed totals confirm it, and which rows they do
// not.
func (p *report) completeness() {
	p.begin("Completeness")
	p.head(left("Statement", 14), left("Period", 20), left("Printed totals", 12), left("Row", 20),
		right("Calculated", 12), right("Printed", 12), right("Difference", 10))
	for _, s := range statementSheets {
		for _, x := range p.r.Statements.Named(s.statement).Periods {
			p.line(look{line: true, small: true}, left(s.title, 14), left(periodText(s.statement, x.ID), 20),
				left(integrityText(x.Integrity), 12), left("", 54))
			for _, v := range x.Values {
				if v.Reported != nil || v.Doubtful() {
					p.unconfirmed(v)
				}
			}
		}
	}
	p.gap()
	for _, note := range integrityNotes {
		p.line(look{small: true}, left(note, grid))
	}
}

// unconfirmed is a row whose printed total is another, or that none confirms.
func (p *report) unconfirmed(v dossier.SpreadValue) {
	calculated, printed, difference := money(v.Value), "", ""
	if v.Reported != nil {
		printed = money(*v.Reported)
		difference = money(dossier.Figure{Decimal: v.Value.Sub(v.Reported.Decimal)})
	}
	if v.Doubtful() {
		calculated, difference = notReliable, ""
	}
	p.line(look{small: true}, left("", 46), left(v.Label, 20), right(calculated, 12), right(printed, 12),
		right(difference, 10))
}

func integrityText(i dossier.Integrity) string {
	if i == dossier.IntegrityReconciled {
		return "confirm it"
	}
	return strings.ToUpper(string(i))
}

var integrityNotes = []string{
	"Confirm it: every printed total equals what its lines give, within rounding. The difference is calculated less " +
		"printed.",
	"VARIANCE: a printed total differs from what its lines give. INCOMPLETE: lines are in no figure for certain, or " +
		"a printed total has no lines.",
	"Not reliable: the figure rests on such lines. It is shown nowhere in this report, and no ratio is made of it.",
}

// doubtful reports whether a row of a period rests on what no printed total confirms.
func doubtful(values dossier.SpreadValues, key string) bool {
	i := slices.IndexFunc(values, func(v dossier.SpreadValue) bool { return v.Key == key })
	return i >= 0 && values[i].Doubtful()
}

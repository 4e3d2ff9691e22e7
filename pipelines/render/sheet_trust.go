package render

import (
	"fmt"
	"slices"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread/layout"
)

const (
	trailingSheet     = "Trailing 12 months"
	completenessSheet = "Completeness"
)

// trailing adds the months up to the end of a year to date, as formulas over the income statement's columns.
func (w *workbook) trailing() {
	if len(w.r.Trailing) == 0 {
		return
	}
	_, err := w.f.NewSheet(trailingSheet)
	w.keepError(err)
	captions, widths := []string{""}, []float64{40, w.periodWidth(4 * len(w.r.Trailing))}
	for _, x := range w.r.Trailing {
		captions = append(captions, w.label(x.Year), "less\n"+w.label(x.Before), "plus\n"+w.label(x.Now),
			"Trailing twelve months\n"+x.Start+" to "+x.End)
	}
	w.head(trailingSheet, "Trailing twelve months", captions, widths, 1)
	line := headerRow
	for _, row := range w.template.Of("incomeStatement") {
		shown := false
		for i, x := range w.r.Trailing {
			k := slices.IndexFunc(x.Values, func(v dossier.SpreadValue) bool { return v.Key == row.Key })
			if k < 0 {
				continue
			}
			if !shown {
				shown, line = true, line+1
				w.text(trailingSheet, at("A", line), row.Label, map[bool]string{true: "total"}[row.Kind != "line"])
			}
			w.trailingRow(4*i+2, line, row, x, x.Values[k])
		}
	}
}

// trailingRow writes one row of one set of columns: the year, the months of the year before, those of this year, the
// sum.
func (w *workbook) trailingRow(first, line int, row layout.Row, x dossier.SpreadTrailing,
	sum dossier.SpreadValue) {
	style := "money"
	if row.Kind != "line" {
		style = "total money"
	}
	for i, id := range []string{x.Year, x.Before, x.Now} {
		column, at0 := w.columns["incomeStatement"][id], w.rows["incomeStatement"][row.Key]
		p := w.r.Statements.IncomeStatement.Period(id)
		if column == "" || at0 == 0 || p == nil {
			continue
		}
		if v, ok := p.Values.Get(row.Key); ok {
			w.formula(trailingSheet, at(letter(first+i), line), w.sheetOf("incomeStatement")+at(column, at0),
				v.StringFixed(2), style+unsureStyle(doubtful(p.Values, row.Key)))
		}
	}
	w.formula(trailingSheet, at(letter(first+3), line),
		fmt.Sprintf("ROUND(N(%s)-N(%s)+N(%s),2)", at(letter(first), line),
			at(letter(first+1), line), at(letter(first+2), line)), sum.Value.StringFixed(2),
		style+unsureStyle(sum.Doubtful()))
}

// unsureStyle hides a figure that is not reliable; formulas still rest on it.
func unsureStyle(doubtful bool) string {
	if doubtful {
		return " unsure"
	}
	return ""
}

// completeness says of each period of each statement how far its printed totals confirm it, and which rows they do not.
func (w *workbook) completeness() {
	_, err := w.f.NewSheet(completenessSheet)
	w.keepError(err)
	w.head(completenessSheet, "Completeness",
		[]string{"Statement", "Period", "Confirmed by printed totals", "Row", "Calculated", "Printed", "What it means"},
		[]float64{18, 28, 16, 34, 18, 18, 68}, 2)
	line := headerRow
	for _, s := range statementSheets {
		for _, p := range w.r.Statements.Named(s.statement).Periods {
			line++
			w.text(completenessSheet, at("A", line), s.title, "bold")
			w.text(completenessSheet, at("B", line), periodText(s.statement, p.ID), "wrap")
			w.text(completenessSheet, at("C", line), string(p.Integrity), "bold")
			for _, v := range p.Values {
				if v.Reported != nil || v.Doubtful() {
					line++
					w.unconfirmed(line, v, p.Integrity)
				}
			}
		}
	}
	for _, warning := range w.r.Warnings {
		if warning.Code == "statement_incomplete" {
			line++
			w.text(completenessSheet, at("B", line), warnedPeriod(warning), "wrap")
			w.text(completenessSheet, at("G", line), warning.Detail, "indent wrap")
		}
	}
}

// unconfirmed writes a row whose printed total is another, or that none confirms.
func (w *workbook) unconfirmed(line int, v dossier.SpreadValue, of dossier.Integrity) {
	w.text(completenessSheet, at("D", line), v.Label, "wrap")
	means := "the printed total differs from what its lines give"
	switch {
	case !v.Doubtful() && of == dossier.IntegrityReconciled:
		means = "the printed total differs by rounding, or by interest that it counts, from what its lines give"
	case v.Doubtful():
		means = notReliable + ": it rests on lines that are missing or not certain"
		w.text(completenessSheet, at("E", line), notReliable, "right note")
	}
	if !v.Doubtful() {
		w.number(completenessSheet, at("E", line), v.Value.StringFixed(2), "money")
	}
	if v.Reported != nil {
		w.number(completenessSheet, at("F", line), v.Reported.StringFixed(2), "money")
	}
	w.text(completenessSheet, at("G", line), means, "indent wrap")
}

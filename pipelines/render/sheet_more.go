package render

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
)

// uca writes the Uniform Credit Analysis cash flow.
func (w *workbook) uca() {
	captions := []string{""}
	for _, u := range w.r.UCA {
		captions = append(captions, w.label(u.PeriodID))
	}
	w.head(ucaSheet, "Uniform Credit Analysis cash flow", captions, []float64{40, w.periodWidth(len(w.r.UCA))}, 1)
	if len(w.r.UCA) == 0 {
		w.text(ucaSheet, at("A", headerRow+1),
			"None: it needs an income statement, and balance sheets at both ends of its period.", "note wrap")
		return
	}
	for i, row := range w.template.UCA {
		style, figure := "indent", "money"
		if row.Subtotal {
			style, figure = "total", "total money"
		}
		w.text(ucaSheet, at("A", headerRow+1+i), row.Label, style)
		for j, u := range w.r.UCA {
			k := slices.IndexFunc(u.Values, func(v dossier.SpreadUCALine) bool { return v.Key == row.Key })
			if k < 0 {
				continue
			}
			formula := "ROUND(" + w.write(row.Formula.Root(), u.Columns, "", w.ucaCell(j)) + ",2)"
			w.formula(ucaSheet, at(letter(j+2), headerRow+1+i), formula, u.Values[k].Value.StringFixed(2),
				figure+unsureStyle(u.Values[k].Doubtful()))
		}
	}
}

// ucaCell finds a line of the UCA in the column of its j-th period.
func (w *workbook) ucaCell(j int) func(string) string {
	return func(key string) string {
		for i, row := range w.template.UCA {
			if row.Key == key {
				return at(letter(j+2), headerRow+1+i)
			}
		}
		return "0"
	}
}

// ratios writes the ratios with their formulas in words.
func (w *workbook) ratios() {
	captions := []string{"", "Formula"}
	for _, r := range w.r.Ratios {
		captions = append(captions, w.label(r.PeriodID))
	}
	w.head(ratiosSheet, "Ratios", captions,
		[]float64{40, 52, w.periodWidth(len(w.r.Ratios))}, 2)
	for i, row := range w.template.Ratios {
		line := headerRow + 1 + i
		w.text(ratiosSheet, at("A", line), row.Label, "")
		w.text(ratiosSheet, at("B", line), formulaText(w.template, row.Formula), "note wrap")
		for j, r := range w.r.Ratios {
			cell := at(letter(j+3), line)
			if r.Values[i].Value == nil {
				w.text(ratiosSheet, cell, absent(r.Values[i]), "right note")
				continue
			}
			formula := `IFERROR(` + w.write(row.Formula.Root(), r.Columns, "", w.ratioCell(j, r.PeriodID)) + `,"n/a")`
			w.formula(ratiosSheet, cell, formula, r.Values[i].Value.String(), row.Format)
		}
	}
}

// ratioCell finds another ratio of the j-th period, or a line of its UCA.
func (w *workbook) ratioCell(j int, period string) func(string) string {
	return func(name string) string {
		for i, row := range w.template.Ratios {
			if row.Key == name && w.r.Ratios[j].Values[i].Value != nil {
				return at(letter(j+3), headerRow+1+i)
			}
		}
		for k, u := range w.r.UCA {
			if u.PeriodID == period && len(name) > 4 && name[:4] == "uca." {
				return "'" + ucaSheet + "'!" + w.ucaCell(k)(name[4:])
			}
		}
		return "0"
	}
}

// checks lists every check; the differences of the variances are live.
func (w *workbook) checks() {
	w.head(checksSheet, "Checks and warnings",
		[]string{"Check", "Statement", "Period", "Difference", "Tolerance", "Outcome", "What is compared"},
		[]float64{28, 18, 28, 18, 14, 12, 56}, 1)
	row := headerRow
	for _, c := range w.r.Checks {
		row++
		w.text(checksSheet, at("A", row), sentence(c.Name), "")
		w.text(checksSheet, at("B", row), sentence(c.Statement), "")
		w.text(checksSheet, at("C", row), periodText(c.Statement, c.PeriodID), "wrap")
		column, line := w.columns[c.Statement][c.PeriodID], w.rows[c.Statement][c.Name]
		if column != "" && line > 0 {
			w.formula(checksSheet, at("D", row), w.sheetOf(c.Statement)+at(column, line), c.Value.StringFixed(2),
				"money")
		} else {
			w.number(checksSheet, at("D", row), c.Value.StringFixed(2), "money")
		}
		w.number(checksSheet, at("E", row), c.Tolerance.StringFixed(2), "money")
		outcome := fmt.Sprintf(`IF(ABS(D%d)<=E%d,"passed","review")`, row, row)
		w.outcomes[outcome] = map[bool]string{true: "passed", false: "review"}[c.Passed]
		w.formula(checksSheet, at("F", row), outcome, "", "indent")
		w.text(checksSheet, at("G", row), c.Detail, "wrap")
	}
	row++
	for _, x := range w.r.Warnings {
		row++
		w.text(checksSheet, at("A", row), sentence(x.Code), "")
		if x.Statement != nil {
			w.text(checksSheet, at("B", row), sentence(*x.Statement), "")
		}
		w.text(checksSheet, at("C", row), warnedPeriod(x), "wrap")
		w.text(checksSheet, at("F", row), "warning", "indent")
		w.text(checksSheet, at("G", row), x.Detail, "wrap")
	}
}

func (w *workbook) sheetOf(statement string) string {
	for _, s := range statementSheets {
		if s.statement == statement {
			return "'" + s.sheet + "'!"
		}
	}
	return ""
}

// sources lists where every input is printed.
func (w *workbook) sources() {
	w.head(sourcesSheet, "Sources", []string{"Statement", "Period", "Row", "Amount", "Document", "Page", "Caption",
		"Printed text", "Confidence", "Mapped by"},
		[]float64{18, 28, 32, 18, 30, 7, 32, 18, 11, 12}, 1)
	row := headerRow
	for _, s := range statementSheets {
		for _, p := range w.r.Statements.Named(s.statement).Periods {
			for _, v := range p.Values {
				if v.Computed {
					continue
				}
				for i, source := range v.Sources {
					row++
					if i == 0 {
						w.source[s.statement+" "+p.ID+" "+v.Key] = row
					}
					w.sourceRow(row, s.title, periodText(s.statement, p.ID), v, source)
				}
			}
		}
	}
	for _, u := range w.r.Unmapped {
		if u.Row != "" {
			continue
		}
		row++
		w.text(sourcesSheet, at("A", row), sentence(u.Statement), "")
		w.text(sourcesSheet, at("B", row), periodText(u.Statement, u.PeriodID), "wrap")
		w.text(sourcesSheet, at("C", row), "not placed: in no figure", "note")
		w.number(sourcesSheet, at("D", row), u.Amount.StringFixed(2), "money")
		w.text(sourcesSheet, at("E", row), w.documentName(u.DocumentID), "indent wrap")
		w.text(sourcesSheet, at("G", row), u.Caption, "wrap")
	}
}

func (w *workbook) sourceRow(row int, title, period string, v dossier.SpreadValue, s dossier.SpreadSource) {
	w.text(sourcesSheet, at("A", row), title, "")
	w.text(sourcesSheet, at("B", row), period, "wrap")
	w.text(sourcesSheet, at("C", row), v.Label, "wrap")
	w.number(sourcesSheet, at("D", row), v.Value.StringFixed(2), "money")
	w.text(sourcesSheet, at("E", row), w.documentName(s.DocumentID), "indent wrap")
	w.number(sourcesSheet, at("F", row), fmt.Sprint(s.Page), "0")
	w.text(sourcesSheet, at("G", row), s.Caption, "indent wrap")
	w.text(sourcesSheet, at("H", row), s.Text, "wrap")
	w.number(sourcesSheet, at("I", row), fmt.Sprintf("%.2f", s.Confidence), "0.00")
	w.text(sourcesSheet, at("J", row), sentence(s.Method), "indent")
}

// comparisons lists what was set aside, figure by figure.
func (w *workbook) comparisons() {
	w.head(comparisonsSheet, "Comparisons with sources set aside",
		[]string{"Statement", "Period", "Document set aside", "Class", "Class used", "Row", "Used", "Set aside",
			"Difference"},
		[]float64{18, 28, 30, 16, 16, 32, 18, 18, 18}, 1)
	row := headerRow
	for _, c := range w.r.Comparisons {
		differences := c.Differences
		if len(differences) == 0 {
			differences = []dossier.SpreadDifference{{Label: "no difference above the tolerance"}}
		}
		for _, d := range differences {
			row++
			for i, text := range []string{sentence(c.Statement), periodText(c.Statement, c.PeriodID),
				w.documentName(c.DocumentID), sentence(c.Class), sentence(c.ChosenClass), d.Label} {
				w.text(comparisonsSheet, at(letter(i+1), row), text, "wrap")
			}
			if d.Key == "" {
				continue
			}
			w.number(comparisonsSheet, at("G", row), d.Chosen.StringFixed(2), "money")
			w.number(comparisonsSheet, at("H", row), d.Other.StringFixed(2), "money")
			w.formula(comparisonsSheet, at("I", row), fmt.Sprintf("ROUND(G%d-H%d,2)", row, row),
				d.Difference.StringFixed(2), "money")
		}
	}
	if row == headerRow {
		w.text(comparisonsSheet, at("A", row+1), "No source was set aside.", "note")
	}
}

var summaryRows = []string{"netRevenues", "grossProfit", "ebitda", "netIncome"}

// summary shows the key figures of every period, all linked to the other sheets.
func (w *workbook) summary() {
	captions := []string{""}
	for _, r := range w.r.Ratios {
		captions = append(captions, w.label(r.PeriodID))
	}
	w.head(summarySheet, "Financial Spread", captions, []float64{40, w.periodWidth(len(w.r.Ratios))}, 1)
	row := headerRow
	for _, key := range summaryRows {
		line := w.rows["incomeStatement"][key]
		if line == 0 {
			continue
		}
		row++
		w.text(summarySheet, at("A", row), w.template.Row("incomeStatement", key).Label, "")
		for j, r := range w.r.Ratios {
			w.summaryFigure(key, r.PeriodID, at(letter(j+2), row), line)
		}
	}
	for i, ratio := range w.template.Ratios {
		if !slices.Contains(summaryRatios, ratio.Key) {
			continue
		}
		row++
		w.text(summarySheet, at("A", row), ratio.Label, "")
		for j, r := range w.r.Ratios {
			cell := at(letter(j+2), row)
			if r.Values[i].Value == nil {
				w.text(summarySheet, cell, absent(r.Values[i]), "right note")
				continue
			}
			w.formula(summarySheet, cell, "'"+ratiosSheet+"'!"+at(letter(j+3), headerRow+1+i),
				r.Values[i].Value.String(), ratio.Format)
		}
	}
	failed := 0
	for _, c := range w.r.Checks {
		if !c.Passed {
			failed++
		}
	}
	row += 2
	w.text(summarySheet, at("A", row), fmt.Sprintf("Checks: %d of %d passed", len(w.r.Checks)-failed, len(w.r.Checks)),
		"bold")
	w.noteAcross(summarySheet, row+1, len(captions), "Spread "+string(w.r.SpreadID)+", generated "+
		dayText(w.r.GeneratedAt), "note")
	w.noteAcross(summarySheet, row+2, len(captions),
		"Blue figures are inputs from documents; black ones are formulas. Nothing is plugged: what the documents "+
			"leave open shows as a variance.", "note")
}

// summaryFigure links to a row of a period's income statement, and says where that is not reliable.
func (w *workbook) summaryFigure(key, period, cell string, line int) {
	p := w.r.Statements.IncomeStatement.Period(period)
	if p == nil {
		return
	}
	if v, ok := p.Values.Get(key); ok {
		w.formula(summarySheet, cell, "'"+incomeSheet+"'!"+at(w.columns["incomeStatement"][p.ID], line),
			v.StringFixed(2), "money"+unsureStyle(doubtful(p.Values, key)))
	}
}

var summaryRatios = []string{"dscr", "currentRatio", "debtToWorth", "fundedDebtToEbitda"}

// label is the caption of a period: as its income statement has it, else its balance sheet.
func (w *workbook) label(id string) string { return labelOf(w.r, id) }

func labelOf(r dossier.SpreadResults, id string) string {
	for _, s := range statementSheets {
		if p := r.Statements.Named(s.statement).Period(id); p != nil {
			return periodCaption(s.statement, *p)
		}
	}
	return id
}

// sentence makes words of a name: incomeStatementVariance and short_base read as captions.
func sentence(name string) string {
	out := []rune{}
	for i, r := range name {
		switch {
		case r == '_':
			r = ' '
		case r >= 'A' && r <= 'Z' && i > 0:
			out = append(out, ' ')
			r += 'a' - 'A'
		case i == 0 && r >= 'a' && r <= 'z':
			r -= 'a' - 'A'
		}
		out = append(out, r)
	}
	return strings.Replace(string(out), "Uca ", "UCA ", 1)
}

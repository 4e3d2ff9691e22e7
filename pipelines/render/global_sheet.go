package render

import (
	"fmt"
	"strings"

	"github.com/dossierhq/dossier"
)

// globalTable writes the rows of all years beside each other. Subtotals and totals are formulas over the rows above
// them.
func (w *workbook) globalTable(r dossier.GlobalResults) {
	captions := []string{""}
	for _, y := range r.Periods {
		captions = append(captions, y.Label+"\n"+y.Start+" to "+y.End)
	}
	w.head(globalTitle, globalTitle, captions, []float64{64, 24}, 1)
	lines := globalRows(r.Periods)
	for i, line := range lines {
		row, style := headerRow+1+i, "indent"
		if line.kind != "line" {
			style = "total"
		}
		w.text(globalTitle, at("A", row), line.label, style)
		for n := range r.Periods {
			w.globalCell(lines, i, n, row)
		}
	}
	w.noteAcross(globalTitle, headerRow+2+len(lines), 1+len(r.Periods), globalMarks, "note")
}

// globalCell writes one row of one year.
func (w *workbook) globalCell(lines []globalLine, i, n, row int) {
	r, cell := lines[i].cells[n], at(letter(n+2), row)
	style := "money"
	if lines[i].kind != "line" {
		style = "total money"
	}
	if r != nil && r.Key == "globalDscr" {
		style = "total 0.00x"
	}
	if r != nil && r.Value != nil && r.Reliable != nil {
		style += " starred"
	}
	switch formula := globalFormula(lines, i, n); {
	case r == nil || r.Value == nil:
		text := ""
		if r != nil {
			text = globalText(r)
		}
		w.text(globalTitle, cell, text, style)
	case formula != "":
		w.formula(globalTitle, cell, formula, r.Value.String(), style)
	case r.Computed:
		w.number(globalTitle, cell, r.Value.String(), style)
	default:
		w.number(globalTitle, cell, r.Value.String(), style+" input")
	}
}

// globalSigns are how the rows of a party add up to what it has before its debts, and of all parties to what there is.
var globalSigns = map[string]string{"cashAvailable": "+", "wages": "+", "businessDistributions": "+",
	"otherIncome": "+", "taxes": "-", "livingExpenses": "-",
	"elimination": "-"}

// globalFormula is that of a subtotal or total; "" of a line.
func globalFormula(lines []globalLine, i, n int) string {
	r := lines[i].cells[n]
	if r == nil {
		return ""
	}
	cellOf := func(j int) string { return at(letter(n+2), headerRow+1+j) }
	var terms strings.Builder
	for j, line := range lines {
		other := line.cells[n]
		if other == nil || other.Value == nil {
			continue
		}
		sign := ""
		debt := other.Key == "debtService" || other.Key == "personalDebtService"
		switch r.Key {
		case "remaining", "personalRemaining":
			if dossier.Text(other.PartyID) == dossier.Text(r.PartyID) && other.Key != "elimination" {
				sign = globalSigns[other.Key]
				if debt {
					sign = "-"
				}
			}
		case "globalCashAvailable":
			sign = globalSigns[other.Key]
		case "globalDebtService":
			if debt {
				sign = "+"
			}
		}
		if sign != "" {
			terms.WriteString(sign + cellOf(j))
		}
	}
	if r.Key == "globalDscr" {
		return fmt.Sprintf("%s/%s", cellOf(i-2), cellOf(i-1))
	}
	return strings.TrimPrefix(terms.String(), "+")
}

// globalSources lists where every figure is from.
func (w *workbook) globalSources(r dossier.GlobalResults) {
	w.head(sourcesSheet, "Sources", []string{"Year", "Row", "From", "As printed", "Page", "Document", "Spread"},
		[]float64{8, 52, 52, 18, 8, 40, 40}, 1)
	row := headerRow
	for _, year := range r.Periods {
		for _, line := range year.Rows {
			for _, s := range line.Sources {
				row++
				page, document, spread := "", "", ""
				if s.Page > 0 {
					page = fmt.Sprint(s.Page)
				}
				if s.DocumentID != nil {
					document = string(*s.DocumentID)
				}
				if s.SpreadID != nil {
					spread = string(*s.SpreadID)
				}
				for i, text := range []string{year.Label, line.Label, s.Caption, amountText(s.Text), page, document,
					spread} {
					w.text(sourcesSheet, at(letter(i+1), row), text, "wrap")
				}
			}
		}
	}
}

package render

import (
	"fmt"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/dossierhq/dossier"
)

const adjustmentsSheet = "Adjustments"

// adjustedRow is a figure that an analyst changed, as both files list it.
type adjustedRow struct {
	statement, title, period string
	v                        dossier.SpreadValue
}

func adjustedRows(r dossier.SpreadResults) []adjustedRow {
	var rows []adjustedRow
	for _, s := range statementSheets {
		for _, p := range r.Statements.Named(s.statement).Periods {
			for _, v := range p.Values {
				if v.Adjusted != nil {
					rows = append(rows, adjustedRow{s.statement, s.title, p.ID, v})
				}
			}
		}
	}
	return rows
}

func (a adjustedRow) machine() string {
	if a.v.Adjusted.Machine == nil {
		return "none"
	}
	return money(*a.v.Adjusted.Machine)
}

func (a adjustedRow) actor() string {
	if a.v.Adjusted.Actor == nil {
		return ""
	}
	return *a.v.Adjusted.Actor
}

// adjustments lists what an analyst changed, with the machine's figures.
func (p *report) adjustments() {
	rows := adjustedRows(p.r)
	if len(rows) == 0 {
		return
	}
	p.begin("Analyst's adjustments")
	p.head(left("Row", 24), left("Period", 18), right("From documents", 12), right("Adjusted", 12), left("Reason", 22),
		left("By", 12))
	for _, a := range rows {
		p.line(look{line: true, small: true}, left(a.title+": "+a.v.Label, 24),
			left(periodText(a.statement, a.period), 18),
			right(a.machine(), 12), right(money(a.v.Value), 12), left(a.v.Adjusted.Reason, 22), left(a.actor(), 12))
	}
}

// adjustedMark marks an adjusted figure on a statement; the note below the statement says what it means.
func adjustedMark(v dossier.SpreadValue) string {
	if v.Adjusted == nil {
		return ""
	}
	return "* "
}

// adjustments lists what an analyst changed. The sheet is there only when something was.
func (w *workbook) adjustments() {
	rows := adjustedRows(w.r)
	if len(rows) == 0 {
		return
	}
	_, err := w.f.NewSheet(adjustmentsSheet)
	w.keepError(err)
	w.head(adjustmentsSheet, "Analyst's adjustments",
		[]string{"Statement", "Period", "Row", "From documents", "Adjusted", "Reason", "By"},
		[]float64{18, 28, 32, 18, 18, 48, 26}, 1)
	for i, a := range rows {
		row := headerRow + 1 + i
		w.text(adjustmentsSheet, at("A", row), a.title, "")
		w.text(adjustmentsSheet, at("B", row), periodText(a.statement, a.period), "wrap")
		w.text(adjustmentsSheet, at("C", row), a.v.Label, "")
		if m := a.v.Adjusted.Machine; m != nil {
			w.number(adjustmentsSheet, at("D", row), m.StringFixed(2), "money")
		} else {
			w.text(adjustmentsSheet, at("D", row), "none", "right note")
		}
		w.number(adjustmentsSheet, at("E", row), a.v.Value.StringFixed(2), "money")
		w.text(adjustmentsSheet, at("F", row), a.v.Adjusted.Reason, "indent wrap")
		w.text(adjustmentsSheet, at("G", row), a.actor(), "")
	}
}

// note is the text of a cell's comment: who changed the figure and why, then where its parts are printed.
func (w *workbook) note(v dossier.SpreadValue) []string {
	var lines []string
	if v.Adjusted != nil {
		a := adjustedRow{v: v}
		lines = append(lines, strings.TrimSpace(fmt.Sprintf("Adjusted: %s (from documents: %s) %s", v.Adjusted.Reason,
			a.machine(), a.actor())))
	}
	for i, s := range v.Sources {
		if i == 6 {
			return append(lines, fmt.Sprintf("and %d more, see Sources", len(v.Sources)-i))
		}
		lines = append(lines, fmt.Sprintf("%s, page %d: %s: %s", w.documentName(s.DocumentID), s.Page, s.Caption,
			s.Text))
	}
	return lines
}

// comment tells where an input comes from.
func (w *workbook) comment(sheet, cell string, v dossier.SpreadValue) {
	lines := w.note(v)
	if len(lines) == 0 {
		return
	}
	w.keepError(w.f.AddComment(sheet, excelize.Comment{Cell: cell, Author: "Dossier",
		Text:  clean(strings.Join(lines, "\n")),
		Width: 320, Height: uint(40 + 18*len(lines))}))
}

package render

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"github.com/dossierhq/dossier"
)

// Every figure that comes from documents is an input, not a formula; its comment says where it is printed and its link
// leads to the row of Sources that says the same. Everything that is calculated is a formula.
func TestSheet_inputs_are_traced(t *testing.T) {
	r := widest(t)
	w := placed(r)
	f, err := excelize.OpenReader(bytes.NewReader(sheetOf(t, r)))
	if err != nil {
		t.Fatal(err)
	}
	inputs, formulas := 0, 0
	for _, s := range statementSheets {
		comments := map[string]string{}
		list, err := f.GetComments(s.sheet)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range list {
			comments[c.Cell] = c.Text
		}
		for _, p := range r.Statements.Named(s.statement).Periods {
			for _, v := range p.Values {
				cell := at(w.columns[s.statement][p.ID], w.rows[s.statement][v.Key])
				formula, _ := f.GetCellFormula(s.sheet, cell)
				if v.Computed && v.Key != "distributionsPaid" {
					formulas++
					if formula == "" {
						t.Errorf("%s %s: %s is calculated and no formula", s.sheet, cell, v.Key)
					}
					continue
				}
				if v.Computed || len(v.Sources) == 0 {
					continue
				}
				inputs++
				source := v.Sources[0]
				if formula != "" || !strings.Contains(comments[cell], fmt.Sprintf("page %d: %s: %s", source.Page, source.Caption, source.Text)) {
					t.Errorf("%s %s: %s has the formula %q and the comment %q", s.sheet, cell, v.Key, formula, comments[cell])
				}
				linked, target, _ := f.GetCellHyperLink(s.sheet, cell)
				if !linked || !strings.HasPrefix(target, "'"+sourcesSheet+"'!A") {
					t.Errorf("%s %s: %s leads to %q", s.sheet, cell, v.Key, target)
					continue
				}
				row := strings.TrimPrefix(target, "'"+sourcesSheet+"'!A")
				if label, _ := f.GetCellValue(sourcesSheet, "C"+row); label != v.Label {
					t.Errorf("%s %s: %s leads to the source of %q", s.sheet, cell, v.Key, label)
				}
				if text, _ := f.GetCellValue(sourcesSheet, "H"+row); text != source.Text {
					t.Errorf("%s %s: %s leads to the text %q, want %q", s.sheet, cell, v.Key, text, source.Text)
				}
			}
		}
	}
	if inputs < 300 || formulas < 300 {
		t.Errorf("%d inputs and %d formulas", inputs, formulas)
	}
}

// Every sheet keeps its captions in view, prints what it holds on pages as wide as it is, and repeats the captions.
func TestSheet_is_set_up_for_reading_and_printing(t *testing.T) {
	r := resultsOf(t, "overlapping_sources")
	f, err := excelize.OpenReader(bytes.NewReader(sheetOf(t, r)))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{summarySheet, incomeSheet, balanceSheet, flowSheet, ucaSheet, ratiosSheet, checksSheet, sourcesSheet, comparisonsSheet,
		completenessSheet}
	if got := f.GetSheetList(); strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("sheets %v", got)
	}
	names := map[string]string{}
	for _, n := range f.GetDefinedName() {
		names[n.Name+" "+n.Scope] = n.RefersTo
	}
	for _, sheet := range want {
		panes, err := f.GetPanes(sheet)
		if err != nil || !panes.Freeze || panes.YSplit != headerRow {
			t.Errorf("%s: panes %+v, %v", sheet, panes, err)
		}
		page, err := f.GetPageLayout(sheet)
		props, _ := f.GetSheetProps(sheet)
		if err != nil || *page.FitToWidth != 1 || *page.Size != letterPaper.number || !*props.FitToPage {
			t.Errorf("%s: page %+v, %v", sheet, page, err)
		}
		rows, _ := f.GetRows(sheet)
		if area := names["_xlnm.Print_Area "+sheet]; !strings.HasSuffix(area, fmt.Sprintf("$%d", len(rows))) || !strings.HasPrefix(area, "'"+sheet+"'!$A$1:") {
			t.Errorf("%s prints %s of %d rows", sheet, area, len(rows))
		}
		if names["_xlnm.Print_Titles "+sheet] == "" {
			t.Errorf("%s does not repeat its captions", sheet)
		}
	}
}

// The workbook says which rows no printed total confirms, and adds trailing twelve months by formulas.
func TestSheet_completeness_and_trailing(t *testing.T) {
	r := widest(t)
	if len(r.Trailing) == 0 {
		t.Fatal("no trailing twelve months")
	}
	no, printed := false, dossier.Figure{Decimal: decimal.New(4321, 0)}
	p := &r.Statements.IncomeStatement.Periods[0]
	p.Integrity = dossier.IntegrityVariance
	p.Values[0].Reported, p.Values[1].Reliable = &printed, &no
	f, err := excelize.OpenReader(bytes.NewReader(sheetOf(t, r)))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := f.GetRows(completenessSheet)
	if err != nil {
		t.Fatal(err)
	}
	first := rows[headerRow]
	if first[1] != periodText("incomeStatement", p.ID) || first[2] != "variance" {
		t.Errorf("the first period reads %q", first)
	}
	if got := rows[headerRow+1]; got[3] != p.Values[0].Label || !strings.Contains(got[5], "4,321") {
		t.Errorf("the contradicted row reads %q", got)
	}
	if got := rows[headerRow+2]; got[3] != p.Values[1].Label || strings.TrimSpace(got[4]) != notReliable {
		t.Errorf("the unreliable row reads %q", got)
	}
	x := r.Trailing[0]
	lines, err := f.GetRows(trailingSheet)
	if err != nil {
		t.Fatal(err)
	}
	if len(lines) != headerRow+len(x.Values) {
		t.Errorf("%d lines of trailing twelve months, want %d", len(lines)-headerRow, len(x.Values))
	}
	for i := range x.Values {
		cell := at(letter(5), headerRow+1+i)
		formula, _ := f.GetCellFormula(trailingSheet, cell)
		was, _ := f.GetCellValue(trailingSheet, cell)
		now, err := f.CalcCellValue(trailingSheet, cell)
		if formula == "" || err != nil || now != was {
			t.Errorf("%s %s: %q calculates %q, shown %q, %v", x.Values[i].Key, cell, formula, now, was, err)
		}
	}
}

package render

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread"
)

// Every page of the report of every borrower has content and its number, no table without a row, no caption at its
// foot, no word on another, and no table of which a few rows only went over to the next page.
func TestReport_of_every_borrower(t *testing.T) {
	t.Parallel()
	captions := map[string]bool{}
	for _, title := range sectionTitles {
		captions[title] = true
	}
	for _, s := range statementSheets {
		captions[s.title] = true
	}
	for i, b := range borrowers() {
		if i%2 == 1 && !strings.HasPrefix(b.Name, "interim_nine") { // every other one, and one of months
			continue
		}
		s := spreadOf(t, b)
		data := reportOf(t, s)
		pages := strings.Split(strings.TrimSuffix(textOf(t, data, "-raw"), "\f"), "\f")
		titles := map[string]int{}
		for i, page := range pages {
			lines := strings.Split(strings.TrimSpace(page), "\n")
			if number := fmt.Sprintf("Page %d of %d", i+1, len(pages)); lines[len(lines)-1] != number ||
				len(lines) < 4 && !strings.HasPrefix(lines[0], "Summary") { // a page of charts is a picture
				t.Errorf("%s: page %d has %d lines, the last of them %q", b.Name, i+1, len(lines), lines[len(lines)-1])
			}
			for k, line := range lines[1:] {
				next := lines[min(k+2, len(lines)-1)]
				if captions[line] && (captions[next] || strings.HasPrefix(next, "Page ")) {
					t.Errorf("%s: page %d: nothing stands below %q", b.Name, i+1, line)
				}
			}
			titles[lines[0]]++
		}
		for i, p := range pagesOf(t, data) {
			p.check(t, i+1)
		}
		for _, of := range statementSheets {
			columns := s.Statements.Named(of.statement)
			if n := len(groups(len(columns.Periods), annualized(columns)...)); titles[of.title] > n {
				t.Errorf("%s: the %s of %d tables takes %d pages", b.Name, of.title, n, titles[of.title])
			}
		}
	}
}

// What is not reliable is called so wherever a figure or a ratio of it would stand, in the report and in the workbook.
func TestFiles_hide_what_is_not_reliable(t *testing.T) {
	r := resultsOf(t, "interim_nine_months")
	no, hidden := false, map[string]bool{}
	for _, s := range statementSheets {
		periods := r.Statements.Named(s.statement).Periods
		for i := range periods {
			for k := range periods[i].Values {
				if v := &periods[i].Values[k]; v.Key == "ebitda" || v.Key == "netIncome" || v.Key == "totalAssets" {
					v.Reliable, hidden[money(v.Value)] = &no, true
				}
			}
		}
	}
	for i := range r.Trailing {
		for k := range r.Trailing[i].Values {
			if v := &r.Trailing[i].Values[k]; v.Key == "ebitda" || v.Key == "netIncome" {
				v.Reliable, hidden[money(v.Value)] = &no, true
			}
		}
	}
	for i := range r.UCA {
		for k := range r.UCA[i].Values {
			v := &r.UCA[i].Values[k]
			v.Reliable, hidden[money(v.Value)] = &no, true
		}
	}
	sure := func(values dossier.SpreadValues) {
		for _, v := range values {
			if !v.Doubtful() {
				delete(hidden, money(v.Value)) // what is also an input stands there rightly
			}
		}
	}
	for _, s := range statementSheets {
		for _, p := range r.Statements.Named(s.statement).Periods {
			sure(p.Values)
		}
	}
	for _, x := range r.Trailing {
		sure(x.Values)
	}
	text := textOf(t, reportOf(t, r), "-layout")
	for figure := range hidden {
		if strings.Contains(text, " "+figure+" ") {
			t.Errorf("the report shows %s", figure)
		}
	}
	f, err := excelize.OpenReader(bytes.NewReader(sheetOf(t, r)))
	if err != nil {
		t.Fatal(err)
	}
	for _, sheet := range []string{summarySheet, incomeSheet, balanceSheet, ucaSheet, trailingSheet} {
		rows, err := f.GetRows(sheet)
		if err != nil {
			t.Fatal(err)
		}
		said := false
		for _, row := range rows {
			for _, cell := range row {
				said = said || strings.TrimSpace(cell) == notReliable
				if hidden[strings.TrimSpace(cell)] {
					t.Errorf("%s shows %s", sheet, cell)
				}
			}
		}
		if !said {
			t.Errorf("%s says of nothing that it is not reliable", sheet)
		}
	}
}

// A sheet without periods says why, and has no empty table.
func TestSheet_says_what_there_is_not(t *testing.T) {
	f, err := excelize.OpenReader(bytes.NewReader(sheetOf(t, resultsOf(t, "sole_proprietor"))))
	if err != nil {
		t.Fatal(err)
	}
	for _, sheet := range []string{balanceSheet, flowSheet, ucaSheet} {
		rows, err := f.GetRows(sheet)
		if err != nil || len(rows) != headerRow+1 || !strings.HasPrefix(rows[headerRow][0], "None: ") {
			t.Errorf("%s: %q, %v", sheet, rows, err)
		}
	}
}

func TestFormulaText(t *testing.T) {
	want := map[string]string{
		"currentRatio":  "Total current assets ÷ Total current liabilities",
		"revenueGrowth": "Net revenues ÷ Net revenues, year before - 1",
		"dscr":          "EBITDA ÷ Debt service (interest plus prior current maturities)",
		"debtService":   "Interest expense + Current portion of long-term debt, opening",
		"dscrUca":       "Net cash after operations ÷ Debt service (interest plus prior current maturities)",
	}
	for _, ratio := range spread.Template().Ratios {
		got := formulaText(spread.Template(), ratio.Formula)
		if w := want[ratio.Key]; w != "" && got != w {
			t.Errorf("%s is %q, want %q", ratio.Key, got, w)
		}
		if strings.Contains(got, "is.") || strings.Contains(got, "bs.") {
			t.Errorf("%s is %q", ratio.Key, got)
		}
	}
}

func TestPeriodText(t *testing.T) {
	for _, tc := range [][3]string{
		{"incomeStatement", "2024-01-01_2024-12-31", "2024-01-01 to 2024-12-31"},
		{"balanceSheet", "2024-01-01_2024-12-31", "as of 2024-12-31"},
		{"incomeStatement", "2024-01-01_2024-06-30_annualized", "2024-01-01 to 2024-06-30, annualized"},
		{"", "", ""},
	} {
		if got := periodText(tc[0], tc[1]); got != tc[2] {
			t.Errorf("%s of %s is %q, want %q", tc[1], tc[0], got, tc[2])
		}
	}
	if got := periodCaption("balanceSheet", dossier.SpreadPeriod{Label: "FY 2024", Start: "2024-01-01", End: "2024-12-31"}); got != "FY 2024\nas of 2024-12-31" {
		t.Errorf("a balance sheet is headed %q", got)
	}
}

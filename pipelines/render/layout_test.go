package render

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/spread"
)

// However long a list is, its last page does not look forgotten.
func TestList_ends_with_several_rows(t *testing.T) {
	ruler, err := newRuler()
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n <= 130; n++ {
		p := &report{template: spread.Template(), paper: letterPaper, ruler: ruler, padding: loosePadding}
		p.begin("Checks and warnings")
		var rows []tableRow
		for i := range n {
			rows = append(rows, tableRow{look{line: true, small: true}, []cellText{left(fmt.Sprint("Row ", i), 40), right("1.00", 20)}})
		}
		p.list([]cellText{left("Check", 40), right("Difference", 20)}, rows)
		if last := len(p.rows) - 2; last < min(minRowsOnLastPage, n) { // without the title and the heading
			t.Errorf("of %d rows the last of %d pages has %d", n, len(p.pages)+1, last)
		}
	}
}

// What is said of charts that are not drawn stands below the others, on their page, wherever that ends.
func TestCharts_note_stays_with_them(t *testing.T) {
	program, err := exec.LookPath("pdfimages")
	if err != nil {
		t.Fatal("pdfimages is not installed (apt-get install poppler-utils)")
	}
	r := resultsOf(t, "quickbooks_accrual")
	for _, ratios := range r.Ratios {
		for i := range ratios.Values {
			if ratios.Values[i].Key == "debtToWorth" {
				ratios.Values[i].Value = nil
			}
		}
	}
	for _, r.Currency = range []string{"USD", "EUR"} { // Letter, and A4, which is less high
		data := reportOf(t, r)
		file := filepath.Join(t.TempDir(), "report.pdf")
		if err := os.WriteFile(file, data, 0o600); err != nil {
			t.Fatal(err)
		}
		list, err := exec.CommandContext(t.Context(), program, "-list", file).Output()
		if err != nil {
			t.Fatal(err)
		}
		pages := regexp.MustCompile(`(?m)^ +(\d+) +\d+ image`).FindStringSubmatch(string(list))
		for i, text := range strings.Split(textOf(t, data, "-raw"), "\f") {
			if strings.Contains(text, "Not drawn") && pages[1] != strconv.Itoa(i+1) {
				t.Errorf("%s: the note is on page %d, the charts on page %s", r.Currency, i+1, pages[1])
			}
		}
	}
}

// Labels of one line and of two begin at the same height.
func TestLevel(t *testing.T) {
	bars := []bar{{label: "Dec 23"}, {label: "Jun 24\n6 mo"}}
	if padLabels(bars); bars[0].label != "Dec 23\n " || bars[1].label != "Jun 24\n6 mo" {
		t.Errorf("%+v", bars)
	}
	if padLabels(bars[:1]); strings.Count(bars[0].label, "\n") != 1 {
		t.Errorf("%+v", bars)
	}
}

// There is no column of percentages without what they are of, and none of a total that is not reliable.
func TestStatement_percentages_need_their_base(t *testing.T) {
	for _, c := range []struct {
		change func(v *dossier.SpreadValue)
		of     string
	}{
		{func(v *dossier.SpreadValue) { v.Reliable = new(bool) }, "is not reliable"},
		{func(v *dossier.SpreadValue) { v.Value = dossier.Figure{} }, "is zero"},
	} {
		r := resultsOf(t, "quickbooks_accrual")
		for _, base := range commonBase {
			for _, s := range statementSheets {
				for _, x := range r.Statements.Named(s.statement).Periods {
					for i := range x.Values {
						if x.Values[i].Key == base {
							c.change(&x.Values[i])
						}
					}
				}
			}
		}
		for _, page := range strings.Split(textOf(t, reportOf(t, r), "-raw"), "\f") {
			title, _, _ := strings.Cut(page, "\n")
			if (title == "Income statement" || title == "Balance sheet") && strings.Contains(page, "%") {
				t.Errorf("the %s has percentages of what %s", title, c.of)
			}
		}
	}
}

// A spread of nobody says so where the name would stand, in both files.
func TestFiles_say_that_nobody_is_named(t *testing.T) {
	r := resultsOf(t, "sole_proprietor")
	r.EntityName = ""
	if text := textOf(t, reportOf(t, r), "-raw"); !strings.Contains(text, unnamed) {
		t.Error("the report does not say it")
	}
	f, err := excelize.OpenReader(bytes.NewReader(sheetOf(t, r)))
	if err != nil {
		t.Fatal(err)
	}
	for _, sheet := range f.GetSheetList() {
		if got, _ := f.GetCellValue(sheet, "A2"); got != unnamed {
			t.Errorf("%s is headed %q", sheet, got)
		}
	}
}

// A sheet of many periods prints on several pages beside each other, each with the captions of the rows.
func TestSheet_of_many_periods_can_be_read_on_paper(t *testing.T) {
	r := resultsOf(t, "quickbooks_accrual")
	s := r.Statements.Named("incomeStatement")
	for month := range 20 {
		period := s.Periods[0]
		period.ID = fmt.Sprintf("2024-01-%02d_2024-01-%02d", month+1, month+1)
		s.Periods = append(s.Periods, period)
	}
	f, err := excelize.OpenReader(bytes.NewReader(sheetOf(t, r)))
	if err != nil {
		t.Fatal(err)
	}
	for sheet, want := range map[string]int{incomeSheet: (1 + len(s.Periods) + perPrint - 1) / perPrint, balanceSheet: 1} {
		page, err := f.GetPageLayout(sheet)
		if err != nil || *page.FitToWidth != want || *page.FitToHeight != 1 {
			t.Errorf("%s prints %d pages wide and %d high, want %d and 1: %v", sheet, *page.FitToWidth, *page.FitToHeight, want, err)
		}
	}
	for _, n := range f.GetDefinedName() {
		if n.Name == "_xlnm.Print_Titles" && strings.Contains(n.RefersTo, "$A:$A") != (n.Scope == incomeSheet) {
			t.Errorf("%s repeats %s", n.Scope, n.RefersTo)
		}
	}
}

// BenchmarkSpread_six_documents makes a spread of three years from six documents whose facts are read, with its report
// and its workbook. The aim is a second.
func BenchmarkSpread_six_documents(b *testing.B) {
	in := inputOf(specimen.ManySources(3, 6, false))
	for b.Loop() {
		r, _, err := spread.Consolidate(in)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := Report(spread.Template(), r); err != nil {
			b.Fatal(err)
		}
		if _, err := Sheet(spread.Template(), r); err != nil {
			b.Fatal(err)
		}
	}
}

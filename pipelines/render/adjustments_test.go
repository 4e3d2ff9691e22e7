package render

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread"
)

// Both files show the analyst's figure, the machine's, the reason and the person; without adjustments neither has a
// place for them.
func TestFiles_show_adjustments(t *testing.T) {
	plain := resultsOf(t, "interim_six_months")
	f, err := excelize.OpenReader(bytes.NewReader(sheetOf(t, plain)))
	if err != nil {
		t.Fatal(err)
	}
	if i, _ := f.GetSheetIndex(adjustmentsSheet); i >= 0 {
		t.Error("a workbook without adjustments has a sheet for them")
	}
	r := resultsOf(t, "interim_six_months")
	period, machine, who := &r.Statements.IncomeStatement.Periods[0], dossier.Figure{}, "ann@example.com"
	for i := range period.Values {
		if v := &period.Values[i]; v.Key == "rent" {
			machine = v.Value
			v.Value = dossier.Figure{Decimal: decimal.NewFromInt(77777)}
			v.Adjusted = &dossier.SpreadAdjusted{Machine: &machine, Reason: "The lease says so", Actor: &who}
		}
	}
	book := sheetOf(t, r)
	if f, err = excelize.OpenReader(bytes.NewReader(book)); err != nil {
		t.Fatal(err)
	}
	rows, err := f.GetRows(adjustmentsSheet)
	if err != nil || len(rows) != headerRow+1 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	if got := strings.Join(rows[headerRow], "|"); !strings.Contains(got, "The lease says so|"+who) || !strings.Contains(got, "77,777.00") {
		t.Errorf("the sheet says %s", got)
	}
	w := placed(r)
	cell := at(w.columns["incomeStatement"][period.ID], w.rows["incomeStatement"]["rent"])
	comments, err := f.GetComments(incomeSheet)
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, c := range comments {
		found = found || c.Cell == cell && strings.Contains(c.Text, "Adjusted: The lease says so (from documents: "+money(machine)+")")
	}
	if !found {
		t.Errorf("no comment at %s tells of the adjustment", cell)
	}
	text := textOf(t, reportOf(t, r))
	for _, want := range []string{"* 77,777.00", "Changed by an analyst", "Analyst's adjustments", "The lease says so", who, money(machine)} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if strings.Contains(textOf(t, reportOf(t, plain)), "analyst") {
		t.Error("a report without adjustments speaks of an analyst")
	}
}

func reportOf(t *testing.T, r dossier.SpreadResults) []byte {
	t.Helper()
	data, err := Report(spread.Template(), r)
	if err != nil {
		t.Fatal(err)
	}
	if dir := os.Getenv("RENDER_DIR"); dir != "" { // to look at
		_ = os.WriteFile(filepath.Join(dir, strings.ReplaceAll(t.Name(), "/", "_")+".pdf"), data, 0o600)
	}
	return data
}

// textOf is the text of a PDF, as a reader copies it.
func textOf(t *testing.T, data []byte) string {
	t.Helper()
	program, err := exec.LookPath("pdftotext")
	if err != nil {
		t.Skip("pdftotext is not installed: the report's text is NOT checked (apt-get install poppler-utils)")
	}
	command := exec.CommandContext(t.Context(), program, "-layout", "-", "-")
	command.Stdin = bytes.NewReader(data)
	out, err := command.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

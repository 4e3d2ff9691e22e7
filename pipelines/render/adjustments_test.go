package render

import (
	"bytes"
	"strings"
	"testing"

	"github.com/shopspring/decimal"
	"github.com/xuri/excelize/v2"

	"github.com/dossierhq/dossier"
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
	text := textOf(t, reportOf(t, r), "-layout")
	for _, want := range []string{"* 77,777.00", "Changed by an analyst", "Analyst's adjustments", "The lease says so", who, money(machine)} {
		if !strings.Contains(text, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if strings.Contains(textOf(t, reportOf(t, plain), "-layout"), "analyst") {
		t.Error("a report without adjustments speaks of an analyst")
	}
}

package spread

import (
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// belowOperations spreads one income statement whose captions without a row stand below operations.
func belowOperations(t *testing.T, beforeTaxes, net int64, unmapped ...dossier.UnmappedCaption) (dossier.SpreadResults, *dossier.SpreadPeriod) {
	t.Helper()
	amount := func(v int64) dossier.Amount { return dossier.Amount{Decimal: decimal.New(v, 0)} }
	start, end := "2025-01-01", "2025-12-31"
	column := dossier.StatementColumn{Label: "2025", Start: &start, End: &end, Values: map[string]dossier.Amount{
		"netRevenues": amount(9000), "totalCostOfRevenues": amount(4000), "grossProfit": amount(5000), "rent": amount(1200),
		"totalOperatingExpenses": amount(1200), "operatingIncome": amount(3800), "interestExpense": amount(300),
		"netIncome": amount(net)}}
	if beforeTaxes > 0 { // a statement that prints its taxes
		column.Values["incomeBeforeTaxes"], column.Values["incomeTaxes"] = amount(beforeTaxes), amount(800)
	}
	for _, u := range unmapped {
		u.Section = "otherIncomeExpense"
		column.Unmapped = append(column.Unmapped, u)
	}
	f := &dossier.StatementFacts{Unit: 1, Statements: dossier.Statements{IncomeStatement: []dossier.StatementColumn{column}}}
	r, _, err := Consolidate(Input{Currency: "USD", FiscalYearEndMonth: 12, Documents: []Document{{ID: "d",
		Parts: []dossier.ReadDocument{{DocType: dossier.DocFinancialStatement, Facts: dossier.Facts{Statement: f}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return r, &r.Statements.IncomeStatement.Periods[0]
}

func captionOf(caption string, v int64) dossier.UnmappedCaption {
	return dossier.UnmappedCaption{Caption: caption, Amount: dossier.Amount{Decimal: decimal.New(v, 0)}}
}

// What is printed below income taxes enters nothing above them: income before taxes and EBITDA are those of what goes
// on, net income names the printed one beside it, and the line is told.
func TestConsolidate_below_taxes(t *testing.T) {
	r, p := belowOperations(t, 3500, 2350, captionOf("Loss from discontinued operations, net of tax", -350))
	for key, want := range map[string]int64{"incomeBeforeTaxes": 3500, "netIncome": 2700, "ebitda": 3800, "reportedNetIncome": 2350} {
		v := valueAt(p, key)
		if v == nil || !v.Value.Equal(decimal.New(want, 0)) || v.Doubtful() {
			t.Errorf("%s is %+v, want %d", key, v, want)
		}
	}
	if v := valueAt(p, "otherIncome"); v != nil {
		t.Errorf("other income is %s", v.Value)
	}
	if v := valueAt(p, "netIncome"); v.Reported == nil || !v.Reported.Equal(decimal.New(2350, 0)) || p.Integrity == dossier.IntegrityReconciled {
		t.Errorf("net income %+v of a period that is %s", v, p.Integrity)
	}
	told := false
	for _, w := range r.Warnings {
		told = told || w.Code == "caption_not_placed" && strings.Contains(w.Detail, "below income taxes")
	}
	if !told {
		t.Errorf("no warning tells of it: %+v", r.Warnings)
	}
}

// A line above taxes stays there though another stands below them.
func TestConsolidate_above_and_below_taxes(t *testing.T) {
	_, p := belowOperations(t, 3650, 2500, captionOf("Sundry receipts", 150), captionOf("Result of abandoned lines", -350))
	for key, want := range map[string]int64{"incomeBeforeTaxes": 3650, "otherIncome": 150, "netIncome": 2850} {
		if v := valueAt(p, key); v == nil || !v.Value.Equal(decimal.New(want, 0)) {
			t.Errorf("%s is %+v, want %d", key, v, want)
		}
	}
}

// Costs below operations that are printed without a sign are taken off where the printed result says so, and nowhere
// else.
func TestConsolidate_costs_without_a_sign(t *testing.T) {
	_, p := belowOperations(t, 0, 3100, captionOf("Crew training expenses", 400))
	if v := valueAt(p, "netIncome"); !v.Value.Equal(decimal.New(3100, 0)) {
		t.Errorf("net income is %s, want 3100", v.Value)
	}
	if v := valueAt(p, "otherExpenses"); v == nil || !v.Value.Equal(decimal.New(400, 0)) {
		t.Errorf("other expenses are %+v, want 400", v)
	}
	_, p = belowOperations(t, 0, 3900, captionOf("Refund of expenses", 400))
	if v := valueAt(p, "otherIncome"); v == nil || !v.Value.Equal(decimal.New(400, 0)) {
		t.Errorf("other income is %+v, want 400", v)
	}
}

func valueAt(p *dossier.SpreadPeriod, key string) *dossier.SpreadValue {
	for i := range p.Values {
		if p.Values[i].Key == key {
			return &p.Values[i]
		}
	}
	return nil
}

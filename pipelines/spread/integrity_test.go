package spread

import (
	"slices"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// provenBooks spreads one income statement and one balance sheet of 2025, as the change leaves them. They reconcile before.
func provenBooks(t *testing.T, change func(income, sheet *dossier.StatementColumn)) dossier.SpreadResults {
	t.Helper()
	start, end, months := "2025-01-01", "2025-12-31", 12
	income := dossier.StatementColumn{Label: "2025", Start: &start, End: &end, Months: &months, Coverage: &dossier.StatementCoverage{},
		Values: whole(map[string]int64{"grossRevenues": 1000, "cogsGoodsMaterials": 300, "totalCostOfRevenues": 300, "grossProfit": 700, "rent": 100,
			"salariesWages": 200, "totalOperatingExpenses": 300, "operatingIncome": 400, "interestExpense": 40, "incomeTaxes": 60, "netIncome": 300})}
	sheet := dossier.StatementColumn{Label: "2025", End: &end, Coverage: &dossier.StatementCoverage{},
		Values: whole(map[string]int64{"cash": 500, "accountsReceivable": 300, "totalCurrentAssets": 800, "totalAssets": 800, "accountsPayable": 200,
			"accruedExpenses": 100, "totalCurrentLiabilities": 300, "totalLiabilities": 300, "retainedEarnings": 500, "totalEquity": 500, "totalLiabilitiesAndEquity": 800})}
	change(&income, &sheet)
	name, currency := "Acme", "USD"
	facts := dossier.StatementFacts{EntityName: &name, Currency: &currency, Unit: 1}
	facts.Statements.IncomeStatement = []dossier.StatementColumn{income}
	facts.Statements.BalanceSheet = []dossier.StatementColumn{sheet}
	r, _, err := Consolidate(Input{DefaultCurrency: "USD", FiscalYearEndMonth: 12, Documents: []Document{{ID: "d", Filename: "books.pdf",
		Parts: []dossier.ReadDocument{{DocType: dossier.DocFinancialStatement, Pages: [2]int{1, 1}, Facts: dossier.Facts{Statement: &facts}}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func whole(values map[string]int64) map[string]dossier.Amount {
	out := map[string]dossier.Amount{}
	for key, n := range values {
		out[key] = dossier.Amount{Decimal: decimal.NewFromInt(n)}
	}
	return out
}

// told are the rows of a period that are not reliable, and those beside which the printed total stands.
func told(p *dossier.SpreadPeriod) (unreliable, reported string) {
	var doubtful, beside []string
	for _, v := range p.Values {
		if v.Doubtful() {
			doubtful = append(doubtful, v.Key)
		}
		if v.Reported != nil {
			beside = append(beside, v.Key+" "+v.Reported.String())
		}
	}
	return strings.Join(doubtful, " "), strings.Join(beside, ", ")
}

// Source: relationships.md section 1.
func TestIntegrity(t *testing.T) {
	tests := []struct {
		name                               string
		change                             func(income, sheet *dossier.StatementColumn)
		income, sheet                      dossier.Integrity
		incomeUnreliable, incomeReported   string
		balanceUnreliable, balanceReported string
		warnings                           string
	}{
		{"everything is printed and adds up", func(_, _ *dossier.StatementColumn) {}, "reconciled", "reconciled", "", "", "", "", ""},
		{"a printed total is another than its lines give", func(income, _ *dossier.StatementColumn) {
			income.Values["rent"] = dossier.Amount{Decimal: decimal.NewFromInt(150)}
		}, "variance", "reconciled", "totalOperatingExpenses operatingIncome incomeBeforeTaxes netIncome incomeStatementVariance ebitda",
			"totalOperatingExpenses 300, operatingIncome 400, netIncome 300", "", "", ""},
		{"depreciation is printed among other expenses", func(income, _ *dossier.StatementColumn) {
			income.Values["depreciation"] = dossier.Amount{Decimal: decimal.NewFromInt(25)}
			income.Values["netIncome"] = dossier.Amount{Decimal: decimal.NewFromInt(275)}
		}, "variance", "reconciled", "", "totalOperatingExpenses 300, operatingIncome 400", "", "", ""},
		{"interest is printed among the expenses of operations", func(income, _ *dossier.StatementColumn) {
			income.Values["totalOperatingExpenses"] = dossier.Amount{Decimal: decimal.NewFromInt(340)}
			income.Values["operatingIncome"] = dossier.Amount{Decimal: decimal.NewFromInt(360)}
		}, "reconciled", "reconciled", "", "totalOperatingExpenses 340, operatingIncome 360", "", "", ""},
		{"a printed total is rounded apart from its lines", func(income, sheet *dossier.StatementColumn) {
			income.Values["totalOperatingExpenses"] = dossier.Amount{Decimal: decimal.NewFromInt(301)}
			sheet.Values["totalCurrentAssets"] = dossier.Amount{Decimal: decimal.NewFromInt(799)}
		}, "reconciled", "reconciled", "", "totalOperatingExpenses 301", "", "totalCurrentAssets 799", ""},
		{"a line has no row", func(income, _ *dossier.StatementColumn) {
			delete(income.Values, "rent")
			income.Unmapped = []dossier.UnmappedCaption{{Caption: "Sundries", Amount: dossier.Amount{Decimal: decimal.NewFromInt(70)}}}
			income.Coverage.Unexplained = 1
		}, "incomplete", "reconciled", "totalOperatingExpenses operatingIncome incomeBeforeTaxes netIncome incomeStatementVariance ebitda",
			"totalOperatingExpenses 300, operatingIncome 400, netIncome 300", "", "", `2025: no row is certain for "Sundries"`},
		{"a section prints only its total", func(_, sheet *dossier.StatementColumn) {
			delete(sheet.Values, "accountsPayable")
			delete(sheet.Values, "accruedExpenses")
		}, "reconciled", "incomplete", "", "", "", "", "2025: Total current liabilities is printed without the lines it is made of"},
		{"a figure could not be read", func(_, sheet *dossier.StatementColumn) {
			delete(sheet.Values, "cash")
			sheet.Coverage.Unexplained = 1
		}, "reconciled", "incomplete", "", "", "totalCurrentAssets totalAssets balanceSheetVariance", "totalCurrentAssets 800, totalAssets 800",
			"2025: 1 printed figures could not be read"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			r := provenBooks(t, test.change)
			income, sheet := r.Statements.IncomeStatement.Period(year2025), r.Statements.BalanceSheet.Period(year2025)
			if income.Integrity != test.income || sheet.Integrity != test.sheet {
				t.Errorf("income statement %s, balance sheet %s; want %s, %s", income.Integrity, sheet.Integrity, test.income, test.sheet)
			}
			if u, b := told(income); u != test.incomeUnreliable || b != test.incomeReported {
				t.Errorf("income statement: not reliable %q, printed %q", u, b)
			}
			if u, b := told(sheet); u != test.balanceUnreliable || b != test.balanceReported {
				t.Errorf("balance sheet: not reliable %q, printed %q", u, b)
			}
			var details []string
			for _, w := range warningsOf(r, "statement_incomplete") {
				details = append(details, w.Detail)
				if w.DocumentID == nil || *w.DocumentID != "d" || w.Statement == nil || w.PeriodID == nil || *w.PeriodID != year2025 {
					t.Errorf("a warning of %v, %v, %v", w.DocumentID, w.Statement, w.PeriodID)
				}
			}
			if strings.HasPrefix(test.name, "interest is printed") && slices.ContainsFunc(r.Checks, func(c dossier.SpreadCheck) bool { return !c.Passed }) {
				t.Errorf("a check fails: %+v", r.Checks)
			}
			if got := strings.Join(details, "; "); got != test.warnings {
				t.Errorf("warnings %q", got)
			}
		})
	}
}

// A ratio on figures that nothing confirms has no value and says why; its neighbours stay.
func TestRatios_not_reliable(t *testing.T) {
	r := provenBooks(t, func(income, _ *dossier.StatementColumn) {
		income.Values["rent"] = dossier.Amount{Decimal: decimal.NewFromInt(150)}
	})
	for _, ratio := range r.Ratios[0].Values {
		switch ratio.Key {
		case "operatingMargin":
			if ratio.Value != nil || ratio.Reason == nil || !strings.Contains(*ratio.Reason, "Operating income") {
				t.Errorf("operating margin %v, %v", ratio.Value, ratio.Reason)
			}
		case "currentRatio", "grossMargin":
			if ratio.Value == nil || ratio.Reason != nil {
				t.Errorf("%s has no value", ratio.Key)
			}
		}
	}
}

// A spread whose documents name nobody says so, and one that is told of whom it is does not.
func TestConsolidate_entity_uncertain(t *testing.T) {
	asked := "Acme"
	for _, c := range []struct {
		entity string
		asked  *string
		warned int
	}{{"", nil, 1}, {"Acme", nil, 0}, {"", &asked, 0}} {
		r, _, err := Consolidate(Input{EntityName: c.asked, Currency: "USD", FiscalYearEndMonth: 12, Documents: []Document{statementOf("a", c.entity, 1, nil)}})
		if err != nil {
			t.Fatal(err)
		}
		if n := len(warningsOf(r, "entity_uncertain")); n != c.warned || (r.EntityName == "") != (n == 1) {
			t.Errorf("a document of %q, asked for %v: %d warnings, the spread is of %q", c.entity, c.asked, n, r.EntityName)
		}
	}
}

// A spread that names no currency takes its statements' own. Source: decisions-2.md, P-0.
func TestConsolidate_currency_of_the_statements(t *testing.T) {
	for name, test := range map[string]struct {
		printed []string
		want    string
		warned  int
	}{"one": {[]string{"CAD", "CAD"}, "CAD", 0}, "none": {[]string{"", ""}, "USD", 1}, "two": {[]string{"CAD", "EUR", "USD"}, "USD", 0}, "one and none": {[]string{"", "EUR"}, "EUR", 0}} {
		t.Run(name, func(t *testing.T) {
			in := Input{DefaultCurrency: "USD", FiscalYearEndMonth: 12}
			for i, currency := range test.printed {
				end, start := []string{"2023-12-31", "2024-12-31", "2025-12-31"}[i], []string{"2023-01-01", "2024-01-01", "2025-01-01"}[i]
				facts := dossier.StatementFacts{Unit: 1}
				if currency != "" {
					facts.Currency = &currency
				}
				facts.Statements.IncomeStatement = []dossier.StatementColumn{{Label: end, Start: &start, End: &end, Values: whole(map[string]int64{"grossRevenues": 9, "netIncome": 9})}}
				in.Documents = append(in.Documents, Document{ID: dossier.DocumentID(end), Parts: []dossier.ReadDocument{{DocType: dossier.DocFinancialStatement, Pages: [2]int{1, 1},
					Facts: dossier.Facts{Statement: &facts}}}})
			}
			r, _, err := Consolidate(in)
			if err != nil {
				t.Fatal(err)
			}
			if got := len(warningsOf(r, "currency_uncertain")); r.Currency != test.want || got != test.warned {
				t.Errorf("currency %s with %d warnings, want %s with %d", r.Currency, got, test.want, test.warned)
			}
		})
	}
}

package spread

import (
	"slices"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// adjustedBooks spreads one year of revenue 1000, rent 100, other operating expenses 60 and a caption nobody knows.
func adjustedBooks(t *testing.T, change func(in *Input)) dossier.SpreadResults {
	t.Helper()
	start, end, months := "2025-01-01", "2025-12-31", 12
	amount := func(n int64) dossier.Amount { return dossier.Amount{Decimal: decimal.NewFromInt(n)} }
	column := dossier.StatementColumn{Label: "2025", Start: &start, End: &end, Months: &months,
		Values:   map[string]dossier.Amount{"grossRevenues": amount(1000), "rent": amount(100), "otherOperatingExpenses": amount(60)},
		Unmapped: []dossier.UnmappedCaption{{Caption: "Truck lease", Section: "operatingExpenses", Amount: amount(40)}}}
	facts := dossier.StatementFacts{}
	facts.Statements.IncomeStatement = []dossier.StatementColumn{column}
	in := Input{Currency: "USD", FiscalYearEndMonth: 12, Documents: []Document{{ID: "d", Filename: "books.xlsx",
		Parts: []dossier.ReadDocument{{DocType: dossier.DocFinancialStatement, Pages: [2]int{1, 1}, Facts: dossier.Facts{Statement: &facts}}}}}}
	change(&in)
	r, _, err := Consolidate(in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

const year2025 = "2025-01-01_2025-12-31"

func amountOf(t *testing.T, r dossier.SpreadResults, key string) string {
	t.Helper()
	v, ok := r.Statements.IncomeStatement.Period(year2025).Values.Get(key)
	if !ok {
		return "-"
	}
	return v.String()
}

func rowOf(r dossier.SpreadResults, key string) dossier.SpreadValue {
	values := r.Statements.IncomeStatement.Period(year2025).Values
	return values[slices.IndexFunc(values, func(v dossier.SpreadValue) bool { return v.Key == key })]
}

func figureOf(n int64) *dossier.Figure { return &dossier.Figure{Decimal: decimal.NewFromInt(n)} }

// A changed value moves what is calculated from it; the machine's figure and the sources stay beside it.
func TestConsolidate_adjusted_value(t *testing.T) {
	who := "ann@example.com"
	r := adjustedBooks(t, func(in *Input) {
		in.Adjustments = []dossier.SpreadAdjustment{{Statement: "incomeStatement", Row: "rent", PeriodID: year2025, Value: figureOf(150), Reason: "lease", Actor: &who}}
	})
	if got := amountOf(t, r, "rent"); got != "150" {
		t.Errorf("rent %s, want 150", got)
	}
	if got := amountOf(t, r, "netIncome"); got != "750" { // 1000 - 150 - 60 - 40
		t.Errorf("net income %s, want 750", got)
	}
	rent := rowOf(r, "rent")
	if rent.Adjusted == nil || rent.Adjusted.Machine == nil || rent.Adjusted.Machine.String() != "100" || rent.Adjusted.Reason != "lease" || *rent.Adjusted.Actor != who {
		t.Errorf("rent is %+v, want the machine's 100 beside it", rent.Adjusted)
	}
	if len(rent.Sources) != 1 || len(r.Adjustments) != 1 || len(warningsOf(r, "adjustment_not_applied")) != 0 {
		t.Errorf("%d sources, %d adjustments, warnings %v", len(rent.Sources), len(r.Adjustments), r.Warnings)
	}
	if rowOf(r, "grossRevenues").Adjusted != nil {
		t.Error("a figure that nobody changed is marked")
	}
}

// A reclassification leaves the bottom line: an expense that becomes income changes its sign.
func TestConsolidate_reclassified(t *testing.T) {
	for _, c := range []struct {
		to, from, landed string
		value            *dossier.Figure
	}{
		{to: "interestExpense", value: figureOf(25), from: "35", landed: "25"},
		{to: "interestExpense", from: "0", landed: "60"},
		{to: "otherIncome", value: figureOf(25), from: "35", landed: "-25"},
		{to: "rent", value: figureOf(10), from: "50", landed: "110"},
	} {
		r := adjustedBooks(t, func(in *Input) {
			in.Adjustments = []dossier.SpreadAdjustment{{Statement: "incomeStatement", Row: "otherOperatingExpenses", PeriodID: year2025, Value: c.value, MoveTo: &c.to, Reason: "x"}}
			in.Captions = []dossier.CaptionMapping{{Statement: "incomeStatement", Caption: "truck  LEASE", Row: "cogsOther"}}
		})
		if got := amountOf(t, r, "otherOperatingExpenses"); got != c.from {
			t.Errorf("to %s: %s stay, want %s", c.to, got, c.from)
		}
		if got := amountOf(t, r, c.to); got != c.landed {
			t.Errorf("to %s: it is %s, want %s", c.to, got, c.landed)
		}
		if got := amountOf(t, r, "netIncome"); got != "800" {
			t.Errorf("to %s: net income became %s", c.to, got)
		}
	}
}

// An adjustment that no longer fits is told, not dropped in silence.
func TestConsolidate_adjustment_without_place(t *testing.T) {
	to := "rent"
	r := adjustedBooks(t, func(in *Input) {
		in.Adjustments = []dossier.SpreadAdjustment{
			{Statement: "incomeStatement", Row: "rent", PeriodID: "2019-01-01_2019-12-31", Value: figureOf(1), Reason: "x"},
			{Statement: "incomeStatement", Row: "interestExpense", PeriodID: year2025, MoveTo: &to, Reason: "nothing is there"},
		}
	})
	if len(r.Adjustments) != 0 || len(warningsOf(r, "adjustment_not_applied")) != 2 {
		t.Errorf("applied %v, warnings %v", r.Adjustments, r.Warnings)
	}
}

// A caption goes to the row an analyst chose, else to the row it is a synonym of, else to the catch-all of its section.
func TestConsolidate_caption_mapping(t *testing.T) {
	for _, c := range []struct{ caption, chosen, row, want, method string }{
		{"Truck lease", "", "otherOperatingExpenses", "100", "catchAll"},
		{"Truck lease", "rent", "rent", "140", "mapping"},
		{"Insurance expense", "", "insurance", "40", "synonym"},
	} {
		r := adjustedBooks(t, func(in *Input) {
			in.Documents[0].Parts[0].Facts.Statement.Statements.IncomeStatement[0].Unmapped[0].Caption = c.caption
			if c.chosen != "" {
				in.Captions = []dossier.CaptionMapping{{Statement: "incomeStatement", Caption: "TRUCK LEASE:", Row: c.chosen}}
			}
		})
		if got := amountOf(t, r, c.row); got != c.want {
			t.Errorf("%s: %s is %s, want %s", c.caption, c.row, got, c.want)
		}
		sources := rowOf(r, c.row).Sources
		if got := sources[len(sources)-1].Method; got != c.method {
			t.Errorf("%s: method %s, want %s", c.caption, got, c.method)
		}
		if r.Unmapped[0].Row != c.row {
			t.Errorf("%s: listed with row %s", c.caption, r.Unmapped[0].Row)
		}
	}
}

// warningsOf are the warnings of one code.
func warningsOf(r dossier.SpreadResults, code string) []dossier.SpreadWarning {
	return slices.DeleteFunc(slices.Clone(r.Warnings), func(w dossier.SpreadWarning) bool { return w.Code != code })
}

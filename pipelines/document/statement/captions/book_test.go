package captions

import (
	"strings"
	"testing"
)

// rowOf is the row that a printed caption means on a statement, as its first rule has it.
func rowOf(kind, printed string) string {
	for _, form := range Forms(printed) {
		if rules := Books()[kind].Find(form); len(rules) > 0 {
			return rules[0].Row
		}
	}
	return ""
}

// Captions mean rows however they are dressed; what is no money of the statement means none.
func TestBook_Find(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ kind, printed, want string }{
		{IncomeStatement, "Sales", "grossRevenues"},
		{IncomeStatement, "4000 · Sales", "grossRevenues"},
		{IncomeStatement, "Total for Revenue", "netRevenues"},
		{IncomeStatement, "Cost of goods sold", "cogsGoodsMaterials"},
		{IncomeStatement, "Gross profit (loss)", "grossProfit"},
		{IncomeStatement, "III. Gross profit", "grossProfit"},
		{IncomeStatement, "Payroll taxes", "payrollTaxes"},
		{IncomeStatement, "Net income per share - diluted", ""},
		{IncomeStatement, "Weighted average shares", ""},
		{IncomeStatement, "Number of employees", ""},
		{IncomeStatement, "Square feet of stores", ""},
		{IncomeStatement, "Adjusted EBITDA", ""},
		{IncomeStatement, "Gros profit", "grossProfit"}, // a letter lost
		{IncomeStatement, "Groxx profit", ""},           // two of a short one: too far
		{IncomeStatement, "", ""},
		{IncomeStatement, "Weather", ""},
		{IncomeStatement, "Profit after tax for the financial year", "netIncome"},
		{BalanceSheet, "Total assets", "totalAssets"},
		{BalanceSheet, "TOTAL ASSETS", "totalAssets"},
		{BalanceSheet, "Total liabilities and equity", "totalLiabilitiesAndEquity"},
		{BalanceSheet, "Total assets and liabilities under custody", ""},
		{CashFlow, "Net cash provided by operating activities", "netCashFromOperating"},
	} {
		if got := rowOf(c.kind, c.printed); got != c.want {
			t.Errorf("%s, %q: %q, want %q", c.kind, c.printed, got, c.want)
		}
	}
}

func TestBook_Heading(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ kind, printed, want string }{
		{IncomeStatement, "Revenue:", "revenue"}, {IncomeStatement, "Cost of Sales", "costOfRevenues"},
		{IncomeStatement, "Operating expenses", "operatingExpenses"}, {BalanceSheet, "Current assets", "currentAssets"},
		{IncomeStatement, "Weather", "none"}, {BalanceSheet, "", "none"},
	} {
		got, ok := Books()[c.kind].Heading(Fold(c.printed))
		if !ok {
			got = "none"
		}
		if got != c.want {
			t.Errorf("%q opens %q, want %q", c.printed, got, c.want)
		}
	}
	if !OpensSection("Current assets") || OpensSection("Weather") {
		t.Error("headings of sections are not told from others")
	}
	for section, want := range map[string]string{"currentAssets": "assets", "longTermLiabilities": "liabilities", "equity": "equity"} {
		if got := SideName(section); got != want {
			t.Errorf("%s is on the side of %s, want %s", section, got, want)
		}
	}
}

// Every caption of the data files can be found as it is printed there, and belongs to a row of a statement.
func TestBooks_findThemselves(t *testing.T) {
	t.Parallel()
	for kind, book := range Books() {
		if len(book.Exact) < 100 || BottomLines[kind] == "" {
			t.Errorf("%s: %d captions", kind, len(book.Exact))
		}
		for caption, rules := range book.Exact {
			if got := book.Find(caption); len(got) != len(rules) {
				t.Errorf("%s: %q: %d rules, want %d", kind, caption, len(got), len(rules))
			}
			if rules[0].Row == "" || strings.ContainsAny(rules[0].Row, "!+ ") {
				t.Errorf("%s: %q: row %q", kind, caption, rules[0].Row)
			}
		}
	}
}

func TestFold_dressed(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{
		"(a) Land":                     "land",
		"a. Land":                      "land",
		"12. Land":                     "land",
		"II Land":                      "land",
		"I Land":                       "land",
		"6000-10 Land":                 "land",
		"Total - 6000 Land":            "total land",
		"Land1":                        "land",
		"Land *":                       "land",
		"Land ......":                  "land",
		"Land (see note 4)":            "land",
		"Land, notes 4 and 5":          "land",
		"Plus: land":                   "land",
		"Add back: land":               "land",
		"Subtotal for land":            "total land",
		"Total des terrains":           "total terrains",
		"Land total":                   "total land",
		"1231":                         "1231",
		"Current portion of debt 2024": "current portion of debt 2024",
	} {
		if got := Fold(printed); got != want {
			t.Errorf("%q folds to %q, want %q", printed, got, want)
		}
	}
	for printed, want := range map[string]string{"Insurance – General Liability": "insurance", "Rent: office": "rent", "Rent": "", "A - b": ""} {
		if got := GeneralForm(printed); got != want {
			t.Errorf("%q is generally %q, want %q", printed, got, want)
		}
	}
	if got := strings.Join(Forms("Loss (gain) on sale"), "|"); got != "loss gain on sale|loss on sale" {
		t.Errorf("forms %s", got)
	}
}

func TestEditDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b        string
		limit, want int
	}{{"profit", "profit", 2, 0}, {"profit", "proft", 2, 1}, {"profit", "porfit", 2, 2}, {"profit", "loss", 2, 3}, {"", "ab", 5, 2}, {"abc", "", 5, 3}} {
		if got := EditDistance(c.a, c.b, c.limit); got != c.want {
			t.Errorf("%q to %q: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

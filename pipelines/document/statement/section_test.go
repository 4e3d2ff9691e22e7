package statement

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
)

// A heading opens what its words say, unless they mean another thing where it stands.
func TestHeadedSection(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ kind, now, opened, form, want string }{
		{captions.BalanceSheet, "liabilities", "currentAssets", "current", "currentLiabilities"},
		{captions.BalanceSheet, "currentLiabilities", "nonCurrentAssets", "non current", "longTermLiabilities"},
		{captions.BalanceSheet, "assets", "currentAssets", "current", "currentAssets"},
		{captions.BalanceSheet, "currentLiabilities", "longTermLiabilities", "notes payable", "currentLiabilities"},
		{captions.BalanceSheet, "liabilities", "longTermLiabilities", "notes payable", "longTermLiabilities"},
		{captions.BalanceSheet, "currentLiabilities", "longTermLiabilities", "long term debt", "longTermLiabilities"},
		{captions.BalanceSheet, "currentAssets", "nonCurrentAssets", "other assets", "nonCurrentAssets"},
		{captions.IncomeStatement, "operatingExpenses", "revenue", "income", "operatingExpenses"},
		{captions.IncomeStatement, "otherIncomeExpense", "costOfRevenues", "cost", "otherIncomeExpense"},
		{captions.IncomeStatement, "operatingExpenses", "otherIncomeExpense", "taxes", "operatingExpenses"},
		{captions.IncomeStatement, "operatingExpenses", "otherIncomeExpense", "other income", "otherIncomeExpense"},
		{captions.IncomeStatement, "", "revenue", "income", "revenue"},
		{captions.CashFlow, "operatingExpenses", "revenue", "income", "revenue"},
	} {
		if got := headedSection(tc.kind, tc.now, tc.opened, tc.form); got != tc.want {
			t.Errorf("%s: %q within %q opens %q, want %q", tc.kind, tc.form, tc.now, got, tc.want)
		}
	}
}

// A rule that holds everywhere does not hold among rows of another side, or of another section of results.
func TestClashes(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		kind, within string
		rule         captions.Rule
		want         bool
	}{
		{captions.BalanceSheet, "currentLiabilities", captions.Rule{Row: "cash", Section: "currentAssets"}, true},
		{captions.BalanceSheet, "nonCurrentAssets", captions.Rule{Row: "cash", Section: "currentAssets"}, false},
		{captions.BalanceSheet, "currentLiabilities",
			captions.Rule{Row: "leaseLiabilities", Section: "longTermLiabilities", Phrase: "lease liabilities"}, true},
		{captions.BalanceSheet, "currentLiabilities",
			captions.Rule{Row: "leaseLiabilities", Section: "longTermLiabilities", Phrase: "long term leases"}, false},
		{captions.BalanceSheet, "assets", captions.Rule{Row: "totalEquity", Section: "equity", Phrase: "total equity"}, false},
		{captions.BalanceSheet, "assets", captions.Rule{Row: "totalEquity", Section: "equity", Phrase: "retained"}, true},
		{captions.CashFlow, "investing", captions.Rule{Row: "endingCash", Section: "summary"}, false},
		{captions.CashFlow, "investing", captions.Rule{Row: "debtRepaid", Section: "financing"}, true},
		{captions.IncomeStatement, "revenue", captions.Rule{Row: "salariesWages", Section: "operatingExpenses"}, true},
		{captions.IncomeStatement, "revenue", captions.Rule{Row: "cogsGoodsMaterials", Section: "costOfRevenues"}, false},
		{captions.IncomeStatement, "revenue", captions.Rule{Row: "cogsLabor", Section: "costOfRevenues"}, true},
		{captions.IncomeStatement, "operatingExpenses", captions.Rule{Row: "returnsAllowances", Section: "revenue"}, false},
		{captions.IncomeStatement, "operatingExpenses", captions.Rule{Row: "otherIncome", Section: "otherIncomeExpense"}, true},
		{captions.IncomeStatement, "otherIncomeExpense", captions.Rule{Row: "rent", Section: "operatingExpenses"}, false},
	} {
		if got := clashes(tc.kind, tc.within, &tc.rule); got != tc.want {
			t.Errorf("%s among %s: %v, want %v", tc.rule.Row, tc.within, got, tc.want)
		}
	}
}

// Of several rows of one meaning a total is it rather than a line, and of subtotals the outer one.
func TestStatementRow_outranks(t *testing.T) {
	t.Parallel()
	row := func(total bool, section string, anywhere bool, rank int) statementRow {
		return statementRow{total: total, section: section,
			rule: &captions.Rule{Section: "equity", Anywhere: anywhere, Rank: rank}}
	}
	for name, tc := range map[string]struct {
		below, above statementRow
		subtotal     bool
		want         bool
	}{
		"a total below a line":         {row(true, "", false, 0), row(false, "equity", false, 0), false, true},
		"a line below a total":         {row(false, "equity", false, 0), row(true, "", false, 0), false, false},
		"the outer of two totals":      {row(true, "", false, 0), row(true, "", false, 0), true, true},
		"the later of two subtotals":   {row(false, "", false, 0), row(false, "", false, 0), true, false},
		"a line in its own section":    {row(false, "equity", false, 0), row(false, "assets", false, 0), false, true},
		"a name that holds everywhere": {row(false, "equity", true, 5), row(false, "equity", false, 0), false, true},
		"the better name":              {row(false, "equity", false, 1), row(false, "equity", false, 2), false, true},
		"the same name again":          {row(false, "equity", false, 2), row(false, "equity", false, 2), false, false},
	} {
		if got := tc.below.outranks(tc.above, tc.subtotal); got != tc.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

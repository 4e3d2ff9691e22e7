package statement

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A heading opens what its words say, unless they mean another thing where it stands.
func TestHeadedSection(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ kind, now, opened, form, want string }{
		{balanceSheet, "liabilities", "currentAssets", "current", "currentLiabilities"},
		{balanceSheet, "currentLiabilities", "nonCurrentAssets", "non current", "longTermLiabilities"},
		{balanceSheet, "assets", "currentAssets", "current", "currentAssets"},
		{balanceSheet, "currentLiabilities", "longTermLiabilities", "notes payable", "currentLiabilities"},
		{balanceSheet, "liabilities", "longTermLiabilities", "notes payable", "longTermLiabilities"},
		{balanceSheet, "currentLiabilities", "longTermLiabilities", "long term debt", "longTermLiabilities"},
		{balanceSheet, "currentAssets", "nonCurrentAssets", "other assets", "nonCurrentAssets"},
		{incomeStatement, "operatingExpenses", "revenue", "income", "operatingExpenses"},
		{incomeStatement, "otherIncomeExpense", "costOfRevenues", "cost", "otherIncomeExpense"},
		{incomeStatement, "operatingExpenses", "otherIncomeExpense", "taxes", "operatingExpenses"},
		{incomeStatement, "operatingExpenses", "otherIncomeExpense", "other income", "otherIncomeExpense"},
		{incomeStatement, "", "revenue", "income", "revenue"},
		{cashFlow, "operatingExpenses", "revenue", "income", "revenue"},
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
		rule         captionRule
		want         bool
	}{
		{balanceSheet, "currentLiabilities", captionRule{row: "cash", section: "currentAssets"}, true},
		{balanceSheet, "nonCurrentAssets", captionRule{row: "cash", section: "currentAssets"}, false},
		{balanceSheet, "currentLiabilities",
			captionRule{row: "leaseLiabilities", section: "longTermLiabilities", phrase: "lease liabilities"}, true},
		{balanceSheet, "currentLiabilities",
			captionRule{row: "leaseLiabilities", section: "longTermLiabilities", phrase: "long term leases"}, false},
		{balanceSheet, "assets", captionRule{row: "totalEquity", section: "equity", phrase: "total equity"}, false},
		{balanceSheet, "assets", captionRule{row: "totalEquity", section: "equity", phrase: "retained"}, true},
		{cashFlow, "investing", captionRule{row: "endingCash", section: "summary"}, false},
		{cashFlow, "investing", captionRule{row: "debtRepaid", section: "financing"}, true},
		{incomeStatement, "revenue", captionRule{row: "salariesWages", section: "operatingExpenses"}, true},
		{incomeStatement, "revenue", captionRule{row: "cogsGoodsMaterials", section: "costOfRevenues"}, false},
		{incomeStatement, "revenue", captionRule{row: "cogsLabor", section: "costOfRevenues"}, true},
		{incomeStatement, "operatingExpenses", captionRule{row: "returnsAllowances", section: "revenue"}, false},
		{incomeStatement, "operatingExpenses", captionRule{row: "otherIncome", section: "otherIncomeExpense"}, true},
		{incomeStatement, "otherIncomeExpense", captionRule{row: "rent", section: "operatingExpenses"}, false},
	} {
		if got := clashes(tc.kind, tc.within, &tc.rule); got != tc.want {
			t.Errorf("%s among %s: %v, want %v", tc.rule.row, tc.within, got, tc.want)
		}
	}
}

// What a column's heading leaves open the title says, and nothing that the heading says itself.
func TestStatementPeriod_withTitle(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		heading, title string
		instant        bool
		start, end     string
		months         int
	}{
		{"Total", "January through June 2024", false, "2024-01-01", "2024-06-30", 6},
		{"YTD", "6 months ended 30 September 2023", false, "", "2023-09-30", 6},
		{"Jan 24", "January through June 2024", false, "2024-01-01", "2024-01-31", 1},
		{"Year ended 31 March 2024", "Quarter ended March 31, 2025", false, "", "2024-03-31", 12},
		{"Total", "As of December 31, 2024", true, "", "2024-12-31", 0},
		{"Total", "January through June 2024", true, "", "2024-06-30", 0},
	} {
		p := columnPeriod([]string{tc.heading}, text.MonthFirst)
		title := readPeriodText(tc.title, text.MonthFirst)
		p.withTitle([]statementPeriod{title}, tc.title, tc.instant, text.MonthFirst)
		start, end, months := "", "", 0
		if p.start != nil {
			start = p.start.String()
		}
		if p.end != nil {
			end = p.end.String()
		}
		if p.months != nil {
			months = *p.months
		}
		if start != tc.start || end != tc.end || months != tc.months {
			t.Errorf("%q below %q: %s to %s, %d months; want %s to %s, %d", tc.heading, tc.title, start, end, months,
				tc.start, tc.end, tc.months)
		}
	}
}

// Of several rows of one meaning a total is it rather than a line, and of subtotals the outer one.
func TestStatementRow_outranks(t *testing.T) {
	t.Parallel()
	row := func(total bool, section string, anywhere bool, rank int) statementRow {
		return statementRow{total: total, section: section,
			rule: &captionRule{section: "equity", anywhere: anywhere, rank: rank}}
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

package spread

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// Kinds of sales are gross revenues when they add up to what is printed below them; a total that they miss counts
// instead of them, so that revenue is neither lost nor counted twice. What is missing is looked for where the printed
// subtotals lack it, and what nothing lacks stays out.
func TestMapping_captions_without_a_row(t *testing.T) {
	kind := func(caption, section string, n int64) dossier.UnmappedCaption {
		return dossier.UnmappedCaption{Caption: caption, Section: section, Amount: dossier.Amount{Decimal: decimal.NewFromInt(n)}}
	}
	fees, service := kind("Fees", "revenue", 600), kind("Service", "revenue", 410)
	for _, c := range []struct {
		name     string
		values   map[string]int64
		captions []dossier.UnmappedCaption
		want     map[string]string
		row      string // of the last caption
	}{
		{"kinds, returns and their net", map[string]int64{"netRevenues": 1000, "returnsAllowances": 10, "netIncome": 1000}, []dossier.UnmappedCaption{fees, service},
			map[string]string{"grossRevenues": "1010", "netRevenues": "1000", "netIncome": "1000", "incomeStatementVariance": "0"}, "grossRevenues"},
		{"kinds without a total", map[string]int64{"rent": 10, "netIncome": 1000}, []dossier.UnmappedCaption{fees, service},
			map[string]string{"grossRevenues": "1010", "netRevenues": "1010", "netIncome": "1000", "incomeStatementVariance": "0"}, "grossRevenues"},
		{"kinds that miss their total", map[string]int64{"netRevenues": 2000, "netIncome": 2000}, []dossier.UnmappedCaption{fees, service},
			map[string]string{"grossRevenues": "2000", "netRevenues": "2000", "incomeStatementVariance": "0"}, "netRevenues"},
		{"kinds that miss their net", map[string]int64{"netRevenues": 2000, "returnsAllowances": 10, "netIncome": 2000}, []dossier.UnmappedCaption{fees, service},
			map[string]string{"grossRevenues": "2010", "netRevenues": "2000", "incomeStatementVariance": "0"}, "netRevenues"},
		{"a kind that a total holds already", map[string]int64{"netRevenues": 1000, "rent": 100, "netIncome": 900}, []dossier.UnmappedCaption{kind("Membership fees", "", 70)},
			map[string]string{"netIncome": "900", "otherOperatingExpenses": "-"}, ""},
		{"a kind above a printed operating income", map[string]int64{"netRevenues": 1000, "rent": 100, "operatingIncome": 900}, []dossier.UnmappedCaption{kind("Membership fees", "", 70)},
			map[string]string{"netIncome": "900", "otherOperatingExpenses": "-"}, ""},
		{"an expense that the bottom line lacks", map[string]int64{"netRevenues": 1000, "rent": 100, "netIncome": 830}, []dossier.UnmappedCaption{kind("Sundry", "", 70)},
			map[string]string{"netIncome": "830", "otherOperatingExpenses": "70", "incomeStatementVariance": "0"}, "otherOperatingExpenses"},
		{"a cost that its subtotal lacks", map[string]int64{"netRevenues": 1000, "cogsLabor": 300, "totalCostOfRevenues": 370, "netIncome": 630}, []dossier.UnmappedCaption{kind("Sundry", "", 70)},
			map[string]string{"cogsOther": "70", "netIncome": "630"}, "cogsOther"},
		{"refunds among the sales", map[string]int64{"netIncome": 590}, []dossier.UnmappedCaption{fees, kind("Refunds", "revenue", 10)},
			map[string]string{"grossRevenues": "600", "returnsAllowances": "10", "netRevenues": "590"}, "returnsAllowances"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := adjustedBooks(t, func(in *Input) {
				column := &in.Documents[0].Parts[0].Facts.Statement.Statements.IncomeStatement[0]
				column.Values, column.Unmapped = map[string]dossier.Amount{}, c.captions
				for key, n := range c.values {
					column.Values[key] = dossier.Amount{Decimal: decimal.NewFromInt(n)}
				}
			})
			for key, want := range c.want {
				if got := amountOf(t, r, key); got != want {
					t.Errorf("%s = %s, want %s", key, got, want)
				}
			}
			if got := r.Unmapped[len(c.captions)-1].Row; got != c.row {
				t.Errorf("%s stands in row %q, want %q", c.captions[len(c.captions)-1].Caption, got, c.row)
			}
		})
	}
}

package specimen

import (
	"testing"

	"github.com/shopspring/decimal"
)

// TestFiling_foots holds what the facts of every described layout must: assets are liabilities and equity, and cash
// moves by what the statement of it says.
func TestFiling_foots(t *testing.T) {
	for _, layout := range FilingLayouts() {
		s := Filing(1, layout)
		f := s.Truth.Facts.Statement.Statements
		if len(f.IncomeStatement)+len(f.BalanceSheet)+len(f.CashFlow) == 0 {
			t.Errorf("%s has no statement", layout)
		}
		for _, c := range f.BalanceSheet {
			if _, ok := c.Values["totalLiabilitiesAndEquity"]; ok {
				equal(t, s.Name, c, "totalLiabilitiesAndEquity", sumOf(c, "totalAssets"))
			}
			if _, ok := c.Values["totalCurrentAssets"]; ok && sumOf(c, "totalCurrentAssets").LessThanOrEqual(decimal.Zero) {
				t.Errorf("%s %s: no current assets", layout, c.Label)
			}
		}
		for _, c := range f.CashFlow {
			equal(t, s.Name, c, "endingCash", sumOf(c, "beginningCash", "netCashFromOperating", "netCashFromInvesting", "netCashFromFinancing", "effectOfExchangeRates"))
		}
	}
}

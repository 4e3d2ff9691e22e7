package specimen

import "testing"

// TestBooks holds the accounting identities for many invented firms.
func TestBooks(t *testing.T) {
	shapes := map[string]firmShape{
		"goods":    {revenue: 2_400_000, growth: 6, margin: 8, goods: 44, labor: 8},
		"services": {revenue: 800_000, growth: 3, margin: 12, cents: true},
		"loss":     {revenue: 1_500_000, growth: -9, margin: -14, goods: 52, cents: true},
		"indebted": {revenue: 900_000, growth: 0, margin: -4, goods: 40, indebted: true},
		"taxed":    {revenue: 5_000_000, growth: 4, margin: 9, goods: 50, taxed: true},
	}
	for name, shape := range shapes {
		for seed := range uint64(20) {
			d := roll(seed, name)
			for _, b := range newBooks(d, firm(d), date(2022, 12, 31), 3, shape) {
				checkBooks(t, name, b)
			}
		}
	}
}

func checkBooks(t *testing.T, name string, b books) {
	t.Helper()
	if a, le := totalAssets(b.closing), totalLiabilities(b.closing)+totalEquity(b.closing); a != le {
		t.Errorf("%s: assets %d, liabilities and equity %d", name, a, le)
	}
	if b.closing["cash"] < 0 || fixedAssets(b.closing) < 0 {
		t.Errorf("%s: cash %d, fixed assets %d", name, b.closing["cash"], fixedAssets(b.closing))
	}
	if moved := totalEquity(b.closing) - totalEquity(b.opening); moved != b.netIncome()-b.distributions {
		t.Errorf("%s: equity moved by %d, income less distributions is %d", name, moved, b.netIncome()-b.distributions)
	}
	if moved := fixedAssets(b.closing) - fixedAssets(b.opening); moved != b.capex-b.income["depreciation"] {
		t.Errorf("%s: fixed assets moved by %d, purchases less depreciation is %d", name, moved, b.capex-b.income["depreciation"])
	}
}

package specimen

import (
	"time"
)

// figures are amounts by row key of spread-template.yaml.
type figures map[string]cents

func (f figures) sum(keys ...string) (total cents) {
	for _, k := range keys {
		total += f[k]
	}
	return total
}

func (f figures) clone() figures {
	out := figures{}
	for k, v := range f {
		out[k] = v
	}
	return out
}

// Row keys of spread-template.yaml, by section. The signs are the template's: costs positive, contra rows negative.
var (
	costKeys    = []string{"cogsGoodsMaterials", "cogsLabor", "cogsSubcontractors", "cogsOther"}
	expenseKeys = []string{"officersCompensation", "salariesWages", "payrollTaxes", "employeeBenefits",
		"contractLabor", "commissionsFees", "rent",
		"repairsMaintenance", "utilities", "insurance", "advertisingMarketing", "officeSupplies", "professionalFees",
		"vehicleTravelMeals",
		"taxesLicenses", "badDebts", "depreciation", "otherOperatingExpenses"}
	currentAssetKeys = []string{"cash", "accountsReceivable", "allowanceForDoubtfulAccounts", "inventory",
		"prepaidExpenses", "otherCurrentAssets"}
	fixedAssetKeys  = []string{"grossFixedAssets", "accumulatedDepreciation"}
	otherAssetKeys  = []string{"dueFromOwnersAffiliates", "otherNonCurrentAssets"}
	currentDebtKeys = []string{"accountsPayable", "creditCardsPayable", "linesOfCredit",
		"currentPortionLongTermDebt", "accruedExpenses", "deferredRevenue"}
	longDebtKeys = []string{"longTermDebt", "dueToOwnersAffiliates"}
	equityKeys   = []string{"capitalStock", "additionalPaidInCapital", "retainedEarnings", "currentYearEarnings",
		"distributionsDividends"}
)

// books are the accounts of a business for one period: they balance, and the balance sheets explain the cash.
type books struct {
	entity        party
	start, end    time.Time
	income        figures // lines only
	opening       figures // balance sheet on the day before start
	closing       figures // balance sheet on end
	distributions cents   // paid to the owners in the period
	capex         cents
	interim       bool // the year goes on after end: earnings stand in equity apart
}

func (b books) netRevenues() cents { return b.income["grossRevenues"] - b.income["returnsAllowances"] }
func (b books) costs() cents       { return b.income.sum(costKeys...) }
func (b books) grossProfit() cents { return b.netRevenues() - b.costs() }
func (b books) expenses() cents    { return b.income.sum(expenseKeys...) }
func (b books) operating() cents   { return b.grossProfit() - b.expenses() }
func (b books) other() cents {
	return b.income.sum("interestIncome", "otherIncome", "gainLossOnAssetSales") - b.income.sum("interestExpense",
		"otherExpenses")
}
func (b books) beforeTaxes() cents { return b.operating() + b.other() }
func (b books) netIncome() cents   { return b.beforeTaxes() - b.income["incomeTaxes"] }

// Totals of a balance sheet.
func currentAssets(f figures) cents { return f.sum(currentAssetKeys...) }
func fixedAssets(f figures) cents   { return f.sum(fixedAssetKeys...) }
func totalAssets(f figures) cents {
	return currentAssets(f) + fixedAssets(f) + f.sum(otherAssetKeys...)
}
func currentDebts(f figures) cents     { return f.sum(currentDebtKeys...) }
func totalLiabilities(f figures) cents { return currentDebts(f) + f.sum(longDebtKeys...) }
func totalEquity(f figures) cents      { return f.sum(equityKeys...) }

// firmShape says what kind of business the books are of.
type firmShape struct {
	revenue  int64 // dollars in the first full year
	growth   int   // percent a year
	margin   int   // operating result, percent of revenue; negative: a loss
	goods    int   // cost of goods, percent of revenue; 0: services
	labor    int   // direct labor, percent of revenue
	cents    bool  // amounts with cents
	indebted bool  // liabilities above assets
	taxed    bool  // pays income tax (a C corporation)
	noOwners bool  // no officers' pay: a sole proprietor
	noIncome bool  // no interest income: nothing of the result stands off page 1 of a return
}

// newBooks invents consecutive full years, the first ending on end.
func newBooks(d dice, entity party, end time.Time, years int, shape firmShape) []books {
	opening := openingSheet(d, shape)
	var all []books
	for i := range years {
		closing := monthEnd(date(end.Year()+i, end.Month(), 1))
		b := newPeriod(d, entity, opening, closing, 12, shape, i)
		all, opening = append(all, b), b.closing
	}
	return all
}

// some is about percent of base: four fifths to six fifths of it, in whole dollars or with cents.
func some(d dice, base cents, percent int, withCents bool) cents {
	v := base * cents(percent) / 100 * cents(d.between(80, 120)) / 100
	if withCents {
		return v/100*100 + cents(d.IntN(100))
	}
	return v / 100 * 100
}

func openingSheet(d dice, s firmShape) figures {
	base := cents(s.revenue) * 100
	f := figures{
		"accountsReceivable": some(d, base, 9, s.cents), "prepaidExpenses": some(d, base, 1, s.cents),
		"grossFixedAssets": some(d, base, 28, s.cents), "otherNonCurrentAssets": some(d, base, 1, s.cents),
		"accountsPayable": some(d, base, 5, s.cents), "creditCardsPayable": some(d, base, 1, s.cents),
		"accruedExpenses":            some(d, base, 2, s.cents),
		"currentPortionLongTermDebt": some(d, base, 2, s.cents), "longTermDebt": some(d, base, 12, s.cents),
		"capitalStock": 10_000_00, "cash": some(d, base, 8, s.cents),
	}
	f["accumulatedDepreciation"] = -f["grossFixedAssets"] / 3 / 100 * 100
	if s.goods > 0 {
		f["inventory"] = some(d, base, 7, s.cents)
	}
	if s.indebted {
		f["dueToOwnersAffiliates"] = some(d, base, 38, s.cents)
		f["linesOfCredit"] = some(d, base, 6, s.cents)
	}
	f["retainedEarnings"] = totalAssets(f) - totalLiabilities(f) - f["capitalStock"]
	return f
}

// newPeriod invents the period of months that ends on end, from the opening balance sheet.
func newPeriod(d dice, entity party, opening figures, end time.Time, months int, s firmShape, year int) books {
	revenue := cents(s.revenue) * 100
	for range year {
		revenue = revenue * cents(100+s.growth) / 100
	}
	revenue = revenue * cents(months) / 12
	b := books{entity: entity, start: date(end.Year(), end.Month()-time.Month(months-1), 1), end: end,
		opening: opening, interim: months < 12}
	b.income = incomeLines(d, revenue, s)
	b.close(d, revenue, s)
	return b
}

// incomeLines spreads the revenue over costs so that the result is about the margin.
func incomeLines(d dice, revenue cents, s firmShape) figures {
	f := figures{"grossRevenues": some(d, revenue, 100, s.cents)}
	r := f["grossRevenues"]
	if s.goods > 0 {
		f["returnsAllowances"] = some(d, r, 1, s.cents)
		f["cogsGoodsMaterials"] = some(d, r, s.goods, s.cents)
	}
	if s.labor > 0 {
		f["cogsLabor"] = some(d, r, s.labor, s.cents)
	}
	left := r - f["returnsAllowances"] - f["cogsGoodsMaterials"] - f["cogsLabor"] - r*cents(s.margin)/100
	weights := map[string]int{"officersCompensation": 16, "salariesWages": 30, "payrollTaxes": 4,
		"employeeBenefits": 4, "rent": 10, "repairsMaintenance": 2,
		"utilities": 3, "insurance": 3, "advertisingMarketing": 3, "officeSupplies": 3, "professionalFees": 3,
		"vehicleTravelMeals": 4, "taxesLicenses": 2,
		"badDebts": 1, "depreciation": 7, "otherOperatingExpenses": 3}
	for _, k := range expenseKeys { // in a fixed order: a map's order is not
		if w := weights[k]; w > 0 && !(s.noOwners && k == "officersCompensation") {
			f[k] = some(d, left, w, s.cents)
		}
	}
	f["interestExpense"] = some(d, r, 1, s.cents)
	if !s.noIncome {
		f["interestIncome"] = some(d, r/100, 8, s.cents)
	}
	b := books{income: f}
	if s.taxed && b.beforeTaxes() > 0 {
		f["incomeTaxes"] = b.beforeTaxes() * 21 / 100 / 100 * 100
	}
	return f
}

// close makes the closing balance sheet; cash is what is left, so the sheet balances and the cash flow explains it.
func (b *books) close(d dice, revenue cents, s firmShape) {
	c := b.opening.clone()
	drift := func(key string) {
		if c[key] != 0 {
			c[key] = c[key]*cents(d.between(88, 118))/100/100*100 + c[key]%100
		}
	}
	for _, k := range []string{"accountsReceivable", "inventory", "prepaidExpenses", "accountsPayable",
		"creditCardsPayable", "accruedExpenses"} {
		drift(k)
	}
	b.capex = some(d, revenue, 3, s.cents)
	c["grossFixedAssets"] += b.capex
	c["accumulatedDepreciation"] -= b.income["depreciation"]
	paid := c["longTermDebt"] / 8 / 100 * 100
	c["longTermDebt"] -= paid
	if ni := b.netIncome(); ni > 0 && !s.indebted {
		b.distributions = ni * 35 / 100 / 100 * 100
	}
	if b.interim {
		c["currentYearEarnings"], c["distributionsDividends"] = b.netIncome(), -b.distributions
	} else {
		c["retainedEarnings"] += b.netIncome() - b.distributions
	}
	b.closing = c
	settleCash(c)
	b.repairDepreciation()
}

// settleCash gives cash the value that balances the sheet; a line of credit takes a shortfall.
func settleCash(c figures) {
	c["cash"] = 0
	c["cash"] = totalLiabilities(c) + totalEquity(c) - totalAssets(c)
	floor := cents(4_321_00)
	if c["cash"] < floor {
		draw := (floor - c["cash"] + 999_99) / 1000_00 * 1000_00
		c["linesOfCredit"] += draw
		c["cash"] += draw
	}
}

// repairDepreciation keeps fixed assets from being depreciated below nothing: old businesses buy more.
func (b *books) repairDepreciation() {
	if fixedAssets(b.closing) >= 0 {
		return
	}
	more := -fixedAssets(b.closing) + 5_000_00
	more = more / 100 * 100
	b.capex += more
	b.closing["grossFixedAssets"] += more
	settleCash(b.closing)
}

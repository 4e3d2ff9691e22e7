package specimen

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

// Borrower is a business with its documents and the spread they should give.
type Borrower struct {
	Name      string // "s_corporation_three_years"
	Entity    string
	Documents []Specimen // facts of each: Truth.AllFacts
	Spread    Spread
	Compared  []int  // documents that are set aside: another source for the same period ranks higher
	Refused   []int  // documents that are set aside for their currency
	Note      string // what is special
}

// Facts are the facts of each document, for a spread without reading files.
func (b Borrower) Facts() []dossier.Facts {
	var all []dossier.Facts
	for _, s := range b.Documents {
		all = append(all, s.Truth.AllFacts())
	}
	return all
}

// borrowing builds a borrower.
type borrowing struct {
	b    Borrower
	seed uint64
	d    dice
}

func newBorrowing(name, note string, seed uint64) *borrowing {
	return &borrowing{b: Borrower{Name: name, Note: note, Spread: Spread{Currency: "USD",
		Untested: map[string]bool{}}}, seed: seed, d: roll(seed, "borrower/"+name)}
}

// Borrowers are the borrowers with known spreads, the same at every call.
func Borrowers() []Borrower {
	return []Borrower{
		taxBorrower("s_corporation_three_years", "1120-S", "three years with Schedule L and M-2", 101, 2021, 2022,
			2023),
		taxBorrower("partnership_three_years", "1065", "three years; partners' capital is one line", 102, 2021, 2022,
			2023),
		taxBorrower("sole_proprietor", "1040 Schedule C", "no balance sheet", 103, 2022, 2023),
		taxBorrower("c_corporation", "1120", "income tax on page 1", 104, 2022, 2023),
		taxBorrower("one_year_missing", "1120-S", "2022 is missing; Schedule L still opens 2023", 105, 2021, 2023),
		statementBorrower("quickbooks_accrual", "quickbooks_accrual", "one export a year, distributions not shown",
			106, nil, 2022, 2023),
		statementBorrower("quickbooks_cash", "quickbooks_cash", "a workbook of two years on a cash basis", 107, nil,
			2023),
		interimBorrower("interim_three_months", 3, 108),
		interimBorrower("interim_six_months", 6, 109),
		interimBorrower("interim_nine_months", 9, 110),
		retailBorrower(),
		statementBorrower("loss_maker", "workbook", "losses in three years", 112, &firmShape{revenue: 1_900_000,
			growth: -8, margin: -12, goods: 50, labor: 9}, 2023),
		statementBorrower("negative_equity", "comparative", "liabilities above assets", 113,
			&firmShape{revenue: 900_000, growth: 2, margin: -5, goods: 42, labor: 8, indebted: true}, 2023),
		statementBorrower("in_thousands", "sec_thousands", "figures in thousands, per-share rows", 114, nil, 2023),
		currencyBorrower(),
		overlapBorrower(),
	}
}

// returnBooks are consecutive years as a return shows them: nothing of the result off page 1.
func (x *borrowing) returnBooks(form string, first, years int) []books {
	shape := firmShape{revenue: int64(x.d.between(900, 4_000)) * 1000, growth: 6, margin: 9, goods: 45,
		noIncome: form != "1120", taxed: form == "1120", noOwners: form == "1040 Schedule C"}
	return newBooks(x.d, firm(x.d), date(first, time.December, 31), years, shape)
}

// taxBorrower files one form for some years.
func taxBorrower(name, form, note string, seed uint64, years ...int) Borrower {
	x := newBorrowing(name, note, seed)
	all := x.returnBooks(form, years[0], years[len(years)-1]-years[0]+1)
	for _, b := range all {
		if slices.Contains(years, b.end.Year()) {
			x.fileReturn(form, b)
		}
	}
	if form == "1065" { // line 21 may stay whole or be split by Schedule M-2
		for _, row := range []string{"balanceSheet.capitalStock", "balanceSheet.retainedEarnings",
			"balanceSheet.currentYearEarnings", "balanceSheet.distributionsDividends",
			"cashFlow.capitalContributions", "cashFlow.distributionsPaid", "cashFlow.netCashFromFinancing",
			"cashFlow.netChangeInCash", "cashFlow.cashFlowVariance"} {
			x.b.Spread.Untested[row] = true
		}
	}
	return x.done()
}

// fileReturn adds a return and what it gives the spread.
func (x *borrowing) fileReturn(form string, b books) {
	s := TaxReturn(TaxOptions{Seed: x.seed + uint64(b.end.Year()), Form: form, Year: b.end.Year(), Flattened: true,
		books: &b, plain: true})
	x.b.Documents = append(x.b.Documents, s)
	x.b.Entity = b.entity.business
	is := returnLines(form, b).incomeStatement()
	basis := ""
	if form == "1040 Schedule C" {
		basis = "cash"
	}
	x.b.Spread.Income = append(x.b.Spread.Income, spreadPeriod(b.start, b.end, basis, is))
	if form == "1040 Schedule C" {
		return
	}
	opening, closing := scheduleLLines(form, b.opening), scheduleLLines(form, b.closing)
	x.b.Spread.Balance = append(x.b.Spread.Balance, spreadPeriod(b.start, b.end, "", closing))
	x.openingSheet(b, opening)
	x.b.Spread.CashFlow = append(x.b.Spread.CashFlow, spreadPeriod(b.start, b.end, "", cashFlow(is, opening, closing,
		decimal.New(-int64(b.distributions), -2))))
}

// openingSheet lists the opening balance sheet as a period of its own when no return of the year before does.
func (x *borrowing) openingSheet(b books, opening spreadColumn) {
	day := b.start.AddDate(0, 0, -1)
	for _, p := range x.b.Spread.Balance {
		if p.End == iso(day) {
			return
		}
	}
	p := spreadPeriod(date(day.Year(), 1, 1), day, "", opening)
	p.Optional = true
	x.b.Spread.Balance = append(x.b.Spread.Balance, p)
}

// returnLines are the income lines that a return's page 1 shows, in the rows its line numbers name in the template.
func returnLines(form string, b books) spreadColumn {
	i := b.income
	f := figures{"grossRevenues": i["grossRevenues"], "returnsAllowances": i["returnsAllowances"],
		"cogsGoodsMaterials":   b.costs(),
		"officersCompensation": i["officersCompensation"], "salariesWages": i["salariesWages"], "rent": i["rent"],
		"repairsMaintenance": i["repairsMaintenance"],
		"taxesLicenses":      i["taxesLicenses"] + i["payrollTaxes"], "interestExpense": i["interestExpense"],
		"depreciation":         i["depreciation"],
		"advertisingMarketing": i["advertisingMarketing"], "employeeBenefits": i["employeeBenefits"],
		"badDebts":               i["badDebts"],
		"otherOperatingExpenses": i.sum(otherDeductionKeys...), "reportedNetIncome": b.netIncome()}
	switch form {
	case "1120":
		f["interestIncome"], f["incomeTaxes"] = i["interestIncome"], i["incomeTaxes"]
	case "1065": // advertising has no line of its own
		f["otherOperatingExpenses"] += i["advertisingMarketing"]
		delete(f, "advertisingMarketing")
	case "1040 Schedule C":
		for _, k := range []string{"utilities", "insurance", "officeSupplies", "professionalFees",
			"vehicleTravelMeals"} {
			f[k] = i[k]
		}
		f["otherOperatingExpenses"] = i["otherOperatingExpenses"] + i["badDebts"]
		delete(f, "badDebts")
	}
	return lines(f, incomeLineKeys...)
}

var sheetLineKeys = slices.Concat(currentAssetKeys, fixedAssetKeys, otherAssetKeys, currentDebtKeys,
	[]string{"otherCurrentLiabilities"}, longDebtKeys, equityKeys)

// scheduleLLines are a balance sheet in the coarser lines of Schedule L.
func scheduleLLines(form string, f figures) spreadColumn {
	g := f.clone()
	g["otherCurrentAssets"] = f["prepaidExpenses"] + f["otherCurrentAssets"]
	g["linesOfCredit"] = f["linesOfCredit"] + f["currentPortionLongTermDebt"]
	g["otherCurrentLiabilities"] = f.sum("creditCardsPayable", "accruedExpenses", "deferredRevenue")
	for _, k := range []string{"prepaidExpenses", "currentPortionLongTermDebt", "creditCardsPayable",
		"accruedExpenses", "deferredRevenue"} {
		delete(g, k)
	}
	if form == "1065" {
		g["capitalStock"], g["retainedEarnings"] = totalEquity(f), 0
	}
	return lines(g, sheetLineKeys...).balanceSheet()
}

// statementLines are the income lines that a statement shows, by facts.md and the template's mapping rules.
func statementLines(b books, unit int64) spreadColumn {
	f := b.income.clone()
	if f["returnsAllowances"] == 0 {
		f["grossRevenues"] = b.netRevenues()
	}
	f["reportedNetIncome"] = b.netIncome()
	return lines(scaled(f, unit), incomeLineKeys...)
}

func scaled(f figures, unit int64) figures {
	out := figures{}
	for k, v := range f {
		out[k] = v * cents(unit)
	}
	return out
}

// statementBorrower hands in statements of one layout, a document for each of the years.
func statementBorrower(name, layout, note string, seed uint64, shape *firmShape, years ...int) Borrower {
	x := newBorrowing(name, note, seed)
	l := layoutOf(layout)
	if shape != nil {
		l.shape = *shape
	}
	first := years[0] - l.years + 1
	all := newBooks(x.d, firm(x.d), date(first, time.December, 31), years[len(years)-1]-first+1, l.shape)
	for _, year := range years {
		var cols []books
		for _, b := range all {
			if b.end.Year() > year-l.years && b.end.Year() <= year {
				cols = append([]books{b}, cols...)
			}
		}
		x.handIn(l, periods{income: cols, sheets: cols}, uint64(year))
	}
	x.spreadStatements(l, all)
	return x.done()
}

func layoutOf(name string) statementLayout {
	all := statementLayouts()
	return all[slices.IndexFunc(all, func(l statementLayout) bool { return l.name == name })]
}

// handIn adds a document of the given periods.
func (x *borrowing) handIn(l statementLayout, p periods, salt uint64) {
	o := StatementOptions{Seed: x.seed + salt, Layout: l.name, periods: p}
	x.b.Documents = append(x.b.Documents, l.make(roll(o.Seed, l.name), o))
	x.b.Entity = slices.Concat(p.income, p.sheets)[0].entity.business
}

// spreadStatements adds what consecutive years of statements give: each year's income statement and balance sheet,
// and a cash flow wherever an opening balance sheet is known.
func (x *borrowing) spreadStatements(l statementLayout, all []books) {
	for i, b := range all {
		is := statementLines(b, l.unit).incomeStatement()
		closing := lines(scaled(b.closing, l.unit), sheetLineKeys...).balanceSheet()
		x.b.Spread.Income = append(x.b.Spread.Income, spreadPeriod(b.start, b.end, l.basis, is))
		x.b.Spread.Balance = append(x.b.Spread.Balance, spreadPeriod(b.start, b.end, "", closing))
		opening := lines(scaled(b.opening, l.unit), sheetLineKeys...).balanceSheet()
		switch {
		case l.flow: // printed, with the distributions
			x.b.Spread.CashFlow = append(x.b.Spread.CashFlow, spreadPeriod(b.start, b.end, "", cashFlow(is, opening,
				closing, decimal.New(-int64(b.distributions)*l.unit, -2))))
		case i > 0: // derived; nothing says what the owners took, so the variance is exactly that
			x.b.Spread.CashFlow = append(x.b.Spread.CashFlow, spreadPeriod(b.start, b.end, "", cashFlow(is, opening,
				closing, decimal.Zero)))
		}
	}
}

// interimBorrower hands in a full year and an interim statement that shows this year's and last year's months.
func interimBorrower(name string, months int, seed uint64) Borrower {
	x := newBorrowing(name, fmt.Sprintf("%d months beside the quarter, after a full year", months), seed)
	l := layoutOf("interim")
	l.interim = months
	p := l.inventInterim(x.d, firm(x.d), 2024)
	last := p.sheets[1]
	full := layoutOf("compilation")
	x.handIn(full, periods{income: []books{last}, sheets: []books{last}}, 1)
	x.handIn(l, p, 2)
	x.spreadStatements(full, []books{last})
	x.spreadInterim(p, last)
	return x.done()
}

// spreadInterim adds the interim columns, each with its annualized one, and the cash flow of the year to date.
func (x *borrowing) spreadInterim(p periods, last books) {
	for _, b := range p.income {
		is := statementLines(b, 1).incomeStatement()
		base := spreadPeriod(b.start, b.end, "", is)
		year := spreadPeriod(b.start, b.end, "", annualized(is, monthsOf(b)))
		year.ID, year.Annualized, year.DerivedFrom = base.ID+"_annualized", true, base.ID
		x.b.Spread.Income = append(x.b.Spread.Income, base, year)
	}
	now := p.sheets[0]
	is := statementLines(now, 1).incomeStatement()
	opening, closing := lines(last.closing, sheetLineKeys...).balanceSheet(), lines(now.closing,
		sheetLineKeys...).balanceSheet()
	x.b.Spread.Balance = append(x.b.Spread.Balance, spreadPeriod(now.start, now.end, "", closing))
	x.b.Spread.CashFlow = append(x.b.Spread.CashFlow, spreadPeriod(now.start, now.end, "", cashFlow(is, opening,
		closing, decimal.New(-int64(now.distributions), -2))))
}

// retailBorrower closes its years on the Saturday near the end of January.
func retailBorrower() Borrower {
	x := newBorrowing("retailer_52_weeks", "52 and 53 week years in thousands are full years", 111)
	l := layoutOf("retailer_52_weeks")
	p := l.invent(x.d, firm(x.d), 2023)
	x.handIn(l, p, 1)
	all := slices.Clone(p.income)
	slices.Reverse(all)
	x.spreadStatements(l, all)
	return x.done()
}

// currencyBorrower hands in a year in US dollars and one in Canadian dollars, which is set aside.
func currencyBorrower() Borrower {
	x := newBorrowing("two_currencies", "the statement in Canadian dollars is set aside", 115)
	l := layoutOf("quickbooks_accrual")
	entity := firm(x.d)
	us := newBooks(x.d, entity, date(2023, time.December, 31), 1, l.shape)
	canada := newBooks(x.d, entity, date(2022, time.December, 31), 1, l.shape)
	titled := func(words string) statementLayout {
		out, titles := l, l.titles
		out.titles = func(kind string, b books) []string { return append(titles(kind, b), words) }
		return out
	}
	x.handIn(titled("(Expressed in US dollars)"), periods{income: us, sheets: us}, 1)
	x.handIn(titled("(Expressed in Canadian dollars)"), periods{income: canada, sheets: canada}, 2)
	x.currency(0, "USD")
	x.currency(1, "CAD")
	x.b.Refused = []int{1}
	x.spreadStatements(l, us)
	return x.done()
}

// currency makes the currency of a document, which its title names, a tested fact.
func (x *borrowing) currency(i int, code string) {
	t := &x.b.Documents[i].Truth
	t.Facts.Statement.Currency = ptr(code)
	t.NotTested = slices.DeleteFunc(t.NotTested, func(n string) bool { return n == "currency" })
}

// overlapBorrower hands in a return and its own books for the same year, which disagree.
func overlapBorrower() Borrower {
	x := newBorrowing("overlapping_sources", "the return ranks above the company's own books, which show less rent",
		116)
	b := x.returnBooks("1120-S", 2023, 1)[0]
	x.fileReturn("1120-S", b)
	own := b
	own.income = maps.Clone(b.income)
	own.income["rent"] -= 12_000_00
	own.closing = b.closing.clone()
	own.closing["retainedEarnings"] += 12_000_00
	own.closing["accountsPayable"] -= 12_000_00
	x.handIn(layoutOf("quickbooks_accrual"), periods{income: []books{own}, sheets: []books{own}}, 1)
	x.b.Compared = []int{1}
	return x.done()
}

// done puts periods in the template's order: end, then start, longest first; annualized after their base.
func (x *borrowing) done() Borrower {
	for _, ps := range [][]SpreadPeriod{x.b.Spread.Income, x.b.Spread.Balance, x.b.Spread.CashFlow} {
		slices.SortStableFunc(ps, func(a, b SpreadPeriod) int {
			if a.End != b.End {
				return strings.Compare(a.End, b.End)
			}
			return strings.Compare(a.Start, b.Start)
		})
	}
	return x.b
}

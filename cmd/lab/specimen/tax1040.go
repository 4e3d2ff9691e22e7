package specimen

import (
	"fmt"
	"strings"

	"github.com/dossierhq/dossier"
)

// household is what a 1040 reports, in whole dollars.
type household struct {
	wages, exempt, interest, qualified, dividends, ira, gain, other, adjustments cents
	deduction, tax, credit, otherTaxes, withheld, estimated                      cents
	joint                                                                        bool
	status                                                                       string
	dependents                                                                   []string
}

// standardDeduction is the amount of a year for single filers, in dollars. Source: the form's margin of the year.
var standardDeduction = map[int]cents{2018: 12000, 2019: 12200, 2020: 12400, 2021: 12550, 2022: 12950, 2023: 13850,
	2024: 14600}

func newHousehold(d dice, year int) household {
	k := func(lo, hi int) cents { return cents(d.between(lo, hi)) * 100 }
	h := household{wages: k(38_000, 240_000), interest: k(12, 2_400), dividends: k(40, 5_000), withheld: k(4_000,
		30_000), status: "single"}
	h.qualified = h.dividends / 3 / 100 * 100
	if d.chance(25) {
		h.exempt = k(50, 900)
	}
	if d.chance(30) {
		h.ira = k(2_000, 20_000)
	}
	if d.chance(40) {
		h.gain = k(0, 9_000) - 3_000_00
	}
	if d.chance(50) {
		h.other = k(1_000, 60_000)
	}
	if d.chance(50) {
		h.adjustments = k(200, 6_000)
	}
	if d.chance(30) {
		h.estimated = k(1_000, 12_000)
	}
	if d.chance(25) {
		h.otherTaxes = k(300, 7_000)
	}
	h.deduction = standardDeduction[year] * 100
	if d.chance(50) {
		h.joint, h.status, h.deduction = true, "married filing jointly", 2*h.deduction
	}
	for range d.IntN(4) {
		h.dependents = append(h.dependents, pick(d, firstNames))
	}
	h.tax = max(h.taxable(), 0) * 17 / 100 / 100 * 100
	h.credit = min(h.tax, cents(len(h.dependents))*2_000_00)
	return h
}

func (h household) total() cents {
	return h.wages + h.interest + h.dividends + h.ira + h.gain + h.other
}
func (h household) adjusted() cents { return h.total() - h.adjustments }
func (h household) taxable() cents  { return max(h.adjusted()-h.deduction, 0) }
func (h household) allTax() cents   { return h.tax - h.credit + h.otherTaxes }
func (h household) payments() cents { return h.withheld + h.estimated }

func (t *taxForm) form1040() {
	if t.o.Year < 2018 || t.o.Year > 2024 {
		t.o.Year = 2023
		t.facts.TaxYear = ptr(2023)
	}
	h := newHousehold(t.d, t.o.Year)
	t.head("1040", "U.S. Individual Income Tax Return", "", "1545-0074")
	t.p.text(38, t.y, fmt.Sprintf("For the year Jan. 1-Dec. 31, %d, or other tax year beginning                    , %d, ending                    , 20", t.o.Year, t.o.Year), t.label)
	t.untested("periodStart", "periodEnd", "businessName", "entityName")
	t.y += 13
	t.filer(h)
	switch t.o.Year {
	case 2018:
		t.lines2018(h)
	case 2019:
		t.lines2019(h)
	default:
		t.linesSince2020(h)
	}
	t.sign()
	t.foot("1040", "11320B")
}

// filer draws status, names, address and dependents.
func (t *taxForm) filer(h household) {
	x := t.p.text(38, t.y, "Filing Status", t.label.bold()) + 14
	for _, s := range []string{"Single", "Married filing jointly", "Married filing separately (MFS)",
		"Head of household (HOH)", "Qualifying widow(er) (QW)"} {
		x = t.tick(x, t.y, s, strings.ToLower(s) == h.status)
	}
	t.facts.FilingStatus = ptr(h.status)
	t.y += 6
	who, spouse := person(t.d), person(t.d)
	first, last := who.first+" "+string(rune('A'+t.d.IntN(26))), who.last
	if t.o.Name != "" {
		cut := strings.LastIndex(t.o.Name, " ")
		first, last = t.o.Name[:max(cut, 0)], t.o.Name[cut+1:]
	}
	t.facts.Taxpayer, t.facts.SSN = ptr(first+" "+last), ptr(who.ssn)
	t.box(36, t.y, 220, 22, "Your first name and middle initial", first)
	t.box(256, t.y, 190, 22, "Last name", last)
	t.box(446, t.y, 130, 22, "Your social security number", who.ssn)
	t.y += 22
	spouseFirst, spouseLast, spouseSSN := "", "", ""
	if h.joint {
		spouseFirst, spouseLast, spouseSSN = spouse.first, last, spouse.ssn
		t.facts.Spouse = ptr(spouseFirst + " " + spouseLast)
	}
	t.box(36, t.y, 220, 22, "If joint return, spouse's first name and middle initial", spouseFirst)
	t.box(256, t.y, 190, 22, "Last name", spouseLast)
	t.box(446, t.y, 130, 22, "Spouse's social security number", spouseSSN)
	t.y += 22
	t.box(36, t.y, 410, 22, "Home address (number and street). If you have a P.O. box, see instructions.", who.street)
	t.box(446, t.y, 130, 22, "Apt. no.", "")
	t.y += 22
	t.box(36, t.y, 540, 22, "City, town, or post office, state, and ZIP code", who.cityLine())
	t.y += 34
	t.dependents(h, last)
}

func (t *taxForm) dependents(h household, last string) {
	t.p.text(38, t.y, "Dependents (see instructions):", t.label.bold())
	t.p.text(180, t.y, "(1) First name    Last name", t.label)
	t.p.text(320, t.y, "(2) Social security number", t.label)
	t.p.text(440, t.y, "(3) Relationship to you", t.label)
	t.y += 12
	for _, name := range h.dependents {
		t.fill(180, t.y, name+" "+last, false)
		t.fill(330, t.y, "9"+t.d.digits(2)+"-"+t.d.digits(2)+"-"+t.d.digits(4), false)
		t.fill(445, t.y, pick(t.d, []string{"Son", "Daughter"}), false)
		t.y += 11
	}
	if len(h.dependents) == 0 {
		t.untested("dependents")
		t.y += 4
		return
	}
	t.facts.Dependents = ptr(len(h.dependents))
	t.y += 4
}

func (t *taxForm) linesSince2020(h household) {
	f, y := t.facts, t.o.Year
	t.band("Income")
	if y >= 2022 {
		t.line("1a", "Total amount from Form(s) W-2, box 1 (see instructions)", h.wages, nil)
		t.line("1z", "Add lines 1a through 1h", h.wages, nil)
	} else {
		t.line("1", "Wages, salaries, tips, etc. Attach Form(s) W-2", h.wages, nil)
	}
	t.pair("2a", "Tax-exempt interest", h.exempt, "2b", "b  Taxable interest", h.interest)
	t.pair("3a", "Qualified dividends", h.qualified, "3b", "b  Ordinary dividends", h.dividends)
	t.pair("4a", "IRA distributions", h.ira, "4b", "b  Taxable amount", h.ira)
	t.pair("5a", "Pensions and annuities", 0, "5b", "b  Taxable amount", 0)
	t.pair("6a", "Social security benefits", 0, "6b", "b  Taxable amount", 0)
	t.line("7", "Capital gain or (loss). Attach Schedule D if required. If not required, check here", h.gain, nil)
	t.line("8", "Other income from Schedule 1", h.other, nil)
	t.line("9", "Add lines 1, 2b, 3b, 4b, 5b, 6b, 7, and 8. This is your total income", h.total(), &f.TotalIncome)
	if y == 2020 {
		t.inner("10a", "From Schedule 1, line 22", h.adjustments, nil)
		t.line("10c", "Add lines 10a and 10b. These are your total adjustments to income", h.adjustments, nil)
	} else {
		t.line("10", "Adjustments to income from Schedule 1, line 26", h.adjustments, nil)
	}
	t.line("11", "Subtract line 10 from line 9. This is your adjusted gross income", h.adjusted(),
		&f.AdjustedGrossIncome)
	if y == 2021 {
		t.inner("12a", "Standard deduction or itemized deductions (from Schedule A)", h.deduction, nil)
		t.line("12c", "Add lines 12a and 12b", h.deduction, nil)
	} else {
		t.line("12", "Standard deduction or itemized deductions (from Schedule A)", h.deduction, nil)
	}
	t.line("13", "Qualified business income deduction from Form 8995 or Form 8995-A", 0, nil)
	t.line("14", "Add lines 12 and 13", h.deduction, nil)
	t.line("15", "Subtract line 14 from line 11. If zero or less, enter -0-. This is your taxable income",
		h.taxable(), &f.TaxableIncome)
	t.foot("1040", "11320B")
	t.continued("1040")
	t.band("Tax and Credits")
	t.line("16", "Tax (see instructions). Check if any from Form(s):  8814   4972", h.tax, nil)
	t.line("17", "Amount from Schedule 2, line 3", 0, nil)
	t.line("18", "Add lines 16 and 17", h.tax, nil)
	t.line("19", "Child tax credit or credit for other dependents from Schedule 8812", h.credit, nil)
	t.line("20", "Amount from Schedule 3, line 8", 0, nil)
	t.line("21", "Add lines 19 and 20", h.credit, nil)
	t.line("22", "Subtract line 21 from line 18. If zero or less, enter -0-", h.tax-h.credit, nil)
	t.line("23", "Other taxes, including self-employment tax, from Schedule 2", h.otherTaxes, nil)
	t.line("24", "Add lines 22 and 23. This is your total tax", h.allTax(), &f.TotalTax)
	t.band("Payments")
	t.inner("25a", "Federal income tax withheld from Form(s) W-2", h.withheld, nil)
	t.line("25d", "Add lines 25a through 25c", h.withheld, nil)
	t.line("26", fmt.Sprintf("%d estimated tax payments and amount applied from %d return", y, y-1), h.estimated, nil)
	t.line("33", "Add lines 25d, 26, and 32. These are your total payments", h.payments(), nil)
	t.settle1040(h, "34", "35a", "37")
}

// settle1040 draws the refund and amount-owed lines under the numbers of the year.
func (t *taxForm) settle1040(h household, overpaid, refunded, owed string) {
	f := t.facts
	over, under := max(h.payments()-h.allTax(), 0), max(h.allTax()-h.payments(), 0)
	t.band("Refund")
	t.line(overpaid, "If total payments are more than total tax, subtract. This is the amount you overpaid", over,
		&f.Overpaid)
	t.line(refunded, "Amount of line "+overpaid+" you want refunded to you", over, &f.Refund)
	t.band("Amount You Owe")
	t.line(owed, "Subtract total payments from total tax. This is the amount you owe", under, &f.AmountOwed)
}

func (t *taxForm) lines2019(h household) {
	f := t.facts
	t.band("Income")
	t.line("1", "Wages, salaries, tips, etc. Attach Form(s) W-2", h.wages, nil)
	t.pair("2a", "Tax-exempt interest", h.exempt, "2b", "b  Taxable interest. Attach Sch. B if required", h.interest)
	t.pair("3a", "Qualified dividends", h.qualified, "3b", "b  Ordinary dividends. Attach Sch. B if required",
		h.dividends)
	t.pair("4a", "IRA distributions", h.ira, "4b", "b  Taxable amount", h.ira)
	t.pair("5a", "Social security benefits", 0, "5b", "b  Taxable amount", 0)
	t.line("6", "Capital gain or (loss). Attach Schedule D if required", h.gain, nil)
	t.line("7a", "Other income from Schedule 1, line 9", h.other, nil)
	t.line("7b", "Add lines 1, 2b, 3b, 4b, 4d, 5b, 6, and 7a. This is your total income", h.total(), &f.TotalIncome)
	t.line("8a", "Adjustments to income from Schedule 1, line 22", h.adjustments, nil)
	t.line("8b", "Subtract line 8a from line 7b. This is your adjusted gross income", h.adjusted(),
		&f.AdjustedGrossIncome)
	t.inner("9", "Standard deduction or itemized deductions (from Schedule A)", h.deduction, nil)
	t.line("11a", "Add lines 9 and 10", h.deduction, nil)
	t.line("11b", "Taxable income. Subtract line 11a from line 8b. If zero or less, enter -0-", h.taxable(),
		&f.TaxableIncome)
	t.foot("1040", "11320B")
	t.continued("1040")
	t.inner("12a", "Tax (see inst.) Check if any from Form(s): 1  8814  2  4972", h.tax, nil)
	t.line("12b", "Add Schedule 2, line 3, and line 12a and enter the total", h.tax, nil)
	t.inner("13a", "Child tax credit or credit for other dependents", h.credit, nil)
	t.line("13b", "Add Schedule 3, line 7, and line 13a and enter the total", h.credit, nil)
	t.line("14", "Subtract line 13b from line 12b. If zero or less, enter -0-", h.tax-h.credit, nil)
	t.line("15", "Other taxes, including self-employment tax, from Schedule 2, line 10", h.otherTaxes, nil)
	t.line("16", "Add lines 14 and 15. This is your total tax", h.allTax(), &f.TotalTax)
	t.line("17", "Federal income tax withheld from Forms W-2 and 1099", h.withheld, nil)
	t.inner("18d", "Schedule 3, line 14", h.estimated, nil)
	t.line("18e", "Add lines 18a through 18d. These are your total other payments and refundable credits",
		h.estimated, nil)
	t.line("19", "Add lines 17 and 18e. These are your total payments", h.payments(), nil)
	t.settle1040(h, "20", "21a", "23")
}

func (t *taxForm) lines2018(h household) {
	f := t.facts
	t.foot("1040", "11320B")
	t.continued("1040")
	t.line("1", "Wages, salaries, tips, etc. Attach Form(s) W-2", h.wages, nil)
	t.pair("2a", "Tax-exempt interest", h.exempt, "2b", "b  Taxable interest", h.interest)
	t.pair("3a", "Qualified dividends", h.qualified, "3b", "b  Ordinary dividends", h.dividends)
	t.pair("4a", "IRAs, pensions, and annuities", h.ira, "4b", "b  Taxable amount", h.ira)
	t.pair("5a", "Social security benefits", 0, "5b", "b  Taxable amount", 0)
	more := h.gain + h.other
	t.line("6", fmt.Sprintf("Total income. Add lines 1 through 5. Add any amount from Schedule 1, line 22   %s",
		t.whole(more)), h.total(), &f.TotalIncome)
	t.line("7", "Adjusted gross income. If you have no adjustments to income, enter the amount from line 6",
		h.adjusted(), &f.AdjustedGrossIncome)
	t.line("8", "Standard deduction or itemized deductions (from Schedule A)", h.deduction, nil)
	t.line("9", "Qualified business income deduction (see instructions)", 0, nil)
	t.line("10", "Taxable income. Subtract lines 8 and 9 from line 7. If zero or less, enter -0-", h.taxable(),
		&f.TaxableIncome)
	t.line("11", "Tax (see inst.). Add any amount from Schedule 2 and check here", h.tax, nil)
	t.line("12", "Child tax credit/credit for other dependents. Add any amount from Schedule 3", h.credit, nil)
	t.line("13", "Subtract line 12 from line 11. If zero or less, enter -0-", h.tax-h.credit, nil)
	t.line("14", "Other taxes. Attach Schedule 4", h.otherTaxes, nil)
	t.line("15", "Total tax. Add lines 13 and 14", h.allTax(), &f.TotalTax)
	t.line("16", "Federal income tax withheld from Forms W-2 and 1099", h.withheld, nil)
	t.line("17", "Refundable credits: a EIC (see inst.)  b Sch. 8812  c Form 8863.  Add any amount from Schedule 5",
		h.estimated, nil)
	t.line("18", "Add lines 16 and 17. These are your total payments", h.payments(), nil)
	t.settle1040(h, "19", "20a", "22")
}

// scheduleC is the profit or loss of a sole proprietor.
func (t *taxForm) scheduleC() {
	b := t.firmBooks(firmShape{revenue: int64(t.d.between(60, 600)) * 1000, margin: t.d.between(-5, 25),
		goods: t.d.between(0, 1) * 30})
	t.head("SCHEDULE C|(Form 1040)", "Profit or Loss From Business",
		"(Sole Proprietorship)\nGo to www.irs.gov/ScheduleC for instructions and the latest information.", "1545-0074")
	t.untested("periodStart", "periodEnd", "totalIncome", "totalDeductions", "entityName", "personal", "spouse",
		"netRevenues", "totalRevenue", "ordinaryBusinessIncome")
	t.facts.Taxpayer, t.facts.SSN = ptr(t.o.nameOr(b.entity.first+" "+b.entity.last)), ptr(b.entity.ssn)
	t.facts.BusinessName, t.facts.EIN = ptr(strings.Fields(b.entity.business)[0]+" "+strings.ToUpper(b.entity.trade[:1])+b.entity.trade[1:]), ptr(b.entity.ein)
	t.box(36, t.y, 400, 22, "Name of proprietor", *t.facts.Taxpayer)
	t.box(436, t.y, 140, 22, "Social security number (SSN)", b.entity.ssn)
	t.box(36, t.y+22, 400, 22, "A  Principal business or profession, including product or service (see instructions)",
		b.entity.trade)
	t.box(436, t.y+22, 140, 22, "B  Enter code from instructions", t.d.digits(6))
	t.box(36, t.y+44, 400, 22, "C  Business name. If no separate business name, leave blank.", *t.facts.BusinessName)
	t.box(436, t.y+44, 140, 22, "D  Employer ID number (EIN) (see instr.)", b.entity.ein)
	t.box(36, t.y+66, 540, 22, "E  Business address (including suite or room no.)  City, town or post office, state, and ZIP code", b.entity.street+", "+b.entity.cityLine())
	t.y += 100
	x := t.p.text(38, t.y, "F  Accounting method:", t.label) + 8
	x = t.tick(x, t.y, "(1) Cash", true)
	x = t.tick(x, t.y, "(2) Accrual", false)
	t.tick(x, t.y, "(3) Other (specify)", false)
	t.facts.AccountingMethod = ptr("cash")
	t.y += 14
	t.scheduleCLines(b)
	t.foot("Schedule C (Form 1040)", "11334P")
}

// nameOr is the caller's name or another.
func (o TaxOptions) nameOr(other string) string {
	if o.Name != "" {
		return o.Name
	}
	return other
}

func (t *taxForm) scheduleCLines(b books) {
	f, i := t.facts, b.income
	other := i["otherIncome"] + i["interestIncome"]
	t.band("Part I   Income")
	t.line("1", "Gross receipts or sales. See instructions for line 1 and check the box if this income was reported to you on Form W-2", i["grossRevenues"], &f.GrossReceipts)
	t.line("2", "Returns and allowances", i["returnsAllowances"], nil)
	t.line("3", "Subtract line 2 from line 1", b.netRevenues(), nil)
	t.line("4", "Cost of goods sold (from line 42)", b.costs(), &f.CostOfGoodsSold)
	t.line("5", "Gross profit. Subtract line 4 from line 3", b.grossProfit(), &f.GrossProfit)
	t.line("6", "Other income, including federal and state gasoline or fuel tax credit or refund", other, nil)
	gross := b.grossProfit() + other
	t.line("7", "Gross income. Add lines 5 and 6", gross, nil)
	t.band("Part II   Expenses. Enter expenses for business use of your home only on line 30.")
	expenses := t.twoColumns([]taxEntry{
		{"8", "Advertising", i["advertisingMarketing"], nil}, {"9", "Car and truck expenses", i["vehicleTravelMeals"],
			nil},
		{"10", "Commissions and fees", i["commissionsFees"], nil}, {"11", "Contract labor", i["contractLabor"], nil},
		{"13", "Depreciation and section 179", i["depreciation"], nil}, {"14", "Employee benefit programs",
			i["employeeBenefits"], nil},
		{"15", "Insurance (other than health)", i["insurance"], nil}, {"16b", "Interest: Other", i["interestExpense"],
			nil},
		{"17", "Legal and professional", i["professionalFees"], nil}, {"18", "Office expense", i["officeSupplies"],
			nil},
		{"20b", "Rent: Other business property", i["rent"], nil}, {"21", "Repairs and maintenance",
			i["repairsMaintenance"], nil},
		{"23", "Taxes and licenses", i["taxesLicenses"] + i["payrollTaxes"], nil}, {"25", "Utilities", i["utilities"],
			nil},
		{"26", "Wages (less employment credits)", i["salariesWages"], &f.SalariesWages}, {"27a",
			"Other expenses (from line 48)", i["otherOperatingExpenses"] + i["badDebts"], nil},
	})
	f.Rent, f.InterestExpense = amountOf(i["rent"]), amountOf(i["interestExpense"])
	t.line("28", "Total expenses before expenses for business use of home. Add lines 8 through 27a", expenses,
		&f.TotalExpenses)
	t.line("29", "Tentative profit or (loss). Subtract line 28 from line 7", gross-expenses, nil)
	t.line("30", "Expenses for business use of your home", 0, nil)
	t.line("31", "Net profit or (loss). Subtract line 30 from line 29", gross-expenses, &f.NetProfit)
}

func amountOf(c cents) *dossier.Amount {
	if c == 0 {
		return nil
	}
	return ptr(dollars(int64(c / 100)))
}

type taxEntry struct {
	no, caption string
	amount      cents
	fact        **dossier.Amount
}

// twoColumns prints lines in two columns and returns their sum.
func (t *taxForm) twoColumns(entries []taxEntry) (sum cents) {
	half, top := (len(entries)+1)/2, t.y
	for i, e := range entries {
		if i == half {
			t.y = top
		}
		x := 38.0 + 272*float64(i/half)
		t.p.text(x, t.y, e.no, t.label.bold())
		t.p.text(x+20, t.y, e.caption, t.label)
		t.p.centre(x+176, t.y, e.no, t.label.bold())
		t.p.rule(x+188, x+264, t.y+2.5, 0.4, black)
		t.entry(e.no, e.amount, e.fact, x+260, t.y)
		sum += e.amount
		t.y += 12.5
	}
	t.y += 4
	return sum
}

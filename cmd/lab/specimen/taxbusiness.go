package specimen

import (
	"fmt"
	"time"
)

// firmBooks are the books a business return reports: the caller's, or invented ones of the tax year.
func (t *taxForm) firmBooks(shape firmShape) books {
	if t.o.books != nil {
		return *t.o.books
	}
	entity := firm(t.d)
	if t.o.Name != "" {
		entity.business = t.o.Name
	}
	end := monthEnd(date(t.o.Year, t.o.YearEnd, 1))
	if t.o.YearEnd != time.December {
		end = monthEnd(date(t.o.Year+1, t.o.YearEnd, 1))
	}
	return newBooks(t.d, entity, end, 1, shape)[0]
}

func (t *taxForm) shape() firmShape {
	return firmShape{revenue: int64(t.d.between(400, 6_000)) * 1000, margin: t.d.between(-8, 16),
		goods: t.d.between(0, 1) * t.d.between(30, 55),
		labor: t.d.between(0, 1) * 9}
}

// entityHead draws name, address and the boxes at the right of a business return.
func (t *taxForm) entityHead(b books, boxes [][2]string) {
	t.span()
	top := t.y + 1
	t.box(36, top, 390, 22, "Name", b.entity.business)
	t.box(36, top+22, 390, 22, "Number, street, and room or suite no. If a P.O. box, see instructions.",
		b.entity.street)
	t.box(36, top+44, 390, 22, "City or town, state or province, country, and ZIP or foreign postal code",
		b.entity.cityLine())
	for i, box := range boxes {
		t.box(426, top+float64(i)*22, 150, 22, box[0], box[1])
	}
	t.facts.EntityName, t.facts.EIN = ptr(b.entity.business), ptr(b.entity.ein)
	t.y = top + 78
	t.untested("businessName", "taxpayer", "spouse", "dependents", "filingStatus", "ssn")
}

// totalAssetsBox prints and states the item "Total assets" of page 1.
func (t *taxForm) totalAssetsBox(b books) string {
	t.facts.TotalAssets = ptr(dollars(int64(totalAssets(b.closing) / 100)))
	return t.whole(totalAssets(b.closing))
}

// method draws the accounting method boxes.
func (t *taxForm) method(caption, method string) {
	x := t.p.text(38, t.y, caption, t.label) + 8
	x = t.tick(x, t.y, "(1) Cash", method == "cash")
	x = t.tick(x, t.y, "(2) Accrual", method == "accrual")
	t.tick(x, t.y, "(3) Other (specify)", false)
	t.facts.AccountingMethod = ptr(method)
	t.y += 13
}

// grossLines are lines 1a to 3, the same on the 1120, 1120-S and 1065.
func (t *taxForm) grossLines(b books) {
	f := t.facts
	t.inner("1a", "Gross receipts or sales", b.income["grossRevenues"], &f.GrossReceipts)
	t.inner("1b", "Returns and allowances", b.income["returnsAllowances"], nil)
	t.line("1c", "Balance. Subtract line 1b from line 1a", b.netRevenues(), &f.NetRevenues)
	t.line("2", "Cost of goods sold (attach Form 1125-A)", b.costs(), &f.CostOfGoodsSold)
	t.line("3", "Gross profit. Subtract line 2 from line 1c", b.grossProfit(), &f.GrossProfit)
}

// otherDeductionKeys are the expenses that returns put on the attached statement of other deductions.
var otherDeductionKeys = []string{"utilities", "insurance", "officeSupplies", "professionalFees",
	"vehicleTravelMeals", "otherOperatingExpenses"}

// statement attaches the list behind the line of other deductions.
func (t *taxForm) statement(form, line string, b books) {
	if t.o.plain {
		return
	}
	captions := map[string]string{"utilities": "Utilities and telephone", "insurance": "Insurance",
		"officeSupplies":   "Office supplies",
		"professionalFees": "Legal and professional fees", "vehicleTravelMeals": "Auto and travel",
		"otherOperatingExpenses": "Miscellaneous"}
	t.page()
	t.p.text(38, t.y, b.entity.business, t.typed)
	t.p.right(574, t.y, "EIN: "+b.entity.ein, t.typed)
	t.y += 24
	t.p.centre(306, t.y, fmt.Sprintf("Statement 1 - Form %s, Line %s, Other Deductions", form, line),
		t.label.bold().at(10))
	t.y += 22
	for _, k := range otherDeductionKeys {
		t.p.text(100, t.y, captions[k], t.typed)
		t.p.right(480, t.y, t.whole(b.income[k]), t.typed)
		t.y += 14
	}
	t.p.rule(400, 480, t.y-9, 0.6, black)
	t.p.text(100, t.y+4, "Total to Form "+form+", line "+line, t.typed)
	t.p.right(480, t.y+4, t.whole(b.income.sum(otherDeductionKeys...)), t.typed)
}

// form1120 is a C corporation's return.
func (t *taxForm) form1120() {
	s := t.shape()
	s.taxed = true
	b := t.firmBooks(s)
	f, i := t.facts, b.income
	t.head("1120", "U.S. Corporation Income Tax Return",
		"Go to www.irs.gov/Form1120 for instructions and the latest information.", "1545-0123")
	t.entityHead(b, [][2]string{{"B  Employer identification number", b.entity.ein}, {"C  Date incorporated",
		"04/01/20" + t.d.digits(2)[:1] + "1"}, {"D  Total assets (see instructions)  $", t.totalAssetsBox(b)}})
	t.untested("accountingMethod", "totalExpenses", "netProfit", "ordinaryBusinessIncome", "totalRevenue",
		"adjustedGrossIncome", "totalLiabilities", "netAssets", "refund")
	t.band("Income")
	t.grossLines(b)
	t.line("4", "Dividends and inclusions (Schedule C, line 23)", 0, nil)
	t.line("5", "Interest", i["interestIncome"], nil)
	t.line("6", "Gross rents", 0, nil)
	t.line("7", "Gross royalties", 0, nil)
	t.line("8", "Capital gain net income (attach Schedule D (Form 1120))", 0, nil)
	t.line("9", "Net gain or (loss) from Form 4797, Part II, line 17 (attach Form 4797)", i["gainLossOnAssetSales"],
		nil)
	t.line("10", "Other income (see instructions - attach statement)", i["otherIncome"], nil)
	total := b.grossProfit() + i.sum("interestIncome", "gainLossOnAssetSales", "otherIncome")
	t.line("11", "Total income. Add lines 3 through 10", total, &f.TotalIncome)
	t.band("Deductions (See instructions for limitations on deductions.)")
	t.line("12", "Compensation of officers (see instructions - attach Form 1125-E)", i["officersCompensation"],
		&f.OfficerCompensation)
	t.line("13", "Salaries and wages (less employment credits)", i["salariesWages"], &f.SalariesWages)
	t.line("14", "Repairs and maintenance", i["repairsMaintenance"], nil)
	t.line("15", "Bad debts", i["badDebts"], nil)
	t.line("16", "Rents", i["rent"], &f.Rent)
	t.line("17", "Taxes and licenses", i["taxesLicenses"]+i["payrollTaxes"], nil)
	t.line("18", "Interest (see instructions)", i["interestExpense"], &f.InterestExpense)
	t.line("19", "Charitable contributions", 0, nil)
	t.line("20", "Depreciation from Form 4562 not claimed on Form 1125-A or elsewhere on return (attach Form 4562)",
		i["depreciation"], nil)
	t.line("21", "Depletion", 0, nil)
	t.line("22", "Advertising", i["advertisingMarketing"], nil)
	t.line("23", "Pension, profit-sharing, etc., plans", 0, nil)
	t.line("24", "Employee benefit programs", i["employeeBenefits"], nil)
	t.line("25", map[bool]string{true: "Energy efficient commercial buildings deduction (attach Form 7205)",
		false: "Reserved for future use"}[t.o.Year >= 2023], 0, nil)
	t.line("26", "Other deductions (attach statement)", i.sum(otherDeductionKeys...), nil)
	t.line("27", "Total deductions. Add lines 12 through 26", b.expenses()+i["interestExpense"], &f.TotalDeductions)
	t.line("28", "Taxable income before net operating loss deduction and special deductions. Subtract line 27 from line 11", b.beforeTaxes(), nil)
	t.line("29c", "Add lines 29a and 29b", 0, nil)
	t.band("Tax, Refundable Credits, and Payments")
	t.line("30", "Taxable income. Subtract line 29c from line 28. See instructions", b.beforeTaxes(), &f.TaxableIncome)
	t.line("31", "Total tax (Schedule J, Part I, line 11)", i["incomeTaxes"], &f.TotalTax)
	paid := i["incomeTaxes"] * cents(t.d.between(80, 120)) / 100 / 100 * 100
	t.line("33", "Total payments and credits (Schedule J, Part III, line 23)", paid, nil)
	t.line("35", "Amount owed. If line 33 is smaller than the total of lines 31 and 34, enter amount owed",
		max(i["incomeTaxes"]-paid, 0), &f.AmountOwed)
	t.line("36", "Overpayment. If line 33 is larger than the total of lines 31 and 34, enter amount overpaid",
		max(paid-i["incomeTaxes"], 0), &f.Overpaid)
	t.sign()
	t.foot("1120", "11450Q")
	t.scheduleL("1120", b, corporateRows(b), b.netIncome())
	t.statement("1120", "26", b)
}

// form1120S is an S corporation's return; its deduction lines moved down by one in 2023.
func (t *taxForm) form1120S() {
	b := t.firmBooks(t.shape())
	f, i, late := t.facts, b.income, 0
	if t.o.Year >= 2023 {
		late = 1
	}
	t.head("1120-S", "U.S. Income Tax Return for an S Corporation",
		"Do not file this form unless the corporation has filed or is attaching Form 2553 to elect to be an S corporation.\nGo to www.irs.gov/Form1120S for instructions and the latest information.", "1545-0123")
	t.entityHead(b, [][2]string{{"D  Employer identification number", b.entity.ein}, {"E  Date incorporated",
		"07/15/2011"}, {"F  Total assets (see instructions)  $", t.totalAssetsBox(b)}})
	t.untested("accountingMethod", "totalExpenses", "netProfit", "totalRevenue", "adjustedGrossIncome",
		"taxableIncome", "totalTax", "totalLiabilities", "netAssets")
	t.p.text(38, t.y, "G  Is the corporation electing to be an S corporation beginning with this tax year?     I  Enter the number of shareholders who were shareholders", t.label)
	t.y += 14
	t.band("Income   Caution: Include only trade or business income and expenses on lines 1a through 22.")
	t.grossLines(b)
	t.line("4", "Net gain (loss) from Form 4797, line 17 (attach Form 4797)", i["gainLossOnAssetSales"], nil)
	t.line("5", "Other income (loss) (see instructions - attach statement)", i["otherIncome"], nil)
	total := b.grossProfit() + i.sum("gainLossOnAssetSales", "otherIncome")
	t.line("6", "Total income (loss). Add lines 3 through 5", total, &f.TotalIncome)
	t.band("Deductions (see instructions for limitations)")
	t.line("7", "Compensation of officers (see instructions - attach Form 1125-E)", i["officersCompensation"],
		&f.OfficerCompensation)
	t.line("8", "Salaries and wages (less employment credits)", i["salariesWages"], &f.SalariesWages)
	t.line("9", "Repairs and maintenance", i["repairsMaintenance"], nil)
	t.line("10", "Bad debts", i["badDebts"], nil)
	t.line("11", "Rents", i["rent"], &f.Rent)
	t.line("12", "Taxes and licenses", i["taxesLicenses"]+i["payrollTaxes"], nil)
	t.line("13", "Interest (see instructions)", i["interestExpense"], &f.InterestExpense)
	t.line("14", "Depreciation from Form 4562 not claimed on Form 1125-A or elsewhere on return (attach Form 4562)",
		i["depreciation"], nil)
	t.line("15", "Depletion (Do not deduct oil and gas depletion.)", 0, nil)
	t.line("16", "Advertising", i["advertisingMarketing"], nil)
	t.line("17", "Pension, profit-sharing, etc., plans", 0, nil)
	t.line("18", "Employee benefit programs", i["employeeBenefits"], nil)
	if late == 1 {
		t.line("19", "Energy efficient commercial buildings deduction (attach Form 7205)", 0, nil)
	}
	no := func(n int) string { return fmt.Sprint(n + late) }
	deductions := b.expenses() + i["interestExpense"]
	t.line(no(19), "Other deductions (attach statement)", i.sum(otherDeductionKeys...), nil)
	t.line(no(20), "Total deductions. Add lines 7 through "+no(19), deductions, &f.TotalDeductions)
	t.line(no(21), "Ordinary business income (loss). Subtract line "+no(20)+" from line 6", total-deductions,
		&f.OrdinaryBusinessIncome)
	t.sign()
	t.foot("1120-S", "11510H")
	t.scheduleK("1120-S", total-deductions, i["interestIncome"], b.distributions, "16d")
	t.scheduleL("1120-S", b, corporateRows(b), b.netIncome())
	t.statement("1120-S", no(19), b)
}

// form1065 is a partnership's return.
func (t *taxForm) form1065() {
	b := t.firmBooks(t.shape())
	f, i, late := t.facts, b.income, 0
	if t.o.Year >= 2023 {
		late = 1
	}
	t.head("1065", "U.S. Return of Partnership Income",
		"Go to www.irs.gov/Form1065 for instructions and the latest information.", "1545-0123")
	t.entityHead(b, [][2]string{{"D  Employer identification number", b.entity.ein}, {"E  Date business started",
		"02/01/2014"}, {"F  Total assets (see instructions)  $", t.totalAssetsBox(b)}})
	t.untested("totalExpenses", "netProfit", "totalRevenue", "adjustedGrossIncome", "taxableIncome", "totalTax",
		"officerCompensation", "totalLiabilities", "netAssets")
	t.method("H  Check accounting method:", pick(t.d, []string{"cash", "accrual"}))
	t.band("Income   Caution: Include only trade or business income and expenses on lines 1a through 22 below.")
	t.grossLines(b)
	t.line("4", "Ordinary income (loss) from other partnerships, estates, and trusts (attach statement)", 0, nil)
	t.line("5", "Net farm profit (loss) (attach Schedule F (Form 1040))", 0, nil)
	t.line("6", "Net gain (loss) from Form 4797, Part II, line 17 (attach Form 4797)", i["gainLossOnAssetSales"], nil)
	t.line("7", "Other income (loss) (attach statement)", i["otherIncome"], nil)
	total := b.grossProfit() + i.sum("gainLossOnAssetSales", "otherIncome")
	t.line("8", "Total income (loss). Combine lines 3 through 7", total, &f.TotalIncome)
	t.band("Deductions (see instructions for limitations)")
	t.line("9", "Salaries and wages (other than to partners) (less employment credits)", i["salariesWages"],
		&f.SalariesWages)
	t.line("10", "Guaranteed payments to partners", i["officersCompensation"], nil)
	t.line("11", "Repairs and maintenance", i["repairsMaintenance"], nil)
	t.line("12", "Bad debts", i["badDebts"], nil)
	t.line("13", "Rent", i["rent"], &f.Rent)
	t.line("14", "Taxes and licenses", i["taxesLicenses"]+i["payrollTaxes"], nil)
	t.line("15", "Interest (see instructions)", i["interestExpense"], &f.InterestExpense)
	t.inner("16a", "Depreciation (if required, attach Form 4562)", i["depreciation"], nil)
	t.line("16c", "Less depreciation reported on Form 1125-A and elsewhere on return", i["depreciation"], nil)
	t.line("17", "Depletion (Do not deduct oil and gas depletion.)", 0, nil)
	t.line("18", "Retirement plans, etc.", 0, nil)
	t.line("19", "Employee benefit programs", i["employeeBenefits"], nil)
	if late == 1 {
		t.line("20", "Energy efficient commercial buildings deduction (attach Form 7205)", 0, nil)
	}
	no := func(n int) string { return fmt.Sprint(n + late) }
	deductions := b.expenses() + i["interestExpense"]
	t.line(no(20), "Other deductions (attach statement)", i.sum(append([]string{"advertisingMarketing"},
		otherDeductionKeys...)...), nil)
	t.line(no(21), "Total deductions. Add the amounts shown in the far right column for lines 9 through "+no(20),
		deductions, &f.TotalDeductions)
	t.line(no(22), "Ordinary business income (loss). Subtract line "+no(21)+" from line 8", total-deductions,
		&f.OrdinaryBusinessIncome)
	t.sign()
	t.foot("1065", "11390Z")
	t.scheduleK("1065", total-deductions, i["interestIncome"], b.distributions, "19a")
	t.scheduleL("1065", b, partnershipRows(b), b.netIncome())
}

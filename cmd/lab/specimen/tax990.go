package specimen

import (
	"github.com/dossierhq/dossier"
)

// form990 is a charity's return with the figures of two years side by side.
func (t *taxForm) form990() {
	entity := firm(t.d)
	entity.business = t.o.nameOr(pick(t.d, []string{"Harrowgate Food Pantry", "Millstone Falls Arts Council",
		"Quarry Hill Literacy Fund", "Larkfield Animal Haven"}))
	t.head("990", "Return of Organization Exempt From Income Tax",
		"Under section 501(c), 527, or 4947(a)(1) of the Internal Revenue Code (except private foundations)\nDo not enter social security numbers on this form as it may be made public.", "1545-0047")
	t.span()
	t.y += 1
	t.box(36, t.y, 390, 22, "C  Name of organization", entity.business)
	t.box(426, t.y, 150, 22, "D  Employer identification number", entity.ein)
	t.box(36, t.y+22, 390, 22, "Number and street (or P.O. box if mail is not delivered to street address)",
		entity.street)
	t.box(426, t.y+22, 150, 22, "E  Telephone number", entity.phone)
	t.box(36, t.y+44, 540, 22, "City or town, state or province, country, and ZIP or foreign postal code",
		entity.cityLine())
	t.y += 80
	t.facts.EntityName, t.facts.EIN = ptr(entity.business), ptr(entity.ein)
	t.untested("businessName", "taxpayer", "spouse", "dependents", "filingStatus", "ssn", "grossReceipts",
		"netRevenues", "totalIncome", "accountingMethod", "salariesWages", "totalDeductions", "netProfit",
		"grossProfit")
	t.facts.PriorYear = &dossier.TaxFacts{}
	t.band("Part I   Summary")
	t.p.text(38, t.y, "1  Briefly describe the organization's mission: to serve the people of the county.", t.label)
	t.y += 16
	t.summary990()
	t.sign()
	t.foot("990", "11282Y")
}

func (t *taxForm) summary990() {
	f, prior := t.facts, t.facts.PriorYear
	k := func(lo, hi int) [2]cents {
		v := cents(t.d.between(lo, hi)) * 100
		return [2]cents{v, v * cents(t.d.between(85, 125)) / 100 / 100 * 100}
	}
	add := func(all ...[2]cents) (sum [2]cents) {
		for _, v := range all {
			sum[0], sum[1] = sum[0]+v[0], sum[1]+v[1]
		}
		return sum
	}
	less := func(a, b [2]cents) [2]cents { return [2]cents{a[0] - b[0], a[1] - b[1]} }
	t.years("Prior Year", "Current Year")
	gifts, program, invest, misc := k(200_000, 900_000), k(20_000, 400_000), k(500, 9_000), k(100, 5_000)
	revenue := add(gifts, program, invest, misc)
	t.two("8", "Contributions and grants (Part VIII, line 1h)", gifts, nil, nil)
	t.two("9", "Program service revenue (Part VIII, line 2g)", program, nil, nil)
	t.two("10", "Investment income (Part VIII, column (A), lines 3, 4, and 7d)", invest, nil, nil)
	t.two("11", "Other revenue (Part VIII, column (A), lines 5, 6d, 8c, 9c, 10c, and 11e)", misc, nil, nil)
	t.two("12", "Total revenue - add lines 8 through 11 (must equal Part VIII, column (A), line 12)", revenue,
		&f.TotalRevenue, &prior.TotalRevenue)
	grants, salaries, rest := k(20_000, 200_000), k(150_000, 500_000), k(60_000, 300_000)
	expenses := add(grants, salaries, rest)
	t.two("13", "Grants and similar amounts paid (Part IX, column (A), lines 1-3)", grants, nil, nil)
	t.two("15", "Salaries, other compensation, employee benefits (Part IX, column (A), lines 5-10)", salaries, nil, nil)
	t.two("17", "Other expenses (Part IX, column (A), lines 11a-11d, 11f-24e)", rest, nil, nil)
	t.two("18", "Total expenses. Add lines 13-17 (must equal Part IX, column (A), line 25)", expenses,
		&f.TotalExpenses, &prior.TotalExpenses)
	t.two("19", "Revenue less expenses. Subtract line 18 from line 12", less(revenue, expenses), nil, nil)
	t.y += 6
	t.years("Beginning of Current Year", "End of Year")
	assets, debts := k(400_000, 3_000_000), k(20_000, 300_000)
	t.two("20", "Total assets (Part X, line 16)", assets, &f.TotalAssets, nil)
	t.two("21", "Total liabilities (Part X, line 26)", debts, &f.TotalLiabilities, nil)
	t.two("22", "Net assets or fund balances. Subtract line 21 from line 20", less(assets, debts), &f.NetAssets, nil)
}

// years draws the titles of the two columns of the 990.
func (t *taxForm) years(first, second string) {
	t.p.centre(440, t.y, first, t.label.bold())
	t.p.centre(530, t.y, second, t.label.bold())
	t.y += 12
}

// two prints a line with both years; the current year is the line's amount.
func (t *taxForm) two(no, caption string, v [2]cents, fact, prior **dossier.Amount) {
	t.p.right(54, t.y, no, t.label.bold())
	t.p.text(62, t.y, caption, t.label.at(6.8))
	t.p.rule(400, 576, t.y+2.5, 0.3, grey)
	t.fill(480, t.y, t.whole(v[0]), true)
	t.entry(no, v[1], fact, 572, t.y)
	if prior != nil {
		*prior = ptr(dollars(int64(v[0] / 100)))
	}
	t.y += 13
}

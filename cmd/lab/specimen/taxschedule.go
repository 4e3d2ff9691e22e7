package specimen

// scheduleK lists what passes through to the owners.
func (t *taxForm) scheduleK(form string, ordinary, interest, distributions cents, line string) {
	t.continued(form)
	t.prefix = "K-"
	defer func() { t.prefix = "" }()
	t.band("Schedule K   Shareholders' or Partners' Pro Rata Share Items")
	t.line("1", "Ordinary business income (loss) (page 1)", ordinary, nil)
	t.line("2", "Net rental real estate income (loss) (attach Form 8825)", 0, nil)
	t.line(map[string]string{"1065": "5", "1120-S": "4"}[form], "Interest income", interest, nil)
	t.line(line, "Distributions of cash and property", distributions, nil)
}

// sheetRow is a line of Schedule L: its figures at the beginning and end of the year. gross prints in columns (a)
// and (c), else in (b) and (d).
type sheetRow struct {
	no, caption   string
	opening, then cents
	gross         bool
}

// corporateRows are Schedule L of the 1120 and 1120-S. Source: Form 1120-S, page 4.
func corporateRows(b books) []sheetRow {
	o, c := b.opening, b.closing
	row := func(no, caption string, keys ...string) sheetRow {
		return sheetRow{no: no, caption: caption, opening: o.sum(keys...), then: c.sum(keys...)}
	}
	gross := func(r sheetRow) sheetRow { r.gross = true; return r }
	flip := func(r sheetRow) sheetRow { r.opening, r.then, r.gross = -r.opening, -r.then, true; return r }
	return []sheetRow{
		row("1", "Cash", "cash"),
		gross(row("2a", "Trade notes and accounts receivable", "accountsReceivable")),
		flip(row("2b", "Less allowance for bad debts", "allowanceForDoubtfulAccounts")),
		row("", "", "accountsReceivable", "allowanceForDoubtfulAccounts"),
		row("3", "Inventories", "inventory"), row("4", "U.S. government obligations"), row("5",
			"Tax-exempt securities (see instructions)"),
		row("6", "Other current assets (attach statement)", "prepaidExpenses", "otherCurrentAssets"),
		row("7", "Loans to shareholders", "dueFromOwnersAffiliates"), row("8", "Mortgage and real estate loans"),
		row("9", "Other investments (attach statement)"),
		gross(row("10a", "Buildings and other depreciable assets", "grossFixedAssets")),
		flip(row("10b", "Less accumulated depreciation", "accumulatedDepreciation")),
		row("", "", "grossFixedAssets", "accumulatedDepreciation"),
		row("14", "Other assets (attach statement)", "otherNonCurrentAssets"),
		{no: "15", caption: "Total assets", opening: totalAssets(o), then: totalAssets(c)},
		row("16", "Accounts payable", "accountsPayable"),
		row("17", "Mortgages, notes, bonds payable in less than 1 year", "linesOfCredit", "currentPortionLongTermDebt"),
		row("18", "Other current liabilities (attach statement)", "creditCardsPayable", "accruedExpenses",
			"deferredRevenue"),
		row("19", "Loans from shareholders", "dueToOwnersAffiliates"),
		row("20", "Mortgages, notes, bonds payable in 1 year or more", "longTermDebt"), row("21",
			"Other liabilities (attach statement)"),
		row("22", "Capital stock", "capitalStock"), row("23", "Additional paid-in capital", "additionalPaidInCapital"),
		row("24", "Retained earnings", "retainedEarnings"),
		{no: "27", caption: "Total liabilities and shareholders' equity", opening: totalAssets(o),
			then: totalAssets(c)},
	}
}

// partnershipRows are Schedule L of the 1065, whose equity is one line.
func partnershipRows(b books) []sheetRow {
	rows := corporateRows(b)
	renumber := map[string]string{"7": "7a", "10a": "9a", "10b": "9b", "14": "13", "15": "14", "16": "15", "17": "16",
		"18": "17", "19": "19a", "20": "19b", "21": "20", "27": "22"}
	captions := map[string]string{"7a": "Loans to partners (or persons related to partners)",
		"19a": "Loans from partners (or persons related to partners)", "22": "Total liabilities and capital"}
	var out []sheetRow
	for _, r := range rows {
		switch r.no {
		case "8", "9", "23", "24":
			continue
		case "22":
			r = sheetRow{no: "21", caption: "Partners' capital accounts", opening: totalEquity(b.opening),
				then: totalEquity(b.closing)}
		default:
			if n, moved := renumber[r.no]; moved {
				r.no = n
				if c, named := captions[n]; named {
					r.caption = c
				}
			}
		}
		out = append(out, r)
	}
	return out
}

// scheduleL draws the balance sheets per books and the reconciliations M-1 and M-2.
func (t *taxForm) scheduleL(form string, b books, rows []sheetRow, net cents) {
	t.continued(form)
	t.p.text(38, t.y, "Schedule L", t.label.bold().at(9))
	t.p.text(96, t.y, "Balance Sheets per Books", t.label.bold().at(8))
	t.p.centre(366, t.y, "Beginning of tax year", t.label)
	t.p.centre(506, t.y, "End of tax year", t.label)
	t.y += 12
	t.p.text(140, t.y, "Assets", t.label.bold())
	for i, c := range []string{"(a)", "(b)", "(c)", "(d)"} {
		t.p.centre(331+float64(i)*70, t.y, c, t.label)
	}
	t.y += 12
	for _, r := range rows {
		if r.no == "16" || r.no == "15" && form == "1065" {
			t.p.text(120, t.y, "Liabilities and Equity", t.label.bold())
			t.y += 12
		}
		t.sheetLine(r)
	}
	t.y += 10
	t.reconcile(form, b, net)
}

func (t *taxForm) sheetLine(r sheetRow) {
	if r.no == "" { // the net of the two lines above stands beside the second of them
		t.y -= 12.5
	} else {
		t.p.text(40, t.y, r.no, t.label.bold())
		t.p.text(62, t.y, r.caption, t.label)
		t.p.rule(296, 576, t.y+2.5, 0.3, grey)
	}
	at := [2]float64{432, 572}
	if r.gross {
		at = [2]float64{362, 502}
	}
	letters := [2]string{"b", "d"}
	if r.gross {
		letters = [2]string{"a", "c"}
	}
	for i, v := range []cents{r.opening, r.then} {
		if v == 0 {
			continue
		}
		t.fill(at[i], t.y, t.whole(v), true)
		if r.no != "" { // the net of two lines has no number of its own
			t.schedule("L-"+r.no+letters[i], v)
		}
	}
	t.y += 12.5
}

// reconcile draws schedules M-1 and M-2.
func (t *taxForm) reconcile(form string, b books, net cents) {
	t.prefix = "M1-"
	defer func() { t.prefix = "" }()
	t.band("Schedule M-1   Reconciliation of Income (Loss) per Books With Income (Loss) per Return")
	t.line("1", "Net income (loss) per books", net, nil)
	if form == "1120" {
		t.line("2", "Federal income tax per books", b.income["incomeTaxes"], nil)
		t.line("10", "Income (page 1, line 28). Line 6 less line 9", b.beforeTaxes(), nil)
	} else {
		t.line("8", "Income (loss) (Schedule K). Line 4 less line 7", net, nil)
	}
	t.y += 6
	t.prefix = "M2-"
	t.band("Schedule M-2   Analysis of Retained Earnings or Capital Accounts")
	opening, closing := b.opening["retainedEarnings"], b.closing["retainedEarnings"]
	if form == "1065" {
		opening, closing = totalEquity(b.opening), totalEquity(b.closing)
	}
	t.line("1", "Balance at beginning of tax year", opening, nil)
	t.line("2", "Net income (loss) per books", net, nil)
	t.line(map[string]string{"1120": "5", "1120-S": "7", "1065": "6"}[form], "Distributions", b.distributions, nil)
	t.line("8", "Balance at end of tax year", closing, nil)
}

package specimen

import (
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

// report is a set of financial statements before it becomes a PDF, a workbook or a CSV.
type report struct {
	entity   string
	basis    string // accrual, cash or empty
	unit     int64
	sections []reportSection
}

// reportSection is one statement: its columns and rows.
type reportSection struct {
	kind    string // incomeStatement, balanceSheet, cashFlow
	titles  []string
	columns []dossier.StatementColumn // label, dates; values are filled in from the rows
	over    string                    // printed over the only column, whose period only the title says; "": its label
	rows    []reportRow
}

type rowKind int

const (
	lineRow  rowKind = iota
	headRow          // a caption without figures
	sumRow           // a subtotal
	endRow           // a grand total, double rule
	childRow         // part of the total printed below it: never a fact of its own
)

// reportRow is one printed line.
type reportRow struct {
	caption  string
	level    int
	kind     rowKind
	key      string // row of the template; empty: none
	values   []cents
	flip     bool // printed with the opposite sign of the fact
	unmapped bool // no row of the template has this caption
}

// dialect is the wording and order of an accounting program or firm.
type dialect struct {
	captions    map[string]string
	sectioned   bool // QuickBooks: headings, children, "Total for" lines
	otherSigned bool // interest expense printed negative under other income (expense)
	upper       bool // grand totals in capitals
	unmapped    string
	split       bool // utilities printed as two children and their total
}

func (l dialect) of(key, otherwise string) string {
	if c, ok := l.captions[key]; ok {
		return c
	}
	return otherwise
}

var plainCaptions = map[string]string{
	"grossRevenues": "Gross sales", "returnsAllowances": "Less returns and allowances", "netRevenues": "Net sales",
	"cogsGoodsMaterials": "Cost of materials", "cogsLabor": "Direct labor",
	"totalCostOfRevenues": "Total cost of goods sold", "grossProfit": "Gross profit",
	"officersCompensation": "Officer compensation", "salariesWages": "Salaries and wages",
	"payrollTaxes": "Payroll taxes", "employeeBenefits": "Employee benefits",
	"contractLabor": "Contract labor", "commissionsFees": "Commissions", "rent": "Rent",
	"repairsMaintenance": "Repairs and maintenance", "utilities": "Utilities",
	"insurance": "Insurance", "advertisingMarketing": "Advertising", "officeSupplies": "Office supplies",
	"professionalFees":   "Professional fees",
	"vehicleTravelMeals": "Travel", "taxesLicenses": "Taxes and licenses", "badDebts": "Bad debts",
	"depreciation": "Depreciation", "otherOperatingExpenses": "Miscellaneous",
	"totalOperatingExpenses": "Total operating expenses", "operatingIncome": "Income from operations",
	"interestIncome": "Interest income", "interestExpense": "Interest expense",
	"totalOtherIncomeExpense": "Total other income (expense)", "incomeBeforeTaxes": "Income before income taxes",
	"incomeTaxes": "Income tax expense", "netIncome": "Net income",
	"cash": "Cash", "accountsReceivable": "Accounts receivable", "inventory": "Inventory",
	"prepaidExpenses": "Prepaid expenses", "totalCurrentAssets": "Total current assets",
	"grossFixedAssets": "Machinery and equipment", "accumulatedDepreciation": "Less accumulated depreciation",
	"netFixedAssets": "Net fixed assets", "otherNonCurrentAssets": "Security deposits",
	"dueFromOwnersAffiliates": "Due from shareholder", "totalAssets": "Total assets",
	"accountsPayable": "Accounts payable", "creditCardsPayable": "Credit cards", "linesOfCredit": "Line of credit",
	"currentPortionLongTermDebt": "Current portion of long-term debt", "accruedExpenses": "Accrued expenses",
	"deferredRevenue": "Customer deposits", "totalCurrentLiabilities": "Total current liabilities",
	"longTermDebt": "Notes payable", "dueToOwnersAffiliates": "Loans from shareholders",
	"totalLongTermLiabilities": "Total long-term liabilities", "totalLiabilities": "Total liabilities",
	"capitalStock": "Common stock", "additionalPaidInCapital": "Additional paid-in capital",
	"retainedEarnings": "Retained earnings", "currentYearEarnings": "Net income",
	"distributionsDividends": "Distributions", "totalEquity": "Total equity",
	"totalLiabilitiesAndEquity": "Total liabilities and equity",
}

// wording is plainCaptions with some changed.
func wording(changes map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range plainCaptions {
		out[k] = v
	}
	for k, v := range changes {
		out[k] = v
	}
	return out
}

var (
	quickBooks = dialect{sectioned: true, upper: true, split: true, unmapped: "Safety Program",
		captions: wording(map[string]string{
			"grossRevenues": "Sales of Product Income", "returnsAllowances": "Discounts given",
			"netRevenues": "Total Income", "cogsGoodsMaterials": "Cost of Goods Sold",
			"cogsLabor": "Cost of labor - COGS", "totalCostOfRevenues": "Total Cost of Goods Sold",
			"grossProfit": "GROSS PROFIT", "salariesWages": "Payroll Expenses", "rent": "Rent & Lease",
			"repairsMaintenance": "Repairs & Maintenance", "advertisingMarketing": "Advertising & Marketing",
			"officeSupplies":   "Office Supplies & Software",
			"professionalFees": "Legal & Professional Services", "vehicleTravelMeals": "Car & Truck",
			"taxesLicenses": "Taxes & Licenses", "totalOperatingExpenses": "Total Expenses",
			"operatingIncome": "NET OPERATING INCOME", "totalOtherIncomeExpense": "NET OTHER INCOME",
			"netIncome": "NET INCOME", "cash": "Total Bank Accounts", "accountsReceivable": "Accounts Receivable (A/R)",
			"inventory": "Inventory Asset", "totalCurrentAssets": "Total Current Assets",
			"netFixedAssets": "Total Fixed Assets", "accumulatedDepreciation": "Accumulated Depreciation",
			"totalAssets": "TOTAL ASSETS", "accountsPayable": "Accounts Payable (A/P)",
			"creditCardsPayable": "Total Credit Cards", "totalLongTermLiabilities": "Total Long-Term Liabilities",
			"totalLiabilities": "Total Liabilities", "capitalStock": "Owner Investment",
			"distributionsDividends": "Owner Distributions", "retainedEarnings": "Retained Earnings",
			"currentYearEarnings": "Net Income",
			"totalEquity":         "Total Equity", "totalLiabilitiesAndEquity": "TOTAL LIABILITIES AND EQUITY"})}
	accountant = dialect{otherSigned: true, unmapped: "Employee morale events",
		captions: wording(map[string]string{"totalEquity": "Total stockholders' equity",
			"totalLiabilitiesAndEquity": "Total liabilities and stockholders' equity",
			"officersCompensation":      "Officers' salaries", "taxesLicenses": "Taxes and licenses"})}
	secStyle = dialect{otherSigned: true, captions: wording(map[string]string{"netRevenues": "Net sales",
		"totalCostOfRevenues": "Cost of sales", "operatingIncome": "Operating income",
		"incomeBeforeTaxes": "Income before income taxes", "incomeTaxes": "Provision for income taxes",
		"cash": "Cash and cash equivalents", "accountsReceivable": "Accounts receivable",
		"inventory":      "Inventories",
		"netFixedAssets": "Property and equipment, net", "totalEquity": "Total shareholders' equity",
		"totalLiabilitiesAndEquity": "Total liabilities and shareholders' equity",
		"longTermDebt":              "Long-term debt", "accruedExpenses": "Accrued liabilities",
		"otherNonCurrentAssets": "Other assets"})}
)

// series is a figure of each column.
func series(all []books, of func(books) cents) []cents {
	var out []cents
	for _, b := range all {
		out = append(out, of(b))
	}
	return out
}

func anything(values []cents) bool {
	for _, v := range values {
		if v != 0 {
			return true
		}
	}
	return false
}

// builder collects the rows of a statement.
type builder struct {
	dialect
	all  []books
	rows []reportRow
}

func (b *builder) head(caption string, level int) {
	b.rows = append(b.rows, reportRow{caption: caption, level: level, kind: headRow})
}

// line adds a row unless all its figures are zero.
func (b *builder) line(key string, level int, of func(books) cents) *reportRow {
	values := series(b.all, of)
	if !anything(values) {
		return &reportRow{}
	}
	b.rows = append(b.rows, reportRow{caption: b.of(key, key), level: level, key: key, values: values})
	return &b.rows[len(b.rows)-1]
}

// total adds a subtotal, zero or not.
func (b *builder) total(key string, level int, kind rowKind, of func(books) cents) {
	b.rows = append(b.rows, reportRow{caption: b.of(key, key), level: level, kind: kind, key: key,
		values: series(b.all, of)})
}

func income(key string) func(books) cents  { return func(b books) cents { return b.income[key] } }
func closing(key string) func(books) cents { return func(b books) cents { return b.closing[key] } }

// incomeRows lays out the income statement. Its columns are full or interim periods.
func incomeRows(l dialect, all []books) []reportRow {
	b := &builder{dialect: l, all: all}
	b.revenue()
	if anything(series(all, books.costs)) {
		b.costs()
	} else if l.sectioned { // QuickBooks prints a gross profit even when nothing was spent to earn it
		b.total("grossProfit", 0, sumRow, books.grossProfit)
	}
	b.expenseLines()
	b.bottom()
	return b.rows
}

func (b *builder) revenue() {
	level := 0
	if b.sectioned {
		b.head("Income", 0)
		level = 1
	}
	if anything(series(b.all, income("returnsAllowances"))) {
		b.line("grossRevenues", level, income("grossRevenues"))
		b.line("returnsAllowances", level, income("returnsAllowances")).flip = true
	} else if b.sectioned {
		b.rows = append(b.rows, reportRow{caption: b.of("grossRevenues", ""), level: level, kind: childRow,
			values: series(b.all, books.netRevenues)})
	}
	b.total("netRevenues", 0, sumRow, books.netRevenues)
}

func (b *builder) costs() {
	detailed := anything(series(b.all, income("cogsLabor")))
	if !detailed { // one caption of cost is the total, whatever it is called
		b.total("totalCostOfRevenues", 0, lineRow, books.costs)
		b.total("grossProfit", 0, sumRow, books.grossProfit)
		return
	}
	b.head("Cost of Goods Sold", 0)
	b.line("cogsGoodsMaterials", 1, income("cogsGoodsMaterials"))
	b.line("cogsLabor", 1, income("cogsLabor"))
	b.total("totalCostOfRevenues", 0, sumRow, books.costs)
	b.total("grossProfit", 0, sumRow, books.grossProfit)
}

func (b *builder) expenseLines() {
	b.head(map[bool]string{true: "Expenses", false: "Operating expenses"}[b.sectioned], 0)
	for _, k := range expenseKeys {
		switch {
		case k == "utilities" && b.split && anything(series(b.all, income(k))):
			b.splitUtilities()
		case k == "otherOperatingExpenses" && b.unmapped != "":
			values := series(b.all, income(k))
			b.rows = append(b.rows, reportRow{caption: b.unmapped, level: 1, values: values, unmapped: true})
		default:
			b.line(k, 1, income(k))
		}
	}
	b.total("totalOperatingExpenses", 0, sumRow, books.expenses)
	b.total("operatingIncome", 0, sumRow, books.operating)
	if b.sectioned { // "net operating income" has two names in facts.md: either is right
		b.rows[len(b.rows)-1].key = ""
	}
}

// splitUtilities prints a parent with two children and their total, which must not be counted twice.
func (b *builder) splitUtilities() {
	part := func(x books) cents { return x.income["utilities"] * 6 / 10 }
	b.head("Utilities", 1)
	b.rows = append(b.rows,
		reportRow{caption: "Electric and gas", level: 2, kind: childRow, values: series(b.all, part)},
		reportRow{caption: "Telephone", level: 2, kind: childRow, values: series(b.all,
			func(x books) cents { return x.income["utilities"] - part(x) })},
		reportRow{caption: "Total Utilities", level: 1, kind: lineRow, key: "utilities", values: series(b.all,
			income("utilities"))})
}

func (b *builder) bottom() {
	b.head(map[bool]string{true: "Other Income", false: "Other income (expense)"}[!b.otherSigned], 0)
	b.line("interestIncome", 1, income("interestIncome"))
	b.line("otherIncome", 1, income("otherIncome"))
	b.line("gainLossOnAssetSales", 1, income("gainLossOnAssetSales"))
	if !b.otherSigned {
		b.head("Other Expenses", 0)
	}
	b.line("interestExpense", 1, income("interestExpense")).flip = b.otherSigned
	b.total("totalOtherIncomeExpense", 0, sumRow, books.other)
	if anything(series(b.all, income("incomeTaxes"))) {
		b.total("incomeBeforeTaxes", 0, sumRow, books.beforeTaxes)
		b.line("incomeTaxes", 0, income("incomeTaxes"))
	}
	b.total("netIncome", 0, endRow, books.netIncome)
}

// sheetRows lays out the balance sheet at the end of each of the periods.
func sheetRows(l dialect, all []books) []reportRow {
	b := &builder{dialect: l, all: all}
	net := func(of func(figures) cents) func(books) cents { return func(x books) cents { return of(x.closing) } }
	b.head("ASSETS", 0)
	b.head("Current Assets", 1)
	for _, k := range currentAssetKeys {
		b.line(k, 2, closing(k))
	}
	b.total("totalCurrentAssets", 1, sumRow, net(currentAssets))
	b.head("Fixed Assets", 1)
	b.line("grossFixedAssets", 2, closing("grossFixedAssets"))
	b.line("accumulatedDepreciation", 2, closing("accumulatedDepreciation"))
	b.total("netFixedAssets", 1, sumRow, net(fixedAssets))
	for _, k := range otherAssetKeys {
		b.line(k, 1, closing(k))
	}
	b.total("totalAssets", 0, endRow, net(totalAssets))
	b.head(map[bool]string{true: "LIABILITIES AND EQUITY",
		false: "LIABILITIES AND STOCKHOLDERS' EQUITY"}[b.sectioned], 0)
	b.head("Current Liabilities", 1)
	for _, k := range currentDebtKeys {
		b.line(k, 2, closing(k))
	}
	b.total("totalCurrentLiabilities", 1, sumRow, net(currentDebts))
	b.head("Long-Term Liabilities", 1)
	for _, k := range longDebtKeys {
		b.line(k, 2, closing(k))
	}
	b.total("totalLongTermLiabilities", 1, sumRow, net(func(f figures) cents { return f.sum(longDebtKeys...) }))
	b.total("totalLiabilities", 0, sumRow, net(totalLiabilities))
	b.head("Equity", 0)
	for _, k := range equityKeys {
		b.line(k, 1, closing(k))
	}
	b.total("totalEquity", 0, sumRow, net(totalEquity))
	b.total("totalLiabilitiesAndEquity", 0, endRow, net(totalAssets))
	return b.rows
}

// flowRows lays out an indirect cash flow statement. It foots because the books balance.
func flowRows(all []books) []reportRow {
	b := &builder{dialect: dialect{captions: map[string]string{
		"netIncome": "Net income", "depreciation": "Depreciation",
		"changeInAccountsReceivable": "Accounts receivable", "changeInInventory": "Inventories",
		"changeInOtherCurrentAssets": "Prepaid expenses", "changeInAccountsPayable": "Accounts payable",
		"changeInAccruedLiabilities": "Accrued liabilities",
		"netCashFromOperating":       "Net cash provided by operating activities",
		"capitalExpenditures":        "Purchases of property and equipment",
		"netCashFromInvesting":       "Net cash used in investing activities",
		"changeInShortTermDebt":      "Net borrowings on line of credit",
		"changeInLongTermDebt":       "Repayment of long-term debt",
		"changeInOwnerLoans":         "Proceeds from shareholder loans", "distributionsPaid": "Shareholder distributions",
		"netCashFromFinancing": "Net cash used in financing activities",
		"netChangeInCash":      "Net increase (decrease) in cash", "beginningCash": "Cash at beginning of period",
		"endingCash": "Cash at end of period"}}, all: all}
	delta := func(sign cents, keys ...string) func(books) cents {
		return func(x books) cents { return sign * (x.closing.sum(keys...) - x.opening.sum(keys...)) }
	}
	add := func(fs ...func(books) cents) func(books) cents {
		return func(x books) (sum cents) {
			for _, f := range fs {
				sum += f(x)
			}
			return sum
		}
	}
	distributions := func(x books) cents { return -x.distributions }
	capex := func(x books) cents { return -x.capex }
	receivable, stock, prepaid := delta(-1, "accountsReceivable"), delta(-1, "inventory"), delta(-1,
		"prepaidExpenses", "otherCurrentAssets")
	payable, accrued := delta(1, "accountsPayable"), delta(1, "accruedExpenses", "deferredRevenue")
	short, long, owners := delta(1, "linesOfCredit", "creditCardsPayable"), delta(1, "currentPortionLongTermDebt",
		"longTermDebt"), delta(1, "dueToOwnersAffiliates")
	operating := add(books.netIncome, income("depreciation"), receivable, stock, prepaid, payable, accrued)
	financing := add(short, long, owners, distributions)
	b.head("Cash flows from operating activities:", 0)
	b.line("netIncome", 1, books.netIncome)
	b.line("depreciation", 1, income("depreciation"))
	b.head("Changes in operating assets and liabilities:", 1)
	b.line("changeInAccountsReceivable", 2, receivable)
	b.line("changeInInventory", 2, stock)
	b.line("changeInOtherCurrentAssets", 2, prepaid)
	b.line("changeInAccountsPayable", 2, payable)
	b.line("changeInAccruedLiabilities", 2, accrued)
	b.total("netCashFromOperating", 0, sumRow, operating)
	b.head("Cash flows from investing activities:", 0)
	b.line("capitalExpenditures", 1, capex)
	b.total("netCashFromInvesting", 0, sumRow, capex)
	b.head("Cash flows from financing activities:", 0)
	b.line("changeInShortTermDebt", 1, short)
	b.line("changeInLongTermDebt", 1, long)
	b.line("changeInOwnerLoans", 1, owners)
	b.line("distributionsPaid", 1, distributions)
	b.total("netCashFromFinancing", 0, sumRow, financing)
	b.total("netChangeInCash", 0, sumRow, add(operating, capex, financing))
	b.line("beginningCash", 0, func(x books) cents { return x.opening["cash"] })
	b.total("endingCash", 0, endRow, closing("cash"))
	return b.rows
}

// state fills the columns' values from the rows and returns every figure printed.
func (s *reportSection) state(unit int64) []cents {
	var printed []cents
	for _, r := range s.rows {
		for i, v := range r.values {
			full := v * cents(unit)
			printed = append(printed, full)
			c := &s.columns[i]
			if v == 0 {
				continue // a dash or an empty cell
			}
			switch {
			case r.unmapped:
				c.Unmapped = append(c.Unmapped, dossier.UnmappedCaption{Caption: r.caption, Amount: money(full, unit)})
			case r.key != "" && r.kind != childRow:
				c.Values[r.key] = money(full, unit)
			}
		}
	}
	return printed
}

// money is a figure in full units: with cents where the statement prints them.
func money(c cents, unit int64) dossier.Amount {
	if unit > 1 || c%100 == 0 {
		return dollars(int64(c / 100))
	}
	return c.amount()
}

// periodColumn is an income statement or cash flow column.
func periodColumn(label string, start, end time.Time, months int) dossier.StatementColumn {
	c := dossier.StatementColumn{Label: strings.ReplaceAll(label, "\n", " "), Start: ptr(iso(start)),
		End: ptr(iso(end)), Values: map[string]dossier.Amount{}}
	if months > 0 {
		c.Months = ptr(months)
	}
	return c
}

// dayColumn is a balance sheet column.
func dayColumn(label string, end time.Time) dossier.StatementColumn {
	return dossier.StatementColumn{Label: label, End: ptr(iso(end)), Values: map[string]dossier.Amount{}}
}

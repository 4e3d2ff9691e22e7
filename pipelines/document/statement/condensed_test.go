package statement_test

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document"
)

// A condensed sheet prints no sub-totals: assets stand below the title, debts and equity below their total.
func TestRead_sheetWithoutTotals(t *testing.T) {
	wantValues(t, columnOf(t, "balanceSheet",
		"Harrow Point Industries, Inc.", "Condensed Consolidated Balance Sheets", "(In millions)",
		"|March 31, 2024|December 31, 2023",
		"Cash and cash equivalents|412|388",
		"Trade receivables, net|655|610",
		"Inventories|720|741",
		"Property, plant and equipment, net|1,904|1,880",
		"Goodwill|1,310|1,310",
		"Other assets|222|215",
		"Total assets|5,223|5,144",
		"Trade payables|498|511",
		"Short-term debt and current portion of long-term debt|120|96",
		"Accruals and other liabilities|803|790",
		"Long-term debt, less current portion|1,640|1,655",
		"Shareholders' equity|2,162|2,092",
		"Total liabilities and equity|5,223|5,144"),
		map[string]string{"cash": "412000000", "accountsReceivable": "655000000", "inventory": "720000000",
			"netFixedAssets": "1904000000", "totalAssets": "5223000000", "accountsPayable": "498000000",
			"currentPortionLongTermDebt": "120000000", "longTermDebt": "1640000000", "totalEquity": "2162000000",
			"totalLiabilitiesAndEquity": "5223000000"})
}

// "Benefit (provision)" prints taxes as what they add: the words' order and the reckoning say so.
func TestRead_benefitOfTaxes(t *testing.T) {
	for _, caption := range []string{"Income tax benefit (provision)", "(Provision) benefit for income taxes",
		"Benefit from (provision for) income taxes", "Income tax (expense) benefit"} {
		t.Run(caption, func(t *testing.T) {
			wantValues(t, columnOf(t, "incomeStatement",
				"Harrow Point Industries, Inc.", "Consolidated Statements of Operations", "(In thousands)",
				"|Year Ended December 31,", "|2023|2022",
				"Revenues|84,120|79,300",
				"Cost of revenues|51,204|49,100",
				"Gross profit|32,916|30,200",
				"Selling, general and administrative|24,010|31,400",
				"Operating income (loss)|8,906|(1,200)",
				"Interest expense|(1,106)|(900)",
				"Income (loss) before income taxes|7,800|(2,100)",
				caption+"|(1,950)|525",
				"Net income (loss)|$ 5,850|$ (1,575)"),
				map[string]string{"incomeBeforeTaxes": "7800000", "incomeTaxes": "1950000", "netIncome": "5850000"})
		})
	}
}

// Results before taxes are named after the caption of taxes, with its order of words and the operations that go on.
func TestRead_beforeBenefit(t *testing.T) {
	for before, tax := range map[string]string{
		"Income (loss) before income tax benefit (provision)":                              "Income tax benefit (provision)",
		"Loss before benefit (provision) for income taxes":                                 "Benefit (provision) for income taxes",
		"Income (loss) from continuing operations before (provision) benefit for taxes":    "(Provision) benefit for income taxes",
		"Income (loss) before provision (benefit)":                                         "Tax benefit (provision)",
		"Earnings (loss) from continuing operations before income tax (expense) benefit":   "Income tax (expense) benefit",
		"Income (loss) from continuing operations before income taxes and equity earnings": "Income tax (provision) benefit, net",
		"Pretax income (loss)":                         "Income tax (provision) benefit",
		"Loss before taxes from continuing operations": "Benefit (expense) from income taxes",
		"Income (loss) before tax benefit (provision)": "Deferred income tax benefit (provision)",
	} {
		t.Run(before+"/"+tax, func(t *testing.T) {
			wantValues(t, columnOf(t, "incomeStatement",
				"Harrow Point Industries, Inc.", "Consolidated Statements of Operations", "(In thousands)",
				"|Year Ended December 31,", "|2023|2022",
				"Revenues|84,120|79,300",
				"Cost of revenues|51,204|49,100",
				"Gross profit|32,916|30,200",
				"Selling, general and administrative|24,010|31,400",
				"Operating income (loss)|8,906|(1,200)",
				"Interest expense|(1,106)|(900)",
				before+"|7,800|(2,100)",
				tax+"|(1,950)|525",
				"Income (loss) from continuing operations|5,850|(1,575)",
				"Income (loss) from discontinued operations, net of tax|(350)|75",
				"Net income (loss)|$ 5,500|$ (1,500)"),
				map[string]string{"incomeBeforeTaxes": "7800000", "incomeTaxes": "1950000", "netIncome": "5500000"})
		})
	}
}

// A flow of continuing activities and one of those given up make the activity's together.
func TestRead_flowsGivenUp(t *testing.T) {
	wantValues(t, columnOf(t, "cashFlow",
		"Harrow Point Industries, Inc.", "Consolidated Statements of Cash Flows", "(In thousands)",
		"|Year Ended December 31,", "|2023|2022",
		"Cash flows from operating activities:",
		"Net income|5,850|4,100",
		"Depreciation and amortization|2,100|2,000",
		"Loss from discontinued operations|300|250",
		"Net cash provided by continuing operating activities|8,250|6,350",
		"Net cash used in discontinued operating activities|(420)|(310)",
		"Net cash provided by operating activities|7,830|6,040",
		"Cash flows from investing activities:",
		"Purchases of property and equipment|(2,900)|(2,500)",
		"Net cash used in continuing investing activities|(2,900)|(2,500)",
		"Net cash provided by discontinued investing activities|150|90",
		"Net cash used in investing activities|(2,750)|(2,410)",
		"Cash flows from financing activities:",
		"Repayments of long-term debt|(3,000)|(1,800)",
		"Net cash used in financing activities|(3,000)|(1,800)",
		"Net increase in cash|2,080|1,830",
		"Cash at beginning of year|3,120|1,290",
		"Cash at end of year|5,200|3,120"),
		map[string]string{"netCashFromOperating": "7830000", "netCashFromInvesting": "-2750000",
			"netCashFromFinancing": "-3000000", "endingCash": "5200000"})
}

// A line of liabilities that is owed by the state stands below zero: liabilities are less by it.
func TestRead_negativeLiability(t *testing.T) {
	wantValues(t, columnOf(t, "balanceSheet",
		"Harrow Point Supplies Pty Ltd", "Balance Sheet", "As of December 31, 2023",
		"|Dec 31, 2023|Dec 31, 2022",
		"Assets",
		"Current Assets",
		"Bank Accounts",
		"Operating Account|8,210.00|7,100.00",
		"Total Bank Accounts|8,210.00|7,100.00",
		"Inventory Assets",
		"Stock on Hand|4,300.00|4,000.00",
		"Goods in Transit|700.00|600.00",
		"Total Inventory Assets|5,000.00|4,600.00",
		"Total Current Assets|13,210.00|11,700.00",
		"Total Assets|13,210.00|11,700.00",
		"Liabilities",
		"Current Liabilities",
		"Accounts Payable|2,400.00|2,000.00",
		"GST collected|900.00|850.00",
		"GST paid on purchases|(610.00)|(550.00)",
		"Total Current Liabilities|2,690.00|2,300.00",
		"Total Liabilities|2,690.00|2,300.00",
		"Equity",
		"Retained Earnings|10,520.00|9,400.00",
		"Total Equity|10,520.00|9,400.00",
		"Total Liabilities and Equity|13,210.00|11,700.00"),
		map[string]string{"cash": "8210.00", "inventory": "5000.00", "accountsPayable": "2400.00",
			"totalCurrentLiabilities": "2690.00", "totalLiabilities": "2690.00", "totalEquity": "10520.00"})
}

// Costs are printed below zero and other income above it: the results around them say what is a cost. Of current and
// deferred taxes no sum is printed; together they are what the bottom line lacks.
func TestRead_signsByResults(t *testing.T) {
	doc := document.Extract(sheetOf(
		"Kawabe Optics Corporation", "Consolidated Statements of Profit or Loss", "(in thousands of US dollars)",
		"|2023|2022",
		"Revenue|90,000|80,000",
		"Cost of sales|(50,000)|(46,000)",
		"Gross profit|40,000|34,000",
		"Selling, general and administrative",
		"expenses|(21,000)|(19,000)",
		"Share of profit of associates|400|300",
		"Other income|900|700",
		"Other expenses|(1,300)|(1,000)",
		"Operating profit|19,000|15,000",
		"Finance income|300|200",
		"Finance costs|(800)|(700)",
		"Profit before tax|18,500|14,500",
		"Current income tax|(4,000)|(3,100)",
		"Deferred income tax|(500)|(400)",
		"Profit for the year|14,000|11,000")).Documents[0]
	want := map[string]string{"Selling, general and administrative expenses": "21000000", "Other income": "-900000",
		"Other expenses": "1300000", "Current income tax": "4000000", "Deferred income tax": "500000"}
	for _, u := range doc.Facts.Statement.Statements.IncomeStatement[0].Unmapped {
		if amount, ok := want[u.Caption]; ok {
			if u.Amount.String() != amount {
				t.Errorf("%s: %s, want %s", u.Caption, u.Amount, amount)
			}
			delete(want, u.Caption)
		}
	}
	if len(want) > 0 {
		t.Errorf("no such lines: %v", want)
	}
}

// The flow of the investing activities that go on repeats their one line: it is no line beside it.
func TestRead_flowOfOneLine(t *testing.T) {
	doc := document.Extract(sheetOf(
		"Harrow Point Industries, Inc.", "Consolidated Statements of Cash Flows", "(In thousands)",
		"|Year Ended December 31,", "|2023|2022",
		"Operating activities:",
		"Net income|5,850|4,100",
		"Depreciation|2,100|2,000",
		"Net cash provided by operating activities|7,950|6,100",
		"Investing activities:",
		"Purchases of property and equipment|(2,900)|(2,500)",
		"Net cash used in investing activities of continuing operations|(2,900)|(2,500)",
		"Net cash provided by investing activities of discontinued operations|150|90",
		"Net cash used in investing activities|(2,750)|(2,410)",
		"Financing activities:",
		"Repayments of long-term debt|(3,000)|(1,800)",
		"Net cash used in financing activities|(3,000)|(1,800)",
		"Net increase in cash|2,200|1,890",
		"Cash at beginning of year|3,180|1,290",
		"Cash at end of year|5,380|3,180")).Documents[0]
	for _, c := range doc.Facts.Statement.Statements.CashFlow {
		for _, u := range c.Unmapped {
			if strings.Contains(u.Caption, "continuing operations") {
				t.Errorf("%s stands beside its line: %+v", c.Label, u)
			}
		}
		if c.Coverage == nil || c.Coverage.Unexplained != 0 {
			t.Errorf("%s: coverage %+v", c.Label, c.Coverage)
		}
	}
}

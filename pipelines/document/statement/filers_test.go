package statement_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/decode/office"
)

// Where debts and equity come first, the sheet ends with its assets.
func TestRead_assetsLast(t *testing.T) {
	wantValues(t, columnOf(t, "balanceSheet",
		"Tsavo Packers Limited", "Statement of Financial Position", "|31 March 2023|31 March 2022", "|KShs '000|KShs '000",
		"EQUITY AND LIABILITIES", "Capital and reserves",
		"Share capital|50,000|50,000", "Retained earnings|271,400|240,300", "Total equity|321,400|290,300",
		"Non-current liabilities", "Borrowings|61,200|70,400",
		"Current liabilities", "Trade and other payables|91,300|88,100", "Tax payable|4,100|3,900",
		"Total equity and liabilities|478,000|452,700",
		"ASSETS", "Non-current assets", "Property, plant and equipment|240,500|238,200",
		"Current assets", "Inventories|110,300|98,100", "Trade and other receivables|86,100|80,300",
		"Cash and bank balances|41,100|36,100", "Total assets|478,000|452,700"),
		map[string]string{"totalEquity": "321400000", "totalLiabilitiesAndEquity": "478000000", "totalAssets": "478000000",
			"inventory": "110300000", "cash": "41100000", "netFixedAssets": "240500000"})
}

// A result before a levy that is no income tax stands above the one that taxes are taken off.
func TestRead_beforeAnotherLevy(t *testing.T) {
	wantValues(t, columnOf(t, "incomeStatement",
		"Jos Mills Plc", "Statement of Profit or Loss", "|2023|2022", "|N'000|N'000",
		"Revenue|91,000|84,000", "Cost of sales|(61,000)|(57,000)", "Gross profit|30,000|27,000",
		"Administrative expenses|(6,000)|(5,500)", "Operating profit|24,000|21,500", "Finance cost|(2,000)|(1,800)",
		"Profit before minimum tax|22,000|19,700", "Minimum tax|(400)|(380)", "Profit before income tax|21,600|19,320",
		"Income tax expense|(3,100)|(2,900)", "Profit for the year|18,500|16,420"),
		map[string]string{"incomeBeforeTaxes": "21600000", "incomeTaxes": "3100000", "netIncome": "18500000"})
}

// What is held for sale stands below the sum of the other current assets, and in the next one.
func TestRead_heldForSaleApart(t *testing.T) {
	got := columnOf(t, "balanceSheet",
		"Larkhill plc", "Group balance sheet", "(in GBP million)", "|24 February 2024|25 February 2023",
		"Non-current assets", "Property, plant and equipment|17,221|16,862", "Total non-current assets|17,221|16,862",
		"Current assets", "Inventories|2,635|2,510", "Trade and other receivables|1,349|1,315", "Short-term investments|2,128|1,628",
		"Current tax assets|110|93", "Cash and cash equivalents|2,340|2,465", "|8,562|8,011",
		"Assets of the disposal groups and non-current assets classified as held for sale|783|210", "|9,345|8,221",
		"Total assets|26,566|25,083",
		"Current liabilities", "Trade and other payables|10,264|9,762", "Total current liabilities|10,264|9,762",
		"Non-current liabilities", "Borrowings|5,683|5,581", "Total non-current liabilities|5,683|5,581",
		"Equity", "Share capital|445|463", "Retained earnings|10,174|9,277", "Total equity|10,619|9,740",
		"Total equity and liabilities|26,566|25,083")
	if got["totalCurrentAssets"] == "8562000000" {
		t.Error("current assets without what is held for sale")
	}
}

// Costs of several kinds are not the one that a list knows; interest that is earned stands in parentheses among costs.
func TestRead_kindsOfCost(t *testing.T) {
	wantValues(t, columnOf(t, "incomeStatement",
		"Harrow Point Aircraft, Inc.", "Consolidated Statements of Operations", "(Dollars in millions)",
		"|Year Ended December 31,", "|2023|2022",
		"Sales of products|65,500|54,400", "Sales of services|12,200|12,000", "Total revenues|77,700|66,400",
		"Cost of products|(59,800)|(53,900)", "Cost of services|(10,200)|(9,100)", "Total costs and expenses|(70,000)|(63,000)",
		"General and administrative expense|(5,100)|(4,200)", "Income (loss) from operations|2,600|(800)"),
		map[string]string{"netRevenues": "77700000000", "totalCostOfRevenues": "70000000000", "operatingIncome": "2600000000"})
	wantValues(t, columnOf(t, "incomeStatement",
		"Harrow Point Medical, Inc.", "Consolidated Statements of Earnings", "(Unaudited; Dollars & Shares in Millions)",
		"|2023|2022",
		"Sales to customers|22,400|21,500", "Cost of products sold|6,800|6,400", "Gross profit|15,600|15,100",
		"Selling, marketing and administrative expenses|5,600|5,400", "Research and development expense|3,400|3,300",
		"Interest income|(390)|(280)", "Interest expense|270|210", "Earnings before provision for taxes on income|6,720|6,470",
		"Provision for taxes on income|1,040|980", "Net earnings|5,680|5,490"),
		map[string]string{"netRevenues": "22400000000", "interestIncome": "390000000", "interestExpense": "270000000"})
}

// Results that say whose they are are whole ones; a half year has six months; a narrow heading parts day and month.
func TestRead_halfYear(t *testing.T) {
	doc := document.Extract(sheetOf("Redgum Services Limited", "Statement of Profit or Loss", "|Half year ended|Half year ended",
		"|December|December", "|31,|31,", "|2023|2022", "|$'000|$'000",
		"Revenue|220,400|201,300", "Employee benefits expense|(88,300)|(81,200)", "Finance costs|(3,100)|(2,900)",
		"Profit before income tax expense|129,000|117,200", "Income tax expense|(38,700)|(35,100)",
		"Profit after tax for the half-year attributable to owners|90,300|82,100"),
	).Documents[0]
	columns := doc.Facts.Statement.Statements.IncomeStatement
	if len(columns) != 2 || columns[0].Start == nil || *columns[0].Start != "2023-07-01" || *columns[0].End != "2023-12-31" {
		t.Fatalf("%+v", columns)
	}
	if v := columns[0].Values["netIncome"]; v.String() != "90300000" {
		t.Errorf("net income %s", v)
	}
}

// The cost of fixed assets need not be called gross: what is taken off it follows.
func TestRead_costOfAssets(t *testing.T) {
	wantValues(t, columnOf(t, "balanceSheet",
		"Keelson Valve Corporation", "Condensed Consolidated Balance Sheets", "(Dollars in thousands)",
		"|September 30, 2023|December 31, 2022",
		"Current assets:", "Cash and cash equivalents|8,100|7,400", "Trade receivables, net|31,000|29,200",
		"Total current assets|39,100|36,600",
		"Property, plant and equipment|91,000|88,300", "Less accumulated depreciation|(48,000)|(45,100)",
		"Net property, plant and equipment|43,000|43,200", "Total assets|82,100|79,800",
		"Current liabilities:", "Accounts payable|15,000|14,300", "Total current liabilities|15,000|14,300",
		"Shareholders' equity:", "Common stock|900|900", "Retained earnings|66,200|64,600",
		"Total shareholders' equity|67,100|65,500", "Total liabilities and shareholders' equity|82,100|79,800"),
		map[string]string{"grossFixedAssets": "91000000", "accumulatedDepreciation": "-48000000", "netFixedAssets": "43000000"})
}

// readCSV is the income statement of a file of cells.
func readCSV(t *testing.T, csv string) []dossier.StatementColumn {
	t.Helper()
	d, err := office.CSV([]byte(csv))
	if err != nil {
		t.Fatal(err)
	}
	read := document.Extract(d).Documents
	if len(read) != 1 || read[0].Facts.Statement == nil {
		t.Fatalf("read as %+v", read)
	}
	return read[0].Facts.Statement.Statements.IncomeStatement
}

// Programs number accounts within the names of totals, or hang the short name of a firm onto every account; models mark
// what has happened and what is expected.
func TestRead_namesOfPrograms(t *testing.T) {
	read := func(csv string) dossier.StatementColumn {
		t.Helper()
		columns := readCSV(t, csv)
		if len(columns) != 2 {
			t.Fatalf("%d columns", len(columns))
		}
		return columns[0]
	}
	for key, want := range map[string]string{"professionalFees": "292000", "totalOperatingExpenses": "392000", "netIncome": "208000"} {
		c := read("Kestrel Software Inc.,,\nIncome Statement,,\nFinancial Row,Jun 2025,May 2025\n40000 - Revenue,,\n" +
			"40001 - License,600000,560000\nTotal - 40000 - Revenue,600000,560000\nTotal - Income,600000,560000\nExpense,,\n" +
			"64000 - Professional fees,,\n64061 - Professional services,283000,149000\n64062 - Legal fees,9000,13000\n" +
			"Total - 64000 - Professional fees,292000,162000\n68071 - Rent,100000,99000\nTotal - Expense,392000,261000\n" +
			"Net Ordinary Income,208000,299000\nNet Income,208000,299000\n")
		if v := c.Values[key]; v.String() != want {
			t.Errorf("%s: %s, want %s", key, v, want)
		}
	}
	c := read("Ridge Brewing Co.,,,\nIncome Statement,,,\nFiscal year ending December 31,,,\n,FY2022A,FY2023A,FY2024E\n" +
		"Net Revenue,8100,8400,9900\nCost of Goods Sold,4100,4200,4900\nGross Profit,4000,4200,5000\nRent,400,410,420\n" +
		"Net Income,3600,3790,4580\n")
	if c.End == nil || *c.End != "2022-12-31" {
		t.Errorf("%+v", c)
	}
}

// Cash that nobody may spend is no cash, alone or in brackets, and a program's suffix is no part of an account's name.
func TestRead_restrictedCash(t *testing.T) {
	wantValues(t, columnOf(t, "balanceSheet",
		"Juniper Falls Lodging, Inc.", "Consolidated Balance Sheets", "(In thousands)", "|December 31, 2023|December 31, 2022",
		"Current assets:", "Cash and cash equivalents|21,300|18,400", "Restricted cash|4,100|3,900",
		"Accounts receivable, net|8,100|7,700", "Other current assets|1,500|1,200", "Total current assets|35,000|31,200",
		"Property and equipment, net|310,000|322,000", "Total assets|345,000|353,200",
		"Current liabilities:", "Accounts payable|6,000|6,200", "Total current liabilities|6,000|6,200",
		"Mortgage notes payable|210,000|221,000", "Total liabilities|216,000|227,200",
		"Stockholders' equity:", "Retained earnings|129,000|126,000", "Total stockholders' equity|129,000|126,000",
		"Total liabilities and stockholders' equity|345,000|353,200"),
		map[string]string{"cash": "21300000", "otherCurrentAssets": "1500000", "totalCurrentAssets": "35000000"})
	c := readCSV(t, "Profit and Loss Statement,,\nAccount,Mar 2024,Mar 2023\nSales - BRC,812000.00,640500.00\nTotal Income - BRC,812000.00,640500.00\n"+
		"Salary - BRC,210400.00,198000.00\nOffice Rent - BRC,60000.00,60000.00\nTelephone - BRC,4100.00,3900.00\n"+
		"Total Expense - BRC,274500.00,261900.00\nNet Profit - BRC,537500.00,378600.00\n")
	for key, want := range map[string]string{"netRevenues": "812000.00", "utilities": "4100.00", "totalOperatingExpenses": "274500.00",
		"netIncome": "537500.00"} {
		if v := c[0].Values[key]; v.String() != want {
			t.Errorf("%s: %s, want %s", key, v, want)
		}
	}
}

// Whose crowns "kr" means, the language of the statement's name says; without one nothing does. A dollar is the American
// one where something is written as there.
func TestRead_currencyOfLanguage(t *testing.T) {
	rows := []string{"|2023|2022", "|kr|kr", "Sum driftsinntekter|12 100|11 400", "Personaleomkostninger|5 100|4 900",
		"Driftsresultat|7 000|6 500", "Årsresultat|7 000|6 500"}
	for title, want := range map[string]string{"Resultatregnskap": "NOK", "Resultatopgørelse": "DKK", "Income Statement": ""} {
		wantCurrency(t, want, append([]string{"Strandgaarden AS", title}, rows...)...)
	}
	dollars := []string{"Income Statement ($ in 000s)", "|FY2022|FY2023", "Net Revenue|8,100|8,400", "Cost of Goods Sold|4,100|4,200",
		"Gross Profit|4,000|4,200", "Rent|400|410", "Net Income|3,600|3,790"}
	wantCurrency(t, "", append([]string{"Summit Ridge Brewing Co."}, dollars...)...)
	wantCurrency(t, "USD", append([]string{"Summit Ridge Brewing, LLC"}, dollars...)...)
}

func wantCurrency(t *testing.T, want string, lines ...string) {
	t.Helper()
	got, facts := "", document.Extract(sheetOf(lines...)).Documents[0].Facts.Statement
	if facts == nil {
		t.Fatalf("%s: no statement", lines[1])
	}
	if facts.Currency != nil {
		got = *facts.Currency
	}
	if got != want {
		t.Errorf("%s, %s: %q, want %q", lines[0], lines[1], got, want)
	}
}

// Sales are no sum of the rows below them, and the first day of a title's period ends none of its columns.
func TestRead_salesAboveCost(t *testing.T) {
	c := readCSV(t, "Income Statement,,\nFor the period 2023-04-01 to 2024-03-31,,\nAccount,2024,2023\n"+
		"Sales,328309,480173\nCost of Sales,256250,249100\nGross Profit,72059,231073\nSalaries,62297,64216\n"+
		"Total Operating Expenses,62297,64216\nOperating Profit,9762,166857\nInterest Expense,1633,2337\n"+
		"Profit Before Tax,8129,164520\nIncome Tax,2019,24674\nNet Profit,6110,139846\n")
	if len(c) != 2 || c[1].End == nil || *c[1].End != "2023-03-31" {
		t.Fatalf("%+v", c)
	}
	for key, want := range map[string]string{"netRevenues": "480173", "operatingIncome": "166857", "netIncome": "139846"} {
		if v := c[1].Values[key]; v.String() != want {
			t.Errorf("%s: %s, want %s", key, v, want)
		}
	}
}

// The rest of a caption that begins with a small letter begins no other statement, and figures may stand on the first
// line of one that goes on.
func TestRead_restOfCaption(t *testing.T) {
	wantValues(t, columnOf(t, "cashFlow",
		"Holloway Screens, Inc.", "Condensed Consolidated Statements of Cash Flows", "(In millions)",
		"|Year Ended December 31,", "|2023|2022", "Cash flows from operating activities", "Net income|39,100|23,200",
		"Depreciation and amortization|11,200|8,700", "Accounts receivable|(2,400)|200", "Inventories|(100)|(200)",
		"Other|(300)|100", "Prepaid expenses and other", "current assets|500|400", "Accounts payable|100|200",
		"Net cash provided by operating activities|48,100|32,600", "Cash flows from investing activities",
		"Purchases of property and equipment|(27,300)|(31,400)", "Net cash used in investing activities|(27,300)|(31,400)",
		"Cash flows from financing activities", "Dividends paid|(7,000)|(6,000)",
		"Net cash used in financing activities|(7,000)|(6,000)",
		"Net increase (decrease) in cash, cash equivalents, and restricted cash|13,800|(4,800)",
		"Cash, cash equivalents, restricted cash and|15,600|20,400", "Restricted Cash Equivalents at Beginning of Year",
		"Cash, cash equivalents, restricted cash and|29,400|15,600", "Restricted Cash Equivalents at End of Year"),
		map[string]string{"netCashFromOperating": "48100000000", "netChangeInCash": "13800000000",
			"beginningCash": "15600000000", "endingCash": "29400000000"})
}

// A unit of shares stands beside that of money, before it or behind it.
func TestRead_sharesInAnotherUnit(t *testing.T) {
	for _, title := range []string{"Consolidated Statements of Income - USD ($) shares in Thousands, $ in Millions",
		"Consolidated Statements of Income (Dollars in millions, shares in thousands)"} {
		wantValues(t, columnOf(t, "incomeStatement", "Hollow Creek Brands, Inc.", title, "|2024|2023",
			"Net sales|1,210|1,180", "Cost of products sold|690|671", "Gross profit|520|509",
			"Selling expense|251|244", "Income before income taxes|269|265", "Income taxes|61|60",
			"Net income|208|205"),
			map[string]string{"netRevenues": "1210000000", "netIncome": "208000000"})
	}
}

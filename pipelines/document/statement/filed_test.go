package statement_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
)

// A bank lists its loans under that one word among what it owns, and what it provides for losses above its expenses:
// the one is no heading of debts, and the other no expense that their printed total counts.
func TestRead_bank(t *testing.T) {
	t.Parallel()
	wantValues(t, columnOf(t, "balanceSheet",
		"Corran Financial Corp.", "Consolidated Balance Sheet", "(Dollars in Millions)",
		"|December 31, 2024|December 31, 2023",
		"Assets",
		"Cash and due from banks|5,640|5,100",
		"Loans",
		"Commercial|139,000|131,000",
		"Residential mortgages|118,000|115,000",
		"Total loans|257,000|246,000",
		"Premises and equipment|3,720|3,510",
		"Total assets|266,360|254,610",
		"Liabilities and Shareholders' Equity",
		"Deposits",
		"Noninterest-bearing|78,086|80,110",
		"Interest-bearing|110,207|99,120",
		"Total deposits|188,293|179,230",
		"Long-term debt|53,086|50,688",
		"Total liabilities|241,379|229,918",
		"Shareholders' equity",
		"Retained earnings|24,981|24,692",
		"Total equity|24,981|24,692",
		"Total liabilities and equity|266,360|254,610"),
		map[string]string{"longTermDebt": "53086000000", "totalAssets": "266360000000", "totalEquity": "24981000000"})
	bank := []string{
		"Corran Financial Corp.", "Consolidated Statement of Income", "(Dollars in Millions)",
		"|Year Ended December 31, 2024|Year Ended December 31, 2023",
		"Interest Income",
		"Loans|23,010|21,820",
		"Investment securities|5,120|4,630",
		"Total interest income|28,130|26,450",
		"Interest Expense",
		"Deposits|9,790|8,720",
		"Long-term debt|2,710|2,480",
		"Total interest expense|12,500|11,200",
		"Net interest income|15,630|15,250",
		"Provision for credit losses|2,184|2,010",
		"Net interest income after provision for credit losses|13,446|13,240",
		"Noninterest Income",
		"Card revenue|1,588|1,511",
		"Service charges|1,358|1,294",
		"Total noninterest income|2,946|2,805",
		"Noninterest Expense",
		"Compensation and employee benefits|7,150|6,980",
		"Net occupancy and equipment|1,210|1,190",
		"Total noninterest expense|8,360|8,170",
		"Income before income taxes|8,032|7,875",
		"Applicable income taxes|1,478|1,502",
		"Net income|6,554|6,373"}
	wantValues(t, columnOf(t, "incomeStatement", bank...), map[string]string{"incomeTaxes": "1478000000", "totalOperatingExpenses": "8360000000",
		"netIncome": "6554000000"})
	statements := document.Extract(sheetOf(bank...)).Documents[0].Facts.Statement.Statements
	for _, u := range statements.IncomeStatement[0].Unmapped {
		if u.Caption == "Provision for credit losses" && (u.Row != "otherIncome" || u.Amount.String() != "-2184000000") {
			t.Errorf("what is provided for is entered as %s in %s", u.Amount, u.Row)
		}
	}
}

// Two kinds of what one row holds are its parts, and neither is the row; a line of dashes is no second kind; a total of
// other expenses is one of other income too where it sums both.
func TestRead_kinds(t *testing.T) {
	t.Parallel()
	got := columnOf(t, "incomeStatement",
		"Ashgrove Clinic, Inc.", "Statement of Operations",
		"|Year ended December 31, 2024|Year ended December 31, 2023",
		"Revenues|3,100,400|2,911,300",
		"Operating expenses:",
		"Salaries - physicians|1,210,110|1,100,220",
		"Salaries - staff|724,160|690,100",
		"Total operating expenses|1,934,270|1,790,320",
		"Income from operations|1,166,130|1,120,980",
		"Other income (expense):",
		"Interest income|1,900|1,700",
		"Interest expense|(13,100)|(14,900)",
		"Total other expense|(11,200)|(13,200)",
		"Net income|1,154,930|1,107,780")
	wantValues(t, got, map[string]string{"totalOtherIncomeExpense": "-11200", "netIncome": "1154930"})
	if v, ok := got["salariesWages"]; ok {
		t.Errorf("one kind of salaries is taken for all: %s", v)
	}
	wantValues(t, columnOf(t, "balanceSheet",
		"Brannoch Resources, Inc.", "Consolidated Balance Sheets", "(In thousands)",
		"|December 31, 2024|December 31, 2023",
		"Current assets:",
		"Cash and cash equivalents|32,100|30,900",
		"Total current assets|32,100|30,900",
		"Total assets|32,100|30,900",
		"Current liabilities:",
		"Accounts payable|8,000|7,100",
		"Total current liabilities|8,000|7,100",
		"Revolving credit facility|10,000|11,000",
		"Total liabilities|18,000|18,100",
		"Shareholders' equity:",
		"Preferred stock, $0.01 par value; no shares issued|—|—",
		"Class A common stock, $0.01 par value; 71,204,114 shares issued|710|709",
		"Retained earnings|13,390|12,091",
		"Total shareholders' equity|14,100|12,800",
		"Total liabilities and shareholders' equity|32,100|30,900"),
		map[string]string{"capitalStock": "710000", "longTermDebt": "10000000", "totalCurrentLiabilities": "8000000"})
}

// A caption says the same in two languages; sums have none.
func TestRead_twoLanguages(t *testing.T) {
	t.Parallel()
	wantValues(t, columnOf(t, "balanceSheet",
		"RIVIERE MANUFACTURING INC.", "BALANCE SHEET / BILAN", "As at December 31, 2023",
		"|2023|2022",
		"ASSETS / ACTIF",
		"CURRENT / À COURT TERME",
		"Cash / Encaisse|228,228|184,000",
		"Accounts receivable / Débiteurs|427,104|476,304",
		"Inventory / Stocks|345,462|400,000",
		"Prepaid expenses / Frais payés d'avance|19,311|26,038",
		"|1,020,105|1,086,342",
		"CAPITAL ASSETS / IMMOBILISATIONS|786,680|789,236",
		"|1,806,785|1,875,578",
		"LIABILITIES / PASSIF",
		"CURRENT / À COURT TERME",
		"Accounts payable / Créditeurs|250,857|285,147",
		"Income taxes payable / Impôts à payer|22,547|21,000",
		"|273,404|306,147",
		"SHAREHOLDERS' EQUITY / CAPITAUX PROPRES",
		"Share capital / Capital-actions|1,000|1,000",
		"Retained earnings / Bénéfices non répartis|1,532,381|1,568,431",
		"|1,533,381|1,569,431",
		"|1,806,785|1,875,578"),
		map[string]string{"cash": "228228", "totalCurrentAssets": "1020105", "totalAssets": "1806785",
			"totalCurrentLiabilities": "273404", "totalLiabilitiesAndEquity": "1806785", "totalEquity": "1533381"})
}

// Years of weeks are contiguous: what prints its year alone ends the day before the next one begins, on every statement
// of the set.
func TestRead_weeksBefore(t *testing.T) {
	t.Parallel()
	doc := documentOf(t,
		"Larchwood Leisure plc", "Consolidated income statement", "For the 52 weeks ended 28 September 2024",
		"|2024 £m|2023 £m",
		"Revenue|2,250|2,510",
		"Operating costs|(2,121)|(1,809)",
		"Share in associates results|1|1",
		"Depreciation and movements in the valuation of the property portfolio|(77)|(178)",
		"Operating profit|53|524",
		"Finance costs|(26)|(92)",
		"Profit before tax|27|432",
		"Tax charge|(7)|(53)",
		"Profit for the period|20|379",
		"Consolidated balance sheet", "28 September 2024",
		"|2024 £m|2023 £m",
		"Inventories|26|28",
		"Cash and cash equivalents|178|206",
		"Total current assets|204|234",
		"Total assets|204|234",
		"Trade and other payables|(84)|(120)",
		"Total current liabilities|(84)|(120)",
		"Net assets|120|114",
		"Total equity|120|114")
	st := doc.Facts.Statement.Statements
	for name, columns := range map[string][]dossier.StatementColumn{"income": st.IncomeStatement, "sheet": st.BalanceSheet} {
		if len(columns) != 2 || columns[1].End == nil || *columns[1].End != "2023-09-30" {
			t.Errorf("%s: the year before ends on another day: %+v", name, columns)
		}
	}
	for _, c := range st.IncomeStatement {
		if c.Coverage.Unexplained != 0 {
			t.Errorf("%s: a line of one within rounding leaves others unexplained: %+v", c.Label, c.Unmapped)
		}
	}
}

// French law numbers the sums of sections, and lengths of periods break over two lines of a head.
func TestRead_numberedTotals(t *testing.T) {
	t.Parallel()
	wantValues(t, columnOf(t, "balanceSheet",
		"SARL Ateliers Vaubourg", "BILAN ACTIF", "Présenté en Euros",
		"|Clos 31/12/2023 (12|Clos 31/12/2022 (12",
		"|mois)|mois)",
		"Immobilisations corporelles",
		"Installations techniques, matériel et outillage industriels|122 514|135 128",
		"Autres immobilisations corporelles|38 999|32 809",
		"TOTAL (I)|161 513|167 937",
		"Stocks et en-cours",
		"Matières premières, approvisionnements|92 410|90 300",
		"Produits intermédiaires et finis|41 207|40 118",
		"Disponibilités|108 120|127 572",
		"TOTAL (II)|241 737|257 990",
		"TOTAL ACTIF|403 250|425 927"),
		map[string]string{"totalNonCurrentAssets": "161513", "totalCurrentAssets": "241737", "totalAssets": "403250"})
}

// Increases and decreases are of the account that follows, under a heading that has no colon.
func TestRead_changesUnderAHeading(t *testing.T) {
	t.Parallel()
	wantValues(t, columnOf(t, "cashFlow",
		"Wren Valley Services", "Statements of Cash Flows", "Years ended June 30, 2024 and 2023",
		"|2024|2023",
		"Cash flows from operating activities",
		"Change in net assets|228,114|249,987",
		"Adjustments to reconcile change in net assets to net cash from operating activities",
		"Depreciation|128,216|110,210",
		"(Increase) decrease in",
		"Grants and contracts receivable|(18,176)|(22,222)",
		"Net cash from operating activities|338,154|337,975",
		"Net change in cash|338,154|337,975",
		"Cash, beginning of year|468,070|130,095",
		"Cash, end of year|806,224|468,070"),
		map[string]string{"netIncome": "228114", "changeInAccountsReceivable": "-18176", "netCashFromOperating": "338154"})
}

// Pesos are those of Mexico where the form of the company is.
func TestRead_mexicanPesos(t *testing.T) {
	t.Parallel()
	for entity, want := range map[string]string{"Alimentos del Valle, S.A.B. de C.V.": "MXN", "Alimentos del Valle S.A.": ""} {
		doc := documentOf(t, entity, "Estado de Resultados", "Año terminado el 31 de diciembre de 2023",
			"(Miles de pesos)", "|2023|2022",
			"Ventas netas|45,022,100|44,100,200", "Costo de ventas|25,015,200|24,900,100",
			"Utilidad bruta|20,006,900|19,200,100", "Gastos de administración|11,748,811|11,100,000",
			"Utilidad de operación|8,258,089|8,100,100", "Intereses a cargo|640,805|667,706",
			"Utilidad antes de impuestos a la utilidad|7,617,284|7,432,394", "Impuestos a la utilidad|1,175,460|1,200,300",
			"Utilidad neta consolidada|6,441,824|6,232,094")
		got := ""
		if c := doc.Facts.Statement.Currency; c != nil {
			got = *c
		}
		if got != want {
			t.Errorf("%s: currency %q, want %q", entity, got, want)
		}
		if v := doc.Facts.Statement.Statements.IncomeStatement[0].Values["interestExpense"]; v.String() != "640805000" {
			t.Errorf("interest is %s", v)
		}
	}
}

// documentOf reads lines as the one financial statement that they are.
func documentOf(t *testing.T, lines ...string) dossier.ReadDocument {
	t.Helper()
	doc := document.Extract(sheetOf(lines...)).Documents[0]
	if doc.Facts.Statement == nil {
		t.Fatalf("read as %s", doc.DocType)
	}
	return doc
}

// A heading breaks before what stands in parentheses; figures stand in the middle of captions of three lines.
func TestRead_brokenCaptions(t *testing.T) {
	t.Parallel()
	wantValues(t, columnOf(t, "incomeStatement",
		"Meridan Stores, Inc.", "Consolidated Statements of Operations", "(in thousands)",
		"|Year ended December 31, 2024|Year ended December 31, 2023",
		"Net sales|10,410|9,800",
		"Cost of goods sold|6,200|5,900",
		"GROSS|4,210|3,900",
		"PROFIT",
		"Selling, general and administrative expenses|3,750|3,600",
		"Operating income|460|300",
		"Non-operating Income",
		"(Expense)",
		"Interest income|80|70",
		"Interest expense|(120)|(110)",
		"Special items|(18)|(17)",
		"Total Non-operating Expense|(58)|(57)",
		"INCOME",
		"BEFORE|402|243",
		"INCOME TAXES",
		"Income tax expense|88|60",
		"Net income|314|183"),
		map[string]string{"grossProfit": "4210000", "incomeBeforeTaxes": "402000",
			"totalOtherIncomeExpense": "-58000", "operatingIncome": "460000"})
}

// Costs in parentheses below one line of revenue and above the result of operations are of operations, depreciation
// among them; a line that nets income and expense prints what it costs above zero, where the results say so.
func TestRead_costsWithoutAHeading(t *testing.T) {
	t.Parallel()
	tankers := []string{"Polaris Tankers Ltd.", "Consolidated statements of profit or loss",
		"(in thousands of U.S. Dollars)", "|Year ended December 31, 2024|Year ended December 31, 2023",
		"Revenues|686,244|680,100",
		"Voyage expenses and commissions|(17,415)|(16,000)",
		"Vessel operating and supervision costs|(154,928)|(150,100)",
		"Depreciation|(188,160)|(180,100)",
		"General and administrative expenses|(38,004)|(36,000)",
		"Profit from operations|287,737|297,900",
		"Financial costs|(122,808)|(120,000)",
		"Financial income|5,202|5,000",
		"Total other expenses, net|(117,606)|(115,000)",
		"Profit for the year|170,131|182,900"}
	wantValues(t, columnOf(t, "incomeStatement", tankers...),
		map[string]string{"depreciation": "188160000", "interestExpense": "122808000", "operatingIncome": "287737000"})
	for _, u := range documentOf(t, tankers...).Facts.Statement.Statements.IncomeStatement[0].Unmapped {
		if u.Row != "otherOperatingExpenses" || u.Amount.IsNegative() {
			t.Errorf("%s is entered as %s in %s", u.Caption, u.Amount, u.Row)
		}
	}
	wantValues(t, columnOf(t, "incomeStatement",
		"Orivale Medical, Inc.", "Condensed Consolidated Statements of Earnings", "(in thousands)",
		"|Year ended December 31, 2024|Year ended December 31, 2023",
		"Net Sales|97,566|91,020",
		"Cost of products sold|49,266|47,100",
		"Gross Profit|48,300|43,920",
		"Selling, general and administrative expenses|33,458|30,100",
		"Operating Income|14,842|13,820",
		"Interest expense|1,413|1,300",
		"Interest and dividend income|(412)|(390)",
		"Other (income) expense, net|168|170",
		"Earnings Before Income Taxes|13,673|12,740",
		"Provision for Income Taxes|3,747|3,100",
		"Net Earnings|9,926|9,640"),
		map[string]string{"otherIncome": "-168000", "interestIncome": "412000", "incomeBeforeTaxes": "13673000"})
}

// The total of cash and of what is as good as it is cash; excise taxes are taken off sales.
func TestRead_totalCash(t *testing.T) {
	t.Parallel()
	wantValues(t, columnOf(t, "balanceSheet",
		"Pemaquid Bancorp, Inc.", "Consolidated Balance Sheets", "(In thousands)",
		"|December 31, 2024|December 31, 2023",
		"Assets",
		"Cash and due from banks|20,363|15,679",
		"Short-term investments|33,811|28,219",
		"Total cash and cash equivalents|54,174|43,898",
		"Loans, net|910,400|880,300",
		"Total assets|964,574|924,198",
		"Liabilities",
		"Total deposits|864,574|824,198",
		"Total liabilities|864,574|824,198",
		"Total stockholders' equity|100,000|100,000",
		"Total liabilities and stockholders' equity|964,574|924,198"),
		map[string]string{"cash": "54174000", "totalAssets": "964574000"})
	wantValues(t, columnOf(t, "incomeStatement",
		"Coldwater Brewing Ltd.", "Consolidated Statements of Income", "(in thousands)",
		"|Year ended December 31, 2024|Year ended December 31, 2023",
		"Gross sales|64,695|58,880",
		"Less: excise taxes and rebates|(15,246)|(15,416)",
		"Net revenue|49,449|43,464",
		"Cost of goods sold|(33,100)|(30,020)",
		"Gross profit|16,349|13,444"),
		map[string]string{"grossRevenues": "64695000", "returnsAllowances": "15246000", "netRevenues": "49449000"})
	wantValues(t, columnOf(t, "incomeStatement",
		"Coldwater Fuel Ltd.", "Consolidated Statements of Income", "(in thousands)",
		"|Year ended December 31, 2024|Year ended December 31, 2023",
		"Gross sales|64,695|58,880",
		"Motor fuel levies collected for the states|(15,246)|(15,416)",
		"Net sales|49,449|43,464",
		"Cost of goods sold|(33,100)|(30,020)",
		"Gross profit|16,349|13,444"),
		map[string]string{"grossRevenues": "64695000", "returnsAllowances": "15246000", "netRevenues": "49449000"})
}

// Spanish law numbers sections by letters, groups by Roman and lines by Arabic numbers: each prints its sum above what
// it is made of, flush with it.
func TestRead_spanishNumbers(t *testing.T) {
	t.Parallel()
	wantValues(t, columnOf(t, "balanceSheet",
		"TALLERES URDANIZ, S.L.", "BALANCE DE SITUACIÓN AL 31 DE DICIEMBRE DE 2023", "(Expresado en euros)",
		"ACTIVO|31/12/2023|31/12/2022",
		"A) ACTIVO NO CORRIENTE|435.702|401.220",
		"I. Inmovilizado intangible|17.190|11.100",
		"II. Inmovilizado material|418.512|390.120",
		"B) ACTIVO CORRIENTE|660.953|630.310",
		"II. Existencias|201.495|190.200",
		"III. Deudores comerciales y otras cuentas a cobrar|317.764|310.110",
		"1. Clientes por ventas y prestaciones de servicios|295.884|290.010",
		"3. Otros deudores|21.880|20.100",
		"VII. Efectivo y otros activos líquidos equivalentes|141.694|130.000",
		"TOTAL ACTIVO (A + B)|1.096.655|1.031.530",
		"PATRIMONIO NETO Y PASIVO",
		"A) PATRIMONIO NETO|599.567|560.330",
		"A-1) Fondos propios|599.567|560.330",
		"I. Capital|51.930|51.930",
		"III. Reservas|542.089|500.200",
		"VII. Resultado del ejercicio|5.548|8.200",
		"B) PASIVO NO CORRIENTE|172.672|168.834",
		"II. Deudas a largo plazo|172.672|168.834",
		"C) PASIVO CORRIENTE|324.416|302.366",
		"III. Deudas a corto plazo|67.759|60.100",
		"V. Acreedores comerciales y otras cuentas a pagar|256.657|242.266",
		"TOTAL PATRIMONIO NETO Y PASIVO (A + B + C)|1.096.655|1.031.530"),
		map[string]string{"capitalStock": "51930", "totalEquity": "599567", "totalLongTermLiabilities": "172672",
			"longTermDebt": "172672", "totalCurrentLiabilities": "324416", "accountsReceivable": "317764",
			"totalCurrentAssets": "660953", "totalNonCurrentAssets": "435702", "totalAssets": "1096655"})
}

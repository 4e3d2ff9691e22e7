package statement_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// sheetOf sets lines out with room for long captions: "|" parts the columns of figures, which end flush right.
func sheetOf(lines ...string) text.Decoded {
	p := text.Page{Number: 1, Width: 620, Height: 792, Layer: text.LayerText}
	for i, line := range lines {
		y := 30 + 12*float64(i)
		for j, cell := range strings.Split(line, "|") {
			x := 20.0
			if j > 0 {
				x = 320 + 110*float64(j) - 5*float64(utf8.RuneCountInString(cell))
			}
			for word := range strings.FieldsSeq(cell) {
				w := 5 * float64(utf8.RuneCountInString(word))
				p.Tokens = append(p.Tokens, text.Token{Page: 1, X0: x, X1: x + w, Y0: y, Y1: y + 9, Text: word, Confidence: 1, Method: text.MethodText})
				x += w + 2.5
			}
		}
	}
	return text.Decoded{PageCount: 1, Layer: text.LayerText, Pages: []text.Page{p}}
}

// columnOf is the first column of a statement that lines print, and whether its checks hold.
func columnOf(t *testing.T, kind string, lines ...string) map[string]string {
	t.Helper()
	doc := document.Extract(sheetOf(lines...)).Documents[0]
	if doc.DocType != dossier.DocFinancialStatement {
		t.Fatalf("read as %s", doc.DocType)
	}
	for _, c := range doc.Checks {
		if !c.Passed {
			t.Errorf("%s: %s", c.Name, c.Detail)
		}
	}
	statements := doc.Facts.Statement.Statements
	columns := map[string][]dossier.StatementColumn{"incomeStatement": statements.IncomeStatement, "balanceSheet": statements.BalanceSheet,
		"cashFlow": statements.CashFlow}[kind]
	if len(columns) != 2 {
		t.Fatalf("%d columns", len(columns))
	}
	got := map[string]string{}
	for key, v := range columns[0].Values {
		got[key] = v.String()
	}
	return got
}

func wantValues(t *testing.T, got, want map[string]string) {
	t.Helper()
	for key, v := range want {
		if got[key] != v {
			t.Errorf("%s: %q, want %q", key, got[key], v)
		}
	}
}

// A sheet that prints equity first has others' part of it below the owners', and one total of both; borrowings stand in
// both halves of its liabilities.
func TestRead_equityFirst(t *testing.T) {
	wantValues(t, columnOf(t, "balanceSheet",
		"Nordhavn Logistics plc", "Consolidated Statement of Financial Position", "(in EUR million)",
		"|31 December 2023|31 December 2022",
		"Non-current assets",
		"Property, plant and equipment|1,204.5|1,150.2",
		"Total non-current assets|1,204.5|1,150.2",
		"Current assets",
		"Inventories|412.8|398.7",
		"Trade and other receivables|687.4|702.5",
		"Total current assets|1,100.2|1,101.2",
		"Total assets|2,304.7|2,251.4",
		"Equity and liabilities", "Equity",
		"Share capital|100.0|100.0",
		"Retained earnings|389.8|266.0",
		"Equity attributable to owners of the parent|489.8|366.0",
		"Non-controlling interests|62.3|58.8",
		"Total equity|552.1|424.8",
		"Non-current liabilities",
		"Borrowings|902.1|978.0",
		"Total non-current liabilities|902.1|978.0",
		"Current liabilities",
		"Trade and other payables|648.8|611.4",
		"Borrowings|150.0|198.2",
		"Current tax liabilities|51.7|39.0",
		"Total current liabilities|850.5|848.6",
		"Total liabilities|1,752.6|1,826.6",
		"Total equity and liabilities|2,304.7|2,251.4"),
		map[string]string{"totalEquity": "552100000", "otherEquity": "62300000", "longTermDebt": "902100000",
			"currentPortionLongTermDebt": "150000000", "accountsPayable": "648800000", "totalLiabilities": "1752600000"})
}

// Captions of a list are numbered; results and costs bear the names of the German commercial code.
func TestRead_numberedCaptions(t *testing.T) {
	wantValues(t, columnOf(t, "incomeStatement",
		"Brennecke Feinmechanik GmbH", "Gewinn- und Verlustrechnung",
		"für die Zeit vom 1. Januar 2023 bis 31. Dezember 2023",
		"|2023|2022", "|EUR|EUR",
		"1. Umsatzerlöse|4.812.340,11|4.503.218,90",
		"3. Sonstige betriebliche Erträge|61.004,20|58.330,15",
		"4. Materialaufwand|1.950.221,40|1.902.115,70",
		"5. Personalaufwand",
		"a) Löhne und Gehälter|1.210.450,00|1.150.330,00",
		"b) Soziale Abgaben|242.090,00|230.066,00",
		"6. Abschreibungen|201.300,00|195.800,00",
		"9. Steuern vom Einkommen und vom Ertrag|165.210,00|110.330,00",
		"12. Jahresüberschuss|389.947,58|251.237,25"),
		map[string]string{"netRevenues": "4812340.11", "cogsGoodsMaterials": "1950221.40", "salariesWages": "1210450.00",
			"payrollTaxes": "242090.00", "depreciation": "201300.00", "incomeTaxes": "165210.00", "netIncome": "389947.58"})
}

// Other income that a sum adds to sales has a row of its own: sales are what the line above says.
func TestRead_salesBeforeOtherIncome(t *testing.T) {
	wantValues(t, columnOf(t, "incomeStatement",
		"SARL ATELIERS VAUQUELIN", "COMPTE DE RESULTAT", "Exercice du 01/01/2023 au 31/12/2023 (en euros)",
		"|31/12/2023|31/12/2022",
		"Ventes de marchandises|412.350|398.120",
		"Production vendue|850.440|799.310",
		"Chiffre d'affaires net|1.262.790|1.197.430",
		"Autres produits|8.120|6.450",
		"Total des produits d'exploitation|1.270.910|1.203.880",
		"Salaires et traitements|742.700|731.600",
		"Charges sociales|407.990|384.675",
		"Total des charges d'exploitation|1.150.690|1.116.275",
		"Résultat d'exploitation|120.220|87.605",
		"Charges financières|14.800|16.200",
		"Résultat courant avant impôts|105.420|71.405",
		"Impôts sur les bénéfices|26.355|17.851",
		"Résultat de l'exercice|79.065|53.554"),
		map[string]string{"netRevenues": "1262790", "otherIncome": "8120", "operatingIncome": "120220",
			"incomeBeforeTaxes": "105420", "netIncome": "79065"})
}

// Dutch books: halves without captions on their sums, and totals of the two sides.
func TestRead_dutchBooks(t *testing.T) {
	wantValues(t, columnOf(t, "balanceSheet",
		"Jaarrekening 2023 Van Leusden Techniek B.V.", "Balans per 31 december 2023", "(in euro's)",
		"|31-12-2023|31-12-2022",
		"Activa", "Vaste activa",
		"Immateriële vaste activa|15.000|18.000",
		"Materiële vaste activa|412.350|390.110",
		"|427.350|408.110",
		"Vlottende activa",
		"Voorraden|98.765|88.420",
		"Vorderingen|241.008|233.717",
		"Liquide middelen|120.440|75.318",
		"|460.213|397.455",
		"Totaal activa|887.563|805.565",
		"Passiva", "Eigen vermogen",
		"Gestort kapitaal|18.000|18.000",
		"Overige reserves|451.603|396.020",
		"|469.603|414.020",
		"Langlopende schulden|180.000|200.000",
		"Kortlopende schulden",
		"Schulden aan leveranciers|112.430|101.760",
		"Overige schulden en overlopende passiva|125.530|89.785",
		"|237.960|191.545",
		"Totaal passiva|887.563|805.565"),
		map[string]string{"cash": "120440", "inventory": "98765", "totalCurrentAssets": "460213", "totalAssets": "887563",
			"totalEquity": "469603", "totalLongTermLiabilities": "180000", "accountsPayable": "112430",
			"totalCurrentLiabilities": "237960", "totalLiabilitiesAndEquity": "887563"})
}

// A program prints sales as the one line of its income, and what they cost without a heading of its own.
func TestRead_singleSales(t *testing.T) {
	wantValues(t, columnOf(t, "incomeStatement",
		"Willowbank Design Studio", "Profit & Loss Report", "For the years ended December 31, 2024 and 2023 (USD)",
		"|2024|2023",
		"Income",
		"Sales|98,200.00|91,300.00",
		"Cost of Goods Sold|10,400.00|9,100.00",
		"Gross Profit|87,800.00|82,200.00",
		"Less Expenses",
		"Advertising|2,400.00|2,100.00",
		"Contractors|13,100.00|12,000.00",
		"Rent or Lease|18,000.00|18,000.00",
		"Total Expenses|33,500.00|32,100.00",
		"Net Profit (USD)|54,300.00|50,100.00"),
		map[string]string{"netRevenues": "98200.00", "totalCostOfRevenues": "10400.00", "grossProfit": "87800.00", "netIncome": "54300.00"})
}

// A short statement of cash flows prints neither headings nor sums of its investing and financing activities.
func TestRead_shortCashFlow(t *testing.T) {
	wantValues(t, columnOf(t, "cashFlow",
		"Halvorsen Packaging plc", "Condensed Consolidated Statements of Cash Flows", "($ million)",
		"|Year Ended June 30,|", "|2023|2022",
		"Net income|1,058|815",
		"Depreciation and amortization|586|625",
		"Net cash provided by operating activities|1,644|1,440",
		"Purchase of property, plant and equipment|(526)|(527)",
		"Proceeds from sale of property, plant and equipment|30|18",
		"Dividends paid|(723)|(732)",
		"Net increase in cash and cash equivalents|425|199",
		"Cash and cash equivalents at beginning of year|775|576",
		"Cash and cash equivalents at end of year|1,200|775"),
		map[string]string{"capitalExpenditures": "-526000000", "distributionsPaid": "-723000000", "netChangeInCash": "425000000"})
}

// Sums of continuing and of discontinued activities are followed by the activity's own.
func TestRead_continuingActivities(t *testing.T) {
	wantValues(t, columnOf(t, "cashFlow", "Corvane Marketplaces Inc.", "Consolidated Statements of Cash Flows", "(In millions)", "|Year Ended December 31,|", "|2023|2022",
		"Cash flows from operating activities", "Net income|510|462", "Depreciation and amortization|88|79",
		"Net cash provided by continuing operating activities|598|541", "Net cash used in discontinued operating activities|(9)|(17)", "Net cash provided by operating activities|589|524",
		"Cash flows from investing activities", "Purchases of property and equipment|(206)|(184)",
		"Net cash used in continuing investing activities|(206)|(184)", "Net cash provided by discontinued investing activities|7|12", "Net cash used in investing activities|(199)|(172)",
		"Cash flows from financing activities", "Dividends paid|(150)|(140)",
		"Net cash used in continuing financing activities|(150)|(140)", "Net cash used in discontinued financing activities|(3)|(5)", "Net cash used in financing activities|(153)|(145)",
		"Net increase in cash|237|207", "Cash at beginning of year|707|500", "Cash at end of year|944|707"),
		map[string]string{"netCashFromOperating": "589000000", "netCashFromInvesting": "-199000000", "netCashFromFinancing": "-153000000"})
}

// On a sheet without subtotals the other side adds up to the total of assets that stands above it; its lines are no
// assets.
func TestRead_condensedSheet(t *testing.T) {
	wantValues(t, columnOf(t, "balanceSheet", "Corvane plc", "Condensed Consolidated Balance Sheets (Unaudited)", "($ million)|June 30, 2022|June 30, 2023",
		"Cash and cash equivalents|712|640", "Trade receivables, net|1,840|1,790", "Inventories, net|2,330|2,105", "Property, plant and equipment, net|3,520|3,610",
		"Other assets|1,601|1,480", "Total assets|10,003|9,625", "Trade payables|2,950|2,580", "Long-term debt, less current portion|1,800|1,950",
		"Accruals and other liabilities|1,612|1,340", "Shareholders' equity|3,641|3,755", "Total liabilities and shareholders' equity|10,003|9,625"),
		map[string]string{"accountsPayable": "2950000000", "longTermDebt": "1800000000", "totalAssets": "10003000000", "totalEquity": "3641000000",
			"totalLiabilitiesAndEquity": "10003000000"})
}

// A name may begin with a small letter.
func TestRead_entityOfSmallLetter(t *testing.T) {
	doc := document.Extract(sheetOf("SPRINGFIELD, July 26, 2023 -- iCorvane Inc. (Nasdaq: CRVN), a seller of goods, published its figures today.", "",
		"Unaudited Condensed Consolidated Statement of Income", "(In millions)", "|2023|2022",
		"Net revenues|2,540|2,422", "Cost of net revenues|723|664", "Gross profit|1,817|1,758", "Net income|171|132")).Documents[0]
	if doc.Facts.Statement == nil || doc.Facts.Statement.EntityName == nil || *doc.Facts.Statement.EntityName != "iCorvane Inc." {
		t.Errorf("%s, %+v", doc.DocType, doc.Facts.Statement)
	}
}

// A release names its company in running text: by where it is listed, or by what it is called from there on.
func TestRead_entityInText(t *testing.T) {
	for _, intro := range []string{
		"Corvane Marketplaces, Inc. (Nasdaq: CRVN), a seller of goods of many kinds in many places, published its figures for the year today.",
		"Corvane Marketplaces, Inc. (the \"Company\") is a seller of goods of many kinds in many places and published its figures today.",
	} {
		doc := document.Extract(sheetOf(intro, "", "Unaudited Condensed Consolidated Statement of Income", "(In millions)", "|2023|2022",
			"Net revenues|2,540|2,422", "Cost of net revenues|723|664", "Gross profit|1,817|1,758", "Net income|171|132")).Documents[0]
		if doc.Facts.Statement == nil || doc.Facts.Statement.EntityName == nil || *doc.Facts.Statement.EntityName != "Corvane Marketplaces, Inc" && *doc.Facts.Statement.EntityName != "Corvane Marketplaces, Inc." {
			t.Errorf("%q: %s, %+v", intro, doc.DocType, doc.Facts.Statement)
		}
	}
}

// Lines after taxes that no list knows are what a result may miss: it is not said to be wrong.
func TestRead_linesAfterTaxes(t *testing.T) {
	columnOf(t, "incomeStatement", "Corvane Marketplaces Inc.", "Consolidated Statements of Income", "(In millions)", "|Year Ended December 31,|", "|2023|2022",
		"Net revenues|2,540|2,422", "Cost of net revenues|723|664", "Gross profit|1,817|1,758", "Operating expenses|1,329|1,179",
		"Income from operations|488|579", "Gain (loss) on equity investments and warrant, net|(247)|(165)", "Income before income taxes|241|414",
		"Income tax provision|(68)|(86)", "Income from continuing operations|173|328", "Loss from discontinued operations|(1)|(2)", "Net income|172|326")
}

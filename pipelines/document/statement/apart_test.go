package statement_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
)

// Sales of Indian companies are what stands above other income; the sum of both is no revenue.
func TestRead_revenueFromOperations(t *testing.T) {
	wantValues(t, columnOf(t, "incomeStatement",
		"Narmada Pumps Limited", "Statement of Profit and Loss", "(₹ in Lakhs)",
		"|Year ended 31st March, 2024|Year ended 31st March, 2023",
		"I. Revenue from operations|8,412.40|7,903.10", "II. Other income|61.20|55.80", "III. Total income (I + II)|8,473.60|7,958.90",
		"IV. Expenses", "Cost of materials consumed|5,101.00|4,880.40", "Employee benefits expense|902.30|861.70",
		"Finance costs|120.50|131.40", "Depreciation and amortisation expense|240.10|228.00", "Other expenses|1,004.70|955.20",
		"Total expenses|7,368.60|7,056.70", "V. Profit before tax (III - IV)|1,105.00|902.20",
		"VI. Tax expense|278.00|227.00", "VII. Profit for the year|827.00|675.20"),
		map[string]string{"netRevenues": "841240000", "otherIncome": "6120000", "totalOperatingExpenses": "736860000",
			"incomeBeforeTaxes": "110500000"})
}

// A year above a column is no number of the units that follow it.
func TestRead_unitBelowYear(t *testing.T) {
	for head, unit := range map[string]string{"|2023 £m|2022 £m": "000000", "|2023 £’000|2022 £’000": "000"} {
		wantValues(t, columnOf(t, "incomeStatement", "Calder Water plc", "Income statement", "for the year ended 31 December 2023",
			head, "Revenue|1,204|1,150", "Cost of sales|(804)|(790)", "Gross profit|400|360", "Administrative expenses|(150)|(140)",
			"Operating profit|250|220", "Finance costs|(20)|(20)", "Profit before tax|230|200", "Taxation|(50)|(40)",
			"Profit for the year|180|160"),
			map[string]string{"netRevenues": "1204" + unit, "netIncome": "180" + unit})
	}
}

// German sheets print the year in euros and the one before it in thousands.
func TestRead_unitsOfColumns(t *testing.T) {
	doc := document.Extract(sheetOf("Lechtal Werkzeugbau GmbH", "Bilanz zum 31. Dezember 2023", "AKTIVA|31.12.2023|31.12.2022",
		"|EUR|TEUR", "A. Anlagevermögen", "I. Sachanlagen|1.204.310,50|1.150", "B. Umlaufvermögen", "I. Vorräte|412.800,00|399",
		"II. Kassenbestand und Guthaben bei Kreditinstituten|99.200,10|81", "Summe Aktiva|1.716.310,60|1.630",
		"PASSIVA", "A. Eigenkapital|716.310,60|600", "B. Rückstellungen|100.000,00|130", "C. Verbindlichkeiten|900.000,00|900",
		"Summe Passiva|1.716.310,60|1.630")).Documents[0]
	columns := doc.Facts.Statement.Statements.BalanceSheet
	if len(columns) != 2 || columns[0].Values["totalAssets"].String() != "1716310.60" ||
		columns[1].Values["totalAssets"].String() != "1630000" || doc.Facts.Statement.Unit != 1 {
		t.Errorf("unit %d: %+v", doc.Facts.Statement.Unit, columns)
	}
}

// Headings that narrow columns break stand so close together that they look like one.
func TestRead_headsClose(t *testing.T) {
	columns := incomeOf(t, "Umzimvubu Timber Limited", "Condensed consolidated statement of profit or loss",
		"|Unaudited six|Unaudited six|Audited year", "|months ended 31|months ended 31|ended 30 June", "|December 2023|December 2022|2023",
		"|R’000|R’000|R’000", "Revenue|932,197|880,660|1,830,279", "Cost of sales|(657,151)|(609,153)|(1,215,357)",
		"Gross profit|275,046|271,507|614,922", "Operating expenses|(189,885)|(185,730)|(383,989)",
		"Operating profit|85,161|85,777|230,933", "Taxation|(23,000)|(24,000)|(61,000)", "Profit for the period|62,161|61,777|169,933")
	if len(columns) != 3 || *columns[1].Start != "2022-07-01" || *columns[1].End != "2022-12-31" ||
		*columns[2].Start != "2022-07-01" || *columns[2].End != "2023-06-30" ||
		columns[0].Values["totalOperatingExpenses"].String() != "189885000" {
		t.Errorf("%+v", columns)
	}
}

// The company at the head of a group stands beside it under its own name.
func TestRead_separateBesideGroup(t *testing.T) {
	columns := incomeOf(t, "Chao Phraya Rubber Public Company Limited", "Statement of comprehensive income",
		"For the year ended 31 December 2023", "|Consolidated|Consolidated|Separate|Separate", "|2023|2022|2023|2022", "|Baht|Baht|Baht|Baht",
		"Sales|833,666,257|709,222,653|611,717,349|485,108,438", "Cost of sales|(541,812,136)|(406,021,419)|(351,399,704)|(242,232,685)",
		"Gross profit|291,854,121|303,201,234|260,317,645|242,875,753", "Administrative expenses|(63,563,184)|(60,750,477)|(53,224,042)|(48,210,164)",
		"Profit before income tax|228,290,937|242,450,757|207,093,603|194,665,589", "Income tax|(49,153,574)|(45,169,796)|(44,860,807)|(41,804,964)",
		"Profit for the year|179,137,363|197,280,961|162,232,796|152,860,625")
	if len(columns) != 2 || columns[1].Values["netRevenues"].String() != "709222653" {
		t.Errorf("%+v", columns)
	}
}

// A title's year may stand in a line of its own, and halves of a year have names.
func TestRead_datesOfHeads(t *testing.T) {
	lines := []string{"Revenue|4,111|3,099", "Cost of sales|(3,121)|(2,349)", "Gross profit|990|750", "Administrative expenses|(265)|(202)",
		"Profit before tax|725|548", "Tax expense|(122)|(118)", "Profit for the year|603|430"}
	columns := incomeOf(t, append([]string{"Toros Cam A.Ş.", "Statement of profit or loss for the year ended 31 December", "2022",
		"|1 January - 31|1 January - 31", "|December 2022|December 2021"}, lines...)...)
	if len(columns) != 2 || *columns[0].End != "2022-12-31" || *columns[1].End != "2021-12-31" {
		t.Errorf("%+v", columns)
	}
	columns = incomeOf(t, append([]string{"Toros Cam A.Ş.", "Statement of profit or loss", "|H1 2024|H1 2023"}, lines...)...)
	if len(columns) != 2 || *columns[1].Start != "2023-01-01" || *columns[1].End != "2023-06-30" {
		t.Errorf("%+v", columns)
	}
}

// incomeOf are the columns of the income statement that lines print.
func incomeOf(t *testing.T, lines ...string) []dossier.StatementColumn {
	t.Helper()
	doc := document.Extract(sheetOf(lines...)).Documents[0]
	if doc.Facts.Statement == nil {
		t.Fatalf("read as %s", doc.DocType)
	}
	return doc.Facts.Statement.Statements.IncomeStatement
}

// Indian sheets end each side with "TOTAL", below the heading of its last section.
func TestRead_bareTotals(t *testing.T) {
	wantValues(t, columnOf(t, "balanceSheet",
		"Mahanadi Agro Foods Private Limited", "Balance Sheet as at 31st March, 2023", "|As at 31.03.2023|As at 31.03.2022",
		"I. EQUITY AND LIABILITIES", "(1) Shareholders' Funds", "(a) Share Capital|10,000.00|10,000.00",
		"(b) Reserves and Surplus|90,000.00|80,000.00", "(2) Non-Current Liabilities", "(a) Long-term borrowings|50,000.00|40,000.00",
		"(3) Current Liabilities", "(a) Short-term borrowings|20,000.00|20,000.00", "TOTAL|1,70,000.00|1,50,000.00",
		"II. ASSETS", "(1) Non-current assets", "(a) Property, Plant and Equipment|1,00,000.00|80,000.00",
		"(2) Current assets", "(a) Inventories|50,000.00|40,000.00", "(b) Cash and cash equivalents|20,000.00|30,000.00",
		"TOTAL|1,70,000.00|1,50,000.00"),
		map[string]string{"totalAssets": "170000.00", "totalLiabilitiesAndEquity": "170000.00", "totalCurrentAssets": "",
			"totalCurrentLiabilities": ""})
}

// A cost that says its kind behind a dash is of the row that the word before the dash names.
func TestRead_kindBehindDash(t *testing.T) {
	wantValues(t, columnOf(t, "incomeStatement", "Calder Joinery LLC", "Profit and Loss", "|2023|2022",
		"Sales|900,000|850,000", "Cost of goods sold|400,000|390,000", "Gross profit|500,000|460,000", "Expenses",
		"Rent – north yard|60,000|60,000", "Insurance – tools of the second crew|20,000|18,000",
		"Total expenses|80,000|78,000", "Net income|420,000|382,000"),
		map[string]string{"rent": "60000", "insurance": "20000"})
}

// What follows the bottom line on another page and comes to one of its own is a table of a note.
func TestRead_noteBelowTheBottomLine(t *testing.T) {
	first := sheetOf("Calder Water plc", "Income statement", "for the year ended 31 December 2023", "|2023 £|2022 £",
		"Revenue|1,204|1,150", "Cost of sales|(804)|(790)", "Gross profit|400|360", "Administrative expenses|(150)|(140)",
		"Operating profit|250|220", "Finance costs|(20)|(20)", "Profit before tax|230|200", "Taxation|(50)|(40)",
		"Profit for the year|180|160")
	second := sheetOf("|2023 £|2022 £", "Distribution costs|(40)|(30)", "Marketing|(12)|(11)", "Depreciation|(9)|(8)",
		"Profit for the year|61|49").Pages[0]
	second.Number = 2
	for i := range second.Tokens {
		second.Tokens[i].Page = 2
	}
	first.Pages, first.PageCount = append(first.Pages, second), 2
	column := document.Extract(first).Documents[0].Facts.Statement.Statements.IncomeStatement[0].Values
	_, marketed := column["advertisingMarketing"]
	if column["netIncome"].String() != "180" || marketed {
		t.Errorf("%v", column)
	}
}

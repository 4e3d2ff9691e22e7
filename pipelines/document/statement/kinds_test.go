package statement_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
)

// A title that goes on with changes in net assets is one of operations, and losses beside operations have their rows.
func TestRead_operationsAndChanges(t *testing.T) {
	lines := []string{"PRAIRIE RIDGE HEALTH SYSTEM",
		"CONSOLIDATED STATEMENTS OF OPERATIONS AND CHANGES IN NET ASSETS",
		"YEARS ENDED JUNE 30, 2024 AND 2023", "(IN THOUSANDS)", "|2024|2023",
		"REVENUE, GAINS, AND OTHER SUPPORT", "Patient service revenue|410,204|398,110",
		"Other operating revenue|31,010|29,800",
		"Total revenue, gains, and other support|441,214|427,910", "EXPENSES", "Salaries and wages|188,100|180,020",
		"Supplies|71,004|70,110", "Total expenses|259,104|250,130", "INCOME FROM OPERATIONS|182,110|177,780",
		"EXCESS OF REVENUE OVER EXPENSES|182,110|177,780"}
	wantValues(t, columnOf(t, "incomeStatement", lines...), map[string]string{"netRevenues": "441214000",
		"salariesWages": "188100000", "operatingIncome": "182110000", "netIncome": "182110000"})
}

// Marks of a list begin captions of their own, and a caption that its column breaks goes on behind the figures.
func TestRead_markedCaptions(t *testing.T) {
	wantValues(t, columnOf(t, "incomeStatement", "Suryakiran Agro Industries Limited", "Statement of Profit and Loss",
		"for the year ended 31st March, 2024", "(Rs. in Lakhs)", "|31.03.2024|31.03.2023",
		"I. Revenue from|4,124.27|3,315.17", "Operations", "II. Other Income|52.36|47.72",
		"III. Total Income|4,176.63|3,362.89",
		"(a) Cost of Materials|1,697.79|2,008.07", "Consumed", "(b) Finance Costs|118.88|124.41",
		"(c) Employee benefits expense|390.95|367.99", "Total Expenses|2,207.62|2,500.47",
		"Profit before tax|1,969.01|862.42", "Tax expense:", "Current tax|105.85|132.05", "Deferred tax|10.10|12.00",
		"|115.95|144.05", "Profit for the year|1,853.06|718.37"), map[string]string{"netRevenues": "412427000",
		"otherIncome": "5236000", "interestExpense": "11888000", "incomeTaxes": "11595000", "netIncome": "185306000"})
}

// Forms of France print what assets cost and lost beside what is left, and add to sales what is none of them.
func TestRead_frenchForms(t *testing.T) {
	lines := []string{"SAS MENUISERIES DU LAC", "BILAN - ACTIF", "Exercice clos le 31/12/2023",
		"|Brut|Amort. Prov.|Net 31/12/2023|Net 31/12/2022", "Constructions|310 000|100 000|210 000|215 000",
		"TOTAL ACTIF IMMOBILISE|310 000|100 000|210 000|215 000",
		"Clients et comptes rattachés|190 000|2 000|188 000|180 000",
		"Disponibilités|91 000||91 000|88 000", "TOTAL ACTIF CIRCULANT|281 000|2 000|279 000|268 000",
		"TOTAL GENERAL|591 000|102 000|489 000|483 000"}
	sheets := document.Extract(sheetOf(lines...)).Documents[0].Facts.Statement.Statements.BalanceSheet
	if len(sheets) != 2 || sheets[0].Values["totalAssets"].String() != "489000" ||
		sheets[1].Values["accountsReceivable"].String() != "180000" {
		t.Errorf("%+v", sheets)
	}
	wantValues(t, columnOf(t, "incomeStatement", "SAS MENUISERIES DU LAC", "COMPTE DE RESULTAT",
		"Exercice clos le 31/12/2023",
		"|31/12/2023|31/12/2022", "Ventes de marchandises|41 000|40 000", "Production vendue - biens|810 000|790 000",
		"CHIFFRE D'AFFAIRES NET|851 000|830 000", "Production stockée|4 104|2 208",
		"Subventions d'exploitation|3 000|3 000",
		"Reprises sur amortissements et provisions, transferts|6 100|5 900",
		"TOTAL DES PRODUITS D'EXPLOITATION|864 204|841 108",
		"Salaires et traitements|210 000|208 000", "TOTAL DES CHARGES D'EXPLOITATION|210 000|208 000",
		"RESULTAT D'EXPLOITATION|654 204|633 108", "Charges financières|4 100|4 000",
		"RESULTAT COURANT AVANT IMPOTS|650 104|629 108", "BENEFICE OU PERTE|650 104|629 108"),
		map[string]string{"netRevenues": "851000", "operatingIncome": "654204", "netIncome": "650104"})
}

// The other side of a sheet may stand on a page of the same title, below a heading of its own.
func TestRead_sidesUnderOneTitle(t *testing.T) {
	head := []string{"TALLERES ARANJUEZ, S.L.", "BALANCE DE SITUACIÓN ABREVIADO AL CIERRE DEL EJERCICIO 2023"}
	page := func(lines ...string) (p []string) { return append(append(p, head...), lines...) }
	d := sheetOf(page("ACTIVO|2023|2022", "A) ACTIVO NO CORRIENTE|212.411,27|201.990,40",
		"II. Inmovilizado material|212.411,27|201.990,40", "B) ACTIVO CORRIENTE|237.317,66|300.374,18",
		"II. Existencias|183.176,32|225.062,24",
		"VII. Efectivo y otros activos líquidos equivalentes|54.141,34|75.311,94",
		"TOTAL ACTIVO (A+B)|449.728,93|502.364,58")...)
	other := sheetOf(page("PATRIMONIO NETO Y PASIVO|2023|2022", "A) PATRIMONIO NETO|252.399,59|327.776,63",
		"I. Capital|60.000,00|60.000,00", "III. Reservas|192.399,59|267.776,63",
		"B) PASIVO NO CORRIENTE|88.574,23|75.460,50", "II. Deudas a largo plazo|88.574,23|75.460,50",
		"C) PASIVO CORRIENTE|108.755,11|99.127,45",
		"V. Acreedores comerciales y otras cuentas a pagar|108.755,11|99.127,45",
		"TOTAL PATRIMONIO NETO Y PASIVO (A+B+C)|449.728,93|502.364,58")...).Pages[0]
	other.Number = 2
	for i := range other.Tokens {
		other.Tokens[i].Page = 2
	}
	d.Pages, d.PageCount = append(d.Pages, other), 2
	sheets := document.Extract(d).Documents[0].Facts.Statement.Statements.BalanceSheet
	if len(sheets) != 2 {
		t.Fatalf("%d columns", len(sheets))
	}
	got := map[string]string{}
	for key, v := range sheets[0].Values {
		got[key] = v.String()
	}
	wantValues(t, got, map[string]string{"totalAssets": "449728.93", "cash": "54141.34", "totalEquity": "252399.59",
		"longTermDebt": "88574.23", "totalLiabilitiesAndEquity": "449728.93"})
}

// Costs of what was sold stand in two groups with sums of their own; kinds of an expense stand behind a dash.
func TestRead_groupsOfCosts(t *testing.T) {
	got := columnOf(t, "incomeStatement", "Brightwater Plumbing Supplies Ltd", "Profit and Loss",
		"Year ended 31 March 2024",
		"|2024|2023", "Sales", "Product Sales|410,204.10|400,100.10", "|410,204.10|400,100.10", "Purchases",
		"Purchases|210,000.10|205,000.10", "Carriage Inwards|6,100.20|6,000.20", "|216,100.30|211,000.30",
		"Direct Expenses", "Labour|41,000.40|40,000.40", "Sub-Contractors|21,000.10|20,000.10",
		"|62,000.50|60,000.50",
		"Gross Profit|132,103.30|129,099.30", "Overheads", "Insurance - General Liability|7,100.10|7,000.10",
		"Motor Expenses|11,000.10|10,000.10", "|18,100.20|17,000.20", "Net Profit|114,003.10|112,099.10")
	wantValues(t, got, map[string]string{"cogsLabor": "41000.40", "cogsSubcontractors": "21000.10",
		"grossProfit": "132103.30",
		"insurance":   "7100.10", "vehicleTravelMeals": "11000.10", "netIncome": "114003.10",
		"totalCostOfRevenues": ""})
}

// Groups beside operations tell the rows of their lines, and a dash leaves nothing to explain.
func TestRead_linesBesideOperations(t *testing.T) {
	lines := []string{"Kitano Seiko Co., Ltd.", "Consolidated Statement of Income", "(Millions of yen)",
		"|Fiscal year ended March 31, 2024|Fiscal year ended March 31, 2023", "Net sales|121,004|118,220",
		"Cost of sales|91,220|90,110", "Gross profit|29,784|28,110",
		"Selling, general and administrative expenses|18,114|17,900",
		"Operating profit|11,670|10,210", "Non-operating income", "Foreign exchange gains|310|280",
		"Miscellaneous receipts|180|170",
		"Total non-operating income|490|450", "Non-operating expenses", "Charges for idle plants|61|–",
		"Sundry losses|88|80",
		"Total non-operating expenses|149|80", "Ordinary profit|12,011|10,580",
		"Profit before income taxes|12,011|10,580",
		"Total income taxes|3,010|2,900", "Profit|9,001|7,680"}
	doc := document.Extract(sheetOf(lines...)).Documents[0]
	for _, c := range doc.Facts.Statement.Statements.IncomeStatement {
		if c.Coverage.Unexplained > 0 {
			t.Errorf("%s: %+v of %+v", c.Label, *c.Coverage, c.Unmapped)
		}
		for _, u := range c.Unmapped {
			if want := map[string]string{"Miscellaneous receipts": "otherIncome",
				"Sundry losses": "otherExpenses"}[u.Caption]; want != "" &&
				u.Row != want {
				t.Errorf("%s is entered in %q", u.Caption, u.Row)
			}
		}
	}
	if doc.DocType != dossier.DocFinancialStatement {
		t.Error(doc.DocType)
	}
}

// A total begins a caption of its own below one that ends with "net", and may go on over the next line.
func TestRead_totalBelowNet(t *testing.T) {
	wantValues(t, columnOf(t, "incomeStatement", "BLUEGRASS AIR HOLDINGS, INC.",
		"CONSOLIDATED STATEMENTS OF OPERATIONS",
		"(In millions)", "|2024|2023", "Total operating revenues|1,754|2,505", "Total operating expenses|1,700|2,400",
		"Operating income|54|105", "Nonoperating income (expense):", "Interest income|21|20",
		"Interest expense, net|(61)|(60)", "Other income, net|14|12", "Total nonoperating", "expense, net|(26)|(28)",
		"Income before income taxes|28|77", "Income tax provision|8|7", "Net income|20|70"), map[string]string{
		"otherIncome": "14000000", "totalOtherIncomeExpense": "-26000000", "incomeBeforeTaxes": "28000000"})
}

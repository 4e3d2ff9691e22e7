package statement_test

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document"
)

// Chinese sheets print the end of the year beside its beginning and date neither column.
func TestRead_endingBesideBeginning(t *testing.T) {
	lines := []string{"Qingdao Haiyue Valve Co., Ltd.", "Consolidated Balance Sheet", "December 31, 2023",
		"Unit: RMB Yuan",
		"Items|Ending balance|Beginning balance",
		"Current assets:", "Monetary funds|188,204.10|170,118.20", "Inventories|61,204.00|58,110.00",
		"Total current assets|249,408.10|228,228.20", "Non-current assets:", "Fixed assets|310,000.00|325,000.00",
		"Total non-current assets|310,000.00|325,000.00", "Total assets|559,408.10|553,228.20",
		"Current liabilities:", "Accounts payable|120,000.00|131,000.00",
		"Total current liabilities|120,000.00|131,000.00",
		"Total liabilities|120,000.00|131,000.00", "Owners' equity:",
		"Paid-in capital (or share capital)|400,000.00|400,000.00",
		"Undistributed profits|39,408.10|22,228.20", "Total owners' equity|439,408.10|422,228.20",
		"Total liabilities and owners' equity|559,408.10|553,228.20"}
	wantValues(t, columnOf(t, "balanceSheet", lines...), map[string]string{"cash": "188204.10",
		"totalAssets":      "559408.10",
		"retainedEarnings": "39408.10", "totalEquity": "439408.10"})
	sheets := document.Extract(sheetOf(lines...)).Documents[0].Facts.Statement.Statements.BalanceSheet
	if *sheets[0].End != "2023-12-31" || *sheets[1].End != "2022-12-31" {
		t.Errorf("ends %s and %s", *sheets[0].End, *sheets[1].End)
	}
}

// "Current period" beside "Prior period" are the year of the title and the one before.
func TestRead_currentBesidePrior(t *testing.T) {
	lines := []string{"Qingdao Haiyue Valve Co., Ltd.", "Consolidated Income Statement",
		"For the year ended December 31, 2023",
		"Unit: RMB Yuan", "Items|Current period|Prior period",
		"I. Total operating revenue|812,000.00|790,000.00", "Selling expenses|31,000.00|30,000.00",
		"Administrative expenses|44,000.00|43,000.00", "III. Operating profit|737,000.00|717,000.00",
		"IV. Total profit|737,000.00|717,000.00", "Less: Income tax expenses|92,000.00|90,000.00",
		"V. Net profit|645,000.00|627,000.00"}
	wantValues(t, columnOf(t, "incomeStatement", lines...), map[string]string{"netIncome": "645000.00"})
	columns := document.Extract(sheetOf(lines...)).Documents[0].Facts.Statement.Statements.IncomeStatement
	if *columns[0].Start != "2023-01-01" || *columns[1].Start != "2022-01-01" || *columns[1].End != "2022-12-31" {
		t.Errorf("%s, and %s to %s", *columns[0].Start, *columns[1].Start, *columns[1].End)
	}
}

// A state of an address is no unit, and the number of a form no year.
func TestRead_headsOfOtherMatters(t *testing.T) {
	got := columnOf(t, "balanceSheet", "Balance Sheet", "Tamarack Property Group",
		"Birch Court - 410 Birch St Duluth, MN 55802",
		"|05/31/2024|05/31/2023", "ASSETS", "Cash|12,000.10|11,000.10", "Land|80,000.00|80,000.00",
		"TOTAL ASSETS|92,000.10|91,000.10", "LIABILITIES & CAPITAL", "Mortgage Payable|60,000.00|62,000.00",
		"Total Liabilities|60,000.00|62,000.00", "Retained Earnings|32,000.10|29,000.10",
		"Total Capital|32,000.10|29,000.10", "TOTAL LIABILITIES & CAPITAL|92,000.10|91,000.10")
	wantValues(t, got, map[string]string{"cash": "12000.10", "totalAssets": "92000.10"})
	lines := []string{"SAS MENUISERIES DU LAC", "BILAN - PASSIF", "Exercice clos le 31/12/2023 (DGFiP N° 2051)",
		"|31/12/2023|31/12/2022", "Capital social ou individuel|100 000|100 000", "Autres réserves|61 204|55 110",
		"TOTAL CAPITAUX PROPRES|161 204|155 110", "Fournisseurs et comptes rattachés|88 100|80 200",
		"TOTAL DETTES|88 100|80 200",
		"TOTAL GENERAL|249 304|235 310"}
	for i, c := range document.Extract(sheetOf(lines...)).Documents[0].Facts.Statement.Statements.BalanceSheet {
		if want := []string{"2023-12-31", "2022-12-31"}[i]; *c.End != want {
			t.Errorf("column %d ends %s, want %s", i, *c.End, want)
		}
	}
}

// A page that names a statement and its unit and prints no row of it is read: nothing is found on it.
func TestRead_titleWithoutRows(t *testing.T) {
	doc := document.Extract(sheetOf("Consolidated Balance Sheets", "Consolidated Statements of Operations",
		"(in thousands)",
		"Net income", "Total assets", "Total liabilities", "Retained earnings")).Documents[0]
	if s := doc.Facts.Statement; s != nil && len(s.Statements.IncomeStatement) > 0 {
		t.Errorf("%d columns", len(s.Statements.IncomeStatement))
	}
}

// Accounts of micro entities name six lines and no sums: what is charged before the profit is tax.
func TestRead_microEntity(t *testing.T) {
	wantValues(t, columnOf(t, "incomeStatement", "LARKSPUR JOINERY LTD",
		"Micro-entity Profit and Loss Account for the year ended 31 March 2024", "|2024|2023", "|£|£",
		"Turnover|184,000|171,000", "Other income|1,200|900",
		"Cost of raw materials and consumables|(61,000)|(58,000)",
		"Staff costs|(58,000)|(56,000)", "Depreciation and other amounts written off assets|(4,100)|(4,000)",
		"Other charges|(22,000)|(21,000)", "Tax|(7,100)|(6,000)", "Profit|33,000|26,900"),
		map[string]string{"netRevenues": "184000", "totalCostOfRevenues": "61000", "salariesWages": "58000",
			"otherOperatingExpenses": "22000", "incomeTaxes": "7100", "netIncome": "33000"})
}

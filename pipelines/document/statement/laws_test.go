package statement_test

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document"
)

// Danish sheets print the sum of each group below it, under the group's bare name.
func TestRead_danishBooks(t *testing.T) {
	wantValues(t, columnOf(t, "incomeStatement",
		"Kærgaard Maskiner A/S", "Resultatopgørelse 1. januar - 31. december 2023", "|2023|2022", "|DKK|DKK",
		"Nettoomsætning|21.004.000|19.870.000", "Omkostninger til råvarer og hjælpematerialer|-9.100.000|-8.800.000",
		"Andre eksterne omkostninger|-3.100.000|-3.000.000", "Bruttofortjeneste|8.804.000|8.070.000",
		"Personaleomkostninger|-5.100.000|-4.900.000", "Afskrivninger|-410.000|-400.000",
		"Resultat før finansielle poster|3.294.000|2.770.000", "Finansielle indtægter|12.000|9.000",
		"Finansielle omkostninger|-210.000|-230.000", "Resultat før skat|3.096.000|2.549.000",
		"Skat af årets resultat|-681.000|-561.000", "Årets resultat|2.415.000|1.988.000"),
		map[string]string{"netRevenues": "21004000", "grossProfit": "8804000", "salariesWages": "5100000",
			"operatingIncome": "3294000", "interestExpense": "210000", "incomeBeforeTaxes": "3096000", "incomeTaxes": "681000",
			"netIncome": "2415000"})
	wantValues(t, columnOf(t, "balanceSheet",
		"Kærgaard Maskiner A/S", "Balance 31. december 2023", "|2023|2022", "|DKK|DKK", "Aktiver",
		"Produktionsanlæg og maskiner|4.100.000|4.300.000", "Indretning af lejede lokaler|210.000|240.000",
		"Materielle anlægsaktiver|4.310.000|4.540.000", "Varebeholdninger|2.100.000|2.000.000",
		"Tilgodehavender fra salg og tjenesteydelser|3.100.000|2.900.000", "Likvide beholdninger|1.410.000|1.100.000",
		"Omsætningsaktiver|6.610.000|6.000.000", "Aktiver|10.920.000|10.540.000", "Passiver",
		"Selskabskapital|500.000|500.000", "Overført resultat|6.390.000|5.940.000", "Egenkapital|6.890.000|6.440.000",
		"Kreditinstitutter|1.210.000|1.400.000", "Langfristede gældsforpligtelser|1.210.000|1.400.000",
		"Leverandører af varer og tjenesteydelser|1.910.000|1.800.000", "Anden gæld|910.000|900.000",
		"Kortfristede gældsforpligtelser|2.820.000|2.700.000", "Passiver|10.920.000|10.540.000"),
		map[string]string{"netFixedAssets": "4310000", "inventory": "2100000", "cash": "1410000", "totalCurrentAssets": "6610000",
			"totalAssets": "10920000", "totalEquity": "6890000", "totalLongTermLiabilities": "1210000",
			"totalCurrentLiabilities": "2820000", "totalLiabilitiesAndEquity": "10920000"})
}

func TestRead_norwegianBooks(t *testing.T) {
	wantValues(t, columnOf(t, "incomeStatement",
		"Storfjell Bygg AS", "Resultatregnskap", "|2023|2022", "|NOK|NOK", "Driftsinntekter og driftskostnader",
		"Salgsinntekt|12 100 400|11 400 900", "Annen driftsinntekt|41 000|38 000", "Sum driftsinntekter|12 141 400|11 438 900",
		"Varekostnad|5 100 000|4 900 000", "Lønnskostnad|3 100 000|3 000 000", "Avskrivning|210 000|200 000",
		"Annen driftskostnad|1 900 000|1 800 000", "Sum driftskostnader|10 310 000|9 900 000",
		"Driftsresultat|1 831 400|1 538 900", "Annen rentekostnad|61 000|58 000",
		"Ordinært resultat før skattekostnad|1 770 400|1 480 900", "Skattekostnad på ordinært resultat|389 000|325 000",
		"Årsresultat|1 381 400|1 155 900"),
		map[string]string{"netRevenues": "12141400", "salariesWages": "3100000", "totalOperatingExpenses": "10310000",
			"operatingIncome": "1831400", "interestExpense": "61000", "incomeTaxes": "389000", "netIncome": "1381400"})
}

// Polish law letters the sections and prints the sum of each above its lines.
func TestRead_polishBooks(t *testing.T) {
	wantValues(t, columnOf(t, "incomeStatement",
		"Stalmet Sp. z o.o.", "Rachunek zysków i strat", "za okres od 01.01.2023 do 31.12.2023 (w zł)", "|2023|2022",
		"A. Przychody netto ze sprzedaży i zrównane z nimi|4 400 000,00|4 100 000,00",
		"I. Przychody netto ze sprzedaży produktów|4 100 000,00|3 850 000,00",
		"IV. Przychody netto ze sprzedaży towarów i materiałów|300 000,00|250 000,00",
		"B. Koszty działalności operacyjnej|3 710 000,00|3 490 000,00", "I. Amortyzacja|120 000,00|110 000,00",
		"II. Zużycie materiałów i energii|1 800 000,00|1 700 000,00", "III. Usługi obce|890 000,00|830 000,00",
		"V. Wynagrodzenia|900 000,00|850 000,00",
		"C. Zysk (strata) ze sprzedaży (A-B)|690 000,00|610 000,00",
		"F. Zysk (strata) z działalności operacyjnej (C+D-E)|690 000,00|610 000,00",
		"H. Koszty finansowe|41 000,00|38 000,00", "I. Zysk (strata) brutto (F+G-H)|649 000,00|572 000,00",
		"J. Podatek dochodowy|61 000,00|55 000,00", "L. Zysk (strata) netto (I-J-K)|588 000,00|517 000,00"),
		map[string]string{"netRevenues": "4400000.00", "totalOperatingExpenses": "3710000.00", "depreciation": "120000.00",
			"operatingIncome": "690000.00", "interestExpense": "41000.00", "incomeBeforeTaxes": "649000.00", "incomeTaxes": "61000.00",
			"netIncome": "588000.00"})
}

// Odoo prints the sum of a section beside its heading, sections within sections.
func TestRead_sumsBesideHeadings(t *testing.T) {
	wantValues(t, columnOf(t, "incomeStatement",
		"Harrow Lane Trading Ltd", "Profit and Loss", "|2023|2022", "Revenue|531,000|498,000", "Less Costs of Revenue|210,000|201,000",
		"Gross Profit|321,000|297,000", "Less Operating Expenses|150,100|144,300", "Salary Expenses|110,000|106,000",
		"Rent|36,000|34,500", "Travel|4,100|3,800", "Operating Income (or Loss)|170,900|152,700",
		"Plus Other Income|1,200|1,100", "Less Other Expenses|3,100|2,900", "Net Profit|169,000|150,900"),
		map[string]string{"netRevenues": "531000", "salariesWages": "110000", "rent": "36000", "operatingIncome": "170900",
			"netIncome": "169000"})
}

// References to notes are no year, however many there are; one heading may stand over several columns of money.
func TestRead_notesBesideYears(t *testing.T) {
	wantValues(t, columnOf(t, "incomeStatement",
		"Pearl Harbour Trading Limited", "Consolidated Statement of Profit or Loss", "||2023|2022", "|Notes|HK$'000|HK$'000",
		"Revenue|5|505,728|452,940", "Cost of sales|6|(379,679)|(347,554)", "Gross profit||126,049|105,386",
		"Administrative expenses|7|(98,173)|(73,404)", "Finance costs|8|(4,760)|(5,676)", "Profit before tax||23,116|26,306",
		"Income tax expense|9|(6,995)|(7,061)", "Profit for the year||16,121|19,245"),
		map[string]string{"netRevenues": "505728000", "totalCostOfRevenues": "379679000", "interestExpense": "4760000",
			"incomeTaxes": "6995000", "netIncome": "16121000"})
}

// A page that goes on with a statement may refer to more notes than the page before: its money stands below that one's.
func TestRead_goesOnBelow(t *testing.T) {
	first := sheetOf("Lindau Foods AG", "Consolidated balance sheet", "(in millions of CHF)", "|Notes|2023|2022", "Assets",
		"Cash and cash equivalents||4,816|5,511", "Inventories||11,195|15,019", "Total current assets||16,011|20,530",
		"Property, plant and equipment||30,109|30,141", "Total assets||46,120|50,671", "Liabilities and equity",
		"Trade and other payables||17,940|20,523", "Total current liabilities||17,940|20,523")
	second := sheetOf("Financial debt|12|10,100|11,300", "Provisions|13|900|850", "Total non-current liabilities||11,000|12,150",
		"Total liabilities||28,940|32,673", "Equity", "Share capital|17|267|275", "Retained earnings||16,913|17,723",
		"Total equity||17,180|17,998", "Total liabilities and equity||46,120|50,671")
	page := second.Pages[0]
	page.Number = 2
	for i := range page.Tokens {
		page.Tokens[i].Page = 2
	}
	first.Pages, first.PageCount = append(first.Pages, page), 2
	columns := document.Extract(first).Documents[0].Facts.Statement.Statements.BalanceSheet
	if len(columns) != 2 {
		t.Fatalf("%d columns", len(columns))
	}
	for key, want := range map[string]string{"totalAssets": "46120000000", "capitalStock": "267000000",
		"totalEquity": "17180000000", "totalLiabilitiesAndEquity": "46120000000"} {
		if v := columns[0].Values[key]; v.String() != want {
			t.Errorf("%s: %s, want %s", key, v, want)
		}
	}
}

// The bottom line stands above the share of other owners, under whatever name the result of the company has.
func TestRead_shareOfOthers(t *testing.T) {
	wantValues(t, columnOf(t, "incomeStatement",
		"Ironwood Machines Inc.", "Consolidated Statement of Results of Operations", "(Dollars in millions)",
		"|Years ended December 31,", "|2023|2022", "Sales and revenues:", "Total sales and revenues|17,100|15,900",
		"Operating costs:", "Cost of goods sold|11,000|10,500", "Research and development expenses|554|510",
		"Total operating costs|11,554|11,010", "Operating profit|5,546|4,890", "Interest expense excluding Financial Products|126|119",
		"Consolidated profit before taxes|5,420|4,771", "Provision (benefit) for income taxes|1,120|990",
		"Profit of consolidated and affiliated companies|4,300|3,781",
		"Less: Profit (loss) attributable to noncontrolling interests|(1)|2", "Profit|4,301|3,779"),
		map[string]string{"netIncome": "4300000000", "interestExpense": "126000000", "incomeBeforeTaxes": "5420000000"})
}

// A short report of a German office has the month and the year to date; what share of the sales each is is no money.
func TestRead_germanShortReport(t *testing.T) {
	wantValues(t, columnOf(t, "incomeStatement",
		"Muster Dachbau GmbH", "Kurzfristige Erfolgsrechnung Dezember 2023", "(in EUR)", "|Dez/2023|Jan/2023 - Dez/2023",
		"Umsatzerlöse|91.000,00|1.010.000,00", "Gesamtleistung|91.000,00|1.010.000,00",
		"Mat./Wareneinkauf|31.000,00|352.000,00", "Rohertrag|60.000,00|658.000,00", "Personalkosten|29.000,00|341.000,00",
		"Raumkosten|3.100,00|37.200,00", "Fahrzeugkosten (ohne Steuer)|2.100,00|24.800,00", "Gesamtkosten|34.200,00|403.000,00",
		"Betriebsergebnis|25.800,00|255.000,00", "Zinsaufwand|600,00|7.100,00", "Ergebnis vor Steuern|25.200,00|247.900,00",
		"Steuern Eink.u.Ertr|7.200,00|71.000,00", "Vorläufiges Ergebnis|18.000,00|176.900,00"),
		map[string]string{"netRevenues": "91000.00", "totalCostOfRevenues": "31000.00", "salariesWages": "29000.00", "rent": "3100.00",
			"totalOperatingExpenses": "34200.00", "operatingIncome": "25800.00", "interestExpense": "600.00", "incomeTaxes": "7200.00",
			"netIncome": "18000.00"})
}

// Beside the columns of a group those of the company at its head are none of the statement.
func TestRead_parentBesideGroup(t *testing.T) {
	wantValues(t, columnOf(t, "balanceSheet",
		"Straits Marine Works Ltd", "Statements of Financial Position", "|Company|Company|Group|Group",
		"|2023|2022|2023|2022", "|S$'000|S$'000|S$'000|S$'000",
		"Current assets", "Inventories|1,100|900|21,400|19,800", "Trade and other receivables|8,200|7,900|41,300|38,700",
		"Cash and bank balances|2,000|1,700|28,100|25,600", "Total assets|11,300|10,500|90,800|84,100",
		"Current liabilities", "Trade and other payables|3,300|3,100|31,200|29,500",
		"Total liabilities|3,300|3,100|31,200|29,500", "Equity", "Share capital|5,000|5,000|5,000|5,000",
		"Retained earnings|3,000|2,400|54,600|49,600", "Total equity|8,000|7,400|59,600|54,600",
		"Total equity and liabilities|11,300|10,500|90,800|84,100"),
		map[string]string{"totalAssets": "90800000", "cash": "28100000", "totalEquity": "59600000"})
}

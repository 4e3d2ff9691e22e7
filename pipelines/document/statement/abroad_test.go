package statement_test

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document"
)

// The business report of German accountants shortens its lines' names.
func TestRead_germanShortNames(t *testing.T) {
	got := columnOf(t, "incomeStatement",
		"Tischlerei Ahornweg GmbH", "Betriebswirtschaftliche Auswertung", "Angaben in EUR",
		"|Jan-Dez 2023|Jan-Dez 2022",
		"Umsatzerlöse|412.300,00|388.100,00",
		"Material-/Wareneinkauf|151.200,00|140.900,00",
		"Rohertrag|261.100,00|247.200,00",
		"So. betr. Erlöse|4.200,00|3.900,00",
		"Kostenarten:",
		"Personalkosten|121.400,00|118.300,00",
		"Raumkosten|24.000,00|24.000,00",
		"Kosten Warenabgabe|6.100,00|5.800,00",
		"Abschreibungen|18.200,00|17.900,00",
		"Reparatur/Instandh.|7.300,00|6.900,00",
		"Gesamtkosten|177.000,00|172.900,00",
		"Betriebsergebnis|88.300,00|78.200,00")
	wantValues(t, got, map[string]string{"otherIncome": "4200.00", "repairsMaintenance": "7300.00",
		"otherOperatingExpenses": "6100.00", "netRevenues": "412300.00", "operatingIncome": "88300.00",
		"totalCostOfRevenues": "151200.00"})
}

// A sheet by the law of Peru or Colombia.
func TestRead_latinAmericanSheet(t *testing.T) {
	wantValues(t, columnOf(t, "balanceSheet",
		"Textiles Cordillera S.A.", "Estado de Situación Financiera", "(Expresado en miles de soles)",
		"|31 de diciembre de 2023|31 de diciembre de 2022",
		"Activo corriente",
		"Efectivo y equivalentes al efectivo|4.120|3.880",
		"Cuentas comerciales por cobrar|18.822|17.341",
		"Inventarios|22.110|21.020",
		"Total activo corriente|45.052|42.241",
		"Propiedades, planta y equipo|61.220|60.110",
		"Total activo|106.272|102.351",
		"Pasivo corriente",
		"Obligaciones financieras|12.110|11.870",
		"Cuentas comerciales por pagar|14.220|13.340",
		"Total pasivo corriente|26.330|25.210",
		"Total pasivo|26.330|25.210",
		"Patrimonio",
		"Capital suscrito y pagado|40.000|40.000",
		"Reservas|8.000|7.500",
		"Resultados acumulados|31.942|29.641",
		"Total patrimonio|79.942|77.141",
		"Total pasivo y patrimonio|106.272|102.351"),
		map[string]string{"accountsReceivable": "18822000", "accountsPayable": "14220000", "capitalStock": "40000000",
			"totalEquity": "79942000", "currentPortionLongTermDebt": "12110000"})
}

// Excise duty stands between gross and net revenue and is taken off.
func TestRead_exciseDuty(t *testing.T) {
	wantValues(t, columnOf(t, "incomeStatement",
		"Fernhill Brewers plc", "Consolidated income statement", "(in £ thousands)",
		"|2024|2023",
		"Gross revenue|91,240|87,415",
		"Excise duty|(21,120)|(20,044)",
		"Net revenue|70,120|67,371",
		"Cost of sales|(40,321)|(39,048)",
		"Gross profit|29,799|28,323",
		"Administrative expenses|(17,190)|(16,602)",
		"Operating profit|12,609|11,721",
		"Profit before tax|12,609|11,721", "Taxation|(3,002)|(2,611)", "Profit for the year|9,607|9,110"),
		map[string]string{"grossRevenues": "91240000", "returnsAllowances": "21120000", "netRevenues": "70120000"})
}

// A carrier on land names what it spends by its trade.
func TestRead_carrier(t *testing.T) {
	d := sheetOf("Dellwood Trucking, Inc.", "Statements of Income", "Year ended December 31, 2024", "|2024|2023",
		"Freight revenue|1,488,110|1,402,220",
		"Operating expenses", "Insurance and claims|72,110|66,656", "Operating taxes and licenses|28,110|26,618",
		"Repairs and tires|88,110|81,897", "Depreciation|144,110|140,220", "Office salaries|62,110|60,100",
		"Expected credit losses on trade receivables|3,100|2,900",
		"Total operating expenses|397,650|378,391",
		"Income from operations|1,090,460|1,023,829", "Net income|1,090,460|1,023,829")
	c := document.Extract(d).Documents[0].Facts.Statement.Statements.IncomeStatement[0]
	for key, want := range map[string]string{"netRevenues": "1488110", "insurance": "72110", "taxesLicenses": "28110",
		"repairsMaintenance": "88110", "badDebts": "3100"} {
		if got := c.Values[key].String(); got != want {
			t.Errorf("%s %s, want %s", key, got, want)
		}
	}
}

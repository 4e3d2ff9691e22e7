package other_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// Leases name their parties by the words of their language.
func TestLease_partiesByLanguage(t *testing.T) {
	for name, lines := range map[string][]string{
		"French":  {"CONTRAT DE LOCATION", "Bailleur : Odile Marchandeau", "Locataire : Bastien Roquevaire", "Date de signature : 14/09/2023"},
		"Spanish": {"CONTRATO DE ARRENDAMIENTO", "En Villaejemplo, a 14 de septiembre de 2023", "Arrendador: Odile Marchandeau", "Arrendatario: Bastien Roquevaire"},
		"German":  {"Mietvertrag", "Vermieter: Odile Marchandeau", "Mieter: Bastien Roquevaire", "Datum: 14.09.2023"},
		"form":    {"LEASE AGREEMENT", "Landlord: Odile Marchandeau", "Tenant(s): Bastien Roquevaire", "Date of Agreement: September 14, 2023"},
	} {
		t.Run(name, func(t *testing.T) {
			doc := readtest.Lines(t, lines...)
			if doc.DocType != dossier.DocLease {
				t.Fatalf("read as %s", doc.DocType)
			}
			readtest.WantFacts(t, doc.Facts.Other, map[string]any{"landlord": "Odile Marchandeau", "tenant": "Bastien Roquevaire", "date": "2023-09-14"})
		})
	}
}

// The rows of a grid are the period and the year; each amount belongs to the head that it stands nearest to.
func TestPayStub_gridOfTotals(t *testing.T) {
	doc := readtest.Lines(t, "PAY STATEMENT", "Employee: Odette Farnsby|Pay Date: 11/10/2023", "|TOTAL GROSS|TOTAL TAXES|NET PAY", "Current|2,619.50|488.49|2,070.01", "YTD|50,647.00|9,814.61|39,551.39")
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"totalEarnings": "2619.50", "totalEarningsYtd": "50647.00"})
}

// Schools and public offices print the person and the days in a row below heads of two lines.
func TestPayStub_rowBelowHeads(t *testing.T) {
	doc := readtest.Lines(t, "Statement of Earnings and Deductions", "Employee|Employee|Period|Date", "Number|Name|End|Paid", "0441|Odette Farnsby|07/31/2023|07/28/2023",
		"Total Earnings|2,619.50", "Federal Withholding|200.00", "Net Pay|2,070.01")
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"employee": "Odette Farnsby", "periodEnd": "2023-07-31", "payDate": "2023-07-28"})
}

// A heading of a column is no company.
func TestPayStub_headingIsNoCompany(t *testing.T) {
	doc := readtest.Lines(t, "PERCEPCIONES|Importe", "RECIBO DE NÓMINA", "Total percepciones|9,750.00", "Neto a pagar|8,404.70")
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"company": nil, "totalEarnings": "9750.00", "netPay": "8404.70"})
}

// The sign of the currency stands apart from the amount, or is not printed; two figures on the line decide nothing.
func TestCheck_amountOnThePayeesLine(t *testing.T) {
	for line, want := range map[string]any{"ORDER OF|Kestrel Freight Inc|$|1,240.50": "1240.50", "ORDER OF|Kestrel Freight Inc|88.00|1,240.50": nil} {
		doc := readtest.Lines(t, "Dunmore Tile Works LLC|||20418", "18 Foundry Road", "PAY TO THE", line, "One thousand two hundred forty 50/100 DOLLARS", "MEMO")
		if doc.DocType != dossier.DocCheck {
			t.Fatalf("read as %s", doc.DocType)
		}
		readtest.WantFacts(t, doc.Facts.Other, map[string]any{"total": want})
	}
}

func TestUtilityBill_byLanguage(t *testing.T) {
	for name, lines := range map[string][]string{
		"German": {"Ihre Stromrechnung", "Rechnungsdatum: 09.02.2024", "Kundennummer: 1002003004", "Zählerstand alt 12.040|Verbrauch 2.940 kWh", "Zu zahlender Betrag|1.083,00 €", "Fällig am: 26.02.2024"},
		"French": {"FACTURE D'ÉLECTRICITÉ", "Facture du 09/02/2024", "Point de livraison : 00000000000000", "Consommation 1 204 kWh|258,86", "Montant à payer|1 083,00 €", "À régler avant le 26/02/2024"},
	} {
		t.Run(name, func(t *testing.T) {
			doc := readtest.Lines(t, lines...)
			if doc.DocType != dossier.DocUtilityBill {
				t.Fatalf("read as %s", doc.DocType)
			}
			readtest.WantFacts(t, doc.Facts.Other, map[string]any{"statementDate": "2024-02-09", "dueDate": "2024-02-26", "amountDue": "1083.00"})
		})
	}
}

// The line of a business's name is empty on most forms W-9: what stands below it is the form's own.
func TestTaxForm_emptyBusinessName(t *testing.T) {
	doc := readtest.Lines(t, "Form W-9|Request for Taxpayer Identification Number and Certification", "Department of the Treasury Internal Revenue Service",
		"1 Name (as shown on your income tax return).", "Kestrel Analytics LLC",
		"2 Business name/disregarded entity name, if different from above", "",
		"Individual/sole proprietor|C Corporation|S Corporation")
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"form": "W-9", "name": "Kestrel Analytics LLC", "entityName": nil})
}

// A request for transcripts has the first and the last name of a person in boxes of their own.
func TestTaxForm_transcriptRequest(t *testing.T) {
	doc := readtest.Lines(t, "Form 4506-C|IVES Request for Transcript of Tax Return", "Department of the Treasury Internal Revenue Service",
		"1a. Current name", "i. First name|ii. Middle initial|iii. Last name", "Lorna|P|Castellane",
		"1b. First taxpayer identification number", "508-11-9034")
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"form": "4506-C", "name": "Lorna P Castellane", "ssn": "508-11-9034"})
}

// The word for the total heads a column and captions the last line: the amount is that of the line, the number stands
// below its head.
func TestInvoice_totalHeadsAColumn(t *testing.T) {
	doc := readtest.Lines(t, "DISTRIBUIDORA LOS ALAMOS, S.A.|||FACTURA", "|Serie|Número|Fecha", "|A|000417|14/09/2023", "Cliente: COMERCIAL EL ROBLE",
		"Cantidad|Descripción|Precio Unitario|Total", "12|Cajas de papel bond|85.00|1,020.00", "4|Tóner negro|410.00|1,640.00",
		"||Subtotal|2,660.00", "||IVA 12%|319.20", "||TOTAL|2,979.20")
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"number": "000417", "date": "2023-09-14", "total": "2979.20"})
}

// A school pays its teachers: its name stands above its own address, theirs above theirs.
func TestPayStub_publicEmployer(t *testing.T) {
	doc := readtest.Lines(t, "Larkfield Unified School District|||Direct Deposit Advice", "1200 Education Way", "Larkfield, CA 95603", "",
		"MARISELA R QUINTANA", "44 Poppy Ln", "Larkfield, CA 95603", "", "Pay Period|Check Date", "10/01/2023 - 10/31/2023|10/31/2023",
		"Earnings||Current|YTD", "Total Gross||6,454.10|63,541.00", "Net Pay||5,022.08|49,235.26")
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"company": "Larkfield Unified School District", "employee": "MARISELA R QUINTANA",
		"periodEnd": "2023-10-31", "totalEarnings": "6454.10", "totalEarningsYtd": "63541.00"})
}

// A check that nobody filled in names nobody.
func TestCheck_blank(t *testing.T) {
	doc := readtest.Lines(t, "BRIGHTLINE DENTAL PLLC|||2210", "500 Oak St, Reno NV 89501||DATE ____________", "PAY TO THE", "ORDER OF ____________________|||$ ________",
		"________________________________ DOLLARS", "First Sound Bank|VOID", "MEMO ______")
	if doc.DocType != dossier.DocCheck {
		t.Fatalf("read as %s", doc.DocType)
	}
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"name": nil, "total": nil, "date": nil})
}

// A year to date of nothing is another row's figure; the days stand below their captions in the head of a table.
func TestPayStub_tableHead(t *testing.T) {
	doc := readtest.Lines(t, "Larkfield School District|||Earnings Statement", "Period End Date|Deposit Date|Advice No.", "10/31/2023|11/03/2023|0047118",
		"Earnings||Current|Calendar YTD", "Total Gross||6,454.10|0.00", "Net Pay||5,022.08|49,235.26")
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"periodEnd": "2023-10-31", "payDate": "2023-11-03", "totalEarnings": "6454.10", "totalEarningsYtd": nil})
}

// An electronic invoice of Guatemala numbers itself as a tax document, and prints the hour beside the day.
func TestInvoice_electronic(t *testing.T) {
	doc := readtest.Lines(t, "FACTURA ELECTRONICA", "FERRETERIA EL CLAVO, S.A.|NIT 551204-7", "Serie|Numero de DTE", "2C4D1A|1234567890",
		"Fecha y hora de emision: 12-ene-2024 10:22:33", "Cantidad|Descripcion|Precio|Total", "2|Martillo|85.00|170.00", "||TOTAL|170.00")
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"number": "1234567890", "date": "2024-01-12", "total": "170.00"})
}

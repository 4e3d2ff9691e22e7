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

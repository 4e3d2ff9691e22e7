package classify

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A card's statement has balances, a period and a bank's name: its limit and its least payment tell it from an account's.
func TestSegments_cardsInOtherLanguages(t *testing.T) {
	for name, lines := range map[string][]string{
		"Spanish": {"ESTADO DE CUENTA", "Tarjeta de crédito", "Fecha límite de pago: 02/05/2024", "Pago mínimo: $420.00", "Límite de crédito: $30,000.00", "Saldo anterior|$8,120.00", "Compras|$5,911.20", "Saldo al corte|$5,911.20"},
		"French":  {"Relevé de compte - carte de crédit", "Solde précédent|310,22 $", "Achats|188,90 $", "Nouveau solde|188,90 $", "Paiement minimum|10,00 $", "Limite de crédit|5 000,00 $"},
		"German":  {"Kreditkartenabrechnung", "Alter Kontostand|310,22", "Umsätze|188,90", "Neuer Kontostand|499,12", "Verfügungsrahmen|5.000,00"},
	} {
		t.Run(name, func(t *testing.T) {
			got := Segments(text.Decoded{PageCount: 1, Layer: text.LayerText, Pages: []text.Page{documenttest.Page(lines...)}}, nil)
			if len(got) != 1 || got[0].Segment.Type != dossier.DocCreditCardStatement {
				t.Errorf("read as %s", got[0].Segment.Type)
			}
		})
	}
}

// Some states call the licence an operator's.
func TestSegments_operatorsLicense(t *testing.T) {
	page := documenttest.Page("NE BRASKA OPERATOR'S LICENSE", "4d LIC NO H11820034", "1 NAME WREN", "2 ODILE ANN",
		"3 DATE OF BIRTH 03/04/1981", "4a ISSUED 03/01/2022 4b EXPIRES 03/04/2027", "15 SEX F 16 HGT 5'-06\"")
	got := Segments(text.Decoded{PageCount: 1, Layer: text.LayerText, Pages: []text.Page{page}}, nil)
	if got[0].Segment.Type != dossier.DocDriversLicense {
		t.Errorf("read as %s", got[0].Segment.Type)
	}
}

// A help page pictures a statement whose summary foots: its title says that it is none.
func TestSegments_helpPageWithAStatement(t *testing.T) {
	statement := []string{"Checking|Account number|004411702", "Statement period|03/01/2024 - 03/31/2024", "Beginning balance|$1,000.00", "Deposits and other credits|$250.00", "Withdrawals and other debits|$100.00", "Ending balance|$1,150.00"}
	for title, want := range map[string]bool{"Alder Valley Bank": true, "Understanding your account statement": false, "A guide to your statement": false,
		"Understanding your savings\nAccount statement": false, "Understanding your savings\n\nAccount statement": true} {
		lines := append(strings.Split(title, "\n"), statement...)
		got := Segments(text.Decoded{PageCount: 1, Layer: text.LayerText, Pages: []text.Page{documenttest.Page(lines...)}}, nil)
		if is := got[0].Segment.Type == dossier.DocBankStatement; is != want {
			t.Errorf("%s: read as %s", title, got[0].Segment.Type)
		}
	}
}

func TestSegments_chequesOfOtherCountries(t *testing.T) {
	got := Segments(text.Decoded{PageCount: 1, Layer: text.LayerText, Pages: []text.Page{documenttest.Page("SAHYADRI BANK|09 02 2024", "Pay Kestrel Freight|or bearer", "Rupees Twelve thousand only|12,000.00", "A/c No.|004411702")}}, nil)
	if got[0].Segment.Type != dossier.DocCheck {
		t.Errorf("read as %s", got[0].Segment.Type)
	}
}

// A receipt of a restaurant says what it is below what was paid.
func TestSegments_receiptOfATill(t *testing.T) {
	got := Segments(text.Decoded{PageCount: 1, Layer: text.LayerImage, Pages: []text.Page{documenttest.Page("The Copper Kettle", "12 Harbour Row", "Table 4|02 Mar 2024 13:05",
		"2 Pot of tea|7.60", "1 Scone|3.10", "Total|£10.70", "Payment Receipt", "Card Payment|£10.70", "Receipt no. 51/2210", "Thank you for visiting")}}, nil)
	if got[0].Segment.Type != dossier.DocReceipt {
		t.Errorf("read as %s", got[0].Segment.Type)
	}
}

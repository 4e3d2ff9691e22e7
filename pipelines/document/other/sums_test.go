package other_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// Of the sums of an invoice the total is what the items cost with their taxes: not how many there are, not what is left
// to pay, and not what it is without taxes.
func TestInvoice_sums(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  any
	}{
		"how many and how much": {[]string{"Description|Quantity|Amount", "Grey fabric|1,200 mtr|105,600.00", "Total|1,200 mtr|110,880.00"}, "110880.00"},
		"paid in part":          {[]string{"Activity|Qty|Amount", "Menus|12|1,320.00", "TOTAL||1,412.40", "PAYMENT||400.00", "BALANCE DUE||$1,012.40"}, "1412.40"},
		"without its taxes":     {[]string{"Artigo|Qtd.|Valor", "Porta|8|2.480,00", "Total Ilíquido||2.840,00", "Total IVA||653,20", "Total (EUR)||3.493,20"}, "3493.20"},
		"end of a German one":   {[]string{"Menge|Leistung|Gesamtpreis", "14 h|Heckenschnitt|588,00", "Summe netto||658,00", "Endsumme||783,02 EUR"}, "783.02"},
	} {
		t.Run(name, func(t *testing.T) {
			doc := readtest.Lines(t, append([]string{"Alder & Finch Ltd|Tax Invoice", "Invoice No.: AF-2291", "Invoice Date: 04/02/2024", "Bill To"}, c.lines...)...)
			if doc.DocType != dossier.DocInvoice {
				t.Fatalf("read as %s", doc.DocType)
			}
			readtest.WantFacts(t, doc.Facts.Other, map[string]any{"total": c.want})
		})
	}
}

// Who sends an invoice has its numbers and its telephone below its address; who is written to has neither.
func TestInvoice_sender(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  any
	}{
		"below who pays": {[]string{"Invoice", "Invoice Number AF-2291", "Alder Roofing Ltd", "Attention: Accounts", "Mill Lane", "Hebden HX7 8AA", "",
			"Finch Slate Works", "4 Station Yard", "Hebden HX7 5AB", "Tel. 01632 960118"}, "Finch Slate Works"},
		"nobody says it": {[]string{"Invoice", "Invoice Number AF-2291", "Alder Roofing Ltd", "Attention: Accounts", "4 Mill Lane", "Hebden HX7 8AA"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			doc := readtest.Lines(t, append(c.lines, "Description|Quantity|Unit Price|Amount", "Slate|12|1.85|22.20", "Subtotal|||22.20", "Total|||22.20")...)
			if doc.DocType != dossier.DocInvoice {
				t.Fatalf("read as %s", doc.DocType)
			}
			readtest.WantFacts(t, doc.Facts.Other, map[string]any{"issuer": c.want})
		})
	}
}

// Whose bill it is stands above an address, below the name of who sends it; the sum may be captioned with its day.
func TestUtilityBill_customerAndDay(t *testing.T) {
	doc := readtest.Lines(t, "Brook Hydro", "Statement date: January 9, 2024", "Odile P Wren", "44 Sparrow Cres", "Nepean ON K2G 4B8", "Your electricity charges",
		"Usage|412 kWh", "Total Amount Due Jan 30|$118.44")
	if doc.DocType != dossier.DocUtilityBill {
		t.Fatalf("read as %s", doc.DocType)
	}
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"name": "Odile P Wren", "statementDate": "2024-01-09", "amountDue": "118.44"})
}

// The shop's name stands above the only address of a slip; what was paid includes what was given beside the total.
func TestReceipt_shopAndTip(t *testing.T) {
	doc := readtest.Lines(t, "Copper Wren Cafe", "19 Main Street", "Lenox, MA 01240", "Receipt", "05/19/2024 12:41 PM", "Subtotal|32.75", "Tax|2.29", "Total|35.04", "Tip|7.00",
		"Amount Paid|42.04", "Thank you")
	if doc.DocType != dossier.DocReceipt {
		t.Fatalf("read as %s", doc.DocType)
	}
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"merchant": "Copper Wren Cafe", "date": "2024-05-19", "total": "35.04"})
}

// A person's number stands before the name; a town is no company; the only day of a slip without a period is that of pay.
func TestPayStub_personNumberTownAndDay(t *testing.T) {
	doc := readtest.Lines(t, "PAYSLIP", "Employee: 0441 Odile Wren", "Date: 31/10/2023", "Employer", "Norfolk, VA 23510", "Total Payments|2,001.87", "Net Pay|1,616.52")
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"employee": "Odile Wren", "company": nil, "payDate": "2023-10-31", "totalEarnings": "2001.87", "netPay": "1616.52"})
}

// A value that begins left of its caption is the whole cell, and not the end of a name.
func TestPayStub_nameLeftOfItsCaption(t *testing.T) {
	doc := readtest.Lines(t, "Recibo de Pagamento de Salário", "Código 118 Nome do Funcionário", "ODILE ANTONIA WREN", "Total de Vencimentos|3.044,32", "Valor Líquido|2.615,18")
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"employee": "ODILE ANTONIA WREN", "totalEarnings": "3044.32", "netPay": "2615.18"})
}

// Bills of Italy and the Netherlands, and a stub whose check is made out to somebody.
func TestOther_daysOfBillsAndWhoIsPaid(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  map[string]any
	}{
		"Italian bill": {[]string{"Bolletta energia elettrica", "Data emissione 08/03/2024", "Scadenza 28/03/2024", "Spesa per la materia energia|48,20 €", "IVA|29,13 €", "Totale da pagare|77,33 €"},
			map[string]any{"statementDate": "2024-03-08", "dueDate": "2024-03-28", "amountDue": "77.33"}},
		"Dutch bill": {[]string{"Jaarnota water", "Notadatum 14-02-2024", "Vervaldatum 28-02-2024", "Meterstand 1204", "Verbruik 92 m3|118,40", "Te betalen|€ 31,38"},
			map[string]any{"statementDate": "2024-02-14", "dueDate": "2024-02-28", "amountDue": "31.38"}},
		"order of": {[]string{"Earnings Statement", "Check Date: 06/14/2024", "To the order of: Odile P Wren", "44 Avenue D", "Gross Pay|1,440.00", "Net Pay|1,241.72"},
			map[string]any{"employee": "Odile P Wren", "payDate": "2024-06-14", "totalEarnings": "1440.00"}},
	} {
		t.Run(name, func(t *testing.T) {
			readtest.WantFacts(t, readtest.Lines(t, c.lines...).Facts.Other, c.want)
		})
	}
}

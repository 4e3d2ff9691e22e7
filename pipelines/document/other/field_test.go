package other_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// The heads of one row say which of the sums are of the year.
func TestPayStub_sumsInOneRow(t *testing.T) {
	doc := readtest.Lines(t, "EARNINGS STATEMENT", "Employee name|Pay date", "Marguerite Oakshott|02/23/2024", "YTD GROSS|YTD DEDUCTIONS|YTD NET PAY|CURRENT TOTAL|DEDUCTIONS|NET PAY",
		"5,925.00|869.61|5,055.39|1,481.25|217.41|1,263.84")
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"totalEarnings": "1481.25", "totalEarningsYtd": "5925.00", "netPay": "1263.84"})
}

// Hours stand before the amount in the row of the gross pay; the row of another table stands beside that of the net pay.
func TestPayStub_twoTables(t *testing.T) {
	doc := readtest.Lines(t, "PAY STATEMENT", "PERSONAL INFORMATION|EARNINGS|HOURS|THIS PERIOD ($)|YTD ($)", "Desmond Pell|Hourly|80.00|1,760.00|8,800.00",
		"41 Turnstone Street|Gross Earnings|83.00|1,859.00|9,163.00", "||WITHHOLDINGS|THIS PERIOD ($)|YTD ($)", "NET PAY||OH Income Tax|58.48|288.02",
		"NET PAY|||THIS PERIOD ($)|YTD ($)", "|||1,495.10|7,367.86", "Payrolls by Quillstone Payroll Inc", "Fennimore Glass Inc|18 Sandbar Road|Brackwater OH 44099")
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"totalEarnings": "1859.00", "totalEarningsYtd": "9163.00", "netPay": "1495.10",
		"employee": "Desmond Pell", "company": "Fennimore Glass Inc"})
}

func TestInvoice_numberByTheTitle(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  any
	}{
		"behind it":      {[]string{"FATTURA N. 118/2024 del 22/04/2024", "Totale fattura|968,68"}, "118/2024"},
		"below it":       {[]string{"Lago E.I.R.L.|FACTURA ELECTRONICA", "|F001-00004417", "Moneda|SOLES", "Importe Total|424.80"}, "F001-00004417"},
		"marked below":   {[]string{"Lago Limitada|FACTURA ELECTRONICA", "|No. 18442", "TOTAL|451.962"}, "18442"},
		"a code is none": {[]string{"Factura", "Clave|Cantidad", "30102400|10.00", "Total|2,436.00"}, nil},
		"a date is none": {[]string{"Invoice", "02/03/2024", "Total|2,436.00"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			doc := readtest.Lines(t, append(c.lines, "Cantidad|Precio|Importe", "IVA|base imponible")...)
			if doc.DocType != dossier.DocInvoice {
				t.Fatalf("read as %s", doc.DocType)
			}
			readtest.WantFacts(t, doc.Facts.Other, map[string]any{"number": c.want})
		})
	}
}

// Two days in the head decide nothing; a day that is due is not the invoice's.
func TestInvoice_dayWithoutCaption(t *testing.T) {
	for line, want := range map[string]any{"Beispielstadt, 03.06.2024": "2024-06-03", "03.06.2024|07.06.2024": nil, "Zahlbar bis 17.06.2024": nil} {
		doc := readtest.Lines(t, "Rechnung Nr. 2024-31", line, "Leistung|Menge|Betrag", "Lektorat|4|220,00", "Rechnungsbetrag|1.692,00 EUR", "MwSt|0,00")
		readtest.WantFacts(t, doc.Facts.Other, map[string]any{"number": "2024-31", "date": want})
	}
}

// A number beside the title is the invoice's when it stands alone in its cell; the street below the title is none.
func TestInvoice_numberBesideTheTitle(t *testing.T) {
	for line, want := range map[string]any{"Cobble Lane Joiners LLC|Invoice # 004418": "004418", "Cobble Lane Joiners LLC|INVOICE": nil} {
		doc := readtest.Lines(t, line, "2200 Northeast Road", "Invoice Date 06/03/2024", "Bill To", "Item|Qty|Rate|Amount", "Letters|1.00|2,900.00|2,900.00", "||Total|$2,900.00")
		if doc.DocType != dossier.DocInvoice {
			t.Fatalf("read as %s", doc.DocType)
		}
		readtest.WantFacts(t, doc.Facts.Other, map[string]any{"number": want, "total": "2900.00"})
	}
}

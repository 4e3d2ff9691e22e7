package bank_test

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/bank"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// narrow is a statement whose cells are too narrow for what they hold: captions, the period and the days of the entries
// go on in the line below, beside other cells.
func narrow() text.Page {
	var w []text.Token
	put := func(x, y float64, words ...string) {
		for _, s := range words {
			w = append(w, text.Token{Page: 1, X0: x, Y0: y, X1: x + 5*float64(len(s)), Y1: y + 10, Text: s, Confidence: 1,
				Method: text.MethodText})
			x += 5*float64(len(s)) + 3
		}
	}
	put(30, 20, "Alder", "Vale", "Mutual")
	for i := range w { // in larger type
		w[i].Y1 += 2
	}
	put(30, 60, "MARTIN", "HOLLOWAY")
	put(30, 72, "12", "ELM", "ROAD")
	put(30, 84, "DURHAM", "DH1", "1AA")
	put(330, 60, "Sort", "code", "07-44-19")
	put(330, 76, "Account")
	put(430, 82, "30118874")
	put(330, 88, "number")
	put(330, 104, "Statement")
	put(430, 104, "5", "February", "2024", "to", "4")
	put(330, 116, "period")
	put(430, 116, "March", "2024")
	put(30, 150, "Start", "balance")
	put(300, 150, "£1,000.00")
	put(30, 166, "End", "balance")
	put(300, 166, "£1,080.00")
	put(30, 200, "Date")
	put(80, 200, "Description")
	put(300, 200, "Paid", "out") // heads so close together that they seem one
	put(343, 200, "Paid", "in")
	put(381, 200, "Balance")
	for i, r := range [][4]string{{"07", "GROCER", "20.00", "980.00"}, {"12", "WORKS", "120.00", "1,100.00"}, {"19", "RENT", "15.00", "1,085.00"},
		{"28", "TRAM", "5.00", "1,080.00"}} {
		y := 220 + 26*float64(i)
		put(30, y, r[0])
		put(80, y, r[1])
		put(map[bool]float64{true: 376, false: 338}[r[1] == "WORKS"]-5*float64(len(r[2])), y, r[2])
		put(416-5*float64(len(r[3])), y, r[3])
		put(30, y+12, "Feb")
	}
	return text.Page{Number: 1, Width: 595, Height: 842, Layer: text.LayerText, Tokens: w}
}

// What a narrow cell breaks over two lines is read whole, and the branch's code is no account's number.
func TestBank_narrowCells(t *testing.T) {
	d := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerText, Pages: []text.Page{narrow()}}).Documents[0]
	f := d.Facts.Bank
	if f == nil {
		t.Fatalf("read as %s", d.DocType)
	}
	if got := documenttest.Shown(f.AccountNumber); got != "30118874" {
		t.Errorf("account number %s", got)
	}
	if got := documenttest.Shown(f.Institution); got != "Alder Vale Mutual" {
		t.Errorf("institution %s", got)
	}
	if start, end := documenttest.Shown(f.PeriodStart), documenttest.Shown(f.PeriodEnd); start != "2024-02-05" || end != "2024-03-04" {
		t.Errorf("period %s to %s", start, end)
	}
	if f.Transactions == nil || *f.Transactions != 4 || f.Entries[3].Date != "2024-02-28" {
		t.Errorf("entries %+v", f.Entries)
	}
}

// What stands beside, and what ends, the name of one who keeps accounts.
func TestBank_houses(t *testing.T) {
	for _, c := range []struct{ head, number, want string }{
		{"Issuer Meridian Prairie Bank, N.A.", "Account # Z40-118823", "nil"},
		{"CITIZENS BANK OF OWENSBORO", "Account # Z40-118823", "CITIZENS BANK OF OWENSBORO"},
	} {
		f := readtest.Lines(t, c.head, "", "BLUEGRASS DINER INC", "401 FREDERICA ST", "OWENSBORO KY 42301", "", c.number,
			"Statement Period 03/01/2024 - 03/31/2024", "Beginning Balance|$10.00", "Deposits|$5.00", "Withdrawals|$2.00", "Ending Balance|$13.00").Facts.Bank
		if f == nil || documenttest.Shown(f.AccountNumber) != "Z40-118823" || documenttest.Shown(f.Institution) != c.want {
			t.Errorf("%s: %+v", c.head, f)
		}
	}
}

// The caption of a sum heads no section: amounts without a sign are money in where others have a minus.
func TestBank_newestFirst(t *testing.T) {
	f := readtest.Lines(t, "Coral Bank", "Personal Account statement", "01/05/2024 - 31/05/2024", "Account number: 88120944", "Total outgoings|Total deposits", "",
		"Date|Description|(GBP) Amount|(GBP) Balance", "30/05/2024|CAFE|-49.95|565.68", "29/05/2024|WORKS SALARY|500.00|615.63",
		"24/05/2024|GROCER|-35.06|115.63", "17/05/2024|TRAM|-9.31|150.69").Facts.Bank
	if f == nil || f.OpeningBalance == nil || f.OpeningBalance.String() != "160.00" || f.ClosingBalance == nil || f.ClosingBalance.String() != "565.68" {
		t.Errorf("%+v", f)
	}
}

// An IBAN that its cell breaks is read whole; one that is cut off is none.
func TestAccountNumbers_brokenIBAN(t *testing.T) {
	for _, c := range []struct{ below, want string }{{"IBAN|0123 456", "AE07 0331 2345 6789 0123 456"}, {"Currency|AED", ""}} {
		lines := text.Segment{Pages: []text.Page{documenttest.Page("IBAN|AE07 0331 2345 6789", c.below)}}.Lines()
		got := ""
		if n := bank.AccountNumbers(lines); len(n) > 0 {
			got = n[0].Text
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// A period is told in two cells below one another, or as a month with its days behind it.
func TestBank_periodInWords(t *testing.T) {
	for _, c := range []struct {
		lines      []string
		start, end string
	}{
		{[]string{"From|16 January 2024", "To|15 February 2024"}, "2024-01-16", "2024-02-15"},
		{[]string{"Statement period September 2024 (September 01 - September 30)"}, "2024-09-01", "2024-09-30"},
	} {
		f := readtest.Lines(t, append([]string{"Kestrel Valley Bank", "Checking Account Statement", "Account number 118044172290"},
			append(c.lines, "", "Beginning Balance|$10.00", "Deposits|$5.00", "Withdrawals|$2.00", "Ending Balance|$13.00")...)...).Facts.Bank
		if f == nil || documenttest.Shown(f.PeriodStart) != c.start || documenttest.Shown(f.PeriodEnd) != c.end {
			t.Errorf("%v: %+v", c.lines, f)
		}
	}
}

// A statement of money on a telephone numbers its entries as receipts.
func TestBank_mobileMoney(t *testing.T) {
	d := readtest.Lines(t, "PESALINK STATEMENT", "Customer Name:|WANJIRU KAMAU", "Mobile Number:|254722004417",
		"Statement Period:|01 Feb 2024 - 29 Feb 2024", "", "Receipt No.|Completion Time|Details|Paid In|Withdrawn|Balance",
		"SBT0QX7K|2024-02-27|Pay Bill|0.00|-46.99|650.94", "SBT1QX7K|2024-02-21|Funds received|414.53|0.00|697.93", "SBT2QX7K|2024-02-09|Merchant|0.00|-81.49|283.40")
	f := d.Facts.Bank
	if f == nil || f.OpeningBalance == nil || f.OpeningBalance.String() != "364.89" || f.ClosingBalance == nil || f.ClosingBalance.String() != "650.94" {
		t.Errorf("%s: %+v", d.DocType, f)
	}
}

package bank_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/decode/office"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// extractCSV reads an export.
func extractCSV(t *testing.T, data string) dossier.ReadDocument {
	t.Helper()
	d, err := office.CSV([]byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return document.Extract(d).Documents[0]
}

// What the marks and the heads of an export say of its kind.
func TestLedger_kindsByMarksAndHeads(t *testing.T) {
	for _, c := range []struct {
		name, data string
		want       dossier.DocType
	}{
		{"a debit that is negative is no card's", "First Card Number,Transaction Type,Date Posted,Transaction Amount,Description\n" +
			"'5500',DEBIT,20240103,-42.10,GROCER\n'5500',CREDIT,20240115,1850.00,PAYROLL\n'5500',DEBIT,20240131,-1200.00,RENT\n",
			dossier.DocBankStatement},
		{"heads of columns are no titles", "Id,Date,Type,Name,Category,Amount,Currency,Notes,Receipt,Description,Money Out,Money In\n" +
			"t1,02/01/2024,Card,Grocer,Food,-24.10,GBP,,,GROCER LTD,-24.10,\nt2,15/01/2024,Transfer,Works,Income,1850.00,GBP,pay,,WORKS LTD,,1850.00\n",
			dossier.DocBankStatement},
		{"what is owed of bills is no running balance", "Invoice No,Invoice Date,Customer,Due Date,Amount,Balance Due,Status\n" +
			"1001,01/05/2024,Alder,02/04/2024,1200.00,0.00,Paid\n1002,01/15/2024,Birch,02/14/2024,950.00,950.00,Open\n",
			dossier.DocOther},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := extractCSV(t, c.data).DocType; got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// Dates of eight figures with the year last, and signs in a column of their own.
func TestLedger_yearLastInEightFigures(t *testing.T) {
	f := extractCSV(t, "Cuenta,Fecha,Descripcion,Cargo/Abono,Importe,Saldo\n"+
		"'6550,'03042024,DEPOSITO,+,15000.00,35500.00\n'6550,'28042024,COMISION,-,500.00,35000.00\n").Facts.Bank
	if f == nil || f.PeriodStart == nil || *f.PeriodStart != "2024-04-03" || *f.PeriodEnd != "2024-04-28" ||
		f.OpeningBalance.String() != "20500.00" {
		t.Errorf("%+v", f)
	}
}

// The period that a bank's file states for each of its accounts.
func TestLedger_periodOfSeveralAccounts(t *testing.T) {
	account := func(number string) string {
		return "<STMTRS><CURDEF>USD<BANKACCTFROM><BANKID>104000016<ACCTID>" + number + "<ACCTTYPE>CHECKING</BANKACCTFROM>" +
			"<BANKTRANLIST><DTSTART>20240401<DTEND>20240430<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20240405<TRNAMT>12.00<FITID>1" +
			"<NAME>DEPOSIT</STMTTRN></BANKTRANLIST><LEDGERBAL><BALAMT>38.00<DTASOF>20240430</LEDGERBAL></STMTRS>"
	}
	d, facts := readtest.Facts(t, []byte("OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1>"+account("771200341")+
		account("771200999")+"</BANKMSGSRSV1></OFX>"))
	if d.DocType != dossier.DocBankStatement || facts["periodStart"] != "2024-04-01" || facts["periodEnd"] != "2024-04-30" {
		t.Errorf("%s %v %v", d.DocType, facts["periodStart"], facts["periodEnd"])
	}
}

// Statements whose heads stand close together, over several lines, or below one another.
func TestBank_headsAndPeriods(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"a table of transactions is no summary", []string{"Fieldfare Bank|Business Account Statement", "May 1, 2024 to May 31, 2024|Account number: 06732 104-771-9",
			"Opening balance on May 1, 2024|$900.50", "Total deposits & credits (1)|+ 250.00", "Total cheques & debits (1)|- 50.25",
			"Closing balance on May 31, 2024|= $1,100.25", "Date Description|Cheques & Debits ($)|Deposits & Credits ($)|Balance ($)",
			"|Opening balance||900.50", "01 May e-Transfer||250.00|1,150.50", "30 May Regular fee|50.25||1,100.25"},
			"900.50 250.00 50.25 1100.25 2024-05-01"},
		{"the period of an analysis is another", []string{"Fieldfare Bank|Statement", "Account number 104418827", "Statement period 7/1/2024 - 7/31/2024",
			"Analysis Period: 06/01/24 - 06/30/24", "Beginning balance|900.50", "Deposits|250.00", "Withdrawals|50.25", "Ending balance|1,100.25"},
			"900.50 250.00 50.25 1100.25 2024-07-01"},
		{"a period whose days stand below each other", []string{"Fieldfare Bank|Business Statement", "Account number 104418827", "|Statement Period:", "|Jul 1, 2024", "|through",
			"|Jul 31, 2024", "Beginning balance|900.50", "Deposits|250.00", "Withdrawals|50.25", "Ending balance|1,100.25"},
			"900.50 250.00 50.25 1100.25 2024-07-01"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := readtest.Lines(t, c.lines...).Facts.Bank
			if f == nil {
				t.Fatal("no statement")
			}
			if got := fmt.Sprintln(f.OpeningBalance, f.TotalDeposits, f.TotalWithdrawals, f.ClosingBalance, deref(f.PeriodStart)); strings.TrimSpace(got) != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// placed is a page of words that end where columns of figures do: each line is words with their right edges.
func placed(rows ...[]text.Token) text.Page {
	p := text.Page{Number: 1, Width: 612, Height: 792, Layer: text.LayerText}
	for i, row := range rows {
		for _, w := range row {
			w.Page, w.Method, w.Confidence = 1, "text", 1
			w.Y0, w.Y1 = 40+16*float64(i), 50+16*float64(i)
			w.X0 = w.X1 - 5*float64(len([]rune(w.Text)))
			p.Tokens = append(p.Tokens, w)
		}
	}
	return p
}

func word(s string, right float64) text.Token { return text.Token{Text: s, X1: right} }

// Heads of a summary that end where the figures below them do, each close to the next.
func TestBank_summaryOfHeadsCloseTogether(t *testing.T) {
	e := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerText, Pages: []text.Page{placed(
		[]text.Token{word("Wagtail", 70), word("Bank", 95)},
		[]text.Token{word("IBAN", 60), word("IE64WAGT99036045512908", 175)},
		[]text.Token{word("Product", 75), word("Opening", 257), word("balance", 295), word("Money", 323), word("out", 341),
			word("Money", 369), word("in", 382), word("Closing", 420), word("balance", 458)},
		[]text.Token{word("Current", 75), word("Account", 113), word("€812.04", 295), word("€1,209.33", 341),
			word("€950.00", 382), word("€552.71", 458)},
		[]text.Token{word("Total", 65), word("€812.04", 295), word("€1,209.33", 341), word("€950.00", 382),
			word("€552.71", 458)},
	)}})
	f := e.Documents[0].Facts.Bank
	if f == nil || f.OpeningBalance == nil || f.TotalDeposits == nil {
		t.Fatalf("%s %+v", e.Documents[0].DocType, f)
	}
	if got := fmt.Sprintln(f.OpeningBalance, f.TotalDeposits, f.TotalWithdrawals, f.ClosingBalance); got != "812.04 950.00 1209.33 552.71\n" {
		t.Errorf("%s", got)
	}
}

// The last row of a table adds its columns up before it states the balance; what is brought forward may say of which
// statement.
func TestBank_lastRowAndForward(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"sums before the balance": {[]string{"Fieldfare Bank|Statement of Account", "Account number 03-0547-0188200-000", "Statement period 1 February 2024 to 29 February 2024",
			"Date|Withdrawals|Deposits|Balance", "1 Feb OPENING BALANCE|||8,204.11", "9 Feb Rimu||4,600.00|12,804.11", "20 Feb Rent|2,110.00||10,694.11",
			"29 Feb CLOSING BALANCE|2,110.00|4,600.00|10,694.11"}, "8204.11 10694.11"},
		"brought forward from a day's": {[]string{"Fieldfare Bank|Your statement", "Account number: 04471882|Sort code: 09-01-28",
			"Balance brought forward from 17th Mar Statement|1,204.18", "Total money in:|2,418.20", "Total money out:|1,988.44", "Closing balance|1,633.94"}, "1204.18 1633.94"},
	} {
		t.Run(name, func(t *testing.T) {
			f := readtest.Lines(t, c.lines...).Facts.Bank
			if f == nil {
				t.Fatal("no statement")
			}
			if got := fmt.Sprint(f.OpeningBalance, " ", f.ClosingBalance); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// Columns of an export that two programs wrote, and a card that only some of the entries were paid with.
func TestLedger_twoMarksAndSomeCards(t *testing.T) {
	f := extractCSV(t, "dateOp;label;amount;accountNum;accountbalance\n2024-04-29;VIR SEPA ATELIERS;\"1 887,34\";00040447188;418.22\n"+
		"2024-04-15;CARTE CARREFOUR;-84,20;00040447188;418.22\n2024-04-03;PRLV SEPA EDF;-139,49;00040447188;418.22\n").Facts.Bank
	if f == nil || f.TotalDeposits.String() != "1887.34" || f.TotalWithdrawals.String() != "223.69" {
		t.Errorf("%+v", f)
	}
	doc := extractCSV(t, "Date,Description,Amount,Status,Last Four Digits,Name On Card\n04-29-2024,Stripe,18204.11,Sent,,\n"+
		"04-15-2024,Gusto,-9118.20,Sent,,\n04-03-2024,Hosting,-1204.77,Sent,4410,Odile Wren\n")
	if doc.DocType != dossier.DocBankStatement {
		t.Errorf("read as %s", doc.DocType)
	}
}

// Columns of what goes to whose charge and to whose favour, as banks of Germany head them.
func TestBank_chargeAndFavour(t *testing.T) {
	f := readtest.Lines(t, "Fieldfare Bank|Kontoauszug Nr. 3 vom 28.03.2024", "IBAN DE89 3704 0044 0532 0130 00", "Angaben zu den Umsätzen|Valuta|zu Ihren Lasten|zu Ihren Gunsten",
		"Alter Kontostand vom 29.02.2024|||2.418,20", "Miete|01.03.|780,00-|", "Gehalt|27.03.||2.204,11", "Neuer Kontostand vom 28.03.2024|||3.842,31").Facts.Bank
	if f == nil || f.Reconciles == nil || !*f.Reconciles {
		t.Errorf("%+v", f)
	}
}

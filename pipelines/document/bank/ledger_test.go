package bank_test

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/decode/office"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
)

// exports are tables of transactions as banks' websites write them, and what must be read of each: the shapes that
// differ are headers, preambles, delimiters, line ends, signs and the order of rows.
var exports = []struct {
	name, text                      string
	entries                         int
	opening, closing, first, credit string // "" is null; first: amount of the first entry in the file
	start, end, currency            string
}{
	{"details, padded descriptions and a trailing comma", `Details,Posting Date,Description,Amount,Type,Balance,Check or Slip #
DEBIT,03/20/2024,"ONLINE PMT      TOWN WATER     WEB ID: 11",-20.00,MISC_DEBIT,180.00,,
CREDIT,03/18/2024,"TRANSFER   FROM   SAVINGS",150.00,ACCT_XFER,200.00,,
`, 2, "50.00", "180.00", "-20.00", "150.00", "2024-03-18", "2024-03-20", ""},
	{"summary above, running balance abbreviated", `Description,,Summary Amt.
Beginning balance as of 05/01/2024,,"1,000.00"
Total credits,,"500.00"
Total debits,,"-200.00"
Ending balance as of 05/31/2024,,"1,300.00"

Date,Description,Amount,Running Bal.
05/01/2024,Beginning balance as of 05/01/2024,,"1,000.00"
05/05/2024,"Counter Credit","500.00","1,500.00"
05/12/2024,"WIRE OUT","-200.00","1,300.00"
`, 2, "1000.00", "1300.00", "500.00", "500.00", "2024-05-01", "2024-05-31", ""},
	{"no header, signed amounts", `"03/20/2024","-20.00","*","","PURCHASE AUTHORIZED STORE"
"03/18/2024","150.00","*","","ONLINE TRANSFER"
"03/15/2024","-5.00","*","101","CHECK # 101"
`, 3, "", "", "-20.00", "150.00", "2024-03-15", "2024-03-20", ""},
	{"payments and deposits in columns of their own", "Date,Payee,Memo,Payment,Deposit,Balance\n03/18/24,ACME,,,150.00,200.00\n03/20/24,Water,,20.00,,180.00\n", 2, "50.00", "180.00", "150.00", "150.00", "2024-03-18", "2024-03-20", ""},
	{"old line ends", "Date,Description,Amount,Balance\r03/18/24,Transfer,150.00,200.00\r03/20/24,Water,-20.00,180.00\r", 2, "50.00", "180.00", "150.00", "150.00", "2024-03-18", "2024-03-20", ""},
	{"semicolons, decimal comma, two-digit years", `"Auftragskonto";"Buchungstag";"Valutadatum";"Verwendungszweck";"Betrag";"Waehrung"
"DE00123456780000000001";"04.11.20";"04.11.20";"STROM, GAS";"-24,14";"EUR"
`, 1, "", "", "-24.14", "0.00", "2020-11-04", "2020-11-04", "EUR"},
	{"apostrophes, French captions, two money columns", `Produit;Monn.;Description;Date de comptabilisation;Description 1;Débit;Crédit;Solde
0001 00000001;CHF;Compte;01.03.2024;Loyer;900.00;;10'100.00
0001 00000001;CHF;Compte;05.03.2024;Salaire;;4'000.00;14'100.00
`, 2, "11000.00", "14100.00", "-900.00", "4000.00", "2024-03-01", "2024-03-05", "CHF"},
	{"currency in the caption, constant account name", `"Booking Date","Value Date","Partner Name",Type,"Account Name","Amount (EUR)","Original Amount","Exchange Rate"
2024-03-07,,"Shop","Presentment","Main",-12.00,,
2024-03-08,,"Pay","Income","Main",328.00,,
`, 2, "", "", "-12.00", "328.00", "2024-03-07", "2024-03-08", "EUR"},
	{"times beside dates, fee and state columns", `Type,Product,Started Date,Completed Date,Description,Amount,Fee,Currency,State,Balance
CARD_PAYMENT,Current,2024-10-02 10:00:00,2024-10-03 08:00:00,Grocer,-10.00,0.00,GBP,COMPLETED,90.00
TOPUP,Current,2024-10-05 10:00:00,2024-10-05 10:00:01,Top-Up,50.00,0.00,GBP,COMPLETED,140.00
`, 2, "100.00", "140.00", "-10.00", "50.00", "2024-10-02", "2024-10-05", "GBP"},
	{"rows in no order", `date,desc,amount,balance
24/03/2022,uno,2.00,102.00
31/12/2022,tres,1.00,318.00
14/05/2022,dos,-17.00,852.00
`, 3, "100.00", "318.00", "2.00", "3.00", "2022-03-24", "2022-12-31", ""},
	{"blank lines and rows of several lengths", "\n\n\nAccount Details For:,Savings Plus\nLedger Balance:,132.14\n\nTransaction Date,Reference,Debit Amount,Credit Amount,Transaction Ref1,Transaction Ref2\n\n06 May 2024,MST, 34.65, ,GROCER,46,,\n06 May 2024,ICT, , 50.00,SALARY,,,,\n05 May 2024,ITR, 7.50, ,TOP-UP,X,,\n03 May 2024,AWL, 5.00, ,ATM,,,\n\n",
		4, "", "132.14", "-34.65", "50.00", "2024-05-03", "2024-05-06", ""},
}

func TestLedger_exports(t *testing.T) {
	for _, e := range exports {
		t.Run(e.name, func(t *testing.T) {
			if got := decode.Sniff([]byte(e.text)); got != decode.MIMECSV {
				t.Fatalf("sniffed %s", got)
			}
			d, err := office.CSV([]byte(e.text))
			if err != nil {
				t.Fatal(err)
			}
			read := document.Extract(d).Documents
			if len(read) != 1 || read[0].FieldType != dossier.FieldBankStatement {
				t.Fatalf("read as %+v", read)
			}
			f := read[0].Facts.Bank
			if len(f.Entries) != e.entries || f.Entries[0].Amount.String() != e.first {
				t.Errorf("entries %+v, want %d from %s", f.Entries, e.entries, e.first)
			}
			for what, pair := range map[string][2]string{
				"opening": {printedAmount(f.OpeningBalance), e.opening}, "closing": {printedAmount(f.ClosingBalance), e.closing},
				"deposits": {printedAmount(f.TotalDeposits), e.credit}, "currency": {documenttest.OrEmpty(f.Currency), e.currency},
				"start": {documenttest.OrEmpty(f.PeriodStart), e.start}, "end": {documenttest.OrEmpty(f.PeriodEnd), e.end},
			} {
				if pair[0] != pair[1] {
					t.Errorf("%s is %q, want %q", what, pair[0], pair[1])
				}
			}
		})
	}
}

func printedAmount(a *dossier.Amount) string {
	if a == nil {
		return ""
	}
	return a.String()
}

// Tables with dates and amounts that no bank wrote.
func TestLedger_lookalikes(t *testing.T) {
	for name, text := range map[string]string{
		"card":               "Transaction Date,Posted Date,Card No.,Description,Category,Debit,Credit\n2024-12-31,2025-01-02,1234,Air,Travel,10.00,\n2024-12-30,2025-01-02,1234,Paid,Payment,,10.00\n",
		"card of a family":   "Status,Date,Description,Debit,Credit,Member Name\nCleared,01/02/2024,Shop,10.00,,A B\nCleared,01/03/2024,Paid,,10.00,A B\n",
		"broker":             "Date,Action,Symbol,Description,Quantity,Price,Amount\n01/02/2024,Buy,ABC,ABC CORP,10,1.00,-10.00\n01/03/2024,Sell,ABC,ABC CORP,10,2.00,20.00\n",
		"journal":            "JournalNumber,JournalDate,AccountName,NetAmount,Description\n1,23-Jan-24,Income,-36000,Sale\n1,23-Jan-24,Cash,36000,Sale\n",
		"processor":          "Date,Name,Type,Status,Currency,Gross,Fee,Net,Balance\n01/02/2024,A,Payment,Completed,USD,10.00,-1.00,9.00,9.00\n01/03/2024,B,Payment,Completed,USD,10.00,-1.00,9.00,18.00\n",
		"household accounts": "Date,Description,Amount,Transaction Type,Category,Account Name\n6/12/24,Move,10.00,debit,Transfer,Savings\n6/13/24,Move,10.00,credit,Transfer,Checking\n",
		"orders":             "order id,items,date,total,tax\n1,Lamp,2024-12-20,4.22,0.24\n2,Bulb,2024-12-20,7.42,0.42\n",
		"payroll":            "Pay Date,Employee,Gross Amount,Net Amount,Balance\n01/02/2024,A B,10.00,8.00,8.00\n01/02/2024,C D,10.00,8.00,16.00\n",
	} {
		d, err := office.CSV([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		for _, read := range document.Extract(d).Documents {
			if read.FieldType != dossier.FieldFile {
				t.Errorf("%s: taken for %s by %s", name, read.DocType, strings.Join(read.Evidence, "; "))
			}
		}
	}
}

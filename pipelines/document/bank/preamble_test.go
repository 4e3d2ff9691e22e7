package bank_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/decode/office"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// spokenPreamble is an export whose preamble is sentences in single cells, above few rows and without running balances.
const spokenPreamble = `Created date / time : 07 March 2019 / 09:15:42
Bank 38; Branch 9001; Account 0044117-02 (Everyday)
From date 20190301
To date 20190306
Avail Bal : 2210.40 as of 20190305
Ledger Balance : 2310.40 as of 20190306
Date,Unique Id,Tran Type,Cheque Number,Payee,Memo,Amount

`

func TestLedger_preambleOfSentences(t *testing.T) {
	deposits := map[string]string{"two rows": "310.40", "one row": "310.40", "one row, without cents": "310.00"}
	for name, rows := range map[string]string{
		"two rows":               "2019/03/04,2019030401,D/C,,\"D/C FROM HARAKEKE CRAFTS\",\"Invoice 12\",310.40\n2019/03/05,2019030501,EFTPOS,,\"TOTARA FUELS\",\"Pump 4\",-60.00\n",
		"one row, without cents": "2019/03/04,2019030401,D/C,,\"D/C FROM HARAKEKE, LTD\",,310\n",
		"one row":                "2019/03/04,2019030401,D/C,,\"D/C FROM HARAKEKE CRAFTS\",\"Invoice 12\",310.40\n",
	} {
		if got := decode.Sniff([]byte(spokenPreamble + rows)); got != decode.MIMECSV {
			t.Fatalf("%s: sniffed %s", name, got)
		}
		d, err := office.CSV([]byte(spokenPreamble + rows))
		if err != nil {
			t.Fatal(err)
		}
		read := document.Extract(d).Documents
		if len(read) != 1 || read[0].FieldType != dossier.FieldBankStatement {
			t.Errorf("%s: read as %+v", name, read)
			continue
		}
		f := read[0].Facts.Bank
		for what, pair := range map[string][2]string{
			"start": {documenttest.OrEmpty(f.PeriodStart), "2019-03-01"}, "end": {documenttest.OrEmpty(f.PeriodEnd), "2019-03-06"},
			"account": {documenttest.OrEmpty(f.AccountNumber), "0044117-02"}, "currency": {documenttest.OrEmpty(f.Currency), "NZD"},
			"available": {printedAmount(f.AvailableBalance), "2210.40"}, "closing": {printedAmount(f.ClosingBalance), "2310.40"},
			"deposits": {printedAmount(f.TotalDeposits), deposits[name]},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%s: %s is %q, want %q", name, what, pair[0], pair[1])
			}
		}
		if read[0].Derived["/currency"] == "" {
			t.Errorf("%s: the currency's reason is missing", name)
		}
	}
}

// A line of the preamble says when the export was made, in one cell.
func TestLedger_whenItWasMade(t *testing.T) {
	for made, want := range map[string]string{"Created date / time : 12 March 2024 / 14:05:22": "2024-03-12", "Generated On : 2024-04-02": "2024-04-02"} {
		_, facts := readtest.Facts(t, []byte(made+"\nFrom date 2024-02-01\nTo date 2024-02-29\n\nDate,Payee,Memo,Amount\n"+
			"2024/02/01,MERIDIAN ENERGY,POWER,-142.10\n2024/02/15,KAURI BUILDERS LTD,WAGES,2104.55\n2024/02/28,COUNTDOWN,CARD 4471,-88.21\n"))
		readtest.WantFacts(t, facts, map[string]any{"statementDate": want, "periodStart": "2024-02-01", "periodEnd": "2024-02-29"})
	}
}

// Two days that may each be a month are in the order of the country whose money the file is in.
func TestLedger_orderOfTheMoney(t *testing.T) {
	for preamble, want := range map[string]string{"Currency : EUR": "2024-04-01", "Currency : USD": "2024-01-04"} {
		_, facts := readtest.Facts(t, []byte(preamble+"\n\nDate,Label,Debit,Credit\n01/04/24,Huur garage,-50.00,\n01/04/24,Kantoor,-100.00,\n02/04/24,Klant,,1300.00\n"))
		readtest.WantFacts(t, facts, map[string]any{"periodStart": want})
	}
}

// The preamble of an export names the holder beside words of several kinds; what is no name is none there either.
func TestLedger_holder(t *testing.T) {
	const rows = "\nIBAN,DE89370400440532013000\nCurrency,EUR\n\nDate,Description,Amount,Balance\n" +
		"02/03/2024,Invoice 11,250.00,1250.00\n04/03/2024,Rent,-400.00,850.00\n15/03/2024,Invoice 12,100.00,950.00\n"
	want := map[string]string{"Owner,Equity": "", "Customer,0044117": "", "Client,yes": ""}
	for _, caption := range []string{"Account Owner", "Owner:", "Account Holder Name", "Name of the account holder", "Inhaber",
		"Client", "Company Name", "Business Name", "Kontoinhaber"} {
		want[caption+",Marlow Timber GmbH"] = "Marlow Timber GmbH"
	}
	for head, name := range want {
		d, err := office.CSV([]byte(head + rows))
		if err != nil {
			t.Fatal(err)
		}
		read := document.Extract(d).Documents
		if len(read) != 1 || read[0].Facts.Bank == nil {
			t.Fatalf("%s: read as %+v", head, read)
		}
		if got := documenttest.OrEmpty(read[0].Facts.Bank.AccountHolder); got != name {
			t.Errorf("%s: the holder is %q, want %q", head, got, name)
		}
	}
}

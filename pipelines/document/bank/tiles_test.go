package bank_test

import (
	"encoding/json"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// Summaries in forms of their own: figures above what they are, counts under heads of their own, one caption of two
// totals, a rate left of a caption, a balance in the customer's favour.
func TestBank_summariesInTheirOwnForms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		lines []string
		want  map[string]any
	}{
		{"figures above their captions", []string{"Fieldfare Bank|£402.10", "Current account statement|Personal account balance", "01/03/2024 - 31/03/2024",
			"Rosa Quill|-£310.00", "12 Orchard Lane|Total outgoings", "Malvern|+£500.00", "WR14 4XX|Total deposits", "Sort code: 00-11-22", "Account number: 48210077",
			"Date|Description|(GBP) Amount|(GBP) Balance", "28/03/2024|Rent|-310.00|402.10", "04/03/2024|Salary|500.00|712.10"},
			map[string]any{"closingBalance": "402.10", "totalDeposits": "500.00", "totalWithdrawals": "310.00", "accountNumber": "48210077"}},
		{"counts under heads of their own", []string{"Fieldfare Bank Limited|Account No : 50100244719082", "Statement From : 01/03/2024 To : 31/03/2024|Currency : INR",
			"Date|Narration|Withdrawal Amt.|Deposit Amt.|Closing Balance", "04/03/24|NEFT CR||700.00|1,700.00", "09/03/24|ATM WDL|200.00||1,500.00", "11/03/24|UPI GROCER|100.00||1,400.00",
			"STATEMENT SUMMARY :-", "Opening Balance|Dr Count|Cr Count|Debits|Credits|Closing Bal", "1,000.00|2|1|300.00|700.00|1,400.00"},
			map[string]any{"openingBalance": "1000.00", "withdrawalCount": 2.0, "depositCount": 1.0, "totalDebits": "300.00", "totalCredits": "700.00"}},
		{"one caption of two totals", []string{"Fieldfare Bank Singapore|STATEMENT OF ACCOUNT", "Statement period 1 Mar 2024 to 31 Mar 2024", "Account No. 687-412209-001",
			"Date|Description|Paid|Got|Balance", "BALANCE B/F||||1,000.00", "04 MAR|GIRO SALARY||700.00|1,700.00", "09 MAR|NETS|200.00||1,500.00", "BALANCE C/F||||1,500.00",
			"Total Withdrawals/Deposits||200.00|700.00"},
			map[string]any{"totalWithdrawals": "200.00", "totalDeposits": "700.00", "reconciles": true}},
		{"a rate left of the caption", []string{"Banco del Alcaraván|Estado de Cuenta", "Periodo|DEL 11/02/2024 AL 10/03/2024", "No. de Cuenta|0114220987", "MONEDA NACIONAL",
			"Saldo Promedio|13,004.10|Saldo Anterior||14,000.00", "Días del Periodo|29|Depósitos / Abonos (+)|4|2,000.00", "Tasa Bruta Anual|0.000 % Retiros / Cargos (-)|6|1,500.00",
			"Intereses a Favor (+)|0.00|Saldo Final||14,500.00"},
			map[string]any{"totalDeposits": "2000.00", "totalWithdrawals": "1500.00", "depositCount": 4.0, "withdrawalCount": 6.0}},
		{"in the customer's favour", []string{"SpareBank Lomvi|Kontoutskrift nr. 3", "Konto 4516.12.34567|For perioden 01.03.2024 - 31.03.2024", "Forklaring|Bokført|Ut av konto|Inn på konto",
			"Saldo fra kontoutskrift 29.02.2024|||205,40", "Innbetaling|07.03||930,80", "Omkostninger|08.03|78,60|", "Saldo i Deres favør|||1 057,60"},
			map[string]any{"institution": "SpareBank Lomvi", "openingBalance": "205.40", "closingBalance": "1057.60", "reconciles": true}},
		{"charges beside the balance", []string{"Lomvi Bank|Gold Business Account : 62412207733", "Tax Invoice/Statement Number : 41|Statement Period : 28 February 2024 to 28 March 2024",
			"Opening Balance|5,000.00Cr", "Closing Balance|5,200.00Cr", "Transactions in RAND (ZAR)", "Date|Description|Amount|Balance|Accrued Bank Charges",
			"02 Mar|Credit Works|300.00Cr|5,300.00Cr|", "05 Mar|POS Purchase Grocer|100.00|5,200.00Cr|3.68"},
			map[string]any{"openingBalance": "5000.00", "closingBalance": "5200.00", "reconciles": true, "currency": "ZAR"}},
		{"the zone of the days", []string{"EUR statement", "1 February 2024 [GMT+01:00] - 29 February 2024 [GMT+01:00]", "Account Holder|IBAN", "Rosa Quill|BE68 5390 0754 7034",
			"EUR on 29 February 2024|400.00 EUR", "Description|Incoming|Outgoing|Amount", "Paid by card|300.00||400.00"},
			map[string]any{"periodStart": "2024-02-01", "periodEnd": "2024-02-29", "closingBalance": "400.00"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := readtest.Lines(t, c.lines...)
			if doc.DocType != dossier.DocBankStatement {
				t.Fatalf("read as %s: %v", doc.DocType, doc.Evidence)
			}
			facts := plainFacts(t, doc)
			for key, want := range c.want {
				if got := facts[key]; got != want {
					t.Errorf("%s: %v, want %v", key, got, want)
				}
			}
		})
	}
}

func plainFacts(t *testing.T, doc dossier.ReadDocument) map[string]any {
	t.Helper()
	raw, err := json.Marshal(doc.Facts)
	if err != nil {
		t.Fatal(err)
	}
	var facts map[string]any
	if err := json.Unmarshal(raw, &facts); err != nil {
		t.Fatal(err)
	}
	return facts
}

// Numbers of accounts: with the letters of a share, broken behind a hyphen, of two accounts under one number; a figure
// below a caption and the title of the statement are none.
func TestBank_numbersOfAccounts(t *testing.T) {
	t.Parallel()
	_, facts := readtest.Facts(t, []byte("OFXHEADER:100\nDATA:OFXSGML\nVERSION:102\n\n<OFX><BANKMSGSRSV1><STMTTRNRS><STMTRS><CURDEF>USD"+
		"<BANKACCTFROM><BANKID>211384214<ACCTID>441209-S70<ACCTTYPE>CHECKING</BANKACCTFROM><BANKTRANLIST><DTSTART>20240401<DTEND>20240430"+
		"<STMTTRN><TRNTYPE>CREDIT<DTPOSTED>20240405<TRNAMT>12.00<FITID>1<NAME>DEPOSIT</STMTTRN></BANKTRANLIST></STMTRS></STMTTRNRS></BANKMSGSRSV1></OFX>"))
	if facts["accountNumber"] != "441209-S70" {
		t.Errorf("of an export: %v", facts["accountNumber"])
	}
	for _, c := range []struct{ want, head, below string }{
		{"6231-4471902", "Fieldfare Bank|Branch No. 0417 Account No. 6231-", "Rosa Quill|4471902"},
		{"BE71 0961 2345 6769", "Fieldfare Bank|Compte BE71 0961 2345 6769 EUR", "Rosa Quill"},
		{"48210077", "Statement of Account|Current account: 48210077", "91120034|Chequing"},
	} {
		doc := readtest.Lines(t, c.head, c.below, "Statement period 03/01/2024 - 03/31/2024", "Beginning balance|$100.00", "Deposits|$50.00", "Withdrawals|$30.00",
			"Ending balance|$120.00")
		if got := plainFacts(t, doc)["accountNumber"]; got != c.want {
			t.Errorf("%v, want %s", got, c.want)
		}
	}
}

package bank_test

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// A bare dollar sign is that of the country whose forms the statement prints, of numbers and of addresses.
func TestBankStatement_whoseDollar(t *testing.T) {
	for name, tt := range map[string]struct{ head, currency string }{
		"account form":    {"Account number|38-9001-0044117-02", "NZD"},
		"GST number":      {"Account number|0044117002\nGST Reg No. 51-223-118", "NZD"},
		"state":           {"Account number|004411702\n12 Wattle Street\nRICHMOND VIC 3121", "AUD"},
		"Canadian postal": {"Account number|004411702\n12 Spruce Street\nHALIFAX, NS B3H 1A1", "CAD"},
		"American":        {"Account number|004411702\n12 Elm Street\nSPRINGFIELD, IL 62701\nCall +64 9 555 0100 from abroad", "USD"},
	} {
		t.Run(name, func(t *testing.T) {
			d, facts := readtest.Facts(t, documenttest.TextPDF(t, "Kowhai Savings Bank Limited\nAccount statement\n"+tt.head+
				"\nStatement period|1 March 2024 - 31 March 2024\nOpening balance|$1,000.00\nTotal deposits|$250.50\nTotal withdrawals|$100.25\nClosing balance|$1,150.25"))
			readtest.WantFacts(t, facts, map[string]any{"currency": tt.currency})
			if tt.currency != "USD" && d.Derived["/currency"] == "" {
				t.Error("the reason is missing")
			}
		})
	}
}

// The summary of a business account with the counts before the captions and the signs beside the amounts.
func TestBankStatement_countsBeforeCaptions(t *testing.T) {
	_, facts := readtest.Facts(t, documenttest.TextPDF(t, `Member FDIC
Commercial Checking|Account number|004411702
Statement period|03/01/2024 - 03/31/2024
Account summary
Beginning balance|$1,204.10 -
53 Deposits/credits|+|96,106.34
112 Checks/debits|-|95,004.11
Service charge|-|15.00
Ending balance|$116.87 -
www.alderbank.com
Deposits
03/04/2024|Deposit|900.00`))
	readtest.WantFacts(t, facts, map[string]any{
		"openingBalance": "-1204.10", "closingBalance": "-116.87", "totalDeposits": "96106.34", "depositCount": 53.0,
		"reconciles": true,
	})
}

// What a statement prints stays, whether it foots or not.
func TestBankStatement_keepsPrintedTotals(t *testing.T) {
	_, facts := readtest.Facts(t, documenttest.TextPDF(t, `Alder Valley Bank
Statement period|03/01/2024 - 03/31/2024
Beginning balance|$1,000.00
12 Deposits/credits|+ 400.00
9 Checks/debits|- 300.00
Ending balance|$1,234.00`))
	readtest.WantFacts(t, facts, map[string]any{
		"openingBalance": "1000.00", "closingBalance": "1234.00", "totalDeposits": "400.00", "totalWithdrawals": "300.00",
		"depositCount": 12.0, "withdrawalCount": 9.0, "reconciles": false,
	})
}

// A bank that prints its name only in the address of its site, or beside the words about its insurance.
func TestBankStatement_institutionInFoot(t *testing.T) {
	for foot, want := range map[string]string{"Visit www.alderwoodbank.com": "Alderwood Bank", "Alderwood, Member FDIC": "Alderwood"} {
		_, facts := readtest.Facts(t, documenttest.TextPDF(t, "Account statement\nAccount number|004411702\nStatement period|03/01/2024 - 03/31/2024\n"+
			"Beginning balance|$1,000.00\nTotal deposits|$250.50\nTotal withdrawals|$100.25\nEnding balance|$1,150.25\n"+foot))
		readtest.WantFacts(t, facts, map[string]any{"institution": want})
	}
}

// The whole name of the company is the bank's, though its letterhead is shorter; the customer's town has a postcode of
// four figures.
func TestBankStatement_letterOfNewZealand(t *testing.T) {
	_, facts := readtest.Facts(t, documenttest.TextPDF(t, "Kowhai Savings Bank\n\nMR P VAN DER MERWE-O'CONNOR\n14 RATA STREET\nTE AWAMUTU 3800\n\n"+
		"Account number|38-9001-0044117-02\nStatement period|1 March 2024 - 31 March 2024\nOpening balance|$1,000.00\n"+
		"Total deposits|$250.50\nTotal withdrawals|$100.25\nClosing balance|$1,150.25\nKowhai Savings Bank Limited"))
	readtest.WantFacts(t, facts, map[string]any{
		"institution": "Kowhai Savings Bank Limited", "accountHolder": "MR P VAN DER MERWE-O'CONNOR", "currency": "NZD",
	})
}

// Days and months that both may be either: the rows lie in days, and the head names their account's owner.
func TestLedger_shortestSpan(t *testing.T) {
	_, facts := readtest.Facts(t, []byte("Account owner/holder,Rosa Quill\n\nDate,Description,Amount,Balance\n"+
		"03/02/2024,Rent,-100.00,900.00\n04/02/2024,Pay,50.00,950.00\n06/02/2024,Gas,-20.00,930.00\n"))
	readtest.WantFacts(t, facts, map[string]any{"periodStart": "2024-02-03", "periodEnd": "2024-02-06", "accountHolder": "Rosa Quill"})
}

// The year of an entry's date holds no rights, and a bank of Spain ends its name in its legal form.
func TestBankStatement_entryIsNoInstitution(t *testing.T) {
	_, facts := readtest.Facts(t, documenttest.TextPDF(t, "BANCO DEL LEVANTE, S.A.\nEXTRACTO DE CUENTA\nTitular: PABLO RUEDA MONTES\n"+
		"IBAN: ES91 2100 0418 4502 0005 1332\nPeriodo: 01/06/2024 - 30/06/2024\n"+
		"Fecha|Concepto|Importe|Saldo\nSALDO ANTERIOR|||1.020,33\n03/06/2024|RECIBO LUZ|-88,20|932,13\n27/06/2024|NOMINA JUNIO|1.744,00|2.676,13\n"+
		"SALDO FINAL|||2.676,13"))
	readtest.WantFacts(t, facts, map[string]any{
		"institution": "BANCO DEL LEVANTE, S.A.", "accountHolder": "PABLO RUEDA MONTES", "closingBalance": "2676.13", "currency": "EUR",
	})
}

// The first of a month is an ordinal in French; the holder of a Dutch account stands beside the word for a name.
func TestBankStatement_ordinalsAndHolders(t *testing.T) {
	_, facts := readtest.Facts(t, documenttest.TextPDF(t, "Caisse populaire des Rivieres\nRELEVE DE COMPTE\nM. Etienne Gagnon\n55 rue Principale\n"+
		"Trois-Rivieres (Quebec) G9A 1A1\nCompte|00471182-3\nPeriode du 1er mars au 31 mars 2024\nSolde d'ouverture|3204,11\n"+
		"Total des depots|1812,05\nTotal des retraits|52,15\nSolde de fermeture|4964,01"))
	readtest.WantFacts(t, facts, map[string]any{"periodStart": "2024-03-01", "periodEnd": "2024-03-31"})
	_, facts = readtest.Facts(t, documenttest.TextPDF(t, "Rabobank\nRekeningafschrift\nRekening|NL91 RABO 0123 4567 89\nNaam|Willem de Haas\n"+
		"Periode|01-05-2024 t/m 31-05-2024\nBeginsaldo|EUR 2.114,90\nTotaal af|EUR 1.310,22\nTotaal bij|EUR 2.980,00\nEindsaldo|EUR 3.784,68"))
	readtest.WantFacts(t, facts, map[string]any{"accountHolder": "Willem de Haas", "closingBalance": "3784.68"})
}

// A brand without a word for a bank is the bank where it is the name of its site too. Between a company and its street may
// stand which of its accounts it is, and above it whose letter it is.
func TestBankStatement_brandAndOffice(t *testing.T) {
	head := "Account number|004411702\nStatement period|03/01/2024 - 03/31/2024\nBeginning balance|$1,000.00\nTotal deposits|$250.50\n" +
		"Total withdrawals|$100.25\nEnding balance|$1,150.25\n"
	_, facts := readtest.Facts(t, documenttest.TextPDF(t, "ALDERBROOK||Statement of account\n\nRIVERSIDE FLEET SERVICES INC\nOPERATING ACCOUNT\n"+
		"1801 BANDERA RD\nSAN ANTONIO TX 78228\n\n"+head+"alderbrook.com||Member FDIC"))
	readtest.WantFacts(t, facts, map[string]any{"institution": "ALDERBROOK", "accountHolder": "RIVERSIDE FLEET SERVICES INC"})
	_, facts = readtest.Facts(t, documenttest.TextPDF(t, "Wattle Bank\n\nTHE DIRECTOR\nWATTLE CREEK CAFE PTY LTD\n8 STATION ST\nBOWRAL NSW 2576\n\n"+head))
	readtest.WantFacts(t, facts, map[string]any{"accountHolder": "WATTLE CREEK CAFE PTY LTD"})
}

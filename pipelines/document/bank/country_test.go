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

package classify_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// What lists entries with a balance is a statement of an account that takes deposits, unless it says whose else it is.
func TestKind_listsAndTheirHouses(t *testing.T) {
	for name, c := range map[string]struct {
		lines []string
		want  dossier.DocType
	}{
		"entries that lead from balance to balance": {[]string{"Account Name|: Ms. Odile Wren", "Account Number|: 00000032114478", "Branch|: Sector 8",
			"Balance as on 1 Jan 2024|: 9,120.40", "Txn Date|Description|Debit|Credit|Balance", "02 Jan 2024|To transfer|1,020.40||8,100.00",
			"11 Jan 2024|By transfer||2,200.00|10,300.00", "25 Jan 2024|To clearing|300.00||10,000.00"}, dossier.DocBankStatement},
		"an invoice for charges that is a statement": {[]string{"Lomvi Bank|Tax Invoice/Statement Number : 41", "Account : 62412207733", "Opening Balance|5,000.00Cr",
			"Closing Balance|5,200.00Cr", "Date|Description|Amount|Balance", "02 Mar|Credit Works|300.00Cr|5,300.00Cr", "05 Mar|POS Purchase|100.00|5,200.00Cr"},
			dossier.DocBankStatement},
		"a loan's history": {[]string{"Prairie Lamp Finance", "Loan Transaction History", "Borrower: Odile Wren", "Account number 771944", "Date|Description|Principal|Balance",
			"01/01/2024|Beginning balance||8,800.00", "02/01/2024|Payment received|204.00|8,596.00", "12/31/2024|Payment received|596.00|8,000.00", "12/31/2024|Ending balance||8,000.00"},
			dossier.DocOther},
		"what customers deposited in two years": {[]string{"Deposits and withdrawals of our customers", "checking account number of accounts", "|2023|2022", "Beginning balance|$ 661,129|$ 640,004",
			"Deposits|22,004|18,120", "Interest credited|9,189|3,005", "Ending balance|$ 692,322|$ 661,129"}, dossier.DocOther},
		"what a broker's account gained": {[]string{"Larkfield Funds|quarterly statement", "Odile Wren - brokerage account number 44718820", "|Quarter-to-date",
			"Beginning balance on September 30, 2023|$38,020.55", "Additions|5,000.00", "Withdrawals|0.00", "Market gain/loss|2,618.40", "Ending balance on December 31, 2023|$45,638.95"},
			dossier.DocOther},
	} {
		t.Run(name, func(t *testing.T) {
			if doc := readtest.Lines(t, c.lines...); doc.DocType != c.want {
				t.Errorf("read as %s, want %s: %v", doc.DocType, c.want, doc.Evidence)
			}
		})
	}
}

// Signs of the names of papers in the languages they come in.
func TestKind_signs(t *testing.T) {
	for want, heads := range map[dossier.DocType][][]string{
		dossier.DocUtilityBill: {{"Your electricity bill", "Bill date: 3 April 2024", "Total to pay|£253.97"}, {"Your gas bill", "Current charges|253.97"},
			{"Water bill", "Current charges|253.97"}, {"Your energy bill", "Current charges|253.97"}},
		dossier.DocDriversLicense: {{"Licencia para conducir", "Estados Unidos Mexicanos", "Nombre: ODILE WREN", "Fecha de nacimiento 14/09/1991",
			"Fecha de expedición 14/09/2022", "Vigencia 14/09/2027"}, {"Permiso de conducir", "1. WREN", "2. ODILE", "3. 14/09/1991", "4a. 14/09/2022|4b. 14/09/2027"}},
		dossier.DocNationalID: {{"Government of India", "Odile Wren", "DOB: 14/09/1991", "Aadhaar", "4418 8203 1177"}},
	} {
		for _, lines := range heads {
			if doc := readtest.Lines(t, lines...); doc.DocType != want {
				t.Errorf("%q read as %s, want %s", lines[0], doc.DocType, want)
			}
		}
	}
}

package other_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/decode/office"
)

// The total of a rent roll is that of the rents that are paid, whatever stands left and right of them.
func TestRentRoll_total(t *testing.T) {
	text := "Rent Roll\nProperty: Wexley Court Apartments\nAs of: 02/28/2025\n" +
		"Unit   Tenant        Sq Ft   Market Rent   Actual Rent   Deposit   Lease To     Balance\n" +
		"101    K. Adeyemi      850      1,450.00      1,400.00    700.00   04/30/2025      0.00\n" +
		"103    P. Norling      850      1,450.00      1,425.00    725.00   08/31/2025    125.00\n" +
		"Total                1,700      2,900.00      2,825.00  1,425.00                 125.00\n"
	d, err := office.TXT([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	doc := document.Extract(d).Documents[0]
	if doc.DocType != dossier.DocRentRoll || document.FactAt(doc.Facts, "/total") != "2825.00" {
		t.Errorf("%s with a total of %q", doc.DocType, document.FactAt(doc.Facts, "/total"))
	}
}

// What a person owns and owes is no statement of a business's books.
func TestStatement_ofAPersonIsNone(t *testing.T) {
	text := "OMB APPROVAL NO.: 3245-0188\nPERSONAL FINANCIAL STATEMENT\nU.S. SMALL BUSINESS ADMINISTRATION        As of March 31, 2025\n" +
		"ASSETS                                LIABILITIES\n" +
		"Cash on Hand & in banks  $  21,000    Accounts Payable        $    3,200\n" +
		"Automobiles              $  25,000    Notes Payable to Banks  $   15,000\n" +
		"Real Estate              $ 420,000    Total Liabilities       $   18,200\n" +
		"Total                    $ 466,000    Net Worth               $  447,800\n"
	d, err := office.TXT([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range document.Extract(d).Documents {
		if doc.DocType == dossier.DocFinancialStatement {
			t.Errorf("read as a statement: %v", doc.Evidence)
		}
	}
}

package bank_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

func TestBankStatement(t *testing.T) {
	d, facts := readtest.Facts(t, documenttest.TextPDF(t, documenttest.PlainStatement))
	if d.DocType != dossier.DocBankStatement || d.FieldType != dossier.FieldBankStatement {
		t.Fatalf("read as %s / %s", d.DocType, d.FieldType)
	}
	readtest.WantFacts(t, facts, map[string]any{
		"institution": "Example Valley Bank", "accountHolder": "ROSA QUILL", "accountNumber": "0012345678", "currency": "USD",
		"periodStart": "2024-03-01", "periodEnd": "2024-03-31", "openingBalance": "1000.00", "closingBalance": "1145.25",
		"totalDeposits": "250.50", "totalWithdrawals": "100.25", "serviceFees": "5.00", "reconciles": true, "transactions": 3.0,
		"checks": nil, "interest": nil, "availableBalance": nil, "statementDate": nil,
	})
	entries := d.Facts.Bank.Entries
	if len(entries) != 3 || entries[1].Date != "2024-03-20" || entries[1].Amount.String() != "-100.25" {
		t.Errorf("entries: %+v", entries)
	}
	for at, value := range facts {
		if _, printed := d.Sources["/"+at]; value != nil && !printed && d.Derived["/"+at] == "" && at != "entries" && at != "accounts" {
			t.Errorf("%s has neither source nor formula", at)
		}
	}
}

// A statement that does not foot says so, with the arithmetic.
func TestBankStatement_doesNotFoot(t *testing.T) {
	d, facts := readtest.Facts(t, documenttest.TextPDF(t, strings.Replace(documenttest.PlainStatement, "$1,145.25", "$1,945.25", 1)))
	readtest.WantFacts(t, facts, map[string]any{"reconciles": false, "closingBalance": "1945.25"})
	if len(d.Checks) == 0 || d.Checks[0].Passed || !strings.Contains(d.Checks[0].Detail, "1,945.25") {
		t.Errorf("checks: %+v", d.Checks)
	}
	if len(d.Warnings) == 0 || d.Warnings[0].Code != "possible_tampering" {
		t.Errorf("warnings: %+v", d.Warnings)
	}
}

// Summaries set as columns, with December dates on a statement that ends in January.
func TestBankStatement_columns(t *testing.T) {
	_, facts := readtest.Facts(t, documenttest.TextPDF(t, `Lakeside Credit Union
Account statement
12/16/2023 - 01/15/2024
Opening balance|Total deposits|Total withdrawals|Closing balance
$500.00|$40.00|$15.00|$525.00
Date|Description|Withdrawals|Deposits
12/29|CHECK CARD|15.00|
01/02|DEPOSIT||40.00`))
	readtest.WantFacts(t, facts, map[string]any{
		"periodStart": "2023-12-16", "periodEnd": "2024-01-15", "openingBalance": "500.00", "closingBalance": "525.00",
		"totalDeposits": "40.00", "totalWithdrawals": "15.00", "reconciles": true, "accountHolder": nil, "accountNumber": nil,
	})
}

// A title close above the heads of a table stands over some of its columns, and names none of them. A line about a
// period is no transaction, wherever it stands.
func TestBankStatement_titleAboveColumns(t *testing.T) {
	title := func(over string) []string {
		return []string{"Lakeside Credit Union|Statement period|03/01/2024 - 03/31/2024", "Beginning balance|1,000.00", "Ending balance|1,295.00", "", over,
			"Posting|Description|Deposits and|Withdrawals and|Daily", "date||other credits|other debits|balance",
			"03/04/2024|PAYROLL|200.00||", "03/04/2024|GROCER||15.00|1,185.00", "03/06/2024|RENT SHARE|110.00||1,295.00",
			"Fee period 03/01/2024 - 03/31/2024|Monthly service fee|7.00||"}
	}
	for name, over := range map[string]string{"over the deposits": "||Account activity||", "over the balance": "||||Account activity", "none": ""} {
		t.Run(name, func(t *testing.T) {
			got := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerNative, Pages: []text.Page{documenttest.Page(title(over)...)}}).Documents[0].Facts.Bank
			var entries []string
			for _, e := range got.Entries {
				entries = append(entries, e.Date+" "+e.Amount.String())
			}
			if diff := cmp.Diff([]string{"2024-03-04 200.00", "2024-03-04 -15.00", "2024-03-06 110.00"}, entries); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestBankStatement_severalAccounts(t *testing.T) {
	d, facts := readtest.Facts(t, documenttest.TextPDF(t, `Harvest Bank
Statement period|May 1, 2024 - May 31, 2024
Account|Number|Beginning balance|Ending balance
Everyday Checking|11112222|100.00|150.00
Rainy Day Savings|33334444|900.00|900.00
Total||1,000.00|1,050.00

Everyday Checking
Beginning balance|$100.00
Deposits|50.00
Ending balance|$150.00`))
	readtest.WantFacts(t, facts, map[string]any{"openingBalance": "1000.00", "closingBalance": "1050.00", "totalDeposits": nil, "reconciles": true})
	accounts := d.Facts.Bank.Accounts
	if len(accounts) != 2 || *accounts[0].Name != "Everyday Checking" || accounts[0].Deposits == nil || accounts[0].Deposits.String() != "50.00" || accounts[1].Deposits != nil {
		t.Errorf("accounts: %+v", accounts)
	}
}

func TestBankLedger(t *testing.T) {
	_, facts := readtest.Facts(t, []byte("Date;Text;Betrag;Saldo EUR\r\n05.02.2024;Miete;-500,00;1.250,10\r\n01.02.2024;Gehalt;1.750,10;1.750,10\r\n"))
	readtest.WantFacts(t, facts, map[string]any{
		"periodStart": "2024-02-01", "periodEnd": "2024-02-05", "openingBalance": "0.00", "closingBalance": "1250.10",
		"totalDeposits": "1750.10", "totalWithdrawals": "500.00", "transactions": 2.0, "reconciles": true, "institution": nil,
	})
}

// Look-alikes are no bank statements, whatever words they share with one.
func TestClassify_traps(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		text string
		want dossier.DocType
	}{
		"credit card":   {"Summit Card Services\nPrevious balance|$100.00\nPurchases|$50.00\nNew balance|$150.00\nMinimum payment due|$25.00\nPayment due date|04/01/2024\nCredit limit|$5,000", dossier.DocCreditCardStatement},
		"brokerage":     {"Account statement\nBeginning account value|$1,000.00\nEnding account value|$1,100.00\nTotal portfolio value|$1,100.00\nHoldings|Market value|Unrealized gain\nMember SIPC brokerage", dossier.DocBrokerageStatement},
		"utility":       {"City Electric\nService address|12 Main St\nMeter reading|1234 kWh\nPrevious balance|$10.00\nCurrent charges|$30.00\nTotal amount due|$40.00", dossier.DocUtilityBill},
		"asset report":  {"Asset Report\nDays requested|60\nTotal assets|$1,000.00\nAccounts\nChecking|Ending balance|$1,000.00", dossier.DocAssetVerification},
		"W-9":           {"Form W-9\nRequest for Taxpayer Identification Number and Certification\nDepartment of the Treasury", dossier.DocTaxFormOther},
		"941":           {"Form 941 for 2023\nEmployer's QUARTERLY Federal Tax Return\nDepartment of the Treasury", dossier.DocTaxFormOther},
		"4868":          {"Form 4868\nApplication for Automatic Extension of Time To File U.S. Individual Income Tax Return", dossier.DocTaxFormOther},
		"5500":          {"Form 5500\nAnnual Return/Report of Employee Benefit Plan\nERISA plan sponsor", dossier.DocBenefitPlanReport},
		"pay stub":      {"Earnings Statement\nPay date|03/15/2024\nPay period|03/01/2024 - 03/15/2024\nGross pay|$2,000.00\nNet pay|$1,500.00\nDirect deposit checking", dossier.DocPayStub},
		"nothing known": {"Dear Sir,\nthe meeting is moved to Tuesday.\nRegards", dossier.DocOther},
		"return":        {"Form 1040 U.S. Individual Income Tax Return 2022\nFiling status", dossier.DocTaxReturn},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d, _ := readtest.Facts(t, documenttest.TextPDF(t, tt.text))
			if d.DocType != tt.want {
				t.Errorf("read as %s, want %s (%v)", d.DocType, tt.want, d.Evidence)
			}
		})
	}
}

// A package of several documents is parted by page.
func TestSegments(t *testing.T) {
	got := readtest.Must(t, documenttest.TextPDF(t, documenttest.PlainStatement+"\nPage 1 of 2", "Daily balances\nPage 2 of 2", "Form W-9\nRequest for Taxpayer Identification Number and Certification"))
	var have []string
	for _, d := range got.Extraction.Documents {
		have = append(have, string(d.DocType))
	}
	if diff := cmp.Diff([]string{"bank_statement", "tax_form_other"}, have); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if p := got.Extraction.Documents[0].Pages; p != [2]int{1, 2} {
		t.Errorf("pages %v", p)
	}
}

// The same bytes give the same facts.
func TestRead_deterministic(t *testing.T) {
	data := documenttest.TextPDF(t, documenttest.PlainStatement)
	first, second := readtest.Must(t, data), readtest.Must(t, data)
	if diff := cmp.Diff(first.Extraction, second.Extraction); diff != "" {
		t.Errorf("(-first +second)\n%s", diff)
	}
	if !bytes.Equal(first.Tokens, second.Tokens) {
		t.Error("tokens differ")
	}
}

// A figure that OCR could hardly read is left out with a warning, unless the account foots with it.
func TestBankStatement_doubtfulFigure(t *testing.T) {
	read := func(opening string, confidence float64) dossier.ReadDocument {
		p := documenttest.Page("Example Valley Bank|Statement period|03/01/2024 - 03/31/2024", "Account summary|Account number|0012345678", "Beginning balance|"+opening, "Deposits|250.50", "Withdrawals|100.25", "Ending balance|1,150.25")
		for i := range p.Tokens {
			p.Tokens[i].Method = text.MethodOCR
			if p.Tokens[i].Text == opening {
				p.Tokens[i].Confidence = confidence
			}
		}
		return document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerImage, Pages: []text.Page{p}}).Documents[0]
	}
	if d := read("1,800.00", 0.4); d.Facts.Bank.OpeningBalance != nil || len(d.Warnings) == 0 {
		t.Errorf("opening %v, warnings %v", d.Facts.Bank.OpeningBalance, d.Warnings)
	}
	if d := read("1,000.00", 0.4); d.Facts.Bank.OpeningBalance == nil {
		t.Error("the account foots: its opening balance is certain")
	}
}

// OCR makes words of the shading beside a section's title, and may lose the title: a printed minus is money out.
func TestBankStatement_sectionsOfScans(t *testing.T) {
	for name, withdrawals := range map[string][2]string{
		"scraps beside the title": {"Withdrawals and other debits|caine ote", "15.00"},
		"the title was lost":      {"Wthdrwls ond ethr dbts", "-15.00"},
	} {
		t.Run(name, func(t *testing.T) {
			p := documenttest.Page("Example Valley Bank|Statement period|03/01/2024 - 03/31/2024", "Account number|0012345678", "Beginning balance|1,000.00", "Deposits and other credits|50.00",
				"Withdrawals and other debits|15.00", "Ending balance|1,035.00", "", "Deposits and other credits", "", "Date|Description|Amount", "03/04/24|PAYROLL|50.00", "",
				withdrawals[0], "", "Date|Description|Amount", "03/20/24|GROCER|"+withdrawals[1])
			for i := range p.Tokens {
				p.Tokens[i].Method, p.Tokens[i].Confidence = text.MethodOCR, 0.95
				if s := p.Tokens[i].Text; s == "caine" || s == "ote" {
					p.Tokens[i].Confidence = 0.3
				}
			}
			got := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerImage, Pages: []text.Page{p}}).Documents[0].Facts.Bank
			if got == nil || len(got.Entries) != 2 || got.Entries[0].Amount.String() != "50.00" || got.Entries[1].Amount.String() != "-15.00" {
				t.Errorf("read %+v", got)
			}
		})
	}
}

// Statements of two months in one file, neither with a page number, are two documents.
func TestBankStatement_months(t *testing.T) {
	month := func(number int, period, opening, closing string) text.Page {
		p := documenttest.Page("Maple Bank|Statement Period: "+period, "LEE DELI INC|Account # 432-1234567", "", "Beginning Balance|"+opening, "Deposits|500.00", "Withdrawals|400.00", "Ending Balance|"+closing)
		p.Number = number
		for i := range p.Tokens {
			p.Tokens[i].Page = number
		}
		return p
	}
	got := document.Extract(text.Decoded{PageCount: 2, Layer: text.LayerText, Pages: []text.Page{month(1, "Jan 01 2024 - Jan 31 2024", "1,000.00", "1,100.00"), month(2, "Feb 01 2024 - Feb 29 2024", "1,100.00", "1,200.00")}}).Documents
	if len(got) != 2 || documenttest.Shown(got[0].Facts.Bank.PeriodEnd) != "2024-01-31" || documenttest.Shown(got[1].Facts.Bank.PeriodEnd) != "2024-02-29" {
		t.Errorf("read as %d documents", len(got))
	}
}

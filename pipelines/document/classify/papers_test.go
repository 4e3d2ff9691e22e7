package classify_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// bound are pages of lines in one file.
func bound(pages ...[]string) text.Decoded {
	d := text.Decoded{PageCount: len(pages), Layer: text.LayerText}
	for i, lines := range pages {
		p := documenttest.Page(lines...)
		p.Number = i + 1
		for k := range p.Tokens {
			p.Tokens[k].Page = i + 1
		}
		d.Pages = append(d.Pages, p)
	}
	return d
}

var (
	letterOf = []string{"Fenn Accounting", "February 20, 2025", "Dear Ms. Holloway:", "We enclose our invoice, your pay stub and the bank statement.",
		"Sincerely,", "Ada Fenn"}
	faxCover    = []string{"FAX", "To:|Loan desk", "From:|Ada Fenn", "Pages:|9", "Attached are a tax return and bank statements."}
	slipOfMay   = []string{"Copperleaf Landscaping LLC", "Earnings Statement", "Employee|Maren Holloway", "Pay Date|05/17/2024", "Gross Pay|1,633.50", "Net Pay|1,336.62"}
	slipOfJune  = []string{"Copperleaf Landscaping LLC", "Earnings Statement", "Employee|Maren Holloway", "Pay Date|06/21/2024", "Gross Pay|1,700.00", "Net Pay|1,388.10"}
	slipsBack   = []string{"Earnings Statement", "Employee|Maren Holloway", "Sick leave balance|12.0", "Vacation balance|40.0"}
	countedLast = []string{"Business Checking|Page 2 of 2", "Account number|000771", "Daily balance summary", "03/14|8,100.25", "Ending Balance|9,500.25", "Deposits and Credits|5,000.00", "Withdrawals and Debits|3,600.00"}
	countedHead = append([]string{"Page 1 of 2"}, bankPage...)
	ownedBank   = []string{"Harbor Savings", "Balance Summary", "Beginning Balance|100.25", "Deposits and Credits|5,000.00", "Withdrawals and Debits|3,600.00", "Ending Balance|1,500.25"}
	larkIncome  = []string{"Lark Ceramics LLC", "Income Statement", "For the Year Ended December 31, 2023", "Revenue|842,000", "Cost of goods sold|336,800", "Gross profit|505,200", "Total operating expenses|294,700", "Net income|210,500"}
	larkBalance = []string{"Lark Ceramics LLC", "Balance Sheet", "As of December 31, 2023", "Total current assets|404,160", "Total assets|673,600", "Total liabilities|336,800", "Total liabilities and equity|673,600"}
	teasIncome  = append([]string{"Teasel Joinery Inc"}, larkIncome[1:]...)
	teasBalance = append([]string{"Teasel Joinery Inc"}, larkBalance[1:]...)
	terms       = []string{"Important information about your account", "In case of errors telephone us or write to us as soon as you can."}
)

// headed is a bank's statement of a month under the head that all its papers have.
func headed(month int) []string {
	day := fmt.Sprintf("%02d", month)
	return append([]string{"Harbor Savings of Marlow", "Statement Period|" + day + "/01/2024 - " + day + "/28/2024"},
		"Balance Summary", "Beginning Balance|$"+day+"0.25", "Deposits and Credits|$5,000.00",
		"Withdrawals and Debits|$3,600.00", "Ending Balance|$1,5"+day+".25")
}

// Papers of one package part where one begins: a letter or the cover of a fax, a title of its own, a count that is
// complete, and another day, sum or number of a paper of the same kind.
func TestSegments_package(t *testing.T) {
	for name, c := range map[string]struct {
		pages [][]string
		want  []string
	}{
		"letter after a statement": {[][]string{bankPage, letterOf}, []string{"bank_statement 1-1", "other 2-2"}},
		"letter of the bank after many statements": {[][]string{headed(1), headed(2), headed(3), headed(4), headed(5), headed(6),
			append([]string{"Harbor Savings of Marlow"}, letterOf...)}, []string{"bank_statement 1-1", "bank_statement 2-2",
			"bank_statement 3-3", "bank_statement 4-4", "bank_statement 5-5", "bank_statement 6-6", "other 7-7"}},
		"letter before a statement":        {[][]string{letterOf, bankPage}, []string{"other 1-1", "bank_statement 2-2"}},
		"cover of a fax":                   {[][]string{bankPage, faxCover, form1040}, []string{"bank_statement 1-1", "other 2-2", "tax_return 3-3"}},
		"two slips of one employee":        {[][]string{slipOfMay, slipOfJune}, []string{"pay_stub 1-1", "pay_stub 2-2"}},
		"slip of two pages":                {[][]string{slipOfMay, slipsBack}, []string{"pay_stub 1-2"}},
		"statement after a complete count": {[][]string{countedHead, countedLast, {}, ownedBank}, []string{"bank_statement 1-3", "bank_statement 4-4"}},
		"terms behind a statement":         {[][]string{countedHead, countedLast, terms}, []string{"bank_statement 1-3"}},
		"loan's statement":                 {[][]string{leasePage, {"Granite Home Lending", "Mortgage Statement", "Loan number 1188220", "Outstanding principal|$211,804.22"}}, []string{"lease 1-1", "other 2-2"}},
		"statements of two companies": {[][]string{larkIncome, larkBalance, teasIncome, teasBalance},
			[]string{"financial_statement 1-2", "financial_statement 3-4"}},
		"accountant's report": {[][]string{bankPage, {"INDEPENDENT ACCOUNTANT'S COMPILATION REPORT", "To the Board of Marlow Inc.", "Management is responsible for the accompanying financial statements."}, balance}, []string{"bank_statement 1-1", "financial_statement 2-3"}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := found(bound(c.pages...)); !cmp.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// A guide at the front of a file is one as far as its page numbers go: what is behind it is what it is.
func TestSegments_behindGuide(t *testing.T) {
	d := between("A handbook for borrowers", 1, prose, form1040, prose, prose)
	behind := bound(form1040, bankPage)
	for _, p := range behind.Pages {
		p.Number += 4
		for k := range p.Tokens {
			p.Tokens[k].Page = p.Number
		}
		d.Pages = append(d.Pages, p)
	}
	d.PageCount = len(d.Pages)
	want := []string{"other 1-4", "tax_return 5-5", "bank_statement 6-6"}
	if got := found(d); !cmp.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// Applications ask for the number of a card, and checklists for a check.
func TestClassify_asking(t *testing.T) {
	for _, lines := range [][]string{
		{"Business Loan Application", "Owner|Maren Holloway", "Social Security Number|987-65-4320", "Date of birth|02/14/1984", "Signature"},
		{"Document checklist", "Last 3 months bank statements", "Voided check", "W-9"},
	} {
		if d := readtest.Lines(t, lines...); d.DocType != dossier.DocOther {
			t.Errorf("%s: read as %s (%v)", lines[0], d.DocType, d.Evidence)
		}
	}
}

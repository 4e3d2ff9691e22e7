package classify_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// under are the lines of a page below a label.
func under(label string, lines []string) []string { return append([]string{label}, lines...) }

// Sheets and labels part a bundle; the exhibits of an agreement, and the parts of a report, go with it.
func TestSegments_labelled(t *testing.T) {
	t.Parallel()
	legal := []string{"EXHIBIT A", "Legal description of the premises", "Lot 4 of block 2, as the plat shows it.", "It is bounded by the road",
		"and by the river", "and by the land of others", "as the survey shows", "and as it was recorded"}
	for name, c := range map[string]struct {
		file text.Decoded
		want []string
	}{
		"sheets that name papers": {bound(leasePage, []string{"Exhibit B", "Bank Statements"}, bankPage, []string{"Exhibit C - Balance Sheet"}, balance),
			[]string{"lease 1-1", "other 2-2", "bank_statement 3-3", "other 4-4", "financial_statement 5-5"}},
		"tabs":                     {bound([]string{"Tab 1"}, form1040, []string{"Tab 2"}, bankPage), []string{"other 1-1", "tax_return 2-2", "other 3-3", "bank_statement 4-4"}},
		"labels above pages":       {bound(under("Exhibit A - Bank Statement", bankPage), under("Exhibit B - Lease", prose)), []string{"bank_statement 1-1", "other 2-2"}},
		"exhibit of an agreement":  {bound(leasePage, leasePage, legal), []string{"lease 1-3"}},
		"sheet within a report":    {between("", 1, prose, balance, []string{"Part II"}, prose), []string{"financial_statement 1-4"}},
		"sheet after other papers": {bound(prose, []string{"Attachment 1"}, bankPage), []string{"other 1-1", "other 2-2", "bank_statement 3-3"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, found(c.file)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Two papers of no known type are two where each has a title, and a letter is one that is dated and signed.
func TestSegments_titled(t *testing.T) {
	t.Parallel()
	articles := []string{"ARTICLES OF ORGANIZATION", "The name of the company is Northgate Works LLC.", "Its office is in Eastbrook.", "Its organizer is R Quist."}
	agreement := []string{"OPERATING AGREEMENT", "This agreement is made by the member.", "Profits go to the member.", "Losses do so as well."}
	further := []string{"4. Meetings", "Meetings are held when the member calls them.", "No notice is needed.", "Minutes are kept."}
	aging := []string{"A/R Aging Summary", "As of March 31", "|Current|1 - 30|31 - 60|Total", "Birch Homes|12,400.00|3,100.00|0.00|15,500.00"}
	letter := []string{"Northgate Works", "April 2, 2024", "Harbor Bank", "RE: employment of R Quist", "R Quist has worked here since 2016.", "Sincerely,", "P Lind"}
	stub := []string{"Earnings Statement", "Pay Period|03/01/2024 - 03/15/2024", "Gross Pay|2,000.00", "Deductions|400.00", "Net Pay|1,600.00"}
	for name, c := range map[string]struct {
		file text.Decoded
		want []string
	}{
		"two titles":       {bound(articles, agreement, further, aging), []string{"other 1-1", "other 2-3", "other 4-4"}},
		"letter of a date": {bound(stub, letter), []string{"pay_stub 1-1", "other 2-2"}},
	} {
		if diff := cmp.Diff(c.want, found(c.file)); diff != "" {
			t.Error(name, diff)
		}
	}
}

// The name above a company's statements is no running head of the statement that its bank sends it.
func TestSegments_sameName(t *testing.T) {
	t.Parallel()
	firm := "Northgate Works LLC"
	income := []string{firm, "Profit and Loss", "Total Income|812,000", "Cost of Goods Sold|402,000", "Gross Profit|410,000", "Net Income|160,000"}
	sheet := under(firm, balance)
	sent := append([]string{"Harbor Bank of Eastbrook", "Account Number|44182031", firm, "2210 Harbor Road"}, bankPage...)
	further := []string{"Harbor Bank of Eastbrook", "Account Number|44182031", "Statement Period|03/01/2024 - 03/31/2024", "Account Activity",
		"03/07 Deposit|600.00|9,100.25", "03/09 Withdrawal|600.00|8,500.25"}
	got := found(bound(sent, further, income, sheet, income, sheet))
	if diff := cmp.Diff([]string{"bank_statement 1-2", "financial_statement 3-6"}, got); diff != "" {
		t.Error(diff)
	}
}

// The year of a form's head, which stands beside "Form" where its number is set larger, is no form's number.
func TestClassify_yearBesideForm(t *testing.T) {
	t.Parallel()
	got := found(bound([]string{"1040|Department of the Treasury-Internal Revenue Service", "Form|2023|OMB No. 1545-0074", "U.S. Individual Income Tax Return",
		"Filing Status|X Single", "Your first name and middle initial|Last name|Your social security number", "Marit|Ekholm|000-12-3456"}))
	if diff := cmp.Diff([]string{"tax_return 1-1"}, got); diff != "" {
		t.Error(diff)
	}
}

// Between two papers of one house stand others, a count ends with its last page, and a titled paper follows a short set
// of statements.
func TestSegments_between(t *testing.T) {
	t.Parallel()
	statement := []string{"Mortgage Statement", "Larkfield Home Loans", "Statement date|03/05/2024", "Loan|4471"}
	running := func(body []string) []string { return append([]string{"Harbor Insurance and Finance Group"}, body...) }
	for name, c := range map[string]struct {
		file text.Decoded
		want []string
	}{
		"others between": {bound(running(bill), bankPage, running(bill), leasePage, running(bill), bankPage, running(bill)),
			[]string{"utility_bill 1-1", "bank_statement 2-2", "utility_bill 3-3", "lease 4-4", "utility_bill 5-5", "bank_statement 6-6", "utility_bill 7-7"}},
		"after statements": {bound(larkIncome, larkBalance, larkIncome, larkBalance, statement), []string{"financial_statement 1-4", "other 5-5"}},
	} {
		if diff := cmp.Diff(c.want, found(c.file)); diff != "" {
			t.Error(name, diff)
		}
	}
	counted := between("", 4, bankPage, form1040, leasePage)
	counted.Pages[0] = documenttest.Page(append(append([]string{"Page 1 of 1"}, bankPage...), "b", "c", "d", "e", "f", "4")...)
	counted.Pages[0].Height = 210
	if diff := cmp.Diff([]string{"bank_statement 1-1", "tax_return 2-3"}, found(counted)); diff != "" {
		t.Error("count of one", diff)
	}
}

package document_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A form that nobody filled in, the terms of an account and a guide serve no item.
func TestExtract_servesNothing(t *testing.T) {
	for name, lines := range map[string][]string{
		"blank form": {"Form 1040|U.S. Individual Income Tax Return|2023|OMB No. 1545-0074", "Department of the Treasury Internal Revenue Service",
			"Your first name and middle initial|Last name|Your social security number", "Filing Status|Single|Married filing jointly",
			"9 Add lines 1z, 2b, 3b, 4b, 5b, 6b, 7, and 8. This is your total income|||9",
			"11 Subtract line 10 from line 9. This is your adjusted gross income|||11",
			"12 Standard deduction or itemized deductions (from Schedule A)|||12",
			"15 Subtract line 14 from line 11. If zero or less, enter -0-. This is your taxable income|||15",
			"24 Add lines 22 and 23. This is your total tax|||24", "33 Add lines 25d, 26, and 32. These are your total payments|||33",
			"34 If line 33 is more than line 24, subtract line 24 from line 33. This is the amount you overpaid|||34"},
		"terms": {"Example National Bank", "Statement period: each month", "Account number: the number of your account",
			"Beginning balance: the balance of the day before", "Ending balance: the balance of the last day",
			"Deposits and additions: money that was paid in", "Withdrawals and subtractions: money that was paid out", "Member FDIC"},
		"report of a bank": {"Example Valley Bancorp, Inc.", "Second Quarter 2024 Report to Shareholders", "Total deposits increased to $1.2 billion.",
			"Net income was $4.1 million. Beginning balance of the allowance", "for credit losses was $10.2 million and the ending balance was $10.9 million.",
			"Selected financial data|June 30, 2024|June 30, 2023", "Total assets|$1,500,110|$1,410,220", "Deposits|1,204,400|1,180,300", "Net income|4,102|3,880"},
		"guide": {"How to read your bank statement", "Example Valley Bank", "Statement period|March 1, 2024 through March 31, 2024",
			"Account number:|0012345678", "Beginning balance|$1,000.00", "Deposits and additions|250.50",
			"Withdrawals and subtractions|-105.25", "Ending balance|$1,145.25"},
	} {
		t.Run(name, func(t *testing.T) {
			doc := readtest.Lines(t, lines...)
			if doc.FieldType != dossier.FieldFile {
				t.Errorf("%s serves %s", doc.DocType, doc.FieldType)
			}
		})
	}
}

// A page of numbered notes comes before the statement that it explains, which is no customer's.
func TestExtract_explainedStatement(t *testing.T) {
	notes := documenttest.Page("Welcome to your redesigned account statement",
		"We have redesigned your statement so that it is easier to read for you",
		"The numbers on the sample on the next page match the notes below",
		"1. Account summary. A quick view of the money that came in and went out",
		"2. Transactions. Deposits and withdrawals are now listed in the order of posting",
		"3. Fees. All of the fees are grouped together on the second page",
		"If you have questions call us at the number that your statement shows")
	shown := documenttest.Page("Example Valley Bank", "Statement period|March 1, 2024 through March 31, 2024", "Account number:|0012345678",
		"Beginning balance|$1,000.00", "Deposits and additions|250.50", "Withdrawals and subtractions|-105.25", "Ending balance|$1,145.25")
	shown.Number = 2
	for i := range shown.Tokens {
		shown.Tokens[i].Page = 2
	}
	for _, doc := range document.Extract(text.Decoded{PageCount: 2, Layer: text.LayerText, Pages: []text.Page{notes, shown}}).Documents {
		if doc.FieldType != dossier.FieldFile {
			t.Errorf("%s serves %s", doc.DocType, doc.FieldType)
		}
	}
}

// A leaflet of two pages says how to read the statement on its second one, without a title of that kind.
func TestExtract_leaflet(t *testing.T) {
	words := documenttest.Page("Your money at a glance", "This brochure explains what you will find on the page that follows this one",
		"Look for the account summary first because it shows how your month has gone", "For example the sample has two deposits and one withdrawal in the month of March",
		"Each statement lists the fees that were charged in the order of their posting", "Call us or visit a branch when you would like to learn a little more")
	shown := documenttest.Page("Example Valley Bank", "Statement period|March 1, 2024 through March 31, 2024", "Account number:|0012345678",
		"Beginning balance|$1,000.00", "Deposits and additions|250.50", "Withdrawals and subtractions|-105.25", "Ending balance|$1,145.25")
	shown.Number = 2
	for i := range shown.Tokens {
		shown.Tokens[i].Page = 2
	}
	for _, doc := range document.Extract(text.Decoded{PageCount: 2, Layer: text.LayerText, Pages: []text.Page{words, shown}}).Documents {
		if doc.FieldType != dossier.FieldFile {
			t.Errorf("%s serves %s", doc.DocType, doc.FieldType)
		}
	}
}

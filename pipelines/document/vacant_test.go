package document_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
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

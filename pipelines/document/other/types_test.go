package other_test

import (
	"fmt"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/other"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// factsOf reads lines as a document of a type, whatever it looks like.
func factsOf(kind dossier.DocType, form string, year int, lines ...string) map[string]any {
	return other.Readers[kind](text.Segment{Type: kind, Form: form, Year: year, Pages: []text.Page{documenttest.Page(lines...)}}).Facts.Other
}

// wantOnly checks the facts of a document: these and no others.
func wantOnly(t *testing.T, name string, got, want map[string]any) {
	t.Helper()
	for k, v := range want {
		if fmt.Sprint(got[k]) != fmt.Sprint(v) {
			t.Errorf("%s: %s is %v, want %v", name, k, got[k], v)
		}
	}
	for k, v := range got {
		if _, wanted := want[k]; !wanted {
			t.Errorf("%s: %s was made up: %v", name, k, v)
		}
	}
}

// The types of few facts: what their captions say, and nothing where they say nothing.
func TestReaders_simple(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind  dossier.DocType
		form  string
		year  int
		lines []string
		want  map[string]any
	}{
		"an asset report": {dossier.DocAssetVerification, "", 0, []string{"Report generated: 06/03/2024", "Days requested: 60", "Number of accounts: 3",
			"Institution: Severnside Bank", "Account owner: Rosa Quill", "Total balance: $12,345.67"},
			map[string]any{"requestedOn": "2024-06-03", "daysRequested": 60, "accounts": 3, "institution": "Severnside Bank", "name": "Rosa Quill", "totalAssets": "12345.67"}},
		"counts that are none": {dossier.DocAssetVerification, "", 0, []string{"Days requested: sixty", "Number of accounts: 99999"}, map[string]any{}},
		"a load": {dossier.DocRateConfirmation, "", 0, []string{"Load number: LD44821", "Confirmation date: 06/03/2024", "Total rate: $1,850.00"},
			map[string]any{"number": "LD44821", "date": "2024-06-03", "total": "1850.00"}},
		"a plan": {dossier.DocBenefitPlanReport, "", 0, []string{"Form 5500-SF", "For calendar plan year beginning 01/01/2023 and ending 12/31/2023", "Name of plan: Quill Press Savings Plan"},
			map[string]any{"form": "5500-SF", "planYearBegin": "2023-01-01", "name": "Quill Press Savings Plan"}},
		"a card of the office": {dossier.DocSocialSecurityCard, "", 0, []string{"123-45-6789", "THIS NUMBER HAS BEEN ESTABLISHED FOR", "ROSA QUILL"},
			map[string]any{"ssn": "123-45-6789", "name": "ROSA QUILL"}},
		"of no number": {dossier.DocSocialSecurityCard, "", 0, []string{"12-345-6789", "(555) 123-4567"}, map[string]any{}},
		"insurance": {dossier.DocInsurance, "", 0, []string{"Policy number: CP-448210", "Named insured: Quill Press LLC", "Effective date: 06/03/2024", "Total premium: $1,204.00"},
			map[string]any{"number": "CP-448210", "name": "Quill Press LLC", "date": "2024-06-03", "total": "1204.00"}},
		"an empty page": {dossier.DocInsurance, "", 0, []string{"hello"}, map[string]any{}},
	} {
		wantOnly(t, name, factsOf(c.kind, c.form, c.year, c.lines...), c.want)
	}
}

// The boxes of information returns: the year, the numbers and the amounts that stand below their captions.
func TestReaders_forms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		form  string
		year  int
		lines []string
		want  map[string]any
	}{
		"W-2": {"W-2", 2023, []string{"Form W-2 Wage and Tax Statement|2023", "a Employee's social security number", "123-45-6789", "", "", "", "", "1 Wages, tips, other compensation", "51,220.18", "", "", "", "",
			"2 Federal income tax withheld", "6,004.00", "", "", "", "", "b Employer identification number (EIN)", "12-3456789"},
			map[string]any{"form": "W-2", "taxYear": 2023, "ssn": "123-45-6789", "wages": "51220.18", "federalTaxWithheld": "6004.00", "ein": "12-3456789"}},
		"its year stands apart": {"W-2", 0, []string{"Wage and Tax Statement|2022", "Form W-2|(Rev. January 2024)"}, map[string]any{"form": "W-2", "taxYear": 2022}},
		"two years":             {"W-2", 0, []string{"Wage and Tax Statement|2022", "Wage and Tax Statement|2023"}, map[string]any{"form": "W-2"}},
		"W-9 in boxes":          {"W-9", 0, []string{"Form W-9", "Social security number", "1 2 3 - 4 5 - 6 7 8 9"}, map[string]any{"form": "W-9", "ssn": "123-45-6789"}},
		"of a company":          {"W-9", 0, []string{"Form W-9", "Employer identification number", "1 2 - 3 4 5 6 7 8 9"}, map[string]any{"form": "W-9", "ein": "12-3456789"}},
		"too few boxes":         {"W-9", 0, []string{"Form W-9", "Social security number", "1 2 3 - 4 5 - 6 7 8"}, map[string]any{"form": "W-9"}},
		"941 by its quarter": {"941", 2024, []string{"Form 941 for 2024", "Report for this Quarter of 2024", "|1: January, February, March", "X|2: April, May, June",
			"1 Number of employees who received wages|||12", "2 Wages, tips, and other compensation|||51,220.18", "3 Federal income tax withheld from wages|||6,004.00"},
			map[string]any{"form": "941", "taxYear": 2024, "employees": "12", "wages": "51220.18", "federalTaxWithheld": "6004.00"}},
		"1099": {"1099-NEC", 2023, []string{"Form 1099-NEC|2023", "PAYER'S TIN|RECIPIENT'S TIN|4 Federal income tax withheld", "12-3456789|XXX-XX-6789|$ 120.00"},
			map[string]any{"form": "1099-NEC", "taxYear": 2023, "ein": "12-3456789", "ssn": "XXX-XX-6789", "federalTaxWithheld": "120.00"}},
		"an empty form": {"1099-NEC", 0, []string{"Form 1099-NEC", "PAYER'S TIN|RECIPIENT'S TIN|4 Federal income tax withheld"}, map[string]any{"form": "1099-NEC"}},
	} {
		got := factsOf(dossier.DocTaxFormOther, c.form, c.year, c.lines...)
		delete(got, "lines")
		wantOnly(t, name, got, c.want)
	}
}

// An invoice's number, day, sum and sender stand by their captions in many languages; what is due is not the day, and a
// part of the sum is not the sum.
func TestReaders_invoices(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  map[string]any
	}{
		"English": {[]string{"INVOICE", "Invoice number: INV-0042", "Invoice date: 06/03/2024", "Due date: 07/03/2024", "Subtotal|$1,000.00", "Tax|$80.00", "Total|$1,080.00"},
			map[string]any{"number": "INV-0042", "date": "2024-06-03", "dueDate": "2024-07-03", "total": "1080.00"}},
		"an amount and its day": {[]string{"INVOICE", "Invoice number: INV-0042", "Amount due by July 3, 2024|$1,080.00"},
			map[string]any{"number": "INV-0042", "total": "1080.00", "amountDue": "1080.00", "dueDate": "2024-07-03"}},
		"a seller":       {[]string{"INVOICE", "Invoice number: INV-0042", "Seller: Quill Press LLC", "Total|$1,080.00"}, map[string]any{"number": "INV-0042", "issuer": "Quill Press LLC", "total": "1080.00"}},
		"no number":      {[]string{"INVOICE", "Invoice number:", "Total|$1,080.00"}, map[string]any{"total": "1080.00"}},
		"nothing at all": {[]string{"hello"}, map[string]any{}},
	} {
		wantOnly(t, name, factsOf(dossier.DocInvoice, "", 0, c.lines...), c.want)
	}
}

// Other accounts: a portfolio's worth is not what it was, nor a title's; the number may begin with letters.
func TestReaders_accounts(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  map[string]any
	}{
		"a card": {[]string{"Statement closing date 06/30/2024", "Previous balance|$120.00", "New balance|$87.50"},
			map[string]any{"statementDate": "2024-06-30", "openingBalance": "120.00", "closingBalance": "87.50"}},
		"a portfolio": {[]string{"Account value summary|$1.00", "Beginning account value|$10,000.00", "Ending account value|$12,500.00"},
			map[string]any{"openingBalance": "10000.00", "closingBalance": "12500.00", "portfolioValue": "12500.00"}},
		"nothing": {[]string{"hello"}, map[string]any{}},
	} {
		wantOnly(t, name, factsOf(dossier.DocBrokerageStatement, "", 0, c.lines...), c.want)
	}
}

package other_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A title says what a paper is: not whose it is, which office wrote it, or what stands behind a caption.
func TestOther_title(t *testing.T) {
	t.Parallel()
	for want, lines := range map[string][]string{
		"BUSINESS DEBT SCHEDULE":  {"Northgate Works LLC", "BUSINESS DEBT SCHEDULE", "Creditor|Balance|Rate", "Harbor Bank|12,000|7.25%"},
		"BUSINESS LICENSE":        {"CITY OF EASTBROOK", "BUSINESS LICENSE", "License Number:|BL-118", "Business Name:|Northgate Works LLC"},
		"Notice of assessment":    {"Canada Revenue Agency", "Notice of assessment", "Tax year|2022", "Total income|61,204", "Net income|59,094", "Total expenses|2,110"},
		"ARTICLES OF ASSOCIATION": {"ARTICLES OF ASSOCIATION", "of Northgate Works LLC", "The office is in Eastbrook."},
		"Personal Net Worth":      {"Name: Marit Ekholm|Business Phone: 555-0100", "Personal Net Worth", "Cash on hand|24,100"},
	} {
		doc := readtest.Lines(t, lines...)
		if doc.DocType != dossier.DocOther || doc.Facts.Other["title"] != want {
			t.Errorf("%s entitled %v, want %q", doc.DocType, doc.Facts.Other["title"], want)
		}
	}
}

// What an account is worth is neither what it was nor a figure below a title of its summary.
func TestOther_accountValue(t *testing.T) {
	t.Parallel()
	head := []string{"Cormorant Securities|Account Statement", "Account Number: 7718-2204", "Holdings and cost basis", "Member FINRA/SIPC|Brokerage"}
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"summary": {[]string{"Account Value Summary|Amount", "Deposits|1,000.00", "Ending Account Value|63,088.32"}, "63088.32"},
		"before":  {[]string{"Beginning Account Value|61,204.10", "Account value change|884.22"}, ""},
		"plain":   {[]string{"Total Account Value|$63,088.32"}, "63088.32"},
	} {
		doc := readtest.Lines(t, append(head[:len(head):len(head)], c.lines...)...)
		if doc.DocType != dossier.DocBrokerageStatement {
			t.Fatalf("%s is %s", name, doc.DocType)
		}
		if got, _ := doc.Facts.Other["portfolioValue"].(string); got != c.want {
			t.Errorf("%s: worth %q, want %q", name, got, c.want)
		}
	}
}

// Forms beside the W-2 and the 1099s: a corrected W-2 shows each figure twice, a transcript names the forms that it
// lists, and a lender's and an employer's forms have captions of their own.
func TestTaxFormOther_moreForms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  map[string]any
	}{
		"W-2c": {[]string{"a Employer's name, address, and ZIP code|c Tax year/Form corrected", "Glasswing Dental PLLC|2022 / W-2", "1 Wages, tips, other compensation|1 Wages, tips, other compensation",
			"48,110.00|49,620.00", "Form W-2c|Corrected Wage and Tax Statement", "Department of the Treasury"}, map[string]any{"form": "W-2c", "wages": nil}},
		"transcript": {[]string{"This Product Contains Sensitive Taxpayer Data", "Wage and Income Transcript", "SSN Provided:|XXX-XX-3001", "Form W-2 Wage and Tax Statement",
			"Wages, Tips and Other Compensation:|$71,088.00"}, map[string]any{"form": "Transcript", "wages": nil, "employee": nil}},
		"its later page": {[]string{"Form 1099-INT", "Payer's Federal Identification Number (FIN):|XXXXX4401", "Submission Type:|Original document", "Interest:|$116.00"},
			map[string]any{"form": "Transcript"}},
		"940": {[]string{"Form 940 for 2023:|Employer's Annual Federal Unemployment (FUTA) Tax Return", "Department of the Treasury", "Employer identification number (EIN)|84-0000128",
			"Name (not your trade name)|Marrow Catering LLC", "Trade name (if any)"}, map[string]any{"form": "940", "entityName": "Marrow Catering LLC", "ein": "84-0000128"}},
		"SSA-1099": {[]string{"FORM SSA-1099 - SOCIAL SECURITY BENEFIT STATEMENT", "2023", "Box 1. Name||Box 2. Beneficiary's Social Security Number", "WILMA OSEI||000-00-2201"},
			map[string]any{"form": "SSA-1099", "name": "WILMA OSEI"}},
		"1098": {[]string{"RECIPIENT'S/LENDER'S name|||OMB No. 1545-1380", "Clearwater Home Lending|||Form 1098", "200 Basin Dr", "PAYER'S/BORROWER'S name|||Mortgage Interest Statement", "Lucinda Farrow"},
			map[string]any{"form": "1098", "entityName": "Clearwater Home Lending", "name": "Lucinda Farrow"}},
	} {
		doc := readtest.Lines(t, c.lines...)
		if doc.DocType != dossier.DocTaxFormOther {
			t.Errorf("%s is %s", name, doc.DocType)
		}
		for fact, want := range c.want {
			if got := doc.Facts.Other[fact]; got != want {
				t.Errorf("%s: %s is %v, want %v", name, fact, got, want)
			}
		}
	}
}

// The supplier of a household heads its bill in larger type, without a form of law.
func TestUtilityBill_supplier(t *testing.T) {
	t.Parallel()
	p := documenttest.Page("Arrowhead Electric Cooperative", "Statement Date|03/20/2024", "Service Address|22 Harbor Rd", "Electric usage in kWh|3,820", "Meter reading|45,040", "Total Amount Due|$588.41")
	for i := range p.Tokens[:3] {
		p.Tokens[i].Y0 -= 4
	}
	doc := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerText, Pages: []text.Page{p}}).Documents[0]
	if doc.DocType != dossier.DocUtilityBill || doc.Facts.Other["issuer"] != "Arrowhead Electric Cooperative" {
		t.Errorf("%s of %v", doc.DocType, doc.Facts.Other["issuer"])
	}
}

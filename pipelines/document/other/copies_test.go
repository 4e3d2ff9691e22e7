package other_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// scanned is a page as OCR reads it.
func scanned(lines ...string) dossier.ReadDocument {
	p := documenttest.Page(lines...)
	p.Layer = text.LayerScanned
	for i := range p.Tokens {
		p.Tokens[i].Method, p.Tokens[i].Confidence = text.MethodOCR, 0.95
	}
	return document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerScanned, Pages: []text.Page{p}}).Documents[0]
}

// A W-2 is printed several times on one sheet: what most copies say counts, also where OCR lost a number's hyphen.
func TestTaxFormOther_copiesOnOneSheet(t *testing.T) {
	sheet := []string{"Form W-2 Wage and Tax Statement|||2022", "OMB No. 1545-0008|Department of the Treasury"}
	for _, c := range []struct{ ein, wages string }{{"00 7654321", "41,870.25"}, {"00-7654321", "47,870.25"}, {"00-7654321", "47,870.25"}} {
		sheet = append(sheet, "Employer identification number (EIN)||Wages, tips, other compensation", c.ein+"||"+c.wages)
	}
	doc := scanned(sheet...)
	if doc.DocType != dossier.DocTaxFormOther {
		t.Fatalf("read as %s", doc.DocType)
	}
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"form": "W-2", "ein": "00-7654321", "wages": "47870.25"})
}

func TestTaxFormOther_payersName(t *testing.T) {
	doc := scanned("Form W-9|Request for Taxpayer|Identification Number", "Department of the Treasury|Give Form to the requester", "1 Name (as shown on your income tax return). Name is required on this line", "Halvard Pemberley",
		"2 Business name/disregarded entity name, if different from above")
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"form": "W-9", "name": "Halvard Pemberley"})
}

func TestCheck_numberAndDateWithoutCaptions(t *testing.T) {
	doc := scanned("Dunmore Tile Works LLC|||20418", "18 Foundry Road", "Pinehurst, OH 43002|||March 4, 2023", "Pay to the order of|Kestrel Freight Inc||$1,250.00", "One thousand two hundred fifty and 00/100 dollars", "Memo|Freight")
	if doc.DocType != dossier.DocCheck {
		t.Fatalf("read as %s", doc.DocType)
	}
	readtest.WantFacts(t, doc.Facts.Other, map[string]any{"number": "20418", "date": "2023-03-04"})
}

// A year to date below the period's amount is another row's.
func TestPayStub_yearBelowPeriod(t *testing.T) {
	for year, want := range map[string]any{"0.00": nil, "14,400.00": "14400.00"} {
		doc := readtest.Lines(t, "Earnings Statement", "Pay date: 03/15/2023", "Employee name: Odette Farnsby", "Gross pay:|2,400.00", "Gross pay YTD:|"+year, "Net pay:|1,900.00")
		readtest.WantFacts(t, doc.Facts.Other, map[string]any{"totalEarnings": "2400.00", "totalEarningsYtd": want})
	}
}

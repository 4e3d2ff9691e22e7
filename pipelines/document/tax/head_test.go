package tax_test

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A caption in a narrow box goes on below itself: what is filled in stands under its last line.
func TestTax_captionGoesOn(t *testing.T) {
	d := readtest.Lines(t, "Form 1065|U.S. Return of Partnership Income|OMB No. 1545-0123|2024", "Department of the Treasury",
		"Name of partnership|F Total assets", "TAMARIND FLY SHOP LLC|(see instructions)", "|$ 44,018")
	for at, want := range map[string]string{"/totalAssets": "44018", "/entityName": "TAMARIND FLY SHOP LLC"} {
		if got := document.FactAt(d.Facts, at); got != want {
			t.Errorf("%s = %q, want %q", at, got, want)
		}
	}
}

// The figures of a dependent's number may stand in boxes of their own; an empty row of the table is nobody.
func TestTax_dependentsInBoxes(t *testing.T) {
	page := documenttest.Page("Form 1040 (2024)|U.S. Individual Income Tax Return|OMB No. 1545-0074", "Department of the Treasury",
		"Dependents (see instructions):|(2) Social security|(3) Relationship", "(1) First name|number|to you", "ARJUN SILVER||Son",
		"||Daughter")
	for i, figure := range "218994402" {
		x := 172 + 8*float64(i)
		page.Tokens = append(page.Tokens, text.Token{Page: 1, Text: string(figure), X0: x, X1: x + 5, Y0: 76, Y1: 86,
			Confidence: 1, Method: text.MethodText})
	}
	d := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerText, Pages: []text.Page{page}}).Documents[0]
	if got := document.FactAt(d.Facts, "/dependents"); got != "1" {
		t.Errorf("%q dependents of %+v", got, d.Facts.Tax)
	}
}

package decode_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// A text layer that says other words than the page shows is not believed: the picture of the page is read.
func TestDecode_lyingLayer(t *testing.T) {
	t.Parallel()
	made := specimen.TaxReturn(specimen.TaxOptions{Seed: 5, Form: "1040 Schedule C", Year: 2023, Flattened: true})
	doc, _ := readtest.Facts(t, specimen.Lie(made, true).Data)
	if doc.DocType != dossier.DocTaxReturn || doc.Facts.Tax.GrossReceipts == nil {
		t.Fatalf("read as %s, evidence %v", doc.DocType, doc.Evidence)
	}
	if want, got := made.Truth.Facts.Tax.GrossReceipts, doc.Facts.Tax.GrossReceipts; !want.Equal(got.Decimal) {
		t.Errorf("gross receipts %s, want %s", got, want)
	}
	if from := doc.Sources["/grossReceipts"].Method; from != "ocr" {
		t.Errorf("read by %s", from)
	}
}

// Of a page that lies in one font only, the words of the others stay as they are.
func TestDecode_lyingWords(t *testing.T) {
	t.Parallel()
	made := specimen.Trap(3, "w2")
	doc, facts := readtest.Facts(t, specimen.Lie(made, false).Data)
	if doc.DocType != dossier.DocTaxFormOther || doc.Facts.Other["form"] != "W-2" {
		t.Fatalf("read as %s %v", doc.DocType, facts)
	}
	if got := doc.Sources["/wages"].Method; got != "ocr" {
		t.Errorf("wages %v read by %q, want by ocr", facts["wages"], got)
	}
	if from := doc.Sources["/form"].Method; from != "text" {
		t.Errorf("form read by %q, want from the layer", from)
	}
}

package decode_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// The values of a form's fields and the states of its boxes are no part of a page's own text.
func TestRead_formFields(t *testing.T) {
	got := readtest.Must(t, formPDF())
	if got.Refusal != nil || len(got.Extraction.Documents) != 1 {
		t.Fatalf("%+v", got)
	}
	tax := got.Extraction.Documents[0].Facts.Tax
	if tax == nil || tax.FilingStatus == nil || *tax.FilingStatus != "married filing jointly" {
		t.Fatalf("filing status of %+v", tax)
	}
	kept, err := text.DecodeTokens(got.Tokens)
	if err != nil {
		t.Fatal(err)
	}
	if text := document.PageText(kept.Pages[0]); !strings.Contains(text, "Wilma Example") || strings.Count(text, decode.TickToken) != 1 {
		t.Errorf("the page reads %q", text)
	}
}

// A program that fills a form may leave it to others to draw what it filled in: the fields' own values are read then. One
// that is hidden says nothing.
func TestRead_formFields_notDrawn(t *testing.T) {
	for name, test := range map[string]struct {
		field string
		shown bool
	}{"plain": {"/F 4/Rect", true}, "hidden": {"/F 2/Rect", false}} {
		file := strings.Replace(string(formPDF()), "/AP<</N 9 0 R>>", "", 1)
		got := readtest.Must(t, []byte(strings.Replace(file, "/F 4/Rect", test.field, 1)))
		if got.Refusal != nil {
			t.Fatalf("%s: %+v", name, got.Refusal)
		}
		kept, err := text.DecodeTokens(got.Tokens)
		if err != nil {
			t.Fatal(err)
		}
		if words := document.PageText(kept.Pages[0]); strings.Contains(words, "Wilma Example") != test.shown {
			t.Errorf("%s: the page reads %q", name, words)
		}
	}
}

// A box that is ticked without a drawing of its tick is ticked; one that is hidden is not.
func TestRead_formBoxes_notDrawn(t *testing.T) {
	file := strings.ReplaceAll(string(formPDF()), "/AP<</N<</Yes 10 0 R/Off 11 0 R>>>>", "")
	for name, c := range map[string]struct {
		file string
		want bool
	}{
		"state":  {file, true},
		"value":  {strings.Replace(file, "/V/Yes/AS/Yes", "/V/Yes", 1), true},
		"off":    {strings.Replace(file, "/V/Yes/AS/Yes", "/V/Off/AS/Off", 1), false},
		"hidden": {strings.Replace(file, "/AS/Yes/F 4", "/AS/Yes/F 2", 1), false},
	} {
		got := readtest.Must(t, []byte(c.file))
		if got.Refusal != nil || len(got.Extraction.Documents) != 1 || got.Extraction.Documents[0].Facts.Tax == nil {
			t.Fatalf("%s: %+v", name, got)
		}
		if status := got.Extraction.Documents[0].Facts.Tax.FilingStatus; (status != nil) != c.want {
			t.Errorf("%s: filing status %v", name, status)
		}
	}
}

// formPDF is a page of a form whose text field is filled in and one of whose two check boxes is on. Its cross
// references are left to the reader to rebuild.
func formPDF() []byte {
	var b strings.Builder
	object := func(n int, dict, stream string) {
		fmt.Fprintf(&b, "%d 0 obj\n<<%s", n, dict)
		if stream != "" {
			fmt.Fprintf(&b, "/Length %d>>\nstream\n%s\nendstream\nendobj\n", len(stream), stream)
			return
		}
		b.WriteString(">>\nendobj\n")
	}
	b.WriteString("%PDF-1.7\n")
	object(1, "/Type/Catalog/Pages 2 0 R/AcroForm<</Fields[6 0 R 7 0 R 8 0 R]>>", "")
	object(2, "/Type/Pages/Kids[3 0 R]/Count 1", "")
	object(3, "/Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>/Annots[6 0 R 7 0 R 8 0 R]", "")
	object(4, "", "BT /F 10 Tf 60 740 Td (Form 1040   U.S. Individual Income Tax Return 2021   OMB No. 1545-0074) Tj ET\n"+
		"BT /F 9 Tf 74 700 Td (Single) Tj 100 0 Td (Married filing jointly) Tj ET\nBT /F 9 Tf 60 660 Td (Your first name) Tj ET\n"+
		"60 699 9 9 re S 160 699 9 9 re S")
	object(5, "/Type/Font/Subtype/Type1/BaseFont/Helvetica", "")
	object(6, "/Type/Annot/Subtype/Widget/FT/Tx/T(name)/V(Wilma Example)/F 4/Rect[60 640 200 656]/AP<</N 9 0 R>>", "")
	object(7, "/Type/Annot/Subtype/Widget/FT/Btn/T(single)/V/Off/AS/Off/F 4/Rect[60 699 69 708]/AP<</N<</Yes 10 0 R/Off 11 0 R>>>>", "")
	object(8, "/Type/Annot/Subtype/Widget/FT/Btn/T(joint)/V/Yes/AS/Yes/F 4/Rect[160 699 169 708]/AP<</N<</Yes 10 0 R/Off 11 0 R>>>>", "")
	object(9, "/Type/XObject/Subtype/Form/BBox[0 0 140 16]/Resources<</Font<</F 5 0 R>>>>", "BT /F 9 Tf 2 4 Td (Wilma Example) Tj ET")
	object(10, "/Type/XObject/Subtype/Form/BBox[0 0 9 9]", "1 1 m 8 8 l S 8 1 m 1 8 l S")
	object(11, "/Type/XObject/Subtype/Form/BBox[0 0 9 9]", "% empty")
	b.WriteString("trailer\n<</Root 1 0 R/Size 12>>\n%%EOF\n")
	return []byte(b.String())
}

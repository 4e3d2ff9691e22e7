package document

import (
	"fmt"
	"image"
	"image/color"
	"slices"
	"strings"
	"testing"
)

// whitePage is a page of pixels with ink where draw puts it.
func whitePage(w, h int, draw func(ink func(x, y int))) *image.Gray {
	g := image.NewGray(image.Rect(0, 0, w, h))
	for i := range g.Pix {
		g.Pix[i] = 255
	}
	draw(func(x, y int) { g.SetGray(x, y, color.Gray{}) })
	return g
}

func TestTickedBoxes(t *testing.T) {
	frame := func(ink func(x, y int), x, y, w, h int) {
		for i := range w {
			ink(x+i, y)
			ink(x+i, y+h-1)
		}
		for i := range h {
			ink(x, y+i)
			ink(x+w-1, y+i)
		}
	}
	g := whitePage(400, 200, func(ink func(x, y int)) {
		frame(ink, 20, 20, 16, 16) // empty
		frame(ink, 60, 20, 16, 16) // crossed
		for i := range 16 {
			ink(60+i, 20+i)
			ink(75-i, 20+i)
		}
		frame(ink, 100, 20, 120, 16) // a field with something in it
		for i := range 10 {
			ink(110+i, 24+i)
		}
		frame(ink, 20, 80, 16, 16) // dotted in a corner: dirt
		ink(25, 86)
		for i := range 16 { // an L, no box
			ink(60, 80+i)
			ink(60+i, 95)
		}
	})
	got := tickedBoxes(g, 2, leastBox)
	if len(got) != 1 || got[0].Min != image.Pt(60, 20) {
		t.Errorf("ticked are %v, want the one at (60,20)", got)
	}
}

// The outlines of a scan are broken: a box is one all the same, where the page is of a form.
// A large word of a scan has letters that close like boxes, side by side.
func TestAlone(t *testing.T) {
	box := func(x, y int) image.Rectangle { return image.Rect(x, y, x+20, y+20) }
	got := alone([]image.Rectangle{box(100, 100), box(130, 102), box(158, 100), box(400, 100), box(400, 140), box(450, 141)})
	if want := []image.Rectangle{box(400, 100), box(400, 140), box(450, 141)}; !slices.Equal(got, want) {
		t.Errorf("alone are %v, want %v", got, want)
	}
}

func TestScannedTicks(t *testing.T) {
	const side, perPoint = 20, 2
	g := whitePage(perPoint*letterPoints, 400, func(ink func(x, y int)) {
		for _, x := range []int{100, 400} {
			for i := range side {
				if i%6 == 5 {
					continue // worn away
				}
				for _, thick := range []int{0, 1} {
					ink(x+i, 100+thick)
					ink(x+i, 100+side-1-thick)
					ink(x+thick, 100+i)
					ink(x+side-1-thick, 100+i)
				}
			}
		}
		for i := range side { // the first is crossed
			for _, thick := range []int{0, 1} {
				ink(100+i, 100+min(i+thick, side-1))
				ink(100+side-1-i, 100+min(i+thick, side-1))
			}
		}
	})
	words := []Token{{Text: "OMB", X0: 300, X1: 320, Y0: 10, Y1: 20}, {Text: "Single", X0: 65, X1: 95, Y0: 50, Y1: 60}, {Text: "Married", X0: 215, X1: 250, Y0: 50, Y1: 60}}
	ticks := func(tokens []Token) (at []float64) {
		for _, t := range scannedTicks(ocrPage{pixels: g, unit: 1.0 / perPoint, number: 1}, tokens) {
			if t.Text == tickToken {
				at = append(at, t.X0)
			}
		}
		return at
	}
	if at := ticks(words); len(at) != 1 || abs(at[0]-50) > 2 {
		t.Errorf("ticked at %v, want the box at 50", at)
	}
	if at := ticks(words[1:]); len(at) != 0 {
		t.Errorf("ticked at %v on a page that is no form", at)
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

// The values of a form's fields and the states of its boxes are no part of a page's own text.
func TestRead_formFields(t *testing.T) {
	got := mustRead(t, formPDF())
	if got.Refusal != nil || len(got.Extraction.Documents) != 1 {
		t.Fatalf("%+v", got)
	}
	tax := got.Extraction.Documents[0].Facts.Tax
	if tax == nil || tax.FilingStatus == nil || *tax.FilingStatus != "married filing jointly" {
		t.Fatalf("filing status of %+v", tax)
	}
	kept, err := DecodeTokens(got.Tokens)
	if err != nil {
		t.Fatal(err)
	}
	if text := pageText(kept.Pages[0]); !strings.Contains(text, "Wilma Example") || strings.Count(text, tickToken) != 1 {
		t.Errorf("the page reads %q", text)
	}
}

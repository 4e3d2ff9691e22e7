package decode

import (
	"bytes"
	"image"
	"testing"

	"golang.org/x/image/bmp"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A page is cut across where a blank row parts much print from much print, and nowhere else.
func TestCut(t *testing.T) {
	const width, height = 1000, 1600
	line := func(y int) []image.Rectangle { return dots(100, y, 20, 30, 25) }
	lines := func(from, to, step int) []image.Rectangle {
		var ink []image.Rectangle
		for y := from; y < to; y += step {
			ink = append(ink, line(y)...)
		}
		return ink
	}
	tests := []struct {
		name       string
		ink        []image.Rectangle
		from, till int // where it may be cut; 0: it is not
	}{
		{"even lines", lines(50, 1550, 40), 550, 1050},
		{"two blocks", append(lines(50, 700, 40), lines(900, 1550, 40)...), 700, 900},
		{"a post through the gap", append(lines(50, 700, 40), append(lines(900, 1550, 40), image.Rect(500, 40, 506, 1560))...), 0, 0},
		{"dust in the gap", append(lines(50, 700, 40), append(lines(900, 1550, 40), image.Rect(300, 800, 302, 802))...), 700, 900},
		{"no blank row", lines(50, 1550, 20), 0, 0},
		{"little print below", append(lines(50, 700, 40), line(1300)...), 0, 0},
		{"blank", nil, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := inkMask(paper(width, height, tt.ink...))
			row, ok := m.bandSplit()
			if ok != (tt.till > 0) || ok && (row < tt.from || row >= tt.till) {
				t.Fatalf("cut at %d, %t; want one in %d to %d", row, ok, tt.from, tt.till)
			}
			for x := 0; ok && x < width; x++ {
				if m.at(x, row) {
					t.Fatalf("ink at %d,%d is cut through", x, row)
				}
			}
		})
	}
	form := inkMask(paper(width, height, lines(50, 1550, 40)...))
	form.rules = len(form.ink) / 10
	if row, ok := form.bandSplit(); ok {
		t.Errorf("a form is cut at %d", row)
	}
	if row, ok := inkMask(paper(width, 900, lines(50, 850, 40)...)).bandSplit(); ok {
		t.Errorf("a small page is cut at %d", row)
	}
}

// The words of the lower band stand where they stand on the page, and are no part of the upper band's lines.
func TestTSVWords_band(t *testing.T) {
	const tsv = "5\t1\t1\t1\t1\t1\t100\t40\t80\t20\t96\tTotal\n"
	p := ocrPage{unit: 0.5, number: 3}
	_, above := tsvWords(tsv, p, 0)
	words, below := tsvWords(tsv, p, 1200)
	want := text.Token{Page: 3, X0: 50, Y0: 620, X1: 90, Y1: 630, Text: "Total", Confidence: 0.96, Method: text.MethodOCR}
	if len(words) != 1 || words[0] != want {
		t.Errorf("got %+v, want %+v", words, want)
	}
	if len(above) != 1 || len(below) != 1 || above[0] == below[0] {
		t.Errorf("lines %q and %q", above, below)
	}
}

// What tesseract is given holds every grey of the page, at any width and of a part of a picture too.
func TestEncodeBMP(t *testing.T) {
	for width := 1; width <= 5; width++ {
		whole := paper(width+2, 4)
		for i := range whole.Pix {
			whole.Pix[i] = uint8(37 * i)
		}
		for _, g := range []*image.Gray{whole, whole.SubImage(image.Rect(1, 1, 1+width, 4)).(*image.Gray)} {
			decoded, err := bmp.Decode(bytes.NewReader(encodeBMP(g)))
			if err != nil {
				t.Fatal(err)
			}
			got, want := grayOf(decoded), grayOf(g)
			if got.Rect != want.Rect || !bytes.Equal(got.Pix, want.Pix) {
				t.Errorf("%v: got %v, want %v", g.Rect, got.Pix, want.Pix)
			}
		}
	}
}

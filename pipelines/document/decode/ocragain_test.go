package decode

import (
	"image"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Print that no word covers is found row by row; rules, specks and posts are no print.
func TestUnreadRows(t *testing.T) {
	const high, unit = 20, 0.5 // pixels a word is high; points a pixel
	word := func(ink func(x, y int), x, y, letters int) {
		for l := range letters { // letters as upright strokes with a foot
			for i := range high {
				ink(x+l*12, y+i)
				ink(x+l*12+1, y+i)
			}
			for i := range 8 {
				ink(x+l*12+i, y+high-1)
			}
		}
	}
	g := documenttest.WhitePage(800, 600, func(ink func(x, y int)) {
		for row := range 12 {
			word(ink, 40, 30+row*40, 10)
			word(ink, 500, 30+row*40, 6)
		}
		for x := range 700 { // a rule
			ink(40+x, 560)
		}
		for y := range 300 { // a post between columns
			ink(420, 30+y)
		}
		ink(300, 300) // a speck
	})
	var tokens []text.Token
	for row := range 12 {
		for _, x := range []float64{40, 500} {
			if row == 4 || row == 7 && x == 500 {
				continue // what OCR lost
			}
			y := 30 + float64(row)*40
			tokens = append(tokens, text.Token{Text: "word", X0: x * unit, Y0: y * unit, X1: (x + 120) * unit, Y1: (y + high) * unit, Confidence: 0.9, Method: text.MethodOCR})
		}
	}
	rows := unreadRows(g, tokens, unit)
	want := []image.Rectangle{image.Rect(40, 190, 572, 210), image.Rect(500, 310, 572, 330)}
	if len(rows) != len(want) {
		t.Fatalf("unread rows %v, want two", rows)
	}
	for i, r := range rows {
		if !want[i].Inset(4).In(r) || !r.In(want[i].Inset(-20)) {
			t.Errorf("row %d is %v, want about %v", i, r, want[i])
		}
	}
}

// Parts of a page stand in the picture one under another, and what is read there goes back to its place.
func TestStack(t *testing.T) {
	g := documenttest.WhitePage(200, 100, func(ink func(x, y int)) { ink(150, 60) })
	picture, pieces := stackParts(g, []image.Rectangle{image.Rect(10, 10, 60, 30), image.Rect(140, 50, 160, 70)}, 2)
	if len(pieces) != 2 || pieces[1].at.Min.Y < pieces[0].at.Max.Y || !pieces[1].at.In(picture.Bounds()) {
		t.Fatalf("pieces %+v in %v", pieces, picture.Bounds())
	}
	if at := pieces[1].at.Min.Add(image.Pt(21, 21)); picture.GrayAt(at.X, at.Y).Y > 200 {
		t.Errorf("the ink of the second part is not at %v", at)
	}
}

// Two readings that agree are surer than one; where they differ, one that is far surer counts, and else neither.
func TestAgreed(t *testing.T) {
	for _, c := range []struct {
		name        string
		first       text.Token
		again, want string
		sure        float64 // of the second reading
		confidence  float64
	}{
		{"the same", text.Token{Text: "1,234.56", Confidence: 0.5}, "1,234.56", "1,234.56", 0.6, 0.75},
		{"but for a mark at its end", text.Token{Text: "1,234.56.", Confidence: 0.5}, "1,234.56", "1,234.56.", 0.6, 0.75},
		{"nothing", text.Token{Text: "1,234.56", Confidence: 0.5}, "", "1,234.56", 0, 0.5},
		{"an amount that was none", text.Token{Text: "1,234.S6", Confidence: 0.7}, "1,234.56", "1,234.56", 0.6, 0.6},
		{"far surer", text.Token{Text: "7,234.56", Confidence: 0.4}, "1,234.56", "1,234.56", 0.9, 0.9},
		{"hardly surer", text.Token{Text: "7,234.56", Confidence: 0.7}, "1,234.56", "7,234.56", 0.8, contested},
		{"far less sure", text.Token{Text: "7,234.56", Confidence: 0.8}, "1,234.56", "7,234.56", 0.3, 0.8},
	} {
		t.Run(c.name, func(t *testing.T) {
			var again []text.Token
			if c.again != "" {
				again = []text.Token{{Text: c.again, Confidence: c.sure, Method: text.MethodOCR}}
			}
			if got := confirmFigure(c.first, again); got.Text != c.want || text.Abs(got.Confidence-c.confidence) > 1e-9 {
				t.Errorf("%q with %.2f, want %q with %.2f", got.Text, got.Confidence, c.want, c.confidence)
			}
		})
	}
}

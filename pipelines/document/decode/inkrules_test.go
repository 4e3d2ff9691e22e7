package decode

import (
	"image"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// paper is white, with rectangles of ink.
func paper(w, h int, ink ...image.Rectangle) *image.Gray {
	g := image.NewGray(image.Rect(0, 0, w, h))
	for i := range g.Pix {
		g.Pix[i] = 255
	}
	for _, r := range ink {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				g.Pix[y*g.Stride+x] = 0
			}
		}
	}
	return g
}

// dots are count squares of size at steps from x on.
func dots(x, y, size, step, count int) []image.Rectangle {
	var list []image.Rectangle
	for i := range count {
		list = append(list, image.Rect(x+i*step, y, x+i*step+size, y+size))
	}
	return list
}

func inkIn(g *image.Gray, r image.Rectangle) int {
	n := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if g.Pix[y*g.Stride+x] < dark {
				n++
			}
		}
	}
	return n
}

func ruleless(g *image.Gray) *image.Gray {
	out, _ := withoutRules(g)
	return out
}

func TestWithoutRules(t *testing.T) {
	tests := []struct {
		name string
		ink  []image.Rectangle
		gone bool
	}{
		{"full rule", []image.Rectangle{image.Rect(100, 200, 900, 203)}, true},
		{"dotted rule", dots(100, 200, 2, 4, 100), true},
		{"leaders", dots(100, 200, 3, 14, 10), true},
		{"stroke of a letter", []image.Rectangle{image.Rect(100, 200, 130, 203)}, false},
		{"bar of a chart", []image.Rectangle{image.Rect(100, 200, 900, 260)}, false},
		{"decimal point", []image.Rectangle{image.Rect(100, 200, 103, 203)}, false},
		{"three dots", dots(100, 200, 3, 14, 3), false},
		{"dots without measure", []image.Rectangle{image.Rect(100, 200, 103, 203), image.Rect(110, 200, 113, 203), image.Rect(131, 200, 134, 203), image.Rect(139, 200, 142, 203), image.Rect(163, 200, 166, 203), image.Rect(170, 200, 173, 203)}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := paper(1000, 400, tt.ink...)
			before := inkIn(g, g.Rect)
			if left := inkIn(ruleless(g), g.Rect); (left == 0) != tt.gone || !tt.gone && left != before {
				t.Errorf("%d of %d pixels are left", left, before)
			}
			if inkIn(g, g.Rect) != before {
				t.Error("the page itself was changed")
			}
		})
	}
}

// A letter that stands on a rule stays when the rule goes.
func TestWithoutRules_letterOnRule(t *testing.T) {
	g := paper(1000, 400, image.Rect(100, 200, 900, 203), image.Rect(300, 170, 306, 206))
	out := ruleless(g)
	if letter := inkIn(out, image.Rect(300, 170, 306, 200)); letter != 6*30 {
		t.Errorf("%d pixels of the letter are left", letter)
	}
	if rule := inkIn(out, image.Rect(320, 190, 900, 210)); rule != 0 {
		t.Errorf("%d pixels of the rule are left", rule)
	}
}

func TestJoinTorn(t *testing.T) {
	word := func(s string, x0, x1 float64) text.Token {
		return text.Token{Text: s, X0: x0, X1: x1, Y0: 10, Y1: 30, Confidence: 0.9, Method: text.MethodOCR}
	}
	tests := []struct {
		in   []text.Token
		want string
	}{
		{[]text.Token{word("2,365,", 0, 60), word("076", 66, 90)}, "2,365,076"},
		{[]text.Token{word("$1,", 0, 20), word("234.56", 24, 80)}, "$1,234.56"},
		{[]text.Token{word("2,365,", 0, 60), word("076", 120, 150)}, "2,365,|076"},
		{[]text.Token{word("Paris,", 0, 60), word("750", 66, 90)}, "Paris,|750"},
		{[]text.Token{word("12,", 0, 20), word("2024", 24, 60)}, "12,|2024"},
	}
	for _, tt := range tests {
		var got []string
		for _, token := range joinSplitAmounts(tt.in) {
			got = append(got, token.Text)
		}
		if strings.Join(got, "|") != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

// A pass that lost a mark does not replace an amount that another pass read whole, whatever its confidence.
func TestAddMissing_amounts(t *testing.T) {
	at := func(s string, confidence float64) []text.Token {
		return []text.Token{{Text: s, X0: 10, X1: 90, Y0: 10, Y1: 30, Confidence: confidence, Method: text.MethodOCR}}
	}
	for _, tt := range []struct{ first, more, want string }{
		{"1,829.10", "1,829 10", "1,829.10"}, {"§,606.74", "5,606.74", "5,606.74"}, {"§,606.74", "11/12/24", "§,606.74"}, {"Cheeks", "Checks", "Checks"},
	} {
		more := 0.95
		if tt.first[0] > 'z' {
			more = 0.5
		}
		if got := addMissing(at(tt.first, 0.6), at(tt.more, more)); len(got) != 1 || got[0].Text != tt.want {
			t.Errorf("%s and %s: %+v, want %s", tt.first, tt.more, got, tt.want)
		}
	}
}

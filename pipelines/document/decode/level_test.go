package decode

import (
	"image"
	"image/color"
	"math"
	"testing"
)

// The lines of a picture that was taken at an angle, the upper falling and the lower rising, are level afterwards, and
// so are its pixels; a level picture is left alone.
func TestLevelled(t *testing.T) {
	const w, h = 1000, 600
	true3 := slope{a: 0.01, b: -0.06, cx: w / 2, cy: h / 2, w: w, h: h}
	g := image.NewGray(image.Rect(0, 0, w, h))
	for i := range g.Pix {
		g.Pix[i] = 255
	}
	var seen []seenWord
	for line := range 10 {
		row := 40 + 55*float64(line)
		for word := range 6 {
			x := 80 + 150*float64(word)
			y := row + true3.dropAt(x, row)
			seen = append(seen, seenWord{X0: x - 60, X1: x + 60, Y0: y - 10, Y1: y + 10, Line: line, Text: "WORD",
				Angle: math.Atan(true3.at(x, row))})
		}
		for x := range w {
			g.SetGray(x, int(row+true3.dropAt(float64(x), row)), color.Gray{})
		}
	}
	words, level := levelWords(seen, g)
	for i, word := range words {
		first := words[i-i%6]
		if d := math.Abs(word.Y0 - first.Y0); d > 3 {
			t.Errorf("word %d of line %d stands %.1f pixels off its line", i%6, word.Line, d)
		}
	}
	darkest := func(x int) int {
		best, at := 255, 0
		for y := range 70 {
			if v := int(level.GrayAt(x, y).Y); v < best {
				best, at = v, y
			}
		}
		return at
	}
	if left, right := darkest(60), darkest(940); math.Abs(float64(left-right)) > 3 {
		t.Errorf("the first line stands at %d and at %d", left, right)
	}
	for i := range seen {
		seen[i].Angle = 0.002
	}
	if _, same := levelWords(seen, g); same != g {
		t.Error("a level picture was moved")
	}
}

//go:build linux || darwin

package main

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"os"
	"strings"
	"testing"
)

// The networks are the ones that were measured: NOTICE names their hashes.
func TestModels_pinned(t *testing.T) {
	notice, err := os.ReadFile("models/NOTICE")
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string][]byte{"detection": detectionModel, "recognition": recognitionModel, "characters": []byte(characters)} {
		sum := sha256.Sum256(file)
		if !strings.Contains(string(notice), hex.EncodeToString(sum[:])) {
			t.Errorf("%s is not the file that NOTICE names", name)
		}
	}
}

// answer is what the network says of a line: the likeliest class at each step, and the space's probability there.
func answer(l letters, steps string, space ...float32) []float32 {
	out := make([]float32, 0, len(steps)*l.classes)
	for i, r := range []rune(steps) {
		at := make([]float32, l.classes)
		for class := range at {
			if l.runes[class] == r && class > 0 || r == '_' && class == blank {
				at[class] = 0.9
			}
		}
		if i < len(space) {
			at[l.classes-1] = space[i]
		}
		out = append(out, at...)
	}
	return out
}

func TestGlyphsOf(t *testing.T) {
	l := newLetters("中\nA\nB\n：\n3\n")
	read := func(steps string, space ...float32) string {
		text := ""
		for _, g := range l.glyphsOf(answer(l, steps, space...), len([]rune(steps)), stepWidth) {
			if g.space >= spaceShare {
				text += " "
			}
			text += string(g.r)
		}
		return text
	}
	for name, c := range map[string]struct {
		steps string
		space []float32
		want  string
	}{
		"one character over several steps": {"AA_AAB", nil, "AAB"},
		"a space that did not win":         {"A_B", []float32{0, 0.02, 0}, "A B"},
		"too little of a space":            {"A_B", []float32{0, 0.004, 0}, "AB"},
		"a wide mark becomes a plain one":  {"A:3", nil, "A:3"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := read(c.steps, c.space...); got != c.want {
				t.Errorf("read %q, want %q", got, c.want)
			}
		})
	}
	noise := make([]float32, l.classes)
	noise[1], noise[2] = 0.9, 0.01 // a Chinese character is likeliest, and there are none here
	if got := l.glyphsOf(noise, 1, stepWidth); len(got) != 1 || got[0].r != 'A' || got[0].confidence > 0.1 {
		t.Errorf("%+v, want an A that nobody believes", got)
	}
}

// A tilted line gives a box along it.
func TestSmallestBox(t *testing.T) {
	const angle = 0.2
	sin, cos := math.Sincos(angle)
	var points []point
	for u := -100.0; u <= 100; u++ {
		for v := -10.0; v <= 10; v++ {
			points = append(points, point{math.Round(200 + u*cos - v*sin), math.Round(150 + u*sin + v*cos)})
		}
	}
	b := smallestBox(points)
	if math.Abs(b.angle-angle) > 0.02 || math.Abs(b.width-201) > 4 || math.Abs(b.height-21) > 4 || math.Abs(b.x-200) > 2 || math.Abs(b.y-150) > 2 {
		t.Errorf("%+v, want 201 by 21 around 200, 150 at 0.2", b)
	}
}

// A picture that is made smaller keeps its mean.
func TestScaled(t *testing.T) {
	p := picture{make([]uint8, 90*60), 90, 60}
	for i := range p.pix {
		p.pix[i] = uint8(i % 90 * 2)
	}
	small := p.scaled(20, 11)
	sum := 0
	for _, v := range small.pix {
		sum += int(v)
	}
	if mean := float64(sum) / float64(len(small.pix)); math.Abs(mean-89) > 1.5 || small.pix[0] > small.pix[19] {
		t.Errorf("mean %.1f, want 89", mean)
	}
}

// Words are parted at the gap between them and their boxes end at their ink.
func TestWordsOf(t *testing.T) {
	s := picture{make([]uint8, 200*stripHeight), 200, stripHeight}
	for i := range s.pix {
		s.pix[i] = 230
	}
	for y := 10; y < 38; y++ {
		for _, x := range []int{20, 21, 22, 40, 41, 42, 100, 101, 102} {
			s.pix[y*s.w+x] = 20
		}
	}
	glyphs := []glyph{{'A', 21, 0.9, 0}, {'B', 41, 0.7, 0.004}, {'3', 101, 1, 0.02}}
	words := wordsOf(glyphs, s, box{x: 200, y: 124, width: 400, height: 96})
	if len(words) != 2 || words[0].Text != "AB" || words[1].Text != "3" {
		t.Fatalf("%+v", words)
	}
	if w := words[0]; w.X0 != 40 || w.X1 != 86 || w.Y0 != 96 || w.Y1 != 152 || math.Abs(w.Confidence-0.8) > 1e-9 {
		t.Errorf("%+v, want the ink from 40, 96 to 86, 152", w)
	}
	if w := words[1]; w.X0 != 200 || w.X1 != 206 {
		t.Errorf("%+v, want the ink from 200 to 206", w)
	}
}

// The room beside a thin letter is no space: where the network is not sure of one, the print decides.
func TestWordsOf_tight(t *testing.T) {
	s := picture{make([]uint8, 200*stripHeight), 200, stripHeight}
	for i := range s.pix {
		s.pix[i] = 230
	}
	for _, x := range []int{20, 40, 61, 80, 108} { // letters sixteen columns wide but for a thin one
		half := map[bool]int{true: 6, false: 8}[x == 61]
		for y := 10; y < 38; y++ {
			for dx := -half; dx <= half; dx++ {
				s.pix[y*s.w+x+dx] = 20
			}
		}
	}
	for name, c := range map[string]struct {
		space float64
		want  int
	}{"a little of a space": {0.05, 2}, "surely one": {0.6, 3}} {
		glyphs := []glyph{{'D', 20, 1, 0}, {'E', 40, 1, 0}, {'l', 61, 1, c.space}, {'N', 80, 1, 0}, {'A', 108, 1, 0.05}}
		if words := wordsOf(glyphs, s, box{x: 100, y: 24, width: 200, height: 48}); len(words) != c.want || words[len(words)-1].Text != "A" {
			t.Errorf("%s: %+v", name, words)
		}
	}
}

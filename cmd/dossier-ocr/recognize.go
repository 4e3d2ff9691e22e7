//go:build linux || darwin

package main

import (
	"math"
	"slices"
	"strings"
)

// Word is a word of a picture with its box in pixels.
type Word struct {
	X0, Y0, X1, Y1 float64
	Text           string
	Confidence     float64 // 0 to 1
	Line           int     // words of one line have the same
	Turned         bool    // its line runs down the picture
	Angle          float64 // of its line in radians, positive where the line falls to the right
}

const (
	stripHeight = 48
	stepWidth   = 8    // columns of a strip that the network answers at once
	longestLine = 4096 // columns; no line of print is longer
	tall        = 1.6  // a box this much higher than wide holds a line that runs down
	spaceShare  = 0.01 // the space's probability that parts two words: within most it stays below a half of that
	surelySpace = 0.5  // the space's probability that needs no look at the print
	tightPitch  = 1.12 // of the usual distance between characters: two that stand closer may be of one word
	tightGap    = 0.35 // of that distance without ink, which a space has more of
	fillers     = 3    // "<" of a line that is a machine readable zone: it has no words
)

// read gives the words of a picture, line by line from the top.
func (r *reader) read(p picture) ([]Word, error) {
	boxes, err := r.detect(p)
	if err != nil {
		return nil, err
	}
	var words []Word
	for i, b := range boxes {
		turned := b.height > tall*b.width
		if turned {
			b.width, b.height, b.angle = b.height, b.width, b.angle+math.Pi/2
		}
		found, err := r.recognize(p, b)
		if err != nil {
			return nil, err
		}
		for _, w := range found {
			w.Line, w.Turned, w.Angle = i, turned, b.angle
			words = append(words, w)
		}
	}
	return words, nil
}

// recognize reads one line.
func (r *reader) recognize(p picture, b box) ([]Word, error) {
	s := stripOf(p, b)
	input := make([]float32, 3*len(s.pix))
	for i, v := range s.pix {
		input[i] = float32(v)/127.5 - 1
	}
	copy(input[len(s.pix):], input[:len(s.pix)])
	copy(input[2*len(s.pix):], input[:len(s.pix)])
	var glyphs []glyph
	err := r.recognition.run(input, []int64{1, 3, stripHeight, int64(s.w)}, func(out []float32, shape []int64) {
		if len(shape) == 3 && int(shape[2]) == r.letters.classes {
			glyphs = r.letters.glyphsOf(out, int(shape[1]), float64(s.w)/float64(shape[1]))
		}
	})
	if err != nil {
		return nil, err
	}
	return wordsOf(glyphs, s, b), nil
}

// stripOf is a line of the picture laid level, as high as the network wants it.
func stripOf(p picture, b box) picture {
	w := min(max(int(math.Ceil(stripHeight*b.width/b.height)), stripHeight/2), longestLine)
	s := picture{make([]uint8, w*stripHeight), w, stripHeight}
	sin, cos := math.Sincos(b.angle)
	sx, sy := b.width/float64(w), b.height/stripHeight
	n := min(max(int(math.Round(sy)), 1), 4) // samples a side: large print is averaged
	for y := range stripHeight {
		for x := range w {
			sum := float32(0)
			for i := range n * n {
				u := (float64(x)+(float64(i%n)+0.5)/float64(n))*sx - b.width/2
				v := (float64(y)+(float64(i/n)+0.5)/float64(n))*sy - b.height/2
				sum += p.at(b.x+u*cos-v*sin-0.5, b.y+u*sin+v*cos-0.5)
			}
			s.pix[y*w+x] = uint8(sum/float32(n*n) + 0.5)
		}
	}
	return s
}

// letters says what the classes of the network stand for.
type letters struct {
	classes int
	runes   []rune // by class; 0: not read
	read    []int  // the classes that are read: Latin script, figures, marks
}

const blank = 0

// newLetters reads the network's list of characters, one a line. Class 0 is "no character", the last one the space.
// Characters of scripts that no document here is written in are left out: the network sees them in pictures.
func newLetters(list string) letters {
	lines := strings.Split(strings.TrimRight(list, "\n"), "\n")
	l := letters{classes: len(lines) + 2, runes: make([]rune, len(lines)+2), read: []int{blank}}
	for i, line := range lines {
		runes := []rune(strings.TrimRight(line, "\r"))
		if len(runes) != 1 {
			continue
		}
		if r := folded(runes[0]); r > ' ' && (r < 0x250 || strings.ContainsRune("–—‘’“”•…€™№", r)) {
			l.runes[i+1] = r
			l.read = append(l.read, i+1)
		}
	}
	l.runes[l.classes-1] = ' '
	l.read = append(l.read, l.classes-1)
	return l
}

// folded is the plain form of a character that is as wide as a Chinese one.
func folded(r rune) rune {
	switch {
	case r >= 0xff01 && r <= 0xff5e:
		return r - 0xff01 + '!'
	case r == '。':
		return '.'
	case r == '、':
		return ','
	case r == '￥':
		return '¥'
	}
	return r
}

// glyph is one character of a line.
type glyph struct {
	r          rune
	x          float64 // its middle, in columns of the strip
	confidence float64
	space      float64 // probability that a space stands before it
}

// glyphsOf reads the network's answer: the likeliest class at each step, runs of one class being one character, and
// spaces where they are likely although nothing won.
func (l letters) glyphsOf(out []float32, steps int, width float64) []glyph {
	var found []glyph
	last, run := rune(0), 0
	space := 0.0
	for t := range steps {
		at := out[t*l.classes : (t+1)*l.classes]
		best := blank
		for _, c := range l.read {
			if at[c] > at[best] {
				best = c
			}
		}
		r, p := l.runes[best], float64(at[best])
		space = max(space, float64(at[l.classes-1]))
		switch {
		case best == blank || r == ' ':
			last = 0
		case r == last:
			run++
			g := &found[len(found)-1]
			g.x += (width*(float64(t)+0.5) - g.x) / float64(run)
			g.confidence = max(g.confidence, p)
			space = 0
		default:
			found = append(found, glyph{r, width * (float64(t) + 0.5), p, space})
			last, run, space = r, 1, 0
		}
	}
	return found
}

// wordsOf are the words of a line, with boxes drawn around their ink.
func wordsOf(glyphs []glyph, s picture, b box) []Word {
	zone := 0
	for _, g := range glyphs {
		if g.r == '<' {
			zone++
		}
	}
	if len(glyphs) == 0 {
		return nil
	}
	ink := inkOf(s)
	pitch := pitchOf(glyphs)
	var parts [][]glyph
	for i, g := range glyphs {
		if i == 0 || zone < fillers && g.space >= spaceShare && !ink.tight(glyphs[i-1], g, pitch) {
			parts = append(parts, nil)
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], g)
	}
	left := ink.firstColumn(glyphs[0].x-1.1*pitch, glyphs[0].x)
	var words []Word
	for i, part := range parts {
		end := part[len(part)-1].x
		right, next := ink.lastColumn(end, end+1.1*pitch), 0.0
		if i+1 < len(parts) {
			right, next = ink.gap(end, parts[i+1][0].x)
		}
		words = append(words, b.word(part, ink, max(left, 0), min(max(right, left+1), float64(s.w))))
		left = next
	}
	return words
}

// pitchOf is the usual distance between characters, in columns.
func pitchOf(glyphs []glyph) float64 {
	var steps []float64
	for i := 1; i < len(glyphs); i++ {
		if glyphs[i].space < spaceShare {
			steps = append(steps, glyphs[i].x-glyphs[i-1].x)
		}
	}
	if len(steps) == 0 {
		return stripHeight / 2
	}
	slices.Sort(steps)
	return min(max(steps[len(steps)/2], 6), stripHeight)
}

// word is a part of a line between two columns of its strip.
func (b box) word(glyphs []glyph, ink inkMap, left, right float64) Word {
	var text strings.Builder
	sum := 0.0
	for _, g := range glyphs {
		text.WriteRune(g.r)
		sum += g.confidence
	}
	top, bottom := ink.rows(left, right)
	scaleX, scaleY := b.width/float64(ink.w), b.height/stripHeight
	u, v := (left+right)/2*scaleX-b.width/2, (top+bottom)/2*scaleY-b.height/2
	sin, cos := math.Sincos(b.angle)
	x, y := b.x+u*cos-v*sin, b.y+u*sin+v*cos
	width, height := (right-left)*scaleX, (bottom-top)*scaleY
	if math.Abs(sin) > math.Abs(cos) {
		width, height = height, width
	}
	return Word{X0: x - width/2, Y0: y - height/2, X1: x + width/2, Y1: y + height/2, Text: text.String(),
		Confidence: sum / float64(len(glyphs))}
}

package specimen

import (
	"strings"
	"time"
)

// Page sizes in points.
const (
	letterWidth, letterHeight = 612.0, 792.0
	a4Width, a4Height         = 595.0, 842.0
)

// ink is a colour.
type ink struct{ r, g, b uint8 }

var (
	black = ink{0, 0, 0}
	grey  = ink{110, 110, 110}
	pale  = ink{232, 236, 241}
	white = ink{255, 255, 255}
)

// style is how a text is set.
type style struct {
	face face
	size float64
	ink  ink
}

func (s style) bold() style           { s.face = s.face.bold(); return s }
func (s style) in(c ink) style        { s.ink = c; return s }
func (s style) at(pt float64) style   { s.size = pt; return s }
func (s style) w(text string) float64 { return width(s.face, s.size, text) }

// mark is one thing drawn on a page: a text at its baseline, or a filled rectangle. Lines are thin rectangles.
// Points, from the top left.
type mark struct {
	x, y, w, h float64
	text       string // empty: a rectangle
	style      style
	field      string // AcroForm field of a filled form; empty: page content
}

// page is a display list, so that one layout gives a PDF and a picture of the same page.
type page struct {
	w, h  float64
	marks []mark
}

// emission is how a PDF states its text; readers must not care.
type emission int

const (
	byRun   emission = iota // one operator for each text
	byWord                  // one for each word, with no space glyphs
	byGlyph                 // one for each glyph, as some print drivers do
)

// sheet is a drawn document.
type sheet struct {
	pages    []*page
	w, h     float64
	title    string
	producer string
	made     time.Time // date in the metadata
	emission emission
	maps     map[face]int // the first character that a font's map to characters begins with, where it is wrong
}

func newSheet(w, h float64, title string, made time.Time) *sheet {
	return &sheet{w: w, h: h, title: title, made: made, producer: "Statement Composer 4.2"}
}

// add appends an empty page and returns it.
func (s *sheet) add() *page {
	p := &page{w: s.w, h: s.h}
	s.pages = append(s.pages, p)
	return p
}

// text draws t with its baseline starting at x, y and returns its right end.
func (p *page) text(x, y float64, t string, st style) float64 {
	if strings.TrimSpace(t) == "" {
		return x
	}
	p.marks = append(p.marks, mark{x: x, y: y, text: t, style: st})
	return x + st.w(t)
}

// right draws t ending at x.
func (p *page) right(x, y float64, t string, st style) { p.text(x-st.w(t), y, t, st) }

// centre draws t around x.
func (p *page) centre(x, y float64, t string, st style) { p.text(x-st.w(t)/2, y, t, st) }

// fill paints a rectangle.
func (p *page) fill(x, y, w, h float64, c ink) {
	p.marks = append(p.marks, mark{x: x, y: y, w: w, h: h, style: style{ink: c}})
}

// rule draws a horizontal line.
func (p *page) rule(x1, x2, y, thick float64, c ink) { p.fill(x1, y, x2-x1, thick, c) }

// frame draws the outline of a rectangle.
func (p *page) frame(x, y, w, h, thick float64, c ink) {
	p.fill(x, y, w, thick, c)
	p.fill(x, y+h-thick, w, thick, c)
	p.fill(x, y, thick, h, c)
	p.fill(x+w-thick, y, thick, h, c)
}

// value draws a form field's value, right-aligned at x when right is set.
func (p *page) value(x, y float64, field, t string, st style, right bool) {
	if right {
		x -= st.w(t)
	}
	p.marks = append(p.marks, mark{x: x, y: y, text: t, style: st, field: field})
}

// paragraph wraps t into lines of at most w points and returns the next baseline.
func (p *page) paragraph(x, y, w, lead float64, t string, st style) float64 {
	line := ""
	for _, word := range strings.Fields(t) {
		if line != "" && st.w(line+" "+word) > w {
			p.text(x, y, line, st)
			line, y = "", y+lead
		}
		line = strings.TrimSpace(line + " " + word)
	}
	p.text(x, y, line, st)
	return y + lead
}

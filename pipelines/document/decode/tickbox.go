package decode

import (
	"image"
	"math"
	"slices"
	"strings"

	"github.com/klippa-app/go-pdfium/references"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Boxes to tick are drawings: a text layer does not say which of them are ticked. A ticked one becomes a
// token of its own, so that readers find it before its caption like any printed mark.
const (
	TickToken = "☒"
	tickDPI   = 144
)

// Sides of a box to tick, in points, and the share of ink inside one that is ticked. In a scan, letters of small print
// close like the smallest boxes.
const (
	leastBox     = 5.0
	leastScanned = 6.5
	mostBox      = 16.0
	tickedInk    = 0.12
)

// A thin tick is little ink: it is one where most boxes of its size on the page have none, and it has this much more.
const (
	thinTick  = 0.05
	leastPeer = 4 // boxes of a size, of which most are empty
)

// tickedBoxes finds the ticked boxes of a page: square outlines of even sides with ink inside. perPoint is how many
// pixels a point of the page is, and least the shortest side in points.
func tickedBoxes(g *image.Gray, perPoint, least float64) []image.Rectangle {
	boxes := boxesOf(g, perPoint, least)
	return slices.Collect(func(yield func(image.Rectangle) bool) {
		for _, b := range boxes {
			if b.inked > tickedInk && b.free && !yield(b.Rectangle) {
				return
			}
		}
	})
}

// drawnTicks are the ticked boxes of a page that is drawn as its file says, without a scanner's dirt: thin ticks too.
func drawnTicks(g *image.Gray, perPoint, least float64) []image.Rectangle {
	boxes := boxesOf(g, perPoint, least)
	var found []image.Rectangle
	for _, b := range boxes {
		empty, peers := 0, 0
		for _, o := range boxes {
			if text.Abs(float64(o.Dx()-b.Dx())) <= 0.1*float64(b.Dx()) {
				peers++
				if o.inked < 0.01 {
					empty++
				}
			}
		}
		if b.inked > tickedInk || b.inked >= thinTick && peers >= leastPeer && 2*empty > peers {
			found = append(found, b.Rectangle)
		}
	}
	return found
}

// tickBox is a box to tick, with the share of ink inside, and whether it stands free.
type tickBox struct {
	image.Rectangle
	inked float64
	free  bool
}

// boxesOf are the boxes to tick of a page, ticked and empty.
func boxesOf(g *image.Gray, perPoint, least float64) []tickBox {
	m := inkMask(g)
	right, down := m.runs()
	shortest, longest := int(least*perPoint), int(mostBox*perPoint)
	var found []tickBox
	for y := range m.h {
		for x := range m.w {
			side, height := int(right[y*m.w+x]), int(down[y*m.w+x])
			if side < shortest || side > longest || m.at(x-1, y) || m.at(x, y-1) ||
				text.Abs(float64(height-side)) > 0.2*float64(side) {
				continue
			}
			box := image.Rect(x, y, x+side, y+height)
			if !m.closes(box, right, down) {
				continue
			}
			b := tickBox{box, m.inked(box), m.hasMargin(box)}
			over := slices.IndexFunc(found, func(o tickBox) bool { return box.Overlaps(o.Rectangle) })
			switch {
			case over < 0:
				found = append(found, b)
			case found[over].inked <= tickedInk && b.inked > tickedInk: // within an empty outline
				found[over] = b
			}
		}
	}
	return found
}

// longestRun is the most that runs counts: more than any side of a box.
const longestRun = math.MaxUint16

// runs gives for every pixel the length of the unbroken ink from it to the right, and down. A page at 300 dpi has eight
// million of them, so a length takes two bytes.
func (m mask) runs() (right, down []uint16) {
	right, down = make([]uint16, m.w*m.h), make([]uint16, m.w*m.h)
	for y := m.h - 1; y >= 0; y-- {
		for x := m.w - 1; x >= 0; x-- {
			at := y*m.w + x
			if !m.ink[at] {
				continue
			}
			right[at], down[at] = 1, 1
			if x+1 < m.w && right[at+1] < longestRun {
				right[at] += right[at+1]
			}
			if y+1 < m.h && down[at+m.w] < longestRun {
				down[at] += down[at+m.w]
			}
		}
	}
	return right, down
}

// closes reports whether the box has its bottom and right sides too.
func (m mask) closes(box image.Rectangle, right, down []uint16) bool {
	bottom, edge := false, false
	for slack := 1; slack <= 4 && !(bottom && edge); slack++ {
		if y := box.Max.Y - slack; y > box.Min.Y && y < m.h {
			bottom = bottom || int(right[y*m.w+box.Min.X]) >= box.Dx()-3
		}
		if x := box.Max.X - slack; x > box.Min.X && x < m.w {
			edge = edge || int(down[box.Min.Y*m.w+x]) >= box.Dy()-3
		}
	}
	return bottom && edge
}

// hasMargin reports whether there is paper right outside at least three sides of a box. A stroke of large type is as
// wide as a box, but other strokes continue beyond it; one side may lie on a rule of the form.
func (m mask) hasMargin(box image.Rectangle) bool {
	w, h, sides := box.Dx()/4, box.Dy()/4, 0
	for _, strip := range []image.Rectangle{
		image.Rect(box.Min.X+w, box.Min.Y-3, box.Max.X-w, box.Min.Y-1),
		image.Rect(box.Min.X+w, box.Max.Y+1, box.Max.X-w, box.Max.Y+3),
		image.Rect(box.Min.X-3, box.Min.Y+h, box.Min.X-1, box.Max.Y-h),
		image.Rect(box.Max.X+1, box.Min.Y+h, box.Max.X+3, box.Max.Y-h),
	} {
		ink := 0
		for y := strip.Min.Y; y < strip.Max.Y; y++ {
			for x := strip.Min.X; x < strip.Max.X; x++ {
				if m.at(x, y) {
					ink++
				}
			}
		}
		if 3*ink < strip.Dx()*strip.Dy() {
			sides++
		}
	}
	return sides >= 3
}

// inked is the share of ink inside a box, well off its sides.
func (m mask) inked(box image.Rectangle) float64 {
	inner := box.Inset(max(box.Dx()/4, 3))
	ink := 0
	for y := inner.Min.Y; y < inner.Max.Y; y++ {
		for x := inner.Min.X; x < inner.Max.X; x++ {
			if m.at(x, y) {
				ink++
			}
		}
	}
	return float64(ink) / float64(max(inner.Dx()*inner.Dy(), 1))
}

// hasBoxes reports whether a page is of an official form, whose boxes are worth drawing it for.
func hasBoxes(p text.Page) bool {
	omb, department := false, false
	for _, t := range p.Tokens {
		omb = omb || t.Text == "OMB"
		department = department || t.Text == "Treasury" || t.Text == "Treasury—Internal" || t.Text == "IRS" ||
			t.Text == "Internal"
	}
	return omb || department
}

// addTicks draws a page of a form and puts its ticked boxes among the tokens. A page that cannot be drawn keeps what
// its text layer says.
func (p *pdfEngine) addTicks(doc references.FPDF_DOCUMENT, i int, page *text.Page) {
	if !hasBoxes(*page) {
		return
	}
	pixels, unit, err := p.renderAt(doc, i, page.Width, page.Height, tickDPI)
	if err != nil {
		return
	}
	putTicks(page, drawnTicks(pixels, 1/unit, leastBox), unit, text.MethodForm)
}

// scannedTicks puts the ticked boxes of a scanned form among its words. Its outlines are made thicker first, for those
// of a scan are broken, and a letter by itself that closes like a box is taken for what it is by the words around it.
func scannedTicks(p ocrPage, tokens []text.Token) []text.Token {
	page := text.Page{Number: p.number, Tokens: tokens}
	if hasBoxes(page) {
		putTicks(&page, isolatedBoxes(tickedBoxes(thicker(flatten(p.pixels)), float64(p.pixels.Rect.Dx())/letterPoints,
			leastScanned)), p.unit, text.MethodOCR)
	}
	return page.Tokens
}

// isolatedBoxes are the boxes that have no other within their own width on the same line: close ones are the letters of
// a large word, or the cells of a number.
func isolatedBoxes(boxes []image.Rectangle) []image.Rectangle {
	return slices.DeleteFunc(slices.Clone(boxes), func(box image.Rectangle) bool {
		near := image.Rect(box.Min.X-box.Dx(), box.Min.Y, box.Max.X+box.Dx(), box.Max.Y)
		return slices.ContainsFunc(boxes,
			func(other image.Rectangle) bool { return other != box && other.Overlaps(near) })
	})
}

// letterPoints is the width of the paper that forms are printed on, in points.
const letterPoints = 612

// thicker is a picture whose ink is a pixel wider on every side.
func thicker(g *image.Gray) *image.Gray {
	wide := &image.Gray{Pix: slices.Clone(g.Pix), Stride: g.Stride, Rect: g.Rect}
	for at := 1; at+1 < len(g.Pix); at++ {
		wide.Pix[at] = min(g.Pix[at-1], g.Pix[at], g.Pix[at+1])
	}
	out := &image.Gray{Pix: slices.Clone(wide.Pix), Stride: g.Stride, Rect: g.Rect}
	for at := g.Stride; at+g.Stride < len(g.Pix); at++ {
		out.Pix[at] = min(wide.Pix[at-g.Stride], wide.Pix[at], wide.Pix[at+g.Stride])
	}
	return out
}

// putTicks puts ticked boxes among the tokens of a page, each in place of the letter that is set in one.
func putTicks(p *text.Page, boxes []image.Rectangle, unit float64, method string) {
	for _, b := range boxes {
		tick := text.Token{
			Page: p.Number, X0: float64(b.Min.X) * unit, Y0: float64(b.Min.Y) * unit, X1: float64(b.Max.X) * unit,
			Y1:   float64(b.Max.Y) * unit,
			Text: TickToken, Confidence: 0.95, Method: method,
		}
		if standsIn(p, tick) {
			continue // letters in a frame
		}
		p.Tokens = slices.DeleteFunc(p.Tokens, func(t text.Token) bool { return middleIn(t, tick) })
		for i, t := range p.Tokens {
			if beginsWith(t, tick) {
				p.Tokens[i].X0 = tick.X1
			}
		}
		p.Tokens = append(p.Tokens, tick)
	}
}

// standsIn reports whether a word stands where the box is: a framed number or caption, no mark.
func standsIn(p *text.Page, box text.Token) bool {
	return slices.ContainsFunc(p.Tokens, func(t text.Token) bool {
		single := len([]rune(t.Text)) == 1
		return !(single && middleIn(t, box)) && !beginsWith(t, box) &&
			text.Overlap(t.X0, t.X1, box.X0, box.X1) > 0.3*(box.X1-box.X0) &&
			text.Overlap(t.Y0, t.Y1, box.Y0, box.Y1) > 0.3*(box.Y1-box.Y0)
	})
}

// beginsWith reports whether the place of a word of a picture begins with a box: the recogniser finds the box and the
// caption beside it as one line, and gives the caption's first word the room of both. A letter that is closed may be
// the box itself.
func beginsWith(t, box text.Token) bool {
	side := box.X1 - box.X0
	return t.Method == text.MethodOCR && text.Abs(t.X0-box.X0) < 0.5*side && t.X1-box.X1 > 1.5*side &&
		!strings.ContainsAny(t.Text[:1], "BDOQ0")
}

func middleIn(t, box text.Token) bool {
	x, y := (t.X0+t.X1)/2, (t.Y0+t.Y1)/2
	return x > box.X0 && x < box.X1 && y > box.Y0 && y < box.Y1
}

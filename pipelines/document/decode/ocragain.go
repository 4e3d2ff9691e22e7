package decode

import (
	"context"
	"image"
	"math"
	"slices"
	"strings"

	"golang.org/x/image/draw"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Pieces of a page that are read a second time are stacked in one picture, so that they cost one pass.
const (
	pieceMargin = 12 // around each piece in the picture, in pixels
	mostPieces  = 80 // of one page; a page with more is not a page with a few gaps
	goodType    = 34 // the height in pixels of words that OCR reads best
)

// contested is the confidence of a figure that two readings see differently: below surely, so that only arithmetic
// makes it a fact.
const contested = 0.55

// piece is a part of a page in the picture of pieces.
type piece struct {
	from image.Rectangle // in the page's pixels
	at   image.Rectangle // in the picture
}

// secondLook reads what the passes left open, each kind in one pass more: rows of print without words, and figures
// that were hard to read. clean is the page as ink on white paper. A card's picture is no print.
func (o *ocrEngine) secondLook(p ocrPage, clean *image.Gray, tokens []text.Token) []text.Token {
	if len(tokens) == 0 {
		return nil
	}
	if p.sparse {
		return o.figures(p, tokens, nil)
	}
	rows, scale, lost := unreadRows(clean, tokens, p.unit), enlargement(tokens, p.unit), make(chan []text.Token, 1)
	if len(rows) == 0 || len(rows) > mostPieces {
		return o.figures(p, tokens, nil)
	}
	go func() {
		words, _ := o.readParts(p, rows, scale) // without it the words so far stay
		lost <- slices.Concat(words...)
	}()
	known := o.figures(p, tokens, nil)
	return o.figures(p, addMissing(slices.Clone(known), <-lost), known)
}

// figures reads the figures again that were hard to read, but for those that are known, larger and as nothing but
// figures. Two readings that agree are surer than each; two that differ leave the figure in doubt, unless one of them
// is far surer.
func (o *ocrEngine) figures(p ocrPage, tokens, known []text.Token) []text.Token {
	var doubted []int
	var parts []image.Rectangle
	for i, t := range tokens {
		if t.Confidence < text.SurelyPrinted && mostlyDigits(t.Text) && len(parts) < mostPieces &&
			!slices.Contains(known, t) {
			doubted = append(doubted, i)
			parts = append(parts, image.Rect(int(t.X0/p.unit), int(t.Y0/p.unit), int(t.X1/p.unit)+1,
				int(t.Y1/p.unit)+1).Inset(-6).Intersect(p.pixels.Bounds()))
		}
	}
	if len(parts) == 0 {
		return tokens
	}
	read, err := o.readParts(p, parts, enlargement(tokens, p.unit), "-c", "tessedit_char_whitelist=0123456789.,$()-")
	if err != nil {
		return tokens
	}
	for k, i := range doubted {
		tokens[i] = confirmFigure(tokens[i], read[k])
	}
	return tokens
}

// confirmFigure is a figure after a second reading of it: more certain where both agree, replaced where the second is
// better, else less certain.
func confirmFigure(t text.Token, again []text.Token) text.Token {
	second := text.SourceOf(again, "")
	text := strings.ReplaceAll(second.Text, " ", "")
	switch {
	case text == "":
	case strings.Trim(text, "$.,-") == strings.Trim(t.Text, "$.,-"):
		t.Confidence = min(0.97, max(t.Confidence, second.Confidence)+0.15)
	case looksMoney(text) && (!looksMoney(t.Text) || second.Confidence > t.Confidence+0.25):
		t.Text, t.Confidence = text, second.Confidence
	case mostlyDigits(text) && second.Confidence > t.Confidence-0.2:
		t.Confidence = min(t.Confidence, contested)
	}
	return t
}

// mostlyDigits reports whether a word is a figure of at least three characters, as far as it was read.
func mostlyDigits(text string) bool {
	digits := 0
	for _, r := range text {
		if r >= '0' && r <= '9' {
			digits++
		}
	}
	return digits >= 2 && 2*digits >= len(text)
}

// enlargement brings the words of a page to the height that is read best.
func enlargement(tokens []text.Token, unit float64) float64 {
	return min(max(goodType*unit/usualHeight(tokens), 1), 2.5)
}

// readParts reads parts of a page by themselves, enlarged, in one pass: the words of each part, in coordinates of the
// page.
func (o *ocrEngine) readParts(p ocrPage, parts []image.Rectangle, scale float64, settings ...string) ([][]text.Token,
	error) {
	picture, pieces := stackParts(p.pixels, parts, scale)
	words, err := o.pass(context.Background(), ocrPage{pixels: picture, unit: 1, number: p.number}, segmentBlock,
		settings...)
	if err != nil {
		return nil, err
	}
	found := make([][]text.Token, len(parts))
	for _, w := range words {
		middle := image.Pt(int(w.X0+w.X1)/2, int(w.Y0+w.Y1)/2)
		for i, c := range pieces {
			if !middle.In(c.at) {
				continue
			}
			back := func(v float64, at, from int) float64 { return ((v-float64(at))/scale + float64(from)) * p.unit }
			w.X0, w.X1 = back(w.X0, c.at.Min.X, c.from.Min.X), back(w.X1, c.at.Min.X, c.from.Min.X)
			w.Y0, w.Y1 = back(w.Y0, c.at.Min.Y, c.from.Min.Y), back(w.Y1, c.at.Min.Y, c.from.Min.Y)
			found[i] = append(found[i], w)
		}
	}
	return found, nil
}

// stackParts puts parts of a page below one another in one picture, on the grey of the page's paper.
func stackParts(g *image.Gray, parts []image.Rectangle, scale float64) (*image.Gray, []piece) {
	pieces := make([]piece, 0, len(parts))
	width, y := 0, pieceMargin
	for _, r := range parts {
		at := image.Rect(0, 0, int(math.Ceil(float64(r.Dx())*scale)),
			int(math.Ceil(float64(r.Dy())*scale))).Add(image.Pt(pieceMargin, y))
		pieces = append(pieces, piece{r, at})
		width, y = max(width, at.Max.X), at.Max.Y+pieceMargin
	}
	picture := image.NewGray(image.Rect(0, 0, width+pieceMargin, y))
	paper := paperOf(g)
	for i := range picture.Pix {
		picture.Pix[i] = paper
	}
	for _, c := range pieces {
		draw.CatmullRom.Scale(picture, c.at, g, c.from.Add(g.Rect.Min), draw.Src, nil)
	}
	return picture, pieces
}

// unreadRows are the rows of a page that look like print and that no word covers.
func unreadRows(g *image.Gray, tokens []text.Token, unit float64) []image.Rectangle {
	if len(tokens) < 20 {
		return nil
	}
	high := usualHeight(tokens) / unit
	m := inkMask(g)
	m.eraseWords(tokens, unit)
	m.eraseUprightRules(int(2.4 * high))
	var rows []image.Rectangle
	for _, r := range m.connectedBoxes(int(high)) {
		w, h := float64(r.Dx()), float64(r.Dy())
		if h < 0.5*high || h > 2.2*high || w < 1.2*high || m.share(r) < 0.1 {
			continue
		}
		joined := false
		for i := range rows {
			if o := min(rows[i].Max.Y, r.Max.Y) - max(rows[i].Min.Y, r.Min.Y); 2*o > min(rows[i].Dy(), r.Dy()) {
				rows[i], joined = rows[i].Union(r), true
				break
			}
		}
		if !joined {
			rows = append(rows, r)
		}
	}
	for i := range rows {
		rows[i] = withNeighbours(rows[i], tokens, unit, high)
	}
	return widened(rows, int(high/2), g.Bounds())
}

// withNeighbours takes the words into a row that stand right beside its ink: what was lost may be the rest of a figure.
func withNeighbours(row image.Rectangle, tokens []text.Token, unit, high float64) image.Rectangle {
	grown := row
	for _, t := range tokens {
		x0, y0, x1, y1 := t.X0/unit, t.Y0/unit, t.X1/unit, t.Y1/unit
		beside := x0-float64(row.Max.X) < 0.8*high && float64(row.Min.X)-x1 < 0.8*high
		if beside && text.Overlap(y0, y1, float64(row.Min.Y), float64(row.Max.Y)) > 0.5*min(y1-y0, float64(row.Dy())) {
			grown = grown.Union(image.Rect(int(x0), int(y0), int(x1)+1, int(y1)+1))
		}
	}
	return grown
}

// widened are rectangles with room around them, within bounds, from the top down.
func widened(parts []image.Rectangle, by int, bounds image.Rectangle) []image.Rectangle {
	for i := range parts {
		parts[i] = parts[i].Inset(-by).Intersect(bounds)
	}
	slices.SortStableFunc(parts, func(a, b image.Rectangle) int { return a.Min.Y - b.Min.Y })
	return parts
}

// eraseWords erases the ink of words that were already read.
func (m mask) eraseWords(tokens []text.Token, unit float64) {
	for _, t := range tokens {
		for y := max(int(t.Y0/unit)-4, 0); y < min(int(t.Y1/unit)+4, m.h); y++ {
			clear(m.ink[y*m.w+min(max(int(t.X0/unit)-3, 0), m.w) : y*m.w+min(max(int(t.X1/unit)+3, 0), m.w)])
		}
	}
}

// eraseUprightRules erases vertical rules: unbroken ink higher than letters are.
func (m mask) eraseUprightRules(higher int) {
	for x := range m.w {
		for y := 0; y < m.h; y++ {
			end := y
			for m.at(x, end) {
				end++
			}
			if end-y > higher {
				for ; y < end; y++ {
					m.ink[y*m.w+x] = false
				}
			}
			y = end
		}
	}
}

// connectedBoxes are the boxes of connected ink, after closing horizontal gaps of up to gap pixels.
func (m mask) connectedBoxes(gap int) []image.Rectangle {
	closed := mask{w: m.w, h: m.h, ink: slices.Clone(m.ink)}
	for y := range m.h {
		last := -gap - 1
		for x := range m.w {
			if !m.ink[y*m.w+x] {
				continue
			}
			if x-last <= gap {
				for between := last + 1; between < x; between++ {
					closed.ink[y*m.w+between] = true
				}
			}
			last = x
		}
	}
	var found []image.Rectangle
	var stack []int
	for start := range closed.ink {
		if !closed.ink[start] {
			continue
		}
		r := image.Rect(start%m.w, start/m.w, start%m.w+1, start/m.w+1)
		stack = append(stack[:0], start)
		closed.ink[start] = false
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			x, y := at%m.w, at/m.w
			r = r.Union(image.Rect(x, y, x+1, y+1))
			around(at, 1, m.w, m.h, func(n int) bool {
				if closed.ink[n] {
					closed.ink[n] = false
					stack = append(stack, n)
				}
				return false
			})
		}
		found = append(found, r)
	}
	return found
}

// share is how much of a box is ink.
func (m mask) share(r image.Rectangle) float64 {
	n := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			if m.ink[y*m.w+x] {
				n++
			}
		}
	}
	return float64(n) / float64(max(r.Dx()*r.Dy(), 1))
}

package decode

import (
	"context"
	"image"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// zone reads a machine readable zone again, where a pass has found signs of one: by itself, as one block of the
// zone's own characters. Among the other words of a card its lines are often lost or read as words.
func (o *ocrEngine) zone(p ocrPage, tokens []text.Token) []text.Token {
	band, ok := zoneBand(tokens)
	wide := false
	if !ok {
		band, ok = wideBand(tokens, p.number)
		wide = ok
	}
	if !ok || o.program == "" {
		return tokens
	}
	b := p.pixels.Bounds()
	cut := image.Rect(int(band.X0/p.unit), int(band.Y0/p.unit), int(band.X1/p.unit), int(band.Y1/p.unit)).Intersect(b)
	if cut.Dy() < 20 {
		return tokens
	}
	part := p
	part.pixels = copyOf(p.pixels, cut)
	if wide {
		onlyInk(part.pixels)
	}
	if band.Y1-band.Y0 < smallZone*p.unit {
		part.pixels, part.unit = doubled(part.pixels), p.unit/2
	}
	again, err := o.pass(context.Background(), part, segmentBlock, "-c",
		"tessedit_char_whitelist=ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<", "-c", "load_system_dawg=0", "-c",
		"load_freq_dawg=0")
	if err != nil {
		return tokens
	}
	for i := range again {
		again[i].Y0, again[i].Y1 = again[i].Y0+float64(cut.Min.Y)*p.unit, again[i].Y1+float64(cut.Min.Y)*p.unit
		again[i].X0, again[i].X1 = again[i].X0+float64(cut.Min.X)*p.unit, again[i].X1+float64(cut.Min.X)*p.unit
	}
	merged := replaceLines(tokens, zoneLines(again), p.number)
	if zoneQuality(merged, p.number) > zoneQuality(tokens, p.number) {
		return merged
	}
	return tokens
}

// smallZone is the height in pixels of the band around a zone below which its letters are enlarged.
const smallZone = 200

// doubled is a picture with every pixel twice as wide and high, smoothed.
func doubled(g *image.Gray) *image.Gray {
	large := image.NewGray(image.Rect(0, 0, 2*g.Rect.Dx(), 2*g.Rect.Dy()))
	for y := range large.Rect.Dy() {
		for x := range large.Rect.Dx() {
			large.Pix[y*large.Stride+x] = sample(g, float64(x)/2, float64(y)/2)
		}
	}
	return large
}

// zoneWord matches a word that only a zone has: its fillers, or its characters in one run, as which OCR reads fillers
// too.
var zoneWord = lazyregexp.New(`<<<|^[A-Z0-9<]{20,}$`)

// zoneBand is where a zone is: around the words that hold its fillers, with room for the lines that were lost. Beside
// it may lie the other side of the card.
func zoneBand(tokens []text.Token) (text.Box, bool) {
	var signs []text.Token
	for _, t := range tokens {
		if zoneWord.MatchString(t.Text) {
			signs = append(signs, t)
		}
	}
	if len(signs) == 0 {
		return text.Box{}, false
	}
	h := signs[0].Y1 - signs[0].Y0
	b := text.BoxOf(signs)
	for _, t := range tokens { // what fillers part from the rest of a line
		if zonePiece.MatchString(t.Text) && t.Y0 > b.Y0-3*h && t.Y1 < b.Y1+3*h && t.X1 > b.X0-3*h && t.X0 < b.X1+3*h {
			b.X0, b.X1 = min(b.X0, t.X0), max(b.X1, t.X1)
		}
	}
	return text.Box{X0: max(b.X0-2*h, 0), Y0: max(b.Y0-3.4*h, 0), X1: b.X1 + 2*h, Y1: b.Y1 + 3.4*h}, true
}

// wideDates matches what is left of the line of dates of a card's zone whose type is set so wide that its end was lost:
// birth, sex and the begin of the expiry.
var wideDates = lazyregexp.New(`^\d{6}[0-9OISBZGQD][MFX<]\d{4,}`)

// cardLine is how many characters a line of a card's zone has.
const cardLine = 30

// wideBand is where the zone of a card is of which only the begins of the lines were read: wide-spaced type over a
// pattern, without a run of fillers that zoneBand would see. The line of dates tells its begin and the step of its
// letters; the others stand above and below it.
func wideBand(tokens []text.Token, page int) (text.Box, bool) {
	for _, l := range text.Lines(text.Page{Number: page, Tokens: tokens}) {
		for k, t := range l.Tokens {
			run := l.Tokens[k:min(k+4, len(l.Tokens))]
			joined := text.MRZText(text.Line{Tokens: run})
			if !wideDates.MatchString(joined) || !text.StartsWithDigit(t.Text) {
				continue
			}
			step := (run[len(run)-1].X1 - t.X0) / float64(len(joined))
			h := t.Y1 - t.Y0
			return text.Box{X0: max(t.X0-2*step, 0), Y0: max(t.Y0-3.4*h, 0), X1: t.X0 + (cardLine+2)*step,
				Y1: t.Y1 + 3.4*h}, true
		}
	}
	return text.Box{}, false
}

// onlyInk leaves of a part of a picture what is about as dark as its print: coloured outlines and patterns behind it
// become paper.
func onlyInk(g *image.Gray) {
	var counts [256]int
	for _, v := range g.Pix {
		counts[v]++
	}
	share := func(part float64) int {
		left := int(part * float64(len(g.Pix)))
		for v, n := range counts {
			if left -= n; left < 0 {
				return v
			}
		}
		return 255
	}
	ink, paper := share(0.02), share(0.6)
	if paper-ink < 40 {
		return
	}
	most := float64(ink) + 0.55*float64(paper-ink)
	for i, v := range g.Pix {
		at := (float64(v) - float64(ink)) / (most - float64(ink))
		g.Pix[i] = uint8(255 * min(max(at, 0), 1))
	}
}

var zonePiece = lazyregexp.New(`^[A-Z0-9<]{6,}$`)

// zoneLines are the lines that can be a zone's.
func zoneLines(tokens []text.Token) []text.Line {
	var lines []text.Line
	for _, l := range text.Lines(text.Page{Tokens: tokens}) {
		if s := text.MRZText(l); text.MRZLine.MatchString(s) && strings.Contains(s, "<") {
			lines = append(lines, l)
		}
	}
	return lines
}

// replaceLines puts lines in the place of the words that stand where they do.
func replaceLines(tokens []text.Token, lines []text.Line, page int) []text.Token {
	var out []text.Token
	for _, t := range tokens {
		middle, covered := (t.Y0+t.Y1)/2, false
		for _, l := range lines {
			covered = covered || middle > l.Y0 && middle < l.Y1 && t.X1 > l.X0 && t.X0 < l.X1
		}
		if !covered {
			out = append(out, t)
		}
	}
	for _, l := range lines {
		for _, t := range l.Tokens {
			t.Page = page
			out = append(out, t)
		}
	}
	return out
}

// zoneQuality ranks readings of a zone: its check digits agree, more of its lines are whole.
func zoneQuality(tokens []text.Token, page int) int {
	m, ok := text.FindMRZ(text.Lines(text.Page{Number: page, Tokens: tokens}))
	if !ok {
		return 0
	}
	quality := 1
	if m.Valid {
		quality += 10
	}
	for _, l := range m.Lines {
		if n := len(l); n == 30 || n == 36 || n == 44 {
			quality += 2
		}
	}
	return quality
}

func copyOf(g *image.Gray, r image.Rectangle) *image.Gray {
	out := image.NewGray(image.Rect(0, 0, r.Dx(), r.Dy()))
	for y := range r.Dy() {
		at := g.PixOffset(r.Min.X, r.Min.Y+y)
		copy(out.Pix[y*out.Stride:], g.Pix[at:at+r.Dx()])
	}
	return out
}

package decode

import (
	"context"
	"image"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// zone reads a machine readable zone again, where a pass has found signs of one: by itself, as one block of the
// zone's own characters. Among the other words of a card its lines are often lost or read as words.
func (o *ocrEngine) zone(p ocrPage, tokens []text.Token) []text.Token {
	band, ok := zoneBand(tokens)
	if !ok || o.program == "" {
		return tokens
	}
	b := p.pixels.Bounds()
	cut := image.Rect(0, int(band.Y0/p.unit), b.Dx(), int(band.Y1/p.unit)).Intersect(b)
	if cut.Dy() < 20 {
		return tokens
	}
	part := p
	part.pixels = copyOf(p.pixels, cut)
	again, err := o.pass(context.Background(), part, segmentBlock, "-c", "tessedit_char_whitelist=ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789<", "-c", "load_system_dawg=0", "-c", "load_freq_dawg=0")
	if err != nil {
		return tokens
	}
	for i := range again {
		again[i].Y0, again[i].Y1 = again[i].Y0+float64(cut.Min.Y)*p.unit, again[i].Y1+float64(cut.Min.Y)*p.unit
	}
	merged := replaceLines(tokens, zoneLines(again), p.number)
	if zoneQuality(merged, p.number) > zoneQuality(tokens, p.number) {
		return merged
	}
	return tokens
}

// zoneBand is where a zone is: around the words that hold its fillers, with room for the lines that were lost.
func zoneBand(tokens []text.Token) (text.Box, bool) {
	var signs []text.Token
	for _, t := range tokens {
		if strings.Count(t.Text, "<") >= 3 {
			signs = append(signs, t)
		}
	}
	if len(signs) == 0 {
		return text.Box{}, false
	}
	b := text.BoxOf(signs)
	h := signs[0].Y1 - signs[0].Y0
	return text.Box{X0: b.X0, Y0: b.Y0 - 3.4*h, X1: b.X1, Y1: b.Y1 + 3.4*h}, true
}

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
			covered = covered || middle > l.Y0 && middle < l.Y1
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

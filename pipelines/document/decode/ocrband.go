package decode

import (
	"context"
	"image"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// What a blank row between two bands of a page is, in pixels and shares.
const (
	leastBand  = 500  // of a band's height: a smaller page is read whole
	leastGap   = 5    // between two lines of print
	leastShare = 0.35 // of the page's ink, in the smaller band
	widestGap  = 60   // a wider one is no better place to cut
	mostRules  = 0.1  // of the page's ink: a page with more is a form, whose fields are told by what stands around them
)

// firstPass reads a page as two bands at once where a blank row parts them, else whole: recognition keeps one core
// busy, its time grows with the print, and a process more costs little beside it. ink is that of an upright page, and
// nothing of a card.
func (o *ocrEngine) firstPass(p ocrPage, ink mask, mode int) ([]text.Token, error) {
	cut, ok := ink.bandSplit()
	if !ok {
		return o.pass(context.Background(), p, mode)
	}
	type reading struct {
		tsv string
		err error
	}
	width, lower := p.pixels.Bounds().Dx(), make(chan reading, 1)
	go func() {
		tsv, err := o.recognise(context.Background(), copyOf(p.pixels, image.Rect(0, cut, width, ink.h)), mode)
		lower <- reading{tsv, err}
	}()
	upper, err := o.recognise(context.Background(), copyOf(p.pixels, image.Rect(0, 0, width, cut)), mode)
	below := <-lower
	if err == nil {
		err = below.err
	}
	if err != nil {
		return nil, err
	}
	words, lines := tsvWords(upper, p, 0)
	more, moreLines := tsvWords(below.tsv, p, cut)
	return correctDefects(append(words, more...), append(lines, moreLines...)), nil
}

// bandSplit is the row at which a page is split into two bands of print: the middle of a wide gap with much ink on both
// sides. A form has none.
func (m mask) bandSplit() (int, bool) {
	if m.h < 2*leastBand {
		return 0, false
	}
	inked, until := make([]int, m.h), make([]int, m.h+1)
	for y := range m.h {
		for _, ink := range m.ink[y*m.w : (y+1)*m.w] {
			if ink {
				inked[y]++
			}
		}
		until[y+1] = until[y] + inked[y]
	}
	if all := float64(until[m.h] + m.rules); float64(m.rules) > mostRules*all {
		return 0, false
	}
	best, row := 0.0, 0
	for y, dust := leastBand, 1+m.w/500; y < m.h-leastBand; y++ {
		from := y
		for y < m.h-leastBand && inked[y] <= dust {
			y++
		}
		share := float64(until[(from+y)/2]) / float64(max(until[m.h], 1))
		balance := 2 * min(share, 1-share)
		if y-from < leastGap || balance < 2*leastShare {
			continue
		}
		if worth := balance * float64(min(y-from, widestGap)); worth > best {
			best, row = worth, (from+y)/2
		}
	}
	return row, best > 0
}

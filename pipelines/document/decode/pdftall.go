package decode

import (
	"math"
	"strings"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// The box of a character is as high as its font says, and some fonts say the height of their highest and deepest glyph
// of any script: such boxes reach into the lines above and below, and close the gaps between columns, which are
// measured by the height of the type. They are cut to what type of that size takes.

// Shares of the size of type: capitals, what stands above the line with room for accents, what hangs below it, and from
// how much on a box is taller than any font of one script makes it.
const (
	capitalShare = 0.71
	aboveLine    = 0.95
	belowLine    = 0.23
	tallBox      = 1.45
)

// plainCapitals stand on the line and are as high as capitals are.
const plainCapitals = "BDEFHIKLMNPRTXZ"

// cutTall cuts the boxes of characters that are too tall for their type, by the first capital of each height.
func (p *pdfEngine) cutTall(page references.FPDF_TEXTPAGE, f frame, chars []char) {
	type cut struct{ above, below float64 } // from the bottom of the box
	cuts := map[int]*cut{}
	for _, c := range chars {
		key := heightKey(c)
		if _, known := cuts[key]; known || c.r == ' ' || !strings.ContainsRune(plainCapitals, c.r) {
			continue
		}
		b, err := p.FPDFText_GetCharBox(&requests.FPDFText_GetCharBox{TextPage: page, Index: c.index})
		if err != nil {
			continue
		}
		ink := f.box(b.Left, b.Top, b.Right, b.Bottom)
		size := ink.Height() / capitalShare
		cuts[key] = nil
		if size > 1 && c.Height() > tallBox*size && ink.Y1 < c.Y1 && ink.Y0 > c.Y0 {
			cuts[key] = &cut{above: c.Y1 - ink.Y1 + aboveLine*size, below: c.Y1 - ink.Y1 - belowLine*size}
		}
	}
	for i := range chars {
		if k := cuts[heightKey(chars[i])]; k != nil && chars[i].r != ' ' {
			bottom := chars[i].Y1
			chars[i].Y0, chars[i].Y1 = max(chars[i].Y0, bottom-k.above), min(bottom, bottom-k.below)
		}
	}
}

func heightKey(c char) int { return int(math.Round(c.Height() * 20)) }

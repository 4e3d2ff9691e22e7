package decode

import (
	"image"

	"github.com/klippa-app/go-pdfium/references"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A scan may carry a thin text layer: a stamp, a page number, a few words that a scanner's program recognised. Its
// words explain little of what the page shows. Only pages of few words are looked at, of short files: long ones have
// pages of pictures.
const (
	thinWords    = 60   // of a page whose layer may be thin
	thinFile     = 12   // pages of a file that is looked at
	thinDPI      = 72   // enough to see where ink is
	faint        = 200  // small print is grey at so few dots
	unexplained  = 0.75 // share of the ink that no word covers
	leastInk     = 0.01 // of the page, below which it is nearly blank
	mostSolidInk = 0.35 // of the page, above which it is a photograph or a coloured cover
)

// isThin reports whether the text layer of a page explains so little of its ink that its picture is to be read.
func (w *Decoder) isThin(p *pdfEngine, doc references.FPDF_DOCUMENT, i int, page text.Page) bool {
	if len(page.Tokens) > thinWords || w.pages > thinFile || !w.ocr().can() {
		return false
	}
	pixels, unit, err := p.renderAt(doc, i, page.Width, page.Height, thinDPI)
	return err == nil && thinLayer(pixels, page.Tokens, unit)
}

// thinLayer reports whether words cover little of a page's ink, where it has as much as a page of text.
func thinLayer(pixels *image.Gray, words []text.Token, unit float64) bool {
	ink := 0
	for i, v := range pixels.Pix {
		if v < faint {
			ink++
			pixels.Pix[i] = min(v, dark-1) // the picture is for this look alone
		}
	}
	share := float64(ink) / float64(max(len(pixels.Pix), 1))
	return share > leastInk && share < mostSolidInk && unread(pixels, words, unit) > unexplained
}

package decode

import (
	"image"
	"slices"
	"strings"

	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

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

// Where a page is one picture, its text layer is what somebody's program recognised of it, and may be the captions of a
// form without what was filled in, or one of its copies.
const (
	picturedWords       = 400  // of a page whose layer may be a part
	picturedShare       = 0.7  // of the page's area, in one picture
	picturedUnexplained = 0.4  // share of the ink that no word covers
	missingShare        = 0.25 // of the words that OCR sees, where the layer has none
	mostObjects         = 3000 // of a page that is looked through
)

// isThin reports whether the text layer of a page explains so little of its ink that its picture is to be read.
func (w *Decoder) isThin(p *pdfEngine, doc references.FPDF_DOCUMENT, i int, page text.Page) bool {
	if len(page.Tokens) > picturedWords || w.pages > thinFile || !w.ocr().isAvailable() {
		return false
	}
	limit := unexplained
	if !filledIn(page.Tokens) && p.isPictured(doc, i, page) {
		limit = picturedUnexplained
	} else if len(page.Tokens) > thinWords {
		if filledIn(page.Tokens) || !hasBoxes(page) || !slices.ContainsFunc(page.Tokens, namesOnePageForm) {
			return false
		}
		pixels, unit, err := p.renderAt(doc, i, page.Width, page.Height, thinDPI)
		return err == nil && blindShare(pixels, page.Tokens, unit) > leastBlind
	}
	pixels, unit, err := p.renderAt(doc, i, page.Width, page.Height, thinDPI)
	return err == nil && thinLayer(pixels, page.Tokens, unit, limit)
}

// filledIn reports whether a page has form fields that say something: what a program filled in is no scan.
func filledIn(words []text.Token) bool {
	return slices.ContainsFunc(words, func(t text.Token) bool { return t.Method == text.MethodForm })
}

// isPictured reports whether one picture covers most of a page, as a scanner makes them.
func (p *pdfEngine) isPictured(doc references.FPDF_DOCUMENT, i int, page text.Page) bool {
	at := requests.Page{ByIndex: &requests.PageByIndex{Document: doc, Index: i}}
	all, err := p.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: at})
	if err != nil {
		return false
	}
	for k := range min(all.Count, mostObjects) {
		object, err := p.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: at, Index: k})
		if err != nil {
			continue
		}
		kind, err := p.FPDFPageObj_GetType(&requests.FPDFPageObj_GetType{PageObject: object.PageObject})
		if err != nil || kind.Type != enums.FPDF_PAGEOBJ_IMAGE {
			continue
		}
		b, err := p.FPDFPageObj_GetBounds(&requests.FPDFPageObj_GetBounds{PageObject: object.PageObject})
		if err == nil && float64((b.Right-b.Left)*(b.Top-b.Bottom)) > picturedShare*page.Width*page.Height {
			return true
		}
	}
	return false
}

// isPartial reports whether a layer lacks many of the words that OCR sees on its page.
func isPartial(layer, seen []text.Token) bool {
	missing := 0
	for _, s := range seen {
		own := (s.X1 - s.X0) * (s.Y1 - s.Y0)
		if !slices.ContainsFunc(layer, func(l text.Token) bool { return sharedArea(s, l) > coveredShare*own }) {
			missing++
		}
	}
	return float64(missing) > missingShare*float64(len(seen))
}

// thinLayer reports whether words cover little of a page's ink, where it has as much as a page of text.
func thinLayer(pixels *image.Gray, words []text.Token, unit, limit float64) bool {
	ink := 0
	for i, v := range pixels.Pix {
		if v < faint {
			ink++
			pixels.Pix[i] = min(v, dark-1) // the picture is for this look alone
		}
	}
	share := float64(ink) / float64(max(len(pixels.Pix), 1))
	return share > leastInk && share < mostSolidInk && uncoveredShare(pixels, words, unit) > limit
}

// A form may be drawn as outlines of letters between a banner and notes that are text. Places of a page that have ink
// like that of letters and no word are blind; where a good part of the page is one blind region, its picture is read.
const (
	leastBlind = 0.2 // of the page, in one region
	blindPlace = 18  // points that a place is wide and high
	blindInk   = 6   // pixels of a place, of so few dots, that may be of letters
	ruleRun    = 14  // pixels of ink in a row, from which on it is a rule
)

// namesOnePageForm reports whether a word names a form of one page that programs, not scanners, usually produce.
func namesOnePageForm(t text.Token) bool {
	return slices.ContainsFunc([]string{"W-2", "W-9", "1099", "1098", "K-1"},
		func(form string) bool { return strings.HasPrefix(t.Text, form) })
}

// blindShare is the share of a page's places that its largest blind region has.
func blindShare(g *image.Gray, words []text.Token, unit float64) float64 {
	place := max(int(blindPlace/unit), 1)
	across, down := (g.Rect.Dx()+place-1)/place, (g.Rect.Dy()+place-1)/place
	ink := make([]int, across*down)
	m := inkMask(g)
	for i, v := range g.Pix {
		m.ink[i] = v < faint
	}
	for y := range m.h {
		for x := range m.w {
			if m.at(x, y) && m.run(x, y, 1, 0) < ruleRun && m.run(x, y, 0, 1) < ruleRun {
				ink[y/place*across+x/place]++
			}
		}
	}
	blind := make([]bool, len(ink))
	for i, n := range ink {
		blind[i] = n >= blindInk
	}
	for _, t := range words {
		for y := max(int(t.Y0/unit)-3, 0) / place; y <= min(int(t.Y1/unit)+3, m.h-1)/place; y++ {
			for x := max(int(t.X0/unit)-3, 0) / place; x <= min(int(t.X1/unit)+3, m.w-1)/place; x++ {
				blind[y*across+x] = false
			}
		}
	}
	largest := 0
	for i := range blind {
		largest = max(largest, regionSize(blind, i, across))
	}
	return float64(largest) / float64(max(len(blind), 1))
}

// run is how many pixels of ink lie in a row through one, as far as a rule is long.
func (m mask) run(x, y, dx, dy int) int {
	n := 1
	for k := 1; k < ruleRun && m.at(x+k*dx, y+k*dy); k++ {
		n++
	}
	for k := 1; k < ruleRun && m.at(x-k*dx, y-k*dy); k++ {
		n++
	}
	return n
}

// regionSize counts the places connected with one, and unmarks them.
func regionSize(marked []bool, from, across int) int {
	todo, n := []int{from}, 0
	for len(todo) > 0 {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if i < 0 || i >= len(marked) || !marked[i] {
			continue
		}
		marked[i] = false
		n++
		if i%across > 0 {
			todo = append(todo, i-1)
		}
		if i%across < across-1 {
			todo = append(todo, i+1)
		}
		todo = append(todo, i-across, i+across)
	}
	return n
}

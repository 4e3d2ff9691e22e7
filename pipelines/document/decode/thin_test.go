package decode

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A page whose few words leave most of its ink unexplained is read from its picture; a nearly blank page, a page whose words
// explain it and a photograph are not.
func TestThinLayer(t *testing.T) {
	const w, h = 425, 550 // a letter at 50 dpi
	rows := func(every int) func(ink func(x, y int)) {
		return func(ink func(x, y int)) {
			for y := 60; y < 500; y++ {
				for x := 50; x < 375; x++ {
					if y%every < 4 && x%5 < 3 {
						ink(x, y)
					}
				}
			}
		}
	}
	stamp := []text.Token{{Text: "COPY", X0: 50 * 1.44, X1: 90 * 1.44, Y0: 60 * 1.44, Y1: 66 * 1.44}}
	whole := []text.Token{{Text: "all", X0: 0, X1: 612, Y0: 0, Y1: 792}}
	for name, c := range map[string]struct {
		draw  func(ink func(x, y int))
		words []text.Token
		thin  bool
	}{
		"a stamp on a scan":     {rows(12), stamp, true},
		"words that explain it": {rows(12), whole, false},
		"nearly blank":          {func(ink func(x, y int)) { ink(10, 10) }, stamp, false},
		"a photograph of the sea": {func(ink func(x, y int)) {
			for i := range w * h {
				ink(i%w, i/w)
			}
		}, stamp, false},
	} {
		if got := thinLayer(documenttest.WhitePage(w, h, c.draw), c.words, 1.44); got != c.thin {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Small print is grey when a page is drawn with few dots: it is ink as well.
func TestThinLayer_faint(t *testing.T) {
	page := documenttest.WhitePage(612, 792, func(ink func(x, y int)) {
		for y := 60; y < 700; y += 12 {
			for x := 50; x < 550; x += 2 {
				ink(x, y)
				ink(x, y+1)
			}
		}
	})
	for i, v := range page.Pix {
		if v == 0 {
			page.Pix[i] = 180
		}
	}
	if !thinLayer(page, []text.Token{{Text: "Copy B", X0: 50, X1: 90, Y0: 20, Y1: 30}}, 1) {
		t.Error("a page of small print is taken for a blank one")
	}
}

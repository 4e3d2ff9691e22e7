package decode

import (
	"fmt"
	"os"
	"path/filepath"
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
		if got := thinLayer(documenttest.WhitePage(w, h, c.draw), c.words, 1.44, unexplained); got != c.thin {
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
	if !thinLayer(page, []text.Token{{Text: "Copy B", X0: 50, X1: 90, Y0: 20, Y1: 30}}, 1, unexplained) {
		t.Error("a page of small print is taken for a blank one")
	}
}

// layeredPages is a PDF of pages of black bars, each with these words over them: a scan with the layer of a scanner's
// program, or the same bars drawn by a program.
func layeredPages(scan bool, words ...string) []byte {
	pixels := []byte{}
	bars := ""
	for row := range 99 {
		for range 612 / 8 {
			pixels = append(pixels, map[bool]byte{true: 0x00, false: 0xff}[row%3 == 1 && row > 6 && row < 90])
		}
		if row%3 == 1 && row > 6 && row < 90 {
			bars += fmt.Sprintf("0 %d 608 8 re f\n", 792-8*row-8)
		}
	}
	picture := "q 612 0 0 792 0 0 cm /Im Do Q\n"
	if !scan {
		picture = bars
	}
	for i, w := range words {
		picture += fmt.Sprintf("BT 3 Tr /F 8 Tf 40 %d Td (%s) Tj ET\n", 792-8*(3*i+7)-8, w)
	}
	return documenttest.RawPDF("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</XObject<</Im 5 0 R>>/Font<</F 6 0 R>>>>/Contents 4 0 R>>",
		fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(picture), picture),
		fmt.Sprintf("<</Type/XObject/Subtype/Image/Width 608/Height 99/ColorSpace/DeviceGray/BitsPerComponent 1/Length %d>>stream\n%s\nendstream", len(pixels), pixels),
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
}

// A scan whose layer holds a part of what its picture shows is read from the picture. A page that a program drew keeps
// its layer, and so does a scan whose layer has what OCR sees.
func TestDecodePDF_partialLayer(t *testing.T) {
	program := filepath.Join(t.TempDir(), "tesseract")
	script := "#!/bin/sh\n/usr/bin/wc -c > /dev/null\n"
	for i := range 120 { // words in rows of two, the first twenty of which are the layer's
		x, y := 111+i%2*800, (8*(3*(i/2)+7))*200/72
		script += fmt.Sprintf("printf '5\\t1\\t1\\t1\\t%d\\t1\\t%d\\t%d\\t300\\t22\\t95\\tseen%d\\n'\n", i, x, y, i)
	}
	if err := os.WriteFile(program, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	var some []string
	for i := range 20 {
		some = append(some, fmt.Sprintf("a caption of the form in several words that are all here %d %d %d %d", i, i, i, i))
	}
	for name, c := range map[string]struct {
		scan  bool
		words []string
		layer string
	}{
		"part of a scan":     {true, some[:10], text.LayerScanned},
		"drawn by a program": {false, some[:10], text.LayerText},
	} {
		t.Run(name, func(t *testing.T) {
			w := NewDecoder(Options{CacheDir: documenttest.Cache(), Tesseract: program, Limits: Limits{}.OrDefaults(), OCRStarts: func() {}})
			d, err := w.Decode(layeredPages(c.scan, c.words...))
			if err != nil || d.Pages[0].Layer != c.layer {
				t.Errorf("layer %s, %d words, %v", d.Pages[0].Layer, len(d.Pages[0].Tokens), err)
			}
		})
	}
	layer := []text.Token{{X0: 0, X1: 40, Y0: 0, Y1: 10}}
	if isPartial(layer, layer) || !isPartial(layer, []text.Token{layer[0], {X0: 0, X1: 40, Y0: 20, Y1: 30}}) {
		t.Error("a layer lacks a word that it has, or none that it lacks")
	}
}

// A form that is drawn as outlines between a banner and notes is blind; one whose boxes are empty, and one that words
// cover, is not.
func TestBlindShare(t *testing.T) {
	letters := documenttest.WhitePage(612, 792, func(ink func(x, y int)) {
		for y := 150; y < 500; y++ {
			for x := 40; x < 570; x++ {
				if y%14 < 6 && x%9 < 5 && (x+y)%3 > 0 {
					ink(x, y)
				}
			}
		}
	})
	rules := documenttest.WhitePage(612, 792, func(ink func(x, y int)) {
		for y := 150; y < 500; y += 20 {
			for x := 40; x < 570; x++ {
				ink(x, y)
			}
		}
	})
	var covered []text.Token
	for y := 150.0; y < 500; y += 14 {
		covered = append(covered, text.Token{X0: 40, X1: 570, Y0: y, Y1: y + 7})
	}
	if got := blindShare(letters, nil, 1); got <= leastBlind {
		t.Errorf("outlines without words: %.2f of the page is blind", got)
	}
	if got := blindShare(rules, nil, 1); got > 0.01 {
		t.Errorf("empty boxes: %.2f of the page is blind", got)
	}
	if got := blindShare(letters, covered, 1); got > 0.05 {
		t.Errorf("words: %.2f of the page is blind", got)
	}
}

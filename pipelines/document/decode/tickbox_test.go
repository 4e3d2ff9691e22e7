package decode

import (
	"image"
	"runtime"
	"slices"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

func TestTickedBoxes(t *testing.T) {
	frame := func(ink func(x, y int), x, y, w, h int) {
		for i := range w {
			ink(x+i, y)
			ink(x+i, y+h-1)
		}
		for i := range h {
			ink(x, y+i)
			ink(x+w-1, y+i)
		}
	}
	g := documenttest.WhitePage(400, 200, func(ink func(x, y int)) {
		frame(ink, 20, 20, 16, 16) // empty
		frame(ink, 60, 20, 16, 16) // crossed
		for i := range 16 {
			ink(60+i, 20+i)
			ink(75-i, 20+i)
		}
		frame(ink, 100, 20, 120, 16) // a field with something in it
		for i := range 10 {
			ink(110+i, 24+i)
		}
		frame(ink, 20, 80, 16, 16) // dotted in a corner: dirt
		ink(25, 86)
		for i := range 16 { // an L, no box
			ink(60, 80+i)
			ink(60+i, 95)
		}
	})
	got := tickedBoxes(g, 2, leastBox)
	if len(got) != 1 || got[0].Min != image.Pt(60, 20) {
		t.Errorf("ticked are %v, want the one at (60,20)", got)
	}
}

// A stroke of large type closes like a box, and its other strokes go on beyond it.
func TestTickedBoxes_ofType(t *testing.T) {
	page := func(beyond int) *image.Gray {
		return documenttest.WhitePage(120, 120, func(ink func(x, y int)) {
			for i := range 20 {
				for _, thick := range []int{0, 1} {
					ink(40+i, 40+thick)
					ink(40+i, 59-thick)
					ink(40+thick, 40+i)
					ink(59-thick, 40+i)
				}
				ink(40+i, 40+i)
				ink(59-i, 40+i)
			}
			for i := range beyond { // the bows of a letter above and at the left, off its corners
				for k := range 14 {
					ink(43+k, 39-i)
					ink(39-i, 43+k)
				}
			}
		})
	}
	for beyond, want := range map[int]int{0: 1, 6: 0} {
		if got := tickedBoxes(page(beyond), 2, leastBox); len(got) != want {
			t.Errorf("%d pixels beyond: ticked are %v, want %d", beyond, got, want)
		}
	}
}

// A thin tick in a small box is one where the other boxes of its size are empty, and none where they are as full.
func TestDrawnTicks(t *testing.T) {
	page := func(others bool) *image.Gray {
		return documenttest.WhitePage(400, 60, func(ink func(x, y int)) {
			for k := range 5 {
				x := 20 + 50*k
				for i := range 16 {
					ink(x+i, 20)
					ink(x+i, 35)
					ink(x, 20+i)
					ink(x+15, 20+i)
				}
				for i := range 5 { // a stroke
					if k == 2 || others {
						ink(x+5+i, 30-i)
					}
				}
			}
		})
	}
	if got := drawnTicks(page(false), 2, leastBox); len(got) != 1 || got[0].Min != image.Pt(120, 20) {
		t.Errorf("ticked are %v, want the one at (120,20)", got)
	}
	if got := drawnTicks(page(true), 2, leastBox); len(got) != 0 {
		t.Errorf("ticked are %v, of boxes that all have a mark of their print", got)
	}
}

// The outlines of a scan are broken: a box is one all the same, where the page is of a form.
// A large word of a scan has letters that close like boxes, side by side.
func TestAlone(t *testing.T) {
	box := func(x, y int) image.Rectangle { return image.Rect(x, y, x+20, y+20) }
	got := isolatedBoxes([]image.Rectangle{box(100, 100), box(130, 102), box(158, 100), box(400, 100), box(400, 140), box(450, 141)})
	if want := []image.Rectangle{box(400, 100), box(400, 140), box(450, 141)}; !slices.Equal(got, want) {
		t.Errorf("alone are %v, want %v", got, want)
	}
}

func TestScannedTicks(t *testing.T) {
	const side, perPoint = 20, 2
	g := documenttest.WhitePage(perPoint*letterPoints, 400, func(ink func(x, y int)) {
		for _, x := range []int{100, 400} {
			for i := range side {
				if i%6 == 5 {
					continue // worn away
				}
				for _, thick := range []int{0, 1} {
					ink(x+i, 100+thick)
					ink(x+i, 100+side-1-thick)
					ink(x+thick, 100+i)
					ink(x+side-1-thick, 100+i)
				}
			}
		}
		for i := range side { // the first is crossed
			for _, thick := range []int{0, 1} {
				ink(100+i, 100+min(i+thick, side-1))
				ink(100+side-1-i, 100+min(i+thick, side-1))
			}
		}
	})
	words := []text.Token{{Text: "OMB", X0: 300, X1: 320, Y0: 10, Y1: 20}, {Text: "Single", X0: 65, X1: 95, Y0: 50, Y1: 60}, {Text: "Married", X0: 215, X1: 250, Y0: 50, Y1: 60}}
	ticks := func(tokens []text.Token) (at []float64) {
		for _, t := range scannedTicks(ocrPage{pixels: g, unit: 1.0 / perPoint, number: 1}, tokens) {
			if t.Text == TickToken {
				at = append(at, t.X0)
			}
		}
		return at
	}
	if at := ticks(words); len(at) != 1 || text.Abs(at[0]-50) > 2 {
		t.Errorf("ticked at %v, want the box at 50", at)
	}
	wide := slices.Clone(words)
	wide[1] = text.Token{Text: "Single", X0: 49, X1: 95, Y0: 50, Y1: 60, Method: text.MethodOCR}
	if at := ticks(wide); len(at) != 1 || wide[1].X0 < 58 {
		t.Errorf("ticked at %v where the place of its caption begins with the box, which is left to %v", at, wide[1].X0)
	}
	wide[1] = text.Token{Text: "Boxes", X0: 49, X1: 95, Y0: 50, Y1: 60, Method: text.MethodOCR}
	if at := ticks(wide); len(at) != 0 {
		t.Errorf("ticked at %v, the first letter of a word", at)
	}
	if at := ticks(words[1:]); len(at) != 0 {
		t.Errorf("ticked at %v on a page that is no form", at)
	}
}

// Boxes are sought on pages of eight million pixels, within the memory of one document.
func TestBoxesOf_memory(t *testing.T) { // not beside other tests, whose memory would count
	page := image.NewGray(image.Rect(0, 0, 1000, 1500))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	boxesOf(page, 3, leastScanned)
	runtime.ReadMemStats(&after)
	if perPixel := float64(after.TotalAlloc-before.TotalAlloc) / 1.5e6; perPixel > 8 {
		t.Errorf("%.1f bytes for a pixel", perPixel)
	}
}

package decode

import "testing"

// A page that is as large as a poster, by its own word, is drawn with no more pixels than others.
func TestDrawnScale(t *testing.T) {
	for _, size := range [][2]float64{{612, 792}, {2550, 3300}, {612, 20_000}, {14_400, 14_400}} {
		scale := drawnScale(size[0], size[1], scanDPI)
		if w, h := size[0]*scale, size[1]*scale; w*h > mostPixels+1 || max(w, h) > longestSide+1 {
			t.Errorf("%v: %.0f by %.0f pixels", size, w, h)
		}
	}
	if got := drawnScale(612, 792, scanDPI); got != scanDPI/72.0 {
		t.Errorf("letter paper is drawn at %.2f", got)
	}
}

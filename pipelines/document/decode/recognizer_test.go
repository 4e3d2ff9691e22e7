package decode

import (
	"image"
	"image/draw"
	"os"
	"testing"
)

// A recognizer that dies costs the page, which tesseract then reads, and after the second one it is not asked again.
func TestRecognizer_lost(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	page := image.NewGray(image.Rect(0, 0, 400, 200))
	draw.Draw(page, page.Rect, image.White, image.Point{}, draw.Src)
	r := &recognizer{Recognizer: Recognizer{Program: self, Library: "no library"}, cpuSeconds: 60}
	defer r.close()
	for range recognizerFailures {
		if !r.available() {
			t.Fatal("given up too early")
		}
		if words, err := r.read(page); err == nil {
			t.Fatalf("a dead process read %v", words)
		}
	}
	if r.available() {
		t.Error("still asked")
	}
}

func TestSideways(t *testing.T) {
	seen := []seenWord{{Text: "down", Turned: true}, {Text: "the", Turned: true}, {Text: "a"}}
	if !sideways(seen) || sideways(seen[2:]) {
		t.Error("a page of lines that run down lies on its side, one of level lines does not")
	}
}

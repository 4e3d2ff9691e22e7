package decode

import (
	"bytes"
	"image"
	"testing"

	"golang.org/x/image/tiff"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"
)

func TestTIFFFrames(t *testing.T) {
	data := documenttest.TwoFrames(t, image.NewGray(image.Rect(0, 0, 30, 20)), image.NewGray(image.Rect(0, 0, 50, 20)))
	frames := tiffFrames(data)
	if len(frames) != 2 {
		t.Fatalf("%d frames, want 2", len(frames))
	}
	for i, want := range []int{30, 50} {
		size, err := tiff.DecodeConfig(bytes.NewReader(frames[i]))
		if err != nil || size.Width != want {
			t.Errorf("frame %d is %d wide (%v), want %d", i, size.Width, err, want)
		}
	}
}

func TestTIFFFrames_loop(t *testing.T) {
	// A directory without entries that names itself as the next one.
	loop := []byte("II\x2a\x00\x08\x00\x00\x00\x00\x00\x08\x00\x00\x00")
	if got := len(tiffFrames(loop)); got != 1 {
		t.Errorf("%d frames", got)
	}
}

package document

import (
	"bytes"
	"image"
	"image/draw"
	"math/rand/v2"
	"testing"
)

// The short way of PDF pages gives the greys of the long one, in a part of a picture and with transparency too.
func TestGrayOf(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	whole := image.NewRGBA(image.Rect(0, 0, 40, 30))
	for i := 0; i < len(whole.Pix); i += 4 {
		a := uint8(dice.UintN(256))
		for c := range 3 {
			whole.Pix[i+c] = uint8(dice.UintN(uint(a) + 1)) // premultiplied: no channel exceeds alpha
		}
		whole.Pix[i+3] = a
	}
	part := whole.SubImage(image.Rect(5, 7, 33, 29))
	want := image.NewGray(image.Rect(0, 0, 28, 22))
	draw.Draw(want, want.Bounds(), onWhite{part}, part.Bounds().Min, draw.Src)
	if got := grayOf(part); got.Rect != want.Rect || !bytes.Equal(got.Pix, want.Pix) {
		t.Errorf("got %v, want %v", got.Pix, want.Pix)
	}
}

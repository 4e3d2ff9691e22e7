package decode

import (
	"bytes"
	"image"
	"image/color"
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

// A picture that is too large for OCR as it is keeps its light and its dark when it is made smaller, whatever its format is.
func TestToGray_large(t *testing.T) {
	size := image.Rect(0, 0, 2*mostWidth, 600)
	gray, colours := image.NewGray(size), image.NewRGBA(size)
	photo := image.NewYCbCr(size, image.YCbCrSubsampleRatio420)
	for y := range size.Dy() {
		for x := range size.Dx() {
			v := uint8(40 + 180*(x/100%2))
			gray.SetGray(x, y, color.Gray{Y: v})
			colours.Set(x, y, color.Gray{Y: v})
			photo.Y[photo.YOffset(x, y)] = v
		}
	}
	for name, src := range map[string]image.Image{"grey": gray, "RGBA": colours, "photograph": photo} {
		t.Run(name, func(t *testing.T) {
			small, unit := toGray(src)
			if small.Rect.Dx() != mostWidth || unit != 2 {
				t.Fatalf("%d pixels wide, unit %v", small.Rect.Dx(), unit)
			}
			dark, light := 0, 0
			for _, p := range small.Pix {
				switch {
				case p < 60:
					dark++
				case p > 200:
					light++
				}
			}
			if all := len(small.Pix); dark < all*45/100 || light < all*45/100 {
				t.Errorf("%d dark and %d light pixels of %d, want half and half", dark, light, all)
			}
		})
	}
}

package barcode

import (
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/boombuler/barcode/qr"
)

const bill = "SPC\n0200\n1\nCH4431999123000889012\nMusterwerke AG\nS\nSeestrasse\n1268\n2501\nBiel\nCH"

// qrOf is a code by an encoder of others, of modules some pixels wide on grey paper of a size.
func qrOf(t testing.TB, text string, level qr.ErrorCorrectionLevel, module, width, height, left, top int) *image.Gray {
	t.Helper()
	code, err := qr.Encode(text, level, qr.Auto)
	if err != nil {
		t.Fatal(err)
	}
	g := image.NewGray(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			g.Pix[y*g.Stride+x] = 225
			u, v := (x-left)/module, (y-top)/module
			if x < left || y < top || u >= code.Bounds().Dx() || v >= code.Bounds().Dy() {
				continue
			}
			if color.GrayModel.Convert(code.At(u, v)).(color.Gray).Y < 128 {
				g.Pix[y*g.Stride+x] = 40
			}
		}
	}
	return g
}

// QR codes as cameras and scanners see them are read to the letter, wherever they lie.
func TestReadQR(t *testing.T) {
	plain := qrOf(t, bill, qr.M, 5, 1200, 900, 300, 400)
	long := strings.Repeat("0123456789", 200) // of figures alone, as the secure codes of cards are
	tests := map[string]struct {
		g    *image.Gray
		want string
	}{
		"plain":       {plain, bill},
		"noisy":       {noisy(plain, 25), bill},
		"scratched":   {scratched(plain, 0.33, 0.34), bill},
		"tilted 12":   {tilted(plain, 12), bill},
		"tilted 47":   {tilted(plain, 47), bill},
		"upside down": {tilted(plain, 180), bill},
		"shadow": {seenThrough(plain, func(x, y int) uint8 {
			return uint8(int(plain.Pix[y*plain.Stride+x]) * (1200 - x/2) / 1800)
		}), bill},
		"two pixels a module": {qrOf(t, bill, qr.L, 2, 400, 300, 50, 60), bill},
		"fills the picture":   {qrOf(t, bill, qr.M, 16, 760, 760, 60, 60), bill},
		"many modules":        {qrOf(t, long, qr.L, 4, 900, 900, 100, 100), long},
	}
	for name, tt := range tests {
		codes := ReadQR(tt.g)
		if len(codes) != 1 || codes[0].Text != tt.want {
			t.Errorf("%s: %d codes %.60v", name, len(codes), codes)
		}
	}
	at := ReadQR(plain)[0]
	if box := image.Rect(at.X0, at.Y0, at.X1, at.Y1); !image.Pt(320, 420).In(box) || image.Pt(280, 380).In(box) {
		t.Errorf("place %v", box)
	}
}

// A picture full of marks ends as soon as one without any.
func TestReadQR_marks(t *testing.T) {
	g := image.NewGray(image.Rect(0, 0, 1200, 1600))
	for i := range g.Pix {
		x, y := i%1200%9-4, i/1200%9-4
		ring := max(x, -x, y, -y)
		g.Pix[i] = 255
		if ring == 3 || ring < 2 {
			g.Pix[i] = 0
		}
	}
	if codes := ReadQR(g); len(codes) > 0 {
		t.Errorf("%v", codes)
	}
}

func FuzzReadQR(f *testing.F) {
	f.Add([]byte{0, 255, 0, 255, 128}, uint8(3), uint16(9))
	f.Fuzz(func(t *testing.T, pixels []byte, module uint8, turned uint16) {
		g := qrOf(t, "a"+bill, qr.L, 2+int(module%5), 300, 260, 20, 20)
		for i, v := range pixels[:min(len(pixels), 4000)] {
			g.Pix[(i*97+int(turned)*31)%len(g.Pix)] = v
		}
		ReadQR(g)
	})
}

func BenchmarkReadQR_nothing(b *testing.B) {
	g := pageWithoutCode()
	for b.Loop() {
		ReadQR(g)
	}
}

package decode

import (
	"archive/zip"
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/decode/bankfile"
	"github.com/dossierhq/dossier/pipelines/document/decode/office"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

func TestSniff_contentNotName(t *testing.T) {
	for want, data := range map[string]string{
		MIMEPDF:          "junk before\n%PDF-1.4\n",
		MIMECSV:          "Date,Amount\n1/2/2024,5\n1/3/2024,6\n",
		mimeText:         "Dear Sir,\nhello there.\n",
		office.MIMERTF:   `{\rtf1\ansi Lease\par}`,
		bankfile.MIMEQIF: "!Type:Bank\nD01/02/2024\nT-5.00\n^\n",
		office.MIMEODS:   emptyOpenDocument(t, office.MIMEODS),
		office.MIMEODT:   emptyOpenDocument(t, office.MIMEODT),
		"image/png":      "\x89PNG\r\n\x1a\n0000",
	} {
		if got := Sniff([]byte(data)); got != want {
			t.Errorf("sniffed %s, want %s", got, want)
		}
	}
}

// emptyOpenDocument is an OpenDocument file without content, which begins with its type.
func emptyOpenDocument(t *testing.T, mime string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateHeader(&zip.FileHeader{Name: "mimetype", Method: zip.Store})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(mime)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestOriented(t *testing.T) {
	g := image.NewGray(image.Rect(0, 0, 2, 1))
	g.SetGray(0, 0, color.Gray{Y: 9})
	if r := oriented(ocrPage{pixels: g}, 6); r.pixels.Bounds().Dx() != 1 || r.pixels.GrayAt(0, 0).Y != 9 || r.turned != 90 {
		t.Errorf("orientation 6 is a quarter turn clockwise: %+v", r)
	}
	if r := oriented(ocrPage{pixels: g}, 3); r.pixels.GrayAt(1, 0).Y != 9 || r.turned != 180 {
		t.Errorf("orientation 3 is a half turn: %+v", r)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, g, nil); err != nil {
		t.Fatal(err)
	}
	exif := append([]byte("\xff\xd8\xff\xe1\x00\x22Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"), b.Bytes()[2:]...)
	if got := orientationOf(exif); got != 6 {
		t.Errorf("read orientation %d, want 6", got)
	}
}

func TestSkew(t *testing.T) {
	g := image.NewGray(image.Rect(0, 0, 800, 1000))
	for i := range g.Pix {
		g.Pix[i] = 255
	}
	for row := 100; row < 900; row += 40 {
		for x := 80; x < 720; x++ {
			for k := range 8 {
				g.SetGray(x, row+k, color.Gray{})
			}
		}
	}
	turned := rotate(g, 2)
	if got := skewOf(turned); got > -1.4 || got < -2.6 {
		t.Errorf("measured %.2f degrees, want about -2", got)
	}
	if got := skewOf(deskew(turned)); got > 0.5 || got < -0.5 {
		t.Errorf("%.2f degrees are left", got)
	}
}

func FuzzTiff(f *testing.F) {
	f.Add([]byte("II\x2a\x00\x08\x00\x00\x00\x00\x00\x08\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		tiffFrames(data)
		orientationOf(data)
	})
}

func TestStyleOf(t *testing.T) {
	for _, c := range []struct {
		text string
		want text.DecimalStyle
	}{
		{"1,234.56 2.00", text.DotDecimal},
		{"1.234,56 2,00", text.CommaDecimal},
		{"513,336 1,044,000 68,91", text.DotDecimal},   // one figure lost a digit
		{"513.336 1.044.000 68,91", text.CommaDecimal}, // whole amounts of a European statement
		{"rate 3.125 and 4.250", text.DotDecimal},      // no groups
		{"31.12.2023 1.044.000", text.CommaDecimal},    // a date is neither
		{"no figures at all", text.DotDecimal},
	} {
		if got := text.StyleOf([]text.Page{office.PageOf(1, []string{c.text})}); got != c.want {
			t.Errorf("%q is style %v, want %v", c.text, got, c.want)
		}
	}
}

package decode_test

import (
	"bytes"
	"image"
	"image/color/palette"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"strings"
	"testing"

	"github.com/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/bmp"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/tiff"

	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// written is a picture of a line of text.
func written(t *testing.T, text string) *image.Gray {
	t.Helper()
	parsed, err := opentype.Parse(liberationsansregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 34, DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	g := documenttest.WhitePage(900, 240, func(func(x, y int)) {})
	(&font.Drawer{Dst: g, Src: image.Black, Face: face, Dot: fixed.P(60, 130)}).DrawString(text)
	return g
}

// Pictures are read whatever the format is, by content. testdata/opening_balance.webp is the same picture; Go writes no WebP.
func TestRead_pictures(t *testing.T) {
	const text = "Opening balance 1,250.00"
	g := written(t, text)
	webp, err := os.ReadFile("testdata/opening_balance.webp")
	if err != nil {
		t.Fatal(err)
	}
	for name, write := range map[string]func(b *bytes.Buffer) error{
		"PNG":  func(b *bytes.Buffer) error { return png.Encode(b, g) },
		"JPEG": func(b *bytes.Buffer) error { return jpeg.Encode(b, g, nil) },
		"GIF": func(b *bytes.Buffer) error {
			p := image.NewPaletted(g.Bounds(), palette.WebSafe)
			draw.Draw(p, p.Bounds(), g, image.Point{}, draw.Src)
			return gif.Encode(b, p, nil)
		},
		"BMP":  func(b *bytes.Buffer) error { return bmp.Encode(b, g) },
		"TIFF": func(b *bytes.Buffer) error { return tiff.Encode(b, g, nil) },
		"WebP": func(b *bytes.Buffer) error { _, err := b.Write(webp); return err },
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := write(&b); err != nil {
				t.Fatal(err)
			}
			if got := pictureText(t, b.Bytes()); len(got) != 1 || !strings.Contains(got[0], text) {
				t.Errorf("read %q, want %q", got, text)
			}
		})
	}
}

// Each frame of a TIFF is a page, as scanners and fax servers write them.
func TestRead_pagesOfTIFF(t *testing.T) {
	got := pictureText(t, documenttest.TwoFrames(t, written(t, "Page one of the fax"), written(t, "and this is page two")))
	if len(got) != 2 || !strings.Contains(got[0], "Page one") || !strings.Contains(got[1], "page two") {
		t.Errorf("read %q", got)
	}
}

func pictureText(t *testing.T, data []byte) (pages []string) {
	t.Helper()
	got := readtest.Must(t, data)
	if got.Refusal != nil {
		t.Fatalf("refused: %+v", got.Refusal)
	}
	kept, err := text.DecodeTokens(got.Tokens)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range kept.Pages {
		pages = append(pages, document.PageText(p))
	}
	return pages
}

// Photographs of telephones are read: the same picture in the two formats that Go's library does not know.
func TestRead_photographs(t *testing.T) {
	for _, name := range []string{"testdata/opening_balance.heic", "testdata/opening_balance.avif"} {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got := pictureText(t, data); len(got) != 1 || !strings.Contains(got[0], "Opening balance 1,250.00") {
			t.Errorf("%s: read %q", name, got)
		}
		got := readtest.Must(t, data[:len(data)/2])
		if got.Refusal == nil || got.Refusal.Code != refusal.Corrupt {
			t.Errorf("half of %s: %+v", name, got.Refusal)
		}
	}
}

package document

import (
	"bytes"
	"encoding/binary"
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
	g := whitePage(900, 240, func(func(x, y int)) {})
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
	got := pictureText(t, twoFrames(t, written(t, "Page one of the fax"), written(t, "and this is page two")))
	if len(got) != 2 || !strings.Contains(got[0], "Page one") || !strings.Contains(got[1], "page two") {
		t.Errorf("read %q", got)
	}
}

func pictureText(t *testing.T, data []byte) (pages []string) {
	t.Helper()
	got := mustRead(t, data)
	if got.Refusal != nil {
		t.Fatalf("refused: %+v", got.Refusal)
	}
	kept, err := DecodeTokens(got.Tokens)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range kept.Pages {
		pages = append(pages, pageText(p))
	}
	return pages
}

func TestTIFFFrames(t *testing.T) {
	data := twoFrames(t, image.NewGray(image.Rect(0, 0, 30, 20)), image.NewGray(image.Rect(0, 0, 50, 20)))
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

// twoFrames is a TIFF of two pictures: the second file behind the first, and the first's directory naming the second's.
func twoFrames(t *testing.T, first, second image.Image) []byte {
	t.Helper()
	var one, two bytes.Buffer
	for b, picture := range map[*bytes.Buffer]image.Image{&one: first, &two: second} {
		if err := tiff.Encode(b, picture, nil); err != nil {
			t.Fatal(err)
		}
	}
	data, more := one.Bytes(), two.Bytes()
	shift := uint32(len(data))
	directory := binary.LittleEndian.Uint32(more[4:])
	shiftOffsets(more, directory, shift)
	at := binary.LittleEndian.Uint32(data[4:])
	end := at + 2 + 12*uint32(binary.LittleEndian.Uint16(data[at:]))
	binary.LittleEndian.PutUint32(data[end:], directory+shift)
	return append(data, more...)
}

// shiftOffsets moves what a directory points to: values that do not fit into its entries, and its strips.
func shiftOffsets(file []byte, directory, by uint32) {
	sizes := map[uint16]uint32{1: 1, 2: 1, 3: 2, 4: 4, 5: 8}
	n := int(binary.LittleEndian.Uint16(file[directory:]))
	for i := range n {
		entry := file[int(directory)+2+12*i:]
		tag, kind, count := binary.LittleEndian.Uint16(entry), binary.LittleEndian.Uint16(entry[2:]), binary.LittleEndian.Uint32(entry[4:])
		if sizes[kind]*count > 4 || tag == 273 {
			binary.LittleEndian.PutUint32(entry[8:], binary.LittleEndian.Uint32(entry[8:])+by)
		}
	}
}

// An iPhone's photographs are refused with the way out, by content and not by name.
func TestRead_heic(t *testing.T) {
	got := mustRead(t, []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"))
	if got.Refusal == nil || got.Refusal.Code != RefusedUnsupported || !strings.Contains(got.Refusal.Detail, "JPEG") {
		t.Errorf("%+v", got.Refusal)
	}
}

package sandbox

import (
	"bytes"
	"context"
	"image"
	"image/draw"
	"image/png"
	"testing"

	"github.com/boombuler/barcode"
	"github.com/boombuler/barcode/pdf417"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// The back of a card, of which nothing but its code says whose it is, is read in the cage.
func TestRead_backOfCard(t *testing.T) {
	code, err := pdf417.Encode("@\n\x1e\rANSI 636023100002DL00410278DLDAQRT481902\nDCSHOLLOWAY\nDACMARTIN\nDBB04171986\nDBA04172030\nDBD05022022\nDBC1\n", 4)
	if err != nil {
		t.Fatal(err)
	}
	b := code.Bounds()
	scaled, err := barcode.Scale(code, 3*b.Dx(), 4*b.Dy())
	if err != nil {
		t.Fatal(err)
	}
	back := image.NewGray(image.Rect(0, 0, 1000, 620))
	draw.Draw(back, back.Rect, image.White, image.Point{}, draw.Src)
	draw.Draw(back, scaled.Bounds().Add(image.Pt(60, 80)), scaled, image.Point{}, draw.Src)
	var file bytes.Buffer
	if err := png.Encode(&file, back); err != nil {
		t.Fatal(err)
	}
	r, err := NewReader(Config{CacheDir: documenttest.Cache(), Tesseract: Find("tesseract"), OCR: decode.Recognizer{}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Read(context.Background(), &file)
	if err != nil || got.Refusal != nil {
		t.Fatal(got.Refusal, err)
	}
	doc := got.Extraction.Documents[0]
	f := doc.Facts.Identity
	if doc.DocType != dossier.DocDriversLicense || f == nil || documenttest.Shown(f.Number) != "RT481902" || documenttest.Shown(f.LastName) != "HOLLOWAY" || documenttest.Shown(f.State) != "OH" {
		t.Fatalf("%s: %+v", doc.DocType, f)
	}
	if s := doc.Sources["/dateOfBirth"]; s.Method != text.MethodBarcode || s.Page != 1 || s.Confidence != 1 {
		t.Errorf("source %+v", s)
	}
}

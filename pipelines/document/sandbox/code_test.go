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
	"github.com/boombuler/barcode/qr"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// The back of a card, of which nothing but its code says whose it is, is read in the sandbox.
func TestRead_backOfCard(t *testing.T) {
	code, err := pdf417.Encode("@\n\x1e\rANSI 636023100002DL00410278DLDAQRT481902\nDCSHOLLOWAY\nDACMARTIN\nDBB04171986\nDBA04172030\nDBD05022022\nDBC1\n", 4)
	if err != nil {
		t.Fatal(err)
	}
	doc := readCode(t, code, 3, 4)
	f := doc.Facts.Identity
	if doc.DocType != dossier.DocDriversLicense || f == nil || documenttest.Shown(f.Number) != "RT481902" || documenttest.Shown(f.LastName) != "HOLLOWAY" || documenttest.Shown(f.State) != "OH" {
		t.Fatalf("%s: %+v", doc.DocType, f)
	}
	if s := doc.Sources["/dateOfBirth"]; s.Method != text.MethodBarcode || s.Page != 1 || s.Confidence != 1 {
		t.Errorf("source %+v", s)
	}
}

// A card of India, of whose picture nothing but its QR code can be read.
func TestRead_cardWithQR(t *testing.T) {
	code, err := qr.Encode(`<PrintLetterBarcodeData uid="234123412346" name="Asha Devi Kulkarni" gender="F" house="4-83" vtc="Camp" dist="Pune" pc="411001" dob="07/05/1987"/>`, qr.L, qr.Unicode)
	if err != nil {
		t.Fatal(err)
	}
	doc := readCode(t, code, 5, 5)
	f := doc.Facts.Identity
	if doc.DocType != dossier.DocNationalID || f == nil || documenttest.Shown(f.Number) != "2341 2341 2346" || documenttest.Shown(f.DateOfBirth) != "1987-05-07" {
		t.Fatalf("%s: %+v", doc.DocType, f)
	}
	if s := doc.Sources["/lastName"]; s.Method != text.MethodBarcode || s.Confidence >= 0.9 {
		t.Errorf("source %+v", s)
	}
}

// readCode reads in the sandbox a white picture with nothing but a code, of modules so many pixels wide and high.
func readCode(t *testing.T, code barcode.Barcode, wide, high int) dossier.ReadDocument {
	t.Helper()
	b := code.Bounds()
	scaled, err := barcode.Scale(code, wide*b.Dx(), high*b.Dy())
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
	return got.Extraction.Documents[0]
}

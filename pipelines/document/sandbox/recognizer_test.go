package sandbox

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/jpeg"
	"image/png"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/go-fonts/liberation/liberationsansregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// drawnCard is a photograph of a licence that nobody issued.
func drawnCard(t *testing.T) []byte {
	t.Helper()
	parsed, err := opentype.Parse(liberationsansregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 30, DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	card := image.NewGray(image.Rect(0, 0, 1000, 620))
	draw.Draw(card, card.Rect, image.White, image.Point{}, draw.Src)
	for i, line := range []string{"OHIO DRIVER LICENSE", "4d DLN RT481902", "1 HOLLOWAY", "2 MARTIN JAMES", "8 12 ELM STREET", "DAYTON OH 45402", "3 DOB 04/17/1986", "4a ISS 05/02/2022", "4b EXP 04/17/2030"} {
		(&font.Drawer{Dst: card, Src: image.Black, Face: face, Dot: fixed.P(330, 70+60*i)}).DrawString(line)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, card); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// The recognizer works inside the sandbox, with its library, and its reading needs no excuse.
func TestRead_card(t *testing.T) {
	found := FindRecognizer()
	if found.Missing {
		t.Skip("dossier-ocr or onnxruntime is not installed: pictures are read by tesseract alone")
	}
	r, err := NewReader(Config{CacheDir: documenttest.Cache(), OCR: found})
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Read(context.Background(), bytes.NewReader(drawnCard(t)))
	if err != nil || got.Refusal != nil {
		t.Fatal(got.Refusal, err)
	}
	doc := got.Extraction.Documents[0]
	f := doc.Facts.Identity
	if doc.DocType != dossier.DocDriversLicense || f == nil || f.LastName == nil || *f.LastName != "HOLLOWAY" || f.DateOfBirth == nil || *f.DateOfBirth != "1986-04-17" {
		t.Errorf("%s: %+v", doc.DocType, f)
	}
	if len(doc.Warnings) > 0 {
		t.Errorf("%+v", doc.Warnings)
	}
}

// Where the recognizer should be and is not, the reading says that tesseract stood in for it.
func TestRead_withoutRecognizer(t *testing.T) {
	for name, missing := range map[string]bool{"missing": true, "not wanted": false} {
		t.Run(name, func(t *testing.T) {
			r, err := NewReader(Config{CacheDir: documenttest.Cache(), Tesseract: Find("tesseract"), OCR: decode.Recognizer{Missing: missing}})
			if err != nil {
				t.Fatal(err)
			}
			got, err := r.Read(context.Background(), bytes.NewReader(drawnCard(t)))
			if err != nil || got.Refusal != nil {
				t.Fatal(got.Refusal, err)
			}
			warned := slices.ContainsFunc(got.Extraction.Documents[0].Warnings, func(w dossier.FactWarning) bool {
				return w.Code == "low_confidence" && strings.Contains(w.Detail, "dossier-ocr")
			})
			if warned != missing {
				t.Errorf("warnings %+v", got.Extraction.Documents[0].Warnings)
			}
		})
	}
}

// Words that the recognizer saw are the tokens that readers know.
func TestRecognizer_text(t *testing.T) {
	found := FindRecognizer()
	if found.Missing {
		t.Skip("dossier-ocr or onnxruntime is not installed: pictures are read by tesseract alone")
	}
	r, err := NewReader(Config{CacheDir: documenttest.Cache(), OCR: found})
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Read(context.Background(), bytes.NewReader(drawnCard(t)))
	if err != nil || got.Refusal != nil {
		t.Fatal(got.Refusal, err)
	}
	kept, err := text.DecodeTokens(got.Tokens)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, l := range text.Lines(kept.Pages[0]) {
		lines = append(lines, l.Text())
	}
	for _, want := range []string{"4d DLN RT481902", "8 12 ELM STREET", "3 DOB 04/17/1986"} {
		if !slices.Contains(lines, want) {
			t.Errorf("%q is not among %q", want, lines)
		}
	}
}

// Scanned pages are read one after the other in the memory of one file, each by the recognizer: four, or ten where
// DOSSIER_LONG is set.
func TestRead_scans(t *testing.T) {
	pages := 4
	if os.Getenv("DOSSIER_LONG") != "" {
		pages = 10
	}
	found := FindRecognizer()
	if found.Missing {
		t.Skip("dossier-ocr or onnxruntime is not installed: pictures are read by tesseract alone")
	}
	r, err := NewReader(Config{CacheDir: documenttest.Cache(), OCR: found, Tesseract: Find("tesseract"), Limits: decode.Limits{DataMiB: 400}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Read(context.Background(), bytes.NewReader(scannedPages(t, pages)))
	if err != nil || got.Refusal != nil {
		t.Fatal(got.Refusal, err)
	}
	kept, err := text.DecodeTokens(got.Tokens)
	if err != nil {
		t.Fatal(err)
	}
	if kept.Metadata.OCRFallback || len(kept.Metadata.Unread) > 0 {
		t.Errorf("fallback %v, pages %v unread", kept.Metadata.OCRFallback, kept.Metadata.Unread)
	}
	first := linesOf(kept.Pages[0])
	if len(first) < 12 {
		t.Errorf("%d lines of the first page: %q", len(first), first)
	}
	for _, p := range kept.Pages {
		if lines := linesOf(p); !slices.Equal(lines, first) {
			t.Errorf("page %d of %d equal ones says %q", p.Number, pages, lines)
		}
	}
	if got.PeakMiB >= 512 {
		t.Errorf("it took %d MiB", got.PeakMiB)
	}
}

func linesOf(p text.Page) []string {
	var lines []string
	for _, l := range text.Lines(p) {
		lines = append(lines, l.Text())
	}
	return lines
}

// scannedPages is a scan of so many pages, all the same: a list of payments in small print, drawn at 200 dpi.
func scannedPages(t *testing.T, n int) []byte {
	t.Helper()
	parsed, err := opentype.Parse(liberationsansregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	face, err := opentype.NewFace(parsed, &opentype.FaceOptions{Size: 26, DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	page := image.NewGray(image.Rect(0, 0, 1700, 2200))
	draw.Draw(page, page.Rect, image.White, image.Point{}, draw.Src)
	for i := range 12 {
		line := fmt.Sprintf("Payment %d to Harbor Street Hardware and Lumber, account ending %04d    %d.%02d", 100+i, 1234+i*7, 90+i*13, i*2)
		(&font.Drawer{Dst: page, Src: image.Black, Face: face, Dot: fixed.P(150, 150+160*i)}).DrawString(line)
	}
	var picture bytes.Buffer
	if err := jpeg.Encode(&picture, page, &jpeg.Options{Quality: 80}); err != nil {
		t.Fatal(err)
	}
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "", fmt.Sprintf("<</Type/XObject/Subtype/Image/Width 1700/Height 2200/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode/Length %d>>stream\n%s\nendstream", picture.Len(), picture.Bytes()),
		"<</Length 29>>stream\nq 612 0 0 792 0 0 cm /Im Do Q\nendstream"}
	var kids strings.Builder
	for i := range n {
		fmt.Fprintf(&kids, "%d 0 R ", i+5)
		objects = append(objects, "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</XObject<</Im 3 0 R>>>>/Contents 4 0 R>>")
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Kids[%s]/Count %d>>", kids.String(), n)
	return documenttest.RawPDF(objects...)
}

package decode_test

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// Images, PDFs, office files and text have a thumbnail of their first page, made by the sandboxed process: a PNG of at most 240
// pixels width that shows something.
func TestThumbnail(t *testing.T) {
	t.Parallel()
	book := excelize.NewFile()
	for cell, value := range map[string]any{"A1": "Profit and loss", "A2": "Net revenues", "B2": 1234567.89, "D2": 17, "A3": "Net income", "B3": 1000.25} {
		if err := book.SetCellValue("Sheet1", cell, value); err != nil {
			t.Fatal(err)
		}
	}
	workbook, err := book.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	photo := image.NewGray(image.Rect(0, 0, 600, 800))
	for i := range photo.Pix {
		photo.Pix[i] = 255
	}
	for x := 100; x < 500; x++ {
		for y := 300; y < 340; y++ {
			photo.SetGray(x, y, color.Gray{})
		}
	}
	var asPNG, asJPEG bytes.Buffer
	if err := png.Encode(&asPNG, photo); err != nil {
		t.Fatal(err)
	}
	if err := jpeg.Encode(&asJPEG, photo, nil); err != nil {
		t.Fatal(err)
	}
	letter := documenttest.Zipped(t, map[string]string{"[Content_Types].xml": "<Types/>", "word/document.xml": `<w:document xmlns:w="x"><w:body><w:p><w:r><w:t>Lease Agreement</w:t></w:r></w:p>
		<w:p><w:r><w:t>The rent is 1,200.00 a month.</w:t></w:r></w:p></w:body></w:document>`})
	for _, test := range []struct {
		name string
		data []byte
	}{
		{"PDF", documenttest.TextPDF(t, documenttest.PlainStatement)},
		{"PNG", asPNG.Bytes()},
		{"JPEG", asJPEG.Bytes()},
		{"XLSX", workbook.Bytes()},
		{"DOCX", letter},
		{"CSV", []byte("date,amount,text\n2026-01-02,12.50,Coffee and cake\n2026-01-03,-7.25,Return\n")},
		{"text", []byte("Dear Ann,\n\n    the statements are in the post.\n\nBo\n")},
	} {
		t.Run(test.name, func(t *testing.T) {
			thumbnail := readtest.Must(t, test.data).Thumbnail
			keepPicture(t, test.name, thumbnail)
			m, err := png.Decode(bytes.NewReader(thumbnail))
			if err != nil {
				t.Fatalf("%d bytes: %v", len(thumbnail), err)
			}
			if w := m.Bounds().Dx(); w == 0 || w > 240 {
				t.Errorf("it is %d pixels wide", w)
			}
			dark := 0
			for y := range m.Bounds().Dy() {
				for x := range m.Bounds().Dx() {
					if r, _, _, _ := m.At(x, y).RGBA(); r < 0xa000 {
						dark++
					}
				}
			}
			if dark < 40 {
				t.Errorf("only %d of its pixels are dark", dark)
			}
		})
	}
}

// keepPicture writes a picture where DOSSIER_SCREENSHOTS says, to be looked at.
func keepPicture(t *testing.T, name string, data []byte) {
	t.Helper()
	if dir := os.Getenv("DOSSIER_SCREENSHOTS"); dir != "" {
		if err := os.WriteFile(filepath.Join(dir, name+".png"), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

package decode_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Every page has its size as people see it, in the unit of its boxes, and the words that are kept of it give it again.
func TestRead_pageSizes(t *testing.T) {
	stream := "BT /F1 12 Tf 72 300 Td (Beginning balance 1.00) Tj ET"
	page := "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Rotate %d/Contents 5 0 R/Resources<</Font<</F1 6 0 R>>>>>>"
	pdf := documenttest.RawPDF("<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R 4 0 R 7 0 R 8 0 R]/Count 4>>",
		fmt.Sprintf(page, 0), fmt.Sprintf(page, 90), fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(stream), stream),
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", fmt.Sprintf(page, 180), fmt.Sprintf(page, 270))
	cases := map[string]struct {
		file []byte
		want []dossier.PageSize
	}{
		"a PDF with pages that lie": {pdf, []dossier.PageSize{
			{Page: 1, Width: 612, Height: 792, Unit: dossier.UnitPoint}, {Page: 2, Width: 792, Height: 612, Unit: dossier.UnitPoint, Rotation: 90},
			{Page: 3, Width: 612, Height: 792, Unit: dossier.UnitPoint, Rotation: 180}, {Page: 4, Width: 792, Height: 612, Unit: dossier.UnitPoint, Rotation: 270}}},
		"a table": {[]byte("Date,Description,Amount\n2024-01-02,Deposit,5.00\n2024-01-03,Check,6.00\n"),
			[]dossier.PageSize{{Page: 1, Width: 3, Height: 3, Unit: dossier.UnitCell}}},
		"a workbook": {workbook(t), []dossier.PageSize{{Page: 1, Width: 2, Height: 4, Unit: dossier.UnitCell}, {Page: 2, Width: 5, Height: 1, Unit: dossier.UnitCell}}},
		"plain text": {[]byte("Dear Sir,\nhello there.\n"), []dossier.PageSize{{Page: 1, Width: 72, Height: 36, Unit: dossier.UnitPoint}}},
	}
	if sandbox.Find("tesseract") != "" {
		cases["a photograph that lies"] = struct {
			file []byte
			want []dossier.PageSize
		}{lyingPhotograph(t), []dossier.PageSize{{Page: 1, Width: 1200, Height: 1600, Unit: dossier.UnitPixel, Rotation: 90}}}
	}
	for name, c := range cases {
		got := readtest.Must(t, c.file)
		if got.Extraction == nil {
			t.Errorf("%s: %+v", name, got.Refusal)
			continue
		}
		if diff := cmp.Diff(c.want, got.Extraction.Pages); diff != "" {
			t.Errorf("%s (-want +got)\n%s", name, diff)
		}
		kept, err := text.DecodeTokens(got.Tokens)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, document.Extract(kept).Pages); diff != "" {
			t.Errorf("%s, from kept words (-want +got)\n%s", name, diff)
		}
	}
}

// workbook has a sheet of two columns and four rows, and one of five columns and a row.
func workbook(t *testing.T) []byte {
	t.Helper()
	book := excelize.NewFile()
	if _, err := book.NewSheet("Second"); err != nil {
		t.Fatal(err)
	}
	for cell, value := range map[string]string{"A1": "Profit and Loss", "B4": "600"} {
		if err := book.SetCellValue("Sheet1", cell, value); err != nil {
			t.Fatal(err)
		}
	}
	if err := book.SetCellValue("Second", "E1", "Notes"); err != nil {
		t.Fatal(err)
	}
	b, err := book.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// lyingPhotograph is an empty sheet whose file says that it is to be turned a quarter clockwise.
func lyingPhotograph(t *testing.T) []byte {
	t.Helper()
	sheet := image.NewGray(image.Rect(0, 0, 1600, 1200))
	draw.Draw(sheet, sheet.Rect, image.NewUniform(color.White), image.Point{}, draw.Src)
	var b bytes.Buffer
	if err := jpeg.Encode(&b, sheet, nil); err != nil {
		t.Fatal(err)
	}
	exif := "\xff\xd8\xff\xe1\x00\x22Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00"
	return append([]byte(exif), b.Bytes()[2:]...)
}

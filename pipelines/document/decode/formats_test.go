package decode

import (
	"bytes"
	"image"
	"image/color"
	"image/jpeg"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

func TestDecodeDOCX(t *testing.T) {
	d, err := decodeDOCX(documenttest.Zipped(t, map[string]string{"word/document.xml": `<w:document xmlns:w="x"><w:body>
		<w:p><w:r><w:t>Lease </w:t></w:r><w:r><w:t>Agreement</w:t></w:r><w:del><w:r><w:t>old</w:t></w:r></w:del></w:p>
		<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Rent</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>1,200.00</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
	</w:body></w:document>`}))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range text.Lines(d.Pages[0]) {
		var cells []string
		for _, c := range l.Cells() {
			cells = append(cells, c.Text())
		}
		got = append(got, strings.Join(cells, "|"))
	}
	if want := "Lease Agreement\nRent|1,200.00"; strings.Join(got, "\n") != want {
		t.Errorf("got %q", got)
	}
}

func TestDecodeXLSX(t *testing.T) {
	book := excelize.NewFile()
	book.SetCellValue("Sheet1", "A1", "Revenue")
	book.SetCellValue("Sheet1", "B1", 1234.5)
	book.SetCellFormula("Sheet1", "B2", "B1*2") // without a cached value
	if _, err := book.NewSheet("Hidden"); err != nil {
		t.Fatal(err)
	}
	book.SetCellValue("Hidden", "A1", "secret")
	if err := book.SetSheetVisible("Hidden", false); err != nil {
		t.Fatal(err)
	}
	buffer, err := book.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	d, err := decodeXLSX(buffer.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Pages) != 1 || len(d.Pages[0].Tokens) != 2 {
		t.Fatalf("got %+v", d.Pages)
	}
	if cell := d.Pages[0].Tokens[1]; cell.Cell != "Sheet1!B1" || cell.Text != "1234.5" {
		t.Errorf("got %+v", cell)
	}
}

func TestSniff_contentNotName(t *testing.T) {
	for want, data := range map[string]string{
		MIMEPDF:     "junk before\n%PDF-1.4\n",
		MIMECSV:     "Date,Amount\n1/2/2024,5\n1/3/2024,6\n",
		mimeText:    "Dear Sir,\nhello there.\n",
		"image/png": "\x89PNG\r\n\x1a\n0000",
	} {
		if got := Sniff([]byte(data)); got != want {
			t.Errorf("sniffed %s, want %s", got, want)
		}
	}
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

func FuzzDecodeCSV(f *testing.F) {
	f.Add([]byte("a,b\n1,2\n"))
	f.Add([]byte("a;\"b\n1;2\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if d, err := CSV(data); err == nil {
			document.Extract(d)
		}
	})
}

func FuzzDecodeDOCX(f *testing.F) {
	f.Add("<w:p><w:r><w:t>a</w:t></w:r></w:p>")
	f.Add("<w:tr><w:tc><w:p/></w:tc></w:tr>")
	f.Fuzz(func(t *testing.T, body string) {
		_, _ = docxLines(strings.NewReader(body))
	})
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
		if got := text.StyleOf([]text.Page{TextPage(1, []string{c.text})}); got != c.want {
			t.Errorf("%q is style %v, want %v", c.text, got, c.want)
		}
	}
}

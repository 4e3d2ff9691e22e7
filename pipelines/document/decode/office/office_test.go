package office

import (
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

func TestDecodeDOCX(t *testing.T) {
	d, err := DOCX(documenttest.Zipped(t, map[string]string{"word/document.xml": `<w:document xmlns:w="x"><w:body>
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
	d, err := XLSX(buffer.Bytes())
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

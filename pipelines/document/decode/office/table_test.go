package office

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// The delimiter of a table is told whatever stands above it, and prose is no table.
func TestSniffDelimiter(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		want rune
	}{
		"commas":                  {"Date,Text,Amount\n1/2,a,5\n1/3,b,6\n", ','},
		"semicolons, with commas": {"Datum;Text;Betrag\n1.2.;a;5,00\n1.3.;b;6,00\n1.4.;c;7,00\n", ';'},
		"tabs":                    {"Date\tText\tAmount\n1/2\ta\t5\n1/3\tb\t6\n", '\t'},
		"bars":                    {"Date|Text|Amount\n1/2|a|5\n1/3|b|6\n", '|'},
		"a preamble":              {"Bank of nowhere\nRosa Quill\nFrom 1 to 5\n\nDate,Text,Amount,Balance\n1/2,a,5,6\n1/3,b,6,7\n1/4,c,6,7\n1/5,d,6,7\n", ','},
		"few rows below much":     {"Bank of nowhere\nRosa Quill\nFrom 1 to 5\nOttawa\nCanada\nHello\nDate,Text,Amount,Balance\n1/2,a,5,6\n", ','},
		"quoted commas":           {"Date,Text,Amount\n1/2,\"a, b, c\",5\n1/3,\"b\",6\n", ','},
		"quoted over lines":       {"Date,Text,Amount\n1/2,\"a\nb\",5\n1/3,\"b\nc\nd\",6\n", ','},
		"a letter":                {"Dear Sir, I write, as agreed, to you\nand hope, all is well\nYours, truly, Rosa\n", 0},
		"one column":              {"a\nb\nc\n", 0},
		"nothing":                 {"", 0},
		"set in columns":          {"Date        Text           1,204.50    2,300.00\n1/2         a              1,204.50    2,300.00\n1/3         b              1,204.50    2,300.00\n", 0},
	} {
		got, ok := SniffDelimiter(c.text)
		if got != c.want || ok != (c.want != 0) {
			t.Errorf("%s: %q, %v, want %q", name, got, ok, c.want)
		}
	}
}

// cellsOf are the cells of a page by their names.
func cellsOf(p text.Page) map[string]string {
	cells := map[string]string{}
	for _, t := range p.Tokens {
		cells[t.Cell] = t.Text
	}
	return cells
}

// holds checks that a page has these cells and no others.
func holds(t *testing.T, name string, p text.Page, want map[string]string) {
	t.Helper()
	got := cellsOf(p)
	for cell, value := range want {
		if got[cell] != value {
			t.Errorf("%s: %s is %q, want %q", name, cell, got[cell], value)
		}
		delete(got, cell)
	}
	for cell, value := range got {
		t.Errorf("%s: %s holds %q", name, cell, value)
	}
}

// A cell says what it shows: codes that are kept as text lose their marks, blanks and empty cells are none.
func TestCSV_cells(t *testing.T) {
	t.Parallel()
	d, err := CSV([]byte("Date;Text;Amount\n1.2.;=\"0012\";5,00\n;'0013';  6,00 \n1.4.;_ABC123;'7\n1.5.;it's \"so\";'a'b'\n"))
	if err != nil {
		t.Fatal(err)
	}
	holds(t, "marks", d.Pages[0], map[string]string{"A1": "Date", "B1": "Text", "C1": "Amount", "A2": "1.2.", "B2": "0012", "C2": "5,00",
		"B3": "0013", "C3": "6,00", "A4": "1.4.", "B4": "ABC123", "C4": "7", "A5": "1.5.", "B5": `it's "so"`, "C5": "'a'b'"})
	d, err = CSV([]byte("A\tB\tC\n1\t\t3\n4\t\t6\n"))
	if err != nil {
		t.Fatal(err)
	}
	holds(t, "empty cells between tabs", d.Pages[0], map[string]string{"A1": "A", "B1": "B", "C1": "C", "A2": "1", "C2": "3", "A3": "4", "C3": "6"})
	for n, want := range map[int]string{1: "A", 26: "Z", 27: "AA", 52: "AZ", 703: "AAA"} {
		if got := columnName(n); got != want {
			t.Errorf("column %d: %s, want %s", n, got, want)
		}
	}
	refusedAs(t, "too many cells", func() error { _, err := CSV([]byte(strings.Repeat("1,2,3,4\n", MaxCells/4+1))); return err }(), refusal.TooLarge)
}

func refusedAs(t *testing.T, name string, err error, code string) {
	t.Helper()
	var r *refusal.Refusal
	if !errors.As(err, &r) || r.Code != code {
		t.Errorf("%s: %v, want %s", name, err, code)
	}
}

// workbook is a workbook that fill makes.
func workbook(t *testing.T, fill func(*excelize.File)) []byte {
	t.Helper()
	book := excelize.NewFile()
	fill(book)
	var b bytes.Buffer
	if err := book.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// styled puts a number into a cell of Sheet1 that shows it in a format.
func styled(t *testing.T, book *excelize.File, cell string, value any, format string) {
	t.Helper()
	style, err := book.NewStyle(&excelize.Style{CustomNumFmt: &format})
	if err == nil {
		err = book.SetCellValue("Sheet1", cell, value)
	}
	if err == nil {
		err = book.SetCellStyle("Sheet1", cell, cell, style)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Days are read year first, of either calendar; scientific notation is no amount; a merged range speaks once.
func TestXLSX_shown(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		mac1904 bool
		day     string
	}{"of 1900": {false, "2023-03-15"}, "of 1904": {true, "2027-03-16"}} {
		d, err := XLSX(workbook(t, func(book *excelize.File) {
			if err := book.SetWorkbookProps(&excelize.WorkbookPropsOptions{Date1904: &c.mac1904}); err != nil {
				t.Fatal(err)
			}
			styled(t, book, "A1", 45000, "mm/dd/yyyy")
			styled(t, book, "B1", 45000, "dd.mm.yy")
			styled(t, book, "C1", 1234.5, `#,##0.00`)
			styled(t, book, "D1", -1234.5, `#,##0.00;(#,##0.00)`)
			styled(t, book, "E1", 1234567890123, "0.00E+00")
			styled(t, book, "F1", 0.125, "0.0%")
			styled(t, book, "G1", 12, "0/0/0")
			if err := errors.Join(book.MergeCell("Sheet1", "A2", "C3"), book.SetCellValue("Sheet1", "A2", "merged"),
				book.SetCellValue("Sheet1", "A4", "1/2/2024"), book.SetCellValue("Sheet1", "B4", "  "), book.SetCellBool("Sheet1", "C4", true)); err != nil {
				t.Fatal(err)
			}
		}))
		if err != nil {
			t.Fatal(err)
		}
		got := cellsOf(d.Pages[0])
		for cell, want := range map[string]string{"Sheet1!A1": c.day, "Sheet1!B1": c.day, "Sheet1!C1": "1,234.50", "Sheet1!D1": "(1,234.50)",
			"Sheet1!E1": "1234567890123", "Sheet1!F1": "12.5%", "Sheet1!A2": "merged", "Sheet1!B2": "", "Sheet1!A3": "", "Sheet1!A4": "1/2/2024", "Sheet1!B4": "", "Sheet1!C4": "TRUE"} {
			if got[cell] != want {
				t.Errorf("%s: %s is %q, want %q", name, cell, got[cell], want)
			}
		}
	}
}

// What is hidden, protected, damaged or larger than is read is refused, and said to be what it is.
func TestXLSX_refused(t *testing.T) {
	t.Parallel()
	whole := workbook(t, func(book *excelize.File) { _ = book.SetCellValue("Sheet1", "A1", 1) })
	_, err := XLSX(whole[:len(whole)/2])
	refusedAs(t, "cut", err, refusal.Corrupt)
	_, err = XLSX([]byte("no archive"))
	refusedAs(t, "no archive", err, refusal.Corrupt)
	_, err = XLSX(documenttest.Zipped(t, map[string]string{"a.txt": "hello"}))
	refusedAs(t, "another archive", err, refusal.Corrupt)
	for name, size := range map[string]uint64{"a bomb": maxUnzipped + 1, "more than any": 5 * maxUnzipped} {
		var bomb bytes.Buffer
		z := zip.NewWriter(&bomb)
		_, err := z.CreateRaw(&zip.FileHeader{Name: "a.txt", Method: zip.Deflate, UncompressedSize64: size})
		if err := errors.Join(err, z.Close()); err != nil {
			t.Fatal(err)
		}
		_, err = XLSX(bomb.Bytes())
		refusedAs(t, name, err, refusal.TooLarge)
	}
	_, err = XLSX(workbook(t, func(book *excelize.File) {
		for i := range MaxSheets {
			if _, err := book.NewSheet(fmt.Sprint("S", i)); err != nil {
				t.Fatal(err)
			}
		}
	}))
	refusedAs(t, "too many sheets", err, refusal.TooManyPages)
	for complaint, code := range map[string]string{"the supplied open workbook password is not correct": refusal.Encrypted, "unzip size exceeds the limit": refusal.TooLarge,
		"no such thing": refusal.Corrupt} {
		if got := workbookRefusal(errors.New(complaint)); got.Code != code {
			t.Errorf("%s: %s, want %s", complaint, got.Code, code)
		}
	}
}

// Plain text keeps its columns, and a form feed begins a page.
func TestTXT(t *testing.T) {
	t.Parallel()
	d, err := TXT([]byte("Total\t  5.00\r\nTax       1.00\fnext"))
	if err != nil || len(d.Pages) != 2 || d.PageCount != 2 {
		t.Fatalf("%d pages, %v", len(d.Pages), err)
	}
	lines := text.Lines(d.Pages[0])
	if len(lines) != 2 || len(lines[0].Cells()) != 2 || lines[0].Tokens[1].X0 != 11*CharWidth || lines[1].Tokens[1].X0 != 10*CharWidth {
		t.Errorf("%+v", lines)
	}
	_, err = TXT([]byte(strings.Repeat("a\f", 301)))
	refusedAs(t, "too many pages", err, refusal.TooManyPages)
	_, err = TXT(bytes.Repeat([]byte("a"), maxUnzipped/4+1))
	refusedAs(t, "too long", err, refusal.TooLarge)
}

// Package office turns tables, letters and plain text into tokens: CSV, the formats of Office old and new, RTF and
// OpenDocument.
package office

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"

	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Media types of the offices' formats, new and old, and of OpenDocument.
const (
	MIMEXLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	MIMEDOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	MIMEXLS  = "application/vnd.ms-excel"
	MIMEDOC  = "application/msword"
	MIMERTF  = "text/rtf"
	MIMEODS  = "application/vnd.oasis.opendocument.spreadsheet"
	MIMEODT  = "application/vnd.oasis.opendocument.text"
)

// Limits of zipped office formats (document-engine notes section 4).
const (
	MaxZipEntries = 5000
	maxUnzipped   = 64 << 20
	maxZipRatio   = 200
	MaxParagraphs = 100_000
	maxTableDepth = 20
)

// checkZip refuses archives that unpack to more than they may, by their own directory; the readers after it
// stop at the same limits whatever the directory says.
func checkZip(data []byte) (*zip.Reader, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, refusal.New(refusal.Corrupt, "The file's structure is damaged and cannot be read.")
	}
	total := uint64(0)
	for _, f := range z.File {
		total += f.UncompressedSize64
	}
	if len(z.File) > MaxZipEntries || total > maxUnzipped && total > maxZipRatio*uint64(len(data)) ||
		total > 4*maxUnzipped {
		return nil, refusal.New(refusal.TooLarge, "The file unpacks to more than is read.")
	}
	return z, nil
}

// XLSX reads the cached values of a workbook: a page a sheet, a token a cell. A formula without a
// cached value is no token; the text of a merged range stands in its first cell.
func XLSX(data []byte) (text.Decoded, error) {
	if _, err := checkZip(data); err != nil {
		return text.Decoded{}, err
	}
	book, err := excelize.OpenReader(bytes.NewReader(data),
		excelize.Options{UnzipSizeLimit: maxUnzipped, UnzipXMLSizeLimit: 16 << 20})
	if err != nil {
		return text.Decoded{}, workbookRefusal(err)
	}
	defer book.Close()
	d := text.Decoded{Layer: text.LayerNative}
	cells := 0
	for i, sheet := range book.GetSheetList() {
		if i >= MaxSheets {
			return d, refusal.New(refusal.TooManyPages, "The workbook has more than %d sheets.", MaxSheets)
		}
		if visible, err := book.GetSheetVisible(sheet); err == nil && !visible {
			continue // hidden sheets are not what the sender shows
		}
		page := text.Page{Number: len(d.Pages) + 1, Name: sheet, Layer: text.LayerNative}
		if err := readSheet(book, sheet, &page, &cells); err != nil {
			return d, err
		}
		d.Pages = append(d.Pages, page)
	}
	d.PageCount = len(d.Pages)
	if d.PageCount == 0 {
		return d, refusal.New(refusal.Corrupt, "The workbook has no visible sheet.")
	}
	return d, nil
}

func workbookRefusal(err error) *refusal.Refusal {
	switch text := err.Error(); {
	case strings.Contains(text, "password"), strings.Contains(text, "encrypt"):
		return refusal.New(refusal.Encrypted, "The workbook is protected by a password. Send a copy without one.")
	case strings.Contains(text, "unzip size"), strings.Contains(text, "exceeds"):
		return refusal.New(refusal.TooLarge, "The workbook unpacks to more than is read.")
	}
	return refusal.New(refusal.Corrupt, "The workbook is damaged and cannot be read.")
}

func readSheet(book *excelize.File, sheet string, page *text.Page, cells *int) error {
	rows, err := book.Rows(sheet)
	if err != nil {
		return nil // a chart sheet, or one without data
	}
	defer rows.Close()
	for row := 1; rows.Next(); row++ {
		values, err := rows.Columns()
		if err != nil {
			return fmt.Errorf("sheet %q: %w", sheet, err)
		}
		for column, value := range values {
			if strings.TrimSpace(value) == "" {
				continue
			}
			if *cells++; *cells > MaxCells {
				return refusal.New(refusal.TooLarge, "The workbook has more than %d cells.", MaxCells)
			}
			AddCell(page, sheet, column+1, row, cellText(book, sheet, column+1, row, value))
		}
	}
	return nil
}

// cellText is a cell as it is shown; where the format hides decimals of an amount, or shows scientific
// notation, the stored value.
func cellText(book *excelize.File, sheet string, column, row int, shown string) string {
	if figuresDate.MatchString(shown) {
		return cellDay(book, sheet, column, row, shown)
	}
	if !strings.ContainsAny(shown, "Ee#") || strings.ContainsAny(strings.ToLower(shown), "abcdfghijklmnopqrstuvwxyz") {
		return shown
	}
	raw, err := book.GetCellValue(sheet, columnName(column)+fmt.Sprint(row), excelize.Options{RawCellValue: true})
	if err != nil || raw == "" {
		return shown
	}
	return raw
}

// figuresDate is a date in figures alone, with or without a time.
var figuresDate = lazyregexp.New(`^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?: \d{1,2}:\d{2}(?::\d{2})?)?$`)

// cellDay is a cell that holds a day and shows it in figures: year first, for which of the others is the month depends
// on the country of whoever opens the workbook.
func cellDay(book *excelize.File, sheet string, column, row int, shown string) string {
	raw, err := book.GetCellValue(sheet, columnName(column)+fmt.Sprint(row), excelize.Options{RawCellValue: true})
	if err != nil {
		return shown
	}
	serial, err := strconv.ParseFloat(raw, 64)
	if err != nil || serial < 20_000 || serial > 80_000 { // the years 1954 to 2119
		return shown
	}
	props, err := book.GetWorkbookProps()
	day, wrong := excelize.ExcelDateToTime(serial, err == nil && props.Date1904 != nil && *props.Date1904)
	if wrong != nil {
		return shown
	}
	return day.Format("2006-01-02")
}

// What a character and a line of plain text measure on their page.
const (
	CharWidth  = 6.0
	LineHeight = 12.0
)

// PageOf lays lines of text out as a page: a line a row, six units a character, so that columns set with
// blanks stay columns.
func PageOf(number int, lines []string) text.Page {
	const charWidth, lineHeight = CharWidth, LineHeight
	p := text.Page{Number: number, Layer: text.LayerNative}
	for row, line := range lines {
		line = strings.ReplaceAll(line, "\t", "    ")
		column := 0
		for _, word := range strings.SplitAfter(line, " ") {
			s := strings.TrimSpace(word)
			n := len([]rune(word))
			if s != "" {
				x, y := float64(column)*charWidth, float64(row)*lineHeight
				p.Tokens = append(p.Tokens,
					text.Token{Page: number, X0: x, Y0: y, X1: x + float64(len([]rune(s)))*charWidth,
						Y1: y + 0.9*lineHeight, Text: s, Confidence: 1, Method: text.MethodText})
				p.Width = max(p.Width, x+float64(n)*charWidth)
			}
			column += n
		}
	}
	p.Height = float64(len(lines)) * lineHeight
	return p
}

// TXT reads plain text: a form feed begins a page.
func TXT(data []byte) (text.Decoded, error) {
	s := Text(data)
	if len(s) > maxUnzipped/4 {
		return text.Decoded{}, refusal.New(refusal.TooLarge, "The text is longer than is read.")
	}
	d := text.Decoded{Layer: text.LayerNative}
	for part := range strings.SplitSeq(s, "\f") {
		d.Pages = append(d.Pages, PageOf(len(d.Pages)+1, strings.Split(strings.ReplaceAll(part, "\r\n", "\n"), "\n")))
		if len(d.Pages) > 300 {
			return d, refusal.New(refusal.TooManyPages, "The text has more than 300 pages.")
		}
	}
	d.PageCount = len(d.Pages)
	return d, nil
}

// DOCX reads the body of a DOCX: paragraphs as lines, table rows as lines of cells. Comments, headers
// and deleted text are not part of it.
func DOCX(data []byte) (text.Decoded, error) {
	z, err := checkZip(data)
	if err != nil {
		return text.Decoded{}, err
	}
	for _, f := range z.File {
		if f.Name != "word/document.xml" {
			continue
		}
		body, err := f.Open()
		if err != nil {
			return text.Decoded{}, refusal.New(refusal.Corrupt, "The document is damaged and cannot be read.")
		}
		defer body.Close()
		lines, err := docxLines(io.LimitReader(body, maxUnzipped))
		if err != nil {
			return text.Decoded{}, err
		}
		return text.Decoded{PageCount: 1, Layer: text.LayerNative, Pages: []text.Page{PageOf(1, lines)}}, nil
	}
	return text.Decoded{}, refusal.New(refusal.Corrupt, "The document has no text part.")
}

// docxLines reads the XML of a DOCX body.
func docxLines(r io.Reader) ([]string, error) {
	dec := xml.NewDecoder(r)
	var lines, cells []string
	var text strings.Builder
	depth, deleted, cellStart := 0, 0, 0
	for len(lines) < MaxParagraphs {
		t, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, refusal.New(refusal.Corrupt, "The document is damaged and cannot be read.")
		}
		switch e := t.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "tr":
				if depth++; depth > maxTableDepth {
					return nil, refusal.New(refusal.TooLarge, "The document nests its tables deeper than is read.")
				}
				cells = cells[:0]
			case "tc":
				cellStart = text.Len()
			case "tab":
				text.WriteString("    ")
			case "br", "cr":
				text.WriteByte(' ')
			case "del", "instrText":
				deleted++
			}
		case xml.EndElement:
			switch e.Name.Local {
			case "del", "instrText":
				deleted--
			case "p":
				if depth > 0 {
					text.WriteByte(' ')
					continue
				}
				lines = append(lines, text.String())
				text.Reset()
			case "tc":
				cells = append(cells, strings.TrimSpace(text.String()[min(cellStart, text.Len()):]))
				text.Reset()
				cellStart = 0
			case "tr":
				depth--
				lines = append(lines, TableRow(cells))
			}
		case xml.CharData:
			if deleted == 0 {
				text.Write(bytes.ReplaceAll(e, []byte("\n"), []byte(" ")))
			}
		}
	}
	return lines, nil
}

// TableRow sets cells in columns of equal width, so that they stay columns on the page.
func TableRow(cells []string) string {
	var b strings.Builder
	for i, c := range cells {
		if i > 0 {
			pad := 30*i - len([]rune(b.String()))
			b.WriteString(strings.Repeat(" ", max(pad, 4)))
		}
		b.WriteString(c)
	}
	return b.String()
}

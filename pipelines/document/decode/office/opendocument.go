package office

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// odContent opens the content of an OpenDocument file. Source: OASIS OpenDocument 1.3, part 3.
func odContent(data []byte) (io.ReadCloser, error) {
	z, err := checkZip(data)
	if err != nil {
		return nil, err
	}
	for _, f := range z.File {
		if f.Name != "content.xml" {
			continue
		}
		body, err := f.Open()
		if err != nil {
			break
		}
		return body, nil
	}
	return nil, refusal.New(refusal.Corrupt, "The document is damaged and cannot be read.")
}

// odValue is an attribute of an element by its local name, empty when it has none.
func odValue(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// odRepeat is how often a row or cell stands, at least once and at most so often.
func odRepeat(e xml.StartElement, name string, most int) int {
	n, err := strconv.Atoi(odValue(e, name))
	if err != nil || n < 1 {
		return 1
	}
	return min(n, most)
}

// odsReader is an OpenDocument workbook being read.
type odsReader struct {
	d           text.Decoded
	page        *text.Page
	row, column int
	rows        int // how often the row stands
	cells       int
	wide        int    // how often the cell stands
	stored      string // its value where the shown one is not to be trusted
	inCell      bool
	annotation  int
	shown       strings.Builder
}

// ODS reads a workbook of LibreOffice: a page a sheet, a token a cell.
func ODS(data []byte) (text.Decoded, error) {
	body, err := odContent(data)
	if err != nil {
		return text.Decoded{}, err
	}
	defer body.Close()
	dec := xml.NewDecoder(io.LimitReader(body, maxUnzipped))
	r := odsReader{d: text.Decoded{Layer: text.LayerNative}}
	for {
		t, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return text.Decoded{}, refusal.New(refusal.Corrupt, "The workbook is damaged and cannot be read.")
		}
		switch e := t.(type) {
		case xml.StartElement:
			r.start(e)
		case xml.EndElement:
			if err := r.end(e.Name.Local); err != nil {
				return text.Decoded{}, err
			}
		case xml.CharData:
			if r.inCell && r.annotation == 0 && r.shown.Len() < 1<<15 {
				r.shown.Write(e)
			}
		}
	}
	if r.d.PageCount = len(r.d.Pages); r.d.PageCount == 0 {
		return r.d, refusal.New(refusal.Corrupt, "The workbook has no sheet.")
	}
	return r.d, nil
}

func (r *odsReader) start(e xml.StartElement) {
	switch e.Name.Local {
	case "table":
		r.d.Pages = append(r.d.Pages, text.Page{Number: len(r.d.Pages) + 1, Name: odValue(e, "name"),
			Layer: text.LayerNative})
		r.page, r.row = &r.d.Pages[len(r.d.Pages)-1], 1
	case "table-row":
		r.column, r.rows = 1, odRepeat(e, "number-rows-repeated", 1<<20)
	case "table-cell", "covered-table-cell":
		r.wide, r.stored, r.inCell = odRepeat(e, "number-columns-repeated", 1<<14), "", true
		r.shown.Reset()
		if day := odValue(e, "date-value"); len(day) >= 10 {
			r.stored = day[:10]
		}
	case "annotation":
		r.annotation++
	case "p":
		if r.inCell && r.shown.Len() > 0 {
			r.shown.WriteByte(' ')
		}
	case "s":
		r.shown.WriteByte(' ')
	}
}

func (r *odsReader) end(name string) error {
	switch name {
	case "annotation":
		r.annotation--
	case "table-row":
		r.row += r.rows
	case "table-cell", "covered-table-cell":
		value := strings.TrimSpace(r.shown.String())
		if r.stored != "" {
			value = r.stored
		}
		r.inCell = false
		if value != "" && r.page != nil {
			for i := range min(r.wide, 1000) {
				if r.cells++; r.cells > MaxCells {
					return refusal.New(refusal.TooLarge, "The workbook has more than %d cells.", MaxCells)
				}
				AddCell(r.page, r.page.Name, r.column+i, r.row, value)
			}
		}
		r.column += r.wide
	case "table":
		if len(r.d.Pages) > MaxSheets {
			return refusal.New(refusal.TooManyPages, "The workbook has more than %d sheets.", MaxSheets)
		}
	}
	return nil
}

// ODT reads the text of a document of LibreOffice: paragraphs and the rows of tables.
func ODT(data []byte) (text.Decoded, error) {
	body, err := odContent(data)
	if err != nil {
		return text.Decoded{}, err
	}
	defer body.Close()
	dec := xml.NewDecoder(io.LimitReader(body, maxUnzipped))
	var lines, cells []string
	var b strings.Builder
	depth, hidden := 0, 0
	for len(lines) < MaxParagraphs {
		t, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return text.Decoded{}, refusal.New(refusal.Corrupt, "The document is damaged and cannot be read.")
		}
		switch e := t.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "table-row":
				if depth++; depth > maxTableDepth {
					return text.Decoded{}, refusal.New(refusal.TooLarge,
						"The document nests its tables deeper than is read.")
				}
				cells = nil
			case "tab":
				b.WriteString("    ")
			case "s":
				b.WriteString(strings.Repeat(" ", odRepeat(e, "c", 200)))
			case "line-break":
				b.WriteByte(' ')
			case "tracked-changes", "annotation":
				hidden++
			}
		case xml.EndElement:
			switch e.Name.Local {
			case "tracked-changes", "annotation":
				hidden--
			case "p", "h":
				if depth > 0 {
					b.WriteByte(' ')
					continue
				}
				lines = append(lines, b.String())
				b.Reset()
			case "table-cell":
				cells = append(cells, strings.TrimSpace(b.String()))
				b.Reset()
			case "table-row":
				depth--
				lines, cells = append(lines, TableRow(cells)), nil
			}
		case xml.CharData:
			if hidden == 0 {
				b.Write(e)
			}
		}
	}
	return linesAsPages(lines), nil
}

package office

import (
	"encoding/binary"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"

	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// DOC reads the text of a document of Word 97 to 2003: paragraphs and the rows of tables, without what fields
// were calculated from. Source: [MS-DOC], sections 2.5 (FIB) and 2.8.35 (the table of pieces).
func DOC(data []byte) (text.Decoded, error) {
	streams, err := oleStreams(data, "WordDocument", "0Table", "1Table")
	if err != nil {
		return text.Decoded{}, err
	}
	main := streams["WordDocument"]
	if len(main) < 0x1aa || binary.LittleEndian.Uint16(main) != 0xa5ec {
		return text.Decoded{}, refusal.New(refusal.Corrupt, "The document is damaged and cannot be read.")
	}
	flags := binary.LittleEndian.Uint16(main[0x0a:])
	if flags&0x0100 != 0 {
		return text.Decoded{}, refusal.New(refusal.Encrypted,
			"The document is protected by a password. Send a copy without one.")
	}
	table := streams["0Table"]
	if flags&0x0200 != 0 {
		table = streams["1Table"]
	}
	content, ok := docText(main, table)
	if !ok {
		return text.Decoded{}, refusal.New(refusal.Corrupt, "The document is damaged and cannot be read.")
	}
	return linesAsPages(docLines(content)), nil
}

// docText joins the pieces of the main text.
func docText(main, table []byte) ([]rune, bool) {
	at, size := int(binary.LittleEndian.Uint32(main[0x1a2:])), int(binary.LittleEndian.Uint32(main[0x1a6:]))
	left := int(binary.LittleEndian.Uint32(main[0x4c:]))
	if at < 0 || size < 0 || at+size > len(table) || left < 0 {
		return nil, false
	}
	clx := table[at : at+size]
	for len(clx) > 3 && clx[0] == 1 { // properties
		skip := 3 + int(binary.LittleEndian.Uint16(clx[1:]))
		if skip > len(clx) {
			return nil, false
		}
		clx = clx[skip:]
	}
	if len(clx) < 5 || clx[0] != 2 {
		return nil, false
	}
	plc := clx[5:]
	pieces := (len(plc) - 4) / 12
	var all []rune
	for i := range max(pieces, 0) {
		chars := int(binary.LittleEndian.Uint32(plc[4*i+4:])) - int(binary.LittleEndian.Uint32(plc[4*i:]))
		place := binary.LittleEndian.Uint32(plc[4*(pieces+1)+8*i+2:])
		chars = min(chars, left, maxUnzipped/4-len(all))
		if chars <= 0 {
			break
		}
		left -= chars
		all = append(all, docPiece(main, place, chars)...)
	}
	return all, len(all) > 0
}

// docPiece is a run of characters: one byte each in Windows-1252, or two.
func docPiece(main []byte, place uint32, chars int) []rune {
	from := int(place & 0x3fffffff)
	if place&0x40000000 != 0 {
		from /= 2
		if from > len(main) {
			return nil
		}
		s, err := charmap.Windows1252.NewDecoder().Bytes(main[from:min(from+chars, len(main))])
		if err != nil {
			return nil
		}
		return []rune(string(s))
	}
	var units []uint16
	for i := from; i >= 0 && i+1 < len(main) && len(units) < chars; i += 2 {
		units = append(units, binary.LittleEndian.Uint16(main[i:]))
	}
	return utf16.Decode(units)
}

// docLines are the paragraphs, and each row of a table as one line. A form feed stands for a new page.
func docLines(content []rune) []string {
	var lines, cells []string
	var b strings.Builder
	field := 0 // depth of what fields are calculated from
	for _, c := range content {
		switch c {
		case 0x13:
			field++
			continue
		case 0x14, 0x15:
			field = max(field-1, 0)
			if c == 0x15 {
				field = 0
			}
			continue
		}
		if field > 0 {
			continue
		}
		switch c {
		case '\r', 0x0b:
			if len(cells) > 0 {
				b.WriteByte(' ') // a paragraph within a cell
				continue
			}
			lines = append(lines, b.String())
			b.Reset()
		case 0x0c:
			lines = append(lines, b.String(), "\f")
			b.Reset()
		case 0x07:
			if b.Len() == 0 && len(cells) > 0 { // the end of the row
				lines, cells = append(lines, TableRow(cells)), nil
				continue
			}
			cells = append(cells, strings.TrimSpace(b.String()))
			b.Reset()
		case '\t':
			b.WriteString("    ")
		case 0x1e, 0x2011:
			b.WriteByte('-')
		default:
			if c >= ' ' {
				b.WriteRune(c)
			}
		}
		if len(lines) > MaxParagraphs {
			break
		}
	}
	return append(lines, b.String())
}

// linesAsPages lays lines out as pages; "\f" begins one.
func linesAsPages(lines []string) text.Decoded {
	d := text.Decoded{Layer: text.LayerNative}
	var page []string
	flush := func() {
		if strings.TrimSpace(strings.Join(page, "")) != "" && len(d.Pages) < 300 {
			d.Pages = append(d.Pages, PageOf(len(d.Pages)+1, page))
		}
		page = nil
	}
	for _, l := range lines {
		if l == "\f" {
			flush()
			continue
		}
		page = append(page, l)
	}
	flush()
	if len(d.Pages) == 0 {
		d.Pages = []text.Page{PageOf(1, nil)}
	}
	d.PageCount = len(d.Pages)
	return d
}

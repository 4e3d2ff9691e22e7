package office

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf16"

	"golang.org/x/text/encoding/charmap"

	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Records of a BIFF workbook. Source: [MS-XLS], sections 2.3 and 2.4.
const (
	biffFormula    = 0x0006
	biffEOF        = 0x000a
	biffDateMode   = 0x0022
	biffFilePass   = 0x002f
	biffContinue   = 0x003c
	biffBoundSheet = 0x0085
	biffMulRK      = 0x00bd
	biffXF         = 0x00e0
	biffSST        = 0x00fc
	biffLabelSST   = 0x00fd
	biffNumber     = 0x0203
	biffLabel      = 0x0204
	biffString     = 0x0207
	biffRK         = 0x027e
	biffFormat     = 0x041e
	biffBOF        = 0x0809
)

// biffBook is a workbook of Excel 97 to 2003 being read.
type biffBook struct {
	data    []byte
	strings []string
	formats map[int]string // by number
	styles  []int          // the format of each style
	base    time.Time      // day 0 of its dates
	sheets  []biffSheet
	cells   int
}

type biffSheet struct {
	name   string
	offset int
	hidden bool
}

// XLS reads the values of a workbook: a page a sheet, a token a cell, as XLSX does.
func XLS(data []byte) (text.Decoded, error) {
	streams, err := oleStreams(data, "Workbook", "Book")
	if err != nil {
		return text.Decoded{}, err
	}
	b := biffBook{data: streams["Workbook"], formats: map[int]string{},
		base: time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)}
	if b.data == nil {
		b.data = streams["Book"]
	}
	if err := b.globals(); err != nil {
		return text.Decoded{}, err
	}
	d := text.Decoded{Layer: text.LayerNative}
	for _, s := range b.sheets {
		if s.hidden {
			continue
		}
		if len(d.Pages) >= MaxSheets {
			return d, refusal.New(refusal.TooManyPages, "The workbook has more than %d sheets.", MaxSheets)
		}
		page := text.Page{Number: len(d.Pages) + 1, Name: s.name, Layer: text.LayerNative}
		if err := b.sheet(s, &page); err != nil {
			return d, err
		}
		d.Pages = append(d.Pages, page)
	}
	if d.PageCount = len(d.Pages); d.PageCount == 0 {
		return d, refusal.New(refusal.Corrupt, "The workbook has no visible sheet.")
	}
	return d, nil
}

// record is the record at an offset, and the offset of the next; ok is false at the end.
func (b *biffBook) record(at int) (kind int, body []byte, next int, ok bool) {
	if at < 0 || at+4 > len(b.data) {
		return 0, nil, 0, false
	}
	kind = int(binary.LittleEndian.Uint16(b.data[at:]))
	end := at + 4 + int(binary.LittleEndian.Uint16(b.data[at+2:]))
	if end > len(b.data) {
		return 0, nil, 0, false
	}
	return kind, b.data[at+4 : end], end, true
}

// globals reads what the sheets share: names, strings, formats.
func (b *biffBook) globals() error {
	for at := 0; ; {
		kind, body, next, ok := b.record(at)
		if !ok || kind == biffEOF {
			break
		}
		switch {
		case kind == biffFilePass:
			return refusal.New(refusal.Encrypted, "The workbook is protected by a password. Send a copy without one.")
		case kind == biffBOF && len(body) >= 2 && binary.LittleEndian.Uint16(body) < 0x0600:
			return refusal.New(refusal.UnsupportedType,
				"Workbooks of Excel 95 and older are not read. Send an XLSX or a CSV.")
		case kind == biffDateMode && len(body) >= 2 && body[0] == 1:
			b.base = time.Date(1904, 1, 1, 0, 0, 0, 0, time.UTC)
		case kind == biffBoundSheet && len(body) >= 8:
			name := biffText(body[7:], int(body[6]))
			if body[5] == 0 { // a sheet of cells; others are charts and macros
				b.sheets = append(b.sheets, biffSheet{name, int(binary.LittleEndian.Uint32(body)), body[4]&3 != 0})
			}
		case kind == biffFormat && len(body) >= 5:
			name := biffText(body[4:], int(binary.LittleEndian.Uint16(body[2:])))
			b.formats[int(binary.LittleEndian.Uint16(body))] = name
		case kind == biffXF && len(body) >= 4:
			b.styles = append(b.styles, int(binary.LittleEndian.Uint16(body[2:])))
		case kind == biffSST && len(body) >= 8:
			next = b.shared(body, next)
		}
		at = next
	}
	return nil
}

// biffText reads a string of so many characters behind its byte of flags.
func biffText(body []byte, chars int) string {
	if len(body) == 0 {
		return ""
	}
	wide := body[0]&1 != 0
	if !wide {
		end := min(1+chars, len(body))
		s, err := charmap.Windows1252.NewDecoder().Bytes(body[1:end])
		if err != nil {
			return ""
		}
		return string(s)
	}
	var units []uint16
	for i := 1; i+1 < len(body) && len(units) < chars; i += 2 {
		units = append(units, binary.LittleEndian.Uint16(body[i:]))
	}
	return string(utf16.Decode(units))
}

// shared reads the table of strings, which goes on in the records behind it. A string that is torn begins each
// part with a byte of flags of its own.
func (b *biffBook) shared(body []byte, next int) int {
	parts := [][]byte{body[8:]}
	for {
		kind, more, after, ok := b.record(next)
		if !ok || kind != biffContinue {
			break
		}
		parts, next = append(parts, more), after
	}
	r := biffParts{parts: parts}
	count := int(binary.LittleEndian.Uint32(body[4:]))
	for len(b.strings) < min(count, 4*MaxCells) && !r.done() {
		b.strings = append(b.strings, r.text())
	}
	return next
}

// biffParts is bytes over several records.
type biffParts struct{ parts [][]byte }

func (r *biffParts) done() bool {
	for len(r.parts) > 0 && len(r.parts[0]) == 0 {
		r.parts = r.parts[1:]
	}
	return len(r.parts) == 0
}

func (r *biffParts) byte() byte {
	if r.done() {
		return 0
	}
	c := r.parts[0][0]
	r.parts[0] = r.parts[0][1:]
	return c
}

func (r *biffParts) number(bytes int) int {
	n := 0
	for i := range bytes {
		n |= int(r.byte()) << (8 * i)
	}
	return n
}

func (r *biffParts) skip(n int) {
	for n > 0 && !r.done() {
		k := min(n, len(r.parts[0]))
		r.parts[0] = r.parts[0][k:]
		n -= k
	}
}

func (r *biffParts) text() string {
	chars, flags := r.number(2), r.byte()
	runs, extra := 0, 0
	if flags&8 != 0 {
		runs = r.number(2)
	}
	if flags&4 != 0 {
		extra = r.number(4)
	}
	wide := flags&1 != 0
	units := make([]uint16, 0, min(chars, 1<<16))
	for len(units) < chars {
		if len(r.parts) > 0 && len(r.parts[0]) == 0 { // torn: the next part says how wide its characters are
			if r.done() {
				break
			}
			wide = r.byte()&1 != 0
		}
		if r.done() {
			break
		}
		if wide {
			units = append(units, uint16(r.number(2)))
		} else {
			units = append(units, uint16(r.byte()))
		}
	}
	r.skip(4*runs + extra)
	return string(utf16.Decode(units))
}

// sheet reads the cells of a sheet. A formula has the value that was last calculated.
func (b *biffBook) sheet(s biffSheet, page *text.Page) error {
	row, column := 0, 0 // of a formula whose text follows
	depth := 0
	for at := s.offset; ; {
		kind, body, next, ok := b.record(at)
		if !ok {
			return nil
		}
		at = next
		switch kind {
		case biffBOF:
			depth++
			continue
		case biffEOF:
			if depth--; depth <= 0 {
				return nil
			}
			continue
		}
		if depth != 1 {
			continue // of a chart within the sheet
		}
		if kind == biffString && len(body) >= 3 {
			value := biffText(body[2:], int(binary.LittleEndian.Uint16(body)))
			if err := b.put(page, row, column, value); err != nil {
				return err
			}
			continue
		}
		if len(body) < 6 {
			continue
		}
		row, column = int(binary.LittleEndian.Uint16(body)), int(binary.LittleEndian.Uint16(body[2:]))
		if err := b.cell(kind, body, row, column, page); err != nil {
			return err
		}
	}
}

// cell reads one record of cells: row, column, style, value.
func (b *biffBook) cell(kind int, body []byte, row, column int, page *text.Page) error {
	style := int(binary.LittleEndian.Uint16(body[4:]))
	switch {
	case kind == biffLabelSST && len(body) >= 10:
		if i := int(binary.LittleEndian.Uint32(body[6:])); i >= 0 && i < len(b.strings) {
			return b.put(page, row, column, b.strings[i])
		}
	case kind == biffLabel && len(body) >= 9:
		value := biffText(body[8:], int(binary.LittleEndian.Uint16(body[6:])))
		return b.put(page, row, column, value)
	case kind == biffNumber && len(body) >= 14, kind == biffFormula && len(body) >= 14 &&
		(body[12] != 0xff || body[13] != 0xff):
		return b.put(page, row, column, b.shown(math.Float64frombits(binary.LittleEndian.Uint64(body[6:])), style))
	case kind == biffRK && len(body) >= 10:
		return b.put(page, row, column, b.shown(biffRKNumber(body[6:]), style))
	case kind == biffMulRK:
		for i := 4; i+6 <= len(body)-2; i += 6 {
			style := int(binary.LittleEndian.Uint16(body[i:]))
			if err := b.put(page, row, column+(i-4)/6, b.shown(biffRKNumber(body[i+2:]), style)); err != nil {
				return err
			}
		}
	}
	return nil
}

// biffRKNumber is a number in 30 bits: whole or the head of a float, perhaps of hundredths.
func biffRKNumber(body []byte) float64 {
	raw := binary.LittleEndian.Uint32(body)
	v := math.Float64frombits(uint64(raw&^3) << 32)
	if raw&2 != 0 {
		v = float64(int32(raw) >> 2)
	}
	if raw&1 != 0 {
		v /= 100
	}
	return v
}

func (b *biffBook) put(page *text.Page, row, column int, value string) error {
	if strings.TrimSpace(value) == "" {
		return nil
	}
	if b.cells++; b.cells > MaxCells {
		return refusal.New(refusal.TooLarge, "The workbook has more than %d cells.", MaxCells)
	}
	AddCell(page, page.Name, column+1, row+1, value)
	return nil
}

// shown is a number as its format shows it: a day year first, a percentage, an amount with its cents.
func (b *biffBook) shown(v float64, style int) string {
	number := 0
	if style < len(b.styles) {
		number = b.styles[style]
	}
	format := b.formats[number]
	switch {
	case (number >= 14 && number <= 17 || number == 22 || isDateFormat(format)) && v >= 1 && v < 200_000:
		return b.base.AddDate(0, 0, int(v)).Format("2006-01-02")
	case number == 9, number == 10, strings.HasSuffix(format, "%"):
		return strconv.FormatFloat(math.Round(v*1e6)/1e4, 'f', -1, 64) + "%"
	case number == 2, number == 4, number == 39, number == 40, number == 43, number == 44,
		strings.Contains(format, "0.00"):
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	text := strconv.FormatFloat(v, 'g', 15, 64)
	if rounded, err := strconv.ParseFloat(text, 64); err == nil && math.Abs(rounded) < 1e15 {
		return strconv.FormatFloat(rounded, 'f', -1, 64)
	}
	return text
}

// isDateFormat reports whether a format shows days: it has a year or a day outside of quotes and brackets.
func isDateFormat(format string) bool {
	quoted, bracketed := false, false
	for _, c := range strings.ToLower(format) {
		switch {
		case c == '"':
			quoted = !quoted
		case c == '[':
			bracketed = true
		case c == ']':
			bracketed = false
		case quoted || bracketed:
		case c == 'y' || c == 'd':
			return true
		case c == ';':
			return false
		}
	}
	return false
}

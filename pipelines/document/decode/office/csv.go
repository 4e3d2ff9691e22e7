package office

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Limits of tables.
const (
	MaxCells  = 200_000
	MaxSheets = 100
)

// Text turns the bytes of a text file into a string: UTF-8, UTF-16 with a byte order mark, else the character set
// that its bytes show: mostly Windows-1252, which ISO 8859-1 is part of.
func Text(data []byte) string {
	text := charsOf(data)
	if !strings.Contains(text, "\n") { // lines that end as they did on old Macintoshes
		text = strings.ReplaceAll(text, "\r", "\n")
	}
	return text
}

func charsOf(data []byte) string {
	switch {
	case len(data) >= 2 && LooksUTF16(data):
		big := data[0] == 0xfe
		units := make([]uint16, 0, len(data)/2)
		for i := 2; i+1 < len(data); i += 2 {
			hi, lo := data[i+1], data[i]
			if big {
				hi, lo = data[i], data[i+1]
			}
			units = append(units, uint16(hi)<<8|uint16(lo))
		}
		return string(utf16.Decode(units))
	case utf8.Valid(data):
		return strings.TrimPrefix(string(data), "\ufeff")
	}
	return legacyText(data)
}

// LooksUTF16 reports whether a file begins with a byte order mark of UTF-16.
func LooksUTF16(head []byte) bool {
	return bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff})
}

// SniffDelimiter finds the delimiter under which most lines have the same number (at least two) of fields. A block of
// rows parted by semicolons, tabs or bars is no table of commas, whatever decimal commas its amounts have.
func SniffDelimiter(text string) (rune, bool) {
	lines := logicalLines(text)
	best, bestScore := rune(0), 0
	for _, delimiter := range []rune{';', '\t', '|'} {
		if n := rowsInBlock(lines, delimiter, 2); n >= 3 && n > bestScore {
			best, bestScore = delimiter, n
		}
	}
	if best != 0 {
		return best, true
	}
	for _, delimiter := range []rune{',', ';', '\t', '|'} {
		counts, rows := map[int]int{}, 0
		for _, line := range lines {
			n := countOutsideQuotes(line, delimiter)
			if n > 0 {
				counts[n]++
			}
			if n >= 2 && !strings.Contains(strings.TrimRight(line, " \r\n"), string(delimiter)+" ") || n >= 4 {
				rows++
			}
		}
		if rows >= 3 && rows*5 >= len(lines)*3 && rows > bestScore { // a preamble over a table, and rows that end early
			best, bestScore = delimiter, rows
		}
		for fields, n := range counts {
			if n >= 2 && n*2 > len(lines) && n*100+fields > bestScore {
				best, bestScore = delimiter, n*100+fields
			}
		}
	}
	if best == 0 {
		best = tableBelow(lines)
	}
	if best == 0 && rowsInBlock(lines, ',', 3) >= 3 {
		best = ','
	}
	return best, best != 0
}

// logicalLines are the first lines of a text that are not blank; what is quoted over several lines is in one.
func logicalLines(text string) []string {
	var lines []string
	open := 0 // how many lines the open quotation has
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "" && open == 0 {
			continue
		}
		if open > 0 {
			lines[len(lines)-1] += line
		} else if len(lines) < 200 {
			lines = append(lines, line)
		} else {
			break
		}
		if open++; !opensQuote.MatchString(lines[len(lines)-1]) || open > 20 {
			open = 0
		}
	}
	return lines
}

// opensQuote matches a line whose last field begins with a quotation that does not end on it; a quotation mark within a
// word is none.
var opensQuote = lazyregexp.New(`(?s)^(?:[^"]|"[^"]*")*?(?:^|[;,\t|])[ ]*"(?:[^"]|"")*$`)

// rowsInBlock is how many lines that follow one another have the same number of delimiters, at least so many, where
// two of them hold figures in two fields: rows of a table, and no sentences.
func rowsInBlock(lines []string, delimiter rune, least int) int {
	most, run, figured, before := 0, 0, 0, -1
	for _, line := range lines {
		n := countOutsideQuotes(line, delimiter)
		if n < least || n != before {
			run, figured = 0, 0
		}
		before = n
		if n < least {
			continue
		}
		run++
		if fieldsWithFigures(line, delimiter) >= 2 {
			figured++
		}
		if figured >= 2 {
			most = max(most, run)
		}
	}
	return most
}

// fieldsWithFigures counts the fields of a line that have a figure.
func fieldsWithFigures(line string, delimiter rune) int {
	n := 0
	for field := range strings.SplitSeq(line, string(delimiter)) {
		if strings.ContainsAny(field, "0123456789") {
			n++
		}
	}
	return n
}

// tableBelow is the delimiter of a table of few rows that ends a file whose preamble is longer: a head of at least four
// names without figures, and under it nothing but rows of as many fields. 0 when there is none.
func tableBelow(lines []string) rune {
	for _, delimiter := range []rune{',', ';', '\t', '|'} {
		for at := len(lines) - 2; at >= 0; at-- {
			n := countOutsideQuotes(lines[at], delimiter)
			if n < 3 || n != countOutsideQuotes(lines[at+1], delimiter) {
				break
			}
			if headOfTable(lines[at], delimiter) && strings.ContainsAny(lines[at+1], "0123456789") {
				return delimiter
			}
		}
	}
	return 0
}

// headOfTable reports whether a line is names of columns: none empty, without figures, and no clauses of a sentence.
func headOfTable(line string, delimiter rune) bool {
	if strings.ContainsAny(line, "0123456789") || strings.Contains(line, string(delimiter)+" ") {
		return false
	}
	for name := range strings.SplitSeq(strings.TrimSpace(line), string(delimiter)) {
		if name = strings.Trim(name, `"`); name == "" || len(name) > 40 {
			return false
		}
	}
	return true
}

var (
	quoted     = lazyregexp.New(`(?s)"[^"]*"`)
	proseComma = lazyregexp.New(`, |\d,\d{3}(?:\D|$)`)
)

// countOutsideQuotes counts the delimiters of a line. In a line set in columns with blanks a comma that groups
// thousands, or that a blank follows, is none.
func countOutsideQuotes(line string, delimiter rune) int {
	bare := quoted.ReplaceAllString(strings.TrimSpace(line), "")
	n := strings.Count(bare, string(delimiter))
	if delimiter == ',' && strings.Contains(bare, "    ") {
		n -= len(proseComma.FindAllString(bare, -1))
	}
	return n
}

// CSV reads a CSV into one page: a token a cell, at (column, row), named as in a workbook. Preamble
// lines are rows like all others.
func CSV(data []byte) (text.Decoded, error) {
	s := Text(data)
	delimiter, ok := SniffDelimiter(s[:min(len(s), 64<<10)])
	if !ok {
		delimiter = ','
	}
	r := csv.NewReader(strings.NewReader(s))
	// A blank that is trimmed may be a tab, and with it an empty field.
	r.Comma, r.FieldsPerRecord, r.LazyQuotes, r.TrimLeadingSpace = delimiter, -1, true, delimiter != '\t'
	page := text.Page{Number: 1, Layer: text.LayerNative}
	for {
		record, err := r.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return text.Decoded{}, fmt.Errorf("csv: %w", err)
		}
		row, _ := r.FieldPos(0)
		for column, field := range record {
			AddCell(&page, "", column+1, row, field)
		}
		if len(page.Tokens) > MaxCells {
			return text.Decoded{}, refusal.New(refusal.TooLarge, "The table has more than %d cells.", MaxCells)
		}
	}
	return text.Decoded{PageCount: 1, Layer: text.LayerNative, Pages: []text.Page{page}}, nil
}

// cellWidth is the width of a cell's token in units of rows, so that neighbours stand apart like table cells;
// ColumnWidth is how far apart columns stand.
const (
	cellWidth   = 0.9
	ColumnWidth = text.ColumnWidth
)

// AddCell adds the cell at column and row (from 1) as a token. Empty cells are no tokens.
func AddCell(p *text.Page, sheet string, column, row int, s string) {
	s = plainCell(s)
	if s == "" {
		return
	}
	name := columnName(column) + fmt.Sprint(row)
	if sheet != "" {
		name = sheet + "!" + name
	}
	x, y := float64(column-1)*ColumnWidth, float64(row-1)
	p.Tokens = append(p.Tokens, text.Token{Page: p.Number, X0: x, Y0: y, X1: x + cellWidth*ColumnWidth,
		Y1: y + cellWidth, Text: s, Confidence: 1, Method: text.MethodCell, Cell: name})
	p.Width, p.Height = max(p.Width, x+10), max(p.Height, y+1)
}

// plainCell is what a cell says without what tells a spreadsheet that it is text: ="0012", '0012 and _0012.
func plainCell(s string) string {
	s = strings.TrimSpace(s)
	if inner, ok := strings.CutPrefix(s, `="`); ok && strings.HasSuffix(inner, `"`) {
		return strings.TrimSpace(strings.TrimSuffix(inner, `"`))
	}
	if textMark.MatchString(s) {
		return s[1:]
	}
	if inner, ok := strings.CutPrefix(s, "'"); ok && inner != "" {
		if inner = strings.TrimSuffix(inner, "'"); !strings.Contains(inner, "'") {
			return strings.TrimSpace(inner)
		}
	}
	return s
}

// textMark is a number or code behind the underscore that keeps it from being a number.
var textMark = lazyregexp.New(`^_[A-Z0-9]{6,}$`)

// columnName is A, B ... Z, AA for columns from 1.
func columnName(n int) string {
	name := ""
	for ; n > 0; n = (n - 1) / 26 {
		name = string(rune('A'+(n-1)%26)) + name
	}
	return name
}

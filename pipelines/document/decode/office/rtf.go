package office

import (
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"

	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// rtfHidden are destinations whose text is not the document's: tables of fonts, pictures, what fields are made from.
var rtfHidden = map[string]bool{"fonttbl": true, "colortbl": true, "stylesheet": true, "info": true, "pict": true,
	"object": true, "fldinst": true,
	"listtable": true, "listoverridetable": true, "generator": true, "xmlnstbl": true, "themedata": true,
	"datastore": true, "rsidtbl": true, "bkmkstart": true, "bkmkend": true}

// maxRTFDepth is how deep groups may be nested.
const maxRTFDepth = 200

// rtfReader walks a rich text file. Source: RTF specification 1.9.1.
type rtfReader struct {
	data   []byte
	at     int
	hidden []bool // of the open groups
	fresh  bool   // the group has just been opened
	skip   int    // characters that stand for the one before, for readers without Unicode
	uc     int
	line   strings.Builder
	cells  []string
	lines  []string
}

// RTF reads the text of a rich text file: paragraphs and the rows of tables.
func RTF(data []byte) (text.Decoded, error) {
	r := rtfReader{data: data, hidden: []bool{false}, uc: 1}
	for r.at < len(data) && len(r.lines) < MaxParagraphs {
		c := data[r.at]
		r.at++
		switch c {
		case '{':
			if len(r.hidden) > maxRTFDepth {
				return text.Decoded{}, refusal.New(refusal.TooLarge,
					"The document nests its groups deeper than is read.")
			}
			r.hidden, r.fresh = append(r.hidden, r.hidden[len(r.hidden)-1]), true
			continue
		case '}':
			if len(r.hidden) > 1 {
				r.hidden = r.hidden[:len(r.hidden)-1]
			}
		case '\\':
			r.control()
			continue
		case '\r', '\n':
		default:
			r.char(charmap.Windows1252.DecodeByte(c))
		}
		r.fresh = false
	}
	r.endLine()
	return linesAsPages(r.lines), nil
}

// char writes a character unless it is hidden or stands for one that was written.
func (r *rtfReader) char(c rune) {
	if r.skip > 0 {
		r.skip--
		return
	}
	if !r.hidden[len(r.hidden)-1] && r.line.Len() < 1<<16 {
		r.line.WriteRune(c)
	}
}

// control reads a control word or symbol.
func (r *rtfReader) control() {
	if r.at >= len(r.data) {
		return
	}
	c := r.data[r.at]
	if c < 'a' || c > 'z' {
		r.at++
		r.symbol(c)
		return
	}
	from := r.at
	for r.at < len(r.data) && r.data[r.at] >= 'a' && r.data[r.at] <= 'z' && r.at-from < 32 || r.at < len(r.data) &&
		r.data[r.at] >= 'A' && r.data[r.at] <= 'Z' && r.at-from < 32 {
		r.at++
	}
	word := string(r.data[from:r.at])
	from = r.at
	for r.at < len(r.data) && (r.data[r.at] >= '0' && r.data[r.at] <= '9' || r.data[r.at] == '-' && r.at == from) &&
		r.at-from < 11 {
		r.at++
	}
	n, err := strconv.Atoi(string(r.data[from:r.at]))
	given := err == nil
	if r.at < len(r.data) && r.data[r.at] == ' ' {
		r.at++
	}
	r.word(word, n, given)
	r.fresh = false
}

func (r *rtfReader) symbol(c byte) {
	switch c {
	case '\'':
		if r.at+2 <= len(r.data) {
			if v, err := strconv.ParseUint(string(r.data[r.at:r.at+2]), 16, 8); err == nil {
				r.char(charmap.Windows1252.DecodeByte(byte(v)))
			}
			r.at += 2
		}
	case '*':
		if r.fresh {
			r.hidden[len(r.hidden)-1] = true
		}
		return // the destination's name follows
	case '~':
		r.char(' ')
	case '_':
		r.char('-')
	case '\\', '{', '}':
		r.char(rune(c))
	case '\n', '\r':
		r.endLine()
	}
	r.fresh = false
}

func (r *rtfReader) word(word string, n int, given bool) {
	if rtfHidden[word] && r.fresh {
		r.hidden[len(r.hidden)-1] = true
		return
	}
	if r.hidden[len(r.hidden)-1] && word != "bin" {
		return
	}
	if given {
		r.numbered(word, n)
	}
	switch word {
	case "par", "line", "sect":
		if len(r.cells) > 0 {
			r.char(' ')
			return
		}
		r.endLine()
	case "page":
		r.endLine()
		r.lines = append(r.lines, "\f")
	case "tab":
		r.line.WriteString("    ")
	case "cell", "nestcell":
		if len(r.cells) < 1000 {
			r.cells = append(r.cells, strings.TrimSpace(r.line.String()))
		}
		r.line.Reset()
	case "row", "nestrow":
		r.lines, r.cells = append(r.lines, TableRow(r.cells)), nil
	case "endash", "emdash":
		r.char('-')
	case "lquote", "rquote":
		r.char('\'')
	case "ldblquote", "rdblquote":
		r.char('"')
	}
}

// numbered does what a word with a number says: how many characters stand for one that old readers lack, the character
// itself, or how many bytes are no text.
func (r *rtfReader) numbered(word string, n int) {
	switch {
	case word == "uc" && n >= 0 && n < 10:
		r.uc = n
	case word == "u":
		if n < 0 {
			n += 1 << 16
		}
		r.skip = 0
		r.char(rune(n))
		r.skip = r.uc
	case word == "bin" && n > 0:
		r.at = min(r.at+n, len(r.data))
	}
}

func (r *rtfReader) endLine() {
	r.lines = append(r.lines, r.line.String())
	r.line.Reset()
}

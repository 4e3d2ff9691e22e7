// Package reading is the second reader: what a language model is asked about a document that the rules have read, and
// which of its answers count. A model may fill what the rules left open; it can never invent: an answer counts when its
// words stand on the page, in one place, and say by our own parser what the answer says.
//
// Asking is in fill.go; everything else here is pure. How a server is spoken to is the business of pipelines/llm.
package reading

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// paper is the pages of one document, indexed for finding quotes.
type paper struct {
	style text.DecimalStyle
	order text.DateOrder
	pages map[int]*sheet
}

// sheet is one page: its lines, and the orders in which its words may be read.
type sheet struct {
	lines   []text.Line
	streams []stream
}

// stream is a sequence of folded words without spaces and punctuation; at gives for each letter the word it belongs to.
type stream struct {
	letters []rune
	at      []place
	bound   []bool // a word begins with this letter; one more for the end
}

// place is a word of a line.
type place struct{ line, token int }

func newPaper(pages []text.Page) *paper {
	p := &paper{style: text.StyleOf(pages), order: text.OrderOf(pages), pages: map[int]*sheet{}}
	for _, page := range pages {
		p.pages[page.Number] = newSheet(text.Lines(page))
	}
	return p
}

// newSheet reads a page line by line, and each of its columns of words alone.
func newSheet(lines []text.Line) *sheet {
	s := &sheet{lines: lines}
	var all stream
	for i, l := range lines {
		for j := range l.Tokens {
			all.add(l.Tokens[j].Text, place{i, j})
		}
	}
	s.streams = append(s.streams, all.closed())
	for i, l := range lines {
		at := 0
		for _, cell := range l.Cells() {
			if c := s.column(i, at, cell); len(c.letters) > 0 {
				s.streams = append(s.streams, c.closed())
			}
			at += len(cell.Tokens)
		}
	}
	return s
}

// column returns the stream of a cell and the cells directly below it; an empty one when the cell stands below another
// or alone.
func (s *sheet) column(line, token int, cell text.Line) stream {
	var c stream
	if line > 0 {
		if _, above, ok := s.aligned(line-1, cell); ok && isUnder(above, cell) {
			return c
		}
	}
	for rows := 0; ; rows++ {
		for j := range cell.Tokens {
			c.add(cell.Tokens[j].Text, place{line, token + j})
		}
		if line+1 >= len(s.lines) {
			if rows == 0 {
				return stream{}
			}
			return c
		}
		next, below, ok := s.aligned(line+1, cell)
		if !ok || !isUnder(cell, below) {
			if rows == 0 {
				return stream{}
			}
			return c
		}
		line, token, cell = line+1, next, below
	}
}

// aligned returns the cell of a line that begins at the same x as another cell, and its first word.
func (s *sheet) aligned(line int, with text.Line) (int, text.Line, bool) {
	at := 0
	for _, cell := range s.lines[line].Cells() {
		if text.Abs(cell.X0-with.X0) < max(2, 0.6*with.Box().Height()) {
			return at, cell, true
		}
		at += len(cell.Tokens)
	}
	return 0, text.Line{}, false
}

// isUnder reports whether the second line is close below the first.
func isUnder(above, below text.Line) bool {
	return below.Y0-above.Y1 < 1.5*above.Box().Height()
}

func (s *stream) add(word string, at place) {
	begins := true
	for _, r := range folded(word) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			begins = begins || strings.ContainsRune(":;()\"", r)
			continue
		}
		s.letters, s.at, s.bound = append(s.letters, r), append(s.at, at), append(s.bound, begins)
		begins = false
	}
}

func (s stream) closed() stream {
	s.bound = append(s.bound, true)
	return s
}

// folded returns text in lower case without accents, with letters that OCR confuses with digits replaced by those
// digits.
func folded(s string) []rune {
	var out []rune
	for _, r := range norm.NFKD.String(s) {
		if unicode.Is(unicode.Mn, r) {
			continue
		}
		r = unicode.ToLower(r)
		if twin, ok := ocrLookalikes[r]; ok {
			r = twin
		}
		out = append(out, r)
	}
	return out
}

// ocrLookalikes are letters that OCR confuses with digits, and the digits.
var ocrLookalikes = map[rune]rune{'o': '0', 'i': '1', 'l': '1', '|': '1', 's': '5', 'b': '8', 'z': '2'}

// lettersOf returns the letters and digits of folded text.
func lettersOf(s string) []rune {
	var out []rune
	for _, r := range folded(s) {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			out = append(out, r)
		}
	}
	return out
}

// find returns every place on a page where the words of a quote stand in order, as whole words.
func (s *sheet) find(quote string) [][]place {
	want := lettersOf(quote)
	if len(want) == 0 || len(want) > maxQuote {
		return nil
	}
	var found [][]place
	seen := map[[2]place]bool{}
	for _, in := range s.streams {
		for from := 0; from+len(want) <= len(in.letters); from++ {
			if !in.bound[from] || !in.bound[from+len(want)] || string(in.letters[from:from+len(want)]) != string(want) {
				continue
			}
			ends := [2]place{in.at[from], in.at[from+len(want)-1]}
			if seen[ends] {
				continue
			}
			seen[ends] = true
			var words []place
			for _, at := range in.at[from : from+len(want)] {
				if len(words) == 0 || words[len(words)-1] != at {
					words = append(words, at)
				}
			}
			found = append(found, words)
		}
	}
	return found
}

// maxQuote caps a quote, in letters and figures.
const maxQuote = 300

func (s *sheet) token(at place) text.Token { return s.lines[at.line].Tokens[at.token] }

// tokens returns the words at places, with those that stand between them on a line.
func (s *sheet) tokens(at []place) []text.Token {
	var out []text.Token
	for i, p := range at {
		if i > 0 && at[i-1].line == p.line {
			for j := at[i-1].token + 1; j < p.token; j++ {
				out = append(out, s.lines[p.line].Tokens[j])
			}
		}
		out = append(out, s.token(p))
	}
	return out
}

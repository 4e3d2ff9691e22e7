package text

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/dossierhq/dossier"
)

// Methods of reading: how a token came to be.
const (
	MethodText = "text" // text layer, or characters of a text file
	MethodForm = "form" // value of a form field
	MethodOCR  = "ocr"
	MethodCell = "cell" // cell of a workbook or CSV
)

// Box is a rectangle from the page's top left, in the page's units.
type Box struct{ X0, Y0, X1, Y1 float64 }

func (b Box) Height() float64  { return b.Y1 - b.Y0 }
func (b Box) MiddleY() float64 { return (b.Y0 + b.Y1) / 2 }

func BoxOf(tokens []Token) Box {
	if len(tokens) == 0 {
		return Box{}
	}
	b := Box{tokens[0].X0, tokens[0].Y0, tokens[0].X1, tokens[0].Y1}
	for _, t := range tokens[1:] {
		b.X0, b.Y0, b.X1, b.Y1 = min(b.X0, t.X0), min(b.Y0, t.Y0), max(b.X1, t.X1), max(b.Y1, t.Y1)
	}
	return b
}

// Lines groups the tokens of a page into lines, top to bottom, each left to right. A token joins a line
// when its vertical centre lies within the line's first token (and a point around it), which keeps
// superscripts and slightly skewed rows together and parts the rows of dense forms. Cells join by row.
func Lines(p Page) []Line {
	tokens := slices.Clone(p.Tokens)
	middle := func(t Token) float64 { return (t.Y0 + t.Y1) / 2 }
	slices.SortStableFunc(tokens, func(a, b Token) int { return CompareFloat(middle(a), middle(b)) })
	var lines []Line
	for _, t := range tokens {
		at := -1
		for i := len(lines) - 1; i >= 0 && i >= len(lines)-4; i-- {
			if joins(lines[i].Tokens[0], t) {
				at = i
				break
			}
		}
		if at < 0 {
			lines = append(lines, Line{Page: p.Number, Tokens: []Token{t}})
			continue
		}
		lines[at].Tokens = append(lines[at].Tokens, t)
	}
	for i := range lines {
		lines[i].settle()
	}
	if p.Layer == LayerScanned || p.Layer == LayerImage {
		lines = joinApart(lines)
	}
	if len(tokens) > 0 && tokens[0].Method == MethodCell {
		return lines
	}
	return joinWrappedDates(lines)
}

// joins reports whether t stands on the line that first began. Small type (a superscript) joins large type
// when it stands near its middle; a line of small print beside a large title does not.
func joins(first, t Token) bool {
	height, own := first.Y1-first.Y0, t.Y1-t.Y0
	middle, firstMiddle := (t.Y0+t.Y1)/2, (first.Y0+first.Y1)/2
	distance := Abs(middle - firstMiddle)
	switch {
	case own < 0.45*height:
		return distance < 0.5*own
	case own < 0.7*height:
		return distance < 0.4*height
	}
	return distance < 0.5*min(height, own)
}

func CompareFloat(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Text is the line as one string, tokens parted by single blanks.
func (l Line) Text() string { return Join(l.Tokens) }

// Surely is the line without the scraps that OCR makes of shading and dirt beside its words.
func (l Line) Surely() Line {
	l.Tokens = slices.DeleteFunc(slices.Clone(l.Tokens),
		func(t Token) bool { return t.Method == MethodOCR && t.Confidence < scrap })
	return l
}

// scrap is the confidence below which a word beside a heading is none.
const scrap = 0.5

func Join(tokens []Token) string {
	var b strings.Builder
	for i, t := range tokens {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(t.Text)
	}
	return b.String()
}

// TokensOf returns the tokens that bytes from..to of Text() came from.
func (l Line) TokensOf(from, to int) []Token {
	first, last := l.TokenRange(from, to)
	return l.Tokens[first : last+1]
}

func (l Line) TokenRange(from, to int) (first, last int) {
	first, at := -1, 0
	for i, t := range l.Tokens {
		end := at + len(t.Text)
		if first < 0 && from < end {
			first = i
		}
		if at < to {
			last = i
		}
		at = end + 1
	}
	return max(first, 0), max(last, first, 0)
}

// Cells splits the line where a gap is wider than a blank between words can be: table cells, or a caption
// and its value. Workbook and CSV cells are always parted.
func (l Line) Cells() []Line {
	var cells []Line
	for i, t := range l.Tokens {
		if i == 0 || WideGap(l.Tokens[i-1], t) {
			cells = append(cells, Line{Page: l.Page})
		}
		c := &cells[len(cells)-1]
		c.Tokens = append(c.Tokens, t)
	}
	for i := range cells {
		b := BoxOf(cells[i].Tokens)
		cells[i].X0, cells[i].Y0, cells[i].X1, cells[i].Y1 = b.X0, b.Y0, b.X1, b.Y1
	}
	return cells
}

func WideGap(a, b Token) bool {
	if a.Cell != b.Cell {
		return true
	}
	em := max(a.Y1-a.Y0, b.Y1-b.Y0) * 0.8
	if a.Method == MethodOCR {
		em *= 1.7 // OCR boxes are as high as the ink, not as the type
	}
	return b.X0-a.X1 > 1.2*em
}

// Box is the rectangle around the line.
func (l Line) Box() Box { return Box{l.X0, l.Y0, l.X1, l.Y1} }

// Fold makes text comparable: lower case, accents and ligatures resolved, everything but letters, digits,
// "&" and "%" a blank, blanks single. Captions are matched folded.
func Fold(s string) string {
	var b strings.Builder
	blank := true
	for _, r := range norm.NFKD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r), r == '\'', r == '’':
			continue
		case unicode.IsLetter(r), unicode.IsDigit(r), r == '&', r == '%':
			b.WriteRune(unicode.ToLower(r))
			blank = false
		default:
			if !blank {
				b.WriteByte(' ')
			}
			blank = true
		}
	}
	return strings.TrimSpace(b.String())
}

// HasWords reports whether folded text contains the folded phrase as whole words.
func HasWords(folded, phrase string) bool {
	if folded == phrase {
		return true
	}
	for from := 0; ; {
		i := strings.Index(folded[from:], phrase)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(phrase)
		if (i == 0 || folded[i-1] == ' ') && (end == len(folded) || folded[end] == ' ') {
			return true
		}
		from = i + 1
	}
}

// Caption is the text of a line before its first amount, folded: what the amounts of the line are about.
// Bare integers (form line numbers, counts) belong to the caption.
func (l Line) Caption(style DecimalStyle) string {
	for _, m := range l.Amounts(style) {
		if m.Looks() || m.Dash && m.First > 0 {
			return Fold(Join(l.Tokens[:m.First]))
		}
	}
	return Fold(l.Text())
}

// Column is a vertical run of amounts that share their right edge (amounts are right-aligned).
type Column struct {
	Right   float64 // mean right edge
	Left    float64 // leftmost left edge
	Count   int
	Percent bool // more than half of it are percentages
}

// ColumnNear is the place of the column whose right edge is nearest, nearer than tolerance; -1: there is none.
func ColumnNear(columns []Column, right, tolerance float64) int {
	best, distance := -1, tolerance
	for i, c := range columns {
		if d := max(c.Right-right, right-c.Right); d <= distance {
			best, distance = i, d
		}
	}
	return best
}

// SourceOf says where tokens are printed. caption may be empty. Of tokens of several cells it names the one that says
// most of a fact: the one with the most digits, else the first.
func SourceOf(tokens []Token, caption string) dossier.Source {
	if len(tokens) == 0 {
		return dossier.Source{}
	}
	tokens = tellingCell(tokens)
	s := dossier.Source{Page: tokens[0].Page, Text: Join(tokens), Caption: caption, Confidence: 1,
		Method: tokens[0].Method}
	for _, t := range tokens {
		s.Confidence = min(s.Confidence, t.Confidence)
	}
	if tokens[0].Cell != "" {
		s.Box = tokens[0].Cell
		return s
	}
	b := BoxOf(tokens)
	s.Box = []float64{round1(b.X0), round1(b.Y0), round1(b.X1), round1(b.Y1)}
	return s
}

// tellingCell are the tokens of the cell that says most; all of them where there are no cells, or one.
func tellingCell(tokens []Token) []Token {
	digits, best := map[string]int{}, tokens[0].Cell
	for _, t := range tokens {
		for _, r := range t.Text {
			if r >= '0' && r <= '9' {
				digits[t.Cell]++
			}
		}
		if digits[t.Cell] > digits[best] {
			best = t.Cell
		}
	}
	if best == "" {
		return tokens
	}
	return slices.DeleteFunc(slices.Clone(tokens), func(t Token) bool { return t.Cell != best })
}

func round1(f float64) float64 { return float64(int64(f*10+0.5)) / 10 }

func Overlap(a0, a1, b0, b1 float64) float64 { return min(a1, b1) - max(a0, b0) }

// Words are the tokens from one to before another as text.
func (l Line) Words(from, to int) string {
	if from >= to {
		return ""
	}
	return strings.Trim(Join(l.Tokens[from:to]), "*^$ ")
}

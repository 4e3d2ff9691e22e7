package render

import (
	"slices"
	"strings"

	"github.com/johnfercher/maroto/v2/pkg/consts/pagesize"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// paper is a landscape page: its name in the PDF library, its number in a workbook, and the room for rows in mm,
// between the margins, below the title and above the page number.
type paper struct {
	size          pagesize.Type
	number        int
	width, height float64
}

var (
	a4Paper     = paper{pagesize.A4, 9, 269, 178}
	letterPaper = paper{pagesize.Letter, 1, 251.4, 183.9}
)

// letterCurrencies are those of the countries whose printers hold Letter. Source: Unicode CLDR, paper sizes.
var letterCurrencies = []string{"USD", "CAD", "MXN", "BZD", "CLP", "COP", "CRC", "GTQ", "NIO", "PAB", "PHP", "SVC",
	"VES"}

// paperOf returns the paper size that is usual in the currency's country.
func paperOf(currency string) paper {
	if slices.Contains(letterCurrencies, currency) {
		return letterPaper
	}
	return a4Paper
}

// ruler measures text as the PDF library will draw it.
type ruler struct {
	faces  []*face
	used   map[int]bool // faces with letters in the text
	buffer sfnt.Buffer
	known  map[glyph]glyphMetrics
}

type glyph struct {
	r    rune
	bold bool
}

// glyphMetrics is the width of a character, in ems, and the font that has it.
type glyphMetrics struct {
	ems  float64
	face int
}

func newRuler() (*ruler, error) {
	list, err := faces()
	return &ruler{faces: list, used: map[int]bool{}, known: map[glyph]glyphMetrics{}}, err
}

const point = 25.4 / 72 // mm

// width of text in mm.
func (m *ruler) width(s string, size float64, bold bool) float64 {
	total := 0.0
	for _, r := range s {
		ems, _ := m.glyph(glyph{r, bold})
		total += ems
	}
	return total * size * point
}

// glyph returns the width of a character and the index of the font that has it. A character that no font has is drawn
// as a box.
func (m *ruler) glyph(g glyph) (ems float64, face int) {
	if d, ok := m.known[g]; ok {
		return d.ems, d.face
	}
	d := glyphMetrics{ems: 1}
	for i, f := range m.faces {
		if ems, ok := m.ems(f, g); ok {
			d = glyphMetrics{ems, i}
			break
		}
	}
	m.known[g] = d
	return d.ems, d.face
}

// ems is the width of a letter in a font that has it.
func (m *ruler) ems(of *face, g glyph) (float64, bool) {
	f := of.parsed[0]
	if g.bold {
		f = of.parsed[1]
	}
	index, err := f.GlyphIndex(&m.buffer, g.r)
	if err != nil || index == 0 {
		return 0, false
	}
	const scale = 1000
	advance, err := f.GlyphAdvance(&m.buffer, index, fixed.I(scale), font.HintingNone)
	return float64(advance) / 64 / scale, err == nil
}

// wrap breaks text into lines that fit a room of so many mm. A word longer than that is cut into pieces.
func (m *ruler) wrap(s string, room, size float64, bold bool) []string {
	var lines []string
	for paragraph := range strings.SplitSeq(s, "\n") {
		line, used := "", 0.0
		for _, word := range strings.Fields(paragraph) {
			wide := m.width(word, size, bold)
			if line != "" && used+wide > room {
				lines, line, used = append(lines, line), "", 0
			}
			for wide > room {
				head := m.fitting(word, room, size, bold)
				lines, word = append(lines, word[:head]), word[head:]
				wide = m.width(word, size, bold)
			}
			line += word + " "
			used += wide + m.width(" ", size, bold)
		}
		lines = append(lines, strings.TrimSuffix(line, " "))
	}
	return lines
}

// fitting returns how many bytes of a word fit; at least its first character.
func (m *ruler) fitting(word string, room, size float64, bold bool) int {
	used := 0.0
	for i, r := range word {
		used += m.width(string(r), size, bold)
		if used > room && i > 0 {
			return i
		}
	}
	return len(word)
}

package render

import (
	"slices"
	"strings"

	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansregular"
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

// paperOf is what a bank of the currency's country prints on.
func paperOf(currency string) paper {
	if slices.Contains(letterCurrencies, currency) {
		return letterPaper
	}
	return a4Paper
}

// ruler measures text as the PDF library will draw it.
type ruler struct {
	regular, bold *sfnt.Font
	buffer        sfnt.Buffer
	known         map[glyph]float64
}

type glyph struct {
	r    rune
	bold bool
}

func newRuler() (*ruler, error) {
	regular, err := sfnt.Parse(liberationsansregular.TTF)
	if err != nil {
		return nil, err
	}
	bold, err := sfnt.Parse(liberationsansbold.TTF)
	return &ruler{regular: regular, bold: bold, known: map[glyph]float64{}}, err
}

const point = 25.4 / 72 // mm

// width of text in mm.
func (m *ruler) width(s string, size float64, bold bool) float64 {
	total := 0.0
	for _, r := range s {
		g := glyph{r, bold}
		ems, ok := m.known[g]
		if !ok {
			ems = m.ems(g)
			m.known[g] = ems
		}
		total += ems
	}
	return total * size * point
}

// ems is the width of a letter; one that the font does not have is drawn as a box.
func (m *ruler) ems(g glyph) float64 {
	f := m.regular
	if g.bold {
		f = m.bold
	}
	index, err := f.GlyphIndex(&m.buffer, g.r)
	if err != nil || index == 0 {
		return 1
	}
	const scale = 1000
	advance, err := f.GlyphAdvance(&m.buffer, index, fixed.I(scale), font.HintingNone)
	if err != nil {
		return 1
	}
	return float64(advance) / 64 / scale
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

// fitting is how many bytes of a word fit; at least its first letter.
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

package decode

import (
	"image"
	"slices"
	"unicode/utf8"

	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A sheet of paper in pixels, and the letters on it.
const (
	sheetWidth, sheetHeight = 612, 792
	sheetMargin             = 36
	letterWidth             = 7
	letterHeight            = 13
	widestColumn            = 28 // letters
	emptyColumn             = 4
)

// Sketch draws the beginning of a page that has no pixels of its own (a workbook, a letter, a table): its words where
// they stand, black on white. It is for a thumbnail, not for reading.
func Sketch(p text.Page) image.Image {
	sheet := image.NewGray(image.Rect(0, 0, sheetWidth, sheetHeight))
	draw.Draw(sheet, sheet.Bounds(), image.White, image.Point{}, draw.Src)
	pen := font.Drawer{Dst: sheet, Src: image.Black, Face: basicfont.Face7x13}
	columns := columnStarts(p.Tokens)
	for _, t := range p.Tokens {
		x, y := t.X0*letterWidth/textCharWidth, t.Y0*letterHeight/textLineHeight
		s := t.Text
		if t.Method == text.MethodCell {
			x, y = float64(columns[columnOf(t)]*letterWidth), t.Y0*letterHeight
			s = clipText(s, columns[columnOf(t)+1]-columns[columnOf(t)]-1)
		}
		if x > sheetWidth || y > sheetHeight {
			continue
		}
		pen.Dot = fixed.P(sheetMargin+int(x), sheetMargin+int(y)+letterHeight)
		pen.DrawString(s)
	}
	return sheet
}

// columnStarts says where the columns of cells begin, in letters; behind the last one stands where it ends.
func columnStarts(tokens []text.Token) []int {
	widths := []int{}
	for _, t := range tokens {
		if t.Method != text.MethodCell {
			continue
		}
		at := columnOf(t)
		if missing := at + 1 - len(widths); missing > 0 {
			widths = append(widths, slices.Repeat([]int{emptyColumn}, missing)...)
		}
		widths[at] = min(max(widths[at], utf8.RuneCountInString(t.Text)+2), widestColumn)
	}
	starts := make([]int, len(widths)+1)
	for i, width := range widths {
		starts[i+1] = starts[i] + width
	}
	return starts
}

func columnOf(t text.Token) int { return int(t.X0 / cellColumn) }

func clipText(text string, letters int) string {
	if runes := []rune(text); len(runes) > letters {
		return string(runes[:letters])
	}
	return text
}

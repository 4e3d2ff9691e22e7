package decode

import (
	"image"
	"image/color"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/klippa-app/go-pdfium/requests"
	"golang.org/x/image/draw"
	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"github.com/dossierhq/dossier/pipelines/document/decode/office"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// What a picture measures at most: a page longer than that is squeezed, so that places on it stay shares of its height.
const (
	highestPicture = 10_000
	mostColours    = 8_000_000 // pixels; a larger page is drawn in grey, for memory
)

// Picture draws one page of a file, exactly width pixels wide, so that what stands on the page at a share of its
// width and height stands there in the picture: upright and level, as OCR read it. page is what was kept of it: its
// words are drawn where the file has no pixels of its own. Errors are those of Decode.
func (w *Decoder) Picture(data []byte, page text.Page, width int) ([]byte, error) {
	var m image.Image
	var err error
	mime := Sniff(data)
	switch {
	case page.Layer == text.LayerNative:
		m = drawPage(page)
	case mime == MIMEPDF:
		m, err = w.pdfPicture(data, page, width)
	case strings.HasPrefix(mime, "image/"):
		m, err = w.framePicture(data, mime, page)
	default:
		m = drawPage(page)
	}
	if err != nil {
		return nil, err
	}
	return encodePNG(fitted(m, width)), nil
}

// fitted is an image of a width, on white.
func fitted(m image.Image, width int) image.Image {
	b := m.Bounds()
	height := min(max(b.Dy()*width/max(b.Dx(), 1), 1), highestPicture)
	if b.Dx() == width && b.Dy() == height {
		return m
	}
	out := draw.Image(image.NewRGBA(image.Rect(0, 0, width, height)))
	if _, grey := m.(*image.Gray); grey {
		out = image.NewGray(out.Bounds())
	}
	draw.Draw(out, out.Bounds(), image.White, image.Point{}, draw.Src)
	scaler := draw.Interpolator(draw.ApproxBiLinear)
	if b.Dx() < 2*width {
		scaler = draw.CatmullRom
	}
	scaler.Scale(out, out.Bounds(), m, b, draw.Over, nil)
	return out
}

func (w *Decoder) pdfPicture(data []byte, page text.Page, width int) (image.Image, error) {
	p, err := w.openPDF()
	if err != nil {
		return nil, &EngineFault{err}
	}
	opened, err := p.OpenDocument(&requests.OpenDocument{File: &data})
	if err != nil {
		return nil, openRefusal(err)
	}
	i := page.Number - 1
	ref, err := p.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: opened.Document, Index: i})
	if err != nil {
		return nil, refusal.New(refusal.Corrupt, "The page is damaged and cannot be drawn.")
	}
	frame, err := p.frameOf(requests.Page{ByReference: &ref.Page})
	_, _ = p.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: ref.Page})
	if err != nil {
		return nil, err
	}
	if page.Layer == text.LayerScanned {
		pixels, _, err := p.render(opened.Document, i, frame.width, frame.height)
		if err != nil {
			return nil, err
		}
		return turn(deskew(pixels), (page.Rotation-frame.rotation()+360)%360), nil
	}
	height := min(int(frame.height*float64(width)/max(frame.width, 1)), highestPicture)
	if width*height > mostColours {
		return p.drawGray(opened.Document, i, width, height)
	}
	// its pixels live as long as the process, which ends with them
	m, _, err := p.draw(opened.Document, i, width, height)
	return m, err
}

func (w *Decoder) framePicture(data []byte, mime string, page text.Page) (image.Image, error) {
	frames := [][]byte{data}
	if mime == "image/tiff" {
		frames = tiffFrames(data)
	}
	if page.Number < 1 || page.Number > len(frames) {
		return nil, refusal.New(refusal.Corrupt, "The image has no such page.")
	}
	frame, err := w.frameOf(frames[page.Number-1], mime)
	if err != nil {
		return nil, err
	}
	return turn(deskew(frame.pixels), (page.Rotation-frame.turned+360)%360), nil
}

// What a cell and a letter of a drawn sheet measure in pixels.
const (
	cellPixels, rowPixels = 17 * letterWidth, letterHeight + 4
	mostSheet             = 24_000_000 // of one sheet; a larger one is drawn smaller
)

// drawPage draws a page that has no pixels of its own: the words of a text where they stand, or a table with a
// line around every cell.
func drawPage(p text.Page) image.Image {
	if p.Unit() != "cell" {
		return drawText(p)
	}
	columns, rows := max(int(p.Width/office.ColumnWidth), 1), max(int(p.Height), 1)
	width, height := min(columns*cellPixels, highestPicture), min(rows*rowPixels, highestPicture)
	height = max(min(height, mostSheet/width), 1)
	sheet := blankSheet(width, height)
	line := image.NewUniform(lightGrey)
	for i := range min(columns, width) {
		x := i * width / columns
		draw.Draw(sheet, image.Rect(x, 0, x+1, height), line, image.Point{}, draw.Src)
	}
	for i := range min(rows, height) {
		y := i * height / rows
		draw.Draw(sheet, image.Rect(0, y, width, y+1), line, image.Point{}, draw.Src)
	}
	letters := max(width/columns/letterWidth-1, 1)
	pen := font.Drawer{Dst: sheet, Src: image.Black, Face: basicfont.Face7x13}
	for _, t := range p.Tokens {
		x, y := t.X0/max(p.Width, 1)*float64(width), t.Y0/max(p.Height, 1)*float64(height)
		pen.Dot = fixed.P(int(x)+3, int(y)+letterHeight)
		pen.DrawString(clipText(t.Text, letters))
	}
	return sheet
}

// drawText draws a page of plain text.
func drawText(p text.Page) image.Image {
	width := max(int(p.Width*letterWidth/office.CharWidth), 40*letterWidth)
	height := max(int(p.Height*letterHeight/office.LineHeight), letterHeight)
	width = min(width, highestPicture)
	sheet := blankSheet(width, max(min(height, highestPicture, mostSheet/width), 1))
	b := sheet.Bounds()
	pen := font.Drawer{Dst: sheet, Src: image.Black, Face: basicfont.Face7x13}
	for _, t := range p.Tokens {
		x, y := t.X0/max(p.Width, 1)*float64(b.Dx()), t.Y0/max(p.Height, 1)*float64(b.Dy())
		pen.Dot = fixed.P(int(x), int(y)+letterHeight-2)
		pen.DrawString(t.Text)
	}
	return sheet
}

var lightGrey = color.Gray{Y: 208}

func blankSheet(width, height int) *image.Gray {
	sheet := image.NewGray(image.Rect(0, 0, width, height))
	draw.Draw(sheet, sheet.Bounds(), image.White, image.Point{}, draw.Src)
	return sheet
}

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
		x, y := t.X0*letterWidth/office.CharWidth, t.Y0*letterHeight/office.LineHeight
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

func columnOf(t text.Token) int { return int(t.X0 / office.ColumnWidth) }

func clipText(text string, letters int) string {
	if runes := []rune(text); len(runes) > letters {
		return string(runes[:letters])
	}
	return text
}

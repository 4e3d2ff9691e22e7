// Package barcode reads the PDF417 codes in a picture, as the backs of licences and identity cards of North America
// carry them. Source: ISO/IEC 15438.
package barcode

import (
	"image"
)

// Code is a code that was read and proven by its correction words.
type Code struct {
	Text           string
	X0, Y0, X1, Y1 int // pixels from the picture's top left
}

// mostCodes is how many codes of one picture are tried: a card has one.
const mostCodes = 4

// Read finds the codes of a picture in any of the four directions, tilted by up to a third of a right angle. It reads
// sparse lines of pixels first, so that a picture without a code costs little.
func Read(g *image.Gray) []Code {
	if g.Bounds().Dx() < 60 || g.Bounds().Dy() < 10 {
		return nil
	}
	var codes []Code
	for _, views := range [2][2]view{{{g, 0}, {g, 180}}, {{g, 90}, {g, 270}}} {
		for i, columns := range columnsOf(views) {
			for _, c := range columns {
				if text, ok := decode(views[i], &c); ok {
					code := Code{Text: text}
					code.place(views[i], c)
					codes = append(codes, code)
				}
			}
		}
		if len(codes) > 0 {
			return codes
		}
	}
	return codes
}

// place is the box around a code, from its first bars and its width.
func (c *Code) place(v view, col column) {
	width := col.width
	if width == 0 {
		width = 17 * col.module
	}
	b := image.Rectangle{}
	fall := width * col.slope
	for i, p := range [][2]float64{{col.at(col.top), col.top}, {col.at(col.bottom), col.bottom},
		{col.at(col.top) + width, col.top - fall}, {col.at(col.bottom) + width, col.bottom - fall}} {
		x, y := v.picture(p[0], p[1])
		at := image.Rect(int(x), int(y), int(x)+1, int(y)+1)
		if i == 0 {
			b = at
		}
		b = b.Union(at)
	}
	b = b.Intersect(v.g.Bounds())
	c.X0, c.Y0, c.X1, c.Y1 = b.Min.X, b.Min.Y, b.Max.X, b.Max.Y
}

// view is a picture as it is seen after turning it by an angle against the clock: u runs along the rows of the code,
// v down them.
type view struct {
	g     *image.Gray
	angle int
}

func (v view) size() (width, height int) {
	if v.angle%180 == 0 {
		return v.g.Rect.Dx(), v.g.Rect.Dy()
	}
	return v.g.Rect.Dy(), v.g.Rect.Dx()
}

// picture is where a point of the view lies in the picture.
func (v view) picture(u, w float64) (x, y float64) {
	width, height := float64(v.g.Rect.Dx()-1), float64(v.g.Rect.Dy()-1)
	switch v.angle {
	case 90:
		return width - w, u
	case 180:
		return width - u, height - w
	case 270:
		return w, height - u
	}
	return u, w
}

// grey is the brightness at a point of the view, between pixels.
func (v view) grey(u, w float64) float64 {
	x, y := v.picture(u, w)
	x0, y0 := int(x), int(y)
	if x < 0 || y < 0 || x0+1 >= v.g.Rect.Dx() || y0+1 >= v.g.Rect.Dy() {
		return 255
	}
	fx, fy := x-float64(x0), y-float64(y0)
	at := y0*v.g.Stride + x0
	p := v.g.Pix
	top := float64(p[at])*(1-fx) + float64(p[at+1])*fx
	low := float64(p[at+v.g.Stride])*(1-fx) + float64(p[at+v.g.Stride+1])*fx
	return top*(1-fy) + low*fy
}

// row is line w of the view, of pixels as they are.
func (v view) row(w int, into []uint8) []uint8 {
	if v.angle == 0 {
		return v.g.Pix[w*v.g.Stride : w*v.g.Stride+v.g.Rect.Dx()]
	}
	into = into[:0]
	x := v.g.Rect.Dx() - 1 - w
	for y := range v.g.Rect.Dy() {
		into = append(into, v.g.Pix[y*v.g.Stride+x])
	}
	return into
}

package specimen

import (
	"image"
	"image/color"
	"image/draw"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// render draws the page as a picture, the same page that the PDF shows.
func (p *page) render(dpi float64) *image.RGBA {
	scale := dpi / 72
	img := image.NewRGBA(image.Rect(0, 0, int(math.Round(p.w*scale)), int(math.Round(p.h*scale))))
	draw.Draw(img, img.Bounds(), image.White, image.Point{}, draw.Src)
	faceOf := map[style]font.Face{}
	for _, m := range p.marks {
		if m.text == "" {
			area := image.Rect(round(m.x*scale), round(m.y*scale), round((m.x+m.w)*scale), round((m.y+m.h)*scale))
			area.Max.X, area.Max.Y = max(area.Max.X, area.Min.X+1), max(area.Max.Y,
				area.Min.Y+1) // hairlines stay visible
			draw.Draw(img, area, image.NewUniform(m.style.ink.rgba()), image.Point{}, draw.Src)
			continue
		}
		drawText(img, m, scale, faceOf)
	}
	return img
}

func drawText(img *image.RGBA, m mark, scale float64, faceOf map[style]font.Face) {
	key := m.style
	key.ink = black
	f, ok := faceOf[key]
	if !ok {
		var err error
		f, err = opentype.NewFace(loaded()[m.style.face], &opentype.FaceOptions{Size: m.style.size * scale, DPI: 72,
			Hinting: font.HintingNone})
		if err != nil {
			panic(err) // sizes here are positive and fonts compiled in
		}
		faceOf[key] = f
	}
	d := font.Drawer{Dst: img, Src: image.NewUniform(m.style.ink.rgba()), Face: f,
		Dot: fixed.Point26_6{X: fixed.Int26_6(m.x * scale * 64), Y: fixed.Int26_6(m.y * scale * 64)}}
	d.DrawString(m.text)
}

func (c ink) rgba() color.RGBA { return color.RGBA{c.r, c.g, c.b, 255} }

func round(f float64) int { return int(math.Round(f)) }

package specimen

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"path"
	"strings"
)

// Photograph takes a picture of a drawn page with a telephone: it lies on a table, seen at an angle, with the glare of
// a lamp, and is sent small. hard from 1 (nearly straight) to 3 (tilted, small, glaring). The truth stays the same.
func Photograph(s Specimen, seed uint64, hard int) Specimen {
	if s.sheet == nil {
		return s
	}
	d := roll(seed, "photograph/"+s.Name)
	page := s.sheet.pages[0].render([...]float64{170, 170, 150, 120}[min(max(hard, 0), 3)])
	w, h := float64(page.Rect.Dx()), float64(page.Rect.Dy())
	margin := 0.06 * w
	lean := float64(hard) * 0.012
	slip := func(v float64) float64 { return v + (d.Float64()*2-1)*lean*w }
	corners := [4][2]float64{{slip(margin), slip(margin)}, {slip(margin + w), slip(margin)}, {slip(margin + w),
		slip(margin + h)}, {slip(margin), slip(margin + h)}}
	back := planeOf(corners, w, h)
	out := image.NewRGBA(image.Rect(0, 0, int(w+2*margin), int(h+2*margin)))
	glare := [3]float64{margin + d.Float64()*w, margin + d.Float64()*h, w * (0.06 + 0.05*float64(hard))}
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			px, py := back(float64(x), float64(y))
			c := color.RGBA{118, 94, 70, 255} // the table
			if px >= 0 && py >= 0 && px < w-1 && py < h-1 {
				c = smooth(page, px, py)
			}
			far := math.Hypot(float64(x)-glare[0], float64(y)-glare[1]) / glare[2]
			light := 110 * math.Exp(-far*far)
			noise := float64(d.IntN(9)) - 4
			out.SetRGBA(x, y, color.RGBA{lit(c.R, light+noise), lit(c.G, light+noise), lit(c.B, light+noise), 255})
		}
	}
	s.Truth.Severity, s.Truth.Layer, s.Truth.Pages = hard, layerImage, 0
	s.Name = fmt.Sprintf("%s_photo%d.jpg", strings.TrimSuffix(s.Name, path.Ext(s.Name)), hard)
	s.MimeType, s.Data = mimeJPEG, jpegOf(out, 88-10*hard)
	return s
}

func lit(v uint8, light float64) uint8 { return uint8(min(max(float64(v)+light, 0), 255)) }

// smooth is the colour between four pixels.
func smooth(m *image.RGBA, x, y float64) color.RGBA {
	x0, y0 := int(x), int(y)
	fx, fy := x-float64(x0), y-float64(y0)
	a, b, c, e := m.RGBAAt(x0, y0), m.RGBAAt(x0+1, y0), m.RGBAAt(x0, y0+1), m.RGBAAt(x0+1, y0+1)
	mix := func(a, b, c, e uint8) uint8 {
		return uint8((float64(a)*(1-fx)+float64(b)*fx)*(1-fy) + (float64(c)*(1-fx)+float64(e)*fx)*fy)
	}
	return color.RGBA{mix(a.R, b.R, c.R, e.R), mix(a.G, b.G, c.G, e.G), mix(a.B, b.B, c.B, e.B), 255}
}

// planeOf gives the point of a flat page that a point of the picture shows, where the page's corners are seen at these
// places.
func planeOf(c [4][2]float64, w, h float64) func(x, y float64) (float64, float64) {
	from := [4][2]float64{{0, 0}, {w, 0}, {w, h}, {0, h}}
	var m [8][9]float64
	for i := range 4 {
		x, y, u, v := c[i][0], c[i][1], from[i][0], from[i][1]
		m[2*i] = [9]float64{x, y, 1, 0, 0, 0, -u * x, -u * y, u}
		m[2*i+1] = [9]float64{0, 0, 0, x, y, 1, -v * x, -v * y, v}
	}
	for i := range 8 {
		best := i
		for r := i + 1; r < 8; r++ {
			if math.Abs(m[r][i]) > math.Abs(m[best][i]) {
				best = r
			}
		}
		m[i], m[best] = m[best], m[i]
		for r := range 8 {
			if r == i {
				continue
			}
			part := m[r][i] / m[i][i]
			for k := i; k < 9; k++ {
				m[r][k] -= part * m[i][k]
			}
		}
	}
	var p [8]float64
	for i := range p {
		p[i] = m[i][8] / m[i][i]
	}
	return func(x, y float64) (float64, float64) {
		z := p[6]*x + p[7]*y + 1
		return (p[0]*x + p[1]*y + p[2]) / z, (p[3]*x + p[4]*y + p[5]) / z
	}
}

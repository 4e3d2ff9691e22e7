package specimen

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"image/png"
	"math"
	"path"
	"strings"
)

// Severities of Scan.
const (
	CleanScan    = 1 // a flatbed scan: 200 dpi, almost straight, little noise
	OfficeCopier = 2 // a copy of a copy: skewed, faded, dust, strong JPEG
	Phone        = 3 // a telephone picture or fax: uneven light, blur, strong JPEG
)

// damage is what a severity does to a page.
type damage struct {
	dpi     float64
	skew    float64 // largest angle in degrees
	ink     int     // how bright black becomes
	paper   int     // how dark white becomes
	shade   float64 // loss of light across the page
	blur    bool
	noise   int // amplitude
	dust    int // specks for each million pixels
	quality int // of the JPEG
}

var damages = map[int]damage{
	CleanScan:    {dpi: 200, skew: 0.3, ink: 25, paper: 250, noise: 6, dust: 2, quality: 85},
	OfficeCopier: {dpi: 200, skew: 0.9, ink: 45, paper: 238, shade: 0.06, noise: 16, dust: 14, quality: 60},
	Phone:        {dpi: 190, skew: 1.4, ink: 50, paper: 228, shade: 0.22, blur: true, noise: 16, dust: 8, quality: 45},
}

// Scan prints s on paper and takes its picture: noise, skew and JPEG damage by severity 1 to 3. A document of
// several pages becomes an image-only PDF, one page also a PNG or JPEG, by the seed. A specimen that was never
// drawn (a workbook, a CSV) is returned as it is. The truth stays the same but for its layer and pages.
func Scan(s Specimen, seed uint64, severity int) Specimen {
	how, known := damages[severity]
	if s.sheet == nil || !known {
		return s
	}
	d := roll(seed, "scan/"+s.Name)
	var pictures []image.Image
	for _, p := range s.sheet.pages {
		pictures = append(pictures, how.apply(d, planesOf(p.render(how.dpi), s.MimeType != mimePDF)))
	}
	out := s
	out.Truth.Severity = severity
	stem := fmt.Sprintf("%s_scan%d", strings.TrimSuffix(s.Name, path.Ext(s.Name)), severity)
	switch form := d.IntN(4); {
	case len(pictures) == 1 && form == 0:
		out.Name, out.MimeType, out.Data, out.Truth.Layer, out.Truth.Pages = stem+".png", mimePNG, pngOf(pictures[0]),
			layerImage, 0
	case len(pictures) == 1 && (form == 1 || s.MimeType != mimePDF):
		out.Name, out.MimeType, out.Data, out.Truth.Layer, out.Truth.Pages = stem+".jpg", mimeJPEG,
			jpegOf(pictures[0], how.quality), layerImage, 0
	default:
		out.Name, out.MimeType, out.Data = stem+".pdf", mimePDF, picturePDF(s.sheet, pictures, how.quality)
		out.Truth.Layer, out.Truth.Pages = layerScanned, len(pictures)
	}
	return out
}

// planes is a picture as separate channels: one for grey, three for colour.
type planes struct {
	w, h int
	c    [][]uint8
}

func planesOf(img *image.RGBA, colour bool) planes {
	p := planes{w: img.Rect.Dx(), h: img.Rect.Dy()}
	n := 1
	if colour {
		n = 3
	}
	p.c = make([][]uint8, n)
	for k := range p.c {
		p.c[k] = make([]uint8, p.w*p.h)
	}
	for i := range p.w * p.h {
		r, g, b := int(img.Pix[i*4]), int(img.Pix[i*4+1]), int(img.Pix[i*4+2])
		if !colour {
			p.c[0][i] = uint8((r*299 + g*587 + b*114) / 1000)
			continue
		}
		p.c[0][i], p.c[1][i], p.c[2][i] = uint8(r), uint8(g), uint8(b)
	}
	return p
}

func (p planes) picture() image.Image {
	if len(p.c) == 1 {
		return &image.Gray{Pix: p.c[0], Stride: p.w, Rect: image.Rect(0, 0, p.w, p.h)}
	}
	img := image.NewRGBA(image.Rect(0, 0, p.w, p.h))
	for i := range p.w * p.h {
		img.Pix[i*4], img.Pix[i*4+1], img.Pix[i*4+2], img.Pix[i*4+3] = p.c[0][i], p.c[1][i], p.c[2][i], 255
	}
	return img
}

// apply damages a picture: turned, faded, shaded, blurred, noisy, dusty, in the order light and sensor do it.
func (h damage) apply(d dice, p planes) image.Image {
	angle := (d.Float64()*2 - 1) * h.skew * math.Pi / 180
	tiltX, tiltY := d.Float64(), d.Float64()
	for k := range p.c {
		p.c[k] = turn(p.c[k], p.w, p.h, angle)
		h.light(p.c[k], p.w, p.h, tiltX, tiltY)
		if h.blur {
			p.c[k] = blur(p.c[k], p.w, p.h)
		}
	}
	h.grain(d, p)
	return p.picture()
}

// turn rotates a plane about its middle with bilinear sampling; corners become paper.
func turn(src []uint8, w, h int, angle float64) []uint8 {
	out := make([]uint8, len(src))
	sin, cos := math.Sincos(angle)
	cx, cy := float64(w)/2, float64(h)/2
	for y := range h {
		for x := range w {
			dx, dy := float64(x)-cx, float64(y)-cy
			out[y*w+x] = sample(src, w, h, cx+dx*cos+dy*sin, cy-dx*sin+dy*cos)
		}
	}
	return out
}

func sample(src []uint8, w, h int, x, y float64) uint8 {
	x0, y0 := int(math.Floor(x)), int(math.Floor(y))
	if x0 < 0 || y0 < 0 || x0+1 >= w || y0+1 >= h {
		return 255
	}
	fx, fy := int((x-float64(x0))*256), int((y-float64(y0))*256)
	i := y0*w + x0
	top := int(src[i])*(256-fx) + int(src[i+1])*fx
	low := int(src[i+w])*(256-fx) + int(src[i+w+1])*fx
	return uint8((top*(256-fy) + low*fy) >> 16)
}

// light maps black and white to what the sensor saw, darker towards one side.
func (h damage) light(px []uint8, w, height int, tiltX, tiltY float64) {
	for y := range height {
		for x := range w {
			i := y*w + x
			v := float64(h.ink + int(px[i])*(h.paper-h.ink)/255)
			loss := h.shade * (tiltX*float64(x)/float64(w) + tiltY*float64(y)/float64(height)) / (tiltX + tiltY + 0.01)
			px[i] = uint8(v * (1 - loss))
		}
	}
}

// blur is a light focus error: each pixel half itself, half its neighbours.
func blur(src []uint8, w, h int) []uint8 {
	out := make([]uint8, len(src))
	copy(out, src)
	for y := 1; y < h-1; y++ {
		for x := 1; x < w-1; x++ {
			i := y*w + x
			sum := int(src[i])*4 + int(src[i-1]) + int(src[i+1]) + int(src[i-w]) + int(src[i+w])
			out[i] = uint8(sum / 8)
		}
	}
	return out
}

// grain adds sensor noise to every plane and specks of dust.
func (h damage) grain(d dice, p planes) {
	for i := range p.w * p.h {
		r := d.Uint32()
		n := (int(r&0xff) + int(r>>8&0xff) + int(r>>16&0xff) - 382) * h.noise / 256
		for k := range p.c {
			p.c[k][i] = uint8(min(max(int(p.c[k][i])+n, 0), 255))
		}
	}
	for range h.dust * p.w * p.h / 1_000_000 {
		x, y, size := d.IntN(p.w-3), d.IntN(p.h-3), d.between(1, 2)
		for k := range p.c {
			for j := range size * size {
				p.c[k][(y+j/size)*p.w+x+j%size] = 60
			}
		}
	}
}

func pngOf(img image.Image) []byte {
	var b bytes.Buffer
	_ = (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, img) // a bytes.Buffer takes everything
	return b.Bytes()
}

func jpegOf(img image.Image, quality int) []byte {
	var b bytes.Buffer
	_ = jpeg.Encode(&b, img, &jpeg.Options{Quality: quality})
	return b.Bytes()
}

// picturePDF wraps page pictures as scanners do: one JPEG a page and no text.
func picturePDF(s *sheet, pictures []image.Image, quality int) []byte {
	f := &pdfFile{}
	catalog, tree, info := f.reserve(), f.reserve(), f.reserve()
	var kids []string
	for i, img := range pictures {
		space := "/DeviceRGB"
		if _, grey := img.(*image.Gray); grey {
			space = "/DeviceGray"
		}
		n, size := f.reserve(), img.Bounds()
		f.set(n, f.streamBody(n, fmt.Sprintf("/Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace %s /BitsPerComponent 8 /Filter /DCTDecode",
			size.Dx(), size.Dy(), space), jpegOf(img, quality)))
		p := s.pages[i]
		content := f.stream("", fmt.Appendf(nil, "q %g 0 0 %g 0 0 cm /Im Do Q", p.w, p.h))
		kid := f.add(fmt.Sprintf("<</Type /Page /Parent %d 0 R /MediaBox [0 0 %g %g] /Resources <</XObject <</Im %d 0 R>>>> /Contents %d 0 R>>", tree, p.w, p.h, n, content))
		kids = append(kids, fmt.Sprintf("%d 0 R", kid))
	}
	f.set(catalog, fmt.Sprintf("<</Type /Catalog /Pages %d 0 R>>", tree))
	f.set(tree, fmt.Sprintf("<</Type /Pages /Kids [%s] /Count %d>>", strings.Join(kids, " "), len(kids)))
	f.set(info, fmt.Sprintf("<</Producer %s /CreationDate %s>>", f.str(info, "Scan Station 3"), f.str(info,
		s.made.Format("D:20060102150405Z"))))
	return f.bytes(fmt.Sprintf("/Root %d 0 R /Info %d 0 R", catalog, info))
}

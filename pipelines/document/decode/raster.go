package decode

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"math"
	"slices"

	"golang.org/x/image/draw"
)

// Widths of pages for OCR, in pixels: below the least small print is lost, above the most time is.
const (
	leastWidth  = 1000
	goodWidth   = 1700
	mostWidth   = 2400
	longestSide = 3500
)

// toGray makes grey pixels of width for OCR. unit is what one of its pixels is in pixels of src.
func toGray(src image.Image) (gray *image.Gray, unit float64) {
	b := src.Bounds()
	width, height := float64(b.Dx()), float64(b.Dy())
	scale := 1.0
	switch {
	case width < leastWidth && height < 1.3*goodWidth:
		scale = min(goodWidth/width, 3)
	case width > mostWidth:
		scale = mostWidth / width
	}
	if long := max(width, height) * scale; long > longestSide {
		scale *= longestSide / long
	}
	w, h := max(int(width*scale), 1), max(int(height*scale), 1)
	if w == b.Dx() && h == b.Dy() {
		return grayOf(src), 1
	}
	gray = image.NewGray(image.Rect(0, 0, w, h))
	scaler := draw.Interpolator(draw.ApproxBiLinear)
	if scale > 1 {
		scaler = draw.CatmullRom
	}
	// Grey first: from a source that has no RGBA64At, as onWhite, ApproxBiLinear draws nothing into a grey picture.
	whole := grayOf(src)
	scaler.Scale(gray, gray.Bounds(), whole, whole.Bounds(), draw.Src, nil)
	return gray, 1 / scale
}

// grayOf is an image in grey on white paper. PDF pages come as RGBA, photographs as YCbCr, scans as Gray.
func grayOf(src image.Image) *image.Gray {
	b := src.Bounds()
	gray := image.NewGray(image.Rect(0, 0, b.Dx(), b.Dy()))
	row := func(y int) []uint8 { return gray.Pix[y*gray.Stride : y*gray.Stride+b.Dx()] }
	switch src := src.(type) {
	case *image.RGBA:
		onEachCore(b.Dy(), func(y int) {
			from, to := src.Pix[src.PixOffset(b.Min.X, b.Min.Y+y):], row(y)
			for x := range to {
				p := from[4*x : 4*x+4]
				to[x] = grayOnWhite(0x101*uint32(p[0]), 0x101*uint32(p[1]), 0x101*uint32(p[2]), 0x101*uint32(p[3]))
			}
		})
	case *image.YCbCr:
		onEachCore(b.Dy(), func(y int) { copy(row(y), src.Y[src.YOffset(b.Min.X, b.Min.Y+y):]) })
	case *image.Gray:
		onEachCore(b.Dy(), func(y int) { copy(row(y), src.Pix[src.PixOffset(b.Min.X, b.Min.Y+y):]) })
	default:
		draw.Draw(gray, gray.Bounds(), onWhite{src}, b.Min, draw.Src)
	}
	return gray
}

// grayOnWhite is the grey of a colour, of 16 bits a channel as color.Color gives it, on white paper.
func grayOnWhite(r, g, b, a uint32) uint8 {
	y := (19595*r + 38470*g + 7471*b + 1<<15) >> 16
	return uint8((y + (0xffff - a)) >> 8)
}

// onWhite shows an image on white paper: transparent pixels are white, not black.
type onWhite struct{ image.Image }

func (o onWhite) ColorModel() color.Model { return color.GrayModel }

func (o onWhite) At(x, y int) color.Color {
	switch src := o.Image.(type) {
	case *image.Gray:
		return src.GrayAt(x, y)
	case *image.YCbCr:
		return color.Gray{Y: src.Y[src.YOffset(x, y)]}
	}
	return color.Gray{Y: grayOnWhite(o.Image.At(x, y).RGBA())}
}

// blank reports whether a page carries next to no ink.
func blank(g *image.Gray) bool {
	dark := 0
	for _, p := range g.Pix {
		if p < 140 {
			dark++
		}
	}
	return dark*20000 < len(g.Pix)
}

// turn rotates by 90, 180 or 270 degrees clockwise.
func turn(g *image.Gray, degrees int) *image.Gray {
	b := g.Bounds()
	w, h := b.Dx(), b.Dy()
	size := image.Rect(0, 0, w, h)
	if degrees%180 != 0 {
		size = image.Rect(0, 0, h, w)
	}
	out := image.NewGray(size)
	for y := range h {
		for x := range w {
			v := g.Pix[g.PixOffset(b.Min.X+x, b.Min.Y+y)]
			switch degrees {
			case 90:
				out.Pix[out.PixOffset(h-1-y, x)] = v
			case 180:
				out.Pix[out.PixOffset(w-1-x, h-1-y)] = v
			case 270:
				out.Pix[out.PixOffset(y, w-1-x)] = v
			default:
				out.Pix[out.PixOffset(x, y)] = v
			}
		}
	}
	return out
}

// Skews are tried left and right of upright, in degrees: first coarse, then around the best.
const (
	skewStep  = 0.25
	skewFine  = 0.05
	skewMost  = 6.0
	skewLeast = 0.15 // less moves no word into another line, and turning costs sharpness
)

// deskew turns a page so that its lines are level. The angle is the one under which the rows of dark pixels
// are sharpest.
func deskew(g *image.Gray) *image.Gray {
	angle := skewOf(g)
	if math.Abs(angle) < skewLeast {
		return g
	}
	return rotate(g, angle)
}

// skewOf measures the skew in degrees on a sample of dark points.
func skewOf(g *image.Gray) float64 {
	b := g.Bounds()
	step := max(b.Dx()/500, 1)
	type point struct{ x, y float64 }
	var points []point
	darker := inkLevel(g)
	for y := b.Min.Y; y < b.Max.Y; y += step {
		for x := b.Min.X; x < b.Max.X; x += step {
			if g.Pix[g.PixOffset(x, y)] < darker {
				points = append(points, point{float64(x) / float64(step), float64(y) / float64(step)})
			}
		}
	}
	if len(points) < 200 {
		return 0
	}
	if every := len(points)/60_000 + 1; every > 1 {
		kept := points[:0]
		for i := 0; i < len(points); i += every {
			kept = append(kept, points[i])
		}
		points = kept
	}
	rows := b.Dy()/step + 200
	sharpness := func(degrees float64) float64 {
		bins := make([]int, rows+200)
		slope := math.Tan(degrees * math.Pi / 180)
		for _, p := range points {
			if row := int(p.y-p.x*slope) + 100; row >= 0 && row < len(bins) {
				bins[row]++
			}
		}
		sum := 0.0
		for i := 1; i < len(bins); i++ {
			d := float64(bins[i] - bins[i-1])
			sum += d * d
		}
		return sum
	}
	level := sharpness(0)
	best, most := 0.0, level
	try := func(from, to, step float64) {
		for a := from; a <= to; a += step {
			if s := sharpness(a); s > most {
				best, most = a, s
			}
		}
	}
	try(-skewMost, skewMost, skewStep)
	try(best-skewStep, best+skewStep, skewFine)
	if most < level*1.03 {
		return 0 // no turn is clearly better than none
	}
	return best
}

// inkLevel is the grey below which a pixel is ink: between the page's mean and black.
func inkLevel(g *image.Gray) uint8 {
	sum := 0
	for _, p := range g.Pix {
		sum += int(p)
	}
	return uint8(sum / max(len(g.Pix), 1) * 7 / 10)
}

// rotate turns a page by a small angle around its centre, on white.
func rotate(g *image.Gray, degrees float64) *image.Gray {
	b := g.Bounds()
	out := image.NewGray(image.Rect(0, 0, b.Dx(), b.Dy()))
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	cx, cy := float64(b.Dx())/2, float64(b.Dy())/2
	onEachCore(b.Dy(), func(y int) {
		for x := range b.Dx() {
			dx, dy := float64(x)-cx, float64(y)-cy
			out.Pix[y*out.Stride+x] = sample(g, cx+dx*cos-dy*sin, cy+dx*sin+dy*cos)
		}
	})
	return out
}

// sample reads a grey value between pixels.
func sample(g *image.Gray, x, y float64) uint8 {
	b := g.Bounds()
	x0, y0 := int(math.Floor(x)), int(math.Floor(y))
	if x0 < 0 || y0 < 0 || x0+1 >= b.Dx() || y0+1 >= b.Dy() {
		return 255
	}
	fx, fy := x-float64(x0), y-float64(y0)
	at := g.PixOffset(b.Min.X+x0, b.Min.Y+y0)
	top := float64(g.Pix[at])*(1-fx) + float64(g.Pix[at+1])*fx
	bottom := float64(g.Pix[at+g.Stride])*(1-fx) + float64(g.Pix[at+g.Stride+1])*fx
	return uint8(top*(1-fy) + bottom*fy + 0.5)
}

// ThumbnailOf is a PNG of at most 240 pixels width.
func ThumbnailOf(src image.Image) []byte {
	b := src.Bounds()
	if b.Dx() == 0 || b.Dy() == 0 {
		return nil
	}
	w := min(240, b.Dx())
	h := min(max(b.Dy()*w/b.Dx(), 1), 960)
	small := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(small, small.Bounds(), image.White, image.Point{}, draw.Src)
	draw.ApproxBiLinear.Scale(small, small.Bounds(), src, b, draw.Over, nil)
	return encodePNG(small)
}

func encodePNG(m image.Image) []byte {
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestSpeed}).Encode(&b, m); err != nil {
		return nil
	}
	return b.Bytes()
}

// orientationOf reads the EXIF orientation (1 to 8) of a JPEG; 1 when it has none.
func orientationOf(data []byte) int {
	for at := 2; at+4 < len(data) && data[at] == 0xff; {
		marker, size := data[at+1], int(binary.BigEndian.Uint16(data[at+2:]))
		if marker == 0xda || size < 2 || at+2+size > len(data) {
			return 1
		}
		if body := data[at+4 : at+2+size]; marker == 0xe1 && bytes.HasPrefix(body, []byte("Exif\x00\x00")) {
			return tiffOrientation(body[6:])
		}
		at += 2 + size
	}
	return 1
}

func tiffOrientation(tiff []byte) int {
	if len(tiff) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.BigEndian
	if tiff[0] == 'I' {
		order = binary.LittleEndian
	}
	at := int(order.Uint32(tiff[4:]))
	if at < 8 || at+2 > len(tiff) {
		return 1
	}
	for i := range int(order.Uint16(tiff[at:])) {
		entry := at + 2 + 12*i
		if entry+12 > len(tiff) {
			return 1
		}
		if order.Uint16(tiff[entry:]) == 0x0112 {
			if v := int(order.Uint16(tiff[entry+8:])); v >= 1 && v <= 8 {
				return v
			}
			return 1
		}
	}
	return 1
}

// oriented applies an EXIF orientation.
func oriented(p ocrPage, orientation int) ocrPage {
	if slices.Contains([]int{2, 4, 5, 7}, orientation) {
		p.pixels = mirror(p.pixels)
	}
	switch orientation {
	case 3, 4:
		return p.turn(180)
	case 5, 8:
		return p.turn(270)
	case 6, 7:
		return p.turn(90)
	}
	return p
}

func mirror(g *image.Gray) *image.Gray {
	b := g.Bounds()
	out := image.NewGray(image.Rect(0, 0, b.Dx(), b.Dy()))
	for y := range b.Dy() {
		for x := range b.Dx() {
			out.Pix[y*out.Stride+b.Dx()-1-x] = g.Pix[g.PixOffset(b.Min.X+x, b.Min.Y+y)]
		}
	}
	return out
}

package barcode

import (
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boombuler/barcode/pdf417"
)

// card is what the back of a licence says, with every kind of character that its standard uses.
const card = "@\n\x1e\rANSI 636000100002DL00410278ZV03190008DLDAQT64235789\nDCSSAMPLE\nDDEN\nDACMICHAEL\nDDFN\nDADJOHN\nDDGN\n" +
	"DCUJR\nDCAD\nDCBK\nDCDPH\nDBD06062018\nDBB06061986\nDBA12102024\nDBC1\nDAU068 in\nDAYBRO\nDAG2300 WEST BROAD STREET\n" +
	"DAIRICHMOND\nDAJVA\nDAK232690000  \nDCF2424244747474786102204\nDCGUSA\nDCK123456789\nDDAM\nDDB06062018\nDDC06062020\n" +
	"DDD1\rZVZVA01\r"

// codeOf is a code by an encoder of others, each module some pixels wide and each row three of them high, on a grey
// card.
func codeOf(t testing.TB, text string, level byte, module float64) *image.Gray {
	t.Helper()
	code, err := pdf417.Encode(text, level)
	if err != nil {
		t.Fatal(err)
	}
	b := code.Bounds() // two pixels a row
	margin := 30.0
	g := image.NewGray(image.Rect(0, 0, int(float64(b.Dx())*module+2*margin), int(float64(b.Dy())*1.5*module+2*margin)))
	const fine = 4
	for y := range g.Rect.Dy() {
		for x := range g.Rect.Dx() {
			sum := 0
			for k := range fine * fine {
				u := (float64(x) + (float64(k%fine)+0.5)/fine - margin) / module
				v := (float64(y) + (float64(k/fine)+0.5)/fine - margin) / module / 1.5
				ink := u >= 0 && v >= 0 && u < float64(b.Dx()) && v < float64(b.Dy())
				if r, _, _, _ := color.GrayModel.Convert(at(code, u, v, ink)).RGBA(); ink && r == 0 {
					sum += 40
				} else {
					sum += 225
				}
			}
			g.Pix[y*g.Stride+x] = uint8(sum / fine / fine)
		}
	}
	return g
}

func at(m image.Image, u, v float64, inside bool) color.Color {
	if !inside {
		return color.White
	}
	return m.At(int(u), int(v))
}

// seen is a picture after a camera: of a size, each of its points taken from a place of g.
func seen(g *image.Gray, width, height int, from func(x, y float64) (float64, float64)) *image.Gray {
	out := image.NewGray(image.Rect(0, 0, width, height))
	v := view{g, 0}
	for y := range height {
		for x := range width {
			u, w := from(float64(x), float64(y))
			if u < 0 || w < 0 || u >= float64(g.Rect.Dx()-1) || w >= float64(g.Rect.Dy()-1) {
				out.Pix[y*out.Stride+x] = 200
				continue
			}
			out.Pix[y*out.Stride+x] = uint8(v.grey(u, w))
		}
	}
	return out
}

func tilted(g *image.Gray, degrees float64) *image.Gray {
	side := g.Rect.Dx() + g.Rect.Dy()
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return seen(g, side, side, func(x, y float64) (float64, float64) {
		dx, dy := x-float64(side)/2, y-float64(side)/2
		return float64(g.Rect.Dx())/2 + dx*cos + dy*sin, float64(g.Rect.Dy())/2 - dx*sin + dy*cos
	})
}

func blurred(g *image.Gray, radius int) *image.Gray {
	return seenThrough(g, func(x, y int) uint8 {
		sum, n := 0, 0
		for dy := -radius; dy <= radius; dy++ {
			for dx := -radius; dx <= radius; dx++ {
				if p := image.Pt(x+dx, y+dy); p.In(g.Rect) {
					sum, n = sum+int(g.Pix[p.Y*g.Stride+p.X]), n+1
				}
			}
		}
		return uint8(sum / n)
	})
}

func seenThrough(g *image.Gray, f func(x, y int) uint8) *image.Gray {
	out := image.NewGray(g.Rect)
	for y := range g.Rect.Dy() {
		for x := range g.Rect.Dx() {
			out.Pix[y*out.Stride+x] = f(x, y)
		}
	}
	return out
}

func noisy(g *image.Gray, by int) *image.Gray {
	dice := rand.New(rand.NewPCG(1, 2))
	return seenThrough(g, func(x, y int) uint8 {
		return uint8(min(max(int(g.Pix[y*g.Stride+x])+dice.IntN(2*by+1)-by, 0), 255))
	})
}

func scratched(g *image.Gray, from, to float64) *image.Gray {
	return seenThrough(g, func(x, y int) uint8 {
		if at := float64(x) / float64(g.Rect.Dx()); at > from && at < to {
			return 225
		}
		return g.Pix[y*g.Stride+x]
	})
}

// Codes as cameras and scanners see them are read to the letter, wherever they lie.
func TestRead(t *testing.T) {
	straight := codeOf(t, card, 4, 4)
	w, h := float64(straight.Rect.Dx()), float64(straight.Rect.Dy())
	for name, g := range map[string]*image.Gray{
		"as printed":      straight,
		"on its head":     tilted(straight, 180),
		"upwards":         tilted(straight, -90),
		"downwards":       tilted(straight, 90),
		"tilted":          tilted(straight, 7),
		"tilted far":      tilted(straight, -24),
		"small":           codeOf(t, card, 4, 2.1),
		"smaller":         codeOf(t, card, 4, 1.7),
		"large":           codeOf(t, card, 4, 7),
		"out of focus":    blurred(straight, 2),
		"noise":           noisy(straight, 20),
		"small and noise": noisy(blurred(codeOf(t, card, 4, 2.6), 1), 10),
		"scratched":       scratched(codeOf(t, card, 5, 4), 0.45, 0.47),
		"light from aside": seenThrough(straight, func(x, y int) uint8 {
			return uint8(float64(straight.Pix[y*straight.Stride+x]) * (0.3 + 0.7*float64(x)/w))
		}),
		"seen from aside": seen(straight, int(w), int(h), func(x, y float64) (float64, float64) {
			d := 1 + 0.12*x/w
			return x * d, (y-h/2)*d + h/2
		}),
	} {
		t.Run(name, func(t *testing.T) {
			codes := Read(g)
			if len(codes) != 1 || codes[0].Text != card {
				t.Fatalf("read %d codes: %.80v", len(codes), codes)
			}
			c := codes[0]
			if c.X0 < 0 || c.X1 <= c.X0+20 || c.Y1 <= c.Y0+20 || c.X1 > g.Rect.Dx() {
				t.Errorf("its box is %d %d %d %d of %v", c.X0, c.Y0, c.X1, c.Y1, g.Rect)
			}
		})
	}
}

// Every alphabet, every mode and every strength of correction.
func TestRead_modes(t *testing.T) {
	for level := range byte(6) {
		for _, text := range []string{"ABC abc 123 ;,.", "12345678901234567890123456789012345678901234567890123", "a\x00b\xff\x01",
			"lower UPPER 1a2B{}", strings.Repeat("Straße 1\n", 8), "@\n\x1e\rANSI 6360"} {
			codes := Read(codeOf(t, text, level, 3))
			if len(codes) != 1 || codes[0].Text != text && codes[0].Text != printable(text) {
				t.Errorf("level %d, %q: %v", level, text, codes)
			}
		}
	}
}

// Words that are lost and wrong are corrected up to what the correction words can do, and never into others.
func TestCorrect(t *testing.T) {
	dice := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		count := 2 << dice.IntN(6)
		words := make([]int, 20+count)
		for i := range 20 {
			words[i] = dice.IntN(prime)
		}
		encode(words, count)
		damaged := append([]int(nil), words...)
		errors := dice.IntN(count + 1)
		places := dice.Perm(len(words))[:errors]
		var lost []int
		for k, at := range places {
			if damaged[at] = dice.IntN(prime); k%2 == 0 {
				lost = append(lost, at)
			}
		}
		can := 2*errors-len(lost) <= count-kept
		ok := correct(damaged, lost, count)
		if can && (!ok || fmt.Sprint(damaged) != fmt.Sprint(words)) {
			t.Fatalf("%d of %d words damaged, %d of them known: corrected %v", errors, len(words), len(lost), ok)
		}
	}
}

// encode puts the correction words behind the others.
func encode(words []int, count int) {
	generator := []int{1}
	for i := range count {
		generator = multiply(generator, []int{prime - gf().power(i+1), 1}, count+1)
	}
	rest := append([]int(nil), words[:len(words)-count]...)
	rest = append(rest, make([]int, count)...)
	for i := range len(words) - count {
		factor := rest[i]
		for k := range generator {
			rest[i+k] = (rest[i+k] + (prime-factor)*generator[count-k]) % prime
		}
	}
	for i := range count {
		words[len(words)-count+i] = (prime - rest[len(words)-count+i]) % prime
	}
}

// The table of symbols is that of the standard: bars and spaces of one to six modules, seventeen together, of the
// cluster that the column says.
func TestSymbols(t *testing.T) {
	n := 0
	for _, all := range symbols() {
		for _, s := range all {
			n++
			sum := 0.0
			for _, w := range s.widths {
				sum += w
			}
			w := s.widths
			if cluster := (int(w[0]-w[2]+w[4]-w[6]) + 9) % 9; sum != 17 || cluster != 3*s.cluster {
				t.Errorf("%d of cluster %d: %v", s.value, 3*s.cluster, s.widths)
			}
		}
	}
	if n != 3*prime {
		t.Errorf("%d symbols", n)
	}
}

// What is no code, and words that say nonsense, give nothing and end.
func FuzzUnpack(f *testing.F) {
	f.Add([]byte{3, 132, 3, 145, 0, 7})
	f.Fuzz(func(t *testing.T, data []byte) {
		var words []int
		for i := 0; i+1 < min(len(data), 2000); i += 2 {
			words = append(words, (int(data[i])<<8|int(data[i+1]))%prime)
		}
		unpack(words)
		correct(words, nil, min(8, len(words)))
	})
}

func FuzzRead(f *testing.F) {
	f.Add([]byte{0, 255, 0, 255, 128}, uint8(80))
	f.Fuzz(func(t *testing.T, pixels []byte, width uint8) {
		if len(pixels) == 0 {
			return
		}
		g := image.NewGray(image.Rect(0, 0, 60+int(width), 60))
		for i := range g.Pix {
			g.Pix[i] = pixels[i%len(pixels)]
		}
		Read(g)
	})
}

func BenchmarkRead_nothing(b *testing.B) {
	g := pageWithoutCode()
	for b.Loop() {
		Read(g)
	}
}

// pageWithoutCode is a page with lines of something like letters.
func pageWithoutCode() *image.Gray {
	dice := rand.New(rand.NewPCG(5, 6))
	g := image.NewGray(image.Rect(0, 0, 2400, 3200))
	for i := range g.Pix {
		g.Pix[i] = 230
		if i/2400%40 < 14 && i/7%3 == 0 {
			g.Pix[i] = uint8(dice.IntN(200))
		}
	}
	return g
}

package decode

import (
	"image"
	"math"
)

// A photographed card or sheet is seen at an angle: its lines rise or fall, the upper ones another way than the lower.
// Deskewing by one angle leaves that, and a caption at the left then stands on another line than its value.
const (
	leastTilt     = 0.6 * math.Pi / 180 // at a corner, below which rows hold together
	mostTilt      = 9 * math.Pi / 180
	leastTiltRows = 5 // lines that tell
	longRow       = 5 // heights of a line that is long enough to tell its angle
)

// slope is the angle of the lines of a picture at its places: tan = a + b·(y-cy)/h + c·(x-cx)/w.
type slope struct{ a, b, c, cx, cy, w, h float64 }

func (s slope) at(x, y float64) float64 { return s.a + s.b*(y-s.cy)/s.h + s.c*(x-s.cx)/s.w }

// dropAt is how far a line at height y has dropped at x, compared with the middle of the page.
func (s slope) dropAt(x, y float64) float64 {
	dx := x - s.cx
	return (s.a+s.b*(y-s.cy)/s.h)*dx + s.c*dx*dx/(2*s.w)
}

// levelWords moves the words of a picture so that its lines are level, and its pixels with them.
func levelWords(seen []seenWord, g *image.Gray) ([]seenWord, *image.Gray) {
	s, ok := tiltOf(seen, g.Bounds())
	if !ok {
		return seen, g
	}
	moved := make([]seenWord, len(seen))
	for i, w := range seen {
		if !w.Turned {
			x, y := (w.X0+w.X1)/2, (w.Y0+w.Y1)/2
			level := y - s.dropAt(x, y)
			level = y - s.dropAt(x, level) // the slope there, not here
			w.Y0, w.Y1 = w.Y0+level-y, w.Y1+level-y
		}
		moved[i] = w
	}
	b := g.Bounds()
	out := image.NewGray(image.Rect(0, 0, b.Dx(), b.Dy()))
	onEachCore(b.Dy(), func(y int) {
		for x := range b.Dx() {
			out.Pix[y*out.Stride+x] = sample(g, float64(x), float64(y)+s.dropAt(float64(x), float64(y)))
		}
	})
	return moved, out
}

// tiltOf fits the slope to the angles of the lines, each weighed by its length. It is false where the lines are level,
// or too few.
func tiltOf(seen []seenWord, b image.Rectangle) (slope, bool) {
	s := slope{cx: float64(b.Dx()) / 2, cy: float64(b.Dy()) / 2, w: float64(b.Dx()), h: float64(b.Dy())}
	var m [3][4]float64 // normal equations of a, b, c
	rows := 0
	for i := 0; i < len(seen); {
		first, last := seen[i], seen[i]
		for i++; i < len(seen) && seen[i].Line == first.Line; i++ {
			last = seen[i]
		}
		length, height := last.X1-first.X0, first.Y1-first.Y0
		if first.Turned || length < longRow*height || math.Abs(first.Angle) > mostTilt {
			continue
		}
		rows++
		x, y := (first.X0+last.X1)/2, (first.Y0+first.Y1+last.Y0+last.Y1)/4
		v := [4]float64{1, (y - s.cy) / s.h, (x - s.cx) / s.w, math.Tan(first.Angle)}
		for j := range 3 {
			for k := range 4 {
				m[j][k] += length * v[j] * v[k]
			}
		}
	}
	if rows < leastTiltRows {
		return s, false
	}
	total := m[0][0]
	for j := range 3 { // few lines in one place say nothing of the others
		m[j][j] += 0.002 * total
	}
	s.a, s.b, s.c = solve3(m)
	steepest := 0.0
	for _, x := range []float64{0, s.w} {
		for _, y := range []float64{0, s.h} {
			steepest = max(steepest, math.Abs(s.at(x, y)))
		}
	}
	return s, steepest > leastTilt && steepest < 2*mostTilt
}

// solve3 solves three equations by elimination; the diagonal is positive.
func solve3(m [3][4]float64) (a, b, c float64) {
	for i := range 3 {
		for j := i + 1; j < 3; j++ {
			part := m[j][i] / m[i][i]
			for k := i; k < 4; k++ {
				m[j][k] -= part * m[i][k]
			}
		}
	}
	c = m[2][3] / m[2][2]
	b = (m[1][3] - m[1][2]*c) / m[1][1]
	a = (m[0][3] - m[0][1]*b - m[0][2]*c) / m[0][0]
	return a, b, c
}

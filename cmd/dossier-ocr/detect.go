//go:build linux || darwin

package main

import (
	"math"
	"slices"
)

// Settings of detection, those of PP-OCR's own reader but for the side. Source: PaddleOCR, DBPostProcess.
const (
	longSide    = 1280 // pixels of the picture that detection sees
	sideStep    = 32   // its sides are multiples of this
	inText      = 0.3  // probability of a pixel that belongs to text
	isText      = 0.6  // mean probability of a box
	unclip      = 1.5  // the network marks the heart of a line: boxes are widened by this share of area to outline
	leastBox    = 3    // pixels of a box's shorter side
	mostBoxes   = 1000
	leastPixels = 10 // of a blot
)

// Mean and spread of a pixel that the network was taught with, by channel; the picture is grey.
var (
	channelMean   = [3]float32{0.485, 0.456, 0.406}
	channelSpread = [3]float32{0.229, 0.224, 0.225}
)

// box is a rectangle that may be tilted: its centre, its sizes along and across the line, and the angle of the line.
type box struct {
	x, y          float64
	width, height float64
	angle         float64 // radians; positive turns the line's end down
}

// detect finds lines of text, from the top down, in pixels of the picture.
func (r *reader) detect(p picture) ([]box, error) {
	scale := float64(longSide) / float64(max(p.w, p.h))
	if scale > 1 {
		scale = min(scale, 2) // a small picture gains little by more
	}
	side := func(n int) int { return max(int(math.Round(float64(n)*scale/sideStep))*sideStep, sideStep) }
	w, h := side(p.w), side(p.h)
	small := p.scaled(w, h)
	input := make([]float32, 3*w*h)
	for c := range 3 {
		for i, v := range small.pix {
			input[c*w*h+i] = (float32(v)/255 - channelMean[c]) / channelSpread[c]
		}
	}
	var found []box
	err := r.detection.run(input, []int64{1, 3, int64(h), int64(w)}, func(out []float32, _ []int64) {
		if len(out) == w*h {
			found = boxesOf(out, w, h)
		}
	})
	if err != nil {
		return nil, err
	}
	sx, sy := float64(p.w)/float64(w), float64(p.h)/float64(h)
	for i := range found {
		found[i] = found[i].stretched(sx, sy)
	}
	slices.SortStableFunc(found, func(a, b box) int { return int(a.y - b.y) })
	return found, nil
}

// stretched is the box when the picture's sides are scaled, which differ by little.
func (b box) stretched(sx, sy float64) box {
	sin, cos := math.Sincos(b.angle)
	along := math.Hypot(cos*sx, sin*sy)
	across := math.Hypot(sin*sx, cos*sy)
	return box{b.x * sx, b.y * sy, b.width * along, b.height * across, math.Atan2(sin*sy, cos*sx)}
}

type point struct{ x, y float64 }

// boxesOf are the boxes of text in a map of probabilities.
func boxesOf(probability []float32, w, h int) []box {
	seen := make([]bool, w*h)
	var found []box
	var stack []int
	for start, p := range probability {
		if seen[start] || p <= inText {
			continue
		}
		var edge []point
		stack = append(stack[:0], start)
		seen[start] = true
		sum, n := 0.0, 0
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			sum, n = sum+float64(probability[at]), n+1
			x, y := at%w, at/w
			inside := 0
			for dy := -1; dy <= 1; dy++ {
				for dx := -1; dx <= 1; dx++ {
					if x+dx < 0 || x+dx >= w || y+dy < 0 || y+dy >= h {
						continue
					}
					next := at + dy*w + dx
					if probability[next] <= inText {
						continue
					}
					inside++
					if !seen[next] {
						seen[next] = true
						stack = append(stack, next)
					}
				}
			}
			if inside < 9 {
				edge = append(edge, point{float64(x), float64(y)})
			}
		}
		if n < leastPixels || sum/float64(n) < isText {
			continue
		}
		if b := smallestBox(edge); min(b.width, b.height) >= leastBox && len(found) < mostBoxes {
			grow := 2 * b.width * b.height * unclip / (2 * (b.width + b.height))
			b.width, b.height = b.width+grow, b.height+grow
			found = append(found, b)
		}
	}
	return found
}

// smallestBox is the rectangle of least area around points: one of its sides lies on a side of their hull.
func smallestBox(points []point) box {
	hull := hullOf(points)
	if len(hull) < 2 {
		return box{}
	}
	var best box
	least := math.Inf(1)
	for i, a := range hull {
		b := hull[(i+1)%len(hull)]
		length := math.Hypot(b.x-a.x, b.y-a.y)
		if length == 0 {
			continue
		}
		ux, uy := (b.x-a.x)/length, (b.y-a.y)/length
		minU, maxU, minV, maxV := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
		for _, p := range hull {
			u, v := p.x*ux+p.y*uy, -p.x*uy+p.y*ux
			minU, maxU, minV, maxV = min(minU, u), max(maxU, u), min(minV, v), max(maxV, v)
		}
		if area := (maxU - minU + 1) * (maxV - minV + 1); area < least {
			least = area
			u, v := (minU+maxU)/2, (minV+maxV)/2
			best = upright(box{u*ux - v*uy, u*uy + v*ux, maxU - minU + 1, maxV - minV + 1, math.Atan2(uy, ux)})
		}
	}
	return best
}

// upright names the sides of a box so that its angle is at most 45 degrees.
func upright(b box) box {
	for b.angle > math.Pi/4 {
		b.angle -= math.Pi / 2
		b.width, b.height = b.height, b.width
	}
	for b.angle < -math.Pi/4 {
		b.angle += math.Pi / 2
		b.width, b.height = b.height, b.width
	}
	return b
}

// hullOf is the convex hull of points, counterclockwise (Andrew's monotone chain).
func hullOf(points []point) []point {
	slices.SortFunc(points, func(a, b point) int {
		if a.x != b.x {
			return int(a.x - b.x)
		}
		return int(a.y - b.y)
	})
	cross := func(o, a, b point) float64 { return (a.x-o.x)*(b.y-o.y) - (a.y-o.y)*(b.x-o.x) }
	var hull []point
	for range 2 {
		begin := len(hull)
		for _, p := range points {
			for len(hull) >= begin+2 && cross(hull[len(hull)-2], hull[len(hull)-1], p) <= 0 {
				hull = hull[:len(hull)-1]
			}
			hull = append(hull, p)
		}
		hull = hull[:len(hull)-1]
		slices.Reverse(points)
	}
	return hull
}

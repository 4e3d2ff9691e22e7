//go:build linux || darwin

package main

import "math"

// picture is grey pixels, row by row without gaps.
type picture struct {
	pix  []uint8
	w, h int
}

// at reads a grey value between pixels; beyond the edge the edge goes on.
func (p picture) at(x, y float64) float32 {
	x, y = min(max(x, 0), float64(p.w-1)), min(max(y, 0), float64(p.h-1))
	x0, y0 := int(x), int(y)
	x1, y1 := min(x0+1, p.w-1), min(y0+1, p.h-1)
	fx, fy := float32(x-float64(x0)), float32(y-float64(y0))
	top := float32(p.pix[y0*p.w+x0])*(1-fx) + float32(p.pix[y0*p.w+x1])*fx
	bottom := float32(p.pix[y1*p.w+x0])*(1-fx) + float32(p.pix[y1*p.w+x1])*fx
	return top*(1-fy) + bottom*fy
}

// scaled is the picture at another size: means of the pixels below when it shrinks, values between them when it grows.
func (p picture) scaled(w, h int) picture {
	out := picture{make([]uint8, w*h), w, h}
	sx, sy := float64(p.w)/float64(w), float64(p.h)/float64(h)
	if sx <= 1 || sy <= 1 {
		for y := range h {
			for x := range w {
				out.pix[y*w+x] = uint8(p.at((float64(x)+0.5)*sx-0.5, (float64(y)+0.5)*sy-0.5) + 0.5)
			}
		}
		return out
	}
	sums := make([]float64, w)
	for y := range h {
		clear(sums)
		top, bottom := float64(y)*sy, float64(y+1)*sy
		for row := int(top); row < min(int(math.Ceil(bottom)), p.h); row++ {
			weight := min(bottom, float64(row+1)) - max(top, float64(row))
			p.addRow(sums, row, weight, sx)
		}
		for x, sum := range sums {
			out.pix[y*w+x] = uint8(min(sum/(sx*sy)+0.5, 255))
		}
	}
	return out
}

// addRow adds the pixels of a row, weighted, to the sums of the wider pixels that cover them.
func (p picture) addRow(sums []float64, row int, weight, sx float64) {
	line := p.pix[row*p.w : (row+1)*p.w]
	for x := range sums {
		left, right := float64(x)*sx, float64(x+1)*sx
		sum := 0.0
		for at := int(left); at < min(int(math.Ceil(right)), p.w); at++ {
			sum += float64(line[at]) * (min(right, float64(at+1)) - max(left, float64(at)))
		}
		sums[x] += sum * weight
	}
}

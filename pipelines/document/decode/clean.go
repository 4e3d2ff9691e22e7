package decode

import (
	"image"
	"runtime"
	"sync"
)

// cleaned is the page as ink on white paper: shading and patterned backgrounds are flattened and specks are
// taken away. It is what OCR gets when the plain page was hard to read.
func cleaned(g *image.Gray) *image.Gray {
	out := flatten(g)
	despeckle(out)
	return out
}

// flatten keeps what is clearly darker than its surroundings, softly, and makes everything else white.
func flatten(g *image.Gray) *image.Gray {
	b := g.Bounds()
	w, h := b.Dx(), b.Dy()
	out := image.NewGray(image.Rect(0, 0, w, h))
	sums := make([]uint32, (w+1)*(h+1)) // integral image; 4,000 x 3,500 x 255 fits
	for y := range h {
		row := uint32(0)
		for x := range w {
			row += uint32(g.Pix[g.PixOffset(b.Min.X+x, b.Min.Y+y)])
			sums[(y+1)*(w+1)+x+1] = sums[y*(w+1)+x+1] + row
		}
	}
	radius := max(w/60, 12)
	onEachCore(h, func(y int) {
		y0, y1 := max(y-radius, 0), min(y+radius+1, h)
		above, below := sums[y0*(w+1):], sums[y1*(w+1):]
		from, to := g.Pix[g.PixOffset(b.Min.X, b.Min.Y+y):], out.Pix[y*out.Stride:]
		for x := range w {
			x0, x1 := max(x-radius, 0), min(x+radius+1, w)
			sum := below[x1] - above[x1] - below[x0] + above[x0]
			mean := int(sum / uint32((y1-y0)*(x1-x0)))
			ink := mean - int(from[x]) - mean/8
			to[x] = uint8(255 - min(max(ink*4, 0), 255))
		}
	})
	return out
}

// onEachCore calls f for each row of a picture, for as many rows at once as there are cores.
func onEachCore(rows int, f func(y int)) {
	var done sync.WaitGroup
	cores := runtime.GOMAXPROCS(0)
	for core := range cores {
		done.Go(func() {
			for y := rows * core / cores; y < rows*(core+1)/cores; y++ {
				f(y)
			}
		})
	}
	done.Wait()
}

const dark = 150

// speck is the most pixels of a group of ink that may be dirt.
const speck = 8

// despeckle erases dirt: tiny groups of ink with no letter near. A point beside a figure stays.
func despeckle(g *image.Gray) {
	w, h := g.Bounds().Dx(), g.Bounds().Dy()
	isInk := func(at int) bool { return g.Pix[at/w*g.Stride+at%w] < 200 }
	large := make([]bool, w*h) // ink of groups that are no specks
	seen := make([]bool, w*h)
	var specks [][]int
	var stack, group []int
	for start := range w * h {
		if seen[start] || !isInk(start) {
			continue
		}
		stack, group = append(stack[:0], start), group[:0]
		seen[start] = true
		for len(stack) > 0 {
			at := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			group = append(group, at)
			around(at, 1, w, h, func(n int) bool {
				if !seen[n] && isInk(n) {
					seen[n] = true
					stack = append(stack, n)
				}
				return false
			})
		}
		if len(group) <= speck {
			specks = append(specks, append([]int(nil), group...))
			continue
		}
		for _, at := range group {
			large[at] = true
		}
	}
	for _, s := range specks {
		if len(s) > 2 && around(s[0], 7, w, h, func(n int) bool { return large[n] }) {
			continue
		}
		for _, at := range s {
			g.Pix[at/w*g.Stride+at%w] = 255
		}
	}
}

// around calls see for the pixels within reach of at until it returns true, and reports whether it did.
func around(at, reach, w, h int, see func(int) bool) bool {
	x, y := at%w, at/w
	for ny := max(y-reach, 0); ny <= min(y+reach, h-1); ny++ {
		for nx := max(x-reach, 0); nx <= min(x+reach, w-1); nx++ {
			if see(ny*w + nx) {
				return true
			}
		}
	}
	return false
}

package decode

import "image"

// withoutRules is the page without the rules of its tables, underlines and leaders, and its ink. OCR reads a rule that
// runs close below a row as part of its letters, and loses the row's decimal points and hyphens.
//
// Two kinds are told apart by their ink. A dotted or broken rule is a chain of flat spots on one level; a
// full rule is one unbroken thin run far longer than a letter's stroke. Decimal points and hyphens are flat
// too, but no chain of them is as dense.
func withoutRules(g *image.Gray) (*image.Gray, mask) {
	m := inkMask(flatten(g))
	out := &image.Gray{Pix: append([]uint8(nil), g.Pix...), Stride: g.Stride, Rect: g.Rect}
	paper := paperOf(g)
	erase := func(x, y int) {
		m.rules++
		m.ink[y*m.w+x] = false
		for ny := max(y-1, 0); ny <= min(y+1, m.h-1); ny++ { // with the grey edge around it
			for nx := max(x-1, 0); nx <= min(x+1, m.w-1); nx++ {
				if !m.ink[ny*m.w+nx] {
					out.Pix[ny*out.Stride+nx] = max(out.Pix[ny*out.Stride+nx], paper)
				}
			}
		}
	}
	m.fullRules(erase)
	flat := m.flatSpots()
	m.dottedRules(flat, erase)
	m.dotLeaders(flat, erase)
	if m.rules == 0 {
		return g, m
	}
	return out, m
}

// paperOf is the grey of most of the page: what an erased pixel becomes.
func paperOf(g *image.Gray) uint8 {
	var count [256]int
	for _, p := range g.Pix {
		count[p]++
	}
	best := 255
	for v := range count {
		if count[v] > count[best] {
			best = v
		}
	}
	return uint8(max(best, dark))
}

// mask is a page as ink or no ink.
type mask struct {
	w, h  int
	ink   []bool
	rules int // pixels of ink that were rules and were taken away
}

func inkMask(flat *image.Gray) mask {
	m := mask{w: flat.Bounds().Dx(), h: flat.Bounds().Dy()}
	m.ink = make([]bool, m.w*m.h)
	for y := range m.h {
		for x := range m.w {
			m.ink[y*m.w+x] = flat.Pix[y*flat.Stride+x] < dark
		}
	}
	return m
}

func (m mask) at(x, y int) bool { return y >= 0 && y < m.h && x >= 0 && x < m.w && m.ink[y*m.w+x] }

// thin is the most pixels of height that a rule has: it grows with the page's resolution.
func (m mask) thin() int { return max(m.w/330, 4) }

// fullRules erases unbroken runs of ink longer than a stroke of a letter, where they are thin.
func (m mask) fullRules(erase func(x, y int)) {
	least, thin := max(m.w/16, 50), m.thin()
	type span struct{ y, x0, x1 int }
	var spans []span
	for y := range m.h {
		start, gap := -1, 0
		for x := 0; x <= m.w; x++ {
			if x < m.w && (m.at(x, y) || m.at(x, y+1)) {
				if start < 0 {
					start = x
				}
				gap = 0
				continue
			}
			if start < 0 {
				continue
			}
			if gap++; gap > 1 || x == m.w {
				if x-gap+1-start >= least {
					spans = append(spans, span{y, start, x - gap + 1})
				}
				start, gap = -1, 0
			}
		}
	}
	for _, s := range spans {
		for x := s.x0; x < s.x1; x++ {
			top, bottom := s.y, s.y
			for m.at(x, top-1) && s.y-top <= thin {
				top--
			}
			for m.at(x, bottom+1) && bottom-s.y <= thin {
				bottom++
			}
			if bottom-top+1 > thin {
				continue // a letter stands on the rule, or it is no rule
			}
			for y := top; y <= bottom; y++ {
				if m.at(x, y) {
					erase(x, y)
				}
			}
		}
	}
}

// spot is a connected group of ink.
type spot struct {
	x0, y0, x1, y1 int // inclusive
	pixels         []int
}

func (s spot) middle() int { return (s.y0 + s.y1) / 2 }

// dottedRules erases chains of flat spots.
func (m mask) dottedRules(flat []spot, erase func(x, y int)) {
	least, gap := max(m.w/28, 40), max(m.w/160, 7)
	used := make([]bool, len(flat))
	for i := range flat { // in the order of their left edges
		if used[i] {
			continue
		}
		chain, inked := []int{i}, flat[i].x1-flat[i].x0+1
		last := flat[i]
		for j := i + 1; j < len(flat) && flat[j].x0 <= last.x1+gap; j++ {
			d := flat[j].middle() - last.middle()
			if used[j] || d < -2 || d > 2 || flat[j].x1 <= last.x1 {
				continue
			}
			chain, inked, last = append(chain, j), inked+flat[j].x1-flat[j].x0+1, flat[j]
		}
		length := last.x1 - flat[i].x0 + 1
		if length < least || len(chain) < 4 && inked < length*9/10 || inked < length*35/100 {
			continue
		}
		for _, k := range chain {
			used[k] = true
			for _, at := range flat[k].pixels {
				erase(at%m.w, at/m.w)
			}
		}
	}
}

// dotLeaders erases rows of dots that lead the eye from a caption to its amount: at least six spots as wide as they
// are high, on one level and evenly apart. OCR makes words of them.
func (m mask) dotLeaders(flat []spot, erase func(x, y int)) {
	gap := max(m.w/50, 16)
	used := make([]bool, len(flat))
	dot := func(s spot) bool {
		w, h := s.x1-s.x0+1, s.y1-s.y0+1
		return w <= m.thin()+2 && h*3 >= w && w*3 >= h
	}
	for i := range flat {
		if used[i] || !dot(flat[i]) {
			continue
		}
		chain, step := []int{i}, 0
		last := flat[i]
		for j := i + 1; j < len(flat) && flat[j].x0-last.x0 <= gap; j++ {
			d, s := flat[j].middle()-last.middle(), flat[j].x0-last.x0
			if used[j] || !dot(flat[j]) || d < -1 || d > 1 || s < 4 || step > 0 && (s*10 < step*7 || s*10 > step*13) {
				continue
			}
			if step == 0 {
				step = s
			}
			chain, last = append(chain, j), flat[j]
		}
		if len(chain) < 6 {
			continue
		}
		for _, k := range chain {
			used[k] = true
			for _, at := range flat[k].pixels {
				erase(at%m.w, at/m.w)
			}
		}
	}
}

// flatSpots are the connected groups of ink no higher than a rule is, by left edge.
func (m mask) flatSpots() []spot {
	thin := m.thin()
	seen := make([]bool, len(m.ink))
	var spots []spot
	var stack, group []int
	for x := range m.w {
		for y := range m.h {
			start := y*m.w + x
			if seen[start] || !m.ink[start] {
				continue
			}
			s := spot{x0: x, x1: x, y0: y, y1: y}
			stack, group = append(stack[:0], start), group[:0]
			seen[start] = true
			for len(stack) > 0 {
				at := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				px, py := at%m.w, at/m.w
				s.x0, s.x1, s.y0, s.y1 = min(s.x0, px), max(s.x1, px), min(s.y0, py), max(s.y1, py)
				if s.y1-s.y0 < thin {
					group = append(group, at)
				}
				for ny := py - 1; ny <= py+1; ny++ {
					for nx := px - 1; nx <= px+1; nx++ {
						if n := ny*m.w + nx; m.at(nx, ny) && !seen[n] {
							seen[n] = true
							stack = append(stack, n)
						}
					}
				}
			}
			if s.y1-s.y0 < thin {
				s.pixels = append([]int(nil), group...)
				spots = append(spots, s)
			}
		}
	}
	return spots
}

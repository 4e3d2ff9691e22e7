package barcode

import (
	"math"
	"slices"
)

// edge is a place on a line where ink begins or ends, in steps of the line.
type edge struct {
	at   float64
	dark bool // ink begins
}

// Contrast between two extremes of brightness that is an edge: a share of the line's own, and never less.
const (
	edgeShare     = 0.2
	leastContrast = 14
)

// edgesOf are the edges of a line: half way between each two extremes of brightness, so that light that changes along
// the line moves none, and a blurred bar keeps its place.
func edgesOf(line []uint8, into []edge) []edge {
	into = into[:0]
	low, high := line[0], line[0]
	for _, v := range line {
		low, high = min(low, v), max(high, v)
	}
	enough := max(int(edgeShare*float64(high-low)), leastContrast)
	low, high = line[0], line[0]
	lowAt, highAt, rising := 0, 0, true
	for i, v := range line {
		switch {
		case rising && v >= high:
			high, highAt = v, i
		case rising && int(high)-int(v) >= enough:
			if int(high)-int(low) >= enough {
				into = append(into, edge{crossing(line, lowAt, highAt), false})
			}
			rising, low, lowAt = false, v, i
		case !rising && v <= low:
			low, lowAt = v, i
		case !rising && int(v)-int(low) >= enough:
			into = append(into, edge{crossing(line, highAt, lowAt), true})
			rising, high, highAt = true, v, i
		}
	}
	if rising && int(high)-int(low) >= enough {
		into = append(into, edge{crossing(line, lowAt, highAt), false})
	}
	if len(into) > 0 && !into[0].dark {
		into = into[1:]
	}
	return into
}

// crossing is where a line passes the middle between two of its points, the last time.
func crossing(line []uint8, from, to int) float64 {
	twice := int(line[from]) + int(line[to])
	for i := to - 1; i >= from; i-- {
		if a, b := 2*int(line[i])-twice, 2*int(line[i+1])-twice; a != b && (a <= 0 && b >= 0 || a >= 0 && b <= 0) {
			return float64(i) + float64(-a)/float64(b-a)
		}
	}
	return float64(from+to) / 2
}

// reversed are the edges of a line of a length, read from its end.
func reversed(edges []edge, length int, into []edge) []edge {
	into = into[:0]
	for i := len(edges) - 1; i >= 0; i-- {
		into = append(into, edge{float64(length-1) - edges[i].at, !edges[i].dark})
	}
	if len(into) > 0 && !into[0].dark {
		into = into[1:]
	}
	return into
}

// The patterns of the begin and the end of each row: the distances in modules from each edge to the next but one,
// which ink that runs does not change.
var (
	startPattern = [7]float64{9, 2, 2, 2, 2, 2, 4}
	stopPattern  = [7]float64{8, 2, 4, 4, 2, 2, 3}
)

// matches reports whether the nine edges from i are a pattern, and the width of its 17 modules.
func matches(edges []edge, i int, pattern [7]float64) (float64, bool) {
	if i+8 >= len(edges) || !edges[i].dark {
		return 0, false
	}
	width := edges[i+8].at - edges[i].at
	module := width / 17
	if edges[i+1].at-edges[i].at < 5.5*module {
		return 0, false
	}
	for k, want := range pattern {
		if math.Abs((edges[i+k+2].at-edges[i+k].at)/module-want) > 0.8 {
			return 0, false
		}
	}
	return width, true
}

// column is the first bars of a code, from the top to the bottom: u = base + slope·w.
type column struct {
	base, slope, module float64
	top, bottom         float64
	hits                int
	width               float64 // of the whole code, when it was read
}

func (c column) at(w float64) float64 { return c.base + c.slope*w }

type hit struct{ u, w, module float64 }

// Rows that are looked at for the begin of a code, and the columns, whose pixels lie far apart in memory: a row of a
// code is at least three modules high, and a code has several.
const (
	rowStep    = 4
	columnStep = 6
	leastHits  = 5
)

// columnsOf are the begins of codes in two views of which one shows the other's rows from their ends.
func columnsOf(views [2]view) [2][]column {
	_, height := views[0].size()
	var line []uint8
	var edges, back []edge
	var chains [2][][]hit
	step := rowStep
	if views[0].angle != 0 {
		step = columnStep
	}
	for w := step / 2; w < height; w += step {
		line = views[0].row(w, line)
		edges = edgesOf(line, edges)
		chains[0] = link(chains[0], edges, float64(w))
		back = reversed(edges, len(line), back)
		chains[1] = link(chains[1], back, float64(w))
	}
	var out [2][]column
	for i := range views {
		for _, c := range chains[i] {
			if i == 1 { // its rows run the other way
				for k := range c {
					c[k].w = float64(height-1) - c[k].w
				}
			}
			if col, ok := fit(c); ok {
				out[i] = append(out[i], col)
			}
		}
		slices.SortFunc(out[i], func(a, b column) int { return b.hits - a.hits })
		out[i] = out[i][:min(len(out[i]), mostCodes)]
	}
	return out
}

// link adds the begins of codes on one line to the chains of those of the lines before.
func link(chains [][]hit, edges []edge, w float64) [][]hit {
	for i := 0; i+8 < len(edges); i += 2 {
		width, ok := matches(edges, i, startPattern)
		if !ok {
			continue
		}
		h := hit{edges[i].at, w, width / 17}
		at := slices.IndexFunc(chains, func(c []hit) bool {
			last := c[len(c)-1]
			near := math.Abs(last.u-h.u) < 3*h.module+0.7*(w-last.w)
			return near && w-last.w <= 4*columnStep && math.Abs(last.module/h.module-1) < 0.3
		})
		if at >= 0 {
			chains[at] = append(chains[at], h)
		} else if len(chains) < 400 {
			chains = append(chains, []hit{h})
		}
	}
	return chains
}

// fit is the straight line through a chain, twice: the second time without what lies beside it.
func fit(chain []hit) (column, bool) {
	c := column{}
	for range 2 {
		var n, su, sw, sww, suw float64
		var modules []float64
		c.top, c.bottom = math.Inf(1), math.Inf(-1)
		for _, h := range chain {
			if c.hits > 0 && math.Abs(h.u-c.at(h.w)) > 1.2*c.module {
				continue
			}
			n, su, sw, sww, suw = n+1, su+h.u, sw+h.w, sww+h.w*h.w, suw+h.u*h.w
			modules = append(modules, h.module)
			c.top, c.bottom = min(c.top, h.w), max(c.bottom, h.w)
		}
		spread := n*sww - sw*sw
		if n < leastHits || spread <= 0 {
			return c, false
		}
		slices.Sort(modules)
		c.slope = (n*suw - su*sw) / spread
		c.base = (su - c.slope*sw) / n
		c.module, c.hits = modules[len(modules)/2], int(n)
	}
	return c, c.bottom-c.top > 6*c.module && math.Abs(c.slope) < 0.6
}

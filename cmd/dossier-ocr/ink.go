//go:build linux || darwin

package main

// inkMap says which pixels of a strip are ink.
type inkMap struct {
	ink     []bool
	w, h    int
	columns []int // ink by column, without the strip's edges
}

// A strip's outer rows hold the neighbours' ink.
const outerRows = 4

// inkOf separates ink from paper at Otsu's threshold. Ink is what there is less of.
func inkOf(s picture) inkMap {
	var counts [256]int
	for _, p := range s.pix {
		counts[p]++
	}
	level := otsuThreshold(counts, len(s.pix))
	dark := 0
	for _, p := range s.pix {
		if p <= level {
			dark++
		}
	}
	light := dark*2 > len(s.pix)
	k := inkMap{ink: make([]bool, len(s.pix)), w: s.w, h: s.h, columns: make([]int, s.w)}
	for i, p := range s.pix {
		k.ink[i] = (p <= level) != light
		if y := i / s.w; k.ink[i] && y >= outerRows && y < s.h-outerRows {
			k.columns[i%s.w]++
		}
	}
	return k
}

// otsuThreshold returns the grey level that maximizes the variance between the two groups.
func otsuThreshold(counts [256]int, all int) uint8 {
	sum := 0
	for v, n := range counts {
		sum += v * n
	}
	best, level := 0.0, 127
	below, sumBelow := 0, 0
	for v, n := range counts {
		below, sumBelow = below+n, sumBelow+v*n
		above := all - below
		if below == 0 || above == 0 {
			continue
		}
		d := float64(sumBelow)/float64(below) - float64(sum-sumBelow)/float64(above)
		if between := d * d * float64(below) * float64(above); between > best {
			best, level = between, v
		}
	}
	return uint8(level)
}

// firstColumn returns the first column with ink between two columns.
func (k inkMap) firstColumn(from, until float64) float64 {
	for x := max(int(from), 0); x < min(int(until), k.w); x++ {
		if k.columns[x] > 0 {
			return float64(x)
		}
	}
	return max(min(from, until), 0)
}

// lastColumn returns the end of the last column with ink between two columns.
func (k inkMap) lastColumn(from, until float64) float64 {
	for x := min(int(until), k.w) - 1; x > max(int(from), 0); x-- {
		if k.columns[x] > 0 {
			return float64(x + 1)
		}
	}
	return min(max(from, until), float64(k.w))
}

// gap returns the widest run of columns without ink between the middles of two characters, or their middle when there
// is none.
func (k inkMap) gap(from, until float64) (float64, float64) {
	most := 0
	end, begin := (from+until)/2, (from+until)/2
	for x := max(int(from), 0); x < min(int(until), k.w); x++ {
		start := x
		for x < min(int(until), k.w) && k.columns[x] == 0 {
			x++
		}
		if x-start > most {
			most, end, begin = x-start, float64(start), float64(x)
		}
	}
	return end, begin
}

// tight reports whether two characters are as close as those of one word. The network tends to see a space beside a
// thin letter, most of all in monospaced type.
func (k inkMap) tight(a, b glyph, pitch float64) bool {
	if b.space >= surelySpace || b.x-a.x > tightPitch*pitch {
		return false
	}
	end, begin := k.gap(a.x, b.x)
	return begin > end && begin-end < tightGap*pitch
}

// Heights of print in a strip, when its ink does not say them.
const (
	usualTop    = 0.14 * stripHeight
	usualBottom = 0.86 * stripHeight
	leastHeight = 0.3 * stripHeight
)

// rows returns the first row of a word's ink and the end of the last one. Rules above or below do not count.
func (k inkMap) rows(left, right float64) (float64, float64) {
	from, until := int(left), min(int(right), k.w)
	if until-from < 2 {
		return usualTop, usualBottom
	}
	first, last := -1, -1
	for y := 1; y < k.h-1; y++ {
		n := 0
		for x := from; x < until; x++ {
			if k.ink[y*k.w+x] {
				n++
			}
		}
		rule := n*10 > 9*(until-from) && until-from > stripHeight && (y < k.h/4 || y > k.h*3/4)
		if n*40 <= until-from || rule {
			if last >= 0 && y < k.h/3 && last-first < k.h/8 {
				first, last = -1, -1 // the feet of the line above
			}
			continue
		}
		if first < 0 {
			first = y
		}
		if last < 0 || y-last <= k.h/4 {
			last = y
		}
	}
	if first < 0 || float64(last+1-first) < leastHeight {
		return usualTop, usualBottom
	}
	return float64(first), float64(last + 1)
}

package barcode

import (
	"math"
	"slices"
)

// What a code has at most: rows, and words in a row with the two that say which row it is.
const (
	mostRows  = 90
	mostWords = 32
)

// word is one that a line of pixels read; its value is -1 where it did not.
type word struct{ cluster, value int }

// votes counts how often each value was read at a place of the code.
type votes [mostRows][mostWords]map[int]int

func (v *votes) add(row, column, value int) {
	if row < 0 || row >= mostRows || column >= mostWords {
		return
	}
	if v[row][column] == nil {
		v[row][column] = map[int]int{}
	}
	v[row][column][value]++
}

// mostVotes is the value with the most votes of a place, or -1.
func mostVotes(counts map[int]int) int {
	best, votes := -1, 0
	for value, n := range counts {
		if n > votes || n == votes && value < best {
			best, votes = value, n
		}
	}
	return best
}

// decode reads the code that begins with a column, and how wide it is: along many lines across it, each word of which
// is a vote.
func decode(v view, c *column) (string, bool) {
	var seen votes
	var buffer []uint8
	var edges []edge
	lines := [][]word{}
	across := 1 / math.Hypot(1, c.slope)
	step := min(1, c.module/4)
	width, height := v.size()
	length := int(min(17*float64(mostWords+3)*c.module, 1.2*float64(max(width, height))) / step)
	for w := c.top - 2*c.module; w <= c.bottom+2*c.module; w += max(0.6*c.module, 1) {
		u := c.at(w) - 3*c.module
		buffer = buffer[:0]
		for i := range length {
			along := float64(i) * step * across
			x, y := u+along, w-along*c.slope
			if x > float64(width) || y < -c.module || y > float64(height)+c.module {
				break
			}
			// three lines close together, which lie in one row: what differs is noise
			shift := 0.5 * c.module
			buffer = append(buffer, uint8((v.grey(x, y)+v.grey(x+shift*c.slope, y+shift)+
				v.grey(x-shift*c.slope, y-shift))/3))
		}
		if len(buffer) < 20 {
			continue
		}
		edges = edgesOf(buffer, edges)
		if words, end := readWords(edges, c.module/step); words != nil {
			lines = append(lines, words)
			c.width = max(c.width, end*step)
		}
	}
	for _, words := range lines {
		assignRows(words, &seen)
	}
	return assemble(&seen)
}

// readWords reads the words of one line, from the pattern of its begin to that of its end. It starts anew at the place
// where the next word should begin when one cannot be read.
func readWords(edges []edge, module float64) ([]word, float64) {
	begin := -1
	for i := 0; i+8 < len(edges) && edges[i].at < 8*module; i += 2 {
		if _, ok := matches(edges, i, startPattern); ok {
			begin = i
			break
		}
	}
	if begin < 0 {
		return nil, 0
	}
	at := edges[begin+8].at
	module = (at - edges[begin].at) / 17
	bars := 0.0
	for k := 0; k < 8; k += 2 {
		bars += edges[begin+k+1].at - edges[begin+k].at
	}
	spread := (bars/module - 11) / 4
	var words []word
	for lost, i := 0, begin+8; len(words) < mostWords+1 && lost < 4; {
		i = nearest(edges, i, at)
		if i+8 >= len(edges) {
			break
		}
		if _, ok := matches(edges, i, stopPattern); ok {
			return words, edges[i+8].at
		}
		width := edges[i+8].at - edges[i].at
		s, ok := symbolAt(edges, i, spread)
		if !ok || math.Abs(edges[i].at-at) > 1.5*module || math.Abs(width/module-17) > 1.7 {
			words, lost, at = append(words, word{0, -1}), lost+1, at+17*module
			continue
		}
		words, lost, at, i = append(words, word{s.cluster, s.value}), 0, edges[i+8].at, i+8
		module = 0.7*module + 0.3*width/17
	}
	return words, 0
}

// nearest is the edge nearest to a place where ink begins, from edge i on.
func nearest(edges []edge, i int, at float64) int {
	i -= i % 2 // ink begins at the even ones
	for i+2 < len(edges) && math.Abs(edges[i+2].at-at) < math.Abs(edges[i].at-at) {
		i += 2
	}
	return i
}

// assignRows gives the words of a line their rows. The first word names its row; each following one is in the same row
// or, where the line is oblique, in a neighbouring one, which its cluster tells: clusters alternate by row.
func assignRows(words []word, seen *votes) {
	if len(words) == 0 || words[0].value < 0 {
		return
	}
	row := 3*(words[0].value/30) + words[0].cluster
	for k, w := range words {
		if w.value < 0 {
			continue
		}
		switch (w.cluster - row%3 + 3) % 3 {
		case 1:
			row++
		case 2:
			row--
		}
		seen.add(row, k, w.value)
	}
}

// shape is what the first and the last words of the rows say of a code.
type shape struct{ rows, columns, level int }

// shapesOf are the shapes that the words of the rows' begins say, and those of their ends where they differ: there are
// printers of codes that count the rows wrong on one side.
func shapesOf(seen *votes) []shape {
	first := votesOf(seen, 0, [3]int{0, 1, 2})
	columns := mostVotes(first[2])
	if columns < 0 {
		return nil
	}
	last := votesOf(seen, columns+2, [3]int{1, 2, 0})
	var shapes []shape
	for _, words := range [][3]map[int]int{first, last, {last[0], first[1], first[2]}} {
		thirds, level := mostVotes(words[0]), mostVotes(words[1])
		s := shape{rows: 3*thirds + level%3 + 1, columns: columns + 1, level: level / 3}
		n := s.rows * s.columns
		if thirds >= 0 && level >= 0 && s.rows >= 3 && s.rows <= mostRows && s.level <= 8 && n <= 928 &&
			n > 2<<s.level && !slices.Contains(shapes, s) {
			shapes = append(shapes, s)
		}
	}
	return shapes
}

// votesOf counts the votes for what the row indicators of a column encode: a third of the number of rows, the level of
// error correction with the remainder, and the number of columns. Each stands in every third row, from row at.
func votesOf(seen *votes, column int, at [3]int) (counts [3]map[int]int) {
	for i := range counts {
		counts[i] = map[int]int{}
		for row := at[i]; row < mostRows && column < mostWords; row += 3 {
			for value, n := range seen[row][column] {
				if value/30 == row/3 {
					counts[i][value%30] += n
				}
			}
		}
	}
	return counts
}

// assemble puts the words together that the lines voted for, and corrects them.
func assemble(seen *votes) (string, bool) {
	for _, s := range shapesOf(seen) {
		if text, ok := s.assemble(seen); ok {
			return text, true
		}
	}
	return "", false
}

func (s shape) assemble(seen *votes) (string, bool) {
	words := make([]int, 0, s.rows*s.columns)
	var lost []int
	for row := range s.rows {
		for k := range s.columns {
			value := mostVotes(seen[row][k+1])
			if value < 0 {
				lost = append(lost, len(words))
				value = 0
			}
			words = append(words, value)
		}
	}
	if !correct(words, lost, 2<<s.level) {
		return "", false
	}
	length := words[0]
	if length < 1 || length > len(words)-2<<s.level {
		return "", false
	}
	return unpack(words[1:length]), true
}

package specimen

import (
	"slices"
	"strings"
)

// splitGap is how far left of the sums their details stand, in points.
const splitGap = 62

// besides draws a statement whose second half stands right of the first.
func (p *filingPaper) besides(s *filingPage) {
	n, half := len(s.columns), p.width/2
	p.edges, p.base.size = nil, min(p.size, 7.5)
	p.top(&filingPage{titles: s.titles, columns: s.columns})
	top, low := p.y, 0.0
	gap := min(64, (half-190)/float64(max(n, 1)))
	for k, rows := range [][]filingRow{s.rows[:s.side], s.rows[s.side:]} {
		left := 30 + float64(k)*(half-14)
		p.edges, p.y = nil, top
		for i := range n {
			p.edges = append(p.edges, left+half-42-gap*float64(n-1-i))
		}
		for _, cells := range s.heads {
			p.headAt(left, ofSide(k, cells))
		}
		p.y += 5
		for _, r := range rows {
			p.sideRow(s, r, left)
		}
		low = max(low, p.y)
	}
	p.y = low
	p.foot(s)
}

// sideRow prints a row of one side. What ends a side stands on the line of its longer one only by chance.
func (p *filingPaper) sideRow(s *filingPage, r filingRow, left float64) {
	p.p.text(left+float64(r.level)*6, p.y, r.caption, p.base)
	for i := range s.columns {
		if text := p.cell(s, r, i); text != "" {
			edge := p.edges[i]
			if s.split && r.level > 0 {
				edge -= splitGap - 10
			}
			p.p.right(edge, p.y, text, p.base)
		}
	}
	p.y += p.base.size + 3.5
}

// ofSide are the cells of a line of heads above one side: "Liabilities // Assets" says one word above each.
func ofSide(side int, cells []string) []string {
	out := slices.Clone(cells)
	for i, c := range out {
		if a, b, ok := strings.Cut(c, " // "); ok {
			out[i] = []string{a, b}[side]
		}
	}
	return out
}

// headAt prints a line above the columns of a side; a first cell more stands above its captions.
func (p *filingPaper) headAt(left float64, cells []string) {
	st := p.base.bold().at(p.base.size - 0.5)
	if len(cells) > len(p.edges) {
		p.p.text(left, p.y, cells[0], st)
		cells = cells[1:]
	}
	for i, c := range cells {
		p.p.right(p.edges[i], p.y, c, st)
	}
	p.y += p.base.size + 3
}

// sides are the rows of a statement with two sides as cells.
func (b *filingBooks) sides(s *filingPage) [][]string {
	left, right := s.rows[:s.side], s.rows[s.side:]
	var all [][]string
	for _, cells := range s.heads {
		var line []string
		for side := range 2 {
			if len(cells) == len(s.columns) {
				line = append(line, "")
			}
			for i, c := range ofSide(side, cells) {
				if i == 0 && len(cells) > len(s.columns) {
					line = append(line, c)
					continue
				}
				line = append(line, b.headSlots(s, c)...)
			}
		}
		all = append(all, line)
	}
	for i := range max(len(left), len(right)) {
		var line []string
		for _, rows := range [][]filingRow{left, right} {
			r := filingRow{}
			if i < len(rows) {
				r = rows[i]
			}
			line = append(line, r.caption)
			for at := range s.columns {
				line = append(line, b.slots(s, r, b.cell(s, r, at))...)
			}
		}
		all = append(all, line)
	}
	return all
}

// slots are the cells that a figure takes: its currency in one of its own, or a place among the details or the sums.
func (b *filingBooks) slots(s *filingPage, r filingRow, text string) []string {
	switch {
	case s.split && r.level > 0:
		return []string{text, ""}
	case s.split:
		return []string{"", text}
	case b.own != "" && text != "":
		return []string{b.own, text}
	case b.own != "":
		return []string{"", text}
	}
	return []string{text}
}

// headSlots are the cells that the head of a column takes.
func (b *filingBooks) headSlots(s *filingPage, text string) []string {
	switch {
	case s.split:
		return []string{"", text}
	case b.own != "":
		return []string{text, ""}
	}
	return []string{text}
}

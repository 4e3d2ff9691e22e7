package render

import (
	"cmp"

	"github.com/johnfercher/maroto/v2/pkg/components/col"
	"github.com/johnfercher/maroto/v2/pkg/components/row"
	"github.com/johnfercher/maroto/v2/pkg/consts/align"
	"github.com/johnfercher/maroto/v2/pkg/consts/border"
	"github.com/johnfercher/maroto/v2/pkg/consts/fontstyle"
	"github.com/johnfercher/maroto/v2/pkg/core"
	"github.com/johnfercher/maroto/v2/pkg/props"
)

// cellText is one cell of a table row.
type cellText struct {
	text  string
	width int // percent of the paper's
	right bool
}

// look is how a row is drawn.
type look struct {
	bold  bool
	head  bool
	band  bool
	line  bool
	small bool
}

// tableRow is a row of a table that is measured before it is drawn.
type tableRow struct {
	look  look
	cells []cellText
}

func left(s string, width int) cellText  { return cellText{text: s, width: width} }
func right(s string, width int) cellText { return cellText{text: s, width: width, right: true} }

// Padding above and below the words of a row, both together, in mm.
const (
	airy  = 1.4
	tight = 0.4
)

// size is the type of a row in points.
func (l look) size() float64 {
	switch {
	case l.head:
		return 7
	case l.small:
		return 6.5
	}
	return 7.5
}

func lineOf(size float64) float64 { return size * 0.43 }

// edge is the white between a word and the edge of its cell, in mm. Figures keep the room of a parenthesis, which a
// negative one has there, so that digits stand below each other.
const edge = 0.8

// words of a cell, broken into the lines that fit it. A caption right of a figure keeps away from it.
func (p *report) wrapped(l look, cells []cellText, i int) (lines []string, style props.Text) {
	c := cells[i]
	style = props.Text{Size: l.size(), Top: p.padding / 2, Left: edge, Right: edge}
	if l.bold {
		style.Style = fontstyle.Bold
	}
	if l.head {
		style.Color = white
	}
	switch {
	case c.right:
		style.Align = align.Right
		style.Right += p.ruler.width(")", l.size(), l.bold)
	case i > 0 && cells[i-1].right:
		style.Left += 2.2
	}
	room := p.paper.width*float64(c.width)/grid - style.Left - style.Right - 0.4
	return p.ruler.wrap(printable(c.text), room, l.size(), l.bold), style
}

// measure is how high a row is.
func (p *report) measure(l look, cells []cellText) float64 {
	lines := 1
	for i := range cells {
		wrapped, _ := p.wrapped(l, cells, i)
		lines = max(lines, len(wrapped))
	}
	return max(3+p.padding, float64(lines)*lineOf(l.size())+p.padding)
}

// drawn is a row as it stands on the page: its colours and lines end where its last cell does.
func (p *report) drawn(l look, cells []cellText) (core.Row, float64) {
	height := p.measure(l, cells)
	var columns []core.Col
	for i, c := range cells {
		wrapped, style := p.wrapped(l, cells, i)
		column := col.New(c.width)
		for k, words := range wrapped {
			s := style
			s.Top += float64(k) * lineOf(s.Size)
			if c.right && len(words) > 0 && words[len(words)-1] == ')' && !l.head {
				s.Right -= p.ruler.width(")", s.Size, l.bold)
			}
			column.Add(p.ruler.words(words, s)...)
		}
		switch {
		case l.head:
			column.WithStyle(&props.Cell{BackgroundColor: dark})
		case l.band:
			column.WithStyle(&props.Cell{BackgroundColor: light})
		case l.line:
			column.WithStyle(&props.Cell{BorderType: border.Top, BorderColor: grey, BorderThickness: 0.2})
		}
		columns = append(columns, column)
	}
	return row.New(height).Add(columns...), height
}

// widthOf is what the cells of a row take.
func widthOf(cells []cellText) int {
	sum := 0
	for _, c := range cells {
		sum += c.width
	}
	return sum
}

// band is the caption of a section of a table.
func band(title string, width int) tableRow {
	return tableRow{look{bold: true, band: true}, []cellText{left(title, width)}}
}

// heightOf is what a table takes with its head.
func (p *report) heightOf(head []cellText, rows []tableRow) float64 {
	sum := p.measure(look{bold: true, head: true}, head)
	for _, r := range rows {
		sum += p.measure(r.look, r.cells)
	}
	return sum
}

const titleHeight = 8 // mm

// place puts a table where it is not torn apart: below what stands on the page, on the next page, on one with its
// rows closer together, or, where it is longer than that, over pages that part between its sections.
func (p *report) place(head []cellText, rows []tableRow) {
	room := p.paper.height - titleHeight - 0.01 // sums in another order may be a hair more
	if p.used > titleHeight {
		p.heading, p.headUsed = nil, 0
		if p.used+5+p.heightOf(head, rows) <= p.paper.height {
			p.gap()
		} else {
			p.breakPage()
			p.title()
		}
	}
	for p.padding = airy; p.padding > tight && p.heightOf(head, rows) > room; {
		p.padding = max(tight, p.padding-0.2)
	}
	if p.heightOf(head, rows) > room {
		p.padding = airy
	}
	p.head(head...)
	at := p.parting(rows, room-p.headUsed)
	for i, r := range rows {
		if i == at && at > 0 {
			p.used = p.paper.height
		}
		drawn, height := p.drawn(r.look, r.cells)
		p.add(height, drawn)
	}
	p.padding = airy
}

// parting is the row that a table longer than a page goes on with on the next one: the section that would be torn, or,
// where the page would be left half empty, the row with which as many rows go along as make the rest look like a table.
// 0: it fits.
func (p *report) parting(rows []tableRow, room float64) (at int) {
	used := 0.0
	for i, r := range rows {
		if r.look.band && used > room/2 {
			at = i
		}
		if used += p.measure(r.look, r.cells); used > room {
			return cmp.Or(at, min(i, max(1, len(rows)-6)))
		}
	}
	return 0
}

// fewest is how many rows of a list go over to a last page: fewer look forgotten.
const fewest = 4

// list adds a table that may be long, below what stands on the page and over as many pages as it takes. Its rows stand
// closer together where one or a few would otherwise have the last page for themselves.
func (p *report) list(head []cellText, rows []tableRow) {
	for p.padding = airy; p.padding > tight && p.lastPage(head, rows) < min(fewest, len(rows)); {
		p.padding = max(tight, p.padding-0.2)
	}
	if p.lastPage(head, rows) < min(fewest, len(rows)) {
		p.padding = airy
	}
	p.head(head...)
	for _, r := range rows {
		p.line(r.look, r.cells...)
	}
	p.padding = airy
}

// lastPage is how many rows of a list its last page would have.
func (p *report) lastPage(head []cellText, rows []tableRow) int {
	top := p.measure(look{bold: true, head: true}, head)
	used, count := p.used+top, 0
	if used+3*lineHeight > p.paper.height {
		used = titleHeight + top
	}
	for _, r := range rows {
		height := p.measure(r.look, r.cells)
		if used+height > p.paper.height {
			used, count = titleHeight+top, 0
		}
		used += height
		count++
	}
	return count
}

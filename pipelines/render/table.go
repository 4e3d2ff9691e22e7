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
	loosePadding = 1.4
	tightPadding = 0.4
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

// edge is the padding between text and the edge of its cell, in mm. Figures keep room for the closing parenthesis of a
// negative one, so that digits align.
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

// place puts a table where it is not split: below what is on the page, on the next page, or on a page with tighter
// rows. A longer table is split between its sections.
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
	for p.padding = loosePadding; p.padding > tightPadding && p.heightOf(head, rows) > room; {
		p.padding = max(tightPadding, p.padding-0.2)
	}
	if p.heightOf(head, rows) > room {
		p.padding = loosePadding
	}
	p.head(head...)
	at := p.pageBreak(rows, room-p.headUsed)
	for i, r := range rows {
		if i == at && at > 0 {
			p.used = p.paper.height
		}
		drawn, height := p.drawn(r.look, r.cells)
		p.add(height, drawn)
	}
	p.padding = loosePadding
}

// pageBreak returns the row with which a table longer than a page continues on the next one: the section that would be
// split or, where that would leave the page half empty, the row that leaves enough rows for the next page. 0: the table
// fits.
func (p *report) pageBreak(rows []tableRow, room float64) (at int) {
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

// minRowsOnLastPage is how many rows of a list a last page has at least.
const minRowsOnLastPage = 4

// list adds a table that may be long, below what is on the page and over as many pages as it takes. Rows are set
// tighter where one or a few would otherwise be alone on the last page.
func (p *report) list(head []cellText, rows []tableRow) {
	least := min(minRowsOnLastPage, len(rows))
	for p.padding = loosePadding; p.padding > tightPadding && p.lastPage(head, rows) < least; {
		p.padding = max(tightPadding, p.padding-0.2)
	}
	if p.lastPage(head, rows) < min(minRowsOnLastPage, len(rows)) {
		p.padding = loosePadding
	}
	p.head(head...)
	for _, r := range rows {
		p.line(r.look, r.cells...)
	}
	p.padding = loosePadding
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

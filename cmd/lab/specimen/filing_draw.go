package specimen

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"

	"github.com/xuri/excelize/v2"
)

// filingPaper is a filing being drawn.
type filingPaper struct {
	*filingBooks
	sheet *sheet
	p     *page
	y     float64
	base  style
	edges []float64

	width, height, size float64
}

// draw prints the filing, each page of the description on a page or more of its own.
func (b *filingBooks) draw() *sheet {
	width, height := float64(letterWidth), float64(letterHeight)
	if b.wide {
		width, height = height, width
	}
	made := newSheet(width, height, "Report", b.made())
	made.producer = "Report Writer 4"
	faces := []style{{serif, 9, black}, {sans, 8.5, black}, {serif, 8, black}}
	p := &filingPaper{filingBooks: b, sheet: made, base: faces[len(b.name)%len(faces)], width: width, height: height}
	p.size = p.base.size
	for i := range b.pages {
		p.page(&b.pages[i])
	}
	return made
}

func (p *filingPaper) page(s *filingPage) {
	if s.side > 0 {
		p.besides(s)
		return
	}
	n := len(s.columns)
	p.edges, p.base.size = nil, p.size
	if n > 8 {
		p.base.size = 6.2
	}
	gap := max(min(88, (p.width-282)/float64(max(n, 1))), p.widest(s)+10)
	if s.split {
		gap = max(gap, 2*splitGap)
	}
	for i := range n {
		p.edges = append(p.edges, p.width-46-gap*float64(n-1-i))
	}
	p.top(s)
	for i, r := range s.rows {
		if p.y > p.height-70 || s.breaks > 0 && i == s.breaks {
			p.foot(s)
			p.top(s)
		}
		p.row(s, r, gap)
	}
	p.foot(s)
}

// widest is the width of the longest head that stands over one column.
func (p *filingPaper) widest(s *filingPage) float64 {
	w := 0.0
	for _, cells := range s.heads {
		for i, c := range cells {
			if spanned := i+1 < len(cells) && cells[i+1] == "<"; c != "<" && !spanned && len(cells) <= len(s.columns) {
				w = max(w, p.base.bold().at(p.base.size-1).w(c))
			}
		}
	}
	return w
}

// top begins a page with its titles and the heads of its columns.
func (p *filingPaper) top(s *filingPage) {
	p.p, p.y = p.sheet.add(), 58
	for i, t := range s.titles {
		st := p.base
		if i < 2 {
			st = st.bold()
		}
		if n := len(s.columns); n > 0 {
			p.p.centre(p.width/2, p.y, t, st)
		} else {
			p.p.text(60, p.y, t, st)
		}
		p.y += p.base.size + 4
	}
	p.y += 8
	for _, cells := range s.heads {
		p.head(cells)
	}
	p.y += 5
}

// head prints a line above the columns; a cell that goes on stands in the middle of what it spans.
func (p *filingPaper) head(cells []string) {
	st := p.base.bold().at(p.base.size - 1)
	if len(cells) > len(p.edges) { // the first stands above the captions
		p.p.text(52, p.y, cells[0], st)
		cells = cells[1:]
	}
	for i := 0; i < len(cells); i++ {
		last := i
		for last+1 < len(cells) && cells[last+1] == "<" {
			last++
		}
		switch {
		case cells[i] == "" || cells[i] == "<":
		case last > i:
			p.p.centre((p.edges[i]+p.edges[last])/2-20, p.y, cells[i], st)
		default:
			p.p.right(p.edges[i], p.y, cells[i], st)
		}
		i = last
	}
	p.y += p.base.size + 3
}

func (p *filingPaper) row(s *filingPage, r filingRow, gap float64) {
	if len(s.columns) == 0 {
		p.y = p.p.paragraph(60, p.y, 490, p.base.size+3, r.caption, p.base) + 6
		return
	}
	caption, room := r.caption, p.edges[0]-gap+14-52-float64(r.level)*10
	hang := 1
	if p.narrow {
		room, hang = 128, 0
	}
	for p.base.w(caption) > room && strings.Contains(caption, " ") { // a long caption takes two lines
		cut := len(caption)
		for p.base.w(caption[:cut]) > room && strings.LastIndex(caption[:cut], " ") > 0 {
			cut = strings.LastIndex(caption[:cut], " ")
		}
		p.p.text(52+float64(r.level)*10, p.y, caption[:cut], p.base)
		caption, p.y, r.level, room = strings.TrimSpace(caption[cut:]), p.y+p.base.size+1.5, r.level+hang, room-10*float64(hang)
	}
	p.p.text(52+float64(r.level)*10, p.y, caption, p.base)
	for i := range s.columns {
		text := p.cell(s, r, i)
		if text == "" {
			continue
		}
		edge := p.edges[i]
		if s.split && r.level > 0 {
			edge -= splitGap
		}
		if strings.HasSuffix(text, ")") || strings.HasSuffix(text, "%") {
			edge += p.base.w(text[len(text)-1:]) // the digits stand under each other
		}
		p.p.right(edge, p.y, text, p.base)
		if p.currency == "USD" && strings.HasPrefix(r.id, "total") {
			p.p.text(p.edges[i]-gap+24, p.y, "$", p.base)
		}
	}
	p.y += p.base.size + 3.5
}

func (p *filingPaper) foot(s *filingPage) {
	for i, f := range s.feet {
		p.p.text(52, p.height-48+float64(i)*10, f, p.base.at(7))
	}
	p.p.centre(p.width/2, p.height-20, fmt.Sprint(len(p.sheet.pages)+20), p.base.at(8))
}

// table is a page as cells: titles, heads, rows.
func (b *filingBooks) table(s *filingPage) [][]string {
	var all [][]string
	for _, t := range s.titles {
		all = append(all, []string{t})
	}
	all = append(all, nil)
	if s.side > 0 {
		return append(all, b.sides(s)...)
	}
	for _, h := range s.heads {
		line := []string{""}
		if b.codes {
			line = append(line, "")
		}
		for _, c := range h {
			line = append(line, b.headSlots(s, strings.TrimPrefix(c, "<"))...)
		}
		all = append(all, line)
	}
	for i, r := range s.rows {
		line := []string{strings.Repeat("  ", r.level) + r.caption}
		if b.codes {
			line = []string{"", r.caption}
			if r.expr != "" && strings.HasPrefix(r.id, "_") || b.posted(r) {
				line[0] = strconv.Itoa(4000 + 10*i)
			}
		}
		for i := range s.columns {
			text := b.cell(s, r, i)
			if text == "-" && b.format != "csv" {
				text = ""
			}
			line = append(line, b.slots(s, r, text)...)
		}
		all = append(all, line)
	}
	all = append(all, nil)
	for _, f := range s.feet {
		all = append(all, []string{f})
	}
	return all
}

// posted reports whether a row is an account and no sum: its figure is of the dice.
func (b *filingBooks) posted(r filingRow) bool {
	_, err := strconv.ParseInt(r.expr, 10, 64)
	return err == nil
}

// workbook writes a sheet for each page, amounts as numbers.
func (b *filingBooks) workbook() []byte {
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	must := func(err error) {
		if err != nil {
			panic(err) // cells and sheet names here are valid by construction
		}
	}
	must(f.SetDocProps(&excelize.DocProperties{Created: "2024-01-02T03:04:05Z", Modified: "2024-01-02T03:04:05Z",
		Creator: "Report Writer"}))
	for i := range b.pages {
		name := cmp.Or(b.pages[i].sheet, fmt.Sprintf("Sheet%d", i+1))
		if i == 0 {
			must(f.SetSheetName("Sheet1", name))
		} else {
			_, err := f.NewSheet(name)
			must(err)
		}
		for y, line := range b.table(&b.pages[i]) {
			for x, text := range line {
				cell, err := excelize.CoordinatesToCellName(x+1, y+1)
				must(err)
				must(f.SetCellValue(name, cell, b.cellValue(x, text)))
			}
		}
	}
	var out bytes.Buffer
	must(f.Write(&out))
	return out.Bytes()
}

// cellValue is a cell's content: amounts right of the captions are numbers.
func (b *filingBooks) cellValue(x int, text string) any {
	var v float64
	plain := strings.ReplaceAll(text, ",", "")
	if n, err := fmt.Sscanf(plain, "%f", &v); x > 0 && n == 1 && err == nil && strings.Trim(plain,
		"-0123456789.") == "" {
		return v
	}
	if text == "" {
		return nil
	}
	return text
}

// csv writes the pages one below the other.
func (b *filingBooks) csv() []byte {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	for i := range b.pages {
		for _, line := range b.table(&b.pages[i]) {
			_ = w.Write(append(line, make([]string, max(0,
				len(b.pages[i].columns)+1-len(line)))...)) // a bytes.Buffer takes everything
		}
	}
	w.Flush()
	return out.Bytes()
}

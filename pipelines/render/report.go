package render

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/johnfercher/maroto/v2"
	"github.com/johnfercher/maroto/v2/pkg/components/col"
	"github.com/johnfercher/maroto/v2/pkg/components/page"
	"github.com/johnfercher/maroto/v2/pkg/components/row"
	"github.com/johnfercher/maroto/v2/pkg/components/text"
	"github.com/johnfercher/maroto/v2/pkg/config"
	"github.com/johnfercher/maroto/v2/pkg/consts/align"
	"github.com/johnfercher/maroto/v2/pkg/consts/fontstyle"
	"github.com/johnfercher/maroto/v2/pkg/consts/orientation"
	"github.com/johnfercher/maroto/v2/pkg/core"
	"github.com/johnfercher/maroto/v2/pkg/core/entity"
	"github.com/johnfercher/maroto/v2/pkg/props"
	"github.com/phpdave11/gofpdf"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread/layout"
)

const (
	family     = "liberation"
	lineHeight = 4.4 // mm
	grid       = 100 // columns are percents of the width
	perTable   = 4   // periods beside each other; more go into a table below
)

// roundingSlack is added to the first row of every page. The PDF library fills a page with the remaining height,
// rounded to nine decimal places. Where that is zero, sums in a different order end below the page, and the page number
// would get a page of its own.
const roundingSlack = 5e-10

var (
	dark  = &props.Color{Red: 31, Green: 58, Blue: 95}
	light = &props.Color{Red: 232, Green: 237, Blue: 243}
	grey  = &props.Color{Red: 96, Green: 96, Blue: 96}
	white = &props.Color{Red: 255, Green: 255, Blue: 255}
)

// report is a PDF while it is written.
type report struct {
	template *layout.Template
	r        dossier.SpreadResults
	paper    paper
	ruler    *ruler
	pages    []core.Page
	marks    []bookmark
	rows     []core.Row // of the page under way
	used     float64    // mm of it
	heading  []core.Row // repeated at the top of a page when a table goes on
	headUsed float64
	section  string
	kind     string  // in the title of the file
	padding  float64 // of rows, see airy
}

// Report writes the PDF of a spread: cover, summary, statements with common-size columns, trailing twelve months, cash
// flows, ratios, checks, adjustments, comparisons, sources and notes. The currency decides on the paper.
func Report(template *layout.Template, r dossier.SpreadResults) ([]byte, error) {
	ruler, err := newRuler()
	if err != nil {
		return nil, err
	}
	p := &report{template: template, r: r, paper: paperOf(r.Currency), ruler: ruler, kind: "Financial Spread Report",
		padding: loosePadding}
	p.cover()
	p.summary()
	if err := p.charts(); err != nil {
		return nil, err
	}
	for _, s := range statementSheets {
		p.statement(s.statement, s.title)
		if s.statement == "incomeStatement" {
			p.trailing()
		}
	}
	p.uca()
	p.ratios()
	p.checks()
	p.completeness()
	p.adjustments()
	p.comparisons()
	p.sources()
	p.notes()
	return p.bytes()
}

func (p *report) bytes() ([]byte, error) {
	p.breakPage()
	fonts, err := p.ruler.fonts()
	if err != nil {
		return nil, err
	}
	sorted()
	m := maroto.New(p.config(fonts))
	m.AddPages(p.pages...)
	document, err := m.Generate()
	if err != nil {
		return nil, err
	}
	return withBookmarks(fixedTime(document.GetBytes()), p.marks)
}

// sorted makes the PDF library write its resources in a fixed order; it keeps them in maps.
var sorted = sync.OnceFunc(func() { gofpdf.SetDefaultCatalogSort(true) })

var modified = regexp.MustCompile(`/ModDate \(D:\d{14}\)`)

// fixedTime replaces the modification date, which the library takes from the clock, by the creation date. Both have the
// same length, so no offset changes.
func fixedTime(data []byte) []byte {
	created := regexp.MustCompile(`/CreationDate \(D:(\d{14})\)`).FindSubmatch(data)
	if created == nil {
		return data
	}
	return modified.ReplaceAll(data, append(append([]byte("/ModDate (D:"), created[1]...), ')'))
}

func (p *report) config(fonts []*entity.CustomFont) *entity.Config {
	at, _ := time.Parse(time.RFC3339, p.r.GeneratedAt)
	return config.NewBuilder().WithPageSize(p.paper.size).WithOrientation(orientation.Horizontal).
		WithLeftMargin(14).WithRightMargin(14).WithTopMargin(12).WithBottomMargin(8).WithMaxGridSize(grid).
		WithCustomFonts(fonts).WithDefaultFont(&props.Font{Family: family, Size: 8}).
		WithPageNumber(props.PageNumber{
			Pattern: "Page {current} of {total}", Place: props.RightBottom, Family: family, Size: 7, Color: grey,
		}).
		WithTitle(p.kind+" - "+cmp.Or(p.r.EntityName, unnamed), true).WithCreator("Dossier", true).
		WithCreationDate(at).WithSequentialMode().WithCompression(true).Build()
}

// begin starts a section on a page of its own.
func (p *report) begin(title string) {
	p.breakPage()
	p.section, p.heading, p.headUsed = title, nil, 0
	p.marks = append(p.marks, bookmark{title, len(p.pages)})
	p.title()
}

// title heads every page.
func (p *report) title() {
	p.rows = append(p.rows,
		row.New(titleHeight+roundingSlack).Add(col.New(60).Add(text.New(p.section,
			props.Text{Size: 13, Style: fontstyle.Bold, Color: dark})),
			col.New(40).Add(p.ruler.words(printable(shorten(p.r.EntityName, 70)),
				props.Text{Size: 8, Align: align.Right, Color: grey, Top: 2})...)))
	p.used = titleHeight
}

func (p *report) breakPage() {
	if len(p.rows) == 0 {
		return
	}
	p.pages = append(p.pages, page.New().Add(p.rows...))
	p.rows, p.used = nil, 0
}

// add puts a row on the page, or on the next one below the repeated headings.
func (p *report) add(height float64, r core.Row) {
	if p.used+height > p.paper.height {
		p.breakPage()
		p.title()
		p.rows = append(p.rows, p.heading...)
		p.used += p.headUsed
	}
	p.rows = append(p.rows, r)
	p.used += height
}

// line adds a table row, as high as its longest cell needs.
func (p *report) line(l look, cells ...cellText) {
	r, height := p.drawn(l, cells)
	if l.band && p.used+height+2*lineHeight > p.paper.height { // a caption stays with what follows it
		p.used = p.paper.height
	}
	p.add(height, r)
}

// head adds a row that is repeated on every page of the table.
func (p *report) head(cells ...cellText) {
	p.heading, p.headUsed = nil, 0
	build := func() (core.Row, float64) { return p.drawn(look{bold: true, head: true}, cells) }
	r, height := build()
	if p.used+height+3*lineHeight > p.paper.height { // no heading alone at the foot of a page
		p.breakPage()
		p.title()
	}
	p.add(height, r)
	again, _ := build()
	p.heading, p.headUsed = []core.Row{again}, height
}

// printable keeps what the font can draw on one line.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return r
		}
		if r < ' ' || r > 0xFFFF { // the PDF library knows the basic plane only
			return ' '
		}
		return r
	}, strings.ToValidUTF8(s, "?"))
}

func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// money prints an amount with separators, negative in parentheses.
func money(f dossier.Figure) string {
	s := f.Abs().StringFixed(2)
	whole, cents, _ := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	s = whole + "." + cents
	if f.IsNegative() {
		return "(" + s + ")"
	}
	return s
}

func (p *report) cover() {
	p.section = "Financial Spread Report"
	p.marks = append(p.marks, bookmark{"Cover", 0})
	p.rows = append(p.rows, row.New(34+roundingSlack),
		row.New(16).Add(col.New(grid).Add(text.New("Financial Spread Report",
			props.Text{Size: 26, Style: fontstyle.Bold, Color: dark}))))
	p.coverName()
	p.add(8, row.New(8))
	for _, pair := range [][2]string{{"Currency", p.r.Currency}, {"Generated", dayText(p.r.GeneratedAt)},
		{"Spread", string(p.r.SpreadID)}, {"Lead", string(p.r.LeadID)}} {
		p.line(look{}, left(pair[0], 15), left(pair[1], 85))
	}
	p.add(6, row.New(6))
	p.head(left("Document", 46), left("Class of source", 18), left("Periods used", 36))
	for _, d := range p.r.Documents {
		var used []string
		for _, id := range d.Periods {
			used = append(used, periodText("", id))
		}
		periods := strings.Join(used, "; ")
		if periods == "" {
			periods = "none: set aside, see Comparisons"
		}
		p.line(look{line: true}, left(d.Filename, 46), left(sentence(d.Class), 18), left(periods, 36))
	}
}

// coverName says whose figures these are, or that no document does.
func (p *report) coverName() {
	name, style := printable(p.r.EntityName), props.Text{Size: 17}
	if strings.TrimSpace(name) == "" {
		name, style.Color = unnamed, grey
	}
	for _, words := range p.ruler.wrap(name, p.paper.width-2, style.Size, false) {
		p.rows = append(p.rows, row.New(10).Add(col.New(grid).Add(p.ruler.words(words, style)...)))
		p.used += 10
	}
	p.used += 34 + 16 + 2
}

// unnamed replaces a name that no document prints.
const unnamed = "No document names whose figures these are"

func (p *report) ratioText(r dossier.SpreadRatio) string {
	if r.Value == nil {
		return absent(r)
	}
	return formatted(r)
}

// absent says why a ratio has no value.
func absent(r dossier.SpreadRatio) string {
	if r.Reason != nil {
		return notReliable
	}
	return "n/a"
}

// notReliable replaces a figure that no printed total confirms.
const notReliable = "not reliable"

func formatted(r dossier.SpreadRatio) string {
	var f dossier.Figure
	if err := f.UnmarshalJSON([]byte(*r.Value)); err != nil {
		return "n/a"
	}
	switch r.Format {
	case "money":
		return money(f)
	case "0.0%":
		return negative(f.Shift(2).StringFixed(1) + "%")
	case "0":
		return negative(f.StringFixed(0))
	}
	return negative(f.StringFixed(2) + "x")
}

// groups splits n columns into tables of at most perTable, about as wide as each other. The columns that keep names
// stay beside the one before them.
func groups(n int, keep ...int) [][2]int {
	tables := (n + perTable - 1) / perTable
	var all [][2]int
	for from := 0; from < n; {
		more := max(1, tables-len(all))
		to := min(n, from+min(perTable, (n-from+more-1)/more))
		if slices.Contains(keep, to) && to < n {
			if to-from < perTable {
				to++
			} else {
				to--
			}
		}
		all = append(all, [2]int{from, to})
		from = to
	}
	return all
}

// annualized are the places of the columns that belong to the one before them.
func annualized(s *dossier.SpreadStatement) []int {
	var at []int
	for i, p := range s.Periods {
		if p.Annualized {
			at = append(at, i)
		}
	}
	return at
}

func (p *report) gap() {
	if p.used > titleHeight {
		p.heading, p.headUsed = nil, 0
		p.add(5, row.New(5))
	}
}

package specimen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier"
)

// paperSheet is a paper of trade, pay or housing written as the page looks, in the manner of bankSheet: cells two
// blanks apart begin where they stand, or end there when they end in ">". A fact stands in braces as it is printed
// ({netPay=1234.50~$1,234.50}: the fact, then what is printed, where they differ; {accounts=#2~2} is a number).
// What the body does not print and void names must stay empty. A line of "%%" begins a page.
type paperSheet struct {
	name, note string
	doc        dossier.DocType
	wide, high float64
	void       string
	body       string
}

func paperSheets() []paperSheet {
	return slices.Concat(paySheets(), tradeSheets(), accountPapers(), fieldPay(), fieldTrade(), fieldGuides(),
		unseenPapers())
}

// PaperSheets names them.
func PaperSheets() []string {
	var names []string
	for _, p := range paperSheets() {
		names = append(names, p.name)
	}
	return names
}

// PaperSheet prints the paper of a name; an unknown name is the first.
func PaperSheet(name string) Specimen {
	all := paperSheets()
	layout := all[max(0, slices.IndexFunc(all, func(p paperSheet) bool { return p.name == name }))]
	w, h := letterWidth, letterHeight
	if layout.wide > 0 {
		w, h = layout.wide, layout.high
	}
	p := &paperPrinter{facts: map[string]any{}, paper: newSheet(w, h, layout.name, date(2024, 5, 2)), y: 46}
	p.p = p.paper.add()
	widest := 0
	lines := strings.Split(strings.Trim(layout.body, "\n"), "\n")
	for _, line := range lines {
		widest = max(widest, len([]rune(p.plain(line))))
	}
	p.pitch = min(5.3, (w-2*30)/float64(widest+1))
	for _, line := range lines {
		if line == "%%" {
			p.p, p.y = p.paper.add(), 46
			continue
		}
		p.line(line)
	}
	t := Truth{DocType: layout.doc, FieldType: dossier.FieldFile, Layer: layerText, Kind: "paper_" + layout.name,
		Pages: len(p.paper.pages), Facts: dossier.Facts{Other: p.facts}}
	for name := range strings.FieldsSeq(layout.void) {
		p.facts[name] = nil
	}
	if layout.note != "" {
		t.Traps = []string{layout.note}
	}
	return Specimen{Name: "other/paper_" + layout.name + ".pdf", MimeType: mimePDF, Data: p.paper.pdf(), Truth: t,
		sheet: p.paper}
}

type paperPrinter struct {
	facts map[string]any
	paper *sheet
	p     *page
	y     float64
	pitch float64
	heads []paperCell // of the last bold line
	boxes bool        // the last line was bold
}

// plain is a line as it is printed, with the facts in it stated.
func (p *paperPrinter) plain(line string) string {
	for {
		before, rest, found := strings.Cut(line, "{")
		if !found {
			return line
		}
		fact, after, _ := strings.Cut(rest, "}")
		name, value, _ := strings.Cut(fact, "=")
		value, printed, differs := strings.Cut(value, "~")
		if !differs {
			printed = value
		}
		p.facts[name] = value
		if number, ok := strings.CutPrefix(value, "#"); ok {
			n, err := strconv.Atoi(number)
			if err != nil {
				panic(fmt.Sprintf("%s: %v", fact, err))
			}
			p.facts[name] = n
		}
		line = before + printed + after
	}
}

// paperCell is a cell of a line: where it begins, or ends where right, in columns.
type paperCell struct {
	at    int
	right bool
	text  string
}

func cellsOf(line string) []paperCell {
	runes := []rune(line)
	var cells []paperCell
	for from := 0; from < len(runes); {
		if runes[from] == ' ' {
			from++
			continue
		}
		to := from
		for to < len(runes) && (runes[to] != ' ' || to+1 < len(runes) && runes[to+1] != ' ') {
			to++
		}
		c := paperCell{at: from, text: string(runes[from:to])}
		if bare, ok := strings.CutSuffix(c.text, ">"); ok {
			c = paperCell{at: to, right: true, text: bare}
		}
		cells, from = append(cells, c), to
	}
	return cells
}

// line prints a line: bold after "!", large after "#". Right below a bold line of as many cells, each stands below its
// head, and an amount ends where the head of its column does.
func (p *paperPrinter) line(line string) {
	st, lead := style{sans, 8.5, black}, 13.0
	bold := strings.HasPrefix(line, "!")
	switch {
	case bold:
		st, line = st.bold(), line[1:]
	case strings.HasPrefix(line, "#"):
		st, lead, line = st.bold().at(15), 20, line[1:]
	}
	cells := cellsOf(p.plain(line))
	for i := range cells {
		c := &cells[i]
		if c.right {
			c.at = p.column(c.at)
		} else if len(cells) == len(p.heads) && p.boxes && !p.heads[i].right {
			c.at = p.heads[i].at
		}
		if c.right {
			p.p.right(30+p.pitch*float64(c.at), p.y, c.text, st)
		} else {
			p.p.text(30+p.pitch*float64(c.at), p.y, c.text, st)
		}
	}
	p.boxes = bold
	if bold && len(cells) > 1 {
		p.heads = cells
	}
	p.y += lead
}

// column is the end of the column nearest to at.
func (p *paperPrinter) column(at int) int {
	best, near := at, 8
	for _, h := range p.heads {
		if d := max(h.at-at, at-h.at); h.right && d < near {
			best, near = h.at, d
		}
	}
	return best
}

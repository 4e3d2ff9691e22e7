package specimen

import (
	"strconv"
	"strings"
)

// filing is a described set of statements.
type filing struct {
	name, format, entity, currency, basis string
	unit                                  int64
	cents                                 bool
	numbers                               string // us, eu, fr, ch, lakh, minus, cr: how amounts are written
	wide                                  bool   // the paper lies on its side
	signed                                bool   // a dollar before each amount
	codes                                 bool   // cells: the number of each account stands left of its name
	narrow                                bool   // captions stand in a narrow column and go on flush in the next line
	rounded                               bool   // each figure is rounded by itself: sums may be one apart
	own                                   string // cells: a sign of the currency in a column of its own, left of each amount
	pages                                 []filingPage
}

// filingPage is a page (or a sheet of a workbook): prose, a table that is no statement, or a statement.
type filingPage struct {
	kind    string // incomeStatement, balanceSheet, cashFlow; empty: none of its figures is a fact
	titles  []string
	heads   [][]string // lines above the columns, a cell for each; "<" goes on with the one before
	columns []filingColumn
	rows    []filingRow
	feet    []string
	breaks  int  // rows after which the statement goes on on the next page
	side    int  // rows after which the others stand right of them; 0: all below each other
	split   bool // details stand left of their sums, in a column of their own
	sheet   string
}

// filingColumn is a period, or a column of something else: note, share, change, part.
type filingColumn struct {
	start, end string
	other      string
	of         int  // the column that a share or a part is of
	sum        bool // of all periods left of it
}

// filingRow is a printed line: a heading when it has no expression.
type filingRow struct {
	level             int
	caption, id, expr string
	negated           bool // printed with the other sign
}

// parseFiling reads a description.
func parseFiling(name, text string) filing {
	f := filing{name: name, format: "pdf", unit: 1, numbers: "us"}
	var p *filingPage
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch {
		case p == nil || key == "page" || key == "statement":
			if p = f.set(key, value); p != nil {
				f.pages = append(f.pages, *p)
				p = &f.pages[len(f.pages)-1]
			}
		case key == "title":
			p.titles = append(p.titles, value)
		case key == "foot":
			p.feet = append(p.feet, value)
		case key == "sheet":
			p.sheet = value
		case key == "break":
			p.breaks = len(p.rows)
		case key == "side":
			p.side = len(p.rows)
		case key == "split":
			p.split = true
		case key == "cols":
			for c := range strings.FieldsSeq(value) {
				p.columns = append(p.columns, parseFilingColumn(c))
			}
		case key == "head":
			var cells []string
			for c := range strings.SplitSeq(value, "|") {
				cells = append(cells, strings.TrimSpace(c))
			}
			p.heads = append(p.heads, cells)
		case strings.TrimSpace(line) != "":
			p.rows = append(p.rows, parseFilingRow(line))
		}
	}
	return f
}

// set reads a line of the description's head; it begins a page when it says so.
func (f *filing) set(key, value string) *filingPage {
	switch key {
	case "page":
		return &filingPage{titles: []string{value}}
	case "statement":
		return &filingPage{kind: value}
	case "format":
		f.format = value
	case "entity":
		f.entity = value
	case "currency":
		f.currency = value
	case "basis":
		f.basis = value
	case "numbers":
		f.numbers = value
	case "cents":
		f.cents = true
	case "wide":
		f.wide = true
	case "narrow":
		f.narrow = true
	case "signed":
		f.signed = true
	case "codes":
		f.codes = true
	case "rounded":
		f.rounded = true
	case "own":
		f.own = value
	case "unit":
		f.unit, _ = strconv.ParseInt(value, 10, 64)
	}
	return nil
}

// parseFilingColumn reads "2023-01-01..2023-12-31", "2023-12-31", or "share@0", "change", "part@1", "note". A period
// that ends in "=sum" is that of all the periods left of it.
func parseFilingColumn(text string) filingColumn {
	text, sum := strings.CutSuffix(text, "=sum")
	if text[0] < '0' || text[0] > '9' {
		other, of, _ := strings.Cut(text, "@")
		n, _ := strconv.Atoi(of)
		return filingColumn{other: other, of: n}
	}
	if start, end, ok := strings.Cut(text, ".."); ok {
		return filingColumn{start: start, end: end, sum: sum}
	}
	return filingColumn{end: text, sum: sum}
}

// parseFilingRow reads "  caption | id | expression | -".
func parseFilingRow(line string) filingRow {
	parts := strings.Split(line, " | ")
	if strings.HasPrefix(strings.TrimSpace(line), "| ") { // a sum without a caption
		parts = append([]string{""}, strings.Split(strings.TrimSpace(line)[2:], " | ")...)
	}
	r := filingRow{caption: strings.TrimSpace(parts[0])}
	r.level = (len(line) - len(strings.TrimLeft(line, " "))) / 2
	if len(parts) > 2 {
		r.id, r.expr = strings.TrimSpace(parts[1]), strings.TrimSpace(parts[2])
	}
	r.negated = len(parts) > 3 && strings.TrimSpace(parts[3]) == "-"
	return r
}

package specimen

import (
	"cmp"
	"embed"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

// filings holds one file for each layout of statements that are drawn from a description rather than from books:
// reports of public companies, programs of small firms, other countries. The format stands in filings/README.md.
//
//go:embed filings
var filings embed.FS

// FilingLayouts names the described layouts.
func FilingLayouts() []string {
	entries, err := filings.ReadDir("filings")
	if err != nil {
		panic(err) // the files are embedded
	}
	var names []string
	for _, e := range entries {
		if n, ok := strings.CutSuffix(e.Name(), ".txt"); ok {
			names = append(names, n)
		}
	}
	return names
}

// Filing makes the statements of a described layout; figures are of the seed.
func Filing(seed uint64, layout string) Specimen {
	text, err := filings.ReadFile(path.Join("filings", layout+".txt"))
	if err != nil {
		panic(err) // only called with names of FilingLayouts
	}
	f := parseFiling(layout, string(text))
	b := &filingBooks{d: roll(seed, "filing/"+layout), filing: f, values: map[string]map[string]int64{}}
	facts := &dossier.StatementFacts{EntityName: ptr(f.entity), Unit: f.unit}
	truth := Truth{DocType: dossier.DocFinancialStatement, FieldType: dossier.FieldFile, Layer: layerNative,
		Kind: layout, NotTested: []string{"audited", "basis"}}
	if f.entity == "" {
		facts.EntityName = nil
	}
	if f.currency != "" {
		facts.Currency = ptr(f.currency)
	}
	if f.basis != "" {
		facts.Basis = ptr(f.basis)
		truth.NotTested = []string{"audited"}
	}
	printed := map[string]bool{}
	for i := range f.pages {
		b.facts(&f.pages[i], &facts.Statements, printed)
	}
	for v := range printed {
		truth.Printed = append(truth.Printed, v)
	}
	slices.Sort(truth.Printed)
	truth.Facts.Statement = facts
	s := Specimen{Name: fmt.Sprintf("financial_statement/%s_%d.%s", layout, seed, f.format), Truth: truth}
	switch f.format {
	case "xlsx":
		s.MimeType, s.Data = mimeXLSX, b.workbook()
	case "csv":
		s.MimeType, s.Data = mimeCSV, b.csv()
	default:
		s.MimeType, s.sheet = mimePDF, b.draw()
		s.Data, s.Truth.Layer, s.Truth.Pages = s.sheet.pdf(), layerText, len(s.sheet.pages)
	}
	return s
}

// filingBooks are the figures of a filing: by statement, period and row.
type filingBooks struct {
	filing
	d      dice
	values map[string]map[string]int64 // by page kind and period, then row
}

func (c filingColumn) key(kind string) string { return kind + c.start + c.end }

// finer is how many parts of a printed unit rounded figures are kept in.
const finer = 10

// rounds gives a figure in printed units, half away from zero.
func (b *filingBooks) rounds(v int64) int64 {
	if !b.rounded {
		return v
	}
	if v < 0 {
		return -b.rounds(-v)
	}
	return (v + finer/2) / finer
}

// value is the figure of a row in a column, in printed units (hundredths where cents are printed, finer ones where each
// figure is rounded by itself).
func (b *filingBooks) value(p *filingPage, c filingColumn, id string) int64 {
	key := c.key(p.kind + p.anchor())
	if b.values[key] == nil {
		b.values[key] = map[string]int64{}
	}
	if v, ok := b.values[key][id]; ok {
		return v
	}
	i := slices.IndexFunc(p.rows, func(r filingRow) bool { return r.id == id })
	if i < 0 {
		panic(b.name + ": no row " + id)
	}
	v := int64(0)
	if c.sum {
		for _, part := range p.columns[:slices.IndexFunc(p.columns, func(q filingColumn) bool { return q.sum })] {
			if part.other == "" {
				v += b.value(p, part, id)
			}
		}
	} else {
		v = b.eval(p, c, p.rows[i].expr)
	}
	b.values[key][id] = v
	return v
}

// anchor tells tables that are no statements apart.
func (p *filingPage) anchor() string {
	if p.kind != "" {
		return ""
	}
	return p.titles[0]
}

// eval adds the terms of an expression: row, statement.row, or a number that the dice vary.
func (b *filingBooks) eval(p *filingPage, c filingColumn, expr string) int64 {
	var sum int64
	for term := range strings.FieldsSeq(strings.ReplaceAll(strings.ReplaceAll(expr, "+", " +"), "-", " -")) {
		sign := int64(1)
		if term[0] == '-' {
			sign = -1
		}
		term = strings.TrimLeft(term, "+-")
		if term == "" {
			continue
		}
		sum += sign * b.term(p, c, term)
	}
	return sum
}

func (b *filingBooks) term(p *filingPage, c filingColumn, term string) int64 {
	if n, err := strconv.ParseInt(term, 10, 64); err == nil {
		if b.cents {
			n *= 100
		}
		if b.rounded {
			n *= finer
		}
		share := int64(b.d.between(8200, 11800))
		if length := monthsBetween(c.start, c.end); length > 0 && length < 11 {
			n = n * int64(length) / 12
		}
		return n * share / 10000
	}
	kinds := map[string]string{"is": "incomeStatement", "bs": "balanceSheet", "cf": "cashFlow"}
	if st, id, ok := strings.Cut(term, "."); ok && kinds[st] != "" {
		for i := range b.pages {
			q := &b.pages[i]
			for _, k := range q.columns {
				if q.kind == kinds[st] && k.end == c.end && (st == "bs" || k.start == c.start) {
					return b.value(q, k, id)
				}
			}
		}
		return b.term(p, c, "5000")
	}
	return b.value(p, c, term)
}

// monthsBetween is the length of a period in months, rounded; 0 for a day.
func monthsBetween(start, end string) int {
	if start == "" {
		return 0
	}
	return int(dateOfISO(end).Sub(dateOfISO(start)).Hours()/24/30.4 + 0.5)
}

// facts puts the columns of a statement into the truth.
func (b *filingBooks) facts(p *filingPage, into *dossier.Statements, printed map[string]bool) {
	for i, c := range p.columns {
		if p.kind == "" || c.other != "" {
			continue
		}
		column := dossier.StatementColumn{Label: p.label(i), End: ptr(c.end), Values: map[string]dossier.Amount{}}
		if c.start != "" {
			column.Start = ptr(c.start)
		}
		for _, r := range p.rows {
			if r.expr == "" || strings.HasPrefix(r.id, ".") {
				continue
			}
			v := b.amount(b.rounds(b.value(p, c, r.id)))
			printed[v.String()] = true
			if !strings.HasPrefix(r.id, "_") {
				column.Values[r.id] = v
			}
		}
		switch p.kind {
		case "incomeStatement":
			into.IncomeStatement = append(into.IncomeStatement, column)
		case "balanceSheet":
			into.BalanceSheet = append(into.BalanceSheet, column)
		default:
			into.CashFlow = append(into.CashFlow, column)
		}
	}
}

// amount is a printed figure in full units.
func (b *filingBooks) amount(v int64) dossier.Amount {
	if b.cents {
		return cents(v).amount()
	}
	return dollars(v * b.unit)
}

// label is what is printed above a column, from top to bottom.
func (p *filingPage) label(i int) string {
	var words []string
	for _, h := range p.heads {
		if len(h) > len(p.columns) {
			h = h[1:]
		}
		k := min(i, len(h)-1)
		for k > 0 && h[k] == "<" {
			k--
		}
		if h[k] != "" {
			words = append(words, h[k])
		}
	}
	return strings.Join(words, " ")
}

// cell is what a row prints in a column.
func (b *filingBooks) cell(p *filingPage, r filingRow, at int) string {
	if r.expr == "" {
		return ""
	}
	c := p.columns[at]
	switch c.other {
	case "":
	case "note":
		if at := slices.IndexFunc(p.rows, func(q filingRow) bool { return q.id == r.id }); at%3 == 1 {
			return strconv.Itoa(3 + at)
		}
		return ""
	default:
		return b.otherCell(p, r, c)
	}
	switch {
	case strings.HasPrefix(r.id, ".share"):
		return group(18_400_000+int64(b.d.between(0, 99_999)), ",")
	case strings.HasPrefix(r.id, "."):
		return fmt.Sprintf("%d.%02d", b.d.between(0, 9), b.d.between(0, 99))
	}
	return b.print(r.signed(b.value(p, c, r.id)))
}

// otherCell is a figure that is no fact: a share of the first amount, a change, a part.
func (b *filingBooks) otherCell(p *filingPage, r filingRow, c filingColumn) string {
	if strings.HasPrefix(r.id, ".") {
		return ""
	}
	v := b.value(p, p.columns[c.of], r.id)
	switch c.other {
	case "share":
		first := slices.IndexFunc(p.rows, func(q filingRow) bool { return q.id == "netRevenues" })
		if first < 0 {
			return ""
		}
		whole := b.value(p, p.columns[c.of], p.rows[first].id)
		return fmt.Sprintf("%.1f%%", float64(v)/float64(cmp.Or(whole, 1))*100)
	case "change":
		return b.print(v - b.value(p, p.columns[c.of+1], r.id))
	case "percent":
		before := b.value(p, p.columns[c.of+1], r.id)
		return fmt.Sprintf("%.1f%%", float64(v-before)/float64(cmp.Or(before, 1))*100)
	case "budget":
		return b.print(v * 9 / 10)
	case "over":
		return b.print(v - v*9/10)
	}
	return b.print(v / 3)
}

func (r filingRow) signed(v int64) int64 {
	if r.negated {
		return -v
	}
	return v
}

// print writes an amount in the layout's manner.
func (b *filingBooks) print(v int64) string {
	v = b.rounds(v)
	if v == 0 {
		return "-"
	}
	separator, point := ",", "."
	switch b.numbers {
	case "eu":
		separator, point = ".", ","
	case "fr":
		separator, point = " ", ","
	case "ch":
		separator = "'"
	}
	n, tail := max(v, -v), ""
	if b.cents {
		tail = fmt.Sprintf("%s%02d", point, n%100)
		n /= 100
	}
	text := group(n, separator)
	if b.numbers == "lakh" {
		text = groupLakh(n)
	}
	text += tail
	switch {
	case b.numbers == "cr" && v < 0:
		return text + " CR"
	case b.numbers == "minus" && v < 0:
		return text + "-"
	case v > 0:
		return b.dollar() + text
	case b.format != "pdf" || b.numbers == "eu":
		return "-" + text
	}
	return b.dollar() + "(" + text + ")"
}

// dollar is the sign that stands before each amount, where one does.
func (f filing) dollar() string {
	if f.signed {
		return "$"
	}
	return ""
}

// groupLakh groups as in India: 12,34,567.
func groupLakh(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10)
	}
	head, text := n/1000, fmt.Sprintf(",%03d", n%1000)
	for head >= 100 {
		head, text = head/100, fmt.Sprintf(",%02d", head%100)+text
	}
	return strconv.FormatInt(head, 10) + text
}

// made is when the program wrote the file.
func (f filing) made() time.Time {
	last := "2000-01-01"
	for _, p := range f.pages {
		for _, c := range p.columns {
			last = max(last, c.end)
		}
	}
	return dateOfISO(last).AddDate(0, 2, 3)
}

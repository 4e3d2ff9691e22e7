package specimen

import (
	"fmt"
	"slices"
	"strings"
)

// statementPaper is a set of statements being drawn.
type statementPaper struct {
	statementLayout
	sheet *sheet
	p     *page
	y     float64
	r     report
	cols  []float64 // right edges
}

// draw prints the report, each statement on a page of its own.
func (l statementLayout) draw(r report) *sheet {
	first := r.sections[0].columns[0]
	made := newSheet(letterWidth, letterHeight, "Financial statements", dateOfISO(*first.End).AddDate(0, 2, 3))
	made.producer = "Ledger Reports 11"
	p := &statementPaper{statementLayout: l, sheet: made, r: r}
	if l.letter {
		p.report()
	}
	for i := range r.sections {
		p.section(&r.sections[i])
	}
	return made
}

func (p *statementPaper) report() {
	p.p = p.sheet.add()
	p.p.centre(306, 90, "INDEPENDENT ACCOUNTANT'S COMPILATION REPORT", p.base.bold().at(12))
	y := 130.0
	p.p.text(72, y, "To the Stockholders of "+p.r.entity, p.base)
	for _, text := range []string{
		"Management is responsible for the accompanying financial statements of " + p.r.entity +
			", which comprise the balance sheets and the related statements of income and cash flows for the years then ended, in accordance with accounting principles generally accepted in the United States of America.",
		"We have performed compilation engagements in accordance with Statements on Standards for Accounting and Review Services. We did not audit or review the financial statements nor were we required to perform any procedures to verify the accuracy or completeness of the information provided by management. We do not express an opinion, a conclusion, nor provide any assurance on these financial statements.",
	} {
		y = p.p.paragraph(72, y+24, 468, 14, text, p.base)
	}
	p.p.text(72, y+40, "Ledgerwell & Fenn, Certified Public Accountants", p.base)
}

// section prints one statement with its head, repeated after a page break.
func (p *statementPaper) section(s *reportSection) {
	p.columns(len(s.columns))
	p.head(s)
	for i, row := range s.rows {
		if p.y > 726 {
			p.foot()
			p.head(s)
		}
		p.row(row, i == firstFigures(s.rows))
	}
	if s.kind == "incomeStatement" && p.unit > 1 {
		p.perShare(len(s.columns))
	}
	p.foot()
}

// columns sets the right edges; change columns follow the years.
func (p *statementPaper) columns(n int) {
	all := n
	if p.change {
		all += 2
	}
	gap := min(92, 360/float64(all))
	p.cols = nil
	for i := range all {
		p.cols = append(p.cols, 560-gap*float64(all-1-i))
	}
}

func (p *statementPaper) head(s *reportSection) {
	p.p, p.y = p.sheet.add(), 56
	p.p.centre(306, p.y, p.r.entity, p.base.bold().at(p.base.size+4))
	for _, t := range s.titles {
		p.y += p.base.size + 5
		p.p.centre(306, p.y, t, p.base.at(p.base.size+1.5))
	}
	if p.change { // the date stands in the title only
		p.y += p.base.size + 5
		p.p.centre(306, p.y, p.yearsTitle(s), p.base)
	}
	p.y += 26
	p.labels(s)
}

// yearsTitle says in words which years the columns are.
func (p *statementPaper) yearsTitle(s *reportSection) string {
	var years []string
	for _, c := range s.columns {
		years = append(years, (*c.End)[:4])
	}
	slices.Sort(years)
	slices.Reverse(years)
	day := dateOfISO(*s.columns[0].End).Format("January 2")
	if s.kind == "balanceSheet" {
		return day + ", " + strings.Join(years, " and ")
	}
	return "For the Years Ended " + day + ", " + strings.Join(years, " and ")
}

// labels prints the column heads, over two lines where they have two.
func (p *statementPaper) labels(s *reportSection) {
	lines := 1
	for _, c := range s.columns {
		lines = max(lines, len(strings.Split(p.labelOf(s, c.Label), "\n")))
	}
	st := p.base.bold().at(p.base.size - 0.5)
	if len(p.cols) > 3 {
		st = st.at(p.base.size - 1.5)
	}
	for i, c := range s.columns {
		for j, l := range strings.Split(p.labelOf(s, c.Label), "\n") {
			p.p.right(p.cols[i], p.y+float64(j)*11, l, st)
		}
	}
	if p.change {
		p.p.right(p.cols[len(s.columns)], p.y, "$ Change", st)
		p.p.right(p.cols[len(s.columns)+1], p.y, "% Change", st)
	}
	p.y += float64(lines) * 11
	p.p.rule(p.cols[0]-70, 564, p.y-6, 0.6, black)
	p.y += 10
}

// labelOf puts the line break back into a label.
func (p *statementPaper) labelOf(s *reportSection, label string) string {
	if s.over != "" {
		return s.over
	}
	if s.kind == "balanceSheet" && strings.Contains(label, ", ") && len(label) > 8 {
		return strings.Replace(label, ", ", ",\n", 1)
	}
	return strings.Replace(label, " Ended ", " Ended\n", 1)
}

// firstFigures is the first row with figures: it carries the dollar signs.
func firstFigures(rows []reportRow) int {
	return slices.IndexFunc(rows, func(r reportRow) bool { return r.values != nil })
}

func (p *statementPaper) row(r reportRow, first bool) {
	st := p.base
	if r.kind == headRow && r.level == 0 || r.kind == endRow || r.kind == sumRow && p.dialect.sectioned {
		st = st.bold()
	}
	p.p.text(52+float64(r.level)*14, p.y, r.caption, st)
	for i, v := range r.values {
		if r.kind == sumRow || r.kind == endRow {
			p.p.rule(p.cols[i]-58, p.cols[i], p.y-p.base.size-1.5, 0.5, black)
		}
		if r.flip {
			v = -v
		}
		p.p.right(p.cols[i], p.y, p.figure(v, first || r.kind == endRow), st)
		if r.kind == endRow {
			p.p.rule(p.cols[i]-58, p.cols[i], p.y+2.5, 0.5, black)
			p.p.rule(p.cols[i]-58, p.cols[i], p.y+4.5, 0.5, black)
		}
	}
	if p.change && len(r.values) == 2 {
		p.changes(r.values)
	}
	p.y += p.base.size + 5
	if r.kind == endRow {
		p.y += 6
	}
}

// changes prints the difference and percentage of the two years: figures that are no facts.
func (p *statementPaper) changes(v []cents) {
	p.p.right(p.cols[2], p.y, p.figure(v[0]-v[1], false), p.base)
	if v[1] != 0 {
		p.p.right(p.cols[3], p.y, fmt.Sprintf("%.1f%%", float64(v[0]-v[1])/float64(max(v[1], -v[1]))*100), p.base)
	}
}

// figure prints an amount as this layout does: with cents in QuickBooks, whole elsewhere, a dash for nothing.
func (p *statementPaper) figure(c cents, sign bool) string {
	n := p.notation.plain()
	if sign {
		n = n.with("$")
	}
	if c == 0 {
		return "-"
	}
	text := n.print(c)
	if !p.shape.cents {
		text = strings.Replace(text, ".00", "", 1)
	}
	return text
}

// perShare prints rows that must not be scaled by the unit.
func (p *statementPaper) perShare(n int) {
	p.y += 6
	for _, r := range []struct {
		caption string
		value   string
	}{{"Net income per share, diluted", "$1.%02d"}, {"Weighted average shares, diluted", "18,4%02d"}} {
		p.p.text(52, p.y, r.caption, p.base)
		for i := range n {
			p.p.right(p.cols[i], p.y, fmt.Sprintf(r.value, 71-i*13), p.base)
		}
		p.y += p.base.size + 5
	}
}

func (p *statementPaper) foot() {
	text := map[string]string{"compilation": "See accountant's compilation report.",
		"quickbooks_accrual": "Accrual Basis  " + "Friday, 09:14 AM GMT-05:00",
		"sec_thousands":      "See accompanying notes to consolidated financial statements.",
		"interim":            "Unaudited - for internal use only"}[p.name]
	if text == "" && p.basis != "" {
		text = strings.ToUpper(p.basis[:1]) + p.basis[1:] + " basis"
	}
	p.p.centre(306, 760, text, p.base.at(8))
}

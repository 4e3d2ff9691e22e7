package specimen

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

// StatementOptions chooses a set of financial statements. Zero values are chosen by the seed.
type StatementOptions struct {
	Seed   uint64
	Layout string // one of StatementLayouts
	Year   int    // the last fiscal year
	Name   string // entity, as printed
	periods
}

// periods are the books a statement reports, newest first, instead of invented ones.
type periods struct {
	income []books // columns of the income statement and cash flow
	sheets []books // columns of the balance sheet
}

// statementLayout is one program's or firm's way of presenting statements.
type statementLayout struct {
	name     string
	format   string // pdf, xlsx, csv
	basis    string
	unit     int64
	dialect  dialect
	base     style
	shape    firmShape
	flow     bool // has a cash flow statement
	change   bool // columns of change and percent after the years
	interim  int  // months of the interim period; 0: full years
	weeks    bool // 52- and 53-week years
	years    int
	audited  *bool
	traps    []string
	notation notation
	titles   func(kind string, b books) []string
	label    func(kind string, b books) string
	over     string // printed over the only column in place of its label
	letter   bool   // an accountants' report on the first page
}

// StatementLayouts names the layouts.
func StatementLayouts() []string {
	var names []string
	for _, l := range statementLayouts() {
		names = append(names, l.name)
	}
	return names
}

var (
	statementNames = map[string]string{"incomeStatement": "Profit and Loss", "balanceSheet": "Balance Sheet",
		"cashFlow": "Statement of Cash Flows"}
	formalNames = map[string]string{"incomeStatement": "Statements of Income", "balanceSheet": "Balance Sheets",
		"cashFlow": "Statements of Cash Flows"}
	secNames = map[string]string{"incomeStatement": "CONSOLIDATED STATEMENTS OF OPERATIONS",
		"balanceSheet": "CONSOLIDATED BALANCE SHEETS", "cashFlow": "CONSOLIDATED STATEMENTS OF CASH FLOWS"}
)

// span is a period in words as QuickBooks writes it.
func span(b books) string {
	if b.start.Year() == b.end.Year() {
		return b.start.Format("January") + " - " + b.end.Format("January 2006")
	}
	return b.start.Format("January 2006") + " - " + b.end.Format("January 2006")
}

func asOf(b books) string { return "As of " + b.end.Format("January 2, 2006") }

func statementLayouts() []statementLayout {
	small := firmShape{revenue: 1_350_000, growth: 5, margin: 9, goods: 38, labor: 8, cents: true}
	service := firmShape{revenue: 640_000, growth: 4, margin: 11, cents: true}
	corporate := firmShape{revenue: 4_800_000, growth: 6, margin: 8, goods: 46, labor: 7, taxed: true}
	large := firmShape{revenue: 985_000, growth: 7, margin: 9, goods: 60, taxed: true} // read as thousands
	quick := func(kind string, b books) []string {
		when := span(b)
		if kind == "balanceSheet" {
			when = asOf(b)
		}
		return []string{statementNames[kind], when}
	}
	quickLabel := func(kind string, b books) string {
		if kind == "balanceSheet" {
			return b.end.Format("Jan 2, 2006")
		}
		return b.start.Format("Jan") + " - " + b.end.Format("Jan 2006")
	}
	formal := func(kind string, b books) []string { return []string{formalNames[kind]} }
	yearLabel := func(kind string, b books) string {
		if kind == "balanceSheet" {
			return b.end.Format("January 2,\n2006")
		}
		return "Year Ended\n" + b.end.Format("January 2, 2006")
	}
	minus := american.sign(minusFirst)
	return []statementLayout{
		{name: "quickbooks_accrual", format: "pdf", basis: "accrual", unit: 1, dialect: quickBooks, base: style{sans,
			9, black}, shape: small, years: 1, notation: minus.with("$"),
			titles: quick, label: func(kind string, b books) string { return quick(kind, b)[1] }, over: "TOTAL",
			traps: []string{"parent, children and their total", "a caption that no row of the template has"}},
		{name: "quickbooks_cash", format: "xlsx", basis: "cash", unit: 1, dialect: quickBooks, shape: service,
			years: 2, notation: minus, titles: quick, label: quickLabel,
			traps: []string{"indentation by blanks in the caption cell"}},
		{name: "comparative", format: "pdf", unit: 1, dialect: accountant, base: style{serif, 9.5, black},
			shape: corporate, years: 2, change: true, notation: american.sign(parens),
			titles: formal, label: func(kind string, b books) string { return fmt.Sprint(b.end.Year()) },
			traps: []string{"columns of change and percent beside the years", "the date only in the title"}},
		{name: "compilation", format: "pdf", basis: "accrual", unit: 1, dialect: accountant, base: style{serif, 10,
			black}, shape: corporate, years: 2, flow: true, letter: true,
			notation: american.sign(parens), titles: formal, label: yearLabel, audited: ptr(false),
			traps: []string{"an accountants' letter first", "header over two lines"}},
		{name: "sec_thousands", format: "pdf", unit: 1000, dialect: secStyle, base: style{serif, 9.5, black},
			shape: large, years: 3, flow: true, notation: american.sign(parens),
			titles: func(kind string, b books) []string {
				return []string{secNames[kind], "(In thousands, except per share data)"}
			}, label: yearLabel, traps: []string{"in thousands", "per-share rows and share counts"}},
		{name: "interim", format: "pdf", unit: 1, dialect: accountant, base: style{sans, 9, black}, shape: corporate,
			interim: 9, notation: american.sign(parens),
			titles: func(kind string, b books) []string { return []string{formalNames[kind], "(Unaudited)"} },
			label: func(kind string, b books) string {
				if kind == "balanceSheet" {
					return b.end.Format("January 2,\n2006")
				}
				words := map[int]string{3: "Three", 6: "Six", 9: "Nine", 12: "Twelve"}
				return words[monthsOf(b)] + " Months Ended\n" + b.end.Format("January 2, 2006")
			}, audited: ptr(false), traps: []string{"three months beside the year to date"}},
		{name: "retailer_52_weeks", format: "pdf", unit: 1000, dialect: secStyle, base: style{sans, 8.5, black},
			shape: large, years: 2, weeks: true, notation: american.sign(parens),
			titles: func(kind string, b books) []string {
				return []string{secNames[kind], "(Dollars in thousands)"}
			},
			label: func(kind string, b books) string {
				if kind == "balanceSheet" {
					return b.end.Format("January 2,\n2006")
				}
				return fmt.Sprintf("%d Weeks Ended\n%s", weeksOf(b), b.end.Format("January 2, 2006"))
			}, traps: []string{"52 and 53 week years"}},
		{name: "export_csv", format: "csv", unit: 1, dialect: quickBooks, shape: small, years: 2, notation: minus,
			titles: quick, label: quickLabel, basis: "accrual",
			traps: []string{"one statement a file", "preamble before the header"}},
		{name: "workbook", format: "xlsx", unit: 1, dialect: accountant, shape: corporate, years: 3, flow: true,
			notation: american, titles: formal, label: func(kind string, b books) string {
				if kind == "balanceSheet" {
					return b.end.Format("01/02/2006")
				}
				return "FY " + fmt.Sprint(b.end.Year()) + " (ended " + b.end.Format("01/02/2006") + ")"
			}, traps: []string{"a sheet for each statement"}},
	}
}

// monthsOf is the length of a period in whole months.
func monthsOf(b books) int {
	return int(b.end.Month()) - int(b.start.Month()) + 1 + 12*(b.end.Year()-b.start.Year())
}

// weeksOf is the length of a period in weeks.
func weeksOf(b books) int { return int(b.end.Sub(b.start).Hours()/24+1) / 7 }

// FinancialStatement makes a set of statements. An unknown layout is the first one.
func FinancialStatement(o StatementOptions) Specimen {
	d := roll(o.Seed, "statement/"+o.Layout)
	layouts := statementLayouts()
	l := pick(d, layouts)
	if o.Layout != "" {
		l = layouts[max(0, slices.IndexFunc(layouts, func(s statementLayout) bool { return s.name == o.Layout }))]
	}
	if o.Year == 0 {
		o.Year = d.between(2020, 2024)
	}
	entity := firm(d)
	if o.Name != "" {
		entity.business = o.Name
	}
	if o.income == nil && o.sheets == nil {
		o.periods = l.invent(d, entity, o.Year)
	}
	return l.make(d, o)
}

// invent makes the periods that the layout shows, newest first.
func (l statementLayout) invent(d dice, entity party, year int) periods {
	if l.interim > 0 {
		return l.inventInterim(d, entity, year)
	}
	all := newBooks(d, entity, date(year-l.years+1, 12, 31), l.years, l.shape)
	slices.Reverse(all)
	if l.weeks {
		for i := range all {
			all[i].end = saturdayNear(date(all[i].end.Year()+1, 1, 31))
			all[i].start = saturdayNear(date(all[i].end.Year()-1, 1, 31)).AddDate(0, 0, 1)
		}
	}
	return periods{income: all, sheets: all}
}

// saturdayNear is the Saturday closest to t, the day on which retailers close the year.
func saturdayNear(t time.Time) time.Time {
	after := (int(time.Saturday) - int(t.Weekday()) + 7) % 7
	if after > 3 {
		after -= 7
	}
	return t.AddDate(0, 0, after)
}

// inventInterim makes three months and the year to date of this year and the last.
func (l statementLayout) inventInterim(d dice, entity party, year int) periods {
	last := newBooks(d, entity, date(year-1, 12, 31), 1, l.shape)[0]
	end := monthEnd(date(year, time.Month(l.interim), 1))
	now := newPeriod(d, entity, last.closing, end, l.interim, l.shape, 1)
	before := now
	before.income = incomeLines(d, cents(l.shape.revenue)*100*cents(l.interim)/12, l.shape)
	before.start, before.end = date(year-1, 1, 1), monthEnd(date(year-1, time.Month(l.interim), 1))
	cols := []books{now, before}
	if l.interim > 3 {
		quarter, quarterBefore := now, before
		quarter.income = incomeLines(d, cents(l.shape.revenue)*100/4, l.shape)
		quarter.start = date(year, time.Month(l.interim-2), 1)
		quarterBefore.income = incomeLines(d, cents(l.shape.revenue)*100/4, l.shape)
		quarterBefore.start = date(year-1, time.Month(l.interim-2), 1)
		cols = []books{quarter, quarterBefore, now, before}
	}
	return periods{income: cols, sheets: []books{now, last}}
}

// make writes the statements and their truth.
func (l statementLayout) make(d dice, o StatementOptions) Specimen {
	r := l.report(o.periods)
	f := &dossier.StatementFacts{Currency: ptr("USD"), Unit: l.unit, Audited: l.audited}
	truth := Truth{DocType: dossier.DocFinancialStatement, FieldType: dossier.FieldFile, Layer: layerNative,
		Kind: l.name, Traps: slices.Clone(l.traps)}
	truth.NotTested = []string{"currency"} // the dollar sign alone does not name one
	if l.audited == nil {
		truth.NotTested = append(truth.NotTested, "audited")
	}
	if l.basis != "" {
		f.Basis = ptr(l.basis)
	}
	if l.format == "csv" { // one statement a file
		r.sections = r.sections[:1]
		if d.chance(40) && len(l.report(o.periods).sections) > 1 {
			r.sections = l.report(o.periods).sections[1:2]
		}
	}
	f.EntityName = ptr(r.entity)
	seen := map[string]bool{}
	for i := range r.sections {
		s := &r.sections[i]
		for _, c := range s.state(l.unit) {
			seen[money(c, l.unit).String()] = true
		}
		switch s.kind {
		case "incomeStatement":
			f.Statements.IncomeStatement = s.columns
		case "balanceSheet":
			f.Statements.BalanceSheet = s.columns
		case "cashFlow":
			f.Statements.CashFlow = s.columns
		}
	}
	for v := range seen {
		truth.Printed = append(truth.Printed, v)
	}
	slices.Sort(truth.Printed)
	truth.Facts.Statement = f
	s := Specimen{Name: fmt.Sprintf("financial_statement/%s_%d_%d.%s", l.name, o.periods.end().Year(), o.Seed,
		l.format), Truth: truth}
	return l.write(s, r)
}

// end is the last day of the newest period.
func (p periods) end() time.Time {
	if len(p.income) > 0 {
		return p.income[0].end
	}
	return p.sheets[0].end
}

// write renders the report in the layout's format.
func (l statementLayout) write(s Specimen, r report) Specimen {
	switch l.format {
	case "xlsx":
		s.MimeType, s.Data = mimeXLSX, workbook(r, l)
	case "csv":
		s.MimeType, s.Data = mimeCSV, csvReport(r, l)
	default:
		s.MimeType, s.sheet = mimePDF, l.draw(r)
		s.Data, s.Truth.Layer, s.Truth.Pages = s.sheet.pdf(), layerText, len(s.sheet.pages)
	}
	return s
}

// report lays the periods out as statements.
func (l statementLayout) report(p periods) report {
	r := report{entity: append(slices.Clone(p.income), p.sheets...)[0].entity.business, basis: l.basis, unit: l.unit}
	add := func(kind string, cols []books, rows []reportRow) {
		s := reportSection{kind: kind, titles: l.titles(kind, cols[0]), rows: rows, over: l.over}
		for _, b := range cols {
			label := l.label(kind, b)
			if kind == "balanceSheet" {
				s.columns = append(s.columns, dayColumn(strings.ReplaceAll(label, "\n", " "), b.end))
				continue
			}
			months := 0
			if !l.weeks {
				months = monthsOf(b)
			}
			s.columns = append(s.columns, periodColumn(label, b.start, b.end, months))
		}
		r.sections = append(r.sections, s)
	}
	if len(p.income) > 0 {
		add("incomeStatement", p.income, incomeRows(l.dialect, p.income))
	}
	if len(p.sheets) > 0 {
		add("balanceSheet", p.sheets, sheetRows(l.dialect, p.sheets))
	}
	if l.flow && len(p.income) > 0 && p.income[0].opening != nil {
		add("cashFlow", p.income, flowRows(p.income))
	}
	return r
}

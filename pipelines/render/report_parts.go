package render

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread/layout"
)

// columnWidths are those of the captions and of each of n columns of figures. Fewer columns have more room.
func columnWidths(n int) (caption, value int) {
	return 36, map[int]int{1: 20, 2: 20, 3: 18}[min(n, 4)] + map[bool]int{true: 16}[n >= 4]
}

// summary shows the key figures of every period.
func (p *report) summary() {
	p.begin("Summary")
	for _, g := range groups(len(p.r.Ratios)) {
		periods := p.r.Ratios[g[0]:g[1]]
		caption, value := columnWidths(len(periods))
		head := []cellText{left(p.r.Currency, caption)}
		for _, r := range periods {
			head = append(head, right(labelOf(p.r, r.PeriodID), value))
		}
		var rows []tableRow
		for _, key := range summaryRows {
			cells := []cellText{left(p.template.Row("incomeStatement", key).Label, caption)}
			for _, r := range periods {
				cells = append(cells, right(cmp.Or(p.income(r.PeriodID, key), "n/a"), value))
			}
			rows = append(rows, tableRow{look{line: true}, cells})
		}
		for i, ratio := range p.template.Ratios {
			if !slices.Contains(summaryRatios, ratio.Key) {
				continue
			}
			cells := []cellText{left(ratio.Label, caption)}
			for _, r := range periods {
				cells = append(cells, right(p.ratioText(r.Values[i]), value))
			}
			rows = append(rows, tableRow{look{line: true}, cells})
		}
		p.place(head, rows)
	}
	failed := 0
	for _, c := range p.r.Checks {
		if !c.Passed {
			failed++
		}
	}
	p.gap()
	p.line(look{bold: true}, left(fmt.Sprintf("Checks: %d of %d passed. Warnings: %d.", len(p.r.Checks)-failed,
		len(p.r.Checks), len(p.r.Warnings)), grid))
	p.line(look{}, left("Ratios of interim periods rest on annualized income. Nothing is plugged: what the documents "+
		"leave open shows as a variance.", grid))
}

func (p *report) income(period, key string) string {
	s := p.r.Statements.IncomeStatement.Period(period)
	if s == nil {
		return ""
	}
	i := slices.IndexFunc(s.Values, func(v dossier.SpreadValue) bool { return v.Key == key })
	switch {
	case i < 0:
		return ""
	case s.Values[i].Doubtful():
		return notReliable
	}
	return money(s.Values[i].Value)
}

// commonBase is the row that common-size percentages are of.
var commonBase = map[string]string{"incomeStatement": "netRevenues", "balanceSheet": "totalAssets"}

func (p *report) statement(statement, title string) {
	s := p.r.Statements.Named(statement)
	if len(s.Periods) == 0 {
		return
	}
	p.begin(title)
	note := ""
	if slices.ContainsFunc(adjustedRows(p.r), func(a adjustedRow) bool { return a.title == title }) {
		note = "* Changed by an analyst; see Analyst's adjustments."
	}
	for _, g := range groups(len(s.Periods), annualized(s)...) {
		p.statementTable(statement, note, s, s.Periods[g[0]:g[1]])
	}
}

// statementTable shows some periods of a statement beside each other, and a note below them. A section without lines
// has no caption.
func (p *report) statementTable(statement, note string, s *dossier.SpreadStatement, periods []dossier.SpreadPeriod) {
	wide := statementWidths(len(periods), hasBase(periods, commonBase[statement]))
	head := []cellText{left(p.r.Currency, wide.caption)}
	for _, x := range periods {
		head = append(head, right(periodCaption(statement, x), wide.value))
		if wide.percent > 0 {
			head = append(head, right("%", wide.percent))
		}
	}
	rows := shownRows(p.template, s, statement)
	var table []tableRow
	section := ""
	for _, r := range rows {
		if r.Section != section && hasLines(rows, r.Section) {
			table = append(table, band(sectionTitles[r.Section], widthOf(head)))
		}
		section = r.Section
		table = append(table, p.statementRow(statement, r, periods, wide))
	}
	if note != "" {
		table = append(table, tableRow{look{}, []cellText{left(note, grid)}})
	}
	p.place(head, table)
}

// hasBase reports whether a period has what the percentages of a statement are of.
func hasBase(periods []dossier.SpreadPeriod, base string) bool {
	return slices.ContainsFunc(periods, func(x dossier.SpreadPeriod) bool {
		v, ok := x.Values.Get(base)
		return ok && !v.IsZero() && !doubtful(x.Values, base)
	})
}

// hasLines reports whether a section has more than its totals.
func hasLines(rows []layout.Row, section string) bool {
	return slices.ContainsFunc(rows, func(r layout.Row) bool { return r.Section == section && r.Kind == "line" })
}

// widths of a statement's columns, in percents of the paper's.
type widths struct{ caption, value, percent int }

// statementWidths are those for so many periods: the fewer, the wider.
func statementWidths(n int, common bool) widths {
	w := widths{34, 15, 6}
	switch {
	case n > 3:
		w = widths{28, 13, 5}
	case n < 3:
		w.value = 18
	}
	if !common {
		w.value, w.percent = w.value+w.percent-1, 0
	}
	return w
}

func (p *report) statementRow(statement string, r layout.Row, periods []dossier.SpreadPeriod,
	wide widths) tableRow {
	cells := []cellText{left(r.Label, wide.caption)}
	for _, x := range periods {
		value, percent := "", ""
		if i := slices.IndexFunc(x.Values, func(v dossier.SpreadValue) bool { return v.Key == r.Key }); i >= 0 {
			v := x.Values[i]
			value = adjustedMark(v) + money(v.Value)
			percent = percentOf(x.Values, commonBase[statement], r, v.Value.Decimal)
			if v.Doubtful() {
				value, percent = notReliable, ""
			}
		}
		cells = append(cells, right(value, wide.value))
		if wide.percent > 0 {
			cells = append(cells, right(percent, wide.percent))
		}
	}
	return tableRow{look{bold: r.Kind != "line", line: r.Kind != "line"}, cells}
}

// trailing shows how the twelve months up to the end of a year to date come about.
func (p *report) trailing() {
	if len(p.r.Trailing) == 0 {
		return
	}
	p.begin("Trailing twelve months")
	for _, x := range p.r.Trailing {
		p.trailingTable(x)
	}
}

// trailingTable shows the three parts of one set of twelve months and what they give.
func (p *report) trailingTable(x dossier.SpreadTrailing) {
	income := p.r.Statements.IncomeStatement
	caption := func(before, id string) string { return before + periodCaption("", *income.Period(id)) }
	head := []cellText{left(p.r.Currency, 32), right(caption("", x.Year), 15), right(caption("less ", x.Before), 15),
		right(caption("plus ", x.Now), 15),
		right("Trailing twelve months\n"+x.Start+" to "+x.End, 17), right("%", 6)}
	var rows []tableRow
	for _, r := range p.template.Of("incomeStatement") {
		i := slices.IndexFunc(x.Values, func(v dossier.SpreadValue) bool { return v.Key == r.Key })
		if i < 0 {
			continue
		}
		v := x.Values[i]
		sum, percent := money(v.Value), percentOf(x.Values, "netRevenues", r, v.Value.Decimal)
		if v.Doubtful() {
			sum, percent = notReliable, ""
		}
		rows = append(rows, tableRow{look{bold: r.Kind != "line", line: r.Kind != "line"}, []cellText{
			left(r.Label, 32), right(p.income(x.Year, r.Key), 15), right(p.income(x.Before, r.Key), 15),
			right(p.income(x.Now, r.Key), 15), right(sum, 17), right(percent, 6)}})
	}
	rows = append(rows, tableRow{look{}, []cellText{left("The last full year, without its months to date, with "+
		"those of this year; subtotals are calculated again.", grid)}})
	p.place(head, rows)
}

// percentOf is a figure as a percentage of another row of its column; memo rows have none.
func percentOf(values dossier.SpreadValues, of string, r layout.Row, v decimal.Decimal) string {
	base, have := values.Get(of)
	if !have || base.IsZero() || r.Memo || doubtful(values, of) {
		return ""
	}
	return negative(v.Mul(decimal.NewFromInt(100)).DivRound(base, 1).StringFixed(1))
}

func (p *report) uca() {
	if len(p.r.UCA) == 0 {
		return
	}
	p.begin("Uniform Credit Analysis cash flow")
	for _, g := range groups(len(p.r.UCA)) {
		periods := p.r.UCA[g[0]:g[1]]
		caption, value := columnWidths(len(periods))
		head := []cellText{left(p.r.Currency, caption)}
		for _, u := range periods {
			head = append(head, right(labelOf(p.r, u.PeriodID), value))
		}
		var rows []tableRow
		for _, line := range p.template.UCA {
			cells := []cellText{left(line.Label, caption)}
			for _, u := range periods {
				cells = append(cells, right(ucaText(u, line.Key), value))
			}
			rows = append(rows, tableRow{look{bold: line.Subtotal, line: line.Subtotal}, cells})
		}
		p.place(head, rows)
	}
}

// ucaText is a line of the UCA as the report shows it.
func ucaText(u dossier.SpreadUCA, key string) string {
	k := slices.IndexFunc(u.Values, func(v dossier.SpreadUCALine) bool { return v.Key == key })
	if k < 0 {
		return ""
	}
	if u.Values[k].Doubtful() {
		return notReliable
	}
	return money(u.Values[k].Value)
}

func (p *report) ratios() {
	p.begin("Ratios")
	for _, g := range groups(len(p.r.Ratios)) {
		periods := p.r.Ratios[g[0]:g[1]]
		const caption = 20
		value := map[bool]int{true: 13, false: 16}[len(periods) > 3]
		formula := grid - caption - value*max(len(periods), 3)
		head := []cellText{left("", caption), left("Formula", formula)}
		for _, r := range periods {
			head = append(head, right(labelOf(p.r, r.PeriodID), value))
		}
		var rows []tableRow
		for i, ratio := range p.template.Ratios {
			cells := []cellText{left(ratio.Label, caption), left(formulaText(p.template, ratio.Formula), formula)}
			for _, r := range periods {
				cells = append(cells, right(p.ratioText(r.Values[i]), value))
			}
			rows = append(rows, tableRow{look{line: true, small: true}, cells})
		}
		p.place(head, rows)
	}
}

// checks lists the warnings, then the checks that somebody should look at, then those that passed.
func (p *report) checks() {
	p.begin("Checks and warnings")
	if len(p.r.Warnings) > 0 {
		p.head(left("Warning", 22), left("Period", 22), left("What it means", 56))
		for _, w := range p.r.Warnings {
			p.line(look{line: true, small: true}, left(sentence(w.Code), 22), left(warnedPeriod(w), 22),
				left(w.Detail, 56))
		}
		p.gap()
	}
	if len(p.r.Checks) == 0 {
		p.line(look{}, left("No check: the documents print no total to compare with.", grid))
		return
	}
	var rows []tableRow
	for _, failed := range []bool{true, false} {
		for _, c := range p.r.Checks {
			if c.Passed != failed {
				rows = append(rows, checkRow(c))
			}
		}
	}
	p.list([]cellText{left("Check", 17), left("Statement", 12), left("Period", 18), right("Difference", 11),
		right("Tolerance", 9), left("Outcome", 8), left("What is compared", 25)}, rows)
}

func checkRow(c dossier.SpreadCheck) tableRow {
	outcome := "passed"
	if !c.Passed {
		outcome = "REVIEW"
	}
	return tableRow{look{line: true, small: true, bold: !c.Passed}, []cellText{left(sentence(c.Name), 17),
		left(sentence(c.Statement), 12), left(periodText(c.Statement, c.PeriodID), 18),
		right(money(c.Value), 11), right(money(c.Tolerance), 9), left(outcome, 8), left(c.Detail, 25)}}
}

func (p *report) comparisons() {
	if len(p.r.Comparisons) == 0 {
		return
	}
	p.begin("Comparisons with sources set aside")
	var rows []tableRow
	small := look{line: true, small: true}
	for _, c := range p.r.Comparisons {
		set := p.name(c.DocumentID) + " (" + sentence(c.Class) + ", used: " + sentence(c.ChosenClass) + ")"
		for _, d := range c.Differences {
			rows = append(rows, tableRow{small, []cellText{left(sentence(c.Statement), 13),
				left(periodText(c.Statement, c.PeriodID), 18), left(set, 22), left(d.Label, 17),
				right(money(d.Chosen), 10), right(money(d.Other), 10), right(money(d.Difference), 10)}})
		}
		if len(c.Differences) == 0 {
			rows = append(rows, tableRow{small, []cellText{left(sentence(c.Statement), 13),
				left(periodText(c.Statement, c.PeriodID), 18), left(set, 22),
				left("no difference above the tolerance", 47)}})
		}
	}
	p.list([]cellText{left("Statement", 13), left("Period", 18), left("Set aside", 22), left("Row", 17),
		right("Used", 10), right("Set aside", 10), right("Difference", 10)}, rows)
}

func (p *report) name(id dossier.DocumentID) string {
	for _, d := range p.r.Documents {
		if d.DocumentID == id {
			return d.Filename
		}
	}
	return string(id)
}

func (p *report) sources() {
	p.begin("Source references")
	p.head(left("Row", 20), left("Period", 17), right("Amount", 11), left("Document", 18), right("Page", 4),
		left("Caption", 16), left("Printed", 10), right("Conf.", 4))
	for _, s := range statementSheets {
		begun := false
		for _, x := range p.r.Statements.Named(s.statement).Periods {
			for _, v := range x.Values {
				if v.Computed {
					continue
				}
				for _, source := range v.Sources {
					if !begun {
						begun = true
						p.line(look{bold: true, band: true}, left(s.title, grid))
					}
					p.line(look{line: true, small: true}, left(v.Label, 20),
						left(periodText(s.statement, x.ID), 17), right(money(v.Value), 11),
						left(p.name(source.DocumentID), 18),
						right(fmt.Sprint(source.Page), 4), left(source.Caption, 16), left(source.Text, 10),
						right(fmt.Sprintf("%.2f", source.Confidence), 4))
				}
			}
		}
	}
	if len(p.r.Unmapped) == 0 {
		return
	}
	p.gap()
	var rows []tableRow
	for _, u := range p.r.Unmapped {
		into := "in no figure"
		if u.Row != "" {
			into = p.template.Row(u.Statement, u.Row).Label
		}
		rows = append(rows, tableRow{look{line: true, small: true}, []cellText{left(u.Caption, 40),
			left(periodText(u.Statement, u.PeriodID), 20), right(money(u.Amount), 15), left(into, 25)}})
	}
	p.list([]cellText{left("Caption without a row of its own", 40), left("Period", 20), right("Amount", 15),
		left("Entered as", 25)}, rows)
}

// notes says how the figures came about, and suggests add-backs without applying them.
func (p *report) notes() {
	p.begin("Notes")
	for _, s := range p.r.Statements.IncomeStatement.Periods {
		if s.Annualized {
			start, _ := dossier.ParseDay(s.Start)
			end, _ := dossier.ParseDay(s.End)
			times, by := layout.AnnualFactor(start, end)
			p.line(look{}, left(fmt.Sprintf("%s: every line is multiplied by %s / %s; subtotals are calculated again.",
				s.Label, times, by), grid))
		}
	}
	for _, note := range []string{
		"Costs and expenses are shown positive and subtracted. Contra assets and distributions are negative.",
		"Variance is calculated less reported. No figure was entered to make statements agree.",
		"For each period one source gives a whole statement: audited, reviewed, compiled, tax return, " +
			"company-prepared, in this order.",
		"A derived cash flow rests on the income statement and the balance sheets at both ends of the period.",
		"EBITDA is net income plus interest, income taxes, depreciation and amortization; no other add-back is in it.",
	} {
		p.line(look{}, left(note, grid))
	}
	p.gap()
	p.line(look{bold: true, band: true}, left("Suggested add-backs: NOT applied, a person decides", grid))
	found := false
	for _, s := range p.r.Statements.IncomeStatement.Periods {
		for _, suggestion := range addBacks {
			amount, caption := suggestion.evidence(s)
			if amount.IsZero() || s.Annualized {
				continue
			}
			found = true
			label := strings.ReplaceAll(s.Label, "\n", " ")
			p.line(look{line: true}, left(label, 26), left(caption, 36),
				right(money(dossier.Figure{Decimal: amount}), 12), left(suggestion.why, 26))
		}
	}
	if !found {
		p.line(look{}, left("None: no printed caption speaks of one.", grid))
	}
	p.gap()
	p.line(look{}, left("This report restates figures of the documents named in it. It is neither audited nor advice.",
		grid))
}

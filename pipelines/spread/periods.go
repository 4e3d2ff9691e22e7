package spread

import (
	"fmt"
	"time"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/spread/layout"
)

// length is how long a period is: whole calendar months, else days.
type length struct {
	months int // 0 when not whole
	days   int
}

// lengthOf measures a period. Source: template.yaml, periods.months.
func lengthOf(start, end dossier.Day) length {
	l := length{days: int(end-start) + 1}
	if start == start.MonthStart() && end == end.MonthEnd() {
		y1, m1, _ := start.Date()
		y2, m2, _ := end.Date()
		l.months = 12*(y2-y1) + int(m2-m1) + 1
	}
	return l
}

// full reports whether the period is a year: 12 whole months, or 52 or 53 weeks.
func (l length) full() bool { return l.months == 12 || l.days >= 358 && l.days <= 378 }

// longer reports whether it is more than a year.
func (l length) longer() bool { return !l.full() && l.days > 366 }

func (l length) interim() bool { return !l.full() && !l.longer() }

// short reports whether it is less than 3 months.
func (l length) short() bool {
	if l.months > 0 {
		return l.months < 3
	}
	return l.days < 84
}

// yearly scales an amount of the period to a year, rounded to 2 places.
func yearly(c *column, amount decimal.Decimal) decimal.Decimal {
	times, by := layout.AnnualFactor(c.start, c.end)
	return amount.Mul(times).DivRound(by, 2)
}

// incomeStatements chooses and calculates the base columns.
func (w *consolidation) incomeStatements() {
	for _, c := range w.choose("incomeStatement", func(c *column) string { return periodID(c.start, c.end) }) {
		w.period(c, c.start, values(w.calculateFor(c, c.start), c.statement, false, false))
		if lengthOf(c.start, c.end).longer() {
			w.warn("period_longer_than_year", w.of[c], c.label+" is longer than a year; it is kept and not annualized")
		}
	}
	w.listSetAside("incomeStatement")
}

// calculateFor calculates a column under its period id.
func (w *consolidation) calculateFor(c *column, start dossier.Day) rowSet {
	id := periodID(start, c.end)
	w.of[c] = id
	set := calculate(w.adjusted(c, id))
	w.sets[c.statement][id] = set
	return set
}

func (w *consolidation) period(c *column, start dossier.Day, values dossier.SpreadValues) {
	s := w.results.Statements.Named(c.statement)
	s.Periods = append(s.Periods, dossier.SpreadPeriod{ID: periodID(start, c.end), Label: c.label,
		Start: start.String(), End: c.end.String(), Basis: c.basis, Values: values})
}

// balanceSheets chooses and calculates the balance sheets and joins them to the income statements by their ends.
func (w *consolidation) balanceSheets() {
	sheets := w.choose("balanceSheet", func(c *column) string { return c.end.String() })
	splitPartners(sheets)
	for _, c := range sheets {
		start := w.sheetStart(c.end)
		w.period(c, start, values(w.calculateFor(c, start), c.statement, false, false))
	}
	w.listSetAside("balanceSheet")
}

// sheetStart is the start of the longest income statement that ends on the day, else the day after the previous
// fiscal year end.
func (w *consolidation) sheetStart(end dossier.Day) dossier.Day {
	start, found := dossier.Day(0), false
	for _, c := range w.chosen["incomeStatement"] {
		if c.end == end && (!found || c.start < start) {
			start, found = c.start, true
		}
	}
	if found {
		return start
	}
	year, month, _ := end.Date()
	closing := time.Month(w.in.FiscalYearEndMonth)
	if month <= closing {
		year--
	}
	previous, _ := dossier.ParseDay(fmt.Sprintf("%04d-%02d-01", year, closing))
	return previous.MonthEnd() + 1
}

// sheetAt is the calculated balance sheet on a day; nil when there is none.
func (w *consolidation) sheetAt(end dossier.Day) (rowSet, string) {
	for _, c := range w.chosen["balanceSheet"] {
		if c.end == end {
			return w.sets["balanceSheet"][w.of[c]], w.of[c]
		}
	}
	return nil, ""
}

// annualize adds a column after each interim income statement. Lines are scaled, the rest is calculated again, so
// the column foots. Source: template.yaml, annualization.
func (w *consolidation) annualize() {
	s := &w.results.Statements.IncomeStatement
	var all []dossier.SpreadPeriod
	for i, c := range w.chosen["incomeStatement"] {
		base := s.Periods[i]
		all = append(all, base)
		l := lengthOf(c.start, c.end)
		if !l.interim() {
			continue
		}
		id := base.ID + "_annualized"
		set := yearlySet(w.adjusted(c, base.ID))
		w.sets["incomeStatement"][id] = set
		all = append(all, dossier.SpreadPeriod{ID: id, Label: base.Label + " (annualized)", Start: base.Start,
			End: base.End, Basis: base.Basis,
			Annualized: true, DerivedFrom: copyOf(base.ID), Values: values(set, c.statement, true, true)})
		if l.short() {
			w.warn("short_base", id, base.Label+" is shorter than 3 months; the annualized figures rest on little")
		}
		if w.priorYear(c) == nil {
			w.warn("seasonality_unknown", id,
				"No full year before "+base.Label+" shows how its months compare with a year")
		}
	}
	s.Periods = all
}

func yearlySet(c *column) rowSet {
	set := rowSet{}
	for key, v := range calculate(c) {
		row := Template().Row(c.statement, key)
		if row.Formula.Empty() || row.Computed == "fallback" && len(v.sources) > 0 {
			set[key] = cell{amount: yearly(c, v.amount), sources: v.sources}
		}
	}
	complete(set, c.statement)
	return set
}

// priorYear is the full year before a period: for a full year the one that ends the day before (give or take a
// week), for an interim period the last that ended before it did.
func (w *consolidation) priorYear(c *column) *column {
	var found *column
	for _, p := range w.chosen["incomeStatement"] {
		if !lengthOf(p.start, p.end).full() || p.end >= c.end {
			continue
		}
		if lengthOf(c.start, c.end).full() && !nearDays(c.start-1, p.end) {
			continue
		}
		found = p
	}
	return found
}

package statement

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/statement/table"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// settlePeriods derives starts from lengths, years of 52 and 53 weeks from the columns beside them, and the end
// of a year that stands alone from the balance sheet.
func (r *statementReader) settlePeriods() {
	var fiscal text.Date
	for _, b := range r.blocks {
		for _, p := range b.periods {
			if b.kind == captions.BalanceSheet && p.End != nil {
				fiscal = *p.End
			}
		}
	}
	for _, b := range r.blocks {
		for i := range b.periods {
			b.settleToDate(i)
			if p := &b.periods[i]; p.End == nil && fiscal.Month == 0 && b.hasUnreadEndDate(r.segment.Order) {
				p.YearOnly = 0 // a day is printed that was not read: no calendar year
			}
			b.periods[i].SettleYear(fiscal)
			settleWeeks(&b.periods[i], b.kind, r.blocks)
		}
		for i := range b.periods {
			if b.kind != captions.BalanceSheet {
				b.settleLength(i)
				b.periods[i].Settle(text.Date{})
			}
		}
	}
}

// hasUnreadEndDate reports whether the lines above the rows print a day on which a period ends and no date is read of
// any of them: "FOR THE YEAR ENDED 3l MARGH 2024".
func (b *readStatement) hasUnreadEndDate(order text.DateOrder) bool {
	if slices.ContainsFunc(b.head, func(l text.Line) bool { return len(text.FindDates(l.Text(), order)) > 0 }) {
		return false
	}
	return slices.ContainsFunc(b.head, func(l text.Line) bool {
		g := endsOn.FindStringSubmatch(l.Text())
		return g != nil && slices.ContainsFunc(strings.Fields(g[1]), func(word string) bool {
			return dayWord.MatchString(word) && !noDay.MatchString(word)
		})
	})
}

var (
	endsOn = lazyregexp.New(`(?i)\b(?:years?|periods?|months|weeks|quarters?)\s+(?:then\s+)?` +
		`(?:ended|ending)\s+(.+)$`)
	dayWord = lazyregexp.New(`^[\p{L}\d]*\p{L}{3}[\p{L}\d]*[.,]?$`)
	noDay   = lazyregexp.New(`(?i)^(?:and|the|years?|then|fiscal|months?|weeks?|quarters?|ended|ending|unaudited` +
		`|audited|consolidated|thousands|millions|dollars|except|per|share|data|amounts|expressed|stated|three|six` +
		`|nine|twelve|respectively|with|comparative|totals?|for|usd|change|notes?)[.,]?$`)
)

// settleWeeks ends a year of weeks that prints its year alone on the day that a balance sheet prints for that year: it
// is a day or some from that of the title, a year before.
func settleWeeks(p *table.Period, kind string, blocks []*readStatement) {
	if p.YearOnly == 0 || p.End == nil {
		return
	}
	switch {
	case kind == captions.BalanceSheet:
		settleInstant(p, blocks)
		return
	case p.Weeks == 0:
		return
	}
	for _, b := range blocks {
		for _, q := range b.periods {
			if b.kind != captions.BalanceSheet || q.End == nil || q.YearOnly > 0 {
				continue
			}
			days := table.DaysBetween(*q.End, *p.End)
			if q.End.Year == p.YearOnly && days != 0 && max(days, -days) < 7 {
				end := *q.End
				p.End, p.Start, p.Derived = &end, nil, "the day of the balance sheet"
				return
			}
		}
	}
	settleBefore(p, blocks)
}

// weeksOfYear are how many weeks years of weeks have.
const weeksOfYear = 52

// settleBefore ends a year of weeks that prints its year alone the day before the next one begins: that one prints its
// last day and how many weeks it has.
func settleBefore(p *table.Period, blocks []*readStatement) {
	for _, b := range blocks {
		for _, q := range b.periods {
			if q.End == nil || q.Weeks < weeksOfYear || q.End.Year != p.YearOnly+1 {
				continue
			}
			end := q.End.AddDays(-7 * q.Weeks)
			if days := table.DaysBetween(end, *p.End); end.Year == p.YearOnly && days != 0 && max(days, -days) < 7 {
				p.End, p.Start, p.Derived = &end, nil, "the day before the next year of weeks"
				return
			}
		}
	}
}

// settleInstant gives a balance sheet that prints a year alone the day on which a year of weeks ends that the other
// statements print.
func settleInstant(p *table.Period, blocks []*readStatement) {
	for _, b := range blocks {
		for _, q := range b.periods {
			if b.kind == captions.BalanceSheet || q.End == nil || q.Weeks < weeksOfYear || q.End.Year != p.YearOnly {
				continue
			}
			if days := table.DaysBetween(*q.End, *p.End); days != 0 && max(days, -days) < 7 {
				end := *q.End
				p.End, p.Derived = &end, "the last day of the year of weeks"
				return
			}
		}
	}
}

// settleToDate ends a year to date that prints its year alone with the last of the columns beside it; how far it
// goes is else not known.
func (b *readStatement) settleToDate(i int) {
	p := &b.periods[i]
	if !p.ToDate || p.YearOnly == 0 || p.End != nil {
		return
	}
	for _, q := range b.periods {
		if q.End != nil && q.End.Year == p.YearOnly && (p.End == nil || p.End.Before(*q.End)) {
			end := *q.End
			p.End = &end
		}
	}
	p.YearOnly = 0
}

// settleLength finds the length of a period that prints only its end: columns a year apart, with no word of a
// shorter length, are years. A year of weeks begins the day after the one before it.
func (b *readStatement) settleLength(i int) {
	p := &b.periods[i]
	if p.End == nil || p.Start != nil || p.Weeks > 0 || p.ToDate {
		return
	}
	monthEnds, neighbours := true, 0
	for k, q := range b.periods {
		if q.End == nil {
			return
		}
		monthEnds = monthEnds && *q.End == q.End.EndOfMonth()
		days := table.DaysBetween(*q.End, *p.End)
		if k != i && max(days, -days) >= table.ShortestYear && max(days, -days) <= table.LongestYear {
			neighbours++
		}
	}
	if p.Months == nil && neighbours == 0 {
		return
	}
	twelve := 12
	if p.Months == nil {
		p.Months = &twelve
		p.Derived = "a year: the columns are a year apart"
	}
	if *p.Months != 12 || monthEnds {
		return
	}
	for _, q := range b.periods {
		if slices.Contains(table.DaysOfYears, table.DaysBetween(*q.End, *p.End)) {
			start := q.End.AddDays(1)
			p.Start, p.Derived = &start, "the day after "+q.End.String()
			return
		}
	}
}

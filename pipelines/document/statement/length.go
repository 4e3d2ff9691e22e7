package statement

import "github.com/dossierhq/dossier/pipelines/document/text"

// settlePeriods derives starts from lengths, years of 52 and 53 weeks from the columns beside them, and the end
// of a year that stands alone from the balance sheet.
func (r *statementReader) settlePeriods() {
	var fiscal text.Date
	for _, b := range r.blocks {
		for _, p := range b.periods {
			if b.kind == balanceSheet && p.end != nil {
				fiscal = *p.end
			}
		}
	}
	for _, b := range r.blocks {
		for i := range b.periods {
			b.settleToDate(i)
			b.periods[i].settleYear(fiscal)
		}
		for i := range b.periods {
			if b.kind != balanceSheet {
				b.settleLength(i)
				b.periods[i].settle(text.Date{})
			}
		}
	}
}

// settleToDate ends a year to date that prints its year alone with the last of the columns beside it; how far it
// goes is else not known.
func (b *readStatement) settleToDate(i int) {
	p := &b.periods[i]
	if !p.toDate || p.yearOnly == 0 || p.end != nil {
		return
	}
	for _, q := range b.periods {
		if q.end != nil && q.end.Year == p.yearOnly && (p.end == nil || p.end.Before(*q.end)) {
			end := *q.end
			p.end = &end
		}
	}
	p.yearOnly = 0
}

// settleYear gives a heading of a bare year its end.
func (p *statementPeriod) settleYear(fiscal text.Date) {
	if p.yearOnly == 0 {
		return
	}
	if p.end == nil {
		end := text.Date{Year: p.yearOnly, Month: 12, Day: 31}
		p.derived = "calendar year"
		if fiscal.Month > 0 {
			end = text.Date{Year: p.yearOnly, Month: fiscal.Month, Day: 1}.EndOfMonth()
			p.derived = "year that ends as the balance sheet does"
			if fiscal != fiscal.EndOfMonth() {
				if fiscal.Year != p.yearOnly {
					return
				}
				end = fiscal
			}
		}
		p.end = &end
	}
	if p.months == nil && p.weeks == 0 && !p.toDate && p.start == nil {
		twelve := 12
		p.months = &twelve
	}
}

// settleLength finds the length of a period that prints only its end: columns a year apart, with no word of a
// shorter length, are years. A year of weeks begins the day after the one before it.
func (b *readStatement) settleLength(i int) {
	p := &b.periods[i]
	if p.end == nil || p.start != nil || p.weeks > 0 || p.toDate {
		return
	}
	monthEnds, neighbours := true, 0
	for k, q := range b.periods {
		if q.end == nil {
			return
		}
		monthEnds = monthEnds && *q.end == q.end.EndOfMonth()
		if days := daysBetween(*q.end, *p.end); k != i && (days >= 357 && days <= 378 || days >= -378 && days <= -357) {
			neighbours++
		}
	}
	if p.months == nil && neighbours == 0 {
		return
	}
	twelve := 12
	if p.months == nil {
		p.months = &twelve
		p.derived = "a year: the columns are a year apart"
	}
	if *p.months != 12 || monthEnds {
		return
	}
	for _, q := range b.periods {
		if days := daysBetween(*q.end, *p.end); days == 364 || days == 371 || days == 363 || days == 370 || days == 365 || days == 366 {
			start := q.end.AddDays(1)
			p.start, p.derived = &start, "the day after "+q.end.String()
			return
		}
	}
}

func daysBetween(a, b text.Date) int { return int(b.Time().Sub(a.Time()).Hours()/24 + 0.5) }

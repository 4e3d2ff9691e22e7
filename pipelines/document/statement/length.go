package statement

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

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
			if p := &b.periods[i]; p.end == nil && fiscal.Month == 0 && b.endsUnread(r.segment.Order) {
				p.yearOnly = 0 // a day is printed that was not read: no calendar year
			}
			b.periods[i].settleYear(fiscal)
			b.periods[i].settleWeeks(r.blocks)
		}
		for i := range b.periods {
			if b.kind != balanceSheet {
				b.settleLength(i)
				b.periods[i].settle(text.Date{})
			}
		}
	}
}

// apartFrom is a period without its days where a column that is written has the same: which of them is the title's is
// not printed, and the first stands for it alone.
func (p statementPeriod) apartFrom(written []statementPeriod) statementPeriod {
	if slices.ContainsFunc(written, p.twin) {
		p.start, p.end, p.months, p.weeks, p.derived = nil, nil, nil, 0, ""
	}
	return p
}

// twin reports whether two periods begin and end on the same days.
func (p statementPeriod) twin(q statementPeriod) bool {
	return p.end != nil && q.end != nil && *p.end == *q.end && (p.start == nil) == (q.start == nil) &&
		(p.start == nil || *p.start == *q.start)
}

// endsUnread reports whether the lines above the rows print a day on which a period ends and no date is read of any of
// them: "FOR THE YEAR ENDED 3l MARGH 2024".
func (b *readStatement) endsUnread(order text.DateOrder) bool {
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
func (p *statementPeriod) settleWeeks(blocks []*readStatement) {
	if p.yearOnly == 0 || p.weeks == 0 || p.end == nil {
		return
	}
	for _, b := range blocks {
		for _, q := range b.periods {
			if b.kind != balanceSheet || q.end == nil || q.yearOnly > 0 {
				continue
			}
			if days := daysBetween(*q.end, *p.end); q.end.Year == p.yearOnly && days != 0 && max(days, -days) < 7 {
				end := *q.end
				p.end, p.start, p.derived = &end, nil, "the day of the balance sheet"
				return
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
		days := daysBetween(*q.end, *p.end)
		if k != i && max(days, -days) >= shortestYear && max(days, -days) <= longestYear {
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
		if slices.Contains(daysOfYears, daysBetween(*q.end, *p.end)) {
			start := q.end.AddDays(1)
			p.start, p.derived = &start, "the day after "+q.end.String()
			return
		}
	}
}

// Years are a calendar's or of whole weeks: daysOfYears are theirs, and columns between the bounds a year apart.
const shortestYear, longestYear = 357, 378

var daysOfYears = []int{363, 364, 365, 366, 370, 371}

func daysBetween(a, b text.Date) int { return int(b.Time().Sub(a.Time()).Hours()/24 + 0.5) }

// fromLine and toLine are the two lines over which some programs print the period of a report; month is the number of
// the last month in the fiscal year.
var (
	fromLine = lazyregexp.New(`(?i)^\W*from\s*:?\s+(?:month\s+\d{1,2},?\s*)?(.+)$`)
	toLine   = lazyregexp.New(`(?i)^\W*to\s*:?\s+(?:month\s+(\d{1,2}),?\s*)?(.+)$`)
)

// spanOverLines reads the period that the line at k and the one above it print together: "From: 1 May 2023", "To: 30
// April 2024". The first of the two says nothing alone.
func spanOverLines(lines []statementLine, k int, order text.DateOrder) (statementPeriod, bool) {
	if k+1 < len(lines) && fromLine.MatchString(lines[k].Text()) && toLine.MatchString(lines[k+1].Text()) {
		return statementPeriod{}, readPeriodText(lines[k].Text(), order).end != nil
	}
	if k == 0 {
		return statementPeriod{}, false
	}
	from, to := fromLine.FindStringSubmatch(lines[k-1].Text()), toLine.FindStringSubmatch(lines[k].Text())
	if from == nil || to == nil {
		return statementPeriod{}, false
	}
	begin, p := readPeriodText(from[1], order), readPeriodText(to[2], order)
	if begin.end == nil || p.end == nil {
		return statementPeriod{}, false
	}
	p.label = strings.TrimSpace(lines[k-1].Text() + " " + lines[k].Text())
	if p.start = begin.start; p.start == nil {
		p.start = begin.end
	}
	p.months, p.own = wholeMonths(*p.start, *p.end), false
	p.fiscalMonth, _ = strconv.Atoi(to[1])
	return p, true
}

func (p *statementPeriod) readLength(text string) {
	if twoLengths.MatchString(text) {
		return // "three and nine months": the columns say which
	}
	one, three, six, twelve := 1, 3, 6, 12
	if g := lengthWords.FindStringSubmatch(text); g != nil {
		n, err := strconv.Atoi(g[1])
		if err != nil {
			n = numberWords[strings.Join(strings.Fields(strings.ReplaceAll(strings.ToLower(g[1]), "-", " ")), " ")]
		}
		switch unit := strings.ToLower(g[2])[0]; {
		case n == 0 || n > 60:
		case unit == 'w':
			p.weeks = n
		case unit == 'q':
			n *= 3
			p.months = &n
		default:
			p.months = &n
		}
		return
	}
	if g := nthQuarter.FindStringSubmatch(text); g != nil {
		p.fiscalMonth = 3 * quarterNumbers[strings.ToLower(g[1])]
	}
	switch {
	case p.toDate:
	case halfLength.MatchString(text):
		p.months = &six
	case yearLength.MatchString(text):
		p.months = &twelve
	case quarterLen.MatchString(text):
		p.months = &three
	case monthLen.MatchString(text):
		p.months, p.current = &one, true
	}
}

// nthQuarter says which quarter of its year one is.
var (
	nthQuarter = lazyregexp.New(`(?i)\b(first|second|third|fourth|1st|2nd|3rd|4th)\s+(?:financial\s+)?quarter` +
		`\s+(?:then\s+)?ended\b`)
	quarterNumbers = map[string]int{"first": 1, "second": 2, "third": 3, "fourth": 4,
		"1st": 1, "2nd": 2, "3rd": 3, "4th": 4}
)

// firstMonths are how reports name the months of a year so far: "H1 2024", "1H 2024", "9M 2024", and the second half.
var firstMonths = lazyregexp.New(`(?i)(?:^|\s)(?:H([12])|([12])H|([3-9])M)[\s/]*((?:19|20)\d{2})(?:\s|$)`)

// readMonths reads a heading that names a half or the first months of a year.
func (p *statementPeriod) readMonths(s string) bool {
	g := firstMonths.FindStringSubmatch(s)
	if g == nil {
		return false
	}
	first, last := 1, 6
	if g[3] != "" {
		last, _ = strconv.Atoi(g[3])
	} else if g[1]+g[2] == "2" {
		first, last = 7, 12
	}
	year, _ := strconv.Atoi(g[4])
	start, end := text.Date{Year: year, Month: first, Day: 1}, text.Date{Year: year, Month: last, Day: 1}.EndOfMonth()
	months := last - first + 1
	p.start, p.end, p.months, p.derived = &start, &end, &months, "calendar quarter"
	return true
}

// wholeMonths counts calendar months from the first to the last day of months; other spans are rounded to
// the nearest month. Source: spread-template.yaml, periods.months.
func wholeMonths(start, end text.Date) *int {
	if start.Day == 1 && end == end.EndOfMonth() {
		n := (end.Year-start.Year)*12 + end.Month - start.Month + 1
		return &n
	}
	days := end.Time().Sub(start.Time()).Hours()/24 + 1
	n := int(days/30.4375 + 0.5)
	return &n
}

// hasLength reports whether a period says how long it is.
func (p *statementPeriod) hasLength() bool { return p.months != nil || p.weeks > 0 || p.toDate }

// settle derives a start that is not printed from end and length.
func (p *statementPeriod) settle(fiscal text.Date) {
	if p.end == nil || p.start != nil {
		return
	}
	switch {
	case p.weeks > 0:
		start := p.end.AddDays(1 - 7*p.weeks)
		p.start, p.months = &start, wholeMonths(start, *p.end)
		p.derived = fmt.Sprintf("%d weeks back from %s", p.weeks, p.end)
	case p.months != nil:
		start := monthsBack(*p.end, *p.months)
		p.start = &start
		p.derived = fmt.Sprintf("%d months back from %s", *p.months, p.end)
	case p.toDate:
		start := text.Date{Year: p.end.Year, Month: 1, Day: 1}
		if fiscal.Month > 0 {
			start = fiscal.AddDays(1)
			start.Year = p.end.Year
			if p.end.Before(start) {
				start.Year--
			}
		}
		p.start, p.months = &start, wholeMonths(start, *p.end)
		p.derived = "first day of the year that " + p.end.String() + " is in"
	}
}

// monthsBack is the first day of a period of n months that ends on end: a year that ends within a month
// (52 or 53 weeks) begins the day after the same weekday 52 weeks before, as near as can be known.
func monthsBack(end text.Date, n int) text.Date {
	if end == end.EndOfMonth() {
		t := time.Date(end.Year, time.Month(end.Month-n+1), 1, 0, 0, 0, 0, time.UTC)
		return text.DateOf(t)
	}
	switch n {
	case 12:
		return end.AddDays(1 - 52*7)
	case 3:
		return end.AddDays(1 - 13*7)
	case 6:
		return end.AddDays(1 - 26*7)
	case 9:
		return end.AddDays(1 - 39*7)
	}
	return text.DateOf(time.Date(end.Year, time.Month(end.Month-n), end.Day+1, 0, 0, 0, 0, time.UTC))
}

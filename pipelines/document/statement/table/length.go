package table

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// WithoutSharedDays is the period without its days when a column already written has the same ones: which of them the
// title means is not printed, so only the first keeps them.
func (p Period) WithoutSharedDays(written []Period) Period {
	if slices.ContainsFunc(written, p.sameDays) {
		p.Start, p.End, p.Months, p.Weeks, p.Derived = nil, nil, nil, 0, ""
	}
	return p
}

// sameDays reports whether two periods begin and end on the same days.
func (p Period) sameDays(q Period) bool {
	return p.End != nil && q.End != nil && *p.End == *q.End && (p.Start == nil) == (q.Start == nil) &&
		(p.Start == nil || *p.Start == *q.Start)
}

// SettleYear gives a heading of a bare year its end.
func (p *Period) SettleYear(fiscal text.Date) {
	if p.YearOnly == 0 {
		return
	}
	if p.End == nil {
		end := text.Date{Year: p.YearOnly, Month: 12, Day: 31}
		p.Derived = "calendar year"
		if fiscal.Month > 0 {
			end = text.Date{Year: p.YearOnly, Month: fiscal.Month, Day: 1}.EndOfMonth()
			p.Derived = "year that ends as the balance sheet does"
			if fiscal != fiscal.EndOfMonth() {
				if fiscal.Year != p.YearOnly {
					return
				}
				end = fiscal
			}
		}
		p.End = &end
	}
	if p.Months == nil && p.Weeks == 0 && !p.ToDate && p.Start == nil {
		twelve := 12
		p.Months = &twelve
	}
}

// Years are a calendar's or of whole weeks: daysOfYears are theirs, and columns between the bounds a year apart.
const ShortestYear, LongestYear = 357, 378

// DaysOfYears are the lengths of fiscal years, in days.
var DaysOfYears = []int{363, 364, 365, 366, 370, 371}

// DaysBetween is how many days b is after a.
func DaysBetween(a, b text.Date) int { return int(b.Time().Sub(a.Time()).Hours()/24 + 0.5) }

// fromLine and toLine are the two lines over which some programs print the period of a report; month is the number of
// the last month in the fiscal year.
var (
	fromLine = lazyregexp.New(`(?i)^\W*from\s*:?\s+(?:month\s+\d{1,2},?\s*)?(.+)$`)
	toLine   = lazyregexp.New(`(?i)^\W*to\s*:?\s+(?:month\s+(\d{1,2}),?\s*)?(.+)$`)
)

// spanOverLines reads the period that the line at k and the one above it print together: "From: 1 May 2023", "To: 30
// April 2024". The first of the two says nothing alone.
func spanOverLines(lines []Line, k int, order text.DateOrder) (Period, bool) {
	if k+1 < len(lines) && fromLine.MatchString(lines[k].Text()) && toLine.MatchString(lines[k+1].Text()) {
		return Period{}, ReadPeriod(lines[k].Text(), order).End != nil
	}
	if k == 0 {
		return Period{}, false
	}
	from, to := fromLine.FindStringSubmatch(lines[k-1].Text()), toLine.FindStringSubmatch(lines[k].Text())
	if from == nil || to == nil {
		return Period{}, false
	}
	begin, p := ReadPeriod(from[1], order), ReadPeriod(to[2], order)
	if begin.End == nil || p.End == nil {
		return Period{}, false
	}
	p.Label = strings.TrimSpace(lines[k-1].Text() + " " + lines[k].Text())
	if p.Start = begin.Start; p.Start == nil {
		p.Start = begin.End
	}
	p.Months, p.Own = WholeMonths(*p.Start, *p.End), false
	p.fiscalMonth, _ = strconv.Atoi(to[1])
	return p, true
}

func (p *Period) readLength(text string) {
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
			p.Weeks = n
		case unit == 'q':
			n *= 3
			p.Months = &n
		default:
			p.Months = &n
		}
		return
	}
	if g := nthQuarter.FindStringSubmatch(text); g != nil {
		p.fiscalMonth = 3 * quarterNumbers[strings.ToLower(g[1])]
	}
	switch {
	case p.ToDate:
	case halfLength.MatchString(text):
		p.Months = &six
	case yearLength.MatchString(text):
		p.Months = &twelve
	case quarterLen.MatchString(text):
		p.Months = &three
	case monthLen.MatchString(text):
		p.Months, p.current = &one, true
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
func (p *Period) readMonths(s string) bool {
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
	p.Start, p.End, p.Months, p.Derived = &start, &end, &months, "calendar quarter"
	return true
}

// WholeMonths counts calendar months from the first to the last day of months; other spans are rounded to
// the nearest month. Source: spread-template.yaml, periods.months.
func WholeMonths(start, end text.Date) *int {
	if start.Day == 1 && end == end.EndOfMonth() {
		n := (end.Year-start.Year)*12 + end.Month - start.Month + 1
		return &n
	}
	days := end.Time().Sub(start.Time()).Hours()/24 + 1
	n := int(days/30.4375 + 0.5)
	return &n
}

// hasLength reports whether a period says how long it is.
func (p *Period) hasLength() bool { return p.Months != nil || p.Weeks > 0 || p.ToDate }

// Settle derives a start that is not printed from end and length.
func (p *Period) Settle(fiscal text.Date) {
	if p.End == nil || p.Start != nil {
		return
	}
	switch {
	case p.Weeks > 0:
		start := p.End.AddDays(1 - 7*p.Weeks)
		p.Start, p.Months = &start, WholeMonths(start, *p.End)
		p.Derived = fmt.Sprintf("%d weeks back from %s", p.Weeks, p.End)
	case p.Months != nil:
		start := monthsBack(*p.End, *p.Months)
		p.Start = &start
		p.Derived = fmt.Sprintf("%d months back from %s", *p.Months, p.End)
	case p.ToDate:
		start := text.Date{Year: p.End.Year, Month: 1, Day: 1}
		if fiscal.Month > 0 {
			start = fiscal.AddDays(1)
			start.Year = p.End.Year
			if p.End.Before(start) {
				start.Year--
			}
		}
		p.Start, p.Months = &start, WholeMonths(start, *p.End)
		p.Derived = "first day of the year that " + p.End.String() + " is in"
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

// opensLength reports whether a number begins the length of a period that the next line ends: "31/12/2023 (12" above
// "mois)".
func opensLength(l text.Line, m text.Money) bool {
	return lengthOpened.MatchString(text.Join(l.Tokens[m.First : m.Last+1]))
}

var lengthOpened = lazyregexp.New(`^\(\s?\d{1,2}$`)

package table

import (
	"slices"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// columnRole is what a column of figures is for.
type columnRole int

const (
	PeriodColumn  columnRole = iota
	TotalColumn              // of the report's own period
	AnotherColumn            // percentages, changes, budgets, references to notes
)

// Period is what the heading of a column says. An end without a start is an instant, or a period
// whose length is not printed.
type Period struct {
	Label      string
	Start, End *text.Date
	Months     *int
	Weeks      int
	Derived    string // how start (or end) was calculated; empty when printed
	YearOnly   int    // a heading that prints a year alone
	Role       columnRole
	ToDate     bool // year to date: starts with the fiscal year
	current    bool // "current month"
	Own        bool // printed above the column itself
	LastYear   bool // "last year", beside the period of the title

	fiscalMonth int // the number that its last month has in the fiscal year
}

// itemsApart are what results are shown without, or alone, in columns beside those of the period: "before exceptional
// items".
const itemsApart = `(?:adjusting|adjusted|exceptional|special|specific|separately\s+(?:disclosed|reported)` +
	`|significant|non-?underlying|non-?recurring|one-?off)\s+(?:items?|charges)\b`

var (
	numberWords = map[string]int{"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
		"nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
		"thirteen": 13, "fourteen": 14, "sixteen": 16, "seventeen": 17, "twenty four": 24, "twenty five": 25,
		"twenty six": 26, "thirty nine": 39, "thirty six": 36, "forty": 40, "fifty two": 52, "fifty three": 53,
		"fourty": 40}
	lengthWords = lazyregexp.New(`(?i)\b((?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve` +
		`|thirteen|fourteen|sixteen|seventeen|(?:twenty|thirty|forty|fifty)(?:[\s-](?:two|three|four|five|six` +
		`|nine))?)|\d{1,2})[\s-]*(months?|mos?|weeks?|wks?|quarters?)\b\.?`)
	twoLengths = lazyregexp.New(`(?i)\b(?:one|three|six|nine|twelve|twenty[\s-]?\w*|thirty[\s-]?\w*` +
		`|\d{1,2})\s*(?:and|&|/)\s*(?:one|three|six|nine|twelve|twenty|thirty|thirty[\s-]?\w*` +
		`|\d{1,2})[\s-]*(?:months?|weeks?)|quarters?\s+and\s+\w+`)
	yearLength = lazyregexp.New(`(?i)\b(?:fiscal\s+|calendar\s+)?years?[\s-]*(?:then\s+)?(?:ended|ending|end)\b` +
		`|\bannual\b|\bfiscal\s+years?\b|\bfor\s+the\s+years?\b|\btwelve[\s-]month`)
	halfLength = lazyregexp.New(`(?i)\b(?:half|semi)[\s-]*(?:year|annual)|\bsix[\s-]month`)
	quarterLen = lazyregexp.New(`(?i)\bquarters?\s*(?:then\s+)?(?:ended|ending|to)\b|\bfor\s+the\s+quarter\b`)
	monthLen   = lazyregexp.New(`(?i)\bmonth\s*(?:then\s+)?(?:ended|ending|of)\b|\bfor\s+the\s+month\b` +
		`|^\s*(?:the\s+)?month\s*$|\bcurrent\s+month\b|\bthis\s+month\b|\bmonth\s+to\s+date\b|\bMTD\b` +
		`|\bcurrent\s+period\b`)
	yearToDate = lazyregexp.New(`(?i)\byear[\s-]*to[\s-]*(?:date|month[\s-]*end)\b|\bYTD\b|\bcumulative\b`)
	otherRole  = lazyregexp.New(`(?i)%|\bchange\b|\bvariance\b|\bvar\b\.?|\bbudget(?:ed)?\b|\bforecast\b` +
		`|\bdifference\b|\bincrease\b|\bdecrease\b` +
		`|^\s*(?:notes?|not|noter|notas?|anhang|anm\.?)\s*(?:nr\.?|no\.?)?\s*$` +
		`|^\s*(?:ref|page)\b\.?|\bpercent(?:age)?\b|\bpct\b` +
		`|\bprojected\b|\bpro[\s-]?forma\b|\beliminat\w+|\bplan\b|^\s*(?:acct|account|a/c|code|gl)\b.*(?:no|number` +
		`|code|#)|^\s*of\s+(?:sales|income|revenues?|total)\b|\bratio\b|\b(?:un)?restrict(?:ed|ions?)\b` +
		`|\b(?:before|excluding)\s+` + itemsApart + `|\b` + itemsApart + `|\b(?:non-?)?underlying\b|\badjustments?\b` +
		`|^\W*(?:FY\W?)?(?:20)?\d{2}\s?(?:[EFPB]|est)\.?\W*$` +
		`|^\W*(?:(?:valeurs?|montants?)\s+)?brute?s?\W*$|^\W*(?:amort|d[ée]pr[ée]c)\w*\.?(?:\W+(?:et\s+)?` +
		`(?:prov|d[ée]pr)\w*\.?)?\W*$`)
	totalRole = lazyregexp.New(`(?i)^\s*(?:grand\s+)?totals?\s*$|^\s*period\s+to\s+date\s*$` +
		`|^\s*selected\s+(?:month|period)\s*$|^\s*(?:amount|balance|actual|period|consolidated|\$|usd` +
		`|current\s+year|this\s+year)s?\s*$`)
	monthRange = lazyregexp.New(`(?i)\b([a-z]{3,9})\.?[\s/]*(?:['’](\d{2})|((?:19|20)\d{2}))?\s*(?:-|–|—|to|through` +
		`|thru)\s*([a-z]{3,9})\.?,?[\s/]*(?:['’]?(\d{2})|((?:19|20)\d{2}))\b`)
	quarterName = lazyregexp.New(`(?i)\bQ([1-4])[\s,'’-]*(?:FY\s*)?((?:20)?\d{2})\b` +
		`|\b([1-4])Q[\s,'’]*(?:FY\s*)?((?:20)?\d{2})\b|\b(first|second|third|fourth|1st|2nd|3rd` +
		`|4th)\s+quarter,?\s*(?:of\s+)?(20\d{2})\b`)
	monthYear = lazyregexp.New(`(?i)^\s*([a-z]{3,9})\.?[\s,/-]*(?:['’]?(\d{2})|((?:19|20)\d{2}))\s*$`)
	loneYear  = lazyregexp.New(`(?i)^\W*(?:(FY|fiscal(?:\s+year)?|F/Y|calendar\s+year|CY|tax\s+year` +
		`|year|totals?)[\s'’]*)?((?:19|20)\d{2})(?:\s*\(?(?:unaudited|audited|restated|as restated|actual|PY|PP` +
		`|PYD|totals?)\)?)?(?:\s+actual|\s?A)?\W*$`)
	shortFiscal   = lazyregexp.New(`(?i)^\W*FY[\s'’]*(\d{2})(?:\s?A)?\W*$`)
	lastYearWords = lazyregexp.New(`(?i)^\W*(?:last|prior|previous)\s+(?:year|YTD)(?:\s+(?:to\s+date|actual))?` +
		`(?:\s*\(\S{1,3}\))?\W*$` +
		`|^\W*vorjahr(?:\s+(?:T?EUR|T?€|CHF))?\W*$`)
	AnyYear = lazyregexp.New(`\b((?:19|20)\d{2})\b`)
)

// monthNumber is the place of a month in the year of accounts: "From: Month 1, April 2023".
var monthNumber = lazyregexp.New(`(?i):?\s*\bmonth\s+(?:[1-9]|1[0-2]),`)

// ReadPeriod reads one heading, or the title of a statement, on its own.
func ReadPeriod(s string, order text.DateOrder) Period {
	s = monthNumber.ReplaceAllString(s, "")
	p := Period{Label: strings.Join(strings.Fields(s), " ")}
	if yearToDate.MatchString(s) {
		p.ToDate = true
	}
	if p.readSpan(s, order) {
		return p
	}
	p.readLength(s)
	dates := text.FindDates(s, order)
	for _, d := range dates {
		if d.Complete() {
			end := d.Date
			p.End = &end // the last: "from" dates stand before
		}
	}
	if p.End != nil {
		return p
	}
	if g := monthYear.FindStringSubmatch(s); g != nil && text.MonthNames[text.Fold(g[1])] > 0 {
		month := text.Date{Year: yearOf(g[2], g[3]), Month: text.MonthNames[text.Fold(g[1])], Day: 1}
		one, last := 1, month.EndOfMonth()
		p.Start, p.End, p.Months = &month, &last, &one
		return p
	}
	for _, d := range dates {
		if d.Year > 0 && d.Day == 0 { // a month alone
			month := text.Date{Year: d.Year, Month: d.Month, Day: 1}
			last := month.EndOfMonth()
			p.End = &last
			if p.Months == nil && !p.ToDate {
				one := 1
				p.Start, p.Months = &month, &one
			}
			return p
		}
	}
	if g := quarterName.FindStringSubmatch(s); g != nil {
		p.readQuarter(g)
		return p
	}
	if p.readMonths(s) {
		return p
	}
	if g := loneYear.FindStringSubmatch(s); g != nil {
		p.YearOnly, _ = strconv.Atoi(g[2])
		if twelve := 12; g[1] != "" && !strings.HasPrefix(strings.ToLower(g[1]), "total") {
			p.Months = &twelve // "FY 2023" beside "Q4 2023"
		}
	} else if g := shortFiscal.FindStringSubmatch(s); g != nil {
		p.YearOnly = yearOf(g[1], "")
	}
	return p
}

// readSpan reads a heading that prints both ends.
func (p *Period) readSpan(s string, order text.DateOrder) bool {
	if spans := text.FindPeriods(s, order); len(spans) > 0 {
		start, end := spans[0].Start, spans[0].End
		if months := strings.Count(s, "to date"); months == 0 {
			p.Start, p.End = &start, &end
			p.Months = WholeMonths(start, end)
			return true
		}
	}
	g := monthRange.FindStringSubmatch(s)
	if g == nil || text.MonthNames[text.Fold(g[1])] == 0 || text.MonthNames[text.Fold(g[4])] == 0 {
		return false
	}
	end := text.Date{Year: yearOf(g[5], g[6]), Month: text.MonthNames[text.Fold(g[4])], Day: 1}.EndOfMonth()
	start := text.Date{Year: yearOf(g[2], g[3]), Month: text.MonthNames[text.Fold(g[1])], Day: 1}
	if g[2]+g[3] == "" {
		start.Year = end.Year
		if start.Month > end.Month {
			start.Year--
		}
	}
	if end.Before(start) {
		return false
	}
	p.Start, p.End = &start, &end
	p.Months = WholeMonths(start, end)
	return true
}

func (p *Period) readQuarter(g []string) {
	quarter, year := 0, 0
	for i := 1; i < len(g); i += 2 {
		if g[i] == "" {
			continue
		}
		if quarter = quarterNumbers[strings.ToLower(g[i])]; quarter == 0 {
			quarter, _ = strconv.Atoi(g[i])
		}
		year, _ = strconv.Atoi(g[i+1])
	}
	if year < 100 {
		year = text.ExpandYear(year)
	}
	start := text.Date{Year: year, Month: 3*quarter - 2, Day: 1}
	end := text.Date{Year: year, Month: 3 * quarter, Day: 1}.EndOfMonth()
	three := 3
	p.Start, p.End, p.Months = &start, &end, &three
	p.Derived = "calendar quarter"
}

// yearOf is a printed year of two or four figures; 0 when neither is printed.
func yearOf(short, long string) int {
	if long != "" {
		n, _ := strconv.Atoi(long)
		return n
	}
	if short == "" {
		return 0
	}
	n, _ := strconv.Atoi(short)
	return text.ExpandYear(n)
}

// withTitle fills what a column's heading leaves open from the lines above it: length, month and day, or
// the whole period.
func (p *Period) withTitle(title []Period, raw string, instant bool, order text.DateOrder) {
	for _, t := range title {
		p.lengthToDate(t)
		p.endFrom(t)
		p.lengthFrom(t)
	}
	for _, t := range title {
		if p.End == nil && p.YearOnly == 0 && t.YearOnly > 0 {
			p.YearOnly = t.YearOnly
			p.labelFrom(t)
		}
	}
	if p.YearOnly > 0 && p.End == nil {
		p.endOfYear(title, raw, order)
	}
	if instant {
		p.Start, p.Months, p.Weeks, p.ToDate = nil, nil, 0, false
	}
}

// lengthToDate takes from a title how long the year to date is.
func (p *Period) lengthToDate(title Period) {
	n := title.fiscalMonth
	if !p.ToDate || p.End != nil {
		if p.ToDate && p.Start == nil && p.Months == nil && n > 0 {
			p.Months = &n
		}
		return
	}
	if title.End != nil && title.Months != nil && *title.Months > 1 {
		p.Months = title.Months
	}
	if n > 0 {
		p.Months = &n
	}
}

// endFrom takes a title's period for a column that prints neither an end nor a year. Its start holds only where both
// are of one length.
func (p *Period) endFrom(title Period) {
	if p.End != nil || p.YearOnly != 0 || title.End == nil {
		return
	}
	p.Start, p.End, p.Derived = title.Start, title.End, title.Derived
	switch {
	case p.ToDate && p.Months == nil && !title.ToDate:
		p.Start = nil // of the title's month only the end
	case p.Months == nil && p.Weeks == 0:
		p.Months, p.Weeks = title.Months, title.Weeks
	case title.Months == nil || p.Months == nil || *p.Months != *title.Months:
		p.Start = nil
	}
	p.labelFrom(title)
	p.ToDate = p.ToDate || title.ToDate
}

// lengthFrom takes a title's length for a column that prints neither a length nor a start. "The month" of a title is
// only that of its own end.
func (p *Period) lengthFrom(title Period) {
	if p.Start != nil || p.hasLength() || !title.hasLength() {
		return
	}
	p.Months, p.Weeks, p.ToDate = title.Months, title.Weeks, title.ToDate
	if title.current && title.End != nil && p.End != nil && *title.End != *p.End {
		p.Months = nil
	}
}

// anyFigures heads a column of any figures and tells it from no other.
var anyFigures = lazyregexp.New(`(?i)^\W*(?:totals?|actuals?|amounts?|balances?|consolidated|\$|usd)\W*$`)

// labelFrom takes the label of a title's period for a column that has none, or one that any column of figures may have.
func (p *Period) labelFrom(title Period) {
	if p.Label == "" || anyFigures.MatchString(p.Label) {
		p.Label = periodLabel(title.Label)
	}
}

// toYearBefore moves a period to the same days of the year before.
func (p *Period) toYearBefore() {
	if p.End == nil {
		return
	}
	back := func(d text.Date) *text.Date {
		last := d == d.EndOfMonth()
		d.Year--
		if last {
			d = text.Date{Year: d.Year, Month: d.Month, Day: 1}.EndOfMonth()
		}
		return &d
	}
	p.End, p.Derived = back(*p.End), "a year before the period of the title"
	if p.Start != nil {
		p.Start = back(*p.Start)
	}
}

// onlyDateOf is the one date of a year that a text prints with dates of other years.
func onlyDateOf(year int, raw string, order text.DateOrder) (text.Date, bool) {
	var found []text.Date
	years := map[int]bool{}
	spans := text.FindPeriods(raw, order)
	for _, d := range text.FindDates(raw, order) {
		if !d.Complete() || slices.ContainsFunc(spans, func(p text.Period) bool { return p.Start == d.Date }) {
			continue // what a period begins with ends none
		}
		years[d.Year] = true
		if d.Year == year && (len(found) == 0 || found[0] != d.Date) {
			found = append(found, d.Date)
		}
	}
	if len(found) != 1 || len(years) < 2 {
		return text.Date{}, false
	}
	return found[0], true
}

// endOfYear finds the day on which a year that stands alone ends: a month and day in the title.
func (p *Period) endOfYear(title []Period, raw string, order text.DateOrder) {
	// "December 27, 2023, December 28, 2022 and December 29, 2021"
	if end, ok := onlyDateOf(p.YearOnly, raw, order); ok {
		p.End = &end
		for _, t := range title {
			if p.Months == nil && p.Weeks == 0 {
				p.Months, p.Weeks = t.Months, t.Weeks
			}
		}
		return
	}
	for _, t := range title {
		if t.End != nil {
			end := *t.End
			wasEnd := end == end.EndOfMonth()
			end.Year = p.YearOnly
			if wasEnd {
				end = text.Date{Year: end.Year, Month: end.Month, Day: 1}.EndOfMonth()
			}
			p.End = &end
			if t.Start != nil && t.Months != nil {
				p.Start, p.Months = nil, t.Months
			}
			return
		}
	}
	for _, d := range text.FindDates(raw, order) {
		if d.Year == 0 && d.Day > 0 && d.Month > 0 {
			end := text.Date{Year: p.YearOnly, Month: d.Month, Day: d.Day}
			if end.Valid() {
				p.End = &end
				return
			}
		}
	}
}

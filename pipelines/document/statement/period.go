package statement

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
	periodColumn  columnRole = iota
	totalColumn              // of the report's own period
	anotherColumn            // percentages, changes, budgets, references to notes
)

// statementPeriod is what the heading of a column says. An end without a start is an instant, or a period
// whose length is not printed.
type statementPeriod struct {
	label      string
	start, end *text.Date
	months     *int
	weeks      int
	derived    string // how start (or end) was calculated; empty when printed
	yearOnly   int    // a heading that prints a year alone
	role       columnRole
	toDate     bool // year to date: starts with the fiscal year
	current    bool // "current month"
	own        bool // printed above the column itself
	lastYear   bool // "last year", beside the period of the title

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
	anyYear = lazyregexp.New(`\b((?:19|20)\d{2})\b`)
)

// monthNumber is the place of a month in the year of accounts: "From: Month 1, April 2023".
var monthNumber = lazyregexp.New(`(?i):?\s*\bmonth\s+(?:[1-9]|1[0-2]),`)

// readPeriodText reads one heading, or the title of a statement, on its own.
func readPeriodText(s string, order text.DateOrder) statementPeriod {
	s = monthNumber.ReplaceAllString(s, "")
	p := statementPeriod{label: strings.Join(strings.Fields(s), " ")}
	if yearToDate.MatchString(s) {
		p.toDate = true
	}
	if p.readSpan(s, order) {
		return p
	}
	p.readLength(s)
	dates := text.FindDates(s, order)
	for _, d := range dates {
		if d.Complete() {
			end := d.Date
			p.end = &end // the last: "from" dates stand before
		}
	}
	if p.end != nil {
		return p
	}
	if g := monthYear.FindStringSubmatch(s); g != nil && text.MonthNames[text.Fold(g[1])] > 0 {
		month := text.Date{Year: yearOf(g[2], g[3]), Month: text.MonthNames[text.Fold(g[1])], Day: 1}
		one, last := 1, month.EndOfMonth()
		p.start, p.end, p.months = &month, &last, &one
		return p
	}
	for _, d := range dates {
		if d.Year > 0 && d.Day == 0 { // a month alone
			month := text.Date{Year: d.Year, Month: d.Month, Day: 1}
			last := month.EndOfMonth()
			p.end = &last
			if p.months == nil && !p.toDate {
				one := 1
				p.start, p.months = &month, &one
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
		p.yearOnly, _ = strconv.Atoi(g[2])
		if twelve := 12; g[1] != "" && !strings.HasPrefix(strings.ToLower(g[1]), "total") {
			p.months = &twelve // "FY 2023" beside "Q4 2023"
		}
	} else if g := shortFiscal.FindStringSubmatch(s); g != nil {
		p.yearOnly = yearOf(g[1], "")
	}
	return p
}

// readSpan reads a heading that prints both ends.
func (p *statementPeriod) readSpan(s string, order text.DateOrder) bool {
	if spans := text.FindPeriods(s, order); len(spans) > 0 {
		start, end := spans[0].Start, spans[0].End
		if months := strings.Count(s, "to date"); months == 0 {
			p.start, p.end = &start, &end
			p.months = wholeMonths(start, end)
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
	p.start, p.end = &start, &end
	p.months = wholeMonths(start, end)
	return true
}

func (p *statementPeriod) readQuarter(g []string) {
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
	p.start, p.end, p.months = &start, &end, &three
	p.derived = "calendar quarter"
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
func (p *statementPeriod) withTitle(title []statementPeriod, raw string, instant bool, order text.DateOrder) {
	for _, t := range title {
		p.lengthToDate(t)
		p.endFrom(t)
		p.lengthFrom(t)
	}
	for _, t := range title {
		if p.end == nil && p.yearOnly == 0 && t.yearOnly > 0 {
			p.yearOnly = t.yearOnly
			p.labelFrom(t)
		}
	}
	if p.yearOnly > 0 && p.end == nil {
		p.endOfYear(title, raw, order)
	}
	if instant {
		p.start, p.months, p.weeks, p.toDate = nil, nil, 0, false
	}
}

// lengthToDate takes from a title how long the year to date is.
func (p *statementPeriod) lengthToDate(title statementPeriod) {
	n := title.fiscalMonth
	if !p.toDate || p.end != nil {
		if p.toDate && p.start == nil && p.months == nil && n > 0 {
			p.months = &n
		}
		return
	}
	if title.end != nil && title.months != nil && *title.months > 1 {
		p.months = title.months
	}
	if n > 0 {
		p.months = &n
	}
}

// endFrom takes a title's period for a column that prints neither an end nor a year. Its start holds only where both
// are of one length.
func (p *statementPeriod) endFrom(title statementPeriod) {
	if p.end != nil || p.yearOnly != 0 || title.end == nil {
		return
	}
	p.start, p.end, p.derived = title.start, title.end, title.derived
	switch {
	case p.toDate && p.months == nil && !title.toDate:
		p.start = nil // of the title's month only the end
	case p.months == nil && p.weeks == 0:
		p.months, p.weeks = title.months, title.weeks
	case title.months == nil || p.months == nil || *p.months != *title.months:
		p.start = nil
	}
	p.labelFrom(title)
	p.toDate = p.toDate || title.toDate
}

// lengthFrom takes a title's length for a column that prints neither a length nor a start. "The month" of a title is
// only that of its own end.
func (p *statementPeriod) lengthFrom(title statementPeriod) {
	if p.start != nil || p.hasLength() || !title.hasLength() {
		return
	}
	p.months, p.weeks, p.toDate = title.months, title.weeks, title.toDate
	if title.current && title.end != nil && p.end != nil && *title.end != *p.end {
		p.months = nil
	}
}

// anyFigures heads a column of any figures and tells it from no other.
var anyFigures = lazyregexp.New(`(?i)^\W*(?:totals?|actuals?|amounts?|balances?|consolidated|\$|usd)\W*$`)

// labelFrom takes the label of a title's period for a column that has none, or one that any column of figures may have.
func (p *statementPeriod) labelFrom(title statementPeriod) {
	if p.label == "" || anyFigures.MatchString(p.label) {
		p.label = periodLabel(title.label)
	}
}

// yearBack moves a period to the same days of the year before.
func (p *statementPeriod) yearBack() {
	if p.end == nil {
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
	p.end, p.derived = back(*p.end), "a year before the period of the title"
	if p.start != nil {
		p.start = back(*p.start)
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
func (p *statementPeriod) endOfYear(title []statementPeriod, raw string, order text.DateOrder) {
	// "December 27, 2023, December 28, 2022 and December 29, 2021"
	if end, ok := onlyDateOf(p.yearOnly, raw, order); ok {
		p.end = &end
		for _, t := range title {
			if p.months == nil && p.weeks == 0 {
				p.months, p.weeks = t.months, t.weeks
			}
		}
		return
	}
	for _, t := range title {
		if t.end != nil {
			end := *t.end
			wasEnd := end == end.EndOfMonth()
			end.Year = p.yearOnly
			if wasEnd {
				end = text.Date{Year: end.Year, Month: end.Month, Day: 1}.EndOfMonth()
			}
			p.end = &end
			if t.start != nil && t.months != nil {
				p.start, p.months = nil, t.months
			}
			return
		}
	}
	for _, d := range text.FindDates(raw, order) {
		if d.Year == 0 && d.Day > 0 && d.Month > 0 {
			end := text.Date{Year: p.yearOnly, Month: d.Month, Day: d.Day}
			if end.Valid() {
				p.end = &end
				return
			}
		}
	}
}

package text

import (
	"slices"
	"strconv"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Spans of days.

var periodJoin = lazyregexp.New(`(?i)^\s*(?:(?:-|–|—)\s*(?:to|thru|through|au|al|bis)|-|–|—|to|thru|through|until` +
	`|till|and|ending|au|jusqu['’]?\s?au|do|do dnia|po|hasta el|até|ate|a|bis|al|hasta|t/m|tot|/|~)\s*:?\s*(?:the\s)?$`)

// zoneOfDay is the zone of time behind a day: "1 March 2024 [GMT+01:00]".
var zoneOfDay = lazyregexp.New(`(?i)\s*[\[(](?:GMT|UTC|[A-Z]{2,4}T)(?:\s?[+-]\d{1,2}(?::?\d{2})?)?[\])]`)

// Period is a printed span of days, both ends included.
type Period struct {
	Start, End Date
	From, To   int // bytes of the text
}

// FindPeriods finds "January 14, 2021 through February 10, 2021", "12/01/24 - 12/31/24", "Dec 15 - Jan 14, 2024"
// in a text. A start without a year takes the end's (or the one before).
func FindPeriods(text string, order DateOrder) []Period {
	dates := FindDates(text, order)
	var periods []Period
	for i := 0; i+1 < len(dates); i++ {
		a, b := dates[i], dates[i+1]
		between := zoneOfDay.ReplaceAllString(text[a.To:b.From], " ")
		if !b.Complete() || a.Day == 0 || !periodJoin.MatchString(between) {
			continue
		}
		start := a.WithYear(b.Date)
		if start.Complete() && !b.Before(start) {
			periods = append(periods, Period{start, b.Date, a.From, b.To})
			i++
		}
	}
	return slices.Concat(periods, daysOfMonth(text, dates), daysBehindMonth(text))
}

// beforeDay is the first day of a span within a month, before the last: "01 - 31 March 2024".
var beforeDay = lazyregexp.New(`(?i)(?:^|\s)(\d{1,2})(?:st|nd|rd|th)?\s*(?:-|–|—|to|bis|au|al|a)\s*$`)

// daysOfMonth are the spans whose first day stands before the last without a month of its own.
func daysOfMonth(text string, dates []FoundDate) []Period {
	var periods []Period
	for _, d := range dates {
		if !d.Complete() || !isDigit(text[d.From]) || !isLetter(text[d.To-len("2024")-2]) {
			continue
		}
		g := beforeDay.FindStringSubmatchIndex(text[:d.From])
		if g == nil {
			continue
		}
		day, err := strconv.Atoi(text[g[2]:g[3]])
		first := Date{d.Year, d.Month, day}
		if err == nil && first.Valid() && day > 0 && first.Before(d.Date) {
			periods = append(periods, Period{first, d.Date, g[2], d.To})
		}
	}
	return periods
}

// behindMonth is a span within a month that is named before both days: "January 1 - 31, 2024".
var behindMonth = lazyregexp.New(`(?i)\b([a-zà-ÿ]{3,10})\.? (\d{1,2})\s?(?:-|–|—|to|through)\s?(\d{1,2}),? ` +
	`((?:19|20)\d{2})\b`)

// daysBehindMonth are the spans whose month stands before the first day and is that of the last one too.
func daysBehindMonth(text string) []Period {
	var periods []Period
	for _, g := range behindMonth.FindAllStringSubmatchIndex(text, -1) {
		number := func(i int) int { n, _ := strconv.Atoi(text[g[2*i]:g[2*i+1]]); return n }
		month := MonthNames[Fold(text[g[2]:g[3]])]
		first, last := Date{number(4), month, number(2)}, Date{number(4), month, number(3)}
		if month > 0 && first.Complete() && first.Valid() && last.Valid() && first.Before(last) {
			periods = append(periods, Period{first, last, g[0], g[1]})
		}
	}
	return periods
}

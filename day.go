package dossier

import "time"

// Day is a civil date as a count of days since 1970-01-01: the difference of two is days. It has no zone;
// whoever makes one from a clock decides in whose zone it is that day.
type Day int

const isoDate = "2006-01-02"

// DayOf returns the date that t shows in its own location.
func DayOf(t time.Time) Day {
	y, m, d := t.Date()
	return dayOfDate(y, m, d)
}

// ParseDay reads YYYY-MM-DD, the form of dates in facts. It reports false for anything else.
func ParseDay(s string) (Day, bool) {
	t, err := time.Parse(isoDate, s)
	if err != nil {
		return 0, false
	}
	return DayOf(t), true
}

// FactDay reads a date fact; an absent or malformed one is false.
func FactDay(fact *string) (Day, bool) {
	if fact == nil {
		return 0, false
	}
	return ParseDay(*fact)
}

// String prints the day as YYYY-MM-DD.
func (d Day) String() string { return d.time().Format(isoDate) }

// Date returns the parts of the day.
func (d Day) Date() (year int, month time.Month, day int) { return d.time().Date() }

// AddMonths returns the same day n months later, or that month's last day when it is shorter:
// 31 January plus one month is 28 or 29 February.
func (d Day) AddMonths(n int) Day {
	y, m, day := d.Date()
	last := dayOfDate(y, m+time.Month(n)+1, 0)
	return min(dayOfDate(y, m+time.Month(n), 1)+Day(day)-1, last)
}

// MonthStart returns the first day of the day's calendar month.
func (d Day) MonthStart() Day {
	y, m, _ := d.Date()
	return dayOfDate(y, m, 1)
}

// MonthEnd returns the last day of the day's calendar month.
func (d Day) MonthEnd() Day {
	y, m, _ := d.Date()
	return dayOfDate(y, m+1, 0)
}

func (d Day) time() time.Time { return time.Unix(int64(d)*86400, 0).UTC() }

func dayOfDate(y int, m time.Month, d int) Day {
	return Day(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

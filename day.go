package dossier

import (
	"slices"
	"time"

	"github.com/shopspring/decimal"
)

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

// This file says what "N consecutive months of bank statements" means. It is the rule behind BANK_STATEMENT
// items (resources.md section 2) and behind rules such as "covers the last 3 months".
//
// Banks close a cycle every 28 to 33 days and move the closing day around weekends, so calendar months are
// the wrong ruler: a statement from 16 February to 15 March would fill neither. Months are therefore counted
// from the first day of an unbroken run of periods: a run holds n months when it reaches the day before the
// n-th monthly anniversary of its first day, give or take cycleSlack(n).

// Span is an unbroken stretch of days, both ends included.
type Span struct{ From, To Day }

// Days returns the number of days in the span; 0 when it is turned around.
func (s Span) Days() int { return max(0, int(s.To-s.From)+1) }

// String prints the span as "2024-12-01 to 2024-12-31".
func (s Span) String() string { return s.From.String() + " to " + s.To.String() }

// joinGap is how many days may be missing between two statements that still follow each other: a cycle that
// ends on a Friday may be followed by one that begins on Monday.
const joinGap = 2

// quietEdge is how far an account may have been quiet before the first and after the last line of a
// transaction list, which prints no period of its own.
const quietEdge = 14

// cycleSlack is how many days short n months may be: a cycle of 28 days is a month, but the shortfalls of a
// long run never add up to the half month at which a missing statement could hide.
func cycleSlack(n int) int { return min(3*n, 14) }

// JoinSpans returns the union of spans as runs in order of time. Spans that overlap, touch or leave at most
// joinGap days open are one run. Spans that are turned around are left out.
func JoinSpans(spans []Span) []Span {
	sorted := slices.Clone(spans)
	slices.SortFunc(sorted, func(a, b Span) int { return int(a.From - b.From) })
	var runs []Span
	for _, s := range sorted {
		switch last := len(runs) - 1; {
		case s.Days() == 0:
		case last >= 0 && s.From <= runs[last].To+1+joinGap:
			runs[last].To = max(runs[last].To, s.To)
		default:
			runs = append(runs, s)
		}
	}
	return runs
}

// Months returns how many months a run of statements holds. One statement of 28 to 33 days holds one, three
// that follow each other hold three, half a month holds none.
func (s Span) Months() int {
	n := 0
	for s.Days() > 0 && s.To+1+Day(cycleSlack(n+1)) >= s.From.AddMonths(n+1) {
		n++
	}
	return n
}

// WithQuietEdges returns the span that a transaction list stands for. A list shows only the days on which
// something happened, so its first and last line understate it: it reaches back to the first and forward to
// the last day of their calendar months, by at most quietEdge days each, and never past today. A list from
// 4 to 17 August stands for August; one from 10 to 12 August does not.
func (s Span) WithQuietEdges(today Day) Span {
	return Span{
		From: max(s.From.MonthStart(), s.From-quietEdge),
		To:   max(s.To, min(s.To.MonthEnd(), s.To+quietEdge, today)),
	}
}

// DayBalance is an account's balance at the end of one day.
type DayBalance struct {
	Day     Day
	Balance Amount
}

// DailyBalances returns the end-of-day balance of every day of the statement's period, for one account, from
// the opening balance and the entries. A day without entries keeps the balance of the day before.
//
// It reports false when the facts do not carry it: no period, no opening balance, several accounts, no
// entries, or entries that do not lead from the opening to the closing balance (a list that was not read
// whole would give wrong days).
func (b *BankFacts) DailyBalances() ([]DayBalance, bool) {
	from, okFrom := FactDay(b.PeriodStart)
	to, okTo := FactDay(b.PeriodEnd)
	if !okFrom || !okTo || to < from || to-from > 3700 || b.OpeningBalance == nil || len(b.Entries) == 0 ||
		len(b.Accounts) > 1 {
		return nil, false
	}
	byDay := map[Day]decimal.Decimal{}
	total := b.OpeningBalance.Decimal
	for _, e := range b.Entries {
		d, ok := ParseDay(e.Date)
		if !ok || d < from || d > to {
			return nil, false
		}
		byDay[d] = byDay[d].Add(e.Amount.Decimal)
		total = total.Add(e.Amount.Decimal)
	}
	if b.ClosingBalance != nil && !total.Equal(b.ClosingBalance.Decimal) {
		return nil, false
	}
	days := make([]DayBalance, 0, to-from+1)
	balance := b.OpeningBalance.Decimal
	for d := from; d <= to; d++ {
		balance = balance.Add(byDay[d])
		days = append(days, DayBalance{d, Amount{balance}})
	}
	return days, true
}

// AverageBalance is the mean of end-of-day balances, 2 places, rounded half away from zero; zero for no days.
func AverageBalance(days []DayBalance) Amount {
	if len(days) == 0 {
		return Amount{}
	}
	sum := decimal.Zero
	for _, d := range days {
		sum = sum.Add(d.Balance.Decimal)
	}
	return Amount{sum.DivRound(decimal.NewFromInt(int64(len(days))), 2)}
}

// LowestBalance is the day with the lowest end-of-day balance, the first of equals. There must be a day.
func LowestBalance(days []DayBalance) DayBalance {
	return slices.MinFunc(days, func(a, b DayBalance) int { return a.Balance.Cmp(b.Balance.Decimal) })
}

// NegativeDays counts the days that end overdrawn.
func NegativeDays(days []DayBalance) int {
	n := 0
	for _, d := range days {
		if d.Balance.IsNegative() {
			n++
		}
	}
	return n
}

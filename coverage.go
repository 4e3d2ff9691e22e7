package dossier

import "slices"

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

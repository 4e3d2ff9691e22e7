package judge

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Words of time in rules. A unit without a number is one of it ("a full month").
const (
	unitWord = `(?:calendar |business |consecutive |full |whole |complete |contiguous )*(?P<unit>day|week|month` +
		`|year)s?`
	amountOf  = `(?:(?P<n>\d+) )?` + unitWord
	lastWord  = `(?:last|past|previous|prior|preceding|recent|most recent|latest|trailing)`
	dateWord  = `(?P<date>date\d)`
	todayWord = `(?: (?:of|from|before|prior to|to|since|at) (?:today|now|current date|todays date|date of ` +
		`(?:upload|submission|judging|review|receipt)|upload|submission|review|receipt))?`
)

// length is a duration in a rule: "3 months".
type length struct {
	n    int
	unit string
}

func lengthOf(g map[string]string) length {
	n, err := strconv.Atoi(g["n"])
	if err != nil {
		n = 1
	}
	return length{min(n, 10000), g["unit"]}
}

func (l length) String() string { return count(l.n, l.unit) }

// before returns the day that lies the length before d.
func (l length) before(d dossier.Day) dossier.Day { return l.from(d, -1) }

// after returns the day that lies the length after d.
func (l length) after(d dossier.Day) dossier.Day { return l.from(d, 1) }

func (l length) from(d dossier.Day, sign int) dossier.Day {
	switch l.unit {
	case "day":
		return d + dossier.Day(sign*l.n)
	case "week":
		return d + dossier.Day(sign*l.n*7)
	case "year":
		return d.AddMonths(sign * l.n * 12)
	}
	return d.AddMonths(sign * l.n)
}

// months returns the length in whole months, or 0 when it is given in days or weeks.
func (l length) months() int {
	switch l.unit {
	case "month":
		return l.n
	case "year":
		return 12 * l.n
	}
	return 0
}

func (c clause) date(name string) text.Date {
	i, err := strconv.Atoi(strings.TrimPrefix(name, "date"))
	if err != nil || i >= len(c.dates) {
		return text.Date{}
	}
	return c.dates[i]
}

// daysOf returns the first and last day of a date, which may be a month.
func daysOf(d text.Date) (first, last dossier.Day, ok bool) {
	if d.Year == 0 || d.Month == 0 {
		return 0, 0, false
	}
	first = dossier.DayOf(time.Date(d.Year, time.Month(d.Month), max(1, d.Day), 0, 0, 0, 0, time.UTC))
	if d.Day == 0 {
		return first, first.MonthEnd(), true
	}
	return first, first, true
}

var (
	covered  = `(?:covers|shows|contains|includes|has|provides|goes back|reaches back|is for|for|of|over|is)`
	activity = `(?: (?:of|worth of) (?:transactions?|transaction history|account activity|activity|history|data` +
		`|banking|bank statements?|statements?|coverage|account history|operations)| period| worth)*`
	coversLast = lazyregexp.New(
		`\b` + covered + `(?: (?:at least|minimum of|no less than|not less than|full|entire|complete|whole|period` +
			`|all|within))* ` + lastWord + `(?: ` + lastWord + `)? ` + amountOf + activity + todayWord,
	)
	coversAny = lazyregexp.New(
		`\b(?:period )?` + covered + `(?: (?:period of|at least|minimum of|no less than|not less than|full|entire` +
			`|complete|whole|more than))* ` + amountOf + `(?: or more| or longer)?` + activity,
	)
	coversBare = lazyregexp.New(
		`^(?:at least |minimum of )?(?P<n>\d+) ` + unitWord +
			` (?:of|worth of) (?:consecutive |bank |account |business |recent |complete )*(?:statements?` +
			`|transactions?|activity|history|transaction history|account history)$`,
	)
	coversDates = lazyregexp.New(
		`\b(?:covers|is for|for|includes|shows|contains|period is)(?: (?:period|dates|activity|transactions|month` +
			`|full|entire|all|whole|statement))*(?: (?:from|between|of|for|in))? (?P<from>date\d)(?: (?:to|through` +
			`|until|thru|till|and|-|–) (?P<to>date\d))?`,
	)
	coversYear = lazyregexp.New(
		`\b(?:covers|includes)(?: (?:full|entire|whole|all of))? (?:calendar |fiscal )?(?:year )?(?P<year>(?:19` +
			`|20)\d{2})`,
	)
)

// readCovers reads rules on a period: "covers the last 90 days", "covers at least 3 months", "covers January 2024".
func readCovers(c clause) (rule, bool) {
	const own = "period covers transactions activity history statement least full entire complete"
	if g, negated, ok := c.matchWhole(coversLast, own); ok &&
		(g["n"] != "" || g["unit"] != "year" || !text.HasWords(c.text(), "return")) {
		return negateIf(coversBack(lengthOf(g)), negated), true
	}
	if g, negated, ok := c.matchWhole(coversDates, own); ok {
		first, last, good := daysOf(c.date(g["from"]))
		if g["to"] != "" {
			_, last, _ = daysOf(c.date(g["to"]))
		}
		if good && last >= first {
			return negateIf(coversSpan(dossier.Span{From: first, To: last}), negated), true
		}
	}
	if g, negated, ok := c.matchWhole(coversYear, own); ok {
		first, _ := dossier.ParseDay(g["year"] + "-01-01")
		return negateIf(coversSpan(dossier.Span{From: first, To: first.AddMonths(12) - 1}), negated), true
	}
	if g, _, ok := c.matchWhole(coversBare, own); ok {
		return coversLength(lengthOf(g)), true
	}
	if g, negated, ok := c.matchWhole(coversAny, own); ok &&
		(g["n"] != "" || text.HasWords(c.text(), "full") || text.HasWords(c.text(), "least") ||
			text.HasWords(c.text(), "complete")) {
		return negateIf(coversLength(lengthOf(g)), negated), true
	}
	return rule{}, false
}

// periodSpan is the period of one document of any type.
func periodSpan(d dossier.ReadDocument, today dossier.Day) (dossier.Span, bool) {
	if d.Facts.Bank != nil {
		span, _, ok := statementSpan(d, today)
		return span, ok
	}
	var from, to *string
	switch f := d.Facts; {
	case f.Tax != nil:
		from, to = f.Tax.PeriodStart, f.Tax.PeriodEnd
		if (from == nil || to == nil) && f.Tax.TaxYear != nil {
			first, last := fmt.Sprintf("%04d-01-01", *f.Tax.TaxYear), fmt.Sprintf("%04d-12-31", *f.Tax.TaxYear)
			from, to = &first, &last
		}
	case f.Statement != nil:
		return longestColumn(f.Statement.Statements)
	default:
		if s, ok := f.Other["periodStart"].(string); ok {
			from = &s
		}
		if s, ok := f.Other["periodEnd"].(string); ok {
			to = &s
		}
	}
	first, ok1 := dossier.FactDay(from)
	last, ok2 := dossier.FactDay(to)
	return dossier.Span{From: first, To: last}, ok1 && ok2 && last >= first
}

func longestColumn(s dossier.Statements) (best dossier.Span, ok bool) {
	for _, columns := range [][]dossier.StatementColumn{s.IncomeStatement, s.CashFlow} {
		for _, column := range columns {
			from, ok1 := dossier.FactDay(column.Start)
			to, ok2 := dossier.FactDay(column.End)
			if span := (dossier.Span{From: from, To: to}); ok1 && ok2 &&
				(!ok || span.To > best.To || span.To == best.To && span.Days() > best.Days()) {
				best, ok = span, true
			}
		}
	}
	return best, ok
}

// anyDay is later than any day that a document prints.
const anyDay dossier.Day = 1 << 30

// coveredRuns merges the document's period with those of the item's other documents of its type that end before by, and
// returns the resulting uninterrupted runs.
func (e *evidence) coveredRuns(by dossier.Day) (own dossier.Span, runs []dossier.Span, ok bool) {
	own, ok = periodSpan(e.doc, e.Today)
	if !ok {
		return own, nil, false
	}
	spans := []dossier.Span{own}
	for _, other := range e.Others {
		if span, good := periodSpan(other, e.Today); good && other.DocType == e.doc.DocType && span.To <= by {
			spans = append(spans, span)
		}
	}
	return own, dossier.JoinSpans(spans), true
}

// runContaining returns the run that contains the document's own period.
func runContaining(own dossier.Span, runs []dossier.Span) dossier.Span {
	for _, run := range runs {
		if own.From >= run.From && own.To <= run.To {
			return run
		}
	}
	return own
}

// coverageAnswer gives as reason the period of a document and that of the item's documents together.
func (e *evidence) coverageAnswer(holds bool, own, run dossier.Span, more ...any) answer {
	args := append([]any{"from", own.From.String(), "to", own.To.String()}, more...)
	if run != own {
		args = append(args, "runFrom", run.From.String(), "runTo", run.To.String())
	}
	return met(holds, say("period", args...)).at(e.doc, "/periodStart", "/periodEnd", "/taxYear")
}

// statementLag is how many days after the last closing date the next monthly statement may still be missing: "the last
// 3 months" do not include the month that is not closed yet.
const statementLag = 35

func coversBack(l length) rule {
	return rule{
		reading: fmt.Sprintf(
			"the period covers the last %s before the day of judging (it may end up to %d days before it, when the "+
				"latest statement was closed)",
			l,
			statementLag,
		),
		together: true,
		judge: func(e *evidence) answer {
			own, runs, ok := e.coveredRuns(e.Today + 1) // no statement ends in the future; a day is left for zones
			if !ok {
				return missing("period")
			}
			run := runContaining(own, runs)
			recent := run.To >= e.Today-statementLag && run.To <= e.Today+1
			return e.coverageAnswer(
				recent && holdsLength(run, l),
				own,
				run,
				"ending",
				run.To.String(),
				"today",
				e.Today.String(),
			)
		},
	}
}

func holdsLength(s dossier.Span, l length) bool {
	if months := l.months(); months > 0 {
		return s.Months() >= months
	}
	return dossier.Day(s.Days()) >= l.after(0)-dossier.Day(min(3*l.n/30, 14)) // the slack of months, for "90 days"
}

func coversLength(l length) rule {
	return rule{
		reading:  fmt.Sprintf("the period is at least %s long", l),
		together: true,
		judge: func(e *evidence) answer {
			own, runs, ok := e.coveredRuns(anyDay)
			if !ok {
				return missing("period")
			}
			run := runContaining(own, runs)
			return e.coverageAnswer(holdsLength(run, l), own, run, "days", run.Days())
		},
	}
}

func coversSpan(want dossier.Span) rule {
	return rule{
		reading:  fmt.Sprintf("the period covers %s", want),
		together: true,
		judge: func(e *evidence) answer {
			own, runs, ok := e.coveredRuns(anyDay)
			if !ok {
				return missing("period")
			}
			run := runContaining(own, runs)
			return e.coverageAnswer(run.From <= want.From && run.To >= want.To, own, run)
		},
	}
}

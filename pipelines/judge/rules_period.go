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

// length is a stretch of time of a rule.
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

// months is the length in whole months, 0 when it is told in days or weeks.
func (l length) months() int {
	switch l.unit {
	case "month":
		return l.n
	case "year":
		return 12 * l.n
	}
	return 0
}

var (
	withinLast = lazyregexp.New(
		`\b(?:dated|issued|created|generated|printed|prepared|from|produced|filed|ends?|ended|ending|period ends?` +
			`|(?:period )?(?:end|ending|closing) date|statement date|issue date|date|dates? from)?(?: (?:is|date` +
			`|falls))? ?(?:no more than |not more than |at most )?(?:within|in|during|from) (?:` + lastWord + ` )?` +
			amountOf + `(?: old)?` + todayWord + `$`,
	)
	notOlder = lazyregexp.New(
		`\b(?:(?:dated|issued|from|ends?|ended|is) )?(?:(?P<not>no|not) (?:dated |is )?(?:more than|older than` +
			`|longer than|over|beyond)|(?P<less>less than|fewer than|under|younger than|newer than|at most|maximum` +
			`|up to|max)) ` + amountOf + `(?: old| ago| in past| past)?` + todayWord,
	)
	olderThan = lazyregexp.New(`\b(?:older than|more than) ` + amountOf + `(?: old| ago)?` + todayWord)
	afterDate = lazyregexp.New(
		`\b(?:dated|issued|ends?|ended|from|date)?(?: is)? ?(?P<how>on or after|no earlier than|not before|not ` +
			`earlier than|after|since|on or before|no later than|not after|not later than|before|by|in|from) ` +
			dateWord + `(?: or later| onwards?)?`,
	)
	notFuture = lazyregexp.New(`\b(?:(?:dated )?in future|post ?dated|future dated)`)
)

// readDated reads rules on the age of a document: "dated within the last 60 days", "not older than 3 months",
// "issued on or after January 1, 2024".
func readDated(c clause) (rule, bool) {
	const own = "dated issued date statement period end ends printed"
	if g, negated, ok := c.take(notOlder, own); ok && g["unit"] != "" {
		within := length(lengthOf(g))
		return signed(datedWithin(within), negated), true
	}
	if g, negated, ok := c.take(withinLast, own); ok && saysAge(c) {
		return signed(datedWithin(lengthOf(g)), negated), true
	}
	if g, negated, ok := c.take(olderThan, own); ok {
		return signed(negate(datedWithin(lengthOf(g))), negated), true
	}
	if g, negated, ok := c.take(afterDate, own); ok && len(c.dates) > 0 {
		if r, ok := datedAround(g["how"], c.date(g["date"])); ok {
			return signed(r, negated), true
		}
	}
	if _, negated, ok := c.take(notFuture, own); ok {
		return signed(datedInFuture(), negated), true
	}
	return rule{}, false
}

// saysAge tells "dated in the last 60 days" from "covers ... in the last 60 days", which is about a period.
func saysAge(c clause) bool {
	return !text.HasWords(c.text(), "covers") && !text.HasWords(c.text(), "transactions")
}

func (c clause) date(name string) text.Date {
	i, err := strconv.Atoi(strings.TrimPrefix(name, "date"))
	if err != nil || i >= len(c.dates) {
		return text.Date{}
	}
	return c.dates[i]
}

func datedWithin(l length) rule {
	return rule{
		reading: fmt.Sprintf("the document's date is at most %s before the day of judging", l),
		judge: func(e *evidence) answer {
			dated, ok := documentDate(e.doc)
			if !ok {
				return missing("date")
			}
			return met(
				dated.day >= l.before(e.Today) && dated.day <= e.Today+1,
				dated.reason(e.Today),
			).at(e.doc, dated.pointer)
		},
	}
}

func datedInFuture() rule {
	return rule{
		reading: "the document's date lies after the day of judging",
		judge: func(e *evidence) answer {
			dated, ok := documentDate(e.doc)
			if !ok {
				return missing("date")
			}
			return met(dated.day > e.Today, dated.reason(e.Today)).at(e.doc, dated.pointer)
		},
	}
}

// datedAround reads a date that is a day, or a month when it has no day.
func datedAround(how string, when text.Date) (rule, bool) {
	first, last, ok := daysOf(when)
	if !ok {
		return rule{}, false
	}
	var holds func(dossier.Day) bool
	switch how {
	case "after":
		how, holds = "after", func(d dossier.Day) bool { return d > last }
	case "on or after", "no earlier than", "not before", "not earlier than", "since":
		how, holds = "on or after", func(d dossier.Day) bool { return d >= first }
	case "before":
		how, holds = "before", func(d dossier.Day) bool { return d < first }
	case "on or before", "no later than", "not after", "not later than", "by":
		how, holds = "on or before", func(d dossier.Day) bool { return d <= last }
	default:
		how, holds = "in", func(d dossier.Day) bool { return d >= first && d <= last }
	}
	return rule{
		reading: fmt.Sprintf("the document's date is %s %s", how, dateWords(when)),
		judge: func(e *evidence) answer {
			dated, ok := documentDate(e.doc)
			if !ok {
				return missing("date")
			}
			return met(
				holds(dated.day),
				say("document_date", "caption", dated.caption, "date", dated.day.String()),
			).at(e.doc, dated.pointer)
		},
	}, true
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

func dateWords(d text.Date) string {
	if d.Day == 0 {
		return fmt.Sprintf("%s %d", time.Month(d.Month), d.Year)
	}
	return d.String()
}

// datedFact is the day a document is dated: what that day is called and where it is printed.
type datedFact struct {
	caption, pointer string
	day              dossier.Day
}

func (f datedFact) reason(today dossier.Day) dossier.Reason {
	return say("document_date", "caption", f.caption, "date", f.day.String(), "today", today.String())
}

// documentDate is the day a document is dated.
func documentDate(d dossier.ReadDocument) (dated datedFact, ok bool) {
	try := func(caption, pointer string, fact *string) {
		if found, good := dossier.FactDay(fact); good && !ok {
			dated, ok = datedFact{caption, pointer, found}, true
		}
	}
	switch f := d.Facts; {
	case f.Bank != nil:
		try("statement_date", "/statementDate", f.Bank.StatementDate)
		try("period_end", "/periodEnd", f.Bank.PeriodEnd)
	case f.Identity != nil:
		try("issue_date", "/issueDate", f.Identity.IssueDate)
	case f.Tax != nil:
		try("tax_period_end", "/periodEnd", f.Tax.PeriodEnd)
		if !ok && f.Tax.TaxYear != nil {
			end := fmt.Sprintf("%04d-12-31", *f.Tax.TaxYear)
			try("tax_year_end", "/taxYear", &end)
		}
	case f.Statement != nil:
		dated, ok = latestColumnEnd(f.Statement.Statements)
	}
	for _, key := range otherDates {
		if s, good := d.Facts.Other[key.name].(string); good {
			try(key.caption, "/"+key.name, &s)
		}
	}
	return dated, ok
}

func latestColumnEnd(s dossier.Statements) (dated datedFact, ok bool) {
	for _, statement := range []struct {
		name    string
		columns []dossier.StatementColumn
	}{{"incomeStatement", s.IncomeStatement}, {"balanceSheet", s.BalanceSheet}, {"cashFlow", s.CashFlow}} {
		for i, column := range statement.columns {
			if end, good := dossier.FactDay(column.End); good && (!ok || end > dated.day) {
				dated, ok = datedFact{"column_end", fmt.Sprintf("/statements/%s/%d/end", statement.name, i), end}, true
			}
		}
	}
	return dated, ok
}

// otherDates are the facts that date other documents, in the order in which they are asked.
var otherDates = []struct{ name, caption string }{
	{
		"date",
		"date",
	}, {"statementDate", "statement_date"}, {"payDate", "pay_date"}, {"asOf", "figures_date"},
	{"reportDate", "report_date"},
	{"requestedOn", "request_date"}, {"periodEnd", "end_of_period"},
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
	if g, negated, ok := c.take(coversLast, own); ok &&
		(g["n"] != "" || g["unit"] != "year" || !text.HasWords(c.text(), "return")) {
		return signed(coversBack(lengthOf(g)), negated), true
	}
	if g, negated, ok := c.take(coversDates, own); ok {
		first, last, good := daysOf(c.date(g["from"]))
		if g["to"] != "" {
			_, last, _ = daysOf(c.date(g["to"]))
		}
		if good && last >= first {
			return signed(coversSpan(dossier.Span{From: first, To: last}), negated), true
		}
	}
	if g, negated, ok := c.take(coversYear, own); ok {
		first, _ := dossier.ParseDay(g["year"] + "-01-01")
		return signed(coversSpan(dossier.Span{From: first, To: first.AddMonths(12) - 1}), negated), true
	}
	if g, _, ok := c.take(coversBare, own); ok {
		return coversLength(lengthOf(g)), true
	}
	if g, negated, ok := c.take(coversAny, own); ok &&
		(g["n"] != "" || text.HasWords(c.text(), "full") || text.HasWords(c.text(), "least") ||
			text.HasWords(c.text(), "complete")) {
		return signed(coversLength(lengthOf(g)), negated), true
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

// runs joins the document's period with those of the item's other documents of its type.
func (e *evidence) runs() (own dossier.Span, runs []dossier.Span, ok bool) {
	own, ok = periodSpan(e.doc, e.Today)
	if !ok {
		return own, nil, false
	}
	spans := []dossier.Span{own}
	for _, other := range e.Others {
		if span, good := periodSpan(other, e.Today); good && other.DocType == e.doc.DocType {
			spans = append(spans, span)
		}
	}
	return own, dossier.JoinSpans(spans), true
}

// runOf is the run that holds the document's own period.
func runOf(own dossier.Span, runs []dossier.Span) dossier.Span {
	for _, run := range runs {
		if own.From >= run.From && own.To <= run.To {
			return run
		}
	}
	return own
}

// covers tells the period of a document and that of the item's documents together.
func (e *evidence) covers(holds bool, own, run dossier.Span, more ...any) answer {
	args := append([]any{"from", own.From.String(), "to", own.To.String()}, more...)
	if run != own {
		args = append(args, "runFrom", run.From.String(), "runTo", run.To.String())
	}
	return met(holds, say("period", args...)).at(e.doc, "/periodStart", "/periodEnd", "/taxYear")
}

// statementLag is how long after the last closing date the next statement may still be on its way: a monthly
// statement covers "the last 3 months" although the current month is not closed.
const statementLag = 35

func coversBack(l length) rule {
	return rule{
		reading: fmt.Sprintf(
			"the period covers the last %s before the day of judging (it may end up to %d days before it, when the "+
				"latest statement was closed)",
			l,
			statementLag,
		),
		judge: func(e *evidence) answer {
			own, runs, ok := e.runs()
			if !ok {
				return missing("period")
			}
			run := runOf(own, runs)
			recent := run.To >= e.Today-statementLag && run.To <= e.Today+1
			return e.covers(
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
		reading: fmt.Sprintf("the period is at least %s long", l),
		judge: func(e *evidence) answer {
			own, runs, ok := e.runs()
			if !ok {
				return missing("period")
			}
			run := runOf(own, runs)
			return e.covers(holdsLength(run, l), own, run, "days", run.Days())
		},
	}
}

func coversSpan(want dossier.Span) rule {
	return rule{
		reading: fmt.Sprintf("the period covers %s", want),
		judge: func(e *evidence) answer {
			own, runs, ok := e.runs()
			if !ok {
				return missing("period")
			}
			run := runOf(own, runs)
			return e.covers(run.From <= want.From && run.To >= want.To, own, run)
		},
	}
}

package judge

import (
	"fmt"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Rules on the age of a document.

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
	if g, negated, ok := c.matchWhole(notOlder, own); ok && g["unit"] != "" {
		within := length(lengthOf(g))
		return negateIf(datedWithin(within), negated), true
	}
	if g, negated, ok := c.matchWhole(withinLast, own); ok && saysAge(c) {
		return negateIf(datedWithin(lengthOf(g)), negated), true
	}
	if g, negated, ok := c.matchWhole(olderThan, own); ok {
		return negateIf(negate(datedWithin(lengthOf(g))), negated), true
	}
	if g, negated, ok := c.matchWhole(afterDate, own); ok && len(c.dates) > 0 {
		if r, ok := datedAround(g["how"], c.date(g["date"])); ok {
			return negateIf(r, negated), true
		}
	}
	if _, negated, ok := c.matchWhole(notFuture, own); ok {
		return negateIf(datedInFuture(), negated), true
	}
	return rule{}, false
}

// saysAge tells "dated in the last 60 days" from "covers ... in the last 60 days", which is about a period.
func saysAge(c clause) bool {
	return !text.HasWords(c.text(), "covers") && !text.HasWords(c.text(), "transactions")
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

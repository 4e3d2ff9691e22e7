package statement

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// partFlow takes the cash flow of continuing operations that is followed by the discontinued ones' for a sum so far,
// and the latter for a line: the total of both is the activity's.
func (r *statementRow) partFlow(rows []statementRow, i int) {
	unknown := r.rule == nil && sumOfGoingOn.MatchString(r.folded)
	if !unknown && (r.rule == nil || !strings.HasPrefix(r.rule.Row, "net")) {
		return
	}
	switch later := rows[i+1 : min(len(rows), i+4)]; {
	case r.rule != nil && r.parent > i && namesRow(captions.Books()[captions.CashFlow], rows[r.parent], r.rule.Row):
		r.rule = nil // "Cash flow from operations" above interest and taxes, and what they leave
	case strings.Contains(r.folded, "discontinued") && !strings.Contains(r.folded, "continuing and"):
		r.rule = nil
	case strings.Contains(" "+r.folded, " continuing ") && slices.ContainsFunc(later, func(l statementRow) bool {
		return l.hasFigures() && strings.Contains(l.folded, "discontinued")
	}):
		r.rule, r.running = nil, true
	}
}

// sumOfGoingOn is the sum of an activity's operations that go on, in words that no list knows.
var sumOfGoingOn = lazyregexp.New(`^(?:net )?cash (?:flows? )?.*\b(?:operating|investing|financing) activities\b` +
	`.*\bcontinuing operations$`)

// financesUnheaded reports whether a row of a short statement of cash flows, that prints no sum of its investing
// activities, is the first of the financing ones: its caption is known there and nowhere above.
func financesUnheaded(rows []statementRow, i int) bool {
	book := captions.Books()[captions.CashFlow]
	if slices.ContainsFunc(rows, func(r statementRow) bool {
		return r.hasFigures() &&
			namesRow(book, r, "netCashFromInvesting")
	}) {
		return false
	}
	for _, form := range rows[i].forms {
		rules := book.Find(form)
		financing := slices.ContainsFunc(rules, func(r captions.Rule) bool { return r.Section == "financing" })
		if financing && !slices.ContainsFunc(rules, func(r captions.Rule) bool { return r.Section == "investing" }) {
			return true
		}
	}
	return false
}

// lastOfCash is the row that ends a statement of cash flows: the closing cash, or what stands next below the last
// activity and is of the change in cash. Captions of activities and of the change are of many forms.
func lastOfCash(rows []statementRow) int {
	book := captions.Books()[captions.CashFlow]
	last := -1
	for i, r := range rows {
		if !r.hasFigures() {
			continue
		}
		if namesRow(book, r, "endingCash") {
			last = i
		}
		for _, form := range r.forms {
			for _, rule := range book.Find(form) {
				if rule.Row == "netChangeInCash" || strings.HasPrefix(rule.Row, "netCashFrom") {
					last = i // some print the closing cash above the change
				}
			}
		}
	}
	if last < 0 {
		return len(rows)
	}
	for i, left := last+1, 3; i < len(rows) && left > 0; i++ {
		if !rows[i].hasFigures() {
			continue
		}
		left--
		for _, form := range rows[i].forms {
			for _, rule := range book.Find(form) {
				if slices.Contains(endsOfCash, rule.Row) {
					last, left = i, 3
				}
			}
		}
	}
	return last
}

// endsOfCash are the rows that stand below the last activity.
var endsOfCash = []string{"endingCash", "beginningCash", "netChangeInCash", "effectOfExchangeRates"}

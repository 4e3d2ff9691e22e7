package statement

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// anchorsOf are the rows that a whole statement of a kind prints, any one of each group.
var anchorsOf = map[string][]string{
	captions.IncomeStatement: {"netIncome incomeBeforeTaxes",
		"netRevenues totalCostOfRevenues grossProfit totalOperatingExpenses operatingIncome grossRevenues"},
	captions.BalanceSheet: {"totalAssets totalNonCurrentAssets",
		"totalEquity totalLiabilitiesAndEquity totalLiabilities totalCurrentLiabilities capitalStock"},
	captions.CashFlow: {"netCashFromOperating", "netCashFromFinancing netCashFromInvesting netChangeInCash",
		"netChangeInCash endingCash beginningCash"},
}

// besideWords head tables that show figures of the statements, or of a part or a plan of the business, and are none
// of the primary ones.
var besideWords = lazyregexp.New(`(?i)\bnon-?\s?(?:gaap|ifrs)\b|\bpro[\s-]?forma\b|\breconcil\w+\s+(?:of|to|from` +
	`|between)\b|\badjusted\b|\bsegments?\b|\bselected\b|\bhighlights\b|\bguidance\b|\boutlook\b` +
	`|\bparent(?:\s+company)?[\s-]+only\b|\(parent\b|\bcompany\s+only\b|\bconsolidating\b|\bguarantors?\b` +
	`|\bpercentage\s+of\b|\bas\s+a\s+percent|\bquarterly\s+(?:results|financial|data)|\bsupplement(?:al|ary)\b` +
	`|\bfree cash flow\b|\bfive[\s-]year\b|\bsummari[sz]ed\b|\bbudget\b|\bby\s+(?:category|product|region` +
	`|geograph\w+|location|class|customer)\b|\bdiscontinued operations\b|\bstock-based compensation expense\b`)

// summarisedWhole is the title of a primary statement that prints fewer lines than another: "Summarised consolidated
// income statement".
var summarisedWhole = lazyregexp.New(`(?i)\bsummari[sz]ed(?:\s+(?:audited|unaudited|interim|group))*\s+` +
	`(?:consolidated|group)\b`)

// isComplete reports whether a statement has the rows that every statement of its kind has.
func (r *readStatement) isComplete() bool {
	for _, group := range anchorsOf[r.kind] {
		has := func(key string) bool { _, ok := r.chosen.rowOf[key]; return ok }
		if !slices.ContainsFunc(strings.Fields(group), has) {
			return false
		}
	}
	return true
}

// isSecondary reports whether the lines right above the columns say that the table is not one of the primary
// statements.
func (r *readStatement) isSecondary() bool {
	if besideWords.MatchString(summarisedWhole.ReplaceAllString(r.title, "")) {
		return true
	}
	for i, l := range slices.Backward(r.head) {
		if i < len(r.head)-7 {
			break
		}
		if len(l.Tokens) <= 22 && besideWords.MatchString(summarisedWhole.ReplaceAllString(l.Text(), "")) &&
			!strings.Contains(text.Fold(l.Text()), "item 8") {
			return true
		}
	}
	return false
}

// precedence ranks the tables of one kind: one with a title and all essential rows comes first.
func (r *readStatement) precedence() int {
	n := 0
	if !r.weak {
		n += 4
	}
	if r.isComplete() {
		n += 2
	}
	if r.isSecondary() {
		n -= 5
	}
	return n
}

// keepPrimary leaves of each kind the primary statements: where one stands with its title and is whole, tables of
// selected data, segments, reconciliations and plans are none. A page of print needs a title or a whole statement.
func (r *statementReader) keepPrimary() {
	best := map[string]int{}
	for _, b := range r.blocks {
		if n, have := best[b.kind]; !have || b.precedence() > n {
			best[b.kind] = b.precedence()
		}
	}
	r.blocks = slices.DeleteFunc(r.blocks, func(b *readStatement) bool {
		n := b.precedence()
		switch {
		case best[b.kind] >= 6:
			return n < 6
		case best[b.kind] >= 2:
			return n < 2
		}
		return len(r.segment.Pages) > 3 && !b.inCells()
	})
}

// inCells reports whether a statement was read from the cells of a spreadsheet.
func (r *readStatement) inCells() bool {
	return len(r.chosen.rows) > 0 && len(r.chosen.rows[0].tokens) > 0 && r.chosen.rows[0].tokens[0].Cell != ""
}

// sharesPeriod reports whether two statements of one kind print the same period.
func (r *readStatement) sharesPeriod(other *readStatement) bool {
	for _, p := range r.periods {
		for _, q := range other.periods {
			if p.End != nil && q.End != nil && *p.End == *q.End &&
				(r.kind == captions.BalanceSheet || p.Start != nil && q.Start != nil && *p.Start == *q.Start) {
				return true
			}
		}
	}
	return false
}

// prefer reports whether a statement is likelier the primary one than another that prints the same period: it says that
// it is consolidated, more of its sums come out, or it has more lines.
func (r *readStatement) prefer(other *readStatement) bool {
	if a, b := r.consolidated(), other.consolidated(); a != b {
		return a
	}
	if a, b := len(r.periods), len(other.periods); a > b && r.chosen.holding() >= other.chosen.holding() &&
		len(r.chosen.rowOf) >= len(other.chosen.rowOf) {
		return true
	}
	a, b := len(r.chosen.rowOf)+len(r.chosen.unmapped), len(other.chosen.rowOf)+len(other.chosen.unmapped)
	return a > b
}

var consolidatedWord = lazyregexp.New(`(?i)\bconsolidated\b|\bconsolid[ée]e?s?\b|\bconsolidad[oa]s?\b|\bkonzern`)

func (r *readStatement) consolidated() bool { return consolidatedWord.MatchString(r.title) }

// dropShared leaves of the statements of one kind that print the same period the preferred one.
func (r *statementReader) dropShared() {
	var kept []*readStatement
	for _, b := range r.blocks {
		at := slices.IndexFunc(kept, func(k *readStatement) bool { return k.kind == b.kind && k.sharesPeriod(b) })
		switch {
		case at < 0:
			kept = append(kept, b)
		case b.prefer(kept[at]):
			kept[at] = b
		}
	}
	r.blocks = kept
}

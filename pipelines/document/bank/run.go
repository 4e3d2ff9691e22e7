package bank

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Runs of balances and movements that follow each other down the pages: each is an account that no table lists.

// accountRuns are the accounts that captioned amounts are of, as they come; open is the last.
type accountRuns struct {
	numbers []text.AccountNumber
	runs    []*account
	open    *account
}

// runAccounts parts a sequence of captioned amounts where another account's opening balance begins.
func runAccounts(items []bankItem, numbers []text.AccountNumber, end *text.Date) []*account {
	r := accountRuns{numbers: numbers}
	for _, it := range items {
		it.kind = datedBalance(it, end, r.open)
		if it.kind != bankNone && r.takes(it) {
			r.open.take(it)
		}
	}
	return dropEmpty(r.runs)
}

// begin opens an account with the number that is printed above its first amount.
func (r *accountRuns) begin(it bankItem) {
	r.open = &account{start: it.line}
	for _, n := range r.numbers {
		if n.Line <= it.line+2 {
			r.open.number, r.open.numberTokens = n.Text, n.Tokens
		}
	}
	r.runs = append(r.runs, r.open)
}

// takes reports whether the open account takes an amount, which may open another one.
func (r *accountRuns) takes(it bankItem) bool {
	if r.open == nil {
		r.begin(it)
		return true
	}
	switch it.kind {
	case bankOpening:
		if r.carriesForward(it) {
			r.open.closing = nil
			return false
		}
		if r.open.opening != nil {
			if r.opened(it) {
				return false
			}
			r.begin(it)
		}
	case bankClosing, bankCurrent:
	default:
		return !r.closedBefore(it)
	}
	return true
}

// carriesForward reports whether an opening balance is the closing one of the page before.
func (r *accountRuns) carriesForward(it bankItem) bool {
	closing := r.open.closing
	return closing != nil && closing.money.Value.Equal(it.money.Value.Decimal) &&
		strings.Contains(text.Fold(it.caption), "forward")
}

// opened reports whether an account began with this balance already and no other number is printed since.
func (r *accountRuns) opened(it bankItem) bool {
	return slices.ContainsFunc(r.runs, func(a *account) bool {
		return a.opening != nil && a.opening.money.Value.Equal(it.money.Value.Decimal) &&
			!numberBetween(r.numbers, a.start, it.line)
	})
}

// closedBefore reports whether an amount is a total of the sections that follow the summary.
func (r *accountRuns) closedBefore(it bankItem) bool {
	a := r.open
	return a.opening != nil && a.closing != nil && it.line-a.closing.line > 3 && len(a.movements()) > 0
}

// dropEmpty removes runs that have no balance at all, unless they are all there is.
func dropEmpty(runs []*account) []*account {
	var kept []*account
	for _, r := range runs {
		if r.opening != nil || r.closing != nil {
			kept = append(kept, r)
		}
	}
	if len(kept) == 0 && len(runs) > 0 {
		return runs[:1]
	}
	return kept
}

// mergeRuns fills the rows of a summary table with the runs that print the same balances.
func mergeRuns(rows, runs []*account, lone bool) []*account {
	for _, r := range runs {
		matched := false
		for _, row := range rows {
			if row.combined || !row.sameOpening(r) {
				continue
			}
			if row.closing != nil && r.closing != nil && !row.closing.money.Value.Equal(r.closing.money.Value.Decimal) {
				continue
			}
			matched = true
			if row.opening == nil {
				row.opening = r.opening
			}
			if row.closing == nil {
				row.closing = r.closing
			}
			if len(row.items) == 0 {
				row.items = r.items
			}
			if row.number == "" {
				row.number, row.numberTokens = r.number, r.numberTokens
			}
			if row.name == "" {
				row.name, row.nameTokens = r.name, r.nameTokens
			}
			row.start = r.start
			break
		}
		if !matched && r.opening != nil && r.closing != nil && !lone {
			rows = append(rows, r)
		}
	}
	return rows
}

// sameOpening reports whether a run can be the row's account: by its opening balance, or where the table has
// none, by its closing balance or else its number: a heading that OCR lost leaves a run with the number before it.
func (a *account) sameOpening(run *account) bool {
	if run.opening == nil {
		return false
	}
	if a.opening != nil {
		return a.opening.money.Value.Equal(run.opening.money.Value.Decimal)
	}
	if a.closing != nil && run.closing != nil {
		return a.closing.money.Value.Equal(run.closing.money.Value.Decimal)
	}
	return a.number != "" && strings.ReplaceAll(a.number, " ", "") == strings.ReplaceAll(run.number, " ", "")
}

package bank

import (
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// correctByBalances corrects figures of a scan that the running balance contradicts, where one figure read otherwise
// makes the balances around it come out: a balance that the amounts on both sides lead past, or an amount that the
// balances on both sides give. before is the balance above the first row, closing the one below the last; nil: not
// known.
func correctByBalances(rows []bankRow, before, closing *decimal.Decimal) {
	for i := range rows {
		r := &rows[i]
		if r.balance == nil {
			before = balanceAfter(before, *r)
			continue
		}
		now := r.balance.Value.Decimal
		if sum := balanceAfter(before, *r); before != nil && r.tokens[0].Method == text.MethodOCR &&
			(sum == nil || !sum.Equal(now)) {
			change := now.Sub(*before)
			switch {
			case sum != nil && nearly(*sum, now) && balancesHold(rows[i+1:], *sum, closing):
				r.balance.Value, r.mended = dossier.Amount{Decimal: *sum}, correctionNote(r.balance.Text, *sum)
			case nearly(change.Abs(), r.amount.Value.Abs()):
				r.amount.Value, r.sign, r.mended = dossier.Amount{Decimal: change}, change.Sign(),
					correctionNote(r.amount.Text, change)
			}
		}
		now = r.balance.Value.Decimal
		before = &now
	}
}

func correctionNote(printed string, v decimal.Decimal) string {
	return fmt.Sprintf("read as %s; the balances around it make %s", printed, commas(v))
}

// balanceAfter is the balance below a row; nil when it cannot be known.
func balanceAfter(before *decimal.Decimal, r bankRow) *decimal.Decimal {
	if before == nil || r.sign == 0 {
		return nil
	}
	sum := before.Add(r.signed())
	return &sum
}

// balancesHold reports whether the rows lead from a balance to the next one that is printed.
func balancesHold(rows []bankRow, from decimal.Decimal, closing *decimal.Decimal) bool {
	at := &from
	for _, r := range rows {
		if at = balanceAfter(at, r); at == nil {
			return false
		}
		if r.balance != nil {
			return at.Equal(r.balance.Value.Decimal)
		}
	}
	return closing != nil && at.Equal(*closing)
}

// correctBySummary corrects the one amount of a scan without running balances through which the listed transactions
// miss the change of the balance: the summary must foot, and exactly one amount that was hard to read must give the
// change when one of its digits is another that OCR takes for it.
func (a *account) correctBySummary() {
	if !a.foots || len(a.rows) == 0 || a.rowsFoot() {
		return
	}
	in, out, _, _ := a.rowSums()
	missed := a.closing.money.Value.Sub(a.opening.money.Value.Decimal).Sub(in).Add(out)
	var only *bankRow
	for i := range a.rows {
		r := &a.rows[i]
		if r.sign == 0 {
			return
		}
		if v := r.signed().Add(missed); !text.SurelyRead(r.tokens) && !v.IsZero() &&
			text.Mistakable(r.amount.Value.Abs(), v.Abs()) {
			if only != nil {
				return
			}
			only = r
		}
	}
	if only != nil {
		v := only.signed().Add(missed)
		only.mended = fmt.Sprintf("read as %s; with %s the transactions make the change of the balance",
			only.amount.Text, commas(v))
		only.amount.Value = dossier.Amount{Decimal: v}
	}
}

// nearly reports whether two figures differ by at most one character: replaced, added or lost.
func nearly(x, y decimal.Decimal) bool {
	a, b := x.StringFixed(2), y.StringFixed(2)
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	if len(a) == len(b) {
		return i == len(a) || a[i+1:] == b[i+1:]
	}
	return a[i:] == b[i+1:]
}

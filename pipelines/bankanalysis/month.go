package bankanalysis

import (
	"fmt"
	"slices"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
)

func (b *analyzer) analyzeMonth(a *account, month string, days []provenDay, shown map[dossier.Day]bool) Month {
	out := Month{Month: month, Currency: a.currency, NegativeDates: []string{}}
	for d := range shown {
		if d.String()[:7] == month {
			out.Days++
		}
	}
	short := map[FactSource]bool{} // what they print counts instead
	for _, s := range a.statements {
		short[FactSource{Document: s.document, Part: s.part}] = s.incomplete
	}
	var in, outgoing, transfersIn, transfersOut, nsf []int
	for _, i := range a.entries {
		e := b.entries[i]
		if e.Date[:7] != month {
			continue
		}
		transfer, counts := slices.Contains(e.Flags, flagTransfer),
			!short[FactSource{Document: e.Document, Part: e.Part}]
		switch {
		case e.Amount.IsPositive():
			in = appendIf(in, i, counts)
			transfersIn = appendIf(transfersIn, i, transfer)
		case e.Amount.IsNegative():
			outgoing = appendIf(outgoing, i, counts)
			transfersOut = appendIf(transfersOut, i, transfer)
		}
		nsf = appendIf(nsf, i, slices.Contains(e.Flags, flagNSF))
	}
	out.Deposits, out.TransfersIn = b.sum(in), b.sum(transfersIn)
	out.Withdrawals, out.TransfersOut = b.sum(outgoing), b.sum(transfersOut)
	printed := a.printedTotals(month, &out)
	out.NetDeposits = difference(out.Deposits, out.TransfersIn)
	out.NetWithdrawals = difference(out.Withdrawals, out.TransfersOut)
	if !printed {
		deposits, withdrawals := len(in), len(outgoing)
		out.DepositCount, out.WithdrawalCount, out.NSF = &deposits, &withdrawals, &Count{Value: len(nsf), Entries: nsf}
	}
	var own []provenDay
	for _, d := range days {
		if d.Day.String()[:7] != month {
			continue
		}
		own = append(own, d)
		if d.Balance.IsNegative() {
			out.NegativeDates = append(out.NegativeDates, d.Day.String())
		}
	}
	out.Average, out.Lowest = b.averageOf(a, own), b.lowestOf(a, own)
	if len(own) > 0 {
		negative := len(out.NegativeDates)
		out.NegativeDays = &negative
	}
	return out
}

func appendIf(list []int, i int, holds bool) []int {
	if holds {
		return append(list, i)
	}
	return list
}

// sum adds the sizes of entries.
func (b *analyzer) sum(entries []int) Figure {
	total := decimal.Zero
	for _, i := range entries {
		total = total.Add(b.entries[i].Amount.Abs())
	}
	formula := fmt.Sprintf("sum of %d entries", len(entries))
	if len(entries) == 1 {
		formula = "one entry"
	}
	return Figure{Value: twoPlaces(total), Formula: formula, Entries: entries}
}

// difference returns a - b, with the entries of a that are not in b.
func difference(a, b Figure) Figure {
	var entries []int
	for _, i := range a.Entries {
		if !slices.Contains(b.Entries, i) {
			entries = append(entries, i)
		}
	}
	return Figure{Value: twoPlaces(a.Value.Sub(b.Value.Decimal)), Formula: "without transfers between own accounts",
		Entries: entries, Sources: a.Sources}
}

// twoPlaces gives an amount at least two decimal places, as money is printed.
func twoPlaces(d decimal.Decimal) dossier.Amount {
	if d.Exponent() > -2 {
		d, _ = decimal.NewFromString(d.StringFixed(2))
	}
	return dossier.Amount{Decimal: d}
}

// combineMonths adds up the accounts' months by currency. An average or a number of days is given only when every
// account has it for that month; otherwise the total would be wrong.
func combineMonths(accounts []Account) []Month {
	groups := map[string][]Month{}
	var keys []string
	for _, a := range accounts {
		for _, m := range a.Months {
			key := m.Month + dossier.Text(m.Currency)
			if groups[key] == nil {
				keys = append(keys, key)
			}
			groups[key] = append(groups[key], m)
		}
	}
	slices.Sort(keys)
	months := make([]Month, 0, len(keys))
	for _, key := range keys {
		months = append(months, addMonths(groups[key]))
	}
	return months
}

func addMonths(list []Month) Month {
	total := list[0]
	for _, m := range list[1:] {
		total.Days = max(total.Days, m.Days)
		for _, pair := range [][2]*Figure{
			{&total.Deposits, &m.Deposits}, {&total.TransfersIn, &m.TransfersIn}, {&total.NetDeposits, &m.NetDeposits},
			{&total.Withdrawals, &m.Withdrawals}, {&total.TransfersOut, &m.TransfersOut},
			{&total.NetWithdrawals, &m.NetWithdrawals},
		} {
			*pair[0] = addFigures(*pair[0], *pair[1])
		}
		total.DepositCount, total.WithdrawalCount = addCounts(total.DepositCount, m.DepositCount),
			addCounts(total.WithdrawalCount, m.WithdrawalCount)
		total.NegativeDays = addCounts(total.NegativeDays, m.NegativeDays)
		total.NegativeDates = slices.Sorted(slices.Values(slices.Concat(total.NegativeDates, m.NegativeDates)))
		if total.Average == nil || m.Average == nil {
			total.Average = nil
		} else {
			sum := addFigures(*total.Average, *m.Average)
			sum.Formula = "sum of the accounts' averages"
			total.Average = &sum
		}
		if total.NSF == nil || m.NSF == nil {
			total.NSF = nil
		} else {
			total.NSF = &Count{total.NSF.Value + m.NSF.Value, slices.Concat(total.NSF.Entries, m.NSF.Entries)}
		}
		total.Lowest = nil // the lowest of two accounts is neither's
	}
	return total
}

func addFigures(a, b Figure) Figure {
	return Figure{
		Value: twoPlaces(a.Value.Add(b.Value.Decimal)), Formula: "sum over accounts",
		Entries: slices.Concat(a.Entries, b.Entries), Sources: slices.Concat(a.Sources, b.Sources),
	}
}

func addCounts(a, b *int) *int {
	if a == nil || b == nil {
		return nil
	}
	sum := *a + *b
	return &sum
}

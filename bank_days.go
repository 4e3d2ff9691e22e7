package dossier

import (
	"slices"

	"github.com/shopspring/decimal"
)

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
	if !okFrom || !okTo || to < from || to-from > 3700 || b.OpeningBalance == nil || len(b.Entries) == 0 || len(b.Accounts) > 1 {
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

package judge

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

type valueFunc = func(dossier.ReadDocument) (decimal.Decimal, string, bool)

func printedAmount(a *dossier.Amount) (decimal.Decimal, string, bool) {
	if a == nil {
		return decimal.Zero, "", false
	}
	return a.Decimal, "", true
}

func bankFact(get func(*dossier.BankFacts) *dossier.Amount) valueFunc {
	return func(d dossier.ReadDocument) (decimal.Decimal, string, bool) {
		if d.Facts.Bank == nil {
			return decimal.Zero, "", false
		}
		return printedAmount(get(d.Facts.Bank))
	}
}

// bankSum is a printed figure of the statement, or the sum over its accounts when it prints none together.
func bankSum(get func(*dossier.BankFacts) *dossier.Amount, of func(dossier.BankAccount) *dossier.Amount) valueFunc {
	return func(d dossier.ReadDocument) (decimal.Decimal, string, bool) {
		b := d.Facts.Bank
		if b == nil {
			return decimal.Zero, "", false
		}
		if a := get(b); a != nil || len(b.Accounts) == 0 {
			return printedAmount(a)
		}
		sum, terms := decimal.Zero, []string{}
		for _, account := range b.Accounts {
			a := of(account)
			if a == nil {
				return decimal.Zero, "", false
			}
			sum = sum.Add(a.Decimal)
			terms = append(terms, money(*a))
		}
		return sum, strings.Join(terms, " + "), true
	}
}

func bankCount(get func(*dossier.BankFacts) *int) valueFunc {
	return func(d dossier.ReadDocument) (decimal.Decimal, string, bool) {
		if d.Facts.Bank == nil || get(d.Facts.Bank) == nil {
			return decimal.Zero, "", false
		}
		return decimal.NewFromInt(int64(*get(d.Facts.Bank))), "", true
	}
}

func averageBalance(d dossier.ReadDocument) (decimal.Decimal, string, bool) {
	if d.Facts.Bank == nil {
		return decimal.Zero, "", false
	}
	days, ok := d.Facts.Bank.DailyBalances()
	if !ok {
		return decimal.Zero, "", false
	}
	return dossier.AverageBalance(days).Decimal, fmt.Sprintf("computed over %s from %s entries", count(len(days), "day"), fmt.Sprint(len(d.Facts.Bank.Entries))), true
}

// lowestBalance is the lowest balance of the period: of its days, else of the entries' printed running
// balances, else printed as such; a printed count of negative days at least tells the sign.
func lowestBalance(d dossier.ReadDocument) (decimal.Decimal, string, bool) {
	b := d.Facts.Bank
	if b == nil {
		return decimal.Zero, "", false
	}
	if b.MinimumDailyBalance != nil {
		return b.MinimumDailyBalance.Decimal, "", true
	}
	if days, ok := b.DailyBalances(); ok {
		low := dossier.LowestBalance(days)
		return low.Balance.Decimal, "on " + low.Day.String(), true
	}
	var low *dossier.BankEntry
	for i, e := range b.Entries {
		if e.Balance == nil {
			return decimal.Zero, "", false
		}
		if low == nil || e.Balance.LessThan(low.Balance.Decimal) {
			low = &b.Entries[i]
		}
	}
	if low == nil {
		return decimal.Zero, "", false
	}
	return low.Balance.Decimal, "on " + low.Date, true
}

func negativeDays(d dossier.ReadDocument) (decimal.Decimal, string, bool) {
	b := d.Facts.Bank
	if b == nil {
		return decimal.Zero, "", false
	}
	if b.NegativeDays != nil {
		return decimal.NewFromInt(int64(*b.NegativeDays)), "", true
	}
	days, ok := b.DailyBalances()
	return decimal.NewFromInt(int64(dossier.NegativeDays(days))), fmt.Sprintf("of %s", count(len(days), "day")), ok
}

// nsfEntry are the captions by which banks print that a payment was not covered.
var nsfEntry = lazyregexp.New(`\b(?:nsf|overdraft|insufficient funds|uncollected funds|returned (?:item|check|payment)s?|return item|od (?:fee|charge|item)|unpaid item)\b`)

func countNSF(d dossier.ReadDocument) (decimal.Decimal, string, bool) {
	b := d.Facts.Bank
	if b == nil || len(b.Entries) == 0 {
		return decimal.Zero, "", false
	}
	n, first := 0, ""
	for _, e := range b.Entries {
		if e.Amount.IsNegative() && nsfEntry.MatchString(text.Fold(e.Description)) {
			n++
			first = firstOf(first, fmt.Sprintf("%s %q", e.Date, e.Description))
		}
	}
	how := fmt.Sprintf("of %d entries", len(b.Entries))
	if first != "" {
		how += ", the first " + first
	}
	return decimal.NewFromInt(int64(n)), how, true
}

func taxFact(get func(*dossier.TaxFacts) *dossier.Amount) valueFunc {
	return func(d dossier.ReadDocument) (decimal.Decimal, string, bool) {
		if d.Facts.Tax == nil {
			return decimal.Zero, "", false
		}
		return printedAmount(get(d.Facts.Tax))
	}
}

// statementOrTax is a row of the latest column of a financial statement, or a fact of a tax return.
func statementOrTax(statement string, rows []string, get func(*dossier.TaxFacts) *dossier.Amount) valueFunc {
	return func(d dossier.ReadDocument) (decimal.Decimal, string, bool) {
		if d.Facts.Tax != nil {
			return printedAmount(get(d.Facts.Tax))
		}
		if d.Facts.Statement == nil {
			return decimal.Zero, "", false
		}
		columns := d.Facts.Statement.Statements.IncomeStatement
		if statement == "balanceSheet" {
			columns = d.Facts.Statement.Statements.BalanceSheet
		}
		column, ok := latestColumn(columns)
		if !ok {
			return decimal.Zero, "", false
		}
		for _, row := range rows {
			if a, ok := column.Values[row]; ok {
				return a.Decimal, column.Label, true
			}
		}
		return decimal.Zero, "", false
	}
}

// latestColumn is the column that ends last, the longest of those.
func latestColumn(columns []dossier.StatementColumn) (best dossier.StatementColumn, ok bool) {
	for _, c := range columns {
		end, bestEnd, months, bestMonths := "", "", 0, 0
		if c.End != nil {
			end = *c.End
		}
		if best.End != nil {
			bestEnd = *best.End
		}
		if c.Months != nil {
			months = *c.Months
		}
		if best.Months != nil {
			bestMonths = *best.Months
		}
		if !ok || end > bestEnd || end == bestEnd && months > bestMonths {
			best, ok = c, true
		}
	}
	return best, ok
}

func otherFact(keys ...string) valueFunc {
	return func(d dossier.ReadDocument) (decimal.Decimal, string, bool) {
		for _, key := range keys {
			if v, ok := decimalOf(d.Facts.Other[key]); ok {
				return v, "", true
			}
		}
		return decimal.Zero, "", false
	}
}

// decimalOf reads an amount out of facts that have no struct: they hold what the reader put in, or what JSON
// made of it. Strings are decimals by facts.md; a float only ever holds a count.
func decimalOf(v any) (decimal.Decimal, bool) {
	switch v := v.(type) {
	case string:
		d, err := decimal.NewFromString(v)
		return d, err == nil
	case dossier.Amount:
		return v.Decimal, true
	case *dossier.Amount:
		if v == nil {
			return decimal.Zero, false
		}
		return v.Decimal, true
	case json.Number:
		d, err := decimal.NewFromString(v.String())
		return d, err == nil
	case int:
		return decimal.NewFromInt(int64(v)), true
	case float64:
		return decimal.NewFromFloat(v), true
	}
	return decimal.Zero, false
}

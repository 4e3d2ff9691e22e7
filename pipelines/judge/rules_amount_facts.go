package judge

import (
	"encoding/json"
	"fmt"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

type valueFunc = func(dossier.ReadDocument) (derivedFigure, bool)

// derivedFigure is a figure of a document with its derivation (arguments of the reason; none: it is printed as it is)
// and the pointers of the facts it was taken from.
type derivedFigure struct {
	value      decimal.Decimal
	derivation []any
	pointers   []string
}

func printedAmount(d dossier.ReadDocument, a *dossier.Amount) (derivedFigure, bool) {
	if a == nil {
		return derivedFigure{}, false
	}
	return derivedFigure{value: a.Decimal, pointers: factPointers(d, a)}, true
}

func bankFact(get func(*dossier.BankFacts) *dossier.Amount) valueFunc {
	return func(d dossier.ReadDocument) (derivedFigure, bool) {
		if d.Facts.Bank == nil {
			return derivedFigure{}, false
		}
		return printedAmount(d, get(d.Facts.Bank))
	}
}

// bankSum returns a printed figure of the statement, or the sum over its accounts when it prints no total.
func bankSum(get func(*dossier.BankFacts) *dossier.Amount, of func(dossier.BankAccount) *dossier.Amount) valueFunc {
	return func(d dossier.ReadDocument) (derivedFigure, bool) {
		b := d.Facts.Bank
		if b == nil {
			return derivedFigure{}, false
		}
		if a := get(b); a != nil || len(b.Accounts) == 0 {
			return printedAmount(d, a)
		}
		sum, terms, figures := decimal.Zero, []string{}, []*dossier.Amount{}
		for _, account := range b.Accounts {
			a := of(account)
			if a == nil {
				return derivedFigure{}, false
			}
			sum = sum.Add(a.Decimal)
			terms, figures = append(terms, a.String()), append(figures, a)
		}
		return derivedFigure{sum, []any{"terms", terms}, factPointers(d, figures...)}, true
	}
}

func bankCount(get func(*dossier.BankFacts) *int) valueFunc {
	return func(d dossier.ReadDocument) (derivedFigure, bool) {
		if d.Facts.Bank == nil || get(d.Facts.Bank) == nil {
			return derivedFigure{}, false
		}
		n := get(d.Facts.Bank)
		return derivedFigure{value: decimal.NewFromInt(int64(*n)), pointers: countPointers(d, n)}, true
	}
}

func averageBalance(d dossier.ReadDocument) (derivedFigure, bool) {
	if d.Facts.Bank == nil {
		return derivedFigure{}, false
	}
	days, ok := d.Facts.Bank.DailyBalances()
	if !ok {
		return derivedFigure{}, false
	}
	return derivedFigure{
		dossier.AverageBalance(days).Decimal,
		[]any{"days", len(days), "entries", len(d.Facts.Bank.Entries)},
		dailyFacts,
	}, true
}

// lowestBalance returns the lowest balance of the period, from the first of these that is known: the daily balances,
// the printed running balances of the entries, the printed minimum. A printed count of negative days at least gives its
// sign.
func lowestBalance(d dossier.ReadDocument) (derivedFigure, bool) {
	b := d.Facts.Bank
	if b == nil {
		return derivedFigure{}, false
	}
	if b.MinimumDailyBalance != nil {
		return printedAmount(d, b.MinimumDailyBalance)
	}
	if days, ok := b.DailyBalances(); ok {
		low := dossier.LowestBalance(days)
		return derivedFigure{low.Balance.Decimal, []any{"on", low.Day.String()}, dailyFacts}, true
	}
	var low *dossier.BankEntry
	lowest := 0
	for i, e := range b.Entries {
		if e.Balance == nil {
			return derivedFigure{}, false
		}
		if low == nil || e.Balance.LessThan(low.Balance.Decimal) {
			low, lowest = &b.Entries[i], i
		}
	}
	if low == nil {
		return derivedFigure{}, false
	}
	return derivedFigure{
		low.Balance.Decimal,
		[]any{"on", low.Date},
		[]string{fmt.Sprintf("/entries/%d/balance", lowest)},
	}, true
}

func negativeDays(d dossier.ReadDocument) (derivedFigure, bool) {
	b := d.Facts.Bank
	if b == nil {
		return derivedFigure{}, false
	}
	if b.NegativeDays != nil {
		value := decimal.NewFromInt(int64(*b.NegativeDays))
		return derivedFigure{value: value, pointers: []string{"/negativeDays"}}, true
	}
	days, ok := b.DailyBalances()
	negative := decimal.NewFromInt(int64(dossier.NegativeDays(days)))
	return derivedFigure{negative, []any{"days", len(days)}, dailyFacts}, ok
}

// dailyFacts are the facts from which daily balances are computed.
var dailyFacts = []string{"/openingBalance", "/closingBalance", "/periodStart", "/periodEnd"}

// nsfEntry are the captions by which banks print that a payment was not covered.
var nsfEntry = lazyregexp.New(
	`\b(?:nsf|overdraft|insufficient funds|uncollected funds|returned (?:item|check|payment)s?|return item|od ` +
		`(?:fee|charge|item)|unpaid item)\b`,
)

func countNSF(d dossier.ReadDocument) (derivedFigure, bool) {
	b := d.Facts.Bank
	if b == nil || len(b.Entries) == 0 {
		return derivedFigure{}, false
	}
	n, how := 0, []any{"entries", len(b.Entries)}
	var at []string
	for i, e := range b.Entries {
		if e.Amount.IsNegative() && nsfEntry.MatchString(text.Fold(e.Description)) {
			if n++; n == 1 {
				how = append(how, "firstOn", e.Date, "first", e.Description)
			}
			at = append(at, fmt.Sprintf("/entries/%d/amount", i))
		}
	}
	return derivedFigure{decimal.NewFromInt(int64(n)), how, at}, true
}

func taxFact(get func(*dossier.TaxFacts) *dossier.Amount) valueFunc {
	return func(d dossier.ReadDocument) (derivedFigure, bool) {
		if d.Facts.Tax == nil {
			return derivedFigure{}, false
		}
		return printedAmount(d, get(d.Facts.Tax))
	}
}

// statementOrTax is a row of the latest column of a financial statement, or a fact of a tax return.
func statementOrTax(statement string, rows []string, get func(*dossier.TaxFacts) *dossier.Amount) valueFunc {
	return func(d dossier.ReadDocument) (derivedFigure, bool) {
		if d.Facts.Tax != nil {
			return printedAmount(d, get(d.Facts.Tax))
		}
		if d.Facts.Statement == nil {
			return derivedFigure{}, false
		}
		columns := d.Facts.Statement.Statements.IncomeStatement
		if statement == "balanceSheet" {
			columns = d.Facts.Statement.Statements.BalanceSheet
		}
		at, ok := latestColumn(columns)
		if !ok {
			return derivedFigure{}, false
		}
		for _, row := range rows {
			if a, ok := columns[at].Values[row]; ok {
				return derivedFigure{
					a.Decimal,
					[]any{"column", columns[at].Label},
					[]string{fmt.Sprintf("/statements/%s/%d/values/%s", statement, at, row)},
				}, true
			}
		}
		return derivedFigure{}, false
	}
}

// latestColumn is the index of the column that ends last, the longest of those.
func latestColumn(columns []dossier.StatementColumn) (at int, ok bool) {
	var best dossier.StatementColumn
	for i, c := range columns {
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
			best, at, ok = c, i, true
		}
	}
	return at, ok
}

func otherFact(keys ...string) valueFunc {
	return func(d dossier.ReadDocument) (derivedFigure, bool) {
		for _, key := range keys {
			if v, ok := decimalOf(d.Facts.Other[key]); ok {
				return derivedFigure{value: v, pointers: []string{"/" + key}}, true
			}
		}
		return derivedFigure{}, false
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

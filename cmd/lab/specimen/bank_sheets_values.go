package specimen

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

// value prints a value and states it as a fact.
func (b *sheetPaper) value(key string) string {
	at := b.at
	if n, rest, ok := strings.Cut(key, "."); ok && len(n) == 1 {
		at, key = int(n[0]-'1'), rest
	}
	key, form, _ := strings.Cut(key, ":")
	l := b.ledgers[at]
	switch key {
	case "from", "to", "after", "before", "issued":
		return b.date(key, form, l)
	case "holder":
		name := strings.ToUpper(b.who.name())
		if b.holder != nil {
			name = b.holder(b.who)
		}
		b.facts.AccountHolder = ptr(name)
		return name
	case "street":
		return strings.ToUpper(b.who.street)
	case "city":
		return strings.ToUpper(b.who.cityLine())
	case "acct":
		return b.account(at, form)
	case "kind":
		if b.accounts > 1 {
			b.of(at).Name = ptr(form)
		} else {
			b.facts.AccountType = ptr(form)
		}
		return form
	}
	return b.amount(key, at, l)
}

// date states the period's first and last day; "before" and "after" are other days and no fact.
func (b *sheetPaper) date(key, form string, l ledger) string {
	switch key {
	case "from":
		b.facts.PeriodStart = ptr(iso(l.start))
		return b.day2(l.start, form)
	case "to":
		b.facts.PeriodEnd = ptr(iso(l.end))
		return b.day2(l.end, form)
	case "before":
		return b.day2(l.start.AddDate(0, 0, -1), form)
	case "issued":
		b.facts.StatementDate = ptr(iso(l.end))
		return b.day2(l.end, form)
	}
	return b.day2(l.end.AddDate(0, 0, 25), form)
}

// day2 formats a day; "fr", "es" and "nl" with the month's name in that language.
func (b *sheetPaper) day2(t time.Time, form string) string {
	names := map[string]string{
		"fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
		"es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
		"nl": "januari februari maart april mei juni juli augustus september oktober november december",
	}
	months, ok := names[form]
	if !ok {
		return t.Format(form)
	}
	join := " "
	if form == "es" {
		join = " de "
	}
	return fmt.Sprint(t.Day(), join, strings.Fields(months)[t.Month()-1], join, t.Year())
}

func (b *sheetPaper) account(at int, form string) string {
	out, n := "", 0
	for _, r := range form {
		if r == '#' {
			r, n = rune(b.numbers[at][n]), n+1
		}
		out += string(r)
	}
	if b.accounts > 1 {
		b.of(at).AccountNumber = ptr(out)
	} else {
		b.facts.AccountNumber = ptr(out)
	}
	return out
}

// of are the facts of one of several accounts.
func (b *sheetPaper) of(at int) *dossier.BankAccount {
	for len(b.facts.Accounts) <= at {
		b.facts.Accounts = append(b.facts.Accounts, dossier.BankAccount{})
	}
	return &b.facts.Accounts[at]
}

// amount prints a sum of the account at, or "all" of it: "-out" prints it with a minus, "nin" and "nout" are counts.
func (b *sheetPaper) amount(key string, at int, l ledger) string {
	if size, ok := strings.CutPrefix(key, "size."); ok { // a column says which way it goes
		return strings.TrimPrefix(b.amount(size, at, l), "-")
	}
	all := strings.HasPrefix(key, "all.")
	minus := strings.HasPrefix(key, "-")
	key = strings.TrimPrefix(strings.TrimPrefix(key, "all."), "-")
	f := b.facts
	in, ins := l.total(deposit)
	out, outs := l.total(withdrawal)
	moneyOf := func(top, one **dossier.Amount, c cents) string {
		if b.accounts > 1 && !all {
			top = one
		}
		if top != nil {
			*top = ptr(c.amount())
		}
		if minus {
			c = -c
		}
		return b.money.print(c)
	}
	a := &dossier.BankAccount{}
	if b.accounts > 1 && !all {
		a = b.of(at)
	}
	sum := func(of func(ledger) cents) cents {
		if !all {
			return of(l)
		}
		total := cents(0)
		for _, l := range b.ledgers {
			total += of(l)
		}
		return total
	}
	some := func(kinds ...postingKind) cents {
		total, _ := l.total(kinds...)
		return total
	}
	switch key {
	case "open":
		return moneyOf(&f.OpeningBalance, &a.OpeningBalance, sum(func(l ledger) cents { return l.opening }))
	case "close":
		return moneyOf(&f.ClosingBalance, &a.ClosingBalance, sum(ledger.closing))
	case "in":
		return moneyOf(&f.TotalDeposits, &a.Deposits, in)
	case "out":
		return moneyOf(&f.TotalWithdrawals, &a.Withdrawals, out)
	case "credits":
		return moneyOf(&f.TotalCredits, &a.Deposits, some(deposit, interest))
	case "debits":
		return moneyOf(&f.TotalDebits, &a.Withdrawals, some(withdrawal, check, fee))
	case "checks":
		return moneyOf(&f.Checks, &a.Checks, some(check))
	case "fees":
		return moneyOf(&f.ServiceFees, &a.Fees, some(fee))
	case "interest":
		return moneyOf(&f.Interest, &a.Interest, some(interest))
	case "nin":
		if b.accounts < 2 {
			f.DepositCount = ptr(ins)
		}
		return strconv.Itoa(ins)
	case "nout":
		if b.accounts < 2 {
			f.WithdrawalCount = ptr(outs)
		}
		return strconv.Itoa(outs)
	case "ncredits":
		return strconv.Itoa(len(l.of(deposit, interest)))
	case "ndebits":
		return strconv.Itoa(len(l.of(withdrawal, check, fee)))
	case "nchecks":
		return strconv.Itoa(len(l.of(check)))
	case "mean":
		return b.money.print((l.opening + l.closing()) / 2)
	}
	return b.owed(key, l)
}

// owed are the figures of a statement of what is owed: what came in was charged, what went out was paid.
func (b *sheetPaper) owed(key string, l ledger) string {
	charged, _ := l.total(deposit)
	paid := min(charged/2, l.opening)
	switch key {
	case "charged":
		return b.money.print(charged)
	case "paid":
		return b.money.print(-paid)
	case "previous":
		b.card["openingBalance"] = l.opening.amount()
		return b.money.print(l.opening)
	case "new":
		b.card["closingBalance"] = (l.opening + charged - paid).amount()
		return b.money.print(l.opening + charged - paid)
	case "least":
		return b.money.print(25_00)
	case "limit":
		return b.money.print(20_000_00)
	}
	panic("no value " + key)
}

package bank

import (
	"fmt"
	"strings"
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// itemOf is a captioned amount of a line.
func itemOf(kind bankKind, cents int64, line int) bankItem {
	return bankItem{captionRead: captionRead{kind: kind}, line: line, money: text.Money{Value: dossier.Amount{Decimal: decimal.New(cents, -2)}}}
}

func accountOf(opening, closing int64) *account {
	a := &account{}
	if opening >= 0 {
		it := itemOf(bankOpening, opening, 0)
		a.opening = &it
	}
	if closing >= 0 {
		it := itemOf(bankClosing, closing, 0)
		a.closing = &it
	}
	return a
}

// The movements of an account are the largest set under which it foots: a total and its parts may both be printed.
func TestAccount_settle(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		opening, closing int64
		moves            []bankItem
		foots            bool
		chosen           string
	}{
		"all":            {10000, 11500, []bankItem{itemOf(bankDeposits, 2000, 1), itemOf(bankWithdrawals, 500, 2)}, true, "[20.00 -5.00]"},
		"a total beside": {10000, 11500, []bankItem{itemOf(bankDeposits, 1500, 1), itemOf(bankInterest, 500, 2), itemOf(bankCredits, 2000, 3), itemOf(bankDebits, 500, 4)}, true, "[15.00 5.00 -5.00]"},
		"signs printed":  {10000, 9500, []bankItem{itemOf(bankWithdrawals, -500, 1)}, true, "[-5.00]"},
		"does not foot":  {10000, 11500, []bankItem{itemOf(bankDeposits, 2000, 1)}, false, ""},
		"no movements":   {10000, 10000, nil, false, ""},
		"no closing":     {10000, -1, []bankItem{itemOf(bankDeposits, 2000, 1)}, false, ""},
	} {
		a := accountOf(c.opening, c.closing)
		for i := range c.moves {
			a.items = append(a.items, &c.moves[i])
		}
		a.settle()
		if a.foots != c.foots {
			t.Errorf("%s: foots %v", name, a.foots)
		}
		var chosen []string
		for _, it := range a.chosen {
			chosen = append(chosen, it.move().StringFixed(2))
		}
		if got := fmt.Sprint(chosen); c.foots && got != c.chosen {
			t.Errorf("%s: %s, want %s", name, got, c.chosen)
		}
	}
}

// A run is the account of a table's row by its opening balance, else by its closing one, else by its number.
func TestAccount_sameOpening(t *testing.T) {
	t.Parallel()
	numbered := func(a *account, number string) *account {
		a.number = number
		return a
	}
	for name, c := range map[string]struct {
		row, run *account
		want     bool
	}{
		"opening":             {accountOf(100, -1), accountOf(100, -1), true},
		"another opening":     {accountOf(100, 5), accountOf(200, 5), false},
		"closing":             {accountOf(-1, 5), accountOf(200, 5), true},
		"another closing":     {accountOf(-1, 5), accountOf(200, 6), false},
		"number":              {numbered(accountOf(-1, -1), "12 34"), numbered(accountOf(1, -1), "1234"), true},
		"another number":      {numbered(accountOf(-1, -1), "12 34"), numbered(accountOf(1, -1), "1235"), false},
		"no number":           {accountOf(-1, -1), accountOf(1, -1), false},
		"a run of no opening": {accountOf(-1, 5), accountOf(-1, 5), false},
	} {
		if got := c.row.sameOpening(c.run); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Of the totals of an overview that is left which adds up the accounts; what is owed is no part of it.
func TestDropSubtotals(t *testing.T) {
	t.Parallel()
	row := func(name string, closing int64, combined, loan bool) *account {
		a := accountOf(-1, closing)
		a.name, a.combined, a.loan = name, combined, loan
		return a
	}
	names := func(rows []*account) string {
		var out []string
		for _, r := range rows {
			out = append(out, r.name)
		}
		return strings.Join(out, " ")
	}
	for want, rows := range map[string][]*account{
		"a b all": {row("a", 100, false, false), row("sub", 100, true, false), row("b", 200, false, false), row("sub", 200, true, false), row("all", 300, true, false)},
		"a b sum": {row("a", 100, false, false), row("b", 900, false, true), row("sum", 100, true, false), row("net", 1000, true, false)},
		"a one":   {row("a", 100, false, false), row("one", 999, true, false)},
		"a b":     {row("a", 100, false, false), row("b", 100, false, false)},
	} {
		if got := names(dropSubtotals(rows)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Another account begins with another opening balance; the same one again on the next page does not.
func TestRunAccounts_pages(t *testing.T) {
	t.Parallel()
	forward := itemOf(bankOpening, 15000, 8)
	forward.caption = "Balance forward"
	for name, c := range map[string]struct {
		items   []bankItem
		numbers []text.AccountNumber
		want    string
	}{
		"one":            {[]bankItem{itemOf(bankOpening, 10000, 1), itemOf(bankDeposits, 5000, 2), itemOf(bankClosing, 15000, 3)}, nil, "100.00..150.00"},
		"two":            {[]bankItem{itemOf(bankOpening, 10000, 1), itemOf(bankClosing, 15000, 3), itemOf(bankOpening, 7000, 5), itemOf(bankClosing, 8000, 6)}, nil, "100.00..150.00 70.00..80.00"},
		"repeated":       {[]bankItem{itemOf(bankOpening, 10000, 1), itemOf(bankClosing, 15000, 3), itemOf(bankOpening, 10000, 9)}, nil, "100.00..150.00"},
		"of another one": {[]bankItem{itemOf(bankOpening, 10000, 1), itemOf(bankClosing, 15000, 3), itemOf(bankOpening, 10000, 9), itemOf(bankClosing, 9000, 10)}, []text.AccountNumber{{Text: "40017701", Line: 0}, {Text: "40017702", Line: 8}}, "100.00..150.00 100.00..90.00"},
		"over two pages": {[]bankItem{itemOf(bankOpening, 10000, 1), itemOf(bankClosing, 15000, 3), forward, itemOf(bankClosing, 17000, 12)}, nil, "100.00..170.00"},
		"no balance":     {[]bankItem{itemOf(bankDeposits, 10000, 1)}, nil, ".."},
		"nothing":        {nil, nil, ""},
	} {
		var out []string
		for _, a := range runAccounts(c.items, c.numbers, nil) {
			s := ".."
			if a.opening != nil {
				s = a.opening.money.Value.StringFixed(2) + s
			}
			if a.closing != nil {
				s += a.closing.money.Value.StringFixed(2)
			}
			out = append(out, s)
		}
		if got := strings.Join(out, " "); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

// A period is printed as a span, in captions, as a month, or as the days of this statement and the last.
func TestReadPeriod(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"a span":               {[]string{"Statement period March 1, 2024 through March 31, 2024"}, "2024-03-01 2024-03-31"},
		"captions":             {[]string{"Beginning date: 03/01/2024", "Ending date: 03/31/2024"}, "2024-03-01 2024-03-31"},
		"a month":              {[]string{"March 2024 statement"}, "2024-03-01 2024-03-31"},
		"a month, captioned":   {[]string{"Periodo: Febrero 2024"}, "2024-02-01 2024-02-29"},
		"this and the last":    {[]string{"Last statement: 02/29/2024", "This statement: 03/31/2024"}, "2024-03-01 2024-03-31"},
		"a span of fees":       {[]string{"Fee period March 1, 2024 through March 31, 2024"}, "- -"},
		"beside a promotion's": {[]string{"Promotion April 1, 2024 through May 31, 2024", "Statement period March 1, 2024 through March 31, 2024"}, "2024-03-01 2024-03-31"},
		"the wrong way round":  {[]string{"Statement period March 31, 2024 through March 1, 2024"}, "- -"},
		"no month of any year": {[]string{"Marsh 2024 statement"}, "- -"},
		"nothing":              {[]string{"Hello"}, "- -"},
	} {
		p := ReadPeriod(text.Lines(documenttest.Page(c.lines...)), nil, text.DotDecimal, text.MonthFirst)
		got := []string{"-", "-"}
		for i, d := range []*text.Date{p.Start, p.End} {
			if d != nil {
				got[i] = d.String()
			}
		}
		if all := strings.Join(got, " "); all != c.want {
			t.Errorf("%s: %s, want %s", name, all, c.want)
		}
	}
}

// The opening caption's 29 February of a year without one begins no period.
func TestReadPeriod_noSuchDay(t *testing.T) {
	t.Parallel()
	p := ReadPeriod(nil, []bankItem{{captionRead: captionRead{kind: bankOpening, date: &text.Date{Month: 2, Day: 29}}},
		{captionRead: captionRead{kind: bankClosing, date: &text.Date{Year: 2023, Month: 3, Day: 28}}}}, text.DotDecimal, text.MonthFirst)
	if p.Start != nil && !p.Start.Valid() {
		t.Errorf("a period from %v", p.Start)
	}
}

func TestCardNumber(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{"Card number: 4111 1111 1111 1111": "4111 1111 1111 1111", "Card ending in 4411": "4411", "Kartennummer: 4111XXXXXXXX1111": "4111XXXXXXXX1111",
		"Gift card number of visits": "", "Number 4411": "", "": ""} {
		got, ok := CardNumber(text.Lines(documenttest.Page(printed)))
		if got.Text != want || ok != (want != "") {
			t.Errorf("%q: %q, want %q", printed, got.Text, want)
		}
	}
}

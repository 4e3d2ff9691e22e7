package bank

import (
	"testing"

	"github.com/shopspring/decimal"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Captions say what their amount is, and whether it is of a whole or of a part of it.
func TestReadBankCaption(t *testing.T) {
	t.Parallel()
	for caption, want := range map[string]captionRead{
		"Beginning balance":             {kind: bankOpening},
		"Previous statement balance":    {kind: bankOpening},
		"Balance brought forward":       {kind: bankOpening},
		"Ending balance":                {kind: bankClosing},
		"Balance carried forward":       {kind: bankClosing},
		"Nuevo saldo":                   {kind: bankClosing},
		"Endsaldo":                      {kind: bankClosing},
		"Available balance":             {kind: bankAvailable},
		"Lowest daily balance":          {kind: bankMinimum},
		"Average daily balance":         {kind: bankNone},
		"Deposits and additions":        {kind: bankDeposits},
		"ATM withdrawals":               {kind: bankWithdrawals, part: true},
		"Electronic deposits":           {kind: bankDeposits, part: true},
		"Total credits":                 {kind: bankCredits},
		"Total debits":                  {kind: bankDebits},
		"Checks and other debits":       {kind: bankWithdrawals},
		"Deposits and withdrawals":      {kind: bankNone},
		"Total money in":                {kind: bankDeposits},
		"Paid out":                      {kind: bankWithdrawals},
		"Checks paid":                   {kind: bankChecks},
		"A sentence that says nothing.": {kind: bankNone},
	} {
		got := readBankCaption(caption, text.MonthFirst)
		if got.kind != want.kind || got.part != want.part {
			t.Errorf("%q: kind %d, part %v; want %d, %v", caption, got.kind, got.part, want.kind, want.part)
		}
	}
	if got := readBankCaption("8 Credit(s)", text.MonthFirst); got.count == nil || *got.count != 8 ||
		got.kind != bankCredits {
		t.Errorf("8 Credit(s): %+v", got)
	}
	if got := readBankCaption("Balance on 03/31/2025", text.MonthFirst); got.date == nil ||
		got.date.String() != "2025-03-31" {
		t.Errorf("a dated balance: %+v", got)
	}
}

// An export is a bank's by its columns, unless they are those of a card, a broker, a shop or bookkeeping.
func TestWeighLedger(t *testing.T) {
	t.Parallel()
	plain := map[string]columnKind{"date": roleDate, "description": roleDescription, "amount": roleAmount}
	balanced := map[string]columnKind{"date": roleDate, "amount": roleAmount, "balance": roleBalance}
	with := func(columns map[string]columnKind, more ...string) Ledger {
		l := Ledger{roles: map[float64]columnKind{}, names: map[float64]string{}, varied: map[string]bool{}}
		at := 0.0
		for name, role := range columns {
			l.names[at], l.roles[at] = name, role
			at++
		}
		for _, name := range more {
			l.names[at], l.roles[at] = name, roleIgnored
			at++
		}
		return l
	}
	headless, thanked, several, chained := with(nil), with(plain), with(plain, "account"), with(plain)
	headless.Header, headless.twoWays = -1, true
	thanked.thanked, several.varied["account"], chained.chained, chained.twoWays = true, true, 2, true
	for name, tc := range map[string]struct {
		table  Ledger
		want   dossier.DocType
		weight float64
	}{
		"a table of transactions":       {with(plain), dossier.DocBankStatement, 7},
		"a running balance":             {with(balanced), dossier.DocBankStatement, 10},
		"balances that follow":          {chained, dossier.DocBankStatement, 10},
		"categories and tags":           {with(plain, "category", "tags"), dossier.DocBankStatement, 5},
		"no head, both ways":            {headless, dossier.DocBankStatement, 5},
		"a card's members":              {with(plain, "card member"), dossier.DocCreditCardStatement, 8},
		"posted, with categories":       {with(plain, "category", "post date"), dossier.DocCreditCardStatement, 8},
		"thanks for payments":           {thanked, dossier.DocCreditCardStatement, 8},
		"a broker's":                    {with(plain, "symbol", "quantity"), dossier.DocBrokerageStatement, 8},
		"a journal":                     {with(plain, "journal"), "", 0},
		"a journal with a balance":      {with(balanced, "journal"), "", 0},
		"orders of a shop":              {with(plain, "qty", "unit price", "sku"), "", 0},
		"a payment service's fees":      {with(plain, "gross", "fee", "net"), "", 0},
		"several accounts of one's own": {several, "", 0},
		"a meter":                       {with(balanced, "kwh"), "", 0},
	} {
		var got dossier.DocType
		var weight float64
		WeighLedger(tc.table, text.Page{Number: 1}, func(d dossier.DocType, w float64, _ string, _ ...any) {
			got, weight = d, w
		})
		if got != tc.want || weight != tc.weight {
			t.Errorf("%s: %q %g, want %q %g", name, got, weight, tc.want, tc.weight)
		}
	}
}

// Captioned amounts are of one account until another's opening balance comes; the next page of an account begins with
// the balance that the one before ended with.
func TestRunAccounts(t *testing.T) {
	t.Parallel()
	item := func(line int, kind bankKind, caption, value string) bankItem {
		return bankItem{captionRead: captionRead{kind: kind}, caption: caption, line: line,
			money: text.Money{Value: dossier.Amount{Decimal: decimal.RequireFromString(value)}}}
	}
	opening, closing := item(1, bankOpening, "Beginning balance", "100"), item(3, bankClosing, "Ending balance", "150")
	deposits := item(2, bankDeposits, "Deposits", "50")
	for name, tc := range map[string]struct {
		items  []bankItem
		closed []string // the closing balance of each account
	}{
		"one": {[]bankItem{opening, deposits, closing}, []string{"150"}},
		"two": {[]bankItem{opening, deposits, closing, item(10, bankOpening, "Beginning balance", "900"),
			item(12, bankClosing, "Ending balance", "800")}, []string{"150", "800"}},
		"over two pages": {[]bankItem{opening, closing, item(20, bankOpening, "Balance forward", "150"),
			item(25, bankClosing, "Ending balance", "170")}, []string{"170"}},
		"printed again": {[]bankItem{opening, closing, item(30, bankOpening, "Opening balance", "100")},
			[]string{"150"}},
		"totals after it": {[]bankItem{opening, deposits, closing, item(9, bankDeposits, "Total", "70")},
			[]string{"150"}},
		"without a beginning":  {[]bankItem{closing}, []string{"150"}},
		"no balance, movement": {[]bankItem{deposits}, []string{""}},
	} {
		runs := runAccounts(tc.items, nil, nil)
		var closed []string
		for _, a := range runs {
			if a.closing == nil {
				closed = append(closed, "")
				continue
			}
			closed = append(closed, a.closing.money.Value.String())
		}
		if len(closed) != len(tc.closed) {
			t.Errorf("%s: %q, want %q", name, closed, tc.closed)
			continue
		}
		for i := range closed {
			if closed[i] != tc.closed[i] {
				t.Errorf("%s: %q, want %q", name, closed, tc.closed)
			}
		}
		if name == "totals after it" && len(runs[0].items) != 1 {
			t.Errorf("%s: %d movements, want the one of the summary", name, len(runs[0].items))
		}
	}
}

package specimen

import (
	"strings"

	"github.com/dossierhq/dossier"
)

// subaccount is one of several accounts of a statement.
type subaccount struct {
	name   string
	number string
	l      ledger
}

// subaccounts invents a checking and a savings account; the first is the statement's own ledger.
func (b *bankPaper) subaccounts(names ...string) []subaccount {
	accounts := []subaccount{{names[0], b.number, b.l}}
	for _, n := range names[1:] {
		shape := b.shape
		shape.entries, shape.interest, shape.checks = b.d.between(2, 5), true, false
		accounts = append(accounts, subaccount{n, b.d.digits(12), newLedger(b.d, b.l.start, b.l.end, shape)})
	}
	b.untested("accountNumber", "accountType")
	return accounts
}

// drawCornerstone: a credit union with share accounts, each with its own summary and DR or CR behind each figure.
func drawCornerstone(b *bankPaper) {
	b.p.fill(0, 0, b.w, 14, b.accent)
	b.p.text(48, 50, b.bank, style{sansBold, 16, b.accent})
	b.p.text(48, 63, "55 Quarry Hill Road, Quarry Hill, VT 05099  -  (555) 555-0177  -  Federally insured by the Example Share Fund", b.base.at(7.5).in(grey))
	from, to := b.dates("01/02/2006")
	b.p.right(564, 92, "Member number "+b.d.digits(6), b.base)
	b.p.right(564, 105, "Statement period "+from+" thru "+to, b.base)
	b.y = 104
	for i, l := range append([]string{b.holder.name()}, b.holder.address()...) {
		if i == 0 {
			b.name(l)
		}
		b.p.text(60, b.y, l, b.base.at(10))
		b.y += 13
	}
	b.y += 36
	b.next = func() {
		b.p.text(48, 40, b.bank+"   "+from+" thru "+to, b.base.bold())
		b.y = 66
	}
	for _, a := range b.subaccounts("SHARE DRAFT CHECKING", "PRIMARY SHARE SAVINGS") {
		cornerstoneAccount(b, a)
	}
	b.footer("Page %d of %d")
}

func cornerstoneAccount(b *bankPaper, a subaccount) {
	b.room(110)
	number := mask(a.number, "****")
	b.heading(a.name + "   " + number)
	credits, _ := a.l.total(deposit)
	debits, _ := a.l.total(withdrawal, fee)
	paid, _ := a.l.total(interest)
	fact := dossier.BankAccount{Name: ptr(a.name), AccountNumber: ptr(number)}
	plain := american
	b.pairs(52, 330, 13, [][2]string{
		{"Previous balance", b.show(&fact.OpeningBalance, a.l.opening)},
		{"Deposits and credits", plain.print(credits)},
		{"Withdrawals and debits", plain.print(debits)},
		{"Dividends earned", plain.print(paid)},
		{"New balance", b.show(&fact.ClosingBalance, a.l.closing()+b.closing()-b.l.closing())},
	})
	fact.Deposits, fact.Withdrawals, fact.Interest = ptr(credits.amount()), ptr(debits.amount()), ptr(paid.amount())
	b.facts.Accounts = append(b.facts.Accounts, fact)
	b.y += 8
	cols := []column{{"Post date", 52, false}, {"Transaction", 120, false}, {"Amount", 450, true}, {"Balance", 560,
		true}}
	var rows [][]string
	for _, e := range a.l.postings {
		b.entry(e, e.text, &e.balance)
		b.facts.Entries[len(b.facts.Entries)-1].Account = ptr(a.name)
		rows = append(rows, []string{e.date.Format("01/02"), e.text, b.money.print(e.amount), b.money.print(e.balance)})
	}
	b.table(cols, b.titles(cols), 13, rows)
	b.y += 20
}

// drawAtlas: a combined statement whose first page has one line for each account and their sum.
func drawAtlas(b *bankPaper) {
	b.p.fill(48, 38, 516, 34, b.accent)
	b.p.text(58, 60, strings.ToUpper(b.bank), style{sansBold, 15, white})
	b.p.right(556, 60, "Combined Statement", style{sans, 11, white})
	from, to := b.dates("Jan 02, 2006")
	b.y = 104
	for i, l := range upperAddress(b.holder) {
		if i == 0 {
			b.name(l)
		}
		b.p.text(58, b.y, l, b.base.at(10))
		b.y += 13
	}
	b.facts.Institution = ptr(strings.ToUpper(b.bank))
	b.p.text(370, 104, from+" - "+to, b.base.bold())
	b.p.text(370, 117, "Questions? Call 1-800-555-0155", b.base)
	b.y = 178
	accounts := b.subaccounts("Atlas Checking", "Atlas Money Market Savings")
	atlasOverview(b, accounts)
	b.next = func() {
		b.p.text(48, 40, strings.ToUpper(b.bank)+"   "+from+" - "+to, b.base.bold())
		b.y = 66
	}
	for _, a := range accounts {
		atlasAccount(b, a)
	}
	b.footer("Page %d of %d")
}

func atlasOverview(b *bankPaper, accounts []subaccount) {
	b.heading("CONSOLIDATED BALANCE SUMMARY")
	cols := []column{{"ACCOUNT", 52, false}, {"ACCOUNT NUMBER", 230, false}, {"BEGINNING BALANCE", 440, true},
		{"ENDING BALANCE", 556, true}}
	var opening, closing cents
	var rows [][]string
	for _, a := range accounts {
		end := a.l.closing() + b.closing() - b.l.closing()
		opening, closing = opening+a.l.opening, closing+end
		rows = append(rows, []string{a.name, a.number, b.money.print(a.l.opening), b.money.print(end)})
	}
	b.table(cols, b.titles(cols), 14, rows)
	b.p.rule(330, 560, b.y-10, 0.6, b.accent)
	b.cells(cols, []string{"TOTAL", "", b.show(&b.facts.OpeningBalance, opening), b.show(&b.facts.ClosingBalance,
		closing)}, b.base.bold())
	b.y += 34
}

func atlasAccount(b *bankPaper, a subaccount) {
	b.room(140)
	b.p.text(48, b.y, strings.ToUpper(a.name), style{sansBold, 11, b.accent})
	b.p.right(564, b.y, "Account number: "+a.number, b.base)
	b.y += 18
	credits, _ := a.l.total(deposit, interest)
	debits, _ := a.l.total(withdrawal)
	fact := dossier.BankAccount{Name: ptr(a.name), AccountNumber: ptr(a.number)}
	b.pairs(52, 300, 13, [][2]string{
		{"Beginning Balance", b.show(&fact.OpeningBalance, a.l.opening)},
		{"Deposits and Additions", b.show(&fact.Deposits, credits)},
		{"Withdrawals", "-" + b.show(&fact.Withdrawals, debits)},
		{"Ending Balance", b.show(&fact.ClosingBalance, a.l.closing()+b.closing()-b.l.closing())},
	})
	b.facts.Accounts = append(b.facts.Accounts, fact)
	b.y += 10
	cols := []column{{"DATE", 52, false}, {"DESCRIPTION", 100, false}, {"AMOUNT", 460, true}, {"BALANCE", 556, true}}
	var rows [][]string
	for _, e := range a.l.postings {
		b.entry(e, e.text, &e.balance)
		b.facts.Entries[len(b.facts.Entries)-1].Account = ptr(a.name)
		rows = append(rows, []string{e.date.Format("01/02"), e.text, b.money.plain().print(e.amount),
			b.money.plain().print(e.balance)})
	}
	b.table(cols, b.titles(cols), 13, rows)
	b.y += 24
}

package specimen

import (
	"fmt"
	"strings"
)

// drawHarbor: a summary box and one section for each kind of entry, with checks in columns and daily balances.
func drawHarbor(b *bankPaper) {
	harborHead(b)
	from, to := b.dates("January 2, 2006")
	b.p.text(48, b.y, fmt.Sprintf("%s through %s", from, to), b.base.bold())
	b.p.right(564, b.y, "Account number: "+b.account(b.number[:4]+" "+b.number[4:8]+" "+b.number[8:]), b.base)
	b.y += 26
	b.heading("Account summary")
	in, _ := b.l.total(deposit)
	out, _ := b.l.total(withdrawal)
	checks, _ := b.l.total(check)
	fees, _ := b.l.total(fee)
	b.pairs(50, 380, 14, [][2]string{
		{"Beginning balance on " + from, b.show(&b.facts.OpeningBalance, b.l.opening)},
		{"Deposits and other credits", b.show(&b.facts.TotalDeposits, in)},
		{"Withdrawals and other debits", "-" + b.show(&b.facts.TotalWithdrawals, out)},
		{"Checks", "-" + b.show(&b.facts.Checks, checks)},
		{"Service fees", "-" + b.show(&b.facts.ServiceFees, fees)},
		{"Ending balance on " + to, b.show(&b.facts.ClosingBalance, b.closing())},
	})
	b.y += 12
	b.next = func() { harborNext(b) }
	harborSection(b, "Deposits and other credits", b.l.of(deposit), in)
	harborSection(b, "Withdrawals and other debits", b.l.of(withdrawal), -out)
	harborChecks(b, checks)
	harborSection(b, "Service fees", b.l.of(fee), -fees)
	harborDaily(b)
	b.footer("Page %d of %d")
}

func harborHead(b *bankPaper) {
	b.p.fill(48, 40, 26, 26, b.accent)
	b.p.fill(54, 46, 14, 14, white)
	b.p.fill(58, 50, 6, 6, b.accent)
	b.p.text(82, 60, b.bank, style{sansBold, 19, b.accent})
	b.p.right(564, 48, "Customer service: 1-800-555-0142", b.base.at(8).in(grey))
	b.p.right(564, 59, "P.O. Box 15284, Port Amity, WA 98699", b.base.at(8).in(grey))
	b.y = 116
	for i, l := range upperAddress(b.holder) {
		if i == 0 {
			b.name(l)
		}
		b.p.text(60, b.y, l, b.base.at(10))
		b.y += 13
	}
	b.y += 34
	b.p.text(48, b.y, "Your "+b.kind(), style{sansBold, 15, b.accent})
	b.y += 18
}

func harborNext(b *bankPaper) {
	b.p.text(48, 40, b.bank, b.base.bold().in(b.accent))
	b.p.right(564, 40, "Account # "+*b.facts.AccountNumber+"  |  "+b.l.start.Format("January 2, 2006")+" to "+b.l.end.Format("January 2, 2006"), b.base.at(8))
	b.y = 70
}

func harborSection(b *bankPaper, title string, entries []posting, total cents) {
	if len(entries) == 0 {
		return
	}
	b.heading(title)
	cols := []column{{"Date", 50, false}, {"Description", 110, false}, {"Amount", 560, true}}
	var rows [][]string
	for _, e := range entries {
		b.entry(e, e.text, nil)
		rows = append(rows, []string{e.date.Format("01/02/06"), e.text, b.money.plain().print(e.amount)})
	}
	b.table(cols, b.titles(cols), 13, rows)
	b.room(16)
	b.p.text(50, b.y+2, "Total "+strings.ToLower(title), b.base.bold())
	b.p.right(560, b.y+2, b.money.print(total), b.base.bold())
	b.y += 26
}

// harborChecks lists checks in two columns side by side.
func harborChecks(b *bankPaper, total cents) {
	checks := b.l.of(check)
	if len(checks) == 0 {
		return
	}
	b.heading("Checks")
	half := (len(checks) + 1) / 2
	left := []column{{"Date", 50, false}, {"Check #", 110, false}, {"Amount", 285, true}}
	right := []column{{"Date", 325, false}, {"Check #", 385, false}, {"Amount", 560, true}}
	b.room(float64(half)*13 + 40)
	for _, cols := range [][]column{left, right} {
		b.cells(cols, []string{"Date", "Check #", "Amount"}, b.base.bold())
	}
	b.y += 14
	for i := range half {
		b.harborCheck(left, checks[i])
		if i+half < len(checks) {
			b.harborCheck(right, checks[i+half])
		}
		b.y += 13
	}
	b.p.text(325, b.y+2, "Total checks", b.base.bold())
	b.p.right(560, b.y+2, b.money.print(-total), b.base.bold())
	b.y += 26
}

func (b *bankPaper) harborCheck(cols []column, e posting) {
	b.entry(e, e.check, nil)
	b.cells(cols, []string{e.date.Format("01/02/06"), e.check, b.money.plain().print(e.amount)}, b.base)
}

// harborDaily lists the balance of each day with entries, three columns across.
func harborDaily(b *bankPaper) {
	days := b.l.dailyBalances()
	if b.o.Broken {
		return // daily balances would show the slip
	}
	b.heading("Daily ledger balances")
	for i, day := range days {
		if i%3 == 0 && i > 0 {
			b.y += 13
		}
		if i%3 == 0 {
			b.room(13)
		}
		x := 50 + float64(i%3)*172
		b.p.text(x, b.y, day.date.Format("01/02"), b.base)
		b.p.right(x+150, b.y, b.money.plain().print(day.balance), b.base)
	}
	b.y += 20
}

// drawMeridian: deposits and withdrawals in columns of their own, a running balance, dates without a year.
func drawMeridian(b *bankPaper) {
	b.p.text(48, 52, "MERIDIAN", style{serifBold, 22, b.accent})
	b.name(b.holder.name())
	b.p.text(48+width(serifBold, 22, "MERIDIAN "), 52, "TRUST", style{serif, 22, b.accent})
	b.p.rule(48, 564, 60, 2, b.accent)
	b.p.text(48, 72, b.bank+", Member of the Example Deposit Scheme", b.base.at(7).in(grey))
	from, to := b.dates("01/02/2006")
	b.facts.StatementDate = ptr(iso(b.l.end))
	for i, r := range [][2]string{{"Statement date", to}, {"Statement period", from + " - " + to},
		{"Account number", b.account(mask(b.number, "XXXXXXXX"))}, {"Account type", b.kind()}} {
		b.p.text(350, 96+float64(i)*13, r[0]+":", b.base.bold())
		b.p.right(564, 96+float64(i)*13, r[1], b.base)
	}
	for i, l := range append([]string{b.holder.name()}, b.holder.address()...) {
		b.p.text(60, 104+float64(i)*13, l, b.base.at(10))
	}
	b.y = 178
	meridianSummary(b)
	b.next = func() {
		b.p.text(48, 40, b.bank, b.base.bold())
		b.p.right(564, 40, *b.facts.AccountHolder+"   "+*b.facts.AccountNumber+"   "+from+" - "+to, b.base.at(7.5))
		b.y = 66
	}
	b.p.text(48, b.y, "Activity detail", style{sansBold, 12, b.accent})
	b.y += 18
	meridianActivity(b)
	b.footer("Page %d of %d")
}

func meridianSummary(b *bankPaper) {
	credits, _ := b.l.total(deposit)
	paid, _ := b.l.total(interest)
	debits, _ := b.l.total(withdrawal)
	boxes := []struct{ caption, value string }{
		{"Opening balance", b.show(&b.facts.OpeningBalance, b.l.opening)},
		{"Total deposits", b.show(&b.facts.TotalDeposits, credits)},
		{"Total withdrawals", b.show(&b.facts.TotalWithdrawals, debits)},
		{"Interest paid", b.show(&b.facts.Interest, paid)},
		{"Closing balance", b.show(&b.facts.ClosingBalance, b.closing())},
	}
	b.p.fill(48, b.y-12, 516, 36, pale)
	for i, box := range boxes {
		x := 56 + float64(i)*103
		b.p.text(x, b.y, box.caption, b.base.at(8).in(grey))
		b.p.text(x, b.y+15, box.value, b.base.bold().at(10.5))
	}
	b.y += 52
}

func meridianActivity(b *bankPaper) {
	cols := []column{{"Date", 52, false}, {"Description", 92, false}, {"Withdrawals", 410, true}, {"Deposits", 486,
		true}, {"Balance", 560, true}}
	plain := b.money.plain()
	rows := [][]string{{b.l.start.Format("1/2"), "Opening balance", "", "", plain.print(b.l.opening)}}
	for _, e := range b.l.postings {
		b.entry(e, e.text, &e.balance)
		row := []string{e.date.Format("1/2"), e.text, "", plain.print(e.amount), plain.print(e.balance)}
		if e.amount < 0 {
			row[2], row[3] = plain.print(-e.amount), ""
		}
		rows = append(rows, row)
	}
	b.table(cols, b.titles(cols), 13.5, rows)
	b.room(18)
	b.y += 4
	b.cells(cols, []string{b.l.end.Format("1/2"), "Closing balance", "", "", plain.print(b.closing())}, b.base.bold())
}

// drawPrairie: a small-town bank's serif page with one amount column, the minus behind the figure.
func drawPrairie(b *bankPaper) {
	b.p.centre(306, 54, "FIRST PRAIRIE STATE BANK", style{serifBold, 17, black})
	b.p.centre(306, 68, "210 Grain Exchange Street  *  Silver Prairie, KS 66099  *  (555) 555-0123", b.base.at(8.5))
	b.p.rule(48, 564, 76, 1.4, black)
	b.p.rule(48, 564, 79, 0.5, black)
	b.facts.Institution = ptr("FIRST PRAIRIE STATE BANK")
	b.y = 112
	for i, l := range upperAddress(b.holder) {
		if i == 0 {
			b.name(l)
		}
		b.p.text(72, b.y, l, b.base)
		b.y += 12.5
	}
	from, to := b.dates("Jan 2, 2006")
	b.p.right(556, 112, "Account: "+b.account(b.number[:2]+"-"+b.number[2:6]+"-"+b.number[6:7]), b.base)
	b.p.right(556, 124.5, "Statement period", b.base)
	b.p.right(556, 137, from+" to "+to, b.base)
	b.y = 186
	b.p.text(52, b.y, b.kind(), b.base.bold())
	b.y += 20
	prairieSummary(b)
	prairieActivity(b)
	b.p.centre(306, b.y+30, "Please examine this statement at once. If no error is reported in ten days the account will be considered correct.", b.base.at(8))
	b.footer("Page %d")
}

func prairieSummary(b *bankPaper) {
	credits, nIn := b.l.total(deposit, interest)
	debits, nOut := b.l.total(withdrawal, fee)
	b.facts.DepositCount, b.facts.WithdrawalCount = ptr(nIn), ptr(nOut)
	b.pairs(52, 330, 14, [][2]string{
		{"Previous statement balance", b.show(&b.facts.OpeningBalance, b.l.opening)},
		{fmt.Sprintf("%d Deposits/credits", nIn), b.show(&b.facts.TotalCredits, credits)},
		{fmt.Sprintf("%d Withdrawals/debits", nOut), b.show(&b.facts.TotalDebits, debits)},
		{"Current statement balance", b.show(&b.facts.ClosingBalance, b.closing())},
	})
	b.y += 18
}

func prairieActivity(b *bankPaper) {
	cols := []column{{"DATE", 52, false}, {"TRANSACTION", 120, false}, {"AMOUNT", 460, true}, {"BALANCE", 556, true}}
	b.next = func() {
		b.p.text(52, 44, *b.facts.AccountHolder+"   "+*b.facts.AccountNumber, b.base)
		b.y = 70
	}
	var rows [][]string
	for _, e := range b.l.postings {
		b.entry(e, e.text, &e.balance)
		rows = append(rows, []string{e.date.Format("01-02-2006"), e.text, b.money.print(e.amount),
			b.money.print(e.balance)})
	}
	b.table(cols, b.titles(cols), 14, rows)
}

package specimen

import (
	"fmt"
	"strings"
	"time"
)

// drawSierra: a commercial statement with counts, parentheses, a checks section and daily balances.
func drawSierra(b *bankPaper) {
	b.p.text(48, 56, b.bank, style{serifBold, 20, b.accent})
	b.p.right(564, 50, "COMMERCIAL ACCOUNT STATEMENT", b.base.bold())
	b.p.right(564, 62, "Direct inquiries to 555-555-0133", b.base.at(8))
	b.p.rule(48, 564, 70, 1.2, b.accent)
	b.y = 100
	for i, l := range upperAddress(b.holder) {
		if i == 0 {
			b.name(l)
		}
		b.p.text(60, b.y, l, b.base.at(9.5))
		b.y += 12
	}
	from, to := b.dates("01/02/06")
	for i, r := range [][2]string{{"ACCOUNT NUMBER", b.account(b.number[:10])}, {"ACCOUNT TYPE", b.kind()},
		{"BEGINNING DATE", from}, {"ENDING DATE", to}} {
		b.p.text(320, 100+float64(i)*12, r[0], b.base)
		b.p.right(564, 100+float64(i)*12, r[1], b.base)
	}
	b.y = 172
	sierraSummary(b)
	b.next = func() {
		b.p.text(48, 40, b.bank+"  -  "+*b.facts.AccountNumber+"  -  "+from+" to "+to, b.base)
		b.y = 64
	}
	sierraActivity(b)
	sierraChecks(b)
	b.footer("PAGE %d OF %d")
}

func sierraSummary(b *bankPaper) {
	in, nIn := b.l.total(deposit)
	checks, nChecks := b.l.total(check)
	out, nOut := b.l.total(withdrawal)
	fees, nFees := b.l.total(fee)
	b.facts.DepositCount, b.facts.WithdrawalCount = ptr(nIn), ptr(nOut)
	b.p.text(48, b.y, "ACCOUNT ACTIVITY SUMMARY", b.base.bold())
	b.p.text(300, b.y, "NO.", b.base.bold())
	b.p.right(410, b.y, "AMOUNT", b.base.bold())
	b.y += 15
	rows := []struct{ caption, n, value string }{
		{"BEGINNING BALANCE", "", b.show(&b.facts.OpeningBalance, b.l.opening)},
		{"DEPOSITS & CREDITS", fmt.Sprint(nIn), b.show(&b.facts.TotalDeposits, in)},
		{"LESS CHECKS PAID", fmt.Sprint(nChecks), "(" + b.show(&b.facts.Checks, checks) + ")"},
		{"LESS WITHDRAWALS & DEBITS", fmt.Sprint(nOut), "(" + b.show(&b.facts.TotalWithdrawals, out) + ")"},
		{"LESS SERVICE CHARGES", fmt.Sprint(nFees), "(" + b.show(&b.facts.ServiceFees, fees) + ")"},
		{"ENDING BALANCE", "", b.show(&b.facts.ClosingBalance, b.closing())},
	}
	for _, r := range rows {
		b.p.text(48, b.y, r.caption, b.base)
		b.p.right(316, b.y, r.n, b.base)
		b.p.right(410, b.y, r.value, b.base)
		b.y += 12.5
	}
	var sum cents
	days := b.l.dailyBalances()
	for _, p := range days {
		sum += p.balance
	}
	b.p.text(446, b.y-62, "MINIMUM DAILY BALANCE", b.base.at(7))
	b.p.right(564, b.y-50, b.show(&b.facts.MinimumDailyBalance, b.l.lowest()), b.base)
	b.p.text(446, b.y-36, "AVERAGE DAILY BALANCE", b.base.at(7))
	b.p.right(564, b.y-24, b.money.print(sum/cents(max(len(days), 1))), b.base)
	b.y += 18
}

func sierraActivity(b *bankPaper) {
	b.p.text(48, b.y, "ACCOUNT ACTIVITY", b.base.bold())
	b.y += 16
	cols := []column{{"POSTING DATE", 52, false}, {"TRANSACTION DESCRIPTION", 124, false}, {"DEPOSITS & CREDITS", 420,
		true}, {"DEBITS", 492, true}, {"DAILY BALANCE", 562, true}}
	small := b.base
	b.base = b.base.at(8)
	rows := [][]string{{b.l.start.Format("01/02/06"), "BEGINNING BALANCE", "", "", b.money.print(b.l.opening)}}
	for i, e := range b.l.postings {
		row := []string{e.date.Format("01/02/06"), e.text, b.money.print(e.amount), "", ""}
		if e.amount < 0 {
			row[2], row[3] = "", b.money.print(e.amount)
		}
		last := i+1 == len(b.l.postings) || !b.l.postings[i+1].date.Equal(e.date)
		if last { // the bank prints the balance once a day
			row[4] = b.money.print(e.balance)
			b.entry(e, e.text, &e.balance)
		} else {
			b.entry(e, e.text, nil)
		}
		rows = append(rows, row)
	}
	b.table(cols, b.titles(cols), 12.5, rows)
	b.base = small
	b.y += 14
}

func sierraChecks(b *bankPaper) {
	checks := b.l.of(check)
	if len(checks) == 0 {
		return
	}
	b.room(80)
	b.p.text(48, b.y, "CHECKS PAID SUMMARY", b.base.bold())
	b.y += 15
	for i, e := range checks {
		if i > 0 && i%3 == 0 {
			b.y += 12
			b.room(14)
		}
		x := 52 + float64(i%3)*172
		b.p.text(x, b.y, e.check, b.base)
		b.p.text(x+44, b.y, e.date.Format("01/02/06"), b.base)
		b.p.right(x+150, b.y, american.print(-e.amount), b.base)
	}
	b.y += 20
}

// drawRedwood: a line printer's page; overdrawn balances have OD behind them.
func drawRedwood(b *bankPaper) {
	st := b.base
	b.p.centre(306, 48, b.bank, monoHead())
	b.p.centre(306, 60, "STATEMENT OF ACCOUNT", st)
	from, to := b.dates("01-02-06")
	b.y = 92
	for i, l := range upperAddress(b.holder) {
		if i == 0 {
			b.name(l)
		}
		b.p.text(64, b.y, l, st)
		b.y += 11
	}
	b.p.text(360, 92, "ACCOUNT NUMBER    "+b.account(b.number[:9]), st)
	b.p.text(360, 103, "STATEMENT DATE    "+to, st)
	b.p.text(360, 114, "PERIOD   "+from+" TO "+to, st)
	b.facts.StatementDate = ptr(iso(b.l.end))
	b.y = 156
	b.p.text(48, b.y, "* * * * *  "+b.kind()+"  * * * * *", st)
	b.y += 20
	in, _ := b.l.total(deposit)
	out, _ := b.l.total(withdrawal)
	fees, _ := b.l.total(fee)
	for _, r := range [][2]string{
		{"BALANCE LAST STATEMENT", b.show(&b.facts.OpeningBalance, b.l.opening)},
		{"DEPOSITS AND CREDITS", b.show(&b.facts.TotalDeposits, in)},
		{"WITHDRAWALS AND DEBITS", b.show(&b.facts.TotalWithdrawals, out)},
		{"SERVICE CHARGES", b.show(&b.facts.ServiceFees, fees)},
		{"BALANCE THIS STATEMENT", b.show(&b.facts.ClosingBalance, b.closing())},
	} {
		b.p.text(64, b.y, r[0]+" "+strings.Repeat(".", max(1, 40-len(r[0]))), st)
		b.p.right(400, b.y, r[1], st)
		b.y += 11.5
	}
	b.y += 16
	redwoodActivity(b)
}

func monoHead() style { return style{monoBold, 12, black} }

func redwoodActivity(b *bankPaper) {
	cols := []column{{"DATE", 48, false}, {"DESCRIPTION", 96, false}, {"DEBITS", 400, true}, {"CREDITS", 480, true},
		{"BALANCE", 564, true}}
	b.next = func() {
		b.p.text(48, 40, b.bank+"   ACCT "+*b.facts.AccountNumber, b.base)
		b.y = 64
	}
	var rows [][]string
	for _, e := range b.l.postings {
		b.entry(e, e.text, &e.balance)
		row := []string{e.date.Format("01-02"), e.text, "", b.money.print(e.amount), b.money.print(e.balance)}
		if e.amount < 0 {
			row[2], row[3] = b.money.print(-e.amount), ""
		}
		rows = append(rows, row)
	}
	b.table(cols, func() {
		b.cells(cols, []string{"DATE", "DESCRIPTION", "DEBITS", "CREDITS", "BALANCE"}, b.base)
		b.y += 14
	}, 11.5, rows)
}

// drawLedgerline: an online bank's export, newest first, one signed column.
func drawLedgerline(b *bankPaper) {
	b.p.fill(48, 40, 14, 22, b.accent)
	b.p.text(70, 58, "ledgerline", style{sansBold, 18, b.accent})
	b.facts.Institution = ptr("ledgerline")
	b.p.text(48, 92, b.l.end.Format("January 2006")+" statement", style{sansBold, 13, b.base.ink})
	from, to := b.dates("Jan 2, 2006")
	b.p.text(48, 108, from+" – "+to, b.base)
	b.p.text(330, 92, b.name(b.holder.name()), b.base.bold())
	for i, l := range b.holder.address() {
		b.p.text(330, 104+float64(i)*11, l, b.base)
	}
	b.p.text(48, 134, b.kind()+" ••"+b.account(b.number[8:]), b.base)
	b.untested("accountNumber") // with or without the bullets before it
	issued := b.l.end.AddDate(0, 0, 2)
	b.facts.StatementDate = ptr(iso(issued))
	b.p.text(330, 134, "Statement date: "+issued.Format("Jan 2, 2006"), b.base)
	in, _ := b.l.total(deposit)
	out, _ := b.l.total(withdrawal)
	held := b.closing() * cents(b.d.between(70, 98)) / 100
	b.y = 168
	b.pairs(48, 300, 14, [][2]string{
		{"Starting balance", b.show(&b.facts.OpeningBalance, b.l.opening)},
		{"Money in", "+" + b.show(&b.facts.TotalDeposits, in)},
		{"Money out", "-" + b.show(&b.facts.TotalWithdrawals, out)},
		{"Available balance", b.show(&b.facts.AvailableBalance, held)},
		{"Ending balance", b.show(&b.facts.ClosingBalance, b.closing())},
	})
	b.y += 16
	ledgerlineActivity(b)
	b.footer("%d / %d")
}

func ledgerlineActivity(b *bankPaper) {
	b.next = func() { b.y = 60 }
	cols := []column{{"Date", 48, false}, {"Details", 130, false}, {"Amount", 470, true}, {"Balance", 564, true}}
	var rows [][]string
	for i := len(b.l.postings) - 1; i >= 0; i-- {
		e := b.l.postings[i]
		b.entry(e, e.text, &e.balance)
		amount := b.money.print(e.amount)
		if e.amount > 0 {
			amount = "+" + amount
		}
		rows = append(rows, []string{e.date.Format("Jan 2, 2006"), e.text, amount, b.money.print(e.balance)})
	}
	b.table(cols, b.titles(cols), 15, rows)
}

// drawUnion: a summary of instances and amounts, the statement month closed in mid-month.
func drawUnion(b *bankPaper) {
	b.p.text(48, 54, strings.ToUpper(b.bank), style{sansBold, 17, b.accent})
	b.p.text(48, 66, "P O Box 659754, Fallow Creek, TX 75999", b.base.at(8))
	from, to := b.dates("January 02, 2006")
	b.facts.Institution = ptr(strings.ToUpper(b.bank))
	b.p.right(564, 60, from+" through "+to, b.base.at(10))
	b.p.right(564, 74, "Account Number:  "+b.account("00000"+b.number[:10]), b.base.at(10))
	b.y = 112
	for i, l := range upperAddress(b.holder) {
		if i == 0 {
			b.name(l)
		}
		b.p.text(60, b.y, l, b.base.at(10))
		b.y += 13
	}
	b.y = 186
	b.p.text(48, b.y, "CHECKING SUMMARY", style{sansBold, 12, b.accent})
	b.p.text(200, b.y, b.kind(), b.base.at(10))
	b.y += 18
	unionSummary(b)
	b.next = func() {
		b.p.text(48, 40, strings.ToUpper(b.bank), b.base.bold())
		b.p.right(564, 40, from+" through "+to+"    Account Number: "+*b.facts.AccountNumber, b.base.at(8))
		b.y = 68
	}
	unionSection(b, "DEPOSITS AND ADDITIONS", "Total Deposits and Additions", b.l.of(deposit))
	unionSection(b, "CHECKS PAID", "Total Checks Paid", b.l.of(check))
	unionSection(b, "ELECTRONIC WITHDRAWALS", "Total Electronic Withdrawals", b.l.of(withdrawal))
	unionSection(b, "FEES", "Total Fees", b.l.of(fee))
	b.footer("Page %d of %d")
}

func unionSummary(b *bankPaper) {
	in, nIn := b.l.total(deposit)
	checks, nChecks := b.l.total(check)
	out, nOut := b.l.total(withdrawal)
	fees, nFees := b.l.total(fee)
	b.facts.DepositCount, b.facts.WithdrawalCount = ptr(nIn), ptr(nOut)
	cols := []column{{"", 52, false}, {"INSTANCES", 270, true}, {"AMOUNT", 390, true}}
	b.cells(cols, []string{"", "INSTANCES", "AMOUNT"}, b.base.at(7.5))
	b.y += 13
	for _, row := range [][]string{
		{"Beginning Balance", "", b.show(&b.facts.OpeningBalance, b.l.opening)},
		{"Deposits and Additions", fmt.Sprint(nIn), b.show(&b.facts.TotalDeposits, in)},
		{"Checks Paid", fmt.Sprint(nChecks), "-" + b.show(&b.facts.Checks, checks)},
		{"Electronic Withdrawals", fmt.Sprint(nOut), "-" + b.show(&b.facts.TotalWithdrawals, out)},
		{"Fees", fmt.Sprint(nFees), "-" + b.show(&b.facts.ServiceFees, fees)},
		{"Ending Balance", fmt.Sprint(nIn + nChecks + nOut + nFees), b.show(&b.facts.ClosingBalance, b.closing())},
	} {
		b.cells(cols, row, b.base)
		b.y += 13
	}
	b.y += 20
}

func unionSection(b *bankPaper, title, total string, entries []posting) {
	if len(entries) == 0 {
		return
	}
	b.room(70)
	b.p.text(48, b.y, title, style{sansBold, 11, b.accent})
	b.y += 16
	cols := []column{{"DATE", 52, false}, {"DESCRIPTION", 96, false}, {"AMOUNT", 560, true}}
	var rows [][]string
	var sum cents
	for i, e := range entries {
		b.entry(e, e.text, nil)
		amount := b.money.plain().print(max(e.amount, -e.amount))
		if i == 0 {
			amount = "$" + amount
		}
		sum += max(e.amount, -e.amount)
		rows = append(rows, []string{e.date.Format("01/02"), e.text, amount})
	}
	b.table(cols, b.titles(cols), 12.5, rows)
	b.room(16)
	b.p.text(52, b.y, total, b.base.bold())
	b.p.right(560, b.y, b.money.print(sum), b.base.bold())
	b.y += 26
}

// drawPacific: prose above the figures, and year-to-date interest beside the period's.
func drawPacific(b *bankPaper) {
	b.p.centre(306, 52, b.bank, style{serifItalic, 24, b.accent})
	b.p.rule(140, 472, 60, 0.8, b.accent)
	from, to := b.dates("January 2, 2006")
	b.y = 96
	for i, l := range append([]string{b.holder.name()}, b.holder.address()...) {
		if i == 0 {
			b.name(l)
		}
		b.p.text(60, b.y, l, b.base.at(10.5))
		b.y += 13
	}
	b.y += 22
	b.p.text(48, b.y, b.kind()+" "+b.account(b.number[:3]+"-"+b.number[3:9]), b.base.bold().at(12))
	b.y += 16
	b.y = b.p.paragraph(48, b.y, 500, 13,
		"This statement covers "+from+" to "+to+". On the first day your account held "+
			b.show(&b.facts.OpeningBalance, b.l.opening)+"; the details follow.", b.base)
	b.y += 10
	in, _ := b.l.total(deposit)
	out, _ := b.l.total(withdrawal)
	paid, _ := b.l.total(interest)
	b.pairs(48, 320, 14, [][2]string{
		{"Opening balance", b.money.print(b.l.opening)},
		{"Deposits", b.show(&b.facts.TotalDeposits, in)},
		{"Withdrawals", b.show(&b.facts.TotalWithdrawals, out)},
		{"Interest paid this period", b.show(&b.facts.Interest, paid)},
		{"Closing balance", b.show(&b.facts.ClosingBalance, b.closing())},
	})
	b.p.text(350, b.y-42, "Interest paid year to date", b.base)
	b.p.right(556, b.y-42, b.money.print(paid*cents(int(b.l.end.Month()))+211), b.base)
	b.p.text(350, b.y-28, "Annual percentage yield earned", b.base)
	b.p.right(556, b.y-28, "0.05%", b.base)
	b.y += 14
	pacificActivity(b)
	b.footer("page %d")
}

func pacificActivity(b *bankPaper) {
	b.next = func() { b.y = 64 }
	cols := []column{{"Date", 48, false}, {"Description", 120, false}, {"Additions", 400, true}, {"Subtractions", 478,
		true}, {"Balance", 558, true}}
	var rows [][]string
	var day time.Time
	for _, e := range b.l.postings {
		b.entry(e, e.text, &e.balance)
		row := []string{"", e.text, b.money.plain().print(e.amount), "", b.money.print(e.balance)}
		if e.amount < 0 {
			row[2], row[3] = "", b.money.plain().print(-e.amount)
		}
		if !e.date.Equal(day) { // the date stands before the first entry of a day only
			row[0], day = e.date.Format("Jan 2"), e.date
		}
		rows = append(rows, row)
	}
	b.table(cols, b.titles(cols), 14, rows)
}

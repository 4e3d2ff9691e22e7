package specimen

import (
	"strings"
	"time"
)

var (
	britishTexts = phrases{
		in: []string{"BGC EXAMPLE EMPLOYER LTD", "FPI %n REF %s", "CREDIT SAMPLE CUSTOMER PLC", "CASH IN COUNTER %4"},
		out: []string{"DD SPECIMEN COUNCIL TAX", "CARD PAYMENT SAMPLE STORES %4", "FPO %n REF %s",
			"SO EXAMPLE LETTINGS", "DD EXAMPLE WATER", "CASH MACHINE %4"},
		fee: []string{"ACCOUNT FEE"},
	}
	germanTexts = phrases{
		in: []string{"Gehalt/Rente Muster GmbH", "Gutschrift Beispiel AG Rechnung %s", "SEPA-Überweisung von %n",
			"Bareinzahlung"},
		out: []string{"SEPA-Lastschrift Muster Energie", "Kartenzahlung Beispielmarkt %4", "Dauerauftrag Miete",
			"Geldautomat %4", "SEPA-Überweisung Lieferant %s"},
		fee: []string{"Kontoführungsgebühr"},
	}
	frenchTexts = phrases{
		in: []string{"VIREMENT RECU SOCIETE EXEMPLE", "REMISE DE CHEQUES %s", "VIR SEPA %n", "VERSEMENT ESPECES"},
		out: []string{"PRLV SEPA ENERGIE EXEMPLE", "CARTE SUPERMARCHE MODELE %4", "VIR SEPA LOYER", "RETRAIT DAB %4",
			"CHEQUE EMIS %s"},
		fee: []string{"FRAIS DE TENUE DE COMPTE"},
	}
)

// abroad gives the holder an address of the country.
func (b *bankPaper) abroad(street, city string) []string {
	name := b.holder.name()
	if b.o.Business && b.o.Holder == "" {
		name = map[string]string{"GBP": strings.Fields(name)[0] + " Trading Ltd", "EUR": strings.Fields(name)[0] +
			" Handel GmbH", "CHF": strings.Fields(name)[0] + " Handel AG"}[b.currency]
		if b.bank == "Banque Lumière" {
			name = "Société " + strings.Fields(b.holder.name())[0] + " SARL"
		}
	}
	return []string{b.name(name), street, city}
}

// drawThames: paid out, paid in, balance; the date only before the first entry of a day.
func drawThames(b *bankPaper) {
	b.p.fill(0, 0, b.w, 30, b.accent)
	b.p.text(44, 62, b.bank, style{sansBold, 17, b.accent})
	b.y = 100
	for _, l := range b.abroad("14 Lantern Row", "Little Severnbridge  ZZ1 9QX") {
		b.p.text(44, b.y, l, b.base.at(10))
		b.y += 13
	}
	from, to := b.dates("2 January 2006")
	for i, l := range []string{b.kind(), "Sort code 00-00-" + b.number[:2], "Account number " + b.account(b.number[:8]),
		from + " to " + to, "BIC EXMPGB00XXX"} {
		b.p.text(360, 100+float64(i)*13, l, b.base)
	}
	b.y = 188
	in, _ := b.l.total(deposit)
	out, _ := b.l.total(withdrawal)
	b.p.text(44, b.y, "Your account summary", style{sansBold, 11, b.accent})
	b.y += 18
	b.pairs(44, 300, 14, [][2]string{
		{"Opening balance", b.show(&b.facts.OpeningBalance, b.l.opening)},
		{"Total paid in", b.show(&b.facts.TotalDeposits, in)},
		{"Total paid out", b.show(&b.facts.TotalWithdrawals, out)},
		{"Closing balance", b.show(&b.facts.ClosingBalance, b.closing())},
	})
	b.y += 16
	cols := []column{{"Date", 48, false}, {"Payment type and details", 104, false}, {"Paid out", 392, true},
		{"Paid in", 470, true}, {"Balance", 546, true}}
	b.next = func() {
		b.p.text(44, 44, b.bank+"   Account "+*b.facts.AccountNumber, b.base)
		b.y = 70
	}
	worldTable(b, cols, "02 Jan", "BALANCE BROUGHT FORWARD", "BALANCE CARRIED FORWARD", false)
	b.footer("Page %d of %d")
}

// worldTable prints debits, credits and balances in three columns, dates once a day.
func worldTable(b *bankPaper, cols []column, day, opening, closing string, everyDate bool) {
	plain := b.money.plain()
	rows := [][]string{{b.l.start.Format(day), opening, "", "", plain.print(b.l.opening)}}
	var seen time.Time
	for _, e := range b.l.postings {
		b.entry(e, e.text, &e.balance)
		row := []string{"", e.text, "", plain.print(e.amount), plain.print(e.balance)}
		if e.amount < 0 {
			row[2], row[3] = plain.print(-e.amount), ""
		}
		if everyDate || !e.date.Equal(seen) {
			row[0], seen = e.date.Format(day), e.date
		}
		rows = append(rows, row)
	}
	rows = append(rows, []string{b.l.end.Format(day), closing, "", "", plain.print(b.closing())})
	b.table(cols, b.titles(cols), 14, rows)
}

// drawRhein: a German account statement; credits carry a plus behind, debits a minus.
func drawRhein(b *bankPaper) {
	b.p.text(44, 56, b.bank+" eG", style{sansBold, 16, b.accent})
	b.facts.Institution = ptr(b.bank + " eG")
	b.p.rule(44, 551, 64, 1.4, b.accent)
	b.y = 104
	for _, l := range b.abroad("Musterweg 12", "99999 Beispielstadt") {
		b.p.text(54, b.y, l, b.base.at(10))
		b.y += 13
	}
	from, to := b.dates("02.01.2006")
	b.p.text(330, 104, "Kontoauszug Nr. "+b.l.end.Format("1/2006"), b.base.bold().at(11))
	for i, l := range []string{b.kind() + " in EUR", "IBAN " +
		b.account("DE00 0000 0000 "+b.number[:4]+" "+b.number[4:8]+" "+b.number[8:10]), "Zeitraum " + from + " - " +
		to} {
		b.p.text(330, 120+float64(i)*13, l, b.base)
	}
	b.y = 186
	sign := func(c cents) string {
		if c < 0 {
			return b.money.print(c)
		}
		return b.money.print(c) + "+"
	}
	in, _ := b.l.total(deposit)
	out, _ := b.l.total(withdrawal)
	b.facts.OpeningBalance, b.facts.ClosingBalance = ptr(b.l.opening.amount()), ptr(b.closing().amount())
	cols := []column{{"Buchung", 48, false}, {"Wert", 112, false}, {"Vorgang", 176, false}, {"Betrag EUR", 546, true}}
	b.cells(cols, []string{"", "", "Alter Kontostand vom " + b.l.start.AddDate(0, 0, -1).Format("02.01.2006"),
		sign(b.l.opening)}, b.base.bold())
	b.y += 20
	b.next = func() { b.y = 64 }
	var rows [][]string
	for _, e := range b.l.postings {
		b.entry(e, e.text, nil)
		rows = append(rows, []string{e.date.Format("02.01.2006"), e.date.Format("02.01.2006"), e.text, sign(e.amount)})
	}
	b.table(cols, b.titles(cols), 15, rows)
	b.room(80)
	b.y += 8
	for _, r := range [][2]string{{"Summe Gutschriften", b.show(&b.facts.TotalCredits, in) + "+"},
		{"Summe Belastungen", b.show(&b.facts.TotalDebits, out) + "-"},
		{"Neuer Kontostand vom " + to, sign(b.closing())}} {
		b.p.text(176, b.y, r[0], b.base.bold())
		b.p.right(546, b.y, r[1], b.base.bold())
		b.y += 15
	}
	b.footer("Seite %d von %d")
}

// drawLumiere: a French statement, debit before credit, blanks between thousands.
func drawLumiere(b *bankPaper) {
	b.p.text(44, 58, strings.ToUpper(b.bank), style{serifBold, 18, b.accent})
	b.facts.Institution = ptr(strings.ToUpper(b.bank))
	b.p.text(44, 74, "RELEVÉ DE COMPTE", b.base.bold())
	from, to := b.dates("02/01/2006")
	b.y = 108
	for _, l := range b.abroad("8 rue de l'Exemple", "00999 VILLE-MODÈLE") {
		b.p.text(330, b.y, l, b.base.at(10.5))
		b.y += 13
	}
	b.p.text(44, 108, b.kind()+" n° "+b.account(b.number[:11]), b.base)
	b.p.text(44, 121, "Période du "+from+" au "+to, b.base)
	b.p.text(44, 134, "Monnaie du compte : EUR", b.base)
	b.y = 180
	in, _ := b.l.total(deposit)
	out, _ := b.l.total(withdrawal)
	plain := b.money.plain()
	cols := []column{{"Date", 48, false}, {"Libellé", 112, false}, {"Débit", 400, true}, {"Crédit", 474, true},
		{"Solde", 546, true}}
	b.pairs(48, 330, 14, [][2]string{
		{"Solde initial au " + from, b.show(&b.facts.OpeningBalance, b.l.opening)},
		{"Total des débits", b.show(&b.facts.TotalDebits, out)},
		{"Total des crédits", b.show(&b.facts.TotalCredits, in)},
		{"Solde final au " + to, b.show(&b.facts.ClosingBalance, b.closing())},
	})
	b.y += 18
	b.next = func() { b.y = 64 }
	var rows [][]string
	for _, e := range b.l.postings {
		b.entry(e, e.text, &e.balance)
		row := []string{e.date.Format("02/01/2006"), e.text, "", plain.print(e.amount), plain.print(e.balance)}
		if e.amount < 0 {
			row[2], row[3] = plain.print(-e.amount), ""
		}
		rows = append(rows, row)
	}
	b.table(cols, b.titles(cols), 14, rows)
	b.footer("Page %d sur %d")
}

// drawMaple: a Canadian statement, yearless dates with the month's name, currency named once.
func drawMaple(b *bankPaper) {
	b.p.text(48, 58, b.bank, style{sansBold, 18, b.accent})
	b.p.right(564, 54, "Account statement", b.base.bold().at(12))
	from, to := b.dates("January 2, 2006")
	b.p.right(564, 68, "From "+from+" to "+to, b.base)
	b.y = 106
	for i, l := range []string{b.holder.name(), b.holder.street, "Port Lakeview ON  X0X 0X0"} {
		if i == 0 {
			b.name(l)
		}
		b.p.text(60, b.y, strings.ToUpper(l), b.base.at(10))
		b.y += 13
	}
	b.facts.AccountHolder = ptr(strings.ToUpper(*b.facts.AccountHolder))
	b.p.text(360, 106, b.kind(), b.base.bold())
	b.p.text(360, 119, "Transit 00099  Account "+b.account(b.number[:5]+"-"+b.number[5:12]), b.base)
	b.p.text(360, 132, "All amounts in Canadian dollars (CAD)", b.base)
	b.y = 182
	credits, _ := b.l.total(deposit)
	debits, _ := b.l.total(withdrawal, fee)
	b.pairs(48, 340, 14, [][2]string{
		{"Your opening balance on " + from, "$" + b.show(&b.facts.OpeningBalance, b.l.opening)},
		{"Total deposits into your account", "+ " + b.show(&b.facts.TotalDeposits, credits)},
		{"Total withdrawals from your account", "- " + b.show(&b.facts.TotalWithdrawals, debits)},
		{"Your closing balance on " + to, "= $" + b.show(&b.facts.ClosingBalance, b.closing())},
	})
	b.y += 18
	b.next = func() {
		b.p.text(48, 40, b.bank+"  "+from+" to "+to, b.base)
		b.y = 66
	}
	cols := []column{{"Date", 48, false}, {"Description", 100, false}, {"Withdrawals ($)", 416, true},
		{"Deposits ($)", 490, true}, {"Balance ($)", 562, true}}
	worldTable(b, cols, "2 Jan", "Opening Balance", "Closing Balance", false)
	b.footer("%d of %d")
}

// drawAlpstein: a Swiss statement with apostrophes between thousands and a column of value dates.
func drawAlpstein(b *bankPaper) {
	b.p.fill(44, 40, 20, 20, b.accent)
	b.p.text(72, 57, b.bank, style{sansBold, 16, b.accent})
	b.y = 100
	for _, l := range b.abroad("Beispielgasse 7", "9999 Musterlingen") {
		b.p.text(330, b.y, l, b.base.at(10))
		b.y += 13
	}
	from, to := b.dates("02.01.2006")
	b.p.text(44, 100, "Kontoauszug "+from+" - "+to, b.base.bold().at(10.5))
	b.p.text(44, 115, b.kind()+" CHF", b.base)
	b.p.text(44, 128, "IBAN "+b.account("CH00 0000 0"+b.number[:3]+" "+b.number[3:7]+" "+b.number[7:11]), b.base)
	b.facts.OpeningBalance, b.facts.ClosingBalance = ptr(b.l.opening.amount()), ptr(b.closing().amount())
	in, _ := b.l.total(deposit)
	out, _ := b.l.total(withdrawal)
	b.y = 176
	b.next = func() {
		b.p.text(44, 44, b.bank+"  "+*b.facts.AccountNumber, b.base)
		b.y = 70
	}
	cols := []column{{"Datum", 48, false}, {"Buchungstext", 100, false}, {"Belastung", 350, true}, {"Gutschrift", 416,
		true}, {"Valuta", 430, false}, {"Saldo CHF", 546, true}}
	rows := [][]string{{"", "Saldovortrag", "", "", "", b.money.print(b.l.opening)}}
	for _, e := range b.l.postings {
		b.entry(e, e.text, &e.balance)
		day := e.date.Format("02.01.06")
		row := []string{day, e.text, "", b.money.print(e.amount), day, b.money.print(e.balance)}
		if e.amount < 0 {
			row[2], row[3] = b.money.print(-e.amount), ""
		}
		rows = append(rows, row)
	}
	b.table(cols, b.titles(cols), 14.5, rows)
	b.room(40)
	b.y += 6
	b.cells(cols, []string{"", "Umsatztotal", b.show(&b.facts.TotalDebits, out), b.show(&b.facts.TotalCredits, in),
		"", ""}, b.base.bold())
	b.y += 16
	b.cells(cols, []string{"", "Schlusssaldo per " + to, "", "", "", b.money.print(b.closing())}, b.base.bold())
	b.footer("Seite %d/%d")
}

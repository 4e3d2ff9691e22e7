package specimen

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

// bankSheet is a statement written as the page looks: a line of the body is a line of the page, and cells two blanks
// apart begin where they stand in it, or end there when they end in ">". Values stand in braces: {open}, {from:2 Jan
// 2006}, {acct:###-####}, those of a second account {2.open}, of all {all.close}. What is printed is the truth. A line
// "@rows ..." repeats for each entry (@ins, @outs: money of one way), "@account 2" goes on with that account, "@page"
// on a new page; a line that begins with "!" is bold, with "#" large.
type bankSheet struct {
	name, bank string // bank: the institution as printed; empty when nothing names it
	doc        dossier.DocType
	currency   string
	business   bool
	holder     func(party) string // nil: the name in capitals
	shape      trading
	money      notation
	day        string // dates of the entries
	entries    int
	accounts   int
	sunk       cents  // subtracted from the opening balance: an overdrawn account
	entriesOff bool   // descriptions that wrap or masks leave the entries untested
	carried    string // line that ends a page of entries: the balance so far
	brought    string // line that it begins the next page with
	note       string
	body       string
}

// sheetPaper is one being drawn.
type sheetPaper struct {
	bankSheet
	d       dice
	paper   *sheet
	p       *page
	y       float64
	who     party
	ledgers []ledger
	numbers []string
	at      int // account
	facts   *dossier.BankFacts
	card    map[string]any // of a statement that is no bank statement's
	head    string         // of the table, repeated on the next page
	pitch   float64        // width of a column of the body, points
}

// BankSheets names the statements of BankSheet.
func BankSheets() []string {
	var names []string
	for _, s := range bankSheets() {
		names = append(names, s.name)
	}
	return names
}

// BankSheet prints a statement of one of BankSheets; an unknown name is the first.
func BankSheet(seed uint64, name string) Specimen {
	all := bankSheets()
	layout := all[max(0, slices.IndexFunc(all, func(s bankSheet) bool { return s.name == name }))]
	d := roll(seed, "sheet/"+layout.name)
	b := &sheetPaper{bankSheet: layout, d: d, who: person(d), facts: &dossier.BankFacts{}, card: map[string]any{}}
	if layout.business {
		b.who = firm(d)
	}
	start := date(d.between(2021, 2025), time.Month(d.between(1, 12)), 1)
	b.shape.business, b.shape.entries = layout.business, layout.entries
	for range max(1, layout.accounts) {
		b.ledgers = append(b.ledgers, b.ledger(start))
		b.numbers = append(b.numbers, d.digits(20))
	}
	b.paper = newSheet(letterWidth, letterHeight, "Statement", monthEnd(start).AddDate(0, 0, 1))
	b.page()
	widest := 0
	for line := range strings.SplitSeq(layout.body, "\n") {
		widest = max(widest, len([]rune(strings.TrimRight(line, ">"))))
	}
	b.pitch = min(5.3, (letterWidth-2*38)/float64(widest+1))
	for line := range strings.SplitSeq(strings.Trim(layout.body, "\n"), "\n") {
		b.line(line)
	}
	return b.specimen(seed)
}

func (b *sheetPaper) ledger(start time.Time) ledger {
	l := newLedger(b.d, start, monthEnd(start), b.shape)
	l.opening -= b.sunk
	at := l.opening
	for i := range l.postings {
		at += l.postings[i].amount
		l.postings[i].balance = at
	}
	return l
}

func (b *sheetPaper) page() { b.p, b.y = b.paper.add(), 46 }

// line draws one line of the body.
func (b *sheetPaper) line(line string) {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "@page":
		b.page()
	case "@account":
		n, err := strconv.Atoi(rest)
		if err != nil {
			panic(err)
		}
		b.at = n - 1
	case "@rows":
		b.rows(line, "@rows", func(cents) bool { return true })
	case "@ins":
		b.rows(line, "@ins", func(c cents) bool { return c > 0 })
	case "@outs":
		b.rows(line, "@outs", func(c cents) bool { return c < 0 })
	default:
		b.head = line
		b.draw(line, nil)
	}
}

func (b *sheetPaper) rows(line, word string, takes func(cents) bool) {
	line, head := strings.Replace(line, word, strings.Repeat(" ", len(word)), 1), b.head
	l := b.ledgers[b.at]
	for i, p := range l.postings {
		if !takes(p.amount) {
			continue
		}
		if b.y > letterHeight-70 {
			b.carry(b.carried, l, i)
			b.page()
			b.draw(head, nil)
			b.carry(b.brought, l, i)
		}
		first := i == 0 || !l.postings[i-1].date.Equal(p.date)
		last := i == len(l.postings)-1 || !l.postings[i+1].date.Equal(p.date)
		b.draw(line, func(key string) string { return b.cell(key, p, first, last) })
		e := dossier.BankEntry{Date: iso(p.date), Description: p.text, Amount: p.amount.amount()}
		if strings.Contains(line, "{b}") || last && strings.Contains(line, "{B}") {
			e.Balance = ptr(p.balance.amount())
		}
		b.facts.Entries = append(b.facts.Entries, e)
	}
}

// carry draws a line with the balance before posting i, if the statement has one.
func (b *sheetPaper) carry(line string, l ledger, i int) {
	if line != "" && i > 0 {
		b.draw(line, func(key string) string { return b.cell(key, l.postings[i-1], false, true) })
	}
}

// cell is what a row prints: of {D} only the first of a day, of {B} only the last.
func (b *sheetPaper) cell(key string, p posting, first, last bool) string {
	day, plain := p.date.Format(b.day), b.money.plain()
	if strings.Contains(b.day, "02 MMM") {
		day = frenchDay(p.date)
	}
	out, in := "", ""
	if p.amount < 0 {
		out = plain.print(-p.amount)
	} else {
		in = plain.print(p.amount)
	}
	balance := plain.print(p.balance)
	switch {
	case key == "d", key == "D" && first:
		return day
	case key == "t":
		return p.text
	case key == "o":
		return out
	case key == "i":
		return in
	case key == "a":
		return plain.print(p.amount)
	case key == "v":
		return out + in
	case key == "b", key == "B" && last:
		return balance
	}
	return ""
}

// frenchDay is "02 AVR".
func frenchDay(t time.Time) string {
	months := []string{"JAN", "FÉV", "MAR", "AVR", "MAI", "JUN", "JUL", "AOÛ", "SEP", "OCT", "NOV", "DÉC"}
	return t.Format("02 ") + months[t.Month()-1]
}

// draw prints a line; cells are two blanks apart.
func (b *sheetPaper) draw(line string, row func(string) string) {
	st, lead := style{sans, 8.5, black}, 13.0
	switch {
	case strings.HasPrefix(line, "!"):
		st = st.bold()
	case strings.HasPrefix(line, "#"):
		st, lead = st.bold().at(15), 20
	}
	runes := []rune(strings.TrimLeft(line, "!#"))
	shift := len([]rune(line)) - len(runes)
	for from := 0; from < len(runes); {
		if runes[from] == ' ' {
			from++
			continue
		}
		to := from
		for to < len(runes) && (runes[to] != ' ' || to+1 < len(runes) && runes[to+1] != ' ') {
			to++
		}
		text := b.fill(string(runes[from:to]), row)
		if bare, ok := strings.CutSuffix(text, ">"); ok {
			b.p.right(38+b.pitch*float64(to+shift), b.y, bare, st)
		} else {
			b.p.text(38+b.pitch*float64(from+shift), b.y, text, st)
		}
		from = to
	}
	b.y += lead
}

// fill puts the values into a cell.
func (b *sheetPaper) fill(s string, row func(string) string) string {
	for {
		before, rest, found := strings.Cut(s, "{")
		if !found {
			return s
		}
		key, after, _ := strings.Cut(rest, "}")
		value := ""
		if row != nil {
			value = row(key)
		} else {
			value = b.value(key)
		}
		s = before + value + after
	}
}

func (b *sheetPaper) specimen(seed uint64) Specimen {
	f := b.facts
	t := Truth{DocType: dossier.DocBankStatement, FieldType: dossier.FieldBankStatement, Layer: layerText,
		Kind: "sheet_" + b.name, Pages: len(b.paper.pages)}
	if b.note != "" {
		t.Traps = []string{b.note}
	}
	if b.bank != "" {
		f.Institution = ptr(b.bank)
	}
	folder := "bank_statement"
	if b.doc != "" {
		folder, t.DocType, t.FieldType = "other", b.doc, dossier.FieldFile
		for name, v := range map[string]*string{"institution": f.Institution, "accountHolder": f.AccountHolder,
			"accountNumber": f.AccountNumber,
			"periodStart":   f.PeriodStart, "periodEnd": f.PeriodEnd} {
			if v != nil {
				b.card[name] = *v
			}
		}
		t.Facts.Other = b.card
		if b.doc == dossier.DocOther {
			t.Facts.Other, t.NotTested = map[string]any{}, []string{"*"}
		}
	} else {
		b.settle(&t)
	}
	return Specimen{Name: fmt.Sprintf("%s/sheet_%s_%d.pdf", folder, b.name, seed), MimeType: mimePDF,
		Data: b.paper.pdf(), Truth: t, sheet: b.paper}
}

// settle completes the truth of a bank statement: what follows from its entries without being printed is not tested.
func (b *sheetPaper) settle(t *Truth) {
	f := b.facts
	f.Reconciles, t.Facts.Bank = ptr(true), f
	if b.currency != "" {
		f.Currency = ptr(b.currency)
	}
	t.NotTested = []string{"negativeDays", "transactions", "minimumDailyBalance", "personal", "availableBalance"}
	untested := func(name string, given bool) {
		if !given {
			t.NotTested = append(t.NotTested, name)
		}
	}
	untested("accountType", f.AccountType != nil)
	untested("statementDate", f.StatementDate != nil)
	untested("openingBalance", f.OpeningBalance != nil || b.accounts > 1)
	untested("reconciles", f.OpeningBalance != nil || b.accounts > 1)
	untested("depositCount", f.DepositCount != nil)
	untested("withdrawalCount", f.WithdrawalCount != nil)
	untested("accounts", f.Accounts != nil)
	untested("entries", !b.entriesOff && len(f.Entries) > 0)
	for name, a := range map[string]*dossier.Amount{"totalDeposits": f.TotalDeposits,
		"totalWithdrawals": f.TotalWithdrawals, "totalCredits": f.TotalCredits,
		"totalDebits": f.TotalDebits, "checks": f.Checks, "serviceFees": f.ServiceFees, "interest": f.Interest} {
		untested(name, a != nil)
	}
	slices.Sort(t.NotTested)
}

// BankField is n statements of BankSheets.
func BankField(seed uint64, n int) []Specimen {
	names := BankSheets()
	out := make([]Specimen, 0, n)
	for i := range n {
		out = append(out, BankSheet(seed*100_003+uint64(i), names[i%len(names)]))
	}
	return out
}

package specimen

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

// BankOptions chooses a bank statement. Zero values are chosen by the seed, so the zero BankOptions is a
// statement too.
type BankOptions struct {
	Seed     uint64
	Layout   string    // one of BankLayouts
	Month    time.Time // any day of the month of the statement
	Business bool      // a business account, where the layout offers both
	Holder   string    // as printed, instead of an invented name
	Entries  int       // entries of the account
	Broken   bool      // the printed closing balance does not follow from the entries
}

// bankLayout is one bank's way of printing a statement.
type bankLayout struct {
	name     string
	bank     string // institution as printed
	business bool   // offers business accounts
	personal bool   // offers personal accounts
	w, h     float64
	entries  int // usual number of entries
	cut      int // day on which the month is closed; 0: its last day
	trading  trading
	kinds    [2]string // printed account type: personal, business
	money    notation
	base     style
	accent   ink
	currency string
	emission emission
	traps    []string
	draw     func(*bankPaper)
}

// BankLayouts names the bank statement layouts, in a fixed order.
func BankLayouts() []string {
	var names []string
	for _, l := range bankLayouts() {
		names = append(names, l.name)
	}
	return names
}

// bankPaper is a statement being printed: the layout draws the pages and states the facts as it prints them.
type bankPaper struct {
	bankLayout
	o      BankOptions
	d      dice
	sheet  *sheet
	p      *page
	y      float64
	next   func() // draws the head of a following page and sets y
	bottom float64

	l      ledger
	shape  trading
	holder party
	number string
	facts  *dossier.BankFacts
	truth  *Truth
}

// BankStatement prints one month of an account as a text PDF. An unknown layout is the first one.
func BankStatement(o BankOptions) Specimen {
	d := roll(o.Seed, "bank/"+o.Layout)
	layout := chooseBank(d, o)
	o.Business = (o.Business || !layout.personal) && layout.business
	if o.Month.IsZero() {
		o.Month = date(d.between(2021, 2025), time.Month(d.between(1, 12)), 1)
	}
	b := newBankPaper(d, o, layout)
	b.page()
	layout.draw(b)
	b.settle()
	return Specimen{
		Name: fmt.Sprintf("bank_statement/%s_%s_%s_%d.pdf", layout.name, ownership(o.Business),
			b.l.end.Format("2006-01"), o.Seed), MimeType: mimePDF,
		Data: b.sheet.pdf(), Truth: *b.truth, sheet: b.sheet,
	}
}

func chooseBank(d dice, o BankOptions) bankLayout {
	all := bankLayouts()
	if o.Layout == "" {
		return pick(d, all)
	}
	i := slices.IndexFunc(all, func(l bankLayout) bool { return l.name == o.Layout })
	return all[max(i, 0)]
}

func newBankPaper(d dice, o BankOptions, layout bankLayout) *bankPaper {
	start, end := layout.period(o.Month)
	shape := layout.trading
	shape.business, shape.entries = o.Business, layout.entries
	if o.Entries > 0 {
		shape.entries = o.Entries
	}
	if len(shape.texts.in) == 0 {
		shape.texts = personalTexts
		if o.Business {
			shape.texts = businessTexts
		}
	}
	b := &bankPaper{bankLayout: layout, o: o, d: d, facts: &dossier.BankFacts{}, bottom: layout.h - 60}
	b.l, b.shape = newLedger(d, start, end, shape), shape
	b.holder, b.number = person(d), d.digits(12)
	if o.Business {
		b.holder = firm(d)
	}
	if o.Holder != "" {
		b.holder.business = o.Holder
	}
	b.sheet = newSheet(layout.w, layout.h, "Account statement", b.l.end.AddDate(0, 0, 1))
	b.sheet.emission = layout.emission
	b.truth = &Truth{DocType: dossier.DocBankStatement, FieldType: dossier.FieldBankStatement, Layer: layerText,
		Kind: layout.name, Traps: slices.Clone(layout.traps)}
	b.facts.Institution, b.facts.Currency = ptr(layout.bank), ptr(layout.currency)
	b.facts.Personal = ptr(!o.Business)
	return b
}

// period is the statement period that ends in the month of t.
func (l bankLayout) period(t time.Time) (start, end time.Time) {
	if l.cut > 0 {
		return date(t.Year(), t.Month()-1, l.cut+1), date(t.Year(), t.Month(), l.cut)
	}
	start = date(t.Year(), t.Month(), 1)
	return start, monthEnd(start)
}

// page starts a page; y is left at the top margin for the layout.
func (b *bankPaper) page() { b.p, b.y = b.sheet.add(), 48 }

// room makes sure h points are left, on a following page if need be.
func (b *bankPaper) room(h float64) {
	if b.y+h <= b.bottom {
		return
	}
	b.page()
	if b.next != nil {
		b.next()
	}
}

// show states a fact and returns it as printed.
func (b *bankPaper) show(fact **dossier.Amount, c cents) string {
	*fact = ptr(c.amount())
	return b.money.print(c)
}

// dates states the period and returns its two dates as printed.
func (b *bankPaper) dates(layout string) (from, to string) {
	b.facts.PeriodStart, b.facts.PeriodEnd = ptr(iso(b.l.start)), ptr(iso(b.l.end))
	return b.l.start.Format(layout), b.l.end.Format(layout)
}

// name states the holder and returns it as printed.
func (b *bankPaper) name(printed string) string {
	b.facts.AccountHolder = ptr(printed)
	return printed
}

// account states the account number as printed.
func (b *bankPaper) account(printed string) string {
	b.facts.AccountNumber = ptr(printed)
	return printed
}

// kind states and returns the account type.
func (b *bankPaper) kind() string {
	k := b.kinds[0]
	if b.o.Business {
		k = b.kinds[1]
	}
	b.facts.AccountType = ptr(k)
	return k
}

// closing is the closing balance to print: wrong by a plausible slip in a broken statement.
func (b *bankPaper) closing() cents {
	if b.o.Broken {
		return b.l.closing() + 100_00 + cents(b.o.Seed%90)*100
	}
	return b.l.closing()
}

// entry states a printed entry; balance nil means that the row prints none.
func (b *bankPaper) entry(p posting, description string, balance *cents) {
	e := dossier.BankEntry{Date: iso(p.date), Description: description, Amount: p.amount.amount()}
	if balance != nil {
		e.Balance = ptr(balance.amount())
	}
	b.facts.Entries = append(b.facts.Entries, e)
}

// untested leaves facts out of the scoring.
func (b *bankPaper) untested(names ...string) {
	b.truth.NotTested = append(b.truth.NotTested, names...)
}

// settle completes the truth: what a reader may derive from the entries is not tested unless it was printed.
func (b *bankPaper) settle() {
	f := b.facts
	f.Reconciles = ptr(!b.o.Broken)
	b.untested("negativeDays", "transactions", "minimumDailyBalance")
	for name, printed := range map[string]bool{"depositCount": f.DepositCount != nil,
		"withdrawalCount": f.WithdrawalCount != nil} {
		if !printed {
			b.untested(name)
		}
	}
	if f.MinimumDailyBalance != nil {
		b.truth.NotTested = slices.DeleteFunc(b.truth.NotTested,
			func(n string) bool { return n == "minimumDailyBalance" })
	}
	if f.Accounts == nil {
		b.untested("accounts") // a list of one is as good as none
	}
	b.derivable("totalDeposits", f.TotalDeposits, len(f.Entries) > 0)
	b.derivable("totalWithdrawals", f.TotalWithdrawals, len(f.Entries) > 0)
	b.derivable("totalCredits", f.TotalCredits, len(f.Entries) > 0)
	b.derivable("totalDebits", f.TotalDebits, len(f.Entries) > 0)
	b.derivable("checks", f.Checks, len(b.l.of(check)) > 0)
	b.derivable("serviceFees", f.ServiceFees, len(b.l.of(fee)) > 0)
	b.derivable("interest", f.Interest, len(b.l.of(interest)) > 0)
	slices.Sort(b.truth.NotTested)
	b.truth.NotTested = slices.Compact(b.truth.NotTested)
	if b.o.Broken {
		b.truth.Traps = append(b.truth.Traps, "printed closing balance does not follow from the entries")
	}
	b.truth.Pages = len(b.sheet.pages)
	b.truth.Facts.Bank = f
}

// derivable leaves a fact out of the scoring when it is not printed but its entries are.
func (b *bankPaper) derivable(name string, fact *dossier.Amount, entries bool) {
	if fact == nil && entries {
		b.untested(name)
	}
}

// column is a column of a table: its title and where it stands. x is the left edge, or the right edge of a
// column of figures.
type column struct {
	title string
	x     float64
	right bool
}

func (b *bankPaper) cells(cols []column, values []string, st style) {
	for i, c := range cols {
		if values[i] == "" {
			continue
		}
		if c.right {
			b.p.right(c.x, b.y, values[i], st)
			continue
		}
		b.p.text(c.x, b.y, values[i], st)
	}
}

// table prints rows under a repeated head.
func (b *bankPaper) table(cols []column, head func(), lead float64, rows [][]string) {
	head()
	for i, row := range rows {
		if b.y+lead > b.bottom {
			b.room(lead)
			head()
		}
		if i%2 == 1 && b.accent != black && b.entries%2 == 0 {
			b.p.fill(cols[0].x-4, b.y-lead*0.72, b.w-2*(cols[0].x-4), lead, pale)
		}
		b.cells(cols, row, b.base)
		b.y += lead
	}
}

// titles is a table head: titles over a rule.
func (b *bankPaper) titles(cols []column) func() {
	return func() {
		names := make([]string, len(cols))
		for i, c := range cols {
			names[i] = c.title
		}
		b.cells(cols, names, b.base.bold())
		b.p.rule(cols[0].x-4, b.w-cols[0].x+4, b.y+3.5, 0.7, b.accent)
		b.y += b.base.size + 6
	}
}

// pairs prints captions and figures, one a line, figures ending at right.
func (b *bankPaper) pairs(left, right, lead float64, rows [][2]string) {
	for i, r := range rows {
		st := b.base
		if i == len(rows)-1 {
			st = st.bold()
			b.p.rule(left, right, b.y-b.base.size, 0.6, b.accent)
		}
		b.p.text(left, b.y, r[0], st)
		b.p.right(right, b.y, r[1], st)
		b.y += lead
	}
}

// heading prints a section heading with a coloured band.
func (b *bankPaper) heading(title string) {
	b.room(60)
	b.p.fill(44, b.y-11, b.w-88, 15, b.accent)
	b.p.text(50, b.y, title, b.base.bold().at(b.base.size+1).in(white))
	b.y += 20
}

// footer prints a line at the foot of each page; layouts call it last, when the number of pages is known.
func (b *bankPaper) footer(form string) {
	for i, p := range b.sheet.pages {
		t := form
		switch strings.Count(form, "%d") {
		case 1:
			t = fmt.Sprintf(form, i+1)
		case 2:
			t = fmt.Sprintf(form, i+1, len(b.sheet.pages))
		}
		p.right(b.w-48, b.h-34, t, b.base.at(7.5).in(grey))
	}
}

func ownership(business bool) string {
	if business {
		return "business"
	}
	return "personal"
}

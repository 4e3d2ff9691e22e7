package specimen

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
)

// csvLayout is one bank's export of transactions.
type csvLayout struct {
	name     string
	currency string
	comma    rune
	money    notation
	date     string
	texts    phrases
	newest   bool // newest entry first
	preamble func(b csvPaper) [][]string
	header   []string
	row      func(b csvPaper, p posting) []string
	latin1   bool
	bom      bool
	traps    []string
}

// csvPaper is an export being written.
type csvPaper struct {
	csvLayout
	l      ledger
	holder party
	number string
	facts  *dossier.BankFacts
}

// BankCSVLayouts names the CSV exports.
func BankCSVLayouts() []string {
	var names []string
	for _, l := range csvLayouts() {
		names = append(names, l.name)
	}
	return names
}

func csvLayouts() []csvLayout {
	none := func(csvPaper) [][]string { return nil }
	return []csvLayout{
		{name: "running_balance", currency: "USD", comma: ',', money: american.with("$"), date: "01/02/2006",
			newest: true, preamble: none, bom: true,
			header: []string{"Date", "Description", "Withdrawal", "Deposit", "Running Balance"},
			row: func(b csvPaper, p posting) []string {
				if p.amount < 0 {
					return []string{p.date.Format(b.date), p.text, b.money.print(-p.amount), "",
						b.money.print(p.balance)}
				}
				return []string{p.date.Format(b.date), p.text, "", b.money.print(p.amount), b.money.print(p.balance)}
			}, traps: []string{"newest first: the opening balance follows from the oldest entry", "byte order mark"}},
		{name: "signed", currency: "USD", comma: ',', money: american, date: "2006-01-02",
			header: []string{"Posting Date", "Payee", "Amount", "Balance"},
			preamble: func(b csvPaper) [][]string {
				return [][]string{{"Account Number", b.number}, {"Account Holder", b.holder.name()},
					{"Beginning balance", b.money.print(b.l.opening)}, {"Ending balance",
						b.money.print(b.l.closing())}, {}}
			},
			row: func(b csvPaper, p posting) []string {
				return []string{p.date.Format(b.date), p.text, b.money.print(p.amount), b.money.print(p.balance)}
			}, traps: []string{"preamble before the header"}},
		{name: "european", currency: "EUR", comma: ';', money: german, date: "02.01.2006", texts: germanTexts,
			latin1: true, header: []string{"Buchungstag", "Wertstellung", "Verwendungszweck", "Betrag", "Saldo",
				"Währung"},
			preamble: func(b csvPaper) [][]string { return [][]string{{"Kontonummer:", b.number}, {}} },
			row: func(b csvPaper, p posting) []string {
				return []string{p.date.Format(b.date), p.date.Format(b.date), p.text, b.money.print(p.amount),
					b.money.print(p.balance), "EUR"}
			}, traps: []string{"semicolons, decimal commas, Latin-1", "currency in a column"}},
	}
}

// BankCSV writes a month of entries as a bank's website exports it. An unknown layout is the first one.
func BankCSV(o BankOptions) Specimen {
	d := roll(o.Seed, "csv/"+o.Layout)
	layouts := csvLayouts()
	l := pick(d, layouts)
	if o.Layout != "" {
		l = layouts[max(0, slices.IndexFunc(layouts, func(c csvLayout) bool { return c.name == o.Layout }))]
	}
	if o.Month.IsZero() {
		o.Month = date(d.between(2021, 2025), 6, 1)
	}
	texts := l.texts
	if len(texts.in) == 0 {
		texts = personalTexts
	}
	start := date(o.Month.Year(), o.Month.Month(), 1)
	b := csvPaper{csvLayout: l, l: newLedger(d, start, monthEnd(start), trading{entries: max(o.Entries, 18),
		texts: texts}), holder: person(d), number: d.digits(10), facts: &dossier.BankFacts{}}
	if o.Holder != "" {
		b.holder.business = o.Holder
	}
	data := b.write()
	truth := b.truth()
	return Specimen{Name: fmt.Sprintf("bank_statement/%s_%s_%d.csv", l.name, start.Format("2006-01"), o.Seed),
		MimeType: mimeCSV, Data: data, Truth: truth}
}

func (b csvPaper) write() []byte {
	var out bytes.Buffer
	if b.bom {
		out.WriteString("\ufeff")
	}
	w := csv.NewWriter(&out)
	w.Comma = b.comma
	for _, r := range append(b.preamble(b), b.header) {
		_ = w.Write(r) // a bytes.Buffer takes everything
	}
	postings := slices.Clone(b.l.postings)
	if b.newest {
		slices.Reverse(postings)
	}
	for _, p := range postings {
		_ = w.Write(b.row(b, p))
		b.facts.Entries = append(b.facts.Entries, dossier.BankEntry{Date: iso(p.date), Description: p.text,
			Amount: p.amount.amount(), Balance: ptr(p.balance.amount())})
	}
	w.Flush()
	if b.latin1 {
		return []byte(winAnsi(out.String()))
	}
	return out.Bytes()
}

// truth is what the export shows or, by facts.md, derives: totals and dates of a list of entries.
func (b csvPaper) truth() Truth {
	f := b.facts
	in, _ := b.l.total(deposit)
	out, _ := b.l.total(withdrawal, fee, check)
	f.OpeningBalance, f.ClosingBalance = ptr(b.l.opening.amount()), ptr(b.l.closing().amount())
	f.TotalDeposits, f.TotalWithdrawals = ptr(in.amount()), ptr(out.amount())
	f.Transactions, f.Reconciles = ptr(len(b.l.postings)), ptr(true)
	first, last := b.l.postings[0].date, b.l.postings[len(b.l.postings)-1].date
	f.PeriodStart, f.PeriodEnd = ptr(iso(first)), ptr(iso(last))
	untested := []string{"accounts", "accountType", "depositCount", "withdrawalCount", "minimumDailyBalance",
		"negativeDays", "personal", "totalCredits", "totalDebits", "checks", "serviceFees"}
	f.Currency = ptr(b.currency)
	if b.money.symbol == "" && b.currency == "USD" {
		untested = append(untested, "currency") // nothing in the file names it
	}
	preamble := fmt.Sprint(b.preamble(b))
	if strings.Contains(preamble, b.number) {
		f.AccountNumber = ptr(b.number)
	}
	if strings.Contains(preamble, b.holder.name()) {
		f.AccountHolder = ptr(b.holder.name())
	}
	return Truth{DocType: dossier.DocBankStatement, FieldType: dossier.FieldBankStatement, Layer: layerNative,
		Kind:  "csv_" + b.name,
		Facts: dossier.Facts{Bank: f}, NotTested: untested, Traps: b.traps}
}

package specimen

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/dossierhq/dossier"
)

// exportLayout is one bank's way of exporting entries: as a table, in a workbook or in a format that banks agreed upon.
type exportLayout struct {
	name     string
	currency string
	ext      string // csv where empty
	comma    rune   // of a table; 0: a comma
	money    notation
	date     string
	texts    phrases
	newest   bool   // newest entry first
	charset  string // "", latin1
	balances bool   // the opening and closing balance are printed or follow from running balances
	opening  bool   // only the opening balance is
	closing  bool   // only the closing balance is
	period   bool   // the printed period is the whole month, not the days of its first and last entry
	number   bool   // the account's number is printed
	digits   int    // of it; 0: ten
	account  string // the number as printed, where it is always the same
	holder   bool
	bank     string // institution as printed
	silent   bool   // nothing in the file says which currency
	loose    bool   // what an entry is called stands in several cells
	docType  dossier.DocType
	body     func(b exportPaper) [][]string
	bytes    func(b exportPaper) []byte
	traps    []string
}

// exportPaper is an export being written.
type exportPaper struct {
	exportLayout
	l        ledger
	postings []posting // as they stand in the file
	holder   party
	number   string
	start    time.Time
	end      time.Time
}

// BankExportLayouts names the exports, in a fixed order.
func BankExportLayouts() []string {
	var names []string
	for _, l := range exportLayouts() {
		names = append(names, l.name)
	}
	return names
}

func exportLayouts() []exportLayout {
	return slices.Concat(americanExports(), britishExports(), euroExports(), nordicExports(), pacificExports(),
		agreedExports())
}

// BankExport writes a month of entries as a bank's website exports it. An unknown layout is the first one.
func BankExport(o BankOptions) Specimen {
	d := roll(o.Seed, "export/"+o.Layout)
	layouts := exportLayouts()
	l := layouts[max(0, slices.IndexFunc(layouts, func(c exportLayout) bool { return c.name == o.Layout }))]
	if o.Month.IsZero() {
		o.Month = date(d.between(2021, 2025), time.Month(d.between(1, 12)), 1)
	}
	if len(l.texts.in) == 0 {
		l.texts = personalTexts
	}
	if l.comma == 0 {
		l.comma = ','
	}
	if l.ext == "" {
		l.ext = "csv"
	}
	start := date(o.Month.Year(), o.Month.Month(), 1)
	b := exportPaper{exportLayout: l, holder: person(d), number: d.digits(cmp.Or(l.digits, 10)), start: start,
		end: monthEnd(start),
		l:   newLedger(d, start, monthEnd(start), trading{entries: max(o.Entries, 14), texts: l.texts})}
	b.postings = slices.Clone(b.l.postings)
	if l.newest {
		slices.Reverse(b.postings)
	}
	return Specimen{Name: fmt.Sprintf("bank_export/%s_%d.%s", l.name, o.Seed, l.ext), Data: b.data(), Truth: b.truth()}
}

func (b exportPaper) data() []byte {
	switch {
	case b.bytes != nil:
		return b.bytes(b)
	case b.ext == "xlsx":
		return b.workbook()
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	w.Comma = b.comma
	for _, r := range b.body(b) {
		if len(r) == 0 {
			w.Flush()
			out.WriteByte('\n')
			continue
		}
		_ = w.Write(r) // a bytes.Buffer takes everything
	}
	w.Flush()
	if b.charset == "latin1" {
		return []byte(winAnsi(out.String()))
	}
	return out.Bytes()
}

// workbook writes the table as cells. A cell that begins with "date:" becomes one with a date, "num:" one with a
// number.
func (b exportPaper) workbook() []byte {
	book := excelize.NewFile()
	defer book.Close()
	days, _ := book.NewStyle(&excelize.Style{NumFmt: 14})
	sheet := book.GetSheetName(0)
	for y, row := range b.body(b) {
		for x, cell := range row {
			at, _ := excelize.CoordinatesToCellName(x+1, y+1)
			switch {
			case strings.HasPrefix(cell, "date:"):
				day, _ := time.Parse("2006-01-02", cell[5:])
				_ = book.SetCellValue(sheet, at, day)
				_ = book.SetCellStyle(sheet, at, at, days)
			case strings.HasPrefix(cell, "num:"):
				var f float64
				_, _ = fmt.Sscan(cell[4:], &f)
				_ = book.SetCellValue(sheet, at, f)
			default:
				_ = book.SetCellValue(sheet, at, cell)
			}
		}
	}
	var out bytes.Buffer
	_ = book.Write(&out)
	return out.Bytes()
}

// truth is what the export shows or, by facts.md, derives.
func (b exportPaper) truth() Truth {
	if b.docType != "" {
		return Truth{DocType: b.docType, FieldType: dossier.FieldFile, Layer: layerNative, Kind: "export_" + b.name,
			Traps: b.traps, NotTested: []string{"*"}}
	}
	f := &dossier.BankFacts{}
	for _, p := range b.l.postings {
		f.Entries = append(f.Entries, dossier.BankEntry{Date: iso(p.date), Description: p.text,
			Amount: p.amount.amount()})
	}
	in, _ := b.l.total(deposit)
	out, _ := b.l.total(withdrawal, fee, check)
	f.TotalDeposits, f.TotalWithdrawals = ptr(in.amount()), ptr(out.amount())
	f.Transactions = ptr(len(b.l.postings))
	if b.balances || b.opening {
		f.OpeningBalance = ptr(b.l.opening.amount())
	}
	if b.balances || b.exportLayout.closing {
		f.ClosingBalance = ptr(b.l.closing().amount())
	}
	if b.balances {
		f.Reconciles = ptr(true)
	}
	first, last := b.l.postings[0].date, b.l.postings[len(b.l.postings)-1].date
	if b.period {
		first, last = b.start, b.end
	}
	f.PeriodStart, f.PeriodEnd = ptr(iso(first)), ptr(iso(last))
	untested := []string{"accounts", "accountType", "depositCount", "withdrawalCount", "minimumDailyBalance",
		"negativeDays", "personal",
		"totalCredits", "totalDebits", "checks", "serviceFees", "statementDate", "availableBalance"}
	if b.loose {
		untested = append(untested, "entries")
	}
	if !b.silent {
		f.Currency = ptr(b.currency)
	}
	if b.account != "" {
		f.AccountNumber = ptr(b.account)
	}
	if b.exportLayout.number {
		f.AccountNumber = ptr(b.number)
	}
	if b.exportLayout.holder {
		f.AccountHolder = ptr(b.holder.name())
	}
	if b.bank != "" {
		f.Institution = ptr(b.bank)
	}
	return Truth{DocType: dossier.DocBankStatement, FieldType: dossier.FieldBankStatement, Layer: layerNative,
		Kind:  "export_" + b.name,
		Facts: dossier.Facts{Bank: f}, NotTested: untested, Traps: b.traps}
}

// day is a date as the export writes it.
func (b exportPaper) day(t time.Time) string { return t.Format(b.date) }

// table is a line for each entry, below a header where there is one.
func (b exportPaper) table(header []string, line func(p posting) []string) [][]string {
	var rows [][]string
	if header != nil {
		rows = append(rows, header)
	}
	for _, p := range b.postings {
		rows = append(rows, line(p))
	}
	return rows
}

// out and in are an amount in columns of its own, empty where the entry goes the other way.
func (b exportPaper) out(p posting) string {
	if p.amount < 0 {
		return b.money.print(-p.amount)
	}
	return ""
}

func (b exportPaper) in(p posting) string {
	if p.amount >= 0 {
		return b.money.print(p.amount)
	}
	return ""
}

// size is the amount without its sign.
func (b exportPaper) size(p posting) string { return b.money.print(max(p.amount, -p.amount)) }

// either is one of two words by the way an entry goes.
func either(p posting, out, in string) string {
	if p.amount < 0 {
		return out
	}
	return in
}

var (
	plain      = notation{point: "."}
	plainComma = notation{point: ","}
	nordic     = notation{thousand: " ", point: ","}
)

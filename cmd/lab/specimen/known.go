package specimen

import (
	"image"
	"image/color"
	"slices"
	"time"
)

// Known is a file for whoever tries the service out: its verdict is known before it is sent (integrate.md section 2).
type Known struct {
	Kind     string
	Filename string
	MimeType string
	Verdict  string // what becomes of it, in words
	draw     func(today time.Time) []byte
}

// Draw makes the file. Its dates are those that its verdict needs on the day.
func (k Known) Draw(today time.Time) []byte { return k.draw(today) }

// FindKnown finds a kind; false when there is none of this name.
func FindKnown(kind string) (Known, bool) {
	all := KnownKinds()
	i := slices.IndexFunc(all, func(k Known) bool { return k.Kind == kind })
	if i < 0 {
		return Known{}, false
	}
	return all[i], true
}

// KnownKinds lists them, in a fixed order.
func KnownKinds() []Known {
	pdf := func(kind, verdict string, draw func(today time.Time) []byte) Known {
		return Known{kind, kind + ".pdf", mimePDF, verdict, draw}
	}
	return []Known{
		pdf("bank_statement", "Read as a bank statement of the month before; its balances reconcile.",
			func(today time.Time) []byte { return knownStatement(today, false).Data }),
		pdf("bank_statement_unbalanced", "Read as a bank statement whose closing balance does not follow from its entries: a rule about balances refuses it.",
			func(today time.Time) []byte { return knownStatement(today, true).Data }),
		pdf("drivers_license", "Read as a driver's license that is valid.",
			func(today time.Time) []byte { return knownLicense(today, false) }),
		pdf("drivers_license_expired", "Read as a driver's license that has expired: a rule that it be valid refuses it.",
			func(today time.Time) []byte { return knownLicense(today, true) }),
		pdf("tax_return_1040", "Read as a personal tax return, Form 1040.",
			func(today time.Time) []byte { return knownReturn("1040", "Ada Example", today) }),
		pdf("tax_return_1120s", "Read as the tax return of an S corporation, Form 1120-S.",
			func(today time.Time) []byte { return knownReturn("1120-S", knownBusiness, today) }),
		pdf("profit_and_loss", "Read as a financial statement: the income statement of the last year.",
			func(today time.Time) []byte { return knownBooks(today, false) }),
		pdf("balance_sheet", "Read as a financial statement: the balance sheet at the end of the last year.",
			func(today time.Time) []byte { return knownBooks(today, true) }),
		pdf("encrypted", "Not read: extractionError is encrypted, and the item asks for a file without a password.",
			func(time.Time) []byte { return knownEncrypted() }),
		pdf("unreadable", "A photograph taken in the dark, on which nothing can be read: it serves no item.",
			func(time.Time) []byte { return knownUnreadable() }),
	}
}

const (
	knownSeed     = 7
	knownBusiness = "Example Bakery LLC"
)

func knownStatement(today time.Time, broken bool) Specimen {
	first := time.Date(today.Year(), today.Month(), 1, 0, 0, 0, 0, time.UTC)
	return BankStatement(BankOptions{Seed: knownSeed, Layout: BankLayouts()[0], Month: first.AddDate(0, 0, -1),
		Business: true,
		Holder:   knownBusiness, Entries: 12, Broken: broken})
}

func knownLicense(today time.Time, expired bool) []byte {
	card := Identity(IDOptions{Seed: knownSeed, Design: IDDesigns()[0], First: "Ada", Last: "Example", AsOf: today,
		Expired: expired})
	if card.MimeType == mimePDF {
		return card.Data
	}
	return card.sheet.writePDF(nil)
}

// knownReturn is of the year before, or of the last one whose form this package draws.
func knownReturn(form, name string, today time.Time) []byte {
	return TaxReturn(TaxOptions{Seed: knownSeed, Form: form, Year: min(today.Year()-1, 2024), YearEnd: time.December,
		Name: name, Flattened: true}).Data
}

// knownBooks prints one statement of a year: the income statement, or the balance sheet.
func knownBooks(today time.Time, sheet bool) []byte {
	o := StatementOptions{Seed: knownSeed, Layout: StatementLayouts()[0], Year: today.Year() - 1, Name: knownBusiness}
	d, l := roll(o.Seed, "statement/"+o.Layout), statementLayouts()[0]
	entity := firm(d)
	entity.business = o.Name
	o.periods = l.invent(d, entity, o.Year)
	if sheet {
		o.income = nil
	} else {
		o.sheets = nil
	}
	return l.make(d, o).Data
}

func knownEncrypted() []byte {
	statement := BankStatement(BankOptions{Seed: knownSeed, Layout: BankLayouts()[0], Business: true,
		Holder: knownBusiness, Entries: 12})
	return statement.sheet.writePDF(newAES256(roll(knownSeed, "encrypted"), "open sesame", "owner"))
}

// knownUnreadable is a page of grey noise: a photograph taken in the dark.
func knownUnreadable() []byte {
	d := roll(knownSeed, "unreadable")
	dark := image.NewGray(image.Rect(0, 0, 425, 550))
	for y := range dark.Rect.Dy() {
		for x := range dark.Rect.Dx() {
			dark.SetGray(x, y, color.Gray{Y: uint8(24 + d.IntN(10))})
		}
	}
	page := newSheet(612, 792, "", time.Date(2025, 1, 2, 0, 0, 0, 0, time.UTC))
	page.add()
	return picturePDF(page, []image.Image{dark}, 40)
}

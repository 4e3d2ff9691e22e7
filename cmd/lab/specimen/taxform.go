package specimen

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
)

// TaxOptions chooses a tax return. Zero values are chosen by the seed.
type TaxOptions struct {
	Seed      uint64
	Form      string // one of TaxForms
	Year      int    // tax year; 2018 to 2024 for the 1040, 2019 to 2024 for the others
	YearEnd   time.Month
	Name      string // taxpayer or entity, as printed
	Fillable  bool   // values stand in form fields, not in the page
	Flattened bool   // never in form fields
	books     *books // of the business, instead of invented ones
	plain     bool   // no attached statement of other deductions
}

// TaxForms names the returns this package draws.
func TaxForms() []string { return []string{"1040", "1040 Schedule C", "1120", "1120-S", "1065", "990"} }

// taxForm is a form being filled in.
type taxForm struct {
	o      TaxOptions
	d      dice
	sheet  *sheet
	p      *page
	y      float64
	label  style
	typed  style // what the taxpayer fills in
	facts  *dossier.TaxFacts
	truth  *Truth
	suffix string // what follows a figure: "", ".", " 00"
	minus  bool   // negatives with a minus instead of parentheses
	fields int
	prefix string // of the lines of an attached schedule: "K-"; empty on page 1
}

// TaxReturn fills in a return as a PDF. An unknown form is a 1040.
func TaxReturn(o TaxOptions) Specimen {
	d := roll(o.Seed, "tax/"+o.Form)
	if o.Form == "" {
		o.Form = pick(d, TaxForms())
	}
	if o.Year == 0 {
		o.Year = d.between(2019, 2024)
	}
	if o.YearEnd == 0 {
		o.YearEnd = time.December
	}
	o.Fillable = (o.Fillable || d.chance(40)) && !o.Flattened
	t := newTaxForm(d, o)
	switch o.Form {
	case "1040 Schedule C":
		t.scheduleC()
	case "1120":
		t.form1120()
	case "1120-S":
		t.form1120S()
	case "1065":
		t.form1065()
	case "990":
		t.form990()
	default:
		t.form1040()
	}
	t.truth.Pages, t.truth.Facts.Tax = len(t.sheet.pages), t.facts
	slices.Sort(t.truth.NotTested)
	name := strings.ReplaceAll(strings.ToLower(t.truth.Kind), " ", "_")
	return Specimen{Name: fmt.Sprintf("tax_return/%s_%d_%d.pdf", name, o.Year, o.Seed), MimeType: mimePDF,
		Data: t.sheet.pdf(), Truth: *t.truth, sheet: t.sheet}
}

func newTaxForm(d dice, o TaxOptions) *taxForm {
	t := &taxForm{o: o, d: d, facts: &dossier.TaxFacts{Lines: map[string]dossier.Amount{}}, label: style{sans, 7.2,
		black},
		typed: style{pick(d, []face{mono, sans, mono}), 8.5, ink{10, 10, 60}}, suffix: pick(d, []string{"", "", ".",
			","}), minus: d.chance(40)}
	if t.suffix == "," {
		t.suffix = ""
	}
	t.sheet = newSheet(letterWidth, letterHeight, "Form "+o.Form, date(o.Year+1, 3, 14))
	t.sheet.producer = "Tax Composer 7"
	t.truth = &Truth{DocType: dossier.DocTaxReturn, FieldType: dossier.FieldTaxReturn, Layer: layerText, Kind: o.Form}
	if o.Fillable {
		t.truth.Traps = append(t.truth.Traps, "values stand in form fields, not in the page")
	}
	t.facts.Form, t.facts.TaxYear = ptr(o.Form), ptr(o.Year)
	t.facts.Personal = ptr(strings.HasPrefix(o.Form, "1040"))
	return t
}

// page starts a page of the form.
func (t *taxForm) page() { t.p, t.y = t.sheet.add(), 52 }

// fill writes what the taxpayer enters.
func (t *taxForm) fill(x, y float64, text string, right bool) {
	field := ""
	if t.o.Fillable {
		t.fields++
		field = fmt.Sprintf("f%d_%d", len(t.sheet.pages), t.fields)
	}
	if text != "" {
		t.p.value(x, y, field, text, t.typed, right)
	}
}

// whole prints whole dollars as this preparer's program does.
func (t *taxForm) whole(c cents) string {
	n := int64(c / 100)
	abs := group(max(n, -n), ",") + t.suffix
	if n >= 0 {
		return abs
	}
	if t.minus {
		return "-" + abs
	}
	return "(" + abs + ")"
}

// head draws the top of a form: number, title, year.
func (t *taxForm) head(number, title, subtitle, omb string) {
	t.page()
	if schedule, of, ok := strings.Cut(number, "|"); ok {
		t.p.text(38, 44, schedule, style{sansBold, 12, black})
		t.p.text(38, 54, of, t.label.at(7))
	} else {
		t.p.text(38, 46, "Form", t.label.at(7))
		t.p.text(56, 50, number, style{sansBold, 20, black})
	}
	t.p.text(38, 62, "Department of the Treasury", t.label.at(6))
	t.p.text(38, 69, "Internal Revenue Service", t.label.at(6))
	t.p.fill(148, 34, 0.8, 38, black)
	t.p.centre(322, 48, title, style{sansBold, 12.5, black})
	for i, l := range strings.Split(subtitle, "\n") {
		t.p.centre(322, 59+float64(i)*8, l, t.label.at(6.5))
	}
	t.p.fill(496, 34, 0.8, 38, black)
	t.p.centre(536, 43, "OMB No. "+omb, t.label.at(6.5))
	t.p.text(512, 64, fmt.Sprint(t.o.Year)[:2], style{sans, 21, black})
	t.p.text(512+width(sans, 21, "20"), 64, fmt.Sprint(t.o.Year)[2:], style{sansBold, 21, black})
	t.p.rule(36, 576, 73, 1.2, black)
	t.y = 83
}

// span prints the tax year line; the dates of a fiscal year are filled in and are then facts.
func (t *taxForm) span() {
	end := monthEnd(date(t.o.Year, t.o.YearEnd, 1))
	if t.o.YearEnd != time.December { // a fiscal year is named after the year it begins in
		end = monthEnd(date(t.o.Year+1, t.o.YearEnd, 1))
	}
	start := date(end.Year()-1, end.Month()+1, 1)
	x := t.p.text(38, t.y, fmt.Sprintf("For calendar year %d or tax year beginning", t.o.Year), t.label)
	if t.o.YearEnd == time.December {
		t.p.text(x+4, t.y, fmt.Sprintf("                                  , %d, ending                                  , 20", t.o.Year), t.label)
		t.truth.NotTested = append(t.truth.NotTested, "periodStart", "periodEnd") // the calendar year is implied
	} else {
		t.fill(x+6, t.y, start.Format("January 2"), false)
		x = t.p.text(x+70, t.y, fmt.Sprintf(", %d, ending", start.Year()), t.label)
		t.fill(x+6, t.y, end.Format("January 2"), false)
		t.p.text(x+70, t.y, fmt.Sprintf(", %d", end.Year()), t.label)
		t.facts.PeriodStart, t.facts.PeriodEnd = ptr(iso(start)), ptr(iso(end))
	}
	t.y += 4
	t.p.rule(36, 576, t.y, 0.6, black)
}

// box draws a captioned cell with its entry.
func (t *taxForm) box(x, y, w, h float64, caption, entry string) {
	t.p.frame(x, y, w, h, 0.5, black)
	t.p.text(x+3, y+7, caption, t.label.at(6))
	t.fill(x+5, y+h-4, entry, false)
}

// tick draws a check box and returns the x after its caption.
func (t *taxForm) tick(x, y float64, caption string, on bool) float64 {
	t.p.frame(x, y-6.5, 7, 7, 0.6, black)
	if on {
		t.fill(x+1, y-0.5, "X", false)
	}
	return t.p.text(x+10, y, caption, t.label) + 12
}

// band starts a section of lines.
func (t *taxForm) band(title string) {
	t.p.fill(36, t.y-8, 540, 11, ink{222, 222, 222})
	t.p.text(40, t.y, title, t.label.bold().at(8))
	t.y += 12
}

// entry states a line: its number, its amount, and the fact it is, if any. A zero amount is an empty box.
func (t *taxForm) entry(no string, amount cents, fact **dossier.Amount, x, y float64) {
	if amount == 0 {
		return
	}
	t.fill(x, y, t.whole(amount), true)
	if t.prefix != "" {
		t.schedule(t.prefix+no, amount)
		return
	}
	t.facts.Lines[no] = dollars(int64(amount / 100))
	if fact != nil {
		*fact = ptr(dollars(int64(amount / 100)))
	}
}

// schedule states a line of an attached schedule.
func (t *taxForm) schedule(key string, amount cents) {
	if t.truth.Schedules == nil {
		t.truth.Schedules = map[string]dossier.Amount{}
	}
	t.truth.Schedules[key] = dollars(int64(amount / 100))
}

// line prints a line of the form with its box at the right.
func (t *taxForm) line(no, caption string, amount cents, fact **dossier.Amount) {
	t.caption(no, caption, 470)
	t.p.fill(474, t.y-8.5, 22, 11.5, ink{240, 240, 240})
	t.p.centre(485, t.y, no, t.label.bold())
	t.p.rule(496, 576, t.y+2.5, 0.4, black)
	t.p.fill(474, t.y-9, 0.5, 12, black)
	t.p.fill(496, t.y-9, 0.5, 12, black)
	t.entry(no, amount, fact, 572, t.y)
	t.y += 12
}

// inner prints a line whose box stands left of the main column.
func (t *taxForm) inner(no, caption string, amount cents, fact **dossier.Amount) {
	t.caption(no, caption, 356)
	t.p.fill(360, t.y-8.5, 22, 11.5, ink{240, 240, 240})
	t.p.centre(371, t.y, no, t.label.bold())
	t.p.rule(382, 462, t.y+2.5, 0.4, black)
	t.p.fill(474, t.y-9, 22, 12, ink{205, 205, 205})
	t.entry(no, amount, fact, 458, t.y)
	t.y += 12
}

// pair prints two lines side by side, as 2a and 2b of the 1040.
func (t *taxForm) pair(noA, captionA string, a cents, noB, captionB string, b cents) {
	t.p.text(44, t.y, noA, t.label.bold())
	t.p.text(64, t.y, captionA, t.label)
	t.p.centre(196, t.y, noA, t.label.bold())
	t.p.rule(206, 280, t.y+2.5, 0.4, black)
	t.entry(noA, a, nil, 276, t.y)
	t.p.text(290, t.y, captionB, t.label)
	t.p.centre(485, t.y, noB, t.label.bold())
	t.p.rule(496, 576, t.y+2.5, 0.4, black)
	t.entry(noB, b, nil, 572, t.y)
	t.y += 12
}

// caption prints a line's number and words with leader dots.
func (t *taxForm) caption(no, caption string, to float64) {
	digits := strings.TrimRight(no, "abcdefghijklmnopqrstuvwxyz")
	if digits == no || strings.HasSuffix(no, "a") {
		t.p.right(54, t.y, digits, t.label.bold())
	}
	t.p.text(56, t.y, strings.TrimPrefix(no, digits), t.label.bold())
	x := t.p.text(66, t.y, caption, t.label)
	for x = float64(int(x/9)+1) * 9; x < to-6; x += 9 {
		t.p.text(x, t.y, ".", t.label)
	}
}

// foot closes a page with the notice and the form's name.
func (t *taxForm) foot(name, catalogue string) {
	t.p.rule(36, 576, 752, 0.8, black)
	t.p.text(38, 761, "For Paperwork Reduction Act Notice, see separate instructions.", t.label.at(7))
	t.p.text(390, 761, "Cat. No. "+catalogue, t.label.at(6.5))
	t.p.right(574, 761, fmt.Sprintf("Form %s (%d)", name, t.o.Year), t.label.bold())
}

// continued starts a following page with the form's name in its head.
func (t *taxForm) continued(name string) {
	t.page()
	t.p.text(38, 40, fmt.Sprintf("Form %s (%d)", name, t.o.Year), t.label)
	t.p.right(574, 40, fmt.Sprintf("Page %d", len(t.sheet.pages)), t.label)
	t.p.rule(36, 576, 43, 0.8, black)
	t.y = 58
}

// sign draws the signature and preparer blocks; the preparer is a fact when there is one.
func (t *taxForm) sign() {
	t.y += 4
	t.p.rule(36, 576, t.y-9, 1, black)
	t.p.text(38, t.y, "Under penalties of perjury, I declare that I have examined this return, including accompanying schedules and statements, and to the best of", t.label.at(6.3))
	t.p.text(38, t.y+8, "my knowledge and belief, it is true, correct, and complete.", t.label.at(6.3))
	t.p.text(38, t.y+26, "Sign Here", t.label.bold().at(9))
	t.p.rule(100, 320, t.y+26, 0.5, black)
	t.p.text(100, t.y+33, "Signature", t.label.at(6))
	t.p.rule(340, 420, t.y+26, 0.5, black)
	t.p.text(340, t.y+33, "Date", t.label.at(6))
	t.p.rule(36, 576, t.y+38, 0.6, black)
	t.p.text(38, t.y+50, "Paid Preparer", t.label.bold())
	t.p.text(38, t.y+59, "Use Only", t.label.bold())
	preparer := ""
	if t.d.chance(60) {
		who := person(t.d)
		preparer = who.name()
		t.facts.Preparer = ptr(preparer)
	}
	t.box(100, t.y+40, 170, 21, "Print/Type preparer's name", preparer)
	t.box(270, t.y+40, 150, 21, "Preparer's signature", "")
	t.box(420, t.y+40, 156, 21, "PTIN", "")
	t.y += 70
}

func (t *taxForm) untested(names ...string) { t.truth.NotTested = append(t.truth.NotTested, names...) }

package specimen

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
)

// loneSchedule is a schedule of the 1040 that comes without its return. Source: the forms of the Internal Revenue
// Service.
type loneSchedule struct {
	letter, title string
	rows          [][2]string
}

var loneSchedules = []loneSchedule{
	{"A", "Itemized Deductions", [][2]string{{"1", "Medical and dental expenses (see instructions)"}, {"2",
		"Enter amount from Form 1040 or 1040-SR, line 11"},
		{"3", "Multiply line 2 by 7.5% (0.075)"}, {"4",
			"Subtract line 3 from line 1. If line 3 is more than line 1, enter -0-"},
		{"5a", "State and local income taxes or general sales taxes"}, {"5b", "State and local real estate taxes"},
		{"5c", "State and local personal property taxes"},
		{"5d", "Add lines 5a through 5c"}, {"5e", "Enter the smaller of line 5d or $10,000"}, {"6",
			"Other taxes. List type and amount"}, {"7", "Add lines 5e and 6"},
		{"8a", "Home mortgage interest and points reported to you on Form 1098"}, {"8e", "Add lines 8a through 8c"},
		{"9", "Investment interest. Attach Form 4952 if required"},
		{"10", "Add lines 8e and 9"}, {"11", "Gifts by cash or check"}, {"12", "Other than by cash or check"}, {"14",
			"Add lines 11 through 13"},
		{"16", "Other - from list in instructions"}, {"17",
			"Add the amounts in the far right column for lines 4 through 16"}}},
	{"SE", "Self-Employment Tax", [][2]string{{"1a", "Net farm profit or (loss) from Schedule F, line 34"}, {"2",
		"Net profit or (loss) from Schedule C, line 31"},
		{"3", "Combine lines 1a, 1b, and 2"}, {"4a",
			"If line 3 is more than zero, multiply line 3 by 92.35% (0.9235)"}, {"4c", "Combine lines 4a and 4b"},
		{"6", "Add lines 4c and 5b"}, {"8a", "Total social security wages and tips"}, {"9",
			"Subtract line 8d from line 7"}, {"10", "Multiply the smaller of line 6 or line 9 by 12.4% (0.124)"},
		{"11", "Multiply line 6 by 2.9% (0.029)"}, {"12", "Self-employment tax. Add lines 10 and 11"}, {"13",
			"Deduction for one-half of self-employment tax"}}},
	{"1", "Additional Income and Adjustments to Income", [][2]string{{"1",
		"Taxable refunds, credits, or offsets of state and local income taxes"},
		{"2a", "Alimony received"}, {"3", "Business income or (loss). Attach Schedule C"}, {"4",
			"Other gains or (losses). Attach Form 4797"},
		{"5", "Rental real estate, royalties, partnerships, S corporations, trusts, etc."}, {"6",
			"Farm income or (loss). Attach Schedule F"}, {"7", "Unemployment compensation"},
		{"9", "Total other income. Add lines 8a through 8z"}, {"10", "Combine lines 1 through 7 and 9"}, {"11",
			"Educator expenses"}, {"13", "Health savings account deduction"},
		{"15", "Deductible part of self-employment tax"}, {"17", "Self-employed health insurance deduction"}, {"20",
			"IRA deduction"}, {"26", "Add lines 11 through 23 and 25"}}},
	{"F", "Profit or Loss From Farming", [][2]string{{"1c", "Subtract line 1b from line 1a"}, {"2",
		"Sales of livestock, produce, grains, and other products you raised"},
		{"8", "Other income, including federal and state gasoline or fuel tax credit"}, {"9",
			"Gross income. Add amounts in the right column"},
		{"33", "Total expenses. Add lines 10 through 32f"}, {"34",
			"Net farm profit or (loss). Subtract line 33 from line 9"}}},
}

// LoneSchedules names the schedules that come alone.
func LoneSchedules() []string {
	var names []string
	for _, s := range loneSchedules {
		names = append(names, "1040 Schedule "+s.letter)
	}
	return names
}

// LoneSchedule fills in a schedule without its return; one in four is filled in with zeros. An unknown name is the
// first.
func LoneSchedule(seed uint64, name string) Specimen {
	d := roll(seed, "lone/"+name)
	s := loneSchedules[max(0, slices.IndexFunc(loneSchedules,
		func(s loneSchedule) bool { return "1040 Schedule "+s.letter == name }))]
	o := TaxOptions{Seed: seed, Form: "1040 Schedule " + s.letter, Year: d.between(2021, 2024), Fillable: d.chance(40)}
	t := newTaxForm(d, o)
	t.head("SCHEDULE "+s.letter+"|(Form 1040)", s.title,
		"Attach to Form 1040 or 1040-SR.\nGo to www.irs.gov/Form1040 for instructions.", "1545-0074")
	who, zeros := person(d), d.chance(25)
	t.box(36, t.y, 400, 22, "Name(s) shown on Form 1040 or 1040-SR", who.name())
	t.box(436, t.y, 140, 22, "Your social security number", who.ssn)
	t.facts.Taxpayer, t.facts.SSN = ptr(who.name()), ptr(who.ssn)
	t.y += 36
	for _, row := range s.rows {
		amount := cents(0)
		if !zeros && d.chance(70) {
			amount = cents(d.between(60, 90_000)) * 100
		}
		t.line(row[0], row[1], amount, nil)
		if zeros {
			t.fill(572, t.y-12, "0"+t.suffix, true)
			t.facts.Lines[row[0]] = dollars(0)
		}
	}
	t.foot("Schedule "+s.letter+" (Form 1040)", "17145C")
	t.untested("totalExpenses", "netProfit", "grossReceipts", "filingStatus", "businessName", "entityName", "ein",
		"periodStart", "periodEnd", "accountingMethod")
	t.truth.Pages, t.truth.Facts.Tax, t.truth.Kind = len(t.sheet.pages), t.facts, o.Form
	return Specimen{Name: fmt.Sprintf("tax_return/schedule_%s_%d.pdf", strings.ToLower(s.letter), seed),
		MimeType: mimePDF, Data: t.sheet.pdf(), Truth: *t.truth, sheet: t.sheet}
}

// talk is what the pages of a long report speak of. Each names the matter of another kind of document.
var talk = []string{
	"Our electric and natural gas segment delivered energy to its customers through meters that are read each month. Usage in kWh fell with a mild winter, and current charges were lower.",
	"The company leases its stores. The landlord may require a security deposit, and the tenant pays taxes and insurance on the premises. A lease agreement runs ten years.",
	"Insurance coverage includes general liability and property. The premium for the policy period is prepaid; the insured pays a deductible. The policy number is on file.",
	"Customers receive an invoice with each shipment. The invoice date, the amount due and the due date are agreed. Payments are applied on receipt, and a receipt is issued.",
	"Employees receive gross pay and net pay every two weeks. Deductions include withholding for taxes. Earnings year to date are reported on each pay stub.",
	"The bank requires a minimum balance. Deposits and withdrawals are reconciled against each bank statement, and the ending balance of each account is confirmed.",
	"Portfolio value, market value and unrealized gains of securities are shown in the notes. Holdings are at a brokerage, member SIPC.",
	"Critical accounting policies require judgement. Management believes that its estimates are reasonable and reviews them each quarter with the audit committee.",
}

// LongReport is the annual report of a company: a cover, many pages of words, its statements among them, and page
// numbers or a running head.
func LongReport(seed uint64) Specimen {
	d := roll(seed, "long")
	name := firm(d).business
	books := FinancialStatement(StatementOptions{Seed: seed, Layout: pick(d, StatementLayouts()[:1]), Name: name})
	s := newSheet(letterWidth, letterHeight, "Annual Report", date(2024, 3, 1))
	cover := s.add()
	cover.centre(306, 200, name, style{sansBold, 24, black})
	cover.centre(306, 240, "Annual Report 2023", style{sans, 18, black})
	s.prose(d, d.between(5, 20))
	if books.sheet != nil {
		s.pages = append(s.pages, books.sheet.pages...)
	}
	s.prose(d, d.between(4, 12))
	s.edges(d, name+" Annual Report 2023")
	return Specimen{Name: fmt.Sprintf("other/report_%d.pdf", seed), MimeType: mimePDF, Data: s.pdf(), sheet: s,
		Truth: Truth{DocType: dossier.DocFinancialStatement, FieldType: dossier.FieldFile, Layer: layerText,
			Pages: len(s.pages), Kind: "long report",
			Traps: []string{"pages that speak of the matter of other documents"}}}
}

// Guide is a handbook that shows a bank's statement as an example.
func Guide(seed uint64) Specimen {
	d := roll(seed, "guide")
	s := newSheet(letterWidth, letterHeight, "Handbook", date(2024, 3, 1))
	cover := s.add()
	cover.centre(306, 200, "A handbook for borrowers", style{sansBold, 22, black})
	s.prose(d, d.between(3, 9))
	shown := BankStatement(BankOptions{Seed: seed, Layout: pick(d, BankLayouts())})
	s.pages = append(s.pages, shown.sheet.pages[0])
	s.prose(d, d.between(3, 9))
	s.edges(d, "A handbook for borrowers")
	return Specimen{Name: fmt.Sprintf("other/guide_%d.pdf", seed), MimeType: mimePDF, Data: s.pdf(), sheet: s,
		Truth: Truth{DocType: dossier.DocOther, FieldType: dossier.FieldFile, Layer: layerText, Pages: len(s.pages),
			Kind:  "guide",
			Facts: dossier.Facts{Other: map[string]any{}},
			Traps: []string{"a pictured bank statement must not satisfy BANK_STATEMENT"}}}
}

// prose adds pages of words.
func (s *sheet) prose(d dice, pages int) {
	for range pages {
		p, y := s.add(), 110.0
		p.text(60, 90, pick(d, []string{"Overview", "Risk and opportunity", "How we work", "What to know"}),
			style{serifBold, 13, black})
		for range d.between(3, 7) {
			y = p.paragraph(60, y, 490, 14, pick(d, talk), style{serif, 10.5, black}) + 8
		}
	}
}

// edges numbers the pages at the foot, prints a running head, or both.
func (s *sheet) edges(d dice, head string) {
	numbers, running := true, d.chance(50)
	if running {
		numbers = d.chance(60)
	}
	for i, p := range s.pages[1:] {
		if running {
			p.text(60, 30, head, style{sans, 8, grey})
		}
		if numbers {
			p.centre(306, 772, fmt.Sprint(i+2), style{sans, 8, grey})
		}
	}
}

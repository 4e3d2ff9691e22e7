package specimen

import (
	"fmt"
	"strings"

	"github.com/dossierhq/dossier"
)

// returnSheets are forms that tell of income, as payers' programs print them: copies of one form, two or four on a
// sheet, in boxes with small captions. Sources: the IRS's forms W-2, 1099-NEC, -MISC, -INT, -DIV and W-9 of 2021 to
// 2024, and their specifications for substitute forms (publications 1141 and 1179).
func returnSheets() []trap {
	other := dossier.DocTaxFormOther
	return []trap{
		{name: "w2_official", docType: other, draw: func(p *trapPaper) { newWage(p).official(40, 40) }},
		{name: "w2_two_up", docType: other, draw: func(p *trapPaper) {
			w := newWage(p)
			w.official(40, 30)
			w.official(40, 410)
		}},
		{name: "w2_four_up", docType: other, draw: func(p *trapPaper) {
			w := newWage(p)
			for i := range 4 {
				w.quarter(24+float64(i%2)*290, 24+float64(i/2)*384, [...]string{"B", "C", "2", "2"}[i])
			}
		}},
		{name: "w2_stacked", docType: other, draw: func(p *trapPaper) {
			w := newWage(p)
			for i := range 3 {
				w.quarter(30, 20+float64(i)*250, [...]string{"B", "2", "C"}[i])
			}
		}},
		{name: "1099_nec_official", docType: other, draw: draw1099Official("1099-NEC", "Nonemployee Compensation",
			"1 Nonemployee compensation")},
		{name: "1099_misc_official", docType: other, draw: draw1099Official("1099-MISC", "Miscellaneous Information",
			"1 Rents")},
		{name: "1099_int_official", docType: other, draw: draw1099Official("1099-INT", "Interest Income",
			"1 Interest income")},
		{name: "1099_div_official", docType: other, draw: draw1099Official("1099-DIV", "Dividends and Distributions",
			"1a Total ordinary dividends")},
		{name: "w9_official", docType: other, draw: drawW9Official},
	}
}

// ReturnSheets names them.
func ReturnSheets() []string {
	var names []string
	for _, p := range returnSheets() {
		names = append(names, p.name)
	}
	return names
}

// ReturnSheet draws one. An unknown name is the first.
func ReturnSheet(seed uint64, name string) Specimen { return drawTrap(seed, name, returnSheets()) }

// wage is what a W-2 says, on as many copies as there are.
type wage struct {
	p          *trapPaper
	firm       party
	year       int
	amounts    [6]string
	control    string
	middle     string
	deductions [][2]string
}

func newWage(p *trapPaper) *wage {
	w := &wage{p: p, firm: firm(p.d), year: p.d.between(2020, 2024), control: p.d.digits(6), middle: string(rune('A' +
		p.d.IntN(26)))}
	wages := cents(p.d.between(2_200_000, 15_500_000))
	social := wages + cents(p.d.between(0, 900_000))
	plain := func(name string, c cents) string {
		if name != "" {
			p.money(name, c)
		}
		return strings.ReplaceAll(american.print(c), ",", map[bool]string{true: ",", false: ""}[len(p.who.last)%2 == 0])
	}
	w.amounts = [6]string{plain("wages", wages), plain("federalTaxWithheld", wages*13/100), plain("", social),
		plain("", social*62/1000), plain("", social), plain("", social*145/10000)}
	w.deductions = [][2]string{{"DD", american.print(cents(p.d.between(200_000, 900_000)))}, {"D",
		american.print(cents(p.d.between(50_000, 700_000)))}}
	p.facts["taxYear"] = w.year
	p.say("form", "W-2")
	p.say("ssn", p.who.ssn)
	p.say("ein", w.firm.ein)
	p.say("employer", w.firm.business)
	p.say("employee", p.who.first+" "+w.middle+" "+p.who.last)
	return w
}

var wageCaptions = [6]string{"1 Wages, tips, other compensation", "2 Federal income tax withheld",
	"3 Social security wages", "4 Social security tax withheld",
	"5 Medicare wages and tips", "6 Medicare tax withheld"}

// cell is a box with a caption in its upper left corner and lines of values below it.
func (p *trapPaper) cell(x, y, w, h float64, caption string, size float64, values ...string) {
	p.p.frame(x, y, w, h, 0.5, black)
	p.p.text(x+2, y+size+1, caption, style{sans, size, black})
	for i, v := range values {
		p.p.text(x+6, y+size+12+float64(i)*10.5, v, style{sans, 9, black})
	}
}

// official is the form of the IRS, 532 points wide and some 340 high.
func (w *wage) official(x, y float64) {
	p, half := w.p, 266.0
	const small = 5.8
	p.cell(x, y, 90, 24, "22222", 7)
	p.cell(x+90, y, 176, 24, "a Employee's social security number", small, p.who.ssn)
	p.cell(x+half, y, half, 24, "OMB No. 1545-0008", small)
	p.cell(x, y+24, half, 24, "b Employer identification number (EIN)", small, w.firm.ein)
	p.cell(x, y+48, half, 72, "c Employer's name, address, and ZIP code", small, w.firm.business, w.firm.street,
		w.firm.cityLine())
	p.cell(x, y+120, half, 24, "d Control number", small, w.control)
	p.cell(x, y+144, 112, 24, "e Employee's first name and initial", small, p.who.first+" "+w.middle)
	p.cell(x+112, y+144, 126, 24, "Last name", small, p.who.last)
	p.cell(x+238, y+144, 28, 24, "Suff.", small)
	p.cell(x, y+168, half, 72, "f Employee's address and ZIP code", small, p.who.street, p.who.cityLine())
	for i, caption := range wageCaptions {
		p.cell(x+half+float64(i%2)*133, y+24+float64(i/2)*24, 133, 24, caption, small, w.amounts[i])
	}
	p.cell(x+half, y+96, 133, 24, "7 Social security tips", small)
	p.cell(x+half+133, y+96, 133, 24, "8 Allocated tips", small)
	p.cell(x+half, y+120, 133, 24, "9", small)
	p.cell(x+half+133, y+120, 133, 24, "10 Dependent care benefits", small)
	p.cell(x+half, y+144, 133, 24, "11 Nonqualified plans", small)
	for i, d := range w.deductions {
		p.cell(x+half+133, y+144+float64(i)*24, 133, 24, fmt.Sprintf("12%c See instructions for box 12", 'a'+i),
			small, d[0]+"    "+d[1])
	}
	p.cell(x+half, y+168, 133, 24, "13 Statutory employee  Retirement plan  Third-party sick pay", 4.4)
	p.cell(x+half, y+192, 133, 48, "14 Other", small)
	p.cell(x, y+240, 60, 24, "15 State", small, p.who.state)
	p.cell(x+60, y+240, 140, 24, "Employer's state ID number", small, p.d.digits(8))
	p.cell(x+200, y+240, 90, 24, "16 State wages, tips, etc.", small, w.amounts[0])
	p.cell(x+290, y+240, 90, 24, "17 State income tax", small, american.print(cents(p.d.between(30_000, 400_000))))
	p.cell(x+380, y+240, 152, 24, "18 Local wages, tips, etc.", small)
	p.p.text(x, y+286, "Form", style{sans, 7, black})
	p.p.text(x+20, y+288, "W-2", style{sansBold, 17, black})
	p.p.text(x+64, y+284, "Wage and Tax Statement", style{sansBold, 10, black})
	p.p.text(x+246, y+288, fmt.Sprint(w.year), style{sansBold, 18, black})
	p.p.right(x+532, y+284, "Department of the Treasury—Internal Revenue Service", style{sans, 7, black})
	p.p.text(x, y+300, "Copy B—To Be Filed With Employee's FEDERAL Tax Return.", style{sansBold, 7, black})
	p.p.text(x, y+309, "This information is being furnished to the Internal Revenue Service.", style{sans, 6.5, black})
}

// quarter is one of four copies on a sheet, with figures first and names below.
func (w *wage) quarter(x, y float64, which string) {
	p := w.p
	const small = 5.2
	for i, caption := range wageCaptions {
		short := strings.NewReplacer("compensation", "comp.", "Social security", "Social security").Replace(caption)
		p.cell(x+90+float64(i%2)*92, y+float64(i/2)*23, 92, 23, short, small, w.amounts[i])
	}
	p.cell(x, y, 90, 23, "a Employee's SSA number", small, p.who.ssn)
	p.cell(x, y+23, 90, 23, "b Employer's FED ID number", small, w.firm.ein)
	p.cell(x, y+46, 90, 23, "d Control number", small, w.control)
	p.cell(x, y+69, 274, 46, "c Employer's name, address, and ZIP code", small, w.firm.business,
		w.firm.street+", "+w.firm.cityLine())
	p.cell(x, y+115, 274, 46, "e/f Employee's name, address and ZIP code", small,
		p.who.first+" "+w.middle+" "+p.who.last, p.who.street, p.who.cityLine())
	p.cell(x, y+161, 137, 22, "12a See instructions for box 12", small, w.deductions[0][0]+"   "+w.deductions[0][1])
	p.cell(x+137, y+161, 137, 22, "14 Other", small)
	p.cell(x, y+183, 90, 22, "15 State   Employer's state ID no.", small, p.who.state+" "+w.control)
	p.cell(x+90, y+183, 92, 22, "16 State wages, tips, etc.", small, w.amounts[0])
	p.cell(x+182, y+183, 92, 22, "17 State income tax", small)
	p.p.text(x+2, y+220, fmt.Sprintf("%d W-2", w.year), style{sansBold, 13, black})
	p.p.text(x+76, y+215, "Wage and Tax Statement   OMB No. 1545-0008", style{sans, 6.5, black})
	p.p.text(x+76, y+224, "Copy "+which+" for employee's records. Dept. of the Treasury - IRS", style{sans, 6.5, black})
}

// draw1099Official is the form of the IRS for one payer and one recipient, as it stands at the head of a sheet.
func draw1099Official(form, title, first string) func(*trapPaper) {
	return func(p *trapPaper) {
		payer, year := firm(p.d), p.d.between(2021, 2024)
		p.facts["taxYear"] = year
		p.say("form", form)
		const x, y, small = 40.0, 40.0, 6.0
		p.p.text(x+250, y-6, "CORRECTED (if checked)", style{sans, 7, black})
		p.cell(x, y, 250, 84, "PAYER'S name, street address, city or town, state or province, country, ZIP", small,
			"", p.say("entityName", payer.business), payer.street, payer.cityLine(), "(555) 555-0"+p.d.digits(3))
		p.cell(x, y+84, 125, 28, "PAYER'S TIN", small, p.say("ein", payer.ein))
		p.cell(x+125, y+84, 125, 28, "RECIPIENT'S TIN", small, p.say("ssn", p.who.ssn))
		p.cell(x, y+112, 250, 32, "RECIPIENT'S name", small, p.say("name", p.who.first+" "+p.who.last))
		p.cell(x, y+144, 250, 28, "Street address (including apt. no.)", small, p.who.street)
		p.cell(x, y+172, 250, 28, "City or town, state or province, country, and ZIP or foreign postal code", small,
			p.who.cityLine())
		p.cell(x, y+200, 250, 24, "Account number (see instructions)", small, p.d.digits(9))
		amount := cents(p.d.between(60_000, 7_000_000))
		p.cell(x+250, y, 110, 42, first, small, "$ "+american.print(amount))
		p.cell(x+250, y+42, 110, 42, "2 Other income of this kind", small, "$")
		p.cell(x+360, y, 76, 84, "OMB No. 1545-0116", small, "", "Form "+form, "(Rev. January 2024)",
			"For calendar year", fmt.Sprint(year))
		p.cell(x+436, y, 96, 84, "", small, strings.Fields(title)...)
		p.cell(x+250, y+84, 110, 28, "3", small)
		p.cell(x+360, y+84, 76, 28, "Copy B", small, "For Recipient")
		withheld := p.money("federalTaxWithheld", amount*24/100)
		p.cell(x+250, y+112, 186, 32, "4 Federal income tax withheld", small, "$ "+strings.TrimPrefix(withheld, "$"))
		p.cell(x+250, y+144, 62, 56, "5 State tax withheld", small, "$")
		p.cell(x+312, y+144, 62, 56, "6 State/Payer's state no.", small)
		p.cell(x+374, y+144, 62, 56, "7 State income", small, "$")
		p.p.text(x, y+236, "Form "+form+"    (keep for your records)   www.irs.gov/Form"+strings.ReplaceAll(form, "-",
			"")+"   Department of the Treasury - Internal Revenue Service", style{sans, 6.5, black})
	}
}

// drawW9Official is the first page of the form of March 2024: the number stands in boxes, a figure each.
func drawW9Official(p *trapPaper) {
	f := firm(p.d)
	const x, small = 40.0, 6.5
	p.say("form", "W-9")
	p.p.text(x, 44, "Form", style{sans, 8, black})
	p.p.text(x+22, 50, "W-9", style{sansBold, 22, black})
	p.p.text(x, 62, "(Rev. March 2024)", style{sans, 7, black})
	p.p.text(x, 71, "Department of the Treasury Internal Revenue Service", style{sans, 6, black})
	p.p.centre(300, 46, "Request for Taxpayer", style{sansBold, 13, black})
	p.p.centre(300, 60, "Identification Number and Certification", style{sansBold, 13, black})
	p.p.centre(300, 72, "Go to www.irs.gov/FormW9 for instructions and the latest information.", style{sans, 7, black})
	p.p.right(572, 52, "Give form to the requester.", style{sans, 7.5, black})
	p.p.right(572, 62, "Do not send to the IRS.", style{sans, 7.5, black})
	p.cell(x, 86, 532, 32, "1 Name of entity/individual. An entry is required. (For a sole proprietor or disregarded entity, enter the owner's name on line 1)", small, p.say("name", f.first+" "+f.last))
	p.cell(x, 118, 532, 26, "2 Business name/disregarded entity name, if different from above.", small,
		p.say("entityName", f.business))
	p.cell(x, 144, 400, 70, "3a Check the appropriate box for federal tax classification of the entity/individual whose name is entered on line 1.", 6)
	p.p.text(x+10, 164, "Individual/sole proprietor      C corporation      S corporation      Partnership      Trust/estate", style{sans, 7, black})
	p.p.text(x+10, 178, "LLC. Enter the tax classification (C = C corporation, S = S corporation, P = Partnership)",
		style{sans, 7, black})
	p.cell(x+400, 144, 132, 70, "4 Exemptions (codes apply only to certain entities)", 5.5, "Exempt payee code")
	p.cell(x, 214, 360, 28, "5 Address (number, street, and apt. or suite no.). See instructions.", small, f.street)
	p.cell(x, 242, 360, 28, "6 City, state, and ZIP code", small, f.cityLine())
	p.cell(x+360, 214, 172, 56, "Requester's name and address (optional)", small)
	p.cell(x, 270, 532, 24, "7 List account number(s) here (optional)", small)
	p.p.text(x, 310, "Part I", style{sansBold, 9, black})
	p.p.text(x+50, 310, "Taxpayer Identification Number (TIN)", style{sansBold, 9, black})
	p.p.paragraph(x, 324, 320, 9, "Enter your TIN in the appropriate box. The TIN provided must match the name given on line 1 to avoid backup withholding. For individuals, this is generally your social security number (SSN).", style{sans, 7, black})
	p.p.text(x+360, 322, "Social security number", style{sansBold, 7, black})
	p.p.text(x+360, 350, "or", style{sansBold, 7, black})
	p.p.text(x+360, 362, "Employer identification number", style{sansBold, 7, black})
	number := p.say("ein", f.ein)
	for i, r := range number {
		left := x + 360 + float64(i)*15
		if r != '-' {
			p.p.frame(left, 366, 15, 20, 0.5, black)
		}
		p.p.text(left+4.5, 380, string(r), style{sans, 10, black})
	}
	p.p.text(x, 410, "Part II", style{sansBold, 9, black})
	p.p.text(x+50, 410, "Certification", style{sansBold, 9, black})
	p.p.paragraph(x, 424, 520, 9, "Under penalties of perjury, I certify that: 1. The number shown on this form is my correct taxpayer identification number (or I am waiting for a number to be issued to me); and 2. I am not subject to backup withholding.", style{sans, 7, black})
}

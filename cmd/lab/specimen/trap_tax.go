package specimen

import (
	"fmt"
	"strings"
)

// formBox draws a captioned cell of an information return.
func (p *trapPaper) formBox(x, y, w, h float64, caption, value string) {
	p.p.frame(x, y, w, h, 0.6, black)
	p.p.text(x+3, y+8, caption, style{sans, 6.5, black})
	p.p.text(x+8, y+h-5, value, style{mono, 9.5, black})
}

func drawW2(p *trapPaper) {
	employer, year := firm(p.d), p.d.between(2020, 2024)
	wages := cents(p.d.between(3_000_000, 14_000_000))
	tax := wages * 14 / 100
	p.facts["taxYear"] = year
	p.formBox(40, 60, 150, 26, "a  Employee's social security number", p.say("ssn", p.who.ssn))
	p.formBox(40, 86, 290, 26, "b  Employer identification number (EIN)", p.say("ein", employer.ein))
	p.formBox(40, 112, 290, 52, "c  Employer's name, address, and ZIP code", p.say("employer", employer.business))
	p.formBox(40, 164, 290, 26, "d  Control number", "")
	p.formBox(40, 190, 290, 52, "e  Employee's first name and initial   Last name", p.say("employee", p.who.name()))
	p.p.text(48, 252, p.who.street+", "+p.who.cityLine(), style{mono, 8, black})
	p.formBox(330, 86, 120, 26, "1  Wages, tips, other compensation", strings.TrimPrefix(p.money("wages", wages), "$"))
	p.formBox(450, 86, 120, 26, "2  Federal income tax withheld", strings.TrimPrefix(p.money("federalTaxWithheld",
		tax), "$"))
	p.formBox(330, 112, 120, 26, "3  Social security wages", american.print(wages))
	p.formBox(450, 112, 120, 26, "4  Social security tax withheld", american.print(wages*62/1000))
	p.formBox(330, 138, 120, 26, "5  Medicare wages and tips", american.print(wages))
	p.formBox(450, 138, 120, 26, "6  Medicare tax withheld", american.print(wages*145/10000))
	p.formBox(330, 164, 240, 26, "12a  See instructions for box 12", "")
	p.p.text(40, 286, "Form", style{sans, 8, black})
	p.p.text(62, 288, p.say("form", "W-2"), style{sansBold, 18, black})
	p.p.text(110, 286, "Wage and Tax Statement", style{sansBold, 11, black})
	p.p.text(300, 288, fmt.Sprint(year), style{sansBold, 18, black})
	p.p.text(400, 286, "Department of the Treasury-Internal Revenue Service", style{sans, 7, black})
	p.p.text(40, 300, "Copy B-To Be Filed With Employee's FEDERAL Tax Return.", style{sans, 7.5, black})
}

func drawW9(p *trapPaper) {
	f := firm(p.d)
	p.p.text(40, 50, "Form", style{sans, 8, black})
	p.p.text(62, 54, p.say("form", "W-9"), style{sansBold, 20, black})
	p.p.text(40, 66, "(Rev. October 2018)", style{sans, 7, black})
	p.p.centre(310, 50, "Request for Taxpayer", style{sansBold, 12, black})
	p.p.centre(310, 63, "Identification Number and Certification", style{sansBold, 12, black})
	p.p.right(572, 52, "Give Form to the requester. Do not send to the IRS.", style{sans, 7, black})
	p.formBox(40, 84, 532, 28, "1  Name (as shown on your income tax return). Name is required on this line; do not leave this line blank.", p.say("name", f.first+" "+f.last))
	p.formBox(40, 112, 532, 28, "2  Business name/disregarded entity name, if different from above",
		p.say("entityName", f.business))
	p.formBox(40, 140, 532, 28, "3  Check appropriate box for federal tax classification", "X  S Corporation")
	p.formBox(40, 168, 532, 28, "5  Address (number, street, and apt. or suite no.)", f.street)
	p.formBox(40, 196, 532, 28, "6  City, state, and ZIP code", f.cityLine())
	p.p.text(40, 246, "Part I    Taxpayer Identification Number (TIN)", style{sansBold, 9, black})
	p.formBox(400, 254, 172, 28, "Employer identification number", p.say("ein", f.ein))
	p.p.text(40, 306, "Part II   Certification    Under penalties of perjury, I certify that the number shown on this form is my correct taxpayer identification number.", style{sans, 7.5, black})
}

func draw941(p *trapPaper) {
	f, year, quarter := firm(p.d), p.d.between(2020, 2024), p.d.between(1, 4)
	months := [...]string{"January, February, March", "April, May, June", "July, August, September",
		"October, November, December"}
	p.facts["taxYear"], p.facts["quarter"] = year, quarter
	p.p.text(40, 54, "Form "+p.say("form", "941")+fmt.Sprintf(" for %d:", year), style{sansBold, 17, black})
	p.p.text(210, 50, "Employer's QUARTERLY Federal Tax Return", style{sansBold, 12, black})
	p.p.text(210, 62, "Department of the Treasury - Internal Revenue Service", style{sans, 7, black})
	p.p.right(572, 50, "OMB No. 1545-0029", style{sans, 7, black})
	p.formBox(40, 80, 340, 26, "Employer identification number (EIN)", p.say("ein", f.ein))
	p.formBox(40, 106, 340, 26, "Name (not your trade name)", p.say("entityName", f.business))
	p.formBox(40, 132, 340, 26, "Address", f.street+", "+f.cityLine())
	p.p.text(400, 90, "Report for this Quarter of "+fmt.Sprint(year), style{sansBold, 8.5, black})
	for i, m := range months {
		y := 104 + float64(i)*13
		p.p.frame(402, y-7, 8, 8, 0.6, black)
		if i+1 == quarter {
			p.p.text(403.5, y, "X", style{sansBold, 8, black})
		}
		p.p.text(416, y, fmt.Sprintf("%d: %s", i+1, m), style{sans, 8, black})
	}
	wages, n := cents(p.d.between(2_000_000, 40_000_000)), p.d.between(3, 60)
	p.facts["employees"] = n
	p.y = 190
	p.rows(44, 560, [2]string{"1   Number of employees who received wages, tips, or other compensation for the pay period", fmt.Sprint(n)},
		[2]string{"2   Wages, tips, and other compensation", strings.TrimPrefix(p.money("wages", wages), "$")},
		[2]string{"3   Federal income tax withheld from wages, tips, and other compensation",
			strings.TrimPrefix(p.money("federalTaxWithheld", wages*13/100), "$")},
		[2]string{"5a  Taxable social security wages", american.print(wages)},
		[2]string{"10  Total taxes after adjustments. Combine lines 6 through 9", american.print(wages * 28 / 100)})
}

func draw1099(p *trapPaper) {
	payer, year := firm(p.d), p.d.between(2020, 2024)
	p.facts["taxYear"] = year
	p.p.text(40, 52, "Form "+p.say("form", "1099-NEC"), style{sansBold, 15, black})
	p.p.text(200, 50, "Nonemployee Compensation", style{sansBold, 12, black})
	p.p.right(572, 52, fmt.Sprint(year), style{sansBold, 18, black})
	p.formBox(40, 66, 290, 56, "PAYER'S name, street address, city or town, state, ZIP code, and telephone no.",
		p.say("entityName", payer.business))
	p.formBox(40, 122, 145, 26, "PAYER'S TIN", p.say("ein", payer.ein))
	p.formBox(185, 122, 145, 26, "RECIPIENT'S TIN", p.say("ssn", p.who.ssn))
	p.formBox(40, 148, 290, 30, "RECIPIENT'S name", p.say("name", p.who.name()))
	p.formBox(330, 66, 242, 30, "1  Nonemployee compensation  $", american.print(cents(p.d.between(80_000, 9_000_000))))
	p.formBox(330, 96, 242, 26, "4  Federal income tax withheld  $", "")
	p.p.text(40, 196, "Copy B For Recipient   This is important tax information and is being furnished to the IRS.",
		style{sans, 8, black})
}

func draw4868(p *trapPaper) {
	year := p.d.between(2020, 2024)
	p.facts["taxYear"] = year
	p.p.text(40, 52, "Form", style{sans, 8, black})
	p.p.text(62, 56, p.say("form", "4868"), style{sansBold, 20, black})
	p.p.centre(320, 48, "Application for Automatic Extension of Time", style{sansBold, 12, black})
	p.p.centre(320, 61, "To File U.S. Individual Income Tax Return", style{sansBold, 12, black})
	p.p.centre(320, 74, fmt.Sprintf("For calendar year %d, or other tax year beginning            , ending", year),
		style{sans, 8, black})
	p.p.right(572, 52, fmt.Sprint(year), style{sansBold, 18, black})
	p.formBox(40, 90, 260, 28, "1  Your name(s) (see instructions)", p.say("name", p.who.name()))
	p.formBox(40, 118, 260, 28, "Address", p.who.street)
	p.formBox(40, 146, 130, 28, "2  Your social security number", p.say("ssn", p.who.ssn))
	tax := cents(p.d.between(4_000, 40_000)) * 100
	p.formBox(300, 90, 272, 28, "4  Estimate of total tax liability for "+fmt.Sprint(year)+"  $",
		group(int64(tax/100), ","))
	p.formBox(300, 118, 272, 28, fmt.Sprintf("5  Total %d payments  $", year), group(int64(tax/200), ","))
	p.formBox(300, 146, 272, 28, "6  Balance due. Subtract line 5 from line 4  $",
		group(int64(tax/100)-int64(tax/200), ","))
}

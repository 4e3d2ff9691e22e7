package specimen

import (
	"fmt"
	"strings"

	"github.com/dossierhq/dossier"
)

// trap is a look-alike: a document that must not be taken for a bank statement, a tax return or an ID.
type trap struct {
	name    string
	docType dossier.DocType
	note    string
	w, h    float64
	picture bool // a photograph of a card, not a PDF
	draw    func(*trapPaper)
}

// trapPaper is a look-alike being drawn; facts are by their names of facts.md.
type trapPaper struct {
	d     dice
	sheet *sheet
	p     *page
	y     float64
	who   party
	facts map[string]any
	base  style
}

// Traps names the look-alikes.
func Traps() []string {
	var names []string
	for _, t := range traps() {
		names = append(names, t.name)
	}
	return names
}

// Trap draws a look-alike. An unknown name is the first one.
func Trap(seed uint64, name string) Specimen { return drawTrap(seed, name, traps()) }

func drawTrap(seed uint64, name string, all []trap) Specimen {
	d := roll(seed, "trap/"+name)
	t := all[0]
	for _, c := range all {
		if c.name == name {
			t = c
		}
	}
	p := &trapPaper{d: d, who: person(d), facts: map[string]any{}, base: style{pick(d, []face{sans, sans, serif}), 9,
		black}}
	if t.w == 0 {
		t.w, t.h = letterWidth, letterHeight
	}
	p.sheet = newSheet(t.w, t.h, t.name, date(d.between(2022, 2025), 5, 2))
	p.p, p.y = p.sheet.add(), 60
	t.draw(p)
	s := Specimen{Name: fmt.Sprintf("other/%s_%d.pdf", t.name, seed), MimeType: mimePDF, sheet: p.sheet,
		Truth: Truth{DocType: t.docType, FieldType: dossier.FieldFile, Layer: layerText, Pages: len(p.sheet.pages),
			Kind:  t.name,
			Facts: dossier.Facts{Other: p.facts}, Traps: []string{t.note}}}
	if t.picture {
		s.Name, s.MimeType, s.Data = fmt.Sprintf("other/%s_%d.png", t.name, seed), mimePNG, pngOf(p.p.render(180))
		s.Truth.Layer, s.Truth.Pages = layerImage, 0
		return s
	}
	s.Data = p.sheet.pdf()
	return s
}

func traps() []trap {
	other := dossier.DocTaxFormOther
	return []trap{
		{name: "credit_card_statement", docType: dossier.DocCreditCardStatement,
			note: "opening and closing balance, transactions: not a deposit account", draw: drawCreditCard},
		{name: "brokerage_statement", docType: dossier.DocBrokerageStatement,
			note: "an account statement of securities", draw: drawBrokerage},
		{name: "utility_bill", docType: dossier.DocUtilityBill, note: "previous balance and amount due",
			draw: drawUtility},
		{name: "invoice", docType: dossier.DocInvoice, note: "balance due", draw: drawInvoice},
		{name: "receipt", docType: dossier.DocReceipt, note: "a purchase", w: 240, h: 460, draw: drawReceipt},
		{name: "social_security_card", docType: dossier.DocSocialSecurityCard,
			note: "an official card that is no ID of the accepted kinds", w: 486, h: 306, picture: true,
			draw: drawSocialSecurity},
		{name: "benefit_plan_report", docType: dossier.DocBenefitPlanReport,
			note: "an IRS form number that is no income tax return", draw: draw5500},
		{name: "asset_verification", docType: dossier.DocAssetVerification,
			note: "reports on deposit accounts without being a statement", draw: drawAssetVerification},
		{name: "pay_stub", docType: dossier.DocPayStub, note: "tax withheld, no return", draw: drawPayStub},
		{name: "w2", docType: other, note: "must not satisfy TAX_RETURN", draw: drawW2},
		{name: "w9", docType: other, note: "must not satisfy TAX_RETURN", draw: drawW9},
		{name: "941", docType: other, note: "an employer's quarterly return: must not satisfy TAX_RETURN",
			draw: draw941},
		{name: "1099", docType: other, note: "must not satisfy TAX_RETURN", draw: draw1099},
		{name: "4868", docType: other, note: "an extension: must not satisfy TAX_RETURN", draw: draw4868},
		{name: "lease", docType: dossier.DocLease, note: "names, dates and monthly amounts", draw: drawLease},
	}
}

// say states a fact and returns it as printed.
func (p *trapPaper) say(name, printed string) string {
	p.facts[name] = printed
	return printed
}

// money states an amount and returns it as printed.
func (p *trapPaper) money(name string, c cents) string {
	p.facts[name] = c.amount()
	return american.with("$").print(c)
}

// address prints the holder's address block.
func (p *trapPaper) address(x float64) {
	for _, l := range append([]string{p.who.name()}, p.who.address()...) {
		p.p.text(x, p.y, l, p.base.at(10))
		p.y += 13
	}
}

// rows prints captions and values.
func (p *trapPaper) rows(left, right float64, rows ...[2]string) {
	for _, r := range rows {
		p.p.text(left, p.y, r[0], p.base)
		p.p.right(right, p.y, r[1], p.base)
		p.y += 14
	}
}

func drawCreditCard(p *trapPaper) {
	accent := ink{20, 30, 90}
	p.p.text(48, 56, p.say("institution", "Summit Rewards Card"), style{sansBold, 18, accent})
	p.p.right(564, 56, "Credit Card Account Statement", p.base.bold())
	p.y = 92
	p.say("accountHolder", p.who.name())
	p.address(60)
	end := date(2024, 5, 14)
	start := end.AddDate(0, -1, 1)
	p.facts["periodStart"], p.facts["periodEnd"] = iso(start), iso(end)
	p.p.text(340, 92, "Account ending in "+p.say("accountNumber", p.d.digits(4)), p.base)
	p.p.text(340, 105, "Billing cycle "+start.Format("01/02/2006")+" to "+end.Format("01/02/2006"), p.base)
	p.p.text(340, 118, "Credit limit $12,000.00", p.base)
	previous, purchases, payments, charge := cents(p.d.between(20_000, 90_000)), cents(0), cents(p.d.between(5_000,
		20_000)), cents(p.d.between(300, 2_500))
	type row struct {
		day, text string
		amount    cents
	}
	var rows []row
	for i := range 14 {
		c := cents(p.d.between(450, 22_000))
		purchases += c
		rows = append(rows, row{start.AddDate(0, 0, i*2).Format("01/02"), phrase(p.d, []string{"SAMPLE STORE %4",
			"EXAMPLE AIR %s", "CORNER CAFE %3", "FUEL STOP %4"}), c})
	}
	p.y = 160
	p.p.text(48, p.y, "Account summary", style{sansBold, 12, accent})
	p.y += 18
	p.rows(52, 320, [2]string{"Previous balance", p.money("openingBalance", previous)},
		[2]string{"Payments and credits", "-" + american.with("$").print(payments)},
		[2]string{"Purchases", "+" + american.with("$").print(purchases)}, [2]string{"Interest charged", "+" +
			american.with("$").print(charge)},
		[2]string{"New balance", p.money("closingBalance", previous-payments+purchases+charge)},
		[2]string{"Minimum payment due", "$35.00"}, [2]string{"Payment due date", end.AddDate(0, 0,
			25).Format("01/02/2006")})
	p.y += 14
	p.p.text(48, p.y, "Transactions", style{sansBold, 12, accent})
	p.y += 18
	for _, r := range rows {
		p.p.text(52, p.y, r.day, p.base)
		p.p.text(100, p.y, r.text, p.base)
		p.p.right(556, p.y, american.with("$").print(r.amount), p.base)
		p.y += 13
	}
	p.p.text(48, p.y+20, "Annual Percentage Rate (APR) for purchases 24.99%. Late payment warning: a late fee of up to $40 may apply.", p.base.at(7.5))
}

func drawBrokerage(p *trapPaper) {
	p.p.text(48, 56, p.say("institution", "Northgate Brokerage Services"), style{serifBold, 17, ink{60, 20, 60}})
	p.y = 92
	p.say("accountHolder", p.who.name())
	p.address(60)
	end := date(2024, 9, 30)
	start := date(2024, 9, 1)
	p.facts["periodStart"], p.facts["periodEnd"] = iso(start), iso(end)
	p.p.text(340, 92, "Investment account "+p.say("accountNumber", p.d.digits(4)+"-"+p.d.digits(4)), p.base)
	p.p.text(340, 105, start.Format("January 2, 2006")+" - "+end.Format("January 2, 2006"), p.base)
	p.y = 160
	var value cents
	type holding struct{ name, shares, price, value string }
	var rows []holding
	for _, n := range []string{"EXAMPLE TOTAL MARKET FUND", "SPECIMEN BOND ETF", "SAMPLE INDUSTRIES COMMON",
		"CASH SWEEP"} {
		shares, price := p.d.between(5, 900), cents(p.d.between(900, 40_000))
		v := cents(shares) * price
		value += v
		rows = append(rows, holding{n, fmt.Sprintf("%d.000", shares), american.print(price), american.print(v)})
	}
	p.rows(52, 340, [2]string{"Beginning account value", american.with("$").print(value - 41_215)},
		[2]string{"Change in market value", "$412.15"},
		[2]string{"Total portfolio value", p.money("portfolioValue", value)})
	p.y += 14
	p.p.text(48, p.y, "Holdings", p.base.bold().at(11))
	p.y += 16
	for _, c := range []struct {
		x float64
		t string
	}{{52, "Description"}, {340, "Quantity"}, {440, "Price"}, {556, "Market value"}} {
		if c.x == 52 {
			p.p.text(c.x, p.y, c.t, p.base.bold())
			continue
		}
		p.p.right(c.x+20, p.y, c.t, p.base.bold())
	}
	p.y += 14
	for _, h := range rows {
		p.p.text(52, p.y, h.name, p.base)
		p.p.right(360, p.y, h.shares, p.base)
		p.p.right(460, p.y, h.price, p.base)
		p.p.right(576, p.y, h.value, p.base)
		p.y += 13
	}
	p.p.text(48, p.y+20, "Securities are not deposits, are not insured and may lose value. Dividends and capital gains are reinvested.", p.base.at(7.5))
}

func drawUtility(p *trapPaper) {
	p.p.fill(48, 36, 516, 30, ink{0, 120, 140})
	p.p.text(58, 57, p.say("issuer", "Port Amity Power & Water"), style{sansBold, 15, white})
	p.y = 96
	p.say("name", p.who.name())
	p.address(60)
	day := date(2024, 2, 12)
	p.facts["statementDate"], p.facts["dueDate"] = iso(day), iso(day.AddDate(0, 0, 21))
	previous, current := cents(p.d.between(4_000, 19_000)), cents(p.d.between(3_000, 24_000))
	p.p.text(340, 96, "Account "+p.d.digits(9), p.base)
	p.p.text(340, 109, "Bill date: "+day.Format("January 2, 2006"), p.base)
	p.p.text(340, 122, "Due date: "+day.AddDate(0, 0, 21).Format("January 2, 2006"), p.base)
	p.y = 170
	p.rows(52, 340, [2]string{"Previous balance", american.with("$").print(previous)},
		[2]string{"Payment received - thank you", "-" + american.with("$").print(previous)},
		[2]string{"Electric service 742 kWh", american.with("$").print(current * 7 / 10)},
		[2]string{"Water service 5,210 gal", american.with("$").print(current - current*7/10)},
		[2]string{"Total amount due", p.money("amountDue", current)})
	p.p.text(52, p.y+24, "Meter 00"+p.d.digits(6)+"   Read dates 01/09 - 02/09   31 days", p.base)
}

func drawInvoice(p *trapPaper) {
	seller := firm(p.d)
	p.p.text(48, 58, p.say("issuer", seller.business), p.base.bold().at(14))
	p.p.right(564, 58, "INVOICE", style{sansBold, 22, grey})
	p.p.text(48, 72, seller.street+", "+seller.cityLine(), p.base)
	day := date(2024, 7, 3)
	p.facts["date"], p.facts["dueDate"] = iso(day), iso(day.AddDate(0, 0, 30))
	p.p.right(564, 84, "Invoice number: "+p.say("number", "INV-"+p.d.digits(5)), p.base)
	p.p.right(564, 97, "Invoice date: "+day.Format("Jan 2, 2006"), p.base)
	p.p.right(564, 110, "Due date: "+day.AddDate(0, 0, 30).Format("Jan 2, 2006"), p.base)
	p.y = 110
	p.p.text(48, p.y, "Bill to:", p.base.bold())
	p.y += 14
	p.address(48)
	p.y += 24
	var sum cents
	for i := range 5 {
		q, price := p.d.between(1, 12), cents(p.d.between(900, 45_000))
		sum += cents(q) * price
		p.p.text(48, p.y, fmt.Sprintf("%d  %s", i+1, pick(p.d, []string{"Fitting set", "Service call", "Panel, oak",
			"Labor, per hour", "Delivery"})), p.base)
		p.p.right(340, p.y, fmt.Sprint(q), p.base)
		p.p.right(440, p.y, american.print(price), p.base)
		p.p.right(556, p.y, american.print(cents(q)*price), p.base)
		p.y += 15
	}
	tax := sum * 7 / 100
	p.y += 10
	p.rows(380, 556, [2]string{"Subtotal", american.with("$").print(sum)}, [2]string{"Sales tax 7%",
		american.with("$").print(tax)},
		[2]string{"Total", p.money("total", sum+tax)}, [2]string{"Balance due", p.money("amountDue", sum+tax)})
}

func drawReceipt(p *trapPaper) {
	p.base = style{mono, 8.5, black}
	day := date(2024, 11, 6)
	p.p.centre(120, 40, p.say("merchant", "SAMPLE HARDWARE & GARDEN"), style{monoBold, 10, black})
	p.p.centre(120, 52, "1290 JUNIPER STREET", p.base)
	p.p.centre(120, 63, day.Format("01/02/2006")+" 14:22  REG 3", p.base)
	p.facts["date"] = iso(day)
	p.y = 90
	var sum cents
	for range 7 {
		c := cents(p.d.between(199, 8_999))
		sum += c
		p.rows(16, 224, [2]string{phrase(p.d, []string{"PAINT GAL", "BOLT M8 %3", "HOSE 50FT", "LUMBER 2X4",
			"GLOVES"}), american.print(c)})
	}
	tax := sum * 65 / 1000
	p.y += 6
	p.rows(16, 224, [2]string{"SUBTOTAL", american.print(sum)}, [2]string{"TAX 6.5%", american.print(tax)},
		[2]string{"TOTAL", p.money("total", sum+tax)}, [2]string{"CARD ************" + p.d.digits(4),
			american.print(sum + tax)})
	p.p.centre(120, p.y+20, "THANK YOU", p.base)
}

func drawSocialSecurity(p *trapPaper) {
	p.p.fill(0, 0, 486, 306, ink{226, 236, 244})
	p.p.frame(12, 12, 462, 282, 2, ink{60, 90, 130})
	p.p.centre(243, 60, "SOCIAL SECURITY", style{serifBold, 26, ink{50, 70, 120}})
	p.p.centre(243, 110, "SAMPLE", style{sans, 9, grey})
	p.p.centre(243, 150, p.say("ssn", p.who.ssn), style{monoBold, 24, black})
	p.p.centre(243, 176, "THIS NUMBER HAS BEEN ESTABLISHED FOR", style{sans, 9, black})
	p.p.centre(243, 206, p.say("name", strings.ToUpper(p.who.name())), style{sansBold, 17, black})
	p.p.rule(120, 366, 256, 0.8, black)
	p.p.centre(243, 268, "SIGNATURE", style{sans, 8, black})
}

func draw5500(p *trapPaper) {
	sponsor := firm(p.d)
	p.p.text(40, 52, "Form", p.base.at(7))
	p.p.text(60, 54, p.say("form", "5500"), style{sansBold, 20, black})
	p.p.centre(310, 50, "Annual Return/Report of Employee Benefit Plan", p.base.bold().at(12))
	p.p.centre(310, 62, "This form is required to be filed for employee benefit plans under sections 104 and 4065 of ERISA", p.base.at(7))
	p.p.right(572, 54, "2023", style{sansBold, 18, black})
	p.p.text(40, 74, "Department of the Treasury  Internal Revenue Service  Department of Labor", p.base.at(6.5))
	p.y = 100
	p.facts["planYearBegin"] = "2023-01-01"
	p.rows(44, 560, [2]string{"For calendar plan year 2023 or fiscal plan year beginning", "01/01/2023"},
		[2]string{"and ending", "12/31/2023"},
		[2]string{"1a  Name of plan", sponsor.business + " 401(k) Plan"},
		[2]string{"1b  Three-digit plan number (PN)", "001"},
		[2]string{"2a  Plan sponsor's name", p.say("name", sponsor.business)},
		[2]string{"2b  Employer Identification Number (EIN)", sponsor.ein},
		[2]string{"5  Total number of participants at the beginning of the plan year", fmt.Sprint(p.d.between(12,
			300))})
}

func drawAssetVerification(p *trapPaper) {
	p.p.text(48, 54, "Asset Verification Report", p.base.bold().at(16))
	day := date(2024, 8, 19)
	p.facts["requestedOn"], p.facts["daysRequested"], p.facts["accounts"] = iso(day), 60, 2
	p.p.text(48, 72, "Requested on "+day.Format("January 2, 2006")+"   Days requested: 60", p.base)
	p.p.text(48, 86, "Prepared by Examplified Data for the lender named below", p.base)
	p.y = 116
	p.say("name", p.who.name())
	p.address(48)
	p.y += 18
	var total cents
	for _, n := range []string{"Checking", "Savings"} {
		c := cents(p.d.between(90_000, 4_000_000))
		total += c
		p.rows(52, 480, [2]string{"Harbor Point Bank  " + n + " account ****" + p.d.digits(4), ""},
			[2]string{"Current balance", american.with("$").print(c)},
			[2]string{"Average balance, 30 days", american.with("$").print(c * 94 / 100)},
			[2]string{"Number of transactions", fmt.Sprint(p.d.between(20, 90))})
		p.y += 8
	}
	p.rows(52, 480, [2]string{"Total assets verified", p.money("totalAssets", total)})
}

func drawPayStub(p *trapPaper) {
	company := firm(p.d)
	p.p.text(48, 54, p.say("company", company.business), p.base.bold().at(13))
	p.p.right(564, 54, "Earnings Statement", p.base.bold())
	end := date(2024, 6, 14)
	p.facts["periodStart"], p.facts["periodEnd"], p.facts["payDate"] = iso(end.AddDate(0, 0, -13)), iso(end),
		iso(end.AddDate(0, 0, 6))
	p.p.right(564, 70, "Period beginning: "+end.AddDate(0, 0, -13).Format("01/02/2006"), p.base)
	p.p.right(564, 83, "Period ending: "+end.Format("01/02/2006"), p.base)
	p.p.right(564, 96, "Pay date: "+end.AddDate(0, 0, 6).Format("01/02/2006"), p.base)
	p.y = 96
	p.say("employee", p.who.name())
	p.address(60)
	p.y = 160
	gross := cents(p.d.between(180_000, 620_000))
	tax := gross * 22 / 100
	p.rows(52, 400, [2]string{"Regular 80.00 hours", american.print(gross)}, [2]string{"Gross pay this period",
		p.money("totalEarnings", gross)},
		[2]string{"Gross pay year to date", p.money("totalEarningsYtd", gross*12)}, [2]string{"Federal income tax",
			"-" + american.print(tax*6/10)},
		[2]string{"Social Security and Medicare", "-" + american.print(tax-tax*6/10)}, [2]string{"Net pay",
			p.money("netPay", gross-tax)})
}

func drawLease(p *trapPaper) {
	landlord := firm(p.d)
	p.p.centre(306, 60, "COMMERCIAL LEASE AGREEMENT", p.base.bold().at(15))
	day := date(2023, 10, 1)
	p.facts["date"] = iso(day)
	text := "This Lease Agreement is made on " + day.Format("January 2, 2006") + " between " + p.say("landlord",
		landlord.business) + " (Landlord) and " + p.say("tenant", p.who.name()) +
		" (Tenant). Landlord leases to Tenant the premises at " + landlord.street + ", " + landlord.cityLine() +
		" for a term of thirty-six months. Tenant shall pay a monthly rent of " +
		american.with("$").print(cents(p.d.between(150, 900)*1_000)) +
		" in advance on the first day of each month, and a security deposit of two months' rent."
	p.p.paragraph(60, 96, 490, 15, text, p.base.at(10.5))
}

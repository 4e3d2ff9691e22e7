package specimen

import (
	"fmt"

	"github.com/dossierhq/dossier"
)

// papers are everyday papers beyond the look-alikes: of other countries, and other layouts of known ones.
func papers() []trap {
	return []trap{
		{name: "bulletin_de_paie", docType: dossier.DocPayStub, draw: drawBulletin},
		{name: "entgeltabrechnung", docType: dossier.DocPayStub, draw: drawEntgelt},
		{name: "recibo_de_nomina", docType: dossier.DocPayStub, draw: drawNomina},
		{name: "pay_columns", docType: dossier.DocPayStub, draw: drawPayColumns},
		{name: "facture", docType: dossier.DocInvoice, draw: drawWorldInvoice("FACTURE", "Numéro de facture",
			"Date de facture", "Total HT", "TVA 20 %", "Total TTC")},
		{name: "rechnung", docType: dossier.DocInvoice, draw: drawWorldInvoice("RECHNUNG", "Rechnungsnummer",
			"Rechnungsdatum", "Zwischensumme", "MwSt 19 %", "Gesamtbetrag")},
		{name: "factura", docType: dossier.DocInvoice, draw: drawWorldInvoice("FACTURA", "Número de factura",
			"Fecha de factura", "Base imponible", "IVA 21 %", "Total a pagar")},
		{name: "1099_int", docType: dossier.DocTaxFormOther, draw: draw1099INT},
		{name: "mortgage_interest", docType: dossier.DocTaxFormOther, draw: draw1098},
		{name: "check", docType: dossier.DocCheck, w: 486, h: 216, draw: drawCheck},
		{name: "liability_certificate", docType: dossier.DocInsurance, draw: drawCertificate},
		{name: "rate_confirmation", docType: dossier.DocRateConfirmation, draw: drawRate},
		{name: "lease_parties", docType: dossier.DocLease, draw: drawLeaseParties},
	}
}

// Papers names them.
func Papers() []string {
	var names []string
	for _, p := range papers() {
		names = append(names, p.name)
	}
	return names
}

// Paper draws one. An unknown name is the first.
func Paper(seed uint64, name string) Specimen { return drawTrap(seed, name, papers()) }

// euros prints an amount as the continent does, and states it as a fact.
func (p *trapPaper) euros(name string, c cents) string {
	if name != "" {
		p.facts[name] = c.amount()
	}
	return german.print(c)
}

func drawBulletin(p *trapPaper) {
	p.p.text(48, 54, "BULLETIN DE PAIE", style{sansBold, 15, black})
	gross := cents(p.d.between(210_000, 520_000))
	p.y = 80
	p.rows(48, 400, [2]string{"Employeur", ""}, [2]string{"Établissements " + p.who.last + " SARL", ""},
		[2]string{"Période du 01/03/2024 au 31/03/2024", ""},
		[2]string{"Salaire brut", p.euros("totalEarnings", gross)}, [2]string{"Cotisations salariales", "-" +
			p.euros("", gross*22/100)},
		[2]string{"Congés payés acquis", "2,50"}, [2]string{"Net payé", p.euros("netPay", gross*78/100)})
}

func drawEntgelt(p *trapPaper) {
	p.p.text(48, 54, "Entgeltabrechnung für März 2024", style{sansBold, 14, black})
	gross := cents(p.d.between(250_000, 610_000))
	p.y = 90
	p.rows(48, 420, [2]string{"Steuerklasse", "I"}, [2]string{"Gesamtbrutto", p.euros("totalEarnings", gross)},
		[2]string{"Lohnsteuer", p.euros("", gross*16/100)},
		[2]string{"Sozialversicherung", p.euros("", gross*20/100)}, [2]string{"Auszahlungsbetrag", p.euros("netPay",
			gross*64/100)})
}

func drawNomina(p *trapPaper) {
	p.p.text(48, 54, "RECIBO DE NÓMINA", style{sansBold, 14, black})
	gross := cents(p.d.between(150_000, 390_000))
	p.y = 90
	p.rows(48, 420, [2]string{"Salario base", p.euros("", gross*90/100)}, [2]string{"Complementos", p.euros("",
		gross/10)}, [2]string{"Total devengado", p.euros("totalEarnings", gross)},
		[2]string{"Deducciones", p.euros("", gross*20/100)}, [2]string{"Líquido total a percibir", p.euros("netPay",
			gross*80/100)})
}

// drawPayColumns is a stub with rates and hours in the row of what was earned.
func drawPayColumns(p *trapPaper) {
	company := firm(p.d)
	p.p.text(48, 50, "Pay Statement", p.base.bold().at(14))
	for i, l := range append([]string{p.say("company", company.business)}, company.address()...) {
		p.p.text(48, 76+float64(i)*13, l, p.base)
	}
	for i, l := range append([]string{p.say("employee", p.who.name())}, p.who.address()...) {
		p.p.text(330, 76+float64(i)*13, l, p.base)
	}
	p.facts["payDate"] = "2024-07-05"
	p.p.text(48, 130, "Pay date: 07/05/2024", p.base)
	p.y = 160
	gross := cents(p.d.between(180_000, 420_000))
	row := func(cells ...string) {
		p.p.text(48, p.y, cells[0], p.base)
		for i, c := range cells[1:] {
			p.p.right(250+float64(i)*100, p.y, c, p.base)
		}
		p.y += 15
	}
	row("Earnings", "Rate", "Hours", "Current", "YTD")
	row("Regular", "24.50", "80.00", american.print(gross), american.print(gross*9))
	p.facts["totalEarnings"], p.facts["totalEarningsYtd"] = gross.amount(), (gross * 9).amount()
	row("Gross pay", "", "80.00", american.print(gross), american.print(gross*9))
	row("Taxes", "", "", american.print(gross*2/10), american.print(gross*18/10))
	row("Net pay", "", "", p.money("netPay", gross*8/10), american.print(gross*72/10))
}

func drawWorldInvoice(title, number, day, net, tax, total string) func(*trapPaper) {
	return func(p *trapPaper) {
		p.p.text(48, 54, title, style{sansBold, 18, black})
		p.facts["date"] = "2024-03-25"
		sum := cents(p.d.between(20_000, 900_000))
		p.y = 90
		p.rows(48, 300, [2]string{number + ":", p.say("number", "2024-"+p.d.digits(4))}, [2]string{day + ":",
			"25.03.2024"})
		p.y = 300
		p.rows(300, 560, [2]string{net, p.euros("", sum*100/120)}, [2]string{tax, p.euros("", sum-sum*100/120)},
			[2]string{total, p.euros("total", sum)})
	}
}

func draw1099INT(p *trapPaper) {
	payer := firm(p.d)
	p.facts["taxYear"], p.facts["form"] = 2023, "1099-INT"
	p.formBox(40, 66, 290, 56, "PAYER'S name, street address, city or town, state, ZIP code, and telephone no.",
		p.say("entityName", payer.business))
	p.formBox(40, 122, 145, 26, "PAYER'S TIN", p.say("ein", payer.ein))
	p.formBox(185, 122, 145, 26, "RECIPIENT'S TIN", p.say("ssn", p.who.ssn))
	p.formBox(40, 148, 290, 30, "RECIPIENT'S name", p.say("name", p.who.name()))
	p.formBox(330, 66, 120, 30, "1  Interest income  $", american.print(cents(p.d.between(1_000, 90_000))))
	p.formBox(330, 96, 120, 26, "4  Federal income tax withheld  $", "")
	p.p.right(572, 60, "Interest Income", style{sansBold, 12, black})
	p.p.right(572, 44, "2023", style{sansBold, 14, black})
	p.p.text(40, 196, "Form 1099-INT   (keep for your records)   Department of the Treasury - Internal Revenue Service", style{sans, 8, black})
}

func draw1098(p *trapPaper) {
	lender := firm(p.d)
	p.facts["taxYear"], p.facts["form"] = 2022, "1098"
	p.formBox(40, 66, 290, 56, "RECIPIENT'S/LENDER'S name, street address, city or town, state, ZIP code",
		lender.business)
	p.formBox(330, 66, 240, 26, "1  Mortgage interest received from payer(s)/borrower(s)",
		american.print(cents(p.d.between(200_000, 1_900_000))))
	p.formBox(40, 122, 290, 30, "PAYER'S/BORROWER'S name", p.who.name())
	p.p.right(572, 44, "Mortgage Interest Statement", style{sansBold, 12, black})
	p.p.text(40, 170, "Form 1098   2022   OMB No. 1545-1380   Department of the Treasury - Internal Revenue Service",
		style{sans, 8, black})
}

func drawCheck(p *trapPaper) {
	f := firm(p.d)
	p.p.text(24, 30, f.business, p.base.bold())
	p.p.right(462, 30, fmt.Sprint(p.d.between(1001, 9800)), p.base.bold())
	p.facts["date"] = "2024-04-12"
	p.p.text(330, 58, "DATE  04/12/2024", p.base)
	p.p.text(24, 90, "PAY TO THE ORDER OF  "+p.say("name", p.who.name()), p.base)
	p.p.right(462, 90, p.money("total", cents(p.d.between(10_000, 900_000))), p.base)
	p.p.text(24, 118, "Four hundred and 00/100 ------------------------------ DOLLARS", p.base)
	p.p.text(24, 160, "MEMO  April", p.base)
}

func drawCertificate(p *trapPaper) {
	f := firm(p.d)
	p.p.centre(306, 50, "CERTIFICATE OF LIABILITY INSURANCE", p.base.bold().at(14))
	p.p.right(572, 66, "DATE (MM/DD/YYYY)  02/14/2024", p.base.at(8))
	p.facts["date"] = "2024-02-14"
	p.formBox(40, 90, 260, 40, "INSURED", f.business)
	p.formBox(40, 150, 530, 40, "COMMERCIAL GENERAL LIABILITY   POLICY NUMBER", "GL-"+p.d.digits(7))
	p.formBox(40, 210, 530, 40, "CERTIFICATE HOLDER", firm(p.d).business)
}

func drawRate(p *trapPaper) {
	p.p.text(48, 54, "RATE CONFIRMATION", p.base.bold().at(15))
	p.facts["date"] = "2024-05-20"
	p.y = 90
	p.rows(48, 330, [2]string{"Date:", "05/20/2024"}, [2]string{"Load number:", p.say("number", p.d.digits(7))},
		[2]string{"Carrier:", firm(p.d).business},
		[2]string{"Pickup / Shipper:", firm(p.d).business}, [2]string{"Consignee:", firm(p.d).business},
		[2]string{"Total rate:", p.money("total", cents(p.d.between(60_000, 420_000)))})
}

// drawLeaseParties is a lease whose opening sentence says more of its parties than their names.
func drawLeaseParties(p *trapPaper) {
	a, b := firm(p.d), firm(p.d)
	p.p.centre(306, 60, "STANDARD COMMERCIAL LEASE AGREEMENT", p.base.bold().at(14))
	p.facts["date"] = "2023-06-15"
	p.p.paragraph(60, 96, 490, 15, "This Lease is made as of June 15, 2023 by and between "+p.say("landlord",
		a.business)+", a "+a.state+` limited liability company ("Landlord"), and `+
		p.say("tenant", b.business)+", a corporation with offices at "+b.street+`, `+b.cityLine()+` (hereinafter referred to as "Tenant"). The premises are let for five years; Tenant may renew this Lease.`, p.base.at(10.5))
}

// Fieldwork is n documents of the kinds that came up in the field: schedules alone, long reports and guides, packages,
// papers of other countries, and text layers that lie.
func Fieldwork(seed uint64, n int) []Specimen {
	var kinds []slot
	for _, name := range LoneSchedules() {
		kinds = append(kinds, func(s uint64) Specimen { return LoneSchedule(s, name) })
	}
	for _, name := range Papers() {
		kinds = append(kinds, func(s uint64) Specimen { return Paper(s, name) })
	}
	for year := 2018; year <= 2024; year++ {
		kinds = append(kinds, func(s uint64) Specimen {
			return TaxReturn(TaxOptions{Seed: s, Form: "1040",
				Year: year})
		})
	}
	kinds = append(kinds, LongReport, Guide, LongReport, Guide,
		func(s uint64) Specimen {
			return Lie(TaxReturn(TaxOptions{Seed: s, Form: "1040 Schedule C", Flattened: true}), true)
		},
		func(s uint64) Specimen { return Lie(Trap(s, "w2"), false) },
		func(s uint64) Specimen {
			return Package(s, TaxReturn(TaxOptions{Seed: s, Form: "1040", Year: 2023}), Trap(s, "w2"),
				BankStatement(BankOptions{Seed: s, Layout: pick(roll(s, "package"), BankLayouts())}))
		},
		func(s uint64) Specimen {
			return Package(s+1, BankStatement(BankOptions{Seed: s, Layout: BankLayouts()[0]}),
				BankStatement(BankOptions{Seed: s + 1, Layout: BankLayouts()[1]}), Trap(s, "pay_stub"), Trap(s,
					"lease"))
		})
	out := make([]Specimen, 0, n)
	for i := range n {
		out = append(out, kinds[i%len(kinds)](seed*100_003+uint64(i)))
	}
	return out
}

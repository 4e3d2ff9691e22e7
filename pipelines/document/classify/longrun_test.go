package classify_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// bankPage looks like a statement of a deposit account; form1040 and schedule like pages of a return.
var (
	bankPage = []string{"Business Checking", "Statement Period|03/01/2024 - 03/31/2024", "Beginning Balance|8,100.25", "Deposits and Credits|5,000.00",
		"Withdrawals and Debits|3,600.00", "Ending Balance|9,500.25"}
	form1040 = []string{"Form 1040|Department of the Treasury-Internal Revenue Service|2023", "U.S. Individual Income Tax Return|OMB No. 1545-0074", "Filing Status|X Single"}
	deducted = []string{"SCHEDULE A|Itemized Deductions|OMB No. 1545-0074", "(Form 1040)|Attach to Form 1040 or 1040-SR.|2023", "Department of the Treasury",
		"4|Subtract line 3 from line 1|4|1,200"}
	prose       = []string{"How we think about lending", "Our customers ask us what to bring to a meeting."}
	balance     = []string{"Consolidated Balance Sheets", "Total current assets|812,000|799,000", "Total assets|1,200,000|1,100,000", "Total liabilities|700,000|650,000", "Retained earnings|500,000|450,000"}
	leasePage   = []string{"Commercial Lease Agreement", "Landlord and Tenant agree that the premises are let.", "The security deposit is held by Landlord."}
	receiptPage = []string{"Notices are given by mail, return receipt requested", "Receipt of any payment is a receipt for that month", "Thank you"}
	bill        = []string{"Our electric utility segment", "Electric energy usage in kwh|4,120", "Water and sewer meter readings|212", "Total amount due|95.00"}
)

// between gives pages a running head, and a number at the foot when first is not 0.
func between(head string, first int, bodies ...[]string) text.Decoded {
	d := text.Decoded{PageCount: len(bodies), Layer: text.LayerText}
	for i, body := range bodies {
		lines := append([]string{head}, body...)
		for len(lines) < 12 {
			lines = append(lines, fmt.Sprintf("line %c of a page", 'a'+len(lines)))
		}
		if first > 0 {
			lines = append(lines, fmt.Sprint(first+i))
		}
		p := documenttest.Page(lines...)
		p.Number, p.Height = i+1, 210
		for k := range p.Tokens {
			p.Tokens[k].Page = i + 1
		}
		d.Pages = append(d.Pages, p)
	}
	return d
}

// found is the types of the documents of a file with their pages.
func found(d text.Decoded) []string {
	var all []string
	for _, doc := range document.Extract(d).Documents {
		all = append(all, fmt.Sprintf("%s %d-%d", doc.DocType, doc.Pages[0], doc.Pages[1]))
	}
	return all
}

// A long document is one whatever its pages show: what its edges print holds it together.
func TestSegments_long(t *testing.T) {
	t.Parallel()
	report := [][]string{{"Annual Report"}, prose, bill, balance, prose, bankPage, prose, balance}
	for name, c := range map[string]struct {
		file text.Decoded
		want []string
	}{
		"report with numbers":           {between("", 1, report...), []string{"financial_statement 1-8"}},
		"report with running head":      {between("Northgate Industries Annual Report", 0, report...), []string{"financial_statement 1-8"}},
		"report whose pages end early":  {early(report...), []string{"financial_statement 1-8"}},
		"guide with a statement":        {between("", 1, prose, prose, prose, bankPage, prose, prose, prose), []string{"other 1-7"}},
		"lease that speaks of receipts": {between("", 0, leasePage, leasePage, leasePage, receiptPage, leasePage), []string{"lease 1-5"}},
		"statements of two months":      {between("Harbor Bank of Eastbrook", 0, bankPage, changed(bankPage, 1, "Statement Period|04/01/2024 - 04/30/2024")), []string{"bank_statement 1-1", "bank_statement 2-2"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(c.want, found(c.file)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// early is between with numbers below the last line of pages that have room left.
func early(bodies ...[]string) text.Decoded {
	d := between("", 1, bodies...)
	for i := range d.Pages {
		d.Pages[i].Height = 792
	}
	return d
}

func changed(lines []string, i int, line string) []string {
	out := append([]string(nil), lines...)
	out[i] = line
	return out
}

// Statements of one month are two documents where they are of two banks, and one where the second page names the same.
func TestSegments_houses(t *testing.T) {
	t.Parallel()
	numbered := append([]string{"Account Number|44182031"}, bankPage...)
	first, second := append([]string{"Harbor Bank"}, numbered...), append([]string{"Larkfield Credit Union"}, numbered...)
	for name, c := range map[string]struct {
		file text.Decoded
		want []string
	}{
		"two banks": {between("", 0, first, second), []string{"bank_statement 1-1", "bank_statement 2-2"}},
		"one":       {between("", 0, first, first), []string{"bank_statement 1-2"}},
	} {
		if diff := cmp.Diff(c.want, found(c.file)); diff != "" {
			t.Error(name, diff)
		}
	}
}

// A schedule goes with its return, and has its own name where it comes alone.
func TestSegments_schedules(t *testing.T) {
	t.Parallel()
	file := func(bodies ...[]string) text.Decoded {
		d := text.Decoded{PageCount: len(bodies), Layer: text.LayerText}
		for i, body := range bodies {
			p := documenttest.Page(body...)
			p.Number = i + 1
			d.Pages = append(d.Pages, p)
		}
		return d
	}
	docs := document.Extract(file(form1040, deducted)).Documents
	if len(docs) != 1 || docs[0].Facts.Tax == nil || *docs[0].Facts.Tax.Form != "1040" {
		t.Errorf("a return with its schedule: %d documents", len(docs))
	}
	docs = document.Extract(file(deducted)).Documents
	if len(docs) != 1 || docs[0].DocType != dossier.DocTaxReturn || *docs[0].Facts.Tax.Form != "1040 Schedule A" {
		t.Errorf("a schedule alone: %v", found(file(deducted)))
	}
}

// Papers of trade and pay in other languages, and in words that a picture garbles.
func TestClassify_world(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		want    dossier.DocType
		picture bool
		lines   []string
	}{
		"bulletin de paie":     {dossier.DocPayStub, false, []string{"BULLETIN DE PAIE", "Période du 01/03/2024 au 31/03/2024", "Salaire brut|3 200,00", "Cotisations|700,00", "Net à payer avant impôt|2 500,00"}},
		"Entgeltabrechnung":    {dossier.DocPayStub, false, []string{"Entgeltabrechnung März 2024", "Steuerklasse|I", "Gesamtbrutto|3.900,00", "Lohnsteuer|520,00", "Auszahlungsbetrag|2.480,10"}},
		"recibo de nómina":     {dossier.DocPayStub, false, []string{"RECIBO DE NÓMINA", "Salario base|1.900,00", "Total devengado|2.050,00", "Líquido a percibir|1.610,22"}},
		"facture":              {dossier.DocInvoice, false, []string{"FACTURE", "Numéro de facture|F-2024-118", "Date de facture|12/03/2024", "Total HT|1 000,00", "TVA|200,00", "Total TTC|1 200,00"}},
		"Rechnung":             {dossier.DocInvoice, false, []string{"RECHNUNG", "Rechnungsnummer|2024-118", "Rechnungsdatum|12.03.2024", "Zwischensumme|1.000,00", "MwSt|190,00", "Gesamtbetrag|1.190,00"}},
		"factura":              {dossier.DocInvoice, false, []string{"FACTURA", "Número de factura|118", "Fecha de factura|12/03/2024", "Base imponible|1.000,00", "IVA|210,00", "Total|1.210,00"}},
		"W-2 in a picture":     {dossier.DocTaxFormOther, true, []string{"a Employee's soclal securlty number", "1 Wages, tips, other compensatlon", "Form W-2|WageandTaxStatement|2023", "Department of the Treasury-Internal Revenue Service"}},
		"stub in a picture":    {dossier.DocPayStub, true, []string{"Earnlngs Staternent", "Pay Perlod|03/01/2024-03/15/2024", "GrossPay|2,000.00", "Dedvctions|400.00", "NetPay|1,600.00"}},
		"statement with wages": {dossier.DocBankStatement, false, []string{"Business Checking", "Beginning Balance|8,100.25", "Deposits and Credits|5,000.00", "Withdrawals and Debits|3,600.00", "Ending Balance|9,500.25", "03/07 PAYROLL GROSS PAY DEDUCTIONS CHECK DATE 03/05|600.00"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := documenttest.Page(c.lines...)
			if c.picture {
				p.Layer = text.LayerImage
				for i := range p.Tokens {
					p.Tokens[i].Method = text.MethodOCR
				}
			}
			doc := document.Extract(text.Decoded{PageCount: 1, Layer: p.Layer, Pages: []text.Page{p}}).Documents[0]
			if doc.DocType != c.want {
				t.Errorf("read as %s (%v), want %s", doc.DocType, doc.Evidence, c.want)
			}
		})
	}
}

// A page of another office after a form of one page is no part of it; the form's own back is.
func TestClassify_afterOnePageForm(t *testing.T) {
	form := documenttest.Page("a Employee's social security number|000-12-3456", "1 Wages, tips, other compensation|40,000.00", "Form W-2|Wage and Tax Statement|2023", "Department of the Treasury-Internal Revenue Service")
	for name, c := range map[string]struct {
		lines []string
		want  int
	}{
		"another office": {[]string{"DEPARTMENT OF AGRICULTURE", "Plant Health Programs", "PERMIT TO MOVE SOIL", "Name of holder|R Quist", "Valid in all states"}, 2},
		"its back":       {[]string{"Notice to Employee", "Do you have to file? Refer to the Instructions for Forms 1040.", "Department of the Treasury"}, 1},
	} {
		next := documenttest.Page(c.lines...)
		next.Number = 2
		docs := document.Extract(text.Decoded{PageCount: 2, Layer: text.LayerText, Pages: []text.Page{form, next}}).Documents
		if len(docs) != c.want {
			t.Errorf("%s: %d documents, the second %s", name, len(docs), docs[len(docs)-1].DocType)
		}
	}
}

// Package other reads the documents that have captioned facts and no arithmetic: invoices, leases, pay stubs, checks.
package other

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/bank"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// otherFact is one fact of the simple types: found by its captions, or not at all.
type otherFact struct {
	name string
	text.Field
}

// readOther returns an extractor for a type whose facts are captioned values. Amounts are dossier.Amount,
// dates and text strings; a fact that is not printed is absent.
func readOther(facts func(text.Segment) []otherFact,
	more ...func(text.Segment, *text.FieldFinder, map[string]any, *text.Findings)) text.Extractor {
	return func(s text.Segment) text.Findings {
		var found text.Findings
		s = withCents(s)
		finder := text.NewFieldFinder(s.Lines())
		finder.Loose = true
		values := map[string]any{}
		for _, f := range facts(s) {
			find := finder.Find
			if s.Form == "W-2" { // one page holds its copies for the state, the city and the employee
				find = finder.FindMost
			}
			if values[f.name] != nil {
				continue
			}
			v, used, ok := find(f.Field)
			if !ok {
				continue
			}
			values[f.name] = v
			found.From(text.Pointer(f.name), used, f.Captions[0])
		}
		for _, m := range more {
			m(s, finder, values, &found)
		}
		found.Facts.Other = values
		return found
	}
}

func dateFact(s text.Segment, name string, captions ...string) otherFact {
	return otherFact{name, text.Field{Captions: captions, Accept: text.AcceptDate(s.Order), Centred: true}}
}

func numberFact(captions ...string) otherFact {
	return otherFact{"number", text.Field{Captions: captions,
		Accept: text.AcceptJoined(func(t string) bool {
			return referenceNumber.MatchString(t) && text.HasDigits(t, 2) && !wholeDate(t)
		}), Centred: true}}
}

// wholeDate reports whether a text is a date with its year and nothing else.
func wholeDate(t string) bool {
	dates := text.FindDates(t, text.DayFirst)
	if len(dates) == 0 {
		dates = text.FindDates(t, text.MonthFirst)
	}
	return len(dates) == 1 && dates[0].Complete() && dates[0].From == 0 && dates[0].To == len(t)
}

func nameFact(name string, captions ...string) otherFact {
	return otherFact{name, text.Field{Captions: captions, Whole: true, Cell: true,
		Accept: text.AcceptText(8, func(name string) bool {
			return looksLikeTitle(name) && !text.IsTown(name) && !strings.Contains(name, " : ") // another caption
		})}}
}

// referenceNumber is the number of an invoice, policy or form: letters, digits and hyphens.
var referenceNumber = lazyregexp.New(`^[A-Z]{0,6}[-#/]?[A-Z0-9][A-Z0-9./-]{1,24}$`)

// looksLikeTitle reports whether text can name a person, company or thing: it begins with a letter, has no amount or
// date in it, and is neither a caption nor part of a sentence.
func looksLikeTitle(name string) bool {
	r := []rune(name)
	if len(r) < 3 || len(r) > 80 || strings.HasSuffix(name, ":") {
		return false
	}
	return unicode.IsUpper(r[0]) && !mostlyFigures(name) && len(text.FindDates(name, text.MonthFirst)) == 0 &&
		!isCaption(name) && !isSentence(name)
}

// numberBeside is the number beside "Invoice #", alone in its cell: a title has an address below it.
func numberBeside() otherFact {
	f := numberFact("invoice", "inv")
	accept := f.Accept
	f.Beside, f.Accept = true, func(tokens []text.Token) (string, []text.Token, bool) {
		if cells := (text.Line{Tokens: tokens}).Cells(); len(cells[0].Tokens) != 1 {
			return "", nil, false
		}
		return accept(tokens)
	}
	return f
}

func invoiceFacts(s text.Segment) []otherFact {
	return []otherFact{
		numberBeside(),
		numberFact("n factura", "no factura", "nro factura", "num de factura", "fattura n", "numero fattura",
			"factuurnummer", "factuurnr", "numero de dte", "no de dte", "dte", "serie y folio", "folio interno",
			"numero de comprobante", "comprobante nro", "comprobante no", "comp nro", "numero de documento",
			"no de documento", "factura numero", "folio factura", "num factura", "invoice number", "invoice no",
			"rechnungsnummer", "rechnung nr", "rechnungs nr", "rg nr", "belegnummer", "numero de facture",
			"facture n", "facture no", "n de facture", "n facture", "numero de factura", "factura n", "factura no",
			"n de factura", "fatura n", "numero da fatura", "numero da nota", "fakturanummer", "fakturanr",
			"faktura nr", "numer faktury", "laskun numero", "invoice #", "invoice num", "inv no", "invoice id",
			"tax invoice", "invoice", "number", "document number", "numero", "nummer"),
		dateFact(s, "date", "invoice date", "rechnungsdatum", "date de facture", "date de facturation",
			"date facture", "date d emission", "date demission", "fecha de factura", "fecha de emision",
			"fecha y hora de emision", "fecha y hora de expedicion", "fecha de expedicion",
			"fecha y hora de certificacion", "fecha de certificacion", "fecha emision", "fecha factura", "fecha",
			"data fattura", "data de emissao", "data da emissao", "data emissao", "factuurdatum", "fakturadatum",
			"fakturadato", "data wystawienia", "datum", "date of issue", "issue date", "date issued", "billing date",
			"invoice dated", "dated", "data", "date"),
		dateFact(s, "dueDate", "due date", "payment due", "due by", "pay by", "due", "fallig am", "faellig am",
			"zahlbar bis", "bis zum", "date d echeance", "echeance", "a regler avant le", "date decheance",
			"date limite de paiement", "date limite de reglement", "fecha de vencimiento", "fecha vencimiento",
			"fecha de vto para el pago", "fecha de vto", "vencimiento", "vencimento", "data de vencimento", "scadenza",
			"vervaldatum", "data scadenza",
			"forfallodatum", "forfaldsdato", "termin platnosci"),
		totalFact(s, "total ttc", "montant ttc", "net a payer", "gesamtbetrag", "rechnungsbetrag", "endbetrag",
			"endsumme", "gesamtsumme", "bruttobetrag", "totaal te voldoen", "totale da pagare", "total com iva",
			"total factura", "totale fattura", "totale documento", "totaal te betalen", "totaalbedrag",
			"importe total", "total a pagar", "valor total da nota", "valor total", "att betala", "totaal",
			"naleznosc ogolem", "do zaplaty", "razem do zaplaty", "celkem k uhrade", "k uhrade", "fizetendo osszeg",
			"fizetendo", "at betale", "a betale", "genel toplam", "odenecek tutar",
			"total general", "grand total", "invoice total", "total amount", "total due", "amount due",
			"balance due", "total"),
		moneyFact(s, "amountDue", "amount due", "balance due", "total due", "please pay"),
	}
}

func accountFacts(s text.Segment) []otherFact {
	return []otherFact{
		dateFact(s, "statementDate", "statement date", "statement closing date", "closing date"),
		dateFact(s, "periodEnd", "quarter ended", "quarter ending", "month ended", "year ended", "period ended",
			"period ending"),
		moneyFact(s, "openingBalance", "beginning account value", "beginning portfolio value", "beginning value",
			"previous statement balance", "last statement balance",
			"balance from last statement", "balance on last statement", "previous balance", "beginning balance",
			"opening balance", "solde precedent", "ancien solde", "saldo anterior", "saldo inicial", "alter kontostand",
			"alter saldo"),
		moneyFact(s, "closingBalance", "ending account value", "ending portfolio value", "ending value",
			"new balance total", "new statement balance", "total new balance", "new balance",
			"statement balance", "ending balance", "closing balance", "total amount due", "nouveau solde",
			"solde actuel", "saldo al corte", "saldo actual", "saldo final", "nuevo saldo", "neuer kontostand",
			"neuer saldo"),
		accountValueFact(s),
	}
}

// accountValueFact is the current value of an account: "Beginning account value" is an earlier one, and "Account value
// summary" a title.
func accountValueFact(s text.Segment) otherFact {
	f := moneyFact(s, "portfolioValue", "total portfolio value", "portfolio value", "total account value",
		"account value", "your portfolio value", "your account value", "ending portfolio value", "ending account value",
		"current account value", "net account value", "net portfolio value")
	f.Begins, f.Not = true, text.WordSet("summary overview history activity detail details change changes over")
	return f
}

func assetFacts(s text.Segment) []otherFact {
	return []otherFact{
		moneyFact(s, "totalAssets", "total assets", "total balance", "total current balance", "combined balance"),
		dateFact(s, "requestedOn", "requested on", "date requested", "report date", "date generated",
			"report generated", "created on", "generated on", "created"),
		{"daysRequested", text.Field{Captions: []string{"days requested", "number of days", "days of history"},
			Accept: text.AcceptToken(isCount)}},
		{"accounts", text.Field{Captions: []string{"number of accounts", "accounts", "total accounts"},
			Accept: text.AcceptToken(isCount)}},
		personFact("name", "account holder", "account owner", "borrower", "prepared for", "names", "name"),
		nameFact("institution", "institution", "financial institution", "bank"),
	}
}

// personFact is nameFact of a person: at least two words, none of them a caption's.
func personFact(name string, captions ...string) otherFact {
	accept := text.AcceptText(5, looksLikePerson)
	return otherFact{name, text.Field{Captions: captions, Whole: true, Cell: true,
		Accept: func(tokens []text.Token) (string, []text.Token, bool) {
			if len(tokens) > 1 && numberOfPerson.MatchString(tokens[0].Text) && !text.WideGap(tokens[0], tokens[1]) {
				tokens = tokens[1:]
			}
			return accept(tokens)
		}}}
}

// numberOfPerson is the number that a list of staff or customers has before a name: "Empleado: 0117 ODILE WREN".
var numberOfPerson = lazyregexp.New(`^[A-Z]{0,3}\d{1,8}[-.:]?$`)

func isCount(s string) bool { n, err := strconv.Atoi(s); return err == nil && n >= 0 && n < 5000 }

func insuranceFacts(s text.Segment) []otherFact {
	return []otherFact{
		numberFact("policy number", "policy no", "policy #", "certificate number"),
		insuredFact(),
		dateFact(s, "date", "date mm dd yyyy", "date issued", "issue date", "effective date", "date"),
		moneyFact(s, "total", "total premium", "annual premium", "premium"),
	}
}

// insuredFact is who is insured: the box beside it lists the insurers by letters.
func insuredFact() otherFact {
	f := nameFact("name", "named insured", "insured", "policyholder")
	accept := f.Accept
	f.Accept = func(tokens []text.Token) (string, []text.Token, bool) {
		if strings.HasPrefix(text.Fold(text.Join(tokens)), "insurer") {
			return "", nil, false
		}
		return accept(tokens)
	}
	return f
}

func rateFacts(s text.Segment) []otherFact {
	return []otherFact{
		dateFact(s, "date", "date", "confirmation date", "issued", "order date", "date issued"),
		numberFact("load number", "load #", "load no", "confirmation number", "order number", "pro number",
			"freight bill", "reference number", "load"),
		moneyFact(s, "total", "total rate", "total pay", "total charges", "total carrier pay", "agreed amount",
			"total amount", "rate", "total"),
	}
}

func checkFacts(s text.Segment) []otherFact {
	return []otherFact{
		dateFact(s, "date", "date"), numberFact("check no", "check number", "no"),
		{"name", text.Field{Captions: []string{"pay to the order of", "order of"},
			Accept: text.AcceptText(8, func(name string) bool {
				return looksLikeTitle(name) && !checkPrint.MatchString(name)
			}), Whole: true}}, moneyFact(s, "total", "amount", "$"),
	}
}

// checkPrint matches what a check that is not filled in prints where the payee would stand.
var checkPrint = lazyregexp.New(`(?i)^(?:dollars|void|memo|date|amount|for)\b|_{3,}|\b(?:bank|credit union)$`)

func planFacts(s text.Segment) []otherFact {
	return []otherFact{
		{"form", text.Field{Captions: []string{"form"},
			Accept: text.AcceptToken(func(t string) bool { return strings.HasPrefix(t, "5500") })}},
		dateFact(s, "planYearBegin", "plan year beginning", "or fiscal plan year beginning", "beginning"),
		nameFact("name", "name of plan"),
	}
}

func ssnFacts(text.Segment) []otherFact {
	return []otherFact{nameFact("name", "this number has been established for", "established for")}
}

var ssnPattern = lazyregexp.New(`^(?:\d{3}-\d{2}-\d{4}|[Xx*]{3}-[Xx*]{2}-\d{4})$`) // its first figures are often hidden

// findSSN reads the number that the card prints without a caption.
func findSSN(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	for _, l := range f.Lines {
		for _, t := range l.Tokens {
			if ssnPattern.MatchString(t.Text) && values["ssn"] == nil {
				values["ssn"] = t.Text
				found.From("/ssn", []text.Token{t}, "")
			}
		}
	}
}

// findCompany reads who a paper is from by the heading of its first page.
func findCompany(fact string) func(text.Segment, *text.FieldFinder, map[string]any, *text.Findings) {
	return func(_ text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
		if values[fact] != nil {
			return
		}
		if name, tokens := companyAtTop(f.Lines); name != "" {
			values[fact] = name
			found.From(text.Pointer(fact), tokens, "")
		}
	}
}

var notTitle = lazyregexp.New(`(?i)\b(invoice|receipt|statement|page|date|bill|number|phone|tel|fax|www` +
	`|confirmation|account|customer|total|summary|copy|original)\b|@|\.com|\d{3}`)

// companyAtTop is the heading of a receipt or bill: the first line of the page that names something, in
// larger type than the page's own, or as a company.
func companyAtTop(lines []text.Line) (string, []text.Token) {
	for _, l := range lines[:min(len(lines), 4)] {
		s := strings.TrimSpace(l.Cells()[0].Text())
		words := len(strings.Fields(s))
		if bareForm.MatchString(s) || text.IsTown(s) || payTitle.MatchString(text.Fold(s)) {
			continue // the head of a column, or the title
		}
		if looksLikeTitle(s) && !notTitle.MatchString(s) && (words <= 6 || words <= 9 && text.Company.MatchString(s)) &&
			text.SymbolCode(s) == "" && !isReceiver(lines, s, l.Cells()[0].Tokens) &&
			(text.Company.MatchString(s) || legalEnd.MatchString(s) || mostlyUpper(s)) {
			return s, l.Cells()[0].Tokens
		}
	}
	return "", nil
}

// bareForm matches a legal form alone, which names nobody.
var bareForm = lazyregexp.New(`(?i)^(?:co|inc|corp|company|ltd|llc|group|dept|services)\.?$`)

// findBank reads institution, holder, number and period of statements of other accounts.
func findBank(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	set := func(name, value string, tokens []text.Token) {
		if value != "" && values[name] == nil {
			values[name] = value
			found.From(text.Pointer(name), tokens, "")
		}
	}
	name, tokens := text.InstitutionOf(f.Lines, s.Style)
	set("institution", name, tokens)
	holder, tokens := text.HolderOf(f.Lines)
	set("accountHolder", holder, tokens)
	if numbers := bank.AccountNumbers(f.Lines); len(numbers) > 0 {
		set("accountNumber", numbers[0].Text, numbers[0].Tokens)
	} else if card, ok := bank.CardNumber(f.Lines); ok {
		set("accountNumber", card.Text, card.Tokens)
	} else if number, used, ok := f.Find(text.Field{Captions: []string{"account number", "account no"},
		Accept: text.AcceptToken(brokerNumber.MatchString)}); ok {
		set("accountNumber", number, used)
	}
	p := bank.ReadPeriod(f.Lines, nil, s.Style, s.Order)
	if p.Start != nil && p.End != nil {
		set("periodStart", p.Start.String(), p.StartTokens)
		set("periodEnd", p.End.String(), p.EndText)
	}
}

// brokerNumber is the number of an account of securities, which begins with a letter or three.
var brokerNumber = lazyregexp.New(`^[A-Z]{1,3}-?\d{2,4}-?\d{4,6}(?:-\d)?$`)

// findPayPeriod reads a pay period printed as a span.
func findPayPeriod(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if values["periodStart"] != nil && values["periodEnd"] != nil {
		return
	}
	p := bank.ReadPeriod(f.Lines, nil, s.Style, s.Order)
	if p.Start == nil || p.End == nil {
		return
	}
	values["periodStart"], values["periodEnd"] = p.Start.String(), p.End.String()
	found.From("/periodStart", p.StartTokens, "")
	found.From("/periodEnd", p.EndText, "")
}

// findYearToDate reads the second amount beside total earnings: the year to date.
func findYearToDate(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	for _, l := range f.Lines {
		if values["totalEarningsYtd"] != nil {
			return
		}
		str := text.Fold(l.Text())
		if !text.HasWords(str, "gross pay") && !text.HasWords(str, "total earnings") &&
			!text.HasWords(str, "gross earnings") {
			continue
		}
		if amounts := text.MoneyOn(l, s.Style); len(amounts) == 2 {
			m := amounts[1]
			values["totalEarningsYtd"] = m.Value.String()
			found.From("/totalEarningsYtd", l.Tokens[m.First:m.Last+1], "")
			return
		}
	}
}

// Readers is the table of simple types.
var Readers = map[dossier.DocType]text.Extractor{
	dossier.DocInvoice: readOther(invoiceFacts, findInvoiceNumber, findInvoiceTotal, findInvoiceDay, findIssuer,
		findSender, findCompany("issuer"), findPaymentCode),
	dossier.DocReceipt: readOther(receiptFacts, findCompany("merchant"), findReceiptDate, findSeller),
	dossier.DocUtilityBill: readOther(billFacts, findBillCustomer, findBillName, findPayee, findCompany("issuer"),
		findSupplier, findPaymentCode),
	dossier.DocPayStub: readOther(payFacts, findPayTitle, findPayPeriod, findPayTotals, findPayGrid,
		findYearToDate, findPayParties, findPublicEmployer, findEmployer, findCompany("company"), findOnlyCompany,
		findPaidPerson,
		findWrapped,
		findHeadRow, findCheckDay, dropShortYear),
	dossier.DocCreditCardStatement: readOther(accountFacts, findBank),
	dossier.DocBrokerageStatement:  readOther(accountFacts, findBank),
	dossier.DocInvestmentStatement: readOther(accountFacts, findBank),
	dossier.DocAssetVerification:   readOther(assetFacts, findSplitName),
	dossier.DocLease:               readOther(dealFacts, findLeaseParties),
	dossier.DocInsurance:           readOther(insuranceFacts),
	dossier.DocRateConfirmation:    readOther(rateFacts),
	dossier.DocCheck:               readOther(checkFacts, findCheckHead, findCheckTotal),
	dossier.DocRentRoll:            readOther(rentFacts, findRentTotal),
	dossier.DocBenefitPlanReport:   readOther(planFacts),
	dossier.DocSocialSecurityCard:  readOther(ssnFacts, findSSN),
	dossier.DocTaxFormOther: readOther(formFacts, findForm, findShare, findPayer, findPayerLines, findEmployee,
		findQuarter, findBoxedEIN, findBoxedNumber, findBoxes, findFormYear, findFormLines),
	dossier.DocOther: readOther(func(text.Segment) []otherFact { return nil }, findTitle),
}

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
		finder := text.NewFieldFinder(s.Lines())
		finder.Loose = true
		values := map[string]any{}
		for _, f := range facts(s) {
			find := finder.Find
			if s.Form == "W-2" { // one page holds its copies for the state, the city and the employee
				find = finder.FindMost
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

func moneyFact(s text.Segment, name string, captions ...string) otherFact {
	return otherFact{name, text.Field{Captions: captions, Accept: text.AcceptMoney(s.Style), Centred: true}}
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
	return otherFact{name, text.Field{Captions: captions, Accept: text.AcceptText(8, looksLikeTitle), Whole: true}}
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
	return unicode.IsUpper(r[0]) && len(text.FindDates(name, text.MonthFirst)) == 0 && !isCaption(name) &&
		!isSentence(name)
}

func invoiceFacts(s text.Segment) []otherFact {
	return []otherFact{
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
			"vervaldatum",
			"forfallodatum", "forfaldsdato", "termin platnosci"),
		moneyFact(s, "total", "total ttc", "montant ttc", "net a payer", "gesamtbetrag", "rechnungsbetrag", "endbetrag",
			"total factura", "totale fattura", "totale documento", "totaal te betalen", "totaalbedrag",
			"importe total", "total a pagar", "valor total da nota", "valor total", "att betala", "totaal",
			"total general", "grand total", "invoice total", "total amount", "total due", "amount due",
			"balance due", "total"),
		moneyFact(s, "amountDue", "amount due", "balance due", "total due", "please pay"),
	}
}

func receiptFacts(s text.Segment) []otherFact {
	return []otherFact{
		dateFact(s, "date", "transaction date", "date of purchase", "purchase date", "order date", "date paid", "datum",
			"fecha", "date"),
		numberFact("receipt number", "receipt no", "receipt #", "transaction id", "transaction", "order number",
			"trans #"),
		moneyFact(s, "total", "grand total", "total amount", "total a payer", "amount paid", "total paid",
			"gesamtbetrag", "summe", "importe total", "totaal", "totale", "total"),
	}
}

func billFacts(s text.Segment) []otherFact {
	return []otherFact{
		dateFact(s, "statementDate", "statement date", "bill date", "billing date", "invoice date", "date of bill",
			"bill issued", "date issued", "issue date", "rechnungsdatum", "date de facture", "date de facturation",
			"facture du", "fecha de emision", "fecha de factura", "fecha factura", "data de emissao", "data emissao",
			"datum", "fecha", "date"),
		dateFact(s, "dueDate", "due date", "payment due date", "payment due", "please pay by", "pay by", "due by",
			"fallig am", "zahlbar bis", "a regler avant le", "date decheance", "date limite de paiement",
			"date d echeance", "echeance", "fecha limite de pago", "limite de pago", "fecha de vencimiento",
			"vencimiento", "vencimento"),
		moneyFact(s, "amountDue", "zu zahlender betrag", "zahlbetrag", "gesamtbetrag", "rechnungsbetrag",
			"montant a payer", "net a payer", "montant a regler", "total ttc", "total a pagar", "importe total",
			"importe a pagar", "total factura", "total amount due", "amount due", "total due", "balance due",
			"please pay", "pay this amount", "amount to pay"),
		moneyFact(s, "currentBalanceDue", "current balance due", "current charges due", "current balance"),
		numberFact("account number", "account no", "customer number", "kundennummer", "vertragskonto",
			"numero de servicio", "reference client", "account"),
		personFact("name", "customer name", "account name", "service for", "bill to", "titulaire du contrat",
			"titulaire", "titular", "nombre del cliente", "kunde", "customer", "cliente", "client"),
	}
}

func payFacts(s text.Segment) []otherFact {
	return []otherFact{
		personFact("employee", "employee name", "employee", "pay to the order of", "pay to", "salarie", "employe",
			"nom de l employe", "mitarbeiter", "arbeitnehmer", "trabajador", "empleado", "nombre del trabajador",
			"nome do funcionario", "funcionario", "dipendente", "werknemer", "name"),
		nameFact("company", "company name", "employer name", "employer", "company", "employed by", "employeur",
			"arbeitgeber", "empresa", "empleador", "azienda", "datore di lavoro", "werkgever", "empregador"),
		dateFact(s, "periodStart", "period start", "pay period start", "period beginning", "pay begin date",
			"pay period begin", "period begin", "period begin date", "pay period begin date", "pay begin",
			"beginning date", "period from", "start date"),
		dateFact(s, "periodEnd", "period end", "pay period end", "period ending", "pay end date", "period ended",
			"period end date", "pay period end date", "pay period ended", "pay end", "pay pd end", "pp end",
			"ending date", "period to", "periodo al", "fin de periode", "end date"),
		dateFact(s, "payDate", "pay date", "check date", "payment date", "paid date", "pay day", "payday", "date paid",
			"paid on", "advice date", "deposit date", "payroll date", "warrant date", "paycheck date",
			"pay check date", "issue date", "date of pay", "process date", "date de paiement", "date de paie",
			"paiement le", "paye le", "date du virement", "fecha de pago", "auszahlungsdatum", "zahltag",
			"data de pagamento", "data di pagamento", "datum betaling", "betaaldatum"),
		paySumFact(s, "totalEarnings", "gross pay this period", "total earnings this period", "total earnings",
			"gross pay", "gross earnings", "total gross pay", "total gross", "gross wages", "gross", "salaire brut",
			"total brut", "total des gains", "gesamtbrutto", "gesamt brutto", "bruttoverdienst", "total devengado",
			"total percepciones", "total haberes", "total de vencimentos", "totale competenze", "bruto loon",
			"brutoloon"),
		paySumFact(s, "totalEarningsYtd", "gross pay year to date", "gross pay ytd", "total earnings ytd", "ytd gross",
			"year to date gross", "gross ytd", "total gross pay td", "total gross td", "gross pay td", "gross to date",
			"gross for tax td", "brut cumule", "cumul brut"),
		paySumFact(s, "netPay", "net pay this period", "net pay", "net amount", "take home pay", "net check",
			"total net pay", "net paye", "paie nette", "net a payer", "auszahlungsbetrag", "auszahlungs betrag",
			"nettoverdienst", "liquido total a percibir", "liquido a percibir", "neto a percibir", "neto a pagar",
			"neto a cobrar", "valor liquido", "netto in busta", "netto loon", "nettoloon"),
	}
}

// paySumFact is a sum of a pay stub: "YTD gross" is no "gross".
func paySumFact(s text.Segment, name string, captions ...string) otherFact {
	f := moneyFact(s, name, captions...)
	f.Begins = true
	return f
}

func accountFacts(s text.Segment) []otherFact {
	return []otherFact{
		dateFact(s, "statementDate", "statement date", "statement closing date", "closing date"),
		moneyFact(s, "openingBalance", "previous statement balance", "last statement balance",
			"balance from last statement", "balance on last statement", "previous balance", "beginning balance",
			"opening balance", "solde precedent", "ancien solde", "saldo anterior", "saldo inicial", "alter kontostand",
			"alter saldo", "beginning account value", "beginning portfolio value", "beginning value"),
		moneyFact(s, "closingBalance", "new balance total", "new statement balance", "total new balance", "new balance",
			"statement balance", "ending balance", "closing balance", "total amount due", "nouveau solde",
			"solde actuel", "saldo al corte", "saldo actual", "saldo final", "nuevo saldo", "neuer kontostand",
			"neuer saldo", "ending account value", "ending portfolio value", "ending value"),
		moneyFact(s, "portfolioValue", "total portfolio value", "portfolio value", "total account value",
			"account value", "your portfolio value"),
	}
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
	return otherFact{name, text.Field{Captions: captions, Accept: text.AcceptText(5, looksLikePerson), Whole: true}}
}

func isCount(s string) bool { n, err := strconv.Atoi(s); return err == nil && n >= 0 && n < 5000 }

func dealFacts(s text.Segment) []otherFact {
	return []otherFact{
		nameFact("landlord", "landlord", "lessor", "bailleur", "proprietaire", "arrendador", "propietario", "vermieter",
			"vermieterin", "locador", "locatore", "verhuurder"),
		nameFact("tenant", "tenant", "tenant s", "tenants", "lessee", "locataire", "arrendatario", "inquilino",
			"mieter", "mieterin", "locatario", "conduttore", "huurder"),
		dateFact(s, "date", "date de signature", "fait le", "fecha de firma", "fecha del contrato", "vertragsdatum",
			"datum", "agreement date", "date of agreement", "dated", "effective date", "date"),
	}
}

func insuranceFacts(s text.Segment) []otherFact {
	return []otherFact{
		numberFact("policy number", "policy no", "policy #", "certificate number"),
		nameFact("name", "named insured", "insured", "policyholder"),
		dateFact(s, "date", "date mm dd yyyy", "date issued", "issue date", "effective date", "date"),
		moneyFact(s, "total", "total premium", "annual premium", "premium"),
	}
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

// findParty reads who a bill or statement is from and for: the issuer by its title or address, the customer
// above the address.
func findParty(issuer, customer string) func(text.Segment, *text.FieldFinder, map[string]any, *text.Findings) {
	return func(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
		if customer != "" && values[customer] == nil {
			if name, tokens := text.HolderOf(f.Lines); name != "" {
				values[customer] = name
				found.From(text.Pointer(customer), tokens, "")
			}
		}
		if issuer != "" && values[issuer] == nil {
			if name, tokens := companyAtTop(f.Lines); name != "" {
				values[issuer] = name
				found.From(text.Pointer(issuer), tokens, "")
			}
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
			text.SymbolCode(s) == "" && (text.Company.MatchString(s) || legalEnd.MatchString(s) || mostlyUpper(s)) {
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
	}
	p := bank.ReadPeriod(f.Lines, nil, s.Style, s.Order)
	if p.Start != nil && p.End != nil {
		set("periodStart", p.Start.String(), p.StartTokens)
		set("periodEnd", p.End.String(), p.EndText)
	}
}

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

// findTitle reads the title of a document that is of no known type: its first line, when it is a heading.
func findTitle(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	for _, l := range f.Lines[:min(len(f.Lines), 5)] {
		text := l.Text()
		if looksLikeTitle(text) && len(l.Tokens) <= 16 && !strings.HasSuffix(text, ".") {
			values["title"] = text
			found.From("/title", l.Tokens, "")
			return
		}
	}
}

// Readers is the table of simple types.
var Readers = map[dossier.DocType]text.Extractor{
	dossier.DocInvoice: readOther(invoiceFacts, findInvoiceNumber, findInvoiceTotal, findInvoiceDay, findIssuer,
		findParty("issuer", "")),
	dossier.DocReceipt:     readOther(receiptFacts, findParty("merchant", ""), findReceiptDate, findSeller),
	dossier.DocUtilityBill: readOther(billFacts, findBillName, findPayee, findParty("issuer", "name")),
	dossier.DocPayStub: readOther(payFacts, findPayTitle, findPayPeriod, findPayTotals, findPayGrid,
		findYearToDate, findPayParties, findPublicEmployer, findEmployer, findParty("company", ""), findPaidPerson,
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
	dossier.DocTaxFormOther: readOther(formFacts, findForm, findShare, findPayer, findEmployee, findQuarter,
		findBoxedEIN, findBoxedNumber, findBoxes, findFormYear),
	dossier.DocOther: readOther(func(text.Segment) []otherFact { return nil }, findTitle),
}

var (
	leaseParty = map[string]*lazyregexp.Regexp{
		"landlord": lazyregexp.New(`(?is)\bbetween:?\s+(?:the\s+)?(.{3,260}?)(?:["“'‘]|\((?:the )?)(?:landlord` +
			`|lessor|owner)["”'’)]`),
		"tenant": lazyregexp.New(`(?is)(?:["“'‘]|\((?:the )?)(?:landlord|lessor|owner)["”'’)][),.;]*\s+(?:and\s+` +
			`|&\s+)(.{3,260}?)(?:["“'‘]|\((?:the )?)(?:tenants?|lessee|resident)["”'’)]`),
	}
	// partyEnd begins what says more of a party than its name.
	partyEnd = lazyregexp.New(`(?i)\s*(?:,\s*(?:an?|the|whose|having|with|located|of|as|hereinafter|individually` +
		`|jointly|collectively|trustee)\b|\s+(?:an?|whose|having|located|residing|hereinafter|hereafter)\s|,?\s*\(` +
		`|,\s*\d).*$`)
	leaseMade = lazyregexp.New(`(?i)\ben \p{Lu}[\p{L} ]{2,30},? a\s+|\b(?:made|entered into|dated` +
		`|effective)\s+(?:and entered into\s+)?(?:this|as of|on|of)*\s*`)
)

// findLeaseParties reads the opening sentence: "made on DATE between A (Landlord) and B (Tenant)".
func findLeaseParties(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	var tokens []text.Token
	for _, l := range f.Lines[:min(len(f.Lines), 40)] {
		tokens = append(tokens, l.Tokens...)
	}
	all := text.Line{Tokens: tokens}
	str := all.Text()
	for name, pattern := range leaseParty {
		at := pattern.FindStringSubmatchIndex(str)
		if at == nil {
			continue
		}
		party := strings.TrimRight(partyEnd.ReplaceAllString(strings.ReplaceAll(str[at[2]:at[3]], "\n", " "), ""),
			" ,;(")
		if looksLikeTitle(party) {
			values[name] = party
			found.From(text.Pointer(name), all.TokensOf(at[2], at[2]+len(party)), "")
		}
	}
	if values["date"] != nil {
		return
	}
	for _, at := range leaseMade.FindAllStringIndex(str, -1) {
		for _, d := range all.Dates(s.Order) {
			if d.Complete() && d.From >= at[1]-1 && d.From <= at[1]+1 {
				values["date"] = d.Date.String()
				found.From("/date", d.Tokens, "")
				return
			}
		}
	}
}

// findReceiptDate reads the date that a receipt prints without a caption, at the start of a line.
func findReceiptDate(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if values["date"] != nil {
		return
	}
	for _, l := range f.Lines {
		for _, d := range l.Dates(s.Order) {
			if d.Complete() && d.First <= 1 {
				values["date"] = d.Date.String()
				found.From("/date", d.Tokens, "")
				return
			}
		}
	}
}

// findSeller reads the company above its address where a slip has no heading that names one.
func findSeller(_ text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if values["merchant"] != nil {
		return
	}
	for _, p := range text.Parties(f.Lines) {
		if text.Company.MatchString(p.Name) && !isCaption(p.Name) {
			values["merchant"] = p.Name
			found.From("/merchant", p.Tokens, "")
			return
		}
	}
}

// findBillName reads a customer's name that stands alone at the top of a bill.
func findBillName(s text.Segment, f *text.FieldFinder, values map[string]any, found *text.Findings) {
	if values["name"] != nil {
		return
	}
	for _, l := range f.Lines[:min(len(f.Lines), 6)] {
		for _, cell := range l.Cells() {
			if str := cell.Text(); len(cell.Tokens) >= 2 && len(cell.Tokens) <= 4 && personLine.MatchString(str) &&
				text.MeanConfidence(cell.Tokens) > 0.75 && !text.NotPerson.MatchString(str) &&
				!text.Company.MatchString(str) && !notTitle.MatchString(str) && !billWords.MatchString(str) {
				values["name"] = str
				found.From("/name", cell.Tokens, "")
				return
			}
		}
	}
}

var (
	personLine = lazyregexp.New(`^[A-Z][A-Za-z'’.-]*( [A-Z][A-Za-z'’.-]*){1,3}$`)
	billWords  = lazyregexp.New(`(?i)\b(electric|gas|water|energy|power|utility|utilities|service|amount|due|thank` +
		`|you|wireless|internet|communications|city|county|district|light)\b`)
)

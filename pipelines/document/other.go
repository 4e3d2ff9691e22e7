package document

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// otherFact is one fact of the simple types: found by its captions, or not at all.
type otherFact struct {
	name string
	field
}

// readOther returns an extractor for a type whose facts are captioned values. Amounts are dossier.Amount,
// dates and text strings; a fact that is not printed is absent.
func readOther(facts func(Segment) []otherFact, more ...func(Segment, *fieldFinder, map[string]any, *Findings)) extractor {
	return func(s Segment) Findings {
		var found Findings
		finder := newFieldFinder(s.Lines())
		values := map[string]any{}
		for _, f := range facts(s) {
			v, used, ok := finder.find(f.field)
			if !ok {
				continue
			}
			values[f.name] = v
			found.From(pointer(f.name), used, f.captions[0])
		}
		for _, m := range more {
			m(s, finder, values, &found)
		}
		found.Facts.Other = values
		return found
	}
}

func dateFact(s Segment, name string, captions ...string) otherFact {
	return otherFact{name, field{captions: captions, accept: acceptDate(s.Order)}}
}

func moneyFact(s Segment, name string, captions ...string) otherFact {
	return otherFact{name, field{captions: captions, accept: acceptMoney(s.Style)}}
}

func numberFact(captions ...string) otherFact {
	return otherFact{"number", field{captions: captions, accept: acceptJoined(func(t string) bool { return referenceNumber.MatchString(t) && hasDigits(t, 2) })}}
}

func nameFact(name string, captions ...string) otherFact {
	return otherFact{name, field{captions: captions, accept: acceptText(8, looksLikeTitle)}}
}

// referenceNumber is the number of an invoice, policy or form: letters, digits and hyphens.
var referenceNumber = lazyregexp.New(`^[A-Z]{0,6}[-#/]?[A-Z0-9][A-Z0-9./-]{1,24}$`)

// looksLikeTitle reports whether text can name a person, company or thing: it begins with a letter and has
// no amount or date in it.
func looksLikeTitle(text string) bool {
	r := []rune(text)
	if len(r) < 3 || len(r) > 80 || strings.HasSuffix(text, ":") {
		return false
	}
	return unicode.IsUpper(r[0]) && len(FindDates(text, MonthFirst)) == 0
}

func invoiceFacts(s Segment) []otherFact {
	return []otherFact{
		numberFact("invoice number", "invoice no", "invoice #", "invoice num", "inv no", "invoice id", "tax invoice", "invoice", "number", "document number"),
		dateFact(s, "date", "invoice date", "date of issue", "issue date", "date issued", "billing date", "invoice dated", "date"),
		dateFact(s, "dueDate", "due date", "payment due", "due by", "pay by", "due"),
		moneyFact(s, "total", "grand total", "invoice total", "total amount", "total due", "amount due", "balance due", "total"),
		moneyFact(s, "amountDue", "amount due", "balance due", "total due", "please pay"),
	}
}

func receiptFacts(s Segment) []otherFact {
	return []otherFact{
		dateFact(s, "date", "transaction date", "date of purchase", "purchase date", "order date", "date paid", "date"),
		numberFact("receipt number", "receipt no", "receipt #", "transaction id", "transaction", "order number", "trans #"),
		moneyFact(s, "total", "grand total", "total amount", "amount paid", "total paid", "total"),
	}
}

func billFacts(s Segment) []otherFact {
	return []otherFact{
		dateFact(s, "statementDate", "statement date", "bill date", "billing date", "invoice date", "date of bill", "bill issued", "date issued", "issue date"),
		dateFact(s, "dueDate", "due date", "payment due date", "payment due", "pay by", "due by"),
		moneyFact(s, "amountDue", "total amount due", "amount due", "total due", "balance due", "please pay", "pay this amount", "amount to pay"),
		moneyFact(s, "currentBalanceDue", "current balance due", "current charges due", "current balance"),
		numberFact("account number", "account no", "customer number", "account"),
	}
}

func payFacts(s Segment) []otherFact {
	return []otherFact{
		nameFact("employee", "employee name", "employee", "pay to", "name"),
		nameFact("company", "company name", "employer name", "employer", "company"),
		nameFact("title", "job title", "position", "title"),
		dateFact(s, "periodStart", "period start", "pay period start", "period beginning", "pay begin date", "pay period begin", "period begin", "start date"),
		dateFact(s, "periodEnd", "period end", "pay period end", "period ending", "pay end date", "period ended", "end date"),
		dateFact(s, "payDate", "pay date", "check date", "payment date", "paid date", "pay day", "date paid", "advice date"),
		moneyFact(s, "totalEarnings", "gross pay this period", "total earnings this period", "total earnings", "gross pay", "gross earnings", "total gross", "gross"),
		moneyFact(s, "totalEarningsYtd", "gross pay year to date", "gross pay ytd", "total earnings ytd", "ytd gross", "year to date gross", "gross ytd"),
		moneyFact(s, "netPay", "net pay this period", "net pay", "net amount", "take home pay", "net check", "total net pay"),
	}
}

func accountFacts(s Segment) []otherFact {
	return []otherFact{
		dateFact(s, "statementDate", "statement date", "statement closing date", "closing date"),
		moneyFact(s, "openingBalance", "previous balance", "beginning balance", "opening balance", "beginning account value", "beginning portfolio value", "beginning value"),
		moneyFact(s, "closingBalance", "new balance total", "new balance", "ending balance", "closing balance", "ending account value", "ending portfolio value", "ending value"),
		moneyFact(s, "portfolioValue", "total portfolio value", "portfolio value", "total account value", "account value", "your portfolio value"),
	}
}

func assetFacts(s Segment) []otherFact {
	return []otherFact{
		moneyFact(s, "totalAssets", "total assets", "total balance", "total current balance", "combined balance"),
		dateFact(s, "requestedOn", "requested on", "date requested", "report date", "date generated", "report generated", "created on", "generated on", "created"),
		{"daysRequested", field{captions: []string{"days requested", "number of days", "days of history"}, accept: acceptToken(isCount)}},
		{"accounts", field{captions: []string{"number of accounts", "accounts", "total accounts"}, accept: acceptToken(isCount)}},
		nameFact("name", "account holder", "account owner", "borrower", "prepared for", "name"),
		nameFact("institution", "institution", "financial institution", "bank"),
	}
}

func isCount(s string) bool { n, err := strconv.Atoi(s); return err == nil && n >= 0 && n < 5000 }

func dealFacts(s Segment) []otherFact {
	return []otherFact{
		nameFact("landlord", "landlord", "lessor"), nameFact("tenant", "tenant", "tenants", "lessee"),
		dateFact(s, "date", "agreement date", "date of agreement", "dated", "effective date", "date"),
	}
}

func insuranceFacts(s Segment) []otherFact {
	return []otherFact{
		numberFact("policy number", "policy no", "policy #", "certificate number"),
		nameFact("name", "named insured", "insured", "policyholder"),
		dateFact(s, "date", "date issued", "issue date", "effective date", "date"),
		moneyFact(s, "total", "total premium", "annual premium", "premium"),
	}
}

func rateFacts(s Segment) []otherFact {
	return []otherFact{
		dateFact(s, "date", "date", "confirmation date", "issued", "order date", "date issued"),
		numberFact("load number", "load #", "load no", "confirmation number", "order number", "pro number", "freight bill", "reference number", "load"),
		moneyFact(s, "total", "total rate", "total pay", "total charges", "total carrier pay", "agreed amount", "total amount", "rate", "total"),
	}
}

func checkFacts(s Segment) []otherFact {
	return []otherFact{
		dateFact(s, "date", "date"), numberFact("check no", "check number", "no"),
		nameFact("name", "pay to the order of", "order of"), moneyFact(s, "total", "amount", "$"),
	}
}

func planFacts(s Segment) []otherFact {
	return []otherFact{
		{"form", field{captions: []string{"form"}, accept: acceptToken(func(t string) bool { return strings.HasPrefix(t, "5500") })}},
		dateFact(s, "planYearBegin", "plan year beginning", "or fiscal plan year beginning", "beginning"),
		nameFact("name", "name of plan"),
	}
}

func ssnFacts(Segment) []otherFact {
	return []otherFact{nameFact("name", "this number has been established for", "established for")}
}

var ssnPattern = lazyregexp.New(`^(?:\d{3}-\d{2}-\d{4}|[Xx*]{3}-[Xx*]{2}-\d{4})$`) // its first figures are often hidden

// findSSN reads the number that the card prints without a caption.
func findSSN(s Segment, f *fieldFinder, values map[string]any, found *Findings) {
	for _, l := range f.lines {
		for _, t := range l.Tokens {
			if ssnPattern.MatchString(t.Text) && values["ssn"] == nil {
				values["ssn"] = t.Text
				found.From("/ssn", []Token{t}, "")
			}
		}
	}
}

// findParty reads who a bill or statement is from and for: the issuer by its title or address, the customer
// above the address.
func findParty(issuer, customer string) func(Segment, *fieldFinder, map[string]any, *Findings) {
	return func(s Segment, f *fieldFinder, values map[string]any, found *Findings) {
		if customer != "" && values[customer] == nil {
			if name, tokens := holderOf(f.lines); name != "" {
				values[customer] = name
				found.From(pointer(customer), tokens, "")
			}
		}
		if issuer != "" && values[issuer] == nil {
			if name, tokens := companyAtTop(f.lines); name != "" {
				values[issuer] = name
				found.From(pointer(issuer), tokens, "")
			}
		}
	}
}

var notTitle = lazyregexp.New(`(?i)\b(invoice|receipt|statement|page|date|bill|number|phone|tel|fax|www|confirmation|account|customer|total|summary|copy|original)\b|@|\.com|\d{3}`)

// companyAtTop is the heading of a receipt or bill: the first line of the page that names something, in
// larger type than the page's own, or as a company.
func companyAtTop(lines []Line) (string, []Token) {
	for _, l := range lines[:min(len(lines), 4)] {
		text := strings.TrimSpace(l.Cells()[0].Text())
		if looksLikeTitle(text) && !notTitle.MatchString(text) && len(strings.Fields(text)) <= 6 && (company.MatchString(text) || strings.ToUpper(text) == text) {
			return text, l.Cells()[0].Tokens
		}
	}
	return "", nil
}

// findBank reads institution, holder, number and period of statements of other accounts.
func findBank(s Segment, f *fieldFinder, values map[string]any, found *Findings) {
	set := func(name, value string, tokens []Token) {
		if value != "" && values[name] == nil {
			values[name] = value
			found.From(pointer(name), tokens, "")
		}
	}
	name, tokens := institutionOf(f.lines, s.Style)
	set("institution", name, tokens)
	holder, tokens := holderOf(f.lines)
	set("accountHolder", holder, tokens)
	if numbers := accountNumbers(f.lines); len(numbers) > 0 {
		set("accountNumber", numbers[0].text, numbers[0].tokens)
	}
	p := readPeriod(f.lines, nil, s.Style, s.Order)
	if p.start != nil && p.end != nil {
		set("periodStart", p.start.String(), p.startTokens)
		set("periodEnd", p.end.String(), p.endText)
	}
}

// findPayPeriod reads a pay period printed as a span.
func findPayPeriod(s Segment, f *fieldFinder, values map[string]any, found *Findings) {
	if values["periodStart"] != nil && values["periodEnd"] != nil {
		return
	}
	p := readPeriod(f.lines, nil, s.Style, s.Order)
	if p.start == nil || p.end == nil {
		return
	}
	values["periodStart"], values["periodEnd"] = p.start.String(), p.end.String()
	found.From("/periodStart", p.startTokens, "")
	found.From("/periodEnd", p.endText, "")
}

// findYearToDate reads the second amount beside total earnings: the year to date.
func findYearToDate(s Segment, f *fieldFinder, values map[string]any, found *Findings) {
	for _, l := range f.lines {
		if values["totalEarningsYtd"] != nil {
			return
		}
		text := Fold(l.Text())
		if !HasWords(text, "gross pay") && !HasWords(text, "total earnings") && !HasWords(text, "gross earnings") {
			continue
		}
		if amounts := moneyOn(l, s.Style); len(amounts) == 2 {
			m := amounts[1]
			values["totalEarningsYtd"] = m.Value.String()
			found.From("/totalEarningsYtd", l.Tokens[m.First:m.Last+1], "")
			return
		}
	}
}

// findTitle reads the title of a document that is of no known type: its first line, when it is a heading.
func findTitle(s Segment, f *fieldFinder, values map[string]any, found *Findings) {
	for _, l := range f.lines[:min(len(f.lines), 5)] {
		text := l.Text()
		if looksLikeTitle(text) && len(l.Tokens) <= 16 && !strings.HasSuffix(text, ".") {
			values["title"] = text
			found.From("/title", l.Tokens, "")
			return
		}
	}
}

// otherFacts is the table of simple types.
var otherFacts = map[dossier.DocType]extractor{
	dossier.DocInvoice:             readOther(invoiceFacts, findParty("issuer", "")),
	dossier.DocReceipt:             readOther(receiptFacts, findParty("merchant", ""), findReceiptDate),
	dossier.DocUtilityBill:         readOther(billFacts, findBillName, findParty("issuer", "name")),
	dossier.DocPayStub:             readOther(payFacts, findPayPeriod, findYearToDate, findParty("company", "employee")),
	dossier.DocCreditCardStatement: readOther(accountFacts, findBank),
	dossier.DocBrokerageStatement:  readOther(accountFacts, findBank),
	dossier.DocInvestmentStatement: readOther(accountFacts, findBank),
	dossier.DocAssetVerification:   readOther(assetFacts),
	dossier.DocLease:               readOther(dealFacts, findLeaseParties),
	dossier.DocInsurance:           readOther(insuranceFacts),
	dossier.DocRateConfirmation:    readOther(rateFacts),
	dossier.DocCheck:               readOther(checkFacts),
	dossier.DocRentRoll:            readOther(rentFacts, findRentTotal),
	dossier.DocBenefitPlanReport:   readOther(planFacts),
	dossier.DocSocialSecurityCard:  readOther(ssnFacts, findSSN),
	dossier.DocTaxFormOther:        readOther(formFacts, findForm, findEmployee, findQuarter),
	dossier.DocOther:               readOther(func(Segment) []otherFact { return nil }, findTitle),
}

var (
	leaseParties = lazyregexp.New(`(?i)\bbetween\s+(.{3,80}?),?\s*\((?:the\s+|hereinafter\s+)?["“']?(?:landlord|lessor)["”']?\),?\s+and\s+(.{3,80}?),?\s*\((?:the\s+|hereinafter\s+)?["“']?(?:tenant|lessee)`)
	leaseMade    = lazyregexp.New(`(?i)\b(?:made|entered into|dated|effective)\s+(?:and entered into\s+)?(?:this|as of|on|of)*\s*`)
)

// findLeaseParties reads the opening sentence: "made on DATE between A (Landlord) and B (Tenant)".
func findLeaseParties(s Segment, f *fieldFinder, values map[string]any, found *Findings) {
	var tokens []Token
	for _, l := range f.lines[:min(len(f.lines), 40)] {
		tokens = append(tokens, l.Tokens...)
	}
	all := Line{Tokens: tokens}
	text := all.Text()
	if at := leaseParties.FindStringSubmatchIndex(text); at != nil {
		for i, name := range []string{"landlord", "tenant"} {
			from, to := at[2+2*i], at[3+2*i]
			values[name] = text[from:to]
			found.From(pointer(name), all.TokensOf(from, to), "")
		}
	}
	if values["date"] != nil {
		return
	}
	for _, at := range leaseMade.FindAllStringIndex(text, -1) {
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
func findReceiptDate(s Segment, f *fieldFinder, values map[string]any, found *Findings) {
	if values["date"] != nil {
		return
	}
	for _, l := range f.lines {
		for _, d := range l.Dates(s.Order) {
			if d.Complete() && d.First <= 1 {
				values["date"] = d.Date.String()
				found.From("/date", d.Tokens, "")
				return
			}
		}
	}
}

// findBillName reads a customer's name that stands alone at the top of a bill.
func findBillName(s Segment, f *fieldFinder, values map[string]any, found *Findings) {
	if values["name"] != nil {
		return
	}
	for _, l := range f.lines[:min(len(f.lines), 6)] {
		for _, cell := range l.Cells() {
			if text := cell.Text(); len(cell.Tokens) >= 2 && len(cell.Tokens) <= 4 && personLine.MatchString(text) && meanConfidence(cell.Tokens) > 0.75 && !notPerson.MatchString(text) && !company.MatchString(text) && !notTitle.MatchString(text) && !billWords.MatchString(text) {
				values["name"] = text
				found.From("/name", cell.Tokens, "")
				return
			}
		}
	}
}

var (
	personLine = lazyregexp.New(`^[A-Z][A-Za-z'’.-]*( [A-Z][A-Za-z'’.-]*){1,3}$`)
	billWords  = lazyregexp.New(`(?i)\b(electric|gas|water|energy|power|utility|utilities|service|amount|due|thank|you|wireless|internet|communications|city|county|district|light)\b`)
)

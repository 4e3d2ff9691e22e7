package classify

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// telling are the facts that tell two papers of one type apart, and those of which a whole paper has one: a page with a
// sum of its own and two facts that differ is of another paper. A later page of the same repeats them, or has none.
var telling = map[dossier.DocType]struct{ facts, whole []string }{
	dossier.DocPayStub: {[]string{"company", "employee", "periodEnd", "payDate", "netPay", "totalEarnings"},
		[]string{"netPay", "totalEarnings"}},
	dossier.DocInvoice: {[]string{"number", "date", "dueDate", "issuer", "total"}, []string{"total"}},
	dossier.DocReceipt: {[]string{"number", "date", "merchant", "total"}, []string{"total"}},
	dossier.DocUtilityBill: {[]string{"institution", "name", "statementDate", "dueDate", "amountDue"},
		[]string{"amountDue"}},
	dossier.DocCheck: {[]string{"number", "date", "total", "name"}, []string{"number", "total"}},
	dossier.DocCreditCardStatement: {[]string{"institution", "accountHolder", "accountNumber", "periodEnd",
		"closingBalance"}, []string{"closingBalance"}},
	dossier.DocBrokerageStatement: {[]string{"institution", "accountHolder", "accountNumber", "periodEnd",
		"closingBalance", "portfolioValue"}, []string{"closingBalance", "portfolioValue"}},
	dossier.DocTaxFormOther: {[]string{"ein", "ssn", "name", "employee", "employer", "entityName", "wages"},
		[]string{"ein", "ssn"}},
	dossier.DocBankStatement: {[]string{"periodStart", "periodEnd", "openingBalance"}, []string{"openingBalance"}},
}

// leastApart is how many facts of two papers differ.
const leastApart = 2

// otherPaper reports whether a page of the run's type is of another paper than the first of its pages of that type.
func (r *run) otherPaper(p text.Page, k pageKind, read func(dossier.DocType) text.Extractor) bool {
	tell, known := telling[k.docType]
	if !known || read == nil || k.docType != r.kind.docType || p.Layer == text.LayerNative {
		return false
	}
	if r.facts == nil {
		first := slices.IndexFunc(r.kinds, func(of pageKind) bool { return of.docType == k.docType })
		r.facts = tellingFacts(r.pages[max(0, first)], r.kind, read(k.docType))
	}
	facts := tellingFacts(p, k, read(k.docType))
	if !slices.ContainsFunc(tell.whole, func(name string) bool { return facts[name] != "" }) {
		return false
	}
	apart := 0
	for name, v := range facts {
		if before := r.facts[name]; before != "" && v != before {
			apart++
		}
	}
	return apart >= leastApart
}

// statementTitle matches the line below a company's name that says which of its statements a page is.
var statementTitle = lazyregexp.New(`^(?:(?:consolidated|comparative|condensed|unaudited) )*(?:income statement` +
	`|profit (?:and|&) loss(?: statement)?|balance sheets?|statements? of (?:[a-z]+ ){0,3}(?:income|operations` +
	`|earnings|financial (?:position|condition)|cash flows?|assets)(?: [a-z]+){0,4})$`)

// companyOf is the company that the title of a statement names: alone on the line above what the statement is.
func companyOf(lines []text.Line) string {
	for i := range lines[:max(0, min(len(lines)-1, 4))] {
		name, below := lines[i].Text(), text.Fold(lines[i+1].Text())
		if len(lines[i].Cells()) == 1 && len(lines[i].Tokens) <= 7 && text.Company.MatchString(name) &&
			statementTitle.MatchString(below) {
			return text.Fold(name)
		}
	}
	return ""
}

// otherCompany reports whether a page is the statement of another company than a short run's: their names have no word
// in common but the form of law. The statements of a group's companies stand within a long report.
func (r *run) otherCompany(k pageKind) bool {
	if k.company == "" || r.company == "" || len(r.pages) >= longRun {
		return false
	}
	for w := range strings.FieldsSeq(k.company) {
		if len(w) > 2 && text.HasWords(r.company, w) && !text.LegalForm.MatchString(w) {
			return false
		}
	}
	return true
}

// tellingFacts reads the facts of one page that tell its paper from others.
func tellingFacts(p text.Page, k pageKind, read text.Extractor) map[string]string {
	pages := []text.Page{p}
	found := read(text.Segment{Pages: pages, Type: k.docType, Form: k.form, Year: k.year,
		Style: text.StyleOf(pages), Order: text.OrderOf(pages)})
	all, facts := map[string]any{}, map[string]string{}
	if raw, err := json.Marshal(found.Facts); err != nil || json.Unmarshal(raw, &all) != nil {
		return nil
	}
	for _, name := range telling[k.docType].facts {
		if v := all[name]; v != nil {
			facts[name] = fmt.Sprint(v)
		}
	}
	return facts
}

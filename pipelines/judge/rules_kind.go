package judge

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/doctype"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// kindWord is a way to name a type of document in a rule.
type kindWord struct {
	words string
	name  string
	is    func(dossier.ReadDocument) bool
}

func ofType(types ...dossier.DocType) func(dossier.ReadDocument) bool {
	return func(d dossier.ReadDocument) bool { return slices.Contains(types, d.DocType) }
}

func hasStatement(get func(dossier.Statements) []dossier.StatementColumn) func(dossier.ReadDocument) bool {
	return func(d dossier.ReadDocument) bool {
		return d.Facts.Statement != nil && len(get(d.Facts.Statement.Statements)) > 0
	}
}

var (
	isIncomeStatement = hasStatement(func(s dossier.Statements) []dossier.StatementColumn { return s.IncomeStatement })
	isBalanceSheet    = hasStatement(func(s dossier.Statements) []dossier.StatementColumn { return s.BalanceSheet })
	isCashFlow        = hasStatement(func(s dossier.Statements) []dossier.StatementColumn { return s.CashFlow })
)

// kindWords are the names of types of documents, and of several types or of parts of one.
var kindWords = append(typeWords(),
	kindWord{
		`(?:investment|retirement|401 ?k) (?:account )?statement`,
		"an investment statement",
		ofType(dossier.DocInvestmentStatement, dossier.DocBrokerageStatement),
	},
	kindWord{
		`(?:national |state )id(?: card|entity card)?`,
		"a national or state identity card",
		ofType(dossier.DocNationalID),
	},
	kindWord{
		`government issued|(?:government issued |government |valid |photo )*(?:photo id|photo identification|id ` +
			`card|id|identity document|identification(?: document)?)`,
		"an identity document",
		ofType(dossier.DocDriversLicense, dossier.DocPassport, dossier.DocNationalID, dossier.DocResidencePermit),
	},
	kindWord{
		`(?:profit (?:and|&) loss(?: statement)?|p ?& ?l(?: statement)?|income statement)`,
		"an income statement",
		isIncomeStatement,
	},
	kindWord{`balance sheet`, "a balance sheet", isBalanceSheet},
	kindWord{`(?:statement of )?cash flows?(?: statement)?`, "a cash flow statement", isCashFlow},
)

// typeWords are the names of the types that rules name alone.
func typeWords() []kindWord {
	var words []kindWord
	for _, k := range doctype.All() {
		if k.Rule != "" {
			words = append(words, kindWord{k.Rule, k.Name, ofType(k.Type)})
		}
	}
	return words
}

var (
	oneKind    = allKinds()
	kindWordIs = anchored(len(kindWords), func(i int) string { return `(?:` + kindWords[i].words + `)s?` })
	kindPlural = lazyregexp.New(
		`^(?:statements|returns|licen[sc]es|passports|invoices|receipts|bills|leases|checks|sheets|stubs|paystubs` +
			`|cards|certificates)$`,
	)
	kindFind = lazyregexp.New(`\b` + oneKind + `s?\b`)
	kindIs   = lazyregexp.New(
		`^(?:(?:document|file|it|upload|scan|copy) )?(?:is|not|is not) (?:official |us |1 of (?:following : )?` +
			`|either )*(?P<kinds>` + oneKind + `s?(?:` + kindJoin + ` ` + oneKind + `s?)*)$`,
	)
	parts = lazyregexp.New(
		`^(?:includes|contains|has|shows|provides)(?: both)? (?P<kinds>(?:` + oneKind + `)(?:(?: ,)?(?: and| ,|,) (?:` +
			oneKind + `))*)$`,
	)
)

// slug names the kind in the table of words for reasons.
func (k kindWord) slug() string {
	if k.name == "a driver's license" {
		return string(dossier.DocDriversLicense)
	}
	if k.name == "a national or state identity card" {
		return "state_id"
	}
	_, words, _ := strings.Cut(k.name, " ")
	return strings.ReplaceAll(words, " ", "_")
}

// yearPointers are the facts that say a document's year.
var yearPointers = []string{"/taxYear", "/periodEnd", "/statementDate", "/date"}

func allKinds() string {
	words := make([]string, len(kindWords))
	for i, k := range kindWords {
		words[i] = k.words
	}
	return `(?:` + strings.Join(words, "|") + `)`
}

// readDocumentKind reads "the document is a passport or a driver's license", "is not a credit card statement".
func readDocumentKind(c clause) (rule, bool) {
	s := strings.Join(singular(c.words), " ")
	g := kindIs.FindStringSubmatch(s)
	if g == nil {
		return rule{}, false
	}
	kinds := kindsOf(g[kindIs.SubexpIndex("kinds")])
	if len(kinds) == 0 {
		return rule{}, false
	}
	r := isKind(kinds)
	if text.HasWords(s, "us") && !text.HasWords(s, "return") {
		if strings.Contains(s, "not ") {
			return rule{}, false
		}
		r = bothOf(r, isAmerican())
	}
	if text.HasWords(s, "official") {
		r = bothOf(r, negate(fileKindRule([]string{"screenshot", "list"})))
	}
	return negateIf(r, strings.Contains(s, "not ") || strings.Contains(s, " nor ")), true
}

// singular drops the plural of the words that name documents.
func singular(words []string) []string {
	out := slices.Clone(words)
	for i, w := range out {
		if kindPlural.MatchString(w) {
			out[i] = strings.TrimSuffix(w, "s")
		}
	}
	return out
}

func kindsOf(text string) []kindWord {
	var kinds []kindWord
	for _, part := range kindFind.FindAllString(text, -1) {
		found := false
		for i, k := range kindWords {
			if kindWordIs[i].MatchString(part) {
				kinds = append(kinds, k)
				found = true
				break
			}
		}
		if !found {
			return nil
		}
	}
	return kinds
}

func isKind(kinds []kindWord) rule {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.name
	}
	return rule{
		reading: "the document is " + strings.Join(names, " or "),
		judge: func(e *evidence) answer {
			if e.doc.Confidence < minTypeConfidence {
				return ask(say("kind_doubted", "confidence", e.doc.Confidence))
			}
			fits := slices.ContainsFunc(kinds, func(k kindWord) bool { return k.is(e.doc) })
			return met(fits, say("kind_is", kindArgs(e.doc)...)).at(e.doc, "/form", "/taxYear", "/idType")
		},
	}
}

// isAmerican holds for an identity document that an American office issued.
func isAmerican() rule {
	return rule{reading: "it was issued in the United States", judge: func(e *evidence) answer {
		if e.doc.Facts.Identity == nil || e.doc.Facts.Identity.Country == nil {
			return missing("country_of_issue")
		}
		return met(
			*e.doc.Facts.Identity.Country == "USA",
			say("country_is", "country", *e.doc.Facts.Identity.Country),
		).at(e.doc, "/country")
	}}
}

// readParts reads "includes a balance sheet and an income statement": the file must hold each.
func readParts(c clause) (rule, bool) {
	g := parts.FindStringSubmatch(strings.Join(singular(c.words), " "))
	if g == nil {
		return rule{}, false
	}
	kinds := kindsOf(g[parts.SubexpIndex("kinds")])
	if len(kinds) == 0 {
		return rule{}, false
	}
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.name
	}
	return rule{
		reading:  "the file includes " + strings.Join(names, " and "),
		together: true,
		judge: func(e *evidence) answer {
			var has, lacks []string
			for _, k := range kinds {
				if slices.ContainsFunc(append(slices.Clone(e.Extraction.Documents), e.Others...), k.is) {
					has = append(has, k.slug())
				} else {
					lacks = append(lacks, k.slug())
				}
			}
			if len(lacks) > 0 {
				return met(false, say("parts_missing", "parts", lacks))
			}
			return met(true, say("parts_included", "parts", has))
		},
	}, true
}

const kindJoin = `(?:(?: ,)?(?: or| and or| nor| ,| /))`

const formWord = `(?:1040(?: ?(?:sr|nr|x|ss))?|1120(?: ?[sch])?|1065|990(?: ez| pf)?|1041|schedule (?:[a-f]|k ?1|se` +
	`|l)|k[- ]?1|w[- ]?2|w[- ]?9|941|940|4868|7004|5500|1098|1099(?: (?:nec|misc|int|div|r|k|g))?)`

var (
	formNumbers = lazyregexp.New(formWord)
	formIs      = lazyregexp.New(
		`\b(?:(?P<year>(?:19|20)\d{2}) )?(?:us )?(?:irs )?(?:tax )?(?:(?:form|return)(?: (?:type|number))? )?(?:is ` +
			`)?(?:either )?(?:irs )?(?:form )?(?P<forms>` + formWord + `(?:(?: ,)?(?: or| ,| /) (?:irs )?(?:form )?` +
			formWord + `)*)(?: (?:form|tax return|return))?(?: for (?:tax )?(?:year )?(?P<year2>(?:19|20)\d{2}))?`,
	)
	yearIs = lazyregexp.New(
		`\b(?:(?:is )?for )?(?:(?:most recent |latest )?(?:tax|fiscal|calendar|filing|return) year|year)(?: is| ` +
			`of)? (?P<years>(?:19|20)\d{2}(?:(?: ,)?(?: or| ,| /) (?:19|20)\d{2})*)(?: (?:or|and) (?P<how>later` +
			`|newer|after|more recent|above|earlier|before))?`,
	)
	forYear = lazyregexp.New(
		`^(?:is )?(?:for|from|of) (?P<years>(?:19|20)\d{2}(?: or (?:19|20)\d{2})*)(?: (?:or|and) (?P<how>later` +
			`|newer|after|more recent|earlier|before))?$`,
	)
	yearThing = lazyregexp.New(
		`^is (?P<years>(?:19|20)\d{2}(?: or (?:19|20)\d{2})*)(?: (?:federal )?(?:income )?(?:tax )?(?:return|form))$`,
	)
	yearAlone = lazyregexp.New(`^is (?P<years>(?:19|20)\d{2}) (?:or|and) (?P<how>later|newer|more recent|earlier)$`)
	lastYear  = lazyregexp.New(
		`\b(?:is )?(?:for )?(?:(?:most recent|latest|last|prior|previous)(?: (?:filed|completed|full))? (?:tax ` +
			`|fiscal |calendar )?year|most recent (?:filed )?tax return)`,
	)
)

// readFormOrYear reads "the form is 1120-S or 1065", "is for tax year 2023 or later", "the most recent tax year".
func readFormOrYear(c clause) (rule, bool) {
	const own = "tax year form irs return federal income filed"
	if g, negated, ok := c.matchWhole(formIs, own); ok {
		forms := formNumbers.FindAllString(g["forms"], -1)
		r := isForm(forms)
		for _, year := range []string{g["year"], g["year2"]} {
			if year != "" {
				r = bothOf(r, isYear([]string{year}, ""))
			}
		}
		return negateIf(r, negated), true
	}
	for _, pattern := range []*lazyregexp.Regexp{yearIs, forYear, yearThing, yearAlone} {
		if g, negated, ok := c.matchWhole(pattern, own); ok {
			return negateIf(isYear(labelYear.FindAllString(g["years"], -1), g["how"]), negated), true
		}
	}
	if _, negated, ok := c.matchWhole(lastYear, own); ok {
		return negateIf(isLastYear(), negated), true
	}
	return rule{}, false
}

// plainForm writes a form's number for comparing: "1120-S" and "1120 s" are 1120s.
func plainForm(form string) string {
	return strings.ReplaceAll(strings.TrimPrefix(text.Fold(form), "form "), " ", "")
}

func isForm(forms []string) rule {
	return rule{
		reading: "the form is " + strings.ToUpper(strings.Join(forms, " or ")),
		judge: func(e *evidence) answer {
			form := formOf(e.doc)
			if form == "" {
				return missing("form_number")
			}
			holds := slices.ContainsFunc(forms, func(f string) bool {
				return plainForm(f) == plainForm(form) ||
					strings.HasSuffix(plainForm(form), plainForm(f)) && strings.HasPrefix(f, "schedule")
			})
			return met(holds, say("form_is", "form", form, "asked", forms)).at(e.doc, "/form")
		},
	}
}

func isYear(years []string, how string) rule {
	reading := "the tax year is " + strings.Join(years, " or ")
	switch how {
	case "later", "newer", "after", "more recent", "above":
		reading += " or later"
	case "earlier", "before":
		reading += " or earlier"
	}
	return rule{reading: reading, judge: func(e *evidence) answer {
		year := fmt.Sprintf("%04d", documentYear(e.doc))
		if year == "0000" {
			return missing("year")
		}
		holds := slices.Contains(years, year)
		switch {
		case strings.HasSuffix(reading, "later"):
			holds = year >= years[0]
		case strings.HasSuffix(reading, "earlier"):
			holds = year <= years[0]
		}
		return met(holds, say("year_is", "year", year, "asked", years)).at(e.doc, yearPointers...)
	}}
}

func isLastYear() rule {
	return rule{
		reading: "the tax year is last year, or the year before while last year's return may still be open (until " +
			"October 15)",
		judge: func(e *evidence) answer {
			year := documentYear(e.doc)
			if year == 0 {
				return missing("year")
			}
			thisYear, month, day := e.Today.Date()
			open := month < 10 || month == 10 && day <= 15 // the extended due date of an individual's return
			return met(
				year >= thisYear-1 || open && year == thisYear-2,
				say("year_is", "year", strconv.Itoa(year), "asked", []string{strconv.Itoa(thisYear - 1)}),
			).at(e.doc, yearPointers...)
		},
	}
}

// documentYear is the tax year of a form, or the year in which the period of another document ends.
func documentYear(d dossier.ReadDocument) int {
	if y := yearOf(d); y != 0 {
		return y
	}
	if span, ok := periodSpan(d, 1<<30); ok {
		year, _, _ := span.To.Date()
		return year
	}
	if dated, ok := documentDate(d); ok {
		year, _, _ := dated.day.Date()
		return year
	}
	return 0
}

var (
	auditedIs = lazyregexp.New(
		`\b(?:is )?(?:independently )?(?:audited)(?: by (?:cpa|accountant|independent auditor|auditor))?`,
	)
	basisIs = lazyregexp.New(
		`\b(?:(?:is )?(?:prepared )?(?:on|in|uses|use) )?(?P<basis>accrual|cash|tax) basis(?: of accounting| ` +
			`accounting)?|\b(?:accounting )?(?:basis|method) is (?P<basis2>accrual|cash|tax)`,
	)
)

// readAccounts reads how a financial statement was made: audited, on which basis.
func readAccounts(c clause) (rule, bool) {
	const own = "financial figures basis accounting method uses prepared"
	if _, negated, ok := c.matchWhole(auditedIs, own); ok {
		return negateIf(rule{reading: "the financial statement is audited", judge: func(e *evidence) answer {
			s := e.doc.Facts.Statement
			if s == nil || s.Audited == nil {
				return ask(say("audit_unread"))
			}
			return met(*s.Audited, either(*s.Audited, "audited", "not_audited")).at(e.doc, "/audited")
		}}, negated), true
	}
	g, negated, ok := c.matchWhole(basisIs, own)
	if !ok {
		return rule{}, false
	}
	want := orWord(g["basis"], g["basis2"])
	return negateIf(rule{reading: "the accounting basis is " + want, judge: func(e *evidence) answer {
		var basis *string
		switch f := e.doc.Facts; {
		case f.Statement != nil:
			basis = f.Statement.Basis
		case f.Tax != nil:
			basis = f.Tax.AccountingMethod
		}
		if basis == nil {
			return missing("accounting_basis")
		}
		return met(
			strings.EqualFold(*basis, want),
			say("basis_is", "basis", *basis),
		).at(e.doc, "/basis", "/accountingMethod")
	}}, negated), true
}

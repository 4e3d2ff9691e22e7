package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// fileKinds are the kinds of file that rules name, mostly to refuse them.
var fileKinds = []struct{ name, words string }{
	{
		"screenshot",
		`(?:screen ?shots?|screen ?grabs?|screen captures?|(?:photos?|pictures?|photographs?) of (?:computer |phone ` +
			`)?screen)`,
	},
	{
		"list",
		`(?:(?:online |bank |account )*(?:transaction|activity)(?: (?:list(?:ing)?|history|export|log|download` +
			`|printout|report|summary))s?|csv(?: file| export)?|(?:csv |excel )?export)`,
	},
	{"spreadsheet", `(?:spreadsheet|excel(?: file| sheet)?|xlsx?)(?: file)?`},
	{"photo", `(?:photos?|photographs?|pictures?|cell phone photos?|phone photos?)`},
	{"scan", `(?:scans?|scanned(?: copy| document| image)?)`},
	{"pdf", `pdfs?(?: file| document| format| copy)?`},
}

var (
	anyFileKind       = fileKindPattern()
	fileKindPatterns  = anchored(len(fileKinds), func(i int) string { return fileKinds[i].words })
	fileKindSeparator = lazyregexp.New(`(?: ,)?(?: or| nor| and| ,) (?:not )?`)
	fileKindList      = lazyregexp.New(
		`\b(?:in )?(?P<kinds>` + anyFileKind + `(?:(?: ,)?(?: or| nor| and| ,) (?:not )?` + anyFileKind +
			`)*)(?: format)?`,
	)
)

func fileKindPattern() string {
	words := make([]string, len(fileKinds))
	for i, p := range fileKinds {
		words[i] = p.words
	}
	return `(?:` + strings.Join(words, "|") + `)`
}

// readFileKind reads "is not a screenshot or a transaction list", "must be a PDF".
func readFileKind(c clause) (rule, bool) {
	g, _, ok := c.matchWhole(fileKindList, "downloaded either or nor")
	if !ok || !(text.HasWords(c.text(), "is") || c.negated()) {
		return rule{}, false
	}
	var kinds []string
	for _, part := range fileKindSeparator.Split(g["kinds"], -1) {
		for i, p := range fileKinds {
			if fileKindPatterns[i].MatchString(part) {
				kinds = append(kinds, p.name)
				break
			}
		}
	}
	if len(kinds) == 0 {
		return rule{}, false
	}
	return negateIf(fileKindRule(kinds), c.negated()), true
}

// fileKindRule returns a rule that holds when the file is of one of the kinds.
func fileKindRule(kinds []string) rule {
	words := map[string]string{
		"screenshot":  "a screenshot",
		"list":        "a list of transactions without printed balances and period",
		"spreadsheet": "a spreadsheet",
		"photo":       "a photo",
		"scan":        "a scan",
		"pdf":         "a PDF",
	}
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = words[k]
	}
	return rule{
		reading: "the file is " + strings.Join(names, " or "),
		judge: func(e *evidence) answer {
			answers := make([]answer, len(kinds))
			for i, k := range kinds {
				answers[i] = e.isFileKind(k)
			}
			return anyOf(answers...)
		},
	}
}

func (e *evidence) isFileKind(kind string) answer {
	layer, mime := e.Extraction.Layer, e.Extraction.MimeType
	rows := layer == "native" && (strings.Contains(mime, "csv") || strings.Contains(mime, "sheet"))
	switch kind {
	case "pdf":
		return met(mime == "application/pdf", say("file_type", "mimeType", orWord(mime, "of unknown type")))
	case "spreadsheet":
		return met(rows, say("file_type", "mimeType", orWord(mime, "of unknown type")))
	case "list":
		return e.isTransactionList(rows)
	case "scan":
		if layer == "image" {
			return ask(say("file_undecided", "layer", layer, "mimeType", mime, "asked", "scan"))
		}
		return met(layer == "scanned", say("file_made", "layer", layer))
	case "photo":
		if layer == "image" || layer == "scanned" {
			return ask(say("file_undecided", "layer", layer, "mimeType", mime, "asked", "photo"))
		}
		return met(false, say("file_made", "layer", layer))
	}
	if layer == "image" {
		return ask(say("file_undecided", "layer", layer, "mimeType", mime, "asked", "screenshot"))
	}
	return met(false, say("file_no_screen", "layer", layer))
}

// isTransactionList distinguishes a list of transactions from a statement, which prints its period and its balances.
func (e *evidence) isTransactionList(rows bool) answer {
	b := e.doc.Facts.Bank
	switch {
	case rows:
		return met(true, say("file_rows", "mimeType", e.Extraction.MimeType))
	case b == nil:
		return met(false, say("kind_is", kindArgs(e.doc)...))
	case listsOnly(e.doc):
		return met(true, say("list_only")).at(e.doc, "/periodStart", "/periodEnd")
	case b.PeriodStart == nil || b.PeriodEnd == nil || b.ClosingBalance == nil && len(b.Accounts) == 0 ||
		e.doc.Derived["/openingBalance"] != "":
		return ask(say("list_undecided"))
	}
	return met(false, say("statement_printed", "from", *b.PeriodStart, "to", *b.PeriodEnd)).
		at(e.doc, "/periodStart", "/periodEnd", "/openingBalance", "/closingBalance")
}

func orWord(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

var (
	allPages = lazyregexp.New(
		`\b(?:(?:contains|includes|has|shows|with) )?(?:(?:all|every|entire|full set of) (?:of )?(?:numbered ` +
			`)?pages?(?: (?:of|in) (?:bank |tax )?(?:statement|document|return|lease|file|policy|agreement))?(?: ` +
			`(?:is|has))*(?: (?:present|included|provided|uploaded|there|visible|attached|submitted|readable))?` +
			`|pages? of (?:bank |tax )?(?:statement|document|return|lease) (?:is )?(?:present|included|provided` +
			`|there|submitted)|pages? (?:is )?(?:complete|all present|not missing)|(?:missing|skipped|omitted) ` +
			`pages?|pages? (?:is )?(?:missing|omitted|skipped))`,
	)
	saysMissing = lazyregexp.New(`missing|skipped|omitted`)
	isComplete  = lazyregexp.New(
		`\b(?:is )?(?:complete|full|whole|entire)(?: (?:statement|document|file|return|copy|bank statement|tax ` +
			`return|lease))?(?: from first to last page)?$`,
	)
)

// readPages reads "all pages are present", "no pages missing", "the statement is complete".
func readPages(c clause) (rule, bool) {
	if _, negated, ok := c.matchWhole(allPages, "all its"); ok {
		if saysMissing.MatchString(c.text()) && !strings.Contains(c.text(), "not missing") {
			return negateIf(negate(pagesRule()), negated), true
		}
		if strings.Contains(c.text(), "not missing") {
			return pagesRule(), true
		}
		return negateIf(pagesRule(), negated), true
	}
	if _, negated, ok := c.matchWhole(isComplete, "and"); ok {
		return negateIf(pagesRule(), negated), true
	}
	return rule{}, false
}

func pagesRule() rule {
	return rule{
		reading: "all pages are there, by their printed page numbers",
		judge: func(e *evidence) answer {
			for _, w := range e.doc.Warnings {
				if w.Code == "page_missing" {
					return met(false, say("page_missing", "detail", strings.TrimSuffix(w.Detail, ".")))
				}
			}
			for _, check := range e.doc.Checks {
				if check.Name == "all_pages_present" {
					return met(check.Passed, either(check.Passed, "pages_complete", "pages_incomplete",
						"detail", strings.TrimSuffix(orWord(check.Detail, "by the printed page numbers"), ".")))
				}
			}
			return ask(say("pages_uncounted", "count", e.doc.Pages[1]-e.doc.Pages[0]+1))
		},
	}
}

var signature = lazyregexp.New(
	`\b(?:(?:is |has )*(?:signed|executed)|(?:has|contains|shows|includes|bears|with) (?:valid |handwritten |wet ` +
		`|electronic )*signatures?|signatures? (?:is )?(?:present|visible|included|there|shown)|signature)(?: (?:of` +
		`|by|from) (?:(?:all|both|both owner|owner|owners|parties|applicant|lead|borrower|taxpayer|preparer|tenant` +
		`|landlord|employee|business|partners|members)(?: and | or )?)+)?`,
)

// readSigned reads rules on signatures. Signatures are not read from documents, so these rules mostly ask for a person.
func readSigned(c clause) (rule, bool) {
	_, negated, ok := c.matchWhole(signature, "")
	if !ok {
		return rule{}, false
	}
	return negateIf(rule{
		reading: "the document is signed",
		judge: func(e *evidence) answer {
			if isSigned, ok := e.doc.Facts.Other["signed"].(bool); ok {
				return met(isSigned, either(isSigned, "signed", "not_signed")).at(e.doc, "/signed")
			}
			return ask(say("signature_unread"))
		},
	}, negated), true
}

var legible = lazyregexp.New(
	`\b(?:(?:all )?(?:text|information|details|content|contents|pages|image|photo|everything|writing|figures) ` +
		`)?(?:is )?(?:all )?(?:(?:clearly |fully |easily )?(?P<good>legible|readable|clear|sharp|in focus|high ` +
		`quality|good quality)|(?P<bad>blurry|blurred|illegible|unreadable|out of focus|low quality|poor quality` +
		`|fuzzy))(?: and (?:legible|readable|clear))?`,
)

// readLegible reads rules on the quality of a picture, answered by how surely its facts were read.
func readLegible(c clause) (rule, bool) {
	g, negated, ok := c.matchWhole(legible, "photo image scan text information details quality all enough to read")
	if !ok {
		return rule{}, false
	}
	r := rule{
		reading: "what was read on the document was read with a mean confidence of at least 0.80",
		judge: func(e *evidence) answer {
			mean, n := meanConfidence(e.doc)
			switch {
			case n == 0:
				return ask(say("nothing_to_judge_by"))
			case mean >= 0.8:
				return met(true, say("read_clearly", "facts", n, "confidence", mean))
			case mean >= 0.6:
				return ask(say("read_doubtfully", "facts", n, "confidence", mean))
			}
			return met(false, say("read_badly", "facts", n, "confidence", mean))
		},
	}
	return negateIf(r, negated != (g["bad"] != "")), true
}

func meanConfidence(d dossier.ReadDocument) (mean float64, n int) {
	pointers := make([]string, 0, len(d.Sources)) // a fixed order, so the same facts give the same mean
	for pointer := range d.Sources {
		pointers = append(pointers, pointer)
	}
	slices.Sort(pointers)
	for _, pointer := range pointers {
		mean += d.Sources[pointer].Confidence
		n++
	}
	return mean / float64(max(n, 1)), n
}

var currencies = []struct{ code, words string }{
	{
		"USD",
		`usd|us dollars?|u\.s dollars?|american dollars?|dollars?|us currency`,
	}, {"EUR", `eur|euros?`}, {"GBP", `gbp|(?:british )?pounds?(?: sterling)?|sterling`},
	{
		"CAD",
		`cad|canadian dollars?`,
	}, {"AUD", `aud|australian dollars?`}, {"MXN", `mxn|(?:mexican )?pesos?`}, {"CHF", `chf|swiss francs?`},
	{"JPY", `jpy|(?:japanese )?yen`}, {"INR", `inr|(?:indian )?rupees?`},
}

var currencyIs = lazyregexp.New(
	`\b(?:(?:currency|amounts|figures|balances|account|statement|values|all amounts)(?: is)?(?: (?:shown|stated` +
		`|denominated|expressed|given|held|reported))?|is(?: denominated| stated| expressed| shown)?|denominated` +
		`|stated)(?: in)? (?P<cur>` + allCurrencies() + `)$`,
)

var currencyWordIs = anchored(len(currencies), func(i int) string { return currencies[i].words })

func allCurrencies() string {
	var words []string
	for _, c := range slices.Backward(currencies) { // "canadian dollars" before "dollars"
		words = append(words, c.words)
	}
	return strings.Join(words, "|")
}

// readCurrency reads "amounts are in US dollars".
func readCurrency(c clause) (rule, bool) {
	g, negated, ok := c.matchWhole(currencyIs, "currency all amounts")
	if !ok {
		return rule{}, false
	}
	for i, cur := range currencies {
		if !currencyWordIs[i].MatchString(g["cur"]) {
			continue
		}
		return negateIf(rule{
			reading: "the currency is " + cur.code,
			judge: func(e *evidence) answer {
				currency := currencyOf(e.doc)
				if currency == "" {
					return missing("currency")
				}
				return met(currency == cur.code, say("currency_is", "currency", currency)).at(e.doc, "/currency")
			},
		}, negated), true
	}
	return rule{}, false
}

func currencyOf(d dossier.ReadDocument) string {
	var currency *string
	switch f := d.Facts; {
	case f.Bank != nil:
		currency = f.Bank.Currency
	case f.Statement != nil:
		currency = f.Statement.Currency
	default:
		s, _ := f.Other["currency"].(string)
		return s
	}
	if currency == nil {
		return ""
	}
	return *currency
}

var (
	accountKind = lazyregexp.New(
		`\b(?:(?:is|for|from|of) )*(?P<kind>business|commercial|company|corporate|personal|consumer|individual` +
			`|checking|savings?)(?: (?:or|and) (?P<kind2>business|commercial|personal|checking|savings?))? ` +
			`(?:(?P<product>checking|savings?) |(?:bank|deposit|operating) )*accounts?`,
	)
	accountIs = lazyregexp.New(
		`\b(?:account(?: type)?|statement|return) is (?:for )?(?P<kind>business|commercial|personal|consumer` +
			`|checking|savings?)(?: (?:or|and) (?P<kind2>business|commercial|personal|checking|savings?))?$`,
	)
)

// readAccountKind reads "is a business account", "the account is not a personal account".
func readAccountKind(c clause) (rule, bool) {
	for _, pattern := range []*lazyregexp.Regexp{accountKind, accountIs} {
		g, negated, ok := c.matchWhole(pattern, "statement")
		if !ok {
			continue
		}
		r := accountRule(g["kind"])
		if g["kind2"] != "" {
			r = eitherOf(r, accountRule(g["kind2"]))
		}
		if g["product"] != "" && g["product"] != g["kind"] {
			r = bothOf(r, accountRule(g["product"]))
		}
		return negateIf(r, negated), true
	}
	return rule{}, false
}

func accountRule(kind string) rule {
	switch kind {
	case "checking", "saving", "savings":
		return rule{
			reading: "the account is a " + kind + " account",
			judge:   func(e *evidence) answer { return accountTypeIs(e.doc, strings.TrimSuffix(kind, "s")) },
		}
	}
	personal := kind == "personal" || kind == "consumer" || kind == "individual"
	return rule{
		reading: fmt.Sprintf("the document is %s one, not %s one", ownerKind(personal), ownerKind(!personal)),
		judge: func(e *evidence) answer {
			is := isPersonal(e.doc)
			if is == nil {
				return ask(say("owner_unread"))
			}
			return met(*is == personal, say("owner_is", "owner", ownerSlug(*is))).at(e.doc, "/personal", "/accountType")
		},
	}
}

func accountTypeIs(d dossier.ReadDocument, kind string) answer {
	b := d.Facts.Bank
	if b == nil {
		return met(false, say("kind_is", kindArgs(d)...))
	}
	var names []string
	if b.AccountType != nil {
		names = append(names, *b.AccountType)
	}
	for _, a := range b.Accounts {
		if a.Name != nil {
			names = append(names, *a.Name)
		}
	}
	if len(names) == 0 {
		return missing("type_of_account")
	}
	list := strings.Join(names, ", ")
	return met(
		text.HasWords(stems(list), kind),
		say("account_type", "type", list),
	).at(d, "/accountType", "/accounts/0/name")
}

var tampered = lazyregexp.New(
	`\b(?:(?:is|has|been|shows|contains|appears|to|any|signs|evidence|indications) (?:of )?)*(?:(?P<un>unaltered` +
		`|unedited|unmodified)|altered|edited|tampered(?: with)?|modified|manipulated|forged|fake|faked|doctored` +
		`|fraudulent|tampering|alterations?|editing|manipulation|modifications?)(?: or (?:altered|edited` +
		`|tampered(?: with)?|modified|manipulated|forged|tampering|alterations?|editing|fraudulent|fake))*`,
)

// readTampered reads "has not been altered". Signs of editing never refuse a document: they ask for a person.
func readTampered(c clause) (rule, bool) {
	g, negated, ok := c.matchWhole(tampered, "shows contains signs evidence any")
	negated = negated != (g["un"] != "")
	if !ok {
		return rule{}, false
	}
	return negateIf(rule{
		reading: "the file shows signs of editing",
		judge: func(e *evidence) answer {
			for _, w := range e.doc.Warnings {
				if w.Code == "possible_tampering" {
					return ask(say("edited", "detail", strings.TrimSuffix(w.Detail, ".")))
				}
			}
			if e.Extraction.Layer == "image" || e.Extraction.Layer == "scanned" {
				return ask(say("editing_unseen", "layer", e.Extraction.Layer))
			}
			return met(false, say("not_edited"))
		},
	}, negated), true
}

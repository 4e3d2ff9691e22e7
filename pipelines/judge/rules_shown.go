package judge

import (
	"fmt"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// shownFacts are what a rule may ask a document to show.
var shownFacts = []struct {
	words, name string
	shows       func(*evidence) (string, bool)
}{
	{
		`(?:full|complete|entire|whole|unmasked) (?:bank )?account numbers?`,
		"account number in full",
		func(e *evidence) (string, bool) {
			if e.doc.Facts.Bank == nil {
				return "", false
			}
			number, ok := factText(e.doc.Facts.Bank.AccountNumber)
			return number, ok && len(text.DigitsOf(number)) >= 6 && !strings.ContainsAny(number, "*•#xX….")
		},
	},
	{`(?:partial |bank )*account numbers?`, "account number", func(e *evidence) (string, bool) {
		if b := e.doc.Facts.Bank; b != nil {
			if b.AccountNumber != nil {
				return *b.AccountNumber, true
			}
			for _, a := range b.Accounts {
				if a.AccountNumber != nil {
					return *a.AccountNumber, true
				}
			}
			return "", false
		}
		return otherText(e.doc, "accountNumber")
	}},
	{
		`(?:full |legal )*(?:(?:account (?:holder|owner)|holder)s?(?: full)?(?: names?)?|(?:full |legal )?names?(?: ` +
			`of (?:account )?holder| of account owner)?)`,
		"name",
		func(e *evidence) (string, bool) {
			_, names := printedNames(e.doc, "")
			return strings.Join(names, ", "), len(names) > 0
		},
	},
	{`(?:bank|institution|issuer)(?: names?)?`, "institution", func(e *evidence) (string, bool) {
		if b := e.doc.Facts.Bank; b != nil {
			return factText(b.Institution)
		}
		_, names := otherNames(e.doc.Facts.Other, "issuer")
		return strings.Join(names, ", "), len(names) > 0
	}},
	{
		`(?:statement |reporting |coverage )?(?:period|date range|statement dates)`,
		"period",
		func(e *evidence) (string, bool) {
			span, ok := periodSpan(e.doc, e.Today)
			return span.String(), ok
		},
	},
	{
		`(?:expiration|expiry) dates?`,
		"expiry date",
		func(e *evidence) (string, bool) { d, _, ok := expiryOf(e.doc); return d.String(), ok },
	},
	{`(?:dates? of birth|birth ?dates?|dob)`, "date of birth", func(e *evidence) (string, bool) {
		if e.doc.Facts.Identity == nil {
			return "", false
		}
		return factText(e.doc.Facts.Identity.DateOfBirth)
	}},
	{
		`(?:issue|statement|document|invoice|bill)? ?dates?`,
		"date",
		func(e *evidence) (string, bool) { d, ok := documentDate(e.doc); return d.day.String(), ok },
	},
	{
		`(?:id|license|licence|passport|document|card|identification) numbers?`,
		"document number",
		func(e *evidence) (string, bool) {
			if e.doc.Facts.Identity == nil {
				return otherText(e.doc, "number")
			}
			return factText(e.doc.Facts.Identity.Number)
		},
	},
	{
		`(?:mailing |home |street |business |residential |service )*address(?:es)?`,
		"address",
		func(e *evidence) (string, bool) { a := printedAddress(e.doc); return a, a != "" },
	},
	{`(?:eins?|tax ids?|employer identification numbers?)`, "EIN", func(e *evidence) (string, bool) {
		if t := e.doc.Facts.Tax; t != nil {
			return factText(t.EIN)
		}
		return otherText(e.doc, "ein")
	}},
	{
		`(?:individual |all |detailed )*(?:transactions?(?: details| activity| history)?|account activity|deposits ` +
			`and withdrawals)`,
		"transactions",
		func(e *evidence) (string, bool) {
			b := e.doc.Facts.Bank
			if b == nil {
				return "", false
			}
			n := len(b.Entries)
			if b.Transactions != nil {
				n = max(n, *b.Transactions)
			}
			return count(n, "entry"), n > 0
		},
	},
	{`(?:closing|ending|final)(?: account)? balances?`, "closing balance", shownFigure("closing balance")},
	{`(?:opening|beginning|starting)(?: account)? balances?`, "opening balance", shownFigure("opening balance")},
	{`total deposits`, "total of deposits", shownFigure("total of deposits")},
	{`total withdrawals`, "total of withdrawals", shownFigure("total of withdrawals")},
	{`(?:total(?: amount)?(?: due)?|amount due)`, "total", shownFigure("total")},
}

// shownFigure finds the quantity lazily: the two tables name each other's rows.
func shownFigure(caption string) func(*evidence) (string, bool) {
	return func(e *evidence) (string, bool) {
		for _, q := range quantities {
			if q.caption == caption {
				a, ok := q.value(e.doc)
				return dossier.Amount{Decimal: a.value}.Grouped(), ok
			}
		}
		return "", false
	}
}

func factText(s *string) (string, bool) {
	if s == nil {
		return "", false
	}
	return *s, true
}

func otherText(d dossier.ReadDocument, key string) (string, bool) {
	s, ok := d.Facts.Other[key].(string)
	return s, ok && s != ""
}

var (
	oneFact     = allFacts()
	shownFactIs = anchored(len(shownFacts), func(i int) string { return shownFacts[i].words })
	factCut     = lazyregexp.New(`(?: ,)?(?: and| ,|,) `)
	factList    = `(?P<facts>` + oneFact + `(?:(?: ,)?(?: and| ,|,) ` + oneFact + `)*)`
	showsIt     = lazyregexp.New(
		`^(?:clearly |clear )?(?:shows|contains|includes|displays|has|states|lists|bears|with)(?: (?:clearly|clear` +
			`|visible|legible|printed|both|full|valid))* ` + factList + `(?: (?:clearly|visible|printed|shown))*$`,
	)
	itShown = lazyregexp.New(
		`^` + factList + ` (?:is )?(?:clearly |fully )?(?:visible|shown|present|printed|displayed|readable|legible` +
			`|stated|included|listed|visible and legible|clear)(?: (?:on|in) (?:statement|document|license|id|card` +
			`|file|page|1st page))?$`,
	)
)

// dated is "signed and dated": a date must be there, whichever.
var dated = lazyregexp.New(`^(?:is )?dated$`)

func allFacts() string {
	words := make([]string, len(shownFacts))
	for i, f := range shownFacts {
		words[i] = f.words
	}
	return `(?:` + strings.Join(words, "|") + `)`
}

// readShows reads "shows the account number and the account holder's name".
func readShows(c clause) (rule, bool) {
	if dated.MatchString(c.text()) {
		return shownRule("date")
	}
	for _, pattern := range []*lazyregexp.Regexp{showsIt, itShown} {
		g := pattern.FindStringSubmatch(c.text())
		if g == nil {
			continue
		}
		var all rule
		for i, part := range factCut.Split(g[pattern.SubexpIndex("facts")], -1) {
			r, ok := shownRule(part)
			if !ok {
				return rule{}, false
			}
			if i == 0 {
				all = r
			} else {
				all = bothOf(all, r)
			}
		}
		return all, true
	}
	return rule{}, false
}

func shownRule(words string) (rule, bool) {
	for i, f := range shownFacts {
		if !shownFactIs[i].MatchString(words) {
			continue
		}
		return rule{
			reading: fmt.Sprintf("the document shows the %s", f.name),
			judge: func(e *evidence) answer {
				value, ok := f.shows(e)
				if !ok {
					return missing(factSlug(f.name))
				}
				return met(
					true,
					say("fact_shown", "fact", factSlug(f.name), "value", value),
				).at(e.doc, shownPointers(e.doc, f.name)...)
			},
		}, true
	}
	return rule{}, false
}

// factSlug names a shown fact in the table of words for reasons.
func factSlug(name string) string {
	switch name {
	case "account number in full":
		return "full_account_number"
	case "EIN":
		return "ein"
	}
	return strings.ReplaceAll(name, " ", "_")
}

// shownPointers are the facts in which a shown fact is looked for.
func shownPointers(d dossier.ReadDocument, name string) []string {
	switch name {
	case "account number", "account number in full":
		return []string{"/accountNumber", "/accounts/0/accountNumber"}
	case "name":
		return namePointers(d, "")
	case "institution":
		return []string{"/institution", "/issuer", "/merchant"}
	case "period":
		return []string{"/periodStart", "/periodEnd", "/taxYear"}
	case "expiry date":
		_, pointer, _ := expiryOf(d)
		return []string{pointer}
	case "date of birth":
		return []string{"/dateOfBirth"}
	case "date":
		dated, _ := documentDate(d)
		return []string{dated.pointer}
	case "document number":
		return []string{"/number"}
	case "address":
		return []string{"/address", "/serviceAddress", "/mailingAddress", "/propertyAddress"}
	case "EIN":
		return []string{"/ein"}
	}
	for _, q := range quantities {
		if q.caption == name {
			a, _ := q.value(d)
			return a.pointers
		}
	}
	return nil
}

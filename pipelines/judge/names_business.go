package judge

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// legalForms maps the ways of writing a legal form to one of them. Acme LLC and Acme Inc are two companies;
// Acme and Acme LLC may be one.
var legalForms = map[string]string{
	"llc": "llc", "lc": "llc", "inc": "inc", "incorporated": "inc", "corp": "corp", "corporation": "corp", "co": "co",
	"company": "co",
	"ltd":     "ltd", "limited": "ltd", "lp": "lp", "llp": "llp", "lllp": "lllp", "pllc": "pllc", "pc": "pc",
	"pa": "pa", "plc": "plc",
	"gmbh": "gmbh", "sa": "sa", "bv": "bv", "ag": "ag", "pty": "ltd",
}

// businessWords undoes the abbreviations that banks and forms use to fit a name into its box.
var businessWords = map[string]string{
	"svc": "services", "svcs": "services", "serv": "services", "service": "services", "intl": "international",
	"mfg": "manufacturing", "bros": "brothers",
	"assoc": "associates", "assocs": "associates", "associate": "associates", "grp": "group", "hldg": "holdings",
	"hldgs": "holdings", "holding": "holdings",
	"ent": "enterprises", "enterprise": "enterprises", "mgmt": "management", "mgt": "management",
	"constr": "construction", "const": "construction",
	"tech": "technologies", "technology": "technologies", "sys": "systems", "ctr": "center", "centre": "center",
	"dist": "distribution", "natl": "national",
	"transp": "transportation", "trans": "transportation", "prop": "properties", "props": "properties",
	"ind": "industries", "inds": "industries", "amer": "american",
	"&": "and", "n": "and", "solution": "solutions", "partner": "partners", "product": "products", "prods": "products",
}

// business is a company's name cut into its own words and its legal form.
type business struct {
	words []string
	form  string // "" when none is printed
}

var (
	// tradeName separates the legal from the trade name: either may be what a document prints.
	tradeName = lazyregexp.New(`(?i)[\s,(]+(?:d\s?[./]?\s?b\s?[./]?\s?a\b\.?|doing\s+business\s+as|t/a\b` +
		`|trading\s+as|a/?k/?a\b\.?|f/?k/?a\b\.?|formerly(?:\s+known\s+as)?|also\s+known\s+as)[\s:]*`)
	dottedForm = lazyregexp.New(`\b(?:[A-Za-z]\.\s?){2,5}[A-Za-z]?\b`)
	longForms  = strings.NewReplacer("limited liability company", "llc", "limited liability partnership", "llp",
		"limited partnership", "lp", "professional corporation", "pc", "public limited company", "plc")
	notInDigits = lazyregexp.New(`[.\s]`)
)

// readBusiness folds the legal and the trade names of a company: "The Acme Svcs. L.L.C. dba Joe's Pizza" is
// acme services (llc) and joes pizza.
func readBusiness(name string) []business {
	var all []business
	for _, part := range tradeName.Split(name, -1) {
		part = dottedForm.ReplaceAllStringFunc(part,
			func(s string) string { return notInDigits.ReplaceAllString(s, "") + " " })
		if b := foldBusiness(longForms.Replace(text.Fold(part))); len(b.words) > 0 {
			all = append(all, b)
		}
	}
	return all
}

func foldBusiness(folded string) business {
	words := strings.Fields(folded)
	var b business
	for len(words) > 1 && legalForms[words[len(words)-1]] != "" {
		if form := legalForms[words[len(words)-1]]; b.form == "" || b.form == "co" {
			b.form = form // "Co Ltd" and "Company, Inc" are told by the first of the two that is not co
		}
		words = words[:len(words)-1]
	}
	for i, w := range words {
		if i == 0 && w == "the" && len(words) > 1 {
			continue
		}
		if full, ok := businessWords[w]; ok {
			w = full
		}
		b.words = append(b.words, w)
	}
	return b
}

// matchBusiness compares a printed company name with an expected one, trying legal and trade names.
//
// Same: the words agree after undoing abbreviations, and the legal forms do not contradict. Near: other legal
// form, a typing error, or one name is the beginning of the other (banks cut names to fit).
func matchBusiness(expected, printed string) likeness {
	best := otherName
	for _, want := range readBusiness(expected) {
		for _, got := range readBusiness(printed) {
			best = max(best, compareBusiness(want, got))
		}
	}
	return best
}

func compareBusiness(want, got business) likeness {
	a, b := strings.Join(want.words, ""), strings.Join(got.words, "")
	if a == b || sameWords(want.words, got.words) {
		if want.form != "" && got.form != "" && want.form != got.form && want.form != "co" && got.form != "co" {
			return nearName
		}
		return sameName
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	switch {
	case len(a) >= 4 && strings.HasPrefix(b, a):
		return nearName
	case len(a) >= 5 && editDistance(a, b) <= 1, len(a) >= 9 && editDistance(a, b) <= 2:
		return nearName
	case containsAll(want.words, got.words) || containsAll(got.words, want.words):
		return nearName
	}
	return otherName
}

func sameWords(a, b []string) bool {
	x, y := slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b))
	return slices.Equal(x, y)
}

// containsAll reports whether all words of a stand in b, and enough of them to mean something.
func containsAll(a, b []string) bool {
	letters := 0
	for _, w := range a {
		if !slices.Contains(b, w) {
			return false
		}
		letters += len(w)
	}
	return letters >= 4
}

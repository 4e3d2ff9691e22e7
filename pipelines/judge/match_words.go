package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/doctype"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// statementPhrases ask for one of the statements of a financial statement.
var statementPhrases = map[string][]string{
	"income statement": {"profit and loss", "p&l", "p & l", "profit & loss", "income statement",
		"statement of operation"},
	"balance sheet":       {"balance sheet"},
	"cash flow statement": {"cash flow"},
}

// labelNoise are words of labels and file names that name no document.
var labelNoise = text.WordSet(`the a an of and or for to your with all last current recent most latest copy copie signed
	complete full business company personal owner applicant please upload document file scan image img
	pdf jpg jpeg png docx xlsx csv txt final new year month date proof other additional supporting any form statement
	agreement certificate report letter page version untitled photo`)

// stems folds text for comparing words: possessives and plurals are gone, so "Drivers' licenses" is driver license.
func stems(s string) string {
	words := strings.Fields(text.Fold(strings.ReplaceAll(s, "_", " ")))
	for i, w := range words {
		if len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") {
			words[i] = strings.TrimSuffix(w, "s")
		}
	}
	return strings.Join(words, " ")
}

func hasAny(stemmed string, phrases []string) (string, bool) {
	for _, p := range phrases {
		if text.HasWords(stemmed, p) {
			return p, true
		}
	}
	return "", false
}

// fileScore says how well the words of a FILE item fit a document: its label and code first, then its rules and
// instructions, compared with the document's own title and file name.
func fileScore(item MatchItem, doc MatchDocument, part dossier.ReadDocument, party dossier.Party) (float64, string) {
	label := stems(item.Label + " " + item.Code)
	if statementExcluded(label, part) || yearExcluded(item, part) {
		return 0, ""
	}
	if form := formOf(part); form != "" && text.HasWords(label, stems(form)) {
		return 0.9, fmt.Sprintf("which %q asks for", item.Label)
	}
	if _, ok := hasAny(label, doctype.Of(part.DocType).Labels); ok && part.Confidence >= minTypeConfidence {
		return 0.85, fmt.Sprintf("which %q asks for", item.Label)
	}
	if title := titleOf(part); title != "" && sharedWords(label, withoutNames(stems(title), party)) {
		return 0.75, fmt.Sprintf("with a title like %q", item.Label)
	}
	words := stems(strings.Join(item.Rules, " ") + " " + item.AgentInstructions)
	if p, ok := hasAny(words, doctype.Of(part.DocType).Labels); ok && part.Confidence >= minTypeConfidence &&
		(ruleKinds[p] || strings.Contains(p, " ")) && !asksForOther(label, part.DocType) {
		return 0.6, fmt.Sprintf("which the rules of %q speak of", item.Label)
	}
	if part.DocType == dossier.DocOther &&
		sharedWords(label, withoutNames(stems(withoutExtension(doc.Filename)), party)) {
		return 0.55, fmt.Sprintf("in a file named like %q", item.Label)
	}
	return 0, ""
}

// ruleKinds are the single words that name a type of document in a rule as surely as in a label; "check that
// ..." does not.
var ruleKinds = text.WordSet("lease invoice insurance passport receipt paystub payslip")

// asksForOther reports whether a label asks for a document of another type than t. "Proof of address" names no type:
// its rules say what proves it.
func asksForOther(label string, t dossier.DocType) bool {
	for _, other := range doctype.All() {
		if p, ok := hasAny(label, other.Labels); ok && other.Type != t && !strings.HasPrefix(p, "proof of") {
			return true
		}
	}
	return false
}

// withoutNames takes the lead's own names out of a title: "Operating Agreement of Acme LLC" is about operating.
func withoutNames(stemmed string, party dossier.Party) string {
	own := map[string]bool{}
	for _, k := range knownNames(party) {
		for _, w := range strings.Fields(stems(k.name)) {
			own[w] = true
		}
	}
	return strings.Join(slices.DeleteFunc(strings.Fields(stemmed), func(w string) bool { return own[w] }), " ")
}

// statementExcluded reports whether a label asks for particular statements and the document has none of them.
func statementExcluded(label string, part dossier.ReadDocument) bool {
	s := part.Facts.Statement
	if s == nil {
		return false
	}
	has := map[string]bool{
		"income statement": len(s.Statements.IncomeStatement) > 0, "balance sheet": len(s.Statements.BalanceSheet) > 0,
		"cash flow statement": len(s.Statements.CashFlow) > 0,
	}
	asked := false
	for name, phrases := range statementPhrases {
		if _, ok := hasAny(label, phrases); ok {
			asked = true
			if has[name] {
				return false
			}
		}
	}
	return asked
}

var (
	labelYear = lazyregexp.New(`\b(?:19|20)\d{2}\b`)
	labelForm = lazyregexp.New(`\b(?:1040(?: sr| nr)?|1120(?: s)?|1065|990|schedule c|w 2|w 9|941|1099)\b`)
)

// yearExcluded reports whether the item names a year and the document is of another.
func yearExcluded(item MatchItem, part dossier.ReadDocument) bool {
	years := labelYear.FindAllString(item.Label, -1)
	year := yearOf(part)
	return len(years) > 0 && year != 0 && !slices.Contains(years, fmt.Sprint(year))
}

func yearOf(part dossier.ReadDocument) int {
	if t := part.Facts.Tax; t != nil && t.TaxYear != nil {
		return *t.TaxYear
	}
	if y, ok := part.Facts.Other["taxYear"].(float64); ok {
		return int(y)
	}
	if y, ok := part.Facts.Other["taxYear"].(int); ok {
		return y
	}
	return 0
}

func formOf(part dossier.ReadDocument) string {
	if t := part.Facts.Tax; t != nil && t.Form != nil {
		return *t.Form
	}
	form, _ := part.Facts.Other["form"].(string)
	return form
}

// labelScore weighs the owner, the year and the form that a typed item's label and rules name against a document that
// fits its type.
func labelScore(item MatchItem, part dossier.ReadDocument) (float64, string) {
	label := stems(item.Label + " " + item.Code)
	score, why := 0.0, ""
	if personal := isPersonal(part); personal != nil && item.Config.IsPersonal == nil {
		business, person := text.HasWords(label, "business") || text.HasWords(label, "company"),
			text.HasWords(label, "personal")
		switch {
		case business && !person && *personal, person && !business && !*personal:
			score -= 0.25
			why = fmt.Sprintf(", %s one", ownerKind(*personal))
		case business != person:
			score += 0.08
		}
	}
	if yearExcluded(item, part) {
		return score - 0.5, why
	}
	if forms := labelForm.FindAllString(stems(item.Label), -1); len(forms) > 0 && formOf(part) != "" {
		if slices.Contains(forms, stems(formOf(part))) {
			score += 0.08
		} else {
			score -= 0.5
		}
	}
	return score, why
}

// nameScore adds a little when the name on a document is one the lead is known by, and takes much when the
// label names one known person and the document another.
func nameScore(item MatchItem, part dossier.ReadDocument, party dossier.Party) (float64, string) {
	_, names := printedNames(part, "")
	if len(names) == 0 {
		return 0, ""
	}
	if item.Whose != nil {
		if bestLikeness(knownNames(*item.Whose), names) == sameName {
			return 0.1, ", in the name that the item asks for"
		}
		return -0.3, ""
	}
	known := knownNames(party)
	printed := bestLikeness(known, names)
	label := text.Fold(item.Label)
	for _, k := range known {
		if !text.HasWords(label, text.Fold(k.name)) {
			continue
		}
		if k.match(names) == sameName {
			return 0.1, ", in the name that the item asks for"
		}
		return -0.3, ""
	}
	if printed == sameName {
		return 0.05, ", in a name of this lead"
	}
	return 0, ""
}

// ofPartyItem reports whether a document is made out to a party that an item of its own names, and not to the lead.
func ofPartyItem(items []MatchItem, part dossier.ReadDocument, party dossier.Party) bool {
	_, names := printedNames(part, "")
	return len(names) > 0 && bestLikeness(knownNames(party), names) != sameName &&
		slices.ContainsFunc(items, func(item MatchItem) bool {
			return item.Whose != nil && bestLikeness(knownNames(*item.Whose), names) == sameName
		})
}

// knownName is a name the lead may be printed with.
type knownName struct {
	name     string
	business bool
}

func (k knownName) match(printed []string) likeness {
	best := otherName
	for _, p := range printed {
		if k.business {
			best = max(best, matchBusiness(k.name, p))
		} else {
			best = max(best, matchPerson(k.name, p))
		}
	}
	return best
}

func knownNames(party dossier.Party) []knownName {
	var known []knownName
	add := func(name string, business bool) {
		if k := (knownName{strings.TrimSpace(name), business}); k.name != "" && !slices.Contains(known, k) {
			known = append(known, k)
		}
	}
	for _, p := range party.People {
		add(p.Full(), false)
	}
	for _, owner := range party.Owners {
		add(owner, false)
	}
	for _, b := range party.Businesses {
		add(b, true)
	}
	return known
}

func bestLikeness(known []knownName, printed []string) likeness {
	best := otherName
	for _, k := range known {
		best = max(best, k.match(printed))
	}
	return best
}

// sharedWords reports whether two stemmed texts share the words that carry meaning: all of the shorter one's,
// and at least one of five letters.
func sharedWords(a, b string) bool {
	x, y := meaningful(a), meaningful(b)
	if len(x) > len(y) {
		x, y = y, x
	}
	long := false
	for _, w := range x {
		if !slices.Contains(y, w) {
			return false
		}
		long = long || len(w) >= 5
	}
	return long
}

func meaningful(stemmed string) []string {
	var words []string
	for _, w := range strings.Fields(stemmed) {
		if len(w) > 1 && !labelNoise[w] && !labelNoise[w+"s"] && (w[0] < '0' || w[0] > '9') &&
			!slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return words
}

func titleOf(part dossier.ReadDocument) string {
	title, _ := part.Facts.Other["title"].(string)
	return title
}

// printedTitle says what a document is with what is printed on it.
func printedTitle(part dossier.ReadDocument) string {
	title := describe(part)
	if b := part.Facts.Bank; b != nil {
		if b.Institution != nil {
			title += " of " + *b.Institution
		}
		if b.PeriodStart != nil && b.PeriodEnd != nil {
			title += fmt.Sprintf(" for %s to %s", *b.PeriodStart, *b.PeriodEnd)
		}
	}
	if t := titleOf(part); t != "" {
		title += fmt.Sprintf(" (%q)", t)
	}
	return title
}

func withoutExtension(filename string) string {
	if i := strings.LastIndexByte(filename, '.'); i > 0 {
		filename = filename[:i]
	}
	return strings.NewReplacer("-", " ", "_", " ", ".", " ").Replace(filename)
}

func capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// lowerFirst lowers the first letter of a text that continues a sentence.
func lowerFirst(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

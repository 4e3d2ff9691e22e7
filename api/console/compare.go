package console

import (
	"slices"
	"strings"
	"unicode"
)

// comparison is an answer of the lead beside the fact of the document that says the same thing.
type comparison struct {
	Label, Answer string
	Fact, Read    string // the fact's name and value
	Part          int
	Pointer       string
	Same          bool // as far as letters and digits go
}

// answer is what the lead says of itself, in its record or on its checklist.
type answer struct {
	label, value string
	facts        []string // names of facts that say the same
}

// holderFacts are the facts that name whose document it is.
var holderFacts = []string{"accountHolder", "entityName", "businessName", "employer", "customer", "insured", "tenant"}

// factsOfType are the facts that an answer of a type stands beside.
var factsOfType = map[string][]string{"EIN": {"ein"}, "SSN": {"ssn"}, "ADDRESS": {"address", "serviceAddress"},
	"PHONE": {"phone"}, "EMAIL": {"email"}, "URL": {"website"}}

// compare puts the lead's answers beside the facts that say the same thing, and gives the answers that no fact is of.
func compare(l lead, entries []entry, parts []readPart) (side []comparison, left []entry) {
	for _, one := range recordAnswers(l) {
		side = append(side, one.beside(parts)...)
	}
	for _, e := range entries {
		one := answer{e.ChecklistItem.Label, e.Shown(), factsOfType[e.ChecklistItem.FieldType]}
		if strings.Contains(letters(one.label), "businessname") || strings.Contains(letters(one.label), "legalname") {
			one.facts = holderFacts
		}
		found := one.beside(parts)
		if len(found) == 0 {
			left = append(left, e)
		}
		side = append(side, found...)
	}
	// The record and the checklist may say the same of the same fact.
	kept := side[:0]
	for _, c := range side {
		if !slices.ContainsFunc(kept, func(k comparison) bool {
			return k.Part == c.Part && k.Pointer == c.Pointer && k.Answer == c.Answer
		}) {
			kept = append(kept, c)
		}
	}
	return kept, left
}

// recordAnswers returns the answers in the lead's own record.
func recordAnswers(l lead) []answer {
	var all []answer
	add := func(label string, value *string, facts ...string) {
		if value != nil && *value != "" {
			all = append(all, answer{label, *value, facts})
		}
	}
	add("Business", l.BusinessName, holderFacts...)
	add("First name", l.FirstName)
	add("Last name", l.LastName)
	if l.FirstName != nil && l.LastName != nil {
		name := *l.FirstName + " " + *l.LastName
		add("Name", &name, "taxpayer", "employee", "name")
	}
	return all
}

// beside returns the comparisons with the facts of all parts that state the same.
func (a answer) beside(parts []readPart) []comparison {
	var found []comparison
	for _, part := range parts {
		for _, f := range part.ownFacts() {
			name := strings.TrimPrefix(f.Pointer, "/")
			if f.Kind == "none" || !slices.Contains(a.facts, name) && letters(f.Label) != letters(a.label) {
				continue
			}
			found = append(found, comparison{a.label, a.value, f.Label, f.Value, part.Index, f.Pointer,
				sameValue(a.value, f.Value)})
		}
	}
	return found
}

// ownFacts returns the facts of the document itself, not those of its lists.
func (p readPart) ownFacts() []fact {
	var found []fact
	for _, b := range p.Blocks {
		for _, f := range b.Facts {
			if strings.Count(f.Pointer, "/") == 1 {
				found = append(found, f)
			}
		}
	}
	return found
}

// legalForms are what a business may leave out of its name.
var legalForms = []string{"llc", "inc", "corp", "corporation", "co", "company", "ltd", "lp", "llp", "pllc", "pc", "the"}

// sameValue compares letters and digits; business names without their legal form, masked numbers by their visible
// digits.
func sameValue(a, b string) bool {
	if strings.HasPrefix(a, "***-**-") || strings.HasPrefix(b, "***-**-") {
		return len(a) > 4 && strings.HasSuffix(b, a[len(a)-4:])
	}
	short := func(s string) string {
		words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r)
		})
		words = slices.DeleteFunc(words, func(w string) bool { return slices.Contains(legalForms, w) })
		return strings.Join(words, "")
	}
	return short(a) == short(b)
}

// letters are the letters and digits of a label, small.
func letters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

package judge

import (
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// likeness is how well a printed name fits an expected one. A near miss is never passed: it goes to a person.
type likeness int

const (
	otherName likeness = iota
	nearName
	sameName
)

// honorifics say nothing about who somebody is.
var honorifics = text.WordSet("mr mrs ms miss mx dr prof sir madam rev hon esq cpa md phd dds mba")

// nameSuffixes tell father from son.
var nameSuffixes = map[string]string{
	"jr": "jr", "junior": "jr", "sr": "sr", "senior": "sr", "ii": "ii", "2nd": "ii", "iii": "iii", "3rd": "iii",
	"iv": "iv", "4th": "iv",
}

// nicknames are pairs met on statements; they make a near miss, since Bob is not always Robert.
var nicknames = map[string]string{
	"bob": "robert", "rob": "robert", "bobby": "robert", "bill": "william", "will": "william", "billy": "william",
	"jim": "james", "jimmy": "james",
	"mike": "michael", "tom": "thomas", "tommy": "thomas", "dick": "richard", "rick": "richard", "rich": "richard",
	"dave": "david", "dan": "daniel", "danny": "daniel",
	"joe": "joseph", "joey": "joseph", "chris": "christopher", "matt": "matthew", "tony": "anthony", "steve": "steven",
	"stephen": "steven", "ed": "edward", "eddie": "edward",
	"liz": "elizabeth", "beth": "elizabeth", "betty": "elizabeth", "kate": "katherine", "kathy": "katherine",
	"katie": "katherine", "cathy": "catherine", "sue": "susan",
	"peggy": "margaret", "maggie": "margaret", "meg": "margaret", "jen": "jennifer", "jenny": "jennifer",
	"becky": "rebecca", "debbie": "deborah", "deb": "deborah",
	"pat": "patricia", "patty": "patricia", "nick": "nicholas", "alex": "alexander", "sam": "samuel", "ben": "benjamin",
	"andy": "andrew", "greg": "gregory", "ken": "kenneth",
	"ron": "ronald", "don": "donald", "larry": "lawrence", "jerry": "gerald", "chuck": "charles", "charlie": "charles",
	"ted": "theodore", "pete": "peter", "phil": "philip",
	"ray": "raymond", "tim": "timothy", "vince": "vincent", "walt": "walter", "pam": "pamela", "cindy": "cynthia",
	"mandy": "amanda", "abby": "abigail", "gabe": "gabriel",
}

// person is a name cut into comparable words.
type person struct {
	words  []string // folded, in printed order ("Last, First" turned round)
	suffix string
}

var initialDot = lazyregexp.New(`\b([A-Za-z])\.`)

// readPerson folds a name. "SMITH, JOHN Q JR" is john q smith, jr.
func readPerson(name string) person {
	name = initialDot.ReplaceAllString(name, "$1 ")
	if last, first, ok := strings.Cut(name, ","); ok && nameSuffixes[text.Fold(first)] == "" &&
		!honorifics[text.Fold(first)] {
		name = first + " " + last
	}
	var p person
	for _, w := range strings.Fields(text.Fold(name)) {
		switch {
		case honorifics[w]:
		case nameSuffixes[w] != "" && len(p.words) > 0:
			p.suffix = nameSuffixes[w]
		default:
			p.words = append(p.words, w)
		}
	}
	return p
}

// matchPerson compares a printed name with an expected one.
//
// Same: all words agree in any order, a middle name may be missing or be an initial. Near: one word is a typing
// error, an abbreviation or a nickname of the other's, the first name is only an initial, middle names or
// suffixes contradict each other. Anything else is another person.
func matchPerson(expected, printed string) likeness {
	best := otherName
	for _, one := range splitPeople(printed) {
		best = max(best, comparePerson(readPerson(expected), readPerson(one)))
	}
	return best
}

var peopleJoin = lazyregexp.New(`(?i)\s+(?:and|or|&)\s+|\s*&\s*|\s*/\s*|\s*;\s*|\n`)

// splitPeople cuts "Kevin & Carmella Finnerty" into Kevin Finnerty and Carmella Finnerty: a part of one word
// borrows the family name of the last part.
func splitPeople(printed string) []string {
	parts := peopleJoin.Split(strings.TrimSpace(printed), -1)
	last := strings.Fields(parts[len(parts)-1])
	for i, part := range parts {
		if len(parts) > 1 && len(strings.Fields(part)) == 1 && len(last) > 1 {
			parts[i] = part + " " + last[len(last)-1]
		}
	}
	return parts
}

func comparePerson(want, got person) likeness {
	if len(want.words) == 0 || len(got.words) == 0 {
		return otherName
	}
	if strings.Join(want.words, "") == strings.Join(got.words, "") {
		return suffixLimit(want, got)
	}
	full, initials, wantLeft, gotLeft := alignWords(want.words, got.words)
	if oneName(want, got, full, initials, len(wantLeft), len(gotLeft)) {
		return suffixLimit(want, got)
	}
	switch {
	case full >= 2:
		return nearName // Andrew and Brian in the middle, or another word in front
	case full >= 1 && initials >= 1 && len(wantLeft)+len(gotLeft) <= 1:
		return nearName // J Smith
	case full >= 1 && anyWordsAlike(wantLeft, gotLeft):
		return nearName
	case full == 0 && len(wantLeft) >= 2 && allWordsAlike(wantLeft, gotLeft):
		return nearName
	}
	return otherName
}

// oneName reports whether the given numbers of common words and initials, and of words left on either side, make both
// one name: all words agree, or one name is the other with words left out in the middle, or the rest are initials as in
// J. Q. Smith for John Quincy Smith.
func oneName(want, got person, full, initials, wantLeft, gotLeft int) bool {
	if full >= 2 && (wantLeft == 0 || gotLeft == 0) {
		if wantLeft+gotLeft == 0 || sameEnds(want.words, got.words) {
			return true
		}
	}
	return full >= 1 && initials >= 2 && wantLeft == 0
}

// suffixLimit keeps John Smith Jr and John Smith III apart. A suffix that only one name has does not matter.
func suffixLimit(want, got person) likeness {
	if want.suffix != "" && got.suffix != "" && want.suffix != got.suffix {
		return nearName
	}
	return sameName
}

// alignWords pairs equal words, then initials with the words they begin, and returns what is left over.
func alignWords(want, got []string) (full, initials int, wantLeft, gotLeft []string) {
	gotLeft = slices.Clone(got)
	for _, w := range want {
		if i := slices.Index(gotLeft, w); i >= 0 {
			gotLeft = slices.Delete(gotLeft, i, i+1)
			if len(w) > 1 {
				full++
			} else {
				initials++
			}
			continue
		}
		wantLeft = append(wantLeft, w)
	}
	rest := wantLeft
	wantLeft = nil
	for _, w := range rest {
		i := slices.IndexFunc(gotLeft, func(g string) bool {
			return g[0] == w[0] && (len(g) == 1) != (len(w) == 1)
		})
		if i < 0 {
			wantLeft = append(wantLeft, w)
			continue
		}
		gotLeft = slices.Delete(gotLeft, i, i+1)
		initials++
	}
	return full, initials, wantLeft, gotLeft
}

// sameEnds reports whether the shorter name's first and last words are the ends of the longer one, in either
// order: the words the longer one adds are middle names. John Smith is John Michael Smith and Smith John
// Michael, but Michael John Smith is somebody else until a person says so.
func sameEnds(a, b []string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	first, last := a[0], a[len(a)-1]
	return first == b[0] && slices.Contains(b, last) || last == b[0] && slices.Contains(b, first)
}

func anyWordsAlike(a, b []string) bool {
	for _, x := range a {
		for _, y := range b {
			if wordsAlike(x, y) {
				return true
			}
		}
	}
	return false
}

func allWordsAlike(a, b []string) bool {
	for _, x := range a {
		if !slices.ContainsFunc(b, func(y string) bool { return x == y || wordsAlike(x, y) }) {
			return false
		}
	}
	return true
}

// wordsAlike reports whether two different words may be the same name: a typing or reading error, a nickname,
// or one cut short.
func wordsAlike(a, b string) bool {
	if nicknames[a] == b || nicknames[b] == a || nicknames[a] != "" && nicknames[a] == nicknames[b] {
		return true
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) >= 4 && strings.HasPrefix(b, a) {
		return true
	}
	switch {
	case len(a) < 3 || len(a) == 3 && a[0] != b[0]:
		return false
	case len(a) < 7:
		return editDistance(a, b) <= 1
	}
	return editDistance(a, b) <= 2
}

// editDistance counts insertions, deletions, replacements and swaps of neighbours between two words.
func editDistance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, prev := make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(x); i++ {
		row := make([]int, len(y)+1)
		row[0] = i
		for j := 1; j <= len(y); j++ {
			cost := 1
			if x[i-1] == y[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev = prev, row
	}
	return prev[len(y)]
}

// printedNames returns the names of a person and of businesses that d prints for one role of a rule, with the
// words for them: ("account holder", ["ACME LLC"]). Nothing printed gives no names.
func printedNames(d dossier.ReadDocument, subject string) (caption string, names []string) {
	add := func(parts ...*string) {
		for _, p := range parts {
			if p != nil && strings.TrimSpace(*p) != "" {
				names = append(names, strings.TrimSpace(*p))
			}
		}
	}
	f := d.Facts
	switch {
	case f.Bank != nil:
		add(f.Bank.AccountHolder)
		return "account_holder", names
	case f.Tax != nil:
		switch subject {
		case "spouse":
			add(f.Tax.Spouse)
			return "spouse", names
		case "preparer":
			add(f.Tax.Preparer)
			return "preparer", names
		}
		add(f.Tax.Taxpayer, f.Tax.EntityName, f.Tax.BusinessName, f.Tax.Spouse)
		return "taxpayer", names
	case f.Identity != nil:
		if f.Identity.FirstName != nil && f.Identity.LastName != nil {
			full := *f.Identity.FirstName + " " + *f.Identity.LastName
			add(&full)
		} else {
			add(f.Identity.LastName)
		}
		return "name", names
	case f.Statement != nil:
		add(f.Statement.EntityName)
		return "entity", names
	}
	return otherNames(f.Other, subject)
}

// namePointers are the facts in which printedNames looks.
func namePointers(d dossier.ReadDocument, subject string) []string {
	switch f := d.Facts; {
	case f.Bank != nil:
		return []string{"/accountHolder"}
	case f.Tax != nil && (subject == "spouse" || subject == "preparer"):
		return []string{"/" + subject}
	case f.Tax != nil:
		return []string{"/taxpayer", "/entityName", "/businessName", "/spouse"}
	case f.Identity != nil:
		return []string{"/firstName", "/lastName"}
	case f.Statement != nil:
		return []string{"/entityName"}
	}
	keys, ok := otherNameKeys[subject]
	if !ok {
		keys = otherNameKeys[""]
	}
	pointers := make([]string, len(keys))
	for i, key := range keys {
		pointers[i] = "/" + key
	}
	return pointers
}

// otherNameKeys are the facts of other documents that name somebody, per role; "" is whoever the document is
// made out to.
var otherNameKeys = map[string][]string{
	"":         {"accountHolder", "name", "employee", "tenant", "taxpayer", "entityName", "insured", "company"},
	"employer": {"employer", "company"},
	"employee": {"employee", "name"},
	"tenant":   {"tenant"},
	"landlord": {"landlord"},
	"issuer":   {"issuer", "institution", "merchant"},
}

func otherNames(facts map[string]any, subject string) (caption string, names []string) {
	keys, ok := otherNameKeys[subject]
	if !ok {
		keys = otherNameKeys[""]
	}
	caption = subject
	for _, key := range keys {
		if s, ok := facts[key].(string); ok && strings.TrimSpace(s) != "" {
			names = append(names, strings.TrimSpace(s))
			if caption == "" {
				caption = key
			}
		}
	}
	if caption == "" {
		caption = "name"
	}
	return caption, names
}

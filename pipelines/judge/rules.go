package judge

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Rules are sentences a workspace writes ("The account holder is the business or its owner"). They are read
// offline into predicates over facts. The reading is strict: every word of a rule must be part of a phrase
// some predicate knows or be one of the words that add nothing (the, must, statement). One word left over and
// the rule is not understood, which asks for a person; so "balances reconcile to the ledger" never passes as
// "balances reconcile".

// rule is a rule, or a part of one, as it was understood.
type rule struct {
	reading  string // in words
	judge    func(*evidence) answer
	together bool // asks of the item's other documents too
}

// maxRule is how long a rule may be to be read at all; longer ones are contracts, not rules.
const maxRule = 600

// maxJoins bounds how many "and"s, "or"s and commas a rule may have.
const maxJoins = 12

// permission matches wording that asks for less than it seems to: the rule permits, wishes or excepts something, or
// speaks of several returns at once.
var permission = lazyregexp.New(`\b(?:(?:do|does|did)(?: not|n['’]?t) (?:have|need) to|(?:is|are)(?: not|n['’]?t) ` +
	`(?:required|necessary|needed|obliged|expected)|need(?: not|n['’]?t)|no need|not necessarily|optional(?:ly)?` +
	`|prefer(?:ably|red)|ideally|` +
	`if (?:available|possible|applicable|any)|where (?:applicable|available|possible)|unless|may or may not)\b` +
	`|\breturns?\b.*\b(?:last|past|previous|prior|recent) (?:[2-9]|two|three|four|five)\b.*\byears?\b`)

// "It may be expired" allows, "it may be no older than 60 days" and "no page may be missing" demand.
var (
	mayBe    = lazyregexp.New(`\b(?:can|could|may|might) (?:also |still )?be (?:an? |the )?(\w+)`)
	demands  = lazyregexp.New(`\b(?:no|not|none|only|neither|nor|never|nothing)\b`)
	boundsIt = text.WordSet("at up max maximum within less fewer under")
)

func isPermission(text string) bool {
	if permission.MatchString(text) {
		return true
	}
	g := mayBe.FindStringSubmatch(text)
	return g != nil && !demands.MatchString(text) && !boundsIt[g[1]]
}

// readRule reads a rule. It reports false when any part of it is not understood.
func readRule(text string) (rule, bool) {
	if len(text) > maxRule || strings.TrimSpace(text) == "" {
		return rule{}, false
	}
	if isPermission(strings.ToLower(text)) {
		return rule{}, false
	}
	c := parseClause(text)
	joins := 0
	for _, w := range c.words {
		if joining[w] {
			joins++
		}
	}
	if joins > maxJoins {
		return rule{}, false
	}
	if r, ok := (&ruleReader{known: map[string]understood{}}).clause(c); ok || c.hasVerb() || c.negated() {
		return r, ok
	}
	return readDocumentKind(c.with("is")) // a rule that only names a kind: "Driver's license or passport"
}

// ruleReader parses one rule. It caches what it made of each clause: a rule with many "and"s can be split in many ways,
// but into few different clauses.
type ruleReader struct{ known map[string]understood }

type understood struct {
	rule rule
	ok   bool
}

// clause reads a clause as one predicate, else as several joined by "and", "or", "but", "nor". "And" is cut
// first, so that A or B and C is read as (A or B) and C: the stricter way.
func (r *ruleReader) clause(c clause) (rule, bool) {
	if len(c.words) == 0 {
		return rule{}, false
	}
	key := c.text()
	if have, ok := r.known[key]; ok {
		return have.rule, have.ok
	}
	r.known[key] = understood{} // a clause is no part of itself
	found, ok := readPredicate(c)
	if !ok {
		found, ok = r.joined(c)
	}
	r.known[key] = understood{found, ok}
	return found, ok
}

// predicate reads a clause as one predicate only.
func (r *ruleReader) predicate(c clause) (rule, bool) {
	key := "1:" + c.text()
	if have, ok := r.known[key]; ok {
		return have.rule, have.ok
	}
	found, ok := readPredicate(c)
	r.known[key] = understood{found, ok}
	return found, ok
}

// joining are the words at which a clause may be cut, strongest first.
var (
	joining  = text.WordSet("; and but , or nor")
	joinKind = []map[string]bool{text.WordSet(";"), text.WordSet("and but ,"), text.WordSet("or nor ,")}
)

func (r *ruleReader) joined(c clause) (rule, bool) {
	for kind, words := range joinKind {
		for i := 1; i < len(c.words)-1; i++ {
			if !words[c.words[i]] {
				continue
			}
			left, right := c.cut(0, i).trimmed(), c.cut(i+1, len(c.words)).trimmed()
			if len(left.words) == 0 || len(right.words) == 0 {
				continue
			}
			read := r.pair
			if kind == 2 {
				read = r.either
			}
			if found, ok := read(left, right, bothOf); ok {
				return found, true
			}
		}
	}
	return rule{}, false
}

// either reads "A or B". A negation before "or" holds for both: "not expired or damaged" means neither.
func (r *ruleReader) either(left, right clause, both func(a, b rule) rule) (rule, bool) {
	if left.negated() && !right.negated() && !right.hasVerb() {
		return r.pair(left, right.with("not"), both)
	}
	if left.negated() && right.negated() {
		return r.pair(left, right, both)
	}
	return r.pair(left, right, eitherOf)
}

// pair reads two halves. One half may lean on the other's words ("shows the name and the account number", "the
// name and the address match the lead"), so it is also tried with what it leans on.
func (r *ruleReader) pair(left, right clause, join func(a, b rule) rule) (rule, bool) {
	rightRule, rightOK := r.clause(right)
	leftRule, leftOK := r.clause(left)
	if leftOK && !rightOK {
		if verb := left.upToVerb(); verb != nil {
			rightRule, rightOK = r.predicate(right.after(verb))
		}
	}
	if rightOK && !leftOK && !left.hasVerb() {
		if tail := right.fromVerb(); tail != nil {
			leftRule, leftOK = r.predicate(left.before(tail))
		}
	}
	if !leftOK || !rightOK {
		return rule{}, false
	}
	return join(leftRule, rightRule), true
}

func bothOf(a, b rule) rule {
	return rule{
		reading:  "both: " + a.reading + "; and " + b.reading,
		judge:    func(e *evidence) answer { return allOf(a.judge(e), b.judge(e)) },
		together: a.together || b.together,
	}
}

func eitherOf(a, b rule) rule {
	return rule{
		reading:  "either: " + a.reading + "; or " + b.reading,
		judge:    func(e *evidence) answer { return anyOf(a.judge(e), b.judge(e)) },
		together: a.together || b.together,
	}
}

// negate returns the opposite of a rule; an unsure answer stays unsure.
func negate(r rule) rule {
	reading, twice := strings.CutPrefix(r.reading, "not: ")
	if !twice {
		reading = "not: " + reading
	}
	return rule{
		reading:  reading,
		together: r.together,
		judge: func(e *evidence) answer {
			a := r.judge(e)
			if a.verdict != unsure {
				a.verdict = -a.verdict
			}
			return a
		},
	}
}

// ExplainRule returns how a rule is understood, in words, and whether it is. A rule that is not understood is
// never passed: it asks for a person.
func ExplainRule(text string) (reading string, understood bool) {
	r, ok := readRule(text)
	if !ok {
		return "rule not understood: a person will be asked", false
	}
	return r.reading, true
}

// predicate reads a clause that says one thing.
type predicate func(clause) (rule, bool)

// predicates are tried in order; the first that accounts for every word is used. Where two could match the same words,
// the more specific one comes first.
var predicates []predicate

func init() {
	predicates = []predicate{
		readExpiry, readDated, readCovers, readNames, readLiteralName, readAddress, readEIN, readReconciles, readSign,
		readAmount, readAge,
		readShows, readPages, readFormOrYear, readParts, readFileKind, readDocumentKind, readAccountKind, readSigned,
		readLegible, readCurrency, readTampered, readAccounts,
	}
}

func readPredicate(c clause) (rule, bool) {
	for _, try := range []clause{c, c.withoutSubject()} {
		for _, p := range predicates {
			if r, ok := p(try); ok {
				return r, true
			}
		}
	}
	return rule{}, false
}

// matchWhole matches a pattern against the clause and reports whether the words it leaves over say nothing: they are
// ignored words, the predicate's own extra words, or negations. negated is whether their number is odd.
func (c clause) matchWhole(pattern *lazyregexp.Regexp, extra string) (groups map[string]string, negated, ok bool) {
	s := c.text()
	at := pattern.FindStringSubmatchIndex(s)
	if at == nil {
		return nil, false, false
	}
	for _, w := range strings.Fields(s[:at[0]] + " " + s[at[1]:]) {
		switch {
		case negations[w]:
			negated = !negated
		case !ignoredWords[w] && !text.HasWords(extra, w):
			return nil, false, false
		}
	}
	groups = map[string]string{}
	for i, name := range pattern.SubexpNames() {
		if name != "" && at[2*i] >= 0 {
			groups[name] = s[at[2*i]:at[2*i+1]]
		}
	}
	return groups, negated, true
}

// negateIf returns r, or its opposite when negated.
func negateIf(r rule, negated bool) rule {
	if negated {
		return negate(r)
	}
	return r
}

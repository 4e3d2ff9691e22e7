package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// clause is a rule or a part of one as plain words: lower case, no articles and modals, numbers as digits,
// dates and quoted names replaced by date0, quote0...
type clause struct {
	words  []string
	dates  []text.Date
	quotes []string
	proper []string // the words of the rule that are written with a capital, folded; for names without quotes
}

// ignoredWords are words that change nothing about what a rule asks of a document.
var ignoredWords = text.WordSet(`document documents statement
	statements file files copy upload is has on of in for with at by
	to as from that which there here it its all bank
	account license passport id card return form letter bill stub paystub invoice lease page pages submitted provided
	uploaded attached customer client please also both`)

var negations = text.WordSet("not no never without neither nor")

// verbs end a subject: what stands before them may be shared by two halves of a rule.
var verbs = text.WordSet(`is has covers matches match shows show contains includes include equals belongs agrees ` +
	`corresponds states lists displays exceeds reconciles reconcile balances dated issued`)

// phrases are rewritten before a rule is read, in this order. They undo the ways of saying "is".
var phrases = []struct{ pattern, with string }{
	{`\bst(?:a?te?)?mnts? |\bstmts? |\bstatemnts? |\bstatments? |\bstatemets? `, "statement "},
	{`\bac(?:c?oun?ts?|cts?|ct) `, "account "}, {`\b(?:bussiness|buisness|bus[iy]ness|biz) `, "business "},
	{`\bmach(es)? `, "match$1 "},
	{`\b(?:shoud|shuold) `, "should "}, {`\b(older|newer|more|less|greater|higher|lower|fewer|larger) then `,
		"$1 than "}, {`\bbal `, "balance "}, {`\bavg `, "average "}, {`\bw / ?in `, "within "},
	{`\b(\d+) (?:mos?|mnths?|mths?) `, "$1 months "}, {`\b(\d+) yrs? `, "$1 years "},
	{`\b(?:drivers?|dl) lic `, "drivers license "},
	{`\b(?:please|kindly) `, ""},
	{`\b(?:make sure|ensure|verify|check|confirm|validate|we need|it is required|we require)(?: that)? `, ""},
	{`\b(?:can|could|may|might|will|would|shall)(?:not| not) `, "not "},
	{`\b(?:must|should|shall|need|has to|have to|needs to|need to|ought to|is required to|is expected to|is to|is ` +
		`supposed to)(?: also)? (not )?(?:be|have been) `, "is $1"},
	{`\b(?:must|should|shall|has to|have to|needs to|need to|ought to|is required to|is expected to|can|will|may) `,
		""},
	{`\b(?:are|was|were|be|been|being) `, "is "},
	{`\b(?:have|having|had) `, "has "},
	{`\b(?:do|does|did) not `, "not "},
	{`\bisnt `, "is not "}, {`\barent `, "is not "}, {`\b(?:doesnt|dont|didnt) `, "not "},
	{`\b(?:cant|cannot|mustnt|shouldnt|wont) `, "not "}, {`\bhasnt `, "has not "}, {`\bhavent `, "has not "},
	{`\bcover `, "covers "}, {`\bcovering `, "covers "}, {`\bshow `, "shows "}, {`\bdisplay `, "displays "},
	{`\bappear `, "appears "}, {`\binclude `, "includes "}, {`\bbear `, "bears "}, {`\bspans? `, "covers "},
	{`\bspanning `, "covers "}, {`\bshowing `, "shows "}, {`\bcontaining `, "contains "}, {`\bcontain `, "contains "},
	{`\bincluding `, "includes "},
	{`\bhalf(?: of)?(?: a)? year `, "6 month "}, {`\b(\d+) quarters? `, "$1 quarter "},
	{`\b(last|past|previous|full|one|1) quarter `, "$1 3 month "},
	{`\b(\d+) \(?(\d+)\)? `, "$1 $2 "}, {`\bnot is `, "is not "},
	{`^([^,;]+?) (?:is )?not (?:acceptable|accepted|allowed|permitted|ok|okay) $`, "no $1 "},
	{`^(?:we )?not (?:accept|allow|take) ([^,;]+) $`, "no $1 "},
	{`^(?:we )?only (?:accept |take )?((?:pdfs?|(?:business|personal|checking|savings) (?:checking )?accounts?` +
		`|official [a-z ]+) )$`, "is $1"},
	{`^((?:pdfs?|(?:business|personal|checking|savings) (?:checking )?accounts?) )only $`, "is $1"},
	{`\b(beginning|opening|starting|ending|closing) and (beginning|opening|starting|ending|closing) balances? `,
		"$1 balance and $2 balance "}, {`\bfirst and last names? `, "name "},
	{`\b(?:minimum|min) (average (?:[a-z]+ )?balance|(?:ending|closing|opening|beginning|available) balance|total ` +
		`deposits|revenues?|gross receipts) (?:of |is )?`, "$1 is at least "},
	{`\b(ein|tax id(?: number)?) match(?:es)? (?:(?:loan |credit )?application|our records|records|file|crm` +
		`|profile)? ?$`, "$1 matches on file "},
	{`\b((?:business |home |mailing |street )?address(?: on (?:id|license|statement|bill|document))?) match(?:es)? ` +
		`(?:(?:loan |credit )?application|our records|records|crm|profile|address on (?:file|application))? ?$`,
		"$1 matches lead address "},
	{`^in (usd|us dollars|dollars) $`, "is in $1 "},
}

var numberWords = map[string]string{
	"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
	"ten": "10", "eleven": "11",
	"twelve": "12", "fifteen": "15", "eighteen": "18", "twenty": "20", "thirty": "30", "forty-five": "45",
	"sixty": "60", "ninety": "90",
}

// articles say nothing; "any" and "each" because every document is judged by itself.
var articles = text.WordSet("the a an this these those their his her any each every own respective very")

var (
	quoted       = lazyregexp.New(`["“”«»]([^"“”«»]{2,80})["“”«»]`)
	thousands    = lazyregexp.New(`(\d),(\d{3})\b`)
	possessive   = lazyregexp.New(`['’]s\b|s['’](\s|$)`)
	apostrophe   = strings.NewReplacer("'", "", "’", "")
	spaced       = lazyregexp.New(`([;,()!?:\[\]])`)
	sentenceEnd  = lazyregexp.New(`[.;!?]+(?:\s|$)`)
	betweenWords = lazyregexp.New(`([a-z0-9])[-/]([a-z])`)
	compiled     = compilePhrases()
)

func compilePhrases() []*lazyregexp.Regexp {
	all := make([]*lazyregexp.Regexp, len(phrases))
	for i, p := range phrases {
		all[i] = lazyregexp.New(p.pattern)
	}
	return all
}

// parseClause turns the text of a rule into normalized words.
func parseClause(text string) clause {
	var c clause
	text = quoted.ReplaceAllStringFunc(text, func(q string) string {
		c.quotes = append(c.quotes, strings.TrimSpace(quoted.FindStringSubmatch(q)[1]))
		return fmt.Sprintf(" quote%d ", len(c.quotes)-1)
	})
	text = c.cutDates(text)
	c.proper = properWords(text)
	text = strings.ToLower(possessive.ReplaceAllString(text, "$1"))
	text = apostrophe.Replace(text)
	for thousands.MatchString(text) {
		text = thousands.ReplaceAllString(text, "$1$2")
	}
	text = sentenceEnd.ReplaceAllString(text, " ; ")
	text = spaced.ReplaceAllString(text, " $1 ")
	text = betweenWords.ReplaceAllString(text, "$1 $2")
	c.words = plainWords(text)
	return c
}

// cutDates replaces full dates and months of a year by date0, date1...; a date without a year stays text.
func (c *clause) cutDates(s string) string {
	var b strings.Builder
	at := 0
	for _, d := range text.FindDates(s, text.MonthFirst) {
		if d.Year == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s date%d ", s[at:d.From], len(c.dates))
		c.dates = append(c.dates, d.Date)
		at = d.To
	}
	return b.String() + s[at:]
}

func plainWords(text string) []string {
	var words []string
	for _, w := range strings.Fields(text) {
		w = strings.Trim(w, `.`)
		if n, ok := numberWords[w]; ok {
			w = n
		}
		switch {
		case w == "" || articles[w] || w == "(" || w == ")" || w == "[" || w == "]" || w == ":":
		case len(words) > 0 && words[len(words)-1] == w && w[0] >= '0' && w[0] <= '9': // three (3)
		default:
			words = append(words, w)
		}
	}
	text = strings.Join(words, " ") + " "
	for i, p := range compiled {
		text = p.ReplaceAllString(text, phrases[i].with)
	}
	words = strings.Fields(text)
	for len(words) > 0 && (words[len(words)-1] == ";" || words[len(words)-1] == ",") {
		words = words[:len(words)-1]
	}
	return words
}

// properWords returns the folded words that begin with a capital or a digit, in order.
func properWords(s string) []string {
	var proper []string
	for _, w := range strings.Fields(s) {
		if c := w[0]; c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '&' {
			proper = append(proper, strings.Fields(text.Fold(w))...)
		}
	}
	return proper
}

func (c clause) text() string { return strings.Join(c.words, " ") }

func (c clause) cut(from, to int) clause {
	c.words = c.words[from:to]
	return c
}

// trimmed removes conjunctions that a split left at either end.
func (c clause) trimmed() clause {
	for len(c.words) > 0 && joining[c.words[0]] {
		c.words = c.words[1:]
	}
	for len(c.words) > 0 && joining[c.words[len(c.words)-1]] {
		c.words = c.words[:len(c.words)-1]
	}
	return c
}

func (c clause) negated() bool {
	return slices.ContainsFunc(c.words, func(w string) bool { return negations[w] })
}

// oddNegations reports whether the clause has an odd number of negations.
func (c clause) oddNegations() bool {
	odd := false
	for _, w := range c.words {
		odd = odd != negations[w]
	}
	return odd
}

func (c clause) hasVerb() bool {
	return slices.ContainsFunc(c.words, func(w string) bool { return verbs[w] })
}

// upToVerb returns the words up to and with the first verb, with its negation; nil without one.
func (c clause) upToVerb() []string {
	for i, w := range c.words {
		if verbs[w] {
			if i+1 < len(c.words) && negations[c.words[i+1]] {
				i++
			}
			return c.words[:i+1]
		}
	}
	return nil
}

// fromVerb returns the words from the first verb on; nil without one.
func (c clause) fromVerb() []string {
	for i, w := range c.words {
		if verbs[w] {
			return c.words[i:]
		}
	}
	return nil
}

func (c clause) after(words []string) clause {
	c.words = append(slices.Clone(words), c.words...)
	return c
}

func (c clause) before(words []string) clause {
	c.words = append(slices.Clone(c.words), words...)
	return c
}

func (c clause) with(word string) clause { return c.after([]string{word}) }

// subject is what a rule may call the document at its beginning. Whose it is and how often it comes are no
// part of the rule: "The applicant's monthly bank statements reconcile".
var subject = lazyregexp.New(`^(?:(?:all|business|company|personal|applicant|lead|owner|borrower|client|customer` +
	`|guarantor|uploaded|provided|submitted|monthly|annual|official|valid) )*` +
	`(?:(?:bank|checking|savings|account|financial|tax|drivers?|driving|photo|government|issued|utility|insurance` +
	`|income|federal|social|security|identity|identification|pay|business) )*` +
	`(?:statements?|balance sheets?|profit (?:and|&) loss|p ?& ?l|documents?|files?|licen[sc]es?|passports?|ids?` +
	`|cards?|returns?|forms?|bills?|leases?|agreements?|letters?|stubs?|paystubs?|invoices?|certificates?|polic(?:y` +
	`|ies)|reports?|cop(?:y|ies)|uploads?|pages?|scans?|receipts?|checks?|w-[29]s?|1099s?|k-1s?|it|they) (?:(?:that ` +
	`)?(?:is )?(?:uploaded|provided|submitted|attached) )?`)

// withoutSubject drops the words at the beginning that only name the document.
func (c clause) withoutSubject() clause {
	text := c.text() + " "
	rest := subject.ReplaceAllString(text, "")
	if strings.TrimSpace(rest) == "" {
		return c
	}
	c.words = strings.Fields(rest)
	return c
}

// anchored compiles the patterns of a table's n rows into expressions that match a whole text.
func anchored(n int, words func(i int) string) []*lazyregexp.Regexp {
	all := make([]*lazyregexp.Regexp, n)
	for i := range all {
		all[i] = lazyregexp.New(`^(?:` + words(i) + `)$`)
	}
	return all
}

// Package captions holds what the lines of statements are called, in many languages, by row of the template.
package captions

import (
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// Statements of a set, as facts.md names them.
const (
	IncomeStatement = "incomeStatement"
	BalanceSheet    = "balanceSheet"
	CashFlow        = "cashFlow"
)

//go:embed captions.txt
var statementCaptions string

// moreCaptions are those of larger companies and of other countries.
//
//go:embed captions_more.txt
var moreCaptions string

// worldCaptions are those of countries whose law names the lines.
//
//go:embed captions_world.txt
var worldCaptions string

// taxonomyCaptions are those that taxonomies and laws of many countries give.
//
//go:embed captions_taxonomies.txt
var taxonomyCaptions string

// tradeCaptions are those that trades print: carriers, shipping, oil and gas, property, software.
//
//go:embed captions_trades.txt
var tradeCaptions string

// abroadCaptions are those of Turkey and Indonesia.
//
//go:embed captions_abroad.txt
var abroadCaptions string

// filerCaptions are those that filers print in words of their own.
//
//go:embed captions_filers.txt
var filerCaptions string

// Rule says that a caption means a row of the template.
type Rule struct {
	Row, Section string
	Phrase       string
	Anywhere     bool // in every section of its statement
	Part         bool // one of several lines that make the row
	Rank         int  // place in the list: the row's own names come before special ones
}

// Book holds the captions of one statement.
type Book struct {
	Exact    map[string][]Rule
	Wild     []Rule
	Headings map[string]string // section by caption
	openings []Rule            // headings with a wildcard
	Skips    []string
	byLength map[int][]string // exact captions, for misread ones
}

// Books reads the data file once; a line that it does not understand is a defect of the program.
var Books = sync.OnceValue(func() map[string]*Book {
	books := map[string]*Book{}
	var book *Book
	section := ""
	for line := range strings.Lines(statementCaptions + "\n" + moreCaptions + "\n" + worldCaptions + "\n" +
		taxonomyCaptions + "\n" + tradeCaptions + "\n" + abroadCaptions + "\n" +
		filerCaptions) {
		line = strings.TrimSpace(line)
		switch name, after, _ := strings.Cut(line, ":"); {
		case line == "" || line[0] == '#':
			continue
		case line[0] == '[':
			name := strings.Trim(line, "[]")
			if books[name] == nil {
				books[name] = &Book{Exact: map[string][]Rule{}, Headings: map[string]string{},
					byLength: map[int][]string{}}
			}
			book = books[name]
			continue
		case name == "section":
			section = strings.TrimSpace(after)
			continue
		}
		row, captions, ok := strings.Cut(line, " = ")
		if !ok || book == nil {
			panic("captions.txt: " + line)
		}
		book.add(strings.TrimSpace(row), section, strings.Split(captions, ";"))
	}
	return books
})

func (b *Book) add(row, section string, captions []string) {
	if kind, side, _ := strings.Cut(row, " "); kind == "heading" {
		if side != "" {
			section = side
		}
		for _, c := range captions {
			if c = totalWord.ReplaceAllString(strings.TrimSpace(c), "total "); strings.Contains(c, "*") {
				b.openings = append(b.openings, Rule{Section: section, Phrase: c})
			} else if _, have := b.Headings[c]; !have {
				b.Headings[c] = section
			}
		}
		return
	}
	rule := Rule{Row: strings.TrimRight(row, "!+"), Section: section, Anywhere: strings.ContainsAny(row, "!+"),
		Part: strings.HasSuffix(row, "+")}
	for i, c := range captions {
		rule.Phrase, rule.Rank = totalWord.ReplaceAllString(strings.TrimSpace(c), "total "), i
		switch {
		case row == "skip":
			b.Skips = append(b.Skips, rule.Phrase)
		case strings.Contains(c, "*"):
			b.Wild = append(b.Wild, rule)
		default:
			if len(b.Exact[rule.Phrase]) == 0 {
				b.byLength[len(rule.Phrase)] = append(b.byLength[len(rule.Phrase)], rule.Phrase)
			}
			b.Exact[rule.Phrase] = append(b.Exact[rule.Phrase], rule)
		}
	}
}

// Find returns the rules of a folded caption: those that name it whole, else those without "total", else
// those with wildcards, else those of the one caption that it is a misreading of.
func (b *Book) Find(folded string) []Rule {
	if folded == "" || b.Skipped(folded) {
		return nil
	}
	bare := strings.TrimPrefix(folded, "total ")
	if WholeResult.MatchString(folded) {
		bare = "profit after taxation"
	}
	for _, c := range []string{folded, bare} {
		if rules := b.Exact[c]; rules != nil {
			return rules
		}
	}
	var wild []Rule
	for _, r := range b.Wild {
		if WildMatch(r.Phrase, folded) {
			wild = append(wild, r)
		}
	}
	if wild != nil {
		slices.SortStableFunc(wild, func(x, y Rule) int { return len(y.Phrase) - len(x.Phrase) })
		return wild
	}
	if near := b.nearest(folded); near != "" {
		return b.Exact[near]
	}
	return nil
}

// WholeResult are captions of the result after taxes that name whose it is: all of it.
var WholeResult = lazyregexp.New(`^(?:net )?(?:profit|loss|profit loss|loss profit|earnings) after ` +
	`(?:income )?tax(?:ation|es)?` +
	`(?: expense| benefit)? for the (?:financial )?(?:half )?(?:year|period)\b` +
	`|^(?:consolidated )?net (?:income|earnings|loss|income loss|loss income|profit) including (?:the )?` +
	`(?:net (?:income|earnings|loss|income loss|loss income) |portion |amounts? )?attributable to ` +
	`(?:redeemable )?non ?controlling interests?$` +
	`|^(?:profit|loss|profit loss|loss profit)(?: for the (?:financial )?(?:year|period))?,? (?:and|representing) ` +
	`total comprehensive (?:income|loss|profit|expense)\b`)

// Skipped reports whether a folded caption belongs to no row: it is a line of shares, of notes, of other matters.
func (b *Book) Skipped(folded string) bool {
	if len(b.Exact[folded]) > 0 || WholeResult.MatchString(folded) && len(b.Exact["profit after taxation"]) > 0 {
		return false
	}
	return slices.ContainsFunc(b.Skips, func(s string) bool { return WildMatch(s, folded) })
}

// Heading is the section that a caption without figures opens.
func (b *Book) Heading(folded string) (string, bool) {
	for _, c := range []string{folded, strings.TrimPrefix(folded, "total ")} {
		if s, ok := b.Headings[c]; ok {
			return s, true
		}
	}
	for _, r := range b.openings {
		if WildMatch(r.Phrase, folded) {
			return r.Section, true
		}
	}
	return "", false
}

// HeadingOf is the section that a printed caption opens, in either of two languages.
func (b *Book) HeadingOf(caption string) (string, bool) {
	for _, c := range append([]string{caption}, inTwoLanguages(caption)...) {
		if section, ok := b.Heading(Fold(c)); ok {
			return section, true
		}
	}
	return "", false
}

// nearest is the known caption that differs from a misread one by a letter, or by two when it is long; empty
// when there is none or more than one.
func (b *Book) nearest(folded string) string {
	if len(folded) < 8 {
		return ""
	}
	allowed := 1 + len(folded)/20
	best, distance, ties := "", allowed+1, 0
	for n := len(folded) - allowed; n <= len(folded)+allowed; n++ {
		for _, c := range b.byLength[n] {
			switch d := EditDistance(c, folded, distance); {
			case d < distance:
				best, distance, ties = c, d, 0
			case d == distance && d <= allowed:
				ties++
			}
		}
	}
	if ties > 0 {
		return ""
	}
	return best
}

// EditDistance is the Levenshtein distance of two strings, or limit+1 when it is above limit.
func EditDistance(a, b string, limit int) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		corner, least := row[0], i
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := corner
			if a[i-1] != b[j-1] {
				cost++
			}
			corner = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
			least = min(least, row[j])
		}
		if least > limit {
			return limit + 1
		}
	}
	return row[len(b)]
}

// WildMatch matches a folded caption with a phrase in which * stands for any text.
func WildMatch(phrase, folded string) bool {
	if !strings.Contains(phrase, "*") {
		return phrase == folded
	}
	parts := strings.Split(phrase, "*")
	first, last := parts[0], parts[len(parts)-1]
	if !strings.HasPrefix(folded, first) || !strings.HasSuffix(folded, last) || len(folded) < len(first)+len(last) {
		return false
	}
	rest := folded[len(first) : len(folded)-len(last)]
	for _, p := range parts[1 : len(parts)-1] {
		i := strings.Index(rest, p)
		if i < 0 {
			return false
		}
		rest = rest[i+len(p):]
	}
	return true
}

var (
	romanNumber   = lazyregexp.New(`^\s*(?:\(?[IVX]{1,4}[.)]|\([ivx]{2,4}\))\s+`)
	bareRoman     = lazyregexp.New(`^\s*(?:I{1,3}|I?V|VI{1,3}|I?X|XI{1,3}|XI?V)\s+(\p{Lu}\p{L}+)`)
	bareNumber    = lazyregexp.New(`^\s*\d{1,2}\s+(\p{Lu}\p{Ll}+)`)
	ListMark      = lazyregexp.New(`^\s*(?:\d{1,2}|[a-hA-P](?:[.-]\d)?)[.)]\s+`)
	accountCode   = lazyregexp.New(`^\s*(?:\d-)?\d{3,6}(?:[.-]\d{1,5})*\s*(?:[·•:.–-]\s*)?`)
	codedTotal    = lazyregexp.New(`(?i)^\s*total\s*[-–:]\s*(?:\d{3,6}(?:[.-]\d{1,5})*\s*[·•:.–-]?\s*)?`)
	noteReference = lazyregexp.New(`(?i)\s*[(\[]\s*(?:see\s+)?(?:notes?\.?\s*)?(?:\d{1,2}|[a-z])(?:\s*(?:,|and|&|-` +
		`|–)\s*(?:\d{1,2}|[a-z]))*\s*[)\]]|[,\s–-]*\b(?:see\s+)?notes?\s+(?:\d{1,2}|[A-Z])(?:\s*(?:,|and|&|-` +
		`|–)\s*(?:\d{1,2}|[A-Z]))*\s*$|\s*[*†‡]+\s*$|\s*\.{3,}\s*`)
	// a footnote's number, raised behind the last word
	raisedNumber = lazyregexp.New(`(\p{Ll}{3})\d{1,2}\s*$`)
	aside        = lazyregexp.New(`\s*\([^)]*\)`)
	leadingWord  = lazyregexp.New(`^(?:less|add back|add|plus|deduct) `)
	totalWord    = lazyregexp.New(`^(?:sub ?totals?|totals?)(?: for| of| del?(?: l[ao]s?)?| d[ao]s?| des| du)? `)
)

// Fold makes a printed caption comparable: without numbers of lines, lists and accounts, references to notes and
// leading "less" or "add"; every form of "total for" is "total".
func Fold(s string) string {
	s = romanNumber.ReplaceAllString(ListMark.ReplaceAllString(s, ""), "")
	s = bareNumber.ReplaceAllString(bareRoman.ReplaceAllString(s, "$1"), "$1")
	s = codedTotal.ReplaceAllString(s, "Total ")
	if rest := accountCode.ReplaceAllString(s, ""); strings.ContainsFunc(rest, text.IsLetterRune) {
		s = rest
	}
	s = raisedNumber.ReplaceAllString(noteReference.ReplaceAllString(s, " "), "$1")
	folded := strings.ReplaceAll(text.Fold(strings.ReplaceAll(s, "&", " and ")), "  ", " ")
	folded = leadingWord.ReplaceAllString(folded, "")
	if strings.HasSuffix(folded, " total") && !strings.HasPrefix(folded, "total") {
		folded = "total " + strings.TrimSuffix(folded, " total")
	}
	return totalWord.ReplaceAllString(folded, "total ")
}

// Forms are the ways to look a printed caption up: whole, then without what stands in parentheses, then in each of the
// two languages that a slash parts.
func Forms(text string) []string {
	forms := []string{Fold(text)}
	if bare := Fold(aside.ReplaceAllString(text, "")); bare != forms[0] && bare != "" {
		forms = append(forms, bare)
	}
	for _, half := range inTwoLanguages(text) {
		forms = append(forms, Fold(half))
	}
	return forms
}

// changeWords begin the caption of what an account changed by in a statement of cash flows.
var changeWords = lazyregexp.New(`^(?:increase decrease|decrease increase|increase|decrease|changes?) in `)

// ChangeForms adds to the ways of looking a caption up those by the account alone that it says has changed:
// "(Increase) decrease in grants receivable".
func ChangeForms(forms []string) []string {
	all := slices.Clone(forms)
	for _, form := range forms {
		if account := changeWords.ReplaceAllString(form, ""); account != form && !slices.Contains(all, account) {
			all = append(all, account)
		}
	}
	return all
}

// inTwoLanguages parts a caption that says the same twice: "Accounts receivable / Débiteurs".
func inTwoLanguages(text string) []string {
	halves := strings.Split(text, " / ")
	if len(halves) != 2 || slices.ContainsFunc(halves, func(h string) bool { return Fold(h) == "" }) {
		return nil
	}
	return halves
}

// kindOf parts a caption from the kind that a dash sets behind it: "Insurance – General Liability".
var kindOf = lazyregexp.New(`^(.{3,}?)\s*(?:\s[-–—]|:)\s+\S`)

// GeneralForm is what a caption says before a dash or colon, folded; empty where it has none.
func GeneralForm(caption string) string {
	if g := kindOf.FindStringSubmatch(caption); g != nil {
		return Fold(g[1])
	}
	return ""
}

// BottomLines are the rows with which statements end.
var BottomLines = map[string]string{IncomeStatement: "netIncome", BalanceSheet: "totalLiabilitiesAndEquity",
	CashFlow: "endingCash"}

// SideName is the side of a balance sheet that a section belongs to; the section itself elsewhere.
func SideName(section string) string {
	switch section {
	case "assets", "currentAssets", "nonCurrentAssets":
		return "assets"
	case "liabilities", "currentLiabilities", "longTermLiabilities":
		return "liabilities"
	}
	return section
}

// OpensSection reports whether a caption is a heading that is known.
func OpensSection(caption string) bool {
	for _, book := range Books() {
		if _, ok := book.HeadingOf(caption); ok {
			return true
		}
	}
	return false
}

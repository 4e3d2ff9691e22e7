package statement

import (
	"strings"
	"unicode/utf8"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
	"github.com/dossierhq/dossier/pipelines/document/statement/table"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

var (
	companyForm = lazyregexp.New(`(?i)\b(?:inc|incorporated|corp|corporation|llc|l\.l\.c|llp|lp|ltd|limited|co` +
		`|company|plc|pllc|p\.?c|pty|gmbh|s\.?a|n\.?v|trust|foundation|group|holdings|partners|partnership` +
		`|enterprises|associates|and subsidiar(?:y|ies)|& subsidiar(?:y|ies)|church|association|services` +
		`|industries)\b\.?`)
	// of companies too
	tradeWords = lazyregexp.New(`(?i)\b(?:financial|income|assets?|equity|balance|sales|revenue|profit|total|net)\b`)
	subsidiary = lazyregexp.New(`(?i),?\s*(?:and|&)\s+(?:its\s+)?(?:consolidated\s+)?subsidiar(?:y|ies)\s*$`)
	noEntity   = lazyregexp.New(`(?i)\b(?:statements?|sheets?|profit|loss|income|balance|cash flows?|period|ended` +
		`|ending|as of|as at|unaudited|audited|basis|page|accrual|consolidated|condensed|comparative|thousands` +
		`|millions|date|printed|prepared|report|account|category|total|assets|liabilities|equity|revenues?|sales` +
		`|release|compiled|financial|month|quarter|quarterly|year|annual|fiscal|through|subject|draft|confidential` +
		`|schedule|exhibit|supplementary|description|number|reference|internal use|for management|currency|amounts` +
		`|year to date|actual|budget|variance|line item|net|www|http|fact name|notes?)\b|@|[:?!]`)
)

// entity is whose statements they are: the name above or below the titles, as printed.
func (r *statementReader) entity(lines []text.Line) {
	var found []entityCandidate
	add := func(text string, tokens []text.Token, score int) {
		for i := range found {
			if withoutSpaces(found[i].text) == withoutSpaces(text) {
				found[i].score += score
				return
			}
		}
		found = append(found, entityCandidate{text, tokens, score})
	}
	for _, b := range r.blocks {
		head := b.head
		for i, l := range head {
			text, tokens, captioned := nameOn(l)
			if text == "" {
				continue
			}
			score := 3
			if companyForm.MatchString(text) || captioned {
				score += 4
			}
			if i == 0 || len(head) > i+1 && nearTitle(head, i) {
				score += 2
			}
			add(text, tokens, score)
		}
	}
	for _, n := range registrants(lines) {
		add(n.text, n.tokens, n.score)
	}
	best := -1
	for i := range found {
		if best < 0 || found[i].score > found[best].score {
			best = i
		}
	}
	if best < 0 || found[best].score < 5 {
		return
	}
	name, tokens := betterPrint(found[best].text, found[best].tokens, lines)
	r.facts.EntityName = &name
	r.found.From("/entityName", tokens, "")
}

// entityCandidate is a print of a name that may be the entity's; what speaks for it is its score.
type entityCandidate struct {
	text   string
	tokens []text.Token
	score  int
}

var (
	charterWords = lazyregexp.New(`(?i)\bexact name of (?:the )?(?:registrant|company|issuer)\b`)
	announces    = lazyregexp.New(`^(.{3,60}?),?\s+(?i:(?:today\s+)?(?:reports|announces|reported|announced` +
		`|releases))\s+.*(?i:\b(?:results|earnings|quarter|year|financial|fiscal)\b)`)
	ticker   = lazyregexp.New(`\s*\((?:[^)]*[:“"][^)]*|the [^)]*)\)\s*$`)
	dateline = lazyregexp.New(`^.*(?:19|20)\d{2}\W*?(?:\s*[-–—/]+\s*|\s*\)\s*)(?:\(?[A-Z ]+(?:WIRE|Newswire` +
		`|Wire)\)?\s*[-–—/]*\s*)?`)
)

// listedName is the name before where the shares of a company are listed, or before what a text calls it from there on.
var (
	listedName = lazyregexp.New(`(\p{Ll}?\p{Lu}[\p{L}\d&'’.-]*(?:,? (?:\p{Lu}[\p{L}\d&'’.-]*|of|and|&)){0,6}),? ` +
		`\((?:the )?(?i:nasdaq|nyse|asx|lse|tsxv?|aim|euronext|six|otcq?[bx]?|nse|bse|jse|hkex|sgx` +
		`|frankfurt|xetra)\b[^):]*: ?[A-Z0-9.]{1,8}`)
	calledName = lazyregexp.New(`(\p{Ll}?\p{Lu}[\p{L}\d&'’.-]*(?:,? (?:\p{Lu}[\p{L}\d&'’.-]*|of|and|&)){0,6}),? ` +
		`\((?:together[^)]{0,40}, )?(?:the )?[“"]`)
)

// inText is the name of a company in running text, where it says so.
func inText(l text.Line) (entityCandidate, bool) {
	s := l.Text()
	for _, p := range []*lazyregexp.Regexp{listedName, calledName} {
		g := p.FindStringSubmatchIndex(s)
		if g == nil {
			continue
		}
		name := strings.Trim(s[g[2]:g[3]], " ,")
		if p == calledName && !text.LegalForm.MatchString(name) ||
			noEntity.MatchString(companyForm.ReplaceAllString(name, "")) {
			continue
		}
		return entityCandidate{name, l.TokensOf(g[2], g[2]+len(name)), 5}, true
	}
	return entityCandidate{}, false
}

// registrants are the names that a cover prints above "exact name of registrant", and that a release says report.
func registrants(lines []text.Line) []entityCandidate {
	var found []entityCandidate
	for i, l := range lines[:min(len(lines), 120)] {
		s := l.Text()
		if charterWords.MatchString(s) {
			for k := i - 1; k >= max(0, i-3); k-- {
				if name, tokens := entityText(lines[k]); name != "" {
					found = append(found, entityCandidate{name, tokens, 20})
					break
				}
			}
			continue
		}
		if c, ok := inText(l); ok {
			found = append(found, c)
			continue
		}
		g := announces.FindStringSubmatch(dateline.ReplaceAllString(s, ""))
		if g == nil {
			continue
		}
		name := strings.Trim(ticker.ReplaceAllString(g[1], ""), " ,-–—|")
		at := strings.Index(s, name)
		if whole, ok := companyOfBrand(name, lines); ok {
			found = append(found, whole)
			continue
		}
		if at < 0 || !companyForm.MatchString(name) || companyForm.ReplaceAllString(name, "") == "" ||
			noEntity.MatchString(companyForm.ReplaceAllString(name, "")) || table.StartsLower(name) {
			continue
		}
		found = append(found, entityCandidate{name, l.TokensOf(at, at+len(name)), 5})
	}
	return found
}

// reportTitle is the name of a report that a running head prints after the company's.
var reportTitle = lazyregexp.New(`(?i)\s+(?:[-–—|]\s*)?(?:(?:19|20)\d{2}\s+)?(?:annual\s+report|form\s+(?:10|20` +
	`|40)-).*$`)

func nearTitle(head []text.Line, i int) bool {
	for k := max(0, i-2); k < min(len(head), i+3); k++ {
		if _, ok := table.TitledKind(table.Line{Line: head[k]}); ok {
			return true
		}
	}
	return false
}

// entityText is a piece of a line above the figures when it can be a name.
func entityText(cell text.Line) (string, []text.Token) {
	s := strings.Trim(cell.Text(), " ,-–—|")
	if inner := strings.TrimSuffix(strings.TrimPrefix(s, "("), ")"); len(inner) == len(s)-2 &&
		text.LegalForm.MatchString(inner) {
		s = inner // "(ACME INC.)"
	}
	inTable := cell.Tokens[0].Cell != ""
	if len(s) < 3 || len(withoutSpaces(s)) < 3 || utf8.RuneCountInString(s) > 80 || len(cell.Tokens) > 10 && !inTable ||
		table.NamesStatement(s) && !text.LegalForm.MatchString(s) {
		return "", nil
	}
	if at := reportTitle.FindStringIndex(s); at != nil {
		s = strings.Trim(s[:at[0]], " ,-–—|")
	}
	bare := subsidiary.ReplaceAllString(s, "")
	legal := text.LegalForm.MatchString(bare)
	if !mayName(bare, legal) || inTable && !legal && modelWords.MatchString(bare) {
		return "", nil
	}
	return s, cell.Tokens
}

// mayName reports whether words can be a name: they are no period, address, remark or heading of a statement. legal
// says that they hold a legal form.
func mayName(s string, legal bool) bool {
	named := companyForm.ReplaceAllString(s, "")
	if legal {
		named = tradeWords.ReplaceAllString(named, "")
	}
	if !strings.ContainsFunc(s, text.IsLetterRune) || table.StartsLower(s) || strings.HasPrefix(s, "(") ||
		noEntity.MatchString(named) {
		return false
	}
	if len(text.FindDates(s, text.MonthFirst)) > 0 || table.AnyYear.MatchString(s) || text.CityLine.MatchString(s) ||
		streetLine.MatchString(s) || isRemark(s) {
		return false
	}
	folded := captions.Fold(s)
	for _, book := range captions.Books() {
		if _, heading := book.Heading(folded); heading {
			return false
		}
	}
	return true
}

// modelWords are those of titles that people give to workbooks of their own, which name nobody.
var modelWords = lazyregexp.New(`(?i)\b(?:models?|templates?|assumptions?|scenarios?|dashboards?|valuations?|dcf` +
	`|lbo|inputs?|outputs?|forecasts?|projections?|workbook|worksheet|spreadsheet|base case|case stud(?:y|ies)` +
	`|summary|overview|historicals?|analysis|metrics|kpis?|checks?|cover|index)\b`)

var streetLine = lazyregexp.New(`(?i)^\d+\s+\w+.*\b(?:st|street|ave|avenue|rd|road|blvd|dr|drive|lane|ln|way|suite` +
	`|ste|floor|hwy|court|ct)\b|^p\.?\s?o\.?\s+box\b|^\(?\d{3}\)?[\s.-]\d{3}`)

func withoutSpaces(s string) string { return strings.ReplaceAll(text.Fold(s), " ", "") }

// betterPrint finds a better spelling of a name whose letters were spaced apart: the same letters in fewer words
// elsewhere in the document.
func betterPrint(name string, tokens []text.Token, lines []text.Line) (string, []text.Token) {
	want := withoutSpaces(name)
	best, at := name, tokens
	for _, l := range lines {
		for first := range l.Tokens {
			joined := ""
			for last := first; last < len(l.Tokens) && len(joined) < len(want); last++ {
				joined += withoutSpaces(l.Tokens[last].Text)
				if joined == want && last-first+1 < len(at) {
					best, at = strings.Trim(text.Join(l.Tokens[first:last+1]), " ,.;:()“”\""), l.Tokens[first:last+1]
				}
			}
		}
	}
	return best, at
}

var (
	// nameCaption says that the cell beside it is a name; it is none itself.
	nameCaption = lazyregexp.New(`(?i)^(?:(?:legal |registered )?(?:company|business|client|entity|organi[sz]ation` +
		`|firm|borrower|customer|taxpayer)(?: (?:legal )?name)?|(?:legal |trading )?name(?: of (?:the )?` +
		`(?:company|business|entity|client|firm|organi[sz]ation))?)\s*:?$`)
	// remark is what sheets and forms say to their reader, in the place where a name may stand.
	remark = lazyregexp.New(`(?i)^(?:how|what|why|when|where|which|learn|tips?|click|download|welcome|created` +
		`|powered|provided|made (?:by|with|in)|instructions?|introduc\w+|enter|fill|please|here)\b` +
		`|\b(?:helps?|your|you|is|are|was|were|will|can|should|this|these|learn more|free trial|sign up` +
		`|copyright|all rights reserved)\b`)
)

// nameOn is the name that a line above the figures may print in one or two cells; captioned is whether the line says
// that it is one.
func nameOn(l text.Line) (name string, tokens []text.Token, captioned bool) {
	cells := l.Cells()
	if len(cells) > 2 {
		return "", nil, false
	}
	for i, cell := range cells {
		if i == 0 && len(cells) == 2 && nameCaption.MatchString(cell.Text()) {
			captioned = true
			continue
		}
		if name, tokens = entityText(cell); name != "" {
			return name, tokens, captioned
		}
	}
	return "", nil, false
}

// sentenceEnd is how a sentence of running text ends: a word in small letters and a full stop.
var sentenceEnd = lazyregexp.New(`\S\s\S+\s\p{Ll}{3,}\.$`)

// isRemark reports whether a cell speaks to its reader, or is the caption of a name. What has a legal form is a name.
func isRemark(s string) bool {
	return !text.LegalForm.MatchString(s) && (remark.MatchString(s) || nameCaption.MatchString(s) ||
		sentenceEnd.MatchString(s))
}

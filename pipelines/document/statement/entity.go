package statement

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

var (
	companyForm = lazyregexp.New(`(?i)\b(?:inc|incorporated|corp|corporation|llc|l\.l\.c|llp|lp|ltd|limited|co|company|plc|pllc|p\.?c|pty|gmbh|s\.?a|n\.?v|trust|foundation|group|holdings|partners|partnership|enterprises|associates|and subsidiar(?:y|ies)|& subsidiar(?:y|ies)|church|association|services|industries)\b\.?`)
	tradeWords  = lazyregexp.New(`(?i)\b(?:financial|income|assets?|equity|balance|sales|revenue|profit|total|net)\b`) // of companies too
	subsidiary  = lazyregexp.New(`(?i),?\s*(?:and|&)\s+(?:its\s+)?(?:consolidated\s+)?subsidiar(?:y|ies)\s*$`)
	noEntity    = lazyregexp.New(`(?i)\b(?:statements?|sheets?|profit|loss|income|balance|cash flows?|period|ended|ending|as of|as at|unaudited|audited|basis|page|accrual|consolidated|condensed|comparative|thousands|millions|date|printed|prepared|report|account|category|total|assets|liabilities|equity|revenues?|sales|release|compiled|financial|month|quarter|quarterly|year|annual|fiscal|through|subject|draft|confidential|schedule|exhibit|supplementary|description|internal use|for management|currency|amounts|year to date|actual|budget|variance|line item|net|www|http|fact name|notes?)\b|@|[:?!]`)
)

// entity is whose statements they are: the name above or below the titles, as printed.
func (r *statementReader) entity(lines []text.Line) {
	type candidate struct {
		text   string
		tokens []text.Token
		score  int
	}
	var found []candidate
	add := func(text string, tokens []text.Token, score int) {
		for i := range found {
			if squeezed(found[i].text) == squeezed(text) {
				found[i].score += score
				return
			}
		}
		found = append(found, candidate{text, tokens, score})
	}
	for _, b := range r.blocks {
		head := b.head
		for i, l := range head {
			text, tokens := "", []text.Token(nil)
			if cells := l.Cells(); len(cells) < 3 {
				for _, cell := range cells {
					if text == "" {
						text, tokens = entityText(cell)
					}
				}
			}
			if text == "" {
				continue
			}
			score := 3
			if companyForm.MatchString(text) {
				score += 4
			}
			if i == 0 || len(head) > i+1 && nearTitle(head, i) {
				score += 2
			}
			add(text, tokens, score)
		}
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
	name, tokens := wholePrint(found[best].text, found[best].tokens, lines)
	r.facts.EntityName = &name
	r.found.From("/entityName", tokens, "")
}

// reportTitle is the name of a report that a running head prints after the company's.
var reportTitle = lazyregexp.New(`(?i)\s+(?:[-–—|]\s*)?(?:(?:19|20)\d{2}\s+)?(?:annual\s+report|form\s+(?:10|20|40)-).*$`)

func nearTitle(head []text.Line, i int) bool {
	for k := max(0, i-2); k < min(len(head), i+3); k++ {
		if _, ok := titledKind(statementLine{Line: head[k]}); ok {
			return true
		}
	}
	return false
}

// entityText is a piece of a line above the figures when it can be a name.
func entityText(cell text.Line) (string, []text.Token) {
	s := strings.Trim(cell.Text(), " ,-–—|")
	if len(s) < 3 || len(s) > 80 || len(cell.Tokens) > 10 && cell.Tokens[0].Cell == "" {
		return "", nil
	}
	if at := reportTitle.FindStringIndex(s); at != nil {
		s = strings.Trim(s[:at[0]], " ,-–—|")
	}
	bare := subsidiary.ReplaceAllString(s, "")
	letters := strings.ContainsFunc(bare, text.IsLetterRune)
	named := companyForm.ReplaceAllString(bare, "")
	if text.LegalForm.MatchString(bare) {
		named = tradeWords.ReplaceAllString(named, "")
	}
	if !letters || startsLower(bare) || len(text.FindDates(bare, text.MonthFirst)) > 0 || noEntity.MatchString(named) || anyYear.MatchString(bare) || strings.HasPrefix(bare, "(") {
		return "", nil
	}
	if text.CityLine.MatchString(bare) || streetLine.MatchString(bare) {
		return "", nil
	}
	for _, book := range captionBooks() {
		if _, heading := book.heading(foldCaption(bare)); heading {
			return "", nil
		}
	}
	return s, cell.Tokens
}

var streetLine = lazyregexp.New(`(?i)^\d+\s+\w+.*\b(?:st|street|ave|avenue|rd|road|blvd|dr|drive|lane|ln|way|suite|ste|floor|hwy|court|ct)\b|^p\.?\s?o\.?\s+box\b|^\(?\d{3}\)?[\s.-]\d{3}`)

func squeezed(s string) string { return strings.ReplaceAll(text.Fold(s), " ", "") }

// wholePrint finds a better print of a name that letter spacing tore apart: the same letters in fewer words
// elsewhere in the document.
func wholePrint(name string, tokens []text.Token, lines []text.Line) (string, []text.Token) {
	want := squeezed(name)
	best, at := name, tokens
	for _, l := range lines {
		for first := range l.Tokens {
			joined := ""
			for last := first; last < len(l.Tokens) && len(joined) < len(want); last++ {
				joined += squeezed(l.Tokens[last].Text)
				if joined == want && last-first+1 < len(at) {
					best, at = strings.Trim(text.Join(l.Tokens[first:last+1]), " ,.;:()“”\""), l.Tokens[first:last+1]
				}
			}
		}
	}
	return best, at
}

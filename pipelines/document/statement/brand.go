package statement

import (
	"strings"
	"unicode"

	"github.com/dossierhq/dossier/pipelines/document/statement/table"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// A brand that a headline announces is a company's when the text names it as often, and once with its legal form, at
// most so many words further on.
const (
	brandRecurs = 3
	brandToForm = 4
)

// companyOfBrand is the whole name of the company whose brand a headline prints: where the same words go on to a legal
// form, in a footer, an address or a caption.
func companyOfBrand(brand string, lines []text.Line) (entityCandidate, bool) {
	words := strings.Fields(text.Fold(brand))
	if len(words) == 0 || len(words) > 3 || len(words[0]) < 3 || text.LegalForm.MatchString(brand) ||
		noEntity.MatchString(brand) || table.StartsLower(brand) {
		return entityCandidate{}, false
	}
	var whole []text.Token
	seen := 0
	for _, l := range lines {
		for first := range l.Tokens {
			after := first + len(words)
			if after > len(l.Tokens) || !sameWords(l.Tokens[first:after], words) {
				continue
			}
			seen++
			if n := toLegalForm(l.Tokens[after:]); n > 0 && whole == nil {
				whole = l.Tokens[first : after+n]
			}
		}
	}
	if whole == nil || seen < brandRecurs {
		return entityCandidate{}, false
	}
	const score = 7 // more than a line near a title that could be a name
	return entityCandidate{strings.Trim(text.Join(whole), " ,;:()“”\""), whole, score}, true
}

// legalForm is one of a company whose shares are listed, in some country.
var legalForm = lazyregexp.New(`(?i)^(?:inc|incorporated|corp|corporation|llc|llp|lp|ltd|limited|plc|gmbh|ag|kgaa` +
	`|s\.?a|n\.?v|b\.?v|s\.?e|ab|asa|oyj|s\.?p\.?a|s\.?r\.?l)\.?$`)

func sameWords(tokens []text.Token, words []string) bool {
	for i, w := range words {
		word := strings.Trim(tokens[i].Text, ",;:()“”\"")
		if text.Fold(strings.TrimSuffix(strings.TrimSuffix(word, "'s"), "’s")) != w {
			return false
		}
	}
	return true
}

// toLegalForm is how many tokens of a name follow up to its legal form; 0 when they come to none.
func toLegalForm(tokens []text.Token) int {
	for i, t := range tokens[:min(len(tokens), brandToForm)] {
		word := strings.Trim(t.Text, ",;:()“”\"")
		if legalForm.MatchString(word) {
			return i + 1
		}
		first := []rune(word + "&")[0]
		if !unicode.IsUpper(first) && word != "&" && word != "of" && word != "and" || strings.HasSuffix(t.Text, ".") {
			return 0
		}
	}
	return 0
}

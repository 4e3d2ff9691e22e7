package identity

import (
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// spanishLetters are the control letters of a Spaniard's number by its remainder after division by 23. Source: article
// 11 of the Spanish Royal Decree 1553/2005.
const spanishLetters = "TRWAGMYFPDXBNJZSQVHLCKE"

// spanishShape is the number of a Spaniard, which begins a card's zone or follows the caption "DNI".
var spanishShape = lazyregexp.New(`^(?i:DNI)?[.:]?(\d{8})-?([A-Z])`)

// spanishNumber is the number that a text begins with when its control letter agrees.
func spanishNumber(s string) (string, bool) {
	g := spanishShape.FindStringSubmatch(s)
	if g == nil {
		return "", false
	}
	rest := 0
	for _, c := range g[1] {
		rest = (rest*10 + int(c-'0')) % 23
	}
	return g[1] + g[2], spanishLetters[rest] == g[2][0]
}

// isSpanish reports whether a card is Spain's identity card: its number is the person's, which the zone has among its
// optional data. What stands where other cards have theirs is the number of the plastic.
func (r *identityReader) isSpanish() bool {
	if r.Type != dossier.DocNationalID {
		return false
	}
	if r.facts.Country != nil {
		return *r.facts.Country == "ESP"
	}
	for _, l := range r.lines {
		if code := issuingCountry(l); code != "" {
			return code == "ESP"
		}
	}
	return false
}

// spanish reads the printed number of such a card, which its control letter proves.
func (r *identityReader) spanish() {
	for _, l := range r.lines {
		for i, t := range l.Tokens {
			used := l.Tokens[i : i+1]
			n, ok := spanishNumber(t.Text)
			if !ok && i+1 < len(l.Tokens) && !text.WideGap(t, l.Tokens[i+1]) {
				used = l.Tokens[i : i+2]
				n, ok = spanishNumber(strings.ReplaceAll(text.Join(used), " ", ""))
			}
			if ok {
				r.set(&r.facts.Number, "/number", n, used)
				return
			}
		}
	}
}

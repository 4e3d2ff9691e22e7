package render

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// Letters of the scripts of India and its neighbours that are drawn before the consonants they are written after,
// those of two parts of which one is, and the sign that joins consonants. Source: The Unicode Standard, chapters 12, 13
// and 16. Consonants that join are drawn beside each other with that sign, for the PDF library knows no ligatures.
const (
	drawnBefore = "\u093F\u09BF\u09C7\u09C8\u0A3F\u0ABF\u0B47\u0BC6\u0BC7\u0BC8\u0D46\u0D47\u0D48\u0DD9\u0DDB" +
		"\u17C1\u17C2\u17C3\u1031"
	ofTwoParts = "\u09CB\u09CC\u0B4B\u0B4C\u0BCA\u0BCB\u0BCC\u0D4A\u0D4B\u0D4C\u0DDA\u0DDC\u0DDD\u0DDE"
	joining    = "\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA\u17D2\u1039"
	dotted     = "\u093C\u09BC\u0A3C\u0ABC\u0B3C\u0CBC" // signs that stand with their consonant
)

// asDrawn puts vowels before the consonants that they are drawn before.
func asDrawn(s string) string {
	if !strings.ContainsAny(s, drawnBefore+ofTwoParts) {
		return s
	}
	var drawn []rune
	for _, r := range s {
		parts := []rune{r}
		if strings.ContainsRune(ofTwoParts, r) {
			parts = []rune(norm.NFD.String(string(r)))
		}
		for _, part := range parts {
			if strings.ContainsRune(drawnBefore, part) {
				drawn = slices.Insert(drawn, clusterOf(drawn), part)
				continue
			}
			drawn = append(drawn, part)
		}
	}
	return string(drawn)
}

// clusterOf is where the consonants begin that the next vowel is spoken after.
func clusterOf(before []rune) int {
	at := len(before)
	for at > 0 {
		at--
		for at > 0 && strings.ContainsRune(dotted, before[at]) {
			at--
		}
		if at == 0 || !strings.ContainsRune(joining, before[at-1]) {
			break
		}
		at--
	}
	return at
}

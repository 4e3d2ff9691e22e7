package document

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

func abs(f float64) float64 { return max(f, -f) }

// wordSet is the words of a text as a set.
func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

func hasDigits(s string, n int) bool {
	for _, r := range s {
		if r >= '0' && r <= '9' {
			n--
		}
	}
	return n <= 0
}

func startsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

func isLetterRune(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 0xbf }

// wordy reports whether text holds a word: letters beyond the mark of an amount.
func wordy(text string) bool {
	n := 0
	for _, r := range text {
		if isLetterRune(r) {
			n++
		}
	}
	if n == 0 {
		return false
	}
	_, isMoney := ParseMoney(text, DotDecimal)
	return !isMoney
}

var innerCapital = lazyregexp.New(`([a-z])([A-Z])`)

var pageOf = lazyregexp.New(`\b(?:page|pg|sheet) ?(\d{1,3}) ?(?:of|/) ?(\d{1,3})\b`)

var mark = lazyregexp.New(`^[\[(]?(?i:x|✓|✔|☒|☑|✗|✘)[\])]?$`)

var ssnShape = lazyregexp.New(`^(?:\d{3}-?\d{2}-?\d{4}|[Xx*]{3}-[Xx*]{2}-\d{4})$`)

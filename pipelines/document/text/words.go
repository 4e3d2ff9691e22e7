package text

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

func Abs(f float64) float64 { return max(f, -f) }

// WordSet is the words of a text as a set.
func WordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}

func HasDigits(s string, n int) bool {
	for _, r := range s {
		if r >= '0' && r <= '9' {
			n--
		}
	}
	return n <= 0
}

func StartsWithDigit(s string) bool { return s != "" && s[0] >= '0' && s[0] <= '9' }

func IsLetterRune(r rune) bool { return r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 0xbf }

// Wordy reports whether text holds a word: letters beyond the mark of an amount.
func Wordy(text string) bool {
	n := 0
	for _, r := range text {
		if IsLetterRune(r) {
			n++
		}
	}
	if n == 0 {
		return false
	}
	_, isMoney := ParseMoney(text, DotDecimal)
	return !isMoney
}

// Within reports whether a becomes b by at most so many letters changed, added or left out.
func Within(a, b string, wrong int) bool {
	for a != "" && b != "" && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	switch {
	case a == "" || b == "":
		return len(a)+len(b) <= wrong
	case wrong == 0:
		return false
	}
	return Within(a[1:], b[1:], wrong-1) || Within(a[1:], b, wrong-1) || Within(a, b[1:], wrong-1)
}

var InnerCapital = lazyregexp.New(`([a-z])([A-Z])`)

var PageOfPages = lazyregexp.New(`\b(?:page|pg|sheet) ?(\d{1,3}) ?(?:of|/) ?(\d{1,3})\b`)

var CheckMark = lazyregexp.New(`^[\[(]?(?i:x|✓|✔|✕|✖|☒|☑|✗|✘|🗸|🗹|×|\x{f0fc}|\x{f034})[\])]?$`)

var SSNShape = lazyregexp.New(`^(?:\d{3}-?\d{2}-?\d{4}|[Xx*]{3}-[Xx*]{2}-\d{4})$`)

package text

import (
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/dossierhq/dossier"
)

// Every word of a paper is asked several times whether it is an amount or a date, and most are neither. The patterns of
// both take longer than anything else in a reading, so that what no amount and no date can do without is looked for
// first. These answers are necessary conditions only: the patterns decide.

// moneySignWords are the signs of money, each as it may be printed.
var moneySignWords = sync.OnceValue(func() map[string]bool {
	signs := map[string]bool{}
	for sign := range strings.SplitSeq(strings.ReplaceAll(currencySymbols, `\$`, "$"), "|") {
		if pointed, ok := strings.CutSuffix(sign, `\.?`); ok {
			signs[pointed+"."], sign = true, pointed
		}
		if first, rest, ok := strings.Cut(sign, "]"); ok { // [Ll]ei
			for _, letter := range strings.TrimPrefix(first, "[") {
				signs[string(letter)+rest] = true
			}
			continue
		}
		signs[sign] = true
	}
	return signs
})

// isMoneyPrefix reports whether a word stands before amounts: a sign of money, a sign of a number, or both.
func isMoneyPrefix(word string) bool {
	const longest = 10 // bytes: four Cyrillic letters and a dash
	if word == "" || len(word) > longest {
		return false
	}
	signs := moneySignWords()
	if signs[word] {
		return true
	}
	first, n := utf8.DecodeRuneInString(word)
	if n == len(word) {
		return strings.ContainsRune("(+-–−‐‑", first)
	}
	last, m := utf8.DecodeLastRuneInString(word)
	return strings.ContainsRune("-–−(+", first) && signs[word[n:]] ||
		strings.ContainsRune("-–−(", last) && signs[word[:len(word)-m]]
}

// endsInDash reports whether the last character of a text is one that a lone dash consists of.
func endsInDash(text string) bool {
	last, _ := utf8.DecodeLastRuneInString(text)
	return strings.ContainsRune("-–−‐‑—", last)
}

// mayBeAmount reports whether a text with figures has only what amounts have: neither marks of other numbers nor
// letters that no sign of money and no mark behind an amount has.
func mayBeAmount(text string) bool {
	if isLetter(text[0]) && !beginsWithSign(text) {
		return false
	}
	for i := range len(text) {
		c := text[i]
		switch {
		case c >= 'a' && c <= 'z' && strings.IndexByte("fgjmquvwxy", c) >= 0,
			strings.IndexByte(`!"#&:;<=>?@[\]^_`+"`{|}~", c) >= 0,
			c == '/' && (i+1 == len(text) || strings.IndexByte("cdCD", text[i+1]) < 0):
			return false
		}
	}
	return true
}

// beginsWithSign reports whether a sign of money stands at the beginning of a text.
func beginsWithSign(text string) bool {
	signs := moneySignWords()
	for n := 1; n <= min(len(text), 4); n++ {
		if signs[text[:n]] {
			return true
		}
	}
	return false
}

// plainMoney reads an amount in the form that most have: a number, with a minus or a dollar sign before it or both.
func plainMoney(text string, style DecimalStyle) (Money, bool) {
	number, negative := strings.CutPrefix(text, "-")
	number, dollars := strings.CutPrefix(number, "$")
	if !isPlainNumber(number, style) {
		return Money{}, false
	}
	value, grouped, err := plainNumber(number, style)
	m := Money{Text: text, Value: value, Grouped: grouped, Signed: negative}
	if dollars {
		m.Symbol = "$"
	}
	if negative && !value.IsZero() {
		m.Value = dossier.Amount{Decimal: value.Neg()}
	}
	return m, err == nil
}

// isPlainNumber reports whether a text is a number and nothing else, in the usual form of a decimal style: figures, or
// groups of three of them, and at most six places.
func isPlainNumber(text string, style DecimalStyle) bool {
	point, group := byte('.'), byte(',')
	if style == CommaDecimal {
		point, group = ',', '.'
	}
	whole, places, pointed := strings.Cut(text, string(point))
	if pointed && (len(places) == 0 || len(places) > 4 || !allDigits(places)) {
		return false
	}
	groups := strings.Split(whole, string(group))
	for i, g := range groups {
		if len(g) == 0 || !allDigits(g) || len(groups) > 1 && (len(g) > 3 || i > 0 && len(g) != 3) {
			return false
		}
	}
	return true
}

func allDigits(text string) bool {
	for i := range len(text) {
		if !isDigit(text[i]) {
			return false
		}
	}
	return true
}

// mayBeDate reports whether a date can begin where s does: at the name of a month, or at a day, month or year behind
// which a date can go on.
func mayBeDate(s string) bool {
	if isLetter(s[0]) {
		return isMonth(s[:letters(s)])
	}
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	if n == len(s) || n == 3 || n > 4 {
		return false
	}
	c := s[n]
	apart := c >= utf8.RuneSelf || isLetter(c) || strings.IndexByte(" \t\n\f\r-./", c) >= 0
	return apart && (n < 3 || s[:2] == "19" || s[:2] == "20")
}

// isMonth reports whether a word of letters is the name of a month, or may be one beside a year.
func isMonth(word string) bool {
	if len(word) < 3 || len(word) > 2*longestMonth {
		return false
	}
	var lower [longestMonth]byte
	for i := range len(word) {
		if word[i] >= utf8.RuneSelf || i == longestMonth {
			word = Fold(word)
			return MonthNames[word] > 0 || datedMonths[word] > 0
		}
		lower[i] = word[i] | 0x20
	}
	name := lower[:len(word)]
	return MonthNames[string(name)] > 0 || datedMonths[string(name)] > 0
}

// longestMonth is the most letters of a month's name.
const longestMonth = 12

// letters is how many bytes of letters a text begins with, of those that names of months are matched by.
func letters(s string) int {
	for i, r := range s {
		if !(r < utf8.RuneSelf && isLetter(byte(r)) || r >= 'À' && r <= 'ſ') {
			return i
		}
	}
	return len(s)
}

// hasHalfMonth reports whether a 0 or 1 stands beside a letter: without one no name of a month was read with figures.
func hasHalfMonth(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c == '0' || c == '1') &&
			(i > 0 && isLetter(text[i-1]) || i+1 < len(text) && isLetter(text[i+1])) {
			return true
		}
	}
	return false
}

// foreignWords reports whether a line may say that its paper writes the day first: it has one of the words of
// abroadWords and dayFirstTongue, or a sign of money of theirs.
func foreignWords(line string) bool {
	if strings.ContainsAny(line, "£€₹") || strings.Contains(line, "R$") || strings.Contains(line, "r$") {
		return true
	}
	words := dayFirstWords()
	for from, i := 0, 0; i <= len(line); i++ {
		if i < len(line) && isLetter(line[i]) {
			continue
		}
		if from < i && i-from <= longestForeign && words[strings.ToLower(line[from:i])] {
			return true
		}
		from = i + 1
	}
	return false
}

const longestForeign = 11

// dayFirstWords are what stands before the first accent in each word of the two patterns.
var dayFirstWords = sync.OnceValue(func() map[string]bool {
	return WordSet("sort bsb iban abn gst vat fecha saldo factura cuenta vencimiento importe vencimento emiss " +
		"emissao fatura conta descri descric descricao datum betrag rechnung konto facture relev releve solde " +
		"montant fattura scadenza importo bedrag rekening faktura belopp gstin ifsc cnpj cpf rfc ruc nit piva")
})

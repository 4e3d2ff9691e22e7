package text

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// scraps are words put together at random of what amounts and dates are made of, and of what they are not.
func scraps(n int) []string {
	parts := []string{"0", "1", "2", "12", "31", "234", "567", "2024", "1999", ",", ".", "/", "-", "–", " ", "(", ")", "$",
		"%", "+", "'", "CR", "DR", "/CREDIT", "OD", "EUR", "US$", "kr", "kr.", "Lei", "руб.", "zł", "R$", "USD", "March",
		"mar", "décembre", "août", "Sept", "of", "de", "st", "Total", "Check", "#", ":", "*", "S", "Haben", "–", "€", "£",
		"ſ", "º", "T", "x"}
	r := rand.New(rand.NewPCG(1, 2))
	words := make([]string, n)
	for i := range words {
		var b strings.Builder
		for range 1 + r.IntN(6) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		words[i] = b.String()
	}
	return words
}

// What is looked for first leaves out nothing that the patterns take.
func TestParseMoney_quick(t *testing.T) {
	taken := 0
	for _, word := range scraps(200_000) {
		word = strings.TrimSpace(word)
		if len(word) > 40 || !strings.ContainsAny(word, "0123456789") {
			continue
		}
		for _, style := range []DecimalStyle{DotDecimal, CommaDecimal} {
			want, wantOK := patternMoney(word, style)
			got, ok := ParseMoney(word, style)
			if ok != wantOK {
				t.Fatalf("%q in style %d: %t, the pattern says %t", word, style, ok, wantOK)
			}
			if diff := cmp.Diff(want, got, cmpopts.EquateComparable()); ok && diff != "" {
				t.Fatalf("%q in style %d (-pattern +quick):\n%s", word, style, diff)
			}
			if ok {
				taken++
			}
		}
	}
	if taken < 5000 {
		t.Errorf("only %d of the words are amounts", taken)
	}
}

func TestIsMoneyPrefix_pattern(t *testing.T) {
	pattern := regexp.MustCompile(`^(?:\(|` + minus + `|\+|` + currencySymbols + `|[-–−(+](?:` + currencySymbols +
		`)|(?:` + currencySymbols + `)[-–−(])$`)
	words := append(scraps(20_000), "", "lei", "-lei", "Lei(", "Rp.", "-Rp.", "‐", "‑", "+", "—", "((", "-$", "$-", "-$-")
	for sign := range strings.SplitSeq(currencySymbols, "|") {
		sign = strings.NewReplacer(`\$`, "$", `\.?`, "").Replace(sign)
		words = append(words, sign, sign+".", "-"+sign, "–"+sign, sign+"(", "+"+sign, sign+"+", strings.ToLower(sign))
	}
	for _, word := range words {
		if got, want := isMoneyPrefix(word), pattern.MatchString(word); got != want {
			t.Errorf("%q: %t, the pattern says %t", word, got, want)
		}
	}
}

// A place that is not looked at further is none where a pattern finds a date.
func TestMayBeDate_patterns(t *testing.T) {
	taken := 0
	for _, word := range scraps(100_000) {
		if !isDigit(word[0]) && !isLetter(word[0]) || mayBeDate(word) {
			taken++
			continue
		}
		for _, p := range datePatterns {
			if g := p.FindStringSubmatch(word); g != nil {
				if d, ok := dateFromGroups(p, g, MonthFirst); ok {
					t.Fatalf("%q begins with %v", word, d)
				}
			}
		}
	}
	if taken < 10_000 {
		t.Errorf("only %d of the words may be dates", taken)
	}
}

func TestSpellMonths_pattern(t *testing.T) {
	for _, word := range append(scraps(20_000), "0ctober", "Ju1y", "Ju1y 4", "10 May", "a 1 b") {
		if !hasHalfMonth(word) && halfMonth.MatchString(word) {
			t.Errorf("%q is left out", word)
		}
	}
}

func TestForeignWords(t *testing.T) {
	for _, line := range []string{"Sort Code 12-34-56", "IBAN", "Fecha de corte", "data de emissão", "Descrição", "DESCRICAO",
		"releve de compte", "RELEVE", "total € 5", "R$ 10", "₹ 5", "VAT no. 5", "e-mail: x, GSTIN", "Betrag/Datum"} {
		if !foreignWords(line) || !abroadWords.MatchString(line) && !dayFirstTongue.MatchString(line) {
			t.Errorf("%q is not seen", line)
		}
	}
	for _, line := range []string{"", "Statement of account", "Deposits and other additions", "saldos"} {
		if foreignWords(line) {
			t.Errorf("%q has none of the words", line)
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for _, pattern := range []string{abroadWords.String(), dayFirstTongue.String()} {
		pieces := strings.FieldsFunc(pattern, func(r rune) bool { return strings.ContainsRune(`()?:|\`, r) })
		for range 2000 {
			line := pieces[r.IntN(len(pieces))] + " " + pieces[r.IntN(len(pieces))]
			if !foreignWords(line) && (abroadWords.MatchString(line) || dayFirstTongue.MatchString(line)) {
				t.Fatalf("%q is left out", line)
			}
		}
	}
}

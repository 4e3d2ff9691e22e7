package render

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/bidi"
)

// displayOrder reorders a line for drawing from left to right: right-to-left runs reversed, Arabic letters joined,
// vowel signs before the consonants they are drawn before. The PDF library draws characters in the order it gets them.
// Source: Unicode Standard Annex 9.
func displayOrder(s string) string {
	s = asDrawn(s)
	if !strings.ContainsFunc(s, rightToLeft) {
		return s
	}
	var p bidi.Paragraph
	if _, err := p.SetString(shapeArabic(s)); err != nil {
		return s
	}
	order, err := p.Order()
	if err != nil {
		return s
	}
	var b strings.Builder
	for i := range order.NumRuns() {
		part := order.Run(i)
		if part.Direction() == bidi.RightToLeft {
			b.WriteString(bidi.ReverseString(part.String()))
			continue
		}
		b.WriteString(part.String())
	}
	return b.String()
}

func rightToLeft(r rune) bool { return unicode.In(r, unicode.Hebrew, unicode.Arabic) }

// arabicForms are the letters from U+0621 on with how many printed forms each has; the forms stand in one row from
// U+FE80 on: alone, at the end, at the beginning, in the middle. Zero is a code without a letter.
const (
	firstArabic = 0x621
	firstForm   = 0xFE80
)

var arabicForms = []int{1, 2, 2, 2, 2, 4, 2, 4, 2, 4, 4, 4, 4, 4, 2, 2, 2, 2, 4, 4, 4, 4, 4, 4, 4, 4, 0, 0, 0, 0, 0, 0,
	4, 4, 4, 4, 4, 4, 4, 2, 2, 4}

// formOf returns the first presentation form of a letter and how many there are.
func formOf(r rune) (first rune, n int) {
	at := int(r) - firstArabic
	if at < 0 || at >= len(arabicForms) {
		return 0, 0
	}
	first = firstForm
	for _, k := range arabicForms[:at] {
		first += rune(k)
	}
	return first, arabicForms[at]
}

// lamAlef are the ligatures of lam with the four alefs.
var lamAlef = map[rune]rune{0x622: 0xFEF5, 0x623: 0xFEF7, 0x625: 0xFEF9, 0x627: 0xFEFB}

const lam = 0x644

// shapeArabic replaces Arabic letters by their contextual forms.
func shapeArabic(s string) string {
	letters := []rune(s)
	out := make([]rune, 0, len(letters))
	joins := func(at, step int) bool { // what stands beside, marks left out, is a letter that joins
		for at += step; at >= 0 && at < len(letters) && unicode.Is(unicode.Mn, letters[at]); at += step {
		}
		if at < 0 || at >= len(letters) {
			return false
		}
		_, n := formOf(letters[at])
		return n >= 2 && (step > 0 || n == 4)
	}
	for i := 0; i < len(letters); i++ {
		first, n := formOf(letters[i])
		if n == 0 {
			out = append(out, letters[i])
			continue
		}
		before, after := n > 1 && joins(i, -1), n == 4 && joins(i, 1)
		if letters[i] == lam && i+1 < len(letters) && lamAlef[letters[i+1]] != 0 {
			out = append(out, lamAlef[letters[i+1]]+b2r(before))
			i++
			continue
		}
		form := first + b2r(before)
		if after {
			form = first + 2 + b2r(before)
		}
		out = append(out, form)
	}
	return string(slices.Clip(out))
}

func b2r(b bool) rune {
	if b {
		return 1
	}
	return 0
}

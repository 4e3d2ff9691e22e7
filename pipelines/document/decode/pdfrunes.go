package decode

import (
	"slices"
	"unicode/utf8"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// firstFar is where the scripts begin of which characters are asked for one by one.
const firstFar = 0x3000

// runes are the characters of a page's text, asked for in one call: a call for each takes half of the time of a page.
// It has a 0 where a character must be asked for by itself: where the text may say another one (the sign of a hyphen
// at a line's end, halves of a pair), or everywhere when the text is not one character for each of the page.
func (p *pdfEngine) runes(page references.FPDF_TEXTPAGE, count int) []rune {
	unknown := make([]rune, count)
	all, err := p.FPDFText_GetText(&requests.FPDFText_GetText{TextPage: page, StartIndex: 0, Count: count})
	if err != nil || count == 0 || utf8.RuneCountInString(all.Text) != count {
		return unknown
	}
	found := []rune(all.Text)
	if first, ok := p.runeAt(page, 0); !ok || first != found[0] {
		return unknown // a mark of the order of bytes, which is not one
	}
	for i, r := range found {
		if r >= firstFar || r < ' ' && !slices.Contains([]rune{'\t', '\n', '\r'}, r) {
			found[i] = 0
		}
	}
	return found
}

// runeAt is one character of a page's text.
func (p *pdfEngine) runeAt(page references.FPDF_TEXTPAGE, i int) (rune, bool) {
	u, err := p.FPDFText_GetUnicode(&requests.FPDFText_GetUnicode{TextPage: page, Index: i})
	if err != nil {
		return 0, false
	}
	return rune(u.Unicode), true
}

package decode

import (
	"strings"
	"unicode"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// ligatureStems are parts of words that hold a ligature, in the languages of business papers. Fonts that were cut down
// often lack the character of just these glyphs: the words then come as "bene t", "cash ows" and "e ects".
var ligatureStems = map[rune][]string{
	'ﬁ': strings.Fields(`benefi profi defici fix financ fiscal first final filed files filing fills fill fiv fift firm
		fiel defin find signific specif certif classif identif notif modif verif qualif justif simplif ratif codif
		beneficia confid fidel fiduci figur finish fine fing fire fit artific pacific scientif magnific
		sacrific satisfi`),
	'ﬂ': strings.Fields(`flow inflat deflat float floor fluctuat influenc conflict reflect flex fleet flight flat flood
		flag flux flott fluid florida`),
	'ﬀ': strings.Fields(`effect effecti affect differ offer offse staff payoff tariff buffer effort afford suffer off
		sheriff cutoff diff affirm chiffr affair affranch`),
	'ﬃ': strings.Fields(`office offici affili efficien sufficien difficul traffic coefficien affidav affix difficil
		affichag`),
	'ﬄ': strings.Fields(`offline baffl shuffl affluen waffl`),
}

// ligatures gives the glyphs without a character that stand within words the ligature which makes a word of their
// letters; the others are blanks.
func ligatures(chars []char) []char {
	for i, c := range chars {
		if c.r != 0 {
			continue
		}
		left, right := lettersBefore(chars, i), lettersAfter(chars, i)
		chars[i].r = ' '
		for _, r := range "ﬃﬄﬁﬂﬀ" { // the longer first: off would be found in office
			if makesWord(left, right, r) {
				chars[i].r = r
				break
			}
		}
	}
	return chars
}

func lettersBefore(chars []char, i int) string {
	from := i
	for from > 0 && unicode.IsLetter(chars[from-1].r) && follows(chars[from-1], chars[from]) {
		from--
	}
	return spelled(chars[from:i])
}

func lettersAfter(chars []char, i int) string {
	to := i
	for to+1 < len(chars) && unicode.IsLetter(chars[to+1].r) && follows(chars[to], chars[to+1]) {
		to++
	}
	return spelled(chars[i+1 : to+1])
}

func spelled(chars []char) string {
	var b strings.Builder
	for _, c := range chars {
		writeRune(&b, c.r)
	}
	return text.Fold(b.String())
}

// makesWord reports whether the letters, with the ligature between them, hold a stem that needs it.
func makesWord(left, right string, ligature rune) bool {
	if left+right == "" {
		return false
	}
	var b strings.Builder
	writeRune(&b, ligature)
	word, at, end := left+b.String()+right, len(left), len(left)+b.Len()
	for _, stem := range ligatureStems[ligature] {
		for from := 0; ; from++ {
			found := strings.Index(word[from:], stem)
			if found < 0 {
				break
			}
			if from += found; from <= at && from+len(stem) >= end {
				return true
			}
		}
	}
	return false
}

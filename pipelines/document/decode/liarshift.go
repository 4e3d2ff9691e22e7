package decode

import (
	"strings"
	"unicode"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A subset of a font may number its glyphs from any place: its letters come out moved by a constant, as capitals and
// signs ("8J?" is "ash"); what falls below the first sign is lost: figures, capitals, the blanks between words. Such a
// page is known by the constant under which its letters make words, whole words or parts of them.
const (
	farthestShift = 64 // that is looked for, either way
	leastMoved    = 4  // different words that a shift must make
	leastSigned   = 4  // words with signs inside from which a page with plain words too is looked at
	leastMixed    = 12 // letters of what is looked at
)

// movedWords are what captions and sentences cannot do without, in lower case and without the first letter, which is a
// lost capital where a caption begins with it. None is part of another.
var movedWords = strings.Fields(`otal ssets iabilit quity urrent ccount ayable eceivab nventor perating xpense
	evenue ncome olders epreciat mortiz ropert quipment repaid eferred nterest alance tatement rovided
	ctivities ayment mount mployee ddress umber eriod ustomer nvoice escription onsolidat ecember anuary
	eptember accrued borrowing goodwill overdraft financial`)

// moved reports whether the letters of a layer, or of those of its words that have signs inside, make words when they
// are moved by a constant.
func moved(tokens []text.Token, plain bool) bool {
	var b strings.Builder
	signed, letters := 0, 0
	for _, t := range tokens {
		if t.Method == text.MethodForm {
			continue
		}
		inside := broken(t.Text)
		if inside {
			signed++
		}
		if plain && !inside {
			continue
		}
		for _, r := range t.Text {
			if unicode.IsLetter(r) {
				letters++
			}
		}
		b.WriteString(t.Text)
		b.WriteByte(0)
	}
	if letters < leastMixed || plain && signed < leastSigned {
		return false
	}
	for shift := rune(1); shift <= farthestShift; shift++ {
		if wordsMoved(b.String(), shift) >= leastMoved || wordsMoved(b.String(), -shift) >= leastMoved {
			return true
		}
	}
	return false
}

// wordsMoved counts the different words that letters make when they are moved.
func wordsMoved(s string, by rune) int {
	s = strings.Map(func(r rune) rune {
		if r != 0 {
			r += by
		}
		if r >= 'a' && r <= 'z' || r == 0 {
			return r
		}
		return ' '
	}, s)
	found := 0
	for _, w := range movedWords {
		if strings.Contains(s, w) {
			found++
		}
	}
	return found
}

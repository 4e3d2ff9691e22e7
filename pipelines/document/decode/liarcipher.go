package decode

import (
	"strings"
	"unicode"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A font may map each letter to another, figures as they are: such words have as many vowels as any by chance, but not
// the pairs of letters that languages written in Latin letters are made of.
const (
	leastPairs = 100 // of a page that is judged by them
	// of its pairs that are common ones, below which a layer is doubted: half and more are, of words
	plainPairs    = 0.3
	mostPlain     = 0.12 // of its words that are everyday words, from which it is not
	clearlyPairs  = 0.2  // by which the pairs of a picture must be more common than the layer's
	shortestPairs = 3    // letters of a word that is looked at
)

// commonPairs are those that English, French, German, Spanish, Italian and Dutch share most.
var commonPairs = wordsIn(`th he in er an re nd on en at ou ed ha to or it is hi es ng st te ti ar se nt al le de ra
	io ne ve co me
ri ro ic li ll ch ma ta el si om ur ca us ec as no ee la di tr ge un em ss il et pe sa so ho we be ow id ad os ac po
su ul mo ns ai
ay ir ei ie sc ue qu ci do da am ab ag nc ot ol ct um op pr ep im ua av ev if fi fo`)

// pairsOf is the share of a page's pairs of letters that are common ones. It is false when there are too few to tell.
func pairsOf(tokens []text.Token) (float64, bool) {
	pairs, common := 0, 0
	for _, t := range tokens {
		if t.Method == text.MethodForm || text.HasDigits(t.Text, 1) {
			continue
		}
		for w := range strings.FieldsSeq(text.Fold(t.Text)) {
			if len(w) < shortestPairs || strings.ContainsFunc(w, func(r rune) bool { return r < 'a' || r > 'z' }) {
				continue
			}
			for i := range len(w) - 1 {
				pairs++
				if commonPairs[w[i:i+2]] {
					common++
				}
			}
		}
	}
	return float64(common) / float64(max(pairs, 1)), pairs >= leastPairs
}

// hasUnlikelyPairs reports whether the letters of a layer form pairs that are common in no known language.
func hasUnlikelyPairs(tokens []text.Token) bool {
	pairs, known := pairsOf(tokens)
	plain, _ := plainWords(tokens)
	return known && pairs < plainPairs && plain < mostPlain
}

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

// isShiftedAlphabet reports whether the letters of a layer, or of those of its words that have punctuation inside, form
// words when all are moved by one constant.
func isShiftedAlphabet(tokens []text.Token, plain bool) bool {
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

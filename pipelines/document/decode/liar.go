package decode

import (
	"slices"
	"strings"
	"unicode"

	"github.com/klippa-app/go-pdfium/references"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A text layer may say other words than the page shows: fonts without a map to characters, or with a wrong one, give
// glyph numbers, shifted alphabets or letters of far scripts. People never see it. Such pages are read from their
// picture, and so are the words of a page of which only some lie (the values of a form in a font of their own).
const (
	leastWords   = 25   // of a page that is judged by its words
	plainShare   = 0.04 // of its words that are everyday words, below which a layer is doubted
	leastLies    = 3    // words in letters that do not go together
	liesOfPage   = 0.5  // share of such words from which the whole page is read anew
	coveredShare = 0.3  // of an OCR word that lies over a lying one
)

// everyday are the short words and the captions that papers in English, Spanish, French, German, Portuguese, Italian
// and Dutch cannot do without.
var everyday = wordsIn(`the of and to in for on is or by with from at this that you your our are be not as an if it
	was we per no
date total amount account page name number address balance tax statement income payment year period due box form code
line city
state bank fees interest check credit debit pay gross net rate hours employer employee invoice bill customer phone fax
email
jan feb mar apr may jun jul aug sep oct nov dec january february march april june july august september october
november december
de la el los las y en del por con para una su que al un se es fecha cuenta nombre numero importe pago factura saldo
cliente
le les des du et au aux une sur est par pour dans vous votre montant compte nom numero facture solde prix quantite
der die das und von zu mit den fur auf im ist des dem ein eine bei rechnung datum betrag konto summe netto brutto
kunde menge
e do da dos das em com para os uma il di che per con non una della data importo conto totale van het een en op te
bedrag rekening`)

func wordsIn(list string) map[string]bool {
	words := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		words[w] = true
	}
	return words
}

// plainWords is the share of the words that are everyday ones. It is false when there are too few words to tell.
func plainWords(tokens []text.Token) (float64, bool) {
	words, plain := 0, 0
	for _, t := range tokens {
		if t.Method == text.MethodForm || len([]rune(t.Text)) < 2 || broken(t.Text) ||
			!slices.ContainsFunc([]rune(t.Text), func(r rune) bool { return r < '0' || r > '9' }) {
			continue
		}
		for w := range strings.FieldsSeq(text.Fold(t.Text)) {
			if !text.HasDigits(w, 1) {
				words++
				if everyday[w] {
					plain++
				}
			}
		}
	}
	return float64(plain) / float64(max(words, 1)), words >= leastWords
}

// oddVowels reports whether the letters have fewer vowels than any language written in Latin letters, or more: what a
// shifted alphabet gives, where a language that is not known here does not.
func oddVowels(tokens []text.Token) bool {
	letters, vowels := 0, 0
	for _, t := range tokens {
		for _, r := range text.Fold(t.Text) {
			if r >= 'a' && r <= 'z' {
				letters++
				if strings.ContainsRune("aeiouy", r) {
					vowels++
				}
			}
		}
	}
	return vowels*100 < 28*letters || vowels*100 > 60*letters
}

// glyphShift is how far the glyphs of most fonts stand before their characters: what a font without a map gives has the
// letters of a text so many places too low, with signs for its capitals and no characters for its figures and spaces.
const glyphShift = 29

// isShifted reports whether a layer reads as words when its characters are moved up by the shift of glyphs.
func isShifted(tokens []text.Token) bool {
	words, plain := 0, 0
	for _, t := range tokens {
		if !strings.ContainsFunc(t.Text, unicode.IsLetter) {
			continue // figures would read as letters
		}
		moved := strings.Map(func(r rune) rune {
			if r > 'z'-glyphShift {
				return r
			}
			return r + glyphShift
		}, t.Text)
		for w := range strings.FieldsFuncSeq(strings.ToLower(moved), func(r rune) bool { return r < 'a' || r > 'z' }) {
			if len(w) < 2 {
				continue
			}
			words++
			if everyday[w] {
				plain++
			}
		}
	}
	return words >= leastWords/2 && float64(plain) > 2*plainShare*float64(words)
}

// innerSigns are those that stand within no word, and hardly ever between two of its letters.
const innerSigns = ":;<=>?@[\\]^_`{|}~"

// brokenByMarks reports whether most words of a layer have punctuation among their letters: what the glyph numbers of a
// font without a character map give, whatever their offset and with or without spaces. Addresses and patterns written
// for machines have it too, but not a whole page of them.
func brokenByMarks(tokens []text.Token) bool {
	words, signs := 0, 0
	for _, t := range tokens {
		if t.Method == text.MethodForm || len(t.Text) < shortestPairs ||
			!strings.ContainsFunc(t.Text, unicode.IsLetter) {
			continue
		}
		words++
		if broken(t.Text) {
			signs++
		}
	}
	return words >= leastWords/2 && float64(signs) > liesOfPage*float64(words)
}

func broken(word string) bool { return strings.ContainsAny(strings.Trim(word, innerSigns), innerSigns) }

// printedScripts are those that papers are written in.
var printedScripts = []*unicode.RangeTable{unicode.Latin, unicode.Greek, unicode.Cyrillic, unicode.Han,
	unicode.Hiragana, unicode.Katakana,
	unicode.Hangul, unicode.Arabic, unicode.Hebrew, unicode.Devanagari, unicode.Thai, unicode.Bengali, unicode.Tamil,
	unicode.Telugu,
	unicode.Gujarati, unicode.Gurmukhi, unicode.Kannada, unicode.Malayalam}

// isImplausible reports whether a word cannot be real text: it mixes scripts, uses one that no document is written in,
// or has no valid characters.
func isImplausible(word string) bool {
	script := -1
	for _, r := range word {
		switch {
		case r == unicode.ReplacementChar, r >= 0xe000 && r <= 0xf8ff, unicode.IsControl(r),
			!unicode.In(r, unicode.GraphicRanges...):
			return true
		case r >= 0x250 && r <= 0x2af: // the phonetic alphabet
			return true
		case r < 0x80 || r == 'µ' || r == 'º' || r == 'ª' || !unicode.IsLetter(r):
			if r >= 0x1200 && r <= 0x139f { // figures of Ethiopia
				return true
			}
			continue
		}
		i := slices.IndexFunc(printedScripts, func(s *unicode.RangeTable) bool { return unicode.Is(s, r) })
		if i < 0 || script >= 0 && i != script && !eastAsian(i, script) {
			return true
		}
		script = i
	}
	return false
}

// eastAsian reports whether two scripts are written together, as those of Japan are.
func eastAsian(a, b int) bool { return a >= 3 && a <= 6 && b >= 3 && b <= 6 }

// implausibleWords are the words of a page's layer that cannot be real text; all is true when the whole page must be
// read by OCR.
func implausibleWords(p text.Page) (lying []text.Token, all bool) {
	if p.Layer != text.LayerText || len(p.Tokens) == 0 {
		return nil, false
	}
	for _, t := range p.Tokens {
		if isImplausible(t.Text) {
			lying = append(lying, t)
		}
	}
	share, known := plainWords(p.Tokens)
	all = brokenByMarks(p.Tokens) || hasUnlikelyPairs(p.Tokens) || isShiftedAlphabet(p.Tokens, share >= plainShare) ||
		isShifted(p.Tokens) && share < plainShare ||
		known && share < plainShare && (share == 0 || oddVowels(p.Tokens)) ||
		float64(len(lying)) > liesOfPage*float64(len(p.Tokens))
	if !all && len(lying) < leastLies {
		lying = nil
	}
	return lying, all
}

// readDoubtful reads pages whose text layer does not match what they show from their pictures, as many as OCR may read.
func (w *Decoder) readDoubtful(p *pdfEngine, doc references.FPDF_DOCUMENT, d *text.Decoded) error {
	if !w.ocr().isAvailable() {
		return nil
	}
	left := w.limits.OCRPages
	for _, page := range d.Pages {
		if page.Layer == text.LayerScanned {
			left--
		}
	}
	for i := range d.Pages {
		page := &d.Pages[i]
		lying, all := implausibleWords(*page)
		if len(lying) == 0 && !all || left <= 0 {
			continue
		}
		left--
		pixels, unit, err := p.render(doc, i, page.Width, page.Height)
		if err != nil {
			continue // a page that cannot be drawn keeps what its layer says
		}
		seen, read, err := w.readPicture(ocrPage{pixels: pixels, unit: unit, number: i + 1})
		if err != nil && ranOutOfResources(err) { // the page keeps what its layer says
			if all {
				d.Metadata.Unread = append(d.Metadata.Unread, i+1)
			}
			continue
		}
		if err != nil {
			return err
		}
		if !all {
			page.Tokens = replaceImplausible(page.Tokens, lying, seen)
			continue
		}
		if readsBetter(seen, page.Tokens) {
			page.Tokens, page.Layer = seen, text.LayerScanned
			fitScan(page, read)
		}
	}
	return nil
}

// readsBetter reports whether the OCR of a page makes more sense than its text layer. A page in a language that is not
// known here keeps its layer.
func readsBetter(seen, layer []text.Token) bool {
	picture, _ := plainWords(seen)
	own, enough := plainWords(layer)
	if !enough {
		own = 0
	}
	a, _ := pairsOf(seen)
	b, known := pairsOf(layer)
	return len(seen) > 0 && (picture > own && picture >= plainShare || known && a > b+clearlyPairs)
}

// replaceImplausible replaces the implausible words of a layer by what OCR reads in their places.
func replaceImplausible(layer, lying, seen []text.Token) []text.Token {
	kept := slices.DeleteFunc(slices.Clone(layer), func(t text.Token) bool { return slices.Contains(lying, t) })
	for _, s := range seen {
		own := (s.X1 - s.X0) * (s.Y1 - s.Y0)
		if slices.ContainsFunc(lying, func(l text.Token) bool { return sharedArea(s, l) > coveredShare*own }) &&
			!slices.ContainsFunc(kept, func(k text.Token) bool { return sharedArea(s, k) > coveredShare*own }) {
			kept = append(kept, s)
		}
	}
	return kept
}

// sharedArea is the area that two tokens both cover.
func sharedArea(a, b text.Token) float64 {
	w, h := min(a.X1, b.X1)-max(a.X0, b.X0), min(a.Y1, b.Y1)-max(a.Y0, b.Y0)
	return max(w, 0) * max(h, 0)
}

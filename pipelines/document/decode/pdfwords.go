package decode

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// wordsOf joins characters in content order into words, then puts words that a producer cut apart together
// again. A blank ends a word, and so does a step away from where the next character should stand.
func wordsOf(chars []char, page int, method string) []text.Token {
	var words []text.Token
	var word strings.Builder
	var box text.Box
	last := char{r: ' '}
	flush := func() {
		if word.Len() > 0 {
			words = append(words, text.Token{Page: page, X0: box.X0, Y0: box.Y0, X1: box.X1, Y1: box.Y1,
				Text: word.String(), Confidence: 1, Method: method})
			word.Reset()
		}
	}
	for _, c := range chars {
		if c.r == ' ' {
			flush()
			last = c
			continue
		}
		if word.Len() > 0 && overprinted(last, c) {
			continue
		}
		if word.Len() > 0 && !follows(last, c) {
			flush()
		}
		if word.Len() == 0 {
			box = c.Box
		}
		box = text.Box{X0: min(box.X0, c.X0), Y0: min(box.Y0, c.Y0), X1: max(box.X1, c.X1), Y1: max(box.Y1, c.Y1)}
		writeRune(&word, c.r)
		last = c
	}
	flush()
	return joinTouching(dropDoubles(words))
}

// writeRune resolves what typesetting leaves in text: ligatures, soft hyphens, odd quotes and dashes.
func writeRune(b *strings.Builder, r rune) {
	switch r {
	case 'ﬁ':
		b.WriteString("fi")
	case 'ﬂ':
		b.WriteString("fl")
	case 'ﬀ':
		b.WriteString("ff")
	case 'ﬃ':
		b.WriteString("ffi")
	case 'ﬄ':
		b.WriteString("ffl")
	case '\u00ad', '\ufeff', '\u200b', '\ufffe':
		if r == '\ufffe' { // PDFium's mark of a hyphen at a line's end
			b.WriteByte('-')
		}
	default:
		if !unicode.IsControl(r) {
			b.WriteRune(r)
		}
	}
}

// follows reports whether c stands where the character after last stands: on its line, not behind it, and
// nearer than a blank is wide.
func follows(last, c char) bool {
	h := max(last.Height(), c.Height(), 1)
	if text.Abs(last.MiddleY()-c.MiddleY()) > 0.4*h {
		return false
	}
	gap := c.X0 - last.X1
	return gap < 0.18*h && gap > -0.5*h
}

// overprinted reports whether c repeats last a hair beside it, which is how some producers print bold.
func overprinted(last, c char) bool {
	return last.r == c.r && text.Abs(last.X0-c.X0) < 0.25*(c.X1-c.X0) && text.Abs(last.Y0-c.Y0) < 0.25*c.Height()
}

// dropDoubles removes words that are printed twice in one place (a shadow, or bold by overprinting).
func dropDoubles(words []text.Token) []text.Token {
	seen := map[string][]text.Token{}
	return slices.DeleteFunc(words, func(w text.Token) bool {
		for _, o := range seen[w.Text] {
			if text.Abs(o.X0-w.X0) < 1.2 && text.Abs(o.Y0-w.Y0) < 1.2 {
				return true
			}
		}
		seen[w.Text] = append(seen[w.Text], w)
		return false
	})
}

// joinTouching puts pieces of one word together: producers that place every glyph by itself, out of order.
func joinTouching(words []text.Token) []text.Token {
	if len(words) == 0 {
		return nil
	}
	var out []text.Token
	for _, line := range text.Lines(text.Page{Number: words[0].Page, Tokens: words}) {
		tokens := line.Tokens
		spread := letterSpacing(tokens)
		for i, t := range tokens {
			if i > 0 {
				prev := &out[len(out)-1]
				h := max(t.Y1-t.Y0, prev.Y1-prev.Y0)
				gap := t.X0 - prev.X1
				if gap < 0.06*h && gap > -0.3*h && text.Abs((t.Y1-t.Y0)-(prev.Y1-prev.Y0)) < 0.25*h || spread > 0 &&
					gap <= spread {
					*prev = merged(*prev, t)
					continue
				}
			}
			out = append(out, t)
		}
	}
	return out
}

func merged(a, b text.Token) text.Token {
	a.Text += b.Text
	a.X0, a.Y0, a.X1, a.Y1 = min(a.X0, b.X0), min(a.Y0, b.Y0), max(a.X1, b.X1), max(a.Y1, b.Y1)
	a.Confidence = min(a.Confidence, b.Confidence)
	return a
}

// letterSpacing is the widest gap inside the words of a letter-spaced line ("S T A T E M E N T"), or 0 when
// the line is set normally: nearly all its tokens must be single letters.
func letterSpacing(tokens []text.Token) float64 {
	if len(tokens) < 5 {
		return 0
	}
	single := 0
	var gaps []float64
	for i, t := range tokens {
		if len([]rune(t.Text)) == 1 && unicode.IsLetter([]rune(t.Text)[0]) {
			single++
		}
		if i > 0 {
			gaps = append(gaps, t.X0-tokens[i-1].X1)
		}
	}
	if single*10 < len(tokens)*9 {
		return 0
	}
	slices.Sort(gaps)
	return gaps[len(gaps)/2] * 1.6
}

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

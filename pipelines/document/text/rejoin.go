package text

import "unicode"

// capitalGap is the most room, in heights, between a capital and the rest of its word where a picture's reader parted
// them: it leaves 0.2 to 0.4 of a height there, and 0.45 or more between words.
const capitalGap = 0.42

// Rejoin is a file with the words of its pictures whole: readers of pictures part a capital from its word, "E mployee",
// "J anuary", most of all those that are wide.
func Rejoin(d Decoded) Decoded {
	pages := make([]Page, len(d.Pages))
	for i, p := range d.Pages {
		pages[i] = rejoined(p)
	}
	d.Pages = pages
	return d
}

func rejoined(p Page) Page {
	var whole []Token
	for i, t := range p.Tokens {
		if i > 0 && beginsWord(p.Tokens[i-1], t) {
			if whole == nil {
				whole = append(whole, p.Tokens[:i]...)
			}
			last := &whole[len(whole)-1]
			last.Text += t.Text
			last.X1, last.Y0, last.Y1 = t.X1, min(last.Y0, t.Y0), max(last.Y1, t.Y1)
			last.Confidence = min(last.Confidence, t.Confidence)
			continue
		}
		if whole != nil {
			whole = append(whole, t)
		}
	}
	if whole != nil {
		p.Tokens = whole
	}
	return p
}

// beginsWord reports whether a token is a capital that its word goes on behind. "A" and "I" are words.
func beginsWord(capital, rest Token) bool {
	a, b := []rune(capital.Text), []rune(rest.Text)
	if capital.Method != MethodOCR || rest.Method != MethodOCR || len(a) != 1 || len(b) < 2 ||
		!unicode.IsUpper(a[0]) || !unicode.IsLower(b[0]) || a[0] == 'A' || a[0] == 'I' {
		return false
	}
	height := capital.Y1 - capital.Y0
	return rest.X0-capital.X1 < capitalGap*height && rest.X0 > capital.X0 &&
		Overlap(capital.Y0, capital.Y1, rest.Y0, rest.Y1) > 0.5*height
}

package llm

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/dossierhq/dossier"
)

// withoutSSNs returns the text with social security numbers starred, also those that OCR misread or a line break
// splits. Readers star the numbers they find before; this is the last safeguard.
func (t Text) withoutSSNs() Text {
	out := make(Text, len(t))
	for i, p := range t {
		out[i] = Page{Number: p.Number, Lines: make([]string, len(p.Lines))}
		for j, line := range p.Lines {
			out[i].Lines[j] = starMisreadSSN(dossier.MaskSecrets(strings.ToValidUTF8(line, "")))
			if j > 0 {
				starBrokenSSN(&out[i].Lines[j-1], &out[i].Lines[j])
			}
		}
	}
	return out
}

var (
	misreadSSN = regexp.MustCompile(`(?:^|[^\w-])\d{3} ?[-–—_~=] ?\d{2} ?[-–—_~=] ?\d{4}(?:[^\w-]|$)`)
	// ssnHead and ssnTail match the two parts of a number that a line break splits: three digits and six, or five and
	// four.
	ssnHead = regexp.MustCompile(`(?:^|[^\d,.-])\d{3}(?:[-–]|[-–]\d{2}[-–]?)\s*$`)
	ssnTail = regexp.MustCompile(`^\s*[-–]?(?:\d{2}[-–])?\d{4}(?:\D|$)`)
)

// starMisreadSSN stars a number in which OCR read digits as similar letters, since a person could still make it out.
func starMisreadSSN(line string) string {
	if !strings.ContainsAny(line, "-–—_~=") {
		return line
	}
	return starAt(misreadSSN.FindAllStringIndex(asFigures(line), -1), line)
}

// starAt stars the given ranges of a line that hold at least three digits.
func starAt(places [][]int, line string) string {
	for _, at := range places {
		if said := line[at[0]:at[1]]; figuresIn(said) >= 3 {
			line = line[:at[0]] + strings.Map(star, said) + line[at[1]:]
		}
	}
	return line
}

// star returns the star for a letter or a digit of one byte.
func star(r rune) rune {
	if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
		return '*'
	}
	return r
}

// asFigures returns a line with digits for the letters that OCR confuses with them, each of one byte.
func asFigures(line string) string {
	return strings.Map(func(r rune) rune {
		const letters, figures = "oOiIlL|sSbBzZ", "0011111558822"
		if i := strings.IndexRune(letters, r); i >= 0 {
			return rune(figures[i])
		}
		return r
	}, line)
}

func figuresIn(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// starBrokenSSN stars a number that begins at the end of one line and continues on the next.
func starBrokenSSN(line, next *string) {
	at, end := ssnHead.FindStringIndex(*line), ssnTail.FindStringIndex(*next)
	if at == nil || end == nil || figuresIn((*line)[at[0]:])+figuresIn((*next)[:end[1]]) != 9 {
		return
	}
	*line = (*line)[:at[0]] + strings.Map(star, (*line)[at[0]:])
	*next = strings.Map(star, (*next)[:end[1]]) + (*next)[end[1]:]
}

package llm

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/dossierhq/dossier"
)

// masked is the text without the social security numbers of people, also those that recognition misread or a line
// breaks. Numbers that readers found are masked before; this is the last door.
func (t Text) masked() Text {
	out := make(Text, len(t))
	for i, p := range t {
		out[i] = Page{Number: p.Number, Lines: make([]string, len(p.Lines))}
		for j, line := range p.Lines {
			out[i].Lines[j] = starMisread(dossier.MaskSecrets(strings.ToValidUTF8(line, "")))
			if j > 0 {
				starBroken(&out[i].Lines[j-1], &out[i].Lines[j])
			}
		}
	}
	return out
}

var (
	misread = regexp.MustCompile(`(?:^|[^\w-])\d{3} ?[-–—_~=] ?\d{2} ?[-–—_~=] ?\d{4}(?:[^\w-]|$)`)
	// head and tail are the two ends of a number, where a line breaks it: three figures and six, or five and four.
	head = regexp.MustCompile(`(?:^|[^\d,.-])\d{3}(?:[-–]|[-–]\d{2}[-–]?)\s*$`)
	tail = regexp.MustCompile(`^\s*[-–]?(?:\d{2}[-–])?\d{4}(?:\D|$)`)
)

// starMisread puts stars for a number whose figures were read as letters that look like them, of which a person would
// still read it.
func starMisread(line string) string {
	if !strings.ContainsAny(line, "-–—_~=") {
		return line
	}
	return starAt(misread.FindAllStringIndex(asFigures(line), -1), line)
}

// starAt stars what stands at places of a line, where a third of it are figures as they were read.
func starAt(places [][]int, line string) string {
	for _, at := range places {
		if said := line[at[0]:at[1]]; figuresIn(said) >= 3 {
			line = line[:at[0]] + strings.Map(star, said) + line[at[1]:]
		}
	}
	return line
}

// star hides a letter or a figure, of one byte, by another.
func star(r rune) rune {
	if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
		return '*'
	}
	return r
}

// asFigures is a line with figures for the letters that recognition takes for them, each of one byte.
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

// starBroken hides a number that one line begins and the next one ends.
func starBroken(line, next *string) {
	at, end := head.FindStringIndex(*line), tail.FindStringIndex(*next)
	if at == nil || end == nil || figuresIn((*line)[at[0]:])+figuresIn((*next)[:end[1]]) != 9 {
		return
	}
	*line = (*line)[:at[0]] + strings.Map(star, (*line)[at[0]:])
	*next = strings.Map(star, (*next)[:end[1]]) + (*next)[end[1]:]
}

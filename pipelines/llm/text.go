package llm

import (
	"regexp"
	"strings"
	"unicode"
)

// Text is the printed text of a document: what a model is shown and what its quotes are looked up in.
type Text []Page

// Page is one page's lines, top to bottom.
type Page struct {
	Number int      `json:"page"` // as in the file, from 1
	Lines  []string `json:"lines"`
}

// maxText caps what is sent of a document, in bytes: about ten dense pages.
const maxText = 40_000

// limited returns the text up to maxText, in whole lines.
func (t Text) limited() Text {
	left := maxText
	var out Text
	for _, p := range t {
		page := Page{Number: p.Number, Lines: []string{}}
		for _, line := range p.Lines {
			if left -= len(line); left < 0 {
				return append(out, page)
			}
			page.Lines = append(page.Lines, line)
		}
		out = append(out, page)
	}
	return out
}

// promptInjection matches text that tells a language model what to answer.
var promptInjection = regexp.MustCompile(`(?i)\b(ignore|disregard|forget|override)\b[^.\n]{0,40}\b(instructions?` +
	`|prompts?|rules|guidelines)\b` +
	`|\b(system|developer) prompt\b|\bprompt injection\b|\bjailbreak\b` +
	`|\b(language model|chat ?gpt|llms?|ai (assistant|model|reviewer|agent|system)|as an ai)\b` +
	`|\b(note|message|attention|instructions?|notice) (to|for) (the )?(ai|assistant|model|bot|reviewer|automated)\b` +
	`|\byou (are|must|should|will) (now )?(an? )?(ai|assistant|answer|respond|reply|output|return|mark|approve` +
	`|classify)\b` +
	`|\b(answer|respond|reply|return|output)( only)? (with|as) ?["'{\[]?\s*(json|valid|true|met|yes|approved` +
	`|pass(ed)?)\b` +
	`|</?\s*(system|assistant|user|instructions?)\s*>|<\|[a-z_]+\|>|\[/?INST\]|"(verdict|isValid|quote)"\s*:`)

// hasPromptInjection reports whether the document tries to instruct its reader. A person must look at such a document.
func (t Text) hasPromptInjection() bool {
	for _, p := range t {
		if promptInjection.MatchString(strings.Join(p.Lines, "\n")) ||
			promptInjection.MatchString(strings.Join(p.Lines, " ")) {
			return true
		}
	}
	return false
}

// find returns the page on which the quote is printed, character by character but for white space; 0 when it is
// printed nowhere or is too short to be evidence.
func (t Text) find(quote string) int {
	quote = strings.Join(strings.Fields(quote), " ")
	if len(quote) > 400 || lettersOf(quote) < 3 {
		return 0
	}
	for _, p := range t {
		text := strings.Join(strings.Fields(strings.Join(p.Lines, " ")), " ")
		if at := strings.Index(text, quote); at >= 0 && wholeWords(text, at, at+len(quote)) {
			return p.Number
		}
	}
	return 0
}

// wholeWords reports whether text[from:to] neither begins nor ends within a word: "1,000" is no quote of "21,000".
func wholeWords(text string, from, to int) bool {
	word := func(i int) bool {
		if i < 0 || i >= len(text) {
			return false
		}
		r := rune(text[i])
		return r >= 0x80 || unicode.IsLetter(r) || unicode.IsDigit(r)
	}
	return !(word(from-1) && word(from)) && !(word(to-1) && word(to)) &&
		!(from > 0 && strings.ContainsRune(",.", rune(text[from-1])) && word(from) && word(from-2))
}

func lettersOf(s string) int {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

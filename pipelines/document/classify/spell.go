package classify

import (
	"strings"
	"sync"

	"github.com/dossierhq/dossier/pipelines/document/doctype"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// What OCR makes of a caption: one wrong letter in a word of some length, two in a long one, or several words in one.
const (
	oneWrong  = 5  // letters of a word that may have one wrong
	twoWrong  = 9  // letters of a word that may have two wrong
	mostGlued = 60 // letters of words without blanks between them
)

// vocabulary is every word of the signs and of the titles of forms, by length.
var vocabulary = sync.OnceValue(func() map[int]map[string]bool {
	known := map[int]map[string]bool{}
	note := func(phrase string) {
		for w := range strings.FieldsSeq(strings.ReplaceAll(phrase, "+", " ")) {
			if known[len(w)] == nil {
				known[len(w)] = map[string]bool{}
			}
			known[len(w)][w] = true
		}
	}
	for _, t := range doctype.All() {
		for _, s := range t.Signs {
			note(s.Phrase)
		}
	}
	for _, f := range taxForms {
		note(f.title)
	}
	return known
})

func isKnown(word string) bool { return vocabulary()[len(word)][word] }

// spelled is folded text of a picture with the words put right that OCR misread or ran together, as far as signs and
// titles know them.
func spelled(p text.Page, folded string) string {
	if p.Layer != text.LayerScanned && p.Layer != text.LayerImage {
		return folded
	}
	words := joinedWords(strings.Split(folded, " "))
	for i, w := range words {
		if len(w) < oneWrong || isKnown(w) || text.HasDigits(w, len(w)/2) {
			continue
		}
		if near, ok := nearest(w); ok {
			words[i] = near
		} else if parts := splitKnownWords(w); parts != "" {
			words[i] = parts
		}
	}
	return strings.Join(words, " ")
}

// joinedWords joins two words that are none where together they are a longer one: "na cional".
func joinedWords(words []string) []string {
	out := words[:0]
	for _, w := range words {
		if n := len(out) - 1; n >= 0 && w != "" && out[n] != "" && len(out[n])+len(w) > oneWrong && !isKnown(w) &&
			!isKnown(out[n]) && isKnown(out[n]+w) {
			out[n] += w
			continue
		}
		out = append(out, w)
	}
	return out
}

// nearest is the only known word that differs by as many letters as OCR may get wrong.
func nearest(word string) (string, bool) {
	wrong := 1
	if len(word) >= twoWrong {
		wrong = 2
	}
	found := ""
	for n := max(oneWrong, len(word)-1); n <= len(word)+1; n++ {
		for known := range vocabulary()[n] {
			if !text.Within(word, known, wrong) {
				continue
			}
			if found != "" && found != known {
				return "", false
			}
			found = known
		}
	}
	return found, found != ""
}

// splitKnownWords splits a word into the known words that it runs together; empty when it does not consist of such.
func splitKnownWords(word string) string {
	if len(word) < 2*oneWrong-1 || len(word) > mostGlued {
		return ""
	}
	best := make([]string, len(word)+1) // the words of what ends here; of the fewest words
	for end := 1; end <= len(word); end++ {
		for from := max(0, end-16); from < end; from++ {
			if end-from < 2 && word[from:end] != "w" || from > 0 && best[from] == "" || !isKnown(word[from:end]) {
				continue
			}
			way := strings.TrimSpace(best[from] + " " + word[from:end])
			if best[end] == "" || strings.Count(way, " ") < strings.Count(best[end], " ") {
				best[end] = way
			}
		}
	}
	if strings.Count(best[len(word)], " ") > len(word)/4 {
		return "" // scraps
	}
	return best[len(word)]
}

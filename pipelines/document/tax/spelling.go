package tax

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Letters from which a word of a caption may have one wrong, added or lost, and two.
const (
	oneWrong = 5
	twoWrong = 9
)

// misspelled reports whether a word is the wanted one as OCR may have misread it.
func misspelled(word, wanted string) bool {
	switch {
	case len(wanted) < oneWrong:
		return false
	case len(wanted) >= twoWrong:
		return text.Within(word, wanted, 2)
	}
	return text.Within(word, wanted, 1)
}

// headWords are the longer words of the captions in the heads of the forms.
var headWords = strings.Fields("business corporation doing employer first foundation identification initial " +
	"instructions number organization partnership preparers principal proprietor security shown social spouses " +
	"total assets")

// captionOf is a cell or a line, folded, as captions are compared.
func captionOf(l text.Line) string {
	folded := text.Fold(l.Text())
	if l.Tokens[0].Method == text.MethodOCR {
		return correctSpelling(folded)
	}
	return folded
}

// correctSpelling is a folded caption read by OCR, with its longer words corrected.
func correctSpelling(caption string) string {
	words := strings.Split(caption, " ")
	for i, w := range words {
		for _, known := range headWords {
			if misspelled(w, known) {
				words[i] = known
				break
			}
		}
	}
	return strings.Join(words, " ")
}

package tax

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Cents in a box of their own belong to the dollars before them; the number of a line and an amount of its own do not.
func TestJoinCents(t *testing.T) {
	word := func(s string, x, width float64) text.Token {
		return text.Token{Text: s, X0: x, X1: x + width, Y0: 100, Y1: 110, Method: text.MethodOCR}
	}
	for want, row := range map[string][]text.Token{
		"312,440.18":    {word("312,440", 500, 40), word(".", 545, 3), word("18", 552, 10)},
		"312,441.18":    {word("312,441", 500, 40), word("18", 552, 10)},
		"312,442.18":    {word("312,442", 500, 40), word(".18", 548, 14)},
		"12 18":         {word("12", 450, 10), word("18", 560, 10)},
		"12 18 450":     {word("12", 450, 10), word("18", 465, 10), word("450", 480, 20)},
		"312,443 1,804": {word("312,443", 400, 40), word("1,804", 450, 30)},
	} {
		if got := text.Join(JoinCents(text.Page{Tokens: row}).Tokens); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

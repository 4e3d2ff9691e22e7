package decode

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// set places characters side by side as a line of print; a blank leaves room.
func set(line string) []char {
	var chars []char
	x := 0.0
	for i, r := range []rune(line) {
		if r == ' ' {
			chars, x = append(chars, char{r: ' '}), x+5
			continue
		}
		chars = append(chars, char{r, text.Box{X0: x, Y0: 0, X1: x + 5, Y1: 10}, i})
		x += 5
	}
	return chars
}

// A glyph without a character is the ligature that makes a word of its neighbours, or a blank.
func TestLigatures(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ line, want string }{
		{"Income tax bene\x00t (provision)", "Income tax benefit (provision)"},
		{"Cash \x00ows from operating", "Cash flows from operating"},
		{"net of e\x00ects", "net of effects"},
		{"O\x00ce and \x00xed assets", "Office and fixed assets"},
		{"Non-a\x00liates", "Non-affiliates"},
		{"Total\x00assets", "Total assets"},
		{"a \x00 b", "a b"},
		{"\x00", ""},
	} {
		got := ""
		for i, w := range wordsOf(ligatures(set(tt.line)), 1, text.MethodText) {
			if i > 0 {
				got += " "
			}
			got += w.Text
		}
		if got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.line, got, tt.want)
		}
	}
}

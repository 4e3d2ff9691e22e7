package text

import "testing"

// A line that begins with small type beside a title comes apart when all is held against its first word; rows that
// stand under one another do not join.
func TestLines_apart(t *testing.T) {
	word := func(s string, x, y0, y1 float64) Token {
		return Token{Text: s, X0: x, X1: x + 8*float64(len(s)), Y0: y0, Y1: y1, Method: MethodOCR}
	}
	title := []Token{word("OMB", 695, 37, 45), word("Tax", 510, 37, 52), word("Return", 560, 36, 52),
		word("Corporation", 400, 37, 54), word("Form", 50, 35, 56), word("for", 430, 55, 68), word("year", 470, 55, 68)}
	for layer, want := range map[string][]string{
		LayerImage: {"Form Corporation Tax Return OMB", "for year"}, LayerText: {"Tax Return OMB", "Form Corporation", "for year"},
	} {
		var got []string
		for _, l := range Lines(Page{Number: 1, Layer: layer, Tokens: title}) {
			got = append(got, l.Text())
		}
		if len(got) != len(want) {
			t.Fatalf("%s: %q, want %q", layer, got, want)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("%s: line %d is %q, want %q", layer, i, got[i], want[i])
			}
		}
	}
}

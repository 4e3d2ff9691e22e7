package text_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A capital that a picture's reader parted from its word goes back to it. One that is a word, or stands a word's space
// away, stays; so does what a file prints.
func TestRejoin(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		method string
		gap    float64
		words  []string
		want   []string
	}{
		"parted":        {text.MethodOCR, 3, []string{"E", "mployee", "J", "onah"}, []string{"Employee", "Jonah"}},
		"words":         {text.MethodOCR, 5, []string{"Schedule", "D", "if", "required"}, []string{"Schedule", "D", "if", "required"}},
		"one's self":    {text.MethodOCR, 3, []string{"I", "declare", "A", "lease"}, []string{"I", "declare", "A", "lease"}},
		"capitals":      {text.MethodOCR, 3, []string{"J", "Ekholm", "B", "12"}, []string{"J", "Ekholm", "B", "12"}},
		"printed apart": {text.MethodText, 3, []string{"E", "mployee"}, []string{"E", "mployee"}},
	} {
		x, page := 10.0, text.Page{Number: 1}
		for _, w := range c.words {
			width := 6 * float64(len(w))
			page.Tokens = append(page.Tokens, text.Token{Page: 1, X0: x, X1: x + width, Y0: 20, Y1: 30, Text: w, Confidence: 0.9, Method: c.method})
			x += width + c.gap
		}
		before := len(page.Tokens)
		var got []string
		for _, w := range text.Rejoin(text.Decoded{Pages: []text.Page{page}}).Pages[0].Tokens {
			got = append(got, w.Text)
		}
		if diff := cmp.Diff(c.want, got); diff != "" || len(page.Tokens) != before {
			t.Error(name, diff)
		}
	}
}

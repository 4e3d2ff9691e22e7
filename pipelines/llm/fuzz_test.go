package llm

import (
	"strings"
	"testing"
)

// Whatever a model quotes, it counts only when the document prints it.
func FuzzText_find(f *testing.F) {
	f.Add("Rent: $21,000.00 a year", "$21,000.00")
	f.Add("a b  c\td", "b c")
	f.Fuzz(func(t *testing.T, line, quote string) {
		text := Text{{Number: 1, Lines: []string{line}}}
		if text.find(quote) != 0 && !strings.Contains(strings.Join(strings.Fields(line), " "), strings.Join(strings.Fields(quote), " ")) {
			t.Errorf("%q is not printed in %q", quote, line)
		}
		text.hasPromptInjection()
	})
}

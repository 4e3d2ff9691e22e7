package statement

import (
	"os"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/statement/captions"
)

// Every label of the list is read as its row, in its section.
func TestCaptions_taxonomies(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/labels.txt")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(raw)) {
		place, labels, ok := strings.Cut(strings.TrimSpace(line), " | ")
		if !ok {
			continue
		}
		words := strings.Fields(place)
		for label := range strings.SplitSeq(labels, "; ") {
			forms := captions.Forms(label)
			r := statementRow{caption: label, forms: forms, folded: forms[0], section: words[1]}
			r.mapCaptionRule(words[0], "")
			if r.rule == nil || r.rule.Row != words[2] {
				t.Errorf("%s in %s: %+v, want %s", label, words[1], r.rule, words[2])
			}
		}
	}
}

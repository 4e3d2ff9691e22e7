package document

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/dossierhq/dossier"
)

// editors are programs that change documents; banks and tax offices do not make theirs with them.
var editors = regexp.MustCompile(`(?i)photoshop|illustrator|gimp|inkscape|ilovepdf|smallpdf|sejda|pdfescape|pdf-?xchange|phantompdf|nitro pro|pdffiller|pdfelement|dochub|canva|libreoffice draw|acrobat pro.*touch`)

// fileWarnings are signs of tampering or doubt that the file itself gives. They warn a person and refuse
// nothing: honest people merge and print through such programs too.
func fileWarnings(d Decoded, pages []Page, documents int) []dossier.FactWarning {
	var warnings []dossier.FactWarning
	warn := func(code, format string, args ...any) {
		warnings = append(warnings, dossier.FactWarning{Code: code, Detail: fmt.Sprintf(format, args...)})
	}
	for _, program := range []string{d.Metadata.Producer, d.Metadata.Creator} {
		if name := editors.FindString(program); name != "" {
			warn("possible_tampering", "The file was saved by %s, a program that edits documents.", name)
			break
		}
	}
	if m := d.Metadata; m.Revisions > 0 && m.Modified != "" && m.Created != "" && m.Modified != m.Created {
		warn("possible_tampering", "The file was changed after it was made: %d later revisions.", m.Revisions)
	}
	seen := map[string]int{}
	for _, p := range pages {
		text := pageText(p)
		if first := seen[text]; first > 0 && len(text) > 200 {
			warn("possible_tampering", "Page %d repeats page %d.", p.Number, first)
			continue
		}
		seen[text] = p.Number
	}
	words, sum := 0, 0.0
	for _, p := range pages {
		if p.Layer == LayerScanned || p.Layer == LayerImage {
			words += len(p.Tokens)
			sum += meanConfidence(p.Tokens) * float64(len(p.Tokens))
		}
	}
	if words > 0 && sum/float64(words) < 0.6 {
		warn("low_confidence", "The text was hard to recognise: mean confidence %.0f %%.", sum/float64(words)*100)
	}
	if documents > 1 {
		warn("several_documents", "The file holds %d documents.", documents)
	}
	return warnings
}

func pageText(p Page) string {
	var b strings.Builder
	for _, t := range p.Tokens {
		b.WriteString(t.Text)
		b.WriteByte(' ')
	}
	return b.String()
}

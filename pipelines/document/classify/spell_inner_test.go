package classify

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Words that OCR parted, ran together or misread are put right as signs know them; text that a program wrote stays.
func TestSpelled(t *testing.T) {
	for printed, want := range map[string]string{
		"documento na cional de identidad": "documento nacional de identidad",
		"bank staternent":                  "bank statement",
		"earningsstatement":                "earnings statement",
	} {
		if got := spelled(text.Page{Layer: text.LayerScanned}, printed); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		if got := spelled(text.Page{Layer: text.LayerText}, printed); got != printed {
			t.Errorf("%q of text is now %q", printed, got)
		}
	}
}

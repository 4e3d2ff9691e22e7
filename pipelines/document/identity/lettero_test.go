package identity

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A figure among the letters of a name in a picture is a letter; what has other figures is no name.
func TestLetterO(t *testing.T) {
	for word, want := range map[string]string{"0KPARA": "OKPARA", "R0MER0": "ROMERO", "K0S1": "K0S1", "A0": "A0"} {
		if got := letterO(text.Token{Text: word, Method: text.MethodOCR}); got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
	if got := letterO(text.Token{Text: "0KPARA", Method: text.MethodText}); got != "0KPARA" {
		t.Errorf("what is set was changed to %s", got)
	}
}

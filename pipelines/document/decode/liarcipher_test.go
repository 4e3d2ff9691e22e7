package decode

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// enciphering maps letters to letters; figures stay.
var enciphering = strings.NewReplacer("a", "x", "b", "q", "c", "e", "d", "w", "e", "k", "f", "o", "g", "u", "h", "z", "i", "g", "j", "a",
	"k", "i", "l", "f", "m", "y", "n", "v", "o", "j", "p", "n", "q", "s", "r", "b", "s", "c", "t", "p", "u", "r", "v", "d", "w", "h", "x", "t",
	"y", "m", "z", "l")

// A layer whose letters are others' is doubted, whatever its vowels; lines in plain words of several languages are believed.
func TestDoubtful_enciphered(t *testing.T) {
	t.Parallel()
	lines := map[string]string{
		"English": "consolidated balance sheets cash and cash equivalents accounts receivable prepaid expenses and other current assets " +
			"property and equipment goodwill liabilities and equity accrued compensation 4,100 7,000",
		"German": "umsatzerlose materialaufwand personalaufwand lohne und gehalter soziale abgaben abschreibungen sonstige betriebliche " +
			"aufwendungen zinsen und ahnliche aufwendungen steuern vom einkommen und vom ertrag jahresuberschuss 4.100",
		"Dutch": "immateriele vaste activa materiele vaste activa vlottende activa voorraden vorderingen liquide middelen eigen vermogen " +
			"kortlopende schulden leveranciers overige schulden en overlopende passiva 4.100",
	}
	for name, line := range lines {
		for _, lie := range []bool{false, true} {
			words := line
			if lie {
				words = enciphering.Replace(line)
			}
			var tokens []text.Token
			for w := range strings.FieldsSeq(words) {
				tokens = append(tokens, text.Token{Text: w})
			}
			if _, all := implausibleWords(text.Page{Layer: text.LayerText, Tokens: tokens}); all != lie {
				share, known := pairsOf(tokens)
				t.Errorf("%s, enciphered %v: doubted %v, pairs %.2f %v", name, lie, all, share, known)
			}
		}
	}
}

package decode

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// glyphs are the words of a line as a font without a map gives them: each character is its glyph's number. With figures
// lost, as where the layer has no characters for them.
func glyphs(line string) []text.Token {
	var tokens []text.Token
	for w := range strings.FieldsSeq(line) {
		shifted := strings.Map(func(r rune) rune {
			if r -= glyphShift; r < ' ' {
				return -1
			}
			return r
		}, w)
		if shifted != "" {
			tokens = append(tokens, text.Token{Text: shifted})
		}
	}
	return tokens
}

const shortBalance = "Balance sheet of the company Total current assets 4,100 Total assets 7,000 " +
	"Accounts payable and accruals 3,000 Total liabilities and equity 7,000"

// A layer of glyph numbers is doubted on a page of few words too, whether its words stand apart or not.
func TestDoubtful_shifted(t *testing.T) {
	t.Parallel()
	apart := glyphs(shortBalance)
	together := []text.Token{{Text: strings.Map(func(r rune) rune { return r - glyphShift }, shortBalance)}}
	for name, tokens := range map[string][]text.Token{"apart": apart, "together": together} {
		if _, all := implausibleWords(text.Page{Layer: text.LayerText, Tokens: tokens}); !all {
			t.Errorf("%s: %q is believed", name, tokens[0].Text)
		}
	}
}

// What a page says in plain words is believed, and so are codes in capitals and figures.
func TestDoubtful_plain(t *testing.T) {
	t.Parallel()
	for _, line := range []string{shortBalance, strings.Repeat("VIN 7RW99D QTY 12 SKU DV-114 ", 4)} {
		var tokens []text.Token
		for w := range strings.FieldsSeq(line) {
			tokens = append(tokens, text.Token{Text: w})
		}
		if _, all := implausibleWords(text.Page{Layer: text.LayerText, Tokens: tokens}); all {
			t.Errorf("%q is doubted", line)
		}
	}
}

// A layer whose glyphs stand elsewhere than most fonts' do, with its figures and the spaces between its words lost, has
// signs among its letters.
func TestDoubtful_riddled(t *testing.T) {
	t.Parallel()
	var lying, plain []text.Token
	for line := range strings.SplitSeq("Cash and equivalents,Accounts receivable,Total current assets,Property and equipment,"+
		"Goodwill,Total assets,Accounts payable,Accrued expenses,Total current liabilities,Long-term debt,Total liabilities,"+
		"Retained earnings,Total equity,Total liabilities and equity", ",") {
		for w := range strings.FieldsSeq(line) {
			plain = append(plain, text.Token{Text: w})
		}
		line = strings.Map(func(r rune) rune {
			if r -= 41; r < '!' {
				return -1
			}
			return r
		}, line)
		lying = append(lying, text.Token{Text: line})
	}
	plain = append(plain, text.Token{Text: "https://example.com/?q=a"}, text.Token{Text: "From:us@example.com"})
	if _, all := implausibleWords(text.Page{Layer: text.LayerText, Tokens: lying}); !all {
		t.Errorf("%q is believed", lying[0].Text)
	}
	if _, all := implausibleWords(text.Page{Layer: text.LayerText, Tokens: plain}); all {
		t.Error("plain words with addresses among them are doubted")
	}
	if !readsBetter(plain, lying) {
		t.Error("the words of the picture are not preferred")
	}
}

// subset are the characters of a text as a font gives them whose glyphs are numbered from another place: what falls
// below the first sign is lost, blanks and figures too.
func subset(line string, by rune) string {
	return strings.Map(func(r rune) rune {
		if r += by; r <= ' ' {
			return -1
		}
		return r
	}, line)
}

// A layer whose letters are moved by any constant is doubted, and so is a page of which one font only is moved.
func TestDoubtful_moved(t *testing.T) {
	t.Parallel()
	captions := []string{"Cash and cash equivalents", "Trade receivables", "Inventories", "Total current assets",
		"Property and equipment", "Total assets", "Accounts payable", "Total liabilities"}
	heads := []string{"Report", "of", "the", "company", "for", "the", "year", "to", "December", "31", "2023"}
	for _, by := range []rune{-41, -33, -20, 3, 25} {
		var whole, mixed []text.Token
		for _, w := range heads {
			mixed = append(mixed, text.Token{Text: w})
		}
		for _, c := range captions {
			whole = append(whole, text.Token{Text: subset(c, by)})
			mixed = append(mixed, text.Token{Text: subset(c, by)})
		}
		if _, all := implausibleWords(text.Page{Layer: text.LayerText, Tokens: whole}); !all {
			t.Errorf("%d: %q is believed", by, whole[0].Text)
		}
		if _, all := implausibleWords(text.Page{Layer: text.LayerText, Tokens: mixed}); by == -41 && !all {
			t.Errorf("%d: %q is believed beside plain words", by, whole[0].Text)
		}
	}
}

package decode

import (
	"image"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

func zoneToken(s string, x, y, w float64) text.Token {
	return text.Token{Page: 1, Text: s, X0: x, X1: x + w, Y0: y, Y1: y + 10, Method: text.MethodOCR}
}

// The band of a zone is as wide as its words, also where fillers were read as letters, and leaves out the card's other side.
func TestZoneBand(t *testing.T) {
	front := zoneToken("SURNAME", 10, 100, 60)
	for name, c := range map[string]struct {
		words []text.Token
		band  text.Box
		found bool
	}{
		"beside the other side": {[]text.Token{front, zoneToken("I<UTOD231458907<<<", 300, 100, 200), zoneToken("7408122F1204159UTO", 300, 114, 190)}, text.Box{X0: 280, Y0: 66, X1: 520, Y1: 144}, true},
		"fillers as letters":    {[]text.Token{zoneToken("ERIKSSONKKANNAKMARIAKK", 50, 200, 220)}, text.Box{X0: 30, Y0: 166, X1: 290, Y1: 244}, true},
		"no zone":               {[]text.Token{front}, text.Box{}, false},
	} {
		if got, ok := zoneBand(c.words); ok != c.found || got != c.band {
			t.Errorf("%s: %+v %v, want %+v", name, got, ok, c.band)
		}
	}
}

// What is read anew takes the place of the zone's words alone, not of those beside it.
func TestReplaceLines(t *testing.T) {
	front, old := zoneToken("SURNAME", 10, 100, 60), zoneToken("I<UT0", 300, 100, 200)
	line := text.Line{Page: 1, X0: 300, X1: 500, Y0: 99, Y1: 111, Tokens: []text.Token{zoneToken("I<UTO", 300, 100, 200)}}
	if got := replaceLines([]text.Token{front, old}, []text.Line{line}, 1); len(got) != 2 || got[0].Text != "SURNAME" || got[1].Text != "I<UTO" {
		t.Errorf("words %v", got)
	}
}

func TestDoubled(t *testing.T) {
	g := image.NewGray(image.Rect(0, 0, 8, 4))
	for i := range g.Pix {
		g.Pix[i] = uint8(i * 7)
	}
	large := doubled(g)
	if large.Rect.Dx() != 16 || large.Rect.Dy() != 8 {
		t.Fatalf("%v", large.Rect)
	}
	if large.GrayAt(4, 2) != g.GrayAt(2, 1) {
		t.Errorf("%v became %v", g.GrayAt(2, 1), large.GrayAt(4, 2))
	}
}

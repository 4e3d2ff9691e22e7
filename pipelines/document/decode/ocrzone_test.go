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

// The zone of a card of which only the begins of the lines were read is looked for as wide as its lines are, and its
// pattern becomes paper.
func TestWideBand(t *testing.T) {
	words := []text.Token{zoneToken("IDUTOD23145890", 40, 200, 140), zoneToken("7408122F", 40, 230, 80), zoneToken("1204", 122, 230, 40)}
	band, ok := wideBand(words, 1)
	if !ok || band.X0 > 40 || band.X1 < 40+30*10 || band.X1 > 40+34*11 || band.Y0 > 200 || band.Y1 < 270 {
		t.Errorf("band %+v %v", band, ok)
	}
	if _, ok := wideBand([]text.Token{zoneToken("7408122", 40, 230, 80), zoneToken("FRESNO", 140, 230, 60)}, 1); ok {
		t.Error("a number beside a name is no zone")
	}
	g := image.NewGray(image.Rect(0, 0, 100, 10))
	for i := range g.Pix {
		g.Pix[i] = [...]uint8{230, 230, 230, 150, 30}[min(i%25, 4)]
		if i%25 > 5 {
			g.Pix[i] = 230
		}
	}
	onlyInk(g)
	if g.Pix[0] != 255 || g.Pix[3] != 255 || g.Pix[4] != 0 {
		t.Errorf("paper %d, pattern %d, print %d", g.Pix[0], g.Pix[3], g.Pix[4])
	}
}

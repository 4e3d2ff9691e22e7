package specimen

import (
	"sync"

	"github.com/go-fonts/liberation/liberationmonobold"
	"github.com/go-fonts/liberation/liberationmonoregular"
	"github.com/go-fonts/liberation/liberationsansbold"
	"github.com/go-fonts/liberation/liberationsansitalic"
	"github.com/go-fonts/liberation/liberationsansregular"
	"github.com/go-fonts/liberation/liberationserifbold"
	"github.com/go-fonts/liberation/liberationserifitalic"
	"github.com/go-fonts/liberation/liberationserifregular"
	"golang.org/x/image/font"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// face is a typeface. PDFs name one of the standard fonts; the Liberation fonts have the same widths, so a page
// measures and rasterises the same way without any font file on the machine.
type face int

const (
	sans face = iota
	sansBold
	sansItalic
	serif
	serifBold
	serifItalic
	mono
	monoBold
	faces // how many there are
)

// pdfName is the standard font that stands for f in a PDF.
func (f face) pdfName() string {
	return [...]string{"Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Times-Roman", "Times-Bold",
		"Times-Italic", "Courier", "Courier-Bold"}[f]
}

// bold is the bold face of the same family.
func (f face) bold() face {
	switch f {
	case serif, serifItalic:
		return serifBold
	case mono:
		return monoBold
	case sans, sansItalic:
		return sansBold
	}
	return f
}

// loaded parses each face once; parsed fonts are read-only.
var loaded = sync.OnceValue(func() [faces]*sfnt.Font {
	data := [faces][]byte{liberationsansregular.TTF, liberationsansbold.TTF, liberationsansitalic.TTF,
		liberationserifregular.TTF, liberationserifbold.TTF, liberationserifitalic.TTF,
		liberationmonoregular.TTF, liberationmonobold.TTF}
	var fonts [faces]*sfnt.Font
	for i, ttf := range data {
		f, err := opentype.Parse(ttf)
		if err != nil {
			panic(err) // fonts are compiled in: only a broken build gets here
		}
		fonts[i] = f
	}
	return fonts
})

// width returns the length of text in points at the given size.
func width(f face, size float64, text string) float64 {
	var (
		buf  sfnt.Buffer
		font = loaded()[f]
		em   = fixed.I(int(font.UnitsPerEm()))
		sum  fixed.Int26_6
	)
	for _, r := range text {
		sum += advance(font, &buf, em, r)
	}
	return float64(sum) / float64(em) * size
}

func advance(f *sfnt.Font, buf *sfnt.Buffer, em fixed.Int26_6, r rune) fixed.Int26_6 {
	glyph, err := f.GlyphIndex(buf, r)
	if err != nil {
		return em / 2
	}
	adv, err := f.GlyphAdvance(buf, glyph, em, font.HintingNone)
	if err != nil {
		return em / 2
	}
	return adv
}

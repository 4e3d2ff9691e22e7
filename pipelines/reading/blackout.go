package reading

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"
	"unicode"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// pictureSide is the longer side of a picture that a model is shown, in pixels.
const pictureSide = 1568

// isRecognized reports whether the words of a page were recognized in a picture; such a page is sent to the model as a
// picture too.
func isRecognized(page text.Page) bool {
	return (page.Layer == text.LayerScanned || page.Layer == text.LayerImage) && len(page.Tokens) > 0 &&
		page.Width > 0 && page.Height > 0
}

// pictureWidth is how wide a page is drawn.
func pictureWidth(page text.Page) int {
	width := float64(pictureSide)
	if page.Height > page.Width {
		width *= page.Width / page.Height
	}
	return max(int(width), 100)
}

// blackOut covers the social security numbers in a picture (PNG) of a page: the boxes of numbers that are starred in
// its text, of words that may be one although they were misread, and whatever stands beside or below a caption of one.
// It rather covers too much than too little. Error: the picture cannot be decoded; then it must not be sent.
func blackOut(picture []byte, page text.Page) ([]byte, error) {
	size, err := png.DecodeConfig(bytes.NewReader(picture))
	if err != nil || size.Width > 4*pictureSide || size.Height > 4*pictureSide {
		return nil, fmt.Errorf("the picture of page %d cannot be shown: %w", page.Number,
			errors.Join(err, errors.ErrUnsupported))
	}
	drawn, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return nil, err
	}
	places := ssnBoxes(page)
	if len(places) == 0 {
		return picture, nil
	}
	canvas := image.NewRGBA(drawn.Bounds())
	draw.Draw(canvas, canvas.Bounds(), drawn, drawn.Bounds().Min, draw.Src)
	wide, high := float64(size.Width)/page.Width, float64(size.Height)/page.Height
	for _, b := range places {
		margin := b.Height() / 4
		cover := image.Rect(int((b.X0-margin)*wide), int((b.Y0-margin)*high), int((b.X1+margin)*wide)+1,
			int((b.Y1+margin)*high)+1).Add(canvas.Bounds().Min)
		draw.Draw(canvas, cover, image.NewUniform(color.Black), image.Point{}, draw.Src)
	}
	var out bytes.Buffer
	err = png.Encode(&out, canvas)
	return out.Bytes(), err
}

// ssnBoxes returns the boxes of a page to be covered.
func ssnBoxes(page text.Page) []text.Box {
	var places []text.Box
	for _, line := range text.Lines(page) {
		for i, t := range line.Tokens {
			if isStarred(t.Text) || dossier.MaskSecrets(t.Text) != t.Text {
				places = append(places, text.BoxOf(line.Tokens[i:i+1]))
			}
			for n := 1; n <= 5 && i+n <= len(line.Tokens); n++ {
				if words := line.Tokens[i : i+n]; ssnLike.MatchString(figuresOf(text.Join(words))) {
					places = append(places, text.BoxOf(words))
				}
			}
		}
		places = append(places, underCaption(idCaption, line, page)...)
	}
	for _, code := range page.Codes {
		places = append(places, text.BoxOf([]text.Token{code.Token})) // bars may say what is not printed
	}
	return places
}

// isStarred reports whether a word is a starred number: stars, and nothing else but digits.
func isStarred(word string) bool {
	return strings.Contains(word, "**") || strings.Contains(word, "*") && !hasLetters(word)
}

// underCaption returns the boxes beside and below a caption on a line that hold digits, or what may be digits.
func underCaption(caption *lazyregexp.Regexp, line text.Line, page text.Page) []text.Box {
	if !caption.MatchString(string(folded(line.Text()))) {
		return nil
	}
	var places []text.Box
	for i := range line.Tokens {
		for n := 1; n <= 4 && i+n <= len(line.Tokens); n++ {
			words := line.Tokens[i : i+n]
			if !caption.MatchString(string(folded(text.Join(words)))) {
				continue
			}
			b := text.BoxOf(words)
			high := b.Height()
			places = append(places,
				text.Box{X0: b.X1 + high/2, Y0: b.Y0 - high/2, X1: min(b.X1+page.Width/4, page.Width),
					Y1: b.Y1 + high/2},
				text.Box{X0: b.X0 - high, Y0: b.Y1 + high/2, X1: min(b.X1+page.Width/8, page.Width), Y1: b.Y1 + 4*high})
			break // the shortest that names one
		}
	}
	return places
}

// figuresOf replaces the letters that OCR confuses with digits by those digits.
func figuresOf(s string) string {
	return strings.Map(func(r rune) rune {
		if twin, ok := ocrLookalikes[unicode.ToLower(r)]; ok {
			return twin
		}
		return r
	}, s)
}

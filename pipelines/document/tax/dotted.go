package tax

import (
	"strings"

	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/lazyregexp"
)

// The forms print whole dollars, or cents with two places: what a picture shows as a point before three digits is a
// comma, and what it shows as a narrow blank there is one that was lost.
var (
	dottedThousands = lazyregexp.New(`^[(-]{0,2}\$?\d{1,3}(?:[.,]\d{3})+(?:\.\d{2})?[.)]{0,2}$`)
	wholeHead       = lazyregexp.New(`^[(-]{0,2}\$?\d{1,3}(?:[.,]\d{3})*$`)
	wholeTail       = lazyregexp.New(`^[.,]?\d{3}(?:[.,]\d{3})*(?:\.\d{2})?[.)]{0,2}$`)
)

// narrowBlank is the width of a lost comma, in heights of the figure.
const narrowBlank = 0.6

// joinFigures are the pages of a form with figures joined that OCR split.
func joinFigures(pages []text.Page) []text.Page {
	mended := make([]text.Page, len(pages))
	for i, p := range pages {
		if p.Layer != text.LayerScanned && p.Layer != text.LayerImage {
			mended[i] = p
			continue
		}
		var kept []text.Token
		for _, l := range text.Lines(p) {
			for _, t := range l.Tokens {
				if n := len(kept) - 1; n >= 0 && sameFigure(kept[n], t) {
					before := &kept[n]
					before.Text += "," + strings.TrimLeft(t.Text, ".,")
					before.X1, before.Y0, before.Y1 = t.X1, min(before.Y0, t.Y0), max(before.Y1, t.Y1)
					before.Confidence = min(before.Confidence, t.Confidence)
					continue
				}
				kept = append(kept, t)
			}
		}
		for k := range kept {
			kept[k].Text = withCommas(kept[k])
		}
		p.Tokens = kept
		mended[i] = p
	}
	return mended
}

// sameFigure reports whether t goes on with the figure that a picture shows before it.
func sameFigure(before, t text.Token) bool {
	blank := t.X0 - before.X1
	return before.Method == text.MethodOCR && t.Method == text.MethodOCR && wholeHead.MatchString(before.Text) &&
		wholeTail.MatchString(t.Text) && blank >= 0 && blank < narrowBlank*(before.Y1-before.Y0) &&
		text.Overlap(before.Y0, before.Y1, t.Y0, t.Y1) > 0.5*(t.Y1-t.Y0)
}

// withCommas is the text of a figure whose commas were read as points.
func withCommas(t text.Token) string {
	if t.Method != text.MethodOCR || !dottedThousands.MatchString(t.Text) {
		return t.Text
	}
	end := len(strings.TrimRight(t.Text, ".)"))
	if end > 3 && t.Text[end-3] == '.' {
		end -= 3
	}
	return strings.ReplaceAll(t.Text[:end], ".", ",") + t.Text[end:]
}

// misreadCaption reports whether words of a picture are a caption but for a letter in seven, of which OCR loses thin
// ones in the small print beside boxes: "Marrie fling jointly".
func misreadCaption(tokens []text.Token, caption string) bool {
	want, read := strings.ReplaceAll(caption, " ", ""), ""
	for _, t := range tokens {
		if t.Method != text.MethodOCR || len(read) > len(want) {
			return false
		}
		read += strings.ReplaceAll(text.Fold(t.Text), " ", "")
		if text.Within(read, want, len(want)/7) && len(want) >= 7 {
			return true
		}
	}
	return false
}

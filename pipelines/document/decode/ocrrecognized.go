package decode

import (
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A page is turned and read again when what was read of it says that it lies wrong.
const (
	sidewaysShare = 0.5  // of its letters, in lines that run down the page
	unsureRead    = 0.75 // mean confidence of a page that may stand on its head
)

// recognized reads an upright page by the recognizer: its words, or false when tesseract is to read it.
func (o *ocrEngine) recognized(p ocrPage) ([]text.Token, ocrPage, bool) {
	if !o.recognizer.available() {
		o.fallback()
		return nil, p, false
	}
	seen, err := o.recognizer.read(p.pixels)
	if err != nil {
		o.fallback()
		return nil, p, false
	}
	if !sideways(seen) {
		seen, p.pixels = levelWords(seen, p.pixels)
	}
	tokens := correctDefects(wordsSeen(seen, p))
	switch {
	case sideways(seen):
		tokens, p = o.best(p, tokens, 90, 270)
	case len(tokens) > 0 && text.MeanConfidence(tokens) < unsureRead:
		tokens, p = o.best(p, tokens, 180)
	}
	return tokens, p, true
}

// best is the reading with the most words, each weighed by its confidence, among the page as it lies and its turns.
func (o *ocrEngine) best(p ocrPage, tokens []text.Token, turns ...int) ([]text.Token, ocrPage) {
	best := p
	for _, degrees := range turns {
		turned := p.turn(degrees)
		seen, err := o.recognizer.read(turned.pixels)
		if err != nil {
			continue // the reading so far stays
		}
		if again := correctDefects(wordsSeen(seen, turned)); quality(again) > quality(tokens)*1.2 {
			tokens, best = again, turned
		}
	}
	return tokens, best
}

// sideways reports whether most of a page's letters stand in lines that run down.
func sideways(seen []seenWord) bool {
	all, turned := 0, 0
	for _, w := range seen {
		all += len(w.Text)
		if w.Turned {
			turned += len(w.Text)
		}
	}
	return float64(turned) > sidewaysShare*float64(all)
}

package decode

import (
	"bytes"
	"context"
	"encoding/binary"
	"image"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// ocrEngine runs tesseract: a process for each pass, inside the parser's sandbox (enterSandbox says why). It is
// given grey pixels that our own decoders made, never the upload.
type ocrEngine struct {
	program    string
	recognizer *recognizer // reads what it can; tesseract the rest
	starts     func()      // is told when it starts: it takes longer than text
	fallback   func()      // is told when a page was read by tesseract alone
}

// errNoOCR is the refusal of pages that need OCR where tesseract is not installed.
func errNoOCR() *refusal.Refusal {
	return refusal.New(refusal.OCRUnavailable,
		"The file is a scan or a photograph, and reading those is not available on this installation.")
}

// stalled is how long a program is waited for that reads one page. One that works needs some seconds of the processor,
// and is ended by its limit of them: what it reads must not hang on how much else the machine has to do.
const stalled = 2 * time.Minute

// Page segmentation modes: blocks of text, and words wherever they stand (cards, forms).
const (
	segmentPage   = 3
	segmentBlock  = 6 // one block: keeps the rows of tables whole
	segmentSparse = 11
)

// ocrPage is a page as OCR sees it: upright grey pixels, and what one pixel is in the page's own units.
type ocrPage struct {
	pixels *image.Gray
	unit   float64
	number int
	sparse bool // a card or a form: words stand alone
	turned int  // degrees clockwise that the pixels were turned from how they are stored
}

// turn turns a page by 90, 180 or 270 degrees clockwise.
func (p ocrPage) turn(degrees int) ocrPage {
	p.pixels, p.turned = turn(p.pixels, degrees), (p.turned+degrees)%360
	return p
}

// read recognises the words of a page. The page is turned upright and deskewed first; the boxes are those of
// the upright page. It returns the page it read: its pixels are those of thumbnails and the reading page.
func (o *ocrEngine) read(p ocrPage) ([]text.Token, ocrPage, error) {
	if !o.isAvailable() {
		return nil, p, errNoOCR()
	}
	o.starts()
	if blank(p.pixels) {
		return nil, p, nil
	}
	p.pixels = deskew(p.pixels)
	if tokens, upright, ok := o.recognized(p); ok {
		return scannedTicks(upright, o.zone(upright, tokens)), upright, nil
	}
	if o.program == "" {
		return nil, p, refusal.New(refusal.Memory, "Recognising the text of a page failed.")
	}
	tokens, err := o.passes(p)
	if err != nil {
		return nil, p, err
	}
	if quality(tokens) < 18 || text.MeanConfidence(tokens) < 0.6 {
		if turned, ok := o.upright(p); ok {
			if again, err := o.passes(turned); err == nil && quality(again) > quality(tokens)*1.2 {
				tokens, p = again, turned
			}
		}
	}
	return scannedTicks(p, o.zone(p, tokens)), p, nil
}

// isAvailable reports whether there is any OCR here.
func (o *ocrEngine) isAvailable() bool { return o.program != "" || o.recognizer.available() }

// A reading with more words, which are surer, leaves no doubt that the page was read.
const (
	fewWords  = 60
	sureWords = 0.82
)

// passes reads the page in the mode that fits and, when that was hard, cleaned and in the other mode too:
// words that only a later pass sees are added, and words that it reads surer replace the first's. Gaps are looked at
// last.
func (o *ocrEngine) passes(p ocrPage) ([]text.Token, error) {
	first, second := segmentPage, segmentSparse
	if p.sparse {
		first, second = second, first
	}
	var ink mask
	if !p.sparse { // a card has no tables, and its large type has strokes like rules
		p.pixels, ink = withoutRules(p.pixels)
	}
	cleaning := make(chan *image.Gray, 1)
	go func() { cleaning <- cleaned(p.pixels) }() // while the first pass runs
	tokens, err := o.firstPass(p, ink, first)
	if err != nil {
		return nil, err
	}
	clean := p
	clean.pixels = <-cleaning
	enough := func() bool {
		return len(tokens) > fewWords && text.MeanConfidence(tokens) > sureWords &&
			uncoveredShare(clean.pixels, tokens, p.unit) < 0.25
	}
	if !enough() {
		tries := []try{{enlarged(p, tokens), segmentBlock}, {clean, segmentSparse}}
		switch {
		case p.sparse:
			tries = []try{{clean, first}, {clean, second}}
		// as one block, its blank paper is read as words, and slowly
		case len(tokens) > 0 && len(tokens) <= fewWords && text.MeanConfidence(tokens) > sureWords:
			tries = tries[1:]
		}
		readings, stop := o.startTries(tries)
		defer stop()
		for i := 0; i < len(readings) && !enough(); i++ {
			more := <-readings[i]
			if quality(more) > quality(tokens) {
				tokens, more = more, tokens
			}
			tokens = addMissing(tokens, more)
		}
	}
	return o.secondLook(p, clean.pixels, tokens), nil
}

// try is another way to read a page.
type try struct {
	page ocrPage
	mode int
}

// startTries reads the page in all of the ways at once, since each pass keeps one core busy: the words of each, none
// where it failed. stop ends what nobody waits for any more.
func (o *ocrEngine) startTries(tries []try) (readings []chan []text.Token, stop context.CancelFunc) {
	ctx, stop := context.WithCancel(context.Background())
	readings = make([]chan []text.Token, len(tries))
	for i, t := range tries {
		readings[i] = make(chan []text.Token, 1)
		go func() {
			words, _ := o.pass(ctx, t.page, t.mode) // without it the words so far stay
			readings[i] <- words
		}()
	}
	return readings, stop
}

// smallType is the height in pixels of words below which OCR gains by a larger picture.
const smallType = 19

// enlarged is a page whose small print is scaled up for another pass; the page itself when its type is large.
func enlarged(p ocrPage, tokens []text.Token) ocrPage {
	var heights []float64
	for _, t := range tokens {
		if len(t.Text) > 2 && hasAlnum(t.Text) {
			heights = append(heights, (t.Y1-t.Y0)/p.unit)
		}
	}
	if len(heights) < 20 {
		return p
	}
	slices.Sort(heights)
	b := p.pixels.Bounds()
	scale := min(1.5, float64(longestSide)/float64(max(b.Dx(), b.Dy())))
	if heights[len(heights)/2] > smallType || scale < 1.15 {
		return p
	}
	large := image.NewGray(image.Rect(0, 0, int(float64(b.Dx())*scale), int(float64(b.Dy())*scale)))
	for y := range large.Rect.Dy() {
		for x := range large.Rect.Dx() {
			large.Pix[y*large.Stride+x] = sample(p.pixels, float64(x)/scale, float64(y)/scale)
		}
	}
	p.pixels, p.unit = large, p.unit/scale
	return p
}

// uncoveredShare is the share of a page's ink that no word covers.
func uncoveredShare(g *image.Gray, tokens []text.Token, unit float64) float64 {
	w, h := g.Bounds().Dx(), g.Bounds().Dy()
	covered := make([]bool, w*h)
	for _, t := range tokens {
		for y := max(int(t.Y0/unit)-4, 0); y < min(int(t.Y1/unit)+4, h); y++ {
			for x := max(int(t.X0/unit)-3, 0); x < min(int(t.X1/unit)+3, w); x++ {
				covered[y*w+x] = true
			}
		}
	}
	ink, missed := 0, 0
	for y := range h {
		for x := range w {
			if g.Pix[y*g.Stride+x] < dark {
				if ink++; !covered[y*w+x] {
					missed++
				}
			}
		}
	}
	return float64(missed) / float64(max(ink, 1))
}

// pass reads a page once.
func (o *ocrEngine) pass(ctx context.Context, p ocrPage, mode int, settings ...string) ([]text.Token, error) {
	tsv, err := o.recognise(ctx, p.pixels, mode, settings...)
	if err != nil {
		return nil, err
	}
	return parseTSV(tsv, p), nil
}

// recognise runs tesseract once and returns its table of words.
func (o *ocrEngine) recognise(ctx context.Context, g *image.Gray, mode int, settings ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, stalled)
	defer cancel()
	var out, complaints bytes.Buffer
	args := append([]string{"stdin", "stdout", "--psm", strconv.Itoa(mode), "--dpi", "200", "-l", "eng", "-c",
		"tessedit_create_tsv=1"}, settings...)
	cmd := exec.CommandContext(ctx, o.program, args...)
	cmd.Env = []string{"OMP_THREAD_LIMIT=1"}
	cmd.Stdin = bytes.NewReader(encodeBMP(g))
	cmd.Stdout, cmd.Stderr = &out, &complaints
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", refusal.New(refusal.Timeout, "Recognising the text of a page took too long.")
		}
		return "", refusal.New(refusal.Memory, "Recognising the text of a page failed.")
	}
	return out.String(), nil
}

// upright asks tesseract for the page's orientation and turns it.
func (o *ocrEngine) upright(p ocrPage) (ocrPage, bool) {
	ctx, cancel := context.WithTimeout(context.Background(), stalled)
	defer cancel()
	cmd := exec.CommandContext(ctx, o.program, "stdin", "stdout", "--psm", "0", "--dpi", "200", "-l", "osd", "-c",
		"min_characters_to_try=12")
	cmd.Env = []string{"OMP_THREAD_LIMIT=1"}
	cmd.Stdin = bytes.NewReader(encodeBMP(p.pixels))
	out, err := cmd.Output()
	if err != nil {
		return p, false
	}
	for line := range strings.Lines(string(out)) {
		if rest, ok := strings.CutPrefix(line, "Rotate:"); ok {
			degrees, err := strconv.Atoi(strings.TrimSpace(rest))
			if err == nil && degrees != 0 {
				return p.turn(degrees), true
			}
		}
	}
	return p, false
}

// encodeBMP is the image format that tesseract reads soonest: whole rows (the lowest first) of indexes into a table of
// greys.
func encodeBMP(g *image.Gray) []byte {
	const fileHeader, header, greys, metre = 14, 40, 256, 7874 // sizes in bytes; pixels of 200 dpi
	b := g.Bounds()
	row := (b.Dx() + 3) &^ 3
	start := fileHeader + header + 4*greys
	out := make([]byte, start+row*b.Dy())
	word := binary.LittleEndian
	copy(out, "BM")
	word.PutUint32(out[2:], uint32(len(out)))
	word.PutUint32(out[10:], uint32(start))
	word.PutUint32(out[14:], header)
	word.PutUint32(out[18:], uint32(b.Dx()))
	word.PutUint32(out[22:], uint32(b.Dy()))
	word.PutUint16(out[26:], 1) // plane
	word.PutUint16(out[28:], 8) // bits a pixel
	word.PutUint32(out[34:], uint32(row*b.Dy()))
	word.PutUint32(out[38:], metre)
	word.PutUint32(out[42:], metre)
	word.PutUint32(out[46:], greys)
	for i := range greys {
		word.PutUint32(out[fileHeader+header+4*i:], uint32(i)*0x010101)
	}
	for y := range b.Dy() {
		at := g.PixOffset(b.Min.X, b.Max.Y-1-y)
		copy(out[start+y*row:], g.Pix[at:at+b.Dx()])
	}
	return out
}

package decode

import (
	"bytes"
	"context"
	"errors"
	"image"
	"io"
	"math"
	"strings"
	"unicode"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/enums"
	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
	"github.com/klippa-app/go-pdfium/responses"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"

	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// maxPageChars caps the text of a page.
const maxPageChars = 200_000

// pdfEngine is PDFium in WebAssembly: no file system, no clock, compiled once into the cache directory.
type pdfEngine struct {
	pdfium.Pdfium
	pool pdfium.Pool
}

func openPDFium(cacheDir string) (*pdfEngine, error) {
	cache, err := wazero.NewCompilationCacheWithDir(cacheDir)
	if err != nil {
		return nil, err
	}
	pool, err := webassembly.Init(webassembly.Config{
		MinIdle: 1, MaxIdle: 1, MaxTotal: 1,
		FSConfig:      wazero.NewFSConfig(), // the default would mount /
		RuntimeConfig: wazero.NewRuntimeConfig().WithCompilationCache(cache),
		Stdout:        io.Discard, Stderr: io.Discard,
	})
	if err != nil {
		return nil, err
	}
	instance, err := pool.GetInstanceWithContext(context.Background())
	if err != nil {
		return nil, err
	}
	return &pdfEngine{instance, pool}, nil
}

func (p *pdfEngine) close() { _ = p.pool.Close() }

// decodePDF reads every page: its text layer with the values of form fields, else (a scan) by OCR.
func (w *Decoder) decodePDF(data []byte) (text.Decoded, error) {
	p, err := w.openPDF()
	if err != nil {
		return text.Decoded{}, &EngineFault{err}
	}
	opened, err := p.OpenDocument(&requests.OpenDocument{File: &data})
	if err != nil {
		return text.Decoded{}, openRefusal(err)
	}
	doc := opened.Document
	counted, err := p.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: doc})
	if err != nil {
		return text.Decoded{}, err
	}
	d := text.Decoded{PageCount: counted.PageCount, Layer: text.LayerText, Metadata: p.metadata(doc, data)}
	if d.PageCount == 0 {
		return d, refusal.New(refusal.Corrupt, "The file has no pages.")
	}
	if limit := w.limits.TextPages; d.PageCount > limit {
		return d, refusal.New(refusal.TooManyPages, "The file has %d pages; at most %d are read.", d.PageCount, limit)
	}
	w.pages = d.PageCount
	for i := range d.PageCount {
		page, err := w.readPDFPage(p, doc, i)
		if err != nil {
			return d, err
		}
		p.addTicks(doc, i, &page)
		d.Pages = append(d.Pages, page)
	}
	d.Metadata.MixedFonts = w.mixedFonts[:min(len(w.mixedFonts), maxSigns)]
	d.Metadata.Changed = w.changedAmounts(p, data, d)
	p.addFormValues(doc, &d)
	if err := w.readScans(p, doc, &d); err != nil {
		return d, err
	}
	if err := w.readDoubtful(p, doc, &d); err != nil {
		return d, err
	}
	w.showPages(p, doc, d.PageCount)
	return d, nil
}

// readScans reads the pages without a usable text layer by OCR.
func (w *Decoder) readScans(p *pdfEngine, doc references.FPDF_DOCUMENT, d *text.Decoded) error {
	var scans []int
	for i, page := range d.Pages {
		if unreadable(page) || w.isThin(p, doc, i, page) {
			scans = append(scans, i)
		}
	}
	switch {
	case len(scans) == 0:
		return nil
	case !w.ocr().isAvailable() && len(scans) == len(d.Pages):
		return errNoOCR()
	case !w.ocr().isAvailable():
		return nil
	case len(scans) > w.limits.OCRPages:
		return refusal.New(refusal.TooManyPages, "The file has %d scanned pages; at most %d are read.", len(scans),
			w.limits.OCRPages)
	}
	w.recognizer.prepare()
	var short error
	for _, i := range scans {
		page := &d.Pages[i]
		pixels, unit, err := p.render(doc, i, page.Width, page.Height)
		if err != nil {
			continue // a page that cannot be drawn does not lose the others
		}
		drawn := ocrPage{pixels: pixels, unit: unit, number: i + 1}
		tokens, read, err := w.readPicture(drawn)
		if err != nil {
			if !ranOutOfResources(err) {
				return err
			}
			short, d.Metadata.Unread = err, append(d.Metadata.Unread, i+1)
			continue
		}
		page.Codes = codesOf(drawn, read)
		if len(tokens) > len(page.Tokens) && (unreadable(*page) || isPartial(page.Tokens, tokens)) {
			page.Tokens, page.Layer = tokens, text.LayerScanned
			fitScan(page, read)
			w.keepImage(i, read.pixels)
		}
	}
	if short != nil && len(d.Metadata.Unread) == len(d.Pages) {
		return short // no page is left
	}
	d.Metadata.OCRFallback = w.fallback
	if 2*len(scans) >= len(d.Pages) {
		d.Layer = text.LayerScanned
	}
	return nil
}

// fitScan gives a page the size of what OCR read of it, which it turned upright.
func fitScan(page *text.Page, read ocrPage) {
	b := read.pixels.Bounds()
	page.Width, page.Height = float64(b.Dx())*read.unit, float64(b.Dy())*read.unit
	page.Rotation = (page.Rotation + read.turned) % 360
}

// ranOutOfResources reports whether a page was not read because memory or time ran out: other pages of the file may
// still be readable.
func ranOutOfResources(err error) bool {
	var r *refusal.Refusal
	return errors.As(err, &r) && (r.Code == refusal.Memory || r.Code == refusal.Timeout)
}

// unreadable reports whether a page's text layer says nothing: no words, or mostly glyphs without meaning.
func unreadable(p text.Page) bool {
	good, bad := 0, 0
	for _, t := range p.Tokens {
		for _, r := range t.Text {
			if r == unicode.ReplacementChar || r >= 0xe000 && r <= 0xf8ff || unicode.IsControl(r) {
				bad++
			} else {
				good++
			}
		}
	}
	return good < 20 || bad > good
}

// scanDPI is the resolution pages are drawn at for OCR.
const scanDPI = 200

// render draws a page in grey for OCR. unit is what one pixel is in points.
func (p *pdfEngine) render(doc references.FPDF_DOCUMENT, i int, width, height float64) (*image.Gray, float64, error) {
	return p.renderAt(doc, i, width, height, scanDPI)
}

func (p *pdfEngine) renderAt(doc references.FPDF_DOCUMENT, i int, width, height, dpi float64) (*image.Gray, float64,
	error) {
	scale := drawnScale(width, height, dpi)
	gray, err := p.drawGray(doc, i, int(width*scale), int(height*scale))
	if err != nil {
		return nil, 0, err
	}
	return gray, width / float64(max(gray.Bounds().Dx(), 1)), nil
}

func (p *pdfEngine) draw(doc references.FPDF_DOCUMENT, i, width, height int) (image.Image, func(), error) {
	r, err := p.RenderPageInPixels(&requests.RenderPageInPixels{
		Page:  requests.Page{ByIndex: &requests.PageByIndex{Document: doc, Index: i}},
		Width: max(width, 1), Height: max(height, 1), RenderFlags: enums.FPDF_RENDER_FLAG_ANNOT,
	})
	if err != nil {
		return nil, nil, err
	}
	return r.Result.Image, r.Cleanup, nil
}

// showPages draws the thumbnail and, for the reading page, every page that OCR has not drawn.
func (w *Decoder) showPages(p *pdfEngine, doc references.FPDF_DOCUMENT, count int) {
	for i := range count {
		if i == 0 && w.Thumbnail == nil {
			if m, done, err := p.draw(doc, 0, 240, 960); err == nil {
				w.Thumbnail = ThumbnailOf(m)
				done()
			}
		}
		if !w.show {
			return
		}
		if i < len(w.Images) && w.Images[i] != nil || i >= maxShown {
			continue
		}
		if m, done, err := p.draw(doc, i, 1100, 1600); err == nil {
			w.keepImage(i, m)
			done()
		}
	}
}

// maxShown caps the pages of a reading page.
const maxShown = 40

func openRefusal(err error) *refusal.Refusal {
	switch {
	case errors.Is(err, pdfiumerrors.ErrPassword), errors.Is(err, pdfiumerrors.ErrSecurity):
		return refusal.New(refusal.Encrypted, "The file is protected by a password. Send a copy without one.")
	case strings.Contains(err.Error(), "out of memory"):
		return refusal.New(refusal.Memory, "Reading the file takes more memory than one document may use.")
	}
	return refusal.New(refusal.Corrupt, "The file is damaged or is no PDF.")
}

func (p *pdfEngine) metadata(doc references.FPDF_DOCUMENT, data []byte) text.Metadata {
	get := func(tag string) string {
		v, err := p.FPDF_GetMetaText(&requests.FPDF_GetMetaText{Document: doc, Tag: tag})
		if err != nil {
			return ""
		}
		return v.Value
	}
	return text.Metadata{
		Producer: get("Producer"), Creator: get("Creator"), Created: get("CreationDate"), Modified: get("ModDate"),
		Revisions: max(0, bytes.Count(data, []byte("%%EOF"))-1),
	}
}

// readPDFPage reads page i (from 0).
func (w *Decoder) readPDFPage(p *pdfEngine, doc references.FPDF_DOCUMENT, i int) (text.Page, error) {
	ref, err := p.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: doc, Index: i})
	if err != nil {
		return text.Page{Number: i + 1, Layer: text.LayerText}, nil // one broken page does not lose the others
	}
	page := requests.Page{ByReference: &ref.Page}
	var fields []widget
	if f, err := p.frameOf(page); err == nil {
		fields = p.widgets(page, f)
	}
	flat, err := p.FPDFPage_Flatten(&requests.FPDFPage_Flatten{Page: page,
		Usage: requests.FPDFPage_FlattenUsageNormalDisplay})
	// The values of form fields appear after a reload only.
	if err == nil && flat != nil && flat.Result != responses.FPDFPage_FlattenResultNothingToDo {
		if again, err := p.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: doc, Index: i}); err == nil {
			_, _ = p.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: ref.Page})
			ref = again
			page = requests.Page{ByReference: &ref.Page}
		}
	}
	defer func() { _, _ = p.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: ref.Page}) }()
	frame, err := p.frameOf(page)
	if err != nil {
		return text.Page{}, err
	}
	out := text.Page{Number: i + 1, Width: frame.width, Height: frame.height, Rotation: frame.rotation(),
		Layer: text.LayerText}
	chars, err := p.chars(page, frame)
	if err != nil {
		return text.Page{}, err
	}
	out.Tokens = wordsOf(chars, out.Number, text.MethodText)
	w.mixedFonts = append(w.mixedFonts, p.mixedFonts(page, chars, out)...)
	addWidgets(&out, fields)
	return out, nil
}

// frame is the affine map from a page's own coordinates to points from its top left, as displayed: it
// takes care of rotation and of crop boxes that do not begin at zero.
type frame struct {
	width, height          float64
	a, b, c, d, left, down float64
}

// fine is how many steps a point is divided into when the map is measured (PageToDevice gives integers).
const fine = 64

func (p *pdfEngine) frameOf(page requests.Page) (frame, error) {
	width, err := p.FPDF_GetPageWidthF(&requests.FPDF_GetPageWidthF{Page: page})
	if err != nil {
		return frame{}, err
	}
	height, err := p.FPDF_GetPageHeightF(&requests.FPDF_GetPageHeightF{Page: page})
	if err != nil {
		return frame{}, err
	}
	f := frame{width: float64(width.PageWidth), height: float64(height.PageHeight)}
	at := func(x, y float64) (float64, float64, error) {
		r, err := p.FPDF_PageToDevice(&requests.FPDF_PageToDevice{Page: page, SizeX: int(f.width * fine),
			SizeY: int(f.height * fine), PageX: x, PageY: y})
		if err != nil {
			return 0, 0, err
		}
		return float64(r.DeviceX) / fine, float64(r.DeviceY) / fine, nil
	}
	const step = 1000
	x0, y0, err := at(0, 0)
	if err != nil {
		return frame{}, err
	}
	x1, y1, err := at(step, 0)
	if err != nil {
		return frame{}, err
	}
	x2, y2, err := at(0, step)
	if err != nil {
		return frame{}, err
	}
	f.a, f.b, f.c, f.d, f.left, f.down = (x1-x0)/step, (y1-y0)/step, (x2-x0)/step, (y2-y0)/step, x0, y0
	return f, nil
}

// rotation is how far the page is turned for display, in degrees clockwise: where its own x axis points to.
func (f frame) rotation() int {
	switch {
	case math.Abs(f.a) >= math.Abs(f.b) && f.a >= 0:
		return 0
	case math.Abs(f.a) >= math.Abs(f.b):
		return 180
	case f.b > 0:
		return 90
	}
	return 270
}

func (f frame) box(left, top, right, bottom float64) text.Box {
	x0, y0 := f.a*left+f.c*top+f.left, f.b*left+f.d*top+f.down
	x1, y1 := f.a*right+f.c*bottom+f.left, f.b*right+f.d*bottom+f.down
	return text.Box{X0: min(x0, x1), Y0: min(y0, y1), X1: max(x0, x1), Y1: max(y0, y1)}
}

// char is one character with its loose box (the font's ascent and descent, so that a line's characters are
// equally high).
type char struct {
	r rune
	text.Box
	index int // in the text of the page
}

func (p *pdfEngine) chars(page requests.Page, f frame) ([]char, error) {
	text, err := p.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: page})
	if err != nil {
		return nil, nil // a page without text objects
	}
	defer func() { _, _ = p.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: text.TextPage}) }()
	count, err := p.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: text.TextPage})
	if err != nil {
		return nil, nil
	}
	if count.Count > maxPageChars {
		return nil, refusal.New(refusal.TooLarge, "A page holds more than %d characters.", maxPageChars)
	}
	chars := make([]char, 0, count.Count)
	together := p.runes(text.TextPage, count.Count)
	for i := range count.Count {
		r, ok := together[i], true
		if r == 0 {
			r, ok = p.runeAt(text.TextPage, i)
		}
		if !ok {
			continue
		}
		if unicode.IsSpace(r) || r == '\u00a0' {
			chars = append(chars, char{r: ' '})
			continue
		}
		b, err := p.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{TextPage: text.TextPage, Index: i})
		if err != nil {
			continue
		}
		box := f.box(float64(b.Rect.Left), float64(b.Rect.Top), float64(b.Rect.Right), float64(b.Rect.Bottom))
		if box.X1 < 0 || box.Y1 < 0 || box.X0 > f.width || box.Y0 > f.height {
			continue // off the page: nobody sees it
		}
		chars = append(chars, char{r, box, i})
	}
	p.cutTall(text.TextPage, f, chars)
	return ligatures(chars), nil
}

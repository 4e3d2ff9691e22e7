// Package text is what all readers of documents share: tokens, the lines and columns they stand in, and how money,
// dates, names, captions, account numbers and machine-readable zones are printed.
package text

import "slices"

// Token is one word or cell of a document, whatever the format: readers and rules are written once against
// tokens, and every fact keeps its provenance.
type Token struct {
	Page       int     // from 1; a sheet of a workbook is a page
	X0, Y0     float64 // left, top: points from the page's top left (PDF), pixels (images), column and row (cells)
	X1, Y1     float64 // right, bottom
	Text       string
	Confidence float64 // 0 to 1; 1 for text layers and cells
	Method     string  // text, form, ocr, cell, barcode
	Cell       string  // "Sheet1!C14" when Method is cell, else empty
}

// Page is one page, image frame or sheet with its tokens in reading order.
type Page struct {
	Number        int
	Width, Height float64 // as its tokens stand: after Rotation
	Rotation      int     // 0, 90, 180 or 270: degrees clockwise that the stored page was turned to stand upright
	Name          string  // of the sheet, else empty
	Layer         string  // text, scanned, image, native
	Tokens        []Token
	Codes         []Coded // what codes of bars in its picture say
}

// Line is a run of tokens that stand on one baseline, left to right.
type Line struct {
	Page           int
	X0, Y0, X1, Y1 float64
	Tokens         []Token
}

// Decoded is a file as tokens: what every extractor reads. It is also what is kept (compressed), so that
// rules and spreads run again without parsing.
type Decoded struct {
	MimeType  string
	PageCount int
	Layer     string // of the file: text, scanned, image, native
	Pages     []Page
	Metadata  Metadata
}

// Metadata is what a file says of its own making; tamper signals are read from it.
type Metadata struct {
	Producer, Creator string
	Created, Modified string // as in the file
	Revisions         int    // incremental updates of a PDF
	// Changed are amounts that a later revision of a PDF put in the place of others, and MixedFonts amounts whose
	// figures are set in several fonts, each in words for people, at most maxSigns.
	Changed, MixedFonts []string
	// OCRFallback: pictures were read by tesseract alone, since the recognizer is missing or failed.
	OCRFallback bool
	// Unread are the numbers of pages whose pictures could not be read within the memory and time of one file.
	Unread []int
}

// Layers: where the text of a page comes from.
const (
	LayerText    = "text"    // a PDF's text layer
	LayerScanned = "scanned" // OCR of a PDF page
	LayerImage   = "image"   // OCR of an image
	LayerNative  = "native"  // cells and paragraphs of office formats and text files
)

func MeanConfidence(tokens []Token) float64 {
	if len(tokens) == 0 {
		return 0
	}
	sum := 0.0
	for _, t := range tokens {
		sum += t.Confidence
	}
	return sum / float64(len(tokens))
}

// Surely is the OCR confidence from which a figure is a fact of its own; below it the account must foot.
const Surely = 0.6

func SurelyRead(tokens []Token) bool {
	return !slices.ContainsFunc(tokens, func(t Token) bool { return t.Confidence < Surely })
}

// SurelyPrinted is the OCR confidence from which a figure of a statement is a fact although the sum it stands in
// does not come out.
const SurelyPrinted = 0.9

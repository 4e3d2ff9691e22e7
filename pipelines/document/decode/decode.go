// Package decode turns the bytes of one uploaded file into tokens: PDF, images by OCR, office formats, CSV and mail.
package decode

import (
	"sync"
	"time"

	"github.com/dossierhq/dossier/pipelines/document/decode/bankfile"
	"github.com/dossierhq/dossier/pipelines/document/decode/office"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Media types that are read.
const (
	MIMEPDF  = "application/pdf"
	MIMECSV  = "text/csv"
	mimeText = "text/plain"
	MIMEMail = "message/rfc822"
	mimeAVIF = "image/avif"
)

// Options are what a Decoder needs to know of its surroundings.
type Options struct {
	CacheDir  string // holds the compiled PDF engine between processes
	Tesseract string // path of tesseract; empty: scans and images are refused with ocr_unavailable
	OCR       Recognizer
	Limits    Limits
	Show      bool   // keep an image of each page
	OCRStarts func() // is told when OCR starts, which takes longer than text
}

// Decoder turns one file into tokens.
type Decoder struct {
	Images    [][]byte // PNG or JPEG of each page, when they are to be shown
	Thumbnail []byte

	tesseract  string
	recognizer *recognizer
	fallback   bool // a page was read by tesseract alone
	limits     Limits
	show       bool
	ocrStarts  func()
	ocrSince   time.Time                           // when the first page was given to OCR
	clock      func(since time.Time) time.Duration // time.Since
	spent      func() time.Duration                // processorTime
	cacheDir   string
	openPDF    func() (*pdfEngine, error)
	pages      int      // of the PDF at hand
	mixedFonts []string // signs of tampering, as the pages are read
}

// NewDecoder starts nothing.
func NewDecoder(o Options) *Decoder {
	w := &Decoder{
		clock:      time.Since,
		recognizer: &recognizer{Recognizer: o.OCR, cpuSeconds: o.Limits.CPUSeconds},
		tesseract:  o.Tesseract, limits: o.Limits, show: o.Show, ocrStarts: o.OCRStarts, cacheDir: o.CacheDir,
		openPDF: sync.OnceValues(func() (*pdfEngine, error) { return openPDFium(o.CacheDir) }),
	}
	w.spent = w.processorTime
	return w
}

// OpenPDF opens the PDF engine ahead of the file that may need it.
func (w *Decoder) OpenPDF() error {
	_, err := w.openPDF()
	return err
}

// Close ends the recognizer, if one was started. It is waited for: what it took of the processor and of memory then
// counts as this process' own, wherever that is measured.
func (w *Decoder) Close() { w.recognizer.close() }

// Warm compiles the engines of PDF and of photographs into their cache.
func Warm(cacheDir string) error {
	p, err := openPDFium(cacheDir)
	if err != nil {
		return err
	}
	p.close()
	return warmPhotographs(cacheDir)
}

// EngineFault is a fault of the PDF engine, not of the file.
type EngineFault struct{ error }

func (f *EngineFault) Unwrap() error { return f.error }

// Decode turns bytes into tokens. Its errors are refusals, or a decoder's complaint (which means corrupt).
func (w *Decoder) Decode(data []byte) (text.Decoded, error) {
	if len(data) == 0 {
		return text.Decoded{}, refusal.New(refusal.Corrupt, "The file is empty.")
	}
	mime := Sniff(data)
	var d text.Decoded
	var err error
	switch mime {
	case MIMEPDF:
		d, err = w.decodePDF(data)
	case MIMECSV:
		d, err = office.CSV(data)
	case office.MIMEXLSX:
		d, err = office.XLSX(data)
	case office.MIMEDOCX:
		d, err = office.DOCX(data)
	case office.MIMEXLS:
		d, err = office.XLS(data)
	case office.MIMEDOC:
		d, err = office.DOC(data)
	case office.MIMERTF:
		d, err = office.RTF(data)
	case office.MIMEODS:
		d, err = office.ODS(data)
	case office.MIMEODT:
		d, err = office.ODT(data)
	case mimeText:
		d, err = office.TXT(data)
	case MIMEMail:
		d, err = w.decodeMail(data)
	case bankfile.MIMEOFX, bankfile.MIMEQIF, bankfile.MIMEMT940, bankfile.MIMECAMT, bankfile.MIMEBAI2:
		d, err = bankfile.Decode(data, mime)
	case "image/png", "image/jpeg", "image/gif", "image/tiff", "image/webp", "image/bmp",
		"image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence", mimeAVIF:
		d, err = w.decodeImage(data, mime)
	default:
		return d, refusal.New(refusal.UnsupportedType,
			"Files of this type (%s) are not read. Send a PDF, an image, a workbook, a text document, a CSV or a "+
				"bank's export.", mime)
	}
	d.MimeType = mime
	return d, err
}

// Limits bound one reading. The zero value of a field is its default.
type Limits struct {
	MaxBytes   int64         // of the file: 100 MiB
	TextTime   time.Duration // without OCR: 60 s
	OCRTime    time.Duration // with OCR: 180 s of the processor; the clock gives it half as much again
	TextPages  int           // 300
	OCRPages   int           // 30
	Megapixels int           // an image: 40
	DataMiB    int           // writable memory of the process: 512
	CPUSeconds int           // of the process: 60
}

func (l Limits) OrDefaults() Limits {
	setDefault(&l.MaxBytes, 100<<20)
	setDefault(&l.TextTime, 60*time.Second)
	setDefault(&l.OCRTime, 180*time.Second)
	setDefault(&l.TextPages, 300)
	setDefault(&l.OCRPages, 30)
	setDefault(&l.Megapixels, 40)
	setDefault(&l.DataMiB, 512)
	setDefault(&l.CPUSeconds, 60)
	return l
}

// OCRClock is the time by the clock for a file with OCR: a busy machine gives a reading its share of the processor
// only.
func (l Limits) OCRClock() time.Duration { return l.OCRTime * 3 / 2 }

func setDefault[T int | int64 | time.Duration](v *T, def T) {
	if *v <= 0 {
		*v = def
	}
}

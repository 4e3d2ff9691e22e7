// Package decode turns the bytes of one uploaded file into tokens: PDF, images by OCR, office formats, CSV and mail.
package decode

import (
	"bytes"
	"strings"
	"sync"
	"time"

	"github.com/gabriel-vasile/mimetype"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Media types that are read.
const (
	MIMEPDF  = "application/pdf"
	mimeXLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	mimeDOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
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
		return text.Decoded{}, Refuse(RefusedCorrupt, "The file is empty.")
	}
	mime := Sniff(data)
	var d text.Decoded
	var err error
	switch mime {
	case MIMEPDF:
		d, err = w.decodePDF(data)
	case MIMECSV:
		d, err = CSV(data)
	case mimeXLSX:
		d, err = decodeXLSX(data)
	case mimeDOCX:
		d, err = decodeDOCX(data)
	case mimeXLS:
		d, err = decodeXLS(data)
	case mimeDOC:
		d, err = decodeDOC(data)
	case mimeRTF:
		d, err = decodeRTF(data)
	case mimeODS:
		d, err = decodeODS(data)
	case mimeODT:
		d, err = decodeODT(data)
	case mimeText:
		d, err = TXT(data)
	case MIMEMail:
		d, err = w.decodeMail(data)
	case mimeOFX, mimeQIF, mimeMT940, mimeCAMT, mimeBAI2:
		d, err = decodeBankFile(data, mime)
	case "image/png", "image/jpeg", "image/gif", "image/tiff", "image/webp", "image/bmp",
		"image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence", mimeAVIF:
		d, err = w.decodeImage(data, mime)
	default:
		return d, Refuse(RefusedUnsupported,
			"Files of this type (%s) are not read. Send a PDF, an image, a workbook, a text document, a CSV or a "+
				"bank's export.", mime)
	}
	d.MimeType = mime
	return d, err
}

// Sniff names the media type of data by its content; a file's name and declared type are labels only.
func Sniff(data []byte) string {
	head := data[:min(len(data), 3072)]
	if i := bytes.Index(data[:min(len(data), 1024)], []byte("%PDF-")); i >= 0 {
		return MIMEPDF // readers accept junk before the header
	}
	if bytes.HasPrefix(data, oleMagic) {
		return sniffOLE(data)
	}
	mime, _, _ := strings.Cut(mimetype.Detect(head).String(), ";")
	if strings.HasPrefix(mime, "text/") || mime == "application/json" || mime == "application/xml" ||
		mime == "application/octet-stream" && looksUTF16(head) {
		return sniffText(data, mime)
	}
	return mime
}

func looksUTF16(head []byte) bool {
	return bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff})
}

package document

import (
	"bytes"
	"strings"

	"github.com/gabriel-vasile/mimetype"
)

// Layers: where the text of a page comes from.
const (
	LayerText    = "text"    // a PDF's text layer
	LayerScanned = "scanned" // OCR of a PDF page
	LayerImage   = "image"   // OCR of an image
	LayerNative  = "native"  // cells and paragraphs of office formats and text files
)

// Media types that are read.
const (
	mimePDF  = "application/pdf"
	mimeXLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	mimeDOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	mimeCSV  = "text/csv"
	mimeText = "text/plain"
	mimeMail = "message/rfc822"
)

// decode turns bytes into tokens. Its errors are refusals, or a decoder's complaint (which means corrupt).
func (w *workshop) decode(data []byte) (Decoded, error) {
	if len(data) == 0 {
		return Decoded{}, refuse(RefusedCorrupt, "The file is empty.")
	}
	mime := Sniff(data)
	var d Decoded
	var err error
	switch mime {
	case mimePDF:
		d, err = w.decodePDF(data)
	case mimeCSV:
		d, err = decodeCSV(data)
	case mimeXLSX:
		d, err = decodeXLSX(data)
	case mimeDOCX:
		d, err = decodeDOCX(data)
	case mimeText:
		d, err = decodeTXT(data)
	case mimeMail:
		d, err = w.decodeMail(data)
	case "image/png", "image/jpeg", "image/gif", "image/tiff", "image/webp", "image/bmp":
		d, err = w.decodeImage(data, mime)
	case "image/heic", "image/heif", "image/heic-sequence", "image/heif-sequence", "image/avif":
		return d, refuse(RefusedUnsupported, "HEIC photographs are not read. Send a JPEG or a PDF (on an iPhone: Settings, Camera, Formats, Most Compatible).")
	default:
		return d, refuse(RefusedUnsupported, "Files of this type (%s) are not read. Send a PDF, an image, an XLSX, a DOCX or a CSV.", mime)
	}
	d.MimeType = mime
	return d, err
}

// Sniff names the media type of data by its content; a file's name and declared type are labels only.
func Sniff(data []byte) string {
	head := data[:min(len(data), 3072)]
	if i := bytes.Index(data[:min(len(data), 1024)], []byte("%PDF-")); i >= 0 {
		return mimePDF // readers accept junk before the header
	}
	mime, _, _ := strings.Cut(mimetype.Detect(head).String(), ";")
	if strings.HasPrefix(mime, "text/") || mime == "application/json" || mime == "application/octet-stream" && looksUTF16(head) {
		return sniffText(data, mime)
	}
	return mime
}

func looksUTF16(head []byte) bool {
	return bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff})
}

package decode

import (
	"bytes"
	"encoding/binary"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
	"strings"
	"syscall"
	"time"

	_ "golang.org/x/image/bmp"
	"golang.org/x/image/tiff"
	_ "golang.org/x/image/webp"

	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// decodeImage reads a photograph or scan: one page a frame.
func (w *Decoder) decodeImage(data []byte, mime string) (text.Decoded, error) {
	if !w.ocr().isAvailable() {
		return text.Decoded{}, errNoOCR()
	}
	w.recognizer.prepare()
	d := text.Decoded{Layer: text.LayerImage}
	frames := [][]byte{data}
	if mime == "image/tiff" {
		frames = tiffFrames(data)
	}
	if limit := w.limits.OCRPages; len(frames) > limit {
		return d, refusal.New(refusal.TooManyPages,
			"The file has %d pages; at most %d scanned pages are read.", len(frames), limit)
	}
	var short error
	for i, frame := range frames {
		page, err := w.frameOf(frame, mime)
		if err != nil {
			return d, err
		}
		b := page.pixels.Bounds()
		page.number, page.sparse = i+1, float64(b.Dx()) > 1.2*float64(b.Dy()) // a card
		tokens, read, err := w.readPicture(page)
		if len(frames) > 1 && ranOutOfResources(err) {
			short, d.Metadata.Unread = err, append(d.Metadata.Unread, i+1)
		} else if err != nil {
			return d, err
		}
		b = read.pixels.Bounds()
		d.Pages = append(d.Pages, text.Page{Number: i + 1, Width: float64(b.Dx()) * read.unit,
			Height:   float64(b.Dy()) * read.unit,
			Rotation: read.turned, Layer: text.LayerImage, Tokens: tokens, Codes: codesOf(page, read)})
		w.keepImage(i, read.pixels)
	}
	if short != nil && len(d.Metadata.Unread) == len(frames) {
		return d, short // no page is left
	}
	d.PageCount = len(d.Pages)
	d.Metadata.OCRFallback = w.fallback
	return d, nil
}

// frameOf decodes one frame, upright. Its size is checked before its pixels are unpacked.
func (w *Decoder) frameOf(data []byte, mime string) (ocrPage, error) {
	if strings.HasPrefix(mime, "image/hei") || mime == mimeAVIF {
		decoded, err := w.unpackPhotograph(data, mime)
		if err != nil {
			return ocrPage{}, err
		}
		gray, unit := toGray(decoded)
		return ocrPage{pixels: gray, unit: unit}, nil
	}
	size, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return ocrPage{}, refusal.New(refusal.Corrupt, "The image is damaged and cannot be read.")
	}
	if limit := w.limits.Megapixels; int64(size.Width)*int64(size.Height) > int64(limit)*1_000_000 {
		return ocrPage{}, refusal.New(refusal.TooLarge, "The image has more than %d megapixels.", limit)
	}
	decoded, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return ocrPage{}, refusal.New(refusal.Corrupt, "The image is damaged and cannot be read.")
	}
	gray, unit := toGray(decoded)
	page := ocrPage{pixels: gray, unit: unit}
	if mime == "image/jpeg" {
		page = oriented(page, orientationOf(data))
	}
	return page, nil
}

// maxFrames caps the walk through a TIFF's directories, which may loop.
const maxFrames = 1000

// tiffFrames gives each page of a TIFF as a TIFF whose first directory is that page's.
func tiffFrames(data []byte) [][]byte {
	if len(data) < 8 {
		return [][]byte{data}
	}
	var order binary.ByteOrder = binary.BigEndian
	if data[0] == 'I' {
		order = binary.LittleEndian
	}
	var frames [][]byte
	seen := map[uint32]bool{}
	for at := order.Uint32(data[4:]); at != 0 && !seen[at] && len(frames) < maxFrames; {
		seen[at] = true
		if int64(at)+2 > int64(len(data)) {
			break
		}
		next := int64(at) + 2 + 12*int64(order.Uint16(data[at:]))
		if next+4 > int64(len(data)) {
			break
		}
		frame := bytes.Clone(data)
		order.PutUint32(frame[4:], at)
		if _, err := tiff.DecodeConfig(bytes.NewReader(frame)); err == nil {
			frames = append(frames, frame)
		}
		at = order.Uint32(data[next:])
		if len(frames)*len(data) > 200<<20 {
			break // copies of a large file: the pages so far are read
		}
	}
	if len(frames) == 0 {
		return [][]byte{data}
	}
	return frames
}

func (w *Decoder) ocr() *ocrEngine {
	return &ocrEngine{program: w.tesseract, recognizer: w.recognizer, starts: w.startOCR,
		fallback: func() { w.fallback = w.recognizer.Program != "" || w.recognizer.Missing }}
}

// startOCR notes when OCR began, and tells who must know.
func (w *Decoder) startOCR() {
	if w.ocrSince.IsZero() {
		w.ocrSince = time.Now()
	}
	w.ocrStarts()
}

// ocrShare is the share of the time for OCR after which no further page is begun: what was read is worth more than a
// file that is refused when its time is over.
const ocrShare = 0.7

// readPicture reads a page by OCR. A page for which too little time is left is not read, and the file says so. The
// time is the processor's, so that a busy machine reads the same pages as an idle one; the clock comes in only where
// the file would be lost.
func (w *Decoder) readPicture(page ocrPage) ([]text.Token, ocrPage, error) {
	over := func(spent, limit time.Duration) bool { return spent > time.Duration(ocrShare*float64(limit)) }
	if !w.ocrSince.IsZero() && (over(w.spent(), w.limits.OCRTime) || over(w.clock(w.ocrSince), w.limits.OCRClock())) {
		return nil, page, refusal.New(refusal.Timeout, "Reading the file took too long.")
	}
	return w.ocr().read(page)
}

// processorTime is what this process, the programs that it has run and the recognizer at work used of the processor.
func (w *Decoder) processorTime() time.Duration {
	used := time.Duration(w.recognizer.spent() * float64(time.Second))
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if err := syscall.Getrusage(who, &u); err == nil {
			used += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return used
}

// keepImage keeps the thumbnail of the first page and, for the reading page, every page's image.
func (w *Decoder) keepImage(i int, m image.Image) {
	if i == 0 && w.Thumbnail == nil {
		w.Thumbnail = ThumbnailOf(m)
	}
	if !w.show {
		return
	}
	for len(w.Images) <= i {
		w.Images = append(w.Images, nil)
	}
	w.Images[i] = encodePNG(m)
}

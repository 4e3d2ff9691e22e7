package decode

import (
	"bytes"
	"image"
	"testing"
)

// Hostile bytes reach these readers inside the parser's sandbox; whatever they hold ends in tokens or an error.

func FuzzDecodeMail(f *testing.F) {
	f.Add([]byte("From: a@example.com\r\nContent-Type: text/plain\r\n\r\nhello\r\n"))
	f.Add([]byte("Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/csv\r\nContent-Transfer-Encoding: base64\r\n\r\nYSxiCjEsMgo=\r\n--x--\r\n"))
	f.Fuzz(func(_ *testing.T, data []byte) {
		if mime := Sniff(data); mime == MIMEPDF {
			return // its reader is tested by the hostile files
		}
		w := NewDecoder(Options{Limits: Limits{}.OrDefaults(), OCRStarts: func() {}})
		if bytes.Contains(data, []byte("%PDF-")) || bytes.Contains(data, []byte("JVBERi")) {
			return
		}
		_, _ = w.decodeMail(data)
	})
}

func FuzzSniff(f *testing.F) {
	f.Add([]byte("Dear Sir,\n\thello\fpage two"))
	f.Add([]byte("\xff\xfeA\x00"))
	f.Fuzz(func(_ *testing.T, data []byte) { Sniff(data) })
}

func FuzzParseTSV(f *testing.F) {
	f.Add("level\tpage\n5\t1\t1\t1\t1\t1\t36\t40\t120\t22\t96.1\tBeginning\n5\t1\t1\t1\t1\t2\t160\t40\t80\t22\t91\t1,234.56\n")
	f.Add("5\t1\t1\t1\t1\t1\t36\t40\t120\t22\t-1\tP<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<\n")
	f.Fuzz(func(_ *testing.T, tsv string) {
		if len(tsv) > 5000 {
			return
		}
		p := ocrPage{pixels: image.NewGray(image.Rect(0, 0, 10, 10)), unit: 1, number: 1}
		tokens := addMissing(parseTSV(tsv, p), parseTSV(tsv, p))
		replaceLines(tokens, zoneLines(tokens), 1)
	})
}

func FuzzInk(f *testing.F) {
	f.Add([]byte{0, 0, 0, 255, 255, 0, 0, 0, 255}, uint8(3))
	f.Fuzz(func(_ *testing.T, pixels []byte, width uint8) {
		w := max(int(width), 1)
		h := len(pixels) / w
		if h == 0 || h > 200 {
			return
		}
		g := &image.Gray{Pix: pixels[:w*h], Stride: w, Rect: image.Rect(0, 0, w, h)}
		plain, ink := withoutRules(deskew(g))
		cleaned(plain)
		ink.bandSplit()
	})
}

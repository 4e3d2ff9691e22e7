package documenttest

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/phpdave11/gofpdf"
	"golang.org/x/image/tiff"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Page lays lines of text out as an OCR-free page; "|" parts cells.
func Page(lines ...string) text.Page {
	p := text.Page{Number: 1, Width: 600, Height: 400, Layer: text.LayerText}
	for i, line := range lines {
		y := 20 + float64(i)*14
		for j, cell := range strings.Split(line, "|") {
			x := 20 + float64(j)*150
			for word := range strings.FieldsSeq(cell) {
				w := float64(len(word)) * 6
				p.Tokens = append(p.Tokens,
					text.Token{Page: 1, X0: x, X1: x + w, Y0: y, Y1: y + 10, Text: word, Confidence: 1,
						Method: text.MethodText})
				x += w + 3
			}
		}
	}
	return p
}

// Line is a line of words, a space apart.
func Line(words string) text.Line {
	l := text.Line{Page: 1, Y1: 10}
	x := 0.0
	for w := range strings.FieldsSeq(words) {
		width := 6 * float64(len([]rune(w)))
		l.Tokens = append(l.Tokens, text.Token{Page: 1, X0: x, X1: x + width, Y1: 10, Text: w, Confidence: 1, Method: text.MethodText})
		x += width + 4
	}
	l.X1 = x
	return l
}

func Shown(s *string) string {
	if s == nil {
		return "nil"
	}
	return *s
}

func OrEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// TextPDF is a PDF with one page a text, each text set in lines from the top.
func TextPDF(t *testing.T, pages ...string) []byte {
	t.Helper()
	pdf := gofpdf.New("P", "pt", "Letter", "")
	pdf.SetFont("Helvetica", "", 10)
	for _, page := range pages {
		pdf.AddPage()
		for i, line := range strings.Split(page, "\n") {
			for j, cell := range strings.Split(line, "|") {
				pdf.Text(40+float64(j)*130, 60+float64(i)*14, cell)
			}
		}
	}
	var b bytes.Buffer
	if err := pdf.Output(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// RawPDF is a PDF of objects numbered from 1; the first is its catalog.
func RawPDF(objects ...string) []byte {
	var b bytes.Buffer
	var offsets []int
	b.WriteString("%PDF-1.4\n")
	for i, o := range objects {
		offsets = append(offsets, b.Len())
		fmt.Fprintf(&b, "%d 0 obj%s endobj\n", i+1, o)
	}
	start := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, start)
	return b.Bytes()
}

func Zipped(t *testing.T, files map[string]string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, body := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(body)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// WhitePage is a page of pixels with ink where draw puts it.
func WhitePage(w, h int, draw func(ink func(x, y int))) *image.Gray {
	g := image.NewGray(image.Rect(0, 0, w, h))
	for i := range g.Pix {
		g.Pix[i] = 255
	}
	draw(func(x, y int) { g.SetGray(x, y, color.Gray{}) })
	return g
}

const PlainStatement = `Example Valley Bank
Statement period|March 1, 2024 through March 31, 2024
Account number:|0012345678

ROSA QUILL
12 ORCHARD LANE
SPRINGFIELD, IL 62701

Account summary
Beginning balance on March 1||$1,000.00
Deposits and additions||250.50
Withdrawals and subtractions||-100.25
Service fees||5.00
Ending balance on March 31||$1,145.25

Date|Description|Amount|Balance
03/04|PAYROLL|250.50|1,250.50
03/20|GROCER|-100.25|1,150.25
03/29|MONTHLY FEE|-5.00|1,145.25`

func JSONMap(v any) map[string]any {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var m map[string]any
	if err := json.Unmarshal(raw, &m); err != nil {
		panic(err)
	}
	return m
}

// TwoFrames is a TIFF of two pictures: the second file behind the first, and the first's directory naming the second's.
func TwoFrames(t *testing.T, first, second image.Image) []byte {
	t.Helper()
	var one, two bytes.Buffer
	for b, picture := range map[*bytes.Buffer]image.Image{&one: first, &two: second} {
		if err := tiff.Encode(b, picture, nil); err != nil {
			t.Fatal(err)
		}
	}
	data, more := one.Bytes(), two.Bytes()
	shift := uint32(len(data))
	directory := binary.LittleEndian.Uint32(more[4:])
	shiftOffsets(more, directory, shift)
	at := binary.LittleEndian.Uint32(data[4:])
	end := at + 2 + 12*uint32(binary.LittleEndian.Uint16(data[at:]))
	binary.LittleEndian.PutUint32(data[end:], directory+shift)
	return append(data, more...)
}

// shiftOffsets moves what a directory points to: values that do not fit into its entries, and its strips.
func shiftOffsets(file []byte, directory, by uint32) {
	sizes := map[uint16]uint32{1: 1, 2: 1, 3: 2, 4: 4, 5: 8}
	n := int(binary.LittleEndian.Uint16(file[directory:]))
	for i := range n {
		entry := file[int(directory)+2+12*i:]
		tag, kind, count := binary.LittleEndian.Uint16(entry), binary.LittleEndian.Uint16(entry[2:]),
			binary.LittleEndian.Uint32(entry[4:])
		if sizes[kind]*count > 4 || tag == 273 {
			binary.LittleEndian.PutUint32(entry[8:], binary.LittleEndian.Uint32(entry[8:])+by)
		}
	}
}

// Cache is a directory in which test runs share the compiled PDF engine.
func Cache() string { return filepath.Join(os.TempDir(), "dossier-document-test") }

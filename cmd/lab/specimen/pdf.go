package specimen

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"

	"golang.org/x/text/encoding/charmap"
)

// pdfFile assembles the objects of a PDF. It exists because forms with fields, text stated glyph by glyph,
// page pictures, encryption and damaged files must come out the same to the byte.
type pdfFile struct {
	objects []string // body of object i+1
	cipher  *cipher  // nil: not encrypted
}

// add stores an object and returns its number.
func (f *pdfFile) add(body string) int {
	f.objects = append(f.objects, body)
	return len(f.objects)
}

// reserve takes a number for an object that is set later.
func (f *pdfFile) reserve() int { return f.add("null") }

func (f *pdfFile) set(n int, body string) { f.objects[n-1] = body }

// stream stores data deflated, with extra dictionary entries.
func (f *pdfFile) stream(dict string, data []byte) int {
	n := f.reserve()
	f.set(n, f.streamBody(n, dict+" /Filter /FlateDecode", deflate(data)))
	return n
}

// streamBody is the text of a stream object of already filtered data; n is its number, which its key depends on.
func (f *pdfFile) streamBody(n int, dict string, data []byte) string {
	if f.cipher != nil {
		data = f.cipher.seal(n, data)
	}
	return fmt.Sprintf("<<%s /Length %d>>\nstream\n%s\nendstream", dict, len(data), data)
}

// str is a string of object n as it stands in the file.
func (f *pdfFile) str(n int, text string) string {
	if f.cipher != nil {
		return fmt.Sprintf("<%X>", f.cipher.seal(n, []byte(winAnsi(text))))
	}
	return "(" + escapePDF(winAnsi(text)) + ")"
}

// bytes writes the file: header, objects, cross-reference table, trailer.
func (f *pdfFile) bytes(trailer string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, len(f.objects))
	for i, body := range f.objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, body)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(f.objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<</Size %d %s>>\nstartxref\n%d\n%%%%EOF\n", len(f.objects)+1, trailer, xref)
	return b.Bytes()
}

// pdf writes the sheet as a text PDF.
func (s *sheet) pdf() []byte { return s.writePDF(nil) }

func (s *sheet) writePDF(c *cipher) []byte {
	f := &pdfFile{cipher: c}
	catalog, tree, info := f.reserve(), f.reserve(), f.reserve()
	fonts := make([]string, faces)
	for i := range fonts {
		says := ""
		if first, lies := s.maps[face(i)]; lies {
			says = f.toUnicode(first)
		}
		n := f.add(fmt.Sprintf("<</Type /Font /Subtype /Type1 /BaseFont /%s /Encoding /WinAnsiEncoding%s>>",
			face(i).pdfName(), says))
		fonts[i] = fmt.Sprintf("/F%d %d 0 R", i, n)
	}
	resources := f.add("<</Font <<" + strings.Join(fonts, " ") + ">>>>")
	var kids, fields []string
	for _, p := range s.pages {
		n, widgets := f.page(p, tree, resources, s.emission)
		kids = append(kids, fmt.Sprintf("%d 0 R", n))
		fields = append(fields, widgets...)
	}
	f.set(tree, fmt.Sprintf("<</Type /Pages /Kids [%s] /Count %d>>", strings.Join(kids, " "), len(kids)))
	form := ""
	if len(fields) > 0 {
		form = fmt.Sprintf(" /AcroForm <</Fields [%s] /DR %d 0 R>>", strings.Join(fields, " "), resources)
	}
	f.set(catalog, fmt.Sprintf("<</Type /Catalog /Pages %d 0 R%s>>", tree, form))
	f.set(info, fmt.Sprintf("<</Title %s /Producer %s /CreationDate %s>>", f.str(info, s.title), f.str(info,
		s.producer),
		f.str(info, s.made.Format("D:20060102150405Z"))))
	return f.bytes(fmt.Sprintf("/Root %d 0 R /Info %d 0 R%s", catalog, info, c.trailer(f)))
}

// page adds one page and its form fields and returns their numbers.
func (f *pdfFile) page(p *page, tree, resources int, how emission) (int, []string) {
	n := f.reserve()
	var content bytes.Buffer
	var widgets []string
	for _, m := range p.marks {
		if m.field != "" {
			widgets = append(widgets, fmt.Sprintf("%d 0 R", f.widget(m, p, n, resources)))
			continue
		}
		writeMark(&content, m, p.h, how)
	}
	body := f.stream("", content.Bytes())
	annots := ""
	if len(widgets) > 0 {
		annots = " /Annots [" + strings.Join(widgets, " ") + "]"
	}
	f.set(n, fmt.Sprintf("<</Type /Page /Parent %d 0 R /MediaBox [0 0 %g %g] /Resources %d 0 R /Contents %d 0 R%s>>",
		tree, p.w, p.h, resources, body, annots))
	return n, widgets
}

// widget adds a filled text field. Its text is in the field's appearance, not in the page, as in the forms that
// people fill in on screen.
func (f *pdfFile) widget(m mark, p *page, pageNo, resources int) int {
	n := f.reserve()
	w, h := m.style.w(m.text)+4, m.style.size+3
	var content bytes.Buffer
	content.WriteString("/Tx BMC q\n")
	inner := m
	inner.x, inner.y = 2, h-3
	writeMark(&content, inner, h, byRun)
	content.WriteString("Q EMC\n")
	look := f.stream(fmt.Sprintf("/Type /XObject /Subtype /Form /BBox [0 0 %.2f %.2f] /Resources %d 0 R", w, h,
		resources), content.Bytes())
	x, y := m.x-2, p.h-m.y-3
	f.set(n, fmt.Sprintf("<</Type /Annot /Subtype /Widget /FT /Tx /F 4 /T %s /V %s /DA %s /Rect [%.2f %.2f %.2f %.2f] /P %d 0 R /AP <</N %d 0 R>>>>",
		f.str(n, m.field), f.str(n, m.text), f.str(n, fmt.Sprintf("/F%d %g Tf 0 g", m.style.face, m.style.size)),
		x, y, x+w, y+h, pageNo, look))
	return n
}

// writeMark writes the operators of one mark on a page of height h.
func writeMark(b *bytes.Buffer, m mark, h float64, how emission) {
	c := m.style.ink
	fmt.Fprintf(b, "%.3f %.3f %.3f rg\n", float64(c.r)/255, float64(c.g)/255, float64(c.b)/255)
	if m.text == "" {
		fmt.Fprintf(b, "%.2f %.2f %.2f %.2f re f\n", m.x, h-m.y-m.h, m.w, m.h)
		return
	}
	x := m.x
	for _, part := range split(m.text, how) {
		if strings.TrimSpace(part) != "" {
			fmt.Fprintf(b, "BT /F%d %g Tf %.2f %.2f Td (%s) Tj ET\n", m.style.face, m.style.size, x, h-m.y,
				escapePDF(winAnsi(part)))
		}
		x += m.style.w(strings.ReplaceAll(part, wordEnd, ""))
	}
}

// wordEnd marks where a text is cut; it is never printed.
const wordEnd = "\x00"

// split cuts text into the pieces that get an operator of their own; the pieces concatenate to the text.
func split(text string, how emission) []string {
	switch how {
	case byWord:
		return strings.SplitAfter(strings.ReplaceAll(text, " ", " "+wordEnd), wordEnd)
	case byGlyph:
		return strings.Split(text, "")
	}
	return []string{text}
}

// winAnsi encodes text for the standard fonts; what they lack becomes a question mark.
func winAnsi(text string) string {
	text = strings.ReplaceAll(text, wordEnd, "")
	var b strings.Builder
	for _, r := range text {
		c, ok := charmap.Windows1252.EncodeRune(r)
		if !ok {
			c = '?'
		}
		b.WriteByte(c)
	}
	return b.String()
}

func escapePDF(s string) string {
	return strings.NewReplacer(`\`, `\\`, "(", `\(`, ")", `\)`, "\r", `\r`, "\n", `\n`).Replace(s)
}

func deflate(data []byte) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, _ = w.Write(data) // a bytes.Buffer takes everything
	_ = w.Close()
	return b.Bytes()
}

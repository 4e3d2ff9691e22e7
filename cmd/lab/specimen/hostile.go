package specimen

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"strings"
)

// Completed is the outcome of a file that is read in spite of its oddity; other outcomes are codes of
// extractionError (decisions.md section 3).
const Completed = "completed"

// HostileFile is a file made to hurt whoever reads it.
type HostileFile struct {
	Name  string // as the sender calls it, which may lie
	Data  []byte
	Wants []string // acceptable outcomes: Completed or codes of extractionError
	Note  string
}

// Hostile makes the hostile files, the same for a seed. None is large itself.
func Hostile(seed uint64) []HostileFile {
	victim := BankStatement(BankOptions{Seed: seed, Layout: "meridian"})
	all := append(HostilePDFs(seed), archives()...)
	all = append(all, offices()...)
	return append(all, liars(seed, victim)...)
}

// HostilePDFs makes those of the hostile files that are PDFs.
func HostilePDFs(seed uint64) []HostileFile {
	d := roll(seed, "hostile")
	all := brokenPDFs(d, BankStatement(BankOptions{Seed: seed, Layout: "meridian"}))
	all = append(all, greedyPDFs()...)
	return append(all, loopingPDFs()...)
}

// brokenPDFs are encrypted and damaged files.
func brokenPDFs(d dice, victim Specimen) []HostileFile {
	pdf := victim.Data
	headless := append([]byte("\x00\x01\x02broken\n"), pdf[9:]...)
	table := bytes.LastIndex(pdf, []byte("\nxref\n"))
	wrong := append([]byte{}, pdf...)
	for i := table + 6; i < len(wrong) && !bytes.HasPrefix(wrong[i:], []byte("trailer")); i++ {
		if wrong[i] >= '0' && wrong[i] <= '9' {
			wrong[i] = '9' // every offset points behind the end
		}
	}
	return []HostileFile{
		{"encrypted_rc4.pdf", victim.sheet.writePDF(newRC4(d, "open sesame", "owner")), []string{"encrypted"},
			"user password, RC4 of 128 bits"},
		{"encrypted_aes256.pdf", victim.sheet.writePDF(newAES256(d, "open sesame", "owner")), []string{"encrypted"},
			"user password, AES of 256 bits"},
		{"owner_password_only.pdf", victim.sheet.writePDF(newAES256(d, "", "owner")), []string{Completed},
			"opens without a password"},
		{"broken_xref.pdf", wrong, []string{Completed, "corrupt"}, "cross references point behind the end"},
		{"destroyed_header.pdf", headless, []string{"corrupt", "unsupported_type", Completed}, "no %PDF"},
		{"junk_before_header.pdf", append([]byte("HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\n\r\n"), pdf...),
			[]string{Completed, "corrupt"}, "a header of a proxy before the file"},
		{"truncated.pdf", pdf[:len(pdf)/2], []string{"corrupt", Completed}, "the upload broke off"},
		{"no_pages.pdf", simplePDF("", "", 0), []string{"corrupt", Completed}, "a page tree without pages"},
	}
}

// simplePDF is a PDF of count references to one page with the content stream given as object body.
func simplePDF(content, box string, count int) []byte {
	if box == "" {
		box = "[0 0 612 792]"
	}
	f := &pdfFile{}
	f.add("<</Type /Catalog /Pages 2 0 R>>")
	tree := f.reserve()
	font := f.add("<</Type /Font /Subtype /Type1 /BaseFont /Helvetica>>")
	stream := 0
	if content != "" {
		stream = f.add(content)
	}
	var kids []string
	for range count {
		kids = append(kids, fmt.Sprintf("%d 0 R",
			f.add(fmt.Sprintf("<</Type /Page /Parent 2 0 R /MediaBox %s /Resources <</Font <</F0 %d 0 R>>>> /Contents %d 0 R>>", box, font, stream))))
	}
	f.set(tree, fmt.Sprintf("<</Type /Pages /Kids [%s] /Count %d>>", strings.Join(kids, " "), count))
	return f.bytes("/Root 1 0 R")
}

func textStream(text string) string {
	body := "BT /F0 12 Tf 72 700 Td (" + text + ") Tj ET"
	return fmt.Sprintf("<</Length %d>>\nstream\n%s\nendstream", len(body), body)
}

// greedyPDFs ask for memory, time or pages.
func greedyPDFs() []HostileFile {
	marks := deflate([]byte("BT /F0 1 Tf 10 10 Td " + strings.Repeat("(abcdefghij) Tj 0 0.01 Td ", 50_000) + "ET"))
	once := zlibSpaces("BT /F0 12 Tf 72 700 Td (Bomb) Tj ET ", 600)
	twice := deflate(once)
	bomb := fmt.Sprintf("<</Filter [/FlateDecode /FlateDecode] /Length %d>>\nstream\n%s\nendstream", len(twice), twice)
	return []HostileFile{
		{"bomb_double_flate.pdf", simplePDF(bomb, "", 1), []string{"memory", "timeout", "too_large", "corrupt"},
			"a few kilobytes that unpack to 600 MB"},
		{"ten_thousand_pages.pdf", simplePDF(textStream("page"), "", 10_000), []string{"too_many_pages"},
			"10,000 pages"},
		{"huge_page_box.pdf", simplePDF(textStream("A very large page"), "[0 0 14400000 14400000]", 1),
			[]string{Completed, "corrupt", "memory", "too_large", "timeout"}, "a page of 5 kilometres"},
		{"inverted_page_box.pdf", simplePDF(textStream("A page inside out"), "[612 792 0 -1e9]", 1),
			[]string{Completed, "corrupt", "memory", "too_large", "timeout"}, "a page box inside out"},
		{"crowded_page.pdf", simplePDF(fmt.Sprintf("<</Filter /FlateDecode /Length %d>>\nstream\n%s\nendstream",
			len(marks), marks), "", 1), []string{Completed, "timeout", "memory", "too_large", "corrupt"},
			"half a million characters on one page"},
	}
}

// loopingPDFs refer to themselves or nest without end.
func loopingPDFs() []HostileFile {
	loop := &pdfFile{}
	loop.add("<</Type /Catalog /Pages 2 0 R>>")
	loop.add("<</Type /Pages /Kids [2 0 R] /Count 1 /Parent 2 0 R>>")
	form := &pdfFile{}
	form.add("<</Type /Catalog /Pages 2 0 R>>")
	form.add("<</Type /Pages /Kids [3 0 R] /Count 1>>")
	form.add("<</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources <</XObject <</X 5 0 R>>>> /Contents 4 0 R>>")
	form.add("<</Length 5>>\nstream\n/X Do\nendstream")
	form.add("<</Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources <</XObject <</X 5 0 R>>>> /Length 11>>\nstream\n/X Do /X Do\nendstream")
	deep := &pdfFile{}
	deep.add("<</Type /Catalog /Pages 2 0 R /Deep " + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) +
		">>")
	deep.add("<</Type /Pages /Kids [3 0 R] /Count 1>>")
	deep.add("<</Type /Page /Parent 2 0 R /MediaBox [0 0 612 792]>>")
	tree := &pdfFile{}
	tree.add("<</Type /Catalog /Pages 2 0 R>>")
	for i := range 5_000 {
		tree.add(fmt.Sprintf("<</Type /Pages /Kids [%d 0 R] /Count 1>>", i+3))
	}
	tree.add("<</Type /Page /MediaBox [0 0 612 792]>>")
	wants := []string{Completed, "corrupt", "timeout", "memory"}
	return []HostileFile{
		{"page_tree_loop.pdf", loop.bytes("/Root 1 0 R"), wants, "a page tree that is its own child"},
		{"form_loop.pdf", form.bytes("/Root 1 0 R"), wants, "a drawing that draws itself twice"},
		{"deep_arrays.pdf", deep.bytes("/Root 1 0 R"), wants, "100,000 arrays one inside the other"},
		{"deep_page_tree.pdf", tree.bytes("/Root 1 0 R"), wants, "a page 5,000 levels down"},
	}
}

// repeated is raw deflate data of prefix, megabytes of blanks and suffix, and the unpacked bytes' CRC-32. It is put
// together from one compressed megabyte, so that a bomb costs its maker nothing.
func repeated(prefix, suffix string, megabytes int) (data []byte, sum uint32) {
	blanks := bytes.Repeat([]byte(" "), 1<<20)
	var b bytes.Buffer
	w, _ := flate.NewWriter(&b, flate.BestCompression) // the level is valid
	write := func(p []byte) {
		_, _ = w.Write(p)
		_ = w.Flush()
	}
	write([]byte(prefix))
	write(blanks)
	start := b.Len()
	write(blanks) // from here on each megabyte compresses to the same bytes
	block := bytes.Clone(b.Bytes()[start:])
	for range megabytes - 2 {
		b.Write(block)
	}
	write([]byte(suffix))
	_ = w.Close()
	sum = crc32.Update(0, crc32.IEEETable, []byte(prefix))
	for range megabytes {
		sum = crc32.Update(sum, crc32.IEEETable, blanks)
	}
	return b.Bytes(), crc32.Update(sum, crc32.IEEETable, []byte(suffix))
}

// zlibSpaces is text followed by megabytes of blanks, in zlib's wrapping. The Adler sum is worked out, not run.
func zlibSpaces(text string, megabytes int) []byte {
	raw, _ := repeated(text, "", megabytes)
	a, b := uint64(1), uint64(0)
	for _, c := range []byte(text) {
		a = (a + uint64(c)) % 65521
		b = (b + a) % 65521
	}
	n := uint64(megabytes) << 20
	b = (b + n%65521*a + 32*((n%65521)*((n+1)%65521)%65521*32761%65521)) % 65521 // 32761 is 1/2 modulo 65521
	a = (a + 32*(n%65521)) % 65521
	out := append([]byte{0x78, 0xda}, raw...)
	return binary.BigEndian.AppendUint32(out, uint32(b<<16|a))
}

const contentTypes = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>%s</Types>`

// officeFile is a zip with the parts of a workbook or document and one raw or plain extra part.
func officeFile(parts map[string]string, order []string, raw string, data []byte, sum uint32, size uint64) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range order {
		w, _ := z.Create(name)
		_, _ = w.Write([]byte(parts[name]))
	}
	if raw != "" {
		w, _ := z.CreateRaw(&zip.FileHeader{Name: raw, Method: zip.Deflate, CRC32: sum,
			CompressedSize64: uint64(len(data)), UncompressedSize64: size})
		_, _ = w.Write(data)
	}
	_ = z.Close()
	return b.Bytes()
}

// workbookParts are what a workbook needs before its sheet.
func workbookParts() (map[string]string, []string) {
	parts := map[string]string{
		"[Content_Types].xml": fmt.Sprintf(contentTypes,
			`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`),
		"_rels/.rels":                `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml":            `<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels": `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
	}
	return parts, []string{"[Content_Types].xml", "_rels/.rels", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"}
}

const wordType = `<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>`

// wordFile is a document of the given XML.
func wordFile(xml string) []byte {
	parts := map[string]string{"[Content_Types].xml": fmt.Sprintf(contentTypes, wordType),
		"_rels/.rels":       `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
		"word/document.xml": xml}
	return officeFile(parts, []string{"[Content_Types].xml", "_rels/.rels", "word/document.xml"}, "", nil, 0, 0)
}

// archives are zip files in office clothing.
func archives() []HostileFile {
	const open, end = `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>`, `</sheetData></worksheet>`
	data, sum := repeated(open, end, 1024)
	parts, order := workbookParts()
	bomb := officeFile(parts, order, "xl/worksheets/sheet1.xml", data, sum, 1<<30+uint64(len(open)+len(end)))
	nested := []byte("the innermost file")
	for i := range 12 {
		nested = officeFile(map[string]string{"a.zip": string(nested), "b.txt": strings.Repeat("b", i)},
			[]string{"a.zip", "b.txt"}, "", nil, 0, 0)
	}
	parts["xl/worksheets/sheet1.xml"] = open + end
	order = append(order, "xl/worksheets/sheet1.xml")
	for i := range 20_000 {
		name := fmt.Sprintf("xl/media/image%d.bin", i)
		parts[name] = ""
		order = append(order, name)
	}
	laughs := `<?xml version="1.0"?><!DOCTYPE d [<!ENTITY a "ha">`
	for c := 'b'; c <= 'j'; c++ {
		laughs += fmt.Sprintf(`<!ENTITY %c "%s">`, c, strings.Repeat(fmt.Sprintf("&%c;", c-1), 10))
	}
	laughs += `]><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r><w:t>&j;</w:t></w:r></w:p></w:body></w:document>`
	deep := `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>` +
		strings.Repeat("<w:tbl><w:tr><w:tc>", 60_000) + strings.Repeat("</w:tc></w:tr></w:tbl>", 60_000) +
		`</w:body></w:document>`
	bad := []string{"corrupt", "too_large", "memory", "unsupported_type", "timeout"}
	return []HostileFile{
		{"zip_bomb.xlsx", bomb, bad, "a megabyte that unpacks to a gigabyte"},
		{"nested_zips.zip", nested, append([]string{Completed}, bad...), "twelve archives one inside the other"},
		{"nested_zips.xlsx", nested, append([]string{Completed}, bad...), "the same under the name of a workbook"},
		{"many_entries.xlsx", officeFile(parts, order, "", nil, 0, 0), append([]string{Completed}, bad...),
			"20,000 entries"},
		{"entities.docx", wordFile(laughs), append([]string{Completed}, bad...), "entities that expand to gigabytes"},
		{"deep_tables.docx", wordFile(deep), append([]string{Completed}, bad...), "tables 60,000 levels deep"},
	}
}

// liars say they are what they are not, or say nothing.
func liars(seed uint64, victim Specimen) []HostileFile {
	picture := Scan(BankStatement(BankOptions{Seed: seed, Layout: "prairie"}), seed, CleanScan)
	book := FinancialStatement(StatementOptions{Seed: seed, Layout: "quickbooks_cash"})
	wide := pngOf(image.NewGray(image.Rect(0, 0, 8, 8)))
	binary.BigEndian.PutUint32(wide[16:], 60_000)
	binary.BigEndian.PutUint32(wide[20:], 60_000)
	binary.BigEndian.PutUint32(wide[29:], crc32.ChecksumIEEE(wide[12:29]))
	return []HostileFile{
		{"empty.pdf", nil, []string{"corrupt", "unsupported_type"}, "0 bytes"},
		{"one_byte.csv", []byte("\n"), []string{"corrupt", "unsupported_type", Completed}, "an empty line"},
		{"statement.jpg", victim.Data, []string{Completed}, "a PDF under the name of a picture"},
		{"scan.docx", picture.Data, []string{Completed, "ocr_unavailable"}, "a scan under the name of a document"},
		{"books.csv", book.Data, []string{Completed}, "a workbook under the name of a CSV"},
		{"program.pdf", append([]byte("MZ\x90\x00\x03\x00\x00\x00"), bytes.Repeat([]byte{0xcc}, 4096)...),
			[]string{"unsupported_type", "corrupt"}, "a program"},
		{"sixty_thousand_pixels.png", wide, []string{"too_large", "corrupt", "memory"},
			"a picture header of 3.6 gigapixels"},
		{"corner_marks.png", pngOf(cornerMarks(450, 450)), []string{Completed, "timeout"}, "2,500 corners of QR codes"},
		{"commas.csv", []byte(strings.Repeat(",", 3_000_000)), []string{Completed, "too_large", "corrupt", "timeout",
			"memory"}, "one row of three million cells"},
		{"quotes.csv", []byte(strings.Repeat(`"`, 1_000_001)), []string{Completed, "too_large", "corrupt", "timeout",
			"memory"}, "a quote that never ends"},
		{"../../etc/statement.pdf", victim.Data, []string{Completed}, "a name that climbs out of its folder"},
	}
}

// cornerMarks is a page full of the marks that stand at the corners of QR codes, each two modules from the next.
func cornerMarks(width, height int) *image.Gray {
	g := image.NewGray(image.Rect(0, 0, width, height))
	for i := range g.Pix {
		x, y := i%width%9-4, i/width%9-4
		ring := max(x, -x, y, -y)
		g.Pix[i] = 255
		if ring == 3 || ring < 2 {
			g.Pix[i] = 0
		}
	}
	return g
}

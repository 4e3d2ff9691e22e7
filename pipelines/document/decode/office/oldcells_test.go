package office

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// biffFile is a workbook of one visible sheet: records of its own before those of the cells.
func biffFile(globals []byte, hidden byte, cells ...[]byte) []byte {
	le := binary.LittleEndian
	head := append(biff(biffBOF, 0, 6, 5, 0, 0, 0, 0, 0), globals...)
	at := uint32(len(head) + len(biff(biffBoundSheet, make([]byte, 10)...)) + 4)
	name := append(le.AppendUint32(nil, at), hidden, 0, 2, 0)
	out := append(append(head, biff(biffBoundSheet, append(name, "S1"...)...)...), biff(biffEOF)...)
	out = append(out, biff(biffBOF, 0, 6, 0x10, 0, 0, 0, 0, 0)...)
	for _, c := range cells {
		out = append(out, c...)
	}
	return compound([]string{"Workbook"}, map[string][]byte{"Workbook": append(out, biff(biffEOF)...)})
}

// numberCell is a number in the first row, in a style.
func numberCell(column, style byte, v float64) []byte {
	return biff(biffNumber, binary.LittleEndian.AppendUint64([]byte{0, 0, column, 0, style, 0}, math.Float64bits(v))...)
}

// The cells of an old workbook say what Excel showed: text in one byte or two a character, days of either calendar.
func TestXLS_cells(t *testing.T) {
	t.Parallel()
	wide := []byte{0, 0, 1, 0, 0, 0, 2, 0, 1}
	for _, u := range utf16.Encode([]rune("Ω€")) {
		wide = binary.LittleEndian.AppendUint16(wide, u)
	}
	formula := append([]byte{0, 0, 2, 0, 0, 0}, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0, 0, 0, 0, 0)
	chart := append(biff(biffBOF, 0, 6, 0x20, 0, 0, 0, 0, 0), append(numberCell(9, 0, 9), biff(biffEOF)...)...)
	for name, c := range map[string]struct {
		globals []byte
		day     string
	}{"of 1900": {nil, "2023-03-15"}, "of 1904": {biff(biffDateMode, 1, 0), "2027-03-16"}} {
		styles := append(biff(biffXF, 0, 0, 0, 0), append(biff(biffXF, 0, 0, 14, 0), biff(biffXF, 0, 0, 10, 0)...)...)
		d, err := XLS(biffFile(append(c.globals, styles...), 0, chart, biff(biffLabel, 0, 0, 0, 0, 0, 0, 3, 0, 0, 'a', 0xe9, 'b'), biff(biffLabel, wide...),
			biff(biffFormula, formula...), biff(biffString, 2, 0, 0, 'o', 'k'), numberCell(3, 1, 45000), numberCell(4, 2, 0.125), numberCell(5, 0, 0.1+0.2),
			numberCell(6, 0, 1e20), numberCell(7, 1, -5), biff(biffLabel, 0, 0), biff(biffLabelSST, 0, 0, 8, 0, 0, 0, 99, 0, 0, 0)))
		if err != nil {
			t.Fatal(err)
		}
		holds(t, name, d.Pages[0], map[string]string{"S1!A1": "aéb", "S1!B1": "Ω€", "S1!C1": "ok", "S1!D1": c.day, "S1!E1": "12.5%", "S1!F1": "0.3", "S1!G1": "1e+20", "S1!H1": "-5"})
	}
}

func TestXLS_refused(t *testing.T) {
	t.Parallel()
	one := numberCell(0, 0, 1)
	for name, c := range map[string]struct {
		data []byte
		code string
	}{
		"a password":         {biffFile(biff(biffFilePass, 0, 0), 0, one), refusal.Encrypted},
		"of Excel 95":        {compound([]string{"Book"}, map[string][]byte{"Book": biff(biffBOF, 0, 5, 5, 0)}), refusal.UnsupportedType},
		"hidden sheets only": {biffFile(nil, 1, one), refusal.Corrupt},
		"no workbook":        {compound([]string{"Other"}, map[string][]byte{"Other": {1}}), refusal.Corrupt},
		"no compound file":   {[]byte("hello"), refusal.Corrupt},
		"the head alone":     {append(append([]byte{}, OLEMagic...), make([]byte, 600)...), refusal.Corrupt},
	} {
		_, err := XLS(c.data)
		refusedAs(t, name, err, c.code)
	}
	for name, want := range map[string]string{"Workbook": MIMEXLS, "Book": MIMEXLS, "WordDocument": MIMEDOC, "EncryptedPackage": MIMEXLSX, "Other": "application/x-ole-storage"} {
		if got := SniffOLE(compound([]string{name}, map[string][]byte{name: {1}})); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if got := SniffOLE([]byte("hello")); got != "application/x-ole-storage" {
		t.Errorf("no compound file: %s", got)
	}
}

// A format shows days where a year or a day stands outside of what it quotes.
func TestIsDateFormat(t *testing.T) {
	t.Parallel()
	for format, want := range map[string]bool{"dd/mm/yyyy": true, "YY-MM": true, `"day" 0.00`: false, "[Red]0.00": false, "[$-407]d. mmm": true,
		"0.00;[Red]-0.00": false, "h:mm": false, "": false, "#,##0;d": false} {
		if got := isDateFormat(format); got != want {
			t.Errorf("%q: %v, want %v", format, got, want)
		}
	}
	for raw, want := range map[uint32]float64{7<<2 | 2: 7, 150<<2 | 3: 1.5, uint32(math.Float64bits(2.5)>>32) &^ 3: 2.5, 0xfffffff6 &^ 1: -3} {
		if got := biffRKNumber(binary.LittleEndian.AppendUint32(nil, raw)); got != want {
			t.Errorf("%x: %v, want %v", raw, got, want)
		}
	}
}

// Strings that formats or phonetics follow are read as what is printed, and a torn one as one.
func TestBiffParts(t *testing.T) {
	t.Parallel()
	r := biffParts{parts: [][]byte{
		{3, 0, 8, 1, 0, 'a', 'b', 'c', 9, 9, 9, 9, 2, 0, 4, 3, 0, 0, 0, 'd', 'e', 7, 7, 7, 4, 0, 0, 'f', 'g'}, {1, 'h', 0, 'i', 0}, {1, 0, 0, 'j'}}}
	for _, want := range []string{"abc", "de", "fghi", "j", ""} {
		if got := r.text(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := biffText(nil, 3); got != "" {
		t.Errorf("of nothing %q", got)
	}
	if got := biffText([]byte{1, 'a'}, 3); got != "" {
		t.Errorf("of half a character %q", got)
	}
}

// A file that is damaged anywhere is read or refused at once, and never a crash.
func TestOldFormats_damaged(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		whole []byte
		read  func([]byte) (text.Decoded, error)
	}{"XLS": {oldWorkbook(), XLS}, "DOC": {oldDocument(), DOC}, "ODS": {odsFile, ODS}, "ODT": {odtFile, ODT}, "RTF": {[]byte(rtfFile), RTF}} {
		step := max(len(c.whole)/150, 1)
		for at := 0; at < len(c.whole); at += step {
			damaged := append([]byte{}, c.whole...)
			damaged[at] ^= 0xff
			_, _ = c.read(damaged)
			if d, err := c.read(c.whole[:at]); err == nil && len(d.Pages) == 0 {
				t.Errorf("%s cut at %d: no page and no word about it", name, at)
			}
		}
	}
}

func linesOf(d text.Decoded) string {
	var all []string
	for _, p := range d.Pages {
		for _, l := range text.Lines(p) {
			var cells []string
			for _, c := range l.Cells() {
				cells = append(cells, c.Text())
			}
			all = append(all, strings.Join(cells, "|"))
		}
	}
	return strings.Join(all, "\n")
}

// Rich text is what is printed: not what fields are made from, what pictures hold, or what stands for characters that
// old readers lack.
func TestRTF_words(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ body, want string }{
		"escapes":               {`a\\b \{c\}\~d\_e`, `a\b {c} d-e`},
		"quotes and dashes":     {`\ldblquote a\rdblquote \endash  b\rquote s`, `"a"- b's`},
		"Unicode":               {`\uc1\u8364?5 \uc0\u8364 6 \u-4051?`, "€5 €6 \uf02d?"},
		"two bytes for one":     {`\uc2\u8364 xx5`, "€5"},
		"Windows-1252":          {`M\'fcller \'zz`, "Müller"},
		"a picture":             {`a{\pict\bin4 {{{{ 00ff}b`, "ab"},
		"a picture's bytes":     {`a\bin3 }}}b`, "ab"},
		"a comment's target":    {`a{\*\annotation hidden}b`, "ab"},
		"a known destination":   {`a{\info{\title hidden}}b`, "ab"},
		"a table":               {`\trowd a\cell b\par c\cell\row d`, "a|b c\nd"},
		"a page":                {`a\page b`, "a\nb"},
		"a tab":                 {`a\tab\tab b`, "a|b"},
		"a line that is ended":  {"a\\\nb", "a\nb"},
		"more closed than open": {`a}}}b`, "ab"},
		"cut in a word":         {`a\pa`, "a"},
		"cut in an escape":      {`a\'f`, "af"},
		"cut behind a stroke":   {`a\`, "a"},
	} {
		d, err := RTF([]byte(`{\rtf1 ` + c.body))
		if err != nil {
			t.Fatal(err)
		}
		if got := linesOf(d); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	_, err := RTF([]byte(strings.Repeat("{", maxRTFDepth+2)))
	refusedAs(t, "nested too deep", err, refusal.TooLarge)
}

// The paragraphs, tables and breaks of a Word file are lines; what was struck and what fields are made from is not there.
func TestDOCX_words(t *testing.T) {
	t.Parallel()
	read := func(body string) (text.Decoded, error) {
		return DOCX(documenttest.Zipped(t, map[string]string{"word/document.xml": `<w:document xmlns:w="x"><w:body>` + body + `</w:body></w:document>`}))
	}
	p := func(inner string) string { return "<w:p><w:r>" + inner + "</w:r></w:p>" }
	for name, c := range map[string]struct{ body, want string }{
		"breaks":                   {p("<w:t>a</w:t><w:br/><w:t>b</w:t>"), "a b"},
		"a tab":                    {p("<w:t>a</w:t><w:tab/><w:tab/><w:t>b</w:t>"), "a|b"},
		"struck":                   {p("<w:t>a</w:t>") + "<w:p><w:del><w:r><w:t>b</w:t></w:r></w:del><w:r><w:t>c</w:t></w:r></w:p>", "a\nc"},
		"a field":                  {p("<w:instrText>PAGE</w:instrText><w:t>3</w:t>"), "3"},
		"two paragraphs in a cell": {"<w:tbl><w:tr><w:tc>" + p("<w:t>a</w:t>") + p("<w:t>b</w:t>") + "</w:tc><w:tc>" + p("<w:t>5.00</w:t>") + "</w:tc></w:tr></w:tbl>", "a b|5.00"},
		"an empty cell":            {"<w:tbl><w:tr><w:tc>" + p("<w:t>a</w:t>") + "</w:tc><w:tc>" + p("") + "</w:tc><w:tc>" + p("<w:t>5.00</w:t>") + "</w:tc></w:tr></w:tbl>", "a|5.00"},
		"no paragraph":             {"", ""},
	} {
		d, err := read(c.body)
		if err != nil {
			t.Fatal(err)
		}
		if got := linesOf(d); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	_, err := read("<w:p><w:r>")
	refusedAs(t, "damaged", err, refusal.Corrupt)
	_, err = read(strings.Repeat("<w:tbl><w:tr><w:tc>", maxTableDepth+1))
	refusedAs(t, "nested too deep", err, refusal.TooLarge)
	_, err = DOCX(documenttest.Zipped(t, map[string]string{"a.xml": ""}))
	refusedAs(t, "no text part", err, refusal.Corrupt)
}

// OpenDocument: a repeated cell is as many, a comment and what was struck is none, a day is read year first.
func TestOpenDocument_words(t *testing.T) {
	t.Parallel()
	cell := func(attributes, inner string) string {
		return "<table:table-cell " + attributes + ">" + inner + "</table:table-cell>"
	}
	p := func(s string) string { return "<text:p>" + s + "</text:p>" }
	d, err := ODS(openDocument(MIMEODS, `<office:spreadsheet><table:table table:name="S1"><table:table-row table:number-rows-repeated="2">`+
		cell(`table:number-columns-repeated="2"`, p("a"))+`<table:covered-table-cell/>`+cell("", p("b")+p("c"))+`</table:table-row><table:table-row>`+
		cell("", "<office:annotation>"+p("secret")+"</office:annotation>"+p("d<text:s/>e"))+cell(`office:date-value="2024-06-03T10:00:00"`, p("3.6."))+
		`</table:table-row></table:table><table:table table:name="S2"/></office:spreadsheet>`))
	if err != nil || len(d.Pages) != 2 {
		t.Fatalf("%d pages, %v", len(d.Pages), err)
	}
	holds(t, "sheet", d.Pages[0], map[string]string{"S1!A1": "a", "S1!B1": "a", "S1!D1": "b c", "S1!A3": "d e", "S1!B3": "2024-06-03"})
	d, err = ODT(openDocument(MIMEODT, p("a<text:tab/><text:tab/>b")+p(`c<text:line-break/>d<text:s text:c="9"/>e`)+
		"<text:p>f<office:annotation>secret</office:annotation></text:p>"))
	if got := linesOf(d); err != nil || got != "a|b\nc d|e\nf" {
		t.Errorf("%q, %v", got, err)
	}
	_, err = ODS(openDocument(MIMEODS, strings.Repeat("<table:table></table:table>", MaxSheets+1)))
	refusedAs(t, "too many sheets", err, refusal.TooManyPages)
	_, err = ODS(openDocument(MIMEODS, "<table:table><table:table-row>"+strings.Repeat(cell(`table:number-columns-repeated="1000"`, p("1")), 201)))
	refusedAs(t, "too many cells", err, refusal.TooLarge)
	_, err = ODS(openDocument(MIMEODS, ""))
	refusedAs(t, "no sheet", err, refusal.Corrupt)
	_, err = ODT(openDocument(MIMEODT, strings.Repeat("<table:table-row>", maxTableDepth+1)))
	refusedAs(t, "nested too deep", err, refusal.TooLarge)
	_, err = ODT(openDocument(MIMEODT, "<text:p>"))
	refusedAs(t, "damaged", err, refusal.Corrupt)
	_, err = ODT(documenttest.Zipped(t, map[string]string{"a.xml": ""}))
	refusedAs(t, "no content", err, refusal.Corrupt)
}

// The text of an old Word file: cells, breaks and fields within fields.
func TestDocLines(t *testing.T) {
	t.Parallel()
	for content, want := range map[string]string{"a\rb": "a\nb", "a\tb\x1ec": "a    b-c", "a\x07b\rc\x07\x07d": TableRow([]string{"a", "b c"}) + "\nd",
		"a\x0cb": "a\n\f\nb", "a\x01b": "ab"} {
		if got := strings.Join(docLines([]rune(content)), "\n"); got != want {
			t.Errorf("%q: %q, want %q", content, got, want)
		}
	}
	if d := linesAsPages(nil); d.PageCount != 1 {
		t.Errorf("an empty file has %d pages", d.PageCount)
	}
	for name, main := range map[string][]byte{"too short": make([]byte, 10), "another file": make([]byte, 600)} {
		_, err := DOC(compound([]string{"WordDocument"}, map[string][]byte{"WordDocument": main}))
		refusedAs(t, name, err, refusal.Corrupt)
	}
	locked := make([]byte, 600)
	binary.LittleEndian.PutUint16(locked, 0xa5ec)
	binary.LittleEndian.PutUint16(locked[0x0a:], 0x0100)
	_, err := DOC(compound([]string{"WordDocument"}, map[string][]byte{"WordDocument": locked}))
	refusedAs(t, "a password", err, refusal.Encrypted)
}

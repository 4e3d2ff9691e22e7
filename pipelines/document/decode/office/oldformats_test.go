package office

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"math"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/dossierhq/dossier/pipelines/document/text"
)

// compound writes a compound file of large streams: a header, one sector of the table of sectors, one of the directory.
func compound(names []string, streams map[string][]byte) []byte {
	const sector = 512
	le := binary.LittleEndian
	fat := bytes.Repeat([]byte{0xff}, sector)
	le.PutUint32(fat[0:], 0xfffffffd)
	le.PutUint32(fat[4:], 0xfffffffe)
	dir, body := make([]byte, sector), []byte(nil)
	entry := func(i int, name string, kind byte, start, size uint32) {
		e := dir[128*i:]
		for j, u := range utf16.Encode([]rune(name)) {
			le.PutUint16(e[2*j:], u)
		}
		le.PutUint16(e[64:], uint16(2*len(name)+2))
		e[66], e[67] = kind, 1
		for _, at := range []int{68, 72, 76} {
			le.PutUint32(e[at:], 0xffffffff)
		}
		le.PutUint32(e[116:], start)
		le.PutUint32(e[120:], size)
	}
	entry(0, "Root Entry", 5, 0xfffffffe, 0)
	le.PutUint32(dir[76:], 1)
	next := uint32(2)
	for i, name := range names {
		data := append(streams[name], make([]byte, max(0, 4096-len(streams[name])))...)
		data = append(data, make([]byte, (sector-len(data)%sector)%sector)...)
		entry(i+1, name, 2, next, uint32(len(data)))
		if i+1 < len(names) {
			le.PutUint32(dir[128*(i+1)+72:], uint32(i+2))
		}
		for n := range len(data) / sector {
			link := next + uint32(n) + 1
			if n == len(data)/sector-1 {
				link = 0xfffffffe
			}
			le.PutUint32(fat[4*(int(next)+n):], link)
		}
		next += uint32(len(data) / sector)
		body = append(body, data...)
	}
	head := make([]byte, sector)
	copy(head, OLEMagic)
	for at, v := range map[int]uint16{24: 0x3e, 26: 3, 28: 0xfffe, 30: 9, 32: 6} {
		le.PutUint16(head[at:], v)
	}
	for at, v := range map[int]uint32{44: 1, 48: 1, 56: 4096, 60: 0xfffffffe, 68: 0xfffffffe} {
		le.PutUint32(head[at:], v)
	}
	for i := 76; i < sector; i += 4 {
		le.PutUint32(head[i:], 0xffffffff)
	}
	le.PutUint32(head[76:], 0)
	return bytes.Join([][]byte{head, fat, dir, body}, nil)
}

func biff(kind int, body ...byte) []byte {
	out := binary.LittleEndian.AppendUint16(nil, uint16(kind))
	return append(binary.LittleEndian.AppendUint16(out, uint16(len(body))), body...)
}

// oldWorkbook is a workbook with a string torn over two records, a day, an amount, small numbers in a row and a formula.
func oldWorkbook() []byte {
	le := binary.LittleEndian
	number := func(row, column, style byte, v float64) []byte {
		return biff(biffNumber, le.AppendUint64([]byte{row, 0, column, 0, style, 0}, math.Float64bits(v))...)
	}
	bof := biff(biffBOF, 0, 6, 5, 0, 0, 0, 0, 0)
	sheetBOF := biff(biffBOF, 0, 6, 0x10, 0, 0, 0, 0, 0)
	globals := bytes.Join([][]byte{bof, biff(biffFormat, append([]byte{164, 0, 10, 0, 0}, "dd/mm/yyyy"...)...),
		biff(biffXF, 0, 0, 0, 0), biff(biffXF, 0, 0, 164, 0), biff(biffXF, 0, 0, 4, 0),
		biff(biffSST, append([]byte{2, 0, 0, 0, 2, 0, 0, 0, 8, 0, 0}, "Rent"...)...), biff(biffContinue, append([]byte{0}, " May\x04\x00\x01D\x00a\x00t\x00e\x00"...)...)}, nil)
	at := uint32(len(globals) + len(biff(biffBoundSheet, make([]byte, 14)...)) + 4)
	name := append(le.AppendUint32(nil, at), 0, 0, 6, 0)
	globals = bytes.Join([][]byte{globals, biff(biffBoundSheet, append(name, "Konto1"...)...), biff(biffEOF)}, nil)
	formula := append([]byte{2, 0, 1, 0, 2, 0}, le.AppendUint64(nil, math.Float64bits(2.5))...)
	sheet := bytes.Join([][]byte{sheetBOF, biff(biffLabelSST, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0), biff(biffLabelSST, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
		number(1, 0, 1, 45000), number(1, 1, 2, -1234.5), biff(biffMulRK, append([]byte{1, 0, 2, 0, 0, 0}, append(append(le.AppendUint32(nil, 7<<2|2), 2, 0), append(le.AppendUint32(nil, 150<<2|3), 3, 0)...)...)...),
		biff(biffFormula, append(formula, make([]byte, 8)...)...), biff(biffEOF)}, nil)
	return compound([]string{"Workbook"}, map[string][]byte{"Workbook": append(globals, sheet...)})
}

// oldDocument is a document of two pieces, one of them in two bytes a character, with a table and a field.
func oldDocument() []byte {
	le := binary.LittleEndian
	first := "Lease of 12 Example Row\rTenant\aAnn Example\a\a\x13 DATE \x141 May 2024\x15\r"
	second := utf16.Encode([]rune("Miete 1.200 €\r"))
	main := make([]byte, 0x200)
	le.PutUint16(main, 0xa5ec)
	le.PutUint16(main[0x0a:], 0x0200)
	le.PutUint32(main[0x4c:], uint32(len(first)+len(second)))
	main = append(main, first...)
	at := len(main)
	for _, u := range second {
		main = le.AppendUint16(main, u)
	}
	var plc []byte
	for _, cp := range []int{0, len(first), len(first) + len(second)} {
		plc = le.AppendUint32(plc, uint32(cp))
	}
	for _, fc := range []uint32{2*0x200 | 0x40000000, uint32(at)} {
		plc = append(le.AppendUint32(append(plc, 0, 0), fc), 0, 0)
	}
	clx := append(le.AppendUint32([]byte{2}, uint32(len(plc))), plc...)
	le.PutUint32(main[0x1a6:], uint32(len(clx)))
	return compound([]string{"WordDocument", "1Table"}, map[string][]byte{"WordDocument": main, "1Table": clx})
}

const rtfFile = `{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\*\generator X;}\uc1 Lease of 12 Example Row\par{\field{\*\fldinst DATE}{\fldrslt 1 May 2024}}\par ` +
	`\trowd Tenant\cell Ann Example\cell\row\pard Miete 1.200 \u8364?\par M\'fcller\par}`

// openDocument is an OpenDocument file with a content.
func openDocument(mime, content string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, _ := z.CreateHeader(&zip.FileHeader{Name: "mimetype", Method: zip.Store}) // a bytes.Buffer takes everything
	_, _ = w.Write([]byte(mime))
	w, _ = z.Create("content.xml")
	_, _ = w.Write([]byte(`<office:document-content xmlns:office="o" xmlns:table="t" xmlns:text="x"><office:body>` + content + `</office:body></office:document-content>`))
	_ = z.Close()
	return b.Bytes()
}

var (
	odsFile = openDocument(MIMEODS, `<office:spreadsheet><table:table table:name="Konto1"><table:table-row><table:table-cell><text:p>Date</text:p></table:table-cell><table:table-cell><text:p>Rent May</text:p></table:table-cell></table:table-row>`+
		`<table:table-row><table:table-cell office:value-type="date" office:date-value="2023-03-15"><text:p>15.03.23</text:p></table:table-cell><table:table-cell office:value="-1234.5"><text:p>-1234.50</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>7</text:p></table:table-cell></table:table-row>`+
		`<table:table-row table:number-rows-repeated="1048000"><table:table-cell table:number-columns-repeated="16000"/></table:table-row></table:table></office:spreadsheet>`)
	odtFile = openDocument(MIMEODT, `<office:text><text:tracked-changes><text:p>struck</text:p></text:tracked-changes><text:p>Lease of<text:s/>12 Example Row</text:p><text:h>1 May 2024</text:h>`+
		`<table:table><table:table-row><table:table-cell><text:p>Tenant</text:p></table:table-cell><table:table-cell><text:p>Ann Example</text:p></table:table-cell></table:table-row></table:table><text:p>Miete 1.200 €</text:p></office:text>`)
)

func TestOldWorkbooks(t *testing.T) {
	for name, f := range map[string]struct {
		data  []byte
		mime  string
		cells map[string]string
	}{
		"XLS": {oldWorkbook(), MIMEXLS, map[string]string{"Konto1!A1": "Date", "Konto1!B1": "Rent May", "Konto1!A2": "2023-03-15", "Konto1!B2": "-1234.50", "Konto1!C2": "7", "Konto1!D2": "1.50", "Konto1!B3": "2.50"}},
		"ODS": {odsFile, MIMEODS, map[string]string{"Konto1!A1": "Date", "Konto1!B1": "Rent May", "Konto1!A2": "2023-03-15", "Konto1!B2": "-1234.50", "Konto1!C2": "7", "Konto1!D2": "7"}},
	} {
		t.Run(name, func(t *testing.T) {
			d := decodedAs(t, f.data, f.mime)
			for _, token := range d.Pages[0].Tokens {
				if f.cells[token.Cell] != token.Text {
					t.Errorf("%s is %q, want %q", token.Cell, token.Text, f.cells[token.Cell])
				}
				delete(f.cells, token.Cell)
			}
			if len(f.cells) > 0 {
				t.Errorf("not read: %v", f.cells)
			}
		})
	}
}

func TestOldDocuments(t *testing.T) {
	for name, f := range map[string]struct {
		data []byte
		mime string
	}{"DOC": {oldDocument(), MIMEDOC}, "RTF": {[]byte(rtfFile), MIMERTF}, "ODT": {odtFile, MIMEODT}} {
		t.Run(name, func(t *testing.T) {
			var all []string
			for _, p := range decodedAs(t, f.data, f.mime).Pages {
				for _, l := range text.Lines(p) {
					all = append(all, l.Text())
				}
			}
			for _, want := range []string{"Lease of 12 Example Row", "1 May 2024", "Tenant Ann Example", "Miete 1.200 €"} {
				if !strings.Contains(strings.Join(all, "\n"), want) {
					t.Errorf("%q does not stand in %q", want, all)
				}
			}
			for _, hidden := range []string{"DATE", "Arial", "struck"} {
				if strings.Contains(strings.Join(all, "\n"), hidden) {
					t.Errorf("%q is no text of the document", hidden)
				}
			}
		})
	}
}

func decodedAs(t *testing.T, data []byte, mime string) text.Decoded {
	t.Helper()
	if got := SniffOLE(data); bytes.HasPrefix(data, OLEMagic) && got != mime {
		t.Fatalf("sniffed %s, want %s", got, mime)
	}
	d, err := map[string]func([]byte) (text.Decoded, error){
		MIMEXLS: XLS, MIMEDOC: DOC, MIMERTF: RTF, MIMEODS: ODS, MIMEODT: ODT,
	}[mime](data)
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Pages) != 1 {
		t.Fatalf("%d pages", len(d.Pages))
	}
	return d
}

func FuzzDecodeXLS(f *testing.F) {
	f.Add(oldWorkbook())
	f.Fuzz(func(_ *testing.T, data []byte) { _, _ = XLS(data) })
}

// The records of a workbook without the file around them, which a fuzzer seldom leaves whole.
func FuzzWorkbookRecords(f *testing.F) {
	streams, err := oleStreams(oldWorkbook(), "Workbook")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(streams["Workbook"])
	f.Fuzz(func(_ *testing.T, data []byte) {
		b := biffBook{data: data, formats: map[int]string{}}
		_ = b.globals()
		for _, s := range b.sheets {
			_ = b.sheet(s, &text.Page{Name: s.name})
		}
	})
}

func FuzzDecodeDOC(f *testing.F) {
	f.Add(oldDocument())
	f.Fuzz(func(_ *testing.T, data []byte) { _, _ = DOC(data) })
}

func FuzzDecodeRTF(f *testing.F) {
	f.Add([]byte(rtfFile))
	f.Fuzz(func(_ *testing.T, data []byte) { _, _ = RTF(data) })
}

func FuzzDecodeOpenDocument(f *testing.F) {
	f.Add(odsFile)
	f.Add(odtFile)
	f.Fuzz(func(_ *testing.T, data []byte) {
		_, _ = ODS(data)
		_, _ = ODT(data)
	})
}

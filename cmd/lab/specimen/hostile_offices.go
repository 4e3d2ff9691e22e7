package specimen

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"strings"
)

// offices are hostile files of the formats of older offices, of banks and of telephones.
func offices() []HostileFile {
	ended := []string{"corrupt", "unsupported_type", "too_large", "too_many_pages", "memory", Completed}
	refused := []string{"corrupt", "unsupported_type", "too_large", "timeout", "memory"}
	loop := make([]byte, 512*4)
	copy(loop, []byte{0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1})
	for at, v := range map[int]uint16{26: 3, 28: 0xfffe, 30: 9, 32: 6} {
		binary.LittleEndian.PutUint16(loop[at:], v)
	}
	for at := 512; at < 1024; at += 4 {
		binary.LittleEndian.PutUint32(loop[at:], 1) // every sector goes on in the first
	}
	binary.LittleEndian.PutUint32(loop[44:], 1)
	binary.LittleEndian.PutUint32(loop[48:], 1)
	photo := append([]byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"),
		bytes.Repeat([]byte("\x00\x00\x00\x20meta\x00\x00\x00\x00"), 4000)...)
	moving := append([]byte("\x00\x00\x00\x18ftypavif\x00\x00\x00\x00mif1avif"), bytes.Repeat([]byte{0xff}, 40_000)...)
	const camt = `<?xml version="1.0"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02">`
	laughs := `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "` + strings.Repeat("ha", 1000) + `"><!ENTITY b "` +
		strings.Repeat("&a;", 1000) + `">]>` +
		`<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><Stmt>&b;</Stmt></BkToCstmrStmt></Document>`
	return []HostileFile{
		{"nested.rtf", []byte(`{\rtf1 ` + strings.Repeat("{", 200_000)), refused, "groups within groups"},
		{"binary.rtf", []byte(`{\rtf1 {\bin2000000000 x}\u-99999999999999 \'zz \'`), ended, "lengths that lie"},
		{"loop.xls", loop, refused, "a table of sectors that loops"},
		{"half.doc", loop[:700], refused, "a compound file that breaks off"},
		{"meta.heic", photo, refused, "boxes without end"},
		{"noise.avif", moving, refused, "noise under the head of a photograph"},
		{"rows.ods", repeatedRows(), ended, "a million rows of a thousand cells in one line"},
		{"deep_camt.xml", []byte(camt + strings.Repeat("<a>", 100_000)), refused, "elements within elements"},
		{"laughs_camt.xml", []byte(laughs), refused, "entities that unfold"},
		{"tags.ofx", []byte("OFXHEADER:100\n\n<OFX><STMTRS>" + strings.Repeat("<STMTTRN><TRNAMT>1", 200_000)), ended,
			"entries without end"},
		{"accounts.ofx", []byte("OFXHEADER:100\n\n<OFX>" + strings.Repeat("<STMTRS><ACCTID>1", 50_000)), ended,
			"accounts without end"},
		{"goes_on.bai", []byte("01,a,b,240603,0600,1,80,,2/\n02,a,b,1,240602,2359,USD,2/\n03,1,USD\n" +
			strings.Repeat("88,D,99,1,1,1\n", 100_000)), ended, "a record that goes on"},
		{"field.sta", []byte(":20:X\n:25:1\n:28C:1\n:60F:C240630EUR1,\n:86:" + strings.Repeat("?20x\n", 200_000)),
			ended, "a field that goes on"},
	}
}

// repeatedRows is a workbook of LibreOffice that says how often a row stands.
func repeatedRows() []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, part := range [][2]string{{"mimetype", "application/vnd.oasis.opendocument.spreadsheet"}, {"content.xml",
		`<o:document-content xmlns:o="o" xmlns:t="t" xmlns:x="x"><t:table t:name="s">` +
			strings.Repeat(`<t:table-row t:number-rows-repeated="1048576"><t:table-cell t:number-columns-repeated="16384"><x:p>1</x:p></t:table-cell></t:table-row>`, 500) +
			`</t:table></o:document-content>`}} {
		w, _ := z.CreateHeader(&zip.FileHeader{Name: part[0], Method: zip.Store}) // a bytes.Buffer takes everything
		_, _ = w.Write([]byte(part[1]))
	}
	_ = z.Close()
	return b.Bytes()
}

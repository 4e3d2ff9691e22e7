package decode_test

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/xuri/excelize/v2"

	"github.com/dossierhq/dossier/pipelines/document/decode"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/refusal"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A title merged over all columns, and years each merged over an amount and its percentage.
func TestRead_mergedCells(t *testing.T) {
	book := excelize.NewFile()
	for cell, value := range map[string]any{
		"A1": "Profit and Loss", "B3": "Year ended December 31, 2023", "D3": "Year ended December 31, 2022",
		"A4": "Total revenue", "B4": 1000, "C4": "100%", "D4": 800, "E4": "100%",
		"A5": "Cost of goods sold", "B5": 400, "C5": "40%", "D5": 300, "E5": "38%",
		"A6": "Gross profit", "B6": 600, "C6": "60%", "D6": 500, "E6": "62%",
		"A7": "Net income", "B7": 600, "C7": "60%", "D7": 500, "E7": "62%",
	} {
		book.SetCellValue("Sheet1", cell, value)
	}
	for _, r := range [][2]string{{"A1", "E1"}, {"B3", "C3"}, {"D3", "E3"}} {
		if err := book.MergeCell("Sheet1", r[0], r[1]); err != nil {
			t.Fatal(err)
		}
	}
	buffer, err := book.WriteToBuffer()
	if err != nil {
		t.Fatal(err)
	}
	_, facts := readtest.Facts(t, buffer.Bytes())
	columns := facts["statements"].(map[string]any)["incomeStatement"].([]any)
	var got []any
	for _, c := range columns {
		column := c.(map[string]any)
		got = append(got, column["end"], column["values"].(map[string]any)["netRevenues"])
	}
	if diff := cmp.Diff([]any{"2023-12-31", "1000", "2022-12-31", "800"}, got); diff != "" {
		t.Errorf("columns (-want +got)\n%s", diff)
	}
}

// A form whose pages are drawn by a program of its own shows one that asks to wait; what was filled in is read.
func TestDecodePDF_xmlForm(t *testing.T) {
	datasets := `<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><form1><LegalName>Bluestem Cabinetry Inc.</LegalName><Empty/><TaxYear>2023</TaxYear></form1></xfa:data></xfa:datasets>`
	wait := "BT /F1 12 Tf 72 700 Td (Please wait... If this message is not eventually replaced, your viewer cannot show it.) Tj ET"
	stream := func(text string) string { return fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(text), text) }
	got := readtest.Must(t, documenttest.RawPDF("<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[]/XFA[(datasets) 6 0 R]>>>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>",
		stream(wait), "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>", stream(datasets)))
	if got.Refusal != nil {
		t.Fatal(got.Refusal)
	}
	d, err := text.DecodeTokens(got.Tokens)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, l := range text.Lines(d.Pages[0]) {
		lines = append(lines, l.Text())
	}
	if want := "Legal Name: Bluestem Cabinetry Inc.\nTax Year: 2023"; strings.Join(lines, "\n") != want {
		t.Errorf("read %q, want %q", lines, want)
	}
}

// A message is read with all it carries: its words once, in the plainest form, files whatever they are called, and messages
// that it forwards; damaged ones lose nothing else.
func TestDecodeMail(t *testing.T) {
	const head = "From: a@example.com\r\nTo: b@example.com\r\nSubject: papers\r\nMIME-Version: 1.0\r\n"
	mixed := func(parts ...string) string {
		return head + "Content-Type: multipart/mixed; boundary=mm\r\n\r\n--mm\r\n" + strings.Join(parts, "\r\n--mm\r\n") + "\r\n--mm--\r\n"
	}
	const words = "Content-Type: text/plain\r\n\r\nPlease find it attached."
	const page = "Content-Type: text/html\r\n\r\n<head><title>no</title><style>p{}</style></head><p>Dear\nBo,<p>see <b>below</b>&amp;more" +
		"<table><tr><td><p>Balance</p></td><td>12.50</td></tr></table>"
	const table = "Content-Type: text/csv\r\nContent-Disposition: attachment; filename=a.bin\r\nContent-Transfer-Encoding: base64\r\n\r\n" +
		"RGF0ZSxEZXNjcmlwdGlvbixBbW91bnQsQmFsYW5jZQowMS8wMi8yMDI0LFBheSwxMC4wMCwxMC4wMAo="
	const note = "Content-Type: text/plain; name=note.txt\r\n\r\nA letter as a file."
	alternative := "Content-Type: multipart/alternative; boundary=aa\r\n\r\n--aa\r\n" + words + "\r\n--aa\r\n" + page + "\r\n--aa--"
	blankFirst := "Content-Type: multipart/alternative; boundary=aa\r\n\r\n--aa\r\nContent-Type: text/plain\r\n\r\n \r\n--aa\r\n" + page + "\r\n--aa--"
	for _, c := range []struct {
		name, mail string
		want       []string // what each page says
	}{
		{"words and a table", mixed(words, table), []string{"Please find it attached.", "Date Description Amount Balance 01/02/2024 Pay 10.00 10.00"}},
		{"text as a file", mixed(words, note), []string{"Please find it attached.", "A letter as a file."}},
		{"HTML alone", head + page, []string{"Dear Bo, see below&more Balance 12.50"}},
		{"the same words twice", mixed(alternative, table), []string{"Please find it attached.", "Date Description Amount Balance 01/02/2024 Pay 10.00 10.00"}},
		{"plain words missing", mixed(blankFirst), []string{"Dear Bo, see below&more Balance 12.50"}},
		{"forwarded", mixed(words, "Content-Type: message/rfc822\r\n\r\n"+forwarded(head, "First words", table)), []string{"Please find it attached.", "First words", "Date Description Amount Balance 01/02/2024 Pay 10.00 10.00"}},
		{"forwarded as a file", mixed(words, "Content-Type: application/octet-stream; name=a.eml\r\n\r\n"+head+"\r\nInner words"), []string{"Please find it attached.", "Inner words"}},
		{"forwarded and damaged", mixed("Content-Type: message/rfc822\r\n\r\nno header\r\n\r\n", words), []string{"Please find it attached."}},
		{"a damaged file", mixed("Content-Type: application/pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nJVBERi0xLjQgbm8gbW9yZQ==", words), []string{"Please find it attached."}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := decode.Sniff([]byte(c.mail)); got != decode.MIMEMail {
				t.Fatalf("sniffed %s", got)
			}
			got := readtest.Must(t, []byte(c.mail))
			if got.Refusal != nil {
				t.Fatalf("refused: %+v", got.Refusal)
			}
			decoded, err := text.DecodeTokens(got.Tokens)
			if err != nil {
				t.Fatal(err)
			}
			var pages []string
			for _, p := range decoded.Pages {
				var said []string
				for _, token := range p.Tokens {
					said = append(said, token.Text)
				}
				pages = append(pages, strings.Join(said, " "))
			}
			if !slices.Equal(pages, c.want) {
				t.Errorf("read\n%q, want\n%q", pages, c.want)
			}
		})
	}
}

// forwarded is a message of words and a part, within another.
func forwarded(head, words, part string) string {
	return head + "Content-Type: multipart/mixed; boundary=inner\r\n\r\n--inner\r\nContent-Type: text/plain\r\n\r\n" + words + "\r\n--inner\r\n" + part + "\r\n--inner--\r\n"
}

// A message in which messages are nested without end is read as deep as is sensible, and no deeper.
func TestDecodeMail_nested(t *testing.T) {
	mail := "From: a@example.com\r\nTo: b@example.com\r\nSubject: in\r\n\r\ninnermost"
	for range 100 {
		mail = "From: a@example.com\r\nTo: b@example.com\r\nSubject: out\r\nContent-Type: message/rfc822\r\n\r\n" + mail
	}
	if got := readtest.Must(t, []byte(mail)); got.Refusal == nil || got.Refusal.Code != refusal.Corrupt {
		t.Errorf("read %+v", got)
	}
}

// Without tesseract a scan is refused, and says why.
func TestRead_withoutOCR(t *testing.T) {
	r, err := sandbox.NewReader(sandbox.Config{CacheDir: documenttest.Cache()})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 50, 50)), nil); err != nil {
		t.Fatal(err)
	}
	got, err := r.Read(t.Context(), &b)
	if err != nil {
		t.Fatal(err)
	}
	if got.Refusal == nil || got.Refusal.Code != refusal.OCRUnavailable {
		t.Errorf("got %+v", got.Refusal)
	}
}

package identity_test

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// withCode is a card whose picture has words and a code.
func withCode(code string, lines ...string) dossier.ReadDocument {
	p := documenttest.Page(lines...)
	for _, c := range text.CodeElements(code) {
		c.Page, c.X0, c.Y0, c.X1, c.Y1, c.Confidence, c.Method = 1, 20, 300, 500, 380, 1, text.MethodBarcode
		p.Codes = append(p.Codes, c)
	}
	return document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerImage, Pages: []text.Page{p}}).Documents[0]
}

// What the code says outranks the print, by every version of the standard, and its source says so.
func TestIdentity_coded(t *testing.T) {
	for name, c := range map[string]struct{ code, want string }{
		"version 10": {
			"@\n\x1e\rANSI 636023100002DL00410278ZO03190008DLDAQRT481902\nDCSHOLLOWAY\nDDEN\nDACMARTIN\nDDFN\nDADLEE\nDDGN\nDBD05022022\nDBB04171986\nDBA04172030\nDBC1\nDAG12 ELM STREET\nDAIDAYTON\nDAJOH\nDAK454020000  \nDCGUSA\rZOZOA01\r",
			"drivers_license RT481902 HOLLOWAY MARTIN LEE 1986-04-17 2022-05-02 2030-04-17 M OH USA 12 ELM STREET, DAYTON, OH 45402",
		},
		"version 1, all names in one, years first": {
			"@\n\x1e\rAAMVA6360230101DL00290192DLDAAHOLLOWAY,MARTIN,LEE\nDAG12 ELM STREET\nDAIDAYTON\nDAJOH\nDAK45402-1234\nDAQRT481902\nDBA20300417\nDBB19860417\nDBCM\nDBD20220502\nDBK123456789\r",
			"drivers_license RT481902 HOLLOWAY MARTIN LEE 1986-04-17 2022-05-02 2030-04-17 M OH USA 12 ELM STREET, DAYTON, OH 45402-1234",
		},
		"version 3, given names in one, in another order": {
			"@\r\n\x1e\rANSI 636014030001DL00310300DLDCGUSA\r\nDBB04171986\r\nDCTMARTIN,LEE\r\nDBA04172030\r\nDCSHOLLOWAY\r\nDBC2\r\nDBD05022022\r\nDAQD1234567\r\n",
			"drivers_license D1234567 HOLLOWAY MARTIN LEE 1986-04-17 2022-05-02 2030-04-17 F CA USA nil",
		},
		"identity card of Canada, years first": {
			"@\n\x1e\rANSI 636028080002ID00410278IDDAQ1234567\nDCSHOLLOWAY\nDACMARTIN\nDADNONE\nDBD20220502\nDBB19860417\nDBA20300417\nDBC9\nDCGCAN\n",
			"national_id 1234567 HOLLOWAY MARTIN 1986-04-17 2022-05-02 2030-04-17 X BC CAN nil",
		},
		"India until 2018": {
			`<PrintLetterBarcodeData uid="234123412346" name="Asha Devi Kulkarni" gender="F" house="4-83" vtc="Camp" dist="Pune" pc="411001" dob="07/05/1987"/>`,
			"national_id 2341 2341 2346 Kulkarni Asha Devi 1987-05-07 nil nil F nil IND 4-83, Camp, Pune, 411001",
		},
		"India, of whose name nobody knows the parts": {
			`<PrintLetterBarcodeData uid="xxxxxxxx2346" name="Ramesh S" gender="MALE" yob="1987"/>`,
			"national_id nil nil nil nil nil nil M nil IND nil",
		},
		"names cut short, impossible dates": {
			"@\n\x1e\rANSI 636023100002DL00410278DLDAQRT481902\nDCSHOLLOW\nDDET\nDACMARTIN\nDDFU\nDBD99999999\nDBB04171986\nDBA00000000\n",
			"drivers_license RT481902 nil MARTIN 1986-04-17 nil nil nil OH USA nil",
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := withCode(c.code, "ENDORSEMENTS|NONE", "RESTRICTIONS|NONE")
			f := d.Facts.Identity
			if f == nil {
				t.Fatalf("read as %s", d.DocType)
			}
			got := []string{string(d.DocType)}
			for _, v := range []*string{f.Number, f.LastName, f.FirstName, f.DateOfBirth, f.IssueDate, f.ExpiryDate, f.Sex, f.State, f.Country, f.Address} {
				got = append(got, documenttest.Shown(v))
			}
			if s := strings.Join(got, " "); s != c.want {
				t.Errorf("got  %s\nwant %s", s, c.want)
			}
			if s := d.Sources["/country"]; s.Method != text.MethodBarcode || s.Confidence != 1 {
				t.Errorf("source of the country: %+v", s)
			}
		})
	}
}

// The print and the code disagree: the code is right. What it does not say is read from the print.
func TestIdentity_codeOutranksPrint(t *testing.T) {
	d := withCode("@\n\x1e\rANSI 636023100002DL00410278DLDAQRT481902\nDCSHOLLOWAY\nDACMARTIN\nDBB04171986\nDBA04172030\n",
		"OHIO|DRIVER LICENSE", "4d DLN RT481982", "1 HOLL0WAY", "2 MARTIN", "8 12 ELM STREET", "DAYTON, OH 45402", "3 DOB 04/11/1986|4a ISS 05/02/2022", "4b EXP 04/17/2030")
	f := d.Facts.Identity
	if f == nil || documenttest.Shown(f.Number) != "RT481902" || documenttest.Shown(f.DateOfBirth) != "1986-04-17" ||
		documenttest.Shown(f.IssueDate) != "2022-05-02" || documenttest.Shown(f.LastName) != "HOLLOWAY" {
		t.Errorf("%+v", f)
	}
}

// Codes of other things, broken ones and huge ones are none of a card; no number of a person is kept of any.
func TestCardElements_hostile(t *testing.T) {
	for _, code := range []string{"", "ANSI 636023", "https://example.com/DLDAQ1", "@\n\x1e\rANSI 636023100002DL", strings.Repeat("ANSI 636023DLDAQ", 1), strings.Repeat("x", 5000) + "ANSI 636023DLDAQ1\nDCSA\nDACB\n"} {
		if got := text.CardElements(code); got != nil {
			t.Errorf("%.40q: %v", code, got)
		}
	}
	huge := "ANSI 636023100002DLDAQ" + strings.Repeat("1", 4000) + "\n" + strings.Repeat("DCSHOLLOWAY\nDACMARTIN\nDBB04171986\nDBK123456789\n", 300)
	for _, e := range text.CardElements(huge) {
		if len(e.Text) > 80 || e.Name == "DBK" || strings.Contains(e.Text, "123456789") {
			t.Errorf("kept %s %q", e.Name, e.Text)
		}
	}
	if n := len(text.CardElements(huge)); n != 5 {
		t.Errorf("%d elements", n)
	}
}

package other_test

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A quarterly return prints dollars and cents in boxes of their own, and the number of a line at both sides of it.
func TestFormLines_quarterly(t *testing.T) {
	lines := []string{"Form 941 for 2022:|Employer's QUARTERLY Federal Tax Return",
		"(Rev. June 2022)|Department of the Treasury",
		"2 Wages, tips, and other compensation", "3 Federal income tax withheld from wages, tips",
		"5e Total social security and Medicare taxes", "6 Total taxes before adjustments. Add lines 3, 5e, and 5f"}
	page := documenttest.Page(lines...)
	for i, amount := range [][3]string{{"2", "312,440", "18"}, {"3", "38,204", "77"}, {"5e", "47,803", "35"},
		{"6", "86,008", "12"}} {
		y := 20 + float64(i+2)*14
		for _, w := range []struct {
			text  string
			x, x1 float64
		}{{amount[0], 450, 458}, {amount[1], 500, 540}, {".", 543, 546}, {amount[2], 550, 562}} {
			page.Tokens = append(page.Tokens, text.Token{Page: 1, Text: w.text, X0: w.x, X1: w.x1, Y0: y, Y1: y + 10,
				Confidence: 1, Method: text.MethodText})
		}
	}
	d := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerText, Pages: []text.Page{page}}).Documents[0]
	for at, want := range map[string]string{"/wages": "312440.18", "/federalTaxWithheld": "38204.77",
		"/lines/2": "312440.18", "/lines/5e": "47803.35", "/lines/6": "86008.12", "/lines/5f": ""} {
		if got := document.FactAt(d.Facts, at); got != want {
			t.Errorf("%s = %q, want %q", at, got, want)
		}
	}
}

// In a picture, the boxes of an employer's number are read together as it happens, and the points of thousands may be
// commas; a number that was hard to read is left out.
func TestFormLines_quarterlyScan(t *testing.T) {
	for confidence, ein := range map[float64]string{0.95: "48-1207733", 0.67: ""} {
		page := documenttest.Page("Form 941 for 2023:|Employer's QUARTERLY Federal Tax Return", "Department of the Treasury",
			"Employer identification number (EIN) 4 8-120 7733|||Quarter of 2023", "Name (not your trade name)", "6 Total taxes before adjustments||6|17.224 . 40",
			"10 Total taxes after adjustments||10|17,224 . 40", "12 Total taxes after credits||12|17,224 . 40")
		page.Layer = text.LayerImage
		for i := range page.Tokens {
			page.Tokens[i].Method, page.Tokens[i].Confidence = text.MethodOCR, confidence
		}
		d := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerImage, Pages: []text.Page{page}}).Documents[0]
		for at, want := range map[string]string{"/ein": ein, "/lines/6": "17224.40"} {
			if got := document.FactAt(d.Facts, at); got != want {
				t.Errorf("read with %g: %s = %q, want %q", confidence, at, got, want)
			}
		}
	}
}

// An amount at the right edge of its box is the box's, and that of the box beside it is not.
func TestPayerLines_farFromCaption(t *testing.T) {
	d := readtest.Lines(t, "2021|Form 1099-R|Distributions From Pensions, Annuities", "OMB No. 1545-0119|Copy B",
		"PAYER'S TIN|1 Gross distribution||2a Taxable amount", "82-0199044||31,400.00|31,400.00",
		"RECIPIENT'S TIN|3 Capital gain||4 Federal income tax withheld", "518-22-6690|||3,140.00",
		"|5 Employee contributions||6 Net unrealized appreciation", "|||77.00")
	for at, want := range map[string]string{"/lines/1": "31400.00", "/lines/2a": "31400.00", "/lines/3": "",
		"/lines/4": "3140.00", "/lines/5": ""} {
		if got := document.FactAt(d.Facts, at); got != want {
			t.Errorf("%s = %q, want %q", at, got, want)
		}
	}
}

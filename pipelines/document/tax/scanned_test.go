package tax_test

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// scanned reads a page of lines as the words of a picture; "|" parts cells.
func scanned(lines ...string) dossier.ReadDocument {
	p := documenttest.Page(lines...)
	p.Layer = text.LayerImage
	for i := range p.Tokens {
		p.Tokens[i].Method, p.Tokens[i].Confidence = text.MethodOCR, 0.95
	}
	return document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerImage, Pages: []text.Page{p}}).Documents[0]
}

// What a low picture does to a return: letters of captions, commas, the mark before the total assets, boxes that rules
// seem to make; a row holds three lines, and only the last has a box.
func TestTaxReturn_scanned(t *testing.T) {
	doc := scanned("Form 1120-S|U.S. Income Tax Return for an S Corporation|OMB No. 1545-0123",
		"For calendar year 2024 or tax year beginning|, 2024, ending|2024",
		"Name|D Employer identifcation number", "PELICAN DRYDOCK INC|59-3318204",
		"Number, street|F Totaf assets (see instructions)", "4 QUAY ROAD|s|1.204,330",
		"1a Gross receipts or sales|612,408 b Less retums and allowances|3,110 c Balance|1c|609,298",
		"2 Cost of goods sold|2|204.115", "3 Gross profit. Subtract line 2 from line 1c|3|405.183",
		"4 Net gain (loss) from Form 4797|4", "5 Other income (loss)|5|1 250", "6 Total income (loss). Add lines 3 through 5|6|406,433",
		"7 Compensation of officers|7 ☒|90,000", "8 Saiaries and wages (less employment credits)|8|88.040",
		"9 Repairs and maintenance|9|4,006", "11 Rents|11|24,000")
	want := map[string]string{"/ein": "59-3318204", "/totalAssets": "1204330", "/grossReceipts": "612408",
		"/lines/1b": "3110", "/lines/1c": "609298", "/costOfGoodsSold": "204115", "/grossProfit": "405183",
		"/lines/5": "1250", "/officerCompensation": "90000", "/salariesWages": "88040", "/rent": "24000"}
	for at, v := range want {
		if got := document.FactAt(doc.Facts, at); got != v {
			t.Errorf("%s = %q, want %q", at, got, v)
		}
	}
}

// A picture misreads the captions of a head, shows marks that are none, and leaves of a figure what looks like cents.
func TestTaxReturn_scannedHead(t *testing.T) {
	person := []string{"Form 1040|U.S. Individual Income Tax Return|2021", "Department of the Treasury|OMB No. 1545-0074",
		"X Maried filing jointly|Single|X Head of household", "Your frst name and middte initial|tast name.|Your social security number",
		"MARTA|QUILLON|123-45-6789", "1 Wages, salaries, tips||1|41,200", "2b Taxable interest||2b|310",
		"3b Ordinary dividends||3b|1,115", "8 Other income from Schedule 1||8|2,000",
		"9 This is your total income||9|44,625",
		"11 This is your adjusted gross income||11|44.62"}
	doc := scanned(person...)
	want := map[string]string{"/taxpayer": "MARTA QUILLON", "/filingStatus": "", "/totalIncome": "44625",
		"/adjustedGrossIncome": "", "/lines/11": ""}
	for at, v := range want {
		if got := document.FactAt(doc.Facts, at); got != v {
			t.Errorf("%s = %q, want %q", at, got, v)
		}
	}
	person[2] = "Married filing jointly|Single|X Head of household"
	if got := document.FactAt(scanned(person...).Facts, "/filingStatus"); got != "head of household" {
		t.Errorf("one mark: status %q", got)
	}
	person[2] = "☒ Marrie fling jointly|Single|Head of household"
	if got := document.FactAt(scanned(person...).Facts, "/filingStatus"); got != "married filing jointly" {
		t.Errorf("caption that lost letters: status %q", got)
	}
	person[2] = "☒ Maied fng jntly|Single|Head of household"
	if got := document.FactAt(scanned(person...).Facts, "/filingStatus"); got != "" {
		t.Errorf("caption that lost too many letters: status %q", got)
	}

	doc = scanned("Form 1065|U.S. Return of Partnership Income|2019",
		"For calendar year 2019, or tax year.beginning 07/01 , 2019, ending 06/30 , 20 20",
		"A Principal|Name of partnershin|D Empiover identifcation number", "SERVICES|ELDERFIELD SOUND LLP|58-2290174",
		"1a Gross receipts or sales|1a|870,404")
	for at, v := range map[string]string{"/ein": "58-2290174", "/entityName": "ELDERFIELD SOUND LLP",
		"/periodStart": "2019-07-01", "/periodEnd": "2020-06-30"} {
		if got := document.FactAt(doc.Facts, at); got != v {
			t.Errorf("%s = %q, want %q", at, got, v)
		}
	}

	doc = scanned("Form 990|Return of Organization Exempt From Income Tax|2021", "Department of the Treasury|OMB No. 1545-0047",
		"C Name af organization ELDER VALLEY TRUST||D Employer identification number", "Doing business as||03-0341187")
	if got := document.FactAt(doc.Facts, "/entityName"); got != "ELDER VALLEY TRUST" {
		t.Errorf("name beside its caption: %q", got)
	}
}

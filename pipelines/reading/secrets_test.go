package reading

import (
	"context"
	"regexp"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/scripted"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// However a page prints a number of a person, or recognition reads it, nobody can put its figures together from the
// words that a model gets; numbers of businesses, amounts and days beside it stay.
func TestHidden(t *testing.T) {
	for name, tt := range map[string]struct {
		lines []string
		stays string
	}{
		"well read":                  {[]string{"SSN|212-09-9999"}, ""},
		"with blanks":                {[]string{"Social security number|212 09 9999"}, ""},
		"in boxes":                   {[]string{"Social security number|2 1 2 0 9 9 9 9 9"}, ""},
		"without caption":            {[]string{"Somebody|212-09-9999"}, "Somebody"},
		"misread":                    {[]string{"Somebody|2l2-O9-9999"}, "Somebody"},
		"misread as other letters":   {[]string{"Somebody|21Z-Q9-9999"}, "Somebody"},
		"misread in words":           {[]string{"Somebody|2l2 - O9 - 9999"}, ""},
		"misread beside a caption":   {[]string{"S0cial 5ecurity number|2I2_O9 999g", "Paid|412.07"}, "412.07"},
		"misread under a caption":    {[]string{"Your social security number", "2I2O9 99g9"}, ""},
		"over two lines":             {[]string{"whose number is 212-09-", "9999 and who owes 412.07"}, "412.07"},
		"over two lines, one dash":   {[]string{"whose number is 212-", "09-9999 and who owes 412.07"}, "412.07"},
		"over two lines of a cell":   {[]string{"Holder|212-09-|Paid 412.07", "Jane|9999|on 03/31/2024"}, "412.07"},
		"over two lines, by caption": {[]string{"whose social security number is 212-09", "9999 and who owes 412.07"}, "412.07"},
		"in a table":                 {[]string{"Name|SSN|Wages", "Jane|212-09-9999|412.07", "Joe|212 09 9999|412.08"}, "412.08"},
		"beside an employer's":       {[]string{"Social security number|212-09-9999", "12-3456789"}, "12-3456789"},
		"beside a day":               {[]string{"Social security number|212-09-9999", "03/31/2024"}, "03/31/2024"},
	} {
		t.Run(name, func(t *testing.T) {
			for method, page := range map[string]text.Page{"print": documenttest.Page(tt.lines...), "picture": scanned(tt.lines...)} {
				words := strings.Join(document.TextOf(withoutSSNs([]text.Page{page}))[0].Lines, "\n")
				figures := regexp.MustCompile(`\D+`).ReplaceAllString(figuresOf(words), "")
				if strings.Contains(figures, "212099") || strings.Contains(words, "9-9999") || strings.Contains(words, "9 9999") || !strings.Contains(words, tt.stays) {
					t.Errorf("%s: %q", method, words)
				}
			}
		})
	}
}

// What is no number of a person stays as it is printed: a perfect model needs it.
func TestHidden_keeps(t *testing.T) {
	for _, line := range []string{"Account number|212099999", "Routing|021000021", "EIN|12-3456789", "Phone|(212) 555-0123", "Phone 212-555-0123",
		"Balance|1,212.09|9,999.00", "03/01/2024 - 03/31/2024", "ZIP 10001-1234", "Paid 123-", "Part ABC-12-3456", "Flight 2024-AB-1234", "Identification number|212 099 999", "Fees 1,212-"} {
		page := documenttest.Page(line, "2024 was a year, 9999 was none")
		before := strings.Join(document.TextOf([]text.Page{page})[0].Lines, "\n")
		if after := strings.Join(document.TextOf(withoutSSNs([]text.Page{page}))[0].Lines, "\n"); after != before {
			t.Errorf("%q became %q", before, after)
		}
	}
}

// What a model names, the rules of that type read first; the model is asked for the rest.
func TestFill_named(t *testing.T) {
	lines := []string{"Riverbank Thrift", "Account statement", "Held for|JANE Q PUBLIC", "Opening balance|1,000.00", "Money that came in|500.00", "Left over|1,500.00"}
	page := documenttest.Page(lines...)
	facts := map[string]string{scripted.TypeOf: "bank_statement", scripted.TitleOf: "Account statement", "/openingBalance": "1000.00", "/closingBalance": "1500.00"}
	other := dossier.Extraction{Documents: []dossier.ReadDocument{document.Named(dossier.DocOther, [2]int{1, 1}, 0.5)}}
	for _, rules := range []bool{true, false} {
		s := scripted.New(scripted.Right, facts)
		r := readerOf(t, s)
		if rules {
			r.Named = readAgain(page)
		}
		got, changed := r.Fill(t.Context(), other, []text.Page{page}).Apply(other)
		d := got.Documents[0]
		if !changed || d.DocType != dossier.DocBankStatement || d.Confidence > maxConfidence || document.FactAt(d.Facts, "/openingBalance") != "1000.00" ||
			document.FactAt(d.Facts, "/closingBalance") != "1500.00" || !strings.Contains(strings.Join(d.Evidence, " "), "a language model calls it so") {
			t.Errorf("rules %t: %+v", rules, d)
		}
		method := map[bool]string{true: text.MethodText, false: "model"}[rules]
		if d.Sources["/openingBalance"].Method != method || d.Sources["/closingBalance"].Method != "model" {
			t.Errorf("rules %t: sources %+v", rules, d.Sources)
		}
	}
}

// readAgain are the rules on a page of which somebody says what it is.
func readAgain(page text.Page) func(context.Context, []dossier.DocumentPart) (*dossier.Extraction, error) {
	return func(_ context.Context, parts []dossier.DocumentPart) (*dossier.Extraction, error) {
		e := document.ExtractParts(text.Decoded{PageCount: 1, Layer: text.LayerText, Pages: []text.Page{page}}, parts)
		return &e, nil
	}
}

package other

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A caption that OCR garbled is that of the box its letters are most like, and of none where two are as like.
func TestBoxCaption_garbled(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{
		"1 Wages, tips, other compensation":       "wages",
		"1 Wges, tps, oher compensaton":           "wages",
		"2 Federal income tax withheld":           "federalTaxWithheld",
		"2 Fderal incme tax wthheld":              "federalTaxWithheld",
		"3 Social security wages":                 "", // known in order not to be taken for another
		"b Employer identification number":        "ein",
		"c Employer's name, address and ZIP code": "employer",
		"51,220.18":                       "",
		"Rosa Quill":                      "",
		"":                                "",
		strings.Repeat("wages tips ", 30): "",
	} {
		if got := boxCaption(printed, wageBoxes); got != want {
			t.Errorf("%q: %q, want %q", printed, got, want)
		}
	}
	if boxesOf("1099-NEC") == nil || boxesOf("W-9") == nil || boxesOf("1040") != nil {
		t.Error("forms have boxes that they have not, or none that they have")
	}
	if likeness("", "wages") != 0 || likeness("wages", "wages") != 1 || likeness("ages", "wages") <= 0 ||
		likeness("xages", "wages") != 0 {
		t.Error("how like two texts are")
	}
}

// What a box holds looks like what belongs into it.
func TestAcceptBox(t *testing.T) {
	t.Parallel()
	s := text.Segment{Form: "W-2"}
	for _, c := range []struct{ fact, printed, want string }{
		{"ssn", "123-45-6789", "123-45-6789"}, {"ssn", "12-3456789", ""},
		{"ein", "12-3456789", "12-3456789"}, {"ein", "123-45-6789", ""},
		{"wages", "51,220.18", "51220.18"}, {"wages", "51220", "51220"}, {"wages", "5.0%", ""}, {"wages", "12", ""},
		{"employee", "ROSA QUILL", "ROSA QUILL"}, {"employee", "QUILL PRESS LLC", ""}, {"employee", "SPRINGFIELD, IL 62701", ""},
		{"employer", "QUILL PRESS LLC", "QUILL PRESS LLC"}, {"employer", "SPRINGFIELD, IL 62701", ""}, {"employer", "Employee's name, address and ZIP code", ""},
	} {
		got, _, ok := acceptBox(s, c.fact)(documenttest.Line(c.printed).Tokens)
		if !ok {
			got = ""
		}
		if got != c.want {
			t.Errorf("%s of %q: %q, want %q", c.fact, c.printed, got, c.want)
		}
	}
}

// OCR reads the hyphen of an employer's number as a blank, as another dash, or not at all; of a text layer it is exact.
func TestAcceptEIN(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		printed, method string
		confidence      float64
		want            string
	}{
		{"12-3456789", text.MethodText, 1, "12-3456789"}, {"12 3456789", text.MethodText, 1, ""}, {"123456789", text.MethodText, 1, ""},
		{"12 3456789", text.MethodOCR, 0.9, "12-3456789"}, {"12—3456789", text.MethodOCR, 0.9, "12-3456789"}, {"[123456789]", text.MethodOCR, 0.9, "12-3456789"},
		{"12-3456789", text.MethodOCR, 0.5, ""}, {"12-345678", text.MethodOCR, 0.9, ""},
	} {
		tokens := documenttest.Line(c.printed).Tokens
		for i := range tokens {
			tokens[i].Method, tokens[i].Confidence = c.method, c.confidence
		}
		got, _, ok := acceptEIN(tokens)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%q by %s: %q, %v, want %q", c.printed, c.method, got, ok, c.want)
		}
	}
}

// The last figure of a row is its amount or its count; the number of a line, a dash and a percentage are none.
func TestEndOfRow(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		printed string
		whole   bool
		want    string
	}{{". . 2 51,220.18", false, "51220.18"}, {". . 51220", false, "51220"}, {". . 2", false, ""}, {"12.5%", false, ""}, {"—", false, ""}, {"51,220.18 more", false, ""},
		{". . 12", true, "12"}, {". . 12.50", true, ""}, {". . -12", true, ""}, {"none", true, ""}} {
		got, _, ok := endOfRow(text.DotDecimal, c.whole)(documenttest.Line(c.printed).Tokens)
		if got != c.want || ok != (c.want != "") {
			t.Errorf("%q: %q, want %q", c.printed, got, c.want)
		}
	}
}

// What a caption goes on with is the day that an amount is due, and then the amount.
func TestBehindDay(t *testing.T) {
	t.Parallel()
	for printed, want := range map[string]string{"by March 1, 2024 $5.00": "$5.00", "March 1 $5.00": "$5.00", "Dec 08 $5.00": "$5.00", "03/01/2024 $5.00": "$5.00",
		"3/1 $5.00": "3/1 $5.00", "$5.00": "$5.00", "by": "by", "by 03/01/2024": "by 03/01/2024", "on 3/1 $5.00": "$5.00"} {
		if got := text.Join(afterDate(documenttest.Line(printed).Tokens, text.MonthFirst)); got != want {
			t.Errorf("%q: %q, want %q", printed, got, want)
		}
	}
}

// The payer of a form stands above its street and its town, right below one another; a recipient between captions.
func TestSenderBlock(t *testing.T) {
	t.Parallel()
	accept := text.AcceptText(8, looksLikeTitle)
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"a payer":          {[]string{"PAYER'S name", "Quill Press LLC", "12 Orchard Lane", "Springfield, IL 62701"}, "Quill Press LLC"},
		"a box":            {[]string{"Quill Press LLC", "P.O. Box 12", "Springfield IL 62701"}, "Quill Press LLC"},
		"captions between": {[]string{"Rosa Quill", "Street address", "12 Orchard Lane", "City or town", "Springfield, IL 62701"}, ""},
		"no town":          {[]string{"Quill Press LLC", "12 Orchard Lane", "Springfield"}, ""},
	} {
		v, ok := senderBlock(text.NewFieldFinder(text.Lines(documenttest.Page(c.lines...))), accept)
		if v.text != c.want || ok != (c.want != "") {
			t.Errorf("%s: %q, want %q", name, v.text, c.want)
		}
	}
	if got := mostCommon([]boxValue{{text: "a"}, {text: "b"}, {text: "b"}}); got.text != "b" {
		t.Errorf("most agree on %q", got.text)
	}
	if got := mostCommon([]boxValue{{text: "a"}, {text: "b"}}); got.text != "a" {
		t.Errorf("of equals %q", got.text)
	}
}

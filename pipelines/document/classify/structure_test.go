package classify

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A machine readable zone speaks for what its code says; a valid one for more, and a visa's against a passport.
func TestWeighZone(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		zone text.MRZ
		want string
	}{
		"a passport":       {text.MRZ{Code: "P", Lines: []string{"P<UTO"}}, "passport 5"},
		"a valid one":      {text.MRZ{Code: "P", Valid: true, Lines: []string{"P<UTO"}}, "passport 9"},
		"its first lost":   {text.MRZ{Format: "TD3", Valid: true, Lines: []string{""}}, "passport 9"},
		"a visa":           {text.MRZ{Code: "V", Valid: true, Lines: []string{"V<UTO"}}, "passport -12"},
		"of residence":     {text.MRZ{Code: "C", Issuer: "USA", Lines: []string{"C1USA"}}, "residence_permit 5"},
		"of Europe":        {text.MRZ{Code: "I", Issuer: "D", Valid: true, Lines: []string{"IRD<<"}}, "residence_permit 9"},
		"an identity card": {text.MRZ{Code: "I", Issuer: "D", Valid: true, Lines: []string{"IDD<<"}}, "national_id 9"},
		"another":          {text.MRZ{Code: "X", Lines: []string{"X"}}, ""},
	} {
		var got []string
		weighZone(c.zone, text.Page{Number: 1}, func(kind dossier.DocType, weight float64, _ string, _ ...any) {
			got = append(got, fmt.Sprint(kind, " ", weight))
		})
		if all := strings.Join(got, ", "); all != c.want {
			t.Errorf("%s: %s, want %s", name, all, c.want)
		}
	}
}

// A card's code says what the card is, unless the card is pictured among the words of another paper.
func TestWeighCodes(t *testing.T) {
	t.Parallel()
	code := func(kind string, words int) text.Page {
		return text.Page{Number: 1, Tokens: make([]text.Token, words), Codes: []text.Coded{{Name: text.CodedIssuer, Token: text.Token{Text: "636001"}},
			{Name: text.CodedKind, Token: text.Token{Text: kind}}}}
	}
	for name, c := range map[string]struct {
		page text.Page
		want string
	}{"a licence": {code("DL", 20), "drivers_license"}, "an identity card": {code("ID", 20), "national_id"}, "within a letter": {code("DL", mostCardWords+1), ""},
		"no code": {text.Page{}, ""}} {
		got := ""
		weighCodes(c.page, func(kind dossier.DocType, _ float64, _ string, _ ...any) { got += string(kind) })
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// A page of prose is none of what it speaks of, but for agreements that say what they are and forms of the tax office.
func TestWeighProse(t *testing.T) {
	t.Parallel()
	line := "we write to you of the balance of your account and statement"
	prose := []string{line, line, line, line, line, line}
	for name, c := range map[string]struct {
		lines                   []string
		statement, lease, taxes float64
	}{
		"prose":                 {prose, 2, 2, 10},
		"a lease":               {append([]string{"Lease Agreement"}, prose...), 2, 10, 10},
		"a sentence on a lease": {append([]string{"This is a lease."}, prose...), 2, 2, 10},
		"few lines":             {prose[:4], 10, 10, 10},
		"with figures":          {append([]string{"Fee|$1.00", "Fee|$2.00", "Fee|$3.00", "Fee|$4.00"}, prose...), 10, 10, 10},
		"in columns":            {[]string{"a|b|c", "a|b|c", "a|b|c", "a|b|c", "a|b|c", "a|b|c"}, 10, 10, 10},
	} {
		scores := map[dossier.DocType]float64{dossier.DocBankStatement: 10, dossier.DocLease: 10, dossier.DocTaxReturn: 10}
		weighProse(text.Lines(documenttest.Page(c.lines...)), scores)
		if scores[dossier.DocBankStatement] != c.statement || scores[dossier.DocLease] != c.lease || scores[dossier.DocTaxReturn] != c.taxes {
			t.Errorf("%s: %v", name, scores)
		}
	}
}

// The year of a form is the one it is about: not that of its revision, of a street's number, or one of several boxes.
func TestYearOfTax(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		form         taxForm
		folded, head string
		want         int
	}{
		"in its head":         {taxForm{name: "1040", docType: dossier.DocTaxReturn}, "", "form 1040 2023", 2023},
		"the most printed":    {taxForm{name: "1120", docType: dossier.DocTaxReturn}, "", "2024 form 1120 for calendar year 2023 2023", 2023},
		"parted":              {taxForm{name: "1040", docType: dossier.DocTaxReturn}, "", "form 1040 20 23 \n", 2023},
		"of the revision":     {taxForm{name: "1120", docType: dossier.DocTaxReturn}, "", "form 1120 rev january 2024", 0},
		"of a street":         {taxForm{name: "1120", docType: dossier.DocTaxReturn}, "", "form 1120 \n 2024 mill road", 0},
		"a transcript's":      {taxForm{name: "Transcript", docType: dossier.DocTaxFormOther}, "request date 2024 tax period requested december 31 2022", "2024", 2022},
		"a small form's":      {taxForm{name: "W-2", docType: dossier.DocTaxFormOther}, "wage and tax statement 2023", "", 2023},
		"boxes of an amended": {taxForm{name: "1040-X", docType: dossier.DocTaxReturn}, "", "2023 2022 2021", 0},
		"no year":             {taxForm{name: "1040", docType: dossier.DocTaxReturn}, "2023", "form 1040", 0},
	} {
		if got := yearOfTax(c.form, c.folded, c.head); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	for name, want := range map[string]string{"1040 Schedule C": "1040", "1040-SR": "1040", "1040-NR": "1040", "1120-S": "1120-S"} {
		if got := baseForm(name); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	for _, c := range []struct {
		first, next string
		want        bool
	}{{"1040", "1040 Schedule C", true}, {"1040-SR", "1040 Schedule C", true}, {"1040", "1040", true}, {"1040", "1120", false}, {"1120", "1040 Schedule C", false}, {"1040 Schedule C", "1040", false}} {
		if got := sameReturn(c.first, c.next); got != c.want {
			t.Errorf("%s after %s: %v", c.next, c.first, got)
		}
	}
}

// A page after a form's first names the form at its head; a sentence that names one does not.
func TestLaterPage(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]string{
		"form 1040 2020 page 2":                                "1040",
		"form 1120 s 2022 \n page 5":                           "1120-S",
		"form 1120s 2022 page 3":                               "1120-S",
		"schedule c 1040 2023 page 2":                          "1040 Schedule C",
		"form 1040":                                            "",
		"we have prepared the enclosed form 1040 2020 for you": "",
		"a letter": "",
	} {
		f, ok := laterPage(head, head)
		if f.name != want || ok != (want != "") {
			t.Errorf("%q: %q, want %q", head, f.name, want)
		}
	}
}

// What an accountant or the tax office prints around a return is not the return, and a state's is none of the country's.
func TestTaxAside(t *testing.T) {
	t.Parallel()
	for head, want := range map[string]bool{"tax return comparison \n 2022 2023": true, "filing instructions": true, "dear client": true, "notice cp 2000": true,
		"form 8879": true, "form 1040 u s individual income tax return": false, "form 2023": false, "form 1120 s": false,
		"enter the amount from your capital loss carryover worksheet": false} {
		if got := isTaxAside(head); got != want {
			t.Errorf("%q: %v, want %v", head, got, want)
		}
	}
	for printed, want := range map[string]bool{"Form CA-1040": true, "Department of Revenue|Individual Income Tax Return": true,
		"Department of the Treasury - Internal Revenue Service|U.S. Individual Income Tax Return": false, "Comptroller of Ohio": false, "Hello": false} {
		lines := text.Lines(documenttest.Page(printed))
		if got := isStateReturn(lines, foldedLines(lines)); got != want {
			t.Errorf("%q: %v, want %v", printed, got, want)
		}
	}
}

// A person's word on which pages are what is the last one; a part without a type is what its pages say.
func TestParts(t *testing.T) {
	t.Parallel()
	first, second := documenttest.Page(strings.Split(documenttest.PlainStatement, "\n")...), documenttest.Page("Hello")
	second.Number = 2
	d := text.Decoded{PageCount: 2, Layer: text.LayerText, Pages: []text.Page{first, second}}
	found := Parts(d, []dossier.DocumentPart{{Pages: [2]int{2, 2}, DocType: dossier.DocLease}, {Pages: [2]int{1, 1}}, {Pages: [2]int{7, 9}}})
	if len(found) != 3 {
		t.Fatalf("%d parts", len(found))
	}
	if p := found[0]; p.Segment.Type != dossier.DocLease || p.Confidence != 1 || len(p.Segment.Pages) != 1 || p.Segment.Pages[0].Number != 2 {
		t.Errorf("what a person said: %+v", p)
	}
	if p := found[1]; p.Segment.Type != dossier.DocBankStatement || len(p.Evidence) == 0 {
		t.Errorf("what its page says: %s", p.Segment.Type)
	}
	if p := found[2]; p.Segment.Type != dossier.DocOther || p.Segment.Pages[0].Number != 7 {
		t.Errorf("pages that are not there: %+v", p)
	}
	if got := Parts(d, nil); len(got) != 0 {
		t.Errorf("of no parts %d", len(got))
	}
}

package text_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// However a person's number is printed, it leaves a page only as its last four figures; what is no such number stays. A
// second reading of the words that are kept says the same as the first.
func TestHideSecrets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines []string
		shown string // what stands in the words afterwards
	}{
		"with dashes":         {[]string{"a Employee's social security number", "123-45-6789"}, "***-**-6789"},
		"in three words":      {[]string{"Your social security number", "123 45 6789"}, "*** ** 6789"},
		"in boxes":            {[]string{"Social security number", "1 2 3 4 5 6 7 8 9"}, "* * * * * 6 7 8 9"},
		"bare":                {[]string{"SSN 123456789"}, "***-**-6789"},
		"a table of children": {[]string{"Dependents social security number", "Ann 123456789", "Bob 234567891"}, "***-**-7891"},
		"an ITIN":             {[]string{"Taxpayer identification number", "912-70-1234"}, "***-**-1234"},
		"hidden in part":      {[]string{"Social security number XXX-XX-6789"}, "***-**-6789"},
		"without a caption":   {[]string{"123-45-6789"}, "***-**-6789"},
		"an EIN":              {[]string{"Employer identification number 12-3456789"}, "12-3456789"},
		"a routing number":    {[]string{"Social security number", "Routing number 021000021"}, "021000021"},
		"amounts":             {[]string{"Wages 123 45 6789"}, "123 45 6789"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := text.Decoded{PageCount: 1, Layer: text.LayerText, Pages: []text.Page{documenttest.Page(c.lines...)}}
			e := document.Extract(d)
			text.HideSecrets(&d, &e)
			var words []string
			for _, token := range d.Pages[0].Tokens {
				words = append(words, token.Text)
			}
			if all := strings.Join(words, " "); !strings.Contains(all, c.shown) || strings.Contains(all, "12345") || strings.Contains(all, "123-45") {
				t.Errorf("the words are %q, want %q in them", all, c.shown)
			}
			again := document.Extract(d)
			text.HideSecrets(&d, &again)
			if first, second := jsonOf(t, e), jsonOf(t, again); first != second {
				t.Errorf("read again:\n%s\n%s", first, second)
			}
		})
	}
}

// A number that only a reader knew for one goes from its fact, from where it stands, and from all that was written of it.
func TestHideSecrets_of_facts(t *testing.T) {
	t.Parallel()
	number := "123456789"
	e := dossier.Extraction{Documents: []dossier.ReadDocument{{Facts: dossier.Facts{Tax: &dossier.TaxFacts{SSN: &number}},
		Sources: map[string]dossier.Source{"/ssn": {Text: "1 2 3 4 5 6 7 8 9", Caption: "SSN"}}, Evidence: []string{"says 123456789"},
		Warnings: []dossier.FactWarning{{Detail: "123456789 is printed twice"}}}, {Facts: dossier.Facts{Other: map[string]any{"ssn": "987-65-4321", "deep": []any{"987-65-4321"}}}}}}
	text.HideSecrets(&text.Decoded{}, &e)
	all := jsonOf(t, e)
	for _, left := range []string{"123456789", "1 2 3 4", "987-65"} {
		if strings.Contains(all, left) {
			t.Errorf("%q is left: %s", left, all)
		}
	}
	if *e.Documents[0].Facts.Tax.SSN != "***-**-6789" || e.Documents[1].Facts.Other["ssn"] != "***-**-4321" {
		t.Error(all)
	}
}

func jsonOf(t *testing.T, v any) string {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

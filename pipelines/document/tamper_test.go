package document

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
)

func TestFileWarnings(t *testing.T) {
	long := page(strings.Repeat("a line of words that is long ", 10))
	again := long
	again.Number = 2
	tests := []struct {
		name string
		file Decoded
		want string
	}{
		{"editor", Decoded{Metadata: Metadata{Producer: "Adobe Photoshop 24"}, Pages: []Page{long}}, "Photoshop"},
		{"revised", Decoded{Metadata: Metadata{Created: "D:2024", Modified: "D:2025", Revisions: 1}, Pages: []Page{long}}, "changed after"},
		{"amount replaced", Decoded{Metadata: Metadata{Changed: []string{"1.00 became 9.00 on page 1"}}, Pages: []Page{long}}, "1.00 became 9.00"},
		{"fonts mixed", Decoded{Metadata: Metadata{MixedFonts: []string{"9.00 on page 1"}}, Pages: []Page{long}}, "several fonts"},
		{"page twice", Decoded{Pages: []Page{long, again}}, "repeats page 1"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := fileWarnings(tt.file, tt.file.Pages, 1)
			if len(got) != 1 || got[0].Code != "possible_tampering" || !strings.Contains(got[0].Detail, tt.want) {
				t.Errorf("got %+v", got)
			}
		})
	}
	if got := fileWarnings(Decoded{Pages: []Page{long}}, []Page{long}, 1); len(got) != 0 {
		t.Errorf("an honest file: %+v", got)
	}
}

func TestLateWarning(t *testing.T) {
	end := "2025-01-31"
	doc := dossier.ReadDocument{Facts: dossier.Facts{Bank: &dossier.BankFacts{PeriodEnd: &end}}}
	for stamp, want := range map[string]string{"D:20250203120000Z": "", "D:20250601": "", "D:20260301093000+01'00'": "394 days after", "": "", "yesterday": ""} {
		got := lateWarning(Metadata{Created: stamp}, doc)
		if (len(got) == 1) != (want != "") || want != "" && !strings.Contains(got[0].Detail, want) {
			t.Errorf("%q: %+v, want %q", stamp, got, want)
		}
	}
	if got := lateWarning(Metadata{Modified: "D:20260301"}, doc); len(got) != 1 || !strings.Contains(got[0].Detail, "changed") {
		t.Errorf("changed late: %+v", got)
	}
}

// A PDF of one page: content stream 4, fonts F1 and F2.
func statementPDF(content string) string {
	return "%PDF-1.4\n1 0 obj\n<</Type/Catalog/Pages 2 0 R>>\nendobj\n2 0 obj\n<</Type/Pages/Kids[3 0 R]/Count 1>>\nendobj\n" +
		"3 0 obj\n<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>/F2<</Type/Font/Subtype/Type1/BaseFont/Courier>>>>>>>>\nendobj\n" +
		contentObject(content) + "trailer\n<</Root 1 0 R/Size 5>>\n%%EOF\n"
}

func contentObject(content string) string {
	return fmt.Sprintf("4 0 obj\n<</Length %d>>\nstream\n%s\nendstream\nendobj\n", len(content), content)
}

func tamperingIn(t *testing.T, pdf string) string {
	t.Helper()
	got := mustRead(t, []byte(pdf))
	if got.Refusal != nil {
		t.Fatalf("%+v", got.Refusal)
	}
	var details []string
	for _, w := range got.Extraction.Documents[0].Warnings {
		if w.Code == "possible_tampering" {
			details = append(details, w.Detail)
		}
	}
	return strings.Join(details, " ")
}

func TestTampering_inPDF(t *testing.T) {
	honest := "BT /F1 12 Tf 72 700 Td (A statement of account for somebody) Tj 0 -20 Td (Ending balance 1,234.56) Tj ET"
	if got := tamperingIn(t, statementPDF(honest)); got != "" {
		t.Errorf("an honest file: %s", got)
	}
	mixed := "BT /F1 12 Tf 72 700 Td (A statement of account for somebody) Tj 0 -20 Td (Ending balance 1,2) Tj /F2 12 Tf (9) Tj /F1 12 Tf (4.56) Tj ET"
	if got := tamperingIn(t, statementPDF(mixed)); !strings.Contains(got, "several fonts") {
		t.Errorf("an amount in two fonts: %q", got)
	}
	edited := statementPDF(honest) + contentObject(strings.ReplaceAll(honest, "1,234.56", "9,234.56")) + "trailer\n<</Root 1 0 R/Size 5>>\n%%EOF\n"
	if got := tamperingIn(t, edited); !strings.Contains(got, "1,234.56 became 9,234.56 on page 1") {
		t.Errorf("an amount replaced in a later revision: %q", got)
	}
	added := statementPDF(honest) + contentObject(strings.ReplaceAll(honest, "ET", "0 -20 Td (Signed 17.00) Tj ET")) + "trailer\n<</Root 1 0 R/Size 5>>\n%%EOF\n"
	if got := tamperingIn(t, added); strings.Contains(got, "became") {
		t.Errorf("a later revision that only adds: %q", got)
	}
}

package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

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
	got := readtest.Must(t, []byte(pdf))
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

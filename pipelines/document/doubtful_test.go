package document_test

import (
	"slices"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A fact of a photograph that was read with little confidence is left out and named.
func TestExtract_doubtfulFacts(t *testing.T) {
	for confidence, want := range map[float64]any{0.95: "1263.84", 0.4: nil} {
		p := documenttest.Page("EARNINGS STATEMENT", "Employee name|Pay date", "Marguerite Oakshott|02/23/2024",
			"Gross pay|1,481.25", "Net pay|1,263.84")
		p.Layer = text.LayerScanned
		for i := range p.Tokens {
			p.Tokens[i].Method, p.Tokens[i].Confidence = text.MethodOCR, 0.95
			if p.Tokens[i].Text == "1,263.84" {
				p.Tokens[i].Confidence = confidence
			}
		}
		doc := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerScanned, Pages: []text.Page{p}}).Documents[0]
		if got := doc.Facts.Other["netPay"]; got != want {
			t.Errorf("read with %.2f: net pay %v, want %v", confidence, got, want)
		}
		warned := slices.ContainsFunc(doc.Warnings, func(w dossier.FactWarning) bool {
			return w.Code == "low_confidence" && w.Detail == "Hard to read, and left out: netPay."
		})
		if warned != (want == nil) {
			t.Errorf("read with %.2f: warnings %v", confidence, doc.Warnings)
		}
		if _, sourced := doc.Sources["/netPay"]; sourced != (want != nil) {
			t.Errorf("read with %.2f: the source of the net pay is there: %v", confidence, sourced)
		}
	}
}

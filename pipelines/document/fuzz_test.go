package document_test

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

func FuzzLines(f *testing.F) {
	f.Add("Beginning balance|$1.00", "03/04|PAYROLL|5.00|6.00", "Ending balance|6.00")
	f.Fuzz(func(t *testing.T, a, b, c string) {
		if len(a)+len(b)+len(c) > 2000 {
			return
		}
		e := document.Extract(text.Decoded{PageCount: 1, Layer: text.LayerText, Pages: []text.Page{documenttest.Page(a, b, c)}})
		if len(e.Documents) == 0 {
			t.Error("a readable file has at least one document")
		}
	})
}

package document

import (
	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/doctype"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/llm"
)

// TextOf is the printed text of pages, a line a row: what a language model is shown.
func TextOf(pages []text.Page) llm.Text {
	var str llm.Text
	for _, p := range pages {
		page := llm.Page{Number: p.Number}
		for _, l := range text.Lines(p) {
			page.Lines = append(page.Lines, l.Text())
		}
		str = append(str, page)
	}
	return str
}

// Named is a document of a type that is given, on its pages, without facts.
func Named(t dossier.DocType, pages [2]int, confidence float64) dossier.ReadDocument {
	d := dossier.ReadDocument{DocType: t, FieldType: doctype.Of(t).Item, Pages: pages, Confidence: confidence}
	d.Facts = dossier.NoFacts(t)
	fillEmpty(&d)
	return d
}

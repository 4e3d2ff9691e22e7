package document

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/llm"
)

// Confirm has a language model look at the facts that OCR read with little confidence. It can only add: evidence where
// the model copies the same value from the printed text, a warning where it copies another one. No fact changes.
// scope is the workspace. Where the model is off or gives no answer, nothing happens.
func Confirm(ctx context.Context, model *llm.Model, scope string, e *dossier.Extraction, pages []text.Page) {
	if model == nil || e == nil {
		return
	}
	asked := 0
	for i := range e.Documents {
		d := &e.Documents[i]
		for _, at := range doubtfulFacts(*d) {
			if asked++; asked > maxConfirmed || ctx.Err() != nil {
				return
			}
			confirmFact(ctx, model, scope, d, at, pages)
		}
	}
}

// maxConfirmed caps the questions about one file.
const maxConfirmed = 8

// doubtfulFacts are the pointers of facts that were hard to read, in order. Entries of a list are too many to ask for.
func doubtfulFacts(d dossier.ReadDocument) []string {
	var doubtful []string
	for at, src := range d.Sources {
		if src.Method == text.MethodOCR && src.Confidence < text.Surely && !strings.HasPrefix(at, "/entries/") && FactAt(d.Facts, at) != "" {
			doubtful = append(doubtful, at)
		}
	}
	slices.Sort(doubtful)
	return doubtful
}

func confirmFact(ctx context.Context, model *llm.Model, scope string, d *dossier.ReadDocument, at string, pages []text.Page) {
	src := d.Sources[at]
	var page []text.Page
	for _, p := range pages {
		if p.Number == src.Page {
			page = []text.Page{p}
		}
	}
	fact := strings.ReplaceAll(strings.Trim(at, "/"), "/", " ")
	if src.Caption != "" {
		fact += ", after the caption " + src.Caption
	}
	a, err := model.Fact(ctx, scope, fact, TextOf(page))
	switch {
	case err != nil || a.Quote == "":
	case SameFact(src.Text, a.Quote), SameFact(FactAt(d.Facts, at), a.Quote):
		d.Evidence = append(d.Evidence, fmt.Sprintf("a language model reads %s as %q too", at, a.Quote))
	default:
		d.Warnings = append(d.Warnings, dossier.FactWarning{Code: "low_confidence", Detail: fmt.Sprintf("%s was read as %q; a language model reads %q.", at, src.Text, a.Quote)})
	}
}

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

package reading

import (
	"context"
	_ "embed"
	"slices"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/doctype"
	"github.com/dossierhq/dossier/pipelines/document/text"
	"github.com/dossierhq/dossier/pipelines/llm"
)

var (
	//go:embed prompts/type.v1.txt
	typeWords string
	typeAsked = llm.Prompt{Name: "type.v1", Text: typeWords}
)

// typed is a document that the rules could not name, with what it is: one or several.
type typed struct {
	of    int // the document of the file
	parts []typedPart
}

type typedPart struct {
	docType dossier.DocType
	pages   [2]int
	text    string
	read    *dossier.ReadDocument // by the rules of the type; nil: they found nothing
}

// askTypes asks for the type of each document that the rules classified as other.
func (s *session) askTypes(ctx context.Context, e dossier.Extraction, pages []text.Page) {
	for i, d := range e.Documents {
		if d.DocType != dossier.DocOther {
			continue
		}
		p := newPart(i, d, pages, false)
		words := document.TextOf(p.pages)
		if len(words) == 0 {
			continue
		}
		s.outcome.Use.Asked++
		raw, failed := s.ask(ctx, llm.Question{Kind: "type", Prompt: typeAsked, Text: words, Schema: typeSchema,
			Task: "Which documents are these pages?"})
		if failed {
			continue
		}
		parts, ok := p.parseTypes(raw)
		switch {
		case !ok:
			s.outcome.Use.Dropped++
		case len(parts) > 1 || parts[0].docType != dossier.DocOther:
			s.outcome.Use.Taken++
			s.outcome.types = append(s.outcome.types, typed{i, parts})
		}
	}
}

// parseTypes returns the documents of an answer if each prints its type and together they cover the part's pages.
func (p *part) parseTypes(raw []byte) ([]typedPart, bool) {
	var a struct {
		Documents []struct {
			DocType dossier.DocType `json:"docType"`
			First   int             `json:"firstPage"`
			Last    int             `json:"lastPage"`
			Text    string          `json:"text"`
		} `json:"documents"`
	}
	if !llm.DecodeStrict(raw, &a) || len(a.Documents) == 0 {
		return nil, false
	}
	next := p.doc.Pages[0]
	var parts []typedPart
	for _, d := range a.Documents {
		if d.First != next || d.Last < d.First || d.Last > p.doc.Pages[1] ||
			d.DocType != dossier.DocOther && !p.isTitled(d.First, d.DocType, d.Text) {
			return nil, false
		}
		next = d.Last + 1
		parts = append(parts, typedPart{docType: d.DocType, pages: [2]int{d.First, d.Last}, text: d.Text})
	}
	return parts, next == p.doc.Pages[1]+1
}

// isTitled reports whether a page prints the quote and the quote names the type: the type that a model gives must be
// printed on the document. An instruction does not count.
func (p *part) isTitled(page int, t dossier.DocType, quote string) bool {
	sheet, title := p.preparedPages().pages[page], doctype.Of(t).Title
	if sheet == nil || title == nil {
		return false
	}
	for _, at := range sheet.find(quote) {
		if title.MatchString(text.Fold(text.Join(sheet.tokens(at)))) &&
			!slices.ContainsFunc(at, func(w place) bool { return isInstruction(sheet, w.line) }) {
			return true
		}
	}
	return false
}

var typeSchema = llm.Object(map[string]any{"documents": map[string]any{"type": "array",
	"items": llm.Object(map[string]any{
		"docType":   map[string]any{"type": "string"},
		"firstPage": map[string]any{"type": "integer"},
		"lastPage":  map[string]any{"type": "integer"},
		"text":      map[string]any{"type": "string", "description": "copied from the first page"},
	}, "docType", "firstPage", "lastPage", "text")}}, "documents")

// rereadNamed has the rules of the types that a model named read the pages. Rules take precedence over the model here
// too.
func (s *session) rereadNamed(ctx context.Context) {
	var parts []dossier.DocumentPart
	var named []*typedPart
	for _, t := range s.outcome.types {
		for i, p := range t.parts {
			if p.docType != dossier.DocOther {
				parts = append(parts, dossier.DocumentPart{Pages: p.pages, DocType: p.docType})
				named = append(named, &t.parts[i])
			}
		}
	}
	if s.reader.Named == nil || len(parts) == 0 {
		return
	}
	e, err := s.reader.Named(ctx, parts)
	if err != nil || e == nil || len(e.Documents) != len(parts) {
		return
	}
	for i, p := range named {
		if d := e.Documents[i]; d.DocType == p.docType && d.Pages == p.pages { // else they find that it is none
			p.read = &d
		}
	}
}

// document returns the part as the rules of its type read it.
func (p typedPart) document() dossier.ReadDocument {
	d := document.Named(p.docType, p.pages, maxConfidence)
	if p.read != nil {
		d = *p.read
		d.Confidence = min(d.Confidence, maxConfidence)
	}
	d.Evidence = []string{"a language model calls it so by " + p.text}
	return d
}

// withTypes returns an extraction in which documents of type other have the types that a model gave.
func withTypes(e dossier.Extraction, types []typed) dossier.Extraction {
	if len(types) == 0 {
		return e
	}
	var docs []dossier.ReadDocument
	for i, d := range e.Documents {
		at := slices.IndexFunc(types, func(t typed) bool { return t.of == i })
		if at < 0 || d.DocType != dossier.DocOther {
			docs = append(docs, d)
			continue
		}
		for _, part := range types[at].parts {
			one := d
			one.Pages = part.pages
			if part.docType != dossier.DocOther {
				one = part.document()
			}
			docs = append(docs, one)
		}
	}
	e.Documents = docs
	return e
}

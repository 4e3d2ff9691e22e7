// Package document says which documents an uploaded file holds, and what they say (facts.md): Extract is the way
// through the rooms below it, from tokens to facts. What a document is good for is decided in pipelines/judge.
//
// Files become tokens in decode, in a process of its own (sandbox): no upload is parsed in the API or the worker.
// Nothing here knows SQL, queues or HTTP.
package document

import (
	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/bank"
	"github.com/dossierhq/dossier/pipelines/document/classify"
	"github.com/dossierhq/dossier/pipelines/document/doctype"
	"github.com/dossierhq/dossier/pipelines/document/identity"
	"github.com/dossierhq/dossier/pipelines/document/other"
	"github.com/dossierhq/dossier/pipelines/document/statement"
	"github.com/dossierhq/dossier/pipelines/document/tax"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Extract reads a decoded file: it finds the documents in it, says what each is and what it says. It is pure:
// kept tokens give the same extraction again, without parsing.
func Extract(d text.Decoded) dossier.Extraction {
	d = text.Rejoin(d)
	return extract(d, classify.Segments(d, readerOf))
}

// ExtractParts is Extract with the documents that a person says the file has.
func ExtractParts(d text.Decoded, parts []dossier.DocumentPart) dossier.Extraction {
	d = text.Rejoin(d)
	return extract(d, classify.Parts(d, parts))
}

func extract(d text.Decoded, found []classify.Result) dossier.Extraction {
	e := dossier.Extraction{EngineVersion: EngineVersion, MimeType: d.MimeType, PageCount: d.PageCount, Layer: d.Layer,
		Pages:    text.SizesOf(d.Pages),
		Warnings: []dossier.FactWarning{}}
	style, order := text.StyleOf(d.Pages), text.OrderOf(d.Pages)
	for _, s := range found {
		s.Segment.File, s.Segment.Style, s.Segment.Order = &d, style, order
		if len(found) > 1 { // papers of several countries lie in one package
			s.Segment.Style = text.StyleIn(s.Segment.Pages, style)
			s.Segment.Order = text.OrderIn(s.Segment.Pages, order)
		}
		doc := readDocument(s)
		doc.Warnings = append(doc.Warnings, fileWarnings(d, s.Segment.Pages, len(found))...)
		doc.Warnings = append(doc.Warnings, lateWarning(d.Metadata, doc)...)
		e.Documents = append(e.Documents, doc)
	}
	return e
}

// readDocument runs the extractor of one document's type.
func readDocument(c classify.Result) dossier.ReadDocument {
	s := c.Segment
	var found text.Findings
	if read := readerOf(s.Type); read != nil {
		found = read(s)
	}
	first, last := s.Pages[0].Number, s.Pages[len(s.Pages)-1].Number
	doc := dossier.ReadDocument{
		DocType: s.Type, FieldType: doctype.Of(s.Type).Item, Pages: [2]int{first, last},
		Confidence: c.Confidence, Evidence: append(c.Evidence, found.Evidence...),
		Facts: found.Facts, Sources: found.Sources, Derived: found.Derived, Checks: found.Checks,
		Sums: found.Sums, Warnings: found.Warnings,
	}
	refuseVacant(&doc, c)
	leaveOutDoubtful(&doc)
	classify.NotePages(&doc, c.Kinds)
	fillEmpty(&doc)
	return doc
}

// readerOf is the extractor of a type; nil where it has none.
func readerOf(t dossier.DocType) text.Extractor {
	if read := extractors[t]; read != nil {
		return read
	}
	return other.Readers[t]
}

// fillEmpty gives every list and map a value: clients see [] and {}, never null.
func fillEmpty(d *dossier.ReadDocument) {
	if d.Evidence == nil {
		d.Evidence = []string{}
	}
	if d.Sources == nil {
		d.Sources = map[string]dossier.Source{}
	}
	if d.Derived == nil {
		d.Derived = map[string]string{}
	}
	if d.Checks == nil {
		d.Checks = []dossier.FactCheck{}
	}
	if d.Warnings == nil {
		d.Warnings = []dossier.FactWarning{}
	}
}

// EngineVersion names the rules that facts were read by. The same bytes and the same version give the same
// facts; it changes whenever they may change.
const EngineVersion = "2026.11.50"

// extractors is the one table of which code reads which type. A type that is not here has no facts.
var extractors = map[dossier.DocType]text.Extractor{
	dossier.DocBankStatement:      bank.Read,
	dossier.DocTaxReturn:          tax.Read,
	dossier.DocDriversLicense:     identity.Read,
	dossier.DocPassport:           identity.Read,
	dossier.DocNationalID:         identity.Read,
	dossier.DocResidencePermit:    identity.Read,
	dossier.DocFinancialStatement: statement.Read,
}

package dossier

import (
	"fmt"
	"slices"
)

// DocumentPart is a document that a person says a file has.
type DocumentPart struct {
	Pages   [2]int  `json:"pages"`             // first and last, from 1
	DocType DocType `json:"docType,omitempty"` // empty: what the pages say
}

// CheckParts says what is wrong with the parts that a person gives a file, by JSON pointer into the request.
func (e Extraction) CheckParts(parts []DocumentPart) error {
	pages := max(e.PageCount, len(e.Pages))
	for i, p := range parts {
		at := fmt.Sprintf("/parts/%d/pages", i)
		switch {
		case p.Pages[0] < 1 || p.Pages[1] < p.Pages[0]:
			return invalidAt(at, "must be the first and the last page, from 1")
		case p.Pages[1] > pages:
			return invalidAt(at, "the file has %d pages", pages)
		}
		for _, o := range parts[:i] {
			if p.Pages[0] <= o.Pages[1] && o.Pages[0] <= p.Pages[1] {
				return invalidAt(at, "shares a page with another part")
			}
		}
	}
	if len(parts) == 0 {
		return invalidAt("/parts", "must name at least one part")
	}
	return nil
}

// CorrectionsOfParts are the corrections of parts whose pages stay as they are, under their new places; others go.
func (e Extraction) CorrectionsOfParts(set []Correction, parts []DocumentPart) []Correction {
	kept := []Correction{}
	for _, c := range set {
		if c.Part >= len(e.Documents) {
			continue
		}
		was := e.Documents[c.Part]
		k := slices.IndexFunc(parts, func(p DocumentPart) bool {
			return p.Pages == was.Pages && (p.DocType == "" || p.DocType == was.DocType)
		})
		if k >= 0 {
			c.Part = k
			kept = append(kept, c)
		}
	}
	return kept
}

// KnownDocType reports whether t is a type of document; the empty one is none said.
func KnownDocType(t DocType) bool { return t == "" || slices.Contains(DocTypes, t) }

package specimen

import (
	"fmt"
	"slices"
)

// Part is one document of a package.
type Part struct {
	Truth
	First, Last int // its pages in the package, from 1
}

// Package binds printed documents into one PDF, as people do who send everything at once. Parts that were never
// drawn (workbooks, CSV) are left out. The truth of the file is that of its first part, with all in Parts.
func Package(seed uint64, parts ...Specimen) Specimen {
	bound := newSheet(letterWidth, letterHeight, "Package", date(2025, 6, 30))
	out := Specimen{Name: fmt.Sprintf("package/package_%d.pdf", seed), MimeType: mimePDF}
	for _, s := range parts {
		if s.sheet == nil {
			continue
		}
		first := len(bound.pages) + 1
		bound.pages = append(bound.pages, s.sheet.pages...)
		bound.made = s.sheet.made
		part := Part{Truth: s.Truth, First: first, Last: len(bound.pages)}
		part.Layer = layerText
		out.Truth.Parts = append(out.Truth.Parts, part)
	}
	if len(out.Truth.Parts) > 0 {
		all := out.Truth.Parts
		out.Truth = all[0].Truth
		out.Truth.Parts = all
	}
	out.Truth.Kind, out.Truth.Pages, out.Truth.Layer = "package", len(bound.pages), layerText
	out.Truth.Traps = append(slices.Clone(out.Truth.Traps), "several documents in one file")
	out.Data, out.sheet = bound.pdf(), bound
	return out
}

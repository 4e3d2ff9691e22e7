package text

import (
	"fmt"
	"strings"

	"github.com/dossierhq/dossier"
)

// Segment is one document found in a file, as its extractor sees it: the pages, and what classification
// already knows.
type Segment struct {
	File  *Decoded // the whole file: for its metadata and mime type
	Pages []Page   // the document's pages
	Type  dossier.DocType
	Form  string // of a tax form: "1040", "W-2"; else empty
	Year  int    // of a tax form when its title prints it, else 0
	Style DecimalStyle
	Order DateOrder
}

// Lines are the lines of all pages, in order.
func (s Segment) Lines() []Line {
	var lines []Line
	for _, p := range s.Pages {
		lines = append(lines, Lines(p)...)
	}
	return lines
}

// Findings is what an extractor found. Every fact that is not nil has an entry in Sources or Derived.
type Findings struct {
	Facts    dossier.Facts
	Sources  map[string]dossier.Source
	Derived  map[string]string
	Checks   []dossier.FactCheck
	Sums     []dossier.PrintedSum
	Warnings []dossier.FactWarning
	Evidence []string // of the type, found while reading ("running balance foots")
}

// From notes where the fact at a JSON pointer is printed: f.From("/openingBalance", money tokens, "Beginning balance").
func (f *Findings) From(pointer string, tokens []Token, caption string) {
	if len(tokens) == 0 {
		return
	}
	if f.Sources == nil {
		f.Sources = map[string]dossier.Source{}
	}
	f.Sources[pointer] = SourceOf(tokens, caption)
}

// Derive notes the formula of a fact that is not printed.
func (f *Findings) Derive(pointer, formula string) {
	if f.Derived == nil {
		f.Derived = map[string]string{}
	}
	f.Derived[pointer] = formula
}

// Check adds an arithmetic or structural check.
func (f *Findings) Check(name string, passed bool, format string, args ...any) {
	f.Checks = append(f.Checks, dossier.FactCheck{Name: name, Passed: passed, Detail: fmt.Sprintf(format, args...)})
}

// Warn adds a warning, once a code and detail.
func (f *Findings) Warn(code, format string, args ...any) {
	w := dossier.FactWarning{Code: code, Detail: fmt.Sprintf(format, args...)}
	for _, have := range f.Warnings {
		if have == w {
			return
		}
	}
	f.Warnings = append(f.Warnings, w)
}

// Pointer escapes a key for a JSON pointer: pointer("lines", "1a") is "/lines/1a".
func Pointer(parts ...any) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteByte('/')
		b.WriteString(dossier.PointerStep(fmt.Sprint(p)))
	}
	return b.String()
}

// Extractor reads the facts of one document. It sees tokens only and has no state: the same segment gives
// the same findings.
type Extractor func(Segment) Findings

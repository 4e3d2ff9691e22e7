// Package specimen draws synthetic documents whose contents are known: bank statements, tax forms, financial
// statements, identity documents, the look-alikes that must not be taken for them, and hostile files.
//
// The demonstration, the tests and the scorer use it. It is the same for the same seed, byte for byte, and reads
// no clock: dates come from the options or from the seed. Truth is written down by the act of printing, so a fact
// is in the truth exactly when the page shows it. Every name, number and address is invented: 555 telephone
// numbers, routing numbers that fail their checksum, towns that do not exist.
//
// What does not belong here: anything that reads a document. The reader never imports this package, and this
// package was written without looking at the reader, so that a score measures the field and not the rehearsal.
package specimen

import (
	"maps"

	"github.com/dossierhq/dossier"
)

// Mime types of the files this package makes.
const (
	mimePDF  = "application/pdf"
	mimePNG  = "image/png"
	mimeJPEG = "image/jpeg"
	mimeCSV  = "text/csv"
	mimeXLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
)

// Layers of a file (facts.md): what the words of a document are made of.
const (
	layerText    = "text"
	layerScanned = "scanned"
	layerImage   = "image"
	layerNative  = "native"
)

// Specimen is one generated file with what it says.
type Specimen struct {
	Name     string // folder and file name: "bank_statement/harbor_2025-03.pdf"
	MimeType string
	Data     []byte
	Truth    Truth

	sheet *sheet // the drawing behind a PDF or image, for Scan; nil for workbooks and CSV
}

// Truth is what a reader should answer for a Specimen. A nil fact is not shown by the document, so a value for
// it is an invention; the facts named in NotTested are left out of expected.json and may hold anything.
type Truth struct {
	DocType   dossier.DocType
	FieldType dossier.FieldType // FILE: must satisfy none of BANK_STATEMENT, TAX_RETURN, ID
	Layer     string            // text, scanned, image, native
	Pages     int               // 0 where the format has none
	Facts     dossier.Facts
	NotTested []string // JSON names of top-level facts
	// Schedules are the lines of schedules attached to a return, whose numbers repeat those of page 1: by schedule
	// and number, "L-15d", "M1-1", "M2-7", "K-16d". They are no part of the tested facts.
	Schedules map[string]dossier.Amount
	Printed   []string // every figure of a financial statement, in full units: any other figure is an invention
	Parts     []Part   // the documents of a package; nil for a single document
	Traps     []string // what makes this file hard, in words
	Kind      string   // layout, for reports by kind: "harbor", "1120-S", "quickbooks"
	Severity  int      // of the damage by Scan: 0 none, 1 clean scan, 2 office copier, 3 fax or telephone
}

// AllFacts is the facts with the lines of attached schedules among the lines of a return, for use as input of a
// spread. Their keys are those of Schedules.
func (t Truth) AllFacts() dossier.Facts {
	if t.Facts.Tax == nil || len(t.Schedules) == 0 {
		return t.Facts
	}
	tax := *t.Facts.Tax
	tax.Lines = maps.Clone(tax.Lines)
	maps.Copy(tax.Lines, t.Schedules)
	return dossier.Facts{Tax: &tax}
}

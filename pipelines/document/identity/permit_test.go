package identity_test

import (
	"testing"

	"github.com/dossierhq/dossier/pipelines/document/documenttest"
	"github.com/dossierhq/dossier/pipelines/document/readtest"
)

// The country of a permit is who lets one stay, and not whose national one is.
func TestPermit_countryIsNotTheNationality(t *testing.T) {
	doc := readtest.Lines(t, "RESIDENCE PERMIT|RP4418820", "Surname", "WREN", "Forenames", "ODILE", "Nationality", "MEXICO", "Valid until", "14/09/2027", "PERMIT NO|44188203")
	if doc.Facts.Identity == nil {
		t.Fatalf("read as %s", doc.DocType)
	}
	if c := doc.Facts.Identity.Country; c != nil {
		t.Errorf("country %s", documenttest.Shown(c))
	}
}

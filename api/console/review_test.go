package console

import (
	"slices"
	"testing"

	"github.com/dossierhq/dossier"
)

// A reviewer may say of a part that it is of any type of document.
func TestRecipe_document_type(t *testing.T) {
	t.Parallel()
	for _, known := range dossier.DocTypes {
		if !slices.Contains(docTypes, string(known)) {
			t.Errorf("no part can be said to be a %s", known)
		}
	}
	if len(docTypes) != len(dossier.DocTypes) {
		t.Errorf("%d types are offered, %d are known", len(docTypes), len(dossier.DocTypes))
	}
}

package document

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/other"
)

// Each type of document has a reader.
func TestRecipe_document_type(t *testing.T) {
	t.Parallel()
	for _, known := range dossier.DocTypes {
		if extractors[known] == nil && other.Readers[known] == nil {
			t.Errorf("nothing reads a %s", known)
		}
	}
}

package reading

import (
	"testing"

	"github.com/dossierhq/dossier"
)

// Of each type of document some facts may be asked of a model.
func TestRecipe_document_type(t *testing.T) {
	t.Parallel()
	for _, known := range dossier.DocTypes {
		if len(askableFacts[known]) == 0 {
			t.Errorf("no fact of a %s may be asked for", known)
		}
	}
}

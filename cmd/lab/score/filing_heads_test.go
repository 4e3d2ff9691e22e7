package score

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// TestStatement_headsStand looks for whose statements are, their currency and their unit in what the file prints: what
// does not stand there is invented, and an invented head makes every figure wrong.
func TestStatement_headsStand(t *testing.T) {
	t.Parallel()
	for _, layout := range specimen.FilingLayouts() {
		s, doc := readFiling(t, layout, 200)
		truth, got := s.Truth.Facts.Statement, doc.Facts.Statement
		if got == nil {
			continue
		}
		if got.EntityName != nil && !printsName(doc.Sources["/entityName"].Text, *got.EntityName) {
			t.Errorf("%s: entity %q stands nowhere: %q", layout, *got.EntityName, doc.Sources["/entityName"].Text)
		}
		if got.EntityName != nil && truth.EntityName == nil {
			t.Errorf("%s: entity %q is invented", layout, *got.EntityName)
		}
		if got.Currency != nil && (truth.Currency == nil || *truth.Currency != *got.Currency) {
			t.Errorf("%s: currency %s is invented, of %q", layout, *got.Currency, doc.Sources["/currency"].Text)
		}
		if got.Currency != nil && doc.Sources["/currency"].Text == "" {
			t.Errorf("%s: currency %s stands nowhere", layout, *got.Currency)
		}
		if got.Unit != 1 && (got.Unit != truth.Unit || doc.Sources["/unit"].Text == "") {
			t.Errorf("%s: unit %d is invented, of %q", layout, got.Unit, doc.Sources["/unit"].Text)
		}
	}
}

// printsName reports whether a text holds the words of a name.
func printsName(printed, name string) bool {
	return strings.Contains(" "+text.Fold(printed)+" ", " "+text.Fold(name)+" ")
}

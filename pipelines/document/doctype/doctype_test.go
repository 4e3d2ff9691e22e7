package doctype

import (
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// Each type of document has a file that says what it is called and what it serves, and no file is of another type.
// Phrases are folded as the text is in which they are looked for.
func TestRecipe_document_type(t *testing.T) {
	t.Parallel()
	for _, r := range All() {
		if r.Name == "" || !r.Item.TakesFiles() {
			t.Errorf("%s: name %q, item %q", r.Type, r.Name, r.Item)
		}
		for _, s := range r.Signs {
			for _, part := range s.Parts {
				if part == "" || part != text.Fold(part) || s.Weight == 0 {
					t.Errorf("%s: sign %g %q is not folded: %q", r.Type, s.Weight, part, text.Fold(part))
				}
			}
		}
	}
	entries, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := strings.TrimSuffix(e.Name(), ".txt"); !dossier.KnownDocType(dossier.DocType(name)) {
			t.Errorf("%s is of no type of document", e.Name())
		}
	}
}

// A file is read as it is written: what is no key, or no weight, is refused.
func TestRecord_read(t *testing.T) {
	t.Parallel()
	var r Record
	for line, want := range map[string]bool{"name a pay stub": true, "sign -2.5 net pay+gross": true,
		"head 5 pay stub": true, "sign much net pay": false, "phrase net pay": false} {
		if err := r.read(line); (err == nil) != want {
			t.Errorf("%q: %v", line, err)
		}
	}
	if r.Name != "a pay stub" || len(r.Signs) != 2 {
		t.Errorf("read %+v", r)
	}
	if got := Of("no_such_type"); got.Item != dossier.FieldFile || got.Name != "" {
		t.Errorf("of an unknown type: %+v", got)
	}
}

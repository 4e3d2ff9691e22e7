package dossier

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// A type of document is a constant, an entry of DocTypes, a word for people in both languages, a shape of facts that
// people may correct, and a value of the API document: the recipe of CONTRIBUTING.md. Its words are held by the tests of
// pipelines/document/doctype, its readers by those of pipelines/document and pipelines/reading.
func TestRecipe_document_type(t *testing.T) {
	t.Parallel()
	_, values := constantsOf(t, "facts.go", "DocType")
	var listed []string
	for _, known := range DocTypes {
		listed = append(listed, string(known))
	}
	if !slices.Equal(listed, values) {
		t.Errorf("DocTypes lists\n%q\nthe constants are\n%q", listed, values)
	}
	format, err := os.ReadFile("docs/spec/facts.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, known := range DocTypes {
		if NoFacts(known).Other != nil && len(otherFacts[known]) == 0 {
			t.Errorf("correction_facts.go lists no facts of %s", known)
		}
		if words := reasonNouns["kind."+string(known)]; words[0] == "" || words[1] == "" {
			t.Errorf("reason.go has no words for %s", known)
		}
		if !strings.Contains(string(format), string(known)) {
			t.Errorf("docs/spec/facts.md does not speak of %s", known)
		}
	}
}

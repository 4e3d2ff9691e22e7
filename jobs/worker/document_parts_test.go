package worker

import (
	"testing"

	"github.com/dossierhq/dossier"
)

// A file is read as what a person says it is, also the next time.
func TestParts(t *testing.T) {
	j := newJourney(t)
	id := j.upload(t, "november.pdf", statement(false).Data)
	j.idle(t)
	if got := j.itemStatus(t); got != "COMPLETED" {
		t.Fatalf("item = %s", got)
	}
	if _, err := j.pg.DB.SetDocumentParts(t.Context(), j.ws, id, []dossier.DocumentPart{{Pages: [2]int{1, 1}, DocType: dossier.DocOther}}, ""); err != nil {
		t.Fatal(err)
	}
	for _, when := range []string{"said", "read again"} {
		j.idle(t)
		d, err := j.pg.DB.ReadDocument(t.Context(), j.ws, id)
		if err != nil || d.Extraction == nil || len(d.Extraction.Documents) != 1 || d.Extraction.Documents[0].DocType != dossier.DocOther ||
			d.Extraction.Documents[0].Pages != [2]int{1, 1} {
			t.Fatalf("%s: %+v, %v; want one document of another type", when, d.Extraction, err)
		}
		if got := j.itemStatus(t); got == "COMPLETED" {
			t.Errorf("%s: item = %s", when, got)
		}
		if _, err := j.pg.DB.ReprocessDocument(t.Context(), j.ws, id); err != nil {
			t.Fatal(err)
		}
	}
	j.idle(t)
}

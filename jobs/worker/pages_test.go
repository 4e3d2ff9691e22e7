package worker

import (
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/pipelines/document"
	"github.com/dossierhq/dossier/pipelines/document/text"
)

// A document that was read has the sizes of its pages and the words on each. One that an engine read which measured none has
// an empty list, until the words that were kept are read again.
func TestPages_of_a_read_document(t *testing.T) {
	j := newJourney(t)
	id := j.upload(t, "november.pdf", statement(false).Data)
	j.idle(t)
	j.pg.Exec(t, `UPDATE documents SET engine_version = 'older', extraction = jsonb_set(extraction, '{engineVersion}', '"older"') - 'pages' WHERE id = $1`, id)
	d, err := j.pg.DB.ReadDocument(t.Context(), j.ws, id)
	if err != nil {
		t.Fatal(err)
	}
	if d.Extraction.Pages == nil || len(d.Extraction.Pages) != 0 {
		t.Errorf("pages = %v; want none, as a list, of an engine that measured none", d.Extraction.Pages)
	}
	if n, err := j.pg.DB.ReprocessOutdated(t.Context(), j.ws, document.EngineVersion, true, 10); err != nil || n != 1 {
		t.Fatalf("staged %d, %v; want 1", n, err)
	}
	j.idle(t)
	if d, err = j.pg.DB.ReadDocument(t.Context(), j.ws, id); err != nil {
		t.Fatal(err)
	}
	if len(d.Extraction.Pages) == 0 || len(d.Extraction.Pages) != d.Extraction.PageCount {
		t.Fatalf("%d pages measured of %d", len(d.Extraction.Pages), d.Extraction.PageCount)
	}
	key, err := j.pg.DB.FindKeptWords(t.Context(), j.ws, id)
	if err != nil || key == "" {
		t.Fatalf("words are kept under %q, %v", key, err)
	}
	if _, err := j.pg.DB.FindKeptWords(t.Context(), j.pg.Workspace(t), id); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("another workspace finds the words: %v", err)
	}
	object, err := j.objects.Get(t.Context(), key)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = object.Close() }()
	page, found, err := text.DecodePage(object, d.Extraction.Pages[0].Page)
	if err != nil || !found || len(page.Tokens) == 0 {
		t.Errorf("the first page has %d words, %v, %v", len(page.Tokens), found, err)
	}
}

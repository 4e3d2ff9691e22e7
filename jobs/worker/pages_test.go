package worker

import (
	"image/color"
	"image/png"
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
	j.looksAt(t, id, 1, 700)
	sheet := j.upload(t, "entries.csv", []byte("Date,Amount\n2026-01-02,12.50\n2026-01-03,7.00\n"))
	j.idle(t)
	j.looksAt(t, sheet, 1, 300)
	if _, err := j.pg.DB.FindPagePicture(t.Context(), j.ws, sheet, 2, 300); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("a picture beyond the last page: %v", err)
	}
}

// looksAt asks for the picture of a page until it is drawn, and looks that it is as wide as asked and shows something.
func (j *journey) looksAt(t *testing.T, id dossier.DocumentID, page, width int) {
	t.Helper()
	if p, err := j.pg.DB.FindPagePicture(t.Context(), j.ws, id, page, width); err != nil || p != nil {
		t.Fatalf("before it is drawn: %+v, %v", p, err)
	}
	j.idle(t)
	p, err := j.pg.DB.FindPagePicture(t.Context(), j.ws, id, page, width)
	if err != nil || p == nil {
		t.Fatalf("no picture was drawn: %v", err)
	}
	object, err := j.objects.Get(t.Context(), p.ObjectKey)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = object.Close() }()
	m, err := png.Decode(object)
	if err != nil {
		t.Fatal(err)
	}
	dark := 0
	for y := range m.Bounds().Dy() {
		for x := range m.Bounds().Dx() {
			if grey := color.GrayModel.Convert(m.At(x, y)).(color.Gray); grey.Y < 128 {
				dark++
			}
		}
	}
	if m.Bounds().Dx() != width || dark == 0 {
		t.Errorf("the picture is %v with %d dark pixels; want it %d wide", m.Bounds(), dark, width)
	}
}

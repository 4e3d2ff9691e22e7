package worker

import (
	"net/http"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// Files that were announced, by a lead's page or through the API, and never completed are forgotten after a day with
// all that arrived of them; what is young or complete stays.
func TestSweepObjects_announced(t *testing.T) {
	b := setup(t)
	store := objectstest.New(t)
	w := b.worker(nil)
	w.Objects, w.Now = store, func() time.Time { return time.Now().Add(orphanAge + time.Hour) } // so that what is stored here is old
	lead, _ := b.pg.Lead(t, b.ws)
	content := []byte("%PDF-1.4")
	announce := func(source dossier.ValueSource, inParts, complete bool, age time.Duration) (key, uploadID string) {
		t.Helper()
		file := postgres.NewFile{ID: dossier.DocumentID(postgres.NewID()), Filename: "a.pdf", MimeType: "application/pdf", Size: int64(len(content))}
		file.ObjectKey = string(b.ws) + "/" + string(file.ID)
		var to objects.Upload
		var err error
		if inParts {
			if uploadID, err = store.BeginParts(t.Context(), file.ObjectKey, file.MimeType); err == nil {
				to, err = store.PresignPart(t.Context(), file.ObjectKey, uploadID, 1, file.Size)
			}
		} else {
			to, err = store.PresignPut(t.Context(), file.ObjectKey, file.MimeType, file.Size)
		}
		if err != nil {
			t.Fatal(err)
		}
		up := postgres.Upload{LeadID: lead, Source: source, Files: []postgres.NewFile{file}}
		if _, err := b.pg.DB.AnnouncePortalDocument(t.Context(), b.ws, up, uploadID, ""); err != nil {
			t.Fatal(err)
		}
		if status := objectstest.Send(t, to, content); status != http.StatusOK {
			t.Fatalf("%s: %d", file.ObjectKey, status)
		}
		if complete {
			if _, err := b.pg.DB.CompleteDocument(t.Context(), b.ws, file, ""); err != nil {
				t.Fatal(err)
			}
		}
		b.pg.Exec(t, `UPDATE documents SET updated_at = $2 WHERE id = $1`, string(file.ID), w.Now().Add(-age))
		return file.ObjectKey, uploadID
	}
	old, young := orphanAge+time.Minute, orphanAge-time.Hour
	api, _ := announce(dossier.SourceImported, false, false, old)
	portal, _ := announce(dossier.SourcePortal, false, false, old)
	parts, partsID := announce(dossier.SourcePortal, true, false, old)
	coming, _ := announce(dossier.SourcePortal, false, false, young)
	complete, _ := announce(dossier.SourcePortal, false, true, old)
	for range 2 { // again: nothing more to do
		if err := w.sweepObjects(t.Context(), postgres.Claim{}, jobs.SweepObjects{}); err != nil {
			t.Fatal(err)
		}
	}
	for key, stays := range map[string]bool{api: false, portal: false, coming: true, complete: true} {
		if _, err := store.Stat(t.Context(), key); (err == nil) != stays {
			t.Errorf("the object of %s: %v", key, err)
		}
	}
	if _, err := store.Parts(t.Context(), parts, partsID); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("the parts that arrived are still stored: %v", err)
	}
	left := pgtest.Value[[]string](t, b.pg, `SELECT array_agg(object_key ORDER BY id) FROM documents`)
	if len(left) != 2 || left[0] != coming || left[1] != complete {
		t.Errorf("rows of %v are left", left)
	}
}

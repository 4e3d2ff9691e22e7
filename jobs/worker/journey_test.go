package worker

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/specimen"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// journey is a bench with a worker that reads real files.
type journey struct {
	*bench
	objects *objects.Store
	lead    dossier.LeadID
	item    dossier.EntryID
}

func newJourney(t *testing.T) *journey {
	b := setup(t)
	j := &journey{bench: b, objects: objectstest.New(t)}
	lead, entries := b.pg.Lead(t, b.ws, dossier.FieldBankStatement)
	j.lead, j.item = lead, entries[0]
	b.pg.Exec(t, `UPDATE checklist_items SET label = 'Business bank statement', config = '{"months": 1, "gracePeriodDays": 3650}',
		validation_rules = ARRAY['The statement balances reconcile'] WHERE lead_id = $1`, lead)
	reader, err := sandbox.NewReader(sandbox.Config{CacheDir: filepath.Join(os.TempDir(), "dossier-test-cache")})
	if err != nil {
		t.Fatal(err)
	}
	w, err := New(Config{DB: b.pg.DB, Redis: b.redis, Objects: j.objects, Reader: reader, Now: b.pg.Clock.Now, Log: testLog(t), Drain: time.Second})
	if err != nil {
		t.Fatal(err)
	}
	w.timing, w.schedule = quick, nil
	b.run(w)
	return j
}

func (j *journey) upload(t *testing.T, name string, data []byte) dossier.DocumentID {
	t.Helper()
	id := dossier.DocumentID(postgres.NewID())
	key := string(j.ws) + "/documents/" + string(id)
	stored, err := j.objects.Put(t.Context(), key, "application/pdf", bytes.NewReader(data), 0)
	if err != nil {
		t.Fatal(err)
	}
	sum, _ := hex.DecodeString(stored.SHA256)
	docs, _, err := j.pg.DB.CreateDocuments(t.Context(), j.ws, postgres.Upload{LeadID: j.lead, Source: dossier.SourceImported,
		Files: []postgres.NewFile{{ID: id, Filename: name, MimeType: "application/pdf", Size: stored.Size, SHA256: sum, ObjectKey: key}}})
	if err != nil {
		t.Fatal(err)
	}
	return docs[0].ID
}

// idle waits until no job is unfinished.
func (j *journey) idle(t *testing.T) {
	t.Helper()
	unfinished := func() int {
		return pgtest.Value[int](t, j.pg, `SELECT count(*) FROM jobs WHERE status IN ('QUEUED', 'RUNNING', 'RETRY') AND kind <> 'system.erase'`)
	}
	for end := time.Now().Add(time.Minute); unfinished() > 0; time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited in vain for all jobs to end")
		}
	}
}

func (j *journey) itemStatus(t *testing.T) string {
	return pgtest.Value[string](t, j.pg, `SELECT status || coalesce(': ' || (reasons->0->>'code'), '') FROM checklist_entries WHERE id = $1`, j.item)
}

func (j *journey) events(t *testing.T) []string {
	return pgtest.Value[[]string](t, j.pg, `SELECT array_agg(type ORDER BY id) FROM events`)
}

func statement(broken bool) specimen.Specimen {
	return specimen.BankStatement(specimen.BankOptions{Seed: 7, Layout: specimen.BankLayouts()[0], Month: time.Date(2025, 11, 1, 0, 0, 0, 0, time.UTC),
		Business: true, Holder: "Example Bakery LLC", Entries: 12, Broken: broken})
}

func TestJourney_statement_completes_its_item(t *testing.T) {
	j := newJourney(t)
	id := j.upload(t, "november.pdf", statement(false).Data)
	run, err := j.pg.DB.CreatePipelineRun(t.Context(), j.ws, "extract-document", []string{"extract-document"},
		json.RawMessage(`{"documentId":"`+string(id)+`"}`), postgres.PipelineSubjects{Documents: []dossier.DocumentID{id}})
	if err != nil {
		t.Fatal(err)
	}
	j.idle(t)
	if got := j.itemStatus(t); got != "COMPLETED" {
		t.Errorf("item = %s, want COMPLETED", got)
	}
	d, err := j.pg.DB.ReadDocument(t.Context(), j.ws, id)
	if err != nil || d.Extraction == nil || len(d.Associations) != 1 || d.Associations[0].Result == nil {
		t.Fatalf("document = %+v, %v; want it read, matched and judged", d, err)
	}
	rule := d.Associations[0].Result.Results[0]
	if rule.RuleName != "The statement balances reconcile" || !rule.IsValid {
		t.Errorf("rule = %+v, want it passed", rule)
	}
	want := []string{"document.received", "document.extracted", "document.validated", "checklist_item.completed"}
	var story []string
	for _, event := range j.events(t) {
		if event != "pipeline_run.completed" { // at any place: the run only waits for the reading
			story = append(story, event)
		}
	}
	if diff := cmp.Diff(want, story); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
	run, err = j.pg.DB.ReadPipelineRun(t.Context(), j.ws, "extract-document", run.ID)
	if err != nil || run.Status != dossier.PipelineComplete {
		t.Errorf("pipeline run = %s, %v; want COMPLETE", run.Status, err)
	}
	j.until("Redis has the finished run", func() bool { // set after the commit that ended it
		body, ok, err := j.redis.Poll(t.Context(), j.ws, run.ID)
		return err == nil && ok && bytes.Contains(body, []byte(`"status":"COMPLETE"`))
	})
}

func TestJourney_statement_that_does_not_foot_is_refused_with_the_figures(t *testing.T) {
	j := newJourney(t)
	j.upload(t, "november.pdf", statement(true).Data)
	j.idle(t)
	if got := j.itemStatus(t); len(got) < 10 || got[:7] != "INVALID" {
		t.Errorf("item = %s, want INVALID with the reason", got)
	}
	events := j.events(t)
	if last := events[len(events)-1]; last != "checklist_item.invalid" {
		t.Errorf("last event = %s, want checklist_item.invalid", last)
	}
	told := pgtest.Value[string](t, j.pg, `SELECT body::jsonb #>> '{data,checklistItem,source}' FROM events WHERE type = 'checklist_item.invalid'`)
	if told != string(dossier.SourceImported) {
		t.Errorf("the event says the item is from %s", told)
	}
}

// An item is judged anew whenever one of its documents comes, is overridden by a person, or goes.
func TestJourney_item_is_judged_anew(t *testing.T) {
	j := newJourney(t)
	var refused, good dossier.DocumentID
	for _, step := range []struct {
		name string
		act  func() error
		want string // the item's status
	}{
		{"one comes that does not foot", func() error { refused = j.upload(t, "november.pdf", statement(true).Data); return nil }, "INVALID"},
		{"a person accepts it", func() error {
			d, err := j.pg.DB.ReadDocument(t.Context(), j.ws, refused)
			if err != nil {
				return err
			}
			_, err = j.pg.DB.OverrideAssociation(t.Context(), j.ws, refused, d.Associations[0].ID, true, "Seen at the branch", "ann@example.com")
			return err
		}, "COMPLETED"},
		{"it goes", func() error { return j.pg.DB.DeleteDocument(t.Context(), j.ws, refused, false) }, "TODO"},
		{"one comes that foots", func() error { good = j.upload(t, "again.pdf", statement(false).Data); return nil }, "COMPLETED"},
		{"it goes too", func() error { return j.pg.DB.DeleteDocument(t.Context(), j.ws, good, false) }, "TODO"},
	} {
		if err := step.act(); err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		j.idle(t)
		if got, _, _ := strings.Cut(j.itemStatus(t), ":"); got != step.want {
			t.Fatalf("%s: item = %s, want %s", step.name, got, step.want)
		}
	}
}

func TestJourney_unreadable_file_is_kept_with_its_reason(t *testing.T) {
	j := newJourney(t)
	id := j.upload(t, "broken.pdf", []byte("%PDF-1.7\nthis is not a document"))
	j.idle(t)
	d, err := j.pg.DB.ReadDocument(t.Context(), j.ws, id)
	if err != nil || d.ExtractionStatus != dossier.ExtractionFailed || d.ExtractionError == nil || d.ExtractionError.Code != "corrupt" {
		t.Errorf("document = %s %+v, %v; want failed with corrupt", d.ExtractionStatus, d.ExtractionError, err)
	}
	if got := j.itemStatus(t); got != "TODO" {
		t.Errorf("item = %s, want TODO", got)
	}
}

package worker

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
	"github.com/dossierhq/dossier/storage/record"
)

// planted is a lead whose canary, 32 random bytes, stands in every field, file, message and answer of it.
type planted struct {
	*bench
	lead   dossier.LeadID
	run    dossier.PipelineRunID
	canary string
	store  *objects.Store
}

func plant(t *testing.T, b *bench, store *objects.Store) planted {
	t.Helper()
	var random [32]byte
	_, _ = rand.Read(random[:])
	p := planted{bench: b, canary: hex.EncodeToString(random[:]), store: store}
	var entries []dossier.EntryID
	p.lead, entries = b.pg.Lead(t, b.ws, dossier.FieldFile, dossier.FieldText, dossier.FieldSSN)
	ctx, word := t.Context(), p.canary
	text := func(s string) *string { return &s }
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(b.pg.DB.UpdateLead(ctx, b.ws, p.lead, dossier.LeadUpdate{Items: []dossier.ItemUpdate{{Code: "TEXT", Value: json.RawMessage(`"` + word + `"`)}, {Code: "SSN", Value: json.RawMessage(`"` + word + `"`)}}}, 0, postgres.Caller{}))
	_, err := b.pg.DB.CreateActivity(ctx, b.ws, dossier.Activity{LeadID: p.lead, EventType: "call", Title: word, Description: text(word), Metadata: json.RawMessage(`{"a": "` + word + `"}`)}, postgres.Caller{Actor: word + "@lender.example"})
	check(err)
	_, err = b.pg.DB.CreateEscalation(ctx, b.ws, p.lead, word, text(word), postgres.Caller{})
	check(err)
	key := "documents/" + string(p.lead)
	docs, _, err := b.pg.DB.CreateDocuments(ctx, b.ws, postgres.Upload{LeadID: p.lead, EntryID: entries[0], Source: dossier.SourceImported,
		Files: []postgres.NewFile{{ID: dossier.DocumentID(postgres.NewID()), Filename: word + ".pdf", MimeType: "application/pdf", Size: 1, SHA256: []byte(word), ObjectKey: key}}})
	check(err)
	for _, suffix := range []string{"", ".tokens", ".png", "-report"} {
		for range 2 { // two versions, where the store keeps them
			_, err = store.Put(ctx, key+suffix, "text/plain", strings.NewReader(word), 0)
			check(err)
		}
	}
	now := b.pg.Clock.Now()
	b.pg.Exec(t, `UPDATE documents SET extraction = jsonb_build_object('documents', '[]'::jsonb, 'x', $2::text), tokens_key = object_key || '.tokens', thumbnail_key = object_key || '.png' WHERE id = $1`, docs[0].ID, word)
	b.pg.Exec(t, `UPDATE leads SET first_name = $2, last_name = $2, business_name = $2, email = $2 || '@x.example' WHERE id = $1`, p.lead, word)
	b.pg.Exec(t, `INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, body, subject, original_body, created_at, updated_at)
		VALUES ($1, $2, $3, 'INBOUND', 'email', 'RECEIVED', $4, $4, $4, $5, $5)`, b.ws, postgres.NewID(), p.lead, word, now)
	spread := postgres.NewID()
	b.pg.Exec(t, `INSERT INTO spreads (workspace_id, id, lead_id, status, results, created_at, updated_at) VALUES ($1, $2, $3, 'COMPLETE', jsonb_build_object('x', $4::text), $5, $5)`, b.ws, spread, p.lead, word, now)
	b.pg.Exec(t, `INSERT INTO artifacts (workspace_id, id, spread_id, round, type, title, object_key, sha256, size, created_at) VALUES ($1, $2, $3, 1, 'REPORT', $4, $5, '\x00', 1, $6)`, b.ws, postgres.NewID(), spread, word, key+"-report", now)
	run, err := b.pg.DB.CreatePipelineRun(ctx, b.ws, jobs.PipelineExtractDocument, []string{jobs.PipelineExtractDocument}, fmt.Appendf(nil, `{"documentId": %q}`, docs[0].ID), postgres.PipelineSubjects{})
	check(err)
	p.run = run.ID
	b.pg.Exec(t, `UPDATE pipeline_runs SET result = jsonb_build_object('x', $2::text) WHERE id = $1`, run.ID, word)
	b.pg.Exec(t, `INSERT INTO events (workspace_id, id, type, body, created_at) VALUES ($1, $2, 'pipeline_run.completed', $3, $4)`, b.ws, postgres.NewID(), `{"jobId":"`+string(run.ID)+`","x":"`+word+`"}`, now)
	event := postgres.NewID()
	b.pg.Exec(t, `INSERT INTO events (workspace_id, id, type, lead_id, body, created_at) VALUES ($1, $2, 'lead.updated', $3, $4, $5)`, b.ws, event, p.lead, word, now)
	delivery := postgres.NewID()
	b.pg.Exec(t, `INSERT INTO deliveries (workspace_id, id, webhook_id, event_id, position, event_type, lead_id, last_error, created_at) VALUES ($1, $2, gen_random_uuid(), $3, 1, 'lead.updated', $4, $5, $6)`, b.ws, delivery, event, p.lead, word, now)
	b.pg.Exec(t, `INSERT INTO attempts (workspace_id, delivery_id, number, started_at, duration_ms, status, error, response) VALUES ($1, $2, 1, $4, 1, 500, '', $3)`, b.ws, delivery, word, now)
	check(b.redis.SetPoll(ctx, b.ws, run.ID, []byte(word)))
	b.redis.KeepAnswer(ctx, b.ws, string(docs[0].ID), "of a page of "+string(p.lead), []byte(word))
	b.redis.KeepAnswer(ctx, b.ws, string(p.lead), "of a message of "+string(p.lead), []byte(word))
	return p
}

// left says where the canary still is: in tables, objects, Redis.
func (p planted) left(t *testing.T) []string {
	t.Helper()
	var found []string
	for _, table := range pgtest.Value[[]string](t, p.pg, `SELECT array_agg(tablename::text) FROM pg_tables WHERE schemaname = 'public'`) {
		if n := pgtest.Value[int](t, p.pg, `SELECT count(*) FROM `+table+` t WHERE t::text LIKE '%' || $1 || '%' OR t::text LIKE '%' || encode($1::text::bytea, 'hex') || '%'`, p.canary); n > 0 {
			found = append(found, fmt.Sprintf("%d rows of %s", n, table))
		}
	}
	for o, err := range p.store.List(t.Context(), "documents/"+string(p.lead)) {
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, "object "+o.Key)
	}
	for _, key := range p.redis.Client().Keys(t.Context(), "*").Val() {
		if strings.Contains(p.redis.Client().Get(t.Context(), key).Val(), p.canary) {
			found = append(found, "Redis key "+key)
		}
	}
	return found
}

// claimErasure claims the job of an erasure as a worker does.
func (p planted) claimErasure(t *testing.T, id dossier.ErasureID) postgres.Claim {
	t.Helper()
	job := pgtest.Value[string](t, p.pg, `SELECT id::text FROM jobs WHERE subject_id = $1 AND kind = 'system.erase' AND status IN ('QUEUED', 'RETRY') ORDER BY created_at DESC LIMIT 1`, string(id))
	claim, ok, err := p.pg.DB.ClaimJob(t.Context(), dossier.JobID(job), pgtest.Value[int](t, p.pg, `SELECT epoch FROM jobs WHERE id = $1`, job), "w")
	if err != nil || !ok {
		t.Fatalf("the job is not claimed: %v", err)
	}
	return claim
}

// Whatever stood of a lead anywhere is gone when its erasure is complete, wherever the job was killed before, and it is
// complete once, with the same counts and a certificate that holds.
func TestErase(t *testing.T) {
	b, store := setup(t), objectstest.New(t)
	w := b.worker(nil)
	w.Objects = store
	var counts dossier.ErasureCounts
	for _, killed := range []string{"never", "when it had begun", "between two objects", "before the last commit", "after it"} {
		t.Run("killed "+killed, func(t *testing.T) {
			p := plant(t, b, store)
			if found := p.left(t); len(found) < 15 {
				t.Fatalf("planted in %v only", found)
			}
			would, err := b.pg.DB.CountErasure(t.Context(), b.ws, p.lead)
			if err != nil {
				t.Fatal(err)
			}
			e, err := b.pg.DB.EraseLead(t.Context(), b.ws, p.lead, "asked", postgres.Caller{})
			if err != nil {
				t.Fatal(err)
			}
			claim := p.claimErasure(t, e.ID)
			job := jobs.Erase{Workspace: b.ws, Erasure: e.ID}
			if killed != "never" {
				w.dieErasing(t, claim, job, killed)
			}
			if err := w.erase(t.Context(), claim, job); err != nil && (killed != "after it" || !errors.Is(err, postgres.ErrFenced)) {
				t.Fatal(err)
			}
			if found := p.left(t); len(found) > 0 {
				t.Errorf("left: %v", found)
			}
			if e, err = b.pg.DB.ReadErasure(t.Context(), b.ws, e.ID, false); err != nil || e.Status != dossier.ErasureComplete || e.Counts.Objects != 4 || e.Counts.Rows < would.Rows {
				t.Fatalf("%+v, %v, want at least %+v", e, err, would)
			}
			if counts == (dossier.ErasureCounts{}) {
				counts = e.Counts
			}
			if n := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM events WHERE type = 'lead.erased' AND lead_id = $1`, p.lead); n != 1 || e.Counts != counts {
				t.Errorf("%d events tell of it; %+v, want %+v", n, e.Counts, counts)
			}
			var c record.Certificate
			if err := json.Unmarshal(e.Certificate, &c); err != nil {
				t.Fatal(err)
			}
			if err := b.pg.DB.VerifyCertificate(t.Context(), b.ws, c); err != nil {
				t.Error(err)
			}
			c.Counts.Rows++
			if err := b.pg.DB.VerifyCertificate(t.Context(), b.ws, c); !errors.Is(err, postgres.ErrCertificate) {
				t.Errorf("a certificate that was changed: %v", err)
			}
			if _, err := b.pg.DB.EraseLead(t.Context(), b.ws, p.lead, "again", postgres.Caller{}); dossier.KindOf(err) != dossier.NotFound {
				t.Errorf("erased again: %v", err)
			}
		})
	}
}

// dieErasing does a part of the job and stops there, as a worker that was killed.
func (w *Worker) dieErasing(t *testing.T, claim postgres.Claim, job jobs.Erase, killed string) {
	t.Helper()
	step, err := w.db.StartErasure(t.Context(), job.Workspace, job.Erasure)
	if err != nil || !step.Open {
		t.Fatal(err)
	}
	switch killed {
	case "between two objects":
		err = w.Objects.Erase(t.Context(), step.Objects[0])
	case "before the last commit", "after it":
		for _, key := range step.Objects {
			err = errors.Join(err, w.Objects.Erase(t.Context(), key))
		}
		for _, run := range step.Runs {
			err = errors.Join(err, w.Redis.DropPoll(t.Context(), job.Workspace, run))
		}
		err = errors.Join(err, w.Redis.DropAnswers(t.Context(), job.Workspace, step.Named))
	}
	if killed == "before the last commit" {
		stale := claim
		stale.Epoch++
		if err := w.db.FinishErasure(context.WithoutCancel(t.Context()), stale, job.Erasure); !errors.Is(err, postgres.ErrFenced) {
			t.Errorf("a claim of another epoch: %v", err)
		}
	}
	if killed == "after it" {
		err = errors.Join(err, w.db.FinishErasure(t.Context(), claim, job.Erasure))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// While a hold stands an erasure waits, and so does the deleted lead's; what is called off never runs.
func TestErase_on_hold(t *testing.T) {
	b, store := setup(t), objectstest.New(t)
	w := b.worker(nil)
	w.Objects = store
	p := plant(t, b, store)
	if err := b.pg.DB.DeleteLead(t.Context(), b.ws, p.lead, true, postgres.Caller{}); err != nil {
		t.Fatal(err)
	}
	id := dossier.ErasureID(pgtest.Value[string](t, b.pg, `SELECT id::text FROM erasures`))
	claim := p.claimErasure(t, id)
	hold, err := b.pg.DB.CreateHold(t.Context(), b.ws, p.lead, "a court asked")
	if err != nil {
		t.Fatal(err)
	}
	run := func(claim postgres.Claim, want dossier.ErasureStatus) {
		t.Helper()
		if err := w.erase(t.Context(), claim, jobs.Erase{Workspace: b.ws, Erasure: id}); err != nil {
			t.Fatal(err)
		}
		if e, err := b.pg.DB.ReadErasure(t.Context(), b.ws, id, false); err != nil || e.Status != want {
			t.Errorf("%s, want %s (%v)", e.Status, want, err)
		}
	}
	run(claim, dossier.ErasureHeld)
	if found := p.left(t); len(found) < 15 {
		t.Errorf("something of a held lead is gone: %v", found)
	}
	if err := b.pg.DB.ReleaseHold(t.Context(), b.ws, p.lead, hold.ID, postgres.Caller{}); err != nil {
		t.Fatal(err)
	}
	run(p.claimErasure(t, id), dossier.ErasureComplete)
}

// Whatever stood of one document is gone when it is erased; the rest of its lead stays, a spread that used it is made anew
// without it, and its answers to repeated calls are forgotten.
func TestErase_document(t *testing.T) {
	b, store := setup(t), objectstest.New(t)
	w := b.worker(nil)
	w.Objects = store
	ctx := t.Context()
	var random [32]byte
	_, _ = rand.Read(random[:])
	p := planted{bench: b, canary: hex.EncodeToString(random[:]), store: store}
	var entries []dossier.EntryID
	p.lead, entries = b.pg.Lead(t, b.ws, dossier.FieldFile, dossier.FieldTaxReturn)
	word, now, key := p.canary, b.pg.Clock.Now(), "documents/"+string(p.lead)
	var files []postgres.NewFile
	for i, name := range []string{word + ".csv", "other.csv"} {
		files = append(files, postgres.NewFile{ID: dossier.DocumentID(postgres.NewID()), Filename: name, MimeType: "text/csv", Size: 1, SHA256: []byte(name),
			ObjectKey: fmt.Sprintf("%s-%d", key, i)})
	}
	docs, _, err := b.pg.DB.CreateDocuments(ctx, b.ws, postgres.Upload{LeadID: p.lead, EntryID: entries[0], Source: dossier.SourceImported, Files: files})
	if err != nil {
		t.Fatal(err)
	}
	for _, at := range []string{"-0", "-0.tokens", "-0.png", "-report"} {
		if _, err := store.Put(ctx, key+at, "text/plain", strings.NewReader(word), 0); err != nil {
			t.Fatal(err)
		}
	}
	id := string(docs[0].ID)
	b.pg.Exec(t, `UPDATE documents SET extraction_status = 'completed', extraction = jsonb_build_object('documents', '[]'::jsonb, 'x', $2::text),
		tokens_key = object_key || '.tokens', thumbnail_key = object_key || '.png' WHERE id = $1`, id, word)
	b.pg.Exec(t, `UPDATE document_associations SET reason = $2, validation_result = jsonb_build_object('x', $2::text) WHERE document_id = $1`, id, word)
	b.pg.Exec(t, `UPDATE checklist_entries SET status = 'INVALID', validation_error = $2, reasons = jsonb_build_array(
		jsonb_build_object('code', 'earlier', 'args', jsonb_build_object('text', $2::text), 'citations', '[]'::jsonb)) WHERE id = $1`,
		string(entries[0]), word)
	cites := dossier.NewReason("name_other", "printed", word) // of an item that the document is no longer on
	cites.Citations = []dossier.Citation{{DocumentID: &docs[0].ID, Text: word}}
	b.pg.Exec(t, `UPDATE checklist_entries SET reasons = $2 WHERE id = $1`, string(entries[1]), []dossier.Reason{cites})
	b.pg.Exec(t, `INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, body, document_ids, created_at, updated_at)
		VALUES ($1, $2, $3, 'INBOUND', 'email', 'RECEIVED', 'hello', ARRAY[$4::uuid], $5, $5)`, b.ws, postgres.NewID(), p.lead, id, now)
	spread := postgres.NewID()
	b.pg.Exec(t, `INSERT INTO spreads (workspace_id, id, lead_id, status, results, created_at, updated_at) VALUES ($1, $2, $3, 'COMPLETE', jsonb_build_object('x', $4::text), $5, $5)`, b.ws, spread, p.lead, word, now)
	for i, d := range docs {
		b.pg.Exec(t, `INSERT INTO spread_documents (workspace_id, spread_id, document_id, position, status) VALUES ($1, $2, $3, $4, 'EXTRACTED')`, b.ws, spread, d.ID, i)
	}
	b.pg.Exec(t, `INSERT INTO artifacts (workspace_id, id, spread_id, round, type, title, object_key, sha256, size, created_at) VALUES ($1, $2, $3, 1, 'REPORT', $4, $5, '\x00', 1, $6)`, b.ws, postgres.NewID(), spread, word, key+"-report", now)
	b.pg.Exec(t, `INSERT INTO events (workspace_id, id, type, lead_id, body, created_at) VALUES ($1, $2, 'spread.completed', $3, $4, $5)`, b.ws, postgres.NewID(), p.lead, `{"id":"`+spread+`","x":"`+word+`"}`, now)
	run, err := b.pg.DB.CreatePipelineRun(ctx, b.ws, jobs.PipelineExtractDocument, []string{jobs.PipelineExtractDocument}, fmt.Appendf(nil, `{"documentId": %q}`, id), postgres.PipelineSubjects{})
	if err != nil {
		t.Fatal(err)
	}
	b.pg.Exec(t, `UPDATE pipeline_runs SET result = jsonb_build_object('x', $2::text) WHERE id = $1`, run.ID, word)
	if err := b.redis.SetPoll(ctx, b.ws, run.ID, []byte(word)); err != nil {
		t.Fatal(err)
	}
	b.redis.KeepAnswer(ctx, b.ws, id, "of a page", []byte(word))
	if _, ok := b.redis.Answer(ctx, b.ws, string(docs[1].ID), "of a page"); !ok {
		t.Error("another document with the same page is asked about anew")
	}
	for path, told := range map[string]string{"/told": id, "/of-another": string(docs[1].ID)} {
		claim, _, err := b.pg.DB.ClaimIdempotency(ctx, b.ws, postgres.IdempotencyKey{Method: "POST", Path: path, Key: "k"}, []byte("h"), 1)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.pg.DB.SettleIdempotency(ctx, claim, postgres.StoredAnswer{Status: 201, Body: []byte(`{"id": "` + told + `"}`)}); err != nil {
			t.Fatal(err)
		}
	}
	if found := p.left(t); len(found) < 10 {
		t.Fatalf("planted in %v only", found)
	}

	e, err := b.pg.DB.EraseDocument(ctx, b.ws, docs[0].ID, "asked")
	if err != nil {
		t.Fatal(err)
	}
	if err := w.erase(ctx, p.claimErasure(t, e.ID), jobs.Erase{Workspace: b.ws, Erasure: e.ID}); err != nil {
		t.Fatal(err)
	}
	if found := p.left(t); len(found) > 0 {
		t.Errorf("left: %v", found)
	}
	for what, q := range map[string]struct {
		sql  string
		args []any
	}{
		"the other document":         {`SELECT count(*) FROM documents WHERE id = $1 AND deleted_at IS NULL`, []any{docs[1].ID}},
		"the message without it":     {`SELECT count(*) FROM messages WHERE lead_id = $1 AND document_ids = '{}'`, []any{p.lead}},
		"the spread's next round":    {`SELECT count(*) FROM spreads WHERE id = $1 AND status = 'IN_PROGRESS' AND round = 2 AND results IS NULL`, []any{spread}},
		"its job":                    {`SELECT count(*) FROM jobs WHERE kind = 'spread.consolidate' AND subject_id = $1 AND status = 'QUEUED'`, []any{spread}},
		"the judging of the items":   {`SELECT least(count(*), 1) FROM jobs WHERE kind = 'lead.judge' AND subject_id = $1 AND status = 'QUEUED'`, []any{p.lead}},
		"one event that tells":       {`SELECT count(*) FROM events WHERE type = 'document.erased' AND body LIKE '%"data":{"leadId":"' || $1 || '","documentId":"' || $2 || '","erasureId":"' || $3 || '"}}'`, []any{p.lead, id, e.ID}},
		"the answer about another":   {`SELECT count(*) FROM idempotency_keys WHERE path = '/of-another'`, nil},
		"a tombstone of 4 objects":   {`SELECT count(*) FROM erasures WHERE id = $1 AND status = 'COMPLETE' AND object_count = 4 AND certificate IS NOT NULL`, []any{e.ID}},
		"no answer that tells of it": {`SELECT 1 - count(*) FROM idempotency_keys WHERE path = '/told'`, nil},
	} {
		if n := pgtest.Value[int](t, b.pg, q.sql, q.args...); n != 1 {
			t.Errorf("%s: %d", what, n)
		}
	}
	if _, err := b.pg.DB.EraseDocument(ctx, b.ws, docs[0].ID, "again"); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("erased again: %v", err)
	}

	// Its lead is erased before another document's grace is over: that erasure is complete with it, and says nothing after it.
	if err := b.pg.DB.DeleteDocument(ctx, b.ws, docs[1].ID, false); err != nil {
		t.Fatal(err)
	}
	whole, err := b.pg.DB.EraseLead(ctx, b.ws, p.lead, "asked", postgres.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.erase(ctx, p.claimErasure(t, whole.ID), jobs.Erase{Workspace: b.ws, Erasure: whole.ID}); err != nil {
		t.Fatal(err)
	}
	if n := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM erasures WHERE lead_id = $1 AND status = 'COMPLETE' AND certificate IS NOT NULL`, p.lead); n != 3 {
		t.Errorf("%d erasures are complete, want 3", n)
	}
	if last := pgtest.Value[string](t, b.pg, `SELECT type FROM events WHERE lead_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1`, p.lead); last != "lead.erased" {
		t.Errorf("the last event is %s", last)
	}
}

// Of an erased workspace nothing is left in any table or object store but what names nobody; its neighbour keeps everything.
// Killed between any two commits, the job goes on where it was.
func TestErase_workspace(t *testing.T) {
	b, store := setup(t), objectstest.New(t)
	w := b.worker(nil)
	w.Objects = store
	ctx := t.Context()
	p := plant(t, b, store)
	neighbour := b.pg.Workspace(t)
	b.pg.Lead(t, neighbour, dossier.FieldText)
	for _, ws := range []dossier.WorkspaceID{b.ws, neighbour} {
		if _, err := store.Put(ctx, string(ws)+"/documents/x", "text/plain", strings.NewReader(p.canary), 0); err != nil {
			t.Fatal(err)
		}
	}
	hold, err := b.pg.DB.CreateHold(ctx, b.ws, p.lead, "a court asked")
	if err != nil {
		t.Fatal(err)
	}
	if err := b.pg.DB.DeleteWorkspace(ctx, string(b.ws), "the contract ended"); dossier.KindOf(err) != dossier.Conflict {
		t.Errorf("erased under a hold: %v", err)
	}
	if err := b.pg.DB.ReleaseHold(ctx, b.ws, p.lead, hold.ID, postgres.Caller{}); err != nil {
		t.Fatal(err)
	}
	b.pg.Exec(t, `UPDATE workspaces SET retention = '{"floorDays": 2, "floorFrom": "created"}' WHERE id = $1`, b.ws)
	if known := asDossierError(b.pg.DB.DeleteWorkspace(ctx, string(b.ws), "the contract ended")); known == nil || known.Code != "retention_floor" {
		t.Errorf("erased before the floor: %v", known)
	}
	b.pg.Exec(t, `UPDATE workspaces SET retention = '{}' WHERE id = $1`, b.ws)
	if err := b.pg.DB.DeleteWorkspace(ctx, string(b.ws), "the contract ended"); err != nil {
		t.Fatal(err)
	}
	job := jobs.EraseWorkspace{Target: b.ws}
	if n := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM jobs WHERE kind = 'system.erase-workspace' AND workspace_id IS NULL AND payload->>'target' = $1`, string(b.ws)); n != 1 {
		t.Fatalf("%d jobs", n)
	}
	// A first try dies after some pages.
	if _, ok, err := b.pg.DB.StartWorkspaceErasure(ctx, b.ws); err != nil || !ok {
		t.Fatal(err)
	}
	if err := w.eraseObjects(ctx, b.ws); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if n, err := b.pg.DB.EraseWorkspaceRows(ctx, b.ws); err != nil || n == 0 {
			t.Fatalf("%d, %v", n, err)
		}
	}
	for range 2 { // and once more when it is over
		if err := w.eraseWorkspace(ctx, postgres.Claim{}, job); err != nil {
			t.Fatal(err)
		}
	}
	for _, table := range pgtest.Value[[]string](t, b.pg, `SELECT array_agg(c.relname::text) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id'
		WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND c.relname NOT IN ('audit_entries', 'erasures')`) {
		if n := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM `+table+` WHERE workspace_id = $1`, b.ws); n > 0 {
			t.Errorf("%d rows of %s are left", n, table)
		}
	}
	for _, table := range pgtest.Value[[]string](t, b.pg, `SELECT array_agg(tablename::text) FROM pg_tables WHERE schemaname = 'public'`) {
		if n := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM `+table+` t WHERE t::text LIKE '%' || $1 || '%'`, p.canary); n > 0 {
			t.Errorf("%d rows of %s hold the canary", n, table)
		}
	}
	for object := range store.List(ctx, string(b.ws)+"/") {
		t.Errorf("object %s is left", object.Key)
	}
	e, err := b.pg.DB.Erasures(ctx, b.ws, "", "", false, dossier.Page{Limit: 10})
	if err != nil || len(e) != 1 || e[0].Status != dossier.ErasureComplete || e[0].Subject != dossier.EraseWorkspace || e[0].Counts.Objects != 1 || e[0].Counts.Rows < 20 || e[0].Reason != "the contract ended" {
		t.Fatalf("%+v, %v", e, err)
	}
	var c record.Certificate
	if err := json.Unmarshal(e[0].Certificate, &c); err != nil {
		t.Fatal(err)
	}
	if err := b.pg.DB.VerifyCertificate(ctx, b.ws, c); err != nil {
		t.Error(err)
	}
	if chain, err := b.pg.DB.VerifyAudit(ctx, b.ws); err != nil || chain.Broken != "" {
		t.Errorf("the audit: %+v, %v", chain, err)
	}
	if n := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM leads WHERE workspace_id = $1`, neighbour); n != 1 {
		t.Errorf("the neighbour has %d leads", n)
	}
	left := 0
	for range store.List(ctx, string(neighbour)+"/") {
		left++
	}
	if left != 1 {
		t.Errorf("the neighbour has %d objects", left)
	}
}

package postgres_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
	"github.com/dossierhq/dossier/storage/record"
)

// erasable is a lead with two documents that is to be erased, and its database.
type erasable struct {
	*pgtest.Server
	ws   dossier.WorkspaceID
	lead dossier.LeadID
	docs []dossier.Document
}

func newErasable(t *testing.T, s *pgtest.Server) *erasable {
	t.Helper()
	e := &erasable{Server: s, ws: s.Workspace(t)}
	var entries []dossier.EntryID
	e.lead, entries = s.Lead(t, e.ws, dossier.FieldBankStatement)
	var err error
	e.docs, _, err = s.DB.CreateDocuments(t.Context(), e.ws, postgres.Upload{LeadID: e.lead, EntryID: entries[0],
		Source: dossier.SourceImported, Files: []postgres.NewFile{file("a.pdf", "a"), file("b.pdf", "b")}})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func (e *erasable) erase(t *testing.T) dossier.ErasureID {
	t.Helper()
	erasure, err := e.DB.EraseLead(t.Context(), e.ws, e.lead, "asked", postgres.Caller{})
	if err != nil {
		t.Fatal(err)
	}
	return erasure.ID
}

// claim takes the job of an erasure as a worker would.
func (e *erasable) claim(t *testing.T, id dossier.ErasureID) postgres.Claim {
	t.Helper()
	job := pgtest.Value[string](t, e.Server, `UPDATE jobs SET run_at = now() WHERE id = (SELECT id FROM jobs
		WHERE kind = 'system.erase' AND subject_id = $1 AND status = 'QUEUED') RETURNING id || ' ' || epoch`, id)
	name, _, _ := strings.Cut(job, " ")
	claim, ok, err := e.DB.ClaimJob(t.Context(), dossier.JobID(name), 1, "w")
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	return claim
}

// stands is an erasure's status, how many jobs wait to carry it out, and whether its lead can be seen.
func (e *erasable) stands(t *testing.T, id dossier.ErasureID) string {
	t.Helper()
	seen := "gone"
	if _, err := e.DB.LeadView(t.Context(), e.ws, e.lead); err == nil {
		seen = "seen"
	}
	return seen + " " + pgtest.Value[string](t, e.Server, `SELECT concat_ws(' ', status, (SELECT count(*) FROM jobs
		WHERE kind = 'system.erase' AND subject_id = e.id AND status = 'QUEUED')) FROM erasures e WHERE id = $1`, id)
}

// Nothing of a lead is in any table when its erasure is complete but the word that it was erased, everything of others
// is, and the certificate says so to whoever checks it.
func TestFinishErasure(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	e := &erasable{Server: s}
	other, _ := owner(t, s)
	var ids map[string]string
	e.ws, ids = owner(t, s)
	e.lead = dossier.LeadID(ids["LeadID"])
	s.Exec(t, `DELETE FROM erasures WHERE workspace_id = $1`, e.ws)
	s.Exec(t, `UPDATE holds SET released_at = now() WHERE workspace_id = $1`, e.ws)
	before := state(t, s, other)
	would, err := s.DB.CountErasure(t.Context(), e.ws, e.lead)
	if err != nil || would.Rows < 15 || would.Objects < 2 {
		t.Fatalf("would take %+v, %v", would, err)
	}
	id := e.erase(t)
	step, err := s.DB.StartErasure(t.Context(), e.ws, id)
	if err != nil || !step.Open || len(step.Objects) != would.Objects {
		t.Fatalf("%+v, %v", step, err)
	}
	claim := e.claim(t, id)
	s.Exec(t, `UPDATE jobs SET epoch = epoch + 1 WHERE id = $1`, claim.Job)
	if err := s.DB.FinishErasure(t.Context(), claim, id); !errors.Is(err, postgres.ErrFenced) ||
		pgtest.Value[int](t, s, `SELECT count(*) FROM leads WHERE id = $1`, e.lead) != 1 {
		t.Errorf("whoever lost the claim took rows away: %v", err)
	}
	s.Exec(t, `UPDATE jobs SET epoch = epoch - 1 WHERE id = $1`, claim.Job)
	for range 2 { // the second changes nothing
		if err := s.DB.FinishErasure(t.Context(), claim, id); err != nil {
			t.Fatal(err)
		}
	}
	done, err := s.DB.ReadErasure(t.Context(), e.ws, id, false)
	if err != nil || done.Status != dossier.ErasureComplete || done.Counts.Rows < would.Rows ||
		done.Counts.Objects != would.Objects {
		t.Errorf("%+v, %v; would have taken %+v", done, err, would)
	}
	if _, err := s.DB.FoldWorkspaceReports(t.Context(), e.ws); err != nil { // the counts hear of it within seconds
		t.Fatal(err)
	}
	tables := pgtest.Value[[]string](t, s, `SELECT array_agg(c.relname::text ORDER BY c.relname) FROM pg_class c
		WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace`)
	told := map[string]bool{"erasures": true, "events": true, "event_inbox": true, "audit_entries": true, "jobs": true,
		"outbox": true}
	for _, table := range tables {
		if n := pgtest.Value[int](t, s, `SELECT count(*) FROM `+table+` x WHERE x::text LIKE '%' || $1 || '%'`,
			string(e.lead)); n != 0 && !told[table] {
			t.Errorf("%d rows of %s name the lead", n, table)
		}
	}
	if events := pgtest.Value[string](t, s, `SELECT string_agg(type, ' ') FROM events WHERE lead_id = $1`,
		e.lead); events != "lead.erased" {
		t.Errorf("events of the lead: %s", events)
	}
	if after := state(t, s, other); after != before {
		t.Errorf("something of the other workspace changed:\n%s\n%s", before, after)
	}
	var c record.Certificate
	if err := json.Unmarshal(done.Certificate, &c); err != nil {
		t.Fatal(err)
	}
	if err := s.DB.VerifyCertificate(t.Context(), e.ws, c); err != nil {
		t.Errorf("the certificate: %v", err)
	}
	for name, forge := range map[string]func(c *record.Certificate){
		"fewer rows":   func(c *record.Certificate) { c.Counts.Rows-- },
		"other things": func(c *record.Certificate) { c.SHA256 = strings.Repeat("0", 64) },
		"unsigned":     func(c *record.Certificate) { c.Signature = "" },
		"no base64":    func(c *record.Certificate) { c.Signature = "?" },
	} {
		forged := c
		forge(&forged)
		if err := s.DB.VerifyCertificate(t.Context(), e.ws, forged); !errors.Is(err, postgres.ErrCertificate) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := s.DB.VerifyCertificate(t.Context(), other, c); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("another lender verifies it: %v", err)
	}
}

// A hold keeps a lead as it is, whenever it comes: asked, begun or about to be taken away. The last release sets the
// erasure going again.
func TestErasure_under_a_hold(t *testing.T) {
	t.Parallel()
	e := newErasable(t, pgtest.New(t))
	hold := func() dossier.HoldID {
		t.Helper()
		h, err := e.DB.CreateHold(t.Context(), e.ws, e.lead, "litigation")
		if err != nil {
			t.Fatal(err)
		}
		return h.ID
	}
	release := func(id dossier.HoldID) {
		t.Helper()
		for range 2 { // the second changes nothing
			if err := e.DB.ReleaseHold(t.Context(), e.ws, e.lead, id, postgres.Caller{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	is := func(id dossier.ErasureID, want string) {
		t.Helper()
		if got := e.stands(t, id); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	first, second := hold(), hold()
	id := e.erase(t)
	is(id, "seen HELD 0")
	if step, err := e.DB.StartErasure(t.Context(), e.ws, id); err != nil || step.Open {
		t.Errorf("begun under a hold: %+v, %v", step, err)
	}
	release(first)
	is(id, "seen HELD 0")
	release(second)
	is(id, "gone SCHEDULED 1")
	third := hold()
	is(id, "gone HELD 1") // its job finds it held
	release(third)
	is(id, "gone SCHEDULED 1")
	if step, err := e.DB.StartErasure(t.Context(), e.ws, id); err != nil || !step.Open {
		t.Fatalf("%+v, %v", step, err)
	}
	claim := e.claim(t, id)
	fourth := hold() // its objects are going
	if err := e.DB.FinishErasure(t.Context(), claim, id); err != nil {
		t.Fatal(err)
	}
	if err := e.DB.FinishJob(t.Context(), claim); err != nil {
		t.Fatal(err)
	}
	is(id, "gone HELD 0")
	release(fourth)
	is(id, "gone SCHEDULED 1")
	if err := e.DB.ReleaseHold(t.Context(), e.ws, e.lead, dossier.HoldID(postgres.NewID()),
		postgres.Caller{}); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("a hold that never was: %v", err)
	}
	holds, err := e.DB.Holds(t.Context(), e.ws, e.lead, dossier.Page{Limit: 10})
	if err != nil || len(holds) != 4 || holds[0].ID != fourth || holds[3].ReleasedAt == nil {
		t.Errorf("%+v, %v", holds, err)
	}
}

// Under four eyes nothing of a lead goes, and it stays in sight, until a second person agrees: the end of a hold is no
// agreement. Declined, it is as if nobody had asked.
func TestErasure_under_a_hold_and_four_eyes(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	for decided, want := range map[dossier.ReviewDecided]string{dossier.DecideAccept: "gone SCHEDULED 1",
		dossier.DecideReject: "seen CANCELLED 0"} {
		t.Run(string(decided), func(t *testing.T) {
			t.Parallel()
			e := newErasable(t, s)
			e.Exec(t, `UPDATE workspaces SET four_eyes = '{erase}' WHERE id = $1`, e.ws)
			h, err := e.DB.CreateHold(t.Context(), e.ws, e.lead, "litigation")
			if err != nil {
				t.Fatal(err)
			}
			asked, err := e.DB.EraseLead(robot(t, 1), e.ws, e.lead, "asked", postgres.Caller{})
			if err != nil || asked.Asked == nil {
				t.Fatalf("%+v, %v", asked, err)
			}
			if err := e.DB.ReleaseHold(t.Context(), e.ws, e.lead, h.ID, postgres.Caller{}); err != nil {
				t.Fatal(err)
			}
			if got := e.stands(t, asked.ID); got != "seen SCHEDULED 0" {
				t.Errorf("released, nobody has agreed: %s", got)
			}
			second := postgres.WithActor(t.Context(), postgres.Actor{Type: dossier.ActorPerson, ID: postgres.NewID(),
				Name: "bo@lender.example"})
			r, err := e.DB.ClaimReview(second, e.ws, asked.Asked.ID, false, "")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := e.DB.DecideReview(second, e.ws, r.ID, postgres.DecisionRequest{Decision: decided, Version: r.Version,
				ReasonCode: ptr("other")}); err != nil {
				t.Fatal(err)
			}
			if got := e.stands(t, asked.ID); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

// A floor is kept whenever it became known: what would come too early is refused, and what was ordered before waits.
func TestErasure_before_the_floor(t *testing.T) {
	t.Parallel()
	e := newErasable(t, pgtest.New(t))
	now := e.Clock.Now()
	id := e.erase(t)
	e.Exec(t, `UPDATE workspaces SET retention = '{"floorDays": 30, "floorFrom": "decision"}' WHERE id = $1`, e.ws)
	e.Exec(t, `UPDATE leads SET decision_at = $2 WHERE id = $1`, e.lead, now)
	if step, err := e.DB.StartErasure(t.Context(), e.ws, id); err != nil || step.Open {
		t.Errorf("begun before the floor: %+v, %v", step, err)
	}
	if got := e.stands(t, id); got != "gone SCHEDULED 2" {
		t.Errorf("%s, want a job for the floor's end", got)
	}
	if due := pgtest.Value[time.Time](t, e.Server, `SELECT due_at FROM erasures WHERE id = $1`, id); !due.Equal(
		now.AddDate(0, 0, 30)) {
		t.Errorf("due %s", due)
	}
	refused := func(name string, err error) {
		t.Helper()
		var fault *dossier.Error
		if !errors.As(err, &fault) || fault.Code != "retention_floor" || fault.Kind != dossier.Conflict {
			t.Errorf("%s: %v, want retention_floor", name, err)
		}
	}
	_, err := e.DB.EraseLead(t.Context(), e.ws, e.lead, "asked", postgres.Caller{})
	refused("the lead", err)
	_, err = e.DB.EraseDocument(t.Context(), e.ws, e.docs[0].ID, "asked")
	refused("a document", err)
	_, err = e.DB.CountErasure(t.Context(), e.ws, e.lead)
	refused("its counts", err)
	_, err = e.DB.CountDocumentErasure(t.Context(), e.ws, e.docs[0].ID)
	refused("a document's counts", err)
	e.Clock.Set(now.AddDate(0, 0, 30).Add(-time.Microsecond))
	_, err = e.DB.CountErasure(t.Context(), e.ws, e.lead)
	refused("just before", err)
	e.Clock.Advance(time.Microsecond)
	if step, err := e.DB.StartErasure(t.Context(), e.ws, id); err != nil || !step.Open {
		t.Errorf("not begun at the floor's end: %+v, %v", step, err)
	}
}

// Only what has not begun can be called off; a lead that is deleted stays so, and its data is kept.
func TestCancelErasure(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	for status, may := range map[string]bool{"SCHEDULED": true, "HELD": true, "RUNNING": false, "COMPLETE": false,
		"CANCELLED": false} {
		e := newErasable(t, s)
		id := e.erase(t)
		e.Exec(t, `UPDATE erasures SET status = $2 WHERE id = $1`, id, status)
		got, err := e.DB.CancelErasure(t.Context(), e.ws, id)
		var fault *dossier.Error
		if may && (err != nil || got.Status != dossier.ErasureCancelled || e.stands(t, id) != "gone CANCELLED 0") {
			t.Errorf("%s: %+v, %v, %s", status, got, err, e.stands(t, id))
		}
		if !may && (!errors.As(err, &fault) || fault.Code != "erasure_not_open") {
			t.Errorf("%s: %v, want erasure_not_open", status, err)
		}
	}
	e := newErasable(t, s)
	id := e.erase(t)
	byTest := postgres.WithActor(t.Context(), postgres.Actor{Type: dossier.ActorKey, ID: postgres.NewID(), Test: true})
	if _, err := e.DB.CancelErasure(byTest, e.ws, id); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("a test key cancels a real lead's erasure: %v", err)
	}
}

// Of a document only what is its own goes; when its whole lead goes first, the erasure of the document is complete with
// it and has a certificate too.
func TestEraseDocument(t *testing.T) {
	t.Parallel()
	e := newErasable(t, pgtest.New(t))
	first, kept := e.docs[0].ID, e.docs[1].ID
	for _, text := range []string{"one", "both"} {
		e.Exec(t, `INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, body, document_ids, created_at,
			updated_at) VALUES ($1, gen_random_uuid(), $2, 'INBOUND', 'email', 'RECEIVED', $3, CASE $3 WHEN 'one'
			THEN ARRAY[$4::uuid] ELSE ARRAY[$4::uuid, $5] END, $6, $6)`, e.ws, e.lead, text, first, kept, e.Clock.Now())
	}
	would, err := e.DB.CountDocumentErasure(t.Context(), e.ws, first)
	if err != nil || would.Objects != 1 {
		t.Fatalf("%+v, %v", would, err)
	}
	erasure, err := e.DB.EraseDocument(t.Context(), e.ws, first, "asked")
	if err != nil {
		t.Fatal(err)
	}
	if step, err := e.DB.StartErasure(t.Context(), e.ws, erasure.ID); err != nil || !step.Open || len(step.Objects) != 1 {
		t.Fatalf("%+v, %v", step, err)
	}
	if err := e.DB.FinishErasure(t.Context(), e.claim(t, erasure.ID), erasure.ID); err != nil {
		t.Fatal(err)
	}
	left := pgtest.Value[string](t, e.Server, `SELECT concat_ws(' ', (SELECT string_agg(id::text, ',') FROM documents),
		(SELECT string_agg(cardinality(document_ids)::text, ',' ORDER BY body DESC) FROM messages),
		(SELECT count(*) FROM events WHERE type = 'document.erased'), (SELECT count(*) FROM jobs WHERE kind = 'lead.judge'
		AND status = 'QUEUED'))`)
	if want := string(kept) + " 0,1 1 2"; left != want {
		t.Errorf("%s, want %s: the other document, its message, the event and the judgings of the lead", left, want)
	}
	if _, err := e.DB.EraseDocument(t.Context(), e.ws, first, "again"); dossier.KindOf(err) != dossier.NotFound {
		t.Errorf("again: %v", err)
	}
	waiting, err := e.DB.EraseDocument(t.Context(), e.ws, kept, "asked")
	if err != nil {
		t.Fatal(err)
	}
	whole := e.erase(t)
	if _, err := e.DB.StartErasure(t.Context(), e.ws, whole); err != nil {
		t.Fatal(err)
	}
	if err := e.DB.FinishErasure(t.Context(), e.claim(t, whole), whole); err != nil {
		t.Fatal(err)
	}
	done, err := e.DB.ReadErasure(t.Context(), e.ws, waiting.ID, false)
	if err != nil || done.Status != dossier.ErasureComplete || len(done.Certificate) == 0 || done.Counts.Objects != 1 {
		t.Errorf("the document's: %+v, %v", done, err)
	}
	if step, err := e.DB.StartErasure(t.Context(), e.ws, waiting.ID); err != nil || step.Open {
		t.Errorf("its job finds work: %+v, %v", step, err)
	}
}

// After an older state of the database was put back, what had been erased is ordered again, of whatever kind; what is
// not there needs nothing, and what a hold keeps of it waits.
func TestEraseAgain(t *testing.T) {
	t.Parallel()
	e := newErasable(t, pgtest.New(t))
	again := func(subject dossier.ErasureSubject, id string, want bool) {
		t.Helper()
		found, err := e.DB.EraseAgain(context.Background(), postgres.Erased{Workspace: e.ws, Subject: subject, SubjectID: id,
			ID: dossier.ErasureID(postgres.NewID())})
		if found != want || err != nil {
			t.Errorf("the %s was found: %v, %v", subject, found, err)
		}
	}
	again(dossier.EraseDocument, string(e.docs[0].ID), true)
	again(dossier.EraseLead, postgres.NewID(), false)
	again(dossier.EraseDocument, postgres.NewID(), false)
	again(dossier.EraseWorkspace, "nobody", false)
	again(dossier.EraseLead, string(e.lead), true)
	if open := pgtest.Value[string](t, e.Server, `SELECT string_agg(subject || ' ' || status, ', ' ORDER BY subject)
		FROM erasures`); open != "document SCHEDULED, lead SCHEDULED" {
		t.Errorf("ordered are %s", open)
	}
	if _, err := e.DB.CreateHold(t.Context(), e.ws, e.lead, "litigation"); err != nil {
		t.Fatal(err)
	}
	if found, err := e.DB.EraseAgain(t.Context(), postgres.Erased{Workspace: e.ws, Subject: dossier.EraseWorkspace,
		SubjectID: string(e.ws)}); found || dossier.KindOf(err) != dossier.Conflict {
		t.Errorf("a workspace with a hold: %v, %v", found, err)
	}
}

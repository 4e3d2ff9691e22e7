package worker

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/objects/objectstest"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

const retentionDay = 24 * time.Hour

// What is past its age goes, once, with what the law and holds keep passed by; the counts of messages stay.
func TestRetention(t *testing.T) {
	b := setup(t)
	w := b.worker(nil)
	w.Objects = objectstest.New(t)
	now := b.pg.Clock.Now()
	closed := func(days int, decided any) dossier.LeadID {
		lead, _ := b.pg.Lead(t, b.ws, dossier.FieldText)
		b.pg.Exec(t, `UPDATE leads SET created_at = $2, completed_at = $2, closing_status = 'COMPLETED', decision_at = $3 WHERE id = $1`, string(lead), now.Add(-time.Duration(days)*retentionDay), decided)
		for i, at := range []int{days, 1} {
			b.pg.Exec(t, `INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, body, provider_message_id, created_at, updated_at)
				VALUES ($1, $2, $3, 'INBOUND', 'email', 'RECEIVED', 'words', $4, $5, $5)`, b.ws, postgres.NewID(), lead, string(lead)+string(rune('a'+i)), now.Add(-time.Duration(at)*retentionDay))
		}
		return lead
	}
	due, young := closed(40, nil), closed(5, nil)
	kept := closed(40, now.Add(-20*retentionDay)) // decided later: the floor is in ten days
	held := closed(40, nil)
	open, _ := b.pg.Lead(t, b.ws, dossier.FieldText)
	b.pg.Exec(t, `UPDATE leads SET created_at = $2 WHERE id = $1`, string(open), now.Add(-400*retentionDay))
	if _, err := b.pg.DB.CreateHold(t.Context(), b.ws, held, "a court asked"); err != nil {
		t.Fatal(err)
	}
	for days := range 2 {
		b.pg.Exec(t, `INSERT INTO pipeline_runs (workspace_id, id, pipeline_id, parameters, status, created_at, finished_at) VALUES ($1, $2, 'x', '{}', 'COMPLETE', $3, $3)`,
			b.ws, postgres.NewID(), now.Add(-time.Duration(1+days*40)*retentionDay))
	}
	counts := func() [4]int {
		return [4]int{
			pgtest.Value[int](t, b.pg, `SELECT count(*) FROM leads WHERE deleted_at IS NULL`),
			pgtest.Value[int](t, b.pg, `SELECT count(*) FROM messages WHERE body <> ''`),
			pgtest.Value[int](t, b.pg, `SELECT count(*) FROM messages`),
			pgtest.Value[int](t, b.pg, `SELECT count(*) FROM pipeline_runs`),
		}
	}
	apply := func() {
		t.Helper()
		if err := w.applyRetention(t.Context(), postgres.Claim{}, jobs.ApplyRetention{}); err != nil {
			t.Fatal(err)
		}
	}
	before := counts()
	if apply(); counts() != before {
		t.Errorf("nothing is set, and %v are left of %v", counts(), before)
	}

	set := func(r string) { b.pg.Exec(t, `UPDATE workspaces SET retention = $1`, r) }
	set(`{"leadsAfter": 2592000000000000, "leadsFrom": "closed", "floorDays": 30, "floorFrom": "decision", "messages": 864000000000000, "pipelineRuns": 2592000000000000}`)
	plan, err := b.pg.DB.RetentionPlan(t.Context(), b.ws, 100)
	if err != nil {
		t.Fatal(err)
	}
	rules := map[string]string{}
	for _, p := range plan {
		rules[p.SubjectID] = p.Rule
	}
	for id, want := range map[dossier.LeadID]string{due: "leads 30d from closed; no floor, its decision has no day", kept: "leads 30d from closed; the floor",
		held: "leads 30d from closed; no floor, its decision has no day; held", open: ""} {
		if rules[string(id)] != want {
			t.Errorf("the plan says %q, want %q", rules[string(id)], want)
		}
	}
	if !slices.IsSortedFunc(plan, func(a, b dossier.PlannedErasure) int { return a.Due.Compare(b.Due) }) || plan[0].Due.After(now) {
		t.Errorf("what goes first is not first: %+v", plan)
	}

	apply()
	apply()
	// The lead that is due is gone; of its messages and of the young one's those that are old enough lost their words.
	if got, want := counts(), [4]int{before[0] - 1, before[1] - 1, before[2], before[3] - 1}; got != want {
		t.Errorf("left %v, want %v", got, want)
	}
	if n := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM erasures WHERE lead_id = $1 AND status = 'SCHEDULED' AND reason = 'retention' AND requested_by = 'system' AND due_at <= $2`, string(due), now); n != 1 {
		t.Errorf("%d erasures of the lead that is due", n)
	}
	for name, lead := range map[string]dossier.LeadID{"young": young, "kept by the floor": kept, "held": held, "open": open} {
		if n := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM erasures WHERE lead_id = $1`, string(lead)); n != 0 {
			t.Errorf("the lead that is %s is to be erased", name)
		}
	}

	// Asked for too early, it is refused with the day; deleted, it waits for the floor; decided meanwhile, it is put off.
	until := now.Add(10 * retentionDay)
	_, err = b.pg.DB.EraseLead(t.Context(), b.ws, kept, "asked", postgres.Caller{})
	if known := asDossierError(err); known == nil || known.Code != "retention_floor" || !known.Until.Equal(until) {
		t.Errorf("erased before the floor: %v", err)
	}
	if err := b.pg.DB.DeleteLead(t.Context(), b.ws, kept, true, postgres.Caller{}); asDossierError(err) == nil {
		t.Errorf("deleted and erased before the floor: %v", err)
	}
	set(`{"graceDays": 3, "floorDays": 30, "floorFrom": "decision"}`)
	for lead, want := range map[dossier.LeadID]time.Time{kept: until, young: now.Add(3 * retentionDay)} {
		if err := b.pg.DB.DeleteLead(t.Context(), b.ws, lead, false, postgres.Caller{}); err != nil {
			t.Fatal(err)
		}
		if at := pgtest.Value[time.Time](t, b.pg, `SELECT due_at FROM erasures WHERE lead_id = $1`, string(lead)); !at.Equal(want) {
			t.Errorf("a deleted lead is erased on %v, want %v", at, want)
		}
	}
	b.pg.Exec(t, `UPDATE leads SET decision_at = $2 WHERE id = $1`, string(due), now)
	id := dossier.ErasureID(pgtest.Value[string](t, b.pg, `SELECT id::text FROM erasures WHERE lead_id = $1`, string(due)))
	claim := planted{bench: b}.claimErasure(t, id)
	if err := w.erase(t.Context(), claim, jobs.Erase{Workspace: b.ws, Erasure: id}); err != nil {
		t.Fatal(err)
	}
	if e, err := b.pg.DB.ReadErasure(t.Context(), b.ws, id, false); err != nil || e.Status != dossier.ErasureScheduled || !e.DueAt.Equal(now.Add(30*retentionDay)) {
		t.Errorf("%+v, %v", e, err)
	}
}

// Events of a workspace go at its own age, and those of a held lead stay.
func TestRetention_events(t *testing.T) {
	b := setup(t)
	now := b.pg.Clock.Now()
	lead, _ := b.pg.Lead(t, b.ws, dossier.FieldText)
	held, _ := b.pg.Lead(t, b.ws, dossier.FieldText)
	if _, err := b.pg.DB.CreateHold(t.Context(), b.ws, held, "a court asked"); err != nil {
		t.Fatal(err)
	}
	b.pg.Exec(t, `DELETE FROM event_inbox`)
	b.pg.Exec(t, `DELETE FROM events`)
	for _, of := range []dossier.LeadID{lead, held} {
		for _, days := range []int{3, 8, 31, 50} {
			b.pg.Exec(t, `INSERT INTO events (workspace_id, id, type, lead_id, body, created_at) VALUES ($1, $2, 'lead.updated', $3, '{}', $4)`, b.ws, postgres.NewID(), of, now.Add(-time.Duration(days)*retentionDay))
		}
	}
	for _, step := range []struct {
		retention string
		left      int
	}{{`{"events": 3456000000000000}`, 4 + 3}, {`{}`, 4 + 2}, {`{"events": 604800000000000}`, 4 + 1}} {
		b.pg.Exec(t, `UPDATE workspaces SET retention = $1`, step.retention)
		if _, err := b.pg.DB.SweepEvents(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := pgtest.Value[int](t, b.pg, `SELECT count(*) FROM events`); n != step.left {
			t.Errorf("%s leaves %d, want %d", step.retention, n, step.left)
		}
	}
}

func asDossierError(err error) *dossier.Error {
	var known *dossier.Error
	if errors.As(err, &known) {
		return known
	}
	return nil
}

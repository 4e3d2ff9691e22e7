package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// A mailing makes thousands of turns due at one moment: each asks Postgres three times (what is held, what is known,
// the commit), whatever other tenants have and however many plans wait in the workspace.
func TestPlans_turns(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	seedTenants(t, l.Server, 20)
	l.Exec(t, `UPDATE workspaces SET quiet_from = '00:00', quiet_to = '00:00', channels = '{"email": {"provider": "log"}}' WHERE id = $1`, l.ws)
	l.Exec(t, `INSERT INTO action_logs (workspace_id, id, lead_id, type, status, summary, scheduled_at, created_at)
		SELECT $1, gen_random_uuid(), l.id, 'FOLLOW_UP_MESSAGE', 'PENDING', 'later', now(), now() FROM leads l, generate_series(1, 20) WHERE l.workspace_id <> $1`, l.ws)
	id := l.create(t, dossier.LeadUpdate{FirstName: dossier.Set("Ann"), Email: dossier.Set("ann@example.com")})
	run := dossier.RunID(l.run(t, id))
	l.Exec(t, `UPDATE agents SET mode = 'AUTOPILOT' WHERE workspace_id = $1`, l.ws)
	l.Exec(t, `UPDATE workflows SET follow_ups = '{"every": "48h", "max": 6}' WHERE workspace_id = $1`, l.ws)
	plan := l.plan(t, run)
	l.Exec(t, `UPDATE jobs SET status = 'RUNNING', lease_until = now() + interval '1 hour' WHERE workspace_id <> $1`, l.ws)
	l.Exec(t, `ANALYZE`)
	claim := claimed(t, l.Server, l.ws, jobs.TakeTurn{Workspace: l.ws, Run: run, Plan: plan})
	holdPlansWith(t, l.Server, l.ws, "SET enable_seqscan = off", []storeCall{{"follow-up", 3, func(ctx context.Context) error {
		return l.DB.TakeTurn(ctx, claim, jobs.TakeTurn{Workspace: l.ws, Run: run, Plan: plan}, "https://dossier.example", dossier.Advice{})
	}}})
	got := pgtest.Value[string](t, l.Server, `SELECT concat_ws(' ', (SELECT string_agg(status, ',') FROM messages WHERE lead_id = $1), (SELECT sent_count FROM workflow_runs WHERE lead_id = $1),
		(SELECT count(*) FROM action_logs WHERE lead_id = $1 AND status = 'PENDING' AND scheduled_at > $2), (SELECT count(*) FROM jobs WHERE subject_id = $3 AND status = 'QUEUED'))`,
		id, l.Clock.Now().Add(47*time.Hour), run)
	if got != "SENT 1 1 1" {
		t.Errorf("the message, follow-ups counted, plans and jobs for the next: %s", got)
	}
}

// A turn whose job was taken away, or has ended, changes nothing.
func TestTakeTurn_is_fenced(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	for i, change := range []string{`epoch = epoch + 1`, `status = 'DONE'`, `status = 'QUEUED'`} {
		id := l.create(t, dossier.LeadUpdate{FirstName: dossier.Set("Ann"), Email: dossier.Set(fmt.Sprintf("ann%d@example.com", i))})
		job := jobs.TakeTurn{Workspace: l.ws, Run: dossier.RunID(l.run(t, id))}
		claim := claimed(t, l.Server, l.ws, job)
		l.Exec(t, `UPDATE jobs SET `+change+` WHERE id = $1`, claim.Job)
		l.Exec(t, `UPDATE checklist_entries SET status = 'COMPLETED' WHERE lead_id = $1`, id) // its run would end
		if err := l.DB.TakeTurn(t.Context(), claim, job, "", dossier.Advice{}); err == nil {
			t.Errorf("%s: the turn was taken", change)
		}
		if status := pgtest.Value[string](t, l.Server, `SELECT status FROM workflow_runs WHERE lead_id = $1`, id); status != "ACTIVE" {
			t.Errorf("%s: the run is %s", change, status)
		}
	}
}

// Turns that come together are taken together, but none waits for the lead of another that somebody holds, and of two
// plans of one run the first that is carried out puts the other off.
func TestTakeTurn_together(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	l.Exec(t, `UPDATE workspaces SET quiet_from = '00:00', quiet_to = '00:00', channels = '{"email": {"provider": "log"}}' WHERE id = $1`, l.ws)
	var leads []dossier.LeadID
	var runs []dossier.RunID
	for i := range 6 {
		id := l.create(t, dossier.LeadUpdate{FirstName: dossier.Set("Ann"), Email: dossier.Set(fmt.Sprintf("ann%d@example.com", i))})
		leads, runs = append(leads, id), append(runs, dossier.RunID(l.run(t, id)))
	}
	l.Exec(t, `UPDATE agents SET mode = 'AUTOPILOT' WHERE workspace_id = $1`, l.ws)
	conn, err := pgx.Connect(t.Context(), l.URL)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	for _, sql := range []string{"BEGIN", `SELECT FROM leads WHERE id = '` + string(leads[0]) + `' FOR UPDATE`} {
		if _, err := conn.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	var turns []jobs.TakeTurn
	var claims []postgres.Claim
	for _, run := range append(runs, runs[1]) {
		turns = append(turns, jobs.TakeTurn{Workspace: l.ws, Run: run, Plan: l.plan(t, run)})
		claims = append(claims, claimed(t, l.Server, l.ws, turns[len(turns)-1]))
	}
	// A group is given up after 20 seconds: who had waited for the lead that is held would not be done before.
	impatient, cancel := context.WithTimeout(t.Context(), 18*time.Second)
	defer cancel()
	var ends []chan error
	for i, turn := range turns {
		ends = append(ends, make(chan error, 1))
		ctx := impatient
		if i == 0 {
			ctx = t.Context()
		}
		go func(end chan<- error) { end <- l.DB.TakeTurn(ctx, claims[i], turn, "", dossier.Advice{}) }(ends[i])
	}
	for i, end := range ends[1:] {
		if err := <-end; err != nil {
			t.Errorf("turn %d beside a lead that is held: %v", i+1, err)
		}
	}
	if _, err := conn.Exec(t.Context(), "COMMIT"); err != nil {
		t.Fatal(err)
	}
	if err := <-ends[0]; err != nil {
		t.Errorf("the turn that waited: %v", err)
	}
	got := pgtest.Value[string](t, l.Server, `SELECT string_agg(n::text, ' ' ORDER BY position) FROM (SELECT array_position($1::uuid[], lead_id) AS position, count(*) AS n
		FROM messages WHERE lead_id = ANY($1) AND status = 'SENT' GROUP BY lead_id) m`, leads)
	if got != "1 1 1 1 1 1" {
		t.Errorf("messages of each lead: %s", got)
	}
}

// Turns that come together ask Postgres three times; those of a crowd send each statement by itself, so that nobody waits
// for a processor until all are done.
func TestTakeTurn_crowd(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	l.Exec(t, `UPDATE workspaces SET quiet_from = '00:00', quiet_to = '00:00', channels = '{"email": {"provider": "log"}}' WHERE id = $1`, l.ws)
	for _, size := range []int{postgres.CrowdSize - 1, postgres.CrowdSize} {
		var turns []jobs.TakeTurn
		var claims []postgres.Claim
		for i := range size {
			id := l.create(t, dossier.LeadUpdate{FirstName: dossier.Set("Ann"), Email: dossier.Set(fmt.Sprintf("ann%d.%d@example.com", size, i))})
			run := dossier.RunID(l.run(t, id))
			l.Exec(t, `UPDATE agents SET mode = 'AUTOPILOT' WHERE workspace_id = $1`, l.ws)
			turns = append(turns, jobs.TakeTurn{Workspace: l.ws, Run: run, Plan: l.plan(t, run)})
			claims = append(claims, claimed(t, l.Server, l.ws, turns[i]))
		}
		recorder := &statements{}
		if err := errors.Join(l.DB.UseTracer(t.Context(), recorder), l.DB.Ping(t.Context())); err != nil {
			t.Fatal(err)
		}
		recorder.take()
		taken, err := l.DB.TakeTurns(t.Context(), claims, turns)
		if err != nil || slices.Contains(taken, false) {
			t.Fatalf("of %d turns %v were taken: %v", size, taken, err)
		}
		sent, trips := recorder.take()
		want := 3
		if size == postgres.CrowdSize {
			want = len(sent) - 2 // the opening and the workspace travel with the first
		}
		if trips != want {
			t.Errorf("%d turns took %d round trips for %d statements, want %d", size, trips, len(sent), want)
		}
		if seen := l.DB.CrowdSeen(); seen != (size == postgres.CrowdSize) {
			t.Errorf("%d turns are a crowd: %v", size, seen)
		}
	}
	if n := pgtest.Value[int](t, l.Server, `SELECT count(*) FROM messages WHERE workspace_id = $1 AND status = 'SENT'`, l.ws); n != 2*postgres.CrowdSize-1 {
		t.Errorf("%d messages are sent", n)
	}
}

// While a crowd of turns is there, what else is done for it waits for its turn.
func TestTakeTurn_crowd_goes_alone(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	job := jobs.TakeTurn{Workspace: l.ws, Run: dossier.RunID(l.run(t, l.create(t, dossier.LeadUpdate{})))}
	claim, turn := claimed(t, l.Server, l.ws, job), claimed(t, l.Server, l.ws, job)
	for name, do := range map[string]func() error{
		"claim":  func() error { _, _, err := l.DB.ClaimJob(t.Context(), claim.Job, 1, "test"); return err },
		"finish": func() error { return l.DB.FinishJob(t.Context(), claim) },
		"relay": func() error {
			_, err := l.DB.RelayOutbox(t.Context(), 1, func(context.Context, []postgres.Staged) ([]postgres.Staged, error) { return nil, nil })
			return err
		},
		"turn": func() error { return l.DB.TakeTurn(t.Context(), turn, job, "", dossier.Advice{}) },
	} {
		l.DB.JoinCrowd()
		began := time.Now()
		if err := do(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if waited := time.Since(began); waited < postgres.CrowdWait {
			t.Errorf("a %s went on beside the crowd", name)
		}
	}
}

// A question that is no more has no answer, and harms no other turn.
func TestTakeTurn_without_its_question(t *testing.T) {
	t.Parallel()
	l := newLeads(t)
	id := l.create(t, dossier.LeadUpdate{FirstName: dossier.Set("Ann"), Email: dossier.Set("ann@example.com")})
	job := jobs.TakeTurn{Workspace: l.ws, Run: dossier.RunID(l.run(t, id)), Reply: dossier.MessageID(postgres.NewID())}
	claim := claimed(t, l.Server, l.ws, job)
	if err := l.DB.TakeTurn(t.Context(), claim, job, "", dossier.Advice{}); err != nil {
		t.Error(err)
	}
	if fate := claim.Fate(); fate.Status != dossier.JobDone {
		t.Errorf("the job is %s", fate.Status)
	}
}

// plan announces a run's next turn, due now.
func (l *leads) plan(t *testing.T, run dossier.RunID) dossier.ActionLogID {
	t.Helper()
	id := dossier.ActionLogID(postgres.NewID())
	l.Exec(t, `INSERT INTO action_logs (workspace_id, id, lead_id, type, status, summary, input, workflow_run_id, scheduled_at, created_at)
		SELECT $1, $2, lead_id, 'FOLLOW_UP_MESSAGE', 'PENDING', 'Follow-up', '{"trigger": "FOLLOW_UP"}', id, $4, $4 FROM workflow_runs WHERE id = $3`, l.ws, id, run, l.Clock.Now())
	return id
}

func claimed(t *testing.T, s *pgtest.Server, ws dossier.WorkspaceID, job jobs.Job) postgres.Claim {
	t.Helper()
	ids, err := s.DB.StageJobs(t.Context(), ws, job)
	if err != nil {
		t.Fatal(err)
	}
	claim, ok, err := s.DB.ClaimJob(t.Context(), ids[0], 1, "test")
	if err != nil || !ok {
		t.Fatalf("claimed %v, %v", ok, err)
	}
	return claim
}

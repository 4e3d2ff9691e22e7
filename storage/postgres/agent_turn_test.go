package postgres_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/pipelines/outreach"
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
		return l.DB.TakeTurn(ctx, claim, jobs.TakeTurn{Workspace: l.ws, Run: run, Plan: plan}, "https://dossier.example", nil, outreach.Decide)
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
		if err := l.DB.TakeTurn(t.Context(), claim, job, "", nil, outreach.Decide); err == nil {
			t.Errorf("%s: the turn was taken", change)
		}
		if status := pgtest.Value[string](t, l.Server, `SELECT status FROM workflow_runs WHERE lead_id = $1`, id); status != "ACTIVE" {
			t.Errorf("%s: the run is %s", change, status)
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
	if err := l.DB.TakeTurn(t.Context(), claim, job, "", nil, outreach.Decide); err != nil {
		t.Error(err)
	}
	if outcome := claim.Ended(); outcome.Status != dossier.JobDone {
		t.Errorf("the job is %s", outcome.Status)
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

// claimed stages a job, admits it and takes it as a worker would.
func claimed(t *testing.T, s *pgtest.Server, ws dossier.WorkspaceID, job jobs.Job) postgres.Claim {
	t.Helper()
	ids, err := s.DB.StageJobs(t.Context(), ws, job)
	if err != nil {
		t.Fatal(err)
	}
	s.Exec(t, `UPDATE jobs SET admitted = epoch WHERE id = $1`, ids[0])
	claim, ok, err := s.DB.ClaimJob(t.Context(), ids[0], 1, "test")
	if err != nil || !ok {
		t.Fatalf("claimed %v, %v", ok, err)
	}
	return claim
}

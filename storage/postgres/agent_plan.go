package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// planFirstTurn plans what a new run does first: CHECKLIST asks at once, REMINDER follows its schedule, SUPPORT plans
// nothing and waits for questions.
func planFirstTurn(ctx context.Context, tx *tx, run dossier.Run, w dossier.Workflow) error {
	switch w.Type {
	case dossier.WorkflowChecklist:
		return planTurn(ctx, tx, run, dossier.TriggerStart, tx.now)
	case dossier.WorkflowReminder:
		f, err := readNextTurn(ctx, tx, run.ID)
		if err != nil {
			return err
		}
		return f.planReminder(ctx, tx)
	}
	return nil
}

// nextTurn is what a run's next turn depends on.
type nextTurn struct {
	run      dossier.Run
	workflow dossier.Workflow
	history  runHistory
	quiet    dossier.QuietHours
	zone     *time.Location
}

// runHistory is what a run has done so far, and what was exchanged with its lead.
type runHistory struct {
	Counted  int         // follow-ups or reminders that count against the workflow's limit
	LastDue  *time.Time  // when the last one was due
	Test     bool        // started with a test key
	Written  int         // its messages that were not cancelled or rejected
	Outreach []time.Time // when the lead was written to in the last two days, or will be, by any run
	Replied  bool        // the lead wrote since the run began
	Window   bool        // the lead wrote on WhatsApp within 24 hours
}

const outreachSpan = 48 * time.Hour // longer than any day of a lead

// queueRunHistory adds the query for a run's history to a batch. It scans the lead's messages once.
func queueRunHistory(batch *pgx.Batch, into *runHistory, tx *tx, run dossier.RunID) {
	queueOne(batch, into, "run", pgx.RowToStructByPos[runHistory], `SELECT r.sent_count,
			(r.state->>'lastDue')::timestamptz, coalesce((r.state->>'test')::boolean, false),
			m.written, m.outreach, m.replied, m.window_open
		FROM workflow_runs r CROSS JOIN LATERAL (SELECT
				count(*) FILTER (WHERE outreach AND workflow_run_id = r.id AND status NOT IN ('CANCELLED',
				'REJECTED')) AS written,
				coalesce(array_agg(at) FILTER (WHERE outreach AND status IN ('QUEUED', 'SENT', 'DELIVERED')
				AND at >= $3), '{}') AS outreach,
				coalesce(bool_or(direction = 'INBOUND' AND created_at >= r.created_at), false) AS replied,
				coalesce(bool_or(direction = 'INBOUND' AND channel = 'whatsapp' AND created_at > $4),
				false) AS window_open
			FROM (SELECT *, direction = 'OUTBOUND' AND purpose = 'outreach' AS outreach, coalesce(sent_at, scheduled_at,
			created_at) AS at
				FROM messages WHERE workspace_id = $1 AND lead_id = r.lead_id) m) m
		WHERE r.workspace_id = $1 AND r.id = $2`, tx.ws, run, tx.now.Add(-outreachSpan),
		tx.now.Add(-dossier.WhatsAppWindow))
}

// readNextTurn locks the lead and the run and reads what the run's next turn depends on. Error: NotFound.
func readNextTurn(ctx context.Context, tx *tx, run dossier.RunID) (f nextTurn, err error) {
	var held heldRun
	var lead leadAndWorkspace
	batch := &pgx.Batch{}
	held.queue(batch, tx, run)
	queueOne(batch, &f.workflow, "workflow", scanWorkflow, selectRunWorkflow, tx.ws, run)
	queueOne(batch, &lead, "lead", pgx.RowToStructByName[leadAndWorkspace], selectRunLead, tx.ws, run)
	queueRunHistory(batch, &f.history, tx, run)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return f, err
	}
	f.quiet, f.zone = lead.quiet(), dossier.Zone(lead.Zone)
	_, f.run, err = held.found()
	return f, err
}

const selectRunWorkflow = `SELECT ` + workflowColumns + ` FROM workflows w
	WHERE w.workspace_id = $1 AND w.id = (SELECT workflow_id FROM workflow_runs WHERE workspace_id = $1 AND id = $2)`

// planAfterMessage plans the run's next turn after one of its messages was sent, failed or was rejected. An answer
// postpones the next follow-up. A reminder follows its schedule; after the last one the run ends.
func (f nextTurn) planAfterMessage(ctx context.Context, tx *tx, counted, rejected bool) error {
	w := f.workflow
	switch {
	case f.run.Status != dossier.RunActive || w.Type == dossier.WorkflowSupport:
		return nil
	case w.Type == dossier.WorkflowReminder && !counted && !rejected:
		return nil
	}
	cancelPlannedTurns(tx, f.run)
	if w.Type == dossier.WorkflowReminder {
		return f.replan(ctx, tx)
	}
	if w.FollowUps == nil || f.history.Counted >= w.FollowUps.Max {
		return nil
	}
	return planTurn(ctx, tx, f.run, dossier.TriggerFollowUp, f.quiet.Next(tx.now.Add(w.FollowUps.Every), f.zone))
}

// replan plans a run's next turn from the lead's present state, after a pause or when its lead can be written to again.
// Turns that were missed meanwhile are not caught up on. It also stages a check that ends the run if its workflow is
// done by now.
func (f nextTurn) replan(ctx context.Context, tx *tx) error {
	w := f.workflow
	switch {
	case w.Type == dossier.WorkflowSupport:
		return nil
	case w.Type == dossier.WorkflowReminder:
		if err := f.planReminder(ctx, tx); err != nil {
			return err
		}
	case f.history.Written == 0:
		return planTurn(ctx, tx, f.run, dossier.TriggerStart, tx.now)
	case w.FollowUps != nil && f.history.Counted < w.FollowUps.Max:
		if err := planTurn(ctx, tx, f.run, dossier.TriggerFollowUp, tx.now.Add(w.FollowUps.Every)); err != nil {
			return err
		}
	}
	_, err := enqueue(ctx, tx, jobs.TakeTurn{Workspace: tx.ws, Run: f.run.ID}, staging{subject: string(f.run.ID)})
	return err
}

func (f nextTurn) planReminder(ctx context.Context, tx *tx) error {
	if f.workflow.Schedule == nil {
		return nil
	}
	return planTurn(ctx, tx, f.run, dossier.TriggerReminder,
		f.workflow.Schedule.Next(deref(f.history.LastDue), tx.now, f.zone))
}

// replanRun reads a run and plans its next turn (nextTurn.replan). Error: NotFound.
func replanRun(ctx context.Context, tx *tx, run dossier.RunID) error {
	f, err := readNextTurn(ctx, tx, run)
	if err != nil {
		return err
	}
	return f.replan(ctx, tx)
}

// wakeRuns plans the next turn of the lead's ACTIVE runs that have none planned, after the lead was reopened or got an
// address.
func wakeRuns(ctx context.Context, tx *tx, lead dossier.LeadID) error {
	runs, err := collect(ctx, tx, pgx.RowTo[dossier.RunID], `SELECT r.id FROM workflow_runs r
		WHERE r.workspace_id = $1 AND r.lead_id = $2 AND r.status = 'ACTIVE' AND NOT EXISTS (SELECT FROM action_logs a
			WHERE a.workspace_id = $1 AND a.workflow_run_id = r.id AND a.status = 'PENDING')`, tx.ws, lead)
	if err != nil {
		return err
	}
	for _, run := range runs {
		if err := replanRun(ctx, tx, run); err != nil {
			return err
		}
	}
	return nil
}

// planInput is the input of the timeline entry that announces a turn.
type planInput struct {
	Trigger dossier.Trigger `json:"trigger"`
	RunID   dossier.RunID   `json:"workflowRunId"`
}

var planSummaries = map[dossier.Trigger]string{
	dossier.TriggerStart: "First message", dossier.TriggerFollowUp: "Follow-up", dossier.TriggerReminder: "Reminder",
	dossier.TriggerRefused: "Message about what was refused",
}

// planTurn stages a turn, and announces it on the timeline as the lead's next follow-up. Without a due time it does
// nothing.
func planTurn(ctx context.Context, tx *tx, run dossier.Run, trigger dossier.Trigger, due time.Time) error {
	if due.IsZero() {
		return nil
	}
	id := planAction(tx, run, actionOf(trigger), planSummaries[trigger], planInput{trigger, run.ID}, due)
	how := staging{subject: string(run.ID)}
	if due.After(tx.now) {
		how.runAt = due
	}
	_, err := enqueue(ctx, tx, jobs.TakeTurn{Workspace: tx.ws, Run: run.ID, Plan: id}, how)
	return err
}

func actionOf(trigger dossier.Trigger) dossier.ActionLogType {
	if trigger == dossier.TriggerStart || trigger == dossier.TriggerReply {
		return dossier.ActionOutboundMessage
	}
	return dossier.ActionFollowUpMessage
}

// planAction writes a pending timeline entry. Lists of leads do not show it as the lead's last activity.
func planAction(tx *tx, run dossier.Run, kind dossier.ActionLogType, summary string, input any,
	due time.Time) dossier.ActionLogID {
	id := newID[dossier.ActionLogID]()
	tx.deferExec(`
		INSERT INTO action_logs (workspace_id, id, lead_id, type, status, summary, input, workflow_run_id, agent_id,
		scheduled_at, created_at)
		VALUES (@workspace, @id, @lead, @type, 'PENDING', @summary, @input, @run, @agent, @due, @now)`,
		pgx.NamedArgs{"workspace": tx.ws, "id": id, "lead": run.LeadID, "type": kind, "summary": summary,
			"input": mustJSON(input),
			"run":   run.ID, "agent": run.AgentID, "due": due, "now": tx.now})
	return id
}

// cancelPlannedTurns cancels the turns of a run that are announced and not taken yet.
func cancelPlannedTurns(tx *tx, run dossier.Run) {
	tx.deferExec(`UPDATE action_logs SET status = 'CANCELLED', summary = summary || ' put off', completed_at = $3
		WHERE workspace_id = $1 AND workflow_run_id = $2 AND status = 'PENDING'
		AND message_id IS NULL`, tx.ws, run.ID, tx.now)
}

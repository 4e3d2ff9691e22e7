package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// runColumns are the columns of dossier.Run, scanned by name.
const runColumns = `id, lead_id, agent_id, workflow_id, external_id, status, completed_reason, created_at, updated_at,
	paused_at, completed_at, cancelled_at`

// CreateRun lets an agent conduct a workflow on a lead, ACTIVE, and stages the agent's first turn. That a lead has
// one open run an agent and one open CHECKLIST run holds by constraint, for any number of callers at once.
// Errors, in the order of api.md: NotFound (lead, agent, workflow), Conflict (agent_already_linked,
// checklist_already_collected, reminder_unscheduled).
func (db *DB) CreateRun(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID, agent dossier.AgentID,
	workflow dossier.WorkflowID, by Caller) (dossier.Run, error) {
	return transact(ctx, db, ws, "create run", func(tx *tx) (dossier.Run, error) {
		ref, err := lockLeadRef(ctx, tx, lead)
		if err != nil {
			return dossier.Run{}, err
		}
		a, err := startableAgent(ctx, tx, agent)
		if err != nil {
			return dossier.Run{}, err
		}
		w, err := startableWorkflow(ctx, tx, workflow)
		if err != nil {
			return dossier.Run{}, err
		}
		run := dossier.NewRun(newID[dossier.RunID](), lead, agent, workflow, tx.now)
		if err := insertRun(ctx, tx, run, w.Type); err != nil {
			return run, err
		}
		if err := w.Startable(); err != nil { // after the insert: the conflicts above come first
			return run, err
		}
		if by.Test {
			if _, err := tx.Exec(ctx, `UPDATE workflow_runs SET state = state || '{"test": true}'
				WHERE workspace_id = $1 AND id = $2`, tx.ws, run.ID); err != nil {
				return run, err
			}
		}
		if err := emitRun(ctx, tx, ref, run, dossier.EventRunCreated, a.Name+" begins: "+w.Name, by); err != nil {
			return run, err
		}
		return run, planFirstTurn(ctx, tx, run, w)
	})
}

// Runs returns all runs of a lead, ended ones too, newest first. Error: NotFound (lead).
func (db *DB) Runs(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID) ([]dossier.Run, error) {
	return snapshot(ctx, db, ws, "list runs", func(tx *tx) ([]dossier.Run, error) {
		if err := requireLead(ctx, tx, lead); err != nil {
			return nil, err
		}
		return collect(ctx, tx, pgx.RowToStructByName[dossier.Run], `SELECT `+runColumns+` FROM workflow_runs
			WHERE workspace_id = $1 AND lead_id = $2 ORDER BY created_at DESC, id DESC`, tx.ws, lead)
	})
}

// ReadRun returns a run. Error: NotFound, also when its lead was deleted.
func (db *DB) ReadRun(ctx context.Context, ws dossier.WorkspaceID, id dossier.RunID) (dossier.Run, error) {
	return readOne(ctx, db, ws, "read run", "run", pgx.RowToStructByName[dossier.Run], `SELECT `+runColumns+`
		FROM workflow_runs r
		WHERE r.workspace_id = $1 AND r.id = $2 AND EXISTS (SELECT FROM leads l WHERE l.workspace_id = $1
			AND l.id = r.lead_id AND l.deleted_at IS NULL)`, ws, id)
}

// PauseRun pauses a run, cancels its queued messages and records workflow_run.paused, in one commit. Pausing a
// paused run changes nothing. Errors: NotFound, Conflict (the run has ended).
func (db *DB) PauseRun(ctx context.Context, ws dossier.WorkspaceID, id dossier.RunID, by Caller) (dossier.Run, error) {
	return transact(ctx, db, ws, "pause run", func(tx *tx) (dossier.Run, error) {
		lead, run, err := lockRun(ctx, tx, id)
		if err != nil {
			return run, err
		}
		changed, err := run.Pause(tx.now)
		if err != nil || !changed {
			return run, err
		}
		return run, stopRun(ctx, tx, lead, run, dossier.EventRunPaused, "Workflow run paused", by)
	})
}

// ResumeRun lets a paused run go on: the agent looks at the lead anew, what was queued before is not sent.
// Resuming an active run changes nothing. Errors: NotFound, Conflict (the run has ended).
func (db *DB) ResumeRun(ctx context.Context, ws dossier.WorkspaceID, id dossier.RunID, by Caller) (dossier.Run, error) {
	return transact(ctx, db, ws, "resume run", func(tx *tx) (dossier.Run, error) {
		lead, run, err := lockRun(ctx, tx, id)
		if err != nil {
			return run, err
		}
		changed, err := run.Resume(tx.now)
		if err != nil || !changed {
			return run, err
		}
		if err := updateRun(ctx, tx, run); err != nil {
			return run, err
		}
		if err := replanRun(ctx, tx, run.ID); err != nil {
			return run, err
		}
		return run, emitRun(ctx, tx, lead, run, dossier.EventRunResumed, "Workflow run resumed", by)
	})
}

// CancelRun ends a run for good. Cancelling a cancelled run changes nothing. Errors: NotFound, Conflict (COMPLETED).
func (db *DB) CancelRun(ctx context.Context, ws dossier.WorkspaceID, id dossier.RunID, by Caller) (dossier.Run, error) {
	return transact(ctx, db, ws, "cancel run", func(tx *tx) (dossier.Run, error) {
		lead, run, err := lockRun(ctx, tx, id)
		if err != nil {
			return run, err
		}
		changed, err := run.Cancel(tx.now)
		if err != nil || !changed {
			return run, err
		}
		return run, stopRun(ctx, tx, lead, run, dossier.EventRunCancelled, "Workflow run cancelled", by)
	})
}

// CompleteRun ends a run because a client says so; when its workflow completes the lead, the lead is completed and
// lead.completed follows workflow_run.completed. Completing a completed run changes nothing.
// Errors: NotFound, Conflict (CANCELLED; the workflow forbids it).
func (db *DB) CompleteRun(ctx context.Context, ws dossier.WorkspaceID, id dossier.RunID,
	by Caller) (dossier.Run, error) {
	return transact(ctx, db, ws, "complete run", func(tx *tx) (dossier.Run, error) {
		lead, run, err := lockRun(ctx, tx, id)
		if err != nil {
			return run, err
		}
		w, err := readWorkflow(ctx, tx, run.WorkflowID)
		if err != nil {
			return run, err
		}
		changed, err := run.Complete(w.ManualCompletion, tx.now)
		if err != nil || !changed {
			return run, err
		}
		return run, completeRun(ctx, tx, lead, run, w, by)
	})
}

// finishRuns completes a lead's ACTIVE CHECKLIST run when nothing is left to collect. It is called in the commit
// that changed an item; the caller holds the lead.
func finishRuns(ctx context.Context, tx *tx, lead leadRef) error {
	_, err := finishedRuns(ctx, tx, lead)
	return err
}

// finishedRuns is finishRuns; it says whether a run was completed.
func finishedRuns(ctx context.Context, tx *tx, lead leadRef) (bool, error) {
	rows, err := tx.Query(ctx, `SELECT `+runColumns+` FROM workflow_runs
		WHERE workspace_id = $1 AND lead_id = $2 AND status = 'ACTIVE' AND workflow_type = 'CHECKLIST' FOR UPDATE`,
		tx.ws, lead.LeadID)
	if err != nil {
		return false, err
	}
	runs, err := pgx.CollectRows(rows, pgx.RowToStructByName[dossier.Run])
	if err != nil || len(runs) == 0 {
		return false, err
	}
	checklist, err := loadChecklist(ctx, tx, lead.LeadID)
	if err != nil {
		return false, err
	}
	if checklist.Resolve(); !checklist.Done() {
		return false, nil
	}
	return true, finishRun(ctx, tx, lead, runs[0])
}

// finishRun completes a run whose workflow has nothing left to do.
func finishRun(ctx context.Context, tx *tx, lead leadRef, run dossier.Run) error {
	w, err := readWorkflow(ctx, tx, run.WorkflowID)
	if err != nil || !run.Finish(tx.now) {
		return err
	}
	return completeRun(ctx, tx, lead, run, w, Caller{})
}

func completeRun(ctx context.Context, tx *tx, lead leadRef, run dossier.Run, w dossier.Workflow, by Caller) error {
	if err := stopRun(ctx, tx, lead, run, dossier.EventRunCompleted, "Workflow run completed: "+w.Name,
		by); err != nil {
		return err
	}
	if !w.CompletesLead {
		return nil
	}
	return completeLead(ctx, tx, run.LeadID)
}

// stopRun saves a run that does not reach out any more, ends what is queued for it, and tells of it.
func stopRun(ctx context.Context, tx *tx, lead leadRef, run dossier.Run, event dossier.EventType, summary string,
	by Caller) error {
	if err := updateRun(ctx, tx, run); err != nil {
		return err
	}
	if err := cancelPlans(ctx, tx, run.ID); err != nil {
		return err
	}
	return emitRun(ctx, tx, lead, run, event, summary, by)
}

// cancelPlans ends everything that is queued for a run: messages, planned follow-ups, jobs.
func cancelPlans(ctx context.Context, tx *tx, run dossier.RunID) error {
	var stopped []dossier.Message
	batch := &pgx.Batch{}
	queue(batch, &stopped, pgx.RowToStructByName[dossier.Message], stopMessages+`m.workflow_run_id = $2
		RETURNING `+messageColumns, tx.ws, run, tx.now, stoppedMidCall)
	batch.Queue(`UPDATE action_logs a SET status = `+stoppedAction+`, completed_at = $3,
		summary = summary || CASE WHEN message_id IS NULL THEN ' no longer needed' ELSE '' END
		WHERE workspace_id = $1 AND workflow_run_id = $2 AND status = 'PENDING'`, tx.ws, run, tx.now)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return err
	}
	if err := emitStopped(ctx, tx, stopped); err != nil {
		return err
	}
	return cancelSubject(ctx, tx, string(run))
}

// cancelRuns ends every open run of a lead that is going away, and tells of each.
func cancelRuns(ctx context.Context, tx *tx, lead leadRef) error {
	runs, err := collect(ctx, tx, pgx.RowToStructByName[dossier.Run], `SELECT `+runColumns+` FROM workflow_runs
		WHERE workspace_id = $1 AND lead_id = $2 AND status IN ('ACTIVE', 'PAUSED') ORDER BY created_at, id FOR UPDATE`,
		tx.ws, lead.LeadID)
	if err != nil {
		return err
	}
	for _, run := range runs {
		if _, err := run.Cancel(tx.now); err != nil {
			return err
		}
		if err := stopRun(ctx, tx, lead, run, dossier.EventRunCancelled, "Workflow run cancelled",
			Caller{}); err != nil {
			return err
		}
	}
	return nil
}

// heldRun is a run that is being locked, its lead first, as everywhere, so that two changes of one lead never wait for
// each other in a circle.
type heldRun struct {
	leads []leadRef
	runs  []dossier.Run
}

func (h *heldRun) queue(batch *pgx.Batch, tx *tx, id dossier.RunID) {
	queue(batch, &h.leads, pgx.RowToStructByPos[leadRef], `SELECT id, external_lead_id FROM leads
		WHERE workspace_id = $1 AND deleted_at IS NULL
		AND id = (SELECT lead_id FROM workflow_runs WHERE workspace_id = $1 AND id = $2) FOR NO KEY UPDATE`, tx.ws, id)
	queue(batch, &h.runs, pgx.RowToStructByName[dossier.Run], `SELECT `+runColumns+` FROM workflow_runs
		WHERE workspace_id = $1 AND id = $2 FOR UPDATE`, tx.ws, id)
}

// found is what was locked. Error: NotFound, also when the lead was deleted.
func (h *heldRun) found() (leadRef, dossier.Run, error) {
	if len(h.leads) == 0 || len(h.runs) == 0 {
		return leadRef{}, dossier.Run{}, missing("run")
	}
	return h.leads[0], h.runs[0], nil
}

// lockRun holds a run against every other change. Error: NotFound, also when the lead was deleted.
func lockRun(ctx context.Context, tx *tx, id dossier.RunID) (leadRef, dossier.Run, error) {
	var held heldRun
	batch := &pgx.Batch{}
	held.queue(batch, tx, id)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return leadRef{}, dossier.Run{}, err
	}
	return held.found()
}

func insertRun(ctx context.Context, tx *tx, r dossier.Run, workflow dossier.WorkflowType) error {
	_, err := tx.Exec(ctx, `INSERT INTO workflow_runs (workspace_id, id, lead_id, agent_id, workflow_id,
		workflow_type,
		status, created_at, updated_at)
		VALUES (@workspace, @id, @leadId, @agentId, @workflowId, @workflowType, @status, @createdAt, @createdAt)`,
		pgx.NamedArgs{"workspace": tx.ws, "id": r.ID, "leadId": r.LeadID, "agentId": r.AgentID,
			"workflowId": r.WorkflowID, "workflowType": workflow, "status": r.Status, "createdAt": r.CreatedAt})
	return err
}

func updateRun(ctx context.Context, tx *tx, r dossier.Run) error {
	_, err := tx.Exec(ctx, `UPDATE workflow_runs SET status = @status, completed_reason = @completedReason,
		updated_at = @updatedAt,
		paused_at = @pausedAt, completed_at = @completedAt, cancelled_at = @cancelledAt
		WHERE workspace_id = @workspace AND id = @id`,
		pgx.NamedArgs{"workspace": tx.ws, "id": r.ID, "status": r.Status, "completedReason": r.CompletedReason,
			"updatedAt": r.UpdatedAt, "pausedAt": r.PausedAt, "completedAt": r.CompletedAt,
			"cancelledAt": r.CancelledAt})
	return err
}

// emitRun writes what happened to a run onto the timeline and into the feed.
func emitRun(ctx context.Context, tx *tx, lead leadRef, run dossier.Run, event dossier.EventType, summary string,
	by Caller) error {
	_, err := logAction(ctx, tx, dossier.ActionLog{LeadID: run.LeadID, RunID: &run.ID, AgentID: &run.AgentID,
		Type:    dossier.ActionSystem,
		Summary: summary, Actor: dossier.OrNil(by.Actor)}, map[string]any{"eventType": event, "workflowRunId": run.ID,
		"status": run.Status})
	if err != nil {
		return err
	}
	return emit(ctx, tx, event, lead.LeadID, record.RunEvent{LeadRef: lead, Run: record.OfRun(run)})
}

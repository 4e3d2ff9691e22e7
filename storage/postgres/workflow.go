package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// workflowColumns are read by scanWorkflow. w is the table.
const workflowColumns = `w.id, w.key, w.name, w.type, w.manual_completion, w.completes_lead, w.schedule, w.follow_ups,
	coalesce(w.message, ''), w.created_at, w.updated_at`

func scanWorkflow(row pgx.CollectableRow) (w dossier.Workflow, err error) {
	var schedule *scheduleJSON
	var followUps *followUpsJSON
	err = row.Scan(&w.ID, &w.Key, &w.Name, &w.Type, &w.ManualCompletion, &w.CompletesLead, &schedule, &followUps,
		&w.Message, &w.CreatedAt, &w.UpdatedAt)
	if schedule != nil {
		w.Schedule = &dossier.ReminderSchedule{Every: durationOf(schedule.Every), At: schedule.At,
			Weekdays: schedule.Weekdays, Max: schedule.Max, StopWhen: schedule.StopWhen}
	}
	if followUps != nil {
		w.FollowUps = &dossier.FollowUps{Every: durationOf(followUps.Every), Max: followUps.Max}
	}
	return w, err
}

// Workflows lists the workflows that new runs may use, oldest first.
func (db *DB) Workflows(ctx context.Context, ws dossier.WorkspaceID) ([]dossier.Workflow, error) {
	return readAll(ctx, db, ws, "list workflows", scanWorkflow, `SELECT `+workflowColumns+` FROM workflows w
		WHERE w.workspace_id = $1 AND w.archived_at IS NULL ORDER BY w.created_at, w.id`, ws)
}

const selectWorkflow = `SELECT ` + workflowColumns + ` FROM workflows w WHERE w.workspace_id = $1 AND w.id = $2`

// readWorkflow finds a workflow, archived or not: open runs of an archived one go on. Error: NotFound.
func readWorkflow(ctx context.Context, tx *tx, id dossier.WorkflowID) (dossier.Workflow, error) {
	return oneOf(ctx, tx, "workflow", scanWorkflow, selectWorkflow, tx.ws, id)
}

// startableWorkflow finds a workflow for a new run. Error: NotFound, also when it was archived.
func startableWorkflow(ctx context.Context, tx *tx, id dossier.WorkflowID) (dossier.Workflow, error) {
	return oneOf(ctx, tx, "workflow", scanWorkflow, selectWorkflow+` AND w.archived_at IS NULL`, tx.ws, id)
}

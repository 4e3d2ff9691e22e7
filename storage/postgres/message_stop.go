package postgres

import (
	"context"

	"github.com/dossierhq/dossier"
)

// When a run ends or a lead closes, its messages that have not been sent are cancelled. A message whose worker died
// while its provider was being called may have arrived, and nobody will find out: it becomes FAILED as outcome_unknown.
const (
	stopMessages = `UPDATE messages m SET status = CASE WHEN m.sending_at IS NULL THEN 'CANCELLED' ELSE 'FAILED' END,
		updated_at = $3,
			error_code = CASE WHEN m.sending_at IS NOT NULL THEN 'outcome_unknown' END, error_detail = CASE
			WHEN m.sending_at IS NOT NULL THEN $4 END
		WHERE m.workspace_id = $1 AND m.status IN ('DRAFT', 'QUEUED') AND `
	stoppedAction = `CASE WHEN EXISTS (SELECT FROM messages m WHERE m.workspace_id = $1 AND m.id = a.message_id
			AND m.status = 'FAILED') THEN 'FAILED' ELSE 'CANCELLED' END`

	stoppedMidCall = "It was stopped while the provider was being called; the message may have arrived and is not " +
		"repeated"
)

// unqueue cancels the jobs that would send stopped messages of a lead, or take its cancelled turns.
func unqueue(ctx context.Context, tx *tx, lead dossier.LeadID, stopped []dossier.Message, plans []string) error {
	if len(stopped)+len(plans) == 0 {
		return nil
	}
	messages := make([]string, len(stopped))
	for i, m := range stopped {
		messages[i] = string(m.ID)
	}
	return cancelJobs(ctx, tx, endJobs+`status IN ('QUEUED', 'RETRY') AND (payload->>'message' = ANY($4)
		OR payload->>'plan' = ANY($5))
		AND subject_id = ANY($4::uuid[] || ARRAY(SELECT id FROM workflow_runs WHERE workspace_id = $1
		AND lead_id = $3))`+dropTasks, lead, messages, plans)
}

// emitStopped emits the events of messages that were stopped while their provider was being called.
func emitStopped(ctx context.Context, tx *tx, stopped []dossier.Message) error {
	endDrafts(tx, stopped...)
	for _, m := range stopped {
		if m.Status != dossier.MessageFailed {
			continue
		}
		lead, err := lockLeadRef(ctx, tx, *m.LeadID) // held by whoever stops its messages
		if err != nil {
			return err
		}
		_, err = logAction(ctx, tx, dossier.ActionLog{LeadID: *m.LeadID, RunID: m.RunID, AgentID: m.AgentID,
			Type: dossier.ActionSystem, Summary: "Message failed: " + stoppedMidCall},
			map[string]any{"messageId": m.ID, "status": m.Status})
		if err != nil {
			return err
		}
		if err := emitMessage(ctx, tx, dossier.EventMessageFailed, lead, m); err != nil {
			return err
		}
	}
	return nil
}

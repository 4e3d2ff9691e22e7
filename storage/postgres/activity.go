package postgres

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// actionLogColumns are the columns of dossier.ActionLog, scanned by name. a is the table.
const actionLogColumns = `a.id, a.lead_id, a.workflow_run_id AS run_id, a.agent_id, a.message_id, a.type, a.status,
	a.summary, a.input,
	a.tool_calls, a.document_ids, a.actor, a.scheduled_at, a.created_at, a.completed_at`

// logAction writes a completed entry on a lead's timeline; what the lead last did shows in lists.
func logAction(_ context.Context, tx *tx, log dossier.ActionLog, input any) (dossier.ActionLogID, error) {
	log, err := completeAction(tx, log, input)
	if err == nil {
		tx.deferExec(`WITH l AS (UPDATE leads SET activity_summary = @summary WHERE workspace_id = @workspace
				AND id = @leadId RETURNING id)
			INSERT INTO action_logs (workspace_id, id, lead_id, type, status, summary, input, document_ids, actor,
				workflow_run_id, agent_id, created_at, completed_at)
			SELECT @workspace, @id, l.id, @type, @status, @summary, @input, @documentIds, @actor, @workflowRunId,
				@agentId, @now::timestamptz, @now::timestamptz FROM l`,
			pgx.NamedArgs{"workspace": tx.ws, "id": log.ID, "leadId": log.LeadID, "type": log.Type,
				"status": log.Status, "summary": log.Summary, "input": log.Input, "documentIds": log.DocumentIDs,
				"actor": log.Actor, "workflowRunId": log.RunID, "agentId": log.AgentID, "now": tx.now})
	}
	return log.ID, err
}

// logWithLead is logAction in a transaction that writes the lead's row anyway, with the summary in it, for what the
// call itself did to the lead. It returns the entry as it is written.
func logWithLead(tx *tx, log dossier.ActionLog, input any) (dossier.ActionLog, error) {
	log, err := completeAction(tx, log, input)
	if err == nil {
		tx.deferRow(`INSERT INTO action_logs (workspace_id, id, lead_id, type, status, summary, input, document_ids,
				actor, created_at, completed_at)
			SELECT @workspace, id, lead, type, @status, summary, input, '{}', actor, @now, @now
			FROM unnest(@ids::uuid[], @leads::uuid[], @types::text[], @summaries::text[], @inputs::jsonb[],
				@actors::text[]) AS l (id, lead, type, summary, input, actor)`,
			pgx.NamedArgs{"workspace": tx.ws, "status": log.Status, "now": tx.now},
			pgx.NamedArgs{"ids": log.ID, "leads": log.LeadID, "types": log.Type, "summaries": log.Summary,
				"inputs": log.Input, "actors": log.Actor})
	}
	return log, err
}

// completeAction is an entry of what is done already.
func completeAction(tx *tx, log dossier.ActionLog, input any) (dossier.ActionLog, error) {
	var err error
	if log.Input, err = json.Marshal(input); err != nil {
		return log, err
	}
	log.ID, log.Status = newID[dossier.ActionLogID](), dossier.ActionCompleted
	log.ToolCalls, log.CreatedAt, log.CompletedAt = json.RawMessage(`[]`), tx.now, &tx.now
	if log.DocumentIDs == nil {
		log.DocumentIDs = []dossier.DocumentID{}
	}
	return log, nil
}

// CreateActivity writes an entry onto a lead's timeline. Errors: Invalid, NotFound.
func (db *DB) CreateActivity(ctx context.Context, ws dossier.WorkspaceID, a dossier.Activity,
	by Caller) (dossier.ActionLogID, error) {
	if faults := a.Faults(); len(faults) > 0 {
		return "", dossier.InvalidFaults(faults)
	}
	a.Title, a.Description, a.Metadata = dossier.MaskSecrets(a.Title), masked(a.Description),
		dossier.MaskSecretsJSON(a.Metadata)
	input := activityInput{a.EventType, "api", a.Title, a.Description, a.Metadata}
	if canGroup(ctx) {
		data, err := json.Marshal(input)
		if err != nil {
			return "", err
		}
		w := writtenActivity{ws: ws, ID: newID[dossier.ActionLogID](), Lead: a.LeadID, Summary: a.Title, Input: data,
			Actor: dossier.OrNil(by.Actor), At: db.now()}
		if ok, err := db.activities.do(ctx, w); err == nil && ok {
			return w.ID, nil
		} else if err != nil && !retrySingly(err) {
			return "", translate("create activity", err)
		}
	}
	return transact(ctx, db, ws, "create activity", func(tx *tx) (dossier.ActionLogID, error) {
		if _, err := lockLeadRef(ctx, tx, a.LeadID); err != nil {
			return "", err
		}
		log := dossier.ActionLog{LeadID: a.LeadID, Type: dossier.ActionAPIActivity, Summary: a.Title,
			Actor: dossier.OrNil(by.Actor)}
		return logAction(ctx, tx, log, input)
	})
}

// activityInput is the input of an action log that tells of an activity.
type activityInput struct {
	EventType   string          `json:"eventType"`
	Source      string          `json:"source"`
	Title       string          `json:"title"`
	Description *string         `json:"description"`
	Metadata    json.RawMessage `json:"metadata"`
}

// ActionEntry is an entry of the timeline with what it points to.
type ActionEntry struct {
	dossier.ActionLog
	Message   *dossier.Message
	Documents []dossier.Document // those not deleted, in the order of DocumentIDs
}

// Timeline returns a page of a lead's timeline, newest first. Error: NotFound (lead).
func (db *DB) Timeline(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID,
	page dossier.Page) ([]ActionEntry, error) {
	return snapshot(ctx, db, ws, "timeline", func(tx *tx) ([]ActionEntry, error) {
		if err := requireLead(ctx, tx, lead); err != nil {
			return nil, err
		}
		at, id := pageArgs(page)
		logs, err := collect(ctx, tx, pgx.RowToStructByName[dossier.ActionLog], `SELECT `+actionLogColumns+`
			FROM action_logs a
			WHERE a.workspace_id = $1 AND a.lead_id = $2 AND ($3::timestamptz IS NULL
				OR (a.created_at, a.id) < ($3, $4::uuid))
			ORDER BY a.created_at DESC, a.id DESC LIMIT $5`, tx.ws, lead, at, id, page.Limit+1)
		if err != nil {
			return nil, err
		}
		return actionEntries(ctx, tx, logs)
	})
}

// ReadActionLog returns one entry of a timeline. Error: NotFound, also when its lead is deleted.
func (db *DB) ReadActionLog(ctx context.Context, ws dossier.WorkspaceID, id dossier.ActionLogID) (ActionEntry, error) {
	return snapshot(ctx, db, ws, "read action log", func(tx *tx) (ActionEntry, error) {
		logs, err := collect(ctx, tx, pgx.RowToStructByName[dossier.ActionLog], `SELECT `+actionLogColumns+`
			FROM action_logs a
			JOIN leads l ON l.workspace_id = a.workspace_id AND l.id = a.lead_id AND l.deleted_at IS NULL
			WHERE a.workspace_id = $1 AND a.id = $2`, tx.ws, id)
		if err != nil || len(logs) == 0 {
			return ActionEntry{}, orElse(err, missing("action log"))
		}
		entries, err := actionEntries(ctx, tx, logs)
		return entries[0], err
	})
}

// actionEntries adds messages and documents to entries, in one round trip or none.
func actionEntries(ctx context.Context, tx *tx, logs []dossier.ActionLog) ([]ActionEntry, error) {
	messageIDs, documentIDs := []dossier.MessageID{}, []dossier.DocumentID{}
	for _, log := range logs {
		if log.MessageID != nil {
			messageIDs = append(messageIDs, *log.MessageID)
		}
		documentIDs = append(documentIDs, log.DocumentIDs...)
	}
	var messages []dossier.Message
	var documents []dossier.Document
	if len(messageIDs)+len(documentIDs) == 0 {
		return joinActionEntries(logs, nil, nil), nil
	}
	batch := &pgx.Batch{}
	queue(batch, &messages, pgx.RowToStructByName[dossier.Message], `SELECT `+messageColumns+` FROM messages m
		WHERE m.workspace_id = $1 AND m.id = ANY($2)`, tx.ws, messageIDs)
	queue(batch, &documents, scanDocument, `SELECT `+documentColumns+` FROM documents
		WHERE workspace_id = $1 AND id = ANY($2) AND deleted_at IS NULL`, tx.ws, documentIDs)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, err
	}
	return joinActionEntries(logs, messages, documents), nil
}

func joinActionEntries(logs []dossier.ActionLog, messages []dossier.Message,
	documents []dossier.Document) []ActionEntry {
	messageByID, documentByID := map[dossier.MessageID]*dossier.Message{}, map[dossier.DocumentID]dossier.Document{}
	for i := range messages {
		messageByID[messages[i].ID] = &messages[i]
	}
	for _, d := range documents {
		documentByID[d.ID] = d
	}
	entries := make([]ActionEntry, len(logs))
	for i, log := range logs {
		entries[i].ActionLog = log
		if log.MessageID != nil {
			entries[i].Message = messageByID[*log.MessageID]
		}
		for _, id := range log.DocumentIDs {
			if d, there := documentByID[id]; there {
				entries[i].Documents = append(entries[i].Documents, d)
			}
		}
	}
	return entries
}

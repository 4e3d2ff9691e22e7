package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/record"
)

// messageColumns are the columns of dossier.Message, scanned by name. m is the table.
const messageColumns = `m.id, m.lead_id, m.workflow_run_id AS run_id, m.agent_id, m.direction, m.channel, m.status,
	m.from_address AS "from",
	m.to_address AS "to", m.subject, m.body, m.error_code, m.error_detail, m.document_ids, m.scheduled_at, m.sent_at,
	m.delivered_at,
	m.created_at, m.updated_at, m.authenticated`

// Messages returns a page of a lead's messages, newest first. Error: NotFound (lead).
func (db *DB) Messages(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID,
	page dossier.Page) ([]dossier.Message, error) {
	return snapshot(ctx, db, ws, "list messages", func(tx *tx) ([]dossier.Message, error) {
		if err := requireLead(ctx, tx, lead); err != nil {
			return nil, err
		}
		at, id := pageArgs(page)
		return collect(ctx, tx, pgx.RowToStructByName[dossier.Message], `SELECT `+messageColumns+` FROM messages m
			WHERE m.workspace_id = $1 AND m.erased_at IS NULL AND m.lead_id = $2 AND ($3::timestamptz IS NULL
			OR (m.created_at, m.id) < ($3, $4::uuid))
			ORDER BY m.created_at DESC, m.id DESC LIMIT $5`, tx.ws, lead, at, id, page.Limit+1)
	})
}

// ApproveMessage queues a draft: it is sent at once, or when the lead's quiet hours end. Approved with a test key it is
// cancelled when its time comes.
// Errors: NotFound, Conflict (message_not_draft).
func (db *DB) ApproveMessage(ctx context.Context, ws dossier.WorkspaceID, id dossier.MessageID,
	by Caller) (dossier.Message, error) {
	return transact(ctx, db, ws, "approve message", func(tx *tx) (dossier.Message, error) {
		return approveMessage(ctx, tx, id, by)
	})
}

// approveMessage is ApproveMessage for callers that have a transaction.
func approveMessage(ctx context.Context, tx *tx, id dossier.MessageID, by Caller) (dossier.Message, error) {
	m, err := lockMessage(ctx, tx, id)
	if err != nil {
		return m, err
	}
	if err := m.Approve(tx.now); err != nil {
		return m, err
	}
	lead, err := readLeadAndWorkspace(ctx, tx, *m.LeadID)
	if err != nil {
		return m, err
	}
	due := lead.quiet().Next(tx.now, dossier.Zone(lead.Zone))
	m.ScheduledAt = &due
	updateMessage(tx, m)
	endDrafts(tx, m)
	if by.Test { // it may be approved, and goes nowhere (decisions.md section 4)
		if _, err := tx.Exec(ctx, `UPDATE messages SET approved_test = true WHERE workspace_id = $1 AND id = $2`,
			tx.ws, m.ID); err != nil {
			return m, err
		}
	}
	if err := updateTimelineEntry(ctx, tx, m, dossier.ActionPending, "Message approved", by); err != nil {
		return m, err
	}
	return m, stageSending(ctx, tx, m)
}

// EditMessage changes a draft's words in the name of by.Actor; the agent's own are kept beside them.
// Errors: NotFound, Conflict (message_not_draft), Invalid.
func (db *DB) EditMessage(ctx context.Context, ws dossier.WorkspaceID, id dossier.MessageID, body string,
	subject *string, by Caller) (dossier.Message, error) {
	body, subject = dossier.MaskSecrets(body), masked(subject)
	return transact(ctx, db, ws, "edit message", func(tx *tx) (dossier.Message, error) {
		m, err := lockMessage(ctx, tx, id)
		if err != nil {
			return m, err
		}
		before := m
		if err := m.Edit(body, subject, tx.now); err != nil {
			return m, err
		}
		if m.Body == before.Body && dossier.Text(m.Subject) == dossier.Text(before.Subject) {
			return before, nil
		}
		if _, err := tx.Exec(ctx, `UPDATE messages SET original_body = coalesce(original_body, body), body = $3,
				subject = $4, updated_at = $5 WHERE workspace_id = $1 AND id = $2`,
			tx.ws, m.ID, m.Body, m.Subject, tx.now); err != nil {
			return m, err
		}
		if err := countIntervention(ctx, tx, *m.LeadID, "messageEdits", by.Actor); err != nil {
			return m, err
		}
		return m, updateTimelineEntry(ctx, tx, m, dossier.ActionPending, "Draft edited", by)
	})
}

// RejectMessage puts a draft away; the agent asks again at its next follow-up.
// Errors: NotFound, Conflict (message_not_draft).
func (db *DB) RejectMessage(ctx context.Context, ws dossier.WorkspaceID, id dossier.MessageID, reason *string,
	by Caller) (dossier.Message, error) {
	reason = masked(reason)
	return transact(ctx, db, ws, "reject message", func(tx *tx) (dossier.Message, error) {
		return rejectMessage(ctx, tx, id, reason, by)
	})
}

// rejectMessage is RejectMessage for callers that have a transaction.
func rejectMessage(ctx context.Context, tx *tx, id dossier.MessageID, reason *string,
	by Caller) (dossier.Message, error) {
	m, err := lockMessage(ctx, tx, id)
	if err != nil {
		return m, err
	}
	if err := m.Reject(tx.now); err != nil {
		return m, err
	}
	updateMessage(tx, m)
	endDrafts(tx, m)
	if err := countIntervention(ctx, tx, *m.LeadID, "messageRejects", by.Actor); err != nil {
		return m, err
	}
	summary := "Draft rejected"
	if reason != nil && *reason != "" {
		summary += ": " + *reason
	}
	if err := updateTimelineEntry(ctx, tx, m, dossier.ActionCancelled, summary, by); err != nil {
		return m, err
	}
	return m, planAfter(ctx, tx, m, false)
}

// Inbox returns a page of messages from senders nobody knows, newest first.
func (db *DB) Inbox(ctx context.Context, ws dossier.WorkspaceID, page dossier.Page) ([]dossier.Message, error) {
	return snapshot(ctx, db, ws, "list inbox", func(tx *tx) ([]dossier.Message, error) {
		at, id := pageArgs(page)
		return collect(ctx, tx, pgx.RowToStructByName[dossier.Message], `SELECT `+messageColumns+` FROM messages m
			WHERE m.workspace_id = $1 AND m.erased_at IS NULL AND m.lead_id IS NULL AND m.direction = 'INBOUND'
			AND ($2::timestamptz IS NULL OR (m.created_at, m.id) < ($2, $3::uuid))
			ORDER BY m.created_at DESC, m.id DESC LIMIT $4`, tx.ws, at, id, page.Limit+1)
	})
}

// lockMessage holds a message of a live lead, its lead first. Error: NotFound.
func lockMessage(ctx context.Context, tx *tx, id dossier.MessageID) (dossier.Message, error) {
	var leads []dossier.LeadID
	var messages []dossier.Message
	batch := &pgx.Batch{}
	queue(batch, &leads, pgx.RowTo[dossier.LeadID], `SELECT id FROM leads WHERE workspace_id = $1 AND deleted_at IS NULL
		AND id = (SELECT lead_id FROM messages WHERE workspace_id = $1 AND id = $2) FOR NO KEY UPDATE`, tx.ws, id)
	queue(batch, &messages, pgx.RowToStructByName[dossier.Message], selectMessage+` FOR UPDATE`, tx.ws, id)
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return dossier.Message{}, err
	}
	if len(leads) == 0 || len(messages) == 0 {
		return dossier.Message{}, missing("message")
	}
	return messages[0], nil
}

const selectMessage = `SELECT ` + messageColumns + ` FROM messages m WHERE m.workspace_id = $1 AND m.id = $2
		AND m.erased_at IS NULL`

// newMessage is an outbound message as it is stored first.
type newMessage struct {
	dossier.Message
	Purpose    dossier.MessagePurpose
	Template   []string // values of the approved WhatsApp template
	ProviderID string   // of one that has left
}

func insertMessage(tx *tx, m newMessage) {
	tx.deferExec(`
		INSERT INTO messages (workspace_id, id, lead_id, workflow_run_id, agent_id, direction, channel, status,
		from_address,
			to_address, subject, body, purpose, template, provider_message_id, scheduled_at, sent_at, created_at,
			updated_at)
		VALUES (@workspace, @id, @lead, @run, @agent, @direction, @channel, @status, @from,
			@to, @subject, @body, @purpose, @template, @provider, @scheduled, @sent, @created, @created)`,
		pgx.NamedArgs{"workspace": tx.ws, "id": m.ID, "lead": m.LeadID, "run": m.RunID, "agent": m.AgentID,
			"direction": m.Direction,
			"channel":   m.Channel, "status": m.Status, "from": m.From, "to": m.To, "subject": m.Subject,
			"body":    m.Body,
			"purpose": m.Purpose, "template": m.Template, "provider": dossier.OrNil(m.ProviderID),
			"scheduled": m.ScheduledAt,
			"sent":      m.SentAt, "created": m.CreatedAt})
}

func updateMessage(tx *tx, m dossier.Message) {
	tx.deferExec(`UPDATE messages SET status = @status, from_address = @fromAddress, error_code = @errorCode,
		error_detail = @errorDetail, scheduled_at = @scheduledAt,
		sent_at = @sentAt,
			delivered_at = @deliveredAt, updated_at = @now WHERE workspace_id = @workspace AND id = @id`,
		pgx.NamedArgs{"workspace": tx.ws, "id": m.ID, "status": m.Status, "fromAddress": m.From,
			"errorCode": m.ErrorCode, "errorDetail": m.ErrorDetail, "scheduledAt": m.ScheduledAt, "sentAt": m.SentAt,
			"deliveredAt": m.DeliveredAt, "now": tx.now})
}

// stageSending stages the sending of a queued message. Its subject is its run, so that what ends the run ends it.
func stageSending(ctx context.Context, tx *tx, m dossier.Message) error {
	how := staging{subject: string(m.ID)}
	if m.RunID != nil {
		how.subject = string(*m.RunID)
	}
	if m.ScheduledAt != nil && m.ScheduledAt.After(tx.now) {
		how.runAt = *m.ScheduledAt
	}
	_, err := enqueue(ctx, tx, jobs.SendMessage{Workspace: tx.ws, Message: m.ID}, how)
	return err
}

// updateTimelineEntry keeps the message's entry on the timeline true; a person's act is an entry of its own as well.
func updateTimelineEntry(ctx context.Context, tx *tx, m dossier.Message, status dossier.ActionLogStatus, summary string,
	by Caller) error {
	tx.deferExec(`UPDATE action_logs SET status = $3, scheduled_at = coalesce($4, scheduled_at), completed_at = CASE
		WHEN $3 = 'PENDING' THEN NULL ELSE $5::timestamptz END
		WHERE workspace_id = $1 AND lead_id = $6 AND message_id = $2
		AND status = 'PENDING'`, tx.ws, m.ID, status, m.ScheduledAt, tx.now, m.LeadID)
	if summary == "" {
		return nil
	}
	_, err := logAction(ctx, tx, dossier.ActionLog{LeadID: *m.LeadID, RunID: m.RunID, AgentID: m.AgentID,
		Type: dossier.ActionSystem, Summary: summary, Actor: dossier.OrNil(by.Actor)},
		map[string]any{"messageId": m.ID, "status": m.Status})
	return err
}

// emitMessage records an event about a message. lead is empty for a sender nobody knows.
func emitMessage(ctx context.Context, tx *tx, event dossier.EventType, lead leadRef, m dossier.Message) error {
	return emit(ctx, tx, event, lead.LeadID, record.MessageEvent{
		AnyLeadRef: record.AnyLeadRef{LeadID: dossier.OrNil(lead.LeadID), ExternalLeadID: lead.ExternalLeadID},
		Message:    record.OfMessage(m)})
}

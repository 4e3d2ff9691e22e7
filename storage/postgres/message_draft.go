package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// NewDraft is a message that a caller writes for a person to approve.
type NewDraft struct {
	Channel dossier.Channel
	Subject *string
	Body    string
}

// DraftMessage writes a message to a lead that is not sent: a person approves, edits or rejects it as an agent's draft.
// Errors: NotFound (lead), Invalid, Conflict (not_reachable, the lead cannot be written to on the channel).
func (db *DB) DraftMessage(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID, draft NewDraft,
	by Caller) (dossier.Message, error) {
	return transact(ctx, db, ws, "draft message", func(tx *tx) (dossier.Message, error) {
		ref, err := lockLeadRef(ctx, tx, lead)
		if err != nil {
			return dossier.Message{}, err
		}
		l, err := readLeadAndWorkspace(ctx, tx, lead)
		if err != nil {
			return dossier.Message{}, err
		}
		to := l.PhoneNumber
		if draft.Channel == "email" {
			to = l.Email
		}
		if to == nil || l.Unreachable() != "" {
			return dossier.Message{}, dossier.Coded(dossier.Conflict, "not_reachable",
				"This lead cannot be written to by %s: it has no address there, is closed or opted out", draft.Channel)
		}
		m := dossier.Message{ID: newID[dossier.MessageID](), LeadID: &lead, Direction: dossier.MessageOutbound,
			Channel: string(draft.Channel), Status: dossier.MessageDraft, To: to, CreatedAt: tx.now, UpdatedAt: tx.now}
		if err := m.Edit(dossier.MaskSecrets(draft.Body), masked(draft.Subject), tx.now); err != nil {
			return m, err
		}
		insertMessage(tx, newMessage{Message: m, Purpose: dossier.PurposeOutreach})
		tx.deferExec(`INSERT INTO action_logs (workspace_id, id, lead_id, type, status, summary, message_id, actor,
				created_at)
			VALUES (@workspace, @id, @leadId, @type, 'PENDING', @summary, @messageId, @actor, @now)`,
			pgx.NamedArgs{"workspace": tx.ws, "id": newID[dossier.ActionLogID](), "leadId": lead,
				"type": dossier.ActionOutboundMessage, "summary": "Message drafted (" + m.Channel + ")",
				"messageId": m.ID, "actor": dossier.OrNil(by.Actor), "now": tx.now})
		return m, reviewDraft(ctx, tx, ref, m)
	})
}

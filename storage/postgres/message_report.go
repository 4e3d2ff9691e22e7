package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// ReportMessage stores what a provider tells of a message it took: it arrived, failed, or (when its answer was lost)
// that it was sent. Reports come in any order and more than once; what changes nothing is no error.
// Error: NotFound, for a message we did not send.
func (db *DB) ReportMessage(ctx context.Context, ws dossier.WorkspaceID, r dossier.DeliveryReceipt) (dossier.Message,
	error) {
	return transact(ctx, db, ws, "report message", func(tx *tx) (dossier.Message, error) {
		id, err := reportedMessage(ctx, tx, r)
		if err != nil {
			return dossier.Message{}, err
		}
		m, err := lockMessage(ctx, tx, id)
		if err != nil {
			return m, err
		}
		status, changes := r.Settles(m)
		if !changes {
			return m, nil
		}
		lead, err := lockLeadRef(ctx, tx, *m.LeadID)
		if err != nil {
			return m, err
		}
		return m, settleReport(ctx, tx, lead, &m, r, status)
	})
}

// reportedMessage finds the message that a report is about: ours by its id, else by the provider's.
func reportedMessage(ctx context.Context, tx *tx, r dossier.DeliveryReceipt) (id dossier.MessageID, err error) {
	err = tx.QueryRow(ctx, `SELECT id FROM messages WHERE workspace_id = $1 AND channel = $2 AND direction = 'OUTBOUND'
			AND (id = $3::uuid OR $3::uuid IS NULL
			AND provider_message_id = $4)`, tx.ws, r.Channel, dossier.OrNil(r.MessageID), r.ProviderID).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		err = missing("message")
	}
	return id, err
}

func settleReport(ctx context.Context, tx *tx, lead leadRef, m *dossier.Message, r dossier.DeliveryReceipt,
	status dossier.MessageStatus) error {
	left := m.SentAt != nil // we knew before that it had left
	if _, err := tx.Exec(ctx, `UPDATE messages m SET provider_message_id = coalesce(m.provider_message_id, $3)
			WHERE m.workspace_id = $1 AND m.id = $2`+providerIDFree,
		tx.ws, m.ID, dossier.OrNil(r.ProviderID)); err != nil {
		return err
	}
	if status == dossier.MessageFailed {
		return failMessage(ctx, tx, lead, *m, r.Error)
	}
	m.ErrorCode, m.ErrorDetail = nil, nil
	if !left {
		m.Status, m.SentAt = dossier.MessageSent, &tx.now
		updateMessage(tx, *m)
		if err := settleMessage(ctx, tx, lead, *m, dossier.ActionCompleted, "", dossier.EventMessageSent); err != nil {
			return err
		}
	}
	if status != dossier.MessageDelivered {
		return nil
	}
	m.Status, m.DeliveredAt = dossier.MessageDelivered, &tx.now
	updateMessage(tx, *m)
	return emitMessage(ctx, tx, dossier.EventMessageDelivered, lead, *m)
}

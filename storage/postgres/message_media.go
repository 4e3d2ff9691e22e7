package postgres

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// WaitingMedia is what is still to be fetched of an inbound message, and by which credentials.
type WaitingMedia struct {
	Channel  dossier.Channel
	Provider dossier.ChannelConfig
	Media    []Media
}

func mediaJSON(media []Media) []byte {
	if len(media) == 0 {
		return nil
	}
	return mustJSON(media)
}

// WaitingMedia returns the files of a message that were not fetched yet; none, when there is nothing to do.
// Error: NotFound, when the message or its lead is gone.
func (db *DB) WaitingMedia(ctx context.Context, ws dossier.WorkspaceID, id dossier.MessageID) (WaitingMedia, error) {
	return snapshot(ctx, db, ws, "waiting media", func(tx *tx) (WaitingMedia, error) {
		return oneOf(ctx, tx, "message", func(row pgx.CollectableRow) (w WaitingMedia, err error) {
			var media []byte
			var channels map[dossier.Channel]dossier.ChannelConfig
			if err := row.Scan(&w.Channel, &media, &channels); err != nil {
				return w, err
			}
			w.Provider = channels[w.Channel]
			if media != nil {
				err = json.Unmarshal(media, &w.Media)
			}
			return w, err
		}, `SELECT m.channel, m.media, w.channels FROM messages m JOIN workspaces w ON w.id = m.workspace_id
			JOIN leads l ON l.workspace_id = m.workspace_id AND l.id = m.lead_id AND l.deleted_at IS NULL
			WHERE m.workspace_id = $1 AND m.id = $2`, tx.ws, id)
	})
}

// SaveMedia makes documents of the files of a message and lets the agent answer it. missing is how many files the
// provider no longer has. Errors: ErrFenced, NotFound.
func (db *DB) SaveMedia(ctx context.Context, claim Claim, id dossier.MessageID, files []NewFile, missing int) error {
	_, err := transact(ctx, db, claim.Workspace, "save media", func(tx *tx) (none, error) {
		m, err := lockMessage(ctx, tx, id)
		if err != nil {
			return none{}, err
		}
		lead, err := lockLeadRef(ctx, tx, *m.LeadID)
		if err != nil {
			return none{}, err
		}
		if err := createAttachedDocuments(ctx, tx, lead, Inbound{Files: files}, &m); err != nil {
			return none{}, err
		}
		if err := settleMedia(ctx, tx, m, missing); err != nil {
			return none{}, err
		}
		return none{}, finishJob(ctx, tx, claim, "message:"+string(id))
	})
	return err
}

func settleMedia(ctx context.Context, tx *tx, m dossier.Message, missing int) error {
	_, err := tx.Exec(ctx, `
		WITH a AS (UPDATE action_logs SET document_ids = $3 WHERE workspace_id = $1 AND lead_id = $5
		AND message_id = $2)
		UPDATE messages SET media = NULL, document_ids = $3, updated_at = $4 WHERE workspace_id = $1
		AND id = $2`, tx.ws, m.ID, nonNil(m.DocumentIDs), tx.now, m.LeadID)
	if err != nil {
		return err
	}
	if missing > 0 {
		_, err := logAction(ctx, tx, dossier.ActionLog{LeadID: *m.LeadID, RunID: m.RunID, AgentID: m.AgentID,
			Type:    dossier.ActionSystem,
			Summary: plural(missing, "attached file") + " could not be fetched from the provider"},
			map[string]any{"messageId": m.ID})
		if err != nil {
			return err
		}
	}
	if m.RunID == nil {
		return nil
	}
	_, err = enqueue(ctx, tx, jobs.TakeTurn{Workspace: tx.ws, Run: *m.RunID, Reply: m.ID},
		staging{subject: string(m.ID)})
	return err
}

// endMedia lets the conversation go on without files that could not be fetched.
func endMedia(ctx context.Context, tx *tx, claim Claim, _, _ string) error {
	var job jobs.FetchMedia
	if err := json.Unmarshal(claim.Payload, &job); err != nil {
		return err
	}
	m, err := lockMessage(ctx, tx, job.Message)
	if err != nil {
		return ignoreMissing(err)
	}
	return settleMedia(ctx, tx, m, 1)
}

// endSending leaves a message FAILED whose provider could not be reached in all tries; one that may have arrived says
// so.
func endSending(ctx context.Context, tx *tx, claim Claim, class, message string) error {
	var job jobs.SendMessage
	if err := json.Unmarshal(claim.Payload, &job); err != nil {
		return err
	}
	m, err := lockMessage(ctx, tx, job.Message)
	if err != nil || m.Status != dossier.MessageQueued {
		return ignoreMissing(err)
	}
	lead, err := lockLeadRef(ctx, tx, *m.LeadID)
	if err != nil {
		return err
	}
	var called bool
	if err := tx.QueryRow(ctx, `SELECT sending_at IS NOT NULL FROM messages WHERE workspace_id = $1 AND id = $2`, tx.ws,
		m.ID).Scan(&called); err != nil {
		return err
	}
	why := dossier.Coded(dossier.Conflict, "provider_unreachable", "%s", message)
	if called {
		why = dossier.Coded(dossier.Internal, "outcome_unknown",
			"The provider was being called when the sender stopped, and could not be asked since; the message may "+
				"have arrived and is not repeated")
	}
	if class == "cancelled" && !called {
		m.Status = dossier.MessageCancelled
		updateMessage(tx, m)
		return updateTimelineEntry(ctx, tx, m, dossier.ActionCancelled, "Message not sent: its job was cancelled",
			Caller{})
	}
	return failMessage(ctx, tx, lead, m, why)
}

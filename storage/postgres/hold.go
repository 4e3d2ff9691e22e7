package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

const holdColumns = `id, lead_id, reason, created_by, created_at, released_at, released_by`

// CreateHold keeps a lead from being erased; a deleted one that is not erased yet, too. Error: NotFound.
func (db *DB) CreateHold(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID, reason string) (dossier.Hold,
	error) {
	return transact(ctx, db, ws, "create hold", func(tx *tx) (dossier.Hold, error) {
		if _, err := lockOwnLead(ctx, tx, lead); err != nil {
			return dossier.Hold{}, err
		}
		h := dossier.Hold{ID: newID[dossier.HoldID](), LeadID: lead, Reason: reason, CreatedBy: requester(ctx),
			CreatedAt: tx.now}
		tx.deferExec(
			`INSERT INTO holds (workspace_id, id, lead_id, reason, created_by, created_at) VALUES ($1, $2, $3, $4,
				$5, $6)`,
			tx.ws, h.ID, lead, reason, h.CreatedBy, tx.now)
		tx.deferExec(`UPDATE erasures SET status = 'HELD' WHERE workspace_id = $1 AND lead_id = $2 AND
			status = 'SCHEDULED'`, tx.ws, lead)
		audit(ctx, tx, dossier.AuditHoldCreate, leadSubject(lead), map[string]any{"holdId": h.ID})
		return h, nil
	})
}

// Holds lists the holds of a lead, released ones too, newest first. Error: NotFound (lead).
func (db *DB) Holds(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID,
	page dossier.Page) ([]dossier.Hold, error) {
	return transact(ctx, db, ws, "list holds", func(tx *tx) ([]dossier.Hold, error) {
		if _, err := lockOwnLead(ctx, tx, lead); err != nil {
			return nil, err
		}
		at, id := pageArgs(page)
		return collect(ctx, tx, pgx.RowToStructByName[dossier.Hold], `SELECT `+holdColumns+` FROM holds
			WHERE workspace_id = $1 AND lead_id = $2 AND ($3::timestamptz IS NULL OR (created_at, id) < ($3, $4::uuid))
			ORDER BY created_at DESC, id DESC LIMIT $5`, tx.ws, lead, at, id, page.Limit+1)
	})
}

// ReleaseHold ends a hold; with the last one of a lead its erasures run that waited for it. Released again it changes
// nothing. Error: NotFound.
func (db *DB) ReleaseHold(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID, id dossier.HoldID,
	by Caller) error {
	_, err := transact(ctx, db, ws, "release hold", func(tx *tx) (none, error) {
		stored, err := lockOwnLead(ctx, tx, lead)
		if err != nil {
			return none{}, err
		}
		var released bool
		err = tx.QueryRow(ctx, `SELECT released_at IS NOT NULL FROM holds WHERE workspace_id = $1 AND id = $2
				AND lead_id = $3`, tx.ws, id, lead).Scan(&released)
		if err != nil || released {
			return none{}, orMissing(err, "hold")
		}
		_, err = tx.Exec(ctx, `UPDATE holds SET released_at = $3, released_by = $4 WHERE workspace_id = $1 AND id = $2`,
			tx.ws, id, tx.now, requester(ctx))
		if err != nil {
			return none{}, err
		}
		audit(ctx, tx, dossier.AuditHoldRelease, leadSubject(lead), map[string]any{"holdId": id})
		return none{}, resumeErasure(ctx, tx, lead, stored, by)
	})
	return err
}

// resumeErasure lets an erasure go on that a hold kept waiting, when none stands any more. One that waits for a second
// person besides stays as it is: the end of a hold is no agreement.
func resumeErasure(ctx context.Context, tx *tx, lead dossier.LeadID, stored storedLead, by Caller) error {
	waiting, err := collect(ctx, tx, scanErasure, `
		WITH e AS (UPDATE erasures SET status = 'SCHEDULED' WHERE workspace_id = $1 AND lead_id = $2
			AND status = 'HELD' AND NOT EXISTS (SELECT FROM holds h WHERE h.workspace_id = $1 AND h.lead_id = $2
				AND h.released_at IS NULL)
			RETURNING *)
		SELECT `+erasureColumns+` FROM e WHERE NOT waits`, tx.ws, lead)
	if err != nil {
		return err
	}
	for _, e := range waiting {
		if err := hideErased(ctx, tx, e, stored, by); err != nil {
			return err
		}
		if err := stageErasure(ctx, tx, e.ID, max(0, e.DueAt.Sub(tx.now))); err != nil {
			return err
		}
	}
	return nil
}

// hideErased takes out of sight what is to be erased and was readable while it was held.
func hideErased(ctx context.Context, tx *tx, e dossier.Erasure, stored storedLead, by Caller) error {
	switch {
	case stored.Deleted:
		return nil
	case e.Subject == dossier.EraseDocument:
		return ignoreMissing(hideStoredDocument(ctx, tx, dossier.DocumentID(e.SubjectID)))
	}
	ref, err := lockLeadRef(ctx, tx, e.LeadID)
	if dossier.KindOf(err) == dossier.NotFound {
		return nil // by another one of them
	}
	if err != nil {
		return err
	}
	return hideLead(ctx, tx, ref, by)
}

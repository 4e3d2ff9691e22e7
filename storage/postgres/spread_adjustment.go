package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// SaveAdjustments puts an analyst's corrections in the place of those a spread had and starts its next round, in one
// commit. Errors: NotFound; Conflict, while the spread is in progress.
func (db *DB) SaveAdjustments(ctx context.Context, ws dossier.WorkspaceID, id dossier.SpreadID,
	list []dossier.SpreadAdjustment) (dossier.Spread, error) {
	return transact(ctx, db, ws, "save adjustments", func(tx *tx) (dossier.Spread, error) {
		s, err := lockSpread(ctx, tx, id)
		if err != nil {
			return s, err
		}
		if err := regenerate(ctx, tx, &s); err != nil {
			return s, err
		}
		return s, replaceAdjustments(ctx, tx, id, list)
	})
}

// replaceAdjustments keeps the time of a correction that did not change.
func replaceAdjustments(ctx context.Context, tx *tx, id dossier.SpreadID, list []dossier.SpreadAdjustment) error {
	before, err := adjustmentsOf(ctx, tx, id)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, `DELETE FROM spread_adjustments WHERE workspace_id = $1 AND spread_id = $2`, tx.ws,
		id); err != nil {
		return err
	}
	for i, a := range list {
		a.CreatedAt = tx.now
		for _, b := range before {
			if a.Same(b) {
				a.CreatedAt = b.CreatedAt
			}
		}
		var value *string
		if a.Value != nil {
			text := a.Value.String()
			value = &text
		}
		_, err := tx.Exec(ctx, `INSERT INTO spread_adjustments (workspace_id, id, spread_id, position, statement,
			row_key, period_id, value, move_to, reason, actor, created_at)
			VALUES (@workspace, @id, @spreadId, @position, @statement, @rowKey, @periodId, @value::numeric, @moveTo,
				@reason, @actor, @createdAt)`,
			pgx.NamedArgs{"workspace": tx.ws, "id": NewID(), "spreadId": id, "position": i, "statement": a.Statement,
				"rowKey": a.Row, "periodId": a.PeriodID, "value": value, "moveTo": a.MoveTo, "reason": a.Reason,
				"actor": a.Actor, "createdAt": a.CreatedAt})
		if err != nil {
			return err
		}
	}
	return nil
}

// Adjustments lists an analyst's corrections of a spread, in the order they were given. Error: NotFound.
func (db *DB) Adjustments(ctx context.Context, ws dossier.WorkspaceID,
	id dossier.SpreadID) ([]dossier.SpreadAdjustment, error) {
	return snapshot(ctx, db, ws, "adjustments", func(tx *tx) ([]dossier.SpreadAdjustment, error) {
		if _, err := readSpread(ctx, tx, id, ""); err != nil {
			return nil, err
		}
		return adjustmentsOf(ctx, tx, id)
	})
}

func adjustmentsOf(ctx context.Context, tx *tx, id dossier.SpreadID) ([]dossier.SpreadAdjustment, error) {
	return collect(ctx, tx, func(row pgx.CollectableRow) (a dossier.SpreadAdjustment, err error) {
		var value *string
		if err := row.Scan(&a.Statement, &a.Row, &a.PeriodID, &value, &a.MoveTo, &a.Reason, &a.Actor,
			&a.CreatedAt); err != nil || value == nil {
			return a, err
		}
		a.Value = new(dossier.Figure)
		return a, a.Value.UnmarshalJSON([]byte(*value))
	}, `SELECT statement, row_key, period_id, value::text, move_to, reason, actor, created_at FROM spread_adjustments
		WHERE workspace_id = $1 AND spread_id = $2 ORDER BY position`, tx.ws, id)
}

// SaveCaptions puts the caption mappings of a spread's lead in the place of those it had and starts the spread's next
// round, in one commit. Errors: NotFound; Conflict, while the spread is in progress.
func (db *DB) SaveCaptions(ctx context.Context, ws dossier.WorkspaceID, id dossier.SpreadID,
	list []dossier.CaptionMapping) (dossier.Spread, error) {
	return transact(ctx, db, ws, "save caption mappings", func(tx *tx) (dossier.Spread, error) {
		s, err := lockSpread(ctx, tx, id)
		if err != nil {
			return s, err
		}
		if err := regenerate(ctx, tx, &s); err != nil {
			return s, err
		}
		if _, err := tx.Exec(ctx, `DELETE FROM caption_mappings WHERE workspace_id = $1 AND lead_id = $2`, tx.ws,
			s.LeadID); err != nil {
			return s, err
		}
		for _, m := range list {
			_, err := tx.Exec(ctx, `INSERT INTO caption_mappings (workspace_id, lead_id, statement, folded, caption,
				row_key, actor, created_at)
				VALUES (@workspace, @leadId, @statement, @folded, @caption, @rowKey, @actor, @now)`,
				pgx.NamedArgs{"workspace": tx.ws, "leadId": s.LeadID, "statement": m.Statement,
					"folded": dossier.FoldCaption(m.Caption), "caption": m.Caption, "rowKey": m.Row,
					"actor": m.Actor, "now": tx.now})
			if err != nil {
				return s, err
			}
		}
		return s, nil
	})
}

// Captions lists the caption mappings of a spread's lead. Error: NotFound.
func (db *DB) Captions(ctx context.Context, ws dossier.WorkspaceID,
	id dossier.SpreadID) ([]dossier.CaptionMapping, error) {
	return snapshot(ctx, db, ws, "caption mappings", func(tx *tx) ([]dossier.CaptionMapping, error) {
		s, err := readSpread(ctx, tx, id, "")
		if err != nil {
			return nil, err
		}
		return captionsOf(ctx, tx, s.LeadID)
	})
}

func captionsOf(ctx context.Context, tx *tx, lead dossier.LeadID) ([]dossier.CaptionMapping, error) {
	return collect(ctx, tx, pgx.RowToStructByPos[dossier.CaptionMapping], `SELECT statement, caption, row_key, actor
		FROM caption_mappings
		WHERE workspace_id = $1 AND lead_id = $2 ORDER BY statement, folded`, tx.ws, lead)
}

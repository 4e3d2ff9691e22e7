package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// writtenActivity is an activity that is written together with others.
type writtenActivity struct {
	ws      dossier.WorkspaceID
	N       int                 `json:"n"` // place among them
	ID      dossier.ActionLogID `json:"id"`
	Lead    dossier.LeadID      `json:"lead_id"`
	Summary string              `json:"summary"`
	Input   json.RawMessage     `json:"input"`
	Actor   *string             `json:"actor"`
	At      time.Time           `json:"at"`
}

func (a writtenActivity) owner() dossier.WorkspaceID { return a.ws }

// writeActivities writes entries onto timelines. One is not written when its lead is not there, or when another
// transaction holds the lead: nobody waits for it here.
func (db *DB) writeActivities(ctx context.Context, list []writtenActivity) ([]bool, error) {
	return groupCommit(ctx, db, "create activity", list, func(a writtenActivity) string { return string(a.ID) },
		queueActivities)
}

func queueActivities(batch *pgx.Batch, ws dossier.WorkspaceID, list []writtenActivity) {
	for i := range list {
		list[i].N = i
	}
	batch.Queue(`
		WITH a AS MATERIALIZED (
			SELECT n, id, lead_id, summary, input, actor, at FROM jsonb_to_recordset(@rows)
			AS a (n int, id uuid, lead_id uuid, summary text, input jsonb, actor text, at timestamptz)),
		held AS MATERIALIZED (
			SELECT l.id FROM leads l WHERE l.workspace_id = @workspace AND l.id = ANY (ARRAY(SELECT lead_id FROM a))
				AND l.deleted_at IS NULL FOR NO KEY UPDATE SKIP LOCKED),
		last AS (
			UPDATE leads l SET activity_summary = (SELECT a.summary FROM a WHERE a.lead_id = l.id
				ORDER BY a.n DESC LIMIT 1)
			WHERE l.workspace_id = @workspace AND l.id = ANY (ARRAY(SELECT id FROM held)))
		INSERT INTO action_logs (workspace_id, id, lead_id, type, status, summary, input, actor, created_at,
			completed_at)
		SELECT @workspace, a.id, a.lead_id, @type, @status, a.summary, a.input, a.actor, a.at, a.at FROM a
			JOIN held ON held.id = a.lead_id
		RETURNING id`,
		pgx.NamedArgs{"workspace": ws, "rows": list, "type": dossier.ActionAPIActivity,
			"status": dossier.ActionCompleted})
}

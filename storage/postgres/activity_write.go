package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// writtenActivity is an activity that is written together with others.
type writtenActivity struct {
	ws      dossier.WorkspaceID
	id      dossier.ActionLogID
	lead    dossier.LeadID
	summary string
	input   string // JSON
	actor   *string
	at      time.Time
}

func (a writtenActivity) owner() dossier.WorkspaceID { return a.ws }

// writeActivities writes entries onto timelines. One is not written when its lead is not there, or when another
// transaction holds the lead: nobody waits for it here.
func (db *DB) writeActivities(ctx context.Context, list []writtenActivity) ([]bool, error) {
	return groupCommit(ctx, db, "create activity", list, func(a writtenActivity) string { return string(a.id) },
		queueActivities)
}

func queueActivities(batch *pgx.Batch, ws dossier.WorkspaceID, list []writtenActivity) {
	n := len(list)
	ids, leads, at := make([]dossier.ActionLogID, n), make([]dossier.LeadID, n), make([]time.Time, n)
	summaries, inputs, actors := make([]string, n), make([]string, n), make([]*string, n)
	for i, a := range list {
		ids[i], leads[i], at[i], summaries[i], inputs[i], actors[i] = a.id, a.lead, a.at, a.summary, a.input, a.actor
	}
	batch.Queue(`
		WITH a AS MATERIALIZED (
			SELECT * FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::jsonb[], $7::text[])
			WITH ORDINALITY AS a (id, lead_id, at, summary, input, actor, n)),
		held AS MATERIALIZED (
			SELECT l.id FROM leads l WHERE l.workspace_id = $1 AND l.id = ANY ($3::uuid[])
				AND l.deleted_at IS NULL FOR NO KEY UPDATE SKIP LOCKED),
		last AS (
			UPDATE leads l SET activity_summary = (SELECT a.summary FROM a WHERE a.lead_id = l.id
				ORDER BY a.n DESC LIMIT 1)
			WHERE l.workspace_id = $1 AND l.id = ANY (ARRAY(SELECT id FROM held)))
		INSERT INTO action_logs (workspace_id, id, lead_id, type, status, summary, input, actor, created_at,
			completed_at)
		SELECT $1, a.id, a.lead_id, $8, $9, a.summary, a.input, a.actor, a.at, a.at FROM a
			JOIN held ON held.id = a.lead_id
		RETURNING id`,
		ws, ids, leads, at, summaries, inputs, actors, dossier.ActionAPIActivity, dossier.ActionCompleted)
}

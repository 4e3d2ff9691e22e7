package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// ConsoleStamp is a text that changes when something of a lead does that the console shows: an answer, a document, a
// verdict, a review, a spread, a message or a run. That somebody holds a review is no change. Error: NotFound (lead).
func (db *DB) ConsoleStamp(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID) (string, error) {
	return readOne(ctx, db, ws, "read the console's stamp", "lead", pgx.RowTo[string], `SELECT md5(concat_ws('.',
		l.xmin::text,
		(SELECT sum(xmin::text::bigint) FROM checklist_entries WHERE workspace_id = $1 AND lead_id = $2),
		(SELECT sum(xmin::text::bigint) FROM documents WHERE workspace_id = $1 AND lead_id = $2 AND deleted_at IS NULL),
		(SELECT sum(xmin::text::bigint) FROM document_associations WHERE workspace_id = $1 AND lead_id = $2),
		(SELECT sum(xmin::text::bigint) FROM spreads WHERE workspace_id = $1 AND lead_id = $2),
		(SELECT sum(xmin::text::bigint) FROM messages WHERE workspace_id = $1 AND lead_id = $2),
		(SELECT sum(xmin::text::bigint) FROM workflow_runs WHERE workspace_id = $1 AND lead_id = $2),
		(SELECT concat(count(*), ',', sum(version)) FROM reviews WHERE workspace_id = $1 AND lead_id = $2)))
		FROM leads l WHERE l.workspace_id = $1 AND l.id = $2 AND l.deleted_at IS NULL`, ws, lead)
}

// PeekSession is ReadSession without noting a use: what a page does by itself keeps no session open. Errors:
// Unauthorized, NotFound (no role).
func (db *DB) PeekSession(ctx context.Context, secret string) (SignedIn, error) {
	return db.readSession(ctx, secret, "", false)
}

package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// AuditEntry is one administrative act: who did what to what.
type AuditEntry struct {
	ID        string
	Actor     string // key:<id>, operator, or a person's address
	Action    string // noun.verb
	Subject   string // noun:id
	Detail    map[string]any
	RequestID *string
	CreatedAt time.Time
}

// audit records an act in the commit that does it.
func audit(ctx context.Context, tx *tx, actor, action, subject string, detail map[string]any) error {
	if detail == nil {
		detail = map[string]any{}
	}
	_, err := tx.Exec(ctx, `INSERT INTO audit_entries (workspace_id, id, actor, action, subject, detail, request_id, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, tx.ws, NewID(), actor, action, subject, detail, nullable(RequestID(ctx)), tx.now)
	return err
}

// AuditEntries lists a workspace's administrative acts, newest first.
func (db *DB) AuditEntries(ctx context.Context, ws dossier.WorkspaceID, page dossier.Page) ([]AuditEntry, error) {
	at, id := after(page)
	return readAll(ctx, db, ws, "list audit entries", pgx.RowToStructByName[AuditEntry], `
		SELECT id, actor, action, subject, detail, request_id, created_at FROM audit_entries
		WHERE workspace_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3::uuid))
		ORDER BY created_at DESC, id DESC LIMIT $4`, ws, at, id, page.Limit+1)
}

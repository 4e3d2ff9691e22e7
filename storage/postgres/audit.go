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
	Actor     string // key:<id>, operator, a person's address, or system
	Action    dossier.AuditAction
	Subject   string // noun:id
	Detail    map[string]any
	RequestID *string
	CreatedAt time.Time
}

type actorKey struct{}

// WithActor marks everything done under ctx as the actor's: key:<id>, operator, or a person's address.
func WithActor(ctx context.Context, actor string) context.Context {
	return context.WithValue(ctx, actorKey{}, actor)
}

// actorOf is who acts under ctx; the service itself when nobody was named.
func actorOf(ctx context.Context) string {
	if actor, ok := ctx.Value(actorKey{}).(string); ok {
		return actor
	}
	return "system"
}

// insertAudit is an entry of a statement's workspace, subject, detail and time; request ids are empty for none.
const insertAudit = `INSERT INTO audit_entries (workspace_id, id, actor, action, subject, detail, request_id, created_at) `

// audit records an act in the commit that does it.
func audit(ctx context.Context, tx *tx, action dossier.AuditAction, subject string, detail map[string]any) {
	if detail == nil {
		detail = map[string]any{}
	}
	tx.later(insertAudit+`VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
		tx.ws, NewID(), actorOf(ctx), action, subject, detail, nullable(RequestID(ctx)), tx.now)
}

// AuditEntries lists a workspace's administrative acts, newest first; those of a deleted workspace too.
func (db *DB) AuditEntries(ctx context.Context, ws dossier.WorkspaceID, page dossier.Page) ([]AuditEntry, error) {
	at, id := after(page)
	return readAll(ctx, db, ws, "list audit entries", pgx.RowToStructByName[AuditEntry], `
		SELECT id, actor, action, subject, detail, request_id, created_at FROM audit_entries
		WHERE workspace_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3::uuid))
		ORDER BY created_at DESC, id DESC LIMIT $4`, ws, at, id, page.Limit+1)
}

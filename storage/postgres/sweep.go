package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// PruneIdempotencyKeys deletes up to limit keys that have expired.
func (db *DB) PruneIdempotencyKeys(ctx context.Context, limit int) (int, error) {
	tag, err := db.system.Exec(ctx, `
		DELETE FROM idempotency_keys WHERE ctid = ANY (ARRAY(
			SELECT ctid FROM idempotency_keys WHERE expires_at < $2 ORDER BY expires_at LIMIT $1))`, limit, db.now())
	return int(tag.RowsAffected()), translate("prune idempotency keys", err)
}

// ForgetUploads deletes up to limit files that were announced, and not touched since a time, and never arrived: nobody
// waits for them any more, they are in no list, and what is stored of them becomes unnamed.
func (db *DB) ForgetUploads(ctx context.Context, before time.Time, limit int) (int, error) {
	tag, err := db.system.Exec(ctx, `
		DELETE FROM documents WHERE (workspace_id, id) IN (
			SELECT workspace_id, id FROM documents WHERE sha256 IS NULL AND updated_at < $2
				ORDER BY updated_at LIMIT $1)
		AND sha256 IS NULL`, limit, before)
	return int(tag.RowsAffected()), translate("forget uploads", err)
}

// UnnamedObjects returns those of the keys that no row of any workspace names.
func (db *DB) UnnamedObjects(ctx context.Context, keys []string) ([]string, error) {
	rows, err := db.system.Query(ctx, `
		SELECT key FROM unnest($1::text[]) AS key
		EXCEPT SELECT object_key FROM documents WHERE object_key = ANY ($1)
		EXCEPT SELECT tokens_key FROM documents WHERE tokens_key = ANY ($1)
		EXCEPT SELECT thumbnail_key FROM documents WHERE thumbnail_key = ANY ($1)
		EXCEPT SELECT object_key FROM page_pictures WHERE object_key = ANY ($1)
		EXCEPT SELECT object_key FROM artifacts WHERE object_key = ANY ($1)
		EXCEPT SELECT object_key FROM exports WHERE object_key = ANY ($1)
		EXCEPT SELECT file_key FROM imports WHERE file_key = ANY ($1)
		EXCEPT SELECT archive_key FROM imports WHERE archive_key = ANY ($1)
		EXCEPT SELECT report_key FROM imports WHERE report_key = ANY ($1)`, keys)
	if err != nil {
		return nil, translate("unnamed objects", err)
	}
	unnamed, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return unnamed, translate("unnamed objects", err)
}

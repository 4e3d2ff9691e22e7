package postgres

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

const keyColumns = `id, name, prefix, scopes, is_test, expires_at, last_used_at, created_at, revoked_at`

// NewKey is what a key is made of.
type NewKey struct {
	Name      string
	Scopes    []dossier.Scope // none: the default ones
	IsTest    bool
	ExpiresAt *time.Time
}

// Authenticate finds the key with this prefix and hash in any workspace, and notes its use, at most once a minute.
// Revoked and expired keys are found too; Key.Usable judges. Error: NotFound.
func (db *DB) Authenticate(ctx context.Context, prefix string,
	hash [32]byte) (dossier.WorkspaceID, dossier.Key, error) {
	type row struct {
		dossier.Key
		WorkspaceID dossier.WorkspaceID
		SecretHash  []byte
	}
	found, err := retry(ctx, "authenticate", func() (row, error) {
		rows, err := db.system.Query(ctx, `
			SELECT k.workspace_id, k.secret_hash, k.id, k.name, k.prefix, k.scopes, k.is_test, k.expires_at,
				k.last_used_at, k.created_at, k.revoked_at
			FROM api_keys k JOIN workspaces w ON w.id = k.workspace_id AND w.deleted_at IS NULL
			WHERE k.prefix = $1`, prefix)
		if err != nil {
			return row{}, err
		}
		one, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[row])
		return one, orMissing(err, "api key")
	})
	if err != nil {
		return "", dossier.Key{}, err
	}
	if subtle.ConstantTimeCompare(found.SecretHash, hash[:]) != 1 {
		return "", dossier.Key{}, missing("api key")
	}
	if now := db.now(); found.Usable(now) && (found.LastUsedAt == nil || now.Sub(*found.LastUsedAt) >= time.Minute) {
		_, err := db.system.Exec(ctx, `UPDATE api_keys SET last_used_at = $3 WHERE workspace_id = $1 AND id = $2`,
			found.WorkspaceID, found.ID, now)
		if err != nil {
			db.log.Debug("last use of a key not noted", "error", err)
		}
	}
	return found.WorkspaceID, found.Key, nil
}

// CreateKey makes a key and its audit entry. The text of the key is returned this once and kept nowhere.
// Error: Conflict (limit_reached).
func (db *DB) CreateKey(ctx context.Context, ws dossier.WorkspaceID, spec NewKey) (dossier.Key, string, error) {
	type made struct {
		Key  dossier.Key
		Text string
	}
	out, err := transact(ctx, db, ws, "create key", func(tx *tx) (made, error) {
		if err := limitKeys(ctx, tx); err != nil {
			return made{}, err
		}
		var public [8]byte
		var secret [32]byte
		_, _ = rand.Read(public[:]) // never fails (crypto/rand)
		_, _ = rand.Read(secret[:])
		text, prefix := dossier.FormatKey(spec.IsTest, public, secret)
		scopes := spec.Scopes
		if len(scopes) == 0 {
			scopes = dossier.DefaultScopes()
		}
		key := dossier.Key{ID: newID[dossier.KeyID](), Name: spec.Name, Prefix: prefix, Scopes: scopes,
			IsTest: spec.IsTest, ExpiresAt: spec.ExpiresAt, CreatedAt: tx.now}
		hash := dossier.HashKey(text)
		_, err := tx.Exec(ctx, `INSERT INTO api_keys (workspace_id, id, name, prefix, secret_hash, scopes, is_test,
			expires_at, created_at)
			VALUES (@workspace, @id, @name, @prefix, @secretHash, @scopes, @isTest, @expiresAt, @createdAt)`,
			pgx.NamedArgs{"workspace": ws, "id": key.ID, "name": key.Name, "prefix": key.Prefix,
				"secretHash": hash[:], "scopes": key.Scopes, "isTest": key.IsTest, "expiresAt": key.ExpiresAt,
				"createdAt": key.CreatedAt})
		if err != nil {
			return made{}, err
		}
		detail := map[string]any{"name": key.Name, "scopes": key.Scopes, "isTest": key.IsTest}
		audit(ctx, tx, dossier.AuditKeyCreate, "api_key:"+string(key.ID), detail)
		return made{key, text}, nil
	})
	return out.Key, out.Text, err
}

// Keys lists the workspace's keys, revoked ones too, newest first.
func (db *DB) Keys(ctx context.Context, ws dossier.WorkspaceID, page dossier.Page) ([]dossier.Key, error) {
	at, id := pageArgs(page)
	return readAll(ctx, db, ws, "list keys", pgx.RowToStructByName[dossier.Key], `
		SELECT `+keyColumns+` FROM api_keys
		WHERE workspace_id = $1 AND ($2::timestamptz IS NULL OR (created_at, id) < ($2, $3::uuid))
		ORDER BY created_at DESC, id DESC LIMIT $4`, ws, at, id, page.Limit+1)
}

// RevokeKey ends a key for good, with an audit entry. Revoking a revoked key changes nothing. Error: NotFound.
func (db *DB) RevokeKey(ctx context.Context, ws dossier.WorkspaceID, id dossier.KeyID) error {
	_, err := transact(ctx, db, ws, "revoke key", func(tx *tx) (none, error) {
		var already bool
		err := tx.QueryRow(ctx, `SELECT revoked_at IS NOT NULL FROM api_keys
			WHERE workspace_id = $1 AND id = $2 FOR UPDATE`, ws, id).Scan(&already)
		if err != nil || already {
			return none{}, orMissing(err, "api key")
		}
		if _, err := tx.Exec(ctx, `UPDATE api_keys SET revoked_at = $3 WHERE workspace_id = $1 AND id = $2`, ws, id,
			tx.now); err != nil {
			return none{}, err
		}
		audit(ctx, tx, dossier.AuditKeyRevoke, "api_key:"+string(id), nil)
		return none{}, nil
	})
	return err
}

// pageArgs gives a page's place as arguments of a statement: NULLs for the first page.
func pageArgs(page dossier.Page) (*time.Time, *string) {
	if page.After == nil {
		return nil, nil
	}
	return &page.After.At, &page.After.ID
}

// FindKey finds a key of any workspace by its id or prefix, and the workspace: for operators. Error: NotFound.
func (db *DB) FindKey(ctx context.Context, idOrPrefix string) (dossier.WorkspaceID, dossier.Key, error) {
	type row struct {
		dossier.Key
		WorkspaceID dossier.WorkspaceID
	}
	found, err := systemTx(ctx, db, "find key", func(tx *tx) (row, error) {
		rows, err := tx.Query(ctx, `SELECT workspace_id, `+keyColumns+` FROM api_keys
			WHERE id::text = $1 OR prefix = $1`, idOrPrefix)
		if err != nil {
			return row{}, err
		}
		one, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[row])
		return one, orMissing(err, "api key")
	})
	return found.WorkspaceID, found.Key, err
}

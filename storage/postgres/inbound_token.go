package postgres

import (
	"context"
	"crypto/sha256"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// inboundOverlap is how long a token works after it was replaced.
const inboundOverlap = 24 * time.Hour

func inboundPlace(ws dossier.WorkspaceID, row string) place {
	return place{column: "inbound_tokens.token_sealed", ws: ws, row: row}
}

// WorkspaceByInboundToken finds the workspace whose providers hand messages of a channel over with this token. Error:
// NotFound, also for one that was replaced a day ago.
func (db *DB) WorkspaceByInboundToken(ctx context.Context, channel dossier.Channel, token string) (dossier.Workspace,
	error) {
	hash := sha256.Sum256([]byte(token))
	return systemTx(ctx, db, "workspace by inbound token", func(tx *tx) (dossier.Workspace, error) {
		return oneOf(ctx, tx, "workspace", scanWorkspace, `SELECT `+workspaceColumns+` FROM workspaces
			WHERE deleted_at IS NULL AND (inbound_token = $1
			OR id = (SELECT t.workspace_id FROM inbound_tokens t WHERE t.token_hash = $2 AND t.channel = $3
			AND (t.ends_at IS NULL OR t.ends_at > $4)))`,
			token, hash[:], channel, tx.now)
	})
}

// InboundTokens are the tokens by which providers hand messages over, by channel. Error: NotFound.
func (db *DB) InboundTokens(ctx context.Context, ws dossier.WorkspaceID) (map[dossier.Channel]string, error) {
	return transact(ctx, db, ws, "inbound tokens", func(tx *tx) (map[dossier.Channel]string, error) {
		tokens := map[dossier.Channel]string{}
		for _, channel := range dossier.Channels {
			token, err := inboundToken(ctx, tx, channel)
			if err != nil {
				return nil, err
			}
			tokens[channel] = token
		}
		return tokens, nil
	})
}

// inboundToken is the current token of a channel.
func inboundToken(ctx context.Context, tx *tx, channel dossier.Channel) (string, error) {
	var plain *string
	var id string
	var sealed []byte
	err := tx.QueryRow(ctx, `SELECT w.inbound_token, coalesce(t.id::text, ''), t.token_sealed FROM workspaces w
		LEFT JOIN inbound_tokens t ON t.workspace_id = w.id AND t.channel = $2 AND t.ends_at IS NULL
		WHERE w.id = $1`, tx.ws, channel).Scan(&plain, &id, &sealed)
	if err != nil {
		return "", orMissing(err, "workspace")
	}
	if sealed == nil {
		return dossier.Text(plain), nil
	}
	token, err := tx.cipher.OpenAt(inboundPlace(tx.ws, id), sealed)
	return string(token), err
}

// SealInboundTokens puts the tokens of before, which stand in the clear, in their place.
func (db *DB) SealInboundTokens(ctx context.Context) error {
	clear, err := systemTx(ctx, db, "inbound tokens in the clear", func(tx *tx) ([]dossier.WorkspaceID, error) {
		return collect(ctx, tx, pgx.RowTo[dossier.WorkspaceID], `SELECT id FROM workspaces
				WHERE inbound_token IS NOT NULL AND deleted_at IS NULL`)
	})
	if err != nil {
		return err
	}
	for _, ws := range clear {
		if _, err := transact(ctx, db, ws, "seal inbound token",
			func(tx *tx) (none, error) { return none{}, sealInbound(ctx, tx) }); err != nil {
			return err
		}
	}
	return nil
}

// sealInbound stores a workspace's plaintext token, of an earlier release, as the encrypted token of each channel.
func sealInbound(ctx context.Context, tx *tx) error {
	var plain *string
	if err := tx.QueryRow(ctx, `SELECT inbound_token FROM workspaces WHERE id = $1 FOR UPDATE`,
		tx.ws).Scan(&plain); err != nil || plain == nil {
		return orMissing(err, "workspace")
	}
	for _, channel := range dossier.Channels {
		if err := insertInbound(tx, channel, *plain); err != nil {
			return err
		}
	}
	tx.deferExec(`UPDATE workspaces SET inbound_token = NULL WHERE id = $1`, tx.ws)
	return nil
}

// createInboundTokens gives each channel of a new workspace its token. Without an encryption key the workspace keeps
// its one plaintext token until a key is configured.
func createInboundTokens(tx *tx) {
	for _, channel := range dossier.Channels {
		token, err := randomToken()
		if err != nil || insertInbound(tx, channel, token) != nil {
			return
		}
	}
	tx.deferExec(`UPDATE workspaces SET inbound_token = NULL WHERE id = $1`, tx.ws)
}

func insertInbound(tx *tx, channel dossier.Channel, token string) error {
	id := NewID()
	sealed, err := tx.cipher.SealAt(inboundPlace(tx.ws, id), []byte(token))
	if err != nil {
		return err
	}
	hash := sha256.Sum256([]byte(token))
	tx.deferExec(
		`INSERT INTO inbound_tokens (workspace_id, id, channel, token_hash, token_sealed, created_at) VALUES ($1,
			$2, $3, $4, $5, $6)`,
		tx.ws, id, channel, hash[:], sealed, tx.now)
	return nil
}

// RotatedInbound is a new token of a channel, and until when the one before still works.
type RotatedInbound struct {
	Token         string
	PreviousUntil time.Time
}

// RotateInbound gives a channel a new token. Those before work for a day. Error: NotFound.
func (db *DB) RotateInbound(ctx context.Context, ws dossier.WorkspaceID, channel dossier.Channel) (RotatedInbound,
	error) {
	return transact(ctx, db, ws, "rotate inbound token", func(tx *tx) (RotatedInbound, error) {
		r := RotatedInbound{PreviousUntil: tx.now.Add(inboundOverlap)}
		if err := sealInbound(ctx, tx); err != nil {
			return r, err
		}
		tx.deferExec(`DELETE FROM inbound_tokens WHERE workspace_id = $1 AND ends_at < $2`, tx.ws, tx.now)
		tx.deferExec(
			`UPDATE inbound_tokens SET ends_at = $3 WHERE workspace_id = $1 AND channel = $2 AND ends_at IS NULL`,
			tx.ws, channel, r.PreviousUntil)
		var err error
		if r.Token, err = randomToken(); err != nil {
			return r, err
		}
		audit(ctx, tx, dossier.AuditWorkspaceRotate, "workspace:"+string(tx.ws), map[string]any{"channel": channel})
		return r, insertInbound(tx, channel, r.Token)
	})
}

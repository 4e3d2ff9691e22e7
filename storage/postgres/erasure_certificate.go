package postgres

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// certify signs what an erasure took with the workspace's key, which is made with its first one.
func certify(ctx context.Context, tx *tx, e dossier.Erasure, gone []string) ([]byte, ed25519.PublicKey, error) {
	slices.Sort(gone)
	ids := sha256.Sum256([]byte(strings.Join(gone, "\n")))
	return certifySum(ctx, tx, e, hex.EncodeToString(ids[:]))
}

// certifySum is certify for a caller that has the sum over the sorted ids of what went.
func certifySum(ctx context.Context, tx *tx, e dossier.Erasure, sum string) ([]byte, ed25519.PublicKey, error) {
	key, err := erasureKey(ctx, tx)
	if err != nil {
		return nil, nil, err
	}
	public, _ := key.Public().(ed25519.PublicKey)
	name := sha256.Sum256(public)
	c := record.Certificate{ErasureID: e.ID, Subject: e.Subject, Counts: record.ErasureCounts(e.Counts),
		StartedAt:   record.Time(*e.StartedAt),
		CompletedAt: record.Time(*e.CompletedAt), SHA256: sum, KeyID: hex.EncodeToString(name[:8])}
	text, err := record.Canonical(c)
	if err != nil {
		return nil, nil, err
	}
	c.Signature = base64.StdEncoding.EncodeToString(ed25519.Sign(key, text))
	signed, err := json.Marshal(c)
	return signed, public, err
}

// erasureKeyPlace is where the seed of a workspace's key is kept.
func erasureKeyPlace(ws dossier.WorkspaceID) place {
	return place{"workspaces.erasure_key", ws, string(ws), "workspace.erasure_key:" + string(ws)}
}

// erasureKey is the key that signs the workspace's certificates.
func erasureKey(ctx context.Context, tx *tx) (ed25519.PrivateKey, error) {
	at := erasureKeyPlace(tx.ws)
	var sealed []byte
	if err := tx.QueryRow(ctx, `SELECT erasure_key FROM workspaces WHERE id = $1 FOR UPDATE`,
		tx.ws).Scan(&sealed); err != nil {
		return nil, orMissing(err, "workspace")
	}
	if sealed != nil {
		seed, err := tx.cipher.OpenAt(at, sealed)
		if err != nil {
			return nil, err
		}
		return ed25519.NewKeyFromSeed(seed), nil
	}
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		return nil, err
	}
	if sealed, err = tx.cipher.SealAt(at, key.Seed()); err != nil {
		return nil, err
	}
	_, err = tx.Exec(ctx, `UPDATE workspaces SET erasure_key = $2 WHERE id = $1`, tx.ws, sealed)
	return key, err
}

// ErrCertificate says that a certificate is not what was signed.
var ErrCertificate = errors.New("the certificate is not what was signed")

// VerifyCertificate checks a certificate with the key that is kept beside its erasure. Errors: NotFound,
// ErrCertificate.
func (db *DB) VerifyCertificate(ctx context.Context, ws dossier.WorkspaceID, c record.Certificate) error {
	public, err := readOne(ctx, db, ws, "read erasure", "erasure", pgx.RowTo[[]byte],
		`SELECT public_key FROM erasures WHERE workspace_id = $1 AND id = $2 AND public_key IS NOT NULL`, ws,
		c.ErasureID)
	if err != nil {
		return err
	}
	signature, err := base64.StdEncoding.DecodeString(c.Signature)
	if err != nil {
		return ErrCertificate
	}
	c.Signature = ""
	text, err := record.Canonical(c)
	if err != nil || !ed25519.Verify(public, text, signature) {
		return ErrCertificate
	}
	return nil
}

package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// How a request with an Idempotency-Key lands once, whatever dies when:
//
//  1. ClaimIdempotency inserts the key's row (ON CONFLICT decides between two callers) with an owner and a lease.
//  2. The context carries the claim. Each transaction of the handler writes its own result into the row, in its
//     commit, if the row still has that owner; if not, the whole transaction is undone. So an effect exists if and
//     only if its result is in the row.
//  3. SettleIdempotency stores the finished answer, which repeats get word for word.
//
// If the process dies between 2 and 3, the next call takes the row over and runs the handler again, but transactions
// whose result is in the row return it without running. The handler then reads back and shapes its answer as the
// first would have. If it dies before 2, the lease runs out and the next call does the work. A slow first call that
// was taken over finds another owner at its commit and changes nothing.

// IdempotencyKey says which request a key stands for, within a workspace.
type IdempotencyKey struct {
	Method, Path, Key string
}

// StoredAnswer is the answer the first call got.
type StoredAnswer struct {
	Status  int
	Headers map[string]string
	Body    []byte
}

// IdempotencyClaim is the right to run the one request of a key.
type IdempotencyClaim struct {
	// BodyHash is empty while an upload is arriving; it must be set before the first transaction.
	BodyHash []byte

	ws      dossier.WorkspaceID
	key     IdempotencyKey
	owner   string
	stored  []byte // the hash in the row; of the first call, when this one took over
	effects map[string]json.RawMessage
	calls   map[string]int
}

// idempotencyLife is how long a key is remembered (decisions.md section 1).
const idempotencyLife = 24 * time.Hour

// ClaimIdempotency takes a key for one run of the request, for at most lease. It returns either a claim or the
// answer of an earlier call. bodyHash is empty when the body has not been read yet. Errors: Conflict
// idempotency_in_progress, Unprocessable idempotency_key_reused.
func (db *DB) ClaimIdempotency(ctx context.Context, ws dossier.WorkspaceID, key IdempotencyKey, bodyHash []byte,
	lease time.Duration) (*IdempotencyClaim, *StoredAnswer, error) {
	if bodyHash == nil {
		bodyHash = []byte{}
	}
	claim := &IdempotencyClaim{BodyHash: bodyHash, ws: ws, key: key, owner: NewID(), calls: map[string]int{}}
	type row struct{ BodyHash, Effects []byte }
	now := db.now()
	taken, err := readAll(ctx, db, ws, "claim idempotency key", pgx.RowToStructByName[row], `
		INSERT INTO idempotency_keys AS k (workspace_id, method, path, key, body_hash, owner, locked_until,
			expires_at)
		VALUES (@workspace, @method, @path, @key, @bodyHash, @owner, @lockedUntil, @expiresAt)
		ON CONFLICT (workspace_id, method, path, key) DO UPDATE SET
			owner = excluded.owner, locked_until = excluded.locked_until, status = NULL, headers = NULL, body = NULL,
			body_hash = CASE WHEN k.expires_at <= @now OR k.body_hash = '' THEN excluded.body_hash ELSE k.body_hash END,
			effects = CASE WHEN k.expires_at > @now THEN k.effects END,
			expires_at = CASE WHEN k.expires_at > @now THEN k.expires_at ELSE excluded.expires_at END
		WHERE k.expires_at <= @now
			OR (k.status IS NULL AND k.locked_until <= @now AND (k.body_hash = excluded.body_hash OR k.body_hash = ''
				OR excluded.body_hash = ''))
		RETURNING body_hash, effects`,
		pgx.NamedArgs{"workspace": ws, "method": key.Method, "path": key.Path, "key": key.Key, "bodyHash": bodyHash,
			"owner": claim.owner, "lockedUntil": now.Add(lease), "expiresAt": now.Add(idempotencyLife), "now": now})
	if err != nil {
		return nil, nil, err
	}
	if len(taken) == 0 {
		answer, err := db.storedAnswer(ctx, ws, key, bodyHash)
		return nil, answer, err
	}
	claim.stored = taken[0].BodyHash
	claim.effects, err = db.openEffects(key.place("effects", ws), taken[0].Effects)
	return claim, nil, err
}

// place is where something of a key's answer is kept.
func (k IdempotencyKey) place(column string, ws dossier.WorkspaceID) place {
	return place{"idempotency_keys." + column, ws, k.Method + " " + k.Path + " " + k.Key, "idempotency." + column}
}

// storedAnswer reads a row that could not be claimed.
func (db *DB) storedAnswer(ctx context.Context, ws dossier.WorkspaceID, key IdempotencyKey,
	bodyHash []byte) (*StoredAnswer, error) {
	type row struct {
		BodyHash []byte
		Status   *int
		Headers  map[string]string
		Body     []byte
	}
	rows, err := readAll(ctx, db, ws, "read idempotency key", pgx.RowToStructByName[row], `
		SELECT body_hash, status, coalesce(headers, '{}') AS headers, body FROM idempotency_keys
		WHERE workspace_id = $1 AND method = $2 AND path = $3 AND key = $4`, ws, key.Method, key.Path, key.Key)
	if err != nil {
		return nil, err
	}
	if len(rows) == 0 { // given back between the two statements
		return nil, inProgress()
	}
	if len(bodyHash) > 0 && len(rows[0].BodyHash) > 0 && string(bodyHash) != string(rows[0].BodyHash) {
		return nil, keyReused()
	}
	if rows[0].Status == nil {
		return nil, inProgress()
	}
	body, err := db.cipher.OpenAt(key.place("body", ws), rows[0].Body)
	if err != nil {
		return nil, fmt.Errorf("read idempotency key: %w", err)
	}
	return &StoredAnswer{Status: *rows[0].Status, Headers: rows[0].Headers, Body: body}, nil
}

// CheckIdempotentBody compares the body of a repeat, read only after its key was looked up, with the first one's.
// Error: Unprocessable idempotency_key_reused.
func (db *DB) CheckIdempotentBody(ctx context.Context, ws dossier.WorkspaceID, key IdempotencyKey,
	bodyHash []byte) error {
	same, err := readAll(ctx, db, ws, "compare idempotent body", pgx.RowTo[bool], `
		SELECT body_hash = $5 FROM idempotency_keys WHERE workspace_id = $1 AND method = $2 AND path = $3 AND key = $4`,
		ws, key.Method, key.Path, key.Key, bodyHash)
	if err == nil && len(same) == 1 && !same[0] {
		err = keyReused()
	}
	return err
}

func inProgress() error {
	return dossier.Coded(dossier.Conflict, "idempotency_in_progress",
		"A request with this Idempotency-Key is still running; try again shortly")
}

func keyReused() error {
	return dossier.Errorf(dossier.Unprocessable, "This Idempotency-Key was used with another body")
}

type claimKey struct{}

// WithIdempotency makes every transaction under ctx keep its result with the claim.
func WithIdempotency(ctx context.Context, claim *IdempotencyClaim) context.Context {
	return context.WithValue(ctx, claimKey{}, claim)
}

// withIdempotency wraps a transaction of a request with an idempotency key: a result that an earlier call stored is
// returned without running do, a new one is stored in the same commit. A transaction is identified by its operation and
// by how often the request has called it.
func withIdempotency[T any](ctx context.Context, ws dossier.WorkspaceID, op string, do func(tx *tx) (T, error)) func(
	tx *tx) (T, error) {
	claim, ok := ctx.Value(claimKey{}).(*IdempotencyClaim)
	if !ok || claim == nil || claim.ws != ws {
		return do
	}
	claim.calls[op]++
	name := fmt.Sprintf("%s #%d", op, claim.calls[op])
	stored, known := claim.effects[name]
	return func(tx *tx) (T, error) {
		var result T
		if err := claim.compare(); err != nil {
			return result, err
		}
		if known {
			err := json.Unmarshal(stored, &result)
			return result, err
		}
		result, err := do(tx)
		if err != nil {
			return result, err
		}
		return result, claim.keep(ctx, tx, name, result)
	}
}

// compare refuses a repeat whose body differs from the first call's. Error: Unprocessable.
func (claim *IdempotencyClaim) compare() error {
	if len(claim.stored) > 0 && string(claim.stored) != string(claim.BodyHash) {
		return keyReused()
	}
	return nil
}

// answering is how long a call has to write its answer after its commit before another call may take the row over,
// which would then answer as if it had done the work.
const answering = 5 * time.Second

// keep writes a result into the key's row, in the transaction that made it. When the call has had time to answer and
// has not, the row may be taken over: whoever does finds the result.
func (claim *IdempotencyClaim) keep(ctx context.Context, tx *tx, name string, result any) error {
	text, err := json.Marshal(result)
	if err != nil {
		return err
	}
	effects := map[string]json.RawMessage{}
	maps.Copy(effects, claim.effects)
	effects[name] = text
	plain, err := json.Marshal(effects)
	if err != nil {
		return err
	}
	sealed, err := tx.cipher.SealAt(claim.key.place("effects", claim.ws), plain)
	if err != nil {
		return err
	}
	tag, err := tx.Exec(ctx, `
		UPDATE idempotency_keys SET effects = @effects, body_hash = @bodyHash, locked_until = @lockedUntil
		WHERE workspace_id = @workspaceId AND method = @method AND path = @path AND key = @key AND owner = @owner
			AND status IS NULL`,
		pgx.NamedArgs{"workspaceId": claim.ws, "method": claim.key.Method, "path": claim.key.Path,
			"key": claim.key.Key, "owner": claim.owner, "effects": sealed, "bodyHash": claim.BodyHash,
			"lockedUntil": tx.now.Add(answering)})
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return inProgress()
	}
	tx.committed = func() { claim.effects = effects }
	return nil
}

func (db *DB) openEffects(at place, sealed []byte) (map[string]json.RawMessage, error) {
	if len(sealed) == 0 {
		return nil, nil
	}
	plain, err := db.cipher.OpenAt(at, sealed)
	if err != nil {
		return nil, err
	}
	var effects map[string]json.RawMessage
	return effects, json.Unmarshal(plain, &effects)
}

// SettleIdempotency stores the finished answer. Without effect when another call took the key over meanwhile.
func (db *DB) SettleIdempotency(ctx context.Context, claim *IdempotencyClaim, answer StoredAnswer) error {
	body, err := db.cipher.SealAt(claim.key.place("body", claim.ws), answer.Body)
	if err != nil {
		return err
	}
	_, err = readAll(ctx, db, claim.ws, "settle idempotency key", pgx.RowTo[int], `
		UPDATE idempotency_keys SET status = @status, headers = @headers, body = @body, body_hash = @bodyHash,
			effects = NULL
		WHERE workspace_id = @workspaceId AND method = @method AND path = @path AND key = @key AND owner = @owner
		RETURNING 1`,
		pgx.NamedArgs{"workspaceId": claim.ws, "method": claim.key.Method, "path": claim.key.Path,
			"key": claim.key.Key, "owner": claim.owner, "status": answer.Status, "headers": answer.Headers,
			"body": body, "bodyHash": claim.BodyHash})
	return err
}

// ReleaseIdempotency gives a key back after an answer that is not stored (5xx): a repeat runs again. What was
// committed under it stays known.
func (db *DB) ReleaseIdempotency(ctx context.Context, claim *IdempotencyClaim) error {
	_, err := readAll(ctx, db, claim.ws, "release idempotency key", pgx.RowTo[int], `
		WITH gone AS (
			DELETE FROM idempotency_keys
			WHERE workspace_id = $1 AND method = $2 AND path = $3 AND key = $4 AND owner = $5 AND effects IS NULL)
		UPDATE idempotency_keys SET locked_until = $6
		WHERE workspace_id = $1 AND method = $2 AND path = $3 AND key = $4 AND owner = $5 AND effects IS NOT NULL
		RETURNING 1`,
		claim.ws, claim.key.Method, claim.key.Path, claim.key.Key, claim.owner, db.now())
	return err
}

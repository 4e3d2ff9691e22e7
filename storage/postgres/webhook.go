package postgres

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// Each of an endpoint's secrets is bound to the column and row in which it is stored.

func webhookSecretPlace(ws dossier.WorkspaceID, id dossier.WebhookID) place {
	return place{"webhooks.secret", ws, string(id), "webhook.secret"}
}

func webhookOldSecretPlace(ws dossier.WorkspaceID, id dossier.WebhookID) place {
	return place{"webhooks.old_secret", ws, string(id), "webhook.secret"}
}

func webhookHeadersPlace(ws dossier.WorkspaceID, id dossier.WebhookID) place {
	return place{"webhooks.headers", ws, string(id), "webhook.headers"}
}

const webhookColumns = `workspace_id, id, url, description, header_keys, events, is_enabled, disabled_reason,
	rate_limit, breaker, created_at, updated_at, mode`

// scanWebhook reads a registration without its secrets: header values are empty.
func scanWebhook(row pgx.CollectableRow) (dossier.Webhook, error) {
	var w dossier.Webhook
	var keys []string
	var breaker *dossier.Breaker
	err := row.Scan(&w.Workspace, &w.ID, &w.URL, &w.Description, &keys, &w.Events, &w.Enabled, &w.DisabledReason,
		&w.RateLimit, &breaker, &w.CreatedAt, &w.UpdatedAt, &w.Mode)
	for _, key := range keys {
		w.Headers = append(w.Headers, dossier.Header{Key: key})
	}
	if breaker != nil {
		w.Breaker = *breaker
	}
	return w, err
}

// CreateWebhook registers an endpoint and returns its signing secret, which is shown once. Errors: Invalid,
// Conflict (limit_reached).
func (db *DB) CreateWebhook(ctx context.Context, ws dossier.WorkspaceID,
	update dossier.WebhookUpdate) (dossier.Webhook, string, error) {
	secret := newWebhookSecret()
	w, err := transact(ctx, db, ws, "create webhook", func(tx *tx) (dossier.Webhook, error) {
		w, err := dossier.NewWebhook(newID[dossier.WebhookID](), ws, update, tx.now)
		if err != nil {
			return w, err
		}
		if err := limitWebhooks(ctx, tx); err != nil {
			return w, err
		}
		sealed, err := tx.cipher.SealAt(webhookSecretPlace(ws, w.ID), []byte(secret))
		if err != nil {
			return w, err
		}
		_, err = tx.Exec(ctx, `INSERT INTO webhooks (workspace_id, id, url, secret, created_at, updated_at, mode)
			VALUES ($1, $2, $3, $4, $5, $5, $6)`,
			ws, w.ID, w.URL, sealed, tx.now, w.Mode)
		if err != nil {
			return w, err
		}
		audit(ctx, tx, dossier.AuditWebhookCreate, webhookSubject(w.ID), nil)
		return w, writeWebhook(ctx, tx, w, &w.Headers)
	})
	return w, secret, err
}

// webhookSubject is how audit entries name an endpoint.
func webhookSubject(id dossier.WebhookID) string { return "webhook:" + string(id) }

func newWebhookSecret() string {
	var random [32]byte
	_, _ = rand.Read(random[:]) // crypto/rand never fails: it ends the process instead
	return dossier.WebhookSecret(random)
}

// UpdateWebhook changes what was sent and leaves the rest. Enabling an endpoint begins with a clean record; what
// was skipped meanwhile stays skipped until it is replayed. Errors: NotFound, Invalid.
func (db *DB) UpdateWebhook(ctx context.Context, ws dossier.WorkspaceID, id dossier.WebhookID,
	update dossier.WebhookUpdate) (dossier.Webhook, error) {
	return transact(ctx, db, ws, "update webhook", func(tx *tx) (dossier.Webhook, error) {
		w, err := lockWebhook(ctx, tx, id)
		if err != nil {
			return w, err
		}
		wasEnabled := w.Enabled
		if err := w.Update(update, tx.now); err != nil {
			return w, err
		}
		if err := writeWebhook(ctx, tx, w, update.Headers); err != nil {
			return w, err
		}
		audit(ctx, tx, dossier.AuditWebhookUpdate, webhookSubject(id), map[string]any{"isEnabled": w.Enabled})
		if w.Enabled == wasEnabled {
			return w, nil
		}
		if w.Enabled {
			_, err = tx.Exec(ctx, `UPDATE webhooks SET failing_since = NULL, last_failure_at = NULL, breaker = NULL
				WHERE workspace_id = $1 AND id = $2`, ws, id)
			return w, err
		}
		return w, endDeliveriesSoon(ctx, tx, w)
	})
}

func lockWebhook(ctx context.Context, tx *tx, id dossier.WebhookID) (dossier.Webhook, error) {
	return selectWebhook(ctx, tx, id, " FOR UPDATE")
}

func findWebhook(ctx context.Context, tx *tx, id dossier.WebhookID) (dossier.Webhook, error) {
	return selectWebhook(ctx, tx, id, "")
}

func selectWebhook(ctx context.Context, tx *tx, id dossier.WebhookID, lock string) (dossier.Webhook, error) {
	rows, err := tx.Query(ctx, `SELECT `+webhookColumns+` FROM webhooks WHERE workspace_id = $1 AND id = $2
		AND deleted_at IS NULL`+lock, tx.ws, id)
	if err != nil {
		return dossier.Webhook{}, err
	}
	w, err := pgx.CollectExactlyOneRow(rows, scanWebhook)
	return w, orMissing(err, "webhook")
}

// writeWebhook stores w. headers are nil to leave the stored ones.
func writeWebhook(ctx context.Context, tx *tx, w dossier.Webhook, headers *[]dossier.Header) error {
	_, err := tx.Exec(ctx, `
		UPDATE webhooks SET url = @url, description = @description, events = @events, is_enabled = @isEnabled,
			disabled_reason = @disabledReason,
			rate_limit = @rateLimit, updated_at = @now, mode = @mode
		WHERE workspace_id = @workspace AND id = @id`,
		pgx.NamedArgs{"workspace": tx.ws, "id": w.ID, "url": w.URL, "description": w.Description, "events": w.Events,
			"isEnabled": w.Enabled, "disabledReason": w.DisabledReason, "rateLimit": w.RateLimit, "now": tx.now,
			"mode": w.Mode})
	if err != nil || headers == nil {
		return err
	}
	keys := make([]string, len(*headers))
	for i, h := range *headers {
		keys[i] = h.Key
	}
	encoded, err := json.Marshal(*headers)
	if err != nil {
		return err
	}
	sealed, err := tx.cipher.SealAt(webhookHeadersPlace(tx.ws, w.ID), encoded)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `UPDATE webhooks SET headers = $3, header_keys = $4 WHERE workspace_id = $1 AND id = $2`,
		tx.ws, w.ID, sealed, keys)
	return err
}

// endDeliveriesSoon has the sender of a disabled or deleted endpoint end what waits for it: there may be a million.
func endDeliveriesSoon(ctx context.Context, tx *tx, w dossier.Webhook) error {
	return stageSenders(ctx, tx, []dossier.Webhook{w})
}

// Webhook returns one registration. Error: NotFound.
func (db *DB) Webhook(ctx context.Context, ws dossier.WorkspaceID, id dossier.WebhookID) (dossier.Webhook, error) {
	return readOne(ctx, db, ws, "get webhook", "webhook", scanWebhook,
		`SELECT `+webhookColumns+` FROM webhooks WHERE workspace_id = $1 AND id = $2 AND deleted_at IS NULL`, ws, id)
}

// Webhooks lists registrations, newest first.
func (db *DB) Webhooks(ctx context.Context, ws dossier.WorkspaceID, page dossier.Page) ([]dossier.Webhook, error) {
	query := psql.Select(webhookColumns).From("webhooks").Where("workspace_id = ? AND deleted_at IS NULL", ws).
		OrderBy("created_at DESC, id DESC").Limit(uint64(page.Limit) + 1)
	if page.After != nil {
		query = query.Where("(created_at, id) < (?, ?)", page.After.At, page.After.ID)
	}
	sql, args, err := query.ToSql()
	if err != nil {
		return nil, err
	}
	return readAll(ctx, db, ws, "list webhooks", scanWebhook, sql, args...)
}

// DeleteWebhook removes a registration; deliveries that wait for it end as CANCELLED. Error: NotFound.
func (db *DB) DeleteWebhook(ctx context.Context, ws dossier.WorkspaceID, id dossier.WebhookID) error {
	_, err := transact(ctx, db, ws, "delete webhook", func(tx *tx) (none, error) {
		w, err := lockWebhook(ctx, tx, id)
		if err != nil {
			return none{}, err
		}
		if _, err := tx.Exec(ctx, `UPDATE webhooks SET deleted_at = $3, is_enabled = false, updated_at = $3
			WHERE workspace_id = $1 AND id = $2`, ws, id, tx.now); err != nil {
			return none{}, err
		}
		audit(ctx, tx, dossier.AuditWebhookDelete, webhookSubject(id), nil)
		return none{}, endDeliveriesSoon(ctx, tx, w)
	})
	return err
}

// RotateSecret gives an endpoint a new signing secret and returns it, once. The old one signs beside it for 24 hours;
// one that was still valid from an earlier rotation ends now. Error: NotFound.
func (db *DB) RotateSecret(ctx context.Context, ws dossier.WorkspaceID,
	id dossier.WebhookID) (dossier.Webhook, string, error) {
	secret := newWebhookSecret()
	w, err := transact(ctx, db, ws, "rotate webhook secret", func(tx *tx) (dossier.Webhook, error) {
		w, err := lockWebhook(ctx, tx, id)
		if err != nil {
			return w, err
		}
		old, err := sealOldSecret(ctx, tx, id)
		if err != nil {
			return w, err
		}
		sealed, err := tx.cipher.SealAt(webhookSecretPlace(ws, id), []byte(secret))
		if err != nil {
			return w, err
		}
		w.UpdatedAt = tx.now
		_, err = tx.Exec(ctx, `
			UPDATE webhooks SET old_secret = $6, old_secret_until = $4, secret = $3, updated_at = $5
				WHERE workspace_id = $1 AND id = $2`,
			ws, id, sealed, tx.now.Add(dossier.SecretOverlap), tx.now, old)
		audit(ctx, tx, dossier.AuditWebhookRotate, webhookSubject(id), nil)
		return w, err
	})
	return w, secret, err
}

// sealOldSecret is the endpoint's secret of now, sealed for where the one of before is kept.
func sealOldSecret(ctx context.Context, tx *tx, id dossier.WebhookID) ([]byte, error) {
	var sealed []byte
	if err := tx.QueryRow(ctx, `SELECT secret FROM webhooks WHERE workspace_id = $1 AND id = $2`, tx.ws,
		id).Scan(&sealed); err != nil {
		return nil, err
	}
	plain, err := tx.cipher.OpenAt(webhookSecretPlace(tx.ws, id), sealed)
	if err != nil {
		return nil, err
	}
	return tx.cipher.SealAt(webhookOldSecretPlace(tx.ws, id), plain)
}

// TestWebhook sends a webhook.test event to one endpoint and returns its id. Errors: NotFound; Conflict, when the
// endpoint is disabled.
func (db *DB) TestWebhook(ctx context.Context, ws dossier.WorkspaceID, id dossier.WebhookID) (dossier.EventID, error) {
	return transact(ctx, db, ws, "test webhook", func(tx *tx) (dossier.EventID, error) {
		w, err := findWebhook(ctx, tx, id)
		if err != nil {
			return "", err
		}
		if !w.Enabled {
			return "", disabledWebhook()
		}
		tx.test = w.Mode == dossier.ModeTest
		return emitID(ctx, tx, dossier.EventWebhookTest, "", &id, webhookData(w, tx.now))
	})
}

// webhookData is the data of webhook.test and webhook.disabled.
func webhookData(w dossier.Webhook, now time.Time) record.WebhookEvent {
	return record.WebhookEvent{Webhook: record.OfWebhook(w, now)}
}

// Endpoint is a registration with everything a delivery needs.
type Endpoint struct {
	dossier.Webhook          // with header values
	Secrets         []string // the current one first
	Deleted         bool
	Failing         bool // its last known attempt failed: attempts are to be weighed (SaveAttempts)
	Retrying        bool // a delivery is retried, which may hold back later ones of its lead (NextDeliveries)
}

// Endpoint reads an endpoint for delivering to it, deleted ones too. Error: NotFound.
func (db *DB) Endpoint(ctx context.Context, ws dossier.WorkspaceID, id dossier.WebhookID) (Endpoint, error) {
	e, err := db.endpoints.do(ctx, endpointAsk{ws, id})
	switch {
	case err != nil:
		return Endpoint{}, translate("read endpoint", err)
	case e.ID == "":
		return Endpoint{}, missing("webhook")
	}
	err = openEndpoint(db.cipher, &e.Endpoint, e.headers, e.secret, e.old)
	return e.Endpoint, err
}

// endpointAsk is what a sender asks. Senders ask again every second, and those of a tenant's endpoints together: each
// by itself, they queued for all connections.
type endpointAsk struct {
	ws dossier.WorkspaceID
	id dossier.WebhookID
}

type sealedEndpoint struct {
	Endpoint
	headers, secret, old []byte
}

// endpointGroup reads for several senders in one round trip, with a statement a workspace. What is not there is empty.
func (db *DB) endpointGroup(ctx context.Context, asks []endpointAsk) ([]sealedEndpoint, error) {
	byOwner, now := map[dossier.WorkspaceID][]dossier.WebhookID{}, db.now()
	for _, ask := range asks {
		byOwner[ask.ws] = append(byOwner[ask.ws], ask.id)
	}
	return retry(ctx, "read endpoints", func() ([]sealedEndpoint, error) {
		var all []sealedEndpoint
		batch := &pgx.Batch{}
		for ws, ids := range byOwner {
			batch.Queue("select set_config($1, $2, true)", "app.ws", string(ws))
			batch.Queue(selectEndpoints, ws, ids, now).Query(func(rows pgx.Rows) (err error) {
				all, err = pgx.AppendRows(all, rows, scanEndpoint)
				return err
			})
		}
		if err := db.app.SendBatch(ctx, batch).Close(); err != nil {
			return nil, err
		}
		out := make([]sealedEndpoint, len(asks))
		for i, ask := range asks {
			if at := slices.IndexFunc(all, func(e sealedEndpoint) bool {
				return e.Workspace == ask.ws && e.ID == ask.id
			}); at >= 0 {
				out[i] = all[at]
			}
		}
		return out, nil
	})
}

const selectEndpoints = `SELECT workspace_id, id, url, is_enabled, rate_limit, breaker, deleted_at IS NOT NULL,
		failing_since IS NOT NULL,
		coalesce((SELECT true FROM deliveries WHERE workspace_id = $1 AND webhook_id = w.id AND status = 'PENDING'
			AND tries > 0 ORDER BY lead_id, position LIMIT 1), false), headers, secret,
		CASE WHEN old_secret_until > $3 THEN old_secret END
	FROM webhooks w WHERE workspace_id = $1 AND id = ANY($2)`

func scanEndpoint(row pgx.CollectableRow) (sealedEndpoint, error) {
	var e sealedEndpoint
	var breaker *dossier.Breaker
	err := row.Scan(&e.Workspace, &e.ID, &e.URL, &e.Enabled, &e.RateLimit, &breaker, &e.Deleted, &e.Failing,
		&e.Retrying, &e.headers, &e.secret, &e.old)
	if breaker != nil {
		e.Breaker, e.Failing = *breaker, true
	}
	return e, err
}

func openEndpoint(cipher *Cipher, e *Endpoint, headers, secret, old []byte) error {
	for _, kept := range []struct {
		at     place
		sealed []byte
	}{{webhookSecretPlace(e.Workspace, e.ID), secret}, {webhookOldSecretPlace(e.Workspace, e.ID), old}} {
		if kept.sealed == nil {
			continue
		}
		plain, err := cipher.OpenAt(kept.at, kept.sealed)
		if err != nil {
			return err
		}
		e.Secrets = append(e.Secrets, string(plain))
	}
	if headers == nil {
		return nil
	}
	plain, err := cipher.OpenAt(webhookHeadersPlace(e.Workspace, e.ID), headers)
	if err != nil {
		return err
	}
	return json.Unmarshal(plain, &e.Headers)
}

package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

const replayColumns = `id, webhook_id, since, until, statuses, status, matched, capped, replayed, created_at,
	started_at, finished_at`

func scanReplay(row pgx.CollectableRow) (dossier.Replay, error) {
	var r dossier.Replay
	err := row.Scan(&r.ID, &r.WebhookID, &r.Since, &r.Until, &r.Statuses, &r.Status, &r.Matched, &r.Capped, &r.Replayed,
		&r.CreatedAt, &r.StartedAt, &r.FinishedAt)
	return r, err
}

// CreateReplay stages a replay. r names Since, Until and Statuses. Errors: NotFound; Conflict, when the webhook is
// disabled.
func (db *DB) CreateReplay(ctx context.Context, ws dossier.WorkspaceID, webhook dossier.WebhookID,
	r dossier.Replay) (dossier.Replay, error) {
	return transact(ctx, db, ws, "create replay", func(tx *tx) (dossier.Replay, error) {
		w, err := lockWebhook(ctx, tx, webhook)
		if err != nil {
			return r, err
		}
		if !w.Enabled {
			return r, disabledWebhook()
		}
		r.ID, r.WebhookID, r.Status, r.CreatedAt = newID[dossier.ReplayID](), webhook, dossier.ReplayPending, tx.now
		_, err = tx.Exec(ctx, `INSERT INTO replays (workspace_id, id, webhook_id, since, until, statuses, created_at)
			VALUES (@workspace, @id, @webhookId, @since, @until, @statuses, @now)`,
			pgx.NamedArgs{"workspace": ws, "id": r.ID, "webhookId": webhook, "since": r.Since, "until": r.Until,
				"statuses": r.Statuses, "now": tx.now})
		if err != nil {
			return r, err
		}
		audit(ctx, tx, dossier.AuditWebhookReplay, webhookSubject(webhook), map[string]any{"replay": r.ID})
		_, err = enqueue(ctx, tx, jobs.ReplayWebhook{Workspace: ws, Replay: r.ID}, staging{subject: string(webhook)})
		return r, err
	})
}

func disabledWebhook() error {
	return dossier.Coded(dossier.Conflict, "webhook_disabled", "This webhook is disabled; enable it first")
}

// Replay returns one replay of a webhook. Error: NotFound.
func (db *DB) Replay(ctx context.Context, ws dossier.WorkspaceID, webhook dossier.WebhookID,
	id dossier.ReplayID) (dossier.Replay, error) {
	return readOne(ctx, db, ws, "get replay", "replay", scanReplay,
		`SELECT `+replayColumns+` FROM replays WHERE workspace_id = $1 AND webhook_id = $2 AND id = $3`, ws, webhook,
		id)
}

const replayPage = 500

// ReplayPage makes the next 500 deliveries of a replay due and remembers how far it came, in one commit, so that a
// crash repeats nothing. The last page ends the job; it then reports true. Errors: NotFound, ErrFenced.
func (db *DB) ReplayPage(ctx context.Context, claim Claim, id dossier.ReplayID) (bool, error) {
	return transact(ctx, db, claim.Workspace, "replay page", func(tx *tx) (bool, error) {
		r, after, err := lockReplay(ctx, tx, id)
		if err != nil {
			return false, err
		}
		if err := holdClaim(ctx, tx, claim); err != nil {
			return false, err
		}
		w, err := deliverable(ctx, tx, r.WebhookID)
		if dossier.KindOf(err) == dossier.Conflict {
			return true, endReplay(ctx, tx, claim, r, dossier.ReplayCancelled)
		}
		if err != nil {
			return false, err
		}
		if r.Matched == nil {
			if err := startReplay(ctx, tx, &r); err != nil {
				return false, err
			}
		}
		return replayNext(ctx, tx, claim, r, w, after)
	})
}

func lockReplay(ctx context.Context, tx *tx, id dossier.ReplayID) (dossier.Replay, dossier.Cursor, error) {
	var after dossier.Cursor
	rows, err := tx.Query(ctx, `SELECT `+replayColumns+` FROM replays WHERE workspace_id = $1 AND id = $2 FOR UPDATE`,
		tx.ws, id)
	if err != nil {
		return dossier.Replay{}, after, err
	}
	r, err := pgx.CollectExactlyOneRow(rows, scanReplay)
	if err != nil {
		return r, after, orMissing(err, "replay")
	}
	err = tx.QueryRow(ctx, `SELECT cursor_at, cursor_id::text FROM replays WHERE workspace_id = $1 AND id = $2`, tx.ws,
		id).Scan(&after.At, &after.ID)
	return r, after, err
}

// startReplay counts what matches, up to the cap.
func startReplay(ctx context.Context, tx *tx, r *dossier.Replay) error {
	var matched int64
	err := tx.QueryRow(ctx, `
		SELECT count(*) FROM (SELECT FROM deliveries WHERE workspace_id = $1 AND webhook_id = $2 AND created_at >= $3
			AND created_at < $4 AND status = ANY($5)
			LIMIT $6) d`, tx.ws, r.WebhookID, r.Since, r.Until, r.Statuses, dossier.MaxReplay+1).Scan(&matched)
	if err != nil {
		return err
	}
	r.Capped = matched > dossier.MaxReplay
	matched = min(matched, dossier.MaxReplay)
	r.Matched = &matched
	_, err = tx.Exec(ctx, `UPDATE replays SET status = 'IN_PROGRESS', matched = $3, capped = $4, started_at = $5
		WHERE workspace_id = $1 AND id = $2`,
		tx.ws, r.ID, matched, r.Capped, tx.now)
	return err
}

func replayNext(ctx context.Context, tx *tx, claim Claim, r dossier.Replay, w dossier.Webhook,
	after dossier.Cursor) (bool, error) {
	limit := min(replayPage, *r.Matched-r.Replayed)
	rows, err := tx.Query(ctx, `
		SELECT created_at, id::text FROM deliveries WHERE workspace_id = @workspace AND webhook_id = @webhookId
			AND created_at >= @createdAt
			AND created_at < @until AND status = ANY(@status)
		  AND (created_at, id) > (@at, @id::uuid) ORDER BY created_at, id LIMIT @limit`,
		pgx.NamedArgs{"workspace": tx.ws, "webhookId": r.WebhookID, "createdAt": r.Since, "until": r.Until,
			"status": r.Statuses, "at": after.At, "id": after.ID, "limit": limit})
	if err != nil {
		return false, err
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[dossier.Cursor])
	if err != nil {
		return false, err
	}
	if len(found) == 0 {
		return true, endReplay(ctx, tx, claim, r, dossier.ReplayComplete)
	}
	ids := make([]dossier.DeliveryID, len(found))
	for i, d := range found {
		ids[i] = dossier.DeliveryID(d.ID)
	}
	last := found[len(found)-1]
	r.Replayed += int64(len(found))
	_, err = tx.Exec(ctx, `UPDATE replays SET replayed = $3, cursor_at = $4, cursor_id = $5
		WHERE workspace_id = $1 AND id = $2`, tx.ws, r.ID, r.Replayed, last.At, last.ID)
	if err != nil {
		return false, err
	}
	if err := showProgress(ctx, tx, claim, r.Progress()); err != nil {
		return false, err
	}
	return false, redeliver(ctx, tx, w, ids)
}

func endReplay(ctx context.Context, tx *tx, claim Claim, r dossier.Replay, status dossier.ReplayStatus) error {
	_, err := tx.Exec(ctx, `UPDATE replays SET status = $3, started_at = coalesce(started_at, $4), finished_at = $4
		WHERE workspace_id = $1 AND id = $2`, tx.ws, r.ID, status, tx.now)
	if err != nil {
		return err
	}
	return finishJob(ctx, tx, claim, "replay:"+string(r.ID))
}

// EventRetention is how long events, deliveries and attempts are kept.
const EventRetention = 30 * 24 * time.Hour

const sweepPage = 5000

// SweepEvents keeps the attempt log's partitions: it makes those of the coming days and drops those past retention. It
// deletes up to 5000 each of old events, their places in the feed and ended deliveries, and returns how many rows went,
// so that the caller can go on while there are more. A delivery that is still PENDING stays, with its event.
func (db *DB) SweepEvents(ctx context.Context) (int, error) {
	return systemTx(ctx, db, "sweep events", func(tx *tx) (int, error) {
		before, longest, err := eventAges(ctx, tx)
		if err != nil {
			return 0, err
		}
		var dropped int
		if err := tx.QueryRow(ctx, `SELECT attempts_keep($1::date, $2::date)`, longest,
			tx.now.Add(3*24*time.Hour)).Scan(&dropped); err != nil {
			return 0, err
		}
		gone := 0
		for _, sql := range []string{
			`DELETE FROM deliveries WHERE (workspace_id, id) IN (SELECT workspace_id, id FROM deliveries t
				WHERE created_at < $1 AND status <> 'PENDING'` + pastAge + unheld + ` LIMIT $2)`,
			`DELETE FROM event_feed WHERE (workspace_id, position) IN (SELECT workspace_id, position FROM event_feed t
				WHERE created_at < $1` + pastAge + ` LIMIT $2)`,
			`DELETE FROM events WHERE (workspace_id, id) IN (SELECT workspace_id, id FROM events t
				WHERE created_at < $1` + pastAge + unheld + `
				AND NOT EXISTS (SELECT FROM deliveries d WHERE d.workspace_id = t.workspace_id AND d.event_id = t.id
					AND d.status = 'PENDING')
				AND NOT EXISTS (SELECT FROM event_inbox i WHERE i.event_id = t.id) LIMIT $2)`,
		} {
			tag, err := tx.Exec(ctx, sql, before, sweepPage, tx.now)
			if err != nil {
				return 0, err
			}
			gone += int(tag.RowsAffected())
		}
		return gone, nil
	})
}

const (
	// pastAge is true of a row t that is older than its workspace keeps events. $3 is now.
	pastAge = ` AND created_at < $3::timestamptz - make_interval(secs => coalesce((
		SELECT (w.retention->>'events')::float8 / 1e9 FROM workspaces w WHERE w.id = t.workspace_id), 2592000))`
	// unheld is true of a row t that no hold keeps.
	unheld = ` AND NOT EXISTS (SELECT FROM holds h WHERE h.workspace_id = t.workspace_id AND h.lead_id = t.lead_id
		AND h.released_at IS NULL)`
)

// eventAges are the latest moment before which some workspace, and the earliest before which every one, drops its
// events.
func eventAges(ctx context.Context, tx *tx) (some, every time.Time, err error) {
	var shortest, longest float64
	err = tx.QueryRow(ctx, `SELECT least(min((retention->>'events')::float8), $1),
		greatest(max((retention->>'events')::float8), $1) FROM workspaces
		WHERE retention ? 'events'`, float64(EventRetention)).Scan(&shortest, &longest)
	return tx.now.Add(-time.Duration(shortest)), tx.now.Add(-time.Duration(longest)), err
}

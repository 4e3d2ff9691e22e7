package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

const deliveryColumns = `d.workspace_id, d.id, d.webhook_id, d.event_id, d.event_type, d.lead_id, d.status, d.attempts,
	d.tries, d.next_attempt_at,
	d.last_status, d.last_error, d.created_at, d.completed_at`

func deliveryFields(d *dossier.Delivery, lead **dossier.LeadID) []any {
	return []any{&d.Workspace, &d.ID, &d.WebhookID, &d.EventID, &d.EventType, lead, &d.Status, &d.Attempts, &d.Tries,
		&d.NextAttemptAt,
		&d.LastStatus, &d.LastError, &d.CreatedAt, &d.CompletedAt}
}

func scanDelivery(row pgx.CollectableRow) (dossier.Delivery, error) {
	var d dossier.Delivery
	var lead *dossier.LeadID
	err := row.Scan(deliveryFields(&d, &lead)...)
	if lead != nil {
		d.LeadID = *lead
	}
	return d, err
}

// DeliveryFilter chooses deliveries. Empty fields choose all.
type DeliveryFilter struct {
	Workspace dossier.WorkspaceID // narrows AllDeliveries
	Webhook   dossier.WebhookID
	Event     dossier.EventID
	Status    dossier.DeliveryStatus
	Type      dossier.EventType
	Since     time.Time
}

// Deliveries lists deliveries, newest first. Error: NotFound, when the filter names no webhook of the workspace.
func (db *DB) Deliveries(ctx context.Context, ws dossier.WorkspaceID, filter DeliveryFilter,
	page dossier.Page) ([]dossier.Delivery, error) {
	if filter.Webhook != "" {
		if _, err := db.Webhook(ctx, ws, filter.Webhook); err != nil {
			return nil, err
		}
	}
	query := filter.apply(psql.Select(deliveryColumns).From("deliveries d").Where("d.workspace_id = ?", ws)).
		OrderBy("d.created_at DESC, d.id DESC").Limit(uint64(page.Limit) + 1)
	if page.After != nil {
		query = query.Where("(d.created_at, d.id) < (?, ?)", page.After.At, page.After.ID)
	}
	sql, args, err := query.ToSql()
	if err != nil {
		return nil, err
	}
	return readAll(ctx, db, ws, "list deliveries", scanDelivery, sql, args...)
}

func (f DeliveryFilter) apply(query squirrel.SelectBuilder) squirrel.SelectBuilder {
	if f.Workspace != "" {
		query = query.Where("d.workspace_id = ?", f.Workspace)
	}
	if f.Webhook != "" {
		query = query.Where("d.webhook_id = ?", f.Webhook)
	}
	if f.Event != "" {
		query = query.Where("d.event_id = ?", f.Event)
	}
	if f.Status != "" {
		query = query.Where("d.status = ?", f.Status)
	}
	if f.Type != "" {
		query = query.Where("d.event_type = ?", f.Type)
	}
	if !f.Since.IsZero() {
		query = query.Where("d.created_at >= ?", f.Since)
	}
	return query
}

// AllDeliveries lists up to limit deliveries of all workspaces, newest first: for operators.
func (db *DB) AllDeliveries(ctx context.Context, filter DeliveryFilter, limit int) ([]dossier.Delivery, error) {
	query := filter.apply(psql.Select(deliveryColumns).From("deliveries d")).OrderBy(
		"d.created_at DESC, d.id DESC").Limit(uint64(limit))
	return systemRead(ctx, db, "list all deliveries", scanDelivery, query)
}

// WorkspaceOfDelivery tells whose a delivery is: for operators. Error: NotFound.
func (db *DB) WorkspaceOfDelivery(ctx context.Context, id dossier.DeliveryID) (dossier.WorkspaceID, error) {
	if !dossier.ValidID(string(id)) {
		return "", missing("delivery")
	}
	found, err := systemRead(ctx, db, "workspace of delivery", pgx.RowTo[dossier.WorkspaceID],
		psql.Select("workspace_id").From("deliveries").Where("id = ?", id))
	if err == nil && len(found) == 0 {
		err = missing("delivery")
	}
	if err != nil {
		return "", err
	}
	return found[0], nil
}

// Delivery returns one delivery with its attempts, oldest first. Error: NotFound.
func (db *DB) Delivery(ctx context.Context, ws dossier.WorkspaceID,
	id dossier.DeliveryID) (dossier.Delivery, []dossier.Attempt, error) {
	type both struct {
		delivery dossier.Delivery
		attempts []dossier.Attempt
	}
	found, err := snapshot(ctx, db, ws, "get delivery", func(tx *tx) (both, error) {
		var b both
		rows, err := tx.Query(ctx, `SELECT `+deliveryColumns+` FROM deliveries d WHERE d.workspace_id = $1
			AND d.id = $2`, ws, id)
		if err != nil {
			return b, err
		}
		if b.delivery, err = pgx.CollectExactlyOneRow(rows, scanDelivery); err != nil {
			return b, orMissing(err, "delivery")
		}
		rows, err = tx.Query(ctx, `
			SELECT number, started_at, duration_ms, status, error, response FROM attempts
				WHERE workspace_id = $1 AND delivery_id = $2 ORDER BY number`, ws, id)
		if err != nil {
			return b, err
		}
		b.attempts, err = pgx.CollectRows(rows, scanAttempt)
		return b, err
	})
	return found.delivery, found.attempts, err
}

func scanAttempt(row pgx.CollectableRow) (dossier.Attempt, error) {
	var a dossier.Attempt
	var milliseconds int64
	err := row.Scan(&a.Number, &a.StartedAt, &milliseconds, &a.Status, &a.Error, &a.Response)
	a.Duration = time.Duration(milliseconds) * time.Millisecond
	return a, err
}

// Redeliver makes a delivery due at once, with its whole schedule before it and the same webhook-id. A PENDING one
// begins anew. Errors: NotFound; Conflict, when its endpoint is disabled or gone.
func (db *DB) Redeliver(ctx context.Context, ws dossier.WorkspaceID, id dossier.DeliveryID) (dossier.Delivery, error) {
	return transact(ctx, db, ws, "redeliver", func(tx *tx) (dossier.Delivery, error) {
		rows, err := tx.Query(ctx, `SELECT `+deliveryColumns+` FROM deliveries d WHERE d.workspace_id = $1
			AND d.id = $2 FOR UPDATE`, ws, id)
		if err != nil {
			return dossier.Delivery{}, err
		}
		d, err := pgx.CollectExactlyOneRow(rows, scanDelivery)
		if err != nil {
			return d, orMissing(err, "delivery")
		}
		w, err := deliverable(ctx, tx, d.WebhookID)
		if err != nil {
			return d, err
		}
		d.Redeliver(tx.now)
		audit(ctx, tx, dossier.AuditRedeliver, "delivery:"+string(d.ID), nil)
		return d, redeliver(ctx, tx, w, []dossier.DeliveryID{d.ID})
	})
}

// deliverable returns an endpoint that can be delivered to. Error: Conflict.
func deliverable(ctx context.Context, tx *tx, id dossier.WebhookID) (dossier.Webhook, error) {
	w, err := lockWebhook(ctx, tx, id)
	if dossier.KindOf(err) == dossier.NotFound {
		return w, dossier.Coded(dossier.Conflict, "webhook_deleted", "The webhook of this delivery was deleted")
	}
	if err == nil && !w.Enabled {
		return w, disabledWebhook()
	}
	return w, err
}

// redeliver makes deliveries of w due at once. Jobs that wait to retry them give way to the sender; one that is
// sending right now goes on as it is.
func redeliver(ctx context.Context, tx *tx, w dossier.Webhook, ids []dossier.DeliveryID) error {
	_, err := tx.Exec(ctx, `
		UPDATE jobs SET status = 'CANCELLED', epoch = epoch + 1, finished_at = $3
		WHERE workspace_id = $1 AND unique_key IN (SELECT 'deliver:' || i FROM unnest($2::text[]) i)
			AND status IN ('QUEUED', 'RETRY')`, tx.ws, ids, tx.now)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, `
		UPDATE deliveries d SET status = 'PENDING', tries = 0, next_attempt_at = $3, completed_at = NULL
			WHERE workspace_id = $1 AND id = ANY($2::uuid[])
		  AND NOT EXISTS (SELECT FROM jobs j WHERE j.workspace_id = $1 AND j.unique_key = 'deliver:' || d.id
		  	AND j.status = 'RUNNING')`,
		tx.ws, ids, tx.now)
	if err != nil {
		return err
	}
	return stageSenders(ctx, tx, []dossier.Webhook{w})
}

// Outgoing is a delivery that may be sent, with what is sent.
type Outgoing struct {
	dossier.Delivery
	Position int64
	Body     []byte
	Trace    string // that the event belongs to; empty: nobody traces
}

func scanOutgoing(row pgx.CollectableRow) (Outgoing, error) {
	var o Outgoing
	var lead *dossier.LeadID
	err := row.Scan(append(deliveryFields(&o.Delivery, &lead), &o.Position, &o.Body, &o.Trace)...)
	if lead != nil {
		o.LeadID = *lead
	}
	return o, err
}

// Next is a page of what waits for an endpoint.
type Next struct {
	Deliveries []Outgoing       // that may be sent, in the order of their events
	Blocked    []dossier.LeadID // whose deliveries on the page wait for an earlier one
	Last       int64            // position the page ends at; 0 when nothing waits
	Full       bool             // there may be more behind it
	seen       int              // deliveries looked at
	found      int              // deliveries that the page would have without its limit of bytes
}

// Room is how much a page may hold. Its last delivery begins within so many bytes of bodies, so one is always on it; a
// page of megabytes ends in any case: a sender that reads ahead must not take the memory of the process.
type Room struct{ Deliveries, Bytes int }

// NextDeliveries reads the next page of deliveries of an endpoint that wait for their first try and follow a position
// in the feed. One whose lead has an earlier delivery among its first four tries stays out: it waits. The ids in except
// stay out too. A page looks at as many deliveries as there is room for, so it costs the same however many wait; it may
// be full and yet hold none.
func (db *DB) NextDeliveries(ctx context.Context, ws dossier.WorkspaceID, webhook dossier.WebhookID, after int64,
	except []dossier.DeliveryID, room Room) (Next, error) {
	room.Bytes = min(max(room.Bytes, 1), pageBytes)
	next, err := db.nexts.do(ctx, nextAsk{ws, webhook, after, except, room})
	return next, translate("next deliveries", err)
}

// nextAsk is what a sender asks. Senders that were woken together ask in one round trip.
type nextAsk struct {
	ws      dossier.WorkspaceID
	webhook dossier.WebhookID
	after   int64
	except  []dossier.DeliveryID
	room    Room
}

// nextGroup reads for several senders in one round trip, with a statement a workspace: they are woken together.
func (db *DB) nextGroup(ctx context.Context, asks []nextAsk) ([]Next, error) {
	byOwner := map[dossier.WorkspaceID]*nextsOf{}
	for i, ask := range asks {
		if byOwner[ask.ws] == nil {
			byOwner[ask.ws] = &nextsOf{}
		}
		byOwner[ask.ws].add(i, ask)
	}
	return retry(ctx, "next deliveries", func() ([]Next, error) {
		batch, nexts := &pgx.Batch{}, make([]Next, len(asks))
		for ws, of := range byOwner {
			batch.Queue("select set_config($1, $2, true)", "app.ws", string(ws))
			batch.Queue(selectNexts, ws, of.webhooks, of.after, of.limits, of.asks, of.except, of.bytes).
				Query(func(rows pgx.Rows) error { return readNexts(rows, nexts) })
		}
		err := db.app.SendBatch(ctx, batch).Close()
		for i, ask := range asks {
			nexts[i].Full = nexts[i].found == ask.room.Deliveries || nexts[i].seen < nexts[i].found
		}
		return nexts, err
	})
}

// nextsOf are the questions of one workspace's senders, column by column. What a sender has in hand is no other's
// either.
type nextsOf struct {
	webhooks []dossier.WebhookID
	after    []int64
	limits   []int
	bytes    []int
	asks     []int // which question it is
	except   []dossier.DeliveryID
}

func (of *nextsOf) add(i int, ask nextAsk) {
	of.webhooks, of.after, of.limits, of.asks = append(of.webhooks, ask.webhook), append(of.after, ask.after),
		append(of.limits, ask.room.Deliveries), append(of.asks, i)
	of.bytes = append(of.bytes, ask.room.Bytes)
	of.except = append(of.except, ask.except...)
}

const pageBytes = 4 << 20 // the most room for a page

// selectNexts looks each event up by itself: a page is small and the events are many. Bodies are measured before they
// are read; those of deliveries that wait for an earlier one are neither.
const selectNexts = `
	SELECT ask.i, d.found, ` + deliveryColumns + `, d.position, coalesce(e.body, ''), coalesce(e.trace, ''), d.waits
	FROM unnest($2::uuid[], $3::bigint[], $4::int[], $5::int[], $7::int[]) AS ask (webhook, after, most, i, bytes)
	CROSS JOIN LATERAL (
		SELECT page.*, sum(size) OVER (ORDER BY position) - size AS before, count(*) OVER () AS found FROM (
			SELECT d.*, b.one IS NOT NULL AS waits, CASE WHEN b.one IS NULL THEN coalesce((SELECT octet_length(body)
				FROM events WHERE workspace_id = $1 AND id = d.event_id LIMIT 1), 0) ELSE 0 END AS size
			FROM (SELECT * FROM deliveries WHERE workspace_id = $1 AND webhook_id = ask.webhook
				AND status = 'PENDING' AND tries = 0 AND position > ask.after
				AND id <> ALL(coalesce($6::uuid[], '{}')) ORDER BY position LIMIT ask.most) d ` + blocking + `) page) d
	LEFT JOIN LATERAL (SELECT body, trace FROM events WHERE NOT d.waits AND workspace_id = $1 AND id = d.event_id
		LIMIT 1) e ON true
	WHERE d.before < ask.bytes AND (d.waits OR e.body IS NOT NULL) ORDER BY ask.i, d.position`

// readNexts takes what may be sent out of pages.
func readNexts(rows pgx.Rows, nexts []Next) error {
	for rows.Next() {
		var o Outgoing
		var lead *dossier.LeadID
		var blocked bool
		var i, found int
		if err := rows.Scan(slices.Concat([]any{&i, &found}, deliveryFields(&o.Delivery, &lead),
			[]any{&o.Position, &o.Body, &o.Trace, &blocked})...); err != nil {
			return err
		}
		o.LeadID = deref(lead)
		n := &nexts[i]
		n.seen, n.found, n.Last = n.seen+1, found, o.Position
		if blocked {
			n.Blocked = append(n.Blocked, o.LeadID)
		} else {
			n.Deliveries = append(n.Deliveries, o)
		}
	}
	return rows.Err()
}

// blocking joins to a delivery d the earlier one of its lead that holds it back, if there is one; 4 is
// dossier.OrderedTries. Lateral with a limit, so that it is asked by index for each of a few rows: as NOT EXISTS it was
// planned as a hash of everything that is being retried.
const blocking = `LEFT JOIN LATERAL (SELECT 1 AS one FROM deliveries b WHERE b.workspace_id = d.workspace_id
	AND b.webhook_id = d.webhook_id
	AND b.lead_id = d.lead_id AND b.status = 'PENDING' AND b.tries > 0 AND b.tries < 4 AND b.position < d.position
		LIMIT 1) b ON true`

// Outgoing reads one delivery for retrying it. Error: NotFound.
func (db *DB) Outgoing(ctx context.Context, ws dossier.WorkspaceID, id dossier.DeliveryID) (Outgoing, error) {
	return readOne(ctx, db, ws, "read delivery", "delivery", scanOutgoing, `
		SELECT `+deliveryColumns+`, d.position, e.body, coalesce(e.trace, '') FROM deliveries d
		JOIN events e ON e.workspace_id = d.workspace_id AND e.id = d.event_id WHERE d.workspace_id = $1 AND d.id = $2`,
		ws, id)
}

const settlePage = 1000

// EndDeliveries ends up to 1000 deliveries that wait for an endpoint which is disabled (SKIPPED) or deleted
// (CANCELLED), and as many that are retried, and returns how many it ended. For an endpoint that is neither it does
// nothing.
func (db *DB) EndDeliveries(ctx context.Context, ws dossier.WorkspaceID, webhook dossier.WebhookID) (int, error) {
	return transact(ctx, db, ws, "settle endpoint", func(tx *tx) (int, error) {
		tag, err := tx.Exec(ctx, `
			WITH w AS (SELECT deleted_at FROM webhooks WHERE workspace_id = $1 AND id = $2 AND NOT is_enabled FOR SHARE)
			UPDATE deliveries SET status = CASE WHEN (SELECT deleted_at
				FROM w) IS NULL THEN 'SKIPPED' ELSE 'CANCELLED' END,
			       next_attempt_at = NULL, completed_at = $3
			WHERE EXISTS (SELECT FROM w) AND workspace_id = $1 AND id IN (
				(SELECT id FROM deliveries WHERE workspace_id = $1 AND webhook_id = $2 AND status = 'PENDING'
					AND tries = 0 ORDER BY position LIMIT $4) UNION ALL
				(SELECT id FROM deliveries WHERE workspace_id = $1 AND webhook_id = $2 AND status = 'PENDING'
					AND tries > 0 ORDER BY lead_id, position LIMIT $4))`, ws, webhook, tx.now, settlePage)
		return int(tag.RowsAffected()), err
	})
}

// FinishSender ends a sender unless there is more to send. It then stages the sender's successor in the same commit and
// reports true. Error: ErrFenced.
func (db *DB) FinishSender(ctx context.Context, claim Claim, webhook dossier.WebhookID) (bool, error) {
	return transact(ctx, db, claim.Workspace, "finish sender", func(tx *tx) (bool, error) {
		// Whoever stages work for the sender holds this lock shared: what it staged is either seen below, or it
		// waits here and then finds the sender ended (lockSenders).
		lockSender(tx, webhook)
		if err := finishJob(ctx, tx, claim, ""); err != nil {
			return false, err
		}
		var more bool
		if err := tx.QueryRow(ctx, `
			SELECT coalesce((SELECT true FROM deliveries d `+blocking+` WHERE d.workspace_id = $1 AND d.webhook_id = $2
				AND d.status = 'PENDING' AND d.tries = 0 AND b.one IS NULL
				ORDER BY d.position LIMIT 1), false)`, tx.ws, webhook).Scan(&more); err != nil || !more {
			return false, err
		}
		_, err := enqueue(ctx, tx, jobs.SendToEndpoint{Workspace: tx.ws, Webhook: webhook},
			staging{uniqueKey: senderKey(webhook)})
		return true, err
	})
}

// SweepSenders stages senders for endpoints that have deliveries waiting and no sender: after a sender used up its
// tries, or when deliveries were let go by the end of a blocking one whose worker died. It returns how many.
//
// Here as wherever it is asked whether an endpoint has any deliveries of a kind, the first in order is asked for. Any
// one would do, but where one endpoint has nearly all of them, the planner expects to meet one soon wherever it begins,
// and reads the whole table for the endpoints that have none.
func (db *DB) SweepSenders(ctx context.Context) (int, error) {
	return systemTx(ctx, db, "sweep senders", func(tx *tx) (int, error) {
		rows, err := tx.Query(ctx, `
			SELECT w.workspace_id, w.id FROM webhooks w
			CROSS JOIN LATERAL (SELECT FROM deliveries d WHERE d.workspace_id = w.workspace_id AND d.webhook_id = w.id
				AND d.status = 'PENDING' AND d.tries = 0
				ORDER BY d.position LIMIT 1) d
			LEFT JOIN LATERAL (SELECT 1 AS one FROM jobs j WHERE j.workspace_id = w.workspace_id
				AND j.unique_key = 'drain:' || w.id
				AND j.status IN ('QUEUED', 'RUNNING', 'RETRY') LIMIT 1) j ON true
			WHERE j.one IS NULL AND EXISTS (SELECT FROM workspaces t WHERE t.id = w.workspace_id
				AND t.deleted_at IS NULL) LIMIT 500`)
		if err != nil {
			return 0, err
		}
		var idle []dossier.Webhook
		var w dossier.Webhook
		if _, err := pgx.ForEachRow(rows, []any{&w.Workspace, &w.ID},
			func() error { idle = append(idle, w); return nil }); err != nil {
			return 0, err
		}
		return len(idle), stageSenders(ctx, tx, idle)
	})
}

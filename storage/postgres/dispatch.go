package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

const (
	dispatchLock  = 4218020 // one dispatcher at a time: positions follow each other
	dispatchBatch = 1000
)

// fedEvent is an event that has just got its place in the feed.
type fedEvent struct {
	Position      int64
	WorkspaceID   dossier.WorkspaceID
	EventID       dossier.EventID
	Type          dossier.EventType
	LeadID        *dossier.LeadID
	AlsoWebhookID *dossier.WebhookID
	CreatedAt     time.Time
	Body          string // where a drain is ready for it
}

// Dispatched is what one round of dispatching did.
type Dispatched struct {
	Events      int                              // at most 1000; 0 also when another process is dispatching
	First, Last int64                            // positions of the events: without a gap, unless a round failed
	Endpoints   []dossier.Webhook                // that got work
	Deliveries  map[dossier.WebhookID][]Outgoing // all that those of them got whose drains are ready
	Untold      bool                             // all endpoints are of here: the caller tells their drains
}

// DispatchEvents gives waiting events their place in the feed, in the order of their commits, makes a delivery for
// each endpoint that wants them and stages the drains of those endpoints. Drains that are under way are told, but those of
// the endpoints in here, which the caller runs and tells itself, after this. When there are no others, nothing is staged
// either, which saves a round trip of the commit's way: those that the caller then finds no drain of are for StageDrains.
// What the endpoints in ready got is returned too: their drains need not read it. Calling it again is always right.
func (db *DB) DispatchEvents(ctx context.Context, here, ready []dossier.WebhookID) (Dispatched, error) {
	return plannedTx(ctx, db, "dispatch events", func(tx *tx) (d Dispatched, err error) {
		events, endpoints, err := feedEvents(ctx, tx, len(ready) > 0)
		if err != nil || len(events) == 0 {
			return d, err
		}
		d.Events, d.First, d.Last = len(events), events[0].Position, events[len(events)-1].Position
		d.insertDeliveries(tx, events, endpoints, ready)
		elsewhere := func(w dossier.Webhook) bool { return !slices.Contains(here, w.ID) }
		if d.Untold = !slices.ContainsFunc(d.Endpoints, elsewhere); d.Untold {
			return d, nil
		}
		plannedAnew(tx) // jobs have many indexes: which one serves follows from what they hold now
		return d, stageDrains(ctx, tx, d.Endpoints, here)
	})
}

// StageDrains makes sure that the endpoints' drains run and know of new work. A drain that has not been told and looks once
// more for work before it ends needs none of this; for one that may have ended it is called after the work was committed.
func (db *DB) StageDrains(ctx context.Context, endpoints []dossier.Webhook) error {
	_, err := systemTx(ctx, db, "stage drains", func(tx *tx) (none, error) {
		return none{}, stageDrains(ctx, tx, endpoints, nil)
	})
	return err
}

// feedEvents takes events from the inbox if nobody else does, and reads the registrations of their workspaces: what
// Webhook.Wants looks at, and Enabled. Its snapshot may be a moment older than its lock; what the holder before took
// meanwhile is then found deleted, and what was committed meanwhile is taken the next time. Registrations are read by a
// statement of their own after it, so one that was committed before an event is seen with it; which workspaces are meant
// it learns from a setting, in the same round trip.
func feedEvents(ctx context.Context, tx *tx, bodies bool) (events []fedEvent, endpoints map[dossier.WorkspaceID][]dossier.Webhook, err error) {
	endpoints = map[dossier.WorkspaceID][]dossier.Webhook{}
	batch := &pgx.Batch{}
	batch.Queue(`
		WITH mine AS MATERIALIZED (SELECT pg_try_advisory_xact_lock($2) AS mine),
		taken AS (
			DELETE FROM event_inbox WHERE (SELECT mine FROM mine) AND seq = ANY (ARRAY(SELECT seq FROM event_inbox ORDER BY seq LIMIT $1)) RETURNING *),
		placed AS (
			SELECT nextval('event_positions') AS position, t.* FROM (SELECT * FROM taken ORDER BY seq) t),
		fed AS (
			INSERT INTO event_feed (workspace_id, position, event_id, type, created_at)
			SELECT workspace_id, position, event_id, type, created_at FROM placed),
		told AS MATERIALIZED (SELECT set_config('dossier.fed', coalesce(array_agg(DISTINCT workspace_id)::text, '{}'), true) FROM placed)
		SELECT p.position, p.workspace_id, p.event_id, p.type, p.lead_id, p.also_webhook_id, p.created_at, coalesce(e.body, '') AS body
		FROM placed p CROSS JOIN told
		LEFT JOIN LATERAL (SELECT body FROM events WHERE $3 AND workspace_id = p.workspace_id AND id = p.event_id LIMIT 1) e ON true
		ORDER BY p.position`, dispatchBatch, dispatchLock, bodies).
		Query(func(rows pgx.Rows) error {
			events, err = pgx.CollectRows(rows, pgx.RowToStructByName[fedEvent])
			return err
		})
	batch.Queue(`
		SELECT workspace_id, id, events, is_enabled FROM webhooks
		WHERE workspace_id = ANY(nullif(current_setting('dossier.fed', true), '')::uuid[]) AND deleted_at IS NULL ORDER BY workspace_id, id`).
		Query(func(rows pgx.Rows) error {
			var w dossier.Webhook
			_, err := pgx.ForEachRow(rows, []any{&w.Workspace, &w.ID, &w.Events, &w.Enabled}, func() error {
				endpoints[w.Workspace] = append(endpoints[w.Workspace], w)
				w.Events = nil
				return nil
			})
			return err
		})
	return events, endpoints, tx.SendBatch(ctx, batch).Close()
}

// insertDeliveries makes one delivery per event and endpoint that wants it: PENDING, or SKIPPED for an endpoint that is
// disabled, to be replayed later.
func (d *Dispatched) insertDeliveries(tx *tx, events []fedEvent, endpoints map[dossier.WorkspaceID][]dossier.Webhook, ready []dossier.WebhookID) {
	var rows deliveryRows
	d.Deliveries = map[dossier.WebhookID][]Outgoing{}
	seen, unread := map[dossier.WebhookID]bool{}, map[dossier.WebhookID]bool{}
	for _, e := range events {
		event := dossier.Event{ID: e.EventID, Workspace: e.WorkspaceID, Type: e.Type}
		if e.AlsoWebhookID != nil {
			event.Webhook = *e.AlsoWebhookID
		}
		for _, w := range endpoints[e.WorkspaceID] {
			if !w.Wants(event) {
				continue
			}
			id := rows.add(e, w, tx.now)
			if !w.Enabled {
				continue
			}
			if !seen[w.ID] {
				seen[w.ID], unread[w.ID] = true, !slices.Contains(ready, w.ID)
				d.Endpoints = append(d.Endpoints, w)
			}
			if unread[w.ID] = unread[w.ID] || e.Body == ""; unread[w.ID] { // the event is gone: what is read leaves it out
				delete(d.Deliveries, w.ID)
				continue
			}
			d.Deliveries[w.ID] = append(d.Deliveries[w.ID], e.outgoing(id, w.ID, &tx.now))
		}
	}
	if len(rows.id) > 0 {
		rows.insert(tx)
	}
}

// outgoing is a new delivery of the event as NextDeliveries would read it.
func (e fedEvent) outgoing(id dossier.DeliveryID, w dossier.WebhookID, now *time.Time) Outgoing {
	return Outgoing{Position: e.Position, Body: e.Body, Delivery: dossier.Delivery{Workspace: e.WorkspaceID, ID: id, WebhookID: w, EventID: e.EventID,
		EventType: e.Type, LeadID: value(e.LeadID), Status: dossier.DeliveryPending, NextAttemptAt: now, CreatedAt: *now}}
}

// deliveryRows are new deliveries, column by column, for one INSERT.
type deliveryRows struct {
	workspace []dossier.WorkspaceID
	id        []dossier.DeliveryID
	webhook   []dossier.WebhookID
	event     []dossier.EventID
	position  []int64
	eventType []dossier.EventType
	lead      []*dossier.LeadID
	status    []dossier.DeliveryStatus
	due       []*time.Time
	completed []*time.Time
}

func (r *deliveryRows) add(e fedEvent, w dossier.Webhook, now time.Time) dossier.DeliveryID {
	status, due, completed := dossier.DeliveryPending, &now, (*time.Time)(nil)
	if !w.Enabled {
		status, due, completed = dossier.DeliverySkipped, nil, &now
	}
	r.workspace = append(r.workspace, e.WorkspaceID)
	id := newID[dossier.DeliveryID]()
	r.id = append(r.id, id)
	r.webhook = append(r.webhook, w.ID)
	r.event = append(r.event, e.EventID)
	r.position = append(r.position, e.Position)
	r.eventType = append(r.eventType, e.Type)
	r.lead = append(r.lead, e.LeadID)
	r.status = append(r.status, status)
	r.due = append(r.due, due)
	r.completed = append(r.completed, completed)
	return id
}

func (r *deliveryRows) insert(tx *tx) {
	tx.later(`
		INSERT INTO deliveries (workspace_id, id, webhook_id, event_id, position, event_type, lead_id, status, next_attempt_at, completed_at, created_at)
		SELECT *, $11 FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::uuid[], $5::bigint[], $6::text[], $7::uuid[], $8::text[], $9::timestamptz[], $10::timestamptz[])`,
		r.workspace, r.id, r.webhook, r.event, r.position, r.eventType, r.lead, r.status, r.due, r.completed, tx.now)
}

// drainChannel is notified with an endpoint's id when its running drain has more to do.
const drainChannel = "dossier_drains"

// ListenEvents calls emitted when events wait to be dispatched, and drain when an endpoint's drain that is under way has
// more to do, until ctx ends. What it misses while it reconnects is found by polling.
func (db *DB) ListenEvents(ctx context.Context, emitted func(), drain func(dossier.WebhookID)) {
	db.listen(ctx, []string{eventChannel, drainChannel}, func(channel, payload string) {
		if channel == drainChannel {
			drain(dossier.WebhookID(payload))
			return
		}
		emitted()
	})
}

// drainKey makes one drain an endpoint.
func drainKey(id dossier.WebhookID) string { return "drain:" + string(id) }

// lockDrains keeps the drains of endpoints from ending while new work for them is staged: a drain ends under
// the same lock, exclusively, and looks once more for work before it does. Sorted, so nobody waits in a circle.
func lockDrains(tx *tx, endpoints []dossier.Webhook) {
	keys := make([]string, len(endpoints))
	for i, w := range endpoints {
		keys[i] = drainKey(w.ID)
	}
	slices.Sort(keys)
	tx.later(`SELECT pg_advisory_xact_lock_shared(hashtextextended(k, 0)) FROM unnest($1::text[]) k`, keys)
}

// stageDrains makes sure that every endpoint's drain runs and knows of new work: one that is under way is told, unless it
// is one of here, and for the others one is staged.
func stageDrains(ctx context.Context, tx *tx, endpoints []dossier.Webhook, here []dossier.WebhookID) error {
	if len(endpoints) == 0 {
		return nil
	}
	lockDrains(tx, endpoints)
	running, err := wakeDrains(ctx, tx, endpoints, here)
	if err != nil {
		return err
	}
	for _, w := range endpoints {
		if slices.Contains(running, w.ID) {
			continue
		}
		as := *tx
		as.ws = w.Workspace
		if _, err := enqueue(ctx, &as, jobs.DrainWebhook{Workspace: w.Workspace, Webhook: w.ID}, staging{uniqueKey: drainKey(w.ID)}); err != nil {
			return err
		}
	}
	return nil
}

// wakeDrains tells the drains that are under way, at the commit, but for those of here, and returns the endpoints of all.
func wakeDrains(ctx context.Context, tx *tx, endpoints []dossier.Webhook, here []dossier.WebhookID) ([]dossier.WebhookID, error) {
	var workspaces []dossier.WorkspaceID
	var keys []string
	for _, w := range endpoints {
		workspaces, keys = append(workspaces, w.Workspace), append(keys, drainKey(w.ID))
	}
	rows, err := tx.Query(ctx, `
		SELECT endpoint, CASE WHEN endpoint <> ALL (coalesce($4::text[], '{}')) THEN pg_notify($3, endpoint) END FROM unnest($1::uuid[], $2::text[]) AS k (workspace_id, key)
		JOIN jobs j ON j.workspace_id = k.workspace_id AND j.unique_key = k.key AND j.status IN ('QUEUED', 'RUNNING', 'RETRY'),
		substr(j.unique_key, 7) AS endpoint`, workspaces, keys, drainChannel, here)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (id dossier.WebhookID, err error) { return id, row.Scan(&id, nil) })
}

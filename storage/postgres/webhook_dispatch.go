package postgres

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

const (
	dispatchLock  = 4218020 // one dispatcher at a time: positions follow each other
	dispatchBatch = 1000    // events of a round
	dispatchWidth = 5000    // deliveries of a round
	dispatchTries = 10      // of one event by itself that the server gave up
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
	IsTest        bool
}

// DispatchEvents gives waiting events their place in the feed, in the order of their commits, makes a delivery for
// each endpoint that wants them, and makes sure that the senders of those endpoints run and know of new work. It
// returns the number of events: 0 also when another process is dispatching. Fewer than 1000 are all there were. Calling
// it again is always right.
//
// A round makes at most 5000 deliveries, however many endpoints there are, unless one event has more. When a round
// fails for what is in it, it is tried with fewer events; one event that cannot be dispatched by itself is set aside:
// no tenant's event stops the line. A statement that the server gave up says little about the event, as another
// session's lock or an operator may be why: the event is set aside when that happens ten times running.
func (db *DB) DispatchEvents(ctx context.Context) (int, error) {
	for total := 0; ; {
		most := dispatchBatch
		if narrow := int(db.dispatchMost.Load()); narrow > 0 {
			most = narrow
		}
		round, err := db.dispatchRound(ctx, most)
		switch {
		case err == nil:
			db.dispatchGivenUp.Store(0)
			if round.deliveries*2 <= dispatchWidth {
				db.dispatchMost.Store(int64(min(most*2, dispatchBatch)))
			}
			if total += round.events; round.events < most || total >= dispatchBatch {
				return total, nil
			}
		case errors.Is(err, errTooWide):
			db.dispatchMost.Store(int64(max(1, round.events*dispatchWidth/round.deliveries)))
		case !causedByData(err):
			return total, err
		case most > 1:
			db.dispatchMost.Store(int64(most / 2))
		case stoppedByServer(err) && db.dispatchGivenUp.Add(1) < dispatchTries:
			return total, err
		default:
			if err := db.setAside(ctx, err); err != nil {
				return total, err
			}
			total++
		}
	}
}

// dispatched is what one round did, or would have.
type dispatched struct{ events, deliveries int }

var errTooWide = errors.New("the events of this round have too many deliveries")

// dispatchRound dispatches up to so many events. Error: errTooWide, when they have too many deliveries.
func (db *DB) dispatchRound(ctx context.Context, most int) (dispatched, error) {
	return cachedPlanTx(ctx, db, "dispatch events", func(tx *tx) (dispatched, error) {
		events, endpoints, err := feedEvents(ctx, tx, most)
		if err != nil || len(events) == 0 {
			return dispatched{}, err
		}
		rows, busy, behind := deliveriesOf(events, endpoints, tx.now)
		round := dispatched{len(events), len(rows)}
		if round.deliveries > dispatchWidth && round.events > 1 {
			return round, errTooWide
		}
		if round.deliveries > 0 {
			insertDeliveries(tx, rows)
		}
		return round, stageBusy(ctx, tx, busy, behind)
	})
}

// stageBusy stages the senders of busy endpoints, and of those that fail the ones which may send something: most of
// what comes for an endpoint that takes nothing waits behind a retry, whose end stages its sender.
func stageBusy(ctx context.Context, tx *tx, busy []dossier.Webhook, behind []behindRetry) error {
	if len(behind) == 0 {
		return stageTold(ctx, tx, busy, senderChannel)
	}
	all := slices.Clone(busy)
	for _, b := range behind {
		all = append(all, b.webhook)
	}
	lockSenders(tx, all)
	free, err := freeOf(ctx, tx, behind)
	if err != nil {
		return err
	}
	for _, w := range busy {
		delete(free, w.ID) // it is staged in any case
	}
	for _, b := range behind {
		if free[b.webhook.ID] {
			delete(free, b.webhook.ID)
			busy = append(busy, b.webhook)
		}
	}
	return stageTold(ctx, tx, busy, senderChannel)
}

// behindRetry is a lead whose event may wait behind the retry of an earlier one at an endpoint that fails.
type behindRetry struct {
	webhook dossier.Webhook
	lead    dossier.LeadID
}

// freeOf are the endpoints at which some lead has no retry to wait for. The caller keeps their senders from ending: a
// retry that ends meanwhile waits with staging the sender until what was dispatched can be seen.
func freeOf(ctx context.Context, tx *tx, behind []behindRetry) (map[dossier.WebhookID]bool, error) {
	var workspaces []dossier.WorkspaceID
	var webhooks []dossier.WebhookID
	var leads []dossier.LeadID
	for _, b := range behind {
		workspaces, webhooks = append(workspaces, b.webhook.Workspace), append(webhooks, b.webhook.ID)
		leads = append(leads, b.lead)
	}
	ids, err := collect(ctx, tx, pgx.RowTo[dossier.WebhookID], `
		SELECT DISTINCT d.webhook_id FROM unnest($1::uuid[], $2::uuid[], $3::uuid[])
			AS d (workspace_id, webhook_id, lead_id)
		LEFT JOIN LATERAL (SELECT 1 AS one FROM deliveries b WHERE b.workspace_id = d.workspace_id
			AND b.webhook_id = d.webhook_id AND b.lead_id = d.lead_id AND b.status = 'PENDING' AND b.tries > 0
			AND b.tries < 4 ORDER BY b.position LIMIT 1) b ON true
		WHERE b.one IS NULL`, workspaces, webhooks, leads)
	free := map[dossier.WebhookID]bool{}
	for _, id := range ids {
		free[id] = true
	}
	return free, err
}

// causedByData reports whether a statement failed because of its data or their amount, not because the database was
// away, busy or shutting down.
func causedByData(err error) bool {
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || len(pg.Code) != 5 {
		return false
	}
	return stoppedByServer(err) || slices.Contains([]string{"21", "22", "23", "54", "XX"}, pg.Code[:2])
}

// stoppedByServer reports whether the server cancelled a statement: by timeout or request, for lack of memory, or by a
// configured limit. Source: PostgreSQL, appendix A.
func stoppedByServer(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && slices.Contains([]string{"57014", "53200", "53400"}, pg.Code)
}

// setAside takes the first event out of the line and keeps why. Its body stays where it is.
func (db *DB) setAside(ctx context.Context, cause error) error {
	event, err := systemTx(ctx, db, "set event aside", func(tx *tx) (dossier.EventID, error) {
		var id dossier.EventID
		err := tx.QueryRow(ctx, `
			WITH first AS (
				DELETE FROM event_inbox WHERE seq = (SELECT seq FROM event_inbox WHERE pg_try_advisory_xact_lock($1)
					ORDER BY seq LIMIT 1)
				RETURNING workspace_id, event_id, also_webhook_id)
			INSERT INTO event_aside (workspace_id, event_id, also_webhook_id, error, created_at)
			SELECT workspace_id, event_id, also_webhook_id, $2, $3 FROM first RETURNING event_id`, dispatchLock,
			sqlState(cause), tx.now).Scan(&id)
		if errors.Is(err, pgx.ErrNoRows) {
			return "", nil // somebody else dispatches
		}
		return id, err
	})
	if err == nil && event != "" {
		db.dispatchGivenUp.Store(0)
		db.asides.Add(1)
		db.log.Error("an event cannot be dispatched and was set aside", "event", event, "error", sqlState(cause))
	}
	return err
}

// sqlState is the kind of a database's error. Its text may hold data.
func sqlState(err error) string {
	var pg *pgconn.PgError
	if errors.As(err, &pg) {
		return "SQLSTATE " + pg.Code
	}
	return ""
}

// EventsSetAside is how many events this process has set aside.
func (db *DB) EventsSetAside() int64 { return db.asides.Load() }

// feedEvents takes events from the inbox if nobody else does, and reads the registrations of their workspaces: what
// Webhook.Wants looks at, and Enabled. Its snapshot may be a moment older than its lock; what the holder before took
// meanwhile is then found deleted, and what was committed meanwhile is taken the next time. Registrations are read by a
// statement of their own after it, so one that was committed before an event is seen with it; which workspaces are
// meant it learns from a setting, in the same round trip.
func feedEvents(ctx context.Context, tx *tx,
	most int) (events []fedEvent, endpoints map[dossier.WorkspaceID][]fedEndpoint, err error) {
	endpoints = map[dossier.WorkspaceID][]fedEndpoint{}
	batch := &pgx.Batch{}
	batch.Queue(`
		WITH mine AS MATERIALIZED (SELECT pg_try_advisory_xact_lock($2) AS mine),
		taken AS (
			DELETE FROM event_inbox WHERE (SELECT mine FROM mine)
				AND seq = ANY (ARRAY(SELECT seq FROM event_inbox ORDER BY seq LIMIT $1)) RETURNING *),
		placed AS (
			SELECT nextval('event_positions') AS position, t.* FROM (SELECT * FROM taken ORDER BY seq) t),
		fed AS (
			INSERT INTO event_feed (workspace_id, position, event_id, type, created_at, is_test)
			SELECT workspace_id, position, event_id, type, created_at, is_test FROM placed),
		told AS MATERIALIZED (SELECT set_config('dossier.fed', coalesce(array_agg(DISTINCT workspace_id)::text, '{}'),
			true) FROM placed)
		SELECT p.position, p.workspace_id, p.event_id, p.type, p.lead_id, p.also_webhook_id, p.created_at,
			p.is_test
		FROM placed p CROSS JOIN told ORDER BY p.position`, most, dispatchLock).
		Query(func(rows pgx.Rows) error {
			events, err = pgx.CollectRows(rows, pgx.RowToStructByName[fedEvent])
			return err
		})
	batch.Queue(`
		SELECT workspace_id, id, events, is_enabled, mode, failing_since IS NOT NULL FROM webhooks
		WHERE workspace_id = ANY(nullif(current_setting('dossier.fed', true), '')::uuid[]) AND deleted_at IS NULL
			ORDER BY workspace_id, id`).
		Query(func(rows pgx.Rows) error {
			var w fedEndpoint
			_, err := pgx.ForEachRow(rows, []any{&w.Workspace, &w.ID, &w.Events, &w.Enabled, &w.Mode, &w.failing},
				func() error {
					endpoints[w.Workspace] = append(endpoints[w.Workspace], w)
					w.Events = nil
					return nil
				})
			return err
		})
	return events, endpoints, tx.SendBatch(ctx, batch).Close()
}

// fedEndpoint is an endpoint as the dispatcher knows it.
type fedEndpoint struct {
	dossier.Webhook
	failing bool // since its last success there was a failure
}

// deliveriesOf makes one delivery per event and endpoint that wants it: PENDING, or SKIPPED for an endpoint that is
// disabled, to be replayed later. It returns also the endpoints that have something to send, and what those that fail
// may have to keep back.
func deliveriesOf(events []fedEvent, endpoints map[dossier.WorkspaceID][]fedEndpoint,
	now time.Time) (rows []deliveryRow, busy []dossier.Webhook, behind []behindRetry) {
	seen := map[dossier.WebhookID]bool{}
	for _, e := range events {
		event := dossier.Event{ID: e.EventID, Workspace: e.WorkspaceID, Type: e.Type, IsTest: e.IsTest}
		if e.AlsoWebhookID != nil {
			event.Webhook = *e.AlsoWebhookID
		}
		for _, w := range endpoints[e.WorkspaceID] {
			if !w.Wants(event) {
				continue
			}
			rows = append(rows, newDelivery(e, w.Webhook, now))
			switch {
			case !w.Enabled || seen[w.ID]:
			case w.failing && e.LeadID != nil:
				behind = append(behind, behindRetry{w.Webhook, *e.LeadID})
			default:
				seen[w.ID] = true
				busy = append(busy, w.Webhook)
			}
		}
	}
	return rows, busy, behind
}

// deliveryRow is a new delivery.
type deliveryRow struct {
	Workspace dossier.WorkspaceID    `json:"workspace_id"`
	ID        dossier.DeliveryID     `json:"id"`
	Webhook   dossier.WebhookID      `json:"webhook_id"`
	Event     dossier.EventID        `json:"event_id"`
	Position  int64                  `json:"position"`
	EventType dossier.EventType      `json:"event_type"`
	Lead      *dossier.LeadID        `json:"lead_id"`
	Status    dossier.DeliveryStatus `json:"status"`
	Due       *time.Time             `json:"next_attempt_at"`
	Completed *time.Time             `json:"completed_at"`
}

func newDelivery(e fedEvent, w dossier.Webhook, now time.Time) deliveryRow {
	row := deliveryRow{
		Workspace: e.WorkspaceID, ID: newID[dossier.DeliveryID](), Webhook: w.ID, Event: e.EventID,
		Position:  e.Position,
		EventType: e.Type, Lead: e.LeadID, Status: dossier.DeliveryPending, Due: &now,
	}
	if !w.Enabled {
		row.Status, row.Due, row.Completed = dossier.DeliverySkipped, nil, &now
	}
	return row
}

func insertDeliveries(tx *tx, rows []deliveryRow) {
	tx.deferExec(`
		INSERT INTO deliveries (workspace_id, id, webhook_id, event_id, position, event_type, lead_id, status,
			next_attempt_at, completed_at, created_at)
		SELECT workspace_id, id, webhook_id, event_id, position, event_type, lead_id, status, next_attempt_at,
			completed_at, $2
		FROM jsonb_populate_recordset(NULL::deliveries, $1)`, rows, tx.now)
}

// Channels that are notified with an endpoint's id when its running sender has more to do.
const (
	senderChannel = "dossier_drains"       // behind everything that there was
	freedChannel  = "dossier_drains_freed" // what waited may be free
)

// ListenEvents calls emitted when events wait to be dispatched, and sender when an endpoint's sender that is under way
// has more to do, until ctx ends; freed says that this may be anywhere in what waits, not only behind it. What it
// misses while it reconnects is found by polling.
func (db *DB) ListenEvents(ctx context.Context, emitted func(), sender func(id dossier.WebhookID, freed bool)) {
	db.listen(ctx, []string{eventChannel, senderChannel, freedChannel}, func(channel, payload string) {
		if channel == eventChannel {
			emitted()
			return
		}
		sender(dossier.WebhookID(payload), channel == freedChannel)
	})
}

// senderKey makes one sender an endpoint.
func senderKey(id dossier.WebhookID) string { return "drain:" + string(id) }

// lockSenders keeps the senders of endpoints from ending while new work for them is staged: a sender ends under
// the same lock, exclusively, and looks once more for work before it does. Sorted, so nobody waits in a circle.
func lockSenders(tx *tx, endpoints []dossier.Webhook) {
	keys := make([]string, len(endpoints))
	for i, w := range endpoints {
		keys[i] = senderKey(w.ID)
	}
	slices.Sort(keys)
	tx.deferExec(`SELECT pg_advisory_xact_lock_shared(hashtextextended(k, 0)) FROM unnest($1::text[]) k`,
		slices.Compact(keys))
}

// lockSender keeps dispatchers and whoever else stages the endpoint's sender waiting until the commit.
func lockSender(tx *tx, endpoint dossier.WebhookID) {
	tx.deferExec(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, senderKey(endpoint))
}

// stageSenders makes sure that every endpoint's sender runs and knows of new work: one that is under way is told, and
// for the others one is staged.
func stageSenders(ctx context.Context, tx *tx, endpoints []dossier.Webhook) error {
	return stageTold(ctx, tx, endpoints, freedChannel)
}

// stageTold is stageSenders with the channel by which senders under way are told.
func stageTold(ctx context.Context, tx *tx, endpoints []dossier.Webhook, channel string) error {
	if len(endpoints) == 0 {
		return nil
	}
	lockSenders(tx, endpoints)
	running, err := wakeSenders(ctx, tx, endpoints, channel)
	if err != nil {
		return err
	}
	var rows []senderRow
	for _, w := range endpoints {
		if !slices.Contains(running, w.ID) {
			rows = append(rows, newSender(w))
		}
	}
	if len(rows) > 0 {
		stopCachingPlans(tx) // jobs have many indexes: which one serves follows from what they hold now
		insertSenders(ctx, tx, rows)
	}
	return nil
}

// senderRow is a new job of a sender.
type senderRow struct {
	Workspace dossier.WorkspaceID `json:"workspace_id"`
	ID        dossier.JobID       `json:"id"`
	Payload   jobs.SendToEndpoint `json:"payload"`
	Key       string              `json:"unique_key"`
}

func newSender(w dossier.Webhook) senderRow {
	return senderRow{w.Workspace, newID[dossier.JobID](), jobs.SendToEndpoint{Workspace: w.Workspace, Webhook: w.ID},
		senderKey(w.ID)}
}

func insertSenders(ctx context.Context, tx *tx, rows []senderRow) {
	spec := jobs.SendToEndpoint{}.Spec()
	tx.staged = true
	tx.deferExec(`WITH j AS (`+insertJobColumns+`
		SELECT workspace_id, id, @kind, @lane, payload, @tries, now(), NULL, unique_key, @request, @now, @bulk, NULL, 0
		FROM jsonb_populate_recordset(NULL::jobs, @rows)
		ON CONFLICT (workspace_id, unique_key) WHERE unique_key IS NOT NULL AND status IN ('QUEUED', 'RUNNING', 'RETRY')
			DO NOTHING
		RETURNING *)`+restage,
		pgx.NamedArgs{"rows": rows, "kind": spec.Kind, "lane": spec.Lane, "tries": spec.Tries,
			"request": dossier.OrNil(RequestID(ctx)), "now": tx.now, "bulk": isBulk(ctx)})
}

// wakeSenders tells the senders that are under way, at the commit, and returns their endpoints. Each is looked up by
// itself, which only the index of unique keys can do: so it need not be planned for every dispatch.
func wakeSenders(ctx context.Context, tx *tx, endpoints []dossier.Webhook,
	channel string) ([]dossier.WebhookID, error) {
	var workspaces []dossier.WorkspaceID
	var keys []string
	for _, w := range endpoints {
		workspaces, keys = append(workspaces, w.Workspace), append(keys, senderKey(w.ID))
	}
	rows, err := tx.Query(ctx, `
		SELECT endpoint, pg_notify($3, endpoint) FROM unnest($1::uuid[], $2::text[]) AS k (workspace_id, key)
		CROSS JOIN LATERAL (SELECT substr(unique_key, 7) AS endpoint FROM jobs
			WHERE workspace_id = k.workspace_id AND unique_key = k.key AND status IN ('QUEUED', 'RUNNING', 'RETRY')
			LIMIT 1) j`, workspaces, keys, channel)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (id dossier.WebhookID, err error) {
		return id,
			row.Scan(&id, nil)
	})
}

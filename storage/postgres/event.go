package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// emit records an event in the commit of the change it tells of. data is its data object in API shape, complete
// with leadId and externalLeadId; lead is empty for events that concern no lead.
func emit(ctx context.Context, tx *tx, eventType dossier.EventType, lead dossier.LeadID, data any) error {
	return emitTo(ctx, tx, eventType, lead, nil, data)
}

// emitTo is emit for an event that one registration gets whatever its filter says: the webhookId of a pipeline
// run, or the endpoint under test, which alone gets it (dossier.Webhook.Wants).
func emitTo(ctx context.Context, tx *tx, eventType dossier.EventType, lead dossier.LeadID, also *dossier.WebhookID,
	data any) error {
	_, err := emitID(ctx, tx, eventType, lead, also, data)
	return err
}

// emitID is emitTo for a caller that wants the event's id.
func emitID(ctx context.Context, tx *tx, eventType dossier.EventType, lead dossier.LeadID, also *dossier.WebhookID,
	data any) (dossier.EventID, error) {
	if !record.FitsEvent(eventType, data) {
		return "", fmt.Errorf("%T is not the data of %s", data, eventType)
	}
	encoded, err := json.Marshal(data)
	if err != nil {
		return "", err
	}
	if encoded, err = dossier.ShortenEvent(encoded, dossier.MaxEventBody-eventHead); err != nil {
		return "", err
	}
	if encoded, err = dossier.MaskAccounts(encoded); err != nil {
		return "", err
	}
	id := newID[dossier.EventID]()
	head, tail := dossier.EventParts(id, tx.ws, eventType, tx.now, encoded)
	tx.deferRow(insertEvents, pgx.NamedArgs{"workspace": tx.ws, "test": tx.test, "now": tx.now},
		pgx.NamedArgs{"ids": id, "types": eventType, "leads": dossier.OrNil(lead), "heads": string(head),
			"tails": string(tail), "alsos": also, "traces": traceOf(ctx, "events", string(id))})
	tx.emitted = true
	return id, nil
}

const eventHead = 512 // what EventBody writes around the data is less

// insertEvents asks each lead itself whether it is a test lead; without one the transaction says it.
const insertEvents = `
	WITH told AS (
		SELECT t.*, coalesce((SELECT l.is_test FROM leads l WHERE l.workspace_id = @workspace AND l.id = t.lead),
			@test) AS is_test
		FROM unnest(@ids::uuid[], @types::text[], @leads::uuid[], @heads::text[], @tails::text[], @alsos::uuid[],
			@traces::text[]) AS t (id, type, lead, head, tail, also, trace)),
	e AS (
		INSERT INTO events (workspace_id, id, type, lead_id, body, created_at, is_test, trace)
			SELECT @workspace, id, type, lead, head || CASE WHEN is_test THEN 'false' ELSE 'true' END || tail, @now,
				is_test, trace
			FROM told)
	INSERT INTO event_inbox (workspace_id, event_id, type, lead_id, also_webhook_id, created_at, is_test)
	SELECT @workspace, id, type, lead, also, @now, is_test FROM told`

// StoredEvent is an event in the feed.
type StoredEvent struct {
	ID   dossier.EventID
	Body string // the exact bytes that were signed
}

// EventFilter says which events of the feed a page has; zero fields keep all.
type EventFilter struct {
	After dossier.EventID // those that follow it
	Since *time.Time
	Type  dossier.EventType
	Tail  bool // the last ones instead of the first
	Limit int
}

// Events returns events of the feed, oldest first in the order of their commits. An event is in the feed only when no
// earlier one can still appear, so a poller that remembers the last id misses nothing. epoch is another number
// whenever the feed began anew. Error: Invalid, for an unknown after.
func (db *DB) Events(ctx context.Context, ws dossier.WorkspaceID, f EventFilter) (events []StoredEvent, epoch int64,
	err error) {
	events, err = snapshot(ctx, db, ws, "list events", func(tx *tx) ([]StoredEvent, error) {
		var err error
		if epoch, err = feedEpoch(ctx, tx); err != nil {
			return nil, err
		}
		position := int64(0)
		if f.After != "" {
			err := tx.QueryRow(ctx, `SELECT position FROM event_feed WHERE workspace_id = $1 AND event_id = $2`, ws,
				f.After).Scan(&position)
			if orMissing(err, "event") != err {
				return nil, unknownAfter()
			}
			if err != nil {
				return nil, err
			}
		}
		query := psql.Select("e.id, e.body").From("event_feed f").Join(
			"events e ON e.workspace_id = f.workspace_id AND e.id = f.event_id").
			Where("f.workspace_id = ? AND f.position > ?", ws, position).Limit(uint64(f.Limit))
		if f.Type != "" {
			query = query.Where("f.type = ?", f.Type)
		}
		if f.Since != nil {
			query = query.Where("f.created_at >= ?", *f.Since)
		}
		if f.Tail {
			query = query.OrderBy("f.position DESC")
		} else {
			query = query.OrderBy("f.position")
		}
		sql, args, err := query.ToSql()
		if err != nil {
			return nil, err
		}
		rows, err := tx.Query(ctx, sql, args...)
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, pgx.RowToStructByPos[StoredEvent])
	})
	if f.Tail {
		slices.Reverse(events)
	}
	return events, epoch, err
}

func unknownAfter() error {
	return dossier.InvalidFaults([]dossier.Fault{{Parameter: "after", Code: "unknown_event_id",
		Detail: "after is not the id of an event of the last 30 days; leave it out to begin with the oldest. " +
			"Another epoch than before says that a backup was put back and the feed began anew"}})
}

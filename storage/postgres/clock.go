package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// A test lead has a clock of its own, which a caller may put forward (AdvanceLead). How far it is ahead of the
// database's clock is stored in the lead's row. In a transaction under WithAhead, tx.now is the lead's time; enqueue
// subtracts the difference again from due times, since the ledger only knows the database's time.

type aheadKey struct{}

// WithAhead marks everything done under ctx as done at the time of a lead whose clock is ahead.
func WithAhead(ctx context.Context, ahead time.Duration) context.Context {
	return context.WithValue(ctx, aheadKey{}, ahead)
}

func aheadOf(ctx context.Context) time.Duration {
	ahead, _ := ctx.Value(aheadKey{}).(time.Duration)
	return ahead
}

// LeadAhead is how far the clock of a test lead is ahead; of any other lead 0.
func (db *DB) LeadAhead(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID) (time.Duration, error) {
	return readOne(ctx, db, ws, "read clock", "lead", scanAhead,
		`SELECT clock_ahead FROM leads WHERE workspace_id = $1 AND id = $2`, ws, lead)
}

func scanAhead(row pgx.CollectableRow) (time.Duration, error) {
	var ahead int64
	err := row.Scan(&ahead)
	return time.Duration(ahead) * time.Microsecond, err
}

// ClockStart is where an advance of a lead's clock begins and where it is to end.
type ClockStart struct {
	Until time.Time // the lead's time
	Feed  int64     // the last event that was there before
}

// StartClock begins an advance of a test lead's clock; nothing moves yet. It takes deleted leads, too, that are not
// erased yet. Error: NotFound, also of a live lead.
func (db *DB) StartClock(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID,
	advance time.Duration) (ClockStart, error) {
	return transact(ctx, db, ws, "start clock", func(tx *tx) (ClockStart, error) {
		ahead, err := lockClock(ctx, tx, lead)
		if err != nil {
			return ClockStart{}, err
		}
		start := ClockStart{Until: tx.now.Add(ahead + advance)}
		return start, tx.QueryRow(ctx, `SELECT coalesce(max(position), 0) FROM event_feed WHERE workspace_id = $1`,
			tx.ws).Scan(&start.Feed)
	})
}

// lockClock holds a test lead and says how far its clock is ahead. Error: NotFound.
func lockClock(ctx context.Context, tx *tx, lead dossier.LeadID) (time.Duration, error) {
	return oneOf(ctx, tx, "lead", scanAhead, `SELECT clock_ahead FROM leads
		WHERE workspace_id = $1 AND id = $2 AND is_test FOR NO KEY UPDATE`, tx.ws, lead)
}

// AdvanceLead puts a test lead's clock forward to until: from one due time to the next, and before each it waits until
// all that was due is done. wait is called between looks; false ends the waiting. It returns the time that was reached,
// which is before until when wait gave up. Error: NotFound, also when an erasure that was due has taken the lead.
func (db *DB) AdvanceLead(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID, until time.Time,
	wait func() bool) (time.Time, error) {
	ctx = WithIdempotency(ctx, nil) // a step is no effect of a call: it only moves toward until
	var reached time.Time
	for {
		rest, err := db.LeadAtRest(ctx, ws, lead)
		if err != nil {
			return reached, err
		}
		if !rest {
			if !wait() {
				return reached, nil
			}
			continue
		}
		if !reached.Before(until) {
			return reached, nil
		}
		if reached, err = db.stepClock(ctx, ws, lead, until); err != nil {
			return reached, err
		}
	}
}

// ofLead are the ids of what jobs of a lead ($2) work on.
const ofLead = ` AND subject_id = ANY (ARRAY(SELECT $2::uuid
	UNION ALL SELECT id FROM workflow_runs WHERE workspace_id = $1 AND lead_id = $2
	UNION ALL SELECT id FROM messages WHERE workspace_id = $1 AND lead_id = $2
	UNION ALL SELECT id FROM documents WHERE workspace_id = $1 AND lead_id = $2
	UNION ALL SELECT id FROM spreads WHERE workspace_id = $1 AND lead_id = $2
	UNION ALL SELECT id FROM erasures WHERE workspace_id = $1 AND lead_id = $2))`

// stepClock puts a lead's clock forward to the next due time, at most to until, and returns the lead's time then.
func (db *DB) stepClock(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID,
	until time.Time) (time.Time, error) {
	return transact(ctx, db, ws, "step clock", func(tx *tx) (time.Time, error) {
		ahead, err := lockClock(ctx, tx, lead)
		if err != nil {
			return time.Time{}, err
		}
		here := tx.now.Add(ahead)
		step := until.Sub(here)
		if step <= 0 {
			return here, nil
		}
		var due *time.Duration
		if err := tx.QueryRow(ctx, `SELECT min(run_at) - now() FROM jobs WHERE workspace_id = $1
			AND status IN ('QUEUED', 'RETRY') AND run_at > now()`+ofLead, tx.ws, lead).Scan(&due); err != nil {
			return here, err
		}
		if due != nil {
			step = min(step, *due)
		}
		step = (step + time.Microsecond - 1).Truncate(time.Microsecond)
		tx.deferExec(`UPDATE leads SET clock_ahead = $3 WHERE workspace_id = $1 AND id = $2`, tx.ws, lead,
			(ahead + step).Microseconds())
		tx.deferExec(`WITH j AS (UPDATE jobs SET run_at = run_at - $3::interval, ahead = $4, epoch = epoch + 1
			WHERE workspace_id = $1 AND status IN ('QUEUED', 'RETRY') AND run_at > now()`+ofLead+`
			RETURNING *)`+restage,
			tx.ws, lead, step, (ahead + step).Microseconds())
		tx.deferExec(`UPDATE portal_links SET expires_at = expires_at - $3::interval
			WHERE workspace_id = $1 AND lead_id = $2`, tx.ws, lead, step)
		tx.staged = true
		return here.Add(step), nil
	})
}

// LeadAtRest reports whether nothing of a test lead is due or under way, and all its events have their place in the
// feed; of one that an erasure has taken, whether that has ended and told so. Error: NotFound.
func (db *DB) LeadAtRest(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID) (bool, error) {
	return readOne(ctx, db, ws, "look at lead", "lead", pgx.RowTo[bool], `SELECT NOT EXISTS (
			SELECT FROM jobs WHERE workspace_id = $1 AND status IN ('QUEUED', 'RUNNING', 'RETRY')
				AND (status = 'RUNNING' OR run_at <= now())`+ofLead+`)
			AND NOT EXISTS (SELECT FROM event_inbox WHERE workspace_id = $1 AND lead_id = $2)
		FROM (SELECT FROM leads WHERE workspace_id = $1 AND id = $2 AND is_test
			UNION ALL SELECT FROM erasures WHERE workspace_id = $1 AND subject_id = $2 AND is_test LIMIT 1) known`,
		ws, lead)
}

// EventsOfLead are the events of a test lead behind a place in the feed, in its order; also of one that was erased
// since. Error: NotFound.
func (db *DB) EventsOfLead(ctx context.Context, ws dossier.WorkspaceID, lead dossier.LeadID,
	feed int64) ([]dossier.EventID, error) {
	return snapshot(ctx, db, ws, "events of lead", func(tx *tx) ([]dossier.EventID, error) {
		var known bool
		err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM leads WHERE workspace_id = $1 AND id = $2 AND is_test)
			OR EXISTS (SELECT FROM erasures WHERE workspace_id = $1 AND subject_id = $2 AND is_test)`, tx.ws,
			lead).Scan(&known)
		if err == nil && !known {
			err = missing("lead")
		}
		if err != nil {
			return nil, err
		}
		return collect(ctx, tx, pgx.RowTo[dossier.EventID], `SELECT f.event_id FROM event_feed f
			JOIN events e ON e.workspace_id = f.workspace_id AND e.id = f.event_id
			WHERE f.workspace_id = $1 AND f.position > $3 AND e.lead_id = $2 ORDER BY f.position`, tx.ws, lead, feed)
	})
}

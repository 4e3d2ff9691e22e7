package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// relayChannel is what the relay listens on.
const relayChannel = "dossier_outbox"

// eventChannel is what the dispatcher listens on.
const eventChannel = "dossier_events"

// staging is how a job is staged when it is not simply "now".
type staging struct {
	runAt     time.Time     // zero: now
	delay     time.Duration // instead of runAt: from now on, by the database's clock
	subject   string        // id of what it works on; cancelSubject stops all work on it
	uniqueKey string        // staged at most once while unfinished
	bulk      bool          // nobody waits for it
}

// enqueue stages job in tx: the ledger row and its outbox row. It cannot run before the commit nor be lost
// after it. Its id is returned; empty when an unfinished job with the same unique key exists.
func enqueue(ctx context.Context, tx *tx, job jobs.Job, how staging) (dossier.JobID, error) {
	payload, err := json.Marshal(job)
	if err != nil {
		return "", err
	}
	// Due times are judged by the database's clock, so "now" is its now too.
	var runAt *time.Time
	if !how.runAt.IsZero() {
		due := how.runAt.Add(-tx.ahead)
		runAt = &due
	}
	spec, id := job.Spec(), newID[dossier.JobID]()
	row := pgx.NamedArgs{"workspace": tx.ws, "id": id, "kind": spec.Kind, "lane": spec.Lane, "payload": payload,
		"tries":  spec.Tries,
		"run_at": runAt, "delay": how.delay, "subject": dossier.OrNil(how.subject),
		"unique_key": dossier.OrNil(how.uniqueKey),
		"request":    dossier.OrNil(RequestID(ctx)), "now": tx.now, "bulk": how.bulk || isBulk(ctx),
		"ahead": tx.ahead.Microseconds(),
		"trace": traceOf(ctx, string(spec.Lane), string(id))}
	tx.staged = true
	if how.uniqueKey == "" { // nothing can stand in its way
		tx.deferExec(insertJob, row)
		return id, nil
	}
	tag, err := tx.Exec(ctx, insertJob, row)
	if err != nil || tag.RowsAffected() == 0 {
		return "", err
	}
	return id, nil
}

const insertJobColumns = `
		INSERT INTO jobs (workspace_id, id, kind, lane, payload, max_attempts, run_at, subject_id, unique_key,
			request_id, created_at, bulk, trace, ahead)`

const insertJob = `
	WITH j AS (` + insertJobColumns + `
		VALUES (@workspace, @id, @kind, @lane, @payload, @tries, coalesce(@run_at, now() + @delay), @subject,
			@unique_key, @request, @now, @bulk, @trace, @ahead)
		ON CONFLICT (workspace_id, unique_key) WHERE unique_key IS NOT NULL
			AND status IN ('QUEUED', 'RUNNING', 'RETRY') DO NOTHING
		RETURNING *)` + restage

// wakeLoops has the relay notified of staged jobs, and the dispatcher of events: once for many commits, since NOTIFY
// inside each commit would make commits queue behind one lock. If the process dies before it notifies, nothing is lost:
// both also poll.
func (db *DB) wakeLoops(staged, emitted bool) {
	if !staged && !emitted {
		return
	}
	if staged {
		db.staged.Store(true)
	}
	if emitted {
		db.emitted.Store(true)
	}
	select {
	case db.wake <- struct{}{}:
	default: // a notification is pending already
	}
}

// notifyEvery is the least time between two notifications. A busy process needs no more: its relay is awake anyway.
const notifyEvery = 2 * time.Millisecond

func (db *DB) notifyLoops() {
	for {
		select {
		case <-db.done:
			return
		case <-db.wake:
			ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
			if err := db.notify(ctx, db.pendingChannels()); err != nil {
				db.log.Debug("relay and dispatcher not notified, they will poll", "error", err)
			}
			cancel()
			jobs.Sleep(context.Background(), notifyEvery)
		}
	}
}

// notify sends a notification to each channel. It needs no role, since it touches no table, and no durable commit.
func (db *DB) notify(ctx context.Context, channels []string) error {
	_, err := db.system.conns.Exec(ctx, `SELECT set_config('synchronous_commit', 'off', true),
		(SELECT count(pg_notify(c, '')) FROM unnest($1::text[]) c)`, channels)
	return err
}

// pendingChannels returns the channels to notify, and resets them.
func (db *DB) pendingChannels() []string {
	var channels []string
	if db.staged.Swap(false) {
		channels = append(channels, relayChannel)
	}
	if db.emitted.Swap(false) {
		channels = append(channels, eventChannel)
	}
	return channels
}

type requestIDKey struct{}

// WithRequestID marks everything a request causes with its id.
func WithRequestID(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, requestIDKey{}, id)
}

// RequestID is the id of the request that ctx belongs to, or empty.
func RequestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

type bulkKey struct{}

// WithClaim marks what a job causes as the job is: with the id of its request, at its lead's time, and as bulk work.
func WithClaim(ctx context.Context, claim Claim) context.Context {
	if claim.Ahead != 0 {
		ctx = WithAhead(ctx, claim.Ahead)
	}
	return context.WithValue(WithRequestID(ctx, claim.RequestID), bulkKey{}, claim.Bulk)
}

func isBulk(ctx context.Context) bool {
	bulk, _ := ctx.Value(bulkKey{}).(bool)
	return bulk
}

package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dossierhq/dossier"
)

// tx is a transaction that runs as one workspace at one time. Lower-case helpers take it.
type tx struct {
	conn   *pgxpool.Conn
	queued *pgx.Batch // statements of later, in order
	ws     dossier.WorkspaceID
	now    time.Time
	cipher *Cipher
	staged bool // the outbox has new rows: the relay is told after the commit

	committed func() // runs after the commit, when set
}

// transact runs do in one transaction as workspace ws and returns what it returned. A serialization failure
// or a deadlock runs it again, so do must have no effects but its statements. op names the operation in errors.
// Under an idempotency key (WithIdempotency) the result is kept in the same commit, and given again to a repeat
// instead of running do.
func transact[T any](ctx context.Context, db *DB, ws dossier.WorkspaceID, op string, do func(tx *tx) (T, error)) (T, error) {
	do = once(ctx, ws, op, do)
	return retry(ctx, op, func() (T, error) {
		return runTx(ctx, db, db.app, beginAs("begin", ws), ws, do)
	})
}

// snapshot runs do in one read-only transaction that sees one moment.
func snapshot[T any](ctx context.Context, db *DB, ws dossier.WorkspaceID, op string, do func(tx *tx) (T, error)) (T, error) {
	return retry(ctx, op, func() (T, error) {
		return runTx(ctx, db, db.app, beginAs("begin isolation level repeatable read read only", ws), ws, do)
	})
}

// systemTx runs do as dossier_system: for work that belongs to no tenant.
func systemTx[T any](ctx context.Context, db *DB, op string, do func(tx *tx) (T, error)) (T, error) {
	return retry(ctx, op, func() (T, error) {
		return runTx(ctx, db, db.system, "begin", "", do)
	})
}

// beginAs opens a transaction and sets its workspace in one round trip: pgx sends a text of several statements
// as one message. The id cannot smuggle SQL: anything but a canonical UUID becomes no workspace at all.
func beginAs(begin string, ws dossier.WorkspaceID) string {
	if !dossier.ValidID(string(ws)) {
		return begin
	}
	return begin + "; select set_config('app.ws', '" + string(ws) + "', true)"
}

func runTx[T any](ctx context.Context, db *DB, pool *pgxpool.Pool, begin string, ws dossier.WorkspaceID, do func(tx *tx) (T, error)) (T, error) {
	var none T
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return none, err
	}
	defer conn.Release() // a connection that is not idle is closed, not kept
	if _, err := conn.Exec(ctx, begin); err != nil {
		return none, err
	}
	t := &tx{conn: conn, queued: &pgx.Batch{}, ws: ws, now: db.now(), cipher: db.cipher}
	result, err := do(t)
	if err == nil {
		err = t.commit(ctx)
	}
	if err != nil {
		t.rollback(ctx)
		return result, err
	}
	if t.committed != nil {
		t.committed()
	}
	if t.staged {
		db.wakeRelay()
	}
	return result, nil
}

// later stages a statement whose result nobody reads. It goes out together with what follows it, at the latest with
// the commit, and so costs no round trip of its own; its error is that of the statement or commit it goes with.
func (t *tx) later(sql string, args ...any) { t.queued.Queue(sql, args...) }

// flush sends what later staged.
func (t *tx) flush(ctx context.Context) error {
	if t.queued.Len() == 0 {
		return nil
	}
	batch := t.queued
	t.queued = &pgx.Batch{}
	return t.conn.SendBatch(ctx, batch).Close()
}

// Exec runs a statement after those that later staged.
func (t *tx) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if err := t.flush(ctx); err != nil {
		return pgconn.CommandTag{}, err
	}
	return t.conn.Exec(ctx, sql, args...)
}

// Query is Exec for rows.
func (t *tx) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if err := t.flush(ctx); err != nil {
		return nil, err
	}
	return t.conn.Query(ctx, sql, args...)
}

// QueryRow is Exec for one row.
func (t *tx) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	if err := t.flush(ctx); err != nil {
		return failedRow{err}
	}
	return t.conn.QueryRow(ctx, sql, args...)
}

// SendBatch sends statements in one round trip, after those that later staged.
func (t *tx) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	if err := t.flush(ctx); err != nil {
		return failedBatch{err}
	}
	return t.conn.SendBatch(ctx, batch)
}

// commit ends the transaction; staged statements travel with it.
func (t *tx) commit(ctx context.Context) error {
	t.queued.Queue("commit")
	results := t.conn.SendBatch(ctx, t.queued)
	var tag pgconn.CommandTag
	var err error
	for range t.queued.Len() {
		if tag, err = results.Exec(); err != nil {
			break
		}
	}
	if closed := results.Close(); err == nil {
		err = closed
	}
	if err == nil && tag.String() == "ROLLBACK" {
		err = pgx.ErrTxCommitRollback // a statement failed and its error was not returned
	}
	return err
}

// rollback gives the connection back clean, whatever became of ctx.
func (t *tx) rollback(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_, _ = t.conn.Exec(ctx, "rollback") // when it fails the connection is closed on release
}

// failedRow and failedBatch are what a statement returns when one before it failed.
type (
	failedRow   struct{ err error }
	failedBatch struct{ err error }
)

func (f failedRow) Scan(...any) error                  { return f.err }
func (f failedBatch) Exec() (pgconn.CommandTag, error) { return pgconn.CommandTag{}, f.err }
func (f failedBatch) Query() (pgx.Rows, error)         { return nil, f.err }
func (f failedBatch) QueryRow() pgx.Row                { return failedRow(f) }
func (f failedBatch) Close() error                     { return f.err }
func (f failedBatch) Tx() pgx.Tx                       { return nil }

const maxTxTries = 6

func retry[T any](ctx context.Context, op string, run func() (T, error)) (T, error) {
	for try := 1; ; try++ {
		result, err := run()
		if err == nil || try == maxTxTries || !serializationFailure(err) {
			return result, translate(op, err)
		}
		select {
		case <-ctx.Done():
			return result, translate(op, err)
		case <-time.After(time.Duration(rand.IntN(1<<try)+1) * time.Millisecond):
		}
	}
}

func serializationFailure(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == "40P01")
}

// none is the result of a transaction that returns nothing.
type none = struct{}

// readAll runs one query as workspace ws, the workspace and the query in one round trip, and scans all rows.
func readAll[T any](ctx context.Context, db *DB, ws dossier.WorkspaceID, op string, scan pgx.RowToFunc[T], sql string, args ...any) ([]T, error) {
	return retry(ctx, op, func() ([]T, error) {
		// Without an explicit transaction the batch is one: what set_config sets as local ends with it.
		batch := &pgx.Batch{}
		batch.Queue("select set_config('app.ws', $1, true)", string(ws))
		batch.Queue(sql, args...)
		results := db.app.SendBatch(ctx, batch)
		defer func() { _ = results.Close() }()
		if _, err := results.Exec(); err != nil {
			return nil, err
		}
		rows, err := results.Query()
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, scan)
	})
}

// readOne is readAll for a query with one row. Error: pgx.ErrNoRows becomes NotFound of the noun.
func readOne[T any](ctx context.Context, db *DB, ws dossier.WorkspaceID, op, noun string, scan pgx.RowToFunc[T], sql string, args ...any) (T, error) {
	rows, err := readAll(ctx, db, ws, op, scan, sql, args...)
	if err != nil || len(rows) == 0 {
		var none T
		if err == nil {
			err = missing(noun)
		}
		return none, err
	}
	return rows[0], nil
}

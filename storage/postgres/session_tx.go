package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// tx is a transaction that runs as one workspace at one time. Lower-case helpers take it. Its statements are in
// roundtrip.go.
type tx struct {
	*session
	ws     dossier.WorkspaceID
	now    time.Time
	ahead  time.Duration // of a test lead's clock; it is in now
	cipher *Cipher
	test   bool // a test key acts: what concerns no lead is of its mode
}

// transact runs do in one transaction as workspace ws and returns what it returned. A serialization failure
// or a deadlock runs it again, so do must have no effects but its statements. op names the operation in errors.
// Under an idempotency key (WithIdempotency) the result is kept in the same commit, and given again to a repeat
// instead of running do.
func transact[T any](ctx context.Context, db *DB, ws dossier.WorkspaceID, op string,
	do func(tx *tx) (T, error)) (T, error) {
	do = once(ctx, ws, op, do)
	return retry(ctx, op, func() (T, error) {
		return runTx(ctx, db, db.app, "begin", tenant(ctx, ws), ws, do)
	})
}

// briefly is how long a request of a lead's page waits for rows that somebody else holds.
const briefly = 200 * time.Millisecond

// transactBriefly is transact for whom many wait: where another transaction holds what it wants, it gives up soon.
// Error of that: Unavailable.
func transactBriefly[T any](ctx context.Context, db *DB, ws dossier.WorkspaceID, op string,
	do func(tx *tx) (T, error)) (T, error) {
	settings := append(tenant(ctx, ws), setting{"lock_timeout", strconv.FormatInt(briefly.Milliseconds(), 10)})
	return retry(ctx, op, func() (T, error) {
		return runTx(ctx, db, db.app, "begin", settings, ws, do)
	})
}

// snapshot runs do in one read-only transaction that sees one moment.
func snapshot[T any](ctx context.Context, db *DB, ws dossier.WorkspaceID, op string,
	do func(tx *tx) (T, error)) (T, error) {
	return retry(ctx, op, func() (T, error) {
		return runTx(ctx, db, db.app, "begin isolation level repeatable read read only", tenant(ctx, ws), ws, do)
	})
}

// snapshotByIndex is snapshot for statements that count much of a table of which an index has all that they count:
// reading the whole table costs three times as much, and the planner does not always know.
func snapshotByIndex[T any](ctx context.Context, db *DB, ws dossier.WorkspaceID, op string,
	do func(tx *tx) (T, error)) (T, error) {
	settings := append(tenant(ctx, ws), setting{"enable_seqscan", "off"})
	return retry(ctx, op, func() (T, error) {
		return runTx(ctx, db, db.app, "begin isolation level repeatable read read only", settings, ws, do)
	})
}

// systemTx runs do as dossier_system: for work that belongs to no tenant.
func systemTx[T any](ctx context.Context, db *DB, op string, do func(tx *tx) (T, error)) (T, error) {
	return retry(ctx, op, func() (T, error) {
		return runTx(ctx, db, db.system, "begin", nil, "", do)
	})
}

// plannedTx is systemTx for statements that are made many times a second: each is planned once a connection. The plan
// may be from when its table was empty, so only a statement that has one index to go by, and no join to choose, may be
// made in it.
func plannedTx[T any](ctx context.Context, db *DB, op string, do func(tx *tx) (T, error)) (T, error) {
	return retry(ctx, op, func() (T, error) {
		return runTx(ctx, db, db.system, "begin", []setting{{"plan_cache_mode", "force_generic_plan"},
			{"enable_seqscan", "off"}}, "", do)
	})
}

// plannedAnew ends that: what follows in the transaction is planned for what the tables hold.
func plannedAnew(tx *tx) {
	tx.later(`SELECT set_config('plan_cache_mode', 'force_custom_plan', true),
		set_config('enable_seqscan', 'on', true)`)
}

// setWorkspace makes the transaction one of ws. Anything but an id is no workspace at all: no row is seen.
func setWorkspace(ws dossier.WorkspaceID) []setting {
	if !dossier.ValidID(string(ws)) {
		return nil
	}
	return []setting{{"app.ws", string(ws)}}
}

// tenant makes the transaction one of ws, by who acts under ctx: what live leads have is not there for a test key.
func tenant(ctx context.Context, ws dossier.WorkspaceID) []setting {
	settings := setWorkspace(ws)
	if actorOf(ctx).Test {
		settings = append(settings, setting{"role", testRole})
	}
	return settings
}

// testRole is the working role of test keys.
const testRole = "dossier_test"

func runTx[T any](ctx context.Context, db *DB, pool *pool, begin string, settings []setting, ws dossier.WorkspaceID,
	do func(tx *tx) (T, error)) (T, error) {
	var none T
	if pool == db.app && ws != "" {
		leave, err := db.shares.take(ctx, ws)
		if err != nil {
			return none, err
		}
		defer leave()
	}
	conn, err := pool.conns.Acquire(ctx)
	if err != nil {
		return none, err
	}
	defer conn.Release() // a connection that is not idle is closed, not kept
	ahead := aheadOf(ctx)
	t := &tx{session: &session{conn: conn.Conn(), begin: begin, settings: pool.under(settings...),
		queued: &pgx.Batch{}},
		ws: ws, now: db.now().Add(ahead), ahead: ahead, cipher: db.cipher, test: actorOf(ctx).Test}
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
	db.wakeLoops(t.staged, t.emitted)
	return result, nil
}

const maxTxTries = 6

func retry[T any](ctx context.Context, op string, run func() (T, error)) (T, error) {
	for try := 1; ; try++ {
		result, err := run()
		if err == nil || try == maxTxTries || !serializationFailure(err) {
			return result, translate(op, err)
		}
		if !jobs.Sleep(ctx, time.Duration(rand.IntN(1<<try)+1)*time.Millisecond) {
			return result, translate(op, err)
		}
	}
}

func serializationFailure(err error) bool {
	var pg *pgconn.PgError
	return errors.As(err, &pg) && (pg.Code == "40001" || pg.Code == codeDeadlock)
}

// none is the result of a transaction that returns nothing.
type none = struct{}

// readAll runs one query as workspace ws, the workspace and the query in one round trip, and scans all rows.
func readAll[T any](ctx context.Context, db *DB, ws dossier.WorkspaceID, op string, scan pgx.RowToFunc[T], sql string,
	args ...any) ([]T, error) {
	return retry(ctx, op, func() ([]T, error) {
		return queryUnder(ctx, db.app, tenant(ctx, ws), scan, sql, args...)
	})
}

// queryUnder runs one statement under settings, in one round trip. Without an explicit transaction the batch is one:
// what is set as local ends with it.
func queryUnder[T any](ctx context.Context, pool *pool, set []setting, scan pgx.RowToFunc[T], sql string,
	args ...any) ([]T, error) {
	rows, err := lastQuery(pool.SendBatch(ctx, one(sql, args), set...))
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scan)
}

// readOne is readAll for a query with one row. Error: pgx.ErrNoRows becomes NotFound of the noun.
func readOne[T any](ctx context.Context, db *DB, ws dossier.WorkspaceID, op, noun string, scan pgx.RowToFunc[T],
	sql string, args ...any) (T, error) {
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

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

// tx is a transaction that runs as one workspace and has one time, now. Unexported helpers take it as an argument. How
// it sends statements stands in session_roundtrip.go.
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
	do = withIdempotency(ctx, ws, op, do)
	return retry(ctx, op, func() (T, error) {
		return runTx(ctx, db, db.app, "begin", tenant(ctx, ws), ws, do)
	})
}

// portalLockTimeout is how long a request of a lead's page waits for rows that somebody else holds.
const portalLockTimeout = 200 * time.Millisecond

// transactBriefly is transact with a short lock_timeout, for requests of leads' pages, which others wait for. Error:
// Unavailable, when another transaction holds a row for longer than portalLockTimeout.
func transactBriefly[T any](ctx context.Context, db *DB, ws dossier.WorkspaceID, op string,
	do func(tx *tx) (T, error)) (T, error) {
	settings := append(tenant(ctx, ws),
		setting{"lock_timeout", strconv.FormatInt(portalLockTimeout.Milliseconds(), 10)})
	return retry(ctx, op, func() (T, error) {
		return runTx(ctx, db, db.app, "begin", settings, ws, do)
	})
}

// snapshot runs do in one read-only transaction at isolation level repeatable read.
func snapshot[T any](ctx context.Context, db *DB, ws dossier.WorkspaceID, op string,
	do func(tx *tx) (T, error)) (T, error) {
	return retry(ctx, op, func() (T, error) {
		return runTx(ctx, db, db.app, "begin isolation level repeatable read read only", tenant(ctx, ws), ws, do)
	})
}

// snapshotByIndex is snapshot without sequential scans, for statements that count much of a table and find all they
// need in an index. Reading the whole table costs three times as much, and the planner does not always know.
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

// cachedPlanTx is systemTx for statements that run many times a second: each is planned once per connection
// (force_generic_plan). The plan may have been made when its table was empty, so only statements that can use one index
// and leave the planner no choice of joins may run in it.
func cachedPlanTx[T any](ctx context.Context, db *DB, op string, do func(tx *tx) (T, error)) (T, error) {
	return retry(ctx, op, func() (T, error) {
		return runTx(ctx, db, db.system, "begin", []setting{{"plan_cache_mode", "force_generic_plan"},
			{"enable_seqscan", "off"}}, "", do)
	})
}

// stopCachingPlans ends what cachedPlanTx began: later statements of the transaction are planned for what the tables
// hold now.
func stopCachingPlans(tx *tx) {
	tx.deferExec(`SELECT set_config('plan_cache_mode', 'force_custom_plan', true),
		set_config('enable_seqscan', 'on', true)`)
}

// setWorkspace returns the setting that lets row-level security show the rows of ws. What is not an id sets nothing, so
// that no row is visible.
func setWorkspace(ws dossier.WorkspaceID) []setting {
	if !dossier.ValidID(string(ws)) {
		return nil
	}
	return []setting{{"app.ws", string(ws)}}
}

// tenant returns the settings of a transaction in ws. For a test key they include the role that does not see live
// leads.
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
	rows, err := lastQuery(pool.SendBatch(ctx, singleBatch(sql, args), set...))
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

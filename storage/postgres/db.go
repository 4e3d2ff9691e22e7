package postgres

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// psql builds statements that change shape; fixed ones are plain text.
var psql = squirrel.StatementBuilder.PlaceholderFormat(squirrel.Dollar)

// Config is what Open needs. Zero values of the optional fields work.
type Config struct {
	URL           string           // of a login that owns the database or is a member of both roles
	PoolSize      int              // connections of tenants' work; default 16. The system pool adds a few
	Now           func() time.Time // default time.Now
	SecretKey     []byte           // 32 bytes; encrypts secrets at rest
	OldSecretKeys [][]byte         // still read, after a change of keys
	Log           *slog.Logger     // default slog.Default()
	Tracer        pgx.QueryTracer  // told of every statement; for measurements. Default none
}

// DB is the store. It is safe for concurrent use.
type DB struct {
	app    *pgxpool.Pool // as dossier_app, under row-level security
	system *pgxpool.Pool // as dossier_system, for what has no tenant yet
	clock  func() time.Time
	cipher *Cipher
	log    *slog.Logger
	wake   chan struct{} // something was staged or emitted: tell the relay or the dispatcher
	done   chan struct{}

	staged, emitted atomic.Bool // since they were last told

	dispatchMost atomic.Int64 // events of the next round; 0: as many as a round may have
	asides       atomic.Int64 // events that were set aside

	claims   *batcher[claimAsk, claimed] // many workers' claims in one statement
	finishes *batcher[Claim, bool]

	starts     *batcher[startedRun, bool] // writes of many requests in one commit
	activities *batcher[writtenActivity, bool]
	saves      *batcher[successes, none] // of drains: first tries that succeeded
	nexts      *batcher[nextAsk, Next]   // what drains read, in one round trip
}

// Open connects and returns once the database has answered. It does not migrate.
func Open(ctx context.Context, cfg Config) (*DB, error) {
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	if cfg.Log == nil {
		cfg.Log = slog.Default()
	}
	if cfg.PoolSize == 0 {
		cfg.PoolSize = 16
	}
	cipher, err := NewCipher(append([][]byte{cfg.SecretKey}, cfg.OldSecretKeys...)...)
	if err != nil {
		return nil, err
	}
	db := &DB{clock: cfg.Now, cipher: cipher, log: cfg.Log, wake: make(chan struct{}, 1), done: make(chan struct{})}
	if db.app, err = openPool(ctx, cfg, "dossier_app", cfg.PoolSize); err != nil {
		return nil, err
	}
	if db.system, err = openPool(ctx, cfg, "dossier_system", max(8, cfg.PoolSize/4)); err != nil {
		db.app.Close()
		return nil, err
	}
	db.claims = newBatcher(db.done, db.claimBatch)
	db.finishes = newBatcher(db.done, db.finishBatch)
	db.starts = newRequestBatcher(db.done, db.startRuns)
	db.activities = newRequestBatcher(db.done, db.writeActivities)
	db.saves = newBatcher(db.done, db.saveTogether)
	db.nexts = newBatcher(db.done, db.nextTogether)
	db.saves.writers, db.saves.window = 1, savesWindow
	db.nexts.writers, db.nexts.window = 1, nextsWindow
	go db.notifyLoops()
	return db, nil
}

func openPool(ctx context.Context, c Config, role string, size int) (*pgxpool.Pool, error) {
	cfg, err := pgxpool.ParseConfig(c.URL)
	if err != nil {
		return nil, fmt.Errorf("DATABASE_URL cannot be read (its form is postgres://user:password@host:port/database)")
	}
	cfg.MaxConns = int32(size)
	cfg.ConnConfig.Tracer = c.Tracer
	cfg.MaxConnIdleTime = 5 * time.Minute
	cfg.ConnConfig.RuntimeParams["application_name"] = "dossier"
	cfg.ConnConfig.RuntimeParams["statement_timeout"] = "30000"
	cfg.ConnConfig.RuntimeParams["idle_in_transaction_session_timeout"] = "60000"
	cfg.ConnConfig.RuntimeParams["timezone"] = "UTC"
	cfg.ConnConfig.RuntimeParams["random_page_cost"] = "1.1" // no disk that seeks: an index is worth its use
	if role == "dossier_system" {
		// The queue's statements join a handful of ids to a table that may grow from nothing to millions within a
		// minute: a plan kept from the empty table would read all of it every time.
		cfg.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_custom_plan"
	}
	cfg.AfterConnect = func(ctx context.Context, conn *pgx.Conn) error {
		registerIDs(conn)
		_, err := conn.Exec(ctx, "SET ROLE "+role)
		return err
	}
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, fmt.Errorf("connect to Postgres as %s: %w", role, err)
	}
	return pool, nil
}

// Close waits for running statements and closes the connections.
func (db *DB) Close() {
	close(db.done)
	db.app.Close()
	db.system.Close()
}

// Ping asks whether the database answers. Error: Unavailable.
func (db *DB) Ping(ctx context.Context) error {
	var one int
	return translate("ping", db.app.QueryRow(ctx, "SELECT 1").Scan(&one))
}

// now is the time of a change, at the precision Postgres keeps, so that what was written equals what is read.
func (db *DB) now() time.Time { return db.clock().UTC().Truncate(time.Microsecond) }

// NewID makes an id that sorts by the time it was made (UUIDv7).
func NewID() string { return uuid.Must(uuid.NewV7()).String() }

func newID[ID ~string]() ID { return ID(NewID()) }

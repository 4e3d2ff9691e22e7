package postgres

import (
	"cmp"
	"context"
	"encoding/binary"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// psql builds statements that change shape; fixed ones are plain text.
var psql = squirrel.StatementBuilder.PlaceholderFormat(squirrel.Dollar)

// Config is what Open needs. Zero values of the optional fields work.
type Config struct {
	URL           string           // of a login that is a member of both roles and owns nothing (MakeLogin)
	ListenURL     string           // for connections that listen: past a pooler in transaction mode. Default URL
	AnyLogin      bool             // also one that row-level security does not hold; said in the log. For development
	PoolSize      int              // connections of tenants' work; default 16. The system pool adds a few
	Now           func() time.Time // default time.Now
	SecretKey     []byte           // 32 bytes; encrypts secrets at rest
	OldSecretKeys [][]byte         // still read, after a change of keys
	Log           *slog.Logger     // default slog.Default()
	Tracer        pgx.QueryTracer  // told of every statement; for measurements. Default none
	Release       string           // of the program, for others to see; default: not told
}

// DB is the store. It is safe for concurrent use.
type DB struct {
	app       *pool // as dossier_app, under row-level security
	system    *pool // as dossier_system, for what has no tenant yet
	shares    *shares
	listenURL string
	clock     func() time.Time
	cipher    *Cipher
	log       *slog.Logger
	wake      chan struct{} // something was staged or emitted: tell the relay or the dispatcher
	done      chan struct{}

	staged, emitted atomic.Bool // since they were last told

	dispatchMost    atomic.Int64 // events of the next round; 0: as many as a round may have
	dispatchGivenUp atomic.Int64 // rounds of one event, running, that the server gave up
	asides          atomic.Int64 // events that were set aside

	counts countCache // of long queues

	claims   *batcher[claimRequest, claimed] // many workers' claims in one statement
	finishes *batcher[Claim, bool]

	starts     *batcher[startedRun, bool] // writes of many requests in one commit
	activities *batcher[writtenActivity, bool]
	saves      *batcher[successes, none] // of senders: first tries that succeeded
	nexts      *batcher[nextAsk, Next]   // what senders read, in one round trip
	endpoints  *batcher[endpointAsk, sealedEndpoint]
}

// Open connects and returns once the database has answered. It does not migrate. Error: the login could leave row-level
// security (AnyLogin).
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
	if err := checkLogin(ctx, cfg); err != nil {
		return nil, err
	}
	db := &DB{clock: cfg.Now, cipher: cipher, log: cfg.Log, listenURL: cmp.Or(cfg.ListenURL, cfg.URL),
		shares: newShares(cfg.PoolSize), wake: make(chan struct{}, 1), done: make(chan struct{})}
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
	db.saves = newBatcher(db.done, db.saveGroup)
	db.nexts = newBatcher(db.done, db.nextGroup)
	db.saves.writers, db.saves.window = 1, savesWindow
	db.nexts.writers, db.nexts.window = 1, nextsWindow
	db.endpoints = newBatcher(db.done, db.endpointGroup)
	db.endpoints.writers, db.endpoints.window = 1, nextsWindow
	go db.notifyLoops()
	return db, nil
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

// idFrom is not greater than any id that is made from a time on, and greater than those made before.
func idFrom(at time.Time) string {
	var id uuid.UUID
	binary.BigEndian.PutUint64(id[:8], uint64(max(at.UnixMilli(), 0))<<16)
	return id.String()
}

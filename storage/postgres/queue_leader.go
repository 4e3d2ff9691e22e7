package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier/jobs"
)

// RunAsLeader waits to be the one process that holds the named lock, runs do, and begins again when do returns or the
// lock's connection is lost, until ctx ends. do must stop when its context ends: someone else may lead by then.
func (db *DB) RunAsLeader(ctx context.Context, lock int64, do func(ctx context.Context)) {
	for ctx.Err() == nil {
		if err := db.leadOnce(ctx, lock, do); err != nil && ctx.Err() == nil {
			db.log.Warn("leadership lost or not to be had, trying again", "lock", lock, "error", err)
		}
		jobs.Sleep(ctx, time.Second)
	}
}

func (db *DB) leadOnce(ctx context.Context, lock int64, do func(ctx context.Context)) error {
	conn, err := db.holdLock(ctx, lock)
	if err != nil || conn == nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	leading, stop := context.WithCancel(ctx)
	defer stop()
	lost := make(chan error, 1)
	go func() { lost <- watch(leading, conn); stop() }()
	do(leading)
	stop()
	return <-lost
}

// leaderSettings are the timeouts of the leader's transaction. When a leader's machine vanishes, or its process is
// stopped, the connection stays open: the server must notice that by itself and free the lock. A live leader sends a
// query every second (watch).
var leaderSettings = []setting{
	{"tcp_keepalives_idle", "5"}, {"tcp_keepalives_interval", "2"}, {"tcp_keepalives_count", "3"},
	{"idle_in_transaction_session_timeout", "8000"},
}

// holdLock waits for the lock and returns the connection that holds it, in a transaction that is kept open: a pooler
// leaves the server's session to who is in a transaction, and a transaction that did nothing but take a lock holds up
// no vacuum. Nil: ctx ended first.
func (db *DB) holdLock(ctx context.Context, lock int64) (*pgx.Conn, error) {
	conn, err := db.dedicated(ctx, db.system.conns.Config().ConnConfig)
	if err != nil {
		return nil, err
	}
	for {
		leads, err := tryLead(ctx, conn, lock)
		if err == nil && leads {
			return conn, nil
		}
		if err != nil || !jobs.Sleep(ctx, 2*time.Second) {
			_ = conn.Close(context.WithoutCancel(ctx))
			return nil, err
		}
	}
}

func tryLead(ctx context.Context, conn *pgx.Conn, lock int64) (bool, error) {
	batch := &pgx.Batch{}
	batch.Queue("begin")
	queueSettings(batch, workingSettings("dossier_system"), leaderSettings)
	if err := conn.SendBatch(ctx, batch).Close(); err != nil {
		return false, err
	}
	var leads bool
	if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1)", lock).Scan(&leads); err != nil || leads {
		return leads, err
	}
	_, err := conn.Exec(ctx, "rollback")
	return false, err
}

// watch returns when the connection, and with it the lock, is gone, or ctx ends.
func watch(ctx context.Context, conn *pgx.Conn) error {
	for jobs.Sleep(ctx, time.Second) {
		alive, cancel := context.WithTimeout(context.WithoutCancel(ctx), 3*time.Second)
		_, err := conn.Exec(alive, "SELECT 1")
		cancel()
		if err != nil {
			return err
		}
	}
	return nil
}

// dedicated opens a connection outside the pools, for what must stay on one session.
func (db *DB) dedicated(ctx context.Context, cfg *pgx.ConnConfig) (*pgx.Conn, error) {
	opening, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	return pgx.ConnectConfig(opening, cfg.Copy())
}

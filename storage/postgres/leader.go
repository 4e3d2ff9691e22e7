package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Lead waits to be the one process that holds the named lock, runs do, and begins again when do returns or the
// lock's connection is lost, until ctx ends. do must stop when its context ends: someone else may lead by then.
func (db *DB) Lead(ctx context.Context, lock int64, do func(ctx context.Context)) {
	for ctx.Err() == nil {
		if err := db.leadOnce(ctx, lock, do); err != nil && ctx.Err() == nil {
			db.log.Warn("leadership lost or not to be had, trying again", "lock", lock, "error", err)
		}
		pause(ctx, time.Second)
	}
}

func (db *DB) leadOnce(ctx context.Context, lock int64, do func(ctx context.Context)) error {
	conn, err := db.dedicated(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	for {
		var leads bool
		if err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", lock).Scan(&leads); err != nil {
			return err
		}
		if leads {
			break
		}
		if !pause(ctx, 2*time.Second) {
			return nil
		}
	}
	leading, stop := context.WithCancel(ctx)
	defer stop()
	lost := make(chan error, 1)
	go func() { lost <- watch(leading, conn); stop() }()
	do(leading)
	stop()
	return <-lost
}

// watch returns when the connection, and with it the lock, is gone, or ctx ends.
func watch(ctx context.Context, conn *pgx.Conn) error {
	for pause(ctx, time.Second) {
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
func (db *DB) dedicated(ctx context.Context) (*pgx.Conn, error) {
	cfg := db.system.Config().ConnConfig.Copy()
	// A leader whose machine vanishes says no goodbye, and one whose process is stopped keeps its connection: the server
	// must find out by itself and free the lock. Who leads asks something every second (watch).
	cfg.RuntimeParams["tcp_keepalives_idle"], cfg.RuntimeParams["tcp_keepalives_interval"], cfg.RuntimeParams["tcp_keepalives_count"] = "5", "2", "3"
	cfg.RuntimeParams["idle_session_timeout"] = "8s"
	opening, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, err := pgx.ConnectConfig(opening, cfg)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(opening, "SET ROLE dossier_system"); err != nil {
		_ = conn.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	return conn, nil
}

// pause waits; false: ctx ended first.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}

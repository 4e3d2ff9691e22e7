package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// Staged is an outbox row: a job on its way to the queue.
type Staged struct {
	Job     dossier.JobID
	Epoch   int
	Kind    string
	Lane    jobs.Lane
	Payload json.RawMessage
	Wait    time.Duration // until it is due, by the database's clock; 0: it is
	Trace   string        // that the job belongs to; empty: nobody traces

	id        int64
	workspace *string
	runAt     time.Time
	createdAt time.Time
}

// RelayOutbox takes up to limit rows, oldest first, lets those of shared lanes await admission, hands the others to
// deliver and removes those it delivered, in one transaction. deliver returns the rows it could not deliver; they go to
// the back so that one bad row does not hold up the rest. An error leaves everything as it was. A crash in between
// delivers again, which the queue recognises by job and epoch. Any number of relays may run: each takes rows nobody
// else has. It returns how many rows it took.
func (db *DB) RelayOutbox(ctx context.Context, limit int, deliver func(ctx context.Context,
	rows []Staged) (undelivered []Staged, err error)) (int, error) {
	// Forgetting the removal in a crash of the database only delivers twice, so the commit need not wait for the disk.
	n, err := runTx(ctx, db, db.system, "begin", []setting{{"synchronous_commit", "off"}}, "",
		func(tx *tx) (int, error) {
			rows, err := takeOutbox(ctx, tx, limit)
			if err != nil || len(rows) == 0 {
				return 0, err
			}
			others, err := awaitAdmission(ctx, tx, rows)
			if err != nil || len(others) == 0 {
				return len(rows), err
			}
			undelivered, err := deliver(ctx, others)
			if err != nil {
				return 0, err
			}
			return len(rows), returnToOutbox(ctx, tx, undelivered)
		})
	return n, translate("relay outbox", err)
}

func takeOutbox(ctx context.Context, tx *tx, limit int) ([]Staged, error) {
	rows, err := tx.Query(ctx, `
		DELETE FROM outbox WHERE id = ANY (ARRAY(SELECT id FROM outbox ORDER BY id LIMIT $1 FOR UPDATE SKIP LOCKED))
		RETURNING id, workspace_id, job_id, epoch, kind, lane, payload, run_at, created_at, coalesce(trace, ''),
			greatest(0, extract(epoch FROM run_at - clock_timestamp()))::float8`, limit)
	if err != nil {
		return nil, err
	}
	staged, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s Staged, err error) {
		var wait float64
		err = row.Scan(&s.id, &s.workspace, &s.Job, &s.Epoch, &s.Kind, &s.Lane, &s.Payload, &s.runAt, &s.createdAt,
			&s.Trace, &wait)
		s.Wait = time.Duration(wait * float64(time.Second))
		return s, err
	})
	slices.SortFunc(staged, func(a, b Staged) int { return cmp.Compare(a.id, b.id) })
	return staged, err
}

func returnToOutbox(ctx context.Context, tx *tx, rows []Staged) error {
	for _, s := range rows {
		_, err := tx.Exec(ctx, `INSERT INTO outbox (workspace_id, job_id, epoch, kind, lane, payload, run_at,
			created_at, trace) VALUES (@workspaceId, @jobId, @epoch, @kind, @lane, @payload, @runAt, @createdAt,
				@trace)`,
			pgx.NamedArgs{"workspaceId": s.workspace, "jobId": s.Job, "epoch": s.Epoch, "kind": s.Kind,
				"lane": s.Lane, "payload": s.Payload, "runAt": s.runAt, "createdAt": s.createdAt,
				"trace": dossier.OrNil(s.Trace)})
		if err != nil {
			return err
		}
	}
	return nil
}

// OutboxAge is how long the oldest row has been waiting; 0 when there is none.
func (db *DB) OutboxAge(ctx context.Context) (time.Duration, error) {
	var seconds float64
	err := db.system.QueryRow(ctx, `
		SELECT coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8
		FROM (SELECT created_at FROM outbox ORDER BY id LIMIT 100) oldest`).Scan(&seconds)
	return time.Duration(max(seconds, 0) * float64(time.Second)), translate("outbox age", err)
}

// ListenOutbox calls wake whenever rows were staged, until ctx ends. It reconnects by itself; what is missed
// meanwhile the relay finds by polling.
func (db *DB) ListenOutbox(ctx context.Context, wake func()) {
	db.listen(ctx, []string{relayChannel}, func(_, _ string) { wake() })
}

// listen calls heard for every notification on the channels, until ctx ends, reconnecting by itself.
func (db *DB) listen(ctx context.Context, channels []string, heard func(channel, payload string)) {
	for ctx.Err() == nil {
		if err := db.listenOnce(ctx, channels, heard); err != nil && ctx.Err() == nil {
			db.log.Debug("a listener reconnects", "channels", channels, "error", err)
		}
		jobs.Sleep(ctx, time.Second)
	}
}

func (db *DB) listenOnce(ctx context.Context, channels []string, heard func(channel, payload string)) error {
	cfg, err := pgx.ParseConfig(db.listenURL)
	if err != nil {
		return errURL("DATABASE_LISTEN_URL")
	}
	cfg.RuntimeParams["application_name"] = "dossier"
	conn, err := db.dedicated(ctx, cfg)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	// It says nothing as long as all is well.
	if _, err := conn.Exec(ctx,
		"SET idle_session_timeout = 0; SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2"); err != nil {
		return err
	}
	for _, channel := range channels {
		if _, err := conn.Exec(ctx, "LISTEN "+channel); err != nil {
			return err
		}
	}
	for {
		note, err := conn.WaitForNotification(ctx)
		if err != nil {
			return err
		}
		heard(note.Channel, note.Payload)
	}
}

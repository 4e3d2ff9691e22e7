package postgres

import (
	"context"
	"maps"
	"reflect"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// session sends the statements of one transaction in as few round trips as it can. Nothing is sent before a result is
// needed: BEGIN, the settings and all deferred statements (deferExec) go out with the first statement whose result is
// read. A transaction of deferred statements alone is one round trip without BEGIN and COMMIT, since the server treats
// all statements up to one Sync message as one transaction.
type session struct {
	conn     *pgx.Conn
	begin    string
	settings []setting
	begun    bool       // begin and settings were sent
	queued   *pgx.Batch // deferred statements, in order
	last     *pgx.Batch // statements of deferLast, which go with the commit
	staged   bool       // the outbox has new rows: wakes the relay after the commit
	emitted  bool       // the inbox has new events: wakes the dispatcher after the commit

	committed func() // runs after the commit, when set
}

// deferExec defers a statement whose result nobody reads. It is sent together with the next statement, at the latest
// with the commit, and so costs no round trip of its own; its error surfaces there. For a query whose rows are needed
// only after the commit, use queue(tx.queued, ...).
func (s *session) deferExec(sql string, args ...any) {
	s.queued.Queue(sql, args...)
}

// deferRow is deferExec for one row of a statement that takes its rows as arrays, one array per column; same holds the
// statement's other arguments. Rows that are deferred one after the other go in one statement: starting a statement
// costs the server several times what one more row does.
func (s *session) deferRow(statement string, same, row pgx.NamedArgs) {
	args := maps.Clone(same)
	if n := s.queued.Len(); n > 0 && s.queued.QueuedQueries[n-1].SQL == statement {
		args = s.queued.QueuedQueries[n-1].Arguments[0].(pgx.NamedArgs)
	} else {
		s.queued.Queue(statement, args)
	}
	for name, value := range row {
		v := reflect.ValueOf(value)
		column := reflect.Zero(reflect.SliceOf(v.Type()))
		if before, ok := args[name]; ok {
			column = reflect.ValueOf(before)
		}
		args[name] = reflect.Append(column, v).Interface()
	}
}

// deferLast is deferExec for a statement that must run last because it takes a lock for which other transactions of the
// workspace wait.
func (s *session) deferLast(sql string, args ...any) {
	if s.last == nil {
		s.last = &pgx.Batch{}
	}
	s.last.Queue(sql, args...)
}

// send sends the deferred statements followed by those of next, and reads the results of the deferred ones.
func (s *session) send(ctx context.Context, next *pgx.Batch) (pgx.BatchResults, error) {
	batch := &pgx.Batch{}
	if !s.begun {
		s.begun = true
		batch.Queue(s.begin)
		queueSettings(batch, s.settings)
	}
	batch.QueuedQueries = append(batch.QueuedQueries, s.queued.QueuedQueries...)
	staged := batch.QueuedQueries
	batch.QueuedQueries = append(slices.Clip(staged), next.QueuedQueries...)
	s.queued = &pgx.Batch{}
	results := s.conn.SendBatch(ctx, batch)
	for _, query := range staged {
		if _, err := readStaged(results, query); err != nil {
			_ = results.Close() // says the same
			return nil, err
		}
	}
	return results, nil
}

// readStaged reads the next result of a batch, which is that of query.
func readStaged(results pgx.BatchResults, query *pgx.QueuedQuery) (pgconn.CommandTag, error) {
	if query.Fn != nil {
		return pgconn.CommandTag{}, query.Fn(results)
	}
	return results.Exec()
}

func (s *session) nothingStaged() bool { return s.queued.Len() == 0 }

// Exec runs a statement after the deferred ones.
func (s *session) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	if s.begun && s.nothingStaged() {
		return s.conn.Exec(ctx, sql, args...)
	}
	results, err := s.send(ctx, singleBatch(sql, args))
	if err != nil {
		return pgconn.CommandTag{}, err
	}
	tag, err := results.Exec()
	if closed := results.Close(); err == nil {
		err = closed
	}
	return tag, err
}

// Query is Exec for rows. They must be read or closed before the next statement.
func (s *session) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	if s.begun && s.nothingStaged() {
		return s.conn.Query(ctx, sql, args...)
	}
	results, err := s.send(ctx, singleBatch(sql, args))
	if err != nil {
		return nil, err
	}
	return lastQuery(results)
}

// QueryRow is Exec for one row.
func (s *session) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	rows, err := s.Query(ctx, sql, args...)
	return singleRow{rows, err}
}

// SendBatch sends statements in one round trip, after the deferred ones.
func (s *session) SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults {
	results, err := s.send(ctx, batch)
	if err != nil {
		return failedBatch{err}
	}
	return results
}

// commit sends the deferred statements and ends the transaction. When nothing was sent before, they are the whole
// transaction.
func (s *session) commit(ctx context.Context) error {
	if s.last != nil {
		s.queued.QueuedQueries = append(s.queued.QueuedQueries, s.last.QueuedQueries...)
	}
	batch := s.queued
	switch {
	case s.begun:
		batch.Queue("commit")
	case batch.Len() == 0:
		return nil // nothing was asked
	default:
		batch = &pgx.Batch{}
		queueSettings(batch, s.settings)
		batch.QueuedQueries = append(batch.QueuedQueries, s.queued.QueuedQueries...)
	}
	results := s.conn.SendBatch(ctx, batch)
	var tag pgconn.CommandTag
	var err error
	for _, query := range batch.QueuedQueries {
		if tag, err = readStaged(results, query); err != nil {
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

// rollback ends the transaction so that the connection can be reused, also when ctx has ended.
func (s *session) rollback(ctx context.Context) {
	if s.conn.PgConn().TxStatus() == 'I' {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_, _ = s.conn.Exec(ctx, "rollback") // when it fails the connection is closed on release
}

func singleBatch(sql string, args []any) *pgx.Batch {
	batch := &pgx.Batch{}
	batch.Queue(sql, args...)
	return batch
}

// lastQuery is the rows of the last statement of a batch.
func lastQuery(results pgx.BatchResults) (pgx.Rows, error) {
	rows, err := results.Query()
	if err != nil {
		_ = results.Close() // says the same
		return nil, err
	}
	return &lastRows{Rows: rows, results: results}, nil
}

// lastRows end their batch once they are read or closed. Where the batch is the transaction, its commit may fail then.
type lastRows struct {
	pgx.Rows
	results pgx.BatchResults
	closed  bool
	err     error
}

// Next implements pgx.Rows.
func (r *lastRows) Next() bool {
	if r.Rows.Next() {
		return true
	}
	r.Close()
	return false
}

// Close implements pgx.Rows. The batch is closed once: it gives its connection back, and from then on it belongs to
// another query.
func (r *lastRows) Close() {
	if r.closed {
		return
	}
	r.closed = true
	r.Rows.Close()
	if err := r.results.Close(); r.err == nil {
		r.err = err
	}
}

// Err implements pgx.Rows.
func (r *lastRows) Err() error {
	if err := r.Rows.Err(); err != nil {
		return err
	}
	return r.err
}

// singleRow reads the first of its rows.
type singleRow struct {
	rows pgx.Rows
	err  error
}

// Scan implements pgx.Row.
func (r singleRow) Scan(into ...any) error {
	if r.err != nil {
		return r.err
	}
	defer r.rows.Close()
	if !r.rows.Next() {
		r.rows.Close()
		if err := r.rows.Err(); err != nil {
			return err
		}
		return pgx.ErrNoRows
	}
	if err := r.rows.Scan(into...); err != nil {
		return err
	}
	r.rows.Close()
	return r.rows.Err()
}

// failedBatch is what a batch returns when a statement before it failed.
type failedBatch struct{ err error }

func (f failedBatch) Exec() (pgconn.CommandTag, error) { return pgconn.CommandTag{}, f.err }
func (f failedBatch) Query() (pgx.Rows, error)         { return nil, f.err }
func (f failedBatch) QueryRow() pgx.Row                { return singleRow{err: f.err} }
func (f failedBatch) Close() error                     { return f.err }
func (f failedBatch) Tx() pgx.Tx                       { return nil }

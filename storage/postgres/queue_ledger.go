package postgres

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// Lease is how long a claim holds without a heartbeat. The database's clock measures it, so a worker whose own
// clock is wrong holds neither longer nor shorter.
const Lease = 12 * time.Second

// Outcome is what a store method made of a try.
type Outcome struct {
	Status dossier.JobStatus // empty: nothing yet
	Delay  time.Duration     // of a RETRY
	Counts bool              // a RETRY that used up a try
	Class  string            // of the error
}

// Ended is the Outcome; its zero value: no store call has ended the try.
func (c Claim) Ended() Outcome {
	if c.Outcome == nil {
		return Outcome{}
	}
	return *c.Outcome
}

func (c Claim) note(outcome Outcome) {
	if c.Outcome != nil {
		*c.Outcome = outcome
	}
}

// ErrFenced says that a claim is no longer held: the job was finished, cancelled, or given to someone else.
// Nothing was written.
var ErrFenced = errors.New("the job is no longer held by this try")

// held is the fence of every write that ends a try.
const held = ` WHERE id = $1 AND epoch = $2 AND status = 'RUNNING'`

// restage follows an UPDATE named j that raised the epoch: the job is on its way to the queue again.
const restage = ` INSERT INTO outbox (workspace_id, job_id, epoch, kind, lane, payload, run_at, trace)
	SELECT workspace_id, id, epoch, kind, lane, payload, run_at, trace FROM j`

// finishJob marks the claimed job DONE in the transaction of its effect. Error: ErrFenced, which rolls the effect back.
func finishJob(ctx context.Context, tx *tx, claim Claim, resultRef string) error {
	tag, err := tx.Exec(ctx, finishSQL, claim.Job, claim.Epoch, dossier.OrNil(resultRef))
	return fenced(tag.RowsAffected(), err, claim, Outcome{Status: dossier.JobDone})
}

// holdJob makes a batch fail with ErrFenced unless the claim is held, and keeps it so until the transaction ends. The
// caller holds what the job is about already.
func holdJob(batch *pgx.Batch, claim Claim) {
	batch.Queue(`SELECT FROM jobs`+held+` FOR UPDATE`, claim.Job, claim.Epoch).Exec(func(tag pgconn.CommandTag) error {
		return fenced(tag.RowsAffected(), nil, claim, Outcome{})
	})
}

// finishHeldJob is finishJob for a claim whose job the transaction holds: it costs no round trip of its own.
func finishHeldJob(tx *tx, claim Claim, resultRef string) {
	tx.deferExec(finishSQL, claim.Job, claim.Epoch, dossier.OrNil(resultRef))
	claim.note(Outcome{Status: dossier.JobDone})
}

const finishSQL = `
		UPDATE jobs SET status = 'DONE', progress = 100, finished_at = now(), lease_until = NULL,
		       result_ref = coalesce($3, result_ref), error_class = NULL, error_message = NULL` + held

// retryJob ends the try as failed and sets the next one delay from now. Error: ErrFenced.
func retryJob(ctx context.Context, tx *tx, claim Claim, delay time.Duration, class, message string) error {
	tag, err := tx.Exec(ctx, `
		UPDATE jobs SET status = 'RETRY', run_at = now() + $3, lease_until = NULL, admitted = NULL, error_class = $4,
			error_message = $5`+held,
		claim.Job, claim.Epoch, delay, class, shortened(message))
	return fenced(tag.RowsAffected(), err, claim, Outcome{Status: dossier.JobRetry, Delay: delay, Counts: true,
		Class: class})
}

// snoozeJob puts the job off without using up a try. Error: ErrFenced.
func snoozeJob(ctx context.Context, tx *tx, claim Claim, delay time.Duration, class string) error {
	tag, err := tx.Exec(ctx, `
		UPDATE jobs SET status = 'RETRY', run_at = now() + $3, lease_until = NULL, admitted = NULL,
			attempt = greatest(attempt - 1, 0), error_class = $4`+held,
		claim.Job, claim.Epoch, delay, class)
	return fenced(tag.RowsAffected(), err, claim, Outcome{Status: dossier.JobRetry, Delay: delay, Class: class})
}

// failJob ends the job for good: FAILED, and what its kind's ending does to its noun. Error: ErrFenced.
func failJob(ctx context.Context, tx *tx, claim Claim, class, message string) error {
	tag, err := tx.Exec(ctx, `
		UPDATE jobs SET status = 'FAILED', finished_at = now(), lease_until = NULL, error_class = $3,
			error_message = $4`+held,
		claim.Job, claim.Epoch, class, shortened(message))
	if err := fenced(tag.RowsAffected(), err, claim, Outcome{Status: dossier.JobFailed, Class: class}); err != nil {
		return err
	}
	return endJob(ctx, tx, claim, class, message)
}

func fenced(rows int64, err error, claim Claim, outcome Outcome) error {
	if err != nil {
		return err
	}
	if rows == 0 {
		return ErrFenced
	}
	claim.note(outcome)
	return nil
}

// shortened keeps an error message short enough for a list.
func shortened(message string) string {
	const limit = 1000
	if len(message) > limit {
		message = message[:limit]
	}
	return validUTF8(message)
}

// FinishJob marks a job DONE whose handler had no effect of its own to commit with it. Errors: ErrFenced.
func (db *DB) FinishJob(ctx context.Context, claim Claim) error {
	ok, err := db.finishes.do(ctx, claim)
	if err == nil && !ok {
		return ErrFenced
	}
	if err == nil {
		claim.note(Outcome{Status: dossier.JobDone})
	}
	return translate("finish job", err)
}

func (db *DB) finishBatch(ctx context.Context, claims []Claim) ([]bool, error) {
	ids, epochs := refs(claims)
	return retry(ctx, "finish jobs", func() ([]bool, error) {
		rows, err := db.system.Query(ctx, `
			UPDATE jobs j SET status = 'DONE', progress = 100, finished_at = now(), lease_until = NULL,
				error_class = NULL, error_message = NULL
			FROM unnest($1::uuid[], $2::int[]) AS held (id, epoch)
			WHERE j.id = held.id AND j.epoch = held.epoch AND j.status = 'RUNNING' AND `+rowEstimateHint("held.epoch")+`
				RETURNING j.id`, ids, epochs)
		if err != nil {
			return nil, err
		}
		done, err := pgx.CollectRows(rows, pgx.RowTo[dossier.JobID])
		finished := make(map[dossier.JobID]bool, len(done))
		for _, id := range done {
			finished[id] = true
		}
		out := make([]bool, len(claims))
		for i, id := range ids {
			out[i] = finished[id]
			delete(finished, id)
		}
		return out, err
	})
}

// RetryJob ends a try as failed and sets the next one. Errors: ErrFenced.
func (db *DB) RetryJob(ctx context.Context, claim Claim, delay time.Duration, class, message string) error {
	return db.ledgerTx(ctx, "retry job", claim, func(tx *tx) error {
		return retryJob(ctx, tx, claim, delay, class,
			message)
	})
}

// SnoozeJob puts a job off without using up a try. Errors: ErrFenced.
func (db *DB) SnoozeJob(ctx context.Context, claim Claim, delay time.Duration, class string) error {
	return db.ledgerTx(ctx, "snooze job", claim, func(tx *tx) error { return snoozeJob(ctx, tx, claim, delay, class) })
}

// RestageJob ends a try as failed whose handler does not stop, and stages the next one, delay from now, under the next
// epoch: whatever the handler still writes is refused. Errors: ErrFenced.
func (db *DB) RestageJob(ctx context.Context, claim Claim, delay time.Duration, class, message string) error {
	return db.ledgerTx(ctx, "restage job", claim, func(tx *tx) error {
		tag, err := tx.Exec(ctx, `
			WITH j AS (UPDATE jobs SET status = 'RETRY', epoch = epoch + 1, run_at = now() + $3, lease_until = NULL,
				worker = NULL, error_class = $4, error_message = $5`+held+` RETURNING *)`+restage,
			claim.Job, claim.Epoch, delay, class, shortened(message))
		tx.staged = true
		return fenced(tag.RowsAffected(), err, claim, Outcome{Status: dossier.JobRetry, Class: class})
	})
}

// FailJob ends a job for good, with what its kind's ending does to its noun in the same commit. Errors: ErrFenced.
func (db *DB) FailJob(ctx context.Context, claim Claim, class, message string) error {
	return db.ledgerTx(ctx, "fail job", claim, func(tx *tx) error { return failJob(ctx, tx, claim, class, message) })
}

// ledgerTx runs do as the job's workspace, or as the system for housekeeping.
func (db *DB) ledgerTx(ctx context.Context, op string, claim Claim, do func(tx *tx) error) error {
	run := func(tx *tx) (none, error) { return none{}, do(tx) }
	var err error
	if claim.Workspace == "" {
		_, err = systemTx(ctx, db, op, run)
	} else {
		_, err = transact(ctx, db, claim.Workspace, op, run)
	}
	if errors.Is(err, ErrFenced) {
		return ErrFenced
	}
	return err
}

// HandBack gives back jobs a draining worker could not finish: not a try, and at once someone else's.
// Jobs no longer held are passed over.
func (db *DB) HandBack(ctx context.Context, claims []Claim) error {
	ids, epochs := refs(claims)
	_, err := systemTx(ctx, db, "hand back jobs", func(tx *tx) (none, error) {
		_, err := tx.Exec(ctx, `
			WITH j AS (UPDATE jobs SET status = 'QUEUED', epoch = jobs.epoch + 1, run_at = now(), lease_until = NULL,
				worker = NULL, attempt = greatest(attempt - 1, 0)
			           FROM unnest($1::uuid[], $2::int[]) AS held (id, epoch)
			           WHERE jobs.id = held.id AND jobs.epoch = held.epoch AND status = 'RUNNING'
			           	RETURNING jobs.*)`+restage, ids, epochs)
		tx.staged = true
		return none{}, err
	})
	return err
}

// ExtendLeases is one process's heartbeat. It returns the jobs still held; whatever is missing was lost.
func (db *DB) ExtendLeases(ctx context.Context, claims []Claim) ([]dossier.JobID, error) {
	// In the order of their ids, so that nobody who holds several waits in a circle.
	ids, epochs := refs(slices.SortedFunc(slices.Values(claims),
		func(a, b Claim) int { return cmp.Compare(a.Job, b.Job) }))
	return asyncCommitQuery(ctx, db, "extend leases", pgx.RowTo[dossier.JobID], `
		UPDATE jobs j SET lease_until = now() + $3 FROM unnest($1::uuid[], $2::int[]) AS held (id, epoch)
		WHERE j.id = held.id AND j.epoch = held.epoch AND j.status = 'RUNNING' AND `+rowEstimateHint("held.epoch")+`
			RETURNING j.id`, ids, epochs, Lease)
}

// HeldJobs is ExtendLeases without the write: how a worker hears of a cancel between two heartbeats.
func (db *DB) HeldJobs(ctx context.Context, claims []Claim) ([]dossier.JobID, error) {
	ids, epochs := refs(claims)
	rows, err := db.system.Query(ctx, `
		SELECT j.id FROM jobs j JOIN unnest($1::uuid[], $2::int[]) AS held (id, epoch) ON j.id = held.id
			AND j.epoch = held.epoch
		WHERE j.status = 'RUNNING' AND `+rowEstimateHint("held.epoch"), ids, epochs)
	if err != nil {
		return nil, translate("held jobs", err)
	}
	got, err := pgx.CollectRows(rows, pgx.RowTo[dossier.JobID])
	return got, translate("held jobs", err)
}

// showProgress records how far the claimed job is, in percent. Error: ErrFenced.
func showProgress(ctx context.Context, tx *tx, claim Claim, percent int) error {
	tag, err := tx.Exec(ctx, `UPDATE jobs SET progress = $3`+held, claim.Job, claim.Epoch, min(max(percent, 0), 100))
	if err == nil && tag.RowsAffected() == 0 {
		return ErrFenced
	}
	return err
}

// cancelSubject ends all unfinished work on a thing that is no more (a run cancelled, a lead deleted). A worker that
// holds such a job is told within two seconds, and whatever it still writes is refused. Their tasks leave the queue by
// the way they came.
func cancelSubject(ctx context.Context, tx *tx, subject string) error {
	return cancelJobs(ctx, tx, endJobs+`subject_id = $3 AND status IN ('QUEUED', 'RUNNING', 'RETRY')`+dropTasks,
		subject)
}

// A statement of cancelJobs is endJobs, what jobs of the workspace are meant, and dropTasks.
const (
	endJobs = `WITH j AS (UPDATE jobs SET status = 'CANCELLED', epoch = epoch + 1, finished_at = now(),
		lease_until = NULL, error_class = 'cancelled'
		WHERE workspace_id = $1 AND `
	dropTasks = ` RETURNING *)
		INSERT INTO outbox (workspace_id, job_id, epoch, kind, lane, payload, run_at) SELECT workspace_id, id,
			epoch - 1, $2, lane, '{}', now() FROM j`
)

// cancelJobs ends jobs and drops their tasks. args are from $3 on.
func cancelJobs(ctx context.Context, tx *tx, sql string, args ...any) error {
	tag, err := tx.Exec(ctx, sql, append([]any{tx.ws, jobs.DropTask}, args...)...)
	tx.staged = tx.staged || tag.RowsAffected() > 0
	return err
}

func refs(claims []Claim) ([]dossier.JobID, []int) {
	ids, epochs := make([]dossier.JobID, len(claims)), make([]int, len(claims))
	for i, claim := range claims {
		ids[i], epochs[i] = claim.Job, claim.Epoch
	}
	return ids, epochs
}

// rowEstimateHint makes the planner expect a row or two of an unnested list, by a condition on a positive column that
// always holds: it then looks each up by its key. Else, where statistics are young, it joins the list with all rows of
// a workspace.
func rowEstimateHint(column string) string { return column + " BETWEEN 1 AND 2147483647" }

// asyncCommitQuery runs one statement as the system in one round trip with synchronous_commit off: for writes that a
// crash of the database may lose without harm.
func asyncCommitQuery[T any](ctx context.Context, db *DB, op string, scan pgx.RowToFunc[T], sql string,
	args ...any) ([]T, error) {
	return retry(ctx, op, func() ([]T, error) {
		return queryUnder(ctx, db.system, []setting{{"synchronous_commit", "off"}}, scan, sql, args...)
	})
}

// deref returns what p points to, or the zero value.
func deref[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

func validUTF8(s string) string { return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "") }

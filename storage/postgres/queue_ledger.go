package postgres

import (
	"cmp"
	"context"
	"encoding/json"
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

// Claim is the right to do one try of one job: every final write repeats its epoch, so whoever lost the right
// (a stalled worker that wakes up late) changes nothing.
//
// A store method that ends the try in the commit of its effect (finishJob, retryJob, snoozeJob, moveJob, failJob)
// writes its Outcome; the worker reads it and tells the queue, so a handler returns nil after such a call.
type Claim struct {
	Job         dossier.JobID
	Workspace   dossier.WorkspaceID // empty: housekeeping
	Kind        string
	Payload     json.RawMessage
	Epoch       int
	Attempt     int // this one, from 1
	MaxAttempts int
	Bulk        bool // and so is what follows from it
	RequestID   string
	CreatedAt   time.Time
	StartedAt   time.Time     // of the first try
	Trace       string        // that it belongs to; empty: nobody traces
	Ahead       time.Duration // of a test lead's clock (AdvanceLead)

	Outcome *Outcome // what a store call made of the try; copies of the claim share it
}

// LastTry reports whether no try is left after this one.
func (c Claim) LastTry() bool { return c.Attempt >= c.MaxAttempts }

// Outcome is what a store method made of a try.
type Outcome struct {
	Status dossier.JobStatus // empty: nothing yet
	Delay  time.Duration     // of a RETRY
	Counts bool              // a RETRY that used up a try
	Moved  bool              // continues under a new epoch, staged by the same commit
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
	tag, err := tx.Exec(ctx, finishSQL, claim.Job, claim.Epoch, nullable(resultRef))
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
	tx.later(finishSQL, claim.Job, claim.Epoch, nullable(resultRef))
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

// moveJob ends the try as failed and continues the job in another lane, delay from now, under the next epoch: the
// queue cannot move a task, so the job gets a new one, staged in this commit. Error: ErrFenced.
func moveJob(ctx context.Context, tx *tx, claim Claim, lane jobs.Lane, delay time.Duration, class,
	message string) error {
	tag, err := tx.Exec(ctx, `
		WITH j AS (UPDATE jobs SET status = 'RETRY', epoch = epoch + 1, lane = $3, run_at = now() + $4,
			lease_until = NULL,
		                  worker = NULL, error_class = $5, error_message = $6`+held+` RETURNING *)`+restage,
		claim.Job, claim.Epoch, lane, delay, class, shortened(message))
	tx.staged = true
	return fenced(tag.RowsAffected(), err, claim, Outcome{Status: dossier.JobRetry, Moved: true, Class: class})
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

type claimAsk struct {
	job    dossier.JobID
	epoch  int
	worker string
}

// ErrPaused refuses a claim of a job that waits because operators have paused its lane.
var ErrPaused = errors.New("the lane is paused")

// claimed is the answer to a claimAsk: a claim, nothing to do, or a lane that is paused.
type claimed struct {
	claim  *Claim
	paused bool
}

// ClaimJob takes a waiting job that is due: RUNNING under a lease, one try more. Without ok there is nothing to
// do: the job was claimed before, is over, awaits admission, or this is an old epoch's task. Claims made at the same
// time share a commit. Error: ErrPaused.
func (db *DB) ClaimJob(ctx context.Context, job dossier.JobID, epoch int,
	worker string) (claim Claim, ok bool, err error) {
	got, err := db.claims.do(ctx, claimAsk{job: job, epoch: epoch, worker: worker})
	switch {
	case err != nil:
		return Claim{}, false, translate("claim job", err)
	case got.paused:
		return Claim{}, false, ErrPaused
	case got.claim == nil:
		return Claim{}, false, nil
	}
	return *got.claim, true, nil
}

// claimBatch needs no durable commit of its own: if a crash of the database forgets a claim, the job is still
// waiting, and whatever the worker writes under the forgotten claim is refused. Two seconds of tolerance absorb the
// queue's due times, which are whole seconds.
func (db *DB) claimBatch(ctx context.Context, asks []claimAsk) ([]claimed, error) {
	ids, epochs, workers := make([]dossier.JobID, len(asks)), make([]int, len(asks)), make([]string, len(asks))
	for i, ask := range asks {
		ids[i], epochs[i], workers[i] = ask.job, ask.epoch, ask.worker
	}
	claims, err := relaxed(ctx, db, "claim jobs", pgx.RowToFunc[Claim](scanClaim), `
		UPDATE jobs j SET status = 'RUNNING', attempt = attempt + 1, lease_until = now() + $4, worker = ask.worker,
			started_at = coalesce(started_at, now())
		FROM unnest($1::uuid[], $2::int[], $3::text[]) AS ask (id, epoch, worker)
		WHERE j.id = ask.id AND j.epoch = ask.epoch AND j.status IN ('QUEUED', 'RETRY')
			AND j.run_at <= now() + interval '2 seconds' AND `+rowEstimateHint("ask.epoch")+`
		  AND (j.admitted = j.epoch OR j.workspace_id IS NULL OR j.lane <> ALL ($5))
		  	AND j.lane <> ALL (ARRAY(SELECT lane FROM lanes WHERE paused))
		  AND NOT EXISTS (SELECT FROM workspaces w WHERE w.id = j.workspace_id AND w.deleted_at IS NOT NULL)
		RETURNING `+claimColumns, ids, epochs, workers, Lease, jobs.SharedLanes)
	if err != nil {
		return nil, err
	}
	type try struct { // a task of an older epoch may come in the same batch
		job   dossier.JobID
		epoch int
	}
	byTry := make(map[try]*Claim, len(claims))
	for i := range claims {
		byTry[try{claims[i].Job, claims[i].Epoch}] = &claims[i]
	}
	var paused []dossier.JobID
	if len(claims) < len(asks) {
		if paused, err = db.requeue(ctx, ids, epochs); err != nil {
			return nil, err
		}
	}
	out := make([]claimed, len(asks))
	for i, ask := range asks {
		asked := try{ask.job, ask.epoch}
		out[i] = claimed{byTry[asked], slices.Contains(paused, ask.job)}
		delete(byTry, asked) // the same task twice in one batch: one of them has it
	}
	return out, nil
}

const claimColumns = `j.id, j.workspace_id, j.kind, j.payload, j.epoch, j.attempt, j.max_attempts, j.bulk, j.request_id,
	j.created_at, j.started_at, j.trace, j.ahead`

func scanClaim(row pgx.CollectableRow) (Claim, error) {
	claim := Claim{Outcome: &Outcome{}}
	var workspace, requestID, trace *string
	var startedAt *time.Time
	var ahead int64
	err := row.Scan(&claim.Job, &workspace, &claim.Kind, &claim.Payload, &claim.Epoch, &claim.Attempt,
		&claim.MaxAttempts,
		&claim.Bulk, &requestID, &claim.CreatedAt, &startedAt, &trace, &ahead)
	claim.Workspace, claim.RequestID = dossier.WorkspaceID(value(workspace)), value(requestID)
	claim.StartedAt, claim.Trace = value(startedAt), value(trace)
	claim.Ahead = time.Duration(ahead) * time.Microsecond
	return claim, err
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

// MoveJob ends a try as failed and continues the job in another lane. Errors: ErrFenced.
func (db *DB) MoveJob(ctx context.Context, claim Claim, lane jobs.Lane, delay time.Duration, class,
	message string) error {
	return db.ledgerTx(ctx, "move job", claim, func(tx *tx) error {
		return moveJob(ctx, tx, claim, lane, delay, class,
			message)
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
	return relaxed(ctx, db, "extend leases", pgx.RowTo[dossier.JobID], `
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

// relaxed runs one statement as the system in one round trip, without waiting for the disk: for writes that may
// be forgotten in a crash of the database without harm.
func relaxed[T any](ctx context.Context, db *DB, op string, scan pgx.RowToFunc[T], sql string,
	args ...any) ([]T, error) {
	return retry(ctx, op, func() ([]T, error) {
		return queryUnder(ctx, db.system, []setting{{"synchronous_commit", "off"}}, scan, sql, args...)
	})
}

// value is what p points to, or the zero value.
func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

func validUTF8(s string) string { return strings.ToValidUTF8(strings.ReplaceAll(s, "\x00", ""), "") }

package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// ClassWorkerLost is the error class of a try whose worker stopped giving signs of life.
const ClassWorkerLost = "worker_lost"

const workerLostMessage = "The worker of this try stopped giving signs of life"

// ReapLeases takes up to limit jobs away from workers that no longer renew their lease: on to the next try, or
// FAILED when there is none (a job that kills its workers must not do so for ever). Jobs that were lost together a
// second time go on two seconds apart, within half a minute, so that the one that kills takes no other with it to its
// last try. It returns how many of each.
func (db *DB) ReapLeases(ctx context.Context, limit int) (again, failed int, err error) {
	again, err = systemTx(ctx, db, "reap leases", func(tx *tx) (int, error) {
		tag, err := tx.Exec(ctx, `
			WITH late AS (
				SELECT id, worker, attempt FROM jobs WHERE status = 'RUNNING' AND lease_until < now()
					AND attempt < max_attempts
				ORDER BY lease_until LIMIT $1 FOR UPDATE SKIP LOCKED),
			spread AS (
				SELECT id, CASE WHEN attempt = 1 THEN interval '0' ELSE (row_number() OVER company - 1) * least(
					interval '2 seconds', interval '30 seconds' / count(*) OVER (PARTITION BY worker,
						attempt = 1)) END AS delay
				FROM late WINDOW company AS (PARTITION BY worker, attempt = 1 ORDER BY id)),
			j AS (
				UPDATE jobs SET status = 'RETRY', epoch = epoch + 1, run_at = now() + spread.delay, lease_until = NULL,
					worker = NULL, error_class = $2, error_message = $3
				FROM spread WHERE jobs.id = spread.id RETURNING jobs.*)`+restage, limit, ClassWorkerLost,
			workerLostMessage)
		tx.staged = tag.RowsAffected() > 0
		return int(tag.RowsAffected()), err
	})
	if err != nil {
		return again, 0, err
	}
	claims, err := asyncCommitQuery(ctx, db, "expired leases", pgx.RowToFunc[Claim](scanClaim), `
		SELECT `+claimColumns+` FROM jobs j WHERE status = 'RUNNING' AND lease_until < now() AND attempt >= max_attempts
		ORDER BY lease_until LIMIT $1`, limit)
	if err != nil {
		return again, 0, err
	}
	var faults []error
	for _, claim := range claims {
		switch err := db.FailJob(ctx, claim, ClassWorkerLost, workerLostMessage); {
		case err == nil:
			failed++
		case !errors.Is(err, ErrFenced):
			// One that cannot be ended now must not be in the way of the others: it is asked again later.
			faults = append(faults, err)
			_, err := db.system.Exec(ctx, `UPDATE jobs SET lease_until = now() + interval '1 minute'
				WHERE id = $1 AND epoch = $2 AND status = 'RUNNING'`, claim.Job, claim.Epoch)
			faults = append(faults, err)
		}
	}
	return again, failed, errors.Join(faults...)
}

// Waiting is a job of the ledger that should stand in the queue.
type Waiting struct {
	Job   dossier.JobID
	Epoch int
	Lane  jobs.Lane
	RunAt time.Time
}

// Clock is the database's time, which all due times and leases are measured by.
func (db *DB) Clock(ctx context.Context) (now time.Time, err error) {
	err = db.system.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&now)
	return now, translate("clock", err)
}

// WaitingJobs pages through the waiting jobs of a lane that should stand in the queue and are due before a time, in the
// order of their due time, after the given one. Those admitted since are on their way.
func (db *DB) WaitingJobs(ctx context.Context, lane jobs.Lane, before time.Time, after Waiting,
	limit int) ([]Waiting, error) {
	if after.Job == "" {
		after.Job = "00000000-0000-0000-0000-000000000000"
	}
	rows, err := db.system.Query(ctx, `
		SELECT id, epoch, lane, run_at FROM jobs
		WHERE status IN ('QUEUED', 'RETRY') AND `+notAwaiting+` AND lane = $1 AND run_at < $2
			AND (run_at, id) > ($3, $4)
		  AND (admitted_at < $2 OR admitted IS DISTINCT FROM epoch)
		ORDER BY run_at, id LIMIT $5`, lane, before, after.RunAt, after.Job, limit)
	if err != nil {
		return nil, translate("waiting jobs", err)
	}
	waiting, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (w Waiting, err error) {
		err = row.Scan(&w.Job, &w.Epoch, &w.Lane, &w.RunAt)
		return w, err
	})
	return waiting, translate("waiting jobs", err)
}

// RedriveJobs stages waiting jobs anew whose tasks the queue has lost. The old task, should it turn up after all,
// has an old epoch and does nothing. It returns how many were still waiting as given.
func (db *DB) RedriveJobs(ctx context.Context, lost []Waiting) (int, error) {
	ids, epochs := make([]dossier.JobID, len(lost)), make([]int, len(lost))
	for i, w := range lost {
		ids[i], epochs[i] = w.Job, w.Epoch
	}
	return systemTx(ctx, db, "redrive jobs", func(tx *tx) (int, error) {
		tag, err := tx.Exec(ctx, `
			WITH j AS (UPDATE jobs SET epoch = jobs.epoch + 1, run_at = greatest(run_at, now())
			           FROM unnest($1::uuid[], $2::int[]) AS lost (id, epoch)
			           WHERE jobs.id = lost.id AND jobs.epoch = lost.epoch AND status IN ('QUEUED', 'RETRY')
			           	RETURNING jobs.*)`+restage, ids, epochs)
		tx.staged = tag.RowsAffected() > 0
		return int(tag.RowsAffected()), err
	})
}

// PruneJobs deletes up to limit finished jobs: the successful and cancelled ones older than done, the failed ones
// older than failed. Ids sort by age, so old rows are found at the low end of the primary key.
func (db *DB) PruneJobs(ctx context.Context, done, failed time.Duration, limit int) (int, error) {
	tag, err := db.system.Exec(ctx, `
		DELETE FROM jobs WHERE id IN (
			SELECT id FROM jobs WHERE id < $4
			AND ((status IN ('DONE', 'CANCELLED') AND finished_at < now() - $1::interval)
				OR (status = 'FAILED' AND finished_at < now() - $2::interval))
			ORDER BY id LIMIT $3)`, done, failed, limit, idBefore(db.now().Add(-min(done, failed))))
	return int(tag.RowsAffected()), translate("prune jobs", err)
}

// ExpiredLeases counts the RUNNING jobs whose lease ended longer ago than late, up to 10,000.
func (db *DB) ExpiredLeases(ctx context.Context, late time.Duration) (n int, err error) {
	err = db.system.QueryRow(ctx, `
		SELECT count(*) FROM (SELECT FROM jobs WHERE status = 'RUNNING' AND lease_until < now() - $1::interval
			LIMIT 10000) expired`, late).Scan(&n)
	return n, translate("expired leases", err)
}

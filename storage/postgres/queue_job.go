package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/Masterminds/squirrel"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// JobFilter narrows a list of jobs; zero fields do not.
type JobFilter struct {
	Workspace dossier.WorkspaceID
	Status    dossier.JobStatus
	Kind      string
	Lane      jobs.Lane
	Error     string        // class of the last error
	OlderThan time.Duration // created at least so long ago
	Before    dossier.JobID // older than this one: the last of the page before
	Limit     int           // default 100
}

// Jobs lists jobs of all workspaces, newest first.
func (db *DB) Jobs(ctx context.Context, filter JobFilter) ([]dossier.Job, error) {
	if filter.Limit <= 0 {
		filter.Limit = 100
	}
	query := filter.apply(psql.Select(jobColumns).From("jobs j")).OrderBy("j.id DESC").Limit(uint64(filter.Limit))
	return systemRead(ctx, db, "list jobs", scanJob, query)
}

func (f JobFilter) apply(query squirrel.SelectBuilder) squirrel.SelectBuilder {
	if f.Workspace != "" {
		query = query.Where(squirrel.Eq{"j.workspace_id": f.Workspace})
	}
	if f.Status != "" {
		query = query.Where(squirrel.Eq{"j.status": f.Status})
	}
	if f.Kind != "" {
		query = query.Where(squirrel.Eq{"j.kind": f.Kind})
	}
	if f.Lane != "" {
		query = query.Where(squirrel.Eq{"j.lane": f.Lane})
	}
	if f.Error != "" {
		query = query.Where(squirrel.Eq{"j.error_class": f.Error})
	}
	if f.OlderThan > 0 {
		query = query.Where("j.created_at <= clock_timestamp() - ?::interval", f.OlderThan)
	}
	if f.Before != "" {
		query = query.Where(squirrel.Lt{"j.id": f.Before})
	}
	return query
}

// Job reads one job. Error: NotFound.
func (db *DB) Job(ctx context.Context, id dossier.JobID) (dossier.Job, error) {
	if !dossier.ValidID(string(id)) {
		return dossier.Job{}, missing("job")
	}
	found, err := systemRead(ctx, db, "job", scanJob, psql.Select(jobColumns).From("jobs j").Where(
		squirrel.Eq{"j.id": id}))
	if err == nil && len(found) == 0 {
		err = missing("job")
	}
	if err != nil {
		return dossier.Job{}, err
	}
	return found[0], nil
}

// RetryJobs starts jobs that ended FAILED or CANCELLED anew with all their tries, as bulk work: those of the filter
// (whose Status must be one of the two; default FAILED), oldest first, at most its Limit. It returns how many; call it
// again until none is left. Error: Invalid (another status), Conflict (another job now does the same work).
func (db *DB) RetryJobs(ctx context.Context, filter JobFilter) (int, error) {
	switch filter.Status {
	case "":
		filter.Status = dossier.JobFailed
	case dossier.JobFailed, dossier.JobCancelled:
	default:
		return 0, dossier.Errorf(dossier.Invalid, "Only FAILED and CANCELLED jobs can be retried, not %s",
			filter.Status)
	}
	if filter.Limit <= 0 {
		filter.Limit = 1000
	}
	sql, args, err := filter.apply(psql.Select("j.id", "j.workspace_id").From("jobs j")).OrderBy("j.id").Limit(
		uint64(filter.Limit)).Suffix("FOR UPDATE SKIP LOCKED").ToSql()
	if err != nil {
		return 0, err
	}
	type chosen struct {
		ID          string
		WorkspaceID *dossier.WorkspaceID
	}
	return systemTx(ctx, db, "retry jobs", func(tx *tx) (int, error) {
		list, err := collect(ctx, tx, pgx.RowToStructByName[chosen], sql, args...)
		if err != nil {
			return 0, err
		}
		ids, counts := make([]string, len(list)), map[dossier.WorkspaceID]int{}
		for i, job := range list {
			ids[i] = job.ID
			if job.WorkspaceID != nil {
				counts[*job.WorkspaceID]++
			}
		}
		// in one order, since each waits for its workspace's audit
		for _, ws := range slices.Sorted(maps.Keys(counts)) {
			tx.ws = ws
			audit(ctx, tx, dossier.AuditJobRetry, "workspace:"+string(ws), map[string]any{"jobs": counts[ws]})
		}
		tag, err := tx.Exec(ctx, `WITH j AS (`+startAnew+`, bulk = true WHERE id = ANY ($1) RETURNING *)`+restage, ids)
		tx.staged = true
		return int(tag.RowsAffected()), err
	})
}

const startAnew = `UPDATE jobs SET status = 'QUEUED', epoch = epoch + 1, attempt = 0, progress = 0, run_at = now(),
	lease_until = NULL, worker = NULL, started_at = NULL, finished_at = NULL, error_class = NULL, error_message = NULL`

// RetryJobNow starts one job anew that ended FAILED or CANCELLED, or makes one that waits in RETRY due at once.
// Errors: NotFound, Conflict (it is done, or about to run anyway).
func (db *DB) RetryJobNow(ctx context.Context, id dossier.JobID) (dossier.Job, error) {
	return db.changeJob(ctx, id, "retry job", dossier.AuditJobRetry, func(tx *tx, job dossier.Job) error {
		update := startAnew
		switch job.Status {
		case dossier.JobFailed, dossier.JobCancelled:
		case dossier.JobRetry:
			update = `UPDATE jobs SET epoch = epoch + 1, run_at = now()`
		default:
			return dossier.Coded(dossier.Conflict, "job_not_retryable",
				"This job is %s; only FAILED, CANCELLED and RETRY jobs can be retried", job.Status)
		}
		_, err := tx.Exec(ctx, `WITH j AS (`+update+` WHERE id = $1 RETURNING *)`+restage, id)
		tx.staged = true
		return err
	})
}

// CancelJob ends a job at once: CANCELLED, with its kind's ending in the same commit. A worker that holds it is told
// within two seconds, and whatever it still writes is refused. Errors: NotFound, Conflict (it has ended).
func (db *DB) CancelJob(ctx context.Context, id dossier.JobID) (dossier.Job, error) {
	return db.changeJob(ctx, id, "cancel job", dossier.AuditJobCancel, func(tx *tx, job dossier.Job) error {
		if job.Status.Final() {
			return dossier.Coded(dossier.Conflict, "job_finished", "This job is already %s", job.Status)
		}
		_, err := tx.Exec(ctx, `UPDATE jobs SET status = 'CANCELLED', epoch = epoch + 1, finished_at = now(),
			lease_until = NULL, error_class = 'cancelled' WHERE id = $1`, id)
		if err != nil {
			return err
		}
		claim := Claim{Job: id, Workspace: job.Workspace, Kind: job.Kind, Payload: job.Payload, Epoch: job.Epoch + 1,
			Attempt: job.Attempt, MaxAttempts: job.MaxAttempts, CreatedAt: job.CreatedAt}
		return endJob(ctx, tx, claim, "cancelled", "The job was cancelled")
	})
}

// changeJob locks one job as its own workspace, lets change judge it, and returns it as it is afterwards. Housekeeping
// belongs to no workspace, and has no audit.
func (db *DB) changeJob(ctx context.Context, id dossier.JobID, op string, act dossier.AuditAction,
	change func(tx *tx, job dossier.Job) error) (dossier.Job, error) {
	before, err := db.Job(ctx, id)
	if err != nil {
		return before, err
	}
	err = db.ledgerTx(ctx, op, Claim{Workspace: before.Workspace}, func(tx *tx) error {
		rows, err := tx.Query(ctx, `SELECT `+jobColumns+` FROM jobs j WHERE j.id = $1 FOR UPDATE`, id)
		if err != nil {
			return err
		}
		job, err := pgx.CollectExactlyOneRow(rows, scanJob)
		if err != nil {
			return orMissing(err, "job")
		}
		if tx.ws != "" {
			audit(ctx, tx, act, "job:"+string(id), map[string]any{"kind": job.Kind, "status": job.Status})
		}
		return change(tx, job)
	})
	if err != nil {
		return before, err
	}
	return db.Job(ctx, id)
}

// StageTick stages housekeeping for one tick of a schedule: at most once, whoever asks, and not while an earlier
// tick of the kind is unfinished. It reports whether it did.
func (db *DB) StageTick(ctx context.Context, name string, tick time.Time, job jobs.Job) (bool, error) {
	payload, err := json.Marshal(job)
	if err != nil {
		return false, err
	}
	spec, key := job.Spec(), fmt.Sprintf("cron:%s:%s", name, tick.UTC().Format("2006-01-02T15:04:05Z"))
	return systemTx(ctx, db, "stage tick", func(tx *tx) (bool, error) {
		tag, err := tx.Exec(ctx, `
			WITH j AS (
				INSERT INTO jobs (id, kind, lane, payload, max_attempts, run_at, unique_key, created_at)
				SELECT @id, @kind, @lane, @payload::jsonb, @maxAttempts, now(), @uniqueKey, now()
				WHERE NOT EXISTS (SELECT FROM jobs WHERE workspace_id IS NULL
					AND unique_key LIKE 'cron:' || @name || ':%'
					AND status IN ('QUEUED', 'RUNNING', 'RETRY'))
				ON CONFLICT (unique_key) WHERE workspace_id IS NULL DO NOTHING RETURNING *)`+restage,
			pgx.NamedArgs{"id": newID[dossier.JobID](), "kind": spec.Kind, "lane": spec.Lane, "payload": payload,
				"maxAttempts": spec.Tries, "uniqueKey": key, "name": name})
		tx.staged = tag.RowsAffected() > 0
		return tx.staged, err
	})
}

const jobColumns = `j.id, j.workspace_id, j.kind, j.lane, j.status, j.attempt, j.max_attempts, j.epoch, j.worker,
	j.run_at, j.lease_until,
	j.progress, j.error_class, j.error_message, j.result_ref, j.subject_id, j.payload, j.request_id, j.created_at,
		j.started_at, j.finished_at`

func scanJob(row pgx.CollectableRow) (dossier.Job, error) {
	var j dossier.Job
	var workspace, worker, class, message, result, subject, requestID *string
	err := row.Scan(&j.ID, &workspace, &j.Kind, &j.Lane, &j.Status, &j.Attempt, &j.MaxAttempts, &j.Epoch, &worker,
		&j.RunAt, &j.LeaseUntil,
		&j.Progress, &class, &message, &result, &subject, &j.Payload, &requestID, &j.CreatedAt, &j.StartedAt,
		&j.FinishedAt)
	j.Workspace, j.Worker, j.ErrorClass, j.ErrorMessage = dossier.WorkspaceID(deref(workspace)), deref(worker),
		deref(class), deref(message)
	j.ResultRef, j.Subject, j.RequestID = deref(result), deref(subject), deref(requestID)
	return j, err
}

// systemRead runs one query as the system.
func systemRead[T any](ctx context.Context, db *DB, op string, scan pgx.RowToFunc[T],
	query squirrel.Sqlizer) ([]T, error) {
	sql, args, err := query.ToSql()
	if err != nil {
		return nil, err
	}
	rows, err := db.system.Query(ctx, sql, args...)
	if err != nil {
		return nil, translate(op, err)
	}
	found, err := pgx.CollectRows(rows, scan)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) {
		return nil, translate(op, err)
	}
	return found, nil
}

// idBefore is a bound below all ids made at t or later.
func idBefore(t time.Time) string {
	ms := uint64(t.UnixMilli())
	return fmt.Sprintf("%08x-%04x-7000-8000-000000000000", ms>>16, ms&0xffff)
}

// StageJobs stages jobs of one workspace in one commit, due at once, and returns their ids in order: for operators,
// checks and measurements. Work that follows from a change is staged by the store method that makes the change.
func (db *DB) StageJobs(ctx context.Context, ws dossier.WorkspaceID, list ...jobs.Job) ([]dossier.JobID, error) {
	return transact(ctx, db, ws, "stage jobs", func(tx *tx) ([]dossier.JobID, error) {
		ids := make([]dossier.JobID, len(list))
		for i, job := range list {
			id, err := enqueue(ctx, tx, job, staging{})
			if err != nil {
				return nil, err
			}
			ids[i] = id
		}
		return ids, nil
	})
}

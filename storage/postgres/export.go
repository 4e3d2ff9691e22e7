package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// SaveExport notes that the file of a try is whole in object storage. It is published in the commit that finishes the
// step; until then it is nobody's but the run's. A later try's note takes its place. Errors: ErrFenced, NotFound (no
// such run, or it has ended meanwhile).
func (db *DB) SaveExport(ctx context.Context, claim Claim, e dossier.Export) error {
	_, err := transact(ctx, db, claim.Workspace, "save export", func(tx *tx) (none, error) {
		if err := holdClaim(ctx, tx, claim); err != nil {
			return none{}, err
		}
		tag, err := tx.Exec(ctx, `
			INSERT INTO exports (workspace_id, id, pipeline_run_id, start_at, end_at, object_key, rows, created_at)
			SELECT r.workspace_id, r.id, r.id, @startAt, @endAt, @objectKey, @rows, @now FROM pipeline_runs r
				WHERE r.workspace_id = @workspace AND r.id = @id AND r.status = 'IN_PROGRESS' FOR UPDATE
			ON CONFLICT (workspace_id, id) DO UPDATE SET object_key = excluded.object_key, rows = excluded.rows`,
			pgx.NamedArgs{"workspace": tx.ws, "id": e.RunID, "startAt": e.Filter.Start, "endAt": e.Filter.End,
				"objectKey": e.ObjectKey, "rows": e.Rows, "now": tx.now})
		if err == nil && tag.RowsAffected() == 0 {
			err = missing("pipeline run")
		}
		return none{}, err
	})
	return err
}

// ReadExport returns the published file of a run. Error: NotFound (there is none, or none any more).
func (db *DB) ReadExport(ctx context.Context, ws dossier.WorkspaceID,
	run dossier.PipelineRunID) (dossier.Export, error) {
	return readOne(ctx, db, ws, "read export", "export", scanExport,
		`SELECT `+exportColumns+` FROM exports WHERE workspace_id = $1 AND id = $2 AND finished_at IS NOT NULL`, ws,
		run)
}

// PruneExports forgets up to limit exports that were published before a time. The sweep of objects then deletes their
// files, which no row names.
func (db *DB) PruneExports(ctx context.Context, before time.Time, limit int) (int, error) {
	tag, err := db.system.Exec(ctx, `
		DELETE FROM exports WHERE ctid = ANY (ARRAY(
			SELECT ctid FROM exports WHERE finished_at < $2 ORDER BY finished_at LIMIT $1))`, limit, before)
	return int(tag.RowsAffected()), translate("prune exports", err)
}

const exportColumns = `id, start_at, end_at, object_key, rows, created_at, finished_at`

func scanExport(row pgx.CollectableRow) (e dossier.Export, err error) {
	err = row.Scan(&e.RunID, &e.Filter.Start, &e.Filter.End, &e.ObjectKey, &e.Rows, &e.CreatedAt, &e.FinishedAt)
	return e, err
}

// publishExport tells of the file of a run whose step ends in this commit.
func publishExport(ctx context.Context, tx *tx, run dossier.PipelineRunID) error {
	export, err := oneOf(ctx, tx, "export", scanExport, `UPDATE exports SET finished_at = $3
		WHERE workspace_id = $1 AND id = $2
		RETURNING `+exportColumns, tx.ws, run, tx.now)
	if err != nil {
		return err
	}
	if err := tx.QueryRow(ctx, `SELECT is_test FROM pipeline_runs WHERE workspace_id = $1 AND id = $2`, tx.ws,
		run).Scan(&tx.test); err != nil {
		return err
	}
	return emit(ctx, tx, dossier.EventExportCompleted, "", record.ExportEvent{Export: record.OfExport(export)})
}

// SetPipelineProgress shows how far the running step of a run is, in percent of the whole run, in the run and in its
// job. A run that does not run is left alone. Errors: NotFound, ErrFenced.
func (db *DB) SetPipelineProgress(ctx context.Context, claim Claim, run dossier.PipelineRunID, percent int) error {
	_, err := transact(ctx, db, claim.Workspace, "set pipeline progress", func(tx *tx) (none, error) {
		r, err := lockPipelineRun(ctx, tx, run)
		if err != nil || r.Status != dossier.PipelineInProgress {
			return none{}, err
		}
		if _, err := tx.Exec(ctx, `UPDATE pipeline_runs SET progress = $3 WHERE workspace_id = $1 AND id = $2`, tx.ws,
			run, percent); err != nil {
			return none{}, err
		}
		return none{}, showProgress(ctx, tx, claim, percent)
	})
	return err
}

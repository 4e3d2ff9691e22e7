package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/record"
)

// SaveExport notes that the file of a pipeline run is whole in object storage. It is published in the commit that
// finishes the step; until then it is nobody's but the run's. A repeat replaces the note. Error: NotFound (no such run, or it
// has ended meanwhile).
func (db *DB) SaveExport(ctx context.Context, ws dossier.WorkspaceID, e dossier.Export) error {
	_, err := transact(ctx, db, ws, "save export", func(tx *tx) (none, error) {
		tag, err := tx.Exec(ctx, `
			INSERT INTO exports (workspace_id, id, pipeline_run_id, start_at, end_at, object_key, rows, created_at)
			SELECT r.workspace_id, r.id, r.id, $3, $4, $5, $6, $7 FROM pipeline_runs r
				WHERE r.workspace_id = $1 AND r.id = $2 AND r.status = 'IN_PROGRESS' FOR UPDATE
			ON CONFLICT (workspace_id, id) DO UPDATE SET object_key = excluded.object_key, rows = excluded.rows`,
			tx.ws, e.RunID, e.Filter.Start, e.Filter.End, e.ObjectKey, e.Rows, tx.now)
		if err == nil && tag.RowsAffected() == 0 {
			err = missing("pipeline run")
		}
		return none{}, err
	})
	return err
}

// publishExport tells of the file of a run whose step ends in this commit.
func publishExport(ctx context.Context, tx *tx, run dossier.PipelineRunID) error {
	rows, err := tx.Query(ctx, `UPDATE exports SET finished_at = $3 WHERE workspace_id = $1 AND id = $2
		RETURNING id, start_at, end_at, object_key, rows, created_at, finished_at`, tx.ws, run, tx.now)
	if err != nil {
		return err
	}
	export, err := pgx.CollectExactlyOneRow(rows, func(row pgx.CollectableRow) (e dossier.Export, err error) {
		err = row.Scan(&e.RunID, &e.Filter.Start, &e.Filter.End, &e.ObjectKey, &e.Rows, &e.CreatedAt, &e.FinishedAt)
		return e, err
	})
	if err != nil {
		return err
	}
	return emit(ctx, tx, dossier.EventExportCompleted, "", struct {
		LeadID         *dossier.LeadID `json:"leadId"`
		ExternalLeadID *string         `json:"externalLeadId"`
		Export         record.Export   `json:"export"`
	}{Export: record.OfExport(export)})
}

// SetPipelineProgress shows how far the running step of a run is, in percent of the whole run. A run that does not
// run is left alone. Error: NotFound.
func (db *DB) SetPipelineProgress(ctx context.Context, ws dossier.WorkspaceID, run dossier.PipelineRunID, percent int) error {
	_, err := transact(ctx, db, ws, "set pipeline progress", func(tx *tx) (none, error) {
		r, err := lockPipelineRun(ctx, tx, run)
		if err != nil || r.Status != dossier.PipelineInProgress {
			return none{}, err
		}
		_, err = tx.Exec(ctx, `UPDATE pipeline_runs SET progress = $3 WHERE workspace_id = $1 AND id = $2`, tx.ws, run, percent)
		return none{}, err
	})
	return err
}

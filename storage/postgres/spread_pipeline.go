package postgres

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// SpreadOfStep returns the spread that a step of a pipeline run started, starting it the first time. With waits the
// try is over: the commit that ends the spread, or deletes its lead, stages the step again. Errors: ErrFenced,
// NotFound, Invalid.
func (db *DB) SpreadOfStep(ctx context.Context, claim Claim, run dossier.PipelineRun,
	in NewSpread) (s dossier.Spread, waits bool, err error) {
	s, err = transact(ctx, db, claim.Workspace, "spread of step", func(tx *tx) (dossier.Spread, error) {
		if _, err := lockLeadRef(ctx, tx, in.LeadID); err != nil { // it is not deleted between the look and the note
			return dossier.Spread{}, err
		}
		s, err := spreadOfStep(ctx, tx, run, in)
		if err != nil || s.Status != dossier.SpreadInProgress {
			return s, err
		}
		if _, err := tx.Exec(ctx, `UPDATE spreads SET pipeline_waits = true WHERE workspace_id = $1 AND id = $2`, tx.ws,
			s.ID); err != nil {
			return s, err
		}
		if _, err := tx.Exec(ctx, `UPDATE pipeline_runs SET attempts = greatest(attempts - 1, 0)
			WHERE workspace_id = $1 AND id = $2`, tx.ws, run.ID); err != nil {
			return s, err
		}
		return s, finishJob(ctx, tx, claim, "spread:"+string(s.ID))
	})
	return s, err == nil && s.Status == dossier.SpreadInProgress, err
}

func spreadOfStep(ctx context.Context, tx *tx, run dossier.PipelineRun, in NewSpread) (dossier.Spread, error) {
	var id dossier.SpreadID
	err := tx.QueryRow(ctx, `SELECT id FROM spreads WHERE workspace_id = $1 AND pipeline_run_id = $2
		AND pipeline_step = $3`, tx.ws, run.ID, run.Step).Scan(&id)
	if err == nil {
		return lockSpread(ctx, tx, id)
	}
	if !errors.Is(err, pgx.ErrNoRows) {
		return dossier.Spread{}, err
	}
	s, err := createSpread(ctx, tx, in)
	if err != nil {
		return s, err
	}
	_, err = tx.Exec(ctx, `UPDATE spreads SET pipeline_run_id = $3, pipeline_step = $4
		WHERE workspace_id = $1 AND id = $2`, tx.ws, s.ID, run.ID, run.Step)
	return s, err
}

// wakeSpreadRun stages the pipeline step that waits for a spread.
func wakeSpreadRun(ctx context.Context, tx *tx, id dossier.SpreadID) error {
	var run *dossier.PipelineRunID
	err := tx.QueryRow(ctx, `UPDATE spreads SET pipeline_waits = false WHERE workspace_id = $1 AND id = $2
		AND pipeline_waits RETURNING pipeline_run_id`, tx.ws, id).Scan(&run)
	if errors.Is(err, pgx.ErrNoRows) {
		return nil
	}
	if err != nil || run == nil {
		return err
	}
	return stageStep(ctx, tx, *run, jobs.PipelineSpreadFinancials)
}

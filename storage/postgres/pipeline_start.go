package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// startedRun is a pipeline run of a lead that starts together with others.
type startedRun struct {
	dossier.PipelineRun
	ws        dossier.WorkspaceID
	lead      dossier.LeadID
	requestID string
	job       jobs.Job // of its first step
}

func (r startedRun) owner() dossier.WorkspaceID { return r.ws }

// startRuns records runs and stages their first steps. One is not written when its lead is not there.
func (db *DB) startRuns(ctx context.Context, runs []startedRun) ([]bool, error) {
	done, err := groupCommit(ctx, db, "create pipeline run", runs, func(r startedRun) string { return string(r.ID) },
		queueStarts)
	if err == nil {
		db.wakeLoops(true, true)
	}
	return done, err
}

// startRow is a run with the job of its first step.
type startRow struct {
	ID         dossier.PipelineRunID  `json:"id"`
	Lead       dossier.LeadID         `json:"lead_id"`
	CreatedAt  time.Time              `json:"created_at"`
	PipelineID string                 `json:"pipeline_id"`
	Parameters json.RawMessage        `json:"parameters"`
	Steps      []dossier.PipelineStep `json:"steps"`
	RequestID  *string                `json:"request_id"`
	Job        dossier.JobID          `json:"job_id"`
	Kind       string                 `json:"kind"`
	Lane       jobs.Lane              `json:"lane"`
	Payload    jobs.Job               `json:"payload"`
	Tries      int                    `json:"tries"`
}

func queueStarts(batch *pgx.Batch, ws dossier.WorkspaceID, runs []startedRun) {
	rows := make([]startRow, len(runs))
	for i, r := range runs {
		spec := r.job.Spec()
		rows[i] = startRow{
			ID: r.ID, Lead: r.lead, CreatedAt: r.CreatedAt, PipelineID: r.PipelineID, Parameters: r.Parameters,
			Steps:     r.Steps,
			RequestID: dossier.OrNil(r.requestID), Job: newID[dossier.JobID](), Kind: spec.Kind, Lane: spec.Lane,
			Payload: r.job,
			Tries:   spec.Tries,
		}
	}
	batch.Queue(`
		WITH fit AS MATERIALIZED (
			SELECT s.* FROM jsonb_to_recordset($2) AS s (id uuid, lead_id uuid, created_at timestamptz,
				pipeline_id text,
				parameters jsonb, steps jsonb, request_id text, job_id uuid, kind text, lane text, payload jsonb,
					tries int)
			CROSS JOIN LATERAL (SELECT FROM leads l
				WHERE l.workspace_id = $1 AND l.id = s.lead_id AND l.deleted_at IS NULL LIMIT 1) l),
		r AS (
			INSERT INTO pipeline_runs (workspace_id, id, pipeline_id, parameters, steps, created_at)
			SELECT $1, id, pipeline_id, parameters, steps, created_at FROM fit),
		j AS (
			INSERT INTO jobs (id, workspace_id, kind, lane, payload, max_attempts, run_at, subject_id, request_id,
				created_at)
			SELECT job_id, $1, kind, lane, payload, tries, now(), id, request_id, created_at FROM fit),
		o AS (
			INSERT INTO outbox (workspace_id, job_id, epoch, kind, lane, payload, run_at)
			SELECT $1, job_id, 1, kind, lane, payload, now() FROM fit)
		SELECT id FROM fit`, ws, rows)
}

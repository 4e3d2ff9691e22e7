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

func queueStarts(batch *pgx.Batch, ws dossier.WorkspaceID, runs []startedRun) {
	n := len(runs)
	ids, leads, created := make([]dossier.PipelineRunID, n), make([]dossier.LeadID, n), make([]time.Time, n)
	pipelines, parameters, steps, requests := make([]string, n), make([]string, n), make([]string, n),
		make([]*string, n)
	jobIDs, kinds, lanes, payloads, tries := make([]dossier.JobID, n), make([]string, n), make([]jobs.Lane, n),
		make([]string, n), make([]int, n)
	for i, r := range runs {
		ids[i], leads[i], created[i] = r.ID, r.lead, r.CreatedAt
		pipelines[i], parameters[i], steps[i], requests[i] = r.PipelineID, string(r.Parameters), jsonText(r.Steps),
			nullable(r.requestID)
		spec := r.job.Spec()
		jobIDs[i], kinds[i], lanes[i], payloads[i], tries[i] = newID[dossier.JobID](), spec.Kind, spec.Lane,
			jsonText(r.job), spec.Tries
	}
	batch.Queue(`
		WITH fit AS MATERIALIZED (
			SELECT s.* FROM unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::jsonb[], $7::jsonb[],
				$8::text[],
				$9::uuid[], $10::text[], $11::text[], $12::jsonb[], $13::int[])
				AS s (id, lead_id, created_at, pipeline_id, parameters, steps, request_id, job_id, kind, lane, payload,
					tries)
			CROSS JOIN LATERAL (SELECT FROM leads l WHERE l.workspace_id = $1 AND l.id = s.lead_id
				AND l.deleted_at IS NULL LIMIT 1) l),
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
		SELECT id FROM fit`,
		ws, ids, leads, created, pipelines, parameters, steps, requests, jobIDs, kinds, lanes, payloads, tries)
}

// jsonText is the JSON of a plain struct, which always has one.
func jsonText(v any) string {
	encoded, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(encoded)
}

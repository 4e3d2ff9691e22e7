package postgres

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/record"
)

const pipelineColumns = `id, pipeline_id, parameters, webhook_id, status, progress, attempts, step, steps, result,
	error_code, error_message,
	created_at, started_at, finished_at, is_test`

func scanPipelineRun(row pgx.CollectableRow) (dossier.PipelineRun, error) {
	var r dossier.PipelineRun
	var code, message *string
	err := row.Scan(&r.ID, &r.PipelineID, &r.Parameters, &r.WebhookID, &r.Status, &r.Progress, &r.Attempts, &r.Step,
		&r.Steps, &r.Result,
		&code, &message, &r.CreatedAt, &r.StartedAt, &r.FinishedAt, &r.IsTest)
	if code != nil {
		r.Failure = &dossier.PipelineFailure{Code: *code, Message: dossier.Text(message)}
	}
	return r, err
}

// PipelineSubjects are the things that the parameters of a run name. All must exist in the workspace.
type PipelineSubjects struct {
	Lead      dossier.LeadID
	Documents []dossier.DocumentID
	Entry     dossier.EntryID
	Webhook   dossier.WebhookID
}

// CreatePipelineRun records a run and stages its first step. Error: NotFound, for each id in about that is not there.
func (db *DB) CreatePipelineRun(ctx context.Context, ws dossier.WorkspaceID, pipeline string, steps []string,
	parameters json.RawMessage, about PipelineSubjects) (dossier.PipelineRun, error) {
	run := dossier.PipelineRun{ID: newID[dossier.PipelineRunID](), PipelineID: pipeline, Parameters: parameters,
		Status: dossier.PipelinePending, CreatedAt: db.now()}
	for _, step := range steps {
		run.Steps = append(run.Steps, dossier.PipelineStep{PipelineID: step, Status: dossier.PipelinePending})
	}
	if about.Webhook != "" {
		run.WebhookID = &about.Webhook
	}
	if about.ofLead() && canGroup(ctx) {
		ok, err := db.starts.do(ctx, startedRun{PipelineRun: run, ws: ws, lead: about.Lead, requestID: RequestID(ctx),
			job: firstStep(ws, run)})
		switch {
		case err == nil && ok:
			return run, nil
		case err == nil:
			return run, missing("lead")
		case !retrySingly(err):
			return run, translate("create pipeline run", err)
		}
	}
	return transact(ctx, db, ws, "create pipeline run", func(tx *tx) (dossier.PipelineRun, error) {
		if err := requireSubjects(ctx, tx, about); err != nil {
			return run, err
		}
		run.IsTest = tx.test
		tx.deferExec(`INSERT INTO pipeline_runs (workspace_id, id, pipeline_id, parameters, webhook_id, status, steps,
			created_at, is_test)
			VALUES (@workspace, @id, @pipelineId, @parameters, @webhookId, @status, @steps, @createdAt,
			@isTest)`,
			pgx.NamedArgs{"workspace": tx.ws, "id": run.ID, "pipelineId": pipeline, "parameters": parameters,
				"webhookId": run.WebhookID, "status": run.Status, "steps": run.Steps, "createdAt": run.CreatedAt,
				"isTest": run.IsTest})
		_, err := enqueue(ctx, tx, firstStep(ws, run), staging{subject: string(run.ID)})
		return run, err
	})
}

// stageStep stages a run's step.
func stageStep(ctx context.Context, tx *tx, run dossier.PipelineRunID, pipeline string) error {
	_, err := enqueue(ctx, tx, stepJob(tx.ws, run, pipeline), staging{subject: string(run)})
	return err
}

// stepJob is the job of a run's step; exports have a lane of their own.
func stepJob(ws dossier.WorkspaceID, run dossier.PipelineRunID, pipeline string) jobs.Job {
	if pipeline == jobs.PipelineExportAnalyticsCSV {
		return jobs.ExportAnalytics{Workspace: ws, Run: run}
	}
	return jobs.RunPipeline{Workspace: ws, Run: run}
}

func firstStep(ws dossier.WorkspaceID, run dossier.PipelineRun) jobs.Job {
	return stepJob(ws, run.ID, run.Steps[0].PipelineID)
}

// ofLead reports whether nothing but a lead is named.
func (p PipelineSubjects) ofLead() bool {
	return p.Lead != "" && len(p.Documents) == 0 && p.Entry == "" && p.Webhook == ""
}

func requireSubjects(ctx context.Context, tx *tx, about PipelineSubjects) error {
	if about.Lead != "" {
		if err := requireLead(ctx, tx, about.Lead); err != nil {
			return err
		}
	}
	for _, id := range about.Documents {
		d, err := readDocument(ctx, tx, id)
		if err != nil {
			return err
		}
		if about.Lead != "" && d.LeadID != about.Lead {
			return missing("document")
		}
	}
	if about.Entry != "" {
		var found bool
		err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM checklist_entries e
			JOIN leads l ON l.workspace_id = e.workspace_id AND l.id = e.lead_id
			WHERE e.workspace_id = $1 AND e.id = $2 AND l.deleted_at IS NULL)`, tx.ws, about.Entry).Scan(&found)
		if err != nil {
			return err
		}
		if !found {
			return missing("checklist item")
		}
	}
	if about.Webhook == "" {
		return nil
	}
	var found bool
	err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM webhooks WHERE workspace_id = $1 AND id = $2
		AND deleted_at IS NULL)`, tx.ws, about.Webhook).Scan(&found)
	if err == nil && !found {
		return missing("webhook")
	}
	return err
}

// ReadPipelineRun returns one run of a pipeline. Error: NotFound.
func (db *DB) ReadPipelineRun(ctx context.Context, ws dossier.WorkspaceID, pipeline string,
	id dossier.PipelineRunID) (dossier.PipelineRun, error) {
	return readOne(ctx, db, ws, "read pipeline run", "pipeline run", scanPipelineRun,
		`SELECT `+pipelineColumns+` FROM pipeline_runs WHERE workspace_id = $1 AND id = $2 AND pipeline_id = $3`, ws,
		id, pipeline)
}

func lockPipelineRun(ctx context.Context, tx *tx, id dossier.PipelineRunID) (dossier.PipelineRun, error) {
	rows, err := tx.Query(ctx, `SELECT `+pipelineColumns+` FROM pipeline_runs
		WHERE workspace_id = $1 AND id = $2 FOR UPDATE`, tx.ws, id)
	if err != nil {
		return dossier.PipelineRun{}, err
	}
	r, err := pgx.CollectExactlyOneRow(rows, scanPipelineRun)
	return r, orMissing(err, "pipeline run")
}

func updatePipelineRun(ctx context.Context, tx *tx, r dossier.PipelineRun) error {
	var code, message *string
	if r.Failure != nil {
		code, message = &r.Failure.Code, &r.Failure.Message
	}
	_, err := tx.Exec(ctx, `UPDATE pipeline_runs SET status = @status, progress = @progress, attempts = @attempts,
		step = @step, steps = @steps,
		result = @result,
			error_code = @errorCode, error_message = @errorMessage, started_at = @startedAt, finished_at = @finishedAt
		WHERE workspace_id = @workspace AND id = @id`,
		pgx.NamedArgs{"workspace": tx.ws, "id": r.ID, "status": r.Status, "progress": r.Progress,
			"attempts": r.Attempts, "step": r.Step, "steps": r.Steps, "result": r.Result, "errorCode": code,
			"errorMessage": message, "startedAt": r.StartedAt, "finishedAt": r.FinishedAt})
	return err
}

// StartPipelineStep marks the run's next step as running and returns the run. Errors: NotFound; Conflict, when the
// run has ended, so that a job of a cancelled run does nothing.
func (db *DB) StartPipelineStep(ctx context.Context, ws dossier.WorkspaceID,
	id dossier.PipelineRunID) (dossier.PipelineRun, error) {
	return transact(ctx, db, ws, "start pipeline step", func(tx *tx) (dossier.PipelineRun, error) {
		r, err := lockPipelineRun(ctx, tx, id)
		if err != nil {
			return r, err
		}
		if err := r.Start(tx.now); err != nil {
			return r, err
		}
		return r, updatePipelineRun(ctx, tx, r)
	})
}

// FinishPipelineStep stores the result of the running step; the next step is staged, or the run ends and its event
// is recorded. It returns the run as it then is. Errors: ErrFenced, Conflict (the run was cancelled meanwhile).
func (db *DB) FinishPipelineStep(ctx context.Context, claim Claim, id dossier.PipelineRunID, result json.RawMessage,
	elapsed time.Duration) (dossier.PipelineRun, error) {
	return transact(ctx, db, claim.Workspace, "finish pipeline step", func(tx *tx) (dossier.PipelineRun, error) {
		r, err := lockPipelineRun(ctx, tx, id)
		if err != nil {
			return r, err
		}
		if r.Status.Ended() {
			return r, r.Start(tx.now)
		}
		step := r.Steps[r.Step].PipelineID
		more := r.FinishStep(result, elapsed, tx.now)
		if err := updatePipelineRun(ctx, tx, r); err != nil {
			return r, err
		}
		if err := finishJob(ctx, tx, claim, "pipeline_run:"+string(id)); err != nil {
			return r, err
		}
		if step == jobs.PipelineExportAnalyticsCSV {
			if err := publishExport(ctx, tx, id); err != nil {
				return r, err
			}
		}
		if more {
			return r, stageStep(ctx, tx, id, r.Steps[r.Step].PipelineID)
		}
		return r, emitPipelineRun(ctx, tx, dossier.EventPipelineRunCompleted, r)
	})
}

// FailPipelineRun ends the run with ERROR. Errors: ErrFenced.
func (db *DB) FailPipelineRun(ctx context.Context, claim Claim, id dossier.PipelineRunID,
	failure dossier.PipelineFailure, elapsed time.Duration) (dossier.PipelineRun, error) {
	return transact(ctx, db, claim.Workspace, "fail pipeline run", func(tx *tx) (dossier.PipelineRun, error) {
		r, err := failPipelineRun(ctx, tx, id, failure, elapsed)
		if err != nil {
			return r, err
		}
		return r, finishJob(ctx, tx, claim, "pipeline_run:"+string(id))
	})
}

func failPipelineRun(ctx context.Context, tx *tx, id dossier.PipelineRunID, failure dossier.PipelineFailure,
	elapsed time.Duration) (dossier.PipelineRun, error) {
	r, err := lockPipelineRun(ctx, tx, id)
	if err != nil || r.Status.Ended() {
		return r, err
	}
	r.Fail(failure, elapsed, tx.now)
	tx.deferExec(`DELETE FROM exports WHERE workspace_id = $1 AND id = $2 AND finished_at IS NULL`, tx.ws, id)
	if err := updatePipelineRun(ctx, tx, r); err != nil {
		return r, err
	}
	return r, emitPipelineRun(ctx, tx, dossier.EventPipelineRunFailed, r)
}

// CancelPipelineRun ends a run that has not ended. Errors: NotFound, Conflict (it has).
func (db *DB) CancelPipelineRun(ctx context.Context, ws dossier.WorkspaceID, pipeline string,
	id dossier.PipelineRunID) (dossier.PipelineRun, error) {
	return transact(ctx, db, ws, "cancel pipeline run", func(tx *tx) (dossier.PipelineRun, error) {
		r, err := lockPipelineRun(ctx, tx, id)
		if err != nil {
			return r, err
		}
		if r.PipelineID != pipeline {
			return r, missing("pipeline run")
		}
		if err := r.Cancel(tx.now); err != nil {
			return r, err
		}
		if err := updatePipelineRun(ctx, tx, r); err != nil {
			return r, err
		}
		// A file that was written and not yet published is nobody's: without this row the sweep deletes it.
		tx.deferExec(`DELETE FROM exports WHERE workspace_id = $1 AND id = $2 AND finished_at IS NULL`, tx.ws, id)
		return r, cancelSubject(ctx, tx, string(id))
	})
}

// AwaitDocument ends this try of a run's step because the document it needs is still being read; the commit that ends
// the reading, or that deletes the document or its lead, stages the step again. It reports false, and changes nothing,
// when the document is read. Errors: ErrFenced, NotFound.
func (db *DB) AwaitDocument(ctx context.Context, claim Claim, run dossier.PipelineRunID,
	document dossier.DocumentID) (bool, error) {
	return transact(ctx, db, claim.Workspace, "await document", func(tx *tx) (bool, error) {
		var status dossier.ExtractionStatus
		// Both rows are held: neither the reading nor the lead can end between the look and the note.
		err := tx.QueryRow(ctx, `SELECT d.extraction_status FROM documents d
			JOIN leads l ON l.workspace_id = d.workspace_id AND l.id = d.lead_id
			WHERE d.workspace_id = $1 AND d.id = $2 AND d.deleted_at IS NULL
				AND l.deleted_at IS NULL FOR SHARE OF l FOR UPDATE OF d`,
			tx.ws, document).Scan(&status)
		if err != nil {
			return false, orMissing(err, "document")
		}
		if status == dossier.ExtractionCompleted || status == dossier.ExtractionFailed {
			return false, nil
		}
		if _, err := tx.Exec(ctx, `UPDATE pipeline_runs SET awaits_document = $3, attempts = greatest(attempts - 1, 0)
			WHERE workspace_id = $1 AND id = $2`,
			tx.ws, run, document); err != nil {
			return false, err
		}
		return true, finishJob(ctx, tx, claim, "pipeline_run:"+string(run))
	})
}

// wakePipelineRuns stages the steps that waited for documents, which have been read or are gone.
func wakePipelineRuns(ctx context.Context, tx *tx, documents ...dossier.DocumentID) error {
	type awaiting struct {
		ID       dossier.PipelineRunID
		Pipeline string
	}
	runs, err := collect(ctx, tx, pgx.RowToStructByName[awaiting], `UPDATE pipeline_runs SET awaits_document = NULL
		WHERE workspace_id = $1 AND awaits_document = ANY($2) AND awaits_document IS NOT NULL
			AND status IN ('PENDING', 'IN_PROGRESS')
		RETURNING id, steps -> step ->> 'pipelineId' AS pipeline`, tx.ws, documents)
	for _, run := range runs {
		if err := stageStep(ctx, tx, run.ID, run.Pipeline); err != nil {
			return err
		}
	}
	return err
}

// wakeLeadRuns stages the steps that waited for something of a lead that is gone: they find that out and end their
// runs.
func wakeLeadRuns(ctx context.Context, tx *tx, lead dossier.LeadID) error {
	documents, err := collect(ctx, tx, pgx.RowTo[dossier.DocumentID], `SELECT id FROM documents
		WHERE workspace_id = $1 AND lead_id = $2`, tx.ws, lead)
	if err != nil {
		return err
	}
	if err := wakePipelineRuns(ctx, tx, documents...); err != nil {
		return err
	}
	spreads, err := collect(ctx, tx, pgx.RowTo[dossier.SpreadID], `SELECT id FROM spreads
		WHERE workspace_id = $1 AND lead_id = $2 AND pipeline_waits`, tx.ws, lead)
	for _, id := range spreads {
		if err := wakeSpreadRun(ctx, tx, id); err != nil {
			return err
		}
	}
	return err
}

// emitPipelineRun tells of a run's end. A run's lead is not named: its parameters may concern several.
func emitPipelineRun(ctx context.Context, tx *tx, event dossier.EventType, r dossier.PipelineRun) error {
	tx.test = r.IsTest
	return emitTo(ctx, tx, event, "", r.WebhookID,
		record.PipelineRunEvent{PipelineRun: record.OfPipelineRun(r, tx.now)})
}

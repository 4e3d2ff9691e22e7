package dossier

import (
	"encoding/json"
	"time"
)

// PipelineStatus is the state of a pipeline run (decisions.md section 7).
type PipelineStatus string

// States of a pipeline run. COMPLETE, ERROR and CANCELLED are terminal.
const (
	PipelinePending    PipelineStatus = "PENDING"
	PipelineInProgress PipelineStatus = "IN_PROGRESS"
	PipelineComplete   PipelineStatus = "COMPLETE"
	PipelineError      PipelineStatus = "ERROR"
	PipelineCancelled  PipelineStatus = "CANCELLED"
)

// Ended reports whether a run in this state changes no more.
func (s PipelineStatus) Ended() bool {
	return s == PipelineComplete || s == PipelineError || s == PipelineCancelled
}

// PipelineRun is one run of a built-in pipeline or of a chain of them.
type PipelineRun struct {
	ID         PipelineRunID
	PipelineID string
	Parameters json.RawMessage // as they were sent
	IsTest     bool            // a test key started it
	WebhookID  *WebhookID      // gets the outcome once
	Status     PipelineStatus
	Progress   int // 0 to 100
	Attempts   int
	Steps      []PipelineStep // one for each pipeline of the chain; a built-in one is a chain of one
	Step       int            // index of the step that runs or runs next
	Result     json.RawMessage
	Failure    *PipelineFailure
	CreatedAt  time.Time
	StartedAt  *time.Time // of the first try of the first step
	FinishedAt *time.Time
}

// PipelineStep is one step of a run. In JSON it is an entry of a chain's result (resources.md section 7).
type PipelineStep struct {
	PipelineID  string           `json:"pipelineId"`
	Status      PipelineStatus   `json:"status"`
	Result      json.RawMessage  `json:"result"`
	Failure     *PipelineFailure `json:"error"`
	TimeElapsed int64            `json:"timeElapsed"` // ms
}

// PipelineFailure is why a run ended with ERROR.
type PipelineFailure struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Chain reports whether the run has the result of a chain: its steps.
func (r *PipelineRun) Chain() bool { return len(r.Steps) != 1 || r.Steps[0].PipelineID != r.PipelineID }

// Start moves a PENDING run to IN_PROGRESS; a later try or step only counts.
// Error: Conflict, when the run has ended.
func (r *PipelineRun) Start(now time.Time) error {
	if r.Status.Ended() {
		return Coded(Conflict, "pipeline_run_finished", "This pipeline run is already %s", r.Status)
	}
	if r.StartedAt == nil {
		r.StartedAt = &now
	}
	r.Status = PipelineInProgress
	r.Steps[r.Step].Status = PipelineInProgress
	r.Attempts++
	return nil
}

// FinishStep records the result of the running step, which took elapsed, and reports whether another follows.
func (r *PipelineRun) FinishStep(result json.RawMessage, elapsed time.Duration, now time.Time) (more bool) {
	step := &r.Steps[r.Step]
	step.Status, step.Result, step.TimeElapsed = PipelineComplete, result, elapsed.Milliseconds()
	r.Step++
	r.Progress = 100 * r.Step / len(r.Steps)
	if r.Step < len(r.Steps) {
		return true
	}
	r.Status, r.FinishedAt, r.Result = PipelineComplete, &now, result
	if r.Chain() {
		r.Result = r.stepsResult()
	}
	return false
}

// Fail ends the run with ERROR at the running step. A chain keeps the results of the steps so far.
func (r *PipelineRun) Fail(failure PipelineFailure, elapsed time.Duration, now time.Time) {
	step := &r.Steps[min(r.Step, len(r.Steps)-1)]
	step.Status, step.Failure, step.TimeElapsed = PipelineError, &failure, elapsed.Milliseconds()
	r.Status, r.Failure, r.FinishedAt = PipelineError, &failure, &now
	if r.Chain() {
		r.Result = r.stepsResult()
	}
}

// Cancel ends a run that has not ended. Error: Conflict, when it has.
func (r *PipelineRun) Cancel(now time.Time) error {
	if r.Status.Ended() {
		return Coded(Conflict, "pipeline_run_finished", "This pipeline run is already %s", r.Status)
	}
	r.Status, r.FinishedAt = PipelineCancelled, &now
	return nil
}

func (r *PipelineRun) stepsResult() json.RawMessage {
	// Marshalling plain structs of strings, numbers and valid JSON cannot fail.
	data, _ := json.Marshal(map[string]any{"steps": r.Steps})
	return data
}

// Elapsed is the time from the first start to the end, or to now while the run goes on; 0 before it starts.
func (r *PipelineRun) Elapsed(now time.Time) time.Duration {
	switch {
	case r.StartedAt == nil:
		return 0
	case r.FinishedAt != nil:
		return r.FinishedAt.Sub(*r.StartedAt)
	}
	return now.Sub(*r.StartedAt)
}

// JobStatus is where a job stands in the ledger.
type JobStatus string

// States of a job. QUEUED and RETRY wait, RUNNING is held by one worker, the rest is final.
const (
	JobQueued    JobStatus = "QUEUED"
	JobRunning   JobStatus = "RUNNING"
	JobRetry     JobStatus = "RETRY" // failed or put off, waits for its due time
	JobDone      JobStatus = "DONE"
	JobFailed    JobStatus = "FAILED" // no try left, or no try would help
	JobCancelled JobStatus = "CANCELLED"
)

// JobStatuses lists the states in the order of a job's life.
var JobStatuses = []JobStatus{JobQueued, JobRunning, JobRetry, JobDone, JobFailed, JobCancelled}

// Final reports whether nothing more happens to a job in this state, unless an operator retries it.
func (s JobStatus) Final() bool { return s == JobDone || s == JobFailed || s == JobCancelled }

// Job is one row of the ledger as operators see it (resources.md section 11).
type Job struct {
	ID           JobID
	Workspace    WorkspaceID // empty: housekeeping, which belongs to no tenant
	Kind         string      // noun.verb
	Lane         string
	Status       JobStatus
	Attempt      int // started so far
	MaxAttempts  int
	Epoch        int // raised whenever the job was taken away from whoever may have held it
	Worker       string
	RunAt        time.Time  // not before
	LeaseUntil   *time.Time // while RUNNING
	Progress     int        // percent
	ErrorClass   string     // of the last failed try
	ErrorMessage string
	ResultRef    string // noun:id
	Subject      string // id of what it works on
	Payload      json.RawMessage
	RequestID    string
	CreatedAt    time.Time
	StartedAt    *time.Time // first start
	FinishedAt   *time.Time
}

package dossier

import "time"

// Run is one agent conducting one workflow on one lead.
type Run struct {
	ID              RunID
	LeadID          LeadID
	AgentID         AgentID
	WorkflowID      WorkflowID
	ExternalID      *string
	Status          RunStatus
	CompletedReason *string // MANUAL or AUTOMATIC
	CreatedAt       time.Time
	UpdatedAt       time.Time
	PausedAt        *time.Time
	CompletedAt     *time.Time
	CancelledAt     *time.Time
}

// RunStatus is the state of a run (api.md, Workflow run status).
type RunStatus string

// States of a run; the last two are terminal.
const (
	RunActive    RunStatus = "ACTIVE"
	RunPaused    RunStatus = "PAUSED"
	RunCompleted RunStatus = "COMPLETED"
	RunCancelled RunStatus = "CANCELLED"
)

// Valid reports whether s is one of the four states.
func (s RunStatus) Valid() bool {
	switch s {
	case RunActive, RunPaused, RunCompleted, RunCancelled:
		return true
	}
	return false
}

// Ended reports whether the run will do nothing any more.
func (s RunStatus) Ended() bool { return s == RunCompleted || s == RunCancelled }

// Why a run is COMPLETED.
const (
	CompletedManually      = "MANUAL"
	CompletedAutomatically = "AUTOMATIC"
)

// NewRun is a run as it begins: ACTIVE (api.md, create a workflow run).
func NewRun(id RunID, lead LeadID, agent AgentID, workflow WorkflowID, now time.Time) Run {
	return Run{ID: id, LeadID: lead, AgentID: agent, WorkflowID: workflow, Status: RunActive, CreatedAt: now, UpdatedAt: now}
}

// Pause stops outreach and reports whether anything changed: a PAUSED run stays as it is.
// Error: Conflict (run_terminal).
func (r *Run) Pause(now time.Time) (bool, error) {
	switch r.Status {
	case RunPaused:
		return false, nil
	case RunCompleted, RunCancelled:
		return false, r.ended()
	}
	r.Status, r.PausedAt, r.UpdatedAt = RunPaused, &now, now
	return true, nil
}

// Resume lets a PAUSED run go on and reports whether anything changed: an ACTIVE run stays as it is. What was
// queued before the pause is not sent; the agent looks at the lead anew.
// Error: Conflict (run_terminal).
func (r *Run) Resume(now time.Time) (bool, error) {
	switch r.Status {
	case RunActive:
		return false, nil
	case RunCompleted, RunCancelled:
		return false, r.ended()
	}
	r.Status, r.PausedAt, r.UpdatedAt = RunActive, nil, now
	return true, nil
}

// Cancel ends the run for good and reports whether anything changed: a CANCELLED run stays as it is.
// Error: Conflict (run_terminal), when the run is COMPLETED.
func (r *Run) Cancel(now time.Time) (bool, error) {
	switch r.Status {
	case RunCancelled:
		return false, nil
	case RunCompleted:
		return false, r.ended()
	}
	r.Status, r.PausedAt, r.CancelledAt, r.UpdatedAt = RunCancelled, nil, &now, now
	return true, nil
}

// Complete ends the run because a client says so, ACTIVE or PAUSED, and reports whether anything changed: a
// COMPLETED run stays as it is. manual says whether its workflow permits that.
// Errors: Conflict (run_terminal, when the run is CANCELLED; run_not_manually_completable).
func (r *Run) Complete(manual bool, now time.Time) (bool, error) {
	switch {
	case r.Status == RunCompleted:
		return false, nil
	case r.Status == RunCancelled:
		return false, r.ended()
	case !manual:
		return false, Coded(Conflict, "run_not_manually_completable", "Runs of this workflow cannot be completed manually")
	}
	r.complete(CompletedManually, now)
	return true, nil
}

// Finish ends an ACTIVE run whose workflow has nothing left to do, and reports whether it did. A PAUSED run waits
// until it is resumed.
func (r *Run) Finish(now time.Time) bool {
	if r.Status != RunActive {
		return false
	}
	r.complete(CompletedAutomatically, now)
	return true
}

func (r *Run) complete(reason string, now time.Time) {
	r.Status, r.PausedAt, r.CompletedAt, r.CompletedReason, r.UpdatedAt = RunCompleted, nil, &now, &reason, now
}

func (r *Run) ended() error {
	return Coded(Conflict, "run_terminal", "This workflow run is already %s", r.Status)
}

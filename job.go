package dossier

import (
	"encoding/json"
	"time"
)

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

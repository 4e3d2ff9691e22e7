// Package jobs says what can be queued: one payload struct for each kind of work, with its lane, how long it
// may take and how often it is tried. Payloads carry ids only and fields are only ever added. How the work is
// done is the business of jobs/worker; this package knows no queue library.
package jobs

import (
	"slices"
	"time"
)

// Lane is a queue with workers of its own, so that one kind of work cannot hold up another.
type Lane string

// Lanes. A deployment chooses per worker process which it serves (DOSSIER_LANES).
const (
	LaneWebhook      Lane = "webhook"       // first tries of deliveries
	LaneWebhookRetry Lane = "webhook-retry" // all later tries
	LaneDocument     Lane = "document"
	LaneSpread       Lane = "spread"
	LaneExport       Lane = "export"
	LanePipeline     Lane = "pipeline"
	LaneAgent        Lane = "agent"   // agents' turns
	LaneMessage      Lane = "message" // what providers are called for
	LaneModel        Lane = "model"   // what language models are asked of documents
	LaneImport       Lane = "import"  // tables of leads, made into leads row by row
	LaneSystem       Lane = "system"  // short housekeeping: sweeps, schedules
)

// Lanes lists every lane.
var Lanes = []Lane{LaneWebhook, LaneWebhookRetry, LaneDocument, LaneSpread, LaneExport, LanePipeline, LaneAgent,
	LaneMessage, LaneModel, LaneImport, LaneSystem}

// Shared reports whether a lane admits jobs fairly among tenants: its jobs wait in the ledger, and only a few at once
// are handed to the queue. The other lanes have short work, or a fairness of their own (one sender per endpoint).
func (l Lane) Shared() bool {
	switch l {
	case LaneDocument, LaneSpread, LaneExport, LanePipeline, LaneModel, LaneImport:
		return true
	}
	return false
}

// SharedLanes lists the lanes that are Shared.
var SharedLanes = slices.DeleteFunc(slices.Clone(Lanes), func(l Lane) bool { return !l.Shared() })

// Spec is what the queue must know of a kind of job.
type Spec struct {
	Kind    string        // noun.verb; never renamed, since jobs of a release live on in the next
	Lane    Lane          // where it waits
	Timeout time.Duration // of one try
	Tries   int           // starts in all, a crash counting as one
}

// Job is a payload that can be queued. Every payload has a field Workspace.
type Job interface{ Spec() Spec }

// DropTask is the kind of an outbox row that takes the task of a cancelled job out of the queue. It is no job.
const DropTask = "task.drop"

package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// Claim is the right to do one try of one job: every final write repeats its epoch, so whoever lost the right
// (a stalled worker that wakes up late) changes nothing.
//
// A store method that ends the try in the commit of its effect (finishJob, retryJob, snoozeJob, failJob)
// writes its Outcome; the worker reads it and tells the queue, so a handler returns nil after such a call.
type Claim struct {
	Job         dossier.JobID
	Workspace   dossier.WorkspaceID // empty: housekeeping
	Kind        string
	Payload     json.RawMessage
	Epoch       int
	Attempt     int // this one, from 1
	MaxAttempts int
	Bulk        bool // and so is what follows from it
	RequestID   string
	CreatedAt   time.Time
	StartedAt   time.Time     // of the first try
	Trace       string        // that it belongs to; empty: nobody traces
	Ahead       time.Duration // of a test lead's clock (AdvanceLead)

	Outcome *Outcome // what a store call made of the try; copies of the claim share it
}

// LastTry reports whether no try is left after this one.
func (c Claim) LastTry() bool { return c.Attempt >= c.MaxAttempts }

type claimRequest struct {
	job    dossier.JobID
	epoch  int
	worker string
}

// ErrPaused refuses a claim of a job that waits because operators have paused its lane.
var ErrPaused = errors.New("the lane is paused")

// claimed is the answer to a claimRequest: a claim; neither field set, when there is nothing to do; or a paused lane.
type claimed struct {
	claim  *Claim
	paused bool
}

// ClaimJob takes a waiting job that is due: RUNNING under a lease, one try more. Without ok there is nothing to
// do: the job was claimed before, is over, awaits admission, or this is an old epoch's task. Claims made at the same
// time share a commit. Error: ErrPaused.
func (db *DB) ClaimJob(ctx context.Context, job dossier.JobID, epoch int,
	worker string) (claim Claim, ok bool, err error) {
	got, err := db.claims.do(ctx, claimRequest{job: job, epoch: epoch, worker: worker})
	switch {
	case err != nil:
		return Claim{}, false, translate("claim job", err)
	case got.paused:
		return Claim{}, false, ErrPaused
	case got.claim == nil:
		return Claim{}, false, nil
	}
	return *got.claim, true, nil
}

// claimBatch needs no durable commit of its own: if a crash of the database forgets a claim, the job is still
// waiting, and whatever the worker writes under the forgotten claim is refused. Two seconds of tolerance absorb the
// queue's due times, which are whole seconds.
func (db *DB) claimBatch(ctx context.Context, asks []claimRequest) ([]claimed, error) {
	ids, epochs, workers := make([]dossier.JobID, len(asks)), make([]int, len(asks)), make([]string, len(asks))
	for i, ask := range asks {
		ids[i], epochs[i], workers[i] = ask.job, ask.epoch, ask.worker
	}
	claims, err := asyncCommitQuery(ctx, db, "claim jobs", pgx.RowToFunc[Claim](scanClaim), `
		UPDATE jobs j SET status = 'RUNNING', attempt = attempt + 1, lease_until = now() + $4, worker = ask.worker,
			started_at = coalesce(started_at, now())
		FROM unnest($1::uuid[], $2::int[], $3::text[]) AS ask (id, epoch, worker)
		WHERE j.id = ask.id AND j.epoch = ask.epoch AND j.status IN ('QUEUED', 'RETRY')
			AND j.run_at <= now() + interval '2 seconds' AND `+rowEstimateHint("ask.epoch")+`
		  AND (j.admitted = j.epoch OR j.workspace_id IS NULL OR j.lane <> ALL ($5))
		  	AND j.lane <> ALL (ARRAY(SELECT lane FROM lanes WHERE paused))
		  AND NOT EXISTS (SELECT FROM workspaces w WHERE w.id = j.workspace_id AND w.deleted_at IS NOT NULL)
		RETURNING `+claimColumns, ids, epochs, workers, Lease, jobs.SharedLanes)
	if err != nil {
		return nil, err
	}
	type try struct { // a task of an older epoch may come in the same batch
		job   dossier.JobID
		epoch int
	}
	byTry := make(map[try]*Claim, len(claims))
	for i := range claims {
		byTry[try{claims[i].Job, claims[i].Epoch}] = &claims[i]
	}
	var paused []dossier.JobID
	if len(claims) < len(asks) {
		if paused, err = db.requeue(ctx, ids, epochs); err != nil {
			return nil, err
		}
	}
	out := make([]claimed, len(asks))
	for i, ask := range asks {
		asked := try{ask.job, ask.epoch}
		out[i] = claimed{byTry[asked], slices.Contains(paused, ask.job)}
		delete(byTry, asked) // the same task twice in one batch: one of them has it
	}
	return out, nil
}

const claimColumns = `j.id, j.workspace_id, j.kind, j.payload, j.epoch, j.attempt, j.max_attempts, j.bulk, j.request_id,
	j.created_at, j.started_at, j.trace, j.ahead`

func scanClaim(row pgx.CollectableRow) (Claim, error) {
	claim := Claim{Outcome: &Outcome{}}
	var workspace, requestID, trace *string
	var startedAt *time.Time
	var ahead int64
	err := row.Scan(&claim.Job, &workspace, &claim.Kind, &claim.Payload, &claim.Epoch, &claim.Attempt,
		&claim.MaxAttempts,
		&claim.Bulk, &requestID, &claim.CreatedAt, &startedAt, &trace, &ahead)
	claim.Workspace, claim.RequestID = dossier.WorkspaceID(deref(workspace)), deref(requestID)
	claim.StartedAt, claim.Trace = deref(startedAt), deref(trace)
	claim.Ahead = time.Duration(ahead) * time.Microsecond
	return claim, err
}

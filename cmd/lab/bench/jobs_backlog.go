package bench

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier/jobs"
)

// JobsBacklogResult says whether waiting jobs slow down the others: figures of an empty ledger beside those of a full one.
type JobsBacklogResult struct {
	Name    string         `json:"name"`
	Machine Machine        `json:"machine"`
	Waiting int            `json:"waiting"` // jobs of one workspace in turn in a shared lane, and as many of another lane before their time
	Empty   BacklogFigures `json:"empty"`
	Full    BacklogFigures `json:"full"`
	Slower  float64        `json:"slower"` // ledgered throughput of the empty ledger to that of the full one
}

// BacklogFigures are of one ledger.
type BacklogFigures struct {
	Ledgered  Throughput `json:"ledgered"`  // jobs that do nothing, relayed, claimed, run and finished
	Admission Latency    `json:"admission"` // of one job of a shared lane
}

// JobsBacklog measures n ledgered jobs and 200 admissions, without and with the given number of waiting jobs.
func JobsBacklog(ctx context.Context, s *Stack, n, waiting int) (JobsBacklogResult, error) {
	result := JobsBacklogResult{Name: "jobs-backlog", Machine: s.About, Waiting: waiting}
	var err error
	if result.Empty, err = s.backlogFigures(ctx, n, 1000); err != nil {
		return result, err
	}
	if result.Full, err = s.backlogFigures(ctx, n, waiting); err != nil {
		return result, err
	}
	result.Slower = round(result.Empty.Ledgered.PerSecond / result.Full.Ledgered.PerSecond)
	return result, nil
}

func (s *Stack) backlogFigures(ctx context.Context, n, waiting int) (BacklogFigures, error) {
	var f BacklogFigures
	if err := s.fillLedger(ctx, waiting); err != nil {
		return f, err
	}
	const admissions = 200
	var samples []time.Duration
	for i := range admissions {
		began := time.Now()
		if _, err := s.DB.AdmitJobs(ctx, jobs.LaneDocument, i+1); err != nil {
			return f, err
		}
		samples = append(samples, time.Since(began))
	}
	f.Admission = latency(samples)
	if _, err := s.stageNoops(ctx, n); err != nil {
		return f, err
	}
	var err error
	f.Ledgered, err = s.ledgered(ctx, n)
	return f, err
}

// fillLedger replaces what waits by so many jobs in turn in the document lane, and as many in the message lane, which are
// not due yet.
func (s *Stack) fillLedger(ctx context.Context, waiting int) error {
	conn, err := pgx.Connect(ctx, s.URL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	if _, err := conn.Exec(ctx, `DELETE FROM jobs`); err != nil {
		return err
	}
	for _, lane := range []jobs.Lane{jobs.LaneDocument, jobs.LaneMessage} {
		_, err := conn.Exec(ctx, `INSERT INTO jobs (id, workspace_id, kind, lane, payload, max_attempts, run_at, created_at, in_turn)
			SELECT gen_random_uuid(), $1, 'bench.waits', $2, '{}', 3, now() + interval '1 hour', now(), CASE WHEN $3 THEN 1 END FROM generate_series(1, $4)`,
			s.Workspace, lane, lane.Shared(), waiting)
		if err != nil {
			return err
		}
	}
	_, err = conn.Exec(ctx, `VACUUM ANALYZE jobs`)
	return err
}

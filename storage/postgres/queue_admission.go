package postgres

import (
	"context"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// Conditions of jobs that await admission and of those that do not, as the indexes have them.
const (
	awaitingAdmission = `in_turn = epoch AND status = 'QUEUED'`
	notAwaiting       = `in_turn IS DISTINCT FROM epoch`
)

// awaitAdmission marks the outbox rows that are due in a shared lane as awaiting admission, and returns the others,
// which go to the queue at once. A job of a shared lane that is due later is among the others: the queue shows when it
// is due, and the job awaits admission when that time comes (requeue).
func awaitAdmission(ctx context.Context, tx *tx, rows []Staged) (others []Staged, err error) {
	var ids []dossier.JobID
	var epochs []int
	for _, row := range rows {
		if !row.Lane.Shared() || row.workspace == nil || row.Wait > 0 {
			others = append(others, row)
			continue
		}
		ids, epochs = append(ids, row.Job), append(epochs, row.Epoch)
	}
	if len(ids) > 0 {
		_, err = tx.Exec(ctx, `
			UPDATE jobs j SET in_turn = j.epoch, status = 'QUEUED' FROM unnest($1::uuid[], $2::int[]) AS due (id, epoch)
			WHERE j.id = due.id AND j.epoch = due.epoch AND j.status IN ('QUEUED', 'RETRY')
				AND `+rowEstimateHint("due.epoch"), ids, epochs)
	}
	return others, err
}

// requeue handles claims that were refused. Jobs of shared lanes that were never admitted (they come from the queue's
// retry set) await admission from then on. It returns the jobs that were refused because their lane is paused.
func (db *DB) requeue(ctx context.Context, ids []dossier.JobID, epochs []int) (paused []dossier.JobID, err error) {
	return asyncCommitQuery(ctx, db, "requeue jobs", pgx.RowTo[dossier.JobID], `
		WITH asked AS (SELECT j.id, j.lane, j.admitted = j.epoch OR j.workspace_id IS NULL
			OR j.lane <> ALL ($3) AS admitted
			FROM unnest($1::uuid[], $2::int[]) AS ask (id, epoch) JOIN jobs j ON j.id = ask.id AND j.epoch = ask.epoch
			WHERE j.status IN ('QUEUED', 'RETRY') AND j.run_at <= now() + interval '2 seconds'
				AND `+rowEstimateHint("ask.epoch")+`),
		back AS (UPDATE jobs j SET status = 'QUEUED', epoch = j.epoch + 1, in_turn = j.epoch + 1
			FROM asked WHERE asked.admitted IS NOT TRUE AND j.id = asked.id AND j.status IN ('QUEUED', 'RETRY')
				AND j.`+notAwaiting+`)
		SELECT asked.id FROM asked JOIN lanes USING (lane) WHERE asked.admitted AND lanes.paused`, ids, epochs,
		jobs.SharedLanes)
}

// LanesAwaiting are the lanes in which jobs await admission.
func (db *DB) LanesAwaiting(ctx context.Context) ([]jobs.Lane, error) {
	rows, err := db.system.Query(ctx, `SELECT lane FROM unnest($1::text[]) AS lane
		WHERE EXISTS (SELECT FROM jobs WHERE jobs.lane = lane.lane AND `+awaitingAdmission+`)`, jobs.SharedLanes)
	if err != nil {
		return nil, translate("lanes awaiting", err)
	}
	lanes, err := pgx.CollectRows(rows, pgx.RowTo[jobs.Lane])
	return lanes, translate("lanes awaiting", err)
}

// LateAdmissions counts the jobs that have awaited admission for longer than late, up to 1,000.
func (db *DB) LateAdmissions(ctx context.Context, late time.Duration) (n int, err error) {
	err = db.system.QueryRow(ctx, `SELECT count(*) FROM (SELECT FROM jobs
		WHERE lane = ANY ($1) AND `+awaitingAdmission+` AND run_at < now() - $2::interval LIMIT 1000) late`,
		jobs.SharedLanes, late).Scan(&n)
	return n, translate("late admissions", err)
}

// AdmitJobs admits the next jobs of a shared lane, until window jobs are in flight (admitted and not over), in the
// order that jobs.Schedule decides. The caller hands the returned jobs to the queue and calls CancelAdmission for those
// it cannot; what a crash leaves behind the reaper finds. One process at a time admits in a lane.
func (db *DB) AdmitJobs(ctx context.Context, lane jobs.Lane, window int) ([]Staged, error) {
	return systemTx(ctx, db, "admit jobs", func(tx *tx) ([]Staged, error) {
		admission, err := lockLane(ctx, tx, lane)
		if err != nil || admission.paused || admission.inFlight >= window {
			return nil, err
		}
		free := window - admission.inFlight
		contenders, err := admission.candidates(ctx, tx, free)
		if err != nil {
			return nil, err
		}
		chosen := jobs.Schedule(contenders, free, admission.admitted)
		if len(chosen) == 0 {
			return nil, nil
		}
		tx.deferExec(`UPDATE lanes SET turns = turns + $2, last_served = coalesce((SELECT workspace_id FROM jobs
			WHERE id = $3), last_served) WHERE lane = $1`,
			lane, len(chosen), chosen[len(chosen)-1])
		return admit(ctx, tx, chosen)
	})
}

func admit(ctx context.Context, tx *tx, chosen []dossier.JobID) ([]Staged, error) {
	rows, err := collect(ctx, tx, func(row pgx.CollectableRow) (s Staged, err error) {
		err = row.Scan(&s.Job, &s.Epoch, &s.Kind, &s.Lane, &s.Payload, &s.Trace)
		return s, err
	}, `
		UPDATE jobs j SET admitted = epoch, admitted_at = clock_timestamp(), in_turn = NULL
			FROM unnest($1::uuid[]) AS chosen (id)
		WHERE j.id = chosen.id AND `+awaitingAdmission+` RETURNING j.id, j.epoch, j.kind, j.lane, j.payload,
			coalesce(j.trace, '')`, chosen)
	slices.SortFunc(rows, func(a, b Staged) int { return slices.Index(chosen, a.Job) - slices.Index(chosen, b.Job) })
	return rows, err
}

// CancelAdmission takes back admitted jobs that could not be handed to the queue.
func (db *DB) CancelAdmission(ctx context.Context, rows []Staged) error {
	ids, epochs := make([]dossier.JobID, len(rows)), make([]int, len(rows))
	for i, row := range rows {
		ids[i], epochs[i] = row.Job, row.Epoch
	}
	_, err := db.system.Exec(ctx, `
		UPDATE jobs j SET in_turn = j.epoch, admitted = NULL, admitted_at = NULL
			FROM unnest($1::uuid[], $2::int[]) AS back (id, epoch)
		WHERE j.id = back.id AND j.epoch = back.epoch AND j.admitted = j.epoch AND j.status = 'QUEUED'
			AND `+rowEstimateHint("back.epoch"), ids, epochs)
	return translate("cancel admission", err)
}

// laneAdmission is what admission knows of a lane.
type laneAdmission struct {
	lane       jobs.Lane
	paused     bool
	limit      int // of a workspace; 0: none
	lastServed dossier.WorkspaceID
	admitted   int // jobs of the lane so far
	inFlight   int
	contenders map[dossier.WorkspaceID]*jobs.Contender // those in flight, and those with a share of their own
}

func lockLane(ctx context.Context, tx *tx, lane jobs.Lane) (laneAdmission, error) {
	t := laneAdmission{lane: lane, contenders: map[dossier.WorkspaceID]*jobs.Contender{}}
	var limit *int
	err := tx.QueryRow(ctx, `SELECT paused, workspace_limit, last_served, turns FROM lanes WHERE lane = $1 FOR UPDATE`,
		lane).
		Scan(&t.paused, &limit, &t.lastServed, &t.admitted)
	if err != nil || t.paused {
		return t, err
	}
	t.limit = deref(limit)
	_, err = collect(ctx, tx, func(row pgx.CollectableRow) (none, error) {
		c := jobs.Contender{Limit: t.limit}
		var atOnce *int
		if err := row.Scan(&c.Workspace, &c.InFlight, &c.Weight, &atOnce); err != nil {
			return none{}, err
		}
		if atOnce != nil {
			c.Limit = *atOnce
		}
		t.inFlight += c.InFlight
		t.contenders[c.Workspace] = &c
		return none{}, nil
	}, `SELECT coalesce(j.workspace_id, s.workspace_id), coalesce(n, 0)::int, coalesce(s.weight, 1), s.at_once
		FROM (SELECT workspace_id, count(*) AS n FROM jobs WHERE lane = $1 AND admitted = epoch
			AND status IN ('QUEUED', 'RUNNING') GROUP BY workspace_id) j
		FULL JOIN (SELECT workspace_id, weight, at_once FROM lane_shares
			WHERE lane = $1) s ON s.workspace_id = j.workspace_id`, lane)
	return t, err
}

// candidates reads the workspaces whose jobs await admission, with their next jobs, in round-robin order after the last
// one served. It reads no more than the workspaces that are in flight plus as many as there is room for.
func (t laneAdmission) candidates(ctx context.Context, tx *tx, free int) ([]jobs.Contender, error) {
	far := len(t.contenders) + free
	var contenders []jobs.Contender
	at := map[dossier.WorkspaceID]int{}
	batch := &pgx.Batch{}
	for _, bulk := range []bool{false, true} {
		for _, from := range []dossier.WorkspaceID{t.lastServed, nobody} {
			batch.Queue(waitingSQL, t.lane, bulk, from, far, free)
		}
	}
	results, err := tx.send(ctx, batch)
	if err != nil {
		return nil, err
	}
	defer func() { _ = results.Close() }()
	for i := range batch.Len() {
		rows, err := results.Query()
		if err != nil {
			return nil, err
		}
		waiting, err := pgx.CollectRows(rows, pgx.RowToStructByPos[struct {
			Workspace dossier.WorkspaceID
			Jobs      []dossier.JobID
		}])
		if err != nil {
			return nil, err
		}
		for _, w := range waiting {
			n, seen := at[w.Workspace]
			if !seen {
				n = len(contenders)
				at[w.Workspace] = n
				contenders = append(contenders, t.contender(w.Workspace))
			}
			if i < 2 {
				contenders[n].Waiting = w.Jobs
			} else {
				contenders[n].Bulk = w.Jobs
			}
		}
	}
	t.sort(contenders)
	return contenders, nil
}

// nobody is an id that sorts before all workspaces.
const nobody dossier.WorkspaceID = "00000000-0000-0000-0000-000000000000"

func (t laneAdmission) contender(ws dossier.WorkspaceID) jobs.Contender {
	if c := t.contenders[ws]; c != nil {
		return *c
	}
	return jobs.Contender{Workspace: ws, Limit: t.limit, Weight: 1}
}

// sort puts the contenders in round-robin order, beginning after the one served last.
func (t laneAdmission) sort(contenders []jobs.Contender) {
	slices.SortFunc(contenders, func(a, b jobs.Contender) int {
		if behind := b.Workspace > t.lastServed; (a.Workspace > t.lastServed) != behind {
			if behind {
				return 1
			}
			return -1
		}
		if a.Workspace < b.Workspace {
			return -1
		}
		return 1
	})
}

// waitingSQL is a loose index scan over the waiting workspaces: one index probe each, however many jobs wait.
const waitingSQL = `
	WITH RECURSIVE contenders AS (
		(SELECT workspace_id, 1 AS n FROM jobs WHERE lane = $1 AND bulk = $2 AND workspace_id > $3 AND ` +
	awaitingAdmission + ` ORDER BY workspace_id LIMIT 1)
		UNION ALL
		SELECT next.workspace_id, n + 1 FROM contenders CROSS JOIN LATERAL (
			SELECT workspace_id FROM jobs WHERE lane = $1 AND bulk = $2 AND workspace_id > contenders.workspace_id
				AND ` + awaitingAdmission + `
			ORDER BY workspace_id LIMIT 1) next
		WHERE n < $4)
	SELECT workspace_id, ARRAY(SELECT id FROM jobs WHERE lane = $1 AND bulk = $2
		AND jobs.workspace_id = contenders.workspace_id AND ` + awaitingAdmission + ` ORDER BY id LIMIT $5)
	FROM contenders`

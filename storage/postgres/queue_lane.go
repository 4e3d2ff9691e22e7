package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
)

// LaneState is a lane as operators see it.
type LaneState struct {
	Lane              jobs.Lane
	Paused            bool
	ChangedAt         *time.Time // when it was last paused or resumed; nil: never
	ChangedBy         string
	WorkspaceLimit    int           // jobs of one workspace at once; 0: no limit
	Oldest            time.Duration // how long the oldest due job has been waiting; 0: nothing is due
	AwaitingAdmission int           // due and not admitted yet; counted up to CountedBacklog
	Queued            int           // due, in the queue or on the way there; counted up to CountedBacklog
	Running           int
}

// CountedBacklog is how far a lane's backlog is counted, so that a backlog of a million costs no more than one of this
// length.
const CountedBacklog = 10_000

// Backlog is how many due jobs wait, as far as they are counted.
func (s LaneState) Backlog() int { return s.AwaitingAdmission + s.Queued }

// LaneStates reads the given lanes, in their order; a few index probes a lane, however many jobs wait.
func (db *DB) LaneStates(ctx context.Context, lanes []jobs.Lane) ([]LaneState, error) {
	rows, err := db.system.Query(ctx, `
		SELECT l.lane, l.paused, l.changed_at, coalesce(l.changed_by, ''), coalesce(l.workspace_limit, 0),
			coalesce(extract(epoch FROM now() - least(queued.oldest, turn.oldest)), 0)::float8, turn.n, queued.n,
				coalesce(running.n, 0)
		FROM unnest($1::text[]) WITH ORDINALITY AS asked (lane, place) JOIN lanes l USING (lane)
		CROSS JOIN LATERAL (SELECT count(*)::int AS n, min(run_at) AS oldest FROM (
			SELECT run_at FROM jobs j WHERE j.lane = l.lane AND `+awaitingAdmission+`
				ORDER BY run_at LIMIT $2) due) turn
		CROSS JOIN LATERAL (SELECT count(*)::int AS n, min(run_at) AS oldest FROM (
			SELECT run_at FROM jobs j WHERE j.lane = l.lane AND status IN ('QUEUED', 'RETRY') AND `+notAwaiting+`
				AND run_at <= now() ORDER BY run_at LIMIT $2) due) queued
		LEFT JOIN (SELECT lane, count(*)::int AS n FROM jobs
			WHERE status = 'RUNNING' AND lease_until > now() - interval '1 hour'
				GROUP BY lane) running ON running.lane = l.lane
		ORDER BY asked.place`, lanes, CountedBacklog)
	if err != nil {
		return nil, translate("lane states", err)
	}
	states, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s LaneState, err error) {
		var oldest float64
		err = row.Scan(&s.Lane, &s.Paused, &s.ChangedAt, &s.ChangedBy, &s.WorkspaceLimit, &oldest,
			&s.AwaitingAdmission, &s.Queued, &s.Running)
		s.Oldest = time.Duration(oldest * float64(time.Second))
		return s, err
	})
	return states, translate("lane states", err)
}

// LaneSwitch is whether a lane is paused, and since when it is as it is.
type LaneSwitch struct {
	Lane      jobs.Lane
	Paused    bool
	ChangedAt *time.Time // nil: never changed
}

// LaneSwitches reads which lanes are paused.
func (db *DB) LaneSwitches(ctx context.Context) ([]LaneSwitch, error) {
	return systemRead(ctx, db, "lane switches", pgx.RowToStructByPos[LaneSwitch],
		psql.Select("lane", "paused", "changed_at").From("lanes"))
}

// SetLanePaused pauses or resumes a lane: from the commit on no job of a paused lane starts; those that run go on. To
// do so again changes nothing. The workers tell the queue within seconds.
func (db *DB) SetLanePaused(ctx context.Context, lane jobs.Lane, paused bool, by string) error {
	_, err := db.system.Exec(ctx, `UPDATE lanes SET paused = $2, changed_at = clock_timestamp(), changed_by = $3
		WHERE lane = $1 AND paused <> $2`, lane, paused, dossier.OrNil(by))
	return translate("set lane paused", err)
}

// SetLaneLimit says how many jobs of one workspace a shared lane runs at once; 0: as many as there is room for.
func (db *DB) SetLaneLimit(ctx context.Context, lane jobs.Lane, atOnce int) error {
	_, err := db.system.Exec(ctx, `UPDATE lanes SET workspace_limit = nullif($2, 0) WHERE lane = $1`, lane, atOnce)
	return translate("set lane limit", err)
}

// LaneShare is what differs for one workspace in a shared lane.
type LaneShare struct {
	Workspace dossier.WorkspaceID
	Lane      jobs.Lane
	Weight    int // of what it may have in flight against others, 1 to 100
	AtOnce    int // instead of the lane's limit; 0: as the lane says
}

// SetLaneShare sets a workspace's share. Weight 1 without a limit of its own is what everybody has.
func (db *DB) SetLaneShare(ctx context.Context, share LaneShare) error {
	_, err := db.system.Exec(ctx, `
		INSERT INTO lane_shares (workspace_id, lane, weight, at_once) VALUES ($1, $2, $3, nullif($4, 0))
		ON CONFLICT (workspace_id, lane) DO UPDATE SET weight = excluded.weight, at_once = excluded.at_once`,
		share.Workspace, share.Lane, share.Weight, share.AtOnce)
	return translate("set lane share", err)
}

// LaneShares lists what differs for single workspaces.
func (db *DB) LaneShares(ctx context.Context) ([]LaneShare, error) {
	return systemRead(ctx, db, "lane shares", pgx.RowToStructByPos[LaneShare],
		psql.Select("workspace_id", "lane", "weight", "coalesce(at_once, 0)").From("lane_shares").OrderBy("lane",
			"workspace_id"))
}

package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier/jobs"
)

// BusyTenant is what a workspace has in the queue.
type BusyTenant struct {
	Workspace string `json:"workspace"` // its key
	Running   int    `json:"running"`
	Waiting   int    `json:"waiting"` // due jobs, of the first CountedBacklog of each lane
}

// BusyTenants reads the workspaces with most jobs in these lanes, at most 10; a few index probes a lane, however many
// jobs wait.
func (db *DB) BusyTenants(ctx context.Context, lanes []jobs.Lane) ([]BusyTenant, error) {
	rows, err := db.system.Query(ctx, `
		SELECT w.key, count(*) FILTER (WHERE j.running)::int, count(*) FILTER (WHERE NOT j.running)::int
		FROM (
			SELECT workspace_id, true AS running FROM jobs
				WHERE status = 'RUNNING' AND lease_until > now() - interval '1 hour'
			UNION ALL
			SELECT due.workspace_id, false FROM unnest($1::text[]) AS asked (lane)
			CROSS JOIN LATERAL (
				(SELECT workspace_id FROM jobs j WHERE j.lane = asked.lane AND `+awaitingAdmission+`
					ORDER BY run_at LIMIT $2)
				UNION ALL
				(SELECT workspace_id FROM jobs j WHERE j.lane = asked.lane AND status IN ('QUEUED', 'RETRY')
					AND `+notAwaiting+` AND run_at <= now() ORDER BY run_at LIMIT $2)) due
		) j JOIN workspaces w ON w.id = j.workspace_id
		GROUP BY w.key ORDER BY count(*) DESC, w.key LIMIT 10`, lanes, CountedBacklog)
	if err != nil {
		return nil, translate("busy tenants", err)
	}
	tenants, err := pgx.CollectRows(rows, pgx.RowToStructByPos[BusyTenant])
	return tenants, translate("busy tenants", err)
}

// SlowStatement is a statement that the server is running. It contains no values, since these are parameters.
type SlowStatement struct {
	Process   int           `json:"process"`
	Program   string        `json:"program"`
	Since     time.Duration `json:"-"`
	Seconds   float64       `json:"seconds"`
	Waits     string        `json:"waits"` // event that it waits for; empty: it computes
	BlockedBy []int32       `json:"blockedBy"`
	Statement string        `json:"statement"`
}

// InspectSlow reads the statements of this database's programs that have run longer than atLeast, or whose transaction
// has been idle that long, slowest first, at most 10, as the login of DATABASE_URL. It changes nothing.
func InspectSlow(ctx context.Context, url string, atLeast time.Duration) ([]SlowStatement, error) {
	conn, err := inspector(ctx, url)
	if err != nil {
		return nil, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	rows, err := conn.Query(ctx, `
		SELECT pid, application_name, extract(epoch FROM clock_timestamp() - query_start)::float8,
			coalesce(wait_event_type || ': ' || wait_event, ''), pg_blocking_pids(pid),
			left(regexp_replace(query, '\s+', ' ', 'g'), 200)
		FROM pg_stat_activity WHERE datname = current_database() AND application_name LIKE $2 || '%'
			AND pid <> pg_backend_pid() AND state <> 'idle' AND query_start < clock_timestamp() - $1::interval
			AND NOT (state = 'active' AND wait_event = 'ClientRead' AND query ILIKE 'listen%')
		ORDER BY query_start LIMIT 10`, atLeast, release)
	if err != nil {
		return nil, translate("slow statements", err)
	}
	slow, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s SlowStatement, err error) {
		err = row.Scan(&s.Process, &s.Program, &s.Seconds, &s.Waits, &s.BlockedBy, &s.Statement)
		s.Since = seconds(s.Seconds)
		return s, err
	})
	return slow, translate("slow statements", err)
}

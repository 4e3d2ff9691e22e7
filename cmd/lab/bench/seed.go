package bench

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
)

// Leads of a seeded workspace have ten items, three messages and now and then an intervention.
const (
	seedItems   = 10
	seedTenants = 99 // beside the measured workspace
)

// seeded says how long filling the database took.
type seeded struct {
	Seconds       float64 `json:"seconds"`
	OthersLeads   int     `json:"leadsOfOthers"` // in 99 other workspaces together
	FoldPerSecond float64 `json:"leadsFoldedPerSecond"`
}

// seedLeads fills the stack's workspace with n leads created over two years, and 99 others with half as many together.
// Two of the ten items stand under conditions. A kept database is filled once; a call that was stopped is gone on with.
func (s *Stack) seedLeads(ctx context.Context, n int) (seeded, error) {
	began := time.Now()
	conn, err := pgx.Connect(ctx, s.URL)
	if err != nil {
		return seeded{}, err
	}
	defer func() { _ = conn.Close(ctx) }()
	// Rows come in bulk: without triggers, whose notes are written last, and without checks of references.
	_, err = conn.Exec(ctx, `SET session_replication_role = replica; SET synchronous_commit = off; SET work_mem = '64MB'; SET maintenance_work_mem = '512MB';
		CREATE TABLE IF NOT EXISTS bench_steps (leads int, step int, sql text, done boolean)`)
	if err != nil {
		return seeded{}, err
	}
	var planned int
	if err := conn.QueryRow(ctx, `SELECT coalesce(max(leads), 0) FROM bench_steps`).Scan(&planned); err != nil {
		return seeded{}, err
	}
	others := max(n/2/seedTenants, 20)
	switch planned {
	case 0:
		err = planSteps(ctx, conn, n, others)
	case n:
	default:
		err = fmt.Errorf("the kept database is for %d leads, not %d: remove its directory or name another", planned, n)
	}
	if err == nil {
		err = takeSteps(ctx, conn)
	}
	if err != nil {
		return seeded{}, err
	}
	out := seeded{Seconds: round(time.Since(began).Seconds()), OthersLeads: others * seedTenants}
	out.FoldPerSecond, err = s.fold(ctx, conn)
	return out, err
}

// planSteps writes down the statements that fill the database.
func planSteps(ctx context.Context, conn *pgx.Conn, n, others int) error {
	drop, remake, err := seededIndexes(ctx, conn)
	if err != nil {
		return err
	}
	steps := append([]string{
		`INSERT INTO workspaces (id, key, name, inbound_token, created_at, updated_at) SELECT gen_random_uuid(),
			'other-' || i, 'Other', 'other-' || i, now(), now() FROM generate_series(1, 99) i`,
		`INSERT INTO checklist_items (workspace_id, id, code, label, field_type, conditions, position, created_at,
			updated_at)
			SELECT w.id, gen_random_uuid(), 'ITEM_' || i, 'Item', 'TEXT',
				CASE WHEN i > 8 THEN '{"code": "ITEM_1", "op": "exists"}'::jsonb END, i, now(), now()
					FROM workspaces w, generate_series(1, 10) i`,
	}, drop...)
	steps = append(append(steps, leadSteps("w.key = 'bench'", n)...), leadSteps("w.key <> 'bench'", others)...)
	steps = append(append(steps, remake...), `INSERT INTO report_changes SELECT workspace_id, id
		FROM leads`, `VACUUM ANALYZE`)
	_, err = conn.Exec(ctx, `INSERT INTO bench_steps SELECT $1, step, sql, false
		FROM unnest($2::text[]) WITH ORDINALITY AS s (sql, step)`, n, steps)
	return err
}

// takeSteps runs what has not been run.
func takeSteps(ctx context.Context, conn *pgx.Conn) error {
	for {
		var step int
		var sql string
		err := conn.QueryRow(ctx, `SELECT step, sql FROM bench_steps WHERE NOT done ORDER BY step LIMIT 1`).Scan(&step,
			&sql)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err == nil {
			_, err = conn.Exec(ctx, sql)
		}
		if err == nil {
			_, err = conn.Exec(ctx, `UPDATE bench_steps SET done = true WHERE step = $1`, step)
		}
		if err != nil {
			return fmt.Errorf("step %d of the filling: %w", step, err)
		}
	}
}

// seededIndexes are the indexes of the seeded tables that hold no constraint. They are dropped and made again: sorting
// millions of rows once is many times faster than finding a place for each.
func seededIndexes(ctx context.Context, conn *pgx.Conn) (drop, remake []string, err error) {
	rows, err := conn.Query(ctx, `SELECT c.oid::regclass::text, pg_get_indexdef(c.oid) FROM pg_index i
		JOIN pg_class c ON c.oid = i.indexrelid
		WHERE i.indrelid IN ('leads'::regclass, 'checklist_entries'::regclass, 'messages'::regclass,
			'interventions'::regclass)
		AND NOT i.indisprimary AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = c.oid)`)
	if err != nil {
		return nil, nil, err
	}
	var name, definition string
	_, err = pgx.ForEachRow(rows, []any{&name, &definition}, func() error {
		drop, remake = append(drop, "DROP INDEX "+name), append(remake, definition)
		return nil
	})
	return drop, remake, err
}

// leadSteps make so many leads in each of some workspaces.
func leadSteps(only string, leads int) []string {
	n := strconv.Itoa(leads)
	return []string{
		// Ids grow with time, as UUIDv7 do; those of what belongs to a lead are the lead's with a number in them.
		`INSERT INTO leads (workspace_id, id, first_name, last_name, email, phone_number, created_at, updated_at,
			completed_at, opt_out_at)
			SELECT w.id, (lpad(to_hex((1700000000000 + i * (63072000000 / ` + n +
			`::bigint))), 12, '0') || '7' || substr(md5(w.id::text || i), 1, 3) || '8' || substr(md5(i || w.key), 1, 15))::uuid,
				'Ann', 'Lee ' || i, 'ann' || i || '@example.com', '+1212555' || lpad((i % 10000)::text, 4, '0'), to_timestamp(1700000000 + i * (63072000.0 / ` + n + `)), now(),
				CASE WHEN i % 3 = 0 THEN now() END, CASE WHEN i % 41 = 0 THEN now() END
			FROM workspaces w, generate_series(1, ` + n + `) i WHERE ` + only,
		`INSERT INTO checklist_entries (workspace_id, id, lead_id, item_id, code, status, value, source, created_at,
			updated_at)
			SELECT l.workspace_id, overlay(l.id::text PLACING lpad(to_hex(i.position), 4, '0') FROM 20 FOR 4)::uuid,
				l.id, i.id, i.code, CASE WHEN h % 4 = 0 THEN 'TODO' ELSE 'COMPLETED' END,
				CASE WHEN h % 4 > 0 THEN to_jsonb('Value ' || h % 1000) END,
					CASE WHEN h % 4 > 0 THEN (ARRAY['agent', 'imported', 'manual', 'portal'])[1 + h % 4] END,
						l.created_at, l.created_at
			FROM workspaces w JOIN leads l ON l.workspace_id = w.id JOIN checklist_items i ON i.workspace_id = w.id,
				LATERAL (SELECT abs(hashtext(l.id::text || i.code)) AS h) x
			WHERE ` + only,
		`INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, body, sent_at, created_at,
			updated_at)
			SELECT l.workspace_id, overlay(l.id::text PLACING lpad(to_hex(n), 4, '0') FROM 20 FOR 4)::uuid, l.id,
				CASE WHEN n = 3 THEN 'INBOUND' ELSE 'OUTBOUND' END, (ARRAY['sms', 'email', 'whatsapp'])[n],
				CASE WHEN n = 3 THEN 'RECEIVED' ELSE 'SENT' END, 'b', l.created_at, l.created_at, l.created_at
			FROM workspaces w JOIN leads l ON l.workspace_id = w.id, generate_series(1, 3) n WHERE ` + only,
		`INSERT INTO interventions (workspace_id, id, lead_id, kind, created_at)
			SELECT l.workspace_id, gen_random_uuid(), l.id, 'manualUpdates', l.created_at FROM workspaces w
				JOIN leads l ON l.workspace_id = w.id
			WHERE abs(hashtext(l.id::text)) % 5 = 0 AND ` + only,
	}
}

// fold counts the changed leads of all workspaces, so that nobody does it while something else is measured, and returns
// how many a second.
func (s *Stack) fold(ctx context.Context, conn *pgx.Conn) (float64, error) {
	rows, err := conn.Query(ctx, `SELECT id::text FROM workspaces`)
	if err != nil {
		return 0, err
	}
	workspaces, err := pgx.CollectRows(rows, pgx.RowTo[dossier.WorkspaceID])
	began, total := time.Now(), 0
	for _, ws := range workspaces {
		for n := 1; err == nil && n > 0; total += n {
			n, err = s.DB.FoldWorkspaceReports(ctx, ws)
		}
	}
	return round(float64(total) / time.Since(began).Seconds()), err
}

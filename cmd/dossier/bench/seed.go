package bench

import (
	"context"
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
// Two of the ten items stand under conditions.
func (s *Stack) seedLeads(ctx context.Context, n int) (seeded, error) {
	began, others := time.Now(), max(n/2/seedTenants, 20)
	conn, err := pgx.Connect(ctx, s.URL)
	if err != nil {
		return seeded{}, err
	}
	defer func() { _ = conn.Close(ctx) }()
	// Rows come in bulk: without triggers, whose notes are written below, and without checks of references.
	for _, sql := range []string{
		`SET session_replication_role = replica`, `SET synchronous_commit = off`, `SET work_mem = '64MB'`, `SET maintenance_work_mem = '512MB'`,
		`INSERT INTO workspaces (id, key, name, inbound_token, created_at, updated_at) SELECT gen_random_uuid(), 'other-' || i, 'Other', 'other-' || i, now(), now() FROM generate_series(1, 99) i`,
		`INSERT INTO checklist_items (workspace_id, id, code, label, field_type, conditions, position, created_at, updated_at)
			SELECT w.id, gen_random_uuid(), 'ITEM_' || i, 'Item', 'TEXT', CASE WHEN i > 8 THEN '{"code": "ITEM_1", "op": "exists"}'::jsonb END, i, now(), now() FROM workspaces w, generate_series(1, 10) i`,
	} {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return seeded{}, err
		}
	}
	indexes, err := dropIndexes(ctx, conn)
	if err != nil {
		return seeded{}, err
	}
	for _, part := range []struct {
		only  string
		leads int
	}{{"w.key = 'bench'", n}, {"w.key <> 'bench'", others}} {
		if err := seedPart(ctx, conn, part.only, part.leads); err != nil {
			return seeded{}, err
		}
	}
	for _, sql := range append(indexes, `INSERT INTO report_changes SELECT workspace_id, id FROM leads`, `VACUUM ANALYZE`) {
		if _, err := conn.Exec(ctx, sql); err != nil {
			return seeded{}, err
		}
	}
	out := seeded{Seconds: round(time.Since(began).Seconds()), OthersLeads: others * seedTenants}
	out.FoldPerSecond, err = s.fold(ctx, s.Workspace)
	return out, err
}

// dropIndexes drops the indexes of the seeded tables that hold no constraint, and returns the statements that make them
// again: sorting millions of rows once is many times faster than finding a place for each.
func dropIndexes(ctx context.Context, conn *pgx.Conn) (remake []string, err error) {
	rows, err := conn.Query(ctx, `SELECT c.oid::regclass::text, pg_get_indexdef(c.oid) FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
		WHERE i.indrelid IN ('leads'::regclass, 'checklist_entries'::regclass, 'messages'::regclass, 'interventions'::regclass)
		AND NOT i.indisprimary AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = c.oid)`)
	if err != nil {
		return nil, err
	}
	var drop []string
	var name, definition string
	_, err = pgx.ForEachRow(rows, []any{&name, &definition}, func() error {
		drop, remake = append(drop, "DROP INDEX "+name), append(remake, definition)
		return nil
	})
	for i := 0; err == nil && i < len(drop); i++ {
		_, err = conn.Exec(ctx, drop[i])
	}
	return remake, err
}

func seedPart(ctx context.Context, conn *pgx.Conn, only string, leads int) error {
	for _, sql := range []string{
		// Ids grow with time, as UUIDv7 do; those of what belongs to a lead are the lead's with a number in them.
		`INSERT INTO leads (workspace_id, id, first_name, last_name, email, phone_number, created_at, updated_at, completed_at, opt_out_at)
			SELECT w.id, (lpad(to_hex((1700000000000 + i * (63072000000 / $1::bigint))), 12, '0') || '7' || substr(md5(w.id::text || i), 1, 3) || '8' || substr(md5(i || w.key), 1, 15))::uuid,
				'Ann', 'Lee ' || i, 'ann' || i || '@example.com', '+1212555' || lpad((i % 10000)::text, 4, '0'), to_timestamp(1700000000 + i * (63072000.0 / $1)), now(),
				CASE WHEN i % 3 = 0 THEN now() END, CASE WHEN i % 41 = 0 THEN now() END
			FROM workspaces w, generate_series(1, $1) i WHERE ` + only,
		`INSERT INTO checklist_entries (workspace_id, id, lead_id, item_id, code, status, value, source, created_at, updated_at)
			SELECT l.workspace_id, overlay(l.id::text PLACING lpad(to_hex(i.position), 4, '0') FROM 20 FOR 4)::uuid, l.id, i.id, i.code, CASE WHEN h % 4 = 0 THEN 'TODO' ELSE 'COMPLETED' END,
				CASE WHEN h % 4 > 0 THEN to_jsonb('Value ' || h % 1000) END, CASE WHEN h % 4 > 0 THEN (ARRAY['agent', 'imported', 'manual', 'portal'])[1 + h % 4] END, l.created_at, l.created_at
			FROM workspaces w JOIN leads l ON l.workspace_id = w.id JOIN checklist_items i ON i.workspace_id = w.id, LATERAL (SELECT abs(hashtext(l.id::text || i.code)) AS h) x
			WHERE $1 > 0 AND ` + only,
		`INSERT INTO messages (workspace_id, id, lead_id, direction, channel, status, body, sent_at, created_at, updated_at)
			SELECT l.workspace_id, overlay(l.id::text PLACING lpad(to_hex(n), 4, '0') FROM 20 FOR 4)::uuid, l.id, CASE WHEN n = 3 THEN 'INBOUND' ELSE 'OUTBOUND' END, (ARRAY['sms', 'email', 'whatsapp'])[n],
				CASE WHEN n = 3 THEN 'RECEIVED' ELSE 'SENT' END, 'b', l.created_at, l.created_at, l.created_at
			FROM workspaces w JOIN leads l ON l.workspace_id = w.id, generate_series(1, 3) n WHERE $1 > 0 AND ` + only,
		`INSERT INTO interventions (workspace_id, id, lead_id, kind, created_at)
			SELECT l.workspace_id, gen_random_uuid(), l.id, 'manualUpdates', l.created_at FROM workspaces w JOIN leads l ON l.workspace_id = w.id
			WHERE $1 > 0 AND abs(hashtext(l.id::text)) % 5 = 0 AND ` + only,
	} {
		if _, err := conn.Exec(ctx, sql, leads); err != nil {
			return err
		}
	}
	return nil
}

// fold counts the changed leads of a workspace and returns how many a second.
func (s *Stack) fold(ctx context.Context, ws dossier.WorkspaceID) (float64, error) {
	began, total := time.Now(), 0
	for {
		n, err := s.DB.FoldWorkspaceReports(ctx, ws)
		if err != nil || n == 0 {
			return round(float64(total) / time.Since(began).Seconds()), err
		}
		total += n
	}
}

package postgres

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
)

// Health is what the login of DATABASE_URL finds of the database, before any role is taken.
type Health struct {
	Server      string // version of PostgreSQL
	Schema      int64  // version of the schema; 0: none
	Roles       []RoleHealth
	Unguarded   []string // tenants' tables without forced row-level security
	Clock       time.Time
	Connections int // that the server allows
}

// RoleHealth is one of the two working roles.
type RoleHealth struct {
	Name      string
	Exists    bool
	Member    bool // the login can take it
	BypassRLS bool // it could read every tenant's rows
}

// Inspect looks at a database that may not be migrated, or not be ours. It changes nothing. Error: it does not answer.
func Inspect(ctx context.Context, url string) (Health, error) {
	var h Health
	conn, err := inspector(ctx, url)
	if err != nil {
		return h, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var migrated bool
	err = conn.QueryRow(ctx, `SELECT current_setting('server_version'), current_setting('max_connections')::int,
		to_regclass('goose_db_version') IS NOT NULL, clock_timestamp()`).
		Scan(&h.Server, &h.Connections, &migrated, &h.Clock)
	if err != nil {
		return h, err
	}
	if migrated {
		if err := conn.QueryRow(ctx, schemaVersionSQL).Scan(&h.Schema); err != nil {
			return h, err
		}
	}
	if h.Roles, err = inspectRoles(ctx, conn); err != nil {
		return h, err
	}
	h.Unguarded, err = unguardedTables(ctx, conn)
	return h, err
}

const schemaVersionSQL = `SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`

// inspector is a connection as the login itself, which the caller closes.
func inspector(ctx context.Context, url string) (*pgx.Conn, error) {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, errURL("DATABASE_URL")
	}
	return pgx.ConnectConfig(ctx, cfg)
}

func inspectRoles(ctx context.Context, conn *pgx.Conn) ([]RoleHealth, error) {
	rows, err := conn.Query(ctx, `
		SELECT name, r.oid IS NOT NULL AS exists, coalesce(pg_has_role(current_user, r.oid, 'MEMBER'), false) AS member,
		       coalesce(r.rolbypassrls OR r.rolsuper, false) AS bypassrls
		FROM unnest(ARRAY['dossier_app', 'dossier_system', 'dossier_test']) AS name LEFT JOIN pg_roles r
		ON r.rolname = name
			ORDER BY name`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowToStructByName[RoleHealth])
}

func unguardedTables(ctx context.Context, conn *pgx.Conn) ([]string, error) {
	rows, err := conn.Query(ctx, `
		SELECT c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
		JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
		WHERE c.relkind IN ('r', 'p') AND NOT (c.relrowsecurity AND c.relforcerowsecurity) ORDER BY c.relname`)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

package postgres

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"
)

// Upkeep is what an installation shows after a while.
type Upkeep struct {
	Releases   []string    // of the processes that are connected now
	Tables     []TableSize // the largest ten
	Partitions bool        // the attempts of tomorrow have a partition, or none is needed yet
}

// TableSize is a table with its indexes.
type TableSize struct {
	Name  string `json:"table"`
	Bytes int64  `json:"bytes"`
	Live  int64  `json:"rows"` // as the server estimates
	Dead  int64  `json:"deadRows"`
}

// Crowded reports whether more of a large table is dead than autovacuum would leave.
func (t TableSize) Crowded() bool { return t.Dead > 1_000_000 && t.Dead > t.Live/2 }

// release is what programs are called in pg_stat_activity, before their version.
const release = "dossier/"

// InspectUpkeep looks at a migrated database, as the login of DATABASE_URL. It changes nothing.
func InspectUpkeep(ctx context.Context, url string) (Upkeep, error) {
	var u Upkeep
	conn, err := inspector(ctx, url)
	if err != nil {
		return u, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	err = conn.QueryRow(ctx, `SELECT ARRAY(SELECT DISTINCT application_name FROM pg_stat_activity
			WHERE datname = current_database() AND application_name LIKE $1 || '%' ORDER BY 1),
		to_regclass('attempts_' || to_char((now() AT TIME ZONE 'utc')::date + 1, 'YYYYMMDD')) IS NOT NULL
			OR pg_relation_size('attempts_default') = 0`, release).Scan(&u.Releases, &u.Partitions)
	if err != nil {
		return u, err
	}
	for i, name := range u.Releases {
		u.Releases[i] = strings.TrimPrefix(name, release)
	}
	rows, err := conn.Query(ctx, `SELECT relname, pg_total_relation_size(relid), n_live_tup, n_dead_tup
		FROM pg_stat_user_tables WHERE schemaname = 'public' ORDER BY 2 DESC, 1 LIMIT 10`)
	if err != nil {
		return u, err
	}
	u.Tables, err = pgx.CollectRows(rows, pgx.RowToStructByPos[TableSize])
	return u, err
}

// SchemaState is how a database's schema and this release go together.
type SchemaState struct {
	Version int64 // 0: none
	Floor   int64 // releases that work with an older schema than this do not work any more
}

// Wrong says what is wrong with the schema for this release, or nothing.
func (s SchemaState) Wrong() string {
	switch {
	case s.Version < SchemaVersion():
		return "too old"
	case s.Floor > SchemaVersion():
		return "too new"
	}
	return ""
}

// InspectSchema asks for the schema's version. Error: the database does not answer.
func InspectSchema(ctx context.Context, url string) (SchemaState, error) {
	var s SchemaState
	conn, err := inspector(ctx, url)
	if err != nil {
		return s, err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var migrated, floored bool
	if err := conn.QueryRow(ctx, `SELECT to_regclass('goose_db_version') IS NOT NULL,
		to_regproc('public.schema_floor') IS NOT NULL`).Scan(&migrated, &floored); err != nil || !migrated {
		return s, err
	}
	if err := conn.QueryRow(ctx, schemaVersionSQL).Scan(&s.Version); err != nil || !floored {
		return s, err
	}
	return s, conn.QueryRow(ctx, `SELECT schema_floor()`).Scan(&s.Floor)
}

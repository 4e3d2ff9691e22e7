package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/dossierhq/dossier"
)

// TableSum is what a table holds: how many rows, and a sum over all of them that changes with any of them.
type TableSum struct {
	Name string `json:"name"`
	Rows int64  `json:"rows"`
	Sum  string `json:"sum"`
}

// DumpedRole is a role of the cluster that a dump names and does not contain.
type DumpedRole struct {
	Name     string   `json:"name"`
	Inherit  bool     `json:"inherit"`
	MemberOf []string `json:"memberOf"`
}

// Erased is an erasure that is complete, as it is kept outside of the database: a restoration carries it out again.
type Erased struct {
	Workspace   dossier.WorkspaceID    `json:"workspaceId"`
	ID          dossier.ErasureID      `json:"erasureId"`
	Subject     dossier.ErasureSubject `json:"subject"`
	SubjectID   string                 `json:"subjectId"`
	CompletedAt time.Time              `json:"completedAt"`
}

// Snapshot is one moment of a whole database, of all tenants: what is asked of it, and what Dump writes, is the same
// moment's. It is for operators' commands alone.
type Snapshot struct {
	At     time.Time // UTC, the server's
	Owner  string    // the login that looks
	Schema int64     // version of the schema; 0: it has none
	conn   *pgx.Conn
	tx     pgx.Tx
	url    string
	id     string
}

// OpenSnapshot holds a moment of the database until Close. Error: Invalid, when row-level security would hide rows from
// the login.
func OpenSnapshot(ctx context.Context, owner string) (*Snapshot, error) {
	conn, err := pgx.Connect(ctx, owner)
	if err != nil {
		return nil, err
	}
	s := &Snapshot{conn: conn, url: owner}
	if err := s.begin(ctx); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Snapshot) begin(ctx context.Context) error {
	var err error
	s.tx, err = s.conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly})
	if err != nil {
		return err
	}
	var sees bool
	err = s.tx.QueryRow(ctx, `SELECT now(), pg_export_snapshot(), current_user::text, rolsuper OR rolbypassrls,
		set_config('timezone', 'UTC', true) || set_config('datestyle', 'ISO', true)
			|| set_config('row_security', 'off', true)
		FROM pg_roles WHERE rolname = current_user`).Scan(&s.At, &s.id, &s.Owner, &sees, nil)
	if err != nil {
		return err
	}
	s.At = s.At.UTC()
	if !sees {
		return dossier.Errorf(dossier.Invalid, "row-level security hides rows from %s, the login of "+
			"DATABASE_MIGRATE_URL: as the database's administrator, ALTER ROLE %s BYPASSRLS", s.Owner,
			pgx.Identifier{s.Owner}.Sanitize())
	}
	var has bool
	err = s.tx.QueryRow(ctx, `SELECT to_regclass('goose_db_version') IS NOT NULL`).Scan(&has)
	if err != nil || !has {
		return err
	}
	return s.tx.QueryRow(ctx,
		`SELECT coalesce(max(version_id), 0) FROM goose_db_version WHERE is_applied`).Scan(&s.Schema)
}

// Close lets the moment go.
func (s *Snapshot) Close() { _ = s.conn.Close(context.Background()) }

// Tables sums up every table.
func (s *Snapshot) Tables(ctx context.Context) ([]TableSum, error) {
	names, err := snapshotRows(ctx, s, pgx.RowTo[string], `SELECT relname::text FROM pg_class
		WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace ORDER BY relname`)
	if err != nil {
		return nil, err
	}
	sums := make([]TableSum, len(names))
	for i, name := range names {
		sums[i].Name = name
		sql, _, err := psql.Select("count(*)", "coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text").
			From(pgx.Identifier{name}.Sanitize() + " t").ToSql()
		if err == nil {
			err = s.tx.QueryRow(ctx, sql).Scan(&sums[i].Rows, &sums[i].Sum)
		}
		if err != nil {
			return nil, fmt.Errorf("table %s: %w", name, err)
		}
	}
	return sums, nil
}

// Roles are those that the dump's rights name, the programs' login among them. MakeRoles makes all without a login;
// MakeLogin gives the programs theirs.
func (s *Snapshot) Roles(ctx context.Context) ([]DumpedRole, error) {
	return snapshotRows(ctx, s, pgx.RowToStructByPos[DumpedRole], `SELECT r.rolname::text, r.rolinherit,
		ARRAY(SELECT o.rolname::text FROM pg_auth_members m JOIN pg_roles o ON o.oid = m.roleid
			WHERE m.member = r.oid AND o.rolname LIKE 'dossier\_%' ORDER BY 1)
		FROM pg_roles r WHERE NOT r.rolsuper AND r.rolname <> current_user AND (r.rolname LIKE 'dossier\_%'
			AND NOT r.rolcanlogin OR r.oid IN (SELECT acl.grantee FROM pg_class c, aclexplode(c.relacl) acl
				WHERE c.relnamespace = 'public'::regnamespace)) ORDER BY 1`)
}

// Erased are the complete erasures of all workspaces, oldest first.
func (s *Snapshot) Erased(ctx context.Context) ([]Erased, error) {
	return snapshotRows(ctx, s, pgx.RowToStructByPos[Erased], `SELECT workspace_id::text, id::text, subject,
		subject_id::text, completed_at FROM erasures WHERE status = 'COMPLETE' ORDER BY completed_at, id`)
}

// Documents are the SHA-256 of every uploaded document's bytes, in lower-case hexadecimal digits, by the object's key.
func (s *Snapshot) Documents(ctx context.Context) (map[string]string, error) {
	type object struct{ Key, SHA256 string }
	list, err := snapshotRows(ctx, s, pgx.RowToStructByPos[object],
		`SELECT object_key, encode(sha256, 'hex') FROM documents WHERE uploaded_at IS NOT NULL`)
	hashes := make(map[string]string, len(list))
	for _, o := range list {
		hashes[o.Key] = o.SHA256
	}
	return hashes, err
}

// Size is what the database takes of its server's disk, in bytes.
func (s *Snapshot) Size(ctx context.Context) (bytes int64, err error) {
	err = s.tx.QueryRow(ctx, `SELECT pg_database_size(current_database())`).Scan(&bytes)
	return bytes, err
}

func snapshotRows[T any](ctx context.Context, s *Snapshot, scan pgx.RowToFunc[T], sql string) ([]T, error) {
	rows, err := s.tx.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scan)
}

// Dump writes this moment of the database to a file, for Load. It runs pg_dump.
func (s *Snapshot) Dump(ctx context.Context, file string) error {
	return runProgram(ctx, s.url, "pg_dump", "--format=custom", "--snapshot="+s.id, "--file="+file)
}

// RestoreDump puts what Dump wrote into an empty database. It runs pg_restore; the roles must be there (MakeRoles).
func RestoreDump(ctx context.Context, owner, file string) error {
	return runProgram(ctx, owner, "pg_restore", "--exit-on-error", "--single-transaction", file)
}

// runProgram runs one of PostgreSQL's own programs on a database. The password is not on its command line.
func runProgram(ctx context.Context, owner, name string, args ...string) error {
	address, password, err := plainURL(owner)
	if err != nil {
		return err
	}
	if _, err := exec.LookPath(name); err != nil {
		return dossier.Errorf(dossier.Invalid, "%s is not here: install PostgreSQL's client programs, of the server's "+
			"version or newer (Debian: postgresql-client)", name)
	}
	cmd := exec.CommandContext(ctx, name, append([]string{"--dbname=" + address, "--no-password"}, args...)...)
	cmd.Env = append(os.Environ(), "PGPASSWORD="+password)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// plainURL takes the password out of a URL, and what only our driver knows.
func plainURL(owner string) (address, password string, err error) {
	u, err := url.Parse(owner)
	if err != nil || u.User == nil || !strings.HasPrefix(u.Scheme, "postgres") {
		return "", "", dossier.Errorf(dossier.Invalid,
			"DATABASE_MIGRATE_URL must be a URL like postgres://owner:password@host:5432/name")
	}
	password, _ = u.User.Password()
	u.User = url.User(u.User.Username())
	query := u.Query()
	for name := range query {
		if strings.HasPrefix(name, "pool_") || strings.HasPrefix(name, "default_query_") {
			query.Del(name)
		}
	}
	u.RawQuery = query.Encode()
	return u.String(), password, nil
}

// IsEmpty reports whether a database has no table yet.
func IsEmpty(ctx context.Context, owner string) (empty bool, err error) {
	err = ownerConn(ctx, owner, func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, `SELECT NOT EXISTS (SELECT FROM pg_class WHERE relkind IN ('r', 'p', 'v', 'm')
			AND relnamespace = 'public'::regnamespace)`).Scan(&empty)
	})
	return empty, err
}

// MakeRoles makes those roles that the cluster does not have, and lets the owner hand things to them.
func MakeRoles(ctx context.Context, owner string, roles []DumpedRole) error {
	return ownerConn(ctx, owner, func(conn *pgx.Conn) error {
		for _, r := range roles {
			inherit := "NOINHERIT"
			if r.Inherit {
				inherit = "INHERIT"
			}
			name := pgx.Identifier{r.Name}.Sanitize()
			_, err := conn.Exec(ctx, `CREATE ROLE `+name+` NOLOGIN NOBYPASSRLS `+inherit)
			var known *pgconn.PgError
			if errors.As(err, &known) && known.Code == "42710" { // duplicate_object
				continue
			}
			if err != nil {
				return err
			}
			if _, err := conn.Exec(ctx, `GRANT `+name+` TO CURRENT_USER`); err != nil {
				return err
			}
		}
		for _, r := range roles {
			for _, of := range r.MemberOf {
				_, err := conn.Exec(ctx,
					`GRANT `+pgx.Identifier{of}.Sanitize()+` TO `+pgx.Identifier{r.Name}.Sanitize())
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// CreateDrillDatabase makes an empty database on the same server, for a drill; drop takes it away again.
func CreateDrillDatabase(ctx context.Context, owner string) (drill string, drop func() error, err error) {
	u, err := url.Parse(owner)
	if err != nil {
		return "", nil, err
	}
	name := "dossier_drill_" + strconv.FormatInt(time.Now().UnixNano(), 36)
	u.Path = "/" + name
	sanitized := pgx.Identifier{name}.Sanitize()
	run := func(ctx context.Context, sql string) error {
		return ownerConn(ctx, owner, func(conn *pgx.Conn) error {
			_, err := conn.Exec(ctx, sql)
			return err
		})
	}
	drop = func() error {
		return run(context.WithoutCancel(ctx), `DROP DATABASE IF EXISTS `+sanitized+` WITH (FORCE)`)
	}
	return u.String(), drop, run(ctx, `CREATE DATABASE `+sanitized+` TEMPLATE template0`)
}

func ownerConn(ctx context.Context, owner string, do func(conn *pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, owner)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	return do(conn)
}

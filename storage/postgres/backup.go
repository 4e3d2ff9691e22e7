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

// TableSum is the number of a table's rows, and a checksum over all of them.
type TableSum struct {
	Name string `json:"name"`
	Rows int64  `json:"rows"`
	Sum  string `json:"sum"`
}

// DumpedRole is a role of the cluster to which a dump grants rights; the dump itself does not contain it.
type DumpedRole struct {
	Name     string   `json:"name"`
	Inherit  bool     `json:"inherit"`
	MemberOf []string `json:"memberOf"`
}

// Erased is a complete erasure as it is stored with a backup: a restoration carries it out again.
type Erased struct {
	Workspace   dossier.WorkspaceID    `json:"workspaceId"`
	ID          dossier.ErasureID      `json:"erasureId"`
	Subject     dossier.ErasureSubject `json:"subject"`
	SubjectID   string                 `json:"subjectId"`
	CompletedAt time.Time              `json:"completedAt"`
}

// Snapshot reads a whole database, all tenants, as of one moment: all its methods, Dump too, see the same snapshot. It
// is for operators' commands alone.
type Snapshot struct {
	At     time.Time // UTC, the server's
	Owner  string    // the login that reads
	Schema int64     // version of the schema; 0: it has none
	conn   *pgx.Conn
	tx     pgx.Tx
	url    string
	id     string
}

// OpenSnapshot begins a snapshot of the database, which lasts until Close. owner is the URL of the schema's owner.
// Error: Invalid, when row-level security would hide rows from that login.
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

// Close ends the snapshot and closes its connection.
func (s *Snapshot) Close() { _ = s.conn.Close(context.Background()) }

// Tables returns the row count and checksum of every table, by name.
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

// Roles returns the roles to which the dump grants rights, the programs' login among them. MakeRoles creates them, all
// without the right to log in; MakeLogin creates the login.
func (s *Snapshot) Roles(ctx context.Context) ([]DumpedRole, error) {
	return snapshotRows(ctx, s, pgx.RowToStructByPos[DumpedRole], `SELECT r.rolname::text, r.rolinherit,
		ARRAY(SELECT o.rolname::text FROM pg_auth_members m JOIN pg_roles o ON o.oid = m.roleid
			WHERE m.member = r.oid AND o.rolname LIKE 'dossier\_%' ORDER BY 1)
		FROM pg_roles r WHERE NOT r.rolsuper AND r.rolname <> current_user AND (r.rolname LIKE 'dossier\_%'
			AND NOT r.rolcanlogin OR r.oid IN (SELECT acl.grantee FROM pg_class c, aclexplode(c.relacl) acl
				WHERE c.relnamespace = 'public'::regnamespace)) ORDER BY 1`)
}

// Erased returns the complete erasures of all workspaces, oldest first.
func (s *Snapshot) Erased(ctx context.Context) ([]Erased, error) {
	return snapshotRows(ctx, s, pgx.RowToStructByPos[Erased], `SELECT workspace_id::text, id::text, subject,
		subject_id::text, completed_at FROM erasures WHERE status = 'COMPLETE' ORDER BY completed_at, id`)
}

// Documents returns the SHA-256 of every uploaded document's bytes, in lower-case hexadecimal, by the object's key.
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

// Size returns the size of the database on disk, in bytes.
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

// Dump writes the snapshot to a file, for RestoreDump. It runs pg_dump.
func (s *Snapshot) Dump(ctx context.Context, file string) error {
	return runProgram(ctx, s.url, "pg_dump", "--format=custom", "--snapshot="+s.id, "--file="+file)
}

// RestoreDump loads what Dump wrote into an empty database. It runs pg_restore; the roles must exist (MakeRoles).
func RestoreDump(ctx context.Context, owner, file string) error {
	return runProgram(ctx, owner, "pg_restore", "--exit-on-error", "--single-transaction", file)
}

// runProgram runs one of PostgreSQL's client programs on a database. The password is passed in the environment, not on
// the command line. Error: Invalid, when the program is not installed.
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

// plainURL returns a URL without its password and without the parameters that only pgx knows, and the password.
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

// MakeRoles creates the roles that the cluster does not have, and grants them to the owner, who may then give them
// objects.
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

// CreateDrillDatabase creates an empty database on the same server, for a trial restoration. It returns its URL; drop
// removes it.
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

package postgres

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/dossierhq/dossier"
)

// BaseBackup says of a copy of a whole cluster, the files of its server, what a recovery needs to know.
type BaseBackup struct {
	Database string  `json:"database"`              // ours, of the cluster's
	Server   int     `json:"serverVersion"`         // of PostgreSQL, the major one: no other reads the files
	Archived float64 `json:"archiveSeconds"`        // that the archive took for the newest WAL
	Timeout  int     `json:"archiveTimeoutSeconds"` // 0: WAL is archived by the full file only
}

// archiveWait is how long a file of WAL may take into the archive while a backup waits for it.
const archiveWait = time.Minute

// CheckArchiving has the server archive what it wrote so far, and waits until it has. Without archived WAL a base
// backup is good for its own moment only. Error: Invalid, when nothing is archived, or not in time.
func CheckArchiving(ctx context.Context, owner string) (b BaseBackup, err error) {
	err = ownerConn(ctx, owner, func(conn *pgx.Conn) error {
		var mode string
		var version int
		err := conn.QueryRow(ctx, `SELECT current_setting('archive_mode'), current_setting('server_version_num')::int,
			(SELECT setting::int FROM pg_settings WHERE name = 'archive_timeout'), current_database()::text`).Scan(
			&mode, &version, &b.Timeout, &b.Database)
		if err != nil {
			return err
		}
		if b.Server = version / 10000; mode == "off" {
			return dossier.Errorf(dossier.Invalid, "archive_mode is off: set it to on, and archive_command to what "+
				"copies a file of WAL away, and start the server again; where the server is a provider's, his own "+
				"tools restore to a time, and dossier backup DIR without --base copies the database")
		}
		took, err := awaitArchived(ctx, conn)
		b.Archived = took.Seconds()
		return err
	})
	return b, err
}

// awaitArchived ends the current file of WAL and waits until the archive has it.
func awaitArchived(ctx context.Context, conn *pgx.Conn) (time.Duration, error) {
	var file string
	began := time.Now()
	err := conn.QueryRow(ctx, `SELECT pg_walfile_name(pg_switch_wal())`).Scan(&file)
	var refused *pgconn.PgError
	if errors.As(err, &refused) && refused.Code == "42501" { // insufficient_privilege
		return 0, dossier.Errorf(dossier.Invalid, "the login of DATABASE_MIGRATE_URL may not end a file of WAL: as "+
			"the database's administrator, GRANT EXECUTE ON FUNCTION pg_switch_wal() TO it, and ALTER ROLE it "+
			"REPLICATION")
	}
	for err == nil {
		var there, failing bool
		err = conn.QueryRow(ctx, `SELECT coalesce(left(last_archived_wal, 24) COLLATE "C" >= $1, false),
			coalesce(last_failed_time > coalesce(last_archived_time, '-infinity'), false)
			FROM pg_stat_archiver`, file).Scan(&there, &failing)
		switch took := time.Since(began); {
		case err != nil:
		case there:
			return took, nil
		case took > archiveWait && failing:
			err = dossier.Errorf(dossier.Invalid,
				"the server fails to archive its WAL: its log names what archive_command (or archive_library) says")
		case took > archiveWait:
			err = dossier.Errorf(dossier.Invalid, "the archive has not taken %s within %s: it lags", file, archiveWait)
		default:
			err = pause(ctx, 50*time.Millisecond)
		}
	}
	return 0, err
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// TakeBaseBackup copies the files of the owner's server into a directory that is not there, with the WAL that makes
// them agree, and verifies them. It runs pg_basebackup and pg_verifybackup. It returns the server's time when it was
// whole: no recovery leads to an earlier one.
func TakeBaseBackup(ctx context.Context, owner, dir string, server int) (time.Time, error) {
	if err := runProgram(ctx, owner, "pg_basebackup", "--pgdata="+dir, "--wal-method=stream", "--checkpoint=fast",
		"--manifest-checksums=SHA256", "--label=dossier"); err != nil {
		return time.Time{}, err
	}
	var at time.Time
	err := ownerConn(ctx, owner, func(conn *pgx.Conn) error {
		return conn.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&at)
	})
	if err != nil {
		return at, err
	}
	return at.UTC(), VerifyBaseBackup(ctx, dir, server)
}

// VerifyBaseBackup compares every file with the backup's own manifest, by pg_verifybackup.
func VerifyBaseBackup(ctx context.Context, dir string, server int) error {
	path, err := serverProgram("pg_verifybackup", server)
	if err != nil {
		return err
	}
	if out, err := exec.CommandContext(ctx, path, "--exit-on-error", "--quiet", dir).CombinedOutput(); err != nil {
		return fmt.Errorf("%s is not what was backed up: %w: %s", dir, err, strings.TrimSpace(string(out)))
	}
	return nil
}

// serverDirs are where systems put the programs of a server of one version, off the PATH.
var serverDirs = []string{"/usr/lib/postgresql/%/bin", "/usr/pgsql-%/bin", "/usr/libexec/postgresql%",
	"/opt/homebrew/opt/postgresql@%/bin", "/usr/local/opt/postgresql@%/bin"}

// serverProgram is the path of a program of a server's major version. Error: Invalid.
func serverProgram(name string, server int) (string, error) {
	for _, dir := range serverDirs {
		path := filepath.Join(strings.ReplaceAll(dir, "%", strconv.Itoa(server)), name)
		if _, err := os.Stat(path); err == nil {
			return path, nil
		}
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return "", dossier.Errorf(dossier.Invalid,
			"%s is not here: install PostgreSQL %d's server (Debian: postgresql-%d)", name, server, server)
	}
	return path, nil
}

package postgres

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib" // goose speaks database/sql
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"github.com/dossierhq/dossier/jobs"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrations are the schema's files in order.
func Migrations() fs.FS { return migrations }

// SchemaVersion is the version of the schema that this release works with.
func SchemaVersion() int64 {
	files, err := fs.Glob(migrations, "migrations/*.sql")
	if err != nil || len(files) == 0 {
		return 0
	}
	version, err := goose.NumericComponent(files[len(files)-1]) // Glob sorts
	if err != nil {
		return 0
	}
	return version
}

// A statement that waits for a table's lock blocks even readers who come after it. So a migration has a short
// lock_timeout: it is rolled back whole and tried again, also after a deadlock with a writer. Each try waits longer
// than the one before. A short wait mostly suffices; about a second is needed where the table is being vacuumed, which
// the server then cancels.
const (
	firstLockTimeout = 200 * time.Millisecond
	maxLockTimeout   = 3 * time.Second
	maxMigrateTries  = 50
)

// Migrate brings the schema of url to this release and returns the versions it applied. Several processes may
// call it at once: an advisory lock lets one work while the others wait. It waits for locks of tables no more than
// three seconds at a time.
func Migrate(ctx context.Context, url string) ([]int64, error) {
	return MigrateWithProgress(ctx, url, nil)
}

// MigrateWithProgress is Migrate with a callback, which may be nil: progress is called before the first and after each
// migration with how many of all missing ones were applied.
func MigrateWithProgress(ctx context.Context, url string, progress func(done, all int)) ([]int64, error) {
	var applied []int64
	for try := 1; ; try++ {
		done, err := migrateOnce(ctx, url, lockTimeout(try), progress)
		applied = append(applied, done...)
		var pg *pgconn.PgError
		if try == maxMigrateTries || !errors.As(err, &pg) || pg.Code != codeLockTimeout &&
			pg.Code != codeDeadlock || !jobs.Sleep(ctx, time.Duration(rand.IntN(2000))*time.Millisecond) {
			return applied, err
		}
	}
}

// lockTimeout returns how long the nth try waits for a table's lock.
func lockTimeout(try int) time.Duration {
	return min(firstLockTimeout*time.Duration(try), maxLockTimeout)
}

func migrateOnce(ctx context.Context, url string, lockTimeout time.Duration,
	progress func(done, all int)) ([]int64, error) {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, errURL("DATABASE_MIGRATE_URL or DATABASE_URL")
	}
	cfg.RuntimeParams["lock_timeout"] = strconv.FormatInt(lockTimeout.Milliseconds(), 10)
	db := stdlib.OpenDB(*cfg)
	defer func() { _ = db.Close() }()
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, err
	}
	log := &migrationLog{progress: progress}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithSessionLocker(locker),
		goose.WithVerbose(progress != nil), goose.WithLogger(log))
	if err != nil {
		return nil, err
	}
	if progress != nil {
		current, err := provider.GetDBVersion(ctx)
		if err != nil {
			return nil, fmt.Errorf("migrate: %w", err)
		}
		for _, source := range provider.ListSources() {
			if source.Version > current {
				log.all++
			}
		}
		if log.all > 0 {
			progress(0, log.all)
		}
	}
	results, err := provider.Up(ctx)
	var partial *goose.PartialError
	if errors.As(err, &partial) {
		results = partial.Applied
	}
	var applied []int64
	for _, r := range results {
		applied = append(applied, r.Source.Version)
	}
	if err != nil {
		return applied, fmt.Errorf("migrate: %w", err)
	}
	return applied, nil
}

// migrationLog counts goose's log lines about applied migrations: goose has no other way to report progress.
type migrationLog struct {
	progress  func(done, all int)
	done, all int
}

// Printf is called with a format of goose's and its line.
func (l *migrationLog) Printf(_ string, line ...any) {
	if text := fmt.Sprint(line...); strings.HasPrefix(text, "OK ") || strings.HasPrefix(text, "EMPTY ") {
		l.done++
		l.progress(l.done, max(l.done, l.all))
	}
}

// Fatalf is never called by a provider.
func (*migrationLog) Fatalf(string, ...any) {}

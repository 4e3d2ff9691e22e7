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

// A statement that waits for a table's lock makes everybody queue behind it who only wants to read. So a migration
// gives up its turn soon, whole, and comes again; so does one that the server ended because it and a writer each waited
// for what the other had. Each turn waits longer than the one before: mostly a short one does, and a second is needed
// where the table is being vacuumed, which the server then breaks off.
const (
	migrationPatience    = 200 * time.Millisecond // of the first turn
	migrationPatienceMax = 3 * time.Second
	migrationTurns       = 50
)

// Migrate brings the schema of url to this release and returns the versions it applied. Several processes may
// call it at once: an advisory lock lets one work while the others wait. It waits for locks of tables no more than
// three seconds at a time.
func Migrate(ctx context.Context, url string) ([]int64, error) { return MigrateTold(ctx, url, nil) }

// MigrateTold is Migrate that says before the first and after each how many of all that are missing were applied.
func MigrateTold(ctx context.Context, url string, told func(done, all int)) ([]int64, error) {
	var applied []int64
	for turn := 1; ; turn++ {
		done, err := migrateOnce(ctx, url, patience(turn), told)
		applied = append(applied, done...)
		var pg *pgconn.PgError
		if turn == migrationTurns || !errors.As(err, &pg) || pg.Code != codeLockTimeout &&
			pg.Code != codeDeadlock || !jobs.Sleep(ctx, time.Duration(rand.IntN(2000))*time.Millisecond) {
			return applied, err
		}
	}
}

// patience is how long a turn waits for a lock.
func patience(turn int) time.Duration {
	return min(migrationPatience*time.Duration(turn), migrationPatienceMax)
}

func migrateOnce(ctx context.Context, url string, patience time.Duration,
	told func(done, all int)) ([]int64, error) {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, errURL("DATABASE_MIGRATE_URL or DATABASE_URL")
	}
	cfg.RuntimeParams["lock_timeout"] = strconv.FormatInt(patience.Milliseconds(), 10)
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
	log := &migrationLog{told: told}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithSessionLocker(locker),
		goose.WithVerbose(told != nil), goose.WithLogger(log))
	if err != nil {
		return nil, err
	}
	if told != nil {
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
			told(0, log.all)
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

// migrationLog counts the lines in which goose says that a migration was applied: it tells nobody otherwise before all
// are.
type migrationLog struct {
	told      func(done, all int)
	done, all int
}

// Printf is called with a format of goose's and its line.
func (l *migrationLog) Printf(_ string, line ...any) {
	if text := fmt.Sprint(line...); strings.HasPrefix(text, "OK ") || strings.HasPrefix(text, "EMPTY ") {
		l.done++
		l.told(l.done, max(l.done, l.all))
	}
}

// Fatalf is never called by a provider.
func (*migrationLog) Fatalf(string, ...any) {}

package postgres

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io/fs"

	_ "github.com/jackc/pgx/v5/stdlib" // goose speaks database/sql
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"
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

// Migrate brings the schema of url to this release and returns the versions it applied. Several processes may
// call it at once: an advisory lock lets one work while the others wait.
func Migrate(ctx context.Context, url string) ([]int64, error) {
	db, err := sql.Open("pgx", url)
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	locker, err := lock.NewPostgresSessionLocker()
	if err != nil {
		return nil, err
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, db, files, goose.WithSessionLocker(locker))
	if err != nil {
		return nil, err
	}
	results, err := provider.Up(ctx)
	if err != nil {
		return nil, fmt.Errorf("migrate: %w", err)
	}
	var applied []int64
	for _, r := range results {
		applied = append(applied, r.Source.Version)
	}
	return applied, nil
}

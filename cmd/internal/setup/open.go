package setup

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"sync/atomic"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier/jobs/admin"
	"github.com/dossierhq/dossier/storage/cache"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
)

// Services are the open connections of a process.
type Services struct {
	DB      *postgres.DB
	Redis   *cache.Conn
	Objects *objects.Store
	Metrics *prometheus.Registry
	Log     *slog.Logger
}

// Start is how the API and the worker begin: it reads the configuration of environ, says it in the log and opens the
// services. Both write links, whose host nobody else may choose. The caller closes.
func Start(ctx context.Context, environ []string) (Config, *Services, error) {
	c, err := Read(environ)
	if err != nil {
		return c, nil, err
	}
	if err := c.Need("DATABASE_URL", "REDIS_URL", "S3_ENDPOINT", "DOSSIER_SECRET_KEY",
		"DOSSIER_PUBLIC_URL"); err != nil {
		return c, nil, err
	}
	log := c.Logger(os.Stderr)
	c.Print(log)
	if !c.Migrate {
		if err := c.awaitSchema(ctx, log, schemaPoll); err != nil {
			return c, nil, err
		}
	}
	s, err := Open(ctx, c, log)
	return c, s, err
}

// Open connects to Postgres, which must answer, and prepares Redis and object storage, which may come later. It
// migrates first when DOSSIER_MIGRATE asks for it. The caller closes.
func Open(ctx context.Context, c Config, log *slog.Logger) (*Services, error) {
	if err := c.Need("DATABASE_URL", "REDIS_URL", "S3_ENDPOINT", "DOSSIER_SECRET_KEY"); err != nil {
		return nil, err
	}
	redis, err := cache.Open(c.RedisURL)
	if err != nil {
		return nil, err
	}
	store, err := objects.Open(c.Objects)
	if err != nil {
		return nil, err
	}
	db, err := c.OpenDB(ctx, log)
	if err != nil {
		return nil, err
	}
	return &Services{DB: db, Redis: redis, Objects: store, Metrics: newMetrics(db, c.Release), Log: log}, nil
}

// OpenDB opens only Postgres: what most commands need.
func (c Config) OpenDB(ctx context.Context, log *slog.Logger) (*postgres.DB, error) {
	if err := c.Need("DATABASE_URL"); err != nil {
		return nil, err
	}
	if c.Migrate {
		if _, _, err := c.MigrateDB(ctx, nil); err != nil {
			return nil, err
		}
	}
	cfg := postgres.Config{URL: c.DatabaseURL, ListenURL: c.ListenURL, AnyLogin: c.AnyLogin, PoolSize: c.PoolSize,
		Log:     log,
		Release: c.Release}
	if len(c.SecretKeys) > 0 {
		cfg.SecretKey, cfg.OldSecretKeys = c.SecretKeys[0], c.SecretKeys[1:]
	}
	return postgres.Open(ctx, cfg)
}

// MigrateDB brings the schema to this release, as the owner, and makes the login of the programs. It returns the
// versions it applied and the login's name. told hears how many of all that are missing are applied, if it is there.
func (c Config) MigrateDB(ctx context.Context, told func(done, all int)) ([]int64, string, error) {
	owner := cmp.Or(c.MigrateURL, c.DatabaseURL)
	applied, err := postgres.MigrateWithProgress(ctx, owner, told)
	if err != nil {
		return applied, "", err
	}
	login, err := postgres.MakeLogin(ctx, owner, c.DatabaseURL)
	return applied, login, err
}

// Close closes the connections.
func (s *Services) Close() error {
	s.DB.Close()
	return errors.Join(s.Redis.Close())
}

// Checks are the dependencies that readiness names.
func (s *Services) Checks() []admin.Check {
	return []admin.Check{
		{Name: "postgres", Ping: s.DB.Ping},
		{Name: "redis", Ping: s.Redis.Ping},
		{Name: "objects", Ping: s.Objects.Ping},
	}
}

// Operate opens the operators' address until stop, so that it still answers while the process drains: /readyz says
// draining once ctx has ended. also are checks of this process alone.
func (s *Services) Operate(ctx context.Context, c Config, also ...admin.Check) (stop func(), err error) {
	var draining atomic.Bool
	context.AfterFunc(ctx, func() { draining.Store(true) })
	ops, stop := context.WithCancel(context.WithoutCancel(ctx))
	if _, err := s.ServeOps(ops, c, append(s.Checks(), also...), draining.Load); err != nil {
		stop()
		return nil, err
	}
	return stop, nil
}

// ServeOps opens the operators' address in the background until ctx ends; every process does so. draining tells
// /readyz. It returns the address.
func (s *Services) ServeOps(ctx context.Context, c Config, checks []admin.Check, draining func() bool) (net.Addr,
	error) {
	listener, err := admin.Listen(ctx, c.OpsAddr, c.OpsPassword)
	if err != nil {
		return nil, err
	}
	handler := admin.Handler(admin.Config{Redis: s.Redis, Metrics: s.Metrics, Checks: checks, Draining: draining,
		Lanes: s.lanes(),
		User:  c.OpsUser, Password: c.OpsPassword, Log: s.Log, Level: c.Level})
	go func() {
		if err := admin.Serve(ctx, listener, handler); err != nil {
			s.Log.Error("the operators' address is closed", "error", err)
		}
	}()
	return listener.Addr(), nil
}

// Logger writes to out in the format DOSSIER_LOG names: json when it is not set and out is no terminal.
func (c Config) Logger(out io.Writer) *slog.Logger {
	options := &slog.HandlerOptions{}
	if c.Level != nil {
		options.Level = c.Level
	}
	if c.LogFormat == "text" || c.LogFormat == "" && terminal(out) {
		return slog.New(slog.NewTextHandler(out, options))
	}
	return slog.New(slog.NewJSONHandler(out, options))
}

func terminal(out io.Writer) bool {
	file, ok := out.(*os.File)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

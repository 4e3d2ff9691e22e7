package setup

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/admin"
	"github.com/dossierhq/dossier/storage/postgres"
)

// schemaPoll is how often a process that waits for the schema looks again.
const schemaPoll = 2 * time.Second

// awaitSchema returns when the database has a schema that this release works with: at once, as a rule. Until then the
// process says what it waits for, in the log, on /readyz and in its metrics, and serves nothing else. Error: the
// database does not answer.
func (c Config) awaitSchema(ctx context.Context, log *slog.Logger, every time.Duration) error {
	state, err := postgres.InspectSchema(ctx, c.DatabaseURL)
	if err != nil || state.Wrong() == "" {
		return err
	}
	stop, err := c.operateWaiting(ctx, log)
	if err != nil {
		return err
	}
	defer stop()
	said := ""
	for state.Wrong() != "" {
		if wrong := state.Wrong(); wrong != said {
			said = wrong
			log.Warn("the schema is "+wrong+" for this release: waiting", "schema", state.Version, "wanted",
				postgres.SchemaVersion(), "fix", schemaFix[wrong])
		}
		if !jobs.Sleep(ctx, every) {
			return ctx.Err()
		}
		if now, err := postgres.InspectSchema(ctx, c.DatabaseURL); err == nil {
			state = now
		}
	}
	log.Info("the schema is here", "schema", state.Version)
	return nil
}

var schemaFix = map[string]string{"too old": "run dossier migrate of this release",
	"too new": "run the release that migrated it"}

// operateWaiting answers on the operators' address meanwhile: alive, and not ready.
func (c Config) operateWaiting(ctx context.Context, log *slog.Logger) (stop func(), err error) {
	listener, err := admin.Listen(ctx, c.OpsAddr, c.OpsPassword)
	if err != nil {
		return nil, err
	}
	registry := prometheus.NewRegistry()
	registry.MustRegister(buildInfo(c.Release)...)
	handler := admin.Handler(admin.Config{Metrics: registry, User: c.OpsUser, Password: c.OpsPassword, Log: log,
		Level: c.Level, Checks: []admin.Check{{Name: "schema", Ping: func(context.Context) error {
			return errors.New("not the one this release works with")
		}}}})
	serving, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = admin.Serve(serving, listener, handler) // the log says what is waited for all the same
	}()
	return func() { cancel(); <-ended; _ = listener.Close() }, nil
}

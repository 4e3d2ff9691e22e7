// Package embedded starts the services that cmd/dev needs and the environment does not name:
// PostgreSQL from installed binaries, an S3 gateway on plain files, Redis in this process.
// Production names all three and never comes here.
//
// Redis keeps nothing over a restart, on purpose: PostgreSQL is the truth, and what the courier
// forgot is driven again from there.
package embedded

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/dossierhq/dossier/cmd/lab/daemon"
)

// Options of the embedded services.
type Options struct {
	Data   string                   // directory that survives restarts; made when absent
	Getenv func(name string) string // os.Getenv, or a test's
	Log    func(line string)        // progress for people, one line at a time
}

// Variable is one environment variable of a service.
type Variable struct{ Name, Value string }

// Services run until Stop.
type Services struct {
	variables map[string]string
	stops     []func() error
	unlock    func()
}

// names are the variables of decisions.md section 10 that say where the services are, in the
// order in which they are printed. All S3 variables belong to one service.
var names = []string{"DATABASE_URL", "DATABASE_MIGRATE_URL", "REDIS_URL", "S3_ENDPOINT", "S3_ACCESS_KEY",
	"S3_SECRET_KEY", "S3_BUCKET", "S3_REGION", "S3_PUBLIC_ENDPOINT"}

// Start starts what is not named by DATABASE_URL, REDIS_URL and S3_ENDPOINT, at the same time,
// and returns when all of it answers. Only one process at a time may use a data directory; one
// that died without goodbye is no hindrance. Errors are one line that names the fix.
func Start(ctx context.Context, opts Options) (*Services, error) {
	data, err := filepath.Abs(opts.Data)
	if err != nil {
		return nil, err
	}
	opts.Data = data
	if err := os.MkdirAll(data, 0o755); err != nil {
		return nil, fmt.Errorf("cannot make the data directory: %w", err)
	}
	s := &Services{variables: map[string]string{}}
	if s.unlock, err = claim(data); err != nil {
		return nil, err
	}
	for _, name := range names {
		if value := opts.Getenv(name); value != "" {
			s.variables[name] = value
		}
	}
	if err := s.startMissing(ctx, opts); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// claim takes the data directory for this process and writes down whose it is.
func claim(data string) (func(), error) {
	path := filepath.Join(data, "dev.lock")
	unlock, err := daemon.TryLock(path)
	if errors.Is(err, daemon.ErrLocked) {
		holder, _ := os.ReadFile(path) // only to say more
		return nil, fmt.Errorf("%s is in use by process %s: stop it, or choose another directory with --data", data,
			strings.TrimSpace(string(holder)))
	}
	if err != nil {
		return nil, fmt.Errorf("cannot use the data directory: %w", err)
	}
	if err := os.WriteFile(path, []byte(strconv.Itoa(os.Getpid())+"\n"), 0o600); err != nil {
		unlock()
		return nil, err
	}
	return unlock, nil
}

// starter starts one service and returns its variables and how to stop it.
type starter func(ctx context.Context, opts Options) (map[string]string, func() error, error)

func (s *Services) startMissing(ctx context.Context, opts Options) error {
	starters := map[string]starter{"DATABASE_URL": startPostgres, "REDIS_URL": startRedis, "S3_ENDPOINT": startObjects}
	for name := range starters {
		if s.variables[name] != "" {
			opts.Log(name + " is set: using that service")
			delete(starters, name)
		}
	}
	var (
		wait sync.WaitGroup
		lock sync.Mutex
		errs []error
	)
	opts.Log = inTurn(opts.Log)
	for _, start := range starters {
		wait.Go(func() {
			variables, stop, err := start(ctx, opts)
			lock.Lock()
			defer lock.Unlock()
			if err != nil {
				errs = append(errs, err)
				return
			}
			s.stops = append(s.stops, stop)
			for name, value := range variables {
				s.variables[name] = value
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

// inTurn lets services that start at the same time write whole lines.
func inTurn(log func(line string)) func(line string) {
	var lock sync.Mutex
	return func(line string) {
		lock.Lock()
		defer lock.Unlock()
		log(line)
	}
}

// Variables are the services' environment variables, embedded or not, without the unset ones.
func (s *Services) Variables() []Variable {
	var all []Variable
	for _, name := range names {
		if value := s.variables[name]; value != "" {
			all = append(all, Variable{Name: name, Value: value})
		}
	}
	return all
}

// Stop ends the services that Start started, or found running without a parent, and lets the
// data directory go.
func (s *Services) Stop() error {
	var errs []error
	for _, stop := range s.stops {
		errs = append(errs, stop())
	}
	s.stops = nil
	s.unlock()
	return errors.Join(errs...)
}

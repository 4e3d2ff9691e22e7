// Package cluster runs a private PostgreSQL out of the binaries installed on the machine: one for
// `go run ./cmd/dev` under its data directory, one that all test processes of a user share.
//
// The postmaster outlives the process that started it. That is what lets a developer kill -9 dev
// and start it again at once, and lets two hundred test processes share one server. Migrations,
// roles and queries do not belong here: they are storage/postgres.
package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"github.com/dossierhq/dossier/cmd/lab/daemon"
)

// Superuser is the role that initdb creates. It owns every database of the cluster.
const Superuser = "postgres"

// Options of one cluster. Only Dir is needed.
type Options struct {
	Dir            string            // holds data/, password, postgres.log; made when absent
	Fast           bool              // no fsync: for tests, a power cut loses everything
	Port           int               // on 127.0.0.1; 0 picks a free one at each start
	MaxConnections int               // 0 means 100
	Settings       map[string]string // further server settings
	Log            func(line string) // progress for people; nil is silent
}

// Cluster is a server that answers.
type Cluster struct {
	dir      string // empty when the server is not ours (TEST_DATABASE_URL)
	server   url.URL
	attached bool
}

// Start returns a running cluster in opts.Dir. It makes the data directory on first use, starts a
// postmaster, or attaches to the one that already runs there. Two processes starting the same
// directory take turns, so both get the same server.
//
// Every error is one line that names the fix: no binaries, a taken port, data of another version,
// a directory the unprivileged user cannot reach.
func Start(ctx context.Context, opts Options) (*Cluster, error) {
	opts, err := withDefaults(opts)
	if err != nil {
		return nil, err
	}
	unlock, err := daemon.Lock(ctx, opts.Dir+".lock")
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	defer unlock()
	return start(ctx, opts)
}

// withDefaults returns the options with an absolute directory, which it makes, and a Log that is not nil.
func withDefaults(opts Options) (Options, error) {
	dir, err := filepath.Abs(opts.Dir)
	if err != nil {
		return opts, err
	}
	opts.Dir = dir
	if opts.Log == nil {
		opts.Log = func(string) {}
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return opts, fmt.Errorf("postgres: cannot make %s: %w", dir, err)
	}
	return opts, nil
}

func start(ctx context.Context, opts Options) (*Cluster, error) {
	owner, err := serverUser()
	if err != nil {
		return nil, err
	}
	if err := owner.own(opts.Dir); err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	if err := owner.reach(opts.Dir); err != nil {
		return nil, err
	}
	if c, err := attach(ctx, opts, owner); c != nil || err != nil {
		return c, err
	}
	bin, err := binaries(opts.Dir)
	if err != nil {
		return nil, err
	}
	if err := makeData(ctx, opts, bin, owner); err != nil {
		return nil, err
	}
	return launch(ctx, opts, bin, owner)
}

// attach returns the server that runs on opts.Dir already, nil when none does. One that dies while
// we look, as after a kill -9 a moment ago, is none.
func attach(ctx context.Context, opts Options, owner *account) (*Cluster, error) {
	data := filepath.Join(opts.Dir, "data")
	for {
		p, err := running(ctx, opts, owner)
		if err != nil || p.pid == 0 {
			return nil, err
		}
		c, err := connect(opts.Dir, p.port, true)
		if err != nil {
			return nil, err
		}
		err = c.await(ctx, func() bool { return !daemon.RunsIn(p.pid, data) })
		if errors.Is(err, errGone) {
			continue
		}
		if err == nil {
			opts.Log(fmt.Sprintf("PostgreSQL is already running on 127.0.0.1:%d", p.port))
		}
		return c, err
	}
}

// connect reads what is needed to reach the server of dir.
func connect(dir string, port int, attached bool) (*Cluster, error) {
	password, err := os.ReadFile(filepath.Join(dir, "password"))
	if err != nil {
		return nil, fmt.Errorf("postgres: the password of %s is gone (%w); remove the directory to begin again", dir,
			err)
	}
	server := url.URL{
		Scheme:   "postgres",
		User:     url.UserPassword(Superuser, strings.TrimSpace(string(password))),
		Host:     net.JoinHostPort("127.0.0.1", strconv.Itoa(port)),
		RawQuery: "sslmode=disable",
	}
	return &Cluster{dir: dir, server: server, attached: attached}, nil
}

// URL is the connection URL of a database as the superuser. The database need not exist: only
// "postgres" always does.
func (c *Cluster) URL(database string) string {
	u := c.server
	u.Path = "/" + database
	return u.String()
}

// Attached reports whether the server was running before Start.
func (c *Cluster) Attached() bool { return c.attached }

// Stop ends the server: clients are disconnected, everything committed is on disk. Stopping a
// stopped cluster, or a server that is not ours, does nothing.
func (c *Cluster) Stop() error {
	if c.dir == "" {
		return nil
	}
	return errors.Join(poolerOf(c.dir).Stop(), stopPostmaster(filepath.Join(c.dir, "data"), 20*time.Second))
}

// Stop ends the server of dir, whoever started it.
func Stop(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if _, err := os.Stat(filepath.Join(dir, "data")); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return (&Cluster{dir: dir}).Stop()
}

// EnsureDatabase makes a database unless it is there.
func (c *Cluster) EnsureDatabase(ctx context.Context, name string) error {
	conn, err := pgx.Connect(ctx, c.URL("postgres"))
	if err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize())
	var refused *pgconn.PgError
	if errors.As(err, &refused) && (refused.Code == "42P04" ||
		refused.Code == "23505") { // it exists; or two made it at once
		return nil
	}
	if err != nil {
		return fmt.Errorf("postgres: make database %s: %w", name, err)
	}
	return nil
}

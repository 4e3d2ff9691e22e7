// Package bench measures the product against bare baselines in the same run, so that the ratio holds on any machine.
// Each function returns one result that prints as one JSON object.
package bench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/alicebob/miniredis/v2"
	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/cluster"
	"github.com/dossierhq/dossier/storage/cache"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
)

// Stack is what a measurement runs on: a database of its own that disappears afterwards, and a Redis of its own.
// It never touches the queues or tenants of a running installation.
type Stack struct {
	DB        *postgres.DB
	Redis     *cache.Conn
	Objects   *objects.Store // nil but in measurements of pages
	URL       string         // of the database
	RedisURL  string
	Workspace dossier.WorkspaceID
	About     Machine
	closers   []func() error

	postmaster int // process of the database server, 0: elsewhere
}

// Machine says what the figures were measured on.
type Machine struct {
	Cores    int    `json:"cores"`
	Go       string `json:"go"`
	Postgres string `json:"postgres"`
	Fsync    string `json:"fsync"`
	Redis    string `json:"redis"`

	// Load is the load average of the minute before: above a few tenths others were using the machine.
	Load float64 `json:"loadBefore"`
}

// Open makes a Stack: a new database on the server of databaseURL, or on a private server when it is empty; a
// redis-server without persistence, or the one in process when none is installed.
func Open(ctx context.Context, databaseURL string) (*Stack, error) {
	return openOn(ctx, func(s *Stack) error { return s.openPostgres(ctx, databaseURL) })
}

func openOn(ctx context.Context, database func(*Stack) error) (*Stack, error) {
	s := &Stack{About: Machine{Cores: runtime.GOMAXPROCS(0), Go: runtime.Version(), Load: LoadAverage()}}
	if err := s.open(ctx, database); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Stack) open(ctx context.Context, database func(*Stack) error) error {
	if err := database(s); err != nil {
		return err
	}
	redisURL, err := s.openRedis(ctx)
	if err != nil {
		return err
	}
	s.RedisURL = redisURL
	if s.Redis, err = cache.Open(redisURL); err != nil {
		return err
	}
	s.closers = append(s.closers, s.Redis.Close)
	return s.makeWorkspace(ctx)
}

// LoadAverage is 0 where the system does not tell.
func LoadAverage() (load float64) {
	text, err := os.ReadFile("/proc/loadavg")
	if err == nil {
		_, _ = fmt.Sscan(string(text), &load)
	}
	return load
}

// Close stops and removes what Open made.
func (s *Stack) Close() error {
	var errs []error
	for i := len(s.closers) - 1; i >= 0; i-- {
		errs = append(errs, s.closers[i]())
	}
	return errors.Join(errs...)
}

func (s *Stack) openPostgres(ctx context.Context, server string) error {
	if server == "" {
		dir, err := os.MkdirTemp("", "dossier-bench-")
		if err != nil {
			return err
		}
		s.closers = append(s.closers, func() error { return os.RemoveAll(dir) })
		if err := os.Chmod(dir, 0o755); err != nil { // the server may run as another user
			return err
		}
		private, err := cluster.Start(ctx, cluster.Options{Dir: dir,
			Settings: map[string]string{"min_wal_size": preallocatedWAL}, Log: func(string) {}})
		if err != nil {
			return err
		}
		s.closers = append(s.closers, private.Stop)
		server = private.URL("postgres")
		if err := preallocateWAL(ctx, server); err != nil {
			return err
		}
	}
	var err error
	if s.URL, err = s.makeDatabase(ctx, server); err != nil {
		return err
	}
	return s.openDB(ctx)
}

func (s *Stack) openDB(ctx context.Context) error {
	_, err := postgres.Migrate(ctx, s.URL)
	if err != nil {
		return err
	}
	s.DB, err = postgres.Open(ctx, postgres.Config{URL: s.URL, AnyLogin: true, PoolSize: 16,
		SecretKey: make([]byte, 32), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	s.closers = append(s.closers, func() error { s.DB.Close(); return nil })
	return nil
}

func (s *Stack) makeDatabase(ctx context.Context, server string) (string, error) {
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(ctx) }()
	name := "dossier_bench_" + postgres.NewID()[24:]
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		return "", err
	}
	s.closers = append(s.closers, func() error { return dropDatabase(server, name) })
	if err := s.describe(ctx, conn); err != nil {
		return "", err
	}
	u, err := url.Parse(server)
	if err != nil {
		return "", fmt.Errorf("DATABASE_URL must be a URL")
	}
	u.Path = "/" + name
	return u.String(), nil
}

// describe notes what server it is.
func (s *Stack) describe(ctx context.Context, conn *pgx.Conn) error {
	s.findPostmaster(ctx, conn)
	return conn.QueryRow(ctx, "SELECT current_setting('server_version'), current_setting('fsync')").Scan(
		&s.About.Postgres, &s.About.Fsync)
}

func dropDatabase(server, name string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, "DROP DATABASE IF EXISTS "+name+" WITH (FORCE)")
	return err
}

func (s *Stack) openRedis(ctx context.Context) (string, error) {
	path, err := exec.LookPath("redis-server")
	if err != nil {
		server := miniredis.NewMiniRedis()
		if err := server.Start(); err != nil {
			return "", err
		}
		s.About.Redis = "miniredis, in process"
		s.closers = append(s.closers, func() error { server.Close(); return nil })
		return "redis://" + server.Addr(), nil
	}
	port, err := freePort(ctx)
	if err != nil {
		return "", err
	}
	command := exec.CommandContext(context.WithoutCancel(ctx), path, "--port", port, "--bind", "127.0.0.1", "--save",
		"", "--appendonly", "no", "--maxmemory-policy", "noeviction", "--loglevel", "warning")
	command.Dir = os.TempDir()
	if err := command.Start(); err != nil {
		return "", err
	}
	s.closers = append(s.closers, func() error {
		_ = command.Process.Kill()
		_ = command.Wait() // it was killed
		return nil
	})
	version, _ := exec.CommandContext(ctx, path, "--version").Output()
	if fields := strings.Fields(string(version)); len(fields) > 2 {
		s.About.Redis = fields[2] + ", no persistence"
	}
	return "redis://127.0.0.1:" + port, awaitPort(ctx, "127.0.0.1:"+port)
}

func freePort(ctx context.Context) (string, error) {
	var lc net.ListenConfig
	listener, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	_, port, _ := net.SplitHostPort(listener.Addr().String())
	return port, listener.Close()
}

func awaitPort(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	var dialer net.Dialer
	for {
		conn, err := dialer.DialContext(ctx, "tcp", address)
		if err == nil {
			return conn.Close()
		}
		if ctx.Err() != nil {
			return fmt.Errorf("redis-server did not start: %w", err)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

func (s *Stack) makeWorkspace(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, s.URL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	// webhooks-slow-endpoint registers 1,000 endpoints, which is more than a workspace has by default
	_, err = conn.Exec(ctx, `INSERT INTO workspaces (id, key, name, inbound_token, limits, created_at, updated_at)
		VALUES ($1, 'bench', 'Bench', $2, '{"webhooks": 2000}', now(), now())
		ON CONFLICT DO NOTHING`, postgres.NewID(), postgres.NewID())
	if err != nil {
		return err
	}
	return conn.QueryRow(ctx, `SELECT id::text FROM workspaces WHERE key = 'bench'`).Scan(&s.Workspace)
}

// exec runs a statement as the owner of the database, beside the store.
func (s *Stack) exec(ctx context.Context, sql string, args ...any) error {
	conn, err := pgx.Connect(ctx, s.URL)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	_, err = conn.Exec(ctx, sql, args...)
	return err
}

const (
	preallocatedWAL      = "1GB"
	preallocatedSegments = 60 // of 16 MB
)

// preallocateWAL gives a new server the WAL segments that one has which has run for a while and recycles them. Without
// them every new segment of 16 MB is first filled with zeros, for which all commits wait 20 to 80 ms.
func preallocateWAL(ctx context.Context, server string) error {
	conn, err := pgx.Connect(ctx, server)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	for range preallocatedSegments {
		if _, err := conn.Exec(ctx, `SELECT pg_logical_emit_message(false, 'bench', ''), pg_switch_wal()`); err != nil {
			return err
		}
	}
	_, err = conn.Exec(ctx, `CHECKPOINT`)
	return err
}

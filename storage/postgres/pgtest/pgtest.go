// Package pgtest gives each test a migrated database of its own, cloned from a template, on the shared test
// cluster. Only tests import it.
package pgtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/lab/cluster"
	"github.com/dossierhq/dossier/cmd/lab/daemon/daemontest"
	"github.com/dossierhq/dossier/storage/postgres"
)

// Server is one test's database.
type Server struct {
	DB    *postgres.DB
	URL   string // as superuser: for looking behind the store's back
	Run   string // as the login of the programs
	Clock *Clock
	admin *pgx.Conn
	mu    sync.Mutex
}

// New clones a migrated database for t and opens the store on it. It is dropped when t ends.
func New(t testing.TB) *Server {
	t.Helper()
	owner := NewURL(t)
	return open(t, owner, RunURL(owner))
}

// Own makes a migrated database on a server of the test's own, with settings, that it may kill. Both end with t.
func Own(t testing.TB, settings map[string]string) (*Server, *cluster.Cluster) {
	t.Helper()
	ctx := t.Context()
	own, err := cluster.Start(ctx, cluster.Options{Dir: filepath.Join(daemontest.Dir(t), "postgres"), Fast: true,
		Settings: settings})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := own.Stop(); err != nil {
			t.Error(err)
		}
	})
	if err := own.EnsureDatabase(ctx, "dossier"); err != nil {
		t.Fatal(err)
	}
	owner := own.URL("dossier")
	if _, err := postgres.Migrate(ctx, owner); err != nil {
		t.Fatal(err)
	}
	if _, err := postgres.MakeLogin(ctx, owner, through("", owner)); err != nil {
		t.Fatal(err)
	}
	return Open(t, owner), own
}

// Open opens the store on a migrated database, by its owner's URL.
func Open(t testing.TB, owner string) *Server {
	t.Helper()
	return open(t, owner, through("", owner))
}

func open(t testing.TB, owner, run string) *Server {
	t.Helper()
	clock := &Clock{now: time.Date(2026, 1, 2, 3, 4, 5, 678_000_000, time.UTC)}
	db, err := postgres.Open(t.Context(),
		postgres.Config{URL: run, ListenURL: through("", owner), PoolSize: 8, Now: clock.Now,
			SecretKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	admin, err := pgx.Connect(t.Context(), owner)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = admin.Close(context.Background())
		db.Close()
	})
	return &Server{DB: db, URL: owner, Run: run, Clock: clock, admin: admin}
}

// NewURL clones a migrated database for t and returns its URL.
func NewURL(t testing.TB) string {
	t.Helper()
	on, err := source()
	if err != nil {
		t.Fatalf("no Postgres for tests (make setup installs it): %v", err)
	}
	name := "test_" + postgres.NewID()[24:] + hex.EncodeToString([]byte(t.Name()))[:8]
	if _, err := on.maintenance.Exec(context.Background(), fmt.Sprintf("CREATE DATABASE %s TEMPLATE %s", quote(name),
		quote(on.template))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := on.maintenance.Exec(context.Background(), fmt.Sprintf("DROP DATABASE IF EXISTS %s WITH (FORCE)",
			quote(name))); err != nil {
			t.Log(err)
		}
	})
	return on.cluster.URL(name)
}

// origin is where this process makes its databases.
type origin struct {
	cluster     *cluster.Cluster
	maintenance *pgxpool.Pool
	template    string
}

// source finds it once: a connection takes longer than most of what is asked on it.
var source = sync.OnceValues(func() (on origin, err error) {
	ctx := context.Background()
	if on.cluster, err = cluster.Shared(ctx); err != nil {
		return on, err
	}
	if on.maintenance, err = pgxpool.New(ctx, on.cluster.URL("postgres")); err != nil {
		return on, err
	}
	conn, err := on.maintenance.Acquire(ctx)
	if err != nil {
		return on, err
	}
	defer conn.Release()
	on.template, err = migratedTemplate(ctx, on.cluster, conn.Conn())
	return on, err
})

// RunURL is the URL of a database that NewURL made, with the login of the programs: owner of nothing. Where TEST_POOLED
// is set it leads through TEST_POOLER, a pooler in transaction mode.
func RunURL(owner string) string {
	if os.Getenv("TEST_POOLED") == "" {
		return through("", owner)
	}
	return through(os.Getenv("TEST_POOLER"), owner)
}

// DirectURL is RunURL past any pooler, for sessions with settings of their own.
func DirectURL(owner string) string { return through("", owner) }

// PooledURL is RunURL through a PgBouncer in transaction mode.
func PooledURL(t testing.TB, owner string) string {
	t.Helper()
	address := os.Getenv("TEST_POOLER")
	if address == "" {
		shared, err := cluster.Shared(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if address, err = shared.Pooler(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return through(address, owner)
}

func through(pooler, owner string) string {
	u, err := url.Parse(owner)
	if err != nil {
		panic(err) // the cluster's own
	}
	u.User = url.UserPassword(cluster.TestLogin, cluster.TestPassword)
	if pooler == "" {
		return u.String()
	}
	u.Host = pooler
	query := u.Query()
	query.Set("default_query_exec_mode", "cache_describe") // prepared statements stay on the server's connection
	u.RawQuery = query.Encode()
	return u.String()
}

// migratedTemplate returns the name of a database that holds exactly this tree's migrations. Test processes of
// several trees share the cluster, so the name carries a hash of the files; the first to need it builds it. The
// programs' login is made with it: later nobody may be connected to it, or it could not be cloned.
func migratedTemplate(ctx context.Context, shared *cluster.Cluster, conn *pgx.Conn) (string, error) {
	name, err := templateName()
	if err != nil {
		return "", err
	}
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock(4218002)"); err != nil {
		return "", err
	}
	defer func() { _, _ = conn.Exec(ctx, "SELECT pg_advisory_unlock(4218002)") }()
	var ready bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)",
		name).Scan(&ready); err != nil || ready {
		return name, err
	}
	building := name + "_new" // a half-migrated database never has the final name
	for _, sql := range []string{"DROP DATABASE IF EXISTS %s WITH (FORCE)", "CREATE DATABASE %s"} {
		if _, err := conn.Exec(ctx, fmt.Sprintf(sql, quote(building))); err != nil {
			return "", err
		}
	}
	owner := shared.URL(building)
	if _, err := postgres.Migrate(ctx, owner); err != nil {
		return "", err
	}
	if _, err := postgres.MakeLogin(ctx, owner, through("", owner)); err != nil {
		return "", err
	}
	_, err = conn.Exec(ctx, fmt.Sprintf("ALTER DATABASE %s RENAME TO %s", quote(building), quote(name)))
	return name, err
}

func templateName() (string, error) {
	hash := sha256.New()
	files := postgres.Migrations()
	err := fs.WalkDir(files, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, path)
		fmt.Fprintf(hash, "%s\x00%d\x00", path, len(data))
		hash.Write(data)
		return err
	})
	return "template_" + hex.EncodeToString(hash.Sum(nil))[:16], err
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }

// Workspace makes a workspace and returns its id.
func (s *Server) Workspace(t testing.TB) dossier.WorkspaceID {
	t.Helper()
	id := postgres.NewID()
	s.Exec(t, `INSERT INTO workspaces (id, key, name, timezone, inbound_token, created_at, updated_at)
		VALUES ($1, $2, 'Test workspace', 'America/New_York', $2, $3, $3)`, id, "w-"+id[24:], s.Clock.Now())
	return dossier.WorkspaceID(id)
}

// Exec runs a statement as superuser, behind row-level security.
func (s *Server) Exec(t testing.TB, sql string, args ...any) {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, err := s.admin.Exec(context.Background(), sql, args...); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
}

// Value reads one value as superuser.
func Value[T any](t testing.TB, s *Server, sql string, args ...any) T {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	var value T
	if err := s.admin.QueryRow(context.Background(), sql, args...).Scan(&value); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return value
}

// Clock is a test's time: it stands still until moved.
type Clock struct {
	mu  sync.Mutex
	now time.Time
}

// Now is the time.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Advance moves the time.
func (c *Clock) Advance(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// Set puts the time.
func (c *Clock) Set(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = t
}

// Lead makes a lead with a checklist of its own: one item for each given field type, with code and label like
// the type's name. It returns the lead and the entries in the order of types.
func (s *Server) Lead(t testing.TB, ws dossier.WorkspaceID, types ...dossier.FieldType) (dossier.LeadID,
	[]dossier.EntryID) {
	t.Helper()
	lead, now := postgres.NewID(), s.Clock.Now()
	s.Exec(t, `INSERT INTO leads (workspace_id, id, first_name, last_name, business_name, email, phone_number,
		external_lead_id, created_at, updated_at)
		VALUES ($1, $2, 'Ada', 'Example', 'Example Bakery LLC', 'ada@example.com', '+12125550123', $3, $4,
		$4)`, ws, lead, "crm-"+lead[24:], now)
	var entries []dossier.EntryID
	for i, fieldType := range types {
		item, entry := postgres.NewID(), postgres.NewID()
		s.Exec(t, `INSERT INTO checklist_items (workspace_id, id, lead_id, code, label, field_type, position,
			created_at, updated_at)
			VALUES ($1, $2, $3, $4, $4, $4, $5, $6, $6)`, ws, item, lead, string(fieldType), i, now)
		s.Exec(t, `INSERT INTO checklist_entries (workspace_id, id, lead_id, item_id, code, created_at, updated_at)
			VALUES ($1, $2, $3, $4, $5, $6, $6)`, ws, entry, lead, item, string(fieldType), now)
		entries = append(entries, dossier.EntryID(entry))
	}
	return dossier.LeadID(lead), entries
}

package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier/cmd/lab/daemon"
	"github.com/dossierhq/dossier/cmd/lab/daemon/daemontest"
)

// dir is a private directory that the server's user may reach although we may be root.
func dir(t *testing.T) string {
	t.Helper()
	return filepath.Join(daemontest.Dir(t), "postgres")
}

func mustStart(t *testing.T, opts Options) *Cluster {
	t.Helper()
	opts.Fast = true
	opts.Log = func(line string) { t.Log(line) }
	c, err := Start(t.Context(), opts)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func stopAtEnd(t *testing.T, dir string) {
	t.Cleanup(func() {
		if err := Stop(dir); err != nil {
			t.Error(err)
		}
	})
}

func kill9(t *testing.T, data string) {
	t.Helper()
	p, ok := readPidFile(data)
	if !ok {
		t.Fatal("no server runs")
	}
	if err := syscall.Kill(p.pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
}

// awaitGone waits until the killed server is no process any more.
func awaitGone(t *testing.T, data string) {
	t.Helper()
	p, ok := readPidFile(data)
	for deadline := time.Now().Add(time.Minute); ok && daemon.RunsIn(p.pid, data); {
		if time.Now().After(deadline) {
			t.Fatalf("process %d does not end", p.pid)
		}
		if err := daemon.Pause(t.Context(), 5*time.Millisecond); err != nil {
			t.Fatal(err)
		}
	}
}

func mustExec(t *testing.T, c *Cluster, sql string) {
	t.Helper()
	conn := open(t, c)
	defer func() { _ = conn.Close(context.Background()) }()
	if _, err := conn.Exec(context.Background(), sql); err != nil { // also called in cleanups
		t.Fatal(err)
	}
}

func open(t *testing.T, c *Cluster) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), c.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	return conn
}

func count(t *testing.T, c *Cluster) int {
	t.Helper()
	conn := open(t, c)
	defer func() { _ = conn.Close(context.Background()) }()
	var n int
	if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM kept").Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// The steps share one data directory, because making one takes most of the time.
func TestStart(t *testing.T) {
	d := dir(t)
	data := filepath.Join(d, "data")
	stopAtEnd(t, d)
	c := mustStart(t, Options{Dir: d})
	mustExec(t, c, "CREATE TABLE kept AS SELECT 1 AS n")

	t.Run("attach to a running one", func(t *testing.T) {
		again, err := Start(t.Context(), Options{Dir: d})
		if err != nil {
			t.Fatal(err)
		}
		if !again.Attached() || again.URL("postgres") != c.URL("postgres") {
			t.Errorf("attached %v to %s, want the server at %s", again.Attached(), again.URL("postgres"), c.URL("postgres"))
		}
	})
	t.Run("stopped and started, data stays", func(t *testing.T) {
		if err := c.Stop(); err != nil {
			t.Fatal(err)
		}
		if err := c.Stop(); err != nil {
			t.Errorf("second stop: %v", err)
		}
		c = mustStart(t, Options{Dir: d})
		if n := count(t, c); n != 1 {
			t.Errorf("kept has %d rows, want 1", n)
		}
	})
	t.Run("killed with -9", func(t *testing.T) {
		kill9(t, data)
		c = mustStart(t, Options{Dir: d})
		if n := count(t, c); n != 1 {
			t.Errorf("kept has %d rows, want 1", n)
		}
	})
	t.Run("killed, and its process id is re-used", func(t *testing.T) {
		kill9(t, data)
		other := exec.Command("sleep", "600")
		other.Dir = "/"
		if owner, _ := serverUser(); owner != nil {
			other.SysProcAttr = owner.attributes() // PostgreSQL believes a file that names a process of its own user
		}
		if err := other.Start(); err != nil {
			t.Fatal(err)
		}
		defer func() { _ = other.Process.Kill(); _ = other.Wait() }()
		rewritePid(t, data, other.Process.Pid)
		c = mustStart(t, Options{Dir: d})
		if n := count(t, c); n != 1 {
			t.Errorf("kept has %d rows, want 1", n)
		}
	})
	t.Run("fixed port", func(t *testing.T) {
		if err := c.Stop(); err != nil {
			t.Fatal(err)
		}
		taken, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := taken.Addr().(*net.TCPAddr).Port
		_, err = Start(t.Context(), Options{Dir: d, Port: port})
		wantLine(t, err, fmt.Sprintf("port %d is taken", port))
		_ = taken.Close()
		c = mustStart(t, Options{Dir: d, Port: port})
		if !strings.Contains(c.URL("postgres"), fmt.Sprintf("127.0.0.1:%d/postgres", port)) {
			t.Errorf("URL %s, want port %d", c.URL("postgres"), port)
		}
	})
	t.Run("data of another version", func(t *testing.T) {
		if err := c.Stop(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(data, "PG_VERSION"), []byte("9\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Start(t.Context(), Options{Dir: d})
		wantLine(t, err, "was made by PostgreSQL 9")
	})
}

func rewritePid(t *testing.T, data string, pid int) {
	t.Helper()
	path := filepath.Join(data, "postmaster.pid")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), "\n")
	if err := os.WriteFile(path, fmt.Appendf(nil, "%d\n%s", pid, rest), 0o600); err != nil {
		t.Fatal(err)
	}
}

func wantLine(t *testing.T, err error, part string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %q, want one line with %q", err, part)
	}
}

func TestEnsureDatabase(t *testing.T) {
	c, err := Shared(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	const name = `ensure "one"`
	t.Cleanup(func() { mustExec(t, c, `DROP DATABASE "ensure ""one"""`) })
	for range 2 {
		if err := c.EnsureDatabase(t.Context(), name); err != nil {
			t.Fatal(err)
		}
	}
	conn, err := pgx.Connect(t.Context(), c.URL(name))
	if err != nil {
		t.Fatal(err)
	}
	_ = conn.Close(t.Context())
}

func TestStart_unusableSetting(t *testing.T) {
	d := dir(t)
	_, err := Start(t.Context(), Options{Dir: d, Fast: true, Settings: map[string]string{"shared_buffers": "much"}})
	wantLine(t, err, `invalid value for parameter "shared_buffers"`)
}

func TestStart_directoryOutOfReach(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root hands the server to another user")
	}
	d := dir(t)
	if err := os.Chmod(filepath.Dir(d), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Reachable(filepath.Join(filepath.Dir(d), "a", "b")); err == nil {
		t.Error("a directory below one that is closed is reachable")
	}
	_, err := Start(t.Context(), Options{Dir: d, Fast: true})
	wantLine(t, err, "may not enter "+filepath.Dir(d))
	var unreachable *UnreachableError
	if !errors.As(err, &unreachable) {
		t.Errorf("error %v is not an UnreachableError", err)
	}
}

// The server of tests must live on when the process that started it has ended.
func TestStart_outlivesItsParent(t *testing.T) {
	if d := os.Getenv("CLUSTER_TEST_CHILD"); d != "" {
		if _, err := Start(t.Context(), Options{Dir: d, Fast: true}); err != nil {
			t.Fatal(err)
		}
		return
	}
	d := dir(t)
	stopAtEnd(t, d)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	child := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestStart_outlivesItsParent$")
	child.Env = append(os.Environ(), "CLUSTER_TEST_CHILD="+d)
	if out, err := child.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if c := mustStart(t, Options{Dir: d}); !c.Attached() {
		t.Error("the server ended with the process that started it")
	}
}

func TestShared_external(t *testing.T) {
	t.Setenv("TEST_DATABASE_URL", "postgres://boss:pw@db.example:5433/postgres?sslmode=require")
	c, err := Shared(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got, want := c.URL("one"), "postgres://boss:pw@db.example:5433/one?sslmode=require"; got != want {
		t.Errorf("URL %s, want %s", got, want)
	}
	if err := c.Stop(); err != nil {
		t.Errorf("stopping someone else's server: %v", err)
	}
}

func TestShared(t *testing.T) {
	if os.Getenv("TEST_DATABASE_URL") != "" {
		t.Skip("TEST_DATABASE_URL names another server")
	}
	first, err := Shared(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	second, err := Shared(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !second.Attached() || first.URL("postgres") != second.URL("postgres") {
		t.Errorf("two servers: %s and %s", first.URL("postgres"), second.URL("postgres"))
	}
}

// A session that was killed leaves its temporary directory to the next one, perhaps on a machine with other programs and
// other processes: whatever lies there, tests get a server.
func TestShared_leftovers(t *testing.T) {
	t.Setenv("TEST_DATABASE_URL", "")
	d := dir(t)
	t.Setenv("TMPDIR", filepath.Dir(d))
	shared := func(t *testing.T) *Cluster {
		t.Helper()
		c, err := Shared(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		mustExec(t, c, "SELECT 1")
		return c
	}
	first := shared(t)
	t.Cleanup(func() {
		if err := StopShared(context.Background()); err != nil {
			t.Error(err)
		}
	})
	data := filepath.Join(first.dir, "data")
	write := func(t *testing.T, path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		name  string
		leave func(t *testing.T)
	}{
		{"killed", func(*testing.T) {}},
		{"killed, and this process has the id now", func(t *testing.T) { rewritePid(t, data, os.Getpid()) }},
		{"made by another version", func(t *testing.T) { write(t, filepath.Join(data, "PG_VERSION"), "9\n") }},
		{"damaged", func(t *testing.T) { write(t, filepath.Join(data, "global", "pg_control"), "") }},
		{"without its password", func(t *testing.T) {
			awaitGone(t, data) // of a server that may live, the data is not remade
			if err := os.Remove(filepath.Join(first.dir, "password")); err != nil {
				t.Fatal(err)
			}
		}},
		{"half made", func(t *testing.T) {
			if err := os.Rename(data, data+".new"); err != nil {
				t.Fatal(err)
			}
		}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			kill9(t, data)
			tt.leave(t)
			if c := shared(t); c.Attached() {
				t.Error("attached to a server that was killed")
			}
		})
	}
}

package embedded

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"

	"github.com/dossierhq/dossier/cmd/lab/daemon/daemontest"
	"github.com/dossierhq/dossier/storage/objects"
)

func noEnvironment(string) string { return "" }

func mustStart(t *testing.T, data string) *Services {
	t.Helper()
	begin := time.Now()
	s, err := Start(t.Context(), Options{Data: data, Getenv: noEnvironment, Log: func(line string) { t.Log(line) }})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("started in %v", time.Since(begin).Round(time.Millisecond))
	return s
}

func mustStop(t *testing.T, s *Services) {
	t.Helper()
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
}

func value(t *testing.T, s *Services, name string) string {
	t.Helper()
	for _, v := range s.Variables() {
		if v.Name == name {
			return v.Value
		}
	}
	t.Fatalf("%s is not among the variables", name)
	return ""
}

func query(t *testing.T, s *Services, sql string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), value(t, s, "DATABASE_MIGRATE_URL"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	var answer string
	if err := conn.QueryRow(t.Context(), sql).Scan(&answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

func store(t *testing.T, s *Services) *objects.Store {
	t.Helper()
	store, err := objects.Open(objects.Config{Endpoint: value(t, s, "S3_ENDPOINT"), AccessKey: value(t, s, "S3_ACCESS_KEY"),
		SecretKey: value(t, s, "S3_SECRET_KEY"), Bucket: value(t, s, "S3_BUCKET"), Region: value(t, s, "S3_REGION")})
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// keep stores one thing in the database and one among the objects; kept looks for them.
func keep(t *testing.T, s *Services) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), value(t, s, "DATABASE_MIGRATE_URL"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	if _, err := conn.Exec(t.Context(), "CREATE TABLE kept AS SELECT 'row' AS what"); err != nil {
		t.Fatal(err)
	}
	if _, err := store(t, s).Put(t.Context(), "ws/kept", "text/plain", strings.NewReader("object"), 0); err != nil {
		t.Fatal(err)
	}
}

func kept(t *testing.T, s *Services) {
	t.Helper()
	if got := query(t, s, "SELECT what FROM kept"); got != "row" {
		t.Errorf("the table holds %q", got)
	}
	o, err := store(t, s).Get(t.Context(), "ws/kept")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = o.Close() }()
	if text, err := io.ReadAll(o); err != nil || string(text) != "object" {
		t.Errorf("the object holds %q, %v", text, err)
	}
}

func TestStart_again(t *testing.T) {
	data := daemontest.Dir(t)
	s := mustStart(t, data)
	keep(t, s)
	mustStop(t, s)
	s = mustStart(t, data)
	defer mustStop(t, s)
	kept(t, s)
}

func TestStart_redisExpires(t *testing.T) {
	variables, stop, err := startRedis(t.Context(), Options{Log: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = stop() }()
	options, err := redis.ParseURL(variables["REDIS_URL"])
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if err := client.Set(ctx, "k", "v", 200*time.Millisecond).Err(); err != nil {
		t.Fatal(err)
	}
	for client.Exists(ctx, "k").Val() == 1 {
		if ctx.Err() != nil {
			t.Fatal("a key with a TTL is there for ever")
		}
	}
	options.Password = "wrong"
	stranger := redis.NewClient(options)
	defer func() { _ = stranger.Close() }()
	if err := stranger.Ping(ctx).Err(); err == nil {
		t.Error("it answers without the password")
	}
}

// A process killed with -9 leaves its servers behind; the next one takes them over.
func TestStart_afterKill(t *testing.T) {
	if data := os.Getenv("EMBEDDED_TEST_CHILD"); data != "" {
		s := mustStart(t, data)
		keep(t, s)
		fmt.Println("READY " + value(t, s, "DATABASE_MIGRATE_URL"))
		select {} // until killed
	}
	data := daemontest.Dir(t)
	child := exec.Command(os.Args[0], "-test.run=^TestStart_afterKill$")
	child.Env = append(os.Environ(), "EMBEDDED_TEST_CHILD="+data)
	child.Stderr = os.Stderr
	out, err := child.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := child.Start(); err != nil {
		t.Fatal(err)
	}
	lines, ready := bufio.NewScanner(out), ""
	for ready == "" && lines.Scan() {
		if url, ok := strings.CutPrefix(lines.Text(), "READY "); ok {
			ready = url
		}
	}
	_ = child.Process.Kill()
	_ = child.Wait()
	if ready == "" {
		t.Fatal("the child never became ready")
	}
	s := mustStart(t, data)
	kept(t, s)
	if got := value(t, s, "DATABASE_MIGRATE_URL"); got != ready {
		t.Errorf("database at %s, want the one still running at %s", got, ready)
	}
	mustStop(t, s)
	if conn, err := pgx.Connect(t.Context(), ready); err == nil {
		_ = conn.Close(context.Background())
		t.Error("a server taken over runs on after Stop")
	}
}

// Its servers were killed with it, as at the end of a container, and their ids may be someone else's by now.
func TestStart_afterKillOfAll(t *testing.T) {
	data := daemontest.Dir(t)
	s := mustStart(t, data)
	keep(t, s)
	for _, file := range []string{"postgres/data/postmaster.pid", "objects/gateway.pid"} {
		daemontest.KillAsReused(t, filepath.Join(data, file))
	}
	mustStop(t, s) // lets the directory go; there is nothing else left to stop
	s = mustStart(t, data)
	defer mustStop(t, s)
	kept(t, s)
}

// Services that the environment names are used and nothing is started.
func TestStart_named(t *testing.T) {
	environment := map[string]string{"DATABASE_URL": "postgres://db.example/x", "REDIS_URL": "redis://cache.example", "S3_ENDPOINT": "https://s3.example",
		"S3_ACCESS_KEY": "a", "S3_SECRET_KEY": "s"}
	data := daemontest.Dir(t)
	s, err := Start(t.Context(), Options{Data: data, Getenv: func(name string) string { return environment[name] }, Log: func(line string) { t.Log(line) }})
	if err != nil {
		t.Fatal(err)
	}
	defer mustStop(t, s)
	for name, want := range environment {
		if got := value(t, s, name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if len(s.Variables()) != len(environment) {
		t.Errorf("variables %v, want only those set", s.Variables())
	}
	for _, name := range []string{"postgres", "objects"} {
		if _, err := os.Lstat(filepath.Join(data, name)); err == nil {
			t.Errorf("%s was made although nothing needs it", name)
		}
	}
}

func TestStart_dataInUse(t *testing.T) {
	data := daemontest.Dir(t)
	all := func(name string) string { return "set" }
	first, err := Start(t.Context(), Options{Data: data, Getenv: all, Log: func(string) {}})
	if err != nil {
		t.Fatal(err)
	}
	_, err = Start(t.Context(), Options{Data: data, Getenv: all, Log: func(string) {}})
	if want := "in use by process " + strconv.Itoa(os.Getpid()); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
		t.Errorf("error %v, want one line with %q", err, want)
	}
	mustStop(t, first)
	second, err := Start(t.Context(), Options{Data: data, Getenv: all, Log: func(string) {}})
	if err != nil {
		t.Fatalf("after the first has stopped: %v", err)
	}
	mustStop(t, second)
}

// A checkout below a directory that only root may enter: the database's files go elsewhere, come
// back at the next start, and go when the data directory went.
func TestStart_closedDirectory(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root hands the server to another user")
	}
	data := daemontest.Dir(t)
	if err := os.Chmod(filepath.Dir(data), 0o700); err != nil {
		t.Fatal(err)
	}
	before := postgresFallback
	postgresFallback = filepath.Join(filepath.Dir(daemontest.Dir(t)), "lib")
	defer func() { postgresFallback = before }()
	s := mustStart(t, data)
	keep(t, s)
	mustStop(t, s)
	s = mustStart(t, data)
	kept(t, s)
	mustStop(t, s)
	if err := os.RemoveAll(postgresFallback); err != nil { // as on another machine that got only the data directory
		t.Fatal(err)
	}
	mustStop(t, mustStart(t, data))
	if err := os.RemoveAll(data); err != nil {
		t.Fatal(err)
	}
	s = mustStart(t, data)
	defer mustStop(t, s)
	if got := query(t, s, "SELECT count(*)::text FROM pg_tables WHERE tablename = 'kept'"); got != "0" {
		t.Error("the data came back after its directory was removed")
	}
}

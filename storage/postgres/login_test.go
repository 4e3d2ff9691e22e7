package postgres_test

import (
	"bytes"
	"context"
	"log/slog"
	"net/url"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// as is a database's URL with another login.
func as(t *testing.T, owner, name, password string) string {
	t.Helper()
	u, err := url.Parse(owner)
	if err != nil {
		t.Fatal(err)
	}
	u.User = url.UserPassword(name, password)
	return u.String()
}

// role makes a role for a test; what it may do ends with the test.
func role(t *testing.T, s *pgtest.Server, name, attributes string) string {
	t.Helper()
	name += postgres.NewID()[24:]
	s.Exec(t, "CREATE ROLE "+name+" LOGIN PASSWORD 'x' "+attributes)
	t.Cleanup(func() {
		conn, err := pgx.Connect(context.Background(), s.URL)
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = conn.Close(context.Background()) }()
		if _, err := conn.Exec(context.Background(), "DROP OWNED BY "+name+"; DROP ROLE "+name); err != nil {
			t.Error(err)
		}
	})
	return name
}

// The login of the programs has no right of its own, may take the two roles and nothing else, and migrating again leaves
// its password as it is.
func TestMakeLogin(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	name := "run_" + postgres.NewID()[24:]
	run := as(t, s.URL, name, "it's a \"secret\" $1")
	for range 2 {
		got, err := postgres.MakeLogin(t.Context(), s.URL, run)
		if err != nil || got != name {
			t.Fatalf("%q, %v", got, err)
		}
	}
	t.Cleanup(func() {
		conn, err := pgx.Connect(context.Background(), s.URL)
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = conn.Close(context.Background()) }()
		if _, err := conn.Exec(context.Background(), "DROP OWNED BY "+name+"; DROP ROLE "+name); err != nil {
			t.Error(err)
		}
	})
	if ok := pgtest.Value[bool](t, s, `SELECT rolcanlogin AND NOT (rolinherit OR rolsuper OR rolcreaterole OR rolcreatedb OR rolbypassrls OR rolreplication)
		FROM pg_roles WHERE rolname = $1`, name); !ok {
		t.Error("the login may more than log in")
	}
	conn, err := pgx.Connect(t.Context(), run)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()
	for _, sql := range []string{"SELECT count(*) FROM leads", "SET ROLE postgres", "CREATE TABLE public.mine (x int)", "ALTER TABLE leads DISABLE ROW LEVEL SECURITY"} {
		if _, err := conn.Exec(t.Context(), sql); err == nil {
			t.Errorf("%s: it may", sql)
		}
	}
	if health, err := postgres.Inspect(t.Context(), run); err != nil || health.Schema != postgres.SchemaVersion() {
		t.Errorf("it cannot see the schema's version: %d, %v", health.Schema, err)
	}
	db, err := postgres.Open(t.Context(), postgres.Config{URL: run, SecretKey: make([]byte, 32)})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ListWorkspaces(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := postgres.MakeLogin(t.Context(), s.URL, as(t, s.URL, name+"x", "größer")); err == nil || !strings.Contains(err.Error(), "ASCII") {
		t.Errorf("a password that the server would prepare: %v", err)
	}
	s.Exec(t, `DROP OWNED BY `+name+`x; DROP ROLE `+name+`x`)
}

// Where the owner's URL is the only one, the login of the common name is there, to be given a password.
func TestMakeLogin_owner_only(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	if name, err := postgres.MakeLogin(t.Context(), s.URL, s.URL); err != nil || name != postgres.RunLogin {
		t.Errorf("%q, %v", name, err)
	}
}

// A login that could leave row-level security is refused, with what to do; where everything is allowed the log says it.
func TestOpen_refuses_logins(t *testing.T) {
	t.Parallel()
	s := pgtest.New(t)
	owner := role(t, s, "owner_", "")
	s.Exec(t, "GRANT dossier_app, dossier_system TO "+owner)
	s.Exec(t, "ALTER TABLE holds OWNER TO "+owner)
	bypass := role(t, s, "bypass_", "BYPASSRLS")
	member := role(t, s, "member_", "")
	s.Exec(t, "GRANT "+owner+" TO "+member)
	for name, login := range map[string]struct{ url, says string }{
		"superuser":           {s.URL, "superuser"},
		"owner":               {as(t, s.URL, owner, "x"), "owns"},
		"member of the owner": {as(t, s.URL, member, "x"), "owns"},
		"bypasses":            {as(t, s.URL, bypass, "x"), "bypasses row-level security"},
	} {
		db, err := postgres.Open(t.Context(), postgres.Config{URL: login.url, SecretKey: make([]byte, 32)})
		if err == nil {
			db.Close()
			t.Errorf("%s is let in", name)
			continue
		}
		for _, want := range []string{login.says, "DATABASE_URL", "DATABASE_MIGRATE_URL", "dossier migrate"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %q does not say %q", name, err, want)
			}
		}
	}
	if _, err := postgres.MakeLogin(t.Context(), s.URL, as(t, s.URL, bypass, "x")); err == nil {
		t.Error("a login that bypasses row-level security was made the programs'")
	}
	var log bytes.Buffer
	db, err := postgres.Open(t.Context(), postgres.Config{URL: s.URL, AnyLogin: true, SecretKey: make([]byte, 32), Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	if !strings.Contains(log.String(), "superuser") {
		t.Errorf("development does not say it: %s", log.String())
	}
}

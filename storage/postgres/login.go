package postgres

import (
	"context"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// RunLogin is the login of the programs where DATABASE_URL names no other: a member of the working roles, owner of
// nothing.
const RunLogin = "dossier_run"

// MakeLogin makes, as the owner, the login that the URL run names, with its password: a member of the working
// roles, whose rights it has only after it took one of them, and owner of nothing. Where run names the owner itself it
// makes RunLogin, without a password. It returns the login's name. One that works is left as it is.
func MakeLogin(ctx context.Context, owner, run string) (string, error) {
	ownerConfig, err := pgx.ParseConfig(owner)
	if err != nil {
		return "", errURL("DATABASE_MIGRATE_URL")
	}
	runConfig, err := pgx.ParseConfig(run)
	if err != nil {
		return "", errURL("DATABASE_URL")
	}
	name, password := runConfig.User, runConfig.Password
	if name == ownerConfig.User {
		name, password = RunLogin, ""
	}
	conn, err := pgx.ConnectConfig(ctx, ownerConfig)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	for try := 1; ; try++ { // roles belong to the cluster: another database may be migrated at the same moment
		err = pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return makeLogin(ctx, tx, name) })
		var pg *pgconn.PgError
		if try == 5 || !errors.As(err, &pg) || (pg.Code != "XX000" && pg.Code != "23505" && pg.Code != "42710") {
			break
		}
	}
	if err != nil {
		return name, fmt.Errorf("the login %s of DATABASE_URL: %w", name, err)
	}
	return name, setPassword(ctx, conn, runConfig, name, password)
}

func makeLogin(ctx context.Context, tx pgx.Tx, name string) error {
	quoted := pgx.Identifier{name}.Sanitize()
	var exists bool
	if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1)`,
		name).Scan(&exists); err != nil {
		return err
	}
	if !exists {
		if _, err := tx.Exec(ctx, "CREATE ROLE "+quoted+" LOGIN NOINHERIT NOBYPASSRLS"); err != nil {
			return err
		}
	}
	state, err := readLogin(ctx, tx, name)
	if err != nil {
		return err
	}
	if reason := state.refusal(); reason != "" {
		return fmt.Errorf("%s: name another in DATABASE_URL, %s for example", reason, RunLogin)
	}
	var app, system, test, connect, version bool
	err = tx.QueryRow(ctx, `SELECT pg_has_role($1::name, 'dossier_app', 'MEMBER'),
		pg_has_role($1::name, 'dossier_system', 'MEMBER'), pg_has_role($1::name, 'dossier_test', 'MEMBER'),
		has_database_privilege($1::name, current_database(), 'CONNECT'),
		coalesce(has_table_privilege($1::name, to_regclass('public.goose_db_version')::oid, 'SELECT'), true)`,
		name).Scan(&app, &system, &test, &connect, &version)
	if err != nil {
		return err
	}
	for grant, has := range map[string]bool{
		"GRANT dossier_app TO ": app, "GRANT dossier_system TO ": system, "GRANT dossier_test TO ": test,
		// doctor compares it with the release
		"GRANT SELECT ON public.goose_db_version TO ":                                                  version,
		"GRANT CONNECT ON DATABASE " + pgx.Identifier{tx.Conn().Config().Database}.Sanitize() + " TO ": connect,
	} {
		if has {
			continue
		}
		if _, err := tx.Exec(ctx, grant+quoted); err != nil {
			return err
		}
	}
	return nil
}

// setPassword gives the login its password unless it works already: poolers may hold a copy of what the server keeps.
func setPassword(ctx context.Context, conn *pgx.Conn, run *pgx.ConnConfig, name, password string) error {
	if password == "" {
		return nil
	}
	if as, err := pgx.ConnectConfig(ctx, run); err == nil {
		return as.Close(ctx)
	}
	verifier, err := scramVerifier(password)
	if err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "ALTER ROLE "+pgx.Identifier{name}.Sanitize()+" LOGIN NOINHERIT PASSWORD '"+verifier+"'")
	if err != nil {
		return fmt.Errorf("set the password of %s: %w", name, err)
	}
	return nil
}

// scramVerifier is what the server keeps of a password (RFC 5803): made here, the password is in no statement and so in
// none of the server's logs.
func scramVerifier(password string) (string, error) {
	for _, c := range password {
		if c < 0x20 || c > 0x7e {
			return "", errors.New("the password in DATABASE_URL may hold printable ASCII only")
		}
	}
	const iterations = 4096
	salt := make([]byte, 16)
	if _, err := rand.Read(salt); err != nil {
		return "", err
	}
	salted, err := pbkdf2.Key(sha256.New, password, salt, iterations, sha256.Size)
	if err != nil {
		return "", err
	}
	stored := sha256.Sum256(keyed(salted, "Client Key"))
	text := base64.StdEncoding.EncodeToString
	return fmt.Sprintf("SCRAM-SHA-256$%d:%s$%s:%s", iterations, text(salt), text(stored[:]),
		text(keyed(salted, "Server Key"))), nil
}

func keyed(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// loginState is what row-level security depends on.
type loginState struct {
	Name                     string
	Superuser, Bypass, Owner bool // it is, or may become one
}

// refusal says why row-level security does not hold the login, or is empty.
func (l loginState) refusal() string {
	switch {
	case l.Superuser:
		return fmt.Sprintf("%q is a superuser, or may become one", l.Name)
	case l.Bypass:
		return fmt.Sprintf("%q bypasses row-level security, or may take a role that does", l.Name)
	case l.Owner:
		return fmt.Sprintf("%q owns the database or tables in it", l.Name)
	}
	return ""
}

func readLogin(ctx context.Context, q interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}, name string) (loginState, error) {
	l := loginState{Name: name}
	err := q.QueryRow(ctx, `
		SELECT EXISTS (SELECT FROM pg_roles r WHERE r.rolsuper AND pg_has_role($1::name, r.oid, 'MEMBER')),
		       EXISTS (SELECT FROM pg_roles r WHERE r.rolbypassrls AND pg_has_role($1::name, r.oid, 'MEMBER')),
		       EXISTS (SELECT FROM pg_database d WHERE d.datname = current_database()
		       	AND pg_has_role($1::name, d.datdba, 'MEMBER'))
		    OR EXISTS (SELECT FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
		               WHERE pg_has_role($1::name, c.relowner, 'MEMBER'))`, name).Scan(&l.Superuser, &l.Bypass,
		&l.Owner)
	return l, err
}

// checkLogin refuses a login that could leave row-level security: one injected statement would be enough.
func checkLogin(ctx context.Context, c Config) error {
	cfg, err := pgx.ParseConfig(c.URL)
	if err != nil {
		return errURL("DATABASE_URL")
	}
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return fmt.Errorf("connect to Postgres: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	var name string
	if err := conn.QueryRow(ctx, "SELECT session_user").Scan(&name); err != nil {
		return err
	}
	state, err := readLogin(ctx, conn, name)
	if err != nil || state.refusal() == "" {
		return err
	}
	if c.AnyLogin {
		c.Log.Warn("row-level security does not hold this login, which only development may use", "reason",
			state.refusal())
		return nil
	}
	return fmt.Errorf("the login of DATABASE_URL would not be held by row-level security: %s. Put this URL into "+
		"DATABASE_MIGRATE_URL, "+
		"one with the login %s and a password of its own into DATABASE_URL, and run: dossier migrate", state.refusal(),
		RunLogin)
}

package cluster

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"time"

	"github.com/dossierhq/dossier/cmd/lab/daemon"
)

// pgbouncer is the pooler's program. Debian puts it where only root's PATH looks.
func pgbouncer() (string, error) {
	if path, err := exec.LookPath("pgbouncer"); err == nil {
		return path, nil
	}
	const debian = "/usr/sbin/pgbouncer"
	if _, err := os.Stat(debian); err != nil {
		return "", errors.New("pgbouncer is not installed: run `make setup`")
	}
	return debian, nil
}

// HasPooler reports whether this machine has the program that Pooler starts.
func HasPooler() bool { _, err := pgbouncer(); return err == nil }

// The login of the programs on a server for tests (storage/postgres RunLogin), the one that the pooler lets in.
const (
	TestLogin    = "dossier_run"
	TestPassword = "of-tests"
)

// Pooler returns the address of a PgBouncer in transaction mode in front of c, for TestLogin: a statement outside a
// transaction, and each transaction, may get another connection of the server. All processes use the same one, which
// ends with the cluster. A server that is not ours has none.
func (c *Cluster) Pooler(ctx context.Context) (string, error) {
	if c.dir == "" {
		return "", errors.New("TEST_POOLER must name the pooler of TEST_DATABASE_URL: `make services` starts both")
	}
	program, err := pgbouncer()
	if err != nil {
		return "", err
	}
	owner, err := serverUser()
	if err != nil {
		return "", err
	}
	server := poolerOf(c.dir)
	server.Command = func(port int) (string, []string) {
		args := []string{filepath.Join(server.Work, "pgbouncer.ini")}
		if owner != nil {
			args = append(args, "-u", owner.name)
		}
		if err := c.writePooler(server.Work, owner, port); err != nil {
			return err.Error(), nil // no such program: the error says it
		}
		return program, args
	}
	port, _, err := server.Start(ctx, 0)
	return poolerAddress(port), err
}

func poolerOf(dir string) daemon.Server {
	return daemon.Server{Name: "pgbouncer", Dir: filepath.Join(dir, "pooler"), Work: filepath.Join(dir, "pooler",
		"work"), Env: os.Environ(),
		Ready: func(ctx context.Context, port int) bool {
			dialer := net.Dialer{Timeout: time.Second}
			conn, err := dialer.DialContext(ctx, "tcp", poolerAddress(port))
			return err == nil && conn.Close() == nil
		}}
}

func poolerAddress(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }

// poolerSettings: any database of the server, by transaction, no more connections a database than a store of a test
// asks for and its leaders keep.
const poolerSettings = `[databases]
* = host=%s port=%s
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = %d
unix_socket_dir =
auth_type = scram-sha-256
auth_file = %s
pool_mode = transaction
default_pool_size = 12
max_client_conn = 4000
autodb_idle_timeout = 30
server_idle_timeout = 10
log_connections = 0
log_disconnections = 0
`

func (c *Cluster) writePooler(work string, owner *account, port int) error {
	users := filepath.Join(work, "users.txt")
	files := map[string]string{
		users: fmt.Sprintf("%q %q\n", TestLogin, TestPassword),
		filepath.Join(work, "pgbouncer.ini"): fmt.Sprintf(poolerSettings, c.server.Hostname(), c.server.Port(), port,
			users),
	}
	for path, text := range files {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			return err
		}
		if err := owner.own(path); err != nil {
			return err
		}
	}
	if err := owner.own(filepath.Dir(work)); err != nil {
		return err
	}
	return owner.own(work)
}

package cluster

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/dossierhq/dossier/cmd/lab/daemon"
)

// pidFile is what a postmaster writes about itself into its data directory.
type pidFile struct {
	pid, port int
	stopping  bool
}

// readPidFile returns ok=false when there is no such file or it is not complete yet.
func readPidFile(data string) (pidFile, bool) {
	text, err := os.ReadFile(filepath.Join(data, "postmaster.pid"))
	if err != nil {
		return pidFile{}, false
	}
	lines := strings.Split(string(text), "\n") // pid, directory, start time, port, socket directory, address, shared memory, status
	if len(lines) < 4 {
		return pidFile{}, false
	}
	pid, err := strconv.Atoi(strings.TrimPrefix(lines[0], "-"))
	if err != nil || pid <= 1 {
		return pidFile{}, false // kill(0) and kill(-1) would reach far more than a server
	}
	port, _ := strconv.Atoi(lines[3]) // 0 until it listens
	return pidFile{pid: pid, port: port, stopping: len(lines) > 7 && strings.HasPrefix(lines[7], "stopping")}, true
}

// running returns the postmaster that runs on the data of opts.Dir; its pid is 0 when none does. It waits for one that
// is starting or stopping, and marks the pid file of a dead one as stale.
func running(ctx context.Context, opts Options, owner *account) (pidFile, error) {
	data := filepath.Join(opts.Dir, "data")
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		p, ok := readPidFile(data)
		if !ok {
			return pidFile{}, nil
		}
		if !daemon.RunsIn(p.pid, data) {
			opts.Log(fmt.Sprintf("PostgreSQL process %d is gone without goodbye; recovering", p.pid))
			return pidFile{}, markStale(data, owner)
		}
		if p.port != 0 && !p.stopping {
			return p, nil
		}
		if err := daemon.Pause(ctx, 20*time.Millisecond); err != nil {
			return pidFile{}, fmt.Errorf("postgres: process %d in %s neither starts nor stops: end it with `kill -9 %d`", p.pid, opts.Dir, p.pid)
		}
	}
}

// markStale writes our own process id into a dead server's pid file. PostgreSQL takes a pid file of its parent for
// stale without checking whether the process lives, which it would misjudge when the id was reused or belongs to a
// zombie. The file is not removed: by its line about shared memory PostgreSQL notices that children of the dead server
// still write.
func markStale(data string, owner *account) error {
	path := filepath.Join(data, "postmaster.pid")
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	_, rest, _ := strings.Cut(string(text), "\n")
	if err := os.WriteFile(path, fmt.Appendf(nil, "%d\n%s", os.Getpid(), rest), 0o600); err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	return owner.own(path)
}

// launch starts a postmaster and waits until it answers. A port picked for us may be taken by
// someone else before the server binds it, and children of a killed server need a moment to
// notice: both are tried again.
func launch(ctx context.Context, opts Options, bin installed, owner *account) (*Cluster, error) {
	var last error
	for range 5 {
		port, err := daemon.FreePort(opts.Port)
		if err != nil {
			return nil, fmt.Errorf("postgres: %w", err)
		}
		c, err := launchOn(ctx, opts, bin, owner, port)
		if err == nil {
			opts.Log(fmt.Sprintf("PostgreSQL %d listens on 127.0.0.1:%d", bin.major, port))
			return c, nil
		}
		last = err
		var failed *startError
		if !errors.As(err, &failed) || !failed.retryable(opts.Port == 0) {
			return nil, err
		}
		if err := daemon.Pause(ctx, 300*time.Millisecond); err != nil {
			return nil, err
		}
	}
	return nil, last
}

func launchOn(ctx context.Context, opts Options, bin installed, owner *account, port int) (*Cluster, error) {
	c, err := connect(opts.Dir, port, false)
	if err != nil {
		return nil, err
	}
	logPath := filepath.Join(opts.Dir, "postgres.log")
	log, err := os.OpenFile(logPath, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	defer func() { _ = log.Close() }()
	cmd := exec.Command(bin.path("postgres"), arguments(opts, port)...) // no context: it outlives us
	cmd.Dir, cmd.Env, cmd.SysProcAttr = "/", environment(), owner.attributes()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	var exited atomic.Bool
	go func() { _ = cmd.Wait(); exited.Store(true) }()
	err = c.await(ctx, exited.Load)
	if errors.Is(err, errGone) {
		return nil, &startError{dir: opts.Dir, reason: fatalLine(logPath)}
	}
	if err != nil {
		_ = cmd.Process.Signal(syscall.SIGQUIT)
		return nil, err
	}
	return c, nil
}

func arguments(opts Options, port int) []string {
	settings := map[string]string{
		"port":                    strconv.Itoa(port),
		"listen_addresses":        "127.0.0.1",
		"unix_socket_directories": "", // TCP only: one way in, and no path too long for a socket
		"max_connections":         strconv.Itoa(max(opts.MaxConnections, 100)),
		"log_min_messages":        "warning",
		"timezone":                "UTC",
		"log_timezone":            "UTC",
	}
	if opts.Fast {
		for _, name := range []string{"fsync", "synchronous_commit", "full_page_writes"} {
			settings[name] = "off"
		}
		settings["max_wal_size"] = "256MB" // it may lie in memory
	}
	for name, value := range opts.Settings {
		settings[name] = value
	}
	args := []string{"-D", filepath.Join(opts.Dir, "data")}
	for name, value := range settings {
		args = append(args, "-c", name+"="+value)
	}
	return args
}

// errGone says that the server's process ended while we waited for its answer.
var errGone = errors.New("the server is gone")

// await returns when the server answers a query, or errGone when its process has ended.
func (c *Cluster) await(ctx context.Context, gone func() bool) error {
	ctx, cancel := context.WithTimeout(ctx, 60*time.Second) // crash recovery may take a while
	defer cancel()
	for {
		err := c.ping(ctx)
		if err == nil {
			return nil
		}
		if gone() {
			return errGone
		}
		if daemon.Pause(ctx, 20*time.Millisecond) != nil {
			return fmt.Errorf("postgres: the server in %s does not answer: %w", c.dir, err)
		}
	}
}

func (c *Cluster) ping(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, c.URL("postgres"))
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close(ctx) }()
	return conn.Ping(ctx)
}

// startError is a server that ended instead of starting.
type startError struct{ dir, reason string }

func (e *startError) Error() string {
	return fmt.Sprintf("postgres: the server did not start: %s (all of it in %s/postgres.log)", e.reason, e.dir)
}

func (e *startError) retryable(anyPort bool) bool {
	if strings.Contains(e.reason, "shared memory block") {
		return true
	}
	return anyPort && strings.Contains(e.reason, "could not create any TCP/IP sockets")
}

// fatalLine is the first FATAL or PANIC line of a server log, else its last line.
func fatalLine(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return err.Error()
	}
	for line := range strings.Lines(string(text)) {
		for _, mark := range []string{"FATAL:  ", "PANIC:  "} {
			if _, reason, ok := strings.Cut(line, mark); ok {
				return strings.TrimSpace(reason)
			}
		}
	}
	return daemon.LastLine(string(text))
}

// stopPostmaster asks for a fast shutdown and, after patience, an immediate one. It waits for the
// pid file to go, because the process may be someone else's child and stay a zombie.
func stopPostmaster(data string, patience time.Duration) error {
	deadline := time.Now().Add(patience)
	p, ok := readPidFile(data)
	if !ok || !daemon.RunsIn(p.pid, data) {
		return nil
	}
	if err := syscall.Kill(p.pid, syscall.SIGINT); err != nil {
		return fmt.Errorf("postgres: cannot stop process %d: %w", p.pid, err)
	}
	for time.Now().Before(deadline) {
		if now, ok := readPidFile(data); !ok || now.pid != p.pid || !daemon.RunsIn(p.pid, data) {
			return nil
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := syscall.Kill(p.pid, syscall.SIGQUIT); err != nil && !errors.Is(err, syscall.ESRCH) {
		return fmt.Errorf("postgres: cannot stop process %d: %w", p.pid, err)
	}
	return nil
}

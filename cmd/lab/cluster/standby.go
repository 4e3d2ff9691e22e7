package cluster

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"

	"github.com/dossierhq/dossier/cmd/lab/daemon"
)

// Follow starts a standby of c in opts.Dir: a copy that streams what c writes, and that serves in its place once it is
// promoted.
func (c *Cluster) Follow(ctx context.Context, opts Options) (*Cluster, error) {
	opts, err := withDefaults(opts)
	if err != nil {
		return nil, err
	}
	dir := opts.Dir
	owner, err := serverUser()
	if err != nil {
		return nil, err
	}
	if err := owner.own(dir); err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	if err := owner.reach(dir); err != nil {
		return nil, err
	}
	bin, err := binaries(c.dir)
	if err != nil {
		return nil, err
	}
	if err := c.copyTo(ctx, dir, bin, owner); err != nil {
		return nil, err
	}
	return launch(ctx, opts, bin, owner)
}

// copyTo is a base backup that knows whom to follow; logins are the same on both.
func (c *Cluster) copyTo(ctx context.Context, dir string, bin installed, owner *account) error {
	password, _ := c.server.User.Password()
	if err := os.WriteFile(filepath.Join(dir, "password"), []byte(password+"\n"), 0o600); err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	cmd := exec.CommandContext(ctx, bin.path("pg_basebackup"), "--pgdata", filepath.Join(dir, "data"), "--host",
		c.server.Hostname(), "--port", c.server.Port(), "--username", Superuser, "--write-recovery-conf",
		"--checkpoint", "fast", "--no-sync")
	cmd.Dir, cmd.SysProcAttr = "/", owner.attributes()
	cmd.Env = append(environment(), "PGPASSWORD="+password)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("postgres: pg_basebackup: %s", daemon.LastLine(string(out)))
	}
	return nil
}

// Kill ends the server as a machine that loses its power does, for tests of what others make of it.
func (c *Cluster) Kill() error {
	p, ok := readPidFile(filepath.Join(c.dir, "data"))
	if !ok {
		return fmt.Errorf("postgres: no server runs in %s", c.dir)
	}
	return syscall.Kill(p.pid, syscall.SIGKILL)
}

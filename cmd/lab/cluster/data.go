package cluster

import (
	"context"
	"crypto/rand"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/dossierhq/dossier/cmd/lab/daemon"
)

// makeData runs initdb unless the data is there. initdb works beside the final place and is
// moved there when it is done, so that dying half-way leaves nothing that looks like a cluster.
func makeData(ctx context.Context, opts Options, bin installed, owner *account) error {
	data, fresh := filepath.Join(opts.Dir, "data"), filepath.Join(opts.Dir, "data.new")
	if _, err := os.Stat(data); err == nil {
		return nil
	}
	opts.Log(fmt.Sprintf("Making a PostgreSQL %d cluster in %s", bin.major, opts.Dir))
	if err := os.RemoveAll(fresh); err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	if err := os.Mkdir(fresh, 0o700); err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	password := filepath.Join(opts.Dir, "password")
	if err := os.WriteFile(password, []byte(rand.Text()+"\n"), 0o600); err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	for _, path := range []string{fresh, password} {
		if err := owner.own(path); err != nil {
			return fmt.Errorf("postgres: %w", err)
		}
	}
	if err := initdb(ctx, bin, owner, fresh, password, opts.Fast); err != nil {
		return err
	}
	return os.Rename(fresh, data)
}

// initdb wants C.UTF-8, under which lower() knows all letters, as in production; where the
// system has no such locale it takes C.
func initdb(ctx context.Context, bin installed, owner *account, dir, password string, fast bool) error {
	var failures []string
	for _, locale := range []string{"C.UTF-8", "C"} {
		args := []string{"-D", dir, "-U", Superuser, "-A", "scram-sha-256", "--pwfile", password, "-E", "UTF8",
			"--locale", locale, "--no-instructions"}
		if fast {
			args = append(args, "--no-sync")
		}
		cmd := exec.CommandContext(ctx, bin.path("initdb"), args...)
		cmd.Dir, cmd.Env, cmd.SysProcAttr = "/", environment(), owner.attributes()
		out, err := cmd.CombinedOutput()
		if err == nil {
			return nil
		}
		failures = append(failures, err.Error()+": "+daemon.LastLine(string(out)))
	}
	return fmt.Errorf("postgres: initdb failed: %s", failures[len(failures)-1])
}

// environment is ours without the PG variables, which would redirect the server or initdb.
func environment() []string {
	var env []string
	for _, pair := range os.Environ() {
		if !strings.HasPrefix(pair, "PG") && !strings.HasPrefix(pair, "LC_") && !strings.HasPrefix(pair, "LANG") {
			env = append(env, pair)
		}
	}
	return append(env, "LC_ALL=C") // fatalLine and startError read the messages: English
}

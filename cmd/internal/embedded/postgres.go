package embedded

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/dossierhq/dossier/cmd/lab/cluster"
	"github.com/dossierhq/dossier/cmd/lab/daemon"
	"github.com/dossierhq/dossier/storage/postgres"
)

// database is the name of ours in the private cluster.
const database = "dossier"

// startPostgres runs a cluster in <data>/postgres and makes the database. Migrations, and with them the login of
// DATABASE_URL, are the caller's.
func startPostgres(ctx context.Context, opts Options) (map[string]string, func() error, error) {
	dir, err := PostgresDir(opts.Data, opts.Log)
	if err != nil {
		return nil, nil, err
	}
	c, err := cluster.Start(ctx, cluster.Options{Dir: dir, Log: opts.Log})
	if err != nil {
		return nil, nil, err
	}
	if err := c.EnsureDatabase(ctx, database); err != nil {
		_ = c.Stop()
		return nil, nil, err
	}
	password, err := runPassword(filepath.Join(opts.Data, "run.password"))
	if err != nil {
		return nil, nil, errors.Join(err, c.Stop())
	}
	run, err := url.Parse(c.URL(database))
	if err != nil {
		return nil, nil, errors.Join(err, c.Stop())
	}
	run.User = url.UserPassword(postgres.RunLogin, password)
	return map[string]string{"DATABASE_URL": run.String(), "DATABASE_MIGRATE_URL": c.URL(database)}, c.Stop, nil
}

// runPassword returns the password of the programs' login; the first start makes it.
func runPassword(path string) (string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		text = []byte(rand.Text())
		err = daemon.WriteFile(path, text)
	}
	return string(text), err
}

// postgresFallback is where the cluster's files go when we are root and the server's user may not enter
// the data directory, as below /root. A variable for the test.
var postgresFallback = "/var/lib/dossier"

// PostgresDir is <data>/postgres, or what a link of that name points to: a place that the server's
// user may enter. data is absolute.
func PostgresDir(data string, log func(line string)) (string, error) {
	dir := filepath.Join(data, "postgres")
	err := cluster.Reachable(data)
	var closed *cluster.UnreachableError
	if err == nil || !errors.As(err, &closed) {
		return dir, err
	}
	if target, err := os.Readlink(dir); err == nil {
		return target, os.MkdirAll(target, 0o755) // gone, where only the data directory came to another machine
	}
	sum := sha256.Sum256([]byte(dir))
	target := filepath.Join(postgresFallback, "postgres-"+hex.EncodeToString(sum[:6]))
	log(fmt.Sprintf("The user %s may not enter %s: PostgreSQL's files are in %s", closed.User, closed.Dir, target))
	return target, link(dir, target)
}

// link makes target empty and dir a link to it. Whoever removed the data directory, and the link
// with it, wanted to begin again: the files of before go.
func link(dir, target string) error {
	if err := cluster.Stop(target); err != nil {
		return err
	}
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	if err := os.MkdirAll(target, 0o755); err != nil {
		return err
	}
	return os.Symlink(target, dir)
}

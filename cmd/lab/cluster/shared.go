package cluster

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	"github.com/dossierhq/dossier/cmd/lab/daemon"
)

// Shared returns the server for tests: that of TEST_DATABASE_URL (a superuser's URL), or one
// cluster per user, in memory where there is enough, that every test process uses and leaves running, so that only the
// first of them pays for the start. It writes nothing to disk safely; `make clean` stops it.
//
// Data that no server can be started on is made anew: damaged, of another version, without its password, as a machine
// finds it that got an old temporary directory. Databases in it are the caller's to drop.
func Shared(ctx context.Context) (*Cluster, error) {
	if external := os.Getenv("TEST_DATABASE_URL"); external != "" {
		u, err := url.Parse(external)
		if err != nil {
			return nil, errors.New("TEST_DATABASE_URL is not a URL like postgres://user:password@host:5432/postgres")
		}
		return &Cluster{server: *u, attached: true}, nil
	}
	dir, err := daemon.PrivateDir("dossier-postgres")
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	unlock, err := daemon.Lock(ctx, dir+".lock")
	if err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	defer unlock()
	opts := Options{Dir: dir, Fast: true, MaxConnections: 500, Log: func(string) {}}
	c, err := start(ctx, opts)
	data := filepath.Join(dir, "data")
	if err == nil || ctx.Err() != nil || alive(data) || !Installed() {
		return c, err
	}
	if err := os.RemoveAll(data); err != nil {
		return nil, fmt.Errorf("postgres: %w", err)
	}
	return start(ctx, opts)
}

// alive: a server runs there, though it may not answer yet. Other test processes use it.
func alive(data string) bool {
	p, ok := readPidFile(data)
	return ok && daemon.RunsIn(p.pid, data)
}

// StopShared ends the tests' cluster and removes it.
func StopShared(ctx context.Context) error {
	dir, err := daemon.PrivateDir("dossier-postgres")
	if err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	unlock, err := daemon.Lock(ctx, dir+".lock")
	if err != nil {
		return fmt.Errorf("postgres: %w", err)
	}
	defer unlock()
	if err := Stop(dir); err != nil {
		return err
	}
	return os.RemoveAll(dir)
}

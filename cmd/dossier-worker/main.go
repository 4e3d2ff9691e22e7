// Command dossier-worker runs the jobs of the lanes that DOSSIER_LANES names, all by default. SIGTERM drains it.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/cmd/internal/workers"
	"github.com/dossierhq/dossier/pipelines/document"
)

func main() {
	if document.ChildMain() {
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Environ()); err != nil {
		fmt.Fprintln(os.Stderr, "dossier-worker:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, environ []string) error {
	cfg, err := setup.Read(environ)
	if err != nil {
		return err
	}
	log := cfg.Logger(os.Stderr)
	cfg.Print(log)
	s, err := setup.Open(ctx, cfg, log)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	w, err := workers.New(s, cfg)
	if err != nil {
		return err
	}
	var draining atomic.Bool
	context.AfterFunc(ctx, func() { draining.Store(true) })
	ops, closeOps := context.WithCancel(context.WithoutCancel(ctx)) // answers while the jobs drain
	defer closeOps()
	if _, err := s.ServeOps(ops, cfg, s.Checks(), draining.Load); err != nil {
		return err
	}
	return w.Run(ctx)
}

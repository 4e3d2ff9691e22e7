// Command dossier-api answers HTTP. SIGTERM drains it: /readyz says 503, running requests finish, exit 0.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"

	"github.com/dossierhq/dossier/cmd/internal/setup"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Environ()); err != nil {
		fmt.Fprintln(os.Stderr, "dossier-api:", err)
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
	server, err := s.NewAPI(cfg)
	if err != nil {
		return err
	}
	var draining atomic.Bool
	context.AfterFunc(ctx, func() { draining.Store(true) })
	ops, closeOps := context.WithCancel(context.WithoutCancel(ctx)) // answers while requests finish
	defer closeOps()
	if _, err := s.ServeOps(ops, cfg, s.Checks(), draining.Load); err != nil {
		return err
	}
	return s.RunAPI(ctx, cfg, server, func(addr net.Addr) { log.Info("listening", "address", addr.String()) })
}

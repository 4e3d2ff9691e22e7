// Command dossier-api answers HTTP. SIGTERM drains it: /readyz says 503, running requests finish, exit 0.
package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"

	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/cmd/internal/specimens"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, setup.TakeEnvironment()); err != nil {
		fmt.Fprintln(os.Stderr, "dossier-api:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, environ []string) error {
	cfg, s, err := setup.Start(ctx, environ)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	stopTrace, err := setup.Trace(ctx, "dossier-api")
	if err != nil {
		return err
	}
	defer stopTrace()
	server, err := s.NewAPI(cfg, specimens.All()...)
	if err != nil {
		return err
	}
	stopOps, err := s.Operate(ctx, cfg)
	if err != nil {
		return err
	}
	defer stopOps()
	return s.RunAPI(ctx, cfg, server, func(addr net.Addr) { s.Log.Info("listening", "address", addr.String()) })
}

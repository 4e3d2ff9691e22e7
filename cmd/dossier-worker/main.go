// Command dossier-worker runs the jobs of the lanes that DOSSIER_LANES names, all by default. SIGTERM drains it.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/cmd/internal/workers"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
)

func main() {
	if sandbox.ChildMain() {
		return
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, setup.TakeEnvironment()); err != nil {
		fmt.Fprintln(os.Stderr, "dossier-worker:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, environ []string) error {
	cfg, s, err := setup.Start(ctx, environ)
	if err != nil {
		return err
	}
	defer func() { _ = s.Close() }()
	stopTrace, err := setup.Trace(ctx, "dossier-worker")
	if err != nil {
		return err
	}
	defer stopTrace()
	w, err := workers.New(s, cfg)
	if err != nil {
		return err
	}
	stopOps, err := s.Operate(ctx, cfg, workers.OCRCheck())
	if err != nil {
		return err
	}
	defer stopOps()
	return w.Run(ctx)
}

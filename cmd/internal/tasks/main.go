// Command tasks does what the Makefile names: prepare the machine, run real services for the
// tests, check everything, clean up. It is no part of the product.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/dossierhq/dossier/cmd/lab/cluster"
	"github.com/dossierhq/dossier/cmd/lab/gateway"
)

const usage = "usage: go run ./cmd/internal/tasks setup [check] | first-event | services | services-stop | check | " +
	"faults [DURATION] | fuzz [NAMES] | before RELEASE [load] | clean"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	name := ""
	if len(args) > 0 {
		name = args[0]
	}
	switch name {
	case "setup":
		return setup(ctx, len(args) > 1 && args[1] == "check")
	case "first-event":
		return firstEvents(ctx)
	case "services":
		_, err := startServices(ctx)
		return err
	case "services-stop":
		return stopServices()
	case "check":
		return check(ctx)
	case "faults":
		return faults(ctx, args[1:])
	case "fuzz":
		return fuzzAll(ctx, strings.Join(args[1:], "|"))
	case "before":
		return testRelease(ctx, args[1:])
	case "clean":
		return clean(ctx)
	}
	return fmt.Errorf("%s", usage)
}

// data is where everything that can be made again lives. It is in .gitignore.
const data = ".data"

func say(line string) { fmt.Println(line) }

// clean stops the servers that tests and services left running, and removes what they wrote. The
// data of `make dev` stays: `rm -r .data` is a decision of its owner.
func clean(ctx context.Context) error {
	if err := stopServices(); err != nil {
		return err
	}
	if err := cluster.StopShared(ctx); err != nil {
		return err
	}
	if err := gateway.StopShared(); err != nil {
		return err
	}
	paths := []string{servicesDir(), "bin"}
	if elsewhere, err := os.Readlink(filepath.Join(servicesDir(), "postgres")); err == nil {
		paths = append(paths, elsewhere) // see embedded.PostgresDir
	}
	for _, path := range paths {
		if err := os.RemoveAll(path); err != nil {
			return err
		}
	}
	return nil
}

func servicesDir() string { return filepath.Join(data, "services") }

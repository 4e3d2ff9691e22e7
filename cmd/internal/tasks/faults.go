package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"

	"github.com/dossierhq/dossier/cmd/internal/watch"
	"github.com/dossierhq/dossier/cmd/lab/daemon"
)

// faultTests are the tests of what goes wrong; each has a long mode.
const faultTests = "^(TestFaults|TestFaults_index|TestMachine_of_deliveries|TestMachine_of_runs|TestWorker_killed)$"

// toldOf records the faults anew and plays them to the alerts.
func (t *tally) toldOf(ctx context.Context, series string) {
	env := []string{"FAULT_SERIES=" + series}
	t.tests(ctx, "servers that faults befall", nil, nil, []string{"./cmd/lab/cluster"})
	t.tests(ctx, "faults, recorded", env, []string{"-run", "^TestFaults$"}, []string{"./jobs/worker"})
	alerts := []string{"./cmd/internal/watch"}
	t.tests(ctx, "faults of one part each, recorded", env, []string{"-run", "^TestFault_"}, alerts)
	t.tests(ctx, "alerts of what was recorded", env, []string{"-run", "^TestFaults_"}, alerts)
}

// printFaults prints what was recorded as a table.
func printFaults(ctx context.Context, series string) error {
	promtool, err := daemon.Debian{Package: "prometheus", Program: "promtool"}.Install(ctx, say)
	if err != nil {
		return err
	}
	recordings, err := watch.Recordings(series)
	if err != nil {
		return err
	}
	fired, err := watch.Fired(ctx, promtool, recordings)
	if err != nil {
		return err
	}
	fmt.Println()
	return watch.WriteFaults(os.Stdout, recordings, fired)
}

// faults records them and plays the recordings to the alerts, runs them as long as they can be, and then delivers
// events for an hour, or as long as args say, and prints how many were lost; after no time, "0", it leaves out what
// takes long. It ends with a table of the faults.
func faults(ctx context.Context, args []string) error {
	soak := time.Hour
	if len(args) > 0 {
		var err error
		if soak, err = time.ParseDuration(args[0]); err != nil || soak < 0 {
			return fmt.Errorf("%q is no duration such as 1h, 10m or 0", args[0])
		}
	}
	if err := setup(ctx, true); err != nil {
		return err
	}
	series, err := os.MkdirTemp("", "fault-series-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(series) }()
	tally := &tally{}
	tally.toldOf(ctx, series)
	if soak > 0 {
		tally.atLength(ctx, soak)
	}
	if err := printFaults(ctx, series); err != nil {
		return err
	}
	return tally.report()
}

// atLength has faults last and heaps grow as they do in bad weeks, and then delivers events.
func (t *tally) atLength(ctx context.Context, soak time.Duration) {
	t.tests(ctx, "faults, at length", []string{"DOSSIER_LONG=1", "FAULT_ROUNDS=50"},
		[]string{"-timeout=2h", "-run", faultTests}, []string{"./jobs/worker", "./cmd/dev"})
	bench := exec.CommandContext(ctx, "go", "run", "./cmd/dossier", "bench", "webhooks", "--rate", "300", "--for",
		soak.String())
	bench.Stdout, bench.Stderr = os.Stdout, os.Stderr
	if err := bench.Run(); err != nil {
		t.failed++
		fmt.Printf("FAIL deliveries: %v\n", err)
	}
}

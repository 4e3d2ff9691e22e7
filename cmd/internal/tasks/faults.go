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

// recordFaults records the faults anew and replays them against the alerts.
func (t *tally) recordFaults(ctx context.Context, series string) {
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

// faults records the faults and replays them against the alerts, runs them in their long mode, then delivers events for
// an hour, or for the time in args, and prints how many were lost; with the time "0" it leaves out what takes long. It
// ends with a table of the faults.
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
	tally.recordFaults(ctx, series)
	if soak > 0 {
		tally.runLong(ctx, soak)
	}
	if err := printFaults(ctx, series); err != nil {
		return err
	}
	return tally.report()
}

// runLong runs the faults in their long mode, then delivers events for the time of soak.
func (t *tally) runLong(ctx context.Context, soak time.Duration) {
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

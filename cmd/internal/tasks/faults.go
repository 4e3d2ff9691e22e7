package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"time"
)

// faultTests are the tests of what goes wrong; each has a long mode.
const faultTests = "^(TestFaults|TestFaults_index|TestMachine_of_deliveries|TestMachine_of_runs|TestWorker_killed)$"

// toldOf records the faults anew and plays them to the alerts.
func (t *tally) toldOf(ctx context.Context) error {
	series, err := os.MkdirTemp("", "fault-series-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(series) }()
	env := []string{"FAULT_SERIES=" + series}
	t.tests(ctx, "faults, recorded", env, []string{"-run", "^TestFaults$"}, []string{"./jobs/worker"})
	t.tests(ctx, "alerts of what was recorded", env, []string{"-run", "^TestFault"}, []string{"./cmd/internal/watch"})
	return nil
}

// faults records them and plays the recordings to the alerts, runs them as long as they can be, and then delivers
// events for an hour, or as long as args say, and prints how many were lost.
func faults(ctx context.Context, args []string) error {
	soak := time.Hour
	if len(args) > 0 {
		var err error
		if soak, err = time.ParseDuration(args[0]); err != nil || soak <= 0 {
			return fmt.Errorf("%q is no duration such as 1h or 10m", args[0])
		}
	}
	if err := setup(ctx, true); err != nil {
		return err
	}
	tally := &tally{}
	if err := tally.toldOf(ctx); err != nil {
		return err
	}
	tally.tests(ctx, "faults", []string{"DOSSIER_LONG=1", "FAULT_ROUNDS=50"},
		[]string{"-timeout=2h", "-run", faultTests}, []string{"./jobs/worker", "./cmd/dev"})
	bench := exec.CommandContext(ctx, "go", "run", "./cmd/dossier", "bench", "webhooks", "--rate", "300", "--for",
		soak.String())
	bench.Stdout, bench.Stderr = os.Stdout, os.Stderr
	if err := bench.Run(); err != nil {
		tally.failed++
		fmt.Printf("FAIL deliveries: %v\n", err)
	}
	return tally.report()
}

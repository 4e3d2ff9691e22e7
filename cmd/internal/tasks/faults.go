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

// faults runs them as long as they can be, and then delivers events for an hour, or as long as args say, and prints how
// many were lost.
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

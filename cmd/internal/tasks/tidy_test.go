package main

import (
	"os/exec"
	"testing"
)

// go.mod names what is imported, and nothing else.
func TestModules_are_tidy(t *testing.T) {
	t.Parallel()
	tidy := exec.CommandContext(t.Context(), "go", "mod", "tidy", "-diff")
	if out, err := tidy.CombinedOutput(); err != nil {
		t.Errorf("go mod tidy would change: %v\n%s", err, out)
	}
}

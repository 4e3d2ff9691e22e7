// Package documenttest has pages and files for tests that read documents, and lets them run with the race detector. It
// is imported from _test.go files only.
package documenttest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// Run runs the tests of a package whose TestMain has called sandbox.ChildMain, and returns the exit code. With the race
// detector it first builds a parser without it, once for this process and those it starts.
func Run(m *testing.M) int {
	if !raced || os.Getenv(variable) != "" {
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "dossier-test-parser-")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	program := filepath.Join(dir, "parser")
	if err := build(program); err != nil {
		panic(err)
	}
	if err := os.Setenv(variable, program); err != nil {
		panic(err)
	}
	return m.Run()
}

const variable = "TEST_PARSER" // read by pipelines/document/sandbox when it is built with the race detector

// build makes the smallest of our programs that can read an upload.
func build(program string) error {
	cmd := exec.CommandContext(context.Background(), "go", "build", "-race=false", "-o", program,
		"github.com/dossierhq/dossier/cmd/dossier-worker")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("build a parser without the race detector: %w\n%s", err, out)
	}
	return nil
}

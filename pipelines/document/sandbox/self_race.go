//go:build race

package sandbox

import (
	"errors"
	"os"
)

// ownProgram is the program that TEST_PARSER names. The shadow memory of the race detector does not fit into
// the sandbox, so tests that look for races have a reader of uploads built without it (documenttest.Run). Nothing that
// is shipped is built with the detector, and then the variable means nothing.
func ownProgram() (string, error) {
	if program := os.Getenv("TEST_PARSER"); program != "" {
		return program, nil
	}
	return "", errors.New("built with -race this program cannot be its own parser: set TEST_PARSER to one of go " +
		"build ./cmd/dossier-worker")
}

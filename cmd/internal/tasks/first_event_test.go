package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// What `make first-event` plays stands in README.md and docs/first-event.md as it is needed: two commands of dossier, and in
// each language a program with the official library.
func TestFirstEvent_is_told(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..")
	do, err := readmeCommands(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(do.listen, "go run ./cmd/dossier listen ") || !strings.HasPrefix(do.trigger, "go run ./cmd/dossier trigger ") ||
		!strings.Contains(do.before, "dev.env") {
		t.Errorf("%+v", do)
	}
	for language := range receiverTools {
		program, err := receiverOf(filepath.Join(root, "docs/first-event.md"), language)
		if err != nil {
			t.Error(err)
			continue
		}
		if len(program.prepare) == 0 || !strings.Contains(strings.ReplaceAll(program.program, "-", ""), "standardwebhooks") ||
			!strings.Contains(program.program, "3000") {
			t.Errorf("%+v", program)
		}
	}
	if _, err := readmeCommands(filepath.Join(root, "SECURITY.md")); err == nil {
		t.Error("a page without the commands is taken")
	}
	if _, err := receiverOf(filepath.Join(root, "README.md"), "Go"); err == nil {
		t.Error("a page without the program is taken")
	}
}

package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// fuzzed are the rooms that read what strangers write.
var fuzzed = []string{".", "./pipelines/document", "./pipelines/judge", "./pipelines/llm", "./api"}

var fuzzTarget = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(f \*testing\.F\)`)

// fuzzTime is how long each target runs: seconds in every check, a minute where DOSSIER_LONG is set.
func fuzzTime() string {
	if os.Getenv("DOSSIER_LONG") != "" {
		return "60s"
	}
	return "3s"
}

// fuzz runs every fuzz target for a while; each counts as one test.
func (t *tally) fuzz(ctx context.Context) {
	for _, room := range fuzzed {
		targets, err := fuzzTargets(room)
		if err != nil {
			t.failed++
			fmt.Printf("FAIL fuzz %s: %v\n", room, err)
			continue
		}
		for _, target := range targets {
			t.step(ctx, "fuzz "+room+" "+target, command("go", "test", "-run=^$", "-fuzz=^"+target+"$", "-fuzztime="+fuzzTime(), room))
		}
	}
}

// fuzzTargets are the fuzz functions of a package's tests, in the order of its files.
func fuzzTargets(room string) ([]string, error) {
	var targets []string
	err := filepath.WalkDir(room, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && filepath.Clean(path) != filepath.Clean(room):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		source, err := os.ReadFile(path)
		for _, g := range fuzzTarget.FindAllSubmatch(source, -1) {
			targets = append(targets, string(g[1]))
		}
		return err
	})
	return targets, err
}

package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"
)

// fuzzed are the rooms that read what strangers write.
var fuzzed = []string{
	".", "./pipelines/document", "./pipelines/document/text", "./pipelines/document/decode",
	"./pipelines/document/decode/office", "./pipelines/document/decode/bankfile",
	"./pipelines/document/sandbox", "./pipelines/document/barcode",
	"./pipelines/document/identity", "./pipelines/judge", "./pipelines/llm", "./api",
}

var fuzzTarget = regexp.MustCompile(`(?m)^func (Fuzz\w+)\(f \*testing\.F\)`)

// fuzzAll runs the fuzz targets whose names match only (all when it is empty).
func fuzzAll(ctx context.Context, only string) error {
	names, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("ONLY is no pattern of names: %w", err)
	}
	tally := &tally{}
	tally.fuzz(ctx, names)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return tally.report()
}

// fuzz runs every fuzz target with such a name for a minute; each counts as one test. Every processor has a target of
// its own: what a target needs to start is work for one.
func (t *tally) fuzz(ctx context.Context, names *regexp.Regexp) {
	var running errgroup.Group
	running.SetLimit(runtime.NumCPU())
	defer func() { _ = running.Wait() }() // step counts what failed
	for _, room := range fuzzed {
		targets, err := fuzzTargets(room)
		if err != nil {
			t.step(ctx, "fuzz "+room, func(context.Context) (string, error) { return "", err })
			continue
		}
		for _, target := range targets {
			if !names.MatchString(target) {
				continue
			}
			running.Go(func() error {
				t.step(ctx, "fuzz "+room+" "+target, retryOnce(command("go", "test", "-run=^$", "-parallel=1",
					"-fuzz=^"+target+"$", "-fuzztime=60s", room)))
				return nil
			})
		}
	}
}

// retryOnce repeats a fuzz run that failed without a finding: on a busy machine the time limit can expire while the
// tool waits for its workers, which it reports as an error.
func retryOnce(run func(ctx context.Context) (string, error)) func(ctx context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		out, err := run(ctx)
		if err != nil && strings.Contains(out, "context deadline exceeded") && !strings.Contains(out, "Failing input") {
			return run(ctx)
		}
		return out, err
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

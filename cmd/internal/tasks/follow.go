package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// event is one line of `go test -json` (cmd/test2json).
type event struct {
	Action     string
	Package    string
	ImportPath string // of build-output and build-fail
	Test       string // empty: the package as a whole
	Output     string
	Elapsed    float64 // seconds
}

// result counts tests and subtests. A package that does not build, or ends outside its tests,
// counts as one failed test.
type result struct{ passed, failed, skipped int }

// failures are what failed in one package.
type failures struct {
	tests []string // without their subtests; none when the package failed outside its tests
	count int      // with their subtests
	final bool     // a race, or a panic that kept other tests from running: passing alone proves nothing
}

// testRun is what became of one go test run.
type testRun struct {
	result
	failures map[string]*failures // by package
	ran      map[string]bool      // by package and test, a space between; false: it was skipped
}

// follow reads the events of one go test run and writes one line per package, all that a failed
// test wrote, and the reasons of skipped tests.
func follow(events io.Reader, out io.Writer) testRun {
	f := follower{out: out, output: map[string]*strings.Builder{}, testRun: testRun{failures: map[string]*failures{}, ran: map[string]bool{}}}
	lines := bufio.NewScanner(events)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e event
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			_, _ = fmt.Fprintln(out, lines.Text())
			continue
		}
		f.take(e)
	}
	if err := lines.Err(); err != nil {
		_, _ = fmt.Fprintln(out, err)
		f.failed++
	}
	return f.testRun
}

type follower struct {
	testRun
	out    io.Writer
	output map[string]*strings.Builder // by package and test
}

func (f *follower) take(e event) {
	key := e.Package + " " + e.Test
	switch e.Action {
	case "output", "build-output":
		if e.Action == "build-output" {
			key = e.ImportPath
		}
		if f.output[key] == nil {
			f.output[key] = &strings.Builder{}
		}
		f.output[key].WriteString(e.Output)
		return
	case "build-fail":
		f.show(e.ImportPath)
		return
	}
	if e.Test == "" {
		f.takePackage(e, key)
	} else {
		f.takeTest(e, key)
	}
}

func (f *follower) takeTest(e event, key string) {
	switch e.Action {
	case "pass":
		f.passed++
	case "fail":
		f.failed++
		f.failureOf(e.Package).take(e.Test, f.output[key])
		f.show(key)
	case "skip":
		f.skipped++
		f.show(key)
	default:
		return
	}
	f.ran[key] = e.Action != "skip"
	delete(f.output, key)
}

func (f *follower) failureOf(pkg string) *failures {
	if f.failures[pkg] == nil {
		f.failures[pkg] = &failures{}
	}
	return f.failures[pkg]
}

func (f *failures) take(test string, output *strings.Builder) {
	f.count++
	if !strings.Contains(test, "/") {
		f.tests = append(f.tests, test)
	}
	if output != nil && (strings.Contains(output.String(), "race detected") || strings.Contains(output.String(), "panic: ")) {
		f.final = true
	}
}

func (f *follower) takePackage(e event, key string) {
	switch e.Action {
	case "pass":
		_, _ = fmt.Fprintf(f.out, "ok   %s (%.1fs)\n", e.Package, e.Elapsed)
	case "fail":
		if f.failures[e.Package] == nil { // it did not build, panicked or exited
			f.failed++
			f.failureOf(e.Package).count++
			f.show(key)
		}
		_, _ = fmt.Fprintf(f.out, "FAIL %s (%.1fs)\n", e.Package, e.Elapsed)
	}
}

func (f *follower) show(key string) {
	if f.output[key] != nil {
		_, _ = fmt.Fprint(f.out, f.output[key].String())
	}
}

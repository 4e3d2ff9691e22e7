package main

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
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
	took     map[string]float64   // seconds, by package and test without its subtests
}

// follow reads the events of one go test run and writes one line per package, all that a failed
// test wrote, and the reasons of skipped tests.
func follow(events io.Reader, out io.Writer) testRun {
	f := follower{out: out, output: map[string]*strings.Builder{},
		testRun: testRun{failures: map[string]*failures{}, ran: map[string]bool{}, took: map[string]float64{}}}
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

// slowest names the tests that took longest, so that the whole stays within its half hour.
func (r testRun) slowest(n int) string {
	tests := slices.SortedFunc(maps.Keys(r.took),
		func(a, b string) int { return cmp.Or(cmp.Compare(r.took[b], r.took[a]), cmp.Compare(a, b)) })
	var names []string
	for _, test := range tests[:min(n, len(tests))] {
		pkg, name, _ := strings.Cut(test, " ")
		names = append(names, fmt.Sprintf("%s %s %.0fs", path.Base(pkg), name, r.took[test]))
	}
	return strings.Join(names, ", ")
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
	if !strings.Contains(e.Test, "/") {
		f.took[key] = e.Elapsed
	}
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
	if output != nil && (strings.Contains(output.String(), "race detected") ||
		strings.Contains(output.String(), "panic: ")) {
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

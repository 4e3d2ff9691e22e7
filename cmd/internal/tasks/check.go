package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/dossierhq/dossier/cmd/lab/daemon"
)

var linter = daemon.Program{Package: "github.com/golangci/golangci-lint/v2/cmd/golangci-lint", Version: "v2.15.0"}

// raced are the packages where goroutines meet: their tests run with the race detector and against real Redis, MinIO
// and PostgreSQL, which they reach through PgBouncer in transaction mode: it gives each transaction another connection
// of the server. What measures (cmd/lab/bench) and the command line (cmd/dossier), which does one thing after another,
// are left out: what they drive is raced by the tests of its own packages. Those that take longest stand first, there
// and in slow, so that no processor waits for the last one.
var (
	raced = []string{"./jobs/worker", "./api", "./cmd/dev", "./storage/...", "./webhooks/...", "./jobs/...",
		"./cmd/dossier-api", "./cmd/dossier-worker", "./cmd/internal/...", "./cmd/lab/cluster", "./cmd/lab/daemon",
		"./cmd/lab/gateway"}
	slow = []string{"./cmd/lab/score", "./cmd/lab/bench", "./cmd/dossier", "./pipelines/document/sandbox",
		"./pipelines/document/tax"}
)

// needsMore are the tests that need what setup cannot install; without it every pass may skip them.
var needsMore = map[string]string{
	"TestGolden_samples":            "documents that are no part of the repository",
	"TestScore_samples":             "documents that are no part of the repository",
	"TestTaxReturn_samples":         "documents that are no part of the repository",
	"TestAnalyze_samples":           "documents that are no part of the repository",
	"TestSources_resolve_samples":   "documents that are no part of the repository",
	"TestStart_directoryOutOfReach": "root, who hands the server to another user",
	"TestStart_closedDirectory":     "root, who hands the server to another user",
	"TestSandbox":                   "Linux",
	"TestFaults_alerts":             "promtool, which setup fetches where there is apt-get",
	"TestFaults_fired":              "promtool, which setup fetches where there is apt-get",
	"TestPanels":                    "Prometheus, which setup fetches where there is apt-get",
	"TestFault_no_landlock":         "a kernel with landlock",
	"TestCheckOut":                  "git, and the history of the repository",
	"TestClients/python":            "Python 3",
	"TestClients/python/strict":     "mypy",
	"TestClients/typescript":        "npm",
	"TestOIDC_oidc_provider":        "npm",
	"TestRead_card":                 "onnxruntime, which setup gets where npm or the distribution has it",
	"TestRecognizer_text":           "onnxruntime, which setup gets where npm or the distribution has it",
}

// check is the whole truth about a checkout: it ends with the line "N passed, N failed", where a complaint about format
// or by a linter counts as one test each, and with an error when anything failed. Each test runs in one pass: of the
// raced packages those that skip themselves there (testing.Short: a browser, a proof, a compiler) run afterwards
// without the detector, then all other packages. A test that was skipped in every pass failed: it asserts nothing.
func check(ctx context.Context) error {
	if err := setup(ctx, true); err != nil {
		return err
	}
	tally := &tally{}
	tally.step(ctx, "format", formatted)
	tally.step(ctx, "lint", lint)
	tally.packages(ctx)
	if os.Getenv("DOSSIER_LONG") != "" { // else the targets' seeds have run among the tests
		tally.fuzz(ctx, regexp.MustCompile(`^Fuzz`))
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	tally.failSkipped()
	return tally.report()
}

// formatted fails with the names of files that gofmt would change.
func formatted(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "git", "ls-files", "--cached", "--others", "--exclude-standard",
		"*.go").Output()
	if err != nil {
		return "", fmt.Errorf("git ls-files: %w", err)
	}
	var files []string
	for _, file := range strings.Fields(string(out)) {
		if _, err := os.Stat(file); err == nil { // not deleted since the last commit
			files = append(files, file)
		}
	}
	changed, err := exec.CommandContext(ctx, "gofmt", append([]string{"-l"}, files...)...).CombinedOutput()
	if err == nil && len(changed) > 0 {
		err = errors.New("run gofmt -w on these files")
	}
	return string(changed), err
}

func command(name string, args ...string) func(ctx context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		out, err := exec.CommandContext(ctx, name, args...).CombinedOutput()
		return string(out), err
	}
}

func lint(ctx context.Context) (string, error) {
	program, err := linter.Install(ctx, say)
	if err != nil {
		return "", err
	}
	return command(program, "run", "--allow-parallel-runners", "./...")(ctx)
}

// tally counts what passed and failed.
type tally struct {
	stepping       sync.Mutex // of passed and failed, for steps that run beside each other
	passed, failed int
	ran            map[string]bool // by package and test: in one of the passes at least
}

// step runs one check that is not a test and shows its output when it fails.
func (t *tally) step(ctx context.Context, name string, do func(ctx context.Context) (string, error)) {
	begin := time.Now()
	out, err := do(ctx)
	t.stepping.Lock()
	defer t.stepping.Unlock()
	if err != nil {
		t.failed++
		fmt.Printf("%sFAIL %s: %v\n", out, name, err)
		return
	}
	t.passed++
	fmt.Printf("ok   %s (%v)\n", name, time.Since(begin).Round(time.Second))
}

// tests runs go test and counts its tests and subtests. A test that failed is run once more, alone:
// one that then passes counts as passed and is named, so that a machine that paused at the wrong
// moment does not hold up a change, and an unsteady test does not go unseen.
func (t *tally) tests(ctx context.Context, name string, env, flags, packages []string) {
	begin := time.Now()
	run := goTest(ctx, env, flags, packages...)
	if t.ran == nil {
		t.ran = map[string]bool{}
	}
	for test, ran := range run.ran {
		t.ran[test] = t.ran[test] || ran
	}
	result := run.result
	for pkg, f := range run.failures {
		if len(f.tests) == 0 || f.final || ctx.Err() != nil {
			continue
		}
		again := goTest(ctx, env, append(flags[:len(flags):len(flags)], "-run", "^("+strings.Join(f.tests, "|")+")$"),
			pkg)
		if again.failed == 0 && again.passed > 0 {
			result.passed += f.count
			result.failed -= f.count
			fmt.Printf("UNSTEADY %s %s: failed among the others, passed alone\n", pkg, strings.Join(f.tests, " "))
		}
	}
	t.passed += result.passed
	t.failed += result.failed
	fmt.Printf("     %s: %d passed, %d failed, %d skipped (%v)\n", name, result.passed, result.failed, result.skipped,
		time.Since(begin).Round(time.Second))
	fmt.Printf("     slowest: %s\n", run.slowest(24))
}

// failSkipped counts tests that every pass skipped as failed.
func (t *tally) failSkipped() {
	for _, test := range slices.Sorted(maps.Keys(t.ran)) {
		_, name, _ := strings.Cut(test, " ")
		if !t.ran[test] && needsMore[name] == "" {
			t.failed++
			fmt.Printf("FAIL %s: skipped in every pass\n", test)
		}
	}
}

// goTest runs go test. Vet is among the linters, and nobody opens these programs in a debugger: without either,
// some sixty of them are built in half the time.
func goTest(ctx context.Context, env, flags []string, packages ...string) testRun {
	args := append([]string{"test", "-json", "-count=1", "-timeout=25m", "-vet=off", "-ldflags=-w"}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, packages...)...)
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		fmt.Printf("FAIL go test: %v\n", err)
		return testRun{result: result{failed: 1}}
	}
	got := follow(out, os.Stdout)
	err = cmd.Wait()
	if err != nil && got.failed == 0 { // it failed without saying which test
		got.failed = 1
		fmt.Printf("%sFAIL go test: %v\n", stderr.String(), err)
	}
	return got
}

// packages runs the tests of all packages, while real services run.
func (t *tally) packages(ctx context.Context) {
	services, err := startServices(ctx)
	if err != nil {
		t.failed++
		fmt.Printf("FAIL services: %v\n", err)
	} else {
		defer func() {
			if err := stopServices(); err != nil {
				fmt.Println(err)
			}
		}()
		t.racedPackages(ctx, services)
	}
	if packages, names := skippedTests(t.ran); len(packages) > 0 {
		t.tests(ctx, "tests that it leaves out", nil, []string{"-run", names}, packages)
	}
	t.remainingPackages(ctx, services)
}

// racedPackages runs the tests of the packages in raced on real services, through a pooler, with the race detector.
func (t *tally) racedPackages(ctx context.Context, services []string) {
	variables := append(services[:len(services):len(services)], "CGO_ENABLED=1")
	parser := filepath.Join(servicesDir(), "parser")
	t.step(ctx, "build of a parser without the race detector",
		command("go", "build", "-o", parser, "./cmd/dossier-worker"))
	if parser, err := filepath.Abs(parser); err == nil {
		variables = append(variables, "TEST_PARSER="+parser) // see pipelines/document/documenttest
	}
	t.tests(ctx, "tests on real services, with the race detector", variables, []string{"-race", "-short"}, raced)
}

// skippedTests returns the packages with tests that a pass skipped, and a pattern of these tests' names.
func skippedTests(ran map[string]bool) (packages []string, pattern string) {
	var names []string
	for test, ran := range ran {
		if pkg, name, _ := strings.Cut(test, " "); !ran {
			name, _, _ = strings.Cut(name, "/")
			packages, names = append(packages, pkg), append(names, name)
		}
	}
	slices.Sort(packages)
	slices.Sort(names)
	return slices.Compact(packages), "^(" + strings.Join(slices.Compact(names), "|") + ")$"
}

// remainingPackages runs the tests of all packages that are not in raced; those that need a store use the real services
// too.
func (t *tally) remainingPackages(ctx context.Context, services []string) {
	all, err := listed(ctx, append(slow, "./..."))
	if err == nil {
		var done []string
		done, err = listed(ctx, raced)
		all = slices.DeleteFunc(all, func(pkg string) bool { return slices.Contains(done, pkg) })
	}
	if err != nil {
		t.failed++
		fmt.Printf("FAIL go list: %v\n", err)
		return
	}
	t.tests(ctx, "tests of all other packages", services, nil, all)
}

// listed are the packages that patterns stand for, in the order of the patterns.
func listed(ctx context.Context, patterns []string) ([]string, error) {
	out, err := exec.CommandContext(ctx, "go", append([]string{"list"}, patterns...)...).Output()
	return strings.Fields(string(out)), err
}

func (t *tally) report() error {
	fmt.Printf("%d passed, %d failed\n", t.passed, t.failed)
	if t.failed > 0 {
		os.Exit(1) // the line above is the last one
	}
	return nil
}

package main

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// The events come from a real run of go test on a module with one of everything.
func TestFollow(t *testing.T) {
	dir := t.TempDir()
	files := map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"good/good_test.go": `package good
import "testing"
func TestOne(t *testing.T) { t.Run("sub", func(t *testing.T) {}) }
func TestSkipped(t *testing.T) { t.Skip("no such thing here") }
func TestQuiet(t *testing.T) { t.Log("nobody wants to read this") }`,
		"bad/bad_test.go": `package bad
import "testing"
func TestTwo(t *testing.T) { t.Run("wrong", func(t *testing.T) { t.Error("the reason") }); t.Run("right", func(t *testing.T) {}) }`,
		"broken/broken_test.go": `package broken
var x int = "not a number"`,
		"exits/exits_test.go": `package exits
import ("fmt"; "os"; "testing")
func TestMain(m *testing.M) { fmt.Println("out of the blue"); os.Exit(3) }`,
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "test", "-json", "-count=1", "./...")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	events, _ := cmd.Output() // it fails: that is the point
	var shown strings.Builder
	got := follow(strings.NewReader(string(events)), &shown)
	// Passed: TestOne, its sub, TestQuiet, right. Failed: TestTwo, wrong, and two packages.
	if want := (result{passed: 4, failed: 4, skipped: 1}); got.result != want {
		t.Errorf("%+v, want %+v\n%s", got.result, want, shown.String())
	}
	if ran, known := got.ran["example.com/m/good TestSkipped"]; ran || !known || !got.ran["example.com/m/good TestOne/sub"] {
		t.Errorf("what ran: %v", got.ran)
	}
	want := map[string]*failures{"example.com/m/bad": {tests: []string{"TestTwo"}, count: 2}, "example.com/m/broken": {count: 1}, "example.com/m/exits": {count: 1}}
	if !reflect.DeepEqual(got.failures, want) {
		t.Errorf("failures %+v, want %+v", got.failures, want)
	}
	for _, want := range []string{"the reason", "no such thing here", "cannot use \"not a number\"", "out of the blue", "ok   example.com/m/good", "FAIL example.com/m/bad"} {
		if !strings.Contains(shown.String(), want) {
			t.Errorf("%q is not shown", want)
		}
	}
	if strings.Contains(shown.String(), "nobody wants to read this") {
		t.Error("the output of a test that passed is shown")
	}
}

func TestFollow_garbage(t *testing.T) {
	var shown strings.Builder
	got := follow(strings.NewReader("not json\n{\"Action\":\"pass\",\"Package\":\"p\",\"Test\":\"T\"}\n"), &shown)
	if got.passed != 1 || !strings.Contains(shown.String(), "not json") {
		t.Errorf("%+v, %q", got, shown.String())
	}
}

func TestFollow_final(t *testing.T) {
	for _, said := range []string{"testing.go:1: race detected during execution of test", "panic: nil map [recovered]"} {
		got := follow(strings.NewReader(`{"Action":"output","Package":"p","Test":"T","Output":"`+said+`\n"}
{"Action":"fail","Package":"p","Test":"T"}`), io.Discard)
		if f := got.failures["p"]; f == nil || !f.final {
			t.Errorf("%s: %+v", said, f)
		}
	}
}

// A test that fails among the others and passes alone is counted as passed; one that fails again is not.
func TestTally_unsteady(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n",
		"once/once_test.go": `package once
import ("os"; "testing")
func TestOnce(t *testing.T) {
	t.Run("part", func(t *testing.T) {
		if _, err := os.Stat("ran"); err != nil { os.WriteFile("ran", nil, 0o600); t.Error("not yet") }
	})
}`,
		"never/never_test.go": `package never
import "testing"
func TestNever(t *testing.T) { t.Error("never") }`,
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got := &tally{}
	t.Chdir(dir)
	got.tests(t.Context(), "tests", []string{"GOFLAGS=", "GOWORK=off"}, nil, []string{"./..."})
	if got.passed != 2 || got.failed != 1 {
		t.Errorf("%+v, want 2 passed and 1 failed", got)
	}
}

// A test that one pass skips and another runs is tested; one that all skip is not.
func TestTally_never_ran(t *testing.T) {
	for ran, failed := range map[bool]int{true: 0, false: 1} {
		got := &tally{ran: map[string]bool{"m TestSometimes": ran, "m TestGolden_samples": false}}
		if got.failSkipped(); got.failed != failed {
			t.Errorf("%d failed, want %d", got.failed, failed)
		}
	}
}

// What a pass skips, whole or in part, is left for the next one; what it ran is not.
func TestLeft(t *testing.T) {
	packages, names := skippedTests(map[string]bool{"m/a TestRan": true, "m/a TestRan/sub": true, "m/a TestSkipped": false,
		"m/b TestInPart": true, "m/b TestInPart/sub": false, "m/b TestSkipped": false, "m/c TestRan": true})
	if !reflect.DeepEqual(packages, []string{"m/a", "m/b"}) || names != "^(TestInPart|TestSkipped)$" {
		t.Errorf("%q in %q", names, packages)
	}
}

func TestSlowest(t *testing.T) {
	got := follow(strings.NewReader(`{"Action":"pass","Package":"m/p","Test":"TestA","Elapsed":2}
{"Action":"pass","Package":"m/p","Test":"TestB/sub","Elapsed":40}
{"Action":"fail","Package":"m/q","Test":"TestB","Elapsed":41.2}
{"Action":"pass","Package":"m/q","Test":"TestC","Elapsed":1}
`), io.Discard).slowest(2)
	if got != "q TestB 41s, p TestA 2s" {
		t.Error(got)
	}
}

package main

import (
	"os"
	"os/exec"
	"path/filepath"
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
	if want := (result{passed: 4, failed: 4, skipped: 1}); got != want {
		t.Errorf("%+v, want %+v\n%s", got, want, shown.String())
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

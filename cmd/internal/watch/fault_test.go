package watch_test

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier/cmd/internal/watch"
	"github.com/dossierhq/dossier/cmd/lab/daemon"
)

// recordings are what metrics said during the faults that jobs/worker plays (its -fault-series), by the faults' names.
func recordings(t *testing.T) map[string]map[string]watch.Course {
	t.Helper()
	found := map[string]map[string]watch.Course{}
	for _, f := range watch.Faults {
		text, err := os.ReadFile("testdata/faults/" + f.File())
		if err != nil {
			continue
		}
		var courses map[string]watch.Course
		if err := json.Unmarshal(text, &courses); err != nil {
			t.Fatalf("%s: %v", f.File(), err)
		}
		found[f.Name] = courses
	}
	files, err := filepath.Glob("testdata/faults/*.json")
	if err != nil || len(files) != len(found) || len(found) < 20 {
		t.Errorf("%d recordings, %d of known faults", len(files), len(found))
	}
	return found
}

// TestFaults_are_those_of_the_worker holds the table to the faults that jobs/worker plays.
func TestFaults_are_those_of_the_worker(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../jobs/worker/faults_test.go")
	if err != nil {
		t.Fatal(err)
	}
	var played, told []string
	for _, m := range regexp.MustCompile(`(?m)^\t\{(\d+), "([^"]+)", `).FindAllStringSubmatch(string(text), -1) {
		played = append(played, m[1]+" "+m[2])
	}
	for _, f := range watch.Faults {
		told = append(told, fmt.Sprint(f.Number, " ", f.Name))
	}
	if diff := cmp.Diff(played, told); diff != "" {
		t.Errorf("(-played +told):\n%s", diff)
	}
}

// TestFaults_are_told: of every fault somebody is told, or it says why not; every alert is some fault's.
func TestFaults_are_told(t *testing.T) {
	t.Parallel()
	told := map[string]bool{}
	for name, why := range watch.Elsewhere {
		told[name] = why != ""
	}
	for _, f := range watch.Faults {
		if (len(f.Alerts) == 0) == (f.Reason == "") {
			t.Errorf("fault %d, %s: alerts %v, reason %q: want one of them", f.Number, f.Name, f.Alerts, f.Reason)
		}
		for _, name := range f.Alerts {
			told[name] = true
		}
	}
	for _, a := range watch.Alerts() {
		if !told[a.Name] {
			t.Errorf("no fault fires %s", a.Name)
		}
		delete(told, a.Name)
	}
	if len(told) > 0 {
		t.Errorf("no alerts: %v", told)
	}
}

// TestFaults_alerts plays the recordings of faults in Prometheus' own engine: those alerts fire that the table names and
// no others, none before, and all of them end.
func TestFaults_alerts(t *testing.T) {
	t.Parallel()
	promtool, err := daemon.Debian{Package: "prometheus", Program: "promtool"}.Install(t.Context(), func(line string) { t.Log(line) })
	if err != nil {
		t.Skip(err)
	}
	text, err := watch.FaultTests(recordings(t))
	if err != nil {
		t.Fatal(err)
	}
	rules, err := watch.Rules()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string][]byte{"rules.yaml": rules, "faults_test.yaml": text} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.CommandContext(t.Context(), promtool, "test", "rules", "faults_test.yaml")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	if !slices.ContainsFunc(watch.Faults, func(f watch.Fault) bool { return len(f.Alerts) > 0 }) {
		t.Error("no fault has an alert")
	}
}

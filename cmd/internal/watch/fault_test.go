package watch_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier/cmd/internal/watch"
	"github.com/dossierhq/dossier/cmd/lab/daemon"
	"github.com/dossierhq/dossier/cmd/lab/film"
)

// faultSeries is where the recordings are.
var faultSeries = cmp.Or(os.Getenv("FAULT_SERIES"), "testdata/faults")

// recordings are what metrics said during the faults that jobs/worker plays (FAULT_SERIES), by the faults' names.
func recordings(t *testing.T) map[string]map[string]film.Course {
	t.Helper()
	found := map[string]map[string]film.Course{}
	for _, f := range watch.Faults {
		text, err := os.ReadFile(filepath.Join(faultSeries, f.File()))
		if err != nil {
			continue
		}
		var courses map[string]film.Course
		if err := json.Unmarshal(text, &courses); err != nil {
			t.Fatalf("%s: %v", f.File(), err)
		}
		found[f.Name] = courses
	}
	files, err := filepath.Glob(filepath.Join(faultSeries, "*.json"))
	if err != nil || len(files) != len(found) || len(found) < 40 {
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
	if diff := gocmp.Diff(played, told); diff != "" {
		t.Errorf("(-played +told):\n%s", diff)
	}
}

// TestFaults_are_told: of every fault somebody is told, or it says why not; every alert is some fault's.
func TestFaults_are_told(t *testing.T) {
	t.Parallel()
	told := map[string]bool{}
	for _, f := range watch.Faults {
		if (len(f.Alerts) == 0) == (f.Reason == "") {
			t.Errorf("fault %d, %s: alerts %v, reason %q: want one of them", f.Number, f.Name, f.Alerts, f.Reason)
		}
		for name := range f.Alerts {
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

// TestFaults_alerts plays the recordings of faults: those alerts fire that the table names and no others, none before,
// each after as long as it says, and all of them end.
func TestFaults_alerts(t *testing.T) {
	t.Parallel()
	if !play(t, recordings(t)) {
		t.Skip("no promtool")
	}
}

// play has Prometheus' own engine play what was recorded, where it is there.
func play(t *testing.T, recordings map[string]map[string]film.Course) bool {
	t.Helper()
	promtool, err := daemon.Debian{Package: "prometheus", Program: "promtool"}.Install(t.Context(),
		func(line string) { t.Log(line) })
	if err != nil {
		t.Log(err)
		return false
	}
	text, err := watch.FaultTests(recordings, os.Getenv("FAULT_SERIES") != "")
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
	return true
}

package watch_test

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier/cmd/internal/watch"
	"github.com/dossierhq/dossier/cmd/lab/daemon"
	"github.com/dossierhq/dossier/cmd/lab/recording"
)

// faultSeries is where the recordings are.
var faultSeries = cmp.Or(os.Getenv("FAULT_SERIES"), "testdata/faults")

// recordings are what metrics said during the faults that jobs/worker plays (FAULT_SERIES), by the faults' names.
func recordings(t *testing.T) map[string]map[string]recording.Range {
	t.Helper()
	found, err := watch.Recordings(faultSeries)
	if err != nil {
		t.Fatal(err)
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
	if !playRecordings(t, recordings(t)) {
		t.Skip("no promtool")
	}
}

// playRecordings has promtool replay the recordings against the alerts, if it is installed, and reports whether it is.
func playRecordings(t *testing.T, recordings map[string]map[string]recording.Range) bool {
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
	if out, err := watch.Play(t.Context(), promtool, text); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	return true
}

// TestFaults_fired: what is read out of promtool's words for the table of faults is what the faults' table says.
func TestFaults_fired(t *testing.T) {
	t.Parallel()
	promtool, err := daemon.Debian{Package: "prometheus", Program: "promtool"}.Install(t.Context(),
		func(line string) { t.Log(line) })
	if err != nil {
		t.Skip(err)
	}
	found, err := watch.Recordings("testdata/faults")
	if err != nil {
		t.Fatal(err)
	}
	few := map[int]bool{8: true, 10: true, 34: true, 38: true, 43: true} // TestFaults_alerts plays them all
	for _, f := range watch.Faults {
		if !few[f.Number] {
			delete(found, f.Name)
		}
	}
	fired, err := watch.Fired(t.Context(), promtool, found)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range watch.Faults {
		if diff := gocmp.Diff(f.Alerts, fired[f.Name]); found[f.Name] != nil && diff != "" {
			t.Errorf("%s (-table +fired):\n%s", f.Name, diff)
		}
	}
}

// TestFaults_table: each fault has its lines, and says what it was not asked.
func TestFaults_table(t *testing.T) {
	t.Parallel()
	settled := func(n float64) recording.Range { return recording.Range{Counter: true, Last: n} }
	var table strings.Builder
	err := watch.WriteFaults(&table, map[string]map[string]recording.Range{
		"worker killed before its acknowledgement": {recording.Accepted: settled(240), recording.Broken: settled(0),
			recording.Again: settled(1)},
		"redis down for long": {recording.Accepted: settled(12), recording.Broken: settled(2), recording.Again: settled(0)},
		"poison job":          {}, // it ended before anybody counted
	}, map[string]map[string]watch.AlertTimes{
		"redis down for long": {"RedisDown": {10, 0}, "MetricsBlind": {5, 10}, "LaneLate": {10, 85}},
		"poison job":          {"PoisonJob": {0, -5}},
	})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(table.String(), "\n")
	for i, line := range lines {
		lines[i] = strings.Join(strings.Fields(line), " ")
	}
	text := "\n" + strings.Join(lines, "\n")
	for _, want := range []string{"\nFAULT ALERT FIRED AFTER CLEARED ACCEPTED LOST OR TWICE SENT AGAIN\n",
		"\n01 worker killed before its acknowledgement none - - 240 0 1\n",
		"\n04 api killed after its commit shown by tests - - - - -\n",
		"\n11 redis down for long MetricsBlind 5 min 10 min after the fault 12 2 0\nLaneLate 10 min NEVER\n" +
			"RedisDown 10 min with the fault\n",
		"\n08 poison job PoisonJob 0 min before the fault's end - - -\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, table.String())
		}
	}
	if len(lines) != 1+len(watch.Faults)+2+1 { // a head, two more alerts, an end
		t.Errorf("%d lines", len(lines))
	}
}

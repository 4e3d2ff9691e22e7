package watch

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/dossierhq/dossier/cmd/lab/recording"
)

// Recordings reads what metrics said during faults, by the faults' names.
func Recordings(dir string) (map[string]map[string]recording.Range, error) {
	found := map[string]map[string]recording.Range{}
	for _, f := range Faults {
		text, err := os.ReadFile(filepath.Join(dir, f.File()))
		if os.IsNotExist(err) {
			continue
		}
		var courses map[string]recording.Range
		if err == nil {
			err = json.Unmarshal(text, &courses)
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.File(), err)
		}
		found[f.Name] = courses
	}
	return found, nil
}

// Play has Prometheus' own engine, promtool, play a file of tests to the rules, and returns what it said.
func Play(ctx context.Context, promtool string, tests []byte) (string, error) {
	dir, err := os.MkdirTemp("", "dossier-rules-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	rules, err := Rules()
	if err != nil {
		return "", err
	}
	for name, text := range map[string][]byte{"rules.yaml": rules, "faults_test.yaml": tests} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			return "", err
		}
	}
	cmd := exec.CommandContext(ctx, promtool, "test", "rules", "faults_test.yaml")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// Fired returns which alerts fired for each recording and when, by the names of faults. promtool prints what it sees
// only where that differs from what a test expects, so these tests expect nothing.
func Fired(ctx context.Context, promtool string, recordings map[string]map[string]recording.Range) (
	map[string]map[string]AlertTimes, error,
) {
	file := testFile{RuleFiles: []string{"rules.yaml"}, EvaluationInterval: every}
	for _, f := range Faults {
		courses, ok := recordings[f.Name]
		if !ok {
			continue
		}
		test := f.test(courses, false)
		test.Query = test.Query[:2] // when each fired first, and last
		for i, which := range []string{"after", "until"} {
			test.Query[i].Samples = []testSample{}
			test.Query[i].Expr = fmt.Sprintf(`label_replace(label_replace(%s, "fault", %q, "", ""), "which", %q,
				"", "")`, test.Query[i].Expr, f.Name, which)
		}
		file.Tests = append(file.Tests, test)
	}
	tests, err := generated(file)
	if err != nil {
		return nil, err
	}
	out, err := Play(ctx, promtool, tests)
	found := firedIn(out)
	if len(found) == 0 {
		return nil, fmt.Errorf("promtool saw no alert: %w: %s", err, out)
	}
	return found, nil
}

var firedSample = regexp.MustCompile(`\{alertname="(\w+)", fault="([^"]+)", which="(\w+)"\} (\S+?)(?:,|\s|$)`)

// firedIn reads what promtool saw.
func firedIn(out string) map[string]map[string]AlertTimes {
	found := map[string]map[string]AlertTimes{}
	for _, m := range firedSample.FindAllStringSubmatch(out, -1) {
		minutes, err := strconv.ParseFloat(m[4], 64)
		if err != nil {
			continue
		}
		if found[m[2]] == nil {
			found[m[2]] = map[string]AlertTimes{}
		}
		heard := found[m[2]][m[1]]
		if m[3] == "after" {
			heard.After = int(minutes)
		} else {
			heard.Until = int(minutes)
		}
		found[m[2]][m[1]] = heard
	}
	return found
}

// WriteFaults writes the table of faults: of each the alerts that fired in the play of its recording, after how many
// minutes, when they cleared, and what was lost or came twice. Faults without a recording are shown by tests elsewhere.
func WriteFaults(w io.Writer, recordings map[string]map[string]recording.Range,
	fired map[string]map[string]AlertTimes,
) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "FAULT\tALERT\tFIRED AFTER\tCLEARED\tACCEPTED\tLOST OR TWICE\tSENT AGAIN")
	for _, f := range Faults {
		courses, recorded := recordings[f.Name]
		alerts := make([]string, 0, len(fired[f.Name]))
		for name := range fired[f.Name] {
			alerts = append(alerts, name)
		}
		slices.SortFunc(alerts, func(a, b string) int {
			if d := fired[f.Name][a].After - fired[f.Name][b].After; d != 0 {
				return d
			}
			return strings.Compare(a, b)
		})
		name, rest := fmt.Sprintf("%02d %s", f.Number, f.Name), "-\t-\t-"
		if _, settled := courses[recording.Accepted]; settled {
			rest = fmt.Sprintf("%g\t%g\t%g", courses[recording.Accepted].Last, courses[recording.Broken].Last,
				courses[recording.Again].Last)
		}
		switch {
		case !recorded:
			_, _ = fmt.Fprintf(table, "%s\tshown by tests\t-\t-\t%s\n", name, rest)
		case len(alerts) == 0:
			_, _ = fmt.Fprintf(table, "%s\tnone\t-\t-\t%s\n", name, rest)
		}
		for _, alert := range alerts {
			heard := fired[f.Name][alert]
			_, _ = fmt.Fprintf(table, "%s\t%s\t%d min\t%s\t%s\n", name, alert, heard.After, cleared(heard.Until),
				rest)
			name, rest = "", "\t\t"
		}
	}
	return table.Flush()
}

// cleared is when an alert ended, as people say it.
func cleared(until int) string {
	switch {
	case until > after:
		return "NEVER"
	case until > 0:
		return fmt.Sprintf("%d min after the fault", until)
	case until == 0:
		return "with the fault"
	}
	return "before the fault's end"
}

package watch

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Fault is what people are told of one of the numbered faults that jobs/worker holds to the promises (TestFaults): the
// alerts that fire while it goes on, or why nobody is told.
type Fault struct {
	Number int
	Name   string // as jobs/worker says it
	Lasts  bool   // a state that stays; otherwise it happens again each minute, Times times
	Times  int    // 0: once
	Alerts []string
	Reason string
}

// File is the name of its recording.
func (f Fault) File() string {
	return fmt.Sprintf("%02d_%s.json", f.Number, notWord.ReplaceAllString(f.Name, "_"))
}

var notWord = regexp.MustCompile(`\W+`)

// Course is what a metric said during a fault, from when all was well until all was well again.
type Course struct {
	Counter                  bool
	First, Least, Most, Last float64
}

// Minutes of the film that is made of a recording: all is well, the fault goes on, all is well again.
const (
	before = 10
	during = 80
	after  = 80
)

// series is a course as promtool writes it, a value a minute. What a counter rose by is added in each minute of the
// fault; a gauge is at its worst; and the age of what waits grows with a state that lasts.
func (c Course) series(name string, f Fault) Series {
	if c.Counter {
		rose := (c.Most - c.First) * float64(max(f.Times, 1))
		return Series{name, fmt.Sprintf("0+0x%d %g+%gx%d %g+0x%d", before-1, rose, rose, during-1, rose*during, after)}
	}
	worst := c.Most
	for _, low := range []string{"_up", "_leader", "_slots", "_sandbox"} {
		if strings.Contains(name, low+"{") || strings.HasSuffix(name, low) {
			worst = c.Least
		}
	}
	grows := 0.0
	if f.Lasts && strings.Contains(name, "_oldest_seconds") && c.Most > 0.5 {
		grows = 60
	}
	return Series{name, fmt.Sprintf("%g+0x%d %g+%gx%d %g+0x%d", c.First, before-1, worst, grows, during-1, c.First,
		after)}
}

// FaultTests is what promtool plays of the recordings, by the names of their faults: before each one no alert fires,
// towards its end those that the table says and no others, and later none.
func FaultTests(recordings map[string]map[string]Course) ([]byte, error) {
	file := testFile{RuleFiles: []string{"rules.yaml"}, EvaluationInterval: "5m"}
	for _, f := range Faults {
		courses, ok := recordings[f.Name]
		if !ok {
			continue
		}
		test := ruleTest{Name: fmt.Sprintf("%02d %s", f.Number, f.Name), Interval: "1m",
			Input: []testSeries{{`dossier_build_info{version="v1"}`, fmt.Sprintf("1+0x%d", before+during+after)}}}
		for _, name := range slices.Sorted(maps.Keys(courses)) {
			if strings.HasPrefix(name, "dossier_build_info") {
				continue // of the one above
			}
			s := courses[name].series(name, f)
			test.Input = append(test.Input, testSeries{s.Metric, s.Values})
		}
		firing := `group by (alertname) (ALERTS{alertstate="firing"})`
		fired := []testSample{}
		for _, name := range slices.Sorted(slices.Values(f.Alerts)) {
			fired = append(fired, testSample{fmt.Sprintf(`{alertname=%q}`, name), 1})
		}
		test.Query = []queryTest{{firing, fmt.Sprintf("%dm", before-5), []testSample{}},
			{firing, fmt.Sprintf("%dm", before+during-5), fired},
			{firing, fmt.Sprintf("%dm", before+during+after), []testSample{}}}
		file.Tests = append(file.Tests, test)
	}
	return generated(file)
}

package watch

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/dossierhq/dossier/cmd/lab/recording"
)

// Fault says which alerts fire during one of the numbered faults (TestFaults in jobs/worker), or why none does.
type Fault struct {
	Number int
	Name   string // as jobs/worker says it
	Lasts  bool   // a state that stays; otherwise it happens again each minute, Times times
	Times  int    // 0: once
	Alerts map[string]AlertTimes
	Reason string
}

// AlertTimes is when an alert fires and clears, in minutes. It is evaluated every fifth minute.
type AlertTimes struct {
	After int // from the fault's begin until it fires
	Until int // from the fault's end until it no longer does; below nothing: it had ended before
}

// File is the name of its recording.
func (f Fault) File() string {
	return fmt.Sprintf("%02d_%s.json", f.Number, notWord.ReplaceAllString(f.Name, "_"))
}

var notWord = regexp.MustCompile(`\W+`)

// Minutes of the play that is made of a recording: all is well, the fault goes on, all is well again. Some alerts
// compare with the hour before.
const (
	before = 70
	during = 80
	after  = 80
	every  = "5m" // as often the alerts are looked at: each minute would take minutes of a check
)

// lowIsWorst matches gauges whose lowest value is the worst.
var lowIsWorst = regexp.MustCompile(`(_up|_leader|_slots|_sandbox|dossier_schema_version)$`)

// promtoolSeries writes a recorded metric in promtool's notation, a value a minute. The increase of a counter is added
// in each minute of the fault; a gauge has its worst value; the age of what waits grows while a lasting fault lasts,
// and so does the age of what was last done before it.
func promtoolSeries(c recording.Range, name string, f Fault) Series {
	base, _, _ := strings.Cut(name, "{")
	switch {
	case c.Counter:
		rose := (c.Most - c.First) * float64(max(f.Times, 1))
		return Series{name, fmt.Sprintf("0+0x%d %g+%gx%d %g+0x%d", before-1, rose, rose, during-1, rose*during, after)}
	case strings.HasSuffix(base, "_timestamp_seconds"):
		return Series{name, fmt.Sprintf("0+60x%d %g+0x%d %d+60x%d", before-1, before*60+c.Least-c.First, during-1,
			(before+during)*60, after)}
	case c.First == 0 && base == "dossier_build_info": // a release that was not there before
		return Series{name, fmt.Sprintf("_x%d 1+0x%d stale", before, during-1)}
	}
	worst, grows := c.Most, 0.0
	if lowIsWorst.MatchString(base) {
		worst = c.Least
	}
	waits := strings.HasSuffix(base, "_oldest_seconds") && c.Most > 0.5 ||
		strings.HasSuffix(base, "_lag_seconds") && c.Most > 0
	if f.Lasts && waits {
		grows = 60
	}
	return Series{name, fmt.Sprintf("%g+0x%d %g+%gx%d %g+0x%d", c.First, before-1, worst, grows, during-1, c.First,
		after)}
}

// FaultTests returns promtool tests of the recordings, by the names of their faults: exactly the alerts of the table
// fire, after the minutes it says, and they clear. For recordings made anew, on a machine that may be slow, each fault
// that should alert must fire one of its alerts.
func FaultTests(recordings map[string]map[string]recording.Range, anew bool) ([]byte, error) {
	file := testFile{RuleFiles: []string{"rules.yaml"}, EvaluationInterval: every}
	for _, f := range Faults {
		if courses, ok := recordings[f.Name]; ok {
			file.Tests = append(file.Tests, f.test(courses, anew))
		}
	}
	return generated(file)
}

func (f Fault) test(courses map[string]recording.Range, anew bool) ruleTest {
	test := ruleTest{Name: fmt.Sprintf("%02d %s", f.Number, f.Name), Interval: "1m",
		Input: []testSeries{{`dossier_build_info{version="v1"}`, fmt.Sprintf("1+0x%d", before+during+after)}}}
	for _, name := range slices.Sorted(maps.Keys(courses)) {
		if strings.HasPrefix(name, "dossier_build_info") && courses[name].First > 0 {
			continue // of the one above
		}
		if strings.HasPrefix(name, "settled_") {
			continue // no metric
		}
		s := promtoolSeries(courses[name], name, f)
		test.Input = append(test.Input, testSeries{s.Metric, s.Values})
	}
	names := slices.Sorted(maps.Keys(f.Alerts))
	fired, ended := []testSample{}, []testSample{}
	for _, name := range names {
		label := fmt.Sprintf("{alertname=%q}", name)
		fired = append(fired, testSample{label, float64(f.Alerts[name].After)})
		ended = append(ended, testSample{label, float64(f.Alerts[name].Until)})
	}
	// The first and the last minute in which an alert fired, counted from the fault's begin and end.
	const all, end = before + during + after, before + during
	fires := fmt.Sprintf(`timestamp(ALERTS{alertstate="firing"})[%dm:%s]`, all, every)
	at := fmt.Sprintf("%dm", all)
	none := queryTest{`group by (alertname) (ALERTS{alertstate="firing"})`, at, []testSample{}}
	if anew {
		test.Query = []queryTest{none}
		if len(names) > 0 {
			test.Query = append(test.Query, queryTest{fmt.Sprintf(`group(max_over_time(ALERTS{alertstate="firing",`+
				`alertname=~%q}[%dm]))`, strings.Join(names, "|"), all), at, []testSample{{"{}", 1}}})
		}
		return test
	}
	test.Query = []queryTest{
		{fmt.Sprintf(`min by (alertname) (min_over_time(%s)) / 60 - %d`, fires, before), at, fired},
		{fmt.Sprintf(`max by (alertname) (max_over_time(%s)) / 60 - %d`, fires, end-5), at, ended},
		none}
	return test
}

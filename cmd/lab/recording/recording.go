// Package recording records metrics during a fault. cmd/internal/watch extends such a recording to hours and replays it
// against the alerts. Only tests record.
package recording

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// Range is what a metric showed during a fault, from before it until after it. A time (a name that ends in
// _timestamp_seconds) is stored as seconds relative to the recording, so that a recording can be replayed on any day.
type Range struct {
	Counter                  bool
	First, Least, Most, Last float64
}

// Recording is the ranges of the metrics of interest, by name and labels. It is safe for concurrent use.
type Recording struct {
	asked  map[string]bool
	mu     sync.Mutex
	ranges map[string]Range
	begun  bool
}

var metricName = regexp.MustCompile(`\bdossier_\w+`)

// New makes a recording of the metrics whose names occur in rules.
func New(rules string) *Recording {
	f := &Recording{asked: map[string]bool{}, ranges: map[string]Range{}}
	for _, name := range metricName.FindAllString(rules, -1) {
		f.asked[name] = true
	}
	return f
}

// Ranges returns what was recorded so far.
func (f *Recording) Ranges() map[string]Range {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.ranges)
}

// The outcome that a recording holds besides metrics, counted once everything has ended: events and jobs accepted during
// the fault, findings of lost, duplicate or stuck ones, and webhooks delivered again under the same id.
const (
	Accepted = "settled_accepted"
	Broken   = "settled_broken"
	Again    = "settled_again"
)

// AddOutcome adds to the counts of the outcome.
func (f *Recording) AddOutcome(accepted, broken, again int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for name, n := range map[string]int{Accepted: accepted, Broken: broken, Again: again} {
		c := f.ranges[name]
		c.Counter, c.Last = true, c.Last+float64(n)
		f.ranges[name] = c
	}
}

// Write stores the ranges as a JSON object, a line for each.
func (f *Recording) Write(path string) error {
	courses := f.Ranges()
	lines := make([]string, 0, len(courses))
	for _, name := range slices.Sorted(maps.Keys(courses)) {
		key, err := json.Marshal(name)
		if err != nil {
			return err
		}
		course, err := json.Marshal(courses[name])
		if err != nil {
			return err
		}
		lines = append(lines, fmt.Sprintf(" %s: %s", key, course))
	}
	return os.WriteFile(path, []byte("{\n"+strings.Join(lines, ",\n")+"\n}\n"), 0o644)
}

// Snapshot is the values of the metrics at one moment.
type Snapshot struct {
	recording *Recording
	now       time.Time
	values    map[string]float64
	counters  map[string]bool
}

// Snapshot begins a snapshot.
func (f *Recording) Snapshot(now time.Time) *Snapshot {
	return &Snapshot{recording: f, now: now, values: map[string]float64{}, counters: map[string]bool{}}
}

// Value returns the value of a metric with these labels, written as Prometheus does.
func (m *Snapshot) Value(name string) float64 { return m.values[name] }

// Max returns the greatest value of a metric over all labels.
func (m *Snapshot) Max(name string) float64 {
	most := 0.0
	for series, value := range m.values {
		if base, _, _ := strings.Cut(series, "{"); base == name {
			most = max(most, value)
		}
	}
	return most
}

// Count adds to a counter: counters of several processes are added up.
func (m *Snapshot) Count(name string, value float64) {
	m.values[name] += value
	m.counters[name] = true
}

// Gather adds the metrics of a process. Of the gauges of several processes the greatest counts; with anew it replaces
// earlier values.
func (m *Snapshot) Gather(from prometheus.Gatherer, anew bool) {
	families, _ := from.Gather() // what could be had
	for _, family := range families {
		for _, one := range family.Metric {
			var labels []string
			for _, l := range one.Label {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
			}
			switch {
			case one.Histogram != nil:
				for _, b := range one.Histogram.Bucket {
					m.bucket(family.GetName(), labels, fmt.Sprint(b.GetUpperBound()), b.GetCumulativeCount())
				}
				m.bucket(family.GetName(), labels, "+Inf", one.Histogram.GetSampleCount())
				m.count(family.GetName()+"_count", labels, float64(one.Histogram.GetSampleCount()))
			case one.Counter != nil:
				m.count(family.GetName(), labels, one.Counter.GetValue())
			case one.Gauge != nil:
				m.gauge(family.GetName(), labels, one.Gauge.GetValue(), anew)
			}
		}
	}
}

func (m *Snapshot) bucket(name string, labels []string, limit string, n uint64) {
	m.count(name+"_bucket", append(labels[:len(labels):len(labels)], `le="`+limit+`"`), float64(n))
}

func (m *Snapshot) count(name string, labels []string, value float64) {
	if m.recording.asked[name] {
		m.Count(series(name, labels), value)
	}
}

func (m *Snapshot) gauge(name string, labels []string, value float64, anew bool) {
	if !m.recording.asked[name] {
		return
	}
	if strings.HasSuffix(name, "_timestamp_seconds") {
		value -= float64(m.now.Unix())
	}
	name = series(name, labels)
	if before, ok := m.values[name]; ok && !anew {
		value = max(before, value)
	}
	m.values[name] = value
}

func series(name string, labels []string) string {
	if len(labels) == 0 {
		return name
	}
	return name + "{" + strings.Join(labels, ",") + "}"
}

// Record adds the snapshot to its recording. What was counted before the first snapshot counts as the fault's too.
func (m *Snapshot) Record() {
	m.recording.mu.Lock()
	defer m.recording.mu.Unlock()
	for name, value := range m.values {
		c, known := m.recording.ranges[name]
		if !known {
			if value == 0 && strings.HasPrefix(name, "dossier_leader") {
				continue // not yet, or in another process
			}
			c = Range{Counter: m.counters[name], First: value, Least: value, Most: value}
			if c.Counter || m.recording.begun && strings.HasPrefix(name, "dossier_build_info") { // a newer release
				c.First = 0
			}
		}
		c.Least, c.Most, c.Last = min(c.Least, value), max(c.Most, value), value
		m.recording.ranges[name] = c
	}
	m.recording.begun = true
}

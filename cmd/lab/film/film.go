// Package film records what metrics say while something goes wrong. cmd/internal/watch makes hours of such a recording
// and plays them to the alerts. Only tests record.
package film

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

// Course is what a metric said during a fault, from when all was well until all was well again. A time (what ends in
// _timestamp_seconds) is kept as the seconds since then, below nothing, so that a film may play on any day.
type Course struct {
	Counter                  bool
	First, Least, Most, Last float64
}

// Film is the courses of all metrics that somebody asked for, by name and labels. It is safe for concurrent use.
type Film struct {
	asked   map[string]bool
	mu      sync.Mutex
	courses map[string]Course
	begun   bool
}

var metricName = regexp.MustCompile(`\bdossier_\w+`)

// New records the metrics that rules, a text, names.
func New(rules string) *Film {
	f := &Film{asked: map[string]bool{}, courses: map[string]Course{}}
	for _, name := range metricName.FindAllString(rules, -1) {
		f.asked[name] = true
	}
	return f
}

// Courses is what was recorded so far.
func (f *Film) Courses() map[string]Course {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.courses)
}

// What a film says besides metrics, once everything has ended: how many events and jobs were accepted during the fault,
// how many findings tell of one that is lost, twice or stuck, and how many webhooks came again under the same id.
const (
	Accepted = "settled_accepted"
	Broken   = "settled_broken"
	Again    = "settled_again"
)

// Settled adds to what the film says of the end.
func (f *Film) Settled(accepted, broken, again int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for name, n := range map[string]int{Accepted: accepted, Broken: broken, Again: again} {
		c := f.courses[name]
		c.Counter, c.Last = true, c.Last+float64(n)
		f.courses[name] = c
	}
}

// Write keeps the courses as an object of JSON, with a line for each.
func (f *Film) Write(path string) error {
	courses := f.Courses()
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

// Moment is what metrics say now.
type Moment struct {
	film     *Film
	now      time.Time
	values   map[string]float64
	counters map[string]bool
}

// Moment begins one.
func (f *Film) Moment(now time.Time) *Moment {
	return &Moment{film: f, now: now, values: map[string]float64{}, counters: map[string]bool{}}
}

// Value is what a metric with these labels, written as Prometheus does, says in this moment.
func (m *Moment) Value(name string) float64 { return m.values[name] }

// Most is the greatest value of a metric, whatever its labels.
func (m *Moment) Most(name string) float64 {
	most := 0.0
	for series, value := range m.values {
		if base, _, _ := strings.Cut(series, "{"); base == name {
			most = max(most, value)
		}
	}
	return most
}

// Count adds to a counter: those of several processes add up.
func (m *Moment) Count(name string, value float64) {
	m.values[name] += value
	m.counters[name] = true
}

// Take reads what a process says. Of the gauges of several processes the greatest counts; anew, what was said before is
// replaced.
func (m *Moment) Take(from prometheus.Gatherer, anew bool) {
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

func (m *Moment) bucket(name string, labels []string, limit string, n uint64) {
	m.count(name+"_bucket", append(labels[:len(labels):len(labels)], `le="`+limit+`"`), float64(n))
}

func (m *Moment) count(name string, labels []string, value float64) {
	if m.film.asked[name] {
		m.Count(series(name, labels), value)
	}
}

func (m *Moment) gauge(name string, labels []string, value float64, anew bool) {
	if !m.film.asked[name] {
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

// Keep adds a moment to the film. What is counted before the first moment is the fault's too.
func (m *Moment) Keep() {
	m.film.mu.Lock()
	defer m.film.mu.Unlock()
	for name, value := range m.values {
		c, known := m.film.courses[name]
		if !known {
			if value == 0 && strings.HasPrefix(name, "dossier_leader") {
				continue // not yet, or in another process
			}
			c = Course{Counter: m.counters[name], First: value, Least: value, Most: value}
			if c.Counter || m.film.begun && strings.HasPrefix(name, "dossier_build_info") { // a release that came since
				c.First = 0
			}
		}
		c.Least, c.Most, c.Last = min(c.Least, value), max(c.Most, value), value
		m.film.courses[name] = c
	}
	m.film.begun = true
}

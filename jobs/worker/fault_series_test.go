package worker

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// faultSeries is where TestFaults writes what the metrics of alerts said during each fault, for cmd/internal/watch to hold
// the alerts against: go test ./jobs/worker -run TestFaults -fault-series ../../cmd/internal/watch/testdata/faults
var faultSeries = flag.String("fault-series", "", "directory to write what metrics said during each fault")

// course is what a metric said from when all was well until all was well again (cmd/internal/watch, Course).
type course struct {
	Counter                  bool
	First, Least, Most, Last float64
}

// sampler looks at the metrics of a scenario's workers ten times a second.
type sampler struct {
	mu      sync.Mutex
	workers []*Worker
	healthy bool // all was well once: what was said before is no fault's
	courses map[string]*course
	quit    chan struct{}
	ended   sync.WaitGroup
}

var samplers sync.Map // of scenarios, by the names of their tests

// recorded is the scenario, watched where that is asked for.
func recorded(c faultCase) func(t *testing.T) {
	if *faultSeries == "" {
		return c.scenario
	}
	return func(t *testing.T) {
		s := &sampler{courses: map[string]*course{}, quit: make(chan struct{})}
		samplers.Store(t.Name(), s)
		t.Cleanup(func() {
			text, err := json.MarshalIndent(s.courses, "", " ")
			if err == nil {
				file := fmt.Sprintf("%02d_%s.json", c.number, regexp.MustCompile(`\W+`).ReplaceAllString(c.name, "_"))
				err = os.WriteFile(filepath.Join(*faultSeries, file), append(text, '\n'), 0o644)
			}
			if err != nil {
				t.Error(err)
			}
		})
		c.scenario(t)
	}
}

// watched lets the scenario's sampler, where there is one, look at a worker until the test begins to end.
func (b *bench) watched(w *Worker) *Worker {
	samplers.Range(func(name, value any) bool {
		if b.t.Name() != name && !strings.HasPrefix(b.t.Name(), name.(string)+"/") {
			return true
		}
		s := value.(*sampler)
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.workers = append(s.workers, w); len(s.workers) == 1 {
			s.ended.Go(s.run)
		}
		b.t.Cleanup(s.stop)
		return false // a name is one test's
	})
	return w
}

// unwatched ends the sampling of a scenario that is about to end: that its workers stop is no fault.
func (b *bench) unwatched() {
	samplers.Range(func(name, value any) bool {
		if b.t.Name() == name || strings.HasPrefix(b.t.Name(), name.(string)+"/") {
			value.(*sampler).stop()
		}
		return true
	})
}

func (s *sampler) stop() {
	s.mu.Lock()
	if s.quit != nil {
		close(s.quit)
		s.quit = nil
	}
	s.mu.Unlock()
	s.ended.Wait()
}

func (s *sampler) run() {
	s.mu.Lock()
	quit := s.quit
	s.mu.Unlock()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-quit:
			return
		case <-tick.C:
			s.look()
		}
	}
}

// look takes one sample: counters of all workers together, the greatest of their gauges.
func (s *sampler) look() {
	s.mu.Lock()
	workers := s.workers
	s.mu.Unlock()
	now, counters := map[string]float64{}, map[string]bool{}
	for _, w := range workers {
		fresh := prometheus.NewRegistry()
		fresh.MustRegister(&backlog{w: w}) // not what was measured up to five seconds ago
		for _, from := range []prometheus.Gatherer{w.Metrics.(prometheus.Gatherer), fresh} {
			take(from, now, counters, from == fresh)
		}
		for _, pool := range w.db.Pools() {
			name := `dossier_db_pool_wait_seconds_total{pool="` + pool.Name + `"}`
			now[name], counters[name] = now[name]+pool.Waited.Seconds(), true
			name = `dossier_db_pool_waits_total{pool="` + pool.Name + `"}`
			now[name], counters[name] = now[name]+float64(pool.Waits), true
		}
	}
	well := now["dossier_postgres_up"] == 1 && now["dossier_redis_up"] == 1
	if s.healthy = s.healthy || well; !s.healthy {
		return
	}
	for name, value := range now {
		c := s.courses[name]
		if c == nil {
			if value == 0 && strings.HasPrefix(name, "dossier_leader") {
				continue // not yet, or in another process
			}
			c = &course{Counter: counters[name], First: value, Least: value, Most: value}
			if c.Counter {
				c.First = 0 // what was counted before all was well is the fault's too
			}
			s.courses[name] = c
		}
		c.Least, c.Most, c.Last = min(c.Least, value), max(c.Most, value), value
	}
}

// asked are the names of metrics in the alerts' expressions.
var asked = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	rules, err := os.ReadFile("../../deploy/prometheus/rules.yaml")
	if err != nil {
		panic(err)
	}
	for _, name := range regexp.MustCompile(`\bdossier_\w+`).FindAllString(string(rules), -1) {
		names[name] = true
	}
	return names
})

// take adds what a registry says. fresh replaces gauges; counters of several workers add up.
func take(from prometheus.Gatherer, now map[string]float64, counters map[string]bool, fresh bool) {
	add := func(name string, labels []string, value float64, counter bool) {
		if !asked()[name] {
			return
		}
		if len(labels) > 0 {
			name += "{" + strings.Join(labels, ",") + "}"
		}
		switch {
		case counter:
			now[name] += value
		case fresh:
			now[name] = value
		default:
			now[name] = max(now[name], value)
		}
		counters[name] = counter
	}
	families, _ := from.Gather() // what could be had
	for _, family := range families {
		name := family.GetName()
		for _, m := range family.Metric {
			var labels []string
			for _, l := range m.Label {
				labels = append(labels, fmt.Sprintf("%s=%q", l.GetName(), l.GetValue()))
			}
			switch {
			case m.Histogram != nil:
				h := m.Histogram
				bucket := func(le string, n uint64) {
					add(name+"_bucket", append(labels[:len(labels):len(labels)], `le="`+le+`"`), float64(n), true)
				}
				for _, one := range h.Bucket {
					bucket(fmt.Sprint(one.GetUpperBound()), one.GetCumulativeCount())
				}
				bucket("+Inf", h.GetSampleCount())
				add(name+"_count", labels, float64(h.GetSampleCount()), true)
			case m.Counter != nil:
				add(name, labels, m.Counter.GetValue(), true)
			case m.Gauge != nil:
				add(name, labels, m.Gauge.GetValue(), false)
			}
		}
	}
}
